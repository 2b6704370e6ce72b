//! Runs: applying a patch set compared with git alone, a long change on its page, and long lists.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::{Duration, Instant};

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::run::{NewRun, ObjectId, RunCommand, Task};
use holdpoint_core::{Actor, Command, Timestamp};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::run::{FinishRun, PatchFrom, StartRun};
use holdpoint_engine::{Engine, Role};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::start::Server;
use super::wire::Wire;
use crate::process::{Setup, quiet, time};
use crate::sample::{Times, in_turn};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result};

/// How many files the repository has.
const FILES: usize = 2_000;
/// How many lines the long change has.
const LINES: usize = 20_000;
const FEW: usize = 200;
const MANY: usize = 10_000;
const ROUNDS: usize = 60;
const HOOK: &str = ".git/hooks/pre-commit";

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let home = setup.home("runs");
    holdpoint_engine::Home::make_private(home.path())?;
    std::fs::write(home.path().join("config.toml"), "[hooks]\ndesktop = false\n")?;
    let repo = repository(&setup.folder.join("runs-repo"))?;
    let peer = setup.folder.join("runs-peer");
    git(&setup.folder, &["clone", "-q", "runs-repo", "runs-peer"])?;
    let engine = runtime.block_on(Engine::open(&home, None, Role::Writer))?;
    let mut rows = vec![applied(&runtime, &engine, (&repo, &peer), 0, Hooks::None)?];
    for folder in [&repo, &peer] {
        hook(folder)?;
    }
    rows.push(applied(&runtime, &engine, (&repo, &peer), ROUNDS + 1, Hooks::One)?);
    std::fs::remove_file(repo.join(HOOK))?;
    let long = runtime.block_on(long_change(&engine, &repo))?;
    let many = if extent == Extent::Full { MANY } else { MANY / 5 };
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--no-auth"];
    runtime.block_on(async {
        begin(&engine, FEW).await?;
        let server = Server::start(setup.hold(&home, &arguments))?;
        let mut wire = Wire::connect(&server.address, "").await?;
        let page = asked(&mut wire, &format!("/runs/{long}")).await?;
        rows.push(Row {
            what: format!("runs: the page of a change of {LINES} lines, first screen from the server"),
            measured: Quantity::Time(page),
            peer: None,
            target: Target::Under(Quantity::Time(Duration::from_millis(150))),
        });
        // The oldest have patch sets, evidence and verdicts, and so take longer to read and send: each end is
        // compared with itself.
        let ends = [("newest", "/v1/runs?limit=50"), ("oldest", "/v1/runs?limit=50&order=oldest_first")];
        let few = [asked(&mut wire, ends[0].1).await?, asked(&mut wire, ends[1].1).await?];
        begin(&engine, many - FEW).await?;
        for ((what, path), few) in ends.into_iter().zip(few) {
            rows.push(Row {
                what: format!("runs: a page of 50 of {many}, the {what} first"),
                measured: Quantity::Time(asked(&mut wire, path).await?),
                peer: Some((Quantity::Time(few), "of 200")),
                target: Target::AtMost(1.3),
            });
        }
        Ok(rows)
    })
}

/// Whether the repository has hooks that see a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hooks {
    None,
    One,
}

/// Measures carrying out a verdict, compared with `git apply --index` and `git commit` on a work tree of the same
/// repository. If there are hooks, they get a separate work tree, because no existing one is touched; the peer
/// creates one, too.
fn applied(
    runtime: &Runtime,
    engine: &Engine,
    (repo, peer): (&Path, &Path),
    from: usize,
    hooks: Hooks,
) -> Result<Row> {
    let (mut ours, mut theirs) = (from, from);
    let mut verdict = || {
        ours += 1;
        let patch = patch(ours);
        runtime.block_on(async {
            let caller = Caller::claimed("bench", "bench");
            let start = StartRun { task: format!("Round {ours}"), repo: repo.into(), ..StartRun::default() };
            let run = engine.start_run(&caller, start).await?;
            let run = engine.patch_run(&caller, &run, PatchFrom::Bytes(patch.into_bytes()), None).await?;
            let run = engine.finish_run(&caller, &run, FinishRun::default()).await?;
            let id = run.decision.ok_or("nothing was asked")?;
            let values = serde_json::json!({"verdict": "commit", "patchset": run.patchsets[0].id});
            let asked = engine.store().decision(id).await?.ok_or("nothing was asked")?;
            let digest = Some(asked.digest);
            let values = serde_json::from_value(values)?;
            let input = AnswerInput { values, digest, ..AnswerInput::default() };
            let person = Caller::claimed("ana", "bench");
            engine.submit_for(&person, Command::Answer { id, input: Box::new(input) }, None).await?;
            let start = Instant::now();
            engine.carry_out(id, &|_| Ok(())).await?;
            Ok(start.elapsed())
        })
    };
    let mut plain = || {
        theirs += 1;
        let file = peer.with_extension("patch");
        std::fs::write(&file, patch(theirs))?;
        let file = file.display().to_string();
        let start = Instant::now();
        if hooks == Hooks::None {
            git(peer, &["apply", "--index", &file])?;
            git(peer, &["commit", "-q", "-m", "round"])?;
        } else {
            let tree = peer.with_extension("tree");
            let setup = tree.display().to_string();
            git(peer, &["worktree", "add", "-q", "--detach", &setup])?;
            git(&tree, &["apply", "--index", &file])?;
            git(&tree, &["commit", "-q", "-m", "round"])?;
            git(peer, &["worktree", "remove", "--force", &setup])?;
        }
        Ok(start.elapsed())
    };
    let [verdict, plain] = in_turn(ROUNDS, [&mut verdict, &mut plain])?;
    let (with, beside) = match hooks {
        Hooks::None => ("", "git apply --index, git commit"),
        Hooks::One => (", past a hook", "git worktree add, apply --index, commit with the same hook, remove"),
    };
    Ok(Row {
        what: format!("runs: a verdict carried out{with}: patch set applied and committed, {FILES} files"),
        measured: Quantity::Time(verdict.median()),
        peer: Some((Quantity::Time(plain.median()), beside)),
        target: Target::AtMost(1.5),
    })
}

/// Writes a hook that lets everything pass.
fn hook(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let hook = folder.join(HOOK);
    std::fs::create_dir_all(folder.join(".git/hooks"))?;
    std::fs::write(&hook, "#!/bin/sh\ngit diff --cached --check\n")?;
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Returns a change to one of the files.
fn patch(round: usize) -> String {
    let path = format!("d{}/f{}.txt", round % 20, round % FILES);
    format!("--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n line 0\n-line 1\n+line one, {round}\n")
}

fn repository(folder: &Path) -> Result<PathBuf> {
    for number in 0..FILES {
        let setup = folder.join(format!("d{}", number % 20));
        std::fs::create_dir_all(&setup)?;
        std::fs::write(setup.join(format!("f{number}.txt")), "line 0\nline 1\n")?;
    }
    git(folder, &["init", "-q", "-b", "main"])?;
    git(folder, &["add", "-A"])?;
    git(folder, &["commit", "-q", "-m", "first"])?;
    Ok(folder.to_owned())
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let mut command: Process =
        quiet(Path::new("git"), &["-c", "user.name=b", "-c", "user.email=b@localhost"]);
    command.args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    time(command).map(drop)
}

async fn long_change(engine: &Engine, repo: &Path) -> Result<String> {
    let caller = Caller::claimed("bench", "bench");
    let start = StartRun { task: "A long change".into(), repo: repo.into(), ..StartRun::default() };
    let run = engine.start_run(&caller, start).await?;
    let mut diff = format!(
        "diff --git a/long.rs b/long.rs\nnew file mode 100644\n--- /dev/null\n+++ b/long.rs\n@@ -0,0 +1,{LINES} @@\n"
    );
    for n in 0..LINES {
        writeln!(diff, "+let line_{n} = \"text {n}\"; // why")?;
    }
    let run = engine.patch_run(&caller, &run, PatchFrom::Bytes(diff.into_bytes()), None).await?;
    Ok(run.id.to_string())
}

/// Starts this many runs without a repository: only the lists are measured.
async fn begin(engine: &Engine, count: usize) -> Result<()> {
    let mut under_way = JoinSet::new();
    for number in 0..count {
        let mut chance = [0; 10];
        chance[..8].copy_from_slice(&(u64::try_from(number)? ^ (u64::try_from(count)? << 32)).to_be_bytes());
        let at = engine.now().await?;
        let id = ObjectId::at(at, chance);
        let task = Task {
            id,
            title: format!("Task {number}"),
            description: None,
            created_by: "bench".into(),
            created_at: Timestamp::from_millis(0),
        };
        let new = NewRun {
            task,
            intent: None,
            repo: "/nowhere".into(),
            base: "0".repeat(40),
            branch: "refs/heads/x".into(),
            origin: None,
            job: None,
            saved: None,
            reverts: None,
            guidance: None,
            parameters: None,
        };
        let command = Box::new(RunCommand::Start(Box::new(new)));
        let (engine, command) = (engine.clone(), Command::Run { project: "default".into(), id, command });
        under_way.spawn(async move { engine.submit(Actor::claimed("bench", "bench"), command).await });
        if under_way.len() >= 256
            && let Some(done) = under_way.join_next().await
        {
            done??;
        }
    }
    while let Some(done) = under_way.join_next().await {
        done??;
    }
    Ok(())
}

async fn asked(wire: &mut Wire, path: &str) -> Result<Duration> {
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        let start = Instant::now();
        wire.ask("GET", path, "").await?;
        if round > 0 {
            times.push(start.elapsed());
        }
    }
    Ok(Times::new(times).median())
}
