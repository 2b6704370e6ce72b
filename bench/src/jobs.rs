//! The cost of supervised agents: while idle, from a prompt to the decision, and from its answer to the keystrokes.

use std::fs::File;
use std::io::Read as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::parked::memory;
use crate::process::{Setup, cpu};
use crate::sample::Times;
use crate::server::start::Hold;
use crate::server::wire::Wire;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result};

/// A timeout for anything that should be quick.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let home = setup.home("jobs");
        let hold = Hold::start(setup, &home).await?;
        let local = std::fs::read_to_string(home.path().join("local.token"))?;
        let wire = Wire::connect(&hold.server.address, local.trim()).await?;
        let mut house =
            JobServer { setup, wire, server: hold.server.process(), home: home.path().to_owned() };
        let rounds = if extent == Extent::Full { 40 } else { 15 };
        let mut rows = house.answered(rounds).await?;
        // A quiet agent is checked less and less often, in the end every minute: the span covers one check of each.
        let (agents, settle, span) = if extent == Extent::Full { (200, 60, 60) } else { (50, 20, 20) };
        rows.extend(house.idle(agents, settle, span).await?);
        Ok(rows)
    })
}

struct JobServer<'a> {
    setup: &'a Setup,
    wire: Wire,
    server: u32,
    home: std::path::PathBuf,
}

impl JobServer<'_> {
    async fn get(&mut self, path: &str) -> Result<Value> {
        Ok(serde_json::from_slice(&self.wire.ask("GET", path, "").await?)?)
    }

    async fn post(&mut self, path: &str, body: &Value) -> Result<Value> {
        Ok(serde_json::from_slice(&self.wire.ask("POST", path, &body.to_string()).await?)?)
    }

    /// Starts an agent without a job and returns its id.
    async fn crew(&mut self, run: &str) -> Result<String> {
        let book = json!({"agent": {"w": {"run": run}}}).to_string();
        let start = json!({"runbook": book, "format": "json", "agent": "w", "cwd": self.setup.folder});
        let crew = self.post("/v1/jobs", &start).await?;
        Ok(text(&crew["id"])?.to_owned())
    }

    /// Waits until this many jobs have the status.
    async fn until(&mut self, status: &str, count: usize) -> Result<Vec<Value>> {
        let until = Instant::now() + TIMEOUT;
        loop {
            let listed = self.get(&format!("/v1/jobs?status={status}&limit=1000")).await?;
            let items = listed["items"].as_array().cloned().unwrap_or_default();
            let begun = items.iter().filter(|one| status != "running" || one["agent_id"].is_string()).count();
            if begun == count {
                return Ok(items);
            }
            if Instant::now() > until {
                return Err(format!("{begun} of {count} are {status}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn end(&mut self, ids: &[String]) -> Result<()> {
        for id in ids {
            self.post(&format!("/v1/jobs/{id}/cancel"), &json!({})).await?;
        }
        self.until("active", 0).await.map(drop)
    }

    /// Measures many idle, supervised agents.
    async fn idle(&mut self, agents: usize, settle: u64, span: u64) -> Result<Vec<Row>> {
        let before = memory(self.server)?;
        let mut ids = Vec::new();
        for _ in 0..agents {
            ids.push(self.crew("exec sleep 100000").await?);
        }
        let mut hosts = Vec::new();
        for crew in self.until("running", agents).await? {
            let session = self.home.join("sessions").join(crew["agent_id"].as_str().unwrap_or_default());
            hosts.push(host(&session).await?);
        }
        tokio::time::sleep(Duration::from_secs(settle)).await;
        let total = |server: u32| -> Result<f64> {
            Ok(hosts.iter().map(|host| cpu(*host)).sum::<Result<f64>>()? + cpu(server)?)
        };
        let start = total(self.server)?;
        tokio::time::sleep(Duration::from_secs(span)).await;
        let burnt = total(self.server)? - start;
        #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
        let (burnt, count) = ((burnt / span as f64).max(0.0), agents as f64);
        let grown = (memory(self.server)? - before).max(0.0);
        let own = (hosts.iter().map(|host| memory(*host)).sum::<Result<f64>>()? + grown) / count;
        self.end(&ids).await?;
        Ok(vec![
            Row {
                what: format!(
                    "{agents} idle agents of one server: CPU burnt in a second by it and their hosts"
                ),
                measured: Quantity::Time(Duration::from_secs_f64(burnt)),
                peer: Some((Quantity::Time(Duration::from_secs(1)), "one core")),
                target: Target::Under(Quantity::Time(Duration::from_millis(10))),
            },
            Row {
                what: "the same: memory of each beyond the agent's own".into(),
                measured: Quantity::Memory(own),
                peer: None,
                target: Target::Under(Quantity::Memory(4096.0)),
            },
        ])
    }

    /// Measures from a prompt to its decision, and from the answer over HTTP to the agent that receives it.
    async fn answered(&mut self, rounds: usize) -> Result<Vec<Row>> {
        let pipe = self.setup.folder.join("jobs.pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        let script = "n=0; while :; do n=$((n+1)); printf 'Go on %s? [y/N] ' $n; printf p >&3; read a; printf k >&3; done";
        let id = self.crew(&format!("exec 3> '{}'; {script}", pipe.display())).await?;
        let mut signs = File::open(&pipe)?;
        let (mut asked, mut heard) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let mut byte = [0];
            signs.read_exact(&mut byte)?;
            let clock = Instant::now();
            let decision = self.pending(&id).await?;
            asked.push(clock.elapsed());
            let answer = json!({"choice": "approve", "digest": decision["digest"]});
            let clock = Instant::now();
            self.post(&format!("/v1/decisions/{}/answer", text(&decision["id"])?), &answer).await?;
            signs.read_exact(&mut byte)?;
            heard.push(clock.elapsed());
        }
        self.end(&[id]).await?;
        let under = |what: &str, times, limit| Row {
            what: what.into(),
            measured: Quantity::Time(Times::new(times).at(95)),
            peer: None,
            target: Target::Under(Quantity::Time(Duration::from_millis(limit))),
        };
        Ok(vec![
            under("prompt on the screen → decision at a server, 95 of 100", asked, 500),
            under("answer over HTTP → heard by the agent, 95 of 100", heard, 50),
        ])
    }

    async fn pending(&mut self, id: &str) -> Result<Value> {
        let until = Instant::now() + TIMEOUT;
        while Instant::now() < until {
            let listed = self.get(&format!("/v1/decisions?status=pending&owner=crew:{id}")).await?;
            if listed["items"][0].is_object() {
                return Ok(listed["items"][0].clone());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Err("nothing is asked".into())
    }
}

fn text(id: &Value) -> Result<&str> {
    Ok(id.as_str().ok_or("something without an id")?)
}

/// Returns the process id of a session's host, once it is on file.
async fn host(session: &std::path::Path) -> Result<u32> {
    let until = Instant::now() + TIMEOUT;
    loop {
        let text = std::fs::read(session.join("session.json")).unwrap_or_default();
        let about: Value = serde_json::from_slice(&text).unwrap_or_default();
        match about.pointer("/host/pid").and_then(Value::as_u64) {
            Some(pid) => return Ok(pid.try_into()?),
            None if Instant::now() > until => return Err("no host".into()),
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}
