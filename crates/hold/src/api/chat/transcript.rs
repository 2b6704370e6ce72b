//! A conversation as recorded in the log. Each turn is stored with the draft it left (`talk` of `decision:drafted`).
//! Memory only caches what was read from there, so a restart, another node or another person's draft does not affect
//! how the conversation goes on.

use holdpoint_core::text::{MAX_TALK, inert};
use holdpoint_core::{Decision, DecisionId, Status, Timestamp, Values};
use holdpoint_protocols::action::ReaderResult;
use holdpoint_protocols::action::conversation::{self, DraftDirection, DraftHistory, State, Turn};
use holdpoint_protocols::action::form::Form;
use holdpoint_store::{EventQuery, Logged, Store};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clock;

/// How many lines are kept for the page.
const REMEMBERED: usize = 200;
/// How many events are read at a time.
const PAGE: usize = 500;
/// How many characters of a line are kept, and how many when the whole is too large.
const LONG: usize = 20_000;
const SHORT: usize = 2_000;
/// The version of the stored format.
const VERSION: u32 = 1;

/// A line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TranscriptLine {
    pub(crate) by: LineAuthor,
    pub(crate) text: String,
}

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LineAuthor {
    Person,
    Form,
}

/// One conversation, as far as the log has been read.
#[derive(Debug)]
pub(super) struct Transcript {
    pub(super) decision: DecisionId,
    /// The person's time zone.
    pub(super) zone: TimeZone,
    /// When the last line was written.
    pub(super) touched: Timestamp,
    /// The last sequence number read from the log.
    seq: i64,
    /// The state after the last turn and the draft that the turn left; none if unknown.
    left: Option<(State, Option<Values>)>,
    past: DraftHistory,
    lines: Vec<TranscriptLine>,
    /// The form's closing message, if it was sent or cancelled.
    closing: Vec<TranscriptLine>,
}

/// What a turn stores in the log beside the draft.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct TurnRecord {
    v: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<TranscriptLine>,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    state: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    /// Whether the turn undid the last change.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) undone: bool,
    /// Whether the turn is the last one, provided that what it asks for succeeds.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) closing: bool,
}

impl Transcript {
    /// Starts to follow a decision of which nothing has been read yet.
    pub(super) fn about(decision: &Decision) -> Self {
        Self {
            decision: decision.id,
            zone: TimeZone::UTC,
            touched: decision.created_at,
            seq: 0,
            left: None,
            past: DraftHistory::default(),
            lines: Vec::new(),
            closing: Vec::new(),
        }
    }

    /// Reads what happened since the last read: usually one event, the previous turn.
    pub(super) async fn follow(&mut self, store: &dyn Store) -> Result<(), holdpoint_store::Error> {
        loop {
            let query = EventQuery {
                after: self.seq,
                decision: Some(self.decision),
                limit: PAGE,
                ..EventQuery::default()
            };
            let events = store.events(&query).await?;
            for event in &events {
                self.take(event);
            }
            if events.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn take(&mut self, event: &Logged) {
        self.seq = self.seq.max(event.seq);
        self.touched = self.touched.max(event.at);
        let Some(body) = event.body.as_ref().filter(|_| event.tag == "decision:drafted") else { return };
        let draft = body.get("draft").and_then(Value::as_object).cloned().unwrap_or_default();
        let talk = body.get("talk");
        let Some(told) = talk.and_then(TurnRecord::read) else {
            if let Some((_, left)) = self.left.as_mut().filter(|_| talk.is_some()) {
                // Somebody said something in a format that this version cannot read.
                *left = None;
            }
            self.past.drafted(draft, DraftDirection::Unsaid);
            return;
        };
        self.past
            .drafted(draft.clone(), if told.undone { DraftDirection::Back } else { DraftDirection::Forth });
        if let Some(zone) = told.zone.and_then(|zone| clock::zone(&zone).ok()) {
            self.zone = zone;
        }
        self.closing.clear();
        for line in told.lines {
            let to =
                if told.closing && line.by == LineAuthor::Form { &mut self.closing } else { &mut self.lines };
            to.push(line);
        }
        self.lines.drain(..self.lines.len().saturating_sub(REMEMBERED));
        self.left = match (State::read(&told.state), self.left.take()) {
            (Some(state), _) => Some((state, Some(draft))),
            (None, left) => left.map(|(state, _)| (state, None)),
        };
    }

    /// Returns the state of the conversation. Values that were filled in elsewhere since count as if they had been
    /// said.
    pub(super) fn state(&self, decision: &Decision) -> State {
        let past = self.past.before().to_vec();
        match &self.left {
            Some((state, Some(draft))) if *draft == decision.draft => State { past, ..state.clone() },
            left => {
                let confirmed = left.as_ref().map(|(state, _)| state.confirmed.clone());
                State { past, ..resumed(decision, confirmed) }
            }
        }
    }

    /// Remembers that the person was greeted. This is not in the log, because nothing was said yet; greeting twice is
    /// harmless.
    pub(super) fn greeted(&mut self, state: State, draft: &Values) {
        self.left = Some((state, Some(draft.clone())));
    }

    /// Returns the lines of the conversation.
    pub(super) fn lines(&self, decision: &Decision) -> Vec<TranscriptLine> {
        let mut lines = self.lines.clone();
        if decision.status != Status::Pending {
            lines.extend(self.closing.iter().cloned());
        }
        lines
    }
}

impl TurnRecord {
    /// Creates the record of a turn.
    pub(super) fn new(state: &State, zone: Option<&TimeZone>) -> Self {
        Self { v: VERSION, state: state.to_value(), zone: zone.and_then(clock::name), ..Self::default() }
    }

    /// Adds a line.
    pub(super) fn say(&mut self, by: LineAuthor, text: &str) {
        if !text.trim().is_empty() {
            self.lines.push(TranscriptLine { by, text: text.chars().take(LONG).collect() });
        }
    }

    /// Returns the JSON to store. Lines that are too long are shortened or left out, so that the turn itself is not
    /// lost.
    pub(super) fn written(mut self) -> Value {
        let whole = serde_json::to_value(&self).unwrap_or_default();
        if size(&whole) <= MAX_TALK {
            return whole;
        }
        self.state = Value::Null;
        let stateless = serde_json::to_value(&self).unwrap_or_default();
        if size(&stateless) <= MAX_TALK {
            return stateless;
        }
        for line in &mut self.lines {
            line.text = line.text.chars().take(SHORT).collect();
        }
        serde_json::to_value(&self).unwrap_or_default()
    }

    /// Reads the record of a turn. Returns none if it has another version or another shape.
    fn read(talk: &Value) -> Option<Self> {
        let mut told = Self::deserialize(talk).ok().filter(|told| told.v == VERSION)?;
        told.lines.truncate(REMEMBERED);
        for line in &mut told.lines {
            line.text = inert(&line.text).chars().take(LONG).collect();
        }
        Some(told)
    }
}

/// Returns the state of a conversation of which only the draft is known: as if what is missing had just been asked.
fn resumed(decision: &Decision, confirmed: Option<Vec<u64>>) -> State {
    if decision.draft.is_empty() {
        return State::default();
    }
    let form = Form::of(decision);
    let confirmed = confirmed.unwrap_or_else(|| conversation::passed(&form, &decision.draft));
    let state = State { begun: true, confirmed, ..State::default() };
    let turn = Turn::default();
    let outcome = conversation::take_turn(&form, &state, &decision.draft, &turn);
    let mut state = outcome.answer(&ReaderResult::default()).state;
    // A lookup that was running elsewhere is not running here.
    state.tool = None;
    State { resumed: true, ..state }
}

fn size(value: &Value) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |text| text.len())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests {
    use holdpoint_protocols::action::form;
    use serde_json::json;

    use super::*;

    fn decision() -> Decision {
        let fields =
            json!([{"id": "a", "kind": "text", "label": "A?"}, {"id": "b", "kind": "text", "label": "B?"}]);
        let read = form::read_value(&json!({"form": "f", "title": "F", "fields": fields})).unwrap();
        let empty = include_str!("../../../../core/tests/fixtures/events/decision.created.v1.json");
        let decision: Decision = serde_json::from_str(empty).unwrap();
        Decision { fields: read.fields, draft: values(), status: Status::Pending, ..decision }
    }

    fn values() -> Values {
        Values::from_iter([("a".to_owned(), json!("x"))])
    }

    fn event(seq: i64, draft: &Values, talk: Option<Value>) -> Logged {
        let mut body = json!({"draft": draft});
        if let Some(talk) = talk {
            body["talk"] = talk;
        }
        let (stream, tag) = ("decision/1".to_owned(), "decision:drafted".to_owned());
        Logged { seq, stream, version: seq, tag, at: Timestamp::from_millis(seq), body: Some(body) }
    }

    fn told(failures: u32) -> Value {
        let state = State { begun: true, asked: Some("b".into()), failures, ..State::default() };
        let mut told = TurnRecord::new(&state, None);
        told.say(LineAuthor::Person, "hm");
        told.say(LineAuthor::Form, "B?");
        told.written()
    }

    fn talk(events: &[Logged]) -> Transcript {
        let mut talk = Transcript::about(&decision());
        for event in events {
            talk.take(event);
        }
        talk
    }

    #[test]
    fn the_last_turn_counts_while_its_draft_stands() {
        let (draft, other) = (values(), Values::from_iter([("a".to_owned(), json!("y"))]));
        let heard = talk(&[event(1, &draft, Some(told(1))), event(2, &draft, Some(told(2)))]);
        assert_eq!(heard.state(&decision()).failures, 2);
        assert_eq!(heard.lines(&decision()).len(), 4);
        // Somebody else has filled in something.
        let changed = Decision { draft: other.clone(), ..decision() };
        let heard = talk(&[event(1, &draft, Some(told(2))), event(2, &other, None)]);
        assert_eq!((heard.state(&changed).failures, heard.state(&changed).resumed), (0, true));
        assert_eq!(heard.state(&changed).past, [Values::new(), draft]);
    }

    /// A record that cannot be read is ignored harmlessly: the conversation goes on from the draft.
    #[test]
    fn foreign_talk_is_ignored() {
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        for foreign in [
            json!(null),
            json!("talk"),
            json!([1]),
            json!({}),
            json!({"v": 2, "state": {"begun": true}, "lines": []}),
            json!({"v": 1, "state": {"begun": 7}}),
            json!({"v": 1, "state": deep}),
            json!({"v": 1, "lines": [{"by": "agent", "text": "yes"}]}),
            json!({"v": -1}),
        ] {
            let shown = foreign.to_string();
            let heard = talk(&[event(1, &values(), Some(told(2))), event(2, &values(), Some(foreign))]);
            let state = heard.state(&decision());
            if shown != "null" {
                assert_eq!((state.failures, state.resumed), (0, true), "{shown}");
            }
            assert_eq!(heard.lines(&decision()).len(), 2, "{shown}");
        }
    }

    #[test]
    fn what_is_said_is_inert_and_bounded() {
        let lines: Vec<Value> =
            (0..1000).map(|_| json!({"by": "person", "text": "\u{1b}[2J\u{202e}"})).collect();
        let heard =
            talk(&[event(1, &values(), Some(json!({"v": 1, "lines": lines, "zone": "../../etc/passwd"})))]);
        let lines = heard.lines(&decision());
        assert_eq!((lines.len(), &heard.zone), (REMEMBERED, &TimeZone::UTC));
        assert!(lines.iter().all(|line| !line.text.contains(['\u{1b}', '\u{202e}'])), "{lines:?}");
        let mut long = TurnRecord::new(&State { said: "é".repeat(100_000), ..State::default() }, None);
        (0..5).for_each(|_| long.say(LineAuthor::Person, &"\u{0}".repeat(100_000)));
        assert!(size(&long.written()) <= MAX_TALK);
    }

    /// The words about sending appear only once the form was sent.
    #[test]
    fn closing_words_count_when_it_is_closed() {
        let mut last = TurnRecord { closing: true, ..TurnRecord::new(&State::default(), None) };
        last.say(LineAuthor::Person, "send it");
        last.say(LineAuthor::Form, "It has been sent.");
        let heard = talk(&[event(1, &values(), Some(last.written()))]);
        assert_eq!(heard.lines(&decision()).len(), 1);
        assert_eq!(heard.lines(&Decision { status: Status::Answered, ..decision() }).len(), 2);
    }
}
