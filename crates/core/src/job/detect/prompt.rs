//! Prompts on a screen.
//!
//! An agent's text may show anything, even a dialog. So a prompt counts only where a real one would be: at the bottom,
//! with nothing after it but an explanation of keys, and not while the program is known to do something else.

use super::dialog::{self, Dialog};
use super::patterns::{Patterns, bare};
use super::plan;
use super::signal::{Observation, Prompt, Question, ScreenText, YesNo};

/// Returns the prompt that the screen shows.
pub fn find_prompt(seen: &Observation, patterns: &Patterns) -> Option<Prompt> {
    if seen.waiting_for_input == Some(false) {
        return None;
    }
    let dialog = dialog::find(&seen.screen.rows).map(|dialog| of_dialog(dialog, patterns));
    dialog.or_else(|| of_line(seen, patterns))
}

/// Returns the rows above a prompt with this text; none if the screen does not show it.
pub fn printed_before<'a>(screen: &'a ScreenText, text: &str) -> Option<&'a [String]> {
    let first = bare(text.lines().next()?);
    let start = screen.rows.iter().rposition(|row| bare(row) == first)?;
    let end = screen.rows[..start].iter().rposition(|row| !bare(row).is_empty()).map_or(0, |last| last + 1);
    Some(&screen.rows[..end])
}

/// Returns whether an option of a list opens free text, and so is not an answer by itself.
pub fn is_for_words(label: &str) -> bool {
    const STARTS: [&str; 9] = [
        "type something",
        "type here",
        "type your",
        "type my own",
        "type a ",
        "enter your",
        "write your",
        "something else",
        "let me type",
    ];
    let label = label.to_lowercase();
    let other = label.strip_prefix("other").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    // "Other tools" is an answer; "Other (please say)" and "Other…" are not.
    let plain = label.strip_prefix("other ").is_none_or(|rest| !rest.starts_with(char::is_alphanumeric));
    (other && plain) || STARTS.iter().any(|start| label.starts_with(start))
}

fn of_dialog(dialog: Dialog, patterns: &Patterns) -> Prompt {
    let text = dialog.head.join("\n");
    let says = |patterns: &[super::Pattern]| {
        dialog.head.iter().any(|line| patterns.iter().any(|pattern| pattern.matches(line)))
    };
    let starts = |word: &str| {
        let of = |label: &str| {
            label.split(|c: char| !c.is_alphanumeric()).next().is_some_and(|w| w.eq_ignore_ascii_case(word))
        };
        dialog.options.iter().find(|option| of(&option.label))
    };
    let plan_like = dialog.options.iter().any(|option| plan::offers_to_go_on(&option.label));
    if plan_like || says(&patterns.plans) {
        return Prompt::Plan { text: dialog.plan.join("\n"), options: dialog.options, enter: dialog.enter };
    }
    match (starts("yes"), starts("no")) {
        (Some(yes), Some(no)) => {
            let keys = YesNo { yes: yes.number.to_string(), no: no.number.to_string(), enter: dialog.enter };
            Prompt::Permission { text, keys }
        }
        (Some(yes), None) if says(&patterns.permissions) => {
            let keys = YesNo { yes: yes.number.to_string(), no: "\u{1b}".into(), enter: dialog.enter };
            Prompt::Permission { text, keys }
        }
        _ => {
            let (header, lines) = headed(&dialog.head);
            let text = if dialog.framed { lines.join("\n") } else { asked(lines) };
            // If several can be chosen, a number only marks an option.
            let enter = dialog.enter || dialog.multiple;
            Prompt::Question {
                enter,
                questions: vec![Question {
                    text,
                    header,
                    options: dialog.options,
                    multiple: dialog.multiple,
                    selects: true,
                }],
            }
        }
    }
}

/// Splits off the word or two above a question.
fn headed(head: &[String]) -> (Option<String>, &[String]) {
    if let [first, rest @ ..] = head {
        let word = first.trim_start_matches(['☐', '☑', '□', '■', ' ']);
        if !rest.is_empty() && word.len() < first.len() {
            let start = rest.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
            return (Some(word.trim().to_owned()), &rest[start..]);
        }
    }
    (None, head)
}

/// Returns the question at the end of some lines, without what was printed before it.
fn asked(lines: &[impl AsRef<str>]) -> String {
    /// A line of at least this length may continue on the next.
    const LONG: usize = 60;
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    let paragraph = lines.iter().rposition(|line| line.trim().is_empty()).map_or(0, |blank| blank + 1);
    let asks = |line: &&str| line.trim_end().ends_with(['?', ':']);
    let last = lines.len().saturating_sub(1).max(paragraph);
    let mut start = lines[paragraph..].iter().rposition(asks).map_or(last, |at| paragraph + at);
    let continues = |before: &str, line: &str| {
        let wrapped = before.chars().count() >= LONG && !before.ends_with(['.', '!', '?', ':', '…']);
        wrapped || line.starts_with(char::is_lowercase)
    };
    while start > paragraph && continues(lines[start - 1].trim(), lines[start].trim()) {
        start -= 1;
    }
    lines[start..].join("\n")
}

/// Returns the question of a yes/no prompt, without what was printed before it and without how to answer it; none for
/// other prompts.
pub fn yes_no_question(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (last, before) = lines.split_last()?;
    yes_no(last)?;
    let end = last.trim_end().trim_end_matches([':', '?', '>', ' ']);
    let answers = end.rfind(['[', '(']).unwrap_or(end.len());
    let question = end[..answers].trim_end();
    let lines: Vec<&str> = before.iter().copied().chain([question]).collect();
    let asked = asked(&lines);
    // How to answer may be on a separate line below the question.
    Some(if question.is_empty() { before.last()?.trim().to_owned() } else { asked })
}

/// Finds a prompt in one line, with the cursor after it.
fn of_line(seen: &Observation, patterns: &Patterns) -> Option<Prompt> {
    let screen = &seen.screen;
    let (row, col) = (usize::from(screen.cursor.0), usize::from(screen.cursor.1));
    let line = screen.rows.get(row)?;
    // The cursor must be at the end of the last line with text.
    let nothing_after = screen.rows.iter().skip(row + 1).all(|row| bare(row).is_empty());
    let width = line.chars().count();
    if !nothing_after || col < width || line.trim().is_empty() {
        return None;
    }
    // A mark alone is the input line for the line above it.
    let is_mark = line.trim().chars().count() <= 3 && !line.chars().any(char::is_alphanumeric);
    let above = || row.checked_sub(1).and_then(|above| screen.rows.get(above));
    let (line, row) = match above() {
        Some(asking) if is_mark && alternatives(asking).is_some() => (asking, row - 1),
        _ => (line, row),
    };
    let lines = paragraph(&screen.rows, row);
    let text = lines.join("\n");
    let words = alternatives(line).unwrap_or_default();
    if let Some(keys) = yes_no(line) {
        return Some(Prompt::Permission { text, keys });
    }
    if patterns.permissions.iter().any(|pattern| pattern.matches(line)) && line.trim_end().ends_with('?') {
        return Some(Prompt::Permission { text, keys: YesNo::default() });
    }
    // A question in words counts only if a process is known to wait for the answer.
    let says_something = line.chars().filter(|c| c.is_alphabetic()).count() > 2;
    // Earlier output may be numbered, too.
    let is_offered =
        |(first, _): &(usize, Vec<_>)| is_mark || picks_one(line) || ends_asking(&screen.rows[..*first]);
    let listed = dialog::plain_list(&screen.rows[..row]).filter(is_offered);
    let ends = line.trim_end().ends_with(['?', ':']);
    // A shell's `select` asks with a mark below its list.
    let selects = is_mark && ends && listed.is_some();
    // So does an agent that reads lines; its last message may end in a list, too.
    let lets_choose = line.trim() == ">"
        && listed.as_ref().is_some_and(|(first, _)| is_put_to_a_person(&screen.rows[..*first]));
    let asks = selects || lets_choose || (says_something && (ends || words.len() > 2));
    let secret =
        ["password", "passphrase", "pin:", "token:"].iter().any(|word| line.to_lowercase().contains(word));
    if seen.waiting_for_input != Some(true) || !asks || secret {
        return None;
    }
    let (text, options) = match listed {
        Some((first, options)) => {
            let own = || if selects { "Which one?" } else { bare(line) }.to_owned();
            (asked_above(&screen.rows[..first], line).unwrap_or_else(own), options)
        }
        None if words.len() > 2 => (bare(line).to_owned(), Vec::new()),
        None => (asked(&lines), Vec::new()),
    };
    let questions = vec![Question { text, options, ..Question::default() }];
    Some(Prompt::Question { questions, enter: true })
}

/// Returns the question above a plain list, if the line below the list only says how to answer (`Choose [1-2]:`).
fn asked_above(rows: &[String], line: &str) -> Option<String> {
    const SAY_HOW: [&str; 20] = [
        "choose",
        "choice",
        "select",
        "selection",
        "pick",
        "enter",
        "type",
        "answer",
        "input",
        "option",
        "number",
        "please",
        "your",
        "a",
        "an",
        "the",
        "one",
        "of",
        "from",
        "to",
    ];
    let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let says_how = words.map(str::to_lowercase).all(|word| SAY_HOW.contains(&word.as_str()));
    let last = rows.iter().rposition(|row| !bare(row).is_empty())?;
    let text = asked(&paragraph(rows, last));
    // A statement such as "Installed 4 packages." is not a question.
    let tells = || spoken_end(&text).ends_with(['.', '!', '…']);
    (spoken_end(&text).ends_with('?') || says_how && !tells()).then_some(text)
}

/// Returns whether a line asks to choose from a list: in words, or by the numbers that it takes (`[1-2]`).
fn picks_one(line: &str) -> bool {
    const PICKS: [&str; 12] = [
        "which",
        "what",
        "choose",
        "choice",
        "select",
        "selection",
        "pick",
        "option",
        "number",
        "enter",
        "prefer",
        "want",
    ];
    let numbers = line.rfind(['[', '(']).is_some_and(|at| line[at..].contains(|c: char| c.is_ascii_digit()));
    let mut words = line.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    numbers || words.any(|word| PICKS.contains(&word.as_str()))
}

/// Returns whether the last row with text is a question.
fn ends_asking(rows: &[String]) -> bool {
    let last = rows.iter().rev().find(|row| !bare(row).is_empty());
    last.is_some_and(|row| spoken_end(bare(row)).ends_with('?'))
}

/// Returns whether the last row with text asks a person to choose. "What changed?" is the heading of a report.
fn is_put_to_a_person(rows: &[String]) -> bool {
    const CHOOSES: [&str; 9] =
        ["which", "choose", "pick", "select", "prefer", "should", "shall", "want", "would"];
    let last = rows.iter().rev().find(|row| !bare(row).is_empty());
    let mut words = last.iter().flat_map(|row| row.split(|c: char| !c.is_alphabetic()));
    ends_asking(rows) && words.any(|word| CHOOSES.contains(&word.to_lowercase().as_str()))
}

/// Removes what follows the end of a sentence: spaces, emoji.
fn spoken_end(text: &str) -> &str {
    text.trim_end_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation() && c != '…')
}

/// Returns how yes and no are typed, if a line ends in `[y/n]` or the like.
fn yes_no(line: &str) -> Option<YesNo> {
    let end = line.trim_end().trim_end_matches([':', '?', '>', ' ']);
    let mut depth = 0;
    let inside = end.char_indices().rev().find_map(|(at, c)| {
        depth += match c {
            ']' | ')' => 1,
            '[' | '(' => -1,
            _ => 0,
        };
        (depth == 0).then(|| end[at..].to_lowercase())
    })?;
    let words: Vec<&str> =
        inside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // The key alone may be the answer; Enter would then answer the next question.
    let keys = |yes: &str, no: &str| Some(YesNo { yes: yes.into(), no: no.into(), enter: false });
    match (words.contains(&"yes") && words.contains(&"no"), words.contains(&"y") && words.contains(&"n")) {
        (true, _) => keys("yes", "no"),
        (_, true) => keys("y", "n"),
        _ => None,
    }
}

/// Returns the words to choose from at the end of a line, as in `(yes/no/diff)`. Single letters are keys, and a
/// bracketed word is a placeholder for other input.
fn alternatives(line: &str) -> Option<Vec<&str>> {
    let end = line.trim_end().trim_end_matches([':', '?', '>', ' ']);
    let inside = end.strip_suffix([')', ']'])?;
    let inside = &inside[inside.rfind(['(', '['])? + 1..];
    let words: Vec<&str> = inside.split(['/', '|']).map(str::trim).collect();
    let is_word = |word: &&str| word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    (words.len() > 1 && words.iter().all(is_word)).then_some(words)
}

/// Returns the lines up to a row that belong together, at most a few.
fn paragraph(rows: &[String], row: usize) -> Vec<&str> {
    const MOST: usize = 12;
    let lines =
        rows[..=row].iter().rev().map(|line| bare(line)).take_while(|line| !line.is_empty()).take(MOST);
    let mut lines: Vec<&str> = lines.collect();
    lines.reverse();
    lines
}
