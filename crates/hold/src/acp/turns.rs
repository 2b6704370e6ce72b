//! Why a person refused, told to the agent when its turn is over: a permission's reply has no place for words. The editor sees
//! one turn: its end is kept back until the agent has answered to them.

use std::collections::HashMap;

use holdpoint_protocols::acp;
use serde_json::Value;

use super::pipe::Piece;

/// The turns under way, and what is still to be said in each session.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// Prompts of the editor: the session of each, by the id of the request.
    active: HashMap<String, String>,
    /// What is to be said, by session.
    reasons: HashMap<String, Vec<String>>,
    /// Prompts of our own, by id.
    ours: HashMap<String, OwnTurn>,
    count: u64,
}

#[derive(Debug)]
struct OwnTurn {
    session: String,
    /// What the editor is told when it is over.
    kept: Option<Piece>,
}

/// What becomes of a reply of the agent.
#[derive(Debug)]
pub(super) enum Reply {
    /// It is the editor's.
    Passes(Piece),
    /// It is kept back, and this is said to the agent.
    Asks(String),
    /// It was to us.
    Ours,
}

impl Turns {
    /// The editor prompts.
    pub(super) fn begin(&mut self, id: &Value, session: &str) {
        self.active.insert(id.to_string(), session.to_owned());
    }

    /// A person refused, with a reason. Returns what to say at once, if no turn has to end first.
    pub(super) fn refused(&mut self, session: &str, reason: String) -> Option<String> {
        self.reasons.entry(session.to_owned()).or_default().push(reason);
        let is_busy = self.active.values().any(|other| other == session)
            || self.ours.values().any(|turn| turn.session == session);
        if is_busy { None } else { self.say(session, None).ok() }
    }

    /// The agent replies to a request.
    pub(super) fn reply(&mut self, id: &Value, piece: Piece) -> Reply {
        let key = id.to_string();
        let (session, kept) = match (self.ours.remove(&key), self.active.remove(&key)) {
            (Some(turn), _) => (turn.session, turn.kept),
            (None, Some(session)) => (session, Some(piece)),
            (None, None) => return Reply::Passes(piece),
        };
        match self.say(&session, kept) {
            Ok(line) => Reply::Asks(line),
            Err(Some(kept)) => Reply::Passes(kept),
            Err(None) => Reply::Ours,
        }
    }

    /// The person at the editor calls a session off: nothing more is said there.
    pub(super) fn call_off(&mut self, session: &str) {
        self.reasons.remove(session);
    }

    /// Returns what was kept back, for when the agent has gone.
    pub(super) fn kept(&mut self) -> Vec<Piece> {
        self.ours.drain().filter_map(|(_, turn)| turn.kept).collect()
    }

    /// Begins a turn of our own, if there is something to say; else gives back what was kept.
    fn say(&mut self, session: &str, kept: Option<Piece>) -> Result<String, Option<Piece>> {
        let Some(reasons) = self.reasons.remove(session) else { return Err(kept) };
        self.count += 1;
        let id = Value::from(format!("holdpoint:{}", self.count));
        self.ours.insert(id.to_string(), OwnTurn { session: session.to_owned(), kept });
        Ok(acp::prompt(&id, session, &reasons.join("\n\n")))
    }
}
