//! The cost of channels, with fakes that answer at once: how soon a message arrives, how soon a tap wakes its waiter,
//! and how a burst is handled at one message per second.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::Uri;
use holdpoint_core::{Actor, Command, Role};
use holdpoint_engine::Clock;
use holdpoint_store::sqlite::Sqlite;
use holdpoint_store::{Store as _, Submission};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::peer::{Pair, id, question};
use super::start::Hold;
use super::wire::Wire;
use crate::process::Setup;
use crate::sample::Times;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, say, seed};

/// How many are asked at once.
const BURST: u32 = 1_000;
/// The silence after the last message of a burst.
const QUIET: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 200 } else { 60 };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let mut other = Other::start().await?;
        let home = setup.home("channels");
        link(&seed::open(&home.store())?).await?;
        let hold = Hold::start_with(setup, &home, &other.settings(setup)?).await?;
        let mut rows = vec![messages(&hold, &mut other, rounds).await?];
        // Telegram accepts one message per second.
        rows.push(taps(&hold, &mut other, rounds / 10).await?);
        rows.extend(burst(&hold, &mut other).await?);
        Ok(rows)
    })
}

/// Creates a person with an account on each channel.
async fn link(store: &Arc<Sqlite>) -> Result<()> {
    let name = || "ana".to_owned();
    let person = Command::PutPerson {
        name: name(),
        role: Role::Person,
        email: None,
        projects: Vec::new(),
        password: None,
    };
    store.submit(Submission::new(person, Actor::claimed("ana", "bench"), Clock::System.now())).await?;
    for (channel, account) in [("telegram", "5"), ("slack", "T1/U1")] {
        let (channel, account) = (channel.to_owned(), Some(account.to_owned()));
        let command = Command::LinkAccount { name: name(), channel, account };
        store.submit(Submission::new(command, Actor::sign_in(), Clock::System.now())).await?;
    }
    Ok(())
}

/// Measures from the reply to the asker, which follows the commit, until the message has arrived.
async fn messages(hold: &Hold, other: &mut Other, rounds: usize) -> Result<Row> {
    let mut asker = hold.asker().await?;
    let mut bare = Wire::connect(&other.address, "").await?;
    let (body, mut told, mut posted) = (in_project("ntfy")?, Vec::new(), Vec::new());
    for round in 0..=rounds {
        asker.ask("POST", "/v1/decisions", &body).await?;
        let committed = Instant::now();
        let message = other.next("/").await?;
        let text = message.body.to_string();
        let start = Instant::now();
        bare.ask("POST", "/bare", &text).await?;
        let arrived = other.next("/bare").await?;
        // The first turn is a warm-up.
        if round > 0 {
            told.push(message.at.saturating_duration_since(committed));
            posted.push(arrived.at.saturating_duration_since(start));
        }
    }
    Ok(Row {
        what: "channels: ask committed → the other side has the message, p50".into(),
        measured: Quantity::Time(Times::new(told).median()),
        peer: Some((Quantity::Time(Times::new(posted).median()), "a bare post")),
        target: Target::AtMost(3.0),
    })
}

/// Measures from the delivery of a tap until the waiter has the answer.
async fn taps(hold: &Hold, other: &mut Other, rounds: usize) -> Result<Row> {
    let (mut agent, mut pair) = (hold.asker().await?, Pair::connect(hold).await?);
    let (body, mut tapped, mut answered) = (in_project("telegram")?, Vec::new(), Vec::new());
    for round in 0..=rounds {
        let decision = id(&agent.ask("POST", "/v1/decisions", &body).await?)?;
        let message = other.next("sendMessage").await?;
        agent.send("GET", &format!("/v1/decisions/{decision}/wait?timeout=60s"), "").await?;
        let data = &message.body["reply_markup"]["inline_keyboard"][0][0]["callback_data"];
        let stands = json!({ "message_id": message.number, "chat": { "id": 5, "type": "private" } });
        other.happens(json!({ "update_id": round + 1, "callback_query": {
            "id": "q", "data": data, "from": { "id": 5, "is_bot": false }, "message": stands,
        }}))?;
        let handed_over = other.next("tapped").await?.at;
        agent.receive().await?;
        let took = handed_over.elapsed();
        let over_http = pair.cycle(true).await?;
        if round > 0 {
            tapped.push(took);
            answered.push(over_http);
        }
    }
    Ok(Row {
        what: "channels: tap handed over → waiter has the answer, p50".into(),
        measured: Quantity::Time(Times::new(tapped).median()),
        peer: Some((Quantity::Time(Times::new(answered).median()), "answered over HTTP")),
        target: Target::AtMost(1.5),
    })
}

/// Asks many at once, and counts the messages to one account.
async fn burst(hold: &Hold, other: &mut Other) -> Result<[Row; 2]> {
    let (mut asker, body, start) = (hold.asker().await?, in_project("slack")?, Instant::now());
    for _ in 0..BURST {
        asker.ask("POST", "/v1/decisions", &body).await?;
    }
    let (mut messages, mut times) = (0_u32, Vec::new());
    while let Ok(sent) = tokio::time::timeout(QUIET, other.heard.recv()).await {
        let sent = sent.ok_or(GONE)?;
        let (is_new, is_change) = (sent.path.ends_with("postMessage"), sent.path.ends_with("update"));
        messages += u32::from(is_new);
        times.extend((is_new || is_change).then_some(sent.at));
        if start.elapsed() > PATIENCE {
            return Err("a burst never ends".into());
        }
    }
    say(&format!("channels: {} requests for {BURST} asks at once", times.len()))?;
    let pauses = times.windows(2).map(|two| two[1].saturating_duration_since(two[0]));
    let shortest = pauses.min().ok_or("a burst was not told")?;
    Ok([
        Row {
            what: format!("channels: messages for {BURST} asks at once"),
            measured: Quantity::Count(messages.into()),
            peer: Some((Quantity::Count(BURST.into()), "one each")),
            target: Target::AtMost(1.0),
        },
        Row {
            what: "  shortest pause between two requests".into(),
            measured: Quantity::Time(shortest),
            peer: Some((Quantity::Time(Duration::from_secs(1)), "what Slack takes")),
            // Requests take a moment to arrive.
            target: Target::AtLeast(0.95),
        },
    ])
}

fn in_project(project: &str) -> Result<String> {
    let mut new: BTreeMap<String, Value> = serde_json::from_str(&question()?)?;
    new.insert("project".into(), project.into());
    Ok(serde_json::to_string(&new)?)
}

const GONE: &str = "the stand-in has ended";

/// A request that a fake received.
struct Heard {
    at: Instant,
    path: String,
    body: Value,
    number: i64,
}

/// A fake of ntfy, Telegram and Slack.
struct Other {
    address: String,
    heard: UnboundedReceiver<Heard>,
    updates: UnboundedSender<Value>,
}

struct Shared {
    says: UnboundedSender<Heard>,
    updates: Mutex<UnboundedReceiver<Value>>,
    count: AtomicI64,
}

impl Other {
    async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let ((says, heard), (updates, happens)) = (unbounded_channel(), unbounded_channel());
        let shared = Arc::new(Shared { says, updates: Mutex::new(happens), count: AtomicI64::new(0) });
        let routes = Router::new().fallback(meet).with_state(shared);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Ok(Self { address, heard, updates })
    }

    fn settings(&self, setup: &Setup) -> Result<String> {
        let mut files = Vec::new();
        for (name, token) in [("bot", "1:a"), ("slack-bot", "xoxb-a"), ("slack-app", "xapp-a")] {
            let file = setup.folder.join(name);
            std::fs::write(&file, token)?;
            files.push(file.display().to_string());
        }
        let common = |project: &str| {
            format!(
                "server = \"http://{}\"\nallow_private = true\ntell = [\"ana\"]\nprojects = [\"{project}\"]",
                self.address
            )
        };
        Ok(format!(
            "[ntfy]\n{}\ntopics = {{ ana = \"t\" }}\n[telegram]\n{}\ntoken_file = \"{}\"\n\
             [slack]\n{}\nbot_token_file = \"{}\"\napp_token_file = \"{}\"\n",
            common("ntfy"),
            common("telegram"),
            files[0],
            common("slack"),
            files[1],
            files[2]
        ))
    }

    fn happens(&self, update: Value) -> Result<()> {
        self.updates.send(update).map_err(|_| GONE.into())
    }

    /// Waits for the next request whose path ends like this.
    async fn next(&mut self, end: &str) -> Result<Heard> {
        loop {
            let heard = tokio::time::timeout(PATIENCE, self.heard.recv()).await?.ok_or(GONE)?;
            if heard.path.ends_with(end) {
                return Ok(heard);
            }
        }
    }
}

async fn meet(State(shared): State<Arc<Shared>>, uri: Uri, body: Bytes) -> String {
    let (at, path) = (Instant::now(), uri.path().to_owned());
    if path.ends_with("getUpdates") {
        let mut updates = shared.updates.lock().await;
        let Ok(Some(update)) = tokio::time::timeout(Duration::from_secs(5), updates.recv()).await else {
            return json!({ "ok": true, "result": [] }).to_string();
        };
        let (at, path) = (Instant::now(), "tapped".to_owned());
        let _ = shared.says.send(Heard { at, path, body: Value::Null, number: 0 });
        return json!({ "ok": true, "result": [update] }).to_string();
    }
    if path.ends_with("apps.connections.open") {
        return json!({ "ok": false, "error": "nobody_listens" }).to_string();
    }
    let number = shared.count.fetch_add(1, Ordering::Relaxed) + 1;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let _ = shared.says.send(Heard { at, path, body, number });
    json!({
        "ok": true, "id": number.to_string(), "result": { "message_id": number },
        "ts": format!("{number}.1"), "team_id": "T1", "channel": { "id": "D1" },
    })
    .to_string()
}
