//! The plan above a dialog's options, without what was printed before it.

use super::dialog::{is_rule, numbered};
use super::patterns::{bare, level};

/// Returns where a plan begins in the rows above its options; nothing where that cannot be told.
///
/// It begins where it is announced, else below the rule or frame above it, else below the plan before it.
pub(super) fn start(rows: &[String]) -> Option<usize> {
    let offers = |row: &String| numbered(row).is_some_and(|line| offers_to_go_on(&line.label));
    let past = rows.iter().rposition(offers).map_or(0, |last| last + 1);
    let rows = &rows[past..];
    let opens = |row: &String| level(bare(row)).starts_with("ready to code?");
    let start = rows.iter().rposition(opens);
    let start = start.or_else(|| rows.iter().position(|row| announces(row))).or_else(|| below_rule(rows));
    start.map(|start| past + start).or((past > 0).then_some(past))
}

/// Returns whether an option is one that only plans have.
pub(super) fn offers_to_go_on(label: &str) -> bool {
    let label = label.to_lowercase();
    ["keep planning", "auto-accept edits"].iter().any(|words| label.contains(words))
}

/// Whether a line is the heading of a plan, such as `Here is Claude's plan:`, `## Plan` or `Plan: first the tests`.
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
