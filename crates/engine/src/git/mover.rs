//! A git that stays at hand and moves refs, one after the other, without a start for each.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use super::command::{Said, in_time};
use super::{Fault, Folder, Moved};

/// How much of what git complains about is kept.
const MOST: usize = 64 << 10;

/// Moves refs of a repository, each in a transaction of its own.
#[derive(Debug)]
pub(crate) struct Mover {
    folder: Folder,
    git: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    stdin: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    complaints: JoinHandle<String>,
}

impl Mover {
    /// Starts it; what hinders that is said when a ref is to be moved.
    pub(crate) fn start(folder: &Folder) -> Self {
        Self { folder: folder.clone(), git: Running::start(folder).ok() }
    }

    /// Moves a ref from where it was seen, or makes it where it was not there.
    pub(crate) async fn move_ref(
        &mut self,
        name: &str,
        from: Option<&str>,
        to: &str,
    ) -> Result<Moved, Fault> {
        let order = match from {
            Some(from) => format!("update {name} {to} {from}"),
            None => format!("create {name} {to}"),
        };
        match self.carry_out(&order).await? {
            Ok(()) => Ok(Moved::Yes),
            Err(fault) => self.folder.why_not_moved(name, from, to, fault).await,
        }
    }

    /// Takes a ref of our own away.
    pub(crate) async fn drop_ref(&mut self, name: &str) -> Result<(), Fault> {
        self.carry_out(&format!("delete {name}")).await?
    }

    /// Carries out one order; what git has against it is within.
    async fn carry_out(&mut self, order: &str) -> Result<Result<(), Fault>, Fault> {
        let mut git = match self.git.take() {
            Some(git) => git,
            None => Running::start(&self.folder)?,
        };
        let done = in_time("update-ref", git.carry_out(order)).await?;
        if done {
            self.git = Some(git);
            return Ok(Ok(()));
        }
        Ok(Err(in_time("update-ref", git.complaint()).await?))
    }
}

impl Running {
    fn start(folder: &Folder) -> Result<Self, Fault> {
        let mut child = folder.git(&["update-ref", "-m", "holdpoint", "--stdin"]).start()?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Fault::new(super::Kind::Broken, "git cannot be spoken to".into()));
        };
        // Read at once: a hook that says much must not wait for a reader.
        let complaints = tokio::spawn(async move {
            let (mut all, mut part) = (Vec::new(), [0; 4096]);
            let mut stderr = stderr;
            while let Ok(count @ 1..) = stderr.read(&mut part).await {
                let room = MOST.saturating_sub(all.len()).min(count);
                all.extend_from_slice(&part[..room]);
            }
            String::from_utf8_lossy(&all).trim().to_owned()
        });
        Ok(Self { child, stdin, said: BufReader::new(stdout).lines(), complaints })
    }

    /// Returns whether it was done. All of an order goes in one write: whoever is killed has given all of it, or none.
    async fn carry_out(&mut self, order: &str) -> bool {
        let order = format!("start\n{order}\ncommit\n");
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

    async fn complaint(self) -> Fault {
        let Self { mut child, stdin, complaints, .. } = self;
        drop(stdin);
        let code = child.wait().await.ok().and_then(|status| status.code());
        let err = complaints.await.unwrap_or_default();
        Said { code, out: Vec::new(), err }.fault()
    }
}
