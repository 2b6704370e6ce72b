//! Aligned tables that fit the terminal, and the formatting of their cells.

use anstream::adapter::strip_str;
use holdpoint_core::{DecisionId, Timestamp};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::ui::{self, ACCENT, FAINT};
use crate::view_model::span::brief as span;

/// The space between columns.
const GAP: usize = 2;

/// Formats rows under a header, one line each, within the width of the terminal.
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
    let head = header.iter().map(|name| (*name).to_owned()).collect();
    std::iter::once(head).chain(rows).map(|row| line(&row, &columns)).collect::<Vec<_>>().join("\n")
}

/// Formats a row: each cell on one line, cut and padded to its column.
fn line(row: &[String], columns: &[(usize, usize)]) -> String {
    let mut line = String::new();
    for (column, width) in columns {
        let cell = row.get(*column).map_or("", String::as_str);
        let cell = cut(cell.lines().next().unwrap_or_default(), *width);
        let filled = (width + GAP).saturating_sub(strip_str(&cell).to_string().width());
        line.push_str(&cell);
        line.extend(std::iter::repeat_n(' ', filled));
    }
    line.truncate(line.trim_end().len());
    line
}

/// Cuts a text to a width, at the end of a word if there is one in the second half. A cut text loses its colours.
fn cut(text: &str, width: usize) -> String {
    let plain = strip_str(text).to_string();
    if plain.width() <= width {
        return text.to_owned();
    }
    let text = plain.as_str();
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

/// Returns the columns that fit, and their widths. Columns are narrowed first: the first column names things and is
/// narrowed last, to no less than half the room; the last column describes things and keeps three times as much as
/// those between. If that is not enough, columns in between are dropped, widest first.
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

/// Formats an id with its unambiguous part highlighted.
pub(crate) fn id(id: DecisionId, length: usize) -> String {
    let suffix = id.suffix();
    let (enough, rest) = suffix.split_at(length.clamp(1, suffix.len()));
    format!("{FAINT}dcn-{FAINT:#}{ACCENT}{enough}{ACCENT:#}{FAINT}{rest}{FAINT:#}")
}

/// Formats a time's age: `5s`, `2m`, `3h`, `4d`.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    span(now.since(then).as_millis())
}

/// Formats the time until a deadline, or that it has passed: `in 2h`, `in 1h59m`.
pub(crate) fn time_left(deadline: Timestamp, now: Timestamp) -> String {
    if deadline <= now {
        return "passed".into();
    }
    // Rounded up: a question that waits two hours starts with two hours, not 1h59m.
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
            assert_eq!(time_left(Timestamp::from_millis(millis), now), text);
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
        assert_eq!(cut("\u{1b}[1mdcn-abcdef\u{1b}[0m", 7), "dcn-ab…");
        assert_eq!(cut("\u{1b}[1mdcn-abc\u{1b}[0m", 7), "\u{1b}[1mdcn-abc\u{1b}[0m");
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let columns = [(0, 7), (1, 4), (2, 5)];
        for (cells, shown) in [
            (["ID", "AGE", "WHAT"], "ID       AGE   WHAT"),
            (["\u{1b}[1mdcn-abc\u{1b}[0m", "请", "x"], "\u{1b}[1mdcn-abc\u{1b}[0m  请    x"),
            (["a", "much too long", "b"], "a        muc…  b"),
            (["a\nb", "", ""], "a"),
            (["", "", "two words"], "               two…"),
        ] {
            assert_eq!(line(&row(cells), &columns), shown);
        }
        assert_eq!(line(&[], &columns), "");
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
