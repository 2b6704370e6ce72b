//! Aligned tables that fit the terminal, and the words in their cells.

use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Table, presets};
use holdpoint_core::{DecisionId, Timestamp};

use super::ui::{self, ACCENT, FAINT};

/// Lays out rows under a header; the last column takes what is left of the width.
pub(crate) fn render(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    let width = ui::width().unwrap_or(usize::from(u16::MAX));
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table.set_header(header.iter().map(|name| Cell::new(name)));
    for row in rows {
        let mut line = comfy_table::Row::from(row);
        line.max_height(1);
        table.add_row(line);
    }
    let last = header.len().saturating_sub(1);
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if at == last { 0 } else { 2 }));
        if at != last {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    let text = table.to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
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

fn span(millis: i64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
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
