//! Carries a verdict out on its repository, once, however often that is started.
//!
//! First a note of what is about to be done is written to the repository, as a ref of the decision that points to the
//! finished commit. Then the branch is moved, from exactly the value that was seen. Then the end of the run is
//! recorded. If a process is killed in between, the next one can see how far it came: a branch that contains the noted
//! commit was moved, one that still points to its parent was not, and any other has moved on without it.

use std::path::Path;
use std::time::Duration;

use holdpoint_core::run::{self, Conclusion, RunCommand, Verdict};
use holdpoint_core::{Actor, Answer, Command, Decision, DecisionId, OwnerKind, Refusal, Run};

use super::note::note_ref;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::{GitFolder, Kind, RefMover, Repo, RepositoryTurn};

/// How long to wait while another process carries out a verdict in the same repository, before that is reported.
const TIMEOUT: Duration = Duration::from_secs(3);

/// How far the process has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryStep {
    /// The commit is made; no ref points to it.
    Made,
    /// The note is written.
    Noted,
    /// The branch points to the commit.
    Done,
    /// The end of the run is recorded.
    Recorded,
}

/// The outcome.
#[derive(Clone, Debug)]
pub enum CarryOutcome {
    /// It was done, now or before.
    Out(Box<Run>),
    /// It could not be done, and the verdict is requested again.
    AskedAgain(Box<Run>),
    /// There was nothing to do.
    Nothing,
}

/// A verdict to carry out.
pub(super) struct VerdictTask<'a> {
    pub(super) run: &'a Run,
    pub(super) id: DecisionId,
    pub(super) verdict: Verdict,
    pub(super) answer: &'a Answer,
    /// Called after every step; an error stops the process.
    pub(super) passed: &'a (dyn Fn(CarryStep) -> Result<()> + Sync),
}

/// What was done to the repository.
#[derive(Default)]
pub(super) struct RepositoryEffect {
    pub(super) commit: Option<String>,
    pub(super) checkpoint: Option<String>,
    pub(super) next: Option<(holdpoint_core::run::ObjectId, String)>,
    pub(super) notes: Vec<String>,
    /// The git that removes the note.
    pub(super) mover: Option<RefMover>,
}

/// Returns the ref that a checkpoint is saved under.
pub(super) fn checkpoint_ref(checkpoint: &str) -> String {
    format!("refs/holdpoint/checkpoints/{checkpoint}")
}

impl Engine {
    /// Carries out the verdict that a decision gave. `passed` is called after every step, and may stop it.
    pub async fn carry_out(
        &self,
        id: DecisionId,
        passed: &(dyn Fn(CarryStep) -> Result<()> + Sync),
    ) -> Result<CarryOutcome> {
        let Some(row) = self.store.decision(id).await? else { return Ok(CarryOutcome::Nothing) };
        if row.answer.is_none() {
            return Ok(CarryOutcome::Nothing);
        }
        // A row alone is not enough to commit: anyone who can write to the store can change it.
        self.check_remembered(id).await?;
        let decision = self.settled_in_log(&row).await?;
        let Some(run) = self.run_of(&decision).await? else { return Ok(CarryOutcome::Nothing) };
        let Some(answer) = decision.answer.clone() else { return Ok(CarryOutcome::Nothing) };
        if run.decision != Some(id) {
            // The verdict was requested again instead.
            self.forget_failed(&run, id).await;
            return Ok(CarryOutcome::Nothing);
        }
        let Some(verdict) = verdict_of(&decision) else { return Ok(CarryOutcome::Nothing) };
        // A run that is given up needs nothing from the repository, which may be gone.
        let needs_turn = run.verdict.is_none() && verdict != Verdict::Abandon;
        let folder = GitFolder::at(Path::new(&run.repo));
        let _turn: Option<RepositoryTurn> =
            if needs_turn { Some(folder.turn(&id.to_string(), TIMEOUT).await?) } else { None };
        // The process that had the turn before may have done it.
        let run = if needs_turn { self.run_there(run.id).await? } else { run };
        if run.decision != Some(id) {
            return Ok(CarryOutcome::Nothing);
        }
        if run.verdict.is_some() {
            let _ = self.forget_note(&run, id).await;
            return Ok(CarryOutcome::Out(Box::new(run)));
        }
        if !run::is_of(&decision, &run) {
            return Err(Refusal::unproven(id, "the run is not what was decided on").into());
        }
        if needs_turn {
            folder.end_orphans(TIMEOUT).await?;
        }
        let given = VerdictTask { run: &run, id, verdict, answer: &answer, passed };
        let effect = match Box::pin(self.effect(&given)).await {
            Ok(effect) => effect,
            Err(Error::Git(fault)) if !matches!(fault.kind, Kind::Busy | Kind::Taken) => {
                return self.ask_again(&run, id, &fault.why).await;
            }
            Err(other) => return Err(other),
        };
        let RepositoryEffect { commit, checkpoint, next, notes, mover } = effect;
        let conclusion = Conclusion {
            id: self.object_id()?,
            decision: id,
            verdict,
            commit,
            checkpoint,
            notes,
            next,
            job: run.job.clone(),
        };
        self.as_itself(&run, RunCommand::Conclude(Box::new(conclusion))).await?;
        passed(CarryStep::Recorded)?;
        // The result does not matter: whatever is left is removed the next time.
        let forget = async {
            if let Some(mut mover) = mover {
                let _ = mover.drop_ref(&note_ref(id)).await;
            }
        };
        let (ended, ()) = tokio::join!(self.run_there(run.id), forget);
        Ok(CarryOutcome::Out(Box::new(ended?)))
    }

    /// Records that a verdict cannot be carried out, and why; requests it again.
    pub(super) async fn ask_again(&self, run: &Run, id: DecisionId, why: &str) -> Result<CarryOutcome> {
        let reason: String = why.chars().take(4_000).collect();
        let blocks = self.store.decision(id).await?.map(|decision| decision.blocks).unwrap_or_default();
        self.as_itself(run, RunCommand::Fail { decision: id, reason, blocks }).await?;
        self.forget_failed(run, id).await;
        let run = Box::new(self.run_there(run.id).await?);
        // Another process may have done it meanwhile.
        Ok(if run.verdict.is_some() { CarryOutcome::Out(run) } else { CarryOutcome::AskedAgain(run) })
    }

    async fn effect(&self, given: &VerdictTask<'_>) -> Result<RepositoryEffect> {
        let run = given.run;
        let mut effect = RepositoryEffect::default();
        match given.verdict {
            Verdict::Abandon => {}
            Verdict::Commit | Verdict::Rollback => return Box::pin(self.put_on_branch(given)).await,
            Verdict::Checkpoint => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                let saved = match run.patchsets.last() {
                    Some(last) => {
                        let patch = super::artifact_in(&repo, run, &last.artifact).await?;
                        let words = format!("{}\n\nHoldpoint-Run: {}\n", title(run), run.id);
                        repo.save(&patch, &last.base, &words).await?
                    }
                    None => run.base.clone(),
                };
                (given.passed)(CarryStep::Made)?;
                let name = run.id.to_string();
                repo.keep(&checkpoint_ref(&name), &saved).await?;
                (given.passed)(CarryStep::Done)?;
                effect.checkpoint = Some(name);
            }
            Verdict::Retry => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                let base = match repo.resolve(&run.branch).await? {
                    Some(head) => head,
                    None => self.change_start(run).await?,
                };
                let next = self.object_id()?;
                repo.keep(&format!("refs/holdpoint/runs/{next}/base"), &base).await?;
                effect.next = Some((next, base));
            }
        }
        Ok(effect)
    }

    pub(super) async fn run_of(&self, decision: &Decision) -> Result<Option<Run>> {
        let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
        match owner.and_then(|owner| owner.id.parse().ok()) {
            Some(id) => Ok(self.store.run(id).await?),
            None => Ok(None),
        }
    }

    async fn as_itself(&self, run: &Run, command: RunCommand) -> Result<()> {
        let actor = Actor { by: "system:git".into(), via: "git".into(), ..Actor::system() };
        let (project, id) = (run.project.clone(), run.id);
        self.submit(actor, Command::Run { project, id, command: Box::new(command) }).await.map(drop)
    }
}

/// Returns the verdict of a decision.
pub(super) fn verdict_of(decision: &Decision) -> Option<Verdict> {
    let said = decision.answer.as_ref()?.values.get("verdict")?;
    Verdict::from_name(said.as_str()?)
}

/// Returns the first line of a commit message.
pub(super) fn title(run: &Run) -> String {
    let title = holdpoint_core::text::inert_line(&run.task.title);
    not_ours(title.chars().take(100).collect())
}

/// Returns a foreign line so that it cannot pass for one of ours in a commit, which name the proposer and the decider:
/// such a line is marked as quoted.
pub(super) fn not_ours(line: String) -> String {
    const OURS: &str = "Holdpoint-";
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let ours = bare.get(..OURS.len()).is_some_and(|start| start.eq_ignore_ascii_case(OURS));
    if ours { format!("> {line}") } else { line }
}
