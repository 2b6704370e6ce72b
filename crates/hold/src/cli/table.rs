//! Aligned tables that fit the terminal, and the words in their cells.

use anstream::adapter::strip_str;
use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Table, Width, presets};
use holdpoint_core::{DecisionId, Timestamp};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::ui::{self, ACCENT, FAINT};
use crate::shown::span::brief as span;

/// The space between columns.
const GAP: usize = 2;

/// Lays out rows under a header, one line each, within the width of the terminal.
pub(crate) fn render(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let natural = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| strip_str(cell).to_string());
        cells.map(|cell| cell.width()).chain([header[column].width()]).max().unwrap_or_default()
    };
    let natural: Vec<usize> = (0..header.len()).map(natural).collect();
    let columns = match ui::width() {
        Some(room) => fit(header, &natural, room),
        None => natural.into_iter().enumerate().collect(),
    };
    let rows = rows.into_iter().map(|row| shortened(row, &columns)).collect::<Vec<_>>();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::MAX);
    table.set_header(columns.iter().map(|(column, _)| Cell::new(header[*column])));
    for row in rows {
        let mut line = comfy_table::Row::from(columns.iter().filter_map(|(column, _)| row.get(*column)));
        line.max_height(1);
        table.add_row(line);
    }
    for (column, (_, width)) in table.column_iter_mut().zip(&columns) {
        let whole = u16::try_from(width + GAP).unwrap_or(u16::MAX);
        column.set_padding((0, u16::try_from(GAP).unwrap_or_default()));
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(whole)));
    }
    let text = table.to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Cuts the last cell of a row, which says what it is about, to the room it has.
fn shortened(mut row: Vec<String>, columns: &[(usize, usize)]) -> Vec<String> {
    if let Some((column, width)) = columns.last()
        && let Some(cell) = row.get_mut(*column)
    {
        *cell = cut(cell, *width);
    }
    row
}

/// Cuts a text to a width, after a word where one ends in the second half of it.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width || strip_str(text).to_string() != text {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or_default();
        taken < width
    };
    let start: String = text.chars().take_while(fits).collect();
    let is_whole = text[start.len()..].starts_with(char::is_whitespace);
    let word = start.rfind(char::is_whitespace).filter(|at| !is_whole && start[..*at].width() * 2 >= width);
    format!("{}…", start[..word.unwrap_or(start.len())].trim_end())
}

/// Returns the columns that fit, and how wide each is. They are narrowed first: the first names things and gives last,
/// never more than down to half the room; the last says what it is about and keeps three times as much as those
/// between. Where that is not enough, those between are left out, the widest first.
fn fit(header: &[&str], natural: &[usize], room: usize) -> Vec<(usize, usize)> {
    const LEAST: usize = 8;
    let last = header.len().saturating_sub(1);
    let floor = |column: usize| match column {
        0 => (room / 2).min(natural[column]),
        _ => header[column].width().max(LEAST).min(natural[column]),
    };
    let taken = |columns: &[(usize, usize)]| {
        columns.iter().map(|(_, width)| width + GAP).sum::<usize>().saturating_sub(GAP)
    };
    let mut columns: Vec<(usize, usize)> = natural.iter().copied().enumerate().collect();
    let at_least = |columns: &[(usize, usize)]| {
        taken(&columns.iter().map(|(column, _)| (*column, floor(*column))).collect::<Vec<_>>())
    };
    while at_least(&columns) > room {
        let between = columns.iter().enumerate().filter(|(_, (column, _))| *column != 0 && *column != last);
        let Some((at, _)) = between.max_by_key(|(_, (column, _))| floor(*column)) else { break };
        columns.remove(at);
    }
    while taken(&columns) > room {
        let share = |(column, width): (usize, usize)| match column {
            0 => 0,
            _ if column == last => width,
            _ => width * 3,
        };
        let can_give = columns.iter_mut().filter(|(column, width)| *width > floor(*column).max(1));
        let Some((_, width)) = can_give.max_by_key(|one| share(**one)) else { break };
        *width -= 1;
    }
    columns
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

/// Writes how far off a deadline is, or that it has passed: `in 2h`, `in 1h59m`.
pub(crate) fn left(deadline: Timestamp, now: Timestamp) -> String {
    if deadline <= now {
        return "passed".into();
    }
    // A question that is to wait two hours has two hours, not one and some.
    let seconds = (deadline.since(now).as_millis() + 999) / 1000;
    let whole = span(seconds * 1000);
    let rest = match seconds {
        0..60 => 0,
        60..3600 => seconds % 60,
        3600..86_400 => seconds % 3600 / 60 * 60,
        _ => seconds % 86_400 / 3600 * 3600,
    };
    if rest == 0 { format!("in {whole}") } else { format!("in {whole}{}", span(rest * 1000)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_not_rounded_down_to_one_unit() {
        let now = Timestamp::from_millis(0);
        for (millis, text) in [
            (0, "passed"),
            (1, "in 1s"),
            (7_199_400, "in 2h"),
            (7_140_000, "in 1h59m"),
            (270_000, "in 4m30s"),
            (90_000_000, "in 1d1h"),
        ] {
            assert_eq!(left(Timestamp::from_millis(millis), now), text);
        }
    }

    #[test]
    fn a_text_is_cut_after_a_word() {
        let text = "Which port should the server listen on?";
        for (width, cut_to) in [
            (39, text),
            (38, "Which port should the server listen…"),
            (29, "Which port should the server…"),
            (28, "Which port should the…"),
            (8, "Which…"),
            (4, "Whi…"),
        ] {
            assert_eq!(cut(text, width), cut_to, "{width}");
        }
        assert_eq!(cut("a_very_long_name_without_a_space", 10), "a_very_lo…");
        assert_eq!(cut("请选择一个端口", 7), "请选择…");
    }

    #[test]
    fn a_table_fits_however_narrow_the_terminal() {
        let header = ["ID", "AGE", "SOURCE", "ASKED BY", "DEADLINE", "QUESTION"];
        let natural = [16, 3, 8, 24, 8, 500];
        let shown = |room| fit(&header, &natural, room).iter().map(|(at, _)| header[*at]).collect::<Vec<_>>();
        for room in 20..200 {
            let taken: usize = fit(&header, &natural, room).iter().map(|(_, width)| width + GAP).sum();
            assert!(taken - GAP <= room, "{taken} in {room}");
        }
        assert_eq!(shown(80), header);
        assert_eq!(shown(40), ["ID", "AGE", "QUESTION"]);
        assert_eq!(shown(20), ["ID", "QUESTION"]);
    }
}
