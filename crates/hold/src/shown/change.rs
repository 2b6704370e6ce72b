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

use super::reading;
use super::run::{branch_name, end_of, file_words, short};

/// How much of a diff is shown; beyond that nobody reads it.
const MOST: usize = 1 << 20;
/// How many files of a patch set are named.
const NAMED: usize = 50;
/// How a file begins in a diff.
pub(crate) const FILE: &str = "diff --git ";

/// Reads the diff that a verdict is about: of the patch set that it commits, else of the last, or of the commit that it may
/// take back. Nothing for other decisions, and where it cannot be read from here.
pub(crate) async fn read(client: &dyn Client, decision: &Decision) -> Option<String> {
    let values = decision.answer.as_ref().map(|answer| &answer.values);
    let committed = values.and_then(|values| reading::committed(decision, values));
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
        let _ = writeln!(diff, "\n… {left} more lines: hold run show {} --diff", end_of(&owner.id));
    }
    Some(diff).filter(|diff| !diff.trim().is_empty())
}

/// Says what was found about a run after the verdict that a decision gave on it.
pub(crate) async fn found_later(client: &dyn Client, decision: &Decision) -> Vec<String> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
    let Some(owner) = owner.filter(|_| decision.status != Status::Pending) else { return Vec::new() };
    let Ok(run) = client.run(&owner.id).await else { return Vec::new() };
    let later = run.evidence.iter().filter(|evidence| evidence.verdict == Some(decision.id));
    later.map(|evidence| in_a_line(&run, evidence)).collect()
}

/// Says in a line what a piece of evidence found, about what.
pub(crate) fn in_a_line(run: &Run, evidence: &Evidence) -> String {
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    let took = evidence.took_ms.map(|took| format!(" in {took} ms")).unwrap_or_default();
    let about = run::about(run, evidence).map(|about| format!(" ({about})")).unwrap_or_default();
    let how = run::ended(evidence);
    format!("{}: {} {how}{took}{about}", inert_line(&evidence.kind), inert_line(what))
}

/// Takes a diff apart into files, each from its first line on.
pub(crate) fn files(diff: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = diff.match_indices(FILE).map(|(at, _)| at).collect();
    starts.retain(|at| *at == 0 || diff.as_bytes().get(at - 1) == Some(&b'\n'));
    let ends = starts.iter().skip(1).copied().chain([diff.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| &diff[start..end]).collect()
}

/// Words the subject of a decision as a person reads it: what a verdict is about in sentences, all else by what it is.
pub(crate) fn subject(decision: &Decision) -> Option<String> {
    in_words(decision).or_else(|| Some(present::subject(decision)?.text()))
}

/// Says in sentences what a verdict is about; nothing for what is not known.
pub(crate) fn in_words(decision: &Decision) -> Option<String> {
    decision.subject.as_ref().filter(|_| decision.source == Source::Verdict).and_then(words)
}

/// What a verdict is about, as the core of this program writes it. Whatever else stands there is shown as it is.
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
    evidence: Vec<Found>,
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
struct Found {
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

impl Found {
    fn is_same_gate(&self, other: &Self) -> bool {
        (&self.kind, &self.tool, &self.command) == (&other.kind, &other.tool, &other.command)
    }
}

fn words(subject: &Value) -> Option<String> {
    let proposal = Proposal::deserialize(subject).ok()?;
    let (repo, branch) = (inert_line(&proposal.repo), branch_name(&proposal.branch));
    // A change that goes on from what was saved starts further back than its run.
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
    lines.extend(counts.map(|evidence| found(&proposal, evidence)));
    if let Some(reverts) = proposal.reverts {
        let commit = reverts.get("commit").and_then(Value::as_str).unwrap_or_default();
        lines.push(format!("A rollback takes back commit {}.", inert_line(commit)));
    }
    Some(lines.join("\n"))
}

fn found(proposal: &Proposal, evidence: &Found) -> String {
    let how = match evidence.exit_code {
        Some(0) => "passed".to_owned(),
        Some(code) => format!("failed with exit code {code}"),
        None => "had to be stopped".to_owned(),
    };
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    let last = proposal.patchsets.last().map(|set| set.number);
    let older = if evidence.patchset == last { "" } else { ", not the last one" };
    let about = evidence.patchset.map(|number| format!(" (patch set {number}{older})")).unwrap_or_default();
    let failed = |one: &&Found| one.run_again && one.exit_code != Some(0) && one.is_same_gate(evidence);
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
        assert_eq!(words(&known).unwrap(), "In /r, for branch main, from 0123456789ab.");
        let mut more = known;
        more["also"] = "rm -rf /".into();
        assert_eq!(words(&more), None);
    }
}
