//! A run in the format of others: one object for each of its parts, and one for each of its events.
//!
//! The same run always gives the same objects with the same ids.

use holdpoint_core::run::{self, ObjectId, RunOrigin, Verdict};
use holdpoint_core::{Run, Timestamp, json};

use super::context::ContextFrame;
use super::intent::{Intent, IntentEvent, IntentEventKind, Task, TaskEvent, TaskEventKind};
use super::run::{
    ChangeType, Decision, DecisionType, DiffFormat, Evidence, EvidenceKind, PatchSet, RunEvent, RunEventKind,
    RunUsage, TouchedFile,
};
use super::{ActorKind, ActorRef, ArtifactRef, Header, IntegrityHash, Moment, Object, ObjectType};

/// The name of the store that artifacts are in: the repository itself.
pub const STORE: &str = "git";

/// The kind of the frame that names the run which another follows.
pub(super) const ORIGIN: &str = "origin";

/// The kind of the frame that marks evidence added after the verdict.
pub(super) const LATE: &str = "after_verdict";

/// Returns all objects of a run.
pub fn objects(run: &Run) -> Result<Vec<Object>, String> {
    let mut objects = Vec::new();
    if let Some(intent) = &run.intent {
        let header = header(intent.id, ObjectType::Intent, intent.created_at, &intent.created_by);
        let prompt = intent.prompt.clone();
        objects.push(
            Intent { header, parents: Vec::new(), prompt, spec: None, analysis_context_frames: Vec::new() }
                .into(),
        );
    }
    objects.push(task(run).into());
    let header_of_run = header(run.id, ObjectType::Run, run.created_at, &run.created_by);
    let commit = IntegrityHash::of_commit(&run.base)?;
    let begun = super::run::Run {
        header: header_of_run,
        task: run.task.id,
        plan: None,
        commit,
        snapshot: None,
        environment: None,
    };
    objects.push(begun.into());
    objects.push(run_event(run, RunEventKind::Created, run.created_at, &run.created_by, None).into());
    for (what, text) in [("guidance", &run.guidance), ("parameters", &run.parameters)] {
        if let Some(text) = text {
            let header = derived(run, what, ObjectType::ContextFrame, run.created_at, &run.created_by);
            objects.push(frame(run, header, what, text).into());
        }
    }
    objects.extend(run.origin.map(|origin| follows(run, origin).into()));
    for patchset in &run.patchsets {
        objects.push(translate_patchset(run, patchset)?.into());
    }
    objects.extend(run.evidence.iter().map(|evidence| translate_evidence(run, evidence).into()));
    objects.extend(run.evidence.iter().filter_map(|evidence| late(run, evidence)).map(Object::from));
    if run.usage != run::Usage::default() {
        objects.push(usage(run).into());
    }
    if let (Some(verdict), Some(at)) = (&run.verdict, run.decided_at) {
        ended(run, verdict, at, &mut objects)?;
    }
    Ok(objects)
}

fn task(run: &Run) -> Task {
    let task = &run.task;
    Task {
        header: header(task.id, ObjectType::Task, task.created_at, &task.created_by),
        title: task.title.clone(),
        description: task.description.clone(),
        goal: None,
        constraints: Vec::new(),
        acceptance_criteria: Vec::new(),
        requester: None,
        parent: None,
        intent: run.intent.as_ref().map(|intent| intent.id),
        origin_step_id: None,
        dependencies: Vec::new(),
    }
}

fn translate_patchset(run: &Run, patchset: &run::PatchSet) -> Result<PatchSet, String> {
    let touched = |file: &run::Touched| TouchedFile {
        path: file.path.clone(),
        change_type: match file.change {
            run::Change::Add => ChangeType::Add,
            run::Change::Modify => ChangeType::Modify,
            run::Change::Delete => ChangeType::Delete,
            run::Change::Rename => ChangeType::Rename,
            run::Change::Copy => ChangeType::Copy,
        },
        lines_added: file.added,
        lines_deleted: file.deleted,
    };
    Ok(PatchSet {
        header: header(patchset.id, ObjectType::PatchSet, patchset.created_at, &patchset.created_by),
        run: run.id,
        sequence: patchset.sequence,
        commit: IntegrityHash::of_commit(&patchset.base)?,
        format: DiffFormat::GitDiff,
        artifact: Some(artifact(&patchset.artifact)),
        touched: patchset.touched.iter().map(touched).collect(),
        rationale: patchset.rationale.clone(),
    })
}

fn translate_evidence(run: &Run, evidence: &run::Evidence) -> Evidence {
    Evidence {
        header: header(evidence.id, ObjectType::Evidence, evidence.created_at, &evidence.created_by),
        run_id: run.id,
        patchset_id: evidence.patchset,
        kind: match evidence.kind.as_str() {
            "test" => EvidenceKind::Test,
            "lint" => EvidenceKind::Lint,
            "build" => EvidenceKind::Build,
            other => EvidenceKind::Other(other.to_owned()),
        },
        tool: evidence.tool.clone(),
        command: evidence.command.clone(),
        exit_code: evidence.exit_code,
        summary: evidence.summary.clone(),
        report_artifacts: evidence.log.iter().map(artifact).collect(),
    }
}

fn usage(run: &Run) -> RunUsage {
    let run::Usage { input_tokens, output_tokens, cost_micros } = run.usage;
    let at = run.decided_at.unwrap_or(run.created_at);
    #[expect(clippy::cast_precision_loss, reason = "what it cost is a fraction over there")]
    let cost = cost_micros as f64 / 1_000_000.0;
    RunUsage {
        // Usage grows until the run ends, so the id includes the amount.
        header: derived(run, &format!("usage {:?}", run.usage), ObjectType::RunUsage, at, &run.created_by),
        run_id: run.id,
        input_tokens,
        output_tokens,
        total_tokens: input_tokens.saturating_add(output_tokens),
        cost_usd: (cost_micros > 0).then_some(cost),
    }
}

/// Returns the effects of a run's end on it, its task and its intent.
fn ended(
    run: &Run,
    verdict: &run::RunVerdict,
    at: Timestamp,
    objects: &mut Vec<Object>,
) -> Result<(), String> {
    let by = verdict.by.as_str();
    let commit = verdict.commit.as_deref().map(IntegrityHash::of_commit).transpose()?;
    objects.push(
        Decision {
            header: Header::new(verdict.id, ObjectType::Decision, Moment::from(at), judge(verdict)),
            run_id: run.id,
            decision_type: match verdict.verdict {
                Verdict::Commit => DecisionType::Commit,
                Verdict::Checkpoint => DecisionType::Checkpoint,
                Verdict::Abandon => DecisionType::Abandon,
                Verdict::Retry => DecisionType::Retry,
                Verdict::Rollback => DecisionType::Rollback,
            },
            chosen_patchset_id: verdict.patchset,
            result_commit_sha: commit.clone(),
            checkpoint_id: verdict.checkpoint.clone(),
            rationale: verdict.rationale.clone(),
        }
        .into(),
    );
    let (of_run, of_task) = match verdict.verdict {
        Verdict::Commit => (RunEventKind::Completed, Some(TaskEventKind::Done)),
        Verdict::Checkpoint => (RunEventKind::Checkpointed, None),
        Verdict::Retry => (RunEventKind::Failed, None),
        Verdict::Abandon => (RunEventKind::Failed, Some(TaskEventKind::Failed)),
        // The change is reverted: the task is open again, as when it was made.
        Verdict::Rollback => (RunEventKind::Completed, Some(TaskEventKind::Created)),
    };
    objects.push(run_event(run, of_run, at, by, verdict.patchset).into());
    if let Some(kind) = of_task {
        let header = derived(run, "task", ObjectType::TaskEvent, at, by);
        let (reason, run_id) = (verdict.rationale.clone(), Some(run.id));
        objects.push(TaskEvent { header, task_id: run.task.id, kind, reason, run_id }.into());
    }
    let of_intent = match verdict.verdict {
        Verdict::Commit => Some(IntentEventKind::Completed),
        // A rollback that was given up leaves the intent unchanged.
        Verdict::Abandon if matches!(run.origin, Some(RunOrigin::Rollback { .. })) => None,
        Verdict::Abandon => Some(IntentEventKind::Cancelled),
        Verdict::Checkpoint | Verdict::Retry | Verdict::Rollback => None,
    };
    if let (Some(intent), Some(kind)) = (&run.intent, of_intent) {
        objects.push(
            IntentEvent {
                header: derived(run, "intent", ObjectType::IntentEvent, at, by),
                intent_id: intent.id,
                kind,
                reason: verdict.rationale.clone(),
                result_commit: commit,
                next_intent_id: None,
            }
            .into(),
        );
    }
    Ok(())
}

fn run_event(
    run: &Run,
    kind: RunEventKind,
    at: Timestamp,
    by: &str,
    patchset_id: Option<ObjectId>,
) -> RunEvent {
    let header = derived(run, &format!("{kind:?}"), ObjectType::RunEvent, at, by);
    RunEvent { header, run_id: run.id, kind, reason: None, error: None, metrics: None, patchset_id }
}

/// Returns a frame with the parameters of an attempt, for which the format has no place of its own.
fn frame(run: &Run, header: Header, what: &str, text: &str) -> ContextFrame {
    ContextFrame {
        header,
        intent_id: run.intent.as_ref().map(|intent| intent.id),
        run_id: Some(run.id),
        plan_id: None,
        step_id: None,
        kind: super::context::FrameKind::Other(what.to_owned()),
        summary: text.to_owned(),
        data: None,
        token_estimate: None,
    }
}

/// Returns a frame that names the run which another follows. Only a frame's data has a place for that.
fn follows(run: &Run, origin: RunOrigin) -> ContextFrame {
    let words = match origin {
        RunOrigin::Retry { run } => format!("tries run {run} again"),
        RunOrigin::Resume { run } => format!("goes on from run {run}"),
        RunOrigin::Rollback { run } => format!("takes run {run} back"),
    };
    let header = derived(run, ORIGIN, ObjectType::ContextFrame, run.created_at, &run.created_by);
    ContextFrame { data: serde_json::to_value(origin).ok(), ..frame(run, header, ORIGIN, &words) }
}

/// Returns a frame for evidence that did not justify the verdict, because it came later.
fn late(run: &Run, evidence: &run::Evidence) -> Option<ContextFrame> {
    let verdict = evidence.verdict?;
    let (what, words) =
        (format!("{LATE} {}", evidence.id), format!("{} came after the verdict", evidence.id));
    let header = derived(run, &what, ObjectType::ContextFrame, evidence.created_at, &evidence.created_by);
    let data = serde_json::json!({ "evidence": evidence.id, "verdict": verdict });
    Some(ContextFrame { data: Some(data), ..frame(run, header, LATE, &words) })
}

fn artifact(artifact: &run::Artifact) -> ArtifactRef {
    ArtifactRef { store: STORE.into(), key: artifact.blob.clone() }
}

fn header(id: ObjectId, kind: ObjectType, at: Timestamp, by: &str) -> Header {
    Header::new(id, kind, Moment::from(at), actor(by))
}

/// Returns the header of an object that has no id here: the id is derived from its content.
fn derived(run: &Run, what: &str, kind: ObjectType, at: Timestamp, by: &str) -> Header {
    let hash = json::sha256_hex(format!("{} {what}", run.id).as_bytes());
    let mut chance = [0; 10];
    for (byte, digits) in chance.iter_mut().zip(hash.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(&String::from_utf8_lossy(digits), 16).unwrap_or_default();
    }
    header(ObjectId::at(at, chance), kind, at, by)
}

/// Returns who gave a verdict: an agent counts as one, whatever its name.
fn judge(verdict: &run::RunVerdict) -> ActorRef {
    let kind = match verdict.judge {
        Some(run::Judge::Agent) => ActorKind::Agent,
        Some(run::Judge::Auto) => ActorKind::System,
        None => return actor(&verdict.by),
    };
    ActorRef { kind, ..actor(&verdict.by) }
}

fn actor(by: &str) -> ActorRef {
    let kind = match by.split_once(':') {
        Some(("agent" | "job" | "crew", _)) => ActorKind::Agent,
        Some(("system", _)) => ActorKind::System,
        _ if by.starts_with("agent") => ActorKind::Agent,
        _ => ActorKind::Human,
    };
    let id = if by.trim().is_empty() { "unknown" } else { by };
    ActorRef { kind, id: id.to_owned(), display_name: None }
}
