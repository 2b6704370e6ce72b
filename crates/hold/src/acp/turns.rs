//! Tells the agent why a person refused once its turn is over, because a permission's reply has no room for text. The
//! editor sees a single turn: its end is kept back until the agent has answered our prompt.

use std::collections::HashMap;

use holdpoint_protocols::acp;
use serde_json::Value;

use super::pipe::LinePiece;

/// The turns under way, and what we still have to say in each session.
#[derive(Debug, Default)]
pub(super) struct TurnTracker {
    /// Prompts sent by the editor: the session of each, by request id.
    active: HashMap<String, String>,
    /// Reasons to send, by session.
    reasons: HashMap<String, Vec<String>>,
    /// Prompts of our own, by id.
    ours: HashMap<String, OwnPrompt>,
    count: u64,
}

#[derive(Debug)]
struct OwnPrompt {
    session: String,
    /// The reply that the editor gets when the turn is over.
    kept: Option<LinePiece>,
}

/// What to do with a reply of the agent.
#[derive(Debug)]
pub(super) enum ReplyAction {
    /// The reply is for the editor.
    Passes(LinePiece),
    /// The reply is kept back, and this prompt is sent to the agent.
    Asks(String),
    /// The reply was to a prompt of ours.
    Ours,
}

impl TurnTracker {
    /// Records a prompt of the editor.
    pub(super) fn begin(&mut self, id: &Value, session: &str) {
        self.active.insert(id.to_string(), session.to_owned());
    }

    /// Records a refusal with a reason. Returns the prompt to send at once, if no turn has to end first.
    pub(super) fn refused(&mut self, session: &str, reason: String) -> Option<String> {
        self.reasons.entry(session.to_owned()).or_default().push(reason);
        let is_busy = self.active.values().any(|other| other == session)
            || self.ours.values().any(|turn| turn.session == session);
        if is_busy { None } else { self.say(session, None).ok() }
    }

    /// Handles the agent's reply to a request.
    pub(super) fn reply(&mut self, id: &Value, piece: LinePiece) -> ReplyAction {
        let key = id.to_string();
        let (session, kept) = match (self.ours.remove(&key), self.active.remove(&key)) {
            (Some(turn), _) => (turn.session, turn.kept),
            (None, Some(session)) => (session, Some(piece)),
            (None, None) => return ReplyAction::Passes(piece),
        };
        match self.say(&session, kept) {
            Ok(line) => ReplyAction::Asks(line),
            Err(Some(kept)) => ReplyAction::Passes(kept),
            Err(None) => ReplyAction::Ours,
        }
    }

    /// Records that the person at the editor cancelled a session: we say nothing more in it.
    pub(super) fn call_off(&mut self, session: &str) {
        self.reasons.remove(session);
    }

    /// Returns the replies that were kept back, for when the agent has gone.
    pub(super) fn kept(&mut self) -> Vec<LinePiece> {
        self.ours.drain().filter_map(|(_, turn)| turn.kept).collect()
    }

    /// Begins a turn of our own if there is something to say; otherwise gives the kept reply back.
    fn say(&mut self, session: &str, kept: Option<LinePiece>) -> Result<String, Option<LinePiece>> {
        let Some(reasons) = self.reasons.remove(session) else { return Err(kept) };
        self.count += 1;
        let id = Value::from(format!("holdpoint:{}", self.count));
        self.ours.insert(id.to_string(), OwnPrompt { session: session.to_owned(), kept });
        Ok(acp::prompt(&id, session, &reasons.join("\n\n")))
    }
}
