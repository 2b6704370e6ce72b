//! Dialogs with numbered options, as full-screen agents draw them.

use super::patterns::bare;
use super::plan;
use super::signal::QuestionOption;

/// A dialog at the bottom of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dialog {
    /// The lines above the options, without frames, and without blank lines at the ends.
    pub(super) head: Vec<String>,
    /// Whether a rule or a frame separates the head from what is above it.
    pub(super) framed: bool,
    /// The plan, if the dialog is about one: the lines above the options that belong to it, without rules.
    pub(super) plan: Vec<String>,
    /// The options, by ascending number.
    pub(super) options: Vec<QuestionOption>,
    /// Whether several can be chosen.
    pub(super) multiple: bool,
    /// Whether Enter must follow the number.
    pub(super) enter: bool,
}

/// The marks before the option that Enter would choose.
const MARKS: [char; 7] = ['❯', '›', '>', '→', '▶', '➤', '*'];
/// How many lines may follow the options.
const MOST_AFTER: usize = 6;
/// How many lines above the options are kept.
const MOST_HEAD: usize = 30;

/// A line that starts with a number.
pub(super) struct Numbered {
    pub(super) number: u8,
    pub(super) marked: bool,
    multiple: bool,
    pub(super) label: String,
    indent: usize,
}

/// Finds the dialog at the bottom of the screen.
pub(super) fn find(rows: &[String]) -> Option<Dialog> {
    let last = rows.iter().rposition(|row| numbered(row).is_some())?;
    let after = rows[last + 1..].iter().filter(|row| !bare(row).is_empty());
    // Below the options, a dialog explains keys; text or an input box there means that the dialog is over, or only
    // printed.
    let indent = numbered(&rows[last])?.indent;
    let mut hints = 0;
    for row in after {
        let describes = hints == 0 && indent_of(row) > indent;
        if !describes && !explains_keys(row) {
            return None;
        }
        hints += 1;
    }
    if hints > MOST_AFTER {
        return None;
    }
    let (first, options) = block(rows, last)?;
    let lines: Vec<Numbered> = rows[first..=last].iter().filter_map(|row| numbered(row)).collect();
    // Exactly one option is marked: a list in a text has no mark, or the same one everywhere.
    let mut marks = lines.iter().filter(|line| line.marked);
    let (Some(_), None) = (marks.next(), marks.next()) else { return None };
    let multiple = lines.iter().any(|line| line.multiple);
    let enter =
        rows[last + 1..].iter().any(|row| row.to_lowercase().contains("type a number and press enter"));
    let above = &rows[..first];
    let plan = match plan::start(above) {
        Some(start) => trimmed(above[start..].iter().filter(|row| !is_rule(row)).map(|row| bare(row))),
        None => head(above, HorizontalRules::Skipped).0,
    };
    let (head, framed) = head(above, HorizontalRules::End);
    Some(Dialog { head, framed, plan, options, multiple, enter })
}

/// Returns the first row and the options of a plain numbered list that ends in the last row.
pub(super) fn plain_list(rows: &[String]) -> Option<(usize, Vec<QuestionOption>)> {
    let last = rows.iter().rposition(|row| !bare(row).is_empty())?;
    block(rows, last)
}

/// Returns the first row and the options of the numbered block that ends in row `last`; its numbers begin with 0 or 1.
fn block(rows: &[String], last: usize) -> Option<(usize, Vec<QuestionOption>)> {
    let mut wanted = numbered(&rows[last])?.number;
    let indent = numbered(&rows[last])?.indent;
    let mut options: Vec<QuestionOption> = Vec::new();
    let mut below: Vec<String> = description(&rows[last + 1..], indent);
    let mut at = last;
    loop {
        match numbered(&rows[at]) {
            Some(line) if line.number == wanted => {
                below.reverse();
                let text = std::mem::take(&mut below).join(" ");
                let description = (!text.is_empty()).then_some(text);
                options.push(QuestionOption { number: line.number, label: line.label, description });
                let is_next_zero = || {
                    let above = rows[..at].iter().rev().find(|row| !bare(row).is_empty());
                    above.and_then(|row| numbered(row)).is_some_and(|line| line.number == 0)
                };
                if wanted == 0 || wanted == 1 && !is_next_zero() {
                    break;
                }
                wanted -= 1;
            }
            None if bare(&rows[at]).is_empty() => {}
            // A line that is indented further belongs to the option above it.
            None if indent_of(&rows[at]) > indent => below.push(bare(&rows[at]).to_owned()),
            _ => return None,
        }
        at = at.checked_sub(1)?;
    }
    options.reverse();
    (options.len() >= 2).then_some((at, options))
}

/// Returns the lines right below the last option that are indented further, last line first.
fn description(rows: &[String], indent: usize) -> Vec<String> {
    let own =
        rows.iter().take_while(|row| !bare(row).is_empty() && indent_of(row) > indent && !explains_keys(row));
    let mut lines: Vec<String> = own.map(|row| bare(row).to_owned()).collect();
    lines.reverse();
    lines
}

/// Reads a line such as `❯ 1. Yes` or `2) [ ] Tests`, in a frame or not.
pub(super) fn numbered(row: &str) -> Option<Numbered> {
    let inner = bare(row);
    let (marked, rest) = match inner.strip_prefix(MARKS) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, inner),
    };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let number: u8 = digits.parse().ok().filter(|number| *number <= 99)?;
    let label = rest[digits.len()..].strip_prefix(['.', ')'])?;
    let label = label.strip_prefix(' ')?.trim();
    let boxed = ["[ ]", "[x]", "[X]", "[✔]", "[✓]", "☐", "☑", "◯", "◉"]
        .iter()
        .find_map(|mark| label.strip_prefix(mark));
    let text = boxed.unwrap_or(label).trim();
    let indent = row.chars().count() - row.trim_start_matches(|c: char| !c.is_ascii_digit()).chars().count();
    (!text.is_empty()).then(|| Numbered {
        number,
        marked,
        multiple: boxed.is_some(),
        label: text.to_owned(),
        indent,
    })
}

/// Returns the indentation of a line, not counting a frame.
fn indent_of(row: &str) -> usize {
    row.chars().take_while(|c| c.is_whitespace() || matches!(c, '│' | '┃' | '|')).count()
}

/// Returns whether a line only explains keys.
fn explains_keys(row: &str) -> bool {
    let text = bare(row).to_lowercase();
    let keys = [
        "esc ",
        "enter ",
        "tab ",
        "tab/",
        "ctrl",
        "shift+",
        "space ",
        "↑",
        "↓",
        "arrow keys",
        "to select",
        "to cancel",
        "to navigate",
    ];
    text.is_empty()
        || keys.iter().any(|key| {
            text.starts_with(key)
                || text.contains(&format!("· {key}"))
                || (key.starts_with("to ") && text.contains(key))
        })
}

/// How rules across the screen above the options are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HorizontalRules {
    End,
    Skipped,
}

/// Returns the lines above the options, at most up to two blank lines in a row, and whether a rule ended them.
fn head(rows: &[String], rules: HorizontalRules) -> (Vec<String>, bool) {
    let mut lines: Vec<&str> = Vec::new();
    let (mut blank, mut framed) = (0, false);
    for row in rows.iter().rev() {
        let text = bare(row);
        if is_rule(row) {
            if rules == HorizontalRules::End && lines.iter().any(|line| !line.is_empty()) {
                framed = true;
                break;
            }
            continue;
        }
        blank = if text.is_empty() { blank + 1 } else { 0 };
        if blank > 1 || lines.len() >= MOST_HEAD {
            break;
        }
        lines.push(text);
    }
    (trimmed(lines.into_iter().rev()), framed)
}

/// Returns lines without blank ones at the ends.
fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lines: Vec<&str> = lines.collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |at| at + 1);
    lines[first..last].iter().map(|line| (*line).to_owned()).collect()
}

/// Returns whether a line without text is a rule or the edge of a frame, not the blank inside of one.
pub(super) fn is_rule(row: &str) -> bool {
    let row = row.trim();
    bare(row).is_empty() && row.chars().count() > 3 && !row.starts_with(['│', '┃', '|'])
}
