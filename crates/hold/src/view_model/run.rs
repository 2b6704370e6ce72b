//! The state of a run and its task in words: the same in a terminal and on a page.

use holdpoint_core::DecisionId;
use holdpoint_core::run::{ObjectId, Standing, Touched, Verdict};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_engine::run::ShownRun;
use holdpoint_protocols::gitai::state::{Release, TaskState};

/// Describes the state of a run, or how it ended, in a line.
pub(crate) fn standing(run: &ShownRun) -> String {
    let id = run_name(run.id);
    match &run.standing {
        Standing::Running => "running".into(),
        Standing::Waiting { decision, trouble: None } => format!("waiting for review in {decision}"),
        Standing::Waiting { decision, trouble: Some(trouble) } => {
            format!("waiting for review in {decision}, asked again: {}", line(trouble))
        }
        Standing::Carrying { decision, verdict, by, trouble, at_work } => {
            let (verdict, by) = (verdict.name(), inert_line(by));
            let how = trouble
                .as_deref()
                .map(|why| format!(", and failed so far: {}", line(why)))
                .unwrap_or_default();
            match at_work {
                Some(who) => {
                    format!("answered ({verdict} by {by}); being carried out by {}{how}", inert_line(who))
                }
                None => format!(
                    "answered ({verdict} by {by}); being carried out{how}. If that was cut off: hold run carry {decision}"
                ),
            }
        }
        Standing::Withdrawn { decision, reason } => {
            let why = reason.as_deref().map(|why| format!(": {}", line(why))).unwrap_or_default();
            format!(
                "withdrawn, the question {decision} was taken back{why}. To ask again: hold run finish --run {id}"
            )
        }
        Standing::Unanswered { decision } => {
            format!(
                "unanswered, {} ended without an answer. To ask again: hold run finish --run {id}",
                question(*decision)
            )
        }
        Standing::Committed
        | Standing::Checkpointed
        | Standing::Retried
        | Standing::Abandoned
        | Standing::RolledBack => ended(run),
    }
}

/// Describes the state of a run as briefly as a table needs.
pub(crate) fn brief(run: &ShownRun) -> String {
    match &run.standing {
        Standing::Waiting { decision, trouble: Some(_) } => format!("asked again in {decision}"),
        Standing::Carrying { verdict, by, trouble, .. } => {
            let how = if trouble.is_some() { "fails so far" } else { "being carried out" };
            format!("{} by {}, {how}", verdict.name(), inert_line(by))
        }
        Standing::Withdrawn { decision, .. } => format!("withdrawn ({decision} was taken back)"),
        Standing::Unanswered { decision } => {
            format!("unanswered ({} ended without an answer)", question(*decision))
        }
        _ => standing(run),
    }
}

/// Names the question about a run; a removed question has no id any more.
fn question(id: Option<DecisionId>) -> String {
    id.map_or_else(|| "the question about it".to_owned(), |id| id.to_string())
}

fn ended(run: &ShownRun) -> String {
    let Some(verdict) = &run.verdict else { return run.standing.name().to_owned() };
    let what = match (&verdict.commit, &verdict.next) {
        (Some(commit), _) => {
            format!("{} as {} on {}", patchset(run), short(commit), branch_name(&run.branch))
        }
        (_, Some(next)) => format!(" as run {}", run_name(*next)),
        _ => String::new(),
    };
    let why = verdict.rationale.as_deref().map(|why| format!(": {}", inert_line(why))).unwrap_or_default();
    let did = match verdict.verdict {
        Verdict::Commit => "committed",
        Verdict::Checkpoint => "saved",
        Verdict::Retry => "tried again",
        Verdict::Abandon => "abandoned",
        Verdict::Rollback => "rolled back",
    };
    let by = inert_line(&verdict.by);
    if let Some(last) = run.resumed_by.last() {
        return format!("{did} by {by}{why}; run {} continues from it", run_name(*last));
    }
    if verdict.checkpoint.is_some() {
        return format!("{did} by {by}{why}; to go on: hold run resume {}", run_name(run.id));
    }
    match run.rolled_back_by {
        Some(back) => format!("{did}{what} by {by}{why}; rolled back by run {}", run_name(back)),
        None => format!("{did}{what} by {by}{why}"),
    }
}

/// Names the patch set that was committed, if there were several.
fn patchset(run: &ShownRun) -> String {
    let chosen = run.verdict.as_ref().and_then(|verdict| run.patchset(verdict.patchset?));
    let chosen = chosen.filter(|_| run.patchsets.len() > 1);
    chosen.map(|patchset| format!(" patch set {}", patchset.number())).unwrap_or_default()
}

/// Describes the state of a task, as label and text.
pub(crate) fn state(state: &TaskState) -> Vec<(&'static str, String)> {
    let branch = branch_name;
    let release = match &state.release {
        Release::None => "nothing was committed".to_owned(),
        Release::Committed { commit, branch: name, run, .. } => {
            format!("{} on {}, by run {}", short(commit), branch(name), run_name(*run))
        }
        Release::RolledBack { branch: name, run, .. } => {
            format!("taken back on {}, by run {}", branch(name), run_name(*run))
        }
    };
    let mut lines = vec![("task is", state.status.name().to_owned()), ("released", release)];
    for head in &state.thread.heads {
        lines.push((
            "intent",
            format!("{}  {}: {}", run_name(head.id), inert_line(&head.status), line(&head.prompt)),
        ));
    }
    if let Some(plan) = &state.plan.selected {
        lines.push((
            "plan",
            format!("{}  {} of {} steps done", run_name(plan.id), plan.completed, plan.steps),
        ));
    }
    let others =
        state.plan.heads.iter().filter(|id| state.plan.selected.as_ref().is_none_or(|plan| plan.id != **id));
    lines.extend(others.map(|id| ("plan", format!("{}  not the one that counts", run_name(*id)))));
    lines.extend(state.ui.waits_for.map(|decision| ("waits", format!("for {decision}"))));
    lines
}

/// Names a changed file, with its previous name and mode change.
pub(crate) fn file_words(file: &Touched) -> String {
    let from = file.from.as_deref().map(|from| format!("{} → ", file_name(from))).unwrap_or_default();
    let mode = match file.mode.as_deref() {
        None => String::new(),
        Some("100755") => " (made executable)".to_owned(),
        Some("100644") => " (made a plain file)".to_owned(),
        Some("120000") => " (made a link)".to_owned(),
        Some(mode) => format!(" (mode {})", inert_line(mode)),
    };
    format!("{from}{}{mode}", file_name(&file.path))
}

/// Formats a file name so that all of it is visible: in quotation marks if it has blanks at an end, or several in a
/// row.
pub(crate) fn file_name(path: &str) -> String {
    let name = inert_line(path);
    if path.trim() == path && !path.contains("  ") && name == path {
        name
    } else {
        format!("\"{}\"", inert(path))
    }
}

/// Returns the end of a run's id, which identifies it as well as the whole.
pub(crate) fn run_name(id: ObjectId) -> String {
    id.short()
}

/// Returns the end of an id as it is displayed; all of a shorter one.
pub(crate) fn end_of(id: &str) -> &str {
    id.get(id.len().saturating_sub(ObjectId::SHORT)..).unwrap_or(id)
}

/// Returns the short name of a branch.
pub(crate) fn branch_name(name: &str) -> String {
    inert_line(name.trim_start_matches("refs/heads/"))
}

/// Returns the start of a commit's hash.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// Returns the start of a text, on one line.
fn line(text: &str) -> String {
    const MOST: usize = 120;
    let text = inert_line(text);
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
