//! The commit of a verdict: made, noted, and put on the run's branch, or found there from an earlier attempt.
//!
//! Starting git costs more than most of what it then does. So queries are batched into one call, independent work
//! starts at once, and refs are moved by a single running git.

use std::path::Path;

use holdpoint_core::run::{PatchSet, RUN_HOOKS, Verdict};
use holdpoint_core::text::{inert, inert_line, quote};
use holdpoint_core::{Answer, Refusal, Run, Timestamp};

use super::carry::{CarryStep, RepositoryEffect, VerdictTask, not_ours, title};
use super::note::note_ref;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::{
    GitError, GitFolder, Hooks, Identities, Identity, Kind, Message, MoveOutcome, NamedObject, NewCommit,
    ObjectQuery, RefMover, Repo, ScratchIndex, Signature,
};

/// How often to try a branch that others are moving.
const TRIES: usize = 8;
/// How many files changed by hooks are named.
const NAMED: usize = 20;

/// The change to commit.
#[derive(Clone, Copy)]
enum ChangeToCommit<'a> {
    Patch(&'a PatchSet),
    Undo(&'a str),
}

/// A commit to put on a branch.
struct CommitTask<'a> {
    given: &'a VerdictTask<'a>,
    work: ChangeToCommit<'a>,
    repo: Repo,
    message: Message,
}

/// The state of the repository.
struct RepositoryState {
    head: Option<Tip>,
    root: Option<Tip>,
    noted: Option<PendingMove>,
    /// The bytes of the patch set, as they were recorded.
    patch: Result<Vec<u8>>,
}

/// A commit and its tree.
#[derive(Clone)]
struct Tip {
    commit: String,
    tree: String,
}

/// What somebody was about to do.
struct PendingMove {
    made: Tip,
    parent: Option<String>,
}

impl Engine {
    /// Puts a commit on the run's branch, or finds it there from an earlier attempt.
    pub(super) async fn put_on_branch(&self, given: &VerdictTask<'_>) -> Result<RepositoryEffect> {
        let (run, work) = (given.run, ChangeToCommit::of(given)?);
        let (root, folder) = (self.change_start(run).await?, GitFolder::at(Path::new(&run.repo)));
        folder.clear_stale_locks();
        let mut mover = RefMover::start(&folder).await;
        let (repo, seen, ground, known) = tokio::join!(
            Repo::open(Path::new(&run.repo)),
            inspect_repository(&folder, given, work, &root),
            scratch_index(&folder, work),
            folder.identities()
        );
        let repo = repo?;
        if let Some(commit) = self.done_before(given, &repo).await? {
            (given.passed)(CarryStep::Done)?;
            return Ok(RepositoryEffect {
                commit: Some(commit),
                mover: Some(mover),
                ..RepositoryEffect::default()
            });
        }
        self.sweep_repo(&repo).await;
        let task = CommitTask { given, work, repo, message: message(given, work, known) };
        let mut at_hand = Some((seen, ground));
        for _ in 0..TRIES {
            let (seen, ground) = if let Some(both) = at_hand.take() {
                both
            } else {
                tokio::join!(inspect_repository(&folder, given, work, &root), scratch_index(&folder, work))
            };
            if let Some(made) = task.attempt(seen?, ground, &mut mover).await? {
                let notes = more_than_asked(&made.beyond).into_iter().chain(unasked(&made)).collect();
                let (commit, mover) = (Some(made.commit), Some(mover));
                return Ok(RepositoryEffect { commit, notes, mover, ..RepositoryEffect::default() });
            }
        }
        Err(GitError::new(Kind::Busy, format!("others keep moving {}", run.branch)).into())
    }
}

impl<'a> ChangeToCommit<'a> {
    fn of(given: &VerdictTask<'a>) -> Result<Self> {
        if given.verdict == Verdict::Rollback {
            let none = || GitError::new(Kind::Unfit, "there is nothing to revert".into());
            let reverts = given.run.reverts.as_ref().ok_or_else(none)?;
            return Ok(Self::Undo(&reverts.commit));
        }
        chosen(given.run, given.answer).map(Self::Patch)
    }
}

/// Reads all that must be known, at once.
async fn inspect_repository(
    folder: &GitFolder,
    given: &VerdictTask<'_>,
    work: ChangeToCommit<'_>,
    root: &str,
) -> Result<RepositoryState> {
    let (branch, note) = (&given.run.branch, note_ref(given.id));
    let id = |name: &str, what: &str| ObjectQuery::Id(format!("{name}^{{{what}}}"));
    let mut asked = vec![
        id(branch, "commit"),
        id(branch, "tree"),
        id(root, "commit"),
        id(root, "tree"),
        id(&note, "commit"),
        id(&note, "tree"),
        ObjectQuery::Id(format!("{note}^1")),
    ];
    if let ChangeToCommit::Patch(patchset) = work {
        asked.push(ObjectQuery::Bytes(patchset.artifact.blob.clone()));
    }
    let mut found = folder.cat_file(&asked).await?.into_iter();
    let mut next = || found.next().flatten();
    let tip = |commit: Option<NamedObject>, tree: Option<NamedObject>| {
        Some(Tip { commit: commit?.id, tree: tree?.id })
    };
    let head = tip(next(), next());
    let root = tip(next(), next());
    let (made, parent) = (tip(next(), next()), next());
    let noted = made.map(|made| PendingMove { made, parent: parent.map(|parent| parent.id) });
    let patch = match work {
        ChangeToCommit::Patch(patchset) => {
            let blob = &patchset.artifact.blob;
            let missing = || GitError::new(Kind::Broken, format!("blob {blob} is not in the repository"));
            let found = next().ok_or_else(missing).map_err(Error::from);
            found.and_then(|found| super::as_recorded(given.run, &patchset.artifact, found.bytes))
        }
        ChangeToCommit::Undo(_) => Ok(Vec::new()),
    };
    Ok(RepositoryState { head, root, noted, patch })
}

/// Lays out what a patch is applied to, before it is known whether that is needed.
async fn scratch_index(folder: &GitFolder, work: ChangeToCommit<'_>) -> Result<Option<ScratchIndex>> {
    match work {
        ChangeToCommit::Patch(patchset) => Ok(Some(folder.scratch_index(&patchset.base).await?)),
        ChangeToCommit::Undo(_) => Ok(None),
    }
}

impl CommitTask<'_> {
    /// Returns the commit once the branch points to it; none if another process has moved a ref meanwhile.
    async fn attempt(
        &self,
        seen: RepositoryState,
        ground: Result<Option<ScratchIndex>>,
        mover: &mut RefMover,
    ) -> Result<Option<NewCommit>> {
        let Self { given, repo, .. } = self;
        let (branch, note) = (&given.run.branch, note_ref(given.id));
        let RepositoryState { head, root, noted, patch } = seen;
        if let (Some(head), Some(PendingMove { made, parent })) = (&head, &noted)
            && (head.commit == made.commit || repo.contains(&head.commit, &made.commit).await?)
        {
            let on = parent.as_deref().unwrap_or(&made.commit);
            return Ok(Some(self.found(ground, patch, on, made).await));
        }
        if let Some(place) = repo.checked_out(branch).await? {
            let branch = branch.trim_start_matches("refs/heads/");
            let why = format!(
                "branch {branch} is checked out at {place}, and a work tree in use is not touched; switch it to \
                 another branch, or start the run with --branch"
            );
            return Err(GitError::new(Kind::Conflict, why).into());
        }
        let from = head.as_ref().map(|head| head.commit.clone());
        let lost =
            || GitError::new(Kind::Broken, format!("the commit that {branch} starts from is not there"));
        let on = head.or(root).ok_or_else(lost)?;
        let stands = noted.as_ref().filter(|noted| noted.parent.as_ref() == Some(&on.commit));
        let made = if let Some(PendingMove { made, .. }) = stands {
            self.found(ground, patch, &on.commit, made).await
        } else {
            let tree = self.tree(ground, patch, &on.commit).await?;
            let hooks = hooks(given.answer, self.work);
            let made = repo.commit_on(&on.commit, &on.tree, &tree, &self.message, hooks).await?;
            (given.passed)(CarryStep::Made)?;
            // If two processes work on it, one of them writes the note, and both do what it says.
            let before = noted.as_ref().map(|noted| noted.made.commit.as_str());
            if mover.move_ref(&note, before, &made.commit).await? == MoveOutcome::Elsewhere {
                return Ok(None);
            }
            (given.passed)(CarryStep::Noted)?;
            made
        };
        if mover.move_ref(branch, from.as_deref(), &made.commit).await? == MoveOutcome::Elsewhere {
            return Ok(None);
        }
        (given.passed)(CarryStep::Done)?;
        Ok(Some(made))
    }

    /// Makes the tree that the verdict asks for, on top of a commit.
    async fn tree(
        &self,
        ground: Result<Option<ScratchIndex>>,
        patch: Result<Vec<u8>>,
        on: &str,
    ) -> Result<String> {
        match (self.work, ground?) {
            (ChangeToCommit::Patch(_), Some(ground)) => Ok(self.repo.tree_over(&ground, &patch?, on).await?),
            (ChangeToCommit::Patch(patchset), None) => {
                Err(GitError::new(Kind::Broken, format!("{} was not laid out", patchset.base)).into())
            }
            (ChangeToCommit::Undo(commit), _) => Ok(self.repo.tree_without(commit, on).await?),
        }
    }

    /// Uses a commit that was noted before, and finds the files in which it differs from what was to be committed.
    async fn found(
        &self,
        ground: Result<Option<ScratchIndex>>,
        patch: Result<Vec<u8>>,
        on: &str,
        made: &Tip,
    ) -> NewCommit {
        let beyond = match self.tree(ground, patch, on).await {
            Ok(tree) if tree != made.tree => self.repo.differing(&tree, &made.tree).await.unwrap_or_default(),
            _ => Vec::new(),
        };
        let unhooked = match hooks(self.given.answer, self.work) {
            Hooks::Run => false,
            Hooks::Skip => true,
            Hooks::RunUnlessAltered => self.repo.alters_hooks(on, &made.tree).await.unwrap_or_default(),
        };
        NewCommit { commit: made.commit.clone(), beyond, unhooked }
    }
}

/// Describes that hooks changed what was committed.
fn more_than_asked(beyond: &[String]) -> Option<String> {
    if beyond.is_empty() {
        return None;
    }
    let named: Vec<String> = beyond.iter().take(NAMED).map(|path| quote(path)).collect();
    let more = match beyond.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "hooks of the repository changed what was committed; it differs from what was decided on in: {}{more}",
        named.join(", ")
    ))
}

/// Hooks that the change alters run only if the verdict says so.
fn hooks(answer: &Answer, work: ChangeToCommit<'_>) -> Hooks {
    let said = answer.values.get(RUN_HOOKS).and_then(serde_json::Value::as_bool);
    match work {
        _ if said == Some(true) => Hooks::Run,
        ChangeToCommit::Patch(patchset) if patchset.altered_hooks().next().is_some() => Hooks::Skip,
        ChangeToCommit::Patch(_) | ChangeToCommit::Undo(_) => Hooks::RunUnlessAltered,
    }
}

/// Describes that hooks did not run.
fn unasked(made: &NewCommit) -> Option<String> {
    made.unhooked.then(|| {
        "no hook of the repository ran for this commit: it alters them, and the verdict did not say run_hooks".into()
    })
}

/// Returns the author of the change, and its time.
fn author<'a>(run: &'a Run, work: ChangeToCommit<'a>) -> (&'a str, Timestamp) {
    match work {
        ChangeToCommit::Patch(patchset) => (&patchset.created_by, patchset.created_at),
        ChangeToCommit::Undo(_) => (&run.created_by, run.created_at),
    }
}

fn message(given: &VerdictTask<'_>, work: ChangeToCommit<'_>, known: Identities) -> Message {
    let VerdictTask { run, id, answer, .. } = given;
    // Commits are signed with the identity that git is configured with, as when git is called by hand; the proposer and
    // the decider are named in any case.
    let signed = |known: Option<Identity>, (name, at): (&str, Timestamp)| match known {
        Some(Identity { name: own, email }) => {
            Signature { name: own.unwrap_or_else(|| name.to_owned()), email: Some(email), at }
        }
        None => Signature { name: name.to_owned(), email: None, at },
    };
    let (proposed, decided) = (author(run, work), (answer.by.as_str(), answer.at));
    let (author, committer) = (signed(known.author, proposed), signed(known.committer, decided));
    let trailers = format!(
        "Holdpoint-Run: {}\nHoldpoint-Decision: {id}\nHoldpoint-Proposed-By: {}\nHoldpoint-Decided-By: {}\n",
        run.id,
        inert_line(proposed.0),
        inert_line(decided.0)
    );
    let text = match work {
        ChangeToCommit::Patch(patchset) => {
            let why = patchset.rationale.as_deref().or(run.task.description.as_deref());
            let why = why.map(|why| format!("{}\n\n", plain_body(why))).unwrap_or_default();
            format!("{}\n\n{why}{trailers}", title(run))
        }
        ChangeToCommit::Undo(commit) => {
            format!("Revert \"{}\"\n\nThis takes back commit {commit}.\n\n{trailers}", title(run))
        }
    };
    Message { text, author, committer }
}

/// Returns an agent's text so that none of its lines can pass for one of ours.
fn plain_body(text: &str) -> String {
    const BREAKS: [char; 6] = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let text = text.replace("\r\n", "\n").replace(BREAKS, "\n");
    let lines: Vec<String> = text.trim().lines().map(|line| not_ours(inert(line))).collect();
    lines.join("\n")
}

fn chosen<'a>(run: &'a Run, answer: &Answer) -> Result<&'a PatchSet> {
    let missing = || Error::Refused(Refusal::invalid("patchset", "no patch set of this run was chosen"));
    run.chosen(answer).ok_or_else(missing)
}
