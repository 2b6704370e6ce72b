//! Aligned tables that fit the terminal, and the words in their cells.

use anstream::adapter::strip_str;
use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Table, Width, presets};
use holdpoint_core::{DecisionId, Timestamp};
use unicode_width::UnicodeWidthStr as _;

use super::ui::{self, ACCENT, FAINT};
use crate::shown::words::span;

/// The space between columns.
const GAP: usize = 2;

/// Lays out rows under a header, one line each, within the width of the terminal.
pub(crate) fn render(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let natural = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| strip_str(cell).to_string());
        cells.map(|cell| cell.width()).chain([header[column].width()]).max().unwrap_or_default()
    };
    let natural: Vec<usize> = (0..header.len()).map(natural).collect();
    let widths = match ui::width() {
        Some(room) => fit(header, natural, room),
        None => natural,
    };
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::MAX);
    table.set_header(header.iter().map(Cell::new));
    for row in rows {
        let mut line = comfy_table::Row::from(row);
        line.max_height(1);
        table.add_row(line);
    }
    for (column, width) in table.column_iter_mut().zip(&widths) {
        let whole = u16::try_from(width + GAP).unwrap_or(u16::MAX);
        column.set_padding((0, u16::try_from(GAP).unwrap_or_default()));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(whole)));
    }
    let text = table.to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Narrows columns until they fit. The first names things and gives last, never more than down to half the room;
/// the last says what it is about and keeps three times as much as those between.
fn fit(header: &[&str], mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    const LEAST: usize = 8;
    let last = header.len().saturating_sub(1);
    let floor = |column: usize, width: usize| match column {
        0 => room / 2,
        _ => header[column].width().max(LEAST).min(width),
    };
    while widths.iter().sum::<usize>() + GAP * last > room {
        let share = |(column, width): (usize, usize)| match column {
            0 => 0,
            _ if column == last => width,
            _ => width * 3,
        };
        let can_give = |(column, width): &(usize, usize)| *width > floor(*column, *width).max(1);
        let widest = widths.iter().copied().enumerate().filter(can_give).max_by_key(|one| share(*one));
        let Some((column, _)) = widest else { break };
        widths[column] -= 1;
    }
    widths
}

/// Writes an id with the part that suffices to name it standing out.
pub(crate) fn id(id: DecisionId, length: usize) -> String {
    let suffix = id.suffix();
    let (enough, rest) = suffix.split_at(length.clamp(1, suffix.len()));
    format!("{FAINT}dcn-{FAINT:#}{ACCENT}{enough}{ACCENT:#}{FAINT}{rest}{FAINT:#}")
}

/// Writes how long ago something was: `5s`, `2m`, `3h`, `4d`.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    span(now.since(then).as_millis())
}

/// Writes how far off a deadline is, or that it has passed.
pub(crate) fn left(deadline: Timestamp, now: Timestamp) -> String {
    if deadline <= now { "passed".into() } else { format!("in {}", span(deadline.since(now).as_millis())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_short() {
        for (millis, text) in
            [(0, "0s"), (59_999, "59s"), (60_000, "1m"), (7_200_000, "2h"), (259_200_000, "3d")]
        {
            assert_eq!(span(millis), text);
        }
    }
}
