//! Those who ask, answer, guide, revise and cancel, each on any node.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chance::Chance;
use super::record::{Board, Fate, Sent, Verb};
use super::wire::{Cut, Request, after};
use crate::server::{Reply, question_with};

/// How long a command that may be sent again is sent again.
const PERSIST: Duration = Duration::from_secs(40);
/// How long one answer may take: the server itself gives up before.
const ANSWER: Duration = Duration::from_secs(35);

/// Sends commands until the time is up.
pub(super) fn work(number: usize, board: &Board, chance: Chance, until: Instant) -> Vec<Sent> {
    let mut worker = Worker { board, chance };
    let mut sent = Vec::new();
    for at in 0.. {
        if Instant::now() >= until {
            break;
        }
        sent.push(worker.one(format!("w{number}-{at}")));
    }
    sent
}

/// Cancels what is still pending.
pub(super) fn settle_the_rest(board: &Board, pending: &[String]) -> Vec<Sent> {
    let mut worker = Worker { board, chance: Chance::new(1) };
    let cancel = |(at, id): (usize, &String)| worker.change(format!("rest-{at}"), Verb::Cancel, id);
    pending.iter().enumerate().map(cancel).collect()
}

struct Worker<'a> {
    board: &'a Board,
    chance: Chance,
}

impl Worker<'_> {
    fn one(&mut self, mark: String) -> Sent {
        let verb = match self.chance.below(100) {
            0..40 => Verb::Create,
            40..72 => Verb::Answer,
            72..80 => Verb::Guide,
            80..92 => Verb::Revise,
            _ => Verb::Cancel,
        };
        let open = self.some_open();
        match self.chance.of(&open).cloned() {
            Some(id) if verb != Verb::Create => self.change(mark, verb, &id),
            _ => self.create(mark),
        }
    }

    /// Returns some of the newest or of the oldest: several try their hand at the same ones, and none is forgotten.
    fn some_open(&mut self) -> Vec<String> {
        let newest = self.chance.below(2) == 0;
        let open = &self.board.decisions().open;
        if newest {
            open.iter().rev().take(8).cloned().collect()
        } else {
            open.iter().take(8).cloned().collect()
        }
    }

    fn create(&mut self, mark: String) -> Sent {
        let mut more = json!({ "prompt": mark });
        if self.chance.below(3) == 0 {
            more["timeout"] = json!(format!("{}ms", 100 + self.chance.below(2_500)));
            if self.chance.below(2) == 0 {
                more["default"] = json!({"choice": "a"});
            }
        }
        let body = question_with(&more);
        let request = Request { method: "POST", path: "/v1/decisions", key: Some(&mark), body: Some(&body) };
        let fate = self.send(&request, Verb::Create);
        if let Fate::Done(decision) = &fate
            && let Some(id) = decision["id"].as_str()
        {
            self.board.opened(id);
        }
        Sent { mark, verb: Verb::Create, fate }
    }

    fn change(&mut self, mark: String, verb: Verb, id: &str) -> Sent {
        let choice = self.chance.of(&["a", "b"]).copied();
        let (method, path, body) = match verb {
            Verb::Answer => ("POST", "/answer", json!({"choice": choice, "message": mark})),
            Verb::Guide => ("POST", "/answer", json!({"guidance": mark})),
            Verb::Cancel => ("POST", "/cancel", json!({"reason": mark})),
            Verb::Create | Verb::Revise => ("PATCH", "", json!({"prompt": mark})),
        };
        let path = format!("/v1/decisions/{id}{path}");
        let request = Request { method, path: &path, key: None, body: Some(&body) };
        let fate = self.send(&request, verb);
        let seen = match &fate {
            Fate::Done(decision) | Fate::Refused(Some(decision)) => Some(decision),
            _ => None,
        };
        if let Some(decision) = seen.filter(|decision| decision["status"] != "pending") {
            self.board.closed(id);
            if let (Verb::Guide, Some(next)) = (verb, decision["next"].as_str()) {
                self.board.opened(next);
            }
        }
        Sent { mark, verb, fate }
    }

    /// Sends a command to any node. One that was lost is sent again only where that cannot make it happen twice.
    fn send(&mut self, request: &Request<'_>, verb: Verb) -> Fate {
        let again = matches!(verb, Verb::Create | Verb::Answer);
        let end = Instant::now() + PERSIST;
        while Instant::now() < end {
            let Some(node) = self.chance.of(&self.board.nodes) else { break };
            match request.send(node, after(ANSWER)) {
                // A node that is down takes nothing; another may.
                Err(Cut::Unsent) => std::thread::park_timeout(Duration::from_millis(5)),
                Err(Cut::Lost | Cut::GivenUp) if again => {}
                Ok(reply) if reply.status == 503 && again => {
                    std::thread::park_timeout(Duration::from_millis(20));
                }
                Err(Cut::Lost | Cut::GivenUp) => return Fate::Doubt,
                Ok(reply) => return fate(&reply),
            }
        }
        Fate::Doubt
    }
}

fn fate(reply: &Reply) -> Fate {
    let body: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    match reply.status {
        200 | 201 => Fate::Done(body),
        // Nobody knows: the database was away while it was committed.
        503 => Fate::Doubt,
        404 | 409 | 422 => Fate::Refused(body.get("decision").cloned()),
        status => Fate::Broken(format!("{status} {}", reply.body)),
    }
}
