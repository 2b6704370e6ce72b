//! Assembles runs from objects of others. The reverse of [`super::translate`]; objects that do not fit are refused.

use std::collections::BTreeMap;

use holdpoint_core::run::{self, Judge, ObjectId, RunOrigin, Usage, Verdict};
use holdpoint_core::{Auth, DecisionId, Project, Run, RunStatus};
use serde::Deserialize as _;

use super::links::{self, Known};
use super::run::{Decision, DecisionType, EvidenceKind};
use super::{ActorKind, ArtifactRef, Header, Object};

/// How many errors are listed at once.
const MOST_FAULTS: usize = 20;

/// An assembled run. Its patch sets say what to read and not what is in it; repository and branch are set by the code
/// that imports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The run.
    pub run: Run,
    /// The objects that it was assembled from.
    pub objects: Vec<Object>,
}

/// Assembles runs from objects; returns what is wrong with them if anything is. Objects that belong to no run are
/// ignored.
pub fn gather(objects: &[Object]) -> Result<Vec<Gathered>, Vec<String>> {
    let known: Known<'_> = objects.iter().map(|object| (object.header().object_id, object)).collect();
    let mut faults = Vec::new();
    for object in objects {
        let name = format!("{}/{}", object.kind().folder(), object.header().object_id);
        faults.extend(object.oddities().into_iter().map(|why| format!("{name} {why}")));
        faults.extend(links::check(object, &known).err().map(|why| format!("{name}: {why}")));
    }
    let mut of_run: BTreeMap<ObjectId, Vec<&Object>> = BTreeMap::new();
    for object in objects {
        if let Some(id) = belongs(object) {
            of_run.entry(id).or_default().push(object);
        }
    }
    let mut gathered = Vec::new();
    for object in objects {
        let Object::Run(one) = object else { continue };
        let id = one.header.object_id;
        let mut own: Vec<&Object> = vec![object];
        own.extend(of_run.remove(&id).unwrap_or_default());
        let Some(Object::Task(task)) = known.get(&one.task).copied() else { continue };
        match put_together(one, task, &own, &known) {
            Ok(run) => gathered.push((run, own)),
            Err(why) => faults.push(format!("run/{id}: {why}")),
        }
    }
    if !faults.is_empty() {
        faults.truncate(MOST_FAULTS);
        return Err(faults);
    }
    gathered.sort_by_key(|(run, _)| run.id);
    join_attempts(gathered.iter_mut().map(|(run, _)| run).collect());
    // Objects shared by all attempts are stored with the first of them.
    let mut told = Vec::new();
    for (run, own) in &mut gathered {
        if !told.contains(&run.task.id) {
            told.push(run.task.id);
            let intent = run.intent.as_ref().map(|intent| intent.id);
            own.extend(objects.iter().filter(|object| is_shared(object, run.task.id, intent)));
        }
        let snapshots = objects.iter().filter(|it| {
            let id = it.header().object_id;
            matches!(it, Object::ContextSnapshot(_))
                && own.iter().any(|own| matches!(own, Object::Run(one) if one.snapshot == Some(id)))
        });
        let snapshots: Vec<&Object> = snapshots.collect();
        own.extend(snapshots);
    }
    let whole =
        |(run, own): (Run, Vec<&Object>)| Gathered { run, objects: own.into_iter().cloned().collect() };
    Ok(gathered.into_iter().map(whole).collect())
}

/// Links attempts with those that they follow. Only an earlier attempt at the same task can be followed, and only in
/// the way that it ended; other links are dropped.
fn join_attempts(mut runs: Vec<&mut Run>) {
    for at in 0..runs.len() {
        let Some(origin) = runs[at].origin.take() else { continue };
        let (id, task) = (runs[at].id, runs[at].task.id);
        let (RunOrigin::Retry { run: from }
        | RunOrigin::Resume { run: from }
        | RunOrigin::Rollback { run: from }) = origin;
        let before = runs[..at].iter_mut().find(|run| run.id == from && run.task.id == task);
        let Some(ended) = before.and_then(|run| run.verdict.as_mut()) else { continue };
        match (origin, ended.verdict) {
            (RunOrigin::Retry { .. }, Verdict::Retry) => {
                ended.next.get_or_insert(id);
            }
            (RunOrigin::Resume { .. }, Verdict::Checkpoint) => {}
            (RunOrigin::Rollback { .. }, Verdict::Commit | Verdict::Rollback) => {
                let commit = ended.commit.clone();
                runs[at].reverts = commit.map(|commit| run::Reverts { run: from, commit });
            }
            _ => continue,
        }
        runs[at].origin = Some(origin);
    }
}

/// Returns the run that an object belongs to.
fn belongs(object: &Object) -> Option<ObjectId> {
    match object {
        Object::PatchSet(it) => Some(it.run),
        Object::Evidence(it) => Some(it.run_id),
        Object::Decision(it) => Some(it.run_id),
        Object::RunUsage(it) => Some(it.run_id),
        Object::RunEvent(it) => Some(it.run_id),
        Object::Provenance(it) => Some(it.run_id),
        Object::ToolInvocation(it) => Some(it.run_id),
        Object::PlanStepEvent(it) => Some(it.run_id),
        Object::ContextFrame(it) => it.run_id,
        Object::TaskEvent(it) => it.run_id,
        _ => None,
    }
}

/// Returns whether an object belongs to a task or its intent, and to no run.
fn is_shared(object: &Object, task: ObjectId, intent: Option<ObjectId>) -> bool {
    match object {
        Object::Task(it) => it.header.object_id == task,
        Object::TaskEvent(it) => it.task_id == task && it.run_id.is_none(),
        Object::Intent(it) => Some(it.header.object_id) == intent,
        Object::IntentEvent(it) => Some(it.intent_id) == intent,
        Object::Plan(it) => Some(it.intent) == intent,
        Object::ContextFrame(it) => it.run_id.is_none() && it.intent_id.is_some() && it.intent_id == intent,
        _ => false,
    }
}

fn put_together(
    one: &super::run::Run,
    task: &super::intent::Task,
    own: &[&Object],
    known: &Known<'_>,
) -> Result<Run, String> {
    let intent = match task.intent.and_then(|id| known.get(&id).copied()) {
        Some(Object::Intent(intent)) => Some(run::Intent {
            id: intent.header.object_id,
            prompt: intent.prompt.clone(),
            created_by: by(&intent.header),
            created_at: intent.header.created_at.timestamp(),
        }),
        _ => None,
    };
    let mut run = Run {
        id: one.header.object_id,
        project: Project::DEFAULT.into(),
        status: RunStatus::Running,
        task: run::Task {
            id: task.header.object_id,
            title: task.title.clone(),
            description: task.description.clone(),
            created_by: by(&task.header),
            created_at: task.header.created_at.timestamp(),
        },
        intent,
        repo: String::new(),
        base: one.commit.commit().to_owned(),
        branch: String::new(),
        origin: None,
        job: None,
        reverts: None,
        guidance: None,
        parameters: None,
        patchsets: Vec::new(),
        evidence: Vec::new(),
        usage: Usage::default(),
        recorded: 0,
        objects: Vec::new(),
        comments: Vec::new(),
        imported: true,
        decision: None,
        judge: None,
        trouble: None,
        verdict: None,
        created_by: by(&one.header),
        created_at: one.header.created_at.timestamp(),
        decided_at: None,
    };
    for object in own {
        add(&mut run, object)?;
    }
    mark_late(&mut run, own);
    run.patchsets.sort_by_key(|patchset| patchset.sequence);
    run.evidence.sort_by_key(|evidence| (evidence.created_at, evidence.id));
    Ok(run)
}

/// Marks the evidence that came after the verdict. The decision that it names is one of its original store.
fn mark_late(run: &mut Run, own: &[&Object]) {
    #[derive(serde::Deserialize)]
    struct Late {
        evidence: ObjectId,
        verdict: DecisionId,
    }
    for object in own {
        let Object::ContextFrame(frame) = object else { continue };
        let is_late =
            matches!(&frame.kind, super::context::FrameKind::Other(kind) if kind == super::translate::LATE);
        let late = frame.data.as_ref().filter(|_| is_late).and_then(|data| Late::deserialize(data).ok());
        let Some(late) = late else { continue };
        for evidence in run.evidence.iter_mut().filter(|evidence| evidence.id == late.evidence) {
            evidence.verdict = Some(late.verdict);
        }
    }
}

fn add(run: &mut Run, object: &Object) -> Result<(), String> {
    match object {
        Object::PatchSet(it) => {
            let artifact = it.artifact.as_ref().ok_or("has a patch set without its diff")?;
            run.patchsets.push(run::PatchSet {
                id: it.header.object_id,
                sequence: it.sequence,
                base: it.commit.commit().to_owned(),
                artifact: kept(artifact)?,
                touched: Vec::new(),
                rationale: it.rationale.clone(),
                created_by: by(&it.header),
                created_at: it.header.created_at.timestamp(),
            });
        }
        Object::Evidence(it) => run.evidence.push(run::Evidence {
            id: it.header.object_id,
            patchset: it.patchset_id,
            kind: match &it.kind {
                EvidenceKind::Test => "test".into(),
                EvidenceKind::Lint => "lint".into(),
                EvidenceKind::Build => "build".into(),
                EvidenceKind::Other(other) => other.clone(),
            },
            tool: it.tool.clone(),
            command: it.command.clone(),
            exit_code: it.exit_code,
            took_ms: None,
            summary: it.summary.clone(),
            log: it.report_artifacts.first().map(kept).transpose()?,
            verdict: None,
            created_by: by(&it.header),
            created_at: it.header.created_at.timestamp(),
        }),
        Object::RunUsage(it) => {
            // Each one has the total so far.
            let before = run.usage.input_tokens.saturating_add(run.usage.output_tokens);
            if it.total_tokens >= before {
                let (input_tokens, output_tokens) = (it.input_tokens, it.output_tokens);
                run.usage = Usage { input_tokens, output_tokens, cost_micros: micros(it.cost_usd)? };
            }
        }
        Object::ContextFrame(it) => {
            let kind = if let super::context::FrameKind::Other(kind) = &it.kind { kind.as_str() } else { "" };
            match kind {
                "guidance" => run.guidance = Some(it.summary.clone()),
                "parameters" => run.parameters = Some(it.summary.clone()),
                super::translate::ORIGIN => {
                    run.origin = it.data.as_ref().and_then(|it| RunOrigin::deserialize(it).ok());
                }
                _ => {}
            }
        }
        Object::Decision(it) => {
            if run.verdict.is_some() {
                return Err("has two verdicts; a run has one".into());
            }
            run.verdict = Some(verdict(it)?);
            run.status = RunStatus::Decided;
            run.decided_at = Some(it.header.created_at.timestamp());
        }
        _ => {}
    }
    Ok(())
}

fn verdict(it: &Decision) -> Result<run::RunVerdict, String> {
    let verdict = match &it.decision_type {
        DecisionType::Commit => Verdict::Commit,
        DecisionType::Checkpoint => Verdict::Checkpoint,
        DecisionType::Abandon => Verdict::Abandon,
        DecisionType::Retry => Verdict::Retry,
        DecisionType::Rollback => Verdict::Rollback,
        DecisionType::Other(other) => {
            return Err(format!("has the verdict {other:?}, which means nothing here"));
        }
    };
    Ok(run::RunVerdict {
        id: it.header.object_id,
        verdict,
        patchset: it.chosen_patchset_id,
        commit: it.result_commit_sha.as_ref().map(|hash| hash.commit().to_owned()),
        checkpoint: it.checkpoint_id.clone(),
        rationale: it.rationale.clone(),
        parameters: None,
        decision: None,
        judge: match it.header.created_by.kind {
            ActorKind::Agent => Some(Judge::Agent),
            ActorKind::System => Some(Judge::Auto),
            _ => None,
        },
        notes: Vec::new(),
        next: None,
        by: by(&it.header),
        auth: Auth::Claimed,
        at: it.header.created_at.timestamp(),
    })
}

/// Returns an artifact that is stored as a git blob, whoever stored it.
fn kept(artifact: &ArtifactRef) -> Result<run::Artifact, String> {
    let key = artifact.key.to_ascii_lowercase();
    let is_blob = matches!(key.len(), 40 | 64) && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_blob || !matches!(artifact.store.as_str(), "git" | "libra") {
        let (store, key) = (&artifact.store, &artifact.key);
        return Err(format!("keeps bytes in {store:?} as {key:?}; only blobs of the repository can be read"));
    }
    Ok(run::Artifact { blob: key, sha256: String::new(), size: 0 })
}

fn by(header: &Header) -> String {
    header.created_by.id.clone()
}

fn micros(dollars: Option<f64>) -> Result<u64, String> {
    let dollars = dollars.unwrap_or_default();
    if !(0.0..=1_000_000_000.0).contains(&dollars) {
        return Err(format!("cost {dollars} US dollars"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its range is checked above")]
    let micros = (dollars * 1_000_000.0).round() as u64;
    Ok(micros)
}
