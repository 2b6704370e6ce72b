//! Carrying a verdict out on its repository, once, however often it is begun.
//!
//! What is about to be done is written down in the repository first, as a ref of the decision that points at the finished
//! commit. Then the branch is moved, from exactly where it was seen. Then the end of the run is recorded. Whoever is
//! killed in between leaves enough for the next to see how far it came: a branch that contains the noted commit was moved,
//! one that still stands at its parent was not, and any other has gone on without it.

use std::path::Path;

use holdpoint_core::run::{Conclusion, PatchSet, RunCommand, RunOrigin, Verdict};
use holdpoint_core::{Actor, Answer, Command, Decision, DecisionId, OwnerKind, Refusal, Run};

use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::{Fault, Kind, Message, Moved, Repo, Signed};

/// How often a branch that others move is tried.
const TRIES: usize = 8;

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The commit is made; nothing points at it.
    Made,
    /// What is about to be done is written down.
    Noted,
    /// The branch stands at the commit.
    Done,
    /// The end of the run is recorded.
    Recorded,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Carried {
    /// It was done, now or before.
    Out(Box<Run>),
    /// It could not be done, and the verdict is asked for again.
    AskedAgain(Box<Run>),
    /// There was nothing to do.
    Nothing,
}

/// What was done to the repository.
#[derive(Default)]
struct Effect {
    commit: Option<String>,
    checkpoint: Option<String>,
    next: Option<(holdpoint_core::run::ObjectId, String)>,
    notes: Vec<String>,
}

/// Returns the ref that a checkpoint is saved under.
pub(super) fn checkpoint_ref(checkpoint: &str) -> String {
    format!("refs/holdpoint/checkpoints/{checkpoint}")
}

fn note_ref(decision: DecisionId) -> String {
    format!("refs/holdpoint/verdicts/{decision}")
}

impl Engine {
    /// Carries out the verdict that a decision gave. `passed` hears of every step, and may break it off.
    pub async fn carry_out(
        &self,
        id: DecisionId,
        passed: &(dyn Fn(Step) -> Result<()> + Sync),
    ) -> Result<Carried> {
        let Some(decision) = self.store.decision(id).await? else { return Ok(Carried::Nothing) };
        let Some(run) = self.run_of(&decision).await? else { return Ok(Carried::Nothing) };
        let Some(answer) = decision.answer.clone() else { return Ok(Carried::Nothing) };
        if run.decision != Some(id) {
            return Ok(Carried::Nothing);
        }
        let said = answer.values.get("verdict").and_then(|value| value.as_str());
        let Some(verdict) = said.and_then(Verdict::from_name) else { return Ok(Carried::Nothing) };
        if run.verdict.is_some() {
            self.forget_note(&run, id).await;
            return Ok(Carried::Out(Box::new(run)));
        }
        let effect = match self.effect(&run, id, verdict, &answer, passed).await {
            Ok(effect) => effect,
            Err(Error::Git(fault)) if fault.kind != Kind::Busy => {
                let reason: String = fault.why.chars().take(4_000).collect();
                self.as_itself(&run, RunCommand::Fail { decision: id, reason }).await?;
                let run = Box::new(self.run_there(run.id).await?);
                // Somebody else may have done it meanwhile.
                return Ok(if run.verdict.is_some() { Carried::Out(run) } else { Carried::AskedAgain(run) });
            }
            Err(other) => return Err(other),
        };
        let Effect { commit, checkpoint, next, notes } = effect;
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
        passed(Step::Recorded)?;
        self.forget_note(&run, id).await;
        Ok(Carried::Out(Box::new(self.run_there(run.id).await?)))
    }

    async fn effect(
        &self,
        run: &Run,
        id: DecisionId,
        verdict: Verdict,
        answer: &Answer,
        passed: &(dyn Fn(Step) -> Result<()> + Sync),
    ) -> Result<Effect> {
        let mut effect = Effect::default();
        match verdict {
            Verdict::Abandon => {}
            Verdict::Commit | Verdict::Rollback => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                repo.sweep().await;
                effect.commit = Some(self.on_branch(&repo, run, id, verdict, answer, passed).await?);
            }
            Verdict::Checkpoint => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                let saved = match run.patchsets.last() {
                    Some(last) => {
                        let patch = repo
                            .read_patch(&last.base, super::artifact_in(&repo, run, &last.artifact).await?)
                            .await?;
                        repo.save(&patch, &format!("{}\n\nHoldpoint-Run: {}\n", title(run), run.id)).await?
                    }
                    None => run.base.clone(),
                };
                passed(Step::Made)?;
                let name = run.id.to_string();
                repo.keep(&checkpoint_ref(&name), &saved).await?;
                passed(Step::Done)?;
                effect.checkpoint = Some(name);
            }
            Verdict::Retry => {
                let repo = Repo::open(Path::new(&run.repo)).await?;
                let base = repo.resolve(&run.branch).await?.unwrap_or_else(|| run.base.clone());
                let next = self.object_id()?;
                repo.keep(&format!("refs/holdpoint/runs/{next}/base"), &base).await?;
                effect.next = Some((next, base));
            }
        }
        Ok(effect)
    }

    /// Puts a commit on the run's branch; finds it there if it was put before.
    async fn on_branch(
        &self,
        repo: &Repo,
        run: &Run,
        id: DecisionId,
        verdict: Verdict,
        answer: &Answer,
        passed: &(dyn Fn(Step) -> Result<()> + Sync),
    ) -> Result<String> {
        let note = note_ref(id);
        let root = self.root(run).await?;
        for _ in 0..TRIES {
            let ([head, noted], used) = repo.standing([&run.branch, &note]).await?;
            let made = match noted.clone() {
                Some(made) => {
                    if let Some(head) = &head
                        && repo.contains(head, &made).await?
                    {
                        return Ok(made);
                    }
                    let parent = repo.parent(&made).await?;
                    let stands = parent == head || (head.is_none() && parent.as_ref() == Some(&root));
                    if stands { Some(made) } else { None }
                }
                None => None,
            };
            if used && let Some(place) = repo.checked_out(&run.branch).await? {
                let branch = run.branch.trim_start_matches("refs/heads/");
                let why = format!(
                    "branch {branch} is checked out at {place}, and a work tree in use is not touched; switch it to \
                     another branch, or start the run with --branch"
                );
                return Err(Fault::new(Kind::Conflict, why).into());
            }
            let made = if let Some(made) = made {
                made
            } else {
                let on = head.clone().unwrap_or_else(|| root.clone());
                let made = self.make(repo, run, id, verdict, answer, &on).await?;
                passed(Step::Made)?;
                // Where two are at work, one of them notes, and both do what it noted.
                if repo.move_ref(&note, noted.as_deref(), &made).await? == Moved::Elsewhere {
                    continue;
                }
                passed(Step::Noted)?;
                made
            };
            if repo.move_ref(&run.branch, head.as_deref(), &made).await? == Moved::Yes {
                passed(Step::Done)?;
                return Ok(made);
            }
        }
        Err(Fault::new(Kind::Busy, format!("others keep moving {}", run.branch)).into())
    }

    /// Returns where a branch begins that is not there yet: what was saved on the way is part of the change, and no commit
    /// of its own.
    async fn root(&self, run: &Run) -> Result<String> {
        /// How often one may have gone on from another.
        const MOST: usize = 1_000;
        let mut root = run.clone();
        for _ in 0..MOST {
            let Some(RunOrigin::Resume { run: saved }) = root.origin else { break };
            match self.store.run(saved).await? {
                Some(saved) => root = saved,
                None => break,
            }
        }
        Ok(root.base)
    }

    /// Makes the commit that a verdict asks for, on top of another.
    async fn make(
        &self,
        repo: &Repo,
        run: &Run,
        id: DecisionId,
        verdict: Verdict,
        answer: &Answer,
        on: &str,
    ) -> Result<String> {
        let committer = Signed { name: answer.by.clone(), at: answer.at };
        let trailers = format!("Holdpoint-Run: {}\nHoldpoint-Decision: {id}\n", run.id);
        if verdict == Verdict::Rollback {
            let Some(reverts) = &run.reverts else {
                return Err(Fault::new(Kind::Unfit, "there is nothing to take back".into()).into());
            };
            let text = format!(
                "Revert \"{}\"\n\nThis takes back commit {}.\n\n{trailers}",
                title(run),
                reverts.commit
            );
            let author = Signed { name: run.created_by.clone(), at: run.created_at };
            return Ok(repo.revert(&reverts.commit, on, &Message { text, author, committer }).await?);
        }
        let patchset = chosen(run, answer)?;
        let bytes = super::artifact_in(repo, run, &patchset.artifact).await?;
        let why = patchset.rationale.as_deref().or(run.task.description.as_deref());
        let why = why.map(|why| format!("{}\n\n", why.trim())).unwrap_or_default();
        let text = format!("{}\n\n{why}{trailers}", title(run));
        let author = Signed { name: patchset.created_by.clone(), at: patchset.created_at };
        Ok(repo.commit(&bytes, &patchset.base, on, &Message { text, author, committer }).await?)
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

    /// Takes the note away once the record says the same.
    async fn forget_note(&self, run: &Run, id: DecisionId) {
        let commits = run.patchsets.len() + usize::from(run.reverts.is_some()) > 0;
        // A folder of the repository will do to drop a ref; whether it was there does not matter.
        if commits {
            let _ = Repo::at(Path::new(&run.repo)).drop_ref(&note_ref(id)).await;
        }
    }
}

fn chosen<'a>(run: &'a Run, answer: &Answer) -> Result<&'a PatchSet> {
    let id = answer.values.get("patchset").and_then(|value| value.as_str()).and_then(|id| id.parse().ok());
    let missing = || Error::Refused(Refusal::invalid("patchset", "no patch set of this run was chosen"));
    id.and_then(|id| run.patchset(id)).ok_or_else(missing)
}

/// The first line of a commit.
fn title(run: &Run) -> String {
    let title = holdpoint_core::text::inert_line(&run.task.title);
    title.chars().take(100).collect()
}
