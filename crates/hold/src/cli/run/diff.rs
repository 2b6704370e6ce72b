//! A change as it is read in a terminal: in one column or two, coloured where colours are wanted.

use anstyle::{AnsiColor, Style};
use holdpoint_core::text::{inert, inert_line};

use crate::shown::diff::{self, Row, RowKind};
use crate::shown::syntax::{self, Token};

const ADDED: Style = AnsiColor::Green.on_default();
const DELETED: Style = AnsiColor::Red.on_default();
const HEADING: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const WORD: Style = AnsiColor::Blue.on_default().bold();
const TEXT: Style = AnsiColor::Yellow.on_default();
const NUMBER: Style = AnsiColor::Magenta.on_default();

/// Writes a change in one column.
pub(super) fn column(text: &str) -> String {
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

/// Writes a change in two columns of a terminal so wide.
pub(super) fn columns(text: &str, width: usize) -> String {
    let rows = diff::rows(text);
    let room = (width.saturating_sub(3) / 2).max(20);
    let side = |row: Option<Row<'_>>, old: bool| {
        let Some(row) = row else { return " ".repeat(room) };
        let number = if old { row.old } else { row.new };
        let number = number.map_or_else(String::new, |n| n.to_string());
        let words = cut(&inert(row.text).replace('\t', "    "), room.saturating_sub(8));
        let (plain, style) = (format!("{number:>5} {}{words}", plain_sign(row.kind)), style(row.kind));
        let pad = room.saturating_sub(plain.chars().count());
        format!("{style}{plain}{style:#}{}", " ".repeat(pad))
    };
    let line = |(left, right): (Option<Row<'_>>, Option<Row<'_>>)| match left.as_ref().and_then(heading) {
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
