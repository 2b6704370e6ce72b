//! A running git that moves refs one after the other, without starting a process for each.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::command::{GitOutput, unless_interrupted};
use super::ledger::{Ledger, RefOperation};
use super::orphan::MARK;
use super::{GitError, GitFolder, Kind, MoveOutcome};
use crate::group::Group;

/// How often and how long another process's lock is waited for here. Git itself waits a little, too.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(100);

/// Moves refs of a repository, each in a separate transaction.
#[derive(Debug)]
pub(crate) struct RefMover {
    folder: GitFolder,
    git: Option<RunningGit>,
}

#[derive(Debug)]
struct RunningGit {
    child: Child,
    stdin: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    ledger: Ledger,
    /// The process group that ends with a cancelled order: it includes the hook reference-transaction.
    group: Group,
}

impl RefMover {
    /// Starts it; if that fails, the error is returned when a ref is to be moved.
    pub(crate) async fn start(folder: &GitFolder) -> Self {
        Self { folder: folder.clone(), git: RunningGit::start(folder).await.ok() }
    }

    /// Returns one that is started when first needed.
    pub(super) fn later(folder: &GitFolder) -> Self {
        Self { folder: folder.clone(), git: None }
    }

    /// Moves a ref from the value that was seen, or creates it if it did not exist.
    pub(crate) async fn move_ref(
        &mut self,
        name: &str,
        from: Option<&str>,
        to: &str,
    ) -> Result<MoveOutcome, GitError> {
        let (name, to) = (name.to_owned(), to.to_owned());
        let order = match from {
            Some(from) => {
                RefOperation::Update { name: name.clone(), to: to.clone(), from: Some(from.to_owned()) }
            }
            None => RefOperation::Create { name: name.clone(), to: to.clone() },
        };
        match self.carry_out(&order).await? {
            Ok(()) => Ok(MoveOutcome::Yes),
            Err(fault) => self.folder.why_not_moved(&name, from, &to, fault).await,
        }
    }

    /// Points one of our refs at an object, whatever it was before.
    pub(super) async fn keep(&mut self, name: &str, to: &str) -> Result<(), GitError> {
        self.carry_out(&RefOperation::Update { name: name.to_owned(), to: to.to_owned(), from: None }).await?
    }

    /// Deletes one of our refs.
    pub(crate) async fn drop_ref(&mut self, name: &str) -> Result<(), GitError> {
        self.carry_out(&RefOperation::Delete { name: name.to_owned() }).await?
    }

    /// Carries out one order; git's objections are in the result. Locks left by dead processes are removed; those of
    /// others are waited for, but not for long.
    async fn carry_out(&mut self, order: &RefOperation) -> Result<Result<(), GitError>, GitError> {
        let mut tries = 0;
        loop {
            let mut git = match self.git.take() {
                Some(git) => git,
                None => RunningGit::start(&self.folder).await?,
            };
            git.ledger.begin(order).await?;
            git.group = Group(git.child.id());
            let done = unless_interrupted("update-ref", git.carry_out(order)).await?;
            if done {
                git.ledger.end();
                git.group.0 = None;
                self.git = Some(git);
                return Ok(Ok(()));
            }
            let said = unless_interrupted("update-ref", git.complaint()).await?;
            let fault = said.fault();
            tries += 1;
            if fault.kind != Kind::Busy || tries >= TRIES {
                return Ok(Err(fault));
            }
            self.folder.clear_stale_locks();
            let cleared = said.lock().is_some_and(|lock| self.folder.clear_own_lock(&lock));
            if !cleared {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

impl RunningGit {
    async fn start(folder: &GitFolder) -> Result<Self, GitError> {
        let ledger = Ledger::open(folder).await?;
        let call = folder.git(&["update-ref", "-m", "holdpoint", "--stdin"]).leading();
        let mut child = call.with(MARK, ledger.path()).start(ledger.complaints()?)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError::new(Kind::Broken, "git's input cannot be written to".into()));
        };
        let (said, group) = (BufReader::new(stdout).lines(), Group(None));
        Ok(Self { child, stdin, said, ledger, group })
    }

    /// Returns whether it was done. An order is sent in one write: a process that is killed has sent all of it, or
    /// nothing.
    async fn carry_out(&mut self, order: &RefOperation) -> bool {
        let order = format!("start\n{}\ncommit\n", order.to_line());
        if self.stdin.write_all(order.as_bytes()).await.is_err() {
            return false;
        }
        for expected in ["start: ok", "commit: ok"] {
            match self.said.next_line().await {
                Ok(Some(line)) if line == expected => {}
                _ => return false,
            }
        }
        true
    }

    async fn complaint(self) -> GitOutput {
        let Self { mut child, stdin, mut ledger, mut group, .. } = self;
        drop(stdin);
        let code = child.wait().await.ok().and_then(|status| status.code());
        group.0 = None;
        let err = ledger.complaint();
        // A git that was killed may have left its locks.
        if code.is_some() {
            ledger.end();
        }
        GitOutput { code, out: Vec::new(), err }
    }
}
