//! Formats a change for a terminal: in one column or two, with colours if wanted.

use anstyle::{AnsiColor, Style};
use holdpoint_core::text::{inert, inert_line};

use crate::view_model::diff::{self, Row, RowKind};
use crate::view_model::syntax::{self, Token};

const ADDED: Style = AnsiColor::Green.on_default();
const DELETED: Style = AnsiColor::Red.on_default();
const HEADING: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const WORD: Style = AnsiColor::Blue.on_default().bold();
const TEXT: Style = AnsiColor::Yellow.on_default();
const NUMBER: Style = AnsiColor::Magenta.on_default();

/// Formats a change in one column.
pub(crate) fn column(text: &str) -> String {
    let rows = diff::rows(text);
    let files = diff::files(&rows);
    let line = |(at, row): (usize, &Row<'_>)| {
        if let Some(heading) = heading(row) {
            return heading;
        }
        let number = |n: Option<u32>| n.map_or_else(String::new, |n| n.to_string());
        let (old, new) = (number(row.old), number(row.new));
        let code = coloured(diff::file_of(&files, at), row.text);
        format!("{FAINT}{old:>5} {new:>5}{FAINT:#} {}{code}", sign(row.kind))
    };
    rows.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats a change in two columns, for a terminal of this width.
pub(super) fn columns(text: &str, width: usize) -> String {
    let rows = diff::rows(text);
    let files = diff::files(&rows);
    let room = (width.saturating_sub(3) / 2).max(20);
    let side = |at: Option<usize>, old: bool| {
        let Some(at) = at else { return " ".repeat(room) };
        let row = &rows[at];
        let number = if old { row.old } else { row.new };
        let number = number.map_or_else(String::new, |n| n.to_string());
        let words = cut(&inert(row.text).replace('\t', "    "), room.saturating_sub(8));
        // The number, a blank and the sign take up space as well.
        let pad = room.saturating_sub(number.len().max(5) + 2 + words.chars().count());
        let code = coloured(diff::file_of(&files, at), &words);
        format!("{FAINT}{number:>5}{FAINT:#} {}{code}{}", sign(row.kind), " ".repeat(pad))
    };
    let line = |(left, right): (Option<usize>, Option<usize>)| match left.and_then(|at| heading(&rows[at])) {
        Some(heading) => heading,
        None => format!("{} │ {}", side(left, true), side(right, false)).trim_end().to_owned(),
    };
    diff::sides(&rows).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn heading(row: &Row<'_>) -> Option<String> {
    let text = inert_line(row.text);
    match row.kind {
        RowKind::File => Some(format!("{HEADING}{text}{HEADING:#}")),
        RowKind::Note | RowKind::Place => Some(format!("{FAINT}{text}{FAINT:#}")),
        _ => None,
    }
}

fn style(kind: RowKind) -> Style {
    match kind {
        RowKind::Added => ADDED,
        RowKind::Deleted => DELETED,
        _ => Style::new(),
    }
}

fn plain_sign(kind: RowKind) -> char {
    match kind {
        RowKind::Added => '+',
        RowKind::Deleted => '-',
        _ => ' ',
    }
}

fn sign(kind: RowKind) -> String {
    let style = style(kind);
    format!("{style}{}{style:#}", plain_sign(kind))
}

fn coloured(path: &str, line: &str) -> String {
    let piece = |(token, text): (Token, &str)| {
        let text = inert(text);
        let style = match token {
            Token::Plain => return text,
            Token::Word => WORD,
            Token::Text => TEXT,
            Token::Note => FAINT,
            Token::Number => NUMBER,
        };
        format!("{style}{text}{style:#}")
    };
    syntax::tokens(syntax::language(path), line).into_iter().map(piece).collect()
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1,2 @@\n let a = 1;\n-let b = \"old\";\n\
        +let b = \"new\"; // why\n";

    #[test]
    fn both_ways_colour_the_same_words() {
        for shown in [column(DIFF), columns(DIFF, 120)] {
            for (style, word) in [(WORD, "let"), (TEXT, "\"old\""), (TEXT, "\"new\""), (FAINT, "// why")] {
                assert!(shown.contains(&format!("{style}{word}{style:#}")), "{word}: {shown}");
            }
        }
    }

    #[test]
    fn columns_are_as_wide_as_there_is_room() {
        let plain = anstream::adapter::strip_str(&columns(DIFF, 63)).to_string();
        let changed = plain.lines().last().unwrap();
        assert_eq!(changed.chars().position(|c| c == '│'), Some(31), "{plain}");
        assert!(changed.ends_with("+let b = \"new\"; // why"), "{plain}");
        let narrow = anstream::adapter::strip_str(&columns(DIFF, 43)).to_string();
        assert!(narrow.lines().last().unwrap().ends_with('…'), "{narrow}");
    }
}
