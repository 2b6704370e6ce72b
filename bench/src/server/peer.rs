//! The measured cycle, once with the real server and once hand-written in Redis: ask, wait, answer, wake.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::start::{Hold, Server};
use super::wire::{Resp, Wire};
use crate::{Result, seed};

/// How long the waiter may take to park.
const SETTLE: Duration = Duration::from_millis(2);

/// Returns the body of the question.
pub(crate) fn question() -> Result<String> {
    let new = serde_json::to_value(seed::question(1))?;
    let mut new = new.as_object().ok_or("a question is an object")?.clone();
    new.retain(|_, value| !value.is_null());
    Ok(Value::Object(new).to_string())
}

/// An asker and an answerer connected to the real server.
#[derive(Debug)]
pub(crate) struct Pair {
    asker: Wire,
    answerer: Wire,
    question: String,
}

impl Pair {
    pub(crate) async fn connect(hold: &Hold) -> Result<Self> {
        Ok(Self { asker: hold.asker().await?, answerer: hold.answerer().await?, question: question()? })
    }

    /// Runs one cycle; returns how long it took from sending the answer until the waiter had it.
    pub(crate) async fn cycle(&mut self, settle: bool) -> Result<Duration> {
        let asked = self.asker.ask("POST", "/v1/decisions", &self.question).await?;
        let id = id(&asked)?;
        self.asker.send("GET", &format!("/v1/decisions/{id}/wait?timeout=60s"), "").await?;
        if settle {
            tokio::time::sleep(SETTLE).await;
        }
        let start = Instant::now();
        self.answerer.send("POST", &format!("/v1/decisions/{id}/answer"), ANSWER).await?;
        let woken = self.asker.receive().await?;
        let took = start.elapsed();
        self.answerer.receive().await?;
        if find(&woken, "\"status\":\"answered\"") { Ok(took) } else { Err("nobody was woken".into()) }
    }
}

/// The body of the answer.
pub(crate) const ANSWER: &str = r#"{"choice":"pin"}"#;

/// Returns the id in a decision, without reading the rest of it.
pub(crate) fn id(decision: &[u8]) -> Result<String> {
    let text = std::str::from_utf8(decision)?;
    let start = text.find("\"id\":\"dcn-").ok_or("no id")? + 6;
    Ok(text[start..start + 16].to_owned())
}

fn find(text: &[u8], wanted: &str) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted.as_bytes())
}

/// The same pair with Redis: a list for each answer, an index of pending decisions, and the same texts.
#[derive(Debug)]
pub(crate) struct RedisPair {
    asker: Resp,
    answerer: Resp,
    name: usize,
    round: usize,
    text: String,
}

impl RedisPair {
    pub(crate) async fn connect(server: &Server, name: usize) -> Result<Self> {
        let text = json!({"question": question()?, "status": "pending", "answer": null}).to_string();
        let (asker, answerer) =
            (Resp::connect(&server.address).await?, Resp::connect(&server.address).await?);
        Ok(Self { asker, answerer, name, round: 0, text })
    }

    pub(crate) async fn cycle(&mut self, settle: bool) -> Result<Duration> {
        self.round += 1;
        let (id, score) = (format!("{}-{}", self.name, self.round), self.round.to_string());
        let (decision, answer) = (format!("decision:{id}"), format!("answer:{id}"));
        self.asker
            .send(&[
                &["MULTI"],
                &["SET", &decision, &self.text],
                &["ZADD", "pending", &score, &id],
                &["EXEC"],
            ])
            .await?;
        self.asker.receive(4).await?;
        self.asker.send(&[&["BLPOP", &answer, "60"]]).await?;
        if settle {
            tokio::time::sleep(SETTLE).await;
        }
        let start = Instant::now();
        self.answerer
            .send(&[
                &["MULTI"],
                &["SET", &decision, &self.text],
                &["ZREM", "pending", &id],
                &["RPUSH", &answer, &self.text],
                &["EXEC"],
            ])
            .await?;
        self.asker.receive(1).await?;
        let took = start.elapsed();
        self.answerer.receive(5).await?;
        Ok(took)
    }
}
