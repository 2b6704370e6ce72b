//! Findings about a run as text, and which of them still count.

use super::{Evidence, PatchSet, Run, Verdict};
use crate::text::inert_line;

/// The kind of evidence from a job's gates.
const GATE: &str = "gate";

/// Returns the evidence that counts: for a gate that was run several times, only the last result.
pub fn current(run: &Run) -> impl Iterator<Item = &Evidence> {
    run.evidence.iter().filter(|evidence| !is_run_again(run, evidence))
}

/// Returns whether a gate was run again later, so that the later result counts.
pub fn is_run_again(run: &Run, evidence: &Evidence) -> bool {
    let later = run.evidence.iter().rev().take_while(|later| later.id != evidence.id);
    evidence.kind == GATE && later.into_iter().any(|later| is_same_gate(evidence, later))
}

/// Returns whether a gate was run before, so that this later result counts.
pub fn is_another_try(run: &Run, evidence: &Evidence) -> bool {
    let mut earlier = run.evidence.iter().take_while(|earlier| earlier.id != evidence.id);
    earlier.any(|earlier| is_same_gate(earlier, evidence))
}

/// Returns whether both are results of one gate, recorded by the same supervisor.
fn is_same_gate(one: &Evidence, other: &Evidence) -> bool {
    one.kind == GATE
        && other.kind == GATE
        && one.tool == other.tool
        && one.command == other.command
        && one.created_by == other.created_by
}

/// Describes how a piece of evidence ended, its patch set, and how often the same gate failed before.
pub(super) fn finding(run: &Run, evidence: &Evidence) -> String {
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    let about = about(run, evidence).map(|about| format!(" ({about})")).unwrap_or_default();
    let before = failed_before(failures(run, evidence));
    format!("{} `{}` {}{about}{before}.", inert_line(&evidence.kind), code(what), ended(evidence))
}

/// Counts how often the same gate failed before.
pub fn failures(run: &Run, evidence: &Evidence) -> usize {
    let earlier = run.evidence.iter().take_while(|earlier| earlier.id != evidence.id);
    earlier.filter(|one| one.exit_code != Some(0) && is_same_gate(one, evidence)).count()
}

/// Describes how often a gate failed before.
pub fn failed_before(times: usize) -> String {
    match times {
        0 => String::new(),
        1 => ", after it had failed once".to_owned(),
        times => format!(", after it had failed {times} times"),
    }
}

/// Describes how a piece of evidence ended.
pub fn ended(evidence: &Evidence) -> String {
    match evidence.exit_code {
        Some(0) => "passed".to_owned(),
        Some(code) => format!("failed with exit code {code}"),
        None => "had to be stopped".to_owned(),
    }
}

/// Describes the patch set of a piece of evidence, and marks one that does not count: the committed one counts, else
/// the last.
pub fn about(run: &Run, evidence: &Evidence) -> Option<String> {
    let about = run.patchset(evidence.patchset?)?;
    let number = about.number();
    let (counts, other) = match committed(run) {
        Some(committed) => (Some(committed), ", not the committed one"),
        None => (run.patchsets.last(), ", not the last one"),
    };
    let mark = if counts.is_some_and(|counts| counts.id == about.id) { "" } else { other };
    Some(format!("patch set {number}{mark}"))
}

/// Returns the patch set that was committed.
pub fn committed(run: &Run) -> Option<&PatchSet> {
    let verdict = run.verdict.as_ref().filter(|verdict| verdict.verdict == Verdict::Commit)?;
    run.patchset(verdict.patchset?)
}

/// Returns a name in a form that can be put between backticks.
pub(super) fn code(text: &str) -> String {
    inert_line(text).replace('`', "'")
}
