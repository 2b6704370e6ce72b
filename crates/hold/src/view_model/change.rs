//! The change that a verdict decides on: in words, and as the diff itself.

use std::fmt::Write as _;

use holdpoint_core::run::{self, Evidence, Touched};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, OwnerKind, Run, Source, Status};
use holdpoint_engine::Client;
use holdpoint_engine::run::RunPart;
use holdpoint_protocols::present;
use serde::Deserialize;
use serde_json::Value;

use super::run::{branch_name, end_of, file_words, short};
use super::{read_before_consent, span};

/// How much of a diff is shown; nobody reads beyond that.
const MOST: usize = 1 << 20;
/// How many files of a patch set are listed.
const NAMED: usize = 50;
/// How each file of a diff begins.
pub(crate) const FILE: &str = "diff --git ";

/// Reads the diff that a verdict is about: of the patch set that it commits, or else of the last one, or of the
/// commit that it may revert. None for other decisions, and if the diff cannot be read from here.
pub(crate) async fn read(client: &dyn Client, decision: &Decision) -> Option<String> {
    let values = decision.answer.as_ref().map(|answer| &answer.values);
    let committed = values.and_then(|values| read_before_consent::committed(decision, values));
    read_set(client, decision, committed.and_then(|number| number.parse().ok()).unwrap_or(0)).await
}

/// Reads the diff of a patch set by its number; 0 is the last.
pub(crate) async fn read_set(client: &dyn Client, decision: &Decision, number: usize) -> Option<String> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    decision.subject.as_ref().filter(|_| decision.source == Source::Verdict)?;
    let bytes = client.run_part(&owner.id, RunPart::Patch(number)).await.ok()?;
    let mut diff = String::from_utf8_lossy(&bytes).into_owned();
    if let Some((end, _)) = diff.char_indices().nth(MOST) {
        let left = diff[end..].lines().count();
        diff.truncate(end);
        let set = if number == 0 { String::new() } else { format!(" {number}") };
        let _ = writeln!(diff, "\n… {left} more lines: hold run show {} --diff{set}", end_of(&owner.id));
    }
    Some(diff).filter(|diff| !diff.trim().is_empty())
}

/// Names the patch set whose diff is shown, if there are several: `shown` by its number, or else the one that was
/// committed, or else the last.
pub(crate) fn heading(decision: &Decision, shown: &str) -> Option<String> {
    let offered = decision.field("patchset").filter(|_| decision.source == Source::Verdict)?;
    let [_, .., last] = offered.options.as_slice() else { return None };
    let values = decision.answer.as_ref().map(|answer| &answer.values);
    let committed = values.and_then(|values| read_before_consent::committed(decision, values));
    let number = Some(shown).filter(|shown| !shown.is_empty()).or(committed).unwrap_or(&last.id);
    Some(format!("Patch set {}:", inert_line(number)))
}

/// Returns whether a decision is shown in full with this diff: for a verdict on a change, the text alone is not
/// enough.
pub(crate) fn is_whole(decision: &Decision, diff: Option<&str>) -> bool {
    let of_run = decision.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Run);
    let subject = decision.subject.as_ref().filter(|_| of_run && decision.source == Source::Verdict);
    let Some(subject) = subject else { return true };
    let proposes = subject["patchsets"].as_array().is_some_and(|sets| !sets.is_empty());
    let has_change = proposes || subject.get("reverts").is_some_and(|reverts| !reverts.is_null());
    !has_change || diff.is_some()
}

/// Returns, in words, what was found about a run after a decision's verdict on it.
pub(crate) async fn found_later(client: &dyn Client, decision: &Decision) -> Vec<String> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
    let Some(owner) = owner.filter(|_| decision.status != Status::Pending) else { return Vec::new() };
    let Ok(run) = client.run(&owner.id).await else { return Vec::new() };
    let later = run.evidence.iter().filter(|evidence| evidence.verdict == Some(decision.id));
    let line = |evidence: &Evidence| {
        let again = if run::is_another_try(&run, evidence) { ", in place of its result before" } else { "" };
        format!("{}{again}", in_a_line(&run, evidence))
    };
    later.map(line).collect()
}

/// Describes a piece of evidence in a line: what it is about, and what it found.
pub(crate) fn in_a_line(run: &Run, evidence: &Evidence) -> String {
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    let took = evidence.took_ms.map(|took| format!(" in {}", span::elapsed(took))).unwrap_or_default();
    let about = run::about(run, evidence).map(|about| format!(" ({about})")).unwrap_or_default();
    let how = run::ended(evidence);
    format!("{}: {} {how}{took}{about}", inert_line(&evidence.kind), inert_line(what))
}

/// Splits a diff into files, each starting with its first line.
pub(crate) fn files(diff: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = diff.match_indices(FILE).map(|(at, _)| at).collect();
    starts.retain(|at| *at == 0 || diff.as_bytes().get(at - 1) == Some(&b'\n'));
    let ends = starts.iter().skip(1).copied().chain([diff.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| &diff[start..end]).collect()
}

/// Describes the subject of a decision for a person: a verdict's in sentences, any other by its kind.
pub(crate) fn subject(decision: &Decision) -> Option<String> {
    describe(decision).or_else(|| Some(present::subject(decision)?.sheet()))
}

/// Describes in sentences what a verdict is about; none for an unknown shape.
pub(crate) fn describe(decision: &Decision) -> Option<String> {
    let subject = decision.subject.as_ref().filter(|_| decision.source == Source::Verdict)?;
    let values = decision.answer.as_ref().map(|answer| &answer.values);
    let committed = values.and_then(|values| read_before_consent::committed(decision, values)?.parse().ok());
    describe_subject(subject, committed)
}

/// A verdict's subject, as this program's core writes it. Any other subject is shown as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposal {
    run: String,
    #[serde(rename = "task")]
    _task: String,
    repo: String,
    base: String,
    branch: String,
    patchsets: Vec<Proposed>,
    evidence: Vec<EvidenceEntry>,
    reverts: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposed {
    #[serde(rename = "id")]
    _id: String,
    number: u32,
    base: String,
    sha256: String,
    #[serde(rename = "size")]
    _size: u64,
    files: usize,
    touched: Vec<Touched>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvidenceEntry {
    #[serde(rename = "id")]
    _id: String,
    patchset: Option<u32>,
    kind: String,
    tool: String,
    command: Option<String>,
    exit_code: Option<i32>,
    #[serde(rename = "log")]
    _log: Option<String>,
    /// Whether the same gate was run again, so that its later result counts.
    #[serde(default)]
    run_again: bool,
}

impl EvidenceEntry {
    fn is_same_gate(&self, other: &Self) -> bool {
        (&self.kind, &self.tool, &self.command) == (&other.kind, &other.tool, &other.command)
    }
}

fn describe_subject(subject: &Value, committed: Option<u32>) -> Option<String> {
    let proposal = Proposal::deserialize(subject).ok()?;
    let (repo, branch) = (inert_line(&proposal.repo), branch_name(&proposal.branch));
    // A change that continues from saved work starts further back than its run.
    let bases = proposal.patchsets.iter().map(|set| &set.base);
    let start = proposal.patchsets.first().map(|set| &set.base);
    let start = start.filter(|start| bases.clone().all(|base| base == *start)).unwrap_or(&proposal.base);
    let mut lines = vec![format!("In {repo}, for branch {branch}, from {}.", short(&inert_line(start)))];
    for set in &proposal.patchsets {
        let (added, deleted) = set.touched.iter().fold((0, 0), |(added, deleted), file| {
            (added + u64::from(file.added), deleted + u64::from(file.deleted))
        });
        let (s, sum) = (if set.files == 1 { "" } else { "s" }, inert_line(&set.sha256));
        let from = if set.base == *start { String::new() } else { format!(", from {}", short(&set.base)) };
        lines.push(format!(
            "Patch set {}: {} file{s}, +{added} −{deleted}{from} (sha256 {})",
            set.number,
            set.files,
            sum.get(..12).unwrap_or(&sum)
        ));
        for file in set.touched.iter().take(NAMED) {
            let change = format!("{:?}", file.change).to_lowercase();
            lines.push(format!("  {change:<7} +{} −{}  {}", file.added, file.deleted, file_words(file)));
        }
        let more = set.files.saturating_sub(NAMED);
        if more > 0 {
            lines.push(format!("  … and {more} more: hold run show {}", inert_line(end_of(&proposal.run))));
        }
    }
    let counts = proposal.evidence.iter().filter(|evidence| !evidence.run_again);
    lines.extend(counts.map(|evidence| found(&proposal, evidence, committed)));
    if let Some(reverts) = proposal.reverts {
        let commit = reverts.get("commit").and_then(Value::as_str).unwrap_or_default();
        lines.push(format!("A rollback takes back commit {}.", inert_line(commit)));
    }
    Some(lines.join("\n"))
}

/// Describes what a piece of evidence found. Evidence about another patch set than the committed one, or else the
/// last, is marked.
fn found(proposal: &Proposal, evidence: &EvidenceEntry, committed: Option<u32>) -> String {
    let how = match evidence.exit_code {
        Some(0) => "passed".to_owned(),
        Some(code) => format!("failed with exit code {code}"),
        None => "had to be stopped".to_owned(),
    };
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    let (counts, other) = match committed {
        Some(_) => (committed, ", not the committed one"),
        None => (proposal.patchsets.last().map(|set| set.number), ", not the last one"),
    };
    let mark = if evidence.patchset == counts { "" } else { other };
    let about = evidence.patchset.map(|number| format!(" (patch set {number}{mark})")).unwrap_or_default();
    let failed =
        |one: &&EvidenceEntry| one.run_again && one.exit_code != Some(0) && one.is_same_gate(evidence);
    let before = run::failed_before(proposal.evidence.iter().filter(failed).count());
    format!("{}: {} {how}{about}{before}", inert_line(&evidence.kind), inert_line(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_comes_apart_at_its_files() {
        let diff = "diff --git a/x b/x\n+diff --git a/no b/no\ndiff --git a/y b/y\n-y\n";
        let files = files(diff);
        assert_eq!(files.len(), 2);
        assert!(files[0].starts_with("diff --git a/x") && files[1].ends_with("-y\n"));
        assert!(super::files("nothing").is_empty());
    }

    #[test]
    fn what_is_not_known_is_not_put_into_words() {
        let known = serde_json::json!({
            "run": "r", "task": "t", "repo": "/r", "base": "0123456789abcdef", "branch": "refs/heads/main",
            "patchsets": [], "evidence": [], "reverts": null,
        });
        assert_eq!(describe_subject(&known, None).unwrap(), "In /r, for branch main, from 0123456789ab.");
        let mut more = known;
        more["also"] = "rm -rf /".into();
        assert_eq!(describe_subject(&more, None), None);
    }
}
