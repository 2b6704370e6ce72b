//! The cost of an agent in a separate terminal: to start, while idle, from prompt to signal, and from answer to
//! keystroke.

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use holdpoint_core::job::detect::{Detector, Patterns, Signal, Timing};
use holdpoint_engine::sessions::{self, Keys, Session, Spec, Watch};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tokio::runtime::Runtime;

use crate::parked::memory;
use crate::process::{Setup, cpu, quiet};
use crate::sample::{Times, in_turn};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result};

/// The idle agent's command.
const IDLE: &str = "exec sleep 100000";
const GRACE: Duration = Duration::from_secs(2);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stage = Stage { setup, runtime };
    let mut rows = start(&stage, if extent == Extent::Full { 40 } else { 15 })?;
    // A quiet agent is checked less and less often: after 4, 12, 28 and 60 seconds, then every minute. Each span
    // covers one check.
    let (agents, settle, seconds) = if extent == Extent::Full { (200, 30, 40) } else { (50, 13, 16) };
    rows.extend(idle(&stage, agents, Duration::from_secs(settle), seconds)?);
    let rounds = if extent == Extent::Full { 40 } else { 15 };
    rows.push(prompt(&stage, rounds)?);
    rows.extend(typing(&stage, rounds)?);
    Ok(rows)
}

struct Stage<'a> {
    setup: &'a Setup,
    runtime: Runtime,
}

impl Stage<'_> {
    fn start(&self, name: &str, run: &str) -> Result<Session> {
        let dir = self.setup.folder.join("sessions").join(name);
        let mut spec = Spec::new(name, run, &self.setup.folder);
        spec.host = Some(self.setup.bin.join("hold"));
        Ok(self.runtime.block_on(sessions::start(&dir, &spec))?)
    }

    fn stop(&self, session: &Session) -> Result<()> {
        self.runtime.block_on(session.stop(GRACE))?;
        Ok(())
    }
}

/// Measures starting an agent, compared with the least it needs: the host program, and the agent in a bare
/// pseudo-terminal.
fn start(stage: &Stage<'_>, rounds: usize) -> Result<Vec<Row>> {
    let mut count = 0;
    let mut started = || {
        count += 1;
        let clock = Instant::now();
        let session = stage.start(&format!("start-{count}"), IDLE)?;
        let took = clock.elapsed();
        stage.stop(&session)?;
        Ok(took)
    };
    let nowhere = stage.setup.folder.join("nowhere");
    let mut bare = || {
        let mut host = quiet(&stage.setup.bin.join("hold"), &["session-host"]);
        host.arg(&nowhere).stdin(Stdio::null());
        let clock = Instant::now();
        // Without a spec it ends at once.
        let _ = host.status()?;
        let pair = native_pty_system().openpty(PtySize::default())?;
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", IDLE]);
        let mut child = pair.slave.spawn_command(command)?;
        let took = clock.elapsed();
        child.kill()?;
        child.wait()?;
        Ok(took)
    };
    let [ours, bare] = in_turn(rounds, [&mut started, &mut bare])?;
    Ok(vec![Row {
        what: "start of an agent in a session".into(),
        measured: Quantity::Time(ours.median()),
        peer: Some((Quantity::Time(bare.median()), "host program + bare pty")),
        target: Target::AtMost(2.0),
    }])
}

/// Measures many idle agents, each of them watched.
fn idle(stage: &Stage<'_>, agents: u32, settle: Duration, seconds: u64) -> Result<Vec<Row>> {
    let mut all = Vec::new();
    for n in 0..agents {
        all.push(stage.start(&format!("idle-{n}"), IDLE)?);
    }
    let hosts: Vec<u32> = all.iter().map(host).collect::<Result<_>>()?;
    let mut watchers: Vec<_> = all.iter().map(watch).collect();
    let watching = async {
        let waiting = watchers.iter_mut().map(|watch| async { while watch.next().await.is_ok() {} });
        futures_util::future::join_all(waiting).await;
    };
    let total = || -> Result<f64> {
        Ok(hosts.iter().map(|host| cpu(*host)).sum::<Result<f64>>()? + cpu(std::process::id())?)
    };
    let burnt = stage.runtime.block_on(async {
        tokio::pin!(watching);
        let _ = tokio::time::timeout(settle, &mut watching).await;
        let before = total()?;
        let _ = tokio::time::timeout(Duration::from_secs(seconds), &mut watching).await;
        Result::Ok(total()? - before)
    })?;
    #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
    let burnt = Duration::from_secs_f64((burnt / seconds as f64).max(0.0));
    let own = hosts.iter().map(|host| memory(*host)).sum::<Result<f64>>()? / f64::from(agents);
    drop(watchers);
    let stopping = all.iter().map(|session| session.stop(GRACE));
    stage.runtime.block_on(futures_util::future::join_all(stopping));
    Ok(vec![
        Row {
            what: format!("{agents} idle agents, watched: CPU burnt in a second"),
            measured: Quantity::Time(burnt),
            peer: Some((Quantity::Time(Duration::from_secs(1)), "one core")),
            target: Target::Under(Quantity::Time(Duration::from_millis(10))),
        },
        Row {
            what: "idle agent: memory beyond the agent's own".into(),
            measured: Quantity::Memory(own),
            peer: None,
            target: Target::Under(Quantity::Memory(4096.0)),
        },
    ])
}

/// Measures from Enter, at which the agent asks, to the signal that it does.
fn prompt(stage: &Stage<'_>, rounds: usize) -> Result<Row> {
    let session = stage.start("prompt", "while read x; do printf 'Go on? [y/N] '; read y; echo; done")?;
    let mut watch = watch(&session);
    let mut times = Vec::new();
    for round in 0..rounds {
        stage.runtime.block_on(async {
            session.input(&format!("ask-{round}"), &Keys::Line(String::new())).await?;
            let clock = Instant::now();
            while !matches!(watch.next().await?.0, Signal::Prompt { .. }) {}
            times.push(clock.elapsed());
            session.input(&format!("answer-{round}"), &Keys::Line("y".into())).await?;
            while !matches!(watch.next().await?.0, Signal::Working) {}
            Result::Ok(())
        })?;
    }
    stage.stop(&session)?;
    Ok(Row {
        what: "prompt on the screen → signal, 95 of 100".into(),
        measured: Quantity::Time(Times::new(times).at(95)),
        peer: None,
        target: Target::Under(Quantity::Time(Duration::from_millis(500))),
    })
}

/// Measures from an answer to its last keystroke in the agent, alone and beside an agent that floods its terminal.
fn typing(stage: &Stage<'_>, rounds: usize) -> Result<Vec<Row>> {
    let calm = keystrokes(stage, "calm", rounds)?;
    let flood = stage.start("flood", "exec yes flood")?;
    let beside = keystrokes(stage, "beside", rounds)?;
    let grown = anonymous(host(&flood)?)?;
    stage.stop(&flood)?;
    let under = Target::Under(Quantity::Time(Duration::from_millis(50)));
    Ok(vec![
        Row {
            what: "answer → keystrokes in the agent, 95 of 100".into(),
            measured: Quantity::Time(calm.at(95)),
            peer: None,
            target: under,
        },
        Row {
            what: "the same beside an agent that floods".into(),
            measured: Quantity::Time(beside.at(95)),
            peer: Some((Quantity::Time(calm.at(95)), "in peace")),
            target: under,
        },
        Row {
            what: "agent that floods: memory of its host".into(),
            measured: Quantity::Memory(grown),
            peer: None,
            target: Target::Under(Quantity::Memory(4096.0)),
        },
    ])
}

fn keystrokes(stage: &Stage<'_>, name: &str, rounds: usize) -> Result<Times> {
    let pipe = stage.setup.folder.join(format!("{name}.pipe"));
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
    let session = stage.start(name, &format!("stty raw -echo; exec cat > '{}'", pipe.display()))?;
    let mut keys = File::open(&pipe)?;
    let mut times = Vec::new();
    for round in 0..rounds {
        let clock = Instant::now();
        stage.runtime.block_on(session.input(&format!("{name}-{round}"), &Keys::Line("yes".into())))?;
        let mut byte = [0];
        while byte != *b"\r" {
            keys.read_exact(&mut byte)?;
        }
        times.push(clock.elapsed());
    }
    stage.stop(&session)?;
    Ok(Times::new(times))
}

fn watch(session: &Session) -> Watch {
    sessions::watch(session, Detector::new(Patterns::default(), Timing::default()))
}

/// Returns a process's anonymous memory, in KiB: what it writes, without its code.
fn anonymous(process: u32) -> Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")).ok_or("no RssAnon")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}

/// Returns the process id of a session's host.
fn host(session: &Session) -> Result<u32> {
    let about: serde_json::Value =
        serde_json::from_slice(&std::fs::read(session.dir().join("session.json"))?)?;
    let pid = about.pointer("/host/pid").and_then(serde_json::Value::as_u64).ok_or("no host")?;
    Ok(pid.try_into()?)
}
