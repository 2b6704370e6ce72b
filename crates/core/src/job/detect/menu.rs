//! Menus that are still open on a screen, whatever was printed or typed below them.

use super::dialog::{is_rule, numbered};
use super::patterns::bare;
use super::signal::ScreenText;

/// The marks in front of an input line.
const INPUT_MARKS: [char; 4] = ['>', '❯', '›', '»'];
/// The endings of shell prompts.
const SHELL_ENDS: [char; 7] = ['$', '#', '%', '>', '❯', '›', '»'];

/// Returns the number of the option that Enter would choose, if the screen shows a menu. Lines below it do not close
/// the menu; an input line does.
pub fn find_marked(screen: &ScreenText) -> Option<u8> {
    let rows = &screen.rows;
    let (at, marked) = rows.iter().enumerate().rev().find_map(|(at, row)| {
        let line = numbered(row).filter(|line| line.marked)?;
        has_neighbour(rows, line.number).then_some((at, line.number))
    })?;
    let is_left = (at + 1..rows.len()).any(|row| takes_text(screen, row));
    (!is_left).then_some(marked)
}

/// Returns the screen as it was before a text was typed at the end of the cursor's line; none if the text is not there
/// as a separate word.
pub fn without_typed(screen: &ScreenText, text: &str) -> Option<ScreenText> {
    let (row, column) = (usize::from(screen.cursor.0), usize::from(screen.cursor.1));
    let line = screen.rows.get(row)?;
    let before = line.strip_suffix(text).filter(|_| !text.is_empty() && line.chars().count() == column)?;
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let mut rows = screen.rows.clone();
    before.trim_end().clone_into(&mut rows[row]);
    let typed = u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
    let cursor = (screen.cursor.0, screen.cursor.1.saturating_sub(typed));
    Some(ScreenText { rows, cursor, alternate: screen.alternate })
}

/// Returns whether an unmarked option has the number before or after: a marked line alone is not a menu.
fn has_neighbour(rows: &[String], number: u8) -> bool {
    let lines = rows.iter().filter_map(|row| numbered(row));
    lines.filter(|line| !line.marked).any(|line| line.number.abs_diff(number) == 1)
}

/// Returns whether a row is clearly an input line: a mark with nothing after it, or with the cursor, or inside a box;
/// or a shell prompt with the cursor after it.
fn takes_text(screen: &ScreenText, at: usize) -> bool {
    let row = &screen.rows[at];
    let text = bare(row);
    if numbered(row).is_some() {
        return false;
    }
    let has_cursor = usize::from(screen.cursor.0) == at;
    match text.strip_prefix(INPUT_MARKS) {
        Some("") => true,
        Some(rest) if rest.starts_with(' ') => has_cursor || is_boxed(&screen.rows, at),
        _ => has_cursor && text.ends_with(SHELL_ENDS),
    }
}

fn is_boxed(rows: &[String], at: usize) -> bool {
    let is_edge = |row: Option<&String>| row.is_some_and(|row| is_rule(row));
    is_edge(at.checked_sub(1).and_then(|above| rows.get(above))) && is_edge(rows.get(at + 1))
}
