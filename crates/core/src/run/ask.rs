//! Asks for a run's verdict: builds the options and the exact subject.

use serde_json::{Value, json};

use super::finding::{code, current, finding, is_run_again};
use super::{PatchSet, Run, RunOrigin, Touched, Verdict};
use crate::decision::New;
use crate::field::Effect;
use crate::form::{Condition, Op};
use crate::json::Values;
use crate::text::inert_line;
use crate::{Decision, Field, Kind, Opt, OwnerKind, Source};

/// The field that lets a commit include hooks that the change alters.
pub const RUN_HOOKS: &str = "run_hooks";

/// How many touched files are listed in the question; the patch set has all.
const SHOWN: usize = 200;
/// How many altered hooks are named.
const NAMED: usize = 20;

/// Returns whether an answer to a decision is carried out on a repository.
pub(crate) fn carries_out(decision: &Decision) -> bool {
    let of_run = decision.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Run);
    decision.source == Source::Verdict && of_run && decision.field("verdict").is_some()
}

/// Returns the patch set that a commit implies, by its number: the only one if none is named, or the one named by its
/// id.
pub(crate) fn implied(decision: &Decision, values: &Values) -> Option<(String, Value)> {
    let field = decision.field("patchset").filter(|_| carries_out(decision))?;
    if values.get("verdict").and_then(Value::as_str) != Some(Verdict::Commit.name()) {
        return None;
    }
    let number = match (values.get(&field.id), field.options.as_slice()) {
        (None, [only]) => only.id.clone(),
        (None, _) => return None,
        (Some(named), _) => {
            let known = decision.subject.as_ref()?.get("patchsets")?.as_array()?;
            known.iter().find(|patchset| patchset.get("id") == Some(named))?.get("number")?.to_string()
        }
    };
    Some((field.id.clone(), json!(number)))
}

/// Returns the decision that asks for a run's verdict.
pub(super) fn question(run: &Run, message: Option<&str>, trouble: Option<&str>, assignees: &[String]) -> New {
    let offered: Vec<Verdict> =
        Verdict::ALL.into_iter().filter(|verdict| is_possible(run, *verdict)).collect();
    let mut fields =
        vec![Field::offering("verdict", Kind::Choice, "Verdict", offered.into_iter().map(option).collect())];
    if !run.patchsets.is_empty() {
        let options = run.patchsets.iter().map(patchset_option).collect();
        let mut field = Field::offering("patchset", Kind::Choice, "Patch set", options);
        field.visible_if = Some(is(Verdict::Commit));
        field.default = run.patchsets.last().map(|last| json!(last.number().to_string()));
        fields.push(field);
    }
    if altered_hooks(run).next().is_some() {
        let mut field = Field::new(RUN_HOOKS, Kind::Boolean, "Run the hooks that this change alters");
        field.required = false;
        field.visible_if = Some(is(Verdict::Commit));
        fields.push(field);
    }
    let mut parameters = Field::new("parameters", Kind::Multiline, "Parameters of the next attempt");
    parameters.required = false;
    parameters.visible_if = Some(is(Verdict::Retry));
    fields.push(parameters);
    New {
        project: Some(run.project.clone()),
        source: Some(Source::Verdict),
        title: Some(title(run)),
        prompt: Some(prompt(run, message, trouble)),
        fields,
        owner: Some(run.owner()),
        requested_by: run.job.clone(),
        assignees: assignees.to_vec(),
        subject: Some(subject(run)),
        ..New::default()
    }
}

/// Returns whether a verdict is possible: no commit without a patch set, no rollback without a commit to undo, and no
/// checkpoint if the run only undoes a commit.
fn is_possible(run: &Run, verdict: Verdict) -> bool {
    match verdict {
        Verdict::Commit => !run.patchsets.is_empty(),
        Verdict::Rollback => run.reverts.is_some(),
        Verdict::Checkpoint => {
            !matches!(run.origin, Some(RunOrigin::Rollback { .. })) || !run.patchsets.is_empty()
        }
        Verdict::Retry | Verdict::Abandon => true,
    }
}

fn option(verdict: Verdict) -> Opt {
    let (label, effect) = match verdict {
        Verdict::Commit => ("Commit", Effect::Commit),
        Verdict::Checkpoint => ("Checkpoint", Effect::Checkpoint),
        Verdict::Retry => ("Retry", Effect::Retry),
        Verdict::Abandon => ("Abandon", Effect::Abandon),
        Verdict::Rollback => ("Roll back", Effect::Rollback),
    };
    Opt { effect: Some(effect), ..Opt::new(verdict.name(), label) }
}

fn patchset_option(patchset: &PatchSet) -> Opt {
    let (added, deleted) = lines(&patchset.touched);
    let files = counted(patchset.touched.len(), "file");
    let label = format!("Patch set {}: {files}, +{added} −{deleted}", patchset.number());
    let description = patchset.rationale.clone();
    Opt { description, ..Opt::new(patchset.number().to_string(), label) }
}

fn lines(touched: &[Touched]) -> (u64, u64) {
    touched.iter().fold((0, 0), |(added, deleted), file| {
        (added + u64::from(file.added), deleted + u64::from(file.deleted))
    })
}

/// Returns the hooks that the run's patch sets alter, each once.
fn altered_hooks(run: &Run) -> impl Iterator<Item = &str> {
    let all = run.patchsets.iter().flat_map(PatchSet::altered_hooks);
    all.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// Formats a count with its noun, in singular or plural.
fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn is(verdict: Verdict) -> Condition {
    Condition::Compare {
        field: "verdict".into(),
        op: Op::Equals,
        value: Some(json!(verdict.name())),
        value_field: None,
    }
}

fn title(run: &Run) -> String {
    let task = inert_line(&run.task.title);
    let only_reverts = run.reverts.is_some() && run.patchsets.is_empty();
    if only_reverts { format!("Verdict on the rollback of {task}") } else { format!("Verdict on {task}") }
}

fn prompt(run: &Run, message: Option<&str>, trouble: Option<&str>) -> String {
    let mut parts = Vec::new();
    if let Some(trouble) = trouble {
        parts.push(format!("**The last verdict could not be carried out.** {}", fenced(trouble)));
    }
    // This goes before all text by others, because an unclosed code block there would hide it.
    let hooks: Vec<String> = altered_hooks(run).map(|path| format!("`{}`", code(path))).collect();
    if !hooks.is_empty() {
        let (named, more) = (hooks.iter().take(NAMED), hooks.len().saturating_sub(NAMED));
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        parts.push(format!(
            "**Warning: this change alters hooks, programs that git runs in this repository:** {}{more}. None of its hooks \
             runs for this commit unless you say {RUN_HOOKS}; once it is checked out, they run for everyone \
             who uses git there.",
            named.cloned().collect::<Vec<_>>().join(", ")
        ));
    }
    parts.extend(run.task.description.clone());
    if let Some(guidance) = &run.guidance {
        parts.push(format!("Guidance for this attempt: {guidance}"));
    }
    if let Some(last) = run.patchsets.last() {
        let (added, deleted) = lines(&last.touched);
        let sets = counted(run.patchsets.len(), "patch set");
        let files = counted(last.touched.len(), "file");
        parts.push(format!("{sets}; the last touches {files}, +{added} −{deleted}."));
        parts.extend(last.rationale.clone());
    }
    if let Some(reverts) = &run.reverts {
        parts.push(format!("A rollback takes back commit `{}`.", reverts.commit));
    }
    parts.extend(current(run).map(|evidence| finding(run, evidence)));
    parts.extend(message.map(str::to_owned));
    if parts.is_empty() {
        parts.push("Nothing was proposed.".into());
    }
    parts.join("\n\n")
}

/// Fences a text of any content, so that it is shown literally.
fn fenced(text: &str) -> String {
    format!("\n\n~~~~~~\n{}\n~~~~~~", text.replace("~~~", "~ ~ ~"))
}

/// Returns whether a run is still the one that a decision was about: the same bytes, with the same origin and target.
/// Evidence may have been added.
pub fn is_of(decision: &Decision, run: &Run) -> bool {
    let Some(decided) = &decision.subject else { return true };
    let now = subject(run);
    // Decisions of older versions lack some keys.
    let same = |key: &str| decided.get(key).is_none_or(|said| now.get(key) == Some(said));
    let bytes = |of: &Value| {
        let sets = of.get("patchsets").and_then(Value::as_array).cloned().unwrap_or_default();
        sets.iter()
            .map(|set| ["id", "base", "sha256", "size"].map(|key| set.get(key).cloned()))
            .collect::<Vec<_>>()
    };
    ["run", "repo", "base", "branch", "reverts"].into_iter().all(same) && bytes(decided) == bytes(&now)
}

/// Builds the exact subject: which bytes, from which commit, with which findings.
fn subject(run: &Run) -> Value {
    let patchsets: Vec<Value> = run
        .patchsets
        .iter()
        .map(|patchset| {
            json!({
                "id": patchset.id, "number": patchset.number(), "base": patchset.base,
                "sha256": patchset.artifact.sha256, "size": patchset.artifact.size, "files": patchset.touched.len(),
                "touched": patchset.touched.iter().take(SHOWN).collect::<Vec<_>>(),
            })
        })
        .collect();
    let evidence: Vec<Value> = run
        .evidence
        .iter()
        .map(|evidence| {
            let mut found = json!({
                "id": evidence.id, "patchset": evidence.patchset.and_then(|id| run.patchset(id)).map(PatchSet::number),
                "kind": evidence.kind, "tool": evidence.tool, "command": evidence.command,
                "exit_code": evidence.exit_code, "log": evidence.log.as_ref().map(|log| &log.sha256),
            });
            if is_run_again(run, evidence) {
                found["run_again"] = json!(true);
            }
            found
        })
        .collect();
    json!({
        "run": run.id, "task": run.task.id, "repo": run.repo, "base": run.base, "branch": run.branch,
        "patchsets": patchsets, "evidence": evidence, "reverts": run.reverts,
    })
}
