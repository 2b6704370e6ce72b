//! The plan above a dialog's options, without what was printed before it.

use super::dialog::{is_rule, numbered};
use super::patterns::{bare, level};
use super::prompt::is_for_words;
use super::signal::QuestionOption;

/// Returns the row where a plan begins above its options; none if that is unclear.
///
/// It begins at its announcement, else below the rule or frame above it, else below the previous plan.
pub(super) fn start(rows: &[String]) -> Option<usize> {
    let offers = |row: &String| numbered(row).is_some_and(|line| offers_to_go_on(&line.label));
    let past = rows.iter().rposition(offers).map_or(0, |last| last + 1);
    let rows = &rows[past..];
    let opens = |row: &String| level(bare(row)).starts_with("ready to code?");
    let start = rows.iter().rposition(opens);
    let start = start.or_else(|| rows.iter().position(|row| announces(row))).or_else(|| below_rule(rows));
    start.map(|start| past + start).or((past > 0).then_some(past))
}

/// Returns whether an option occurs only in menus for plans.
pub(super) fn offers_to_go_on(label: &str) -> bool {
    let label = label.to_lowercase();
    ["keep planning", "auto-accept edits"].iter().any(|words| label.contains(words))
}

/// A way to accept a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanAcceptance {
    /// The agent starts on it with a cleared context.
    Clear,
    /// The agent edits without asking.
    Auto,
    /// The agent asks before every edit.
    Manual,
}

impl PlanAcceptance {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Clear, Self::Auto, Self::Manual];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }

    /// Returns the number by which a menu accepts a plan this way, read from its labels: menus differ in their options
    /// and order, and the same number may be a no in another menu.
    pub fn number(self, menu: &[QuestionOption]) -> Option<u8> {
        let accepting = || menu.iter().filter(|option| accepts(&option.label));
        let by_label = accepting().find(|option| acceptance_of(&option.label) == Some(self));
        // A plain "Yes" does not say how; if it is the only one, it means accepting without conditions.
        let only = match accepting().collect::<Vec<_>>().as_slice() {
            [only] if self == Self::Auto && acceptance_of(&only.label).is_none() => Some(*only),
            _ => None,
        };
        by_label.or(only).map(|option| option.number)
    }
}

/// Returns the option of a plan's menu that continues planning, read from its labels: one that takes text, one that
/// says no, or the only one that does not accept. None if it cannot be distinguished from those that accept.
pub fn going_on(menu: &[QuestionOption]) -> Option<&QuestionOption> {
    let others = || menu.iter().filter(|option| !accepts(&option.label));
    let for_words = |option: &&QuestionOption| is_for_words(&option.label) || asks_for_changes(&option.label);
    let only = || match others().collect::<Vec<_>>().as_slice() {
        [only] if menu.len() > 1 => Some(*only),
        _ => None,
    };
    let last = menu.last().filter(|_| menu.len() > 1).filter(for_words);
    last.or_else(|| others().find(|option| declines(&option.label)))
        .or_else(|| others().find(for_words))
        .or_else(only)
}

/// Returns whether an option of a plan's menu plainly declines the plan.
fn declines(label: &str) -> bool {
    const NO: [&str; 7] = ["no", "keep", "reject", "decline", "cancel", "revise", "stop"];
    let label = label.to_lowercase();
    let first = label.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    NO.contains(&first) || label.contains("keep planning") || label.contains("continue planning")
}

/// Returns whether an option asks what to change.
fn asks_for_changes(label: &str) -> bool {
    let label = label.to_lowercase();
    label.starts_with("tell ") || label.contains("what to change")
}

/// Returns whether an option of a plan's menu accepts the plan.
fn accepts(label: &str) -> bool {
    const YES: [&str; 5] = ["yes", "accept", "approve", "proceed", "auto"];
    let label = label.to_lowercase();
    let first = label.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    YES.contains(&first) || first.starts_with("manual") || (first == "clear" && label.contains("context"))
}

/// Returns the way in which an accepting option accepts a plan; none if its label names no way, or more than a person
/// may have meant.
fn acceptance_of(label: &str) -> Option<PlanAcceptance> {
    let label = label.to_lowercase();
    let starts = |start: &str| label.split(|c: char| !c.is_alphabetic()).any(|word| word.starts_with(start));
    if starts("clear") && starts("context") {
        return Some(PlanAcceptance::Clear);
    }
    match (starts("manual"), starts("auto")) {
        (true, _) => Some(PlanAcceptance::Manual),
        (false, true) => Some(PlanAcceptance::Auto),
        (false, false) => None,
    }
}

/// Returns whether a line is the heading of a plan, such as `Here is Claude's plan:`, `## Plan` or `Plan: first the
/// tests`.
fn announces(row: &str) -> bool {
    const HEADINGS: [&str; 5] = ["plan", "the plan", "my plan", "proposed plan", "implementation plan"];
    let text = level(bare(row));
    let heading = text.trim_matches(['#', '*', ':', ' ']);
    text.starts_with("plan: ")
        || HEADINGS.contains(&heading)
        || (heading.starts_with("here") && heading.ends_with("plan"))
}

/// Returns the row below the lowest rule that has more below it than the question about the plan.
fn below_rule(rows: &[String]) -> Option<usize> {
    let says = |row: &String| !bare(row).is_empty();
    let last = rows.iter().rposition(says)?;
    let asks = bare(&rows[last]).ends_with(['?', ':']);
    let question = rows[..last].iter().rposition(|row| !says(row)).map_or(0, |blank| blank + 1);
    let end = if asks { question } else { last + 1 };
    let divides = |at: &usize| is_rule(&rows[*at]) && !is_of_table(&rows[*at]);
    (0..end).rev().filter(divides).map(|at| at + 1).find(|at| rows[*at..end].iter().any(says))
}

fn is_of_table(row: &str) -> bool {
    row.contains(['┬', '┴', '┼', '├', '┤', '╞', '╪', '╡', '╤', '╧'])
}
