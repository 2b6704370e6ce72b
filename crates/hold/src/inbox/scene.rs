//! Fixtures for tests of the inbox: decisions and key presses.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use holdpoint_core::{Decision, Span, Timestamp};
use serde_json::{Value, json};

use super::canvas::Canvas;
use super::card::Card;
use super::events::{InboxEffect, InboxEvent, OpenedDecision, PendingList};
use super::model::{Colour, Model, Screen};
use super::row::Row;
use super::update::update;
use super::view;

/// Returns the time at which the tests take place.
pub(crate) fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

/// Creates a decision; `given` overrides its defaults.
pub(crate) fn decision(number: u32, given: &Value) -> Decision {
    let mut whole = json!({
        "id": format!("dcn-{number:0>12}"), "project": "default", "status": "pending", "source": "question",
        "title": null, "prompt": "Which cache?", "fields": [{
            "id": "choice", "kind": "choice", "label": "Which cache?", "required": true,
            "options": [{"id": "redis", "label": "Use Redis"}, {"id": "memory", "label": "In memory", "recommended": true}],
        }],
        "outs": [], "owner": null, "requested_by": "agent-7", "assignees": [], "priority": "normal", "iteration": 1,
        "max_iterations": 3, "prior": null, "next": null, "guidance": null, "default": null, "deadline": null,
        "on_timeout": "expire", "draft": {}, "subject": null, "subject_digest": null, "digest": "sha256:1",
        "origin": null, "created_at": "2026-11-15T11:55:00Z", "settled_at": null, "superseded_by": null,
        "consumed_at": null, "reason": null, "answer": null,
    });
    for (key, value) in given.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

/// An approval with a yes and a no.
pub(super) fn approval(number: u32) -> Decision {
    decision(
        number,
        &json!({
            "source": "approval", "prompt": "Deploy?", "priority": "urgent", "deadline": "2026-11-15T12:05:00Z",
            "on_timeout": "deny", "owner": "job:deploy", "subject": {"command": "kubectl apply"},
            "subject_digest": "sha256:2",
            "fields": [{"id": "c", "kind": "confirm", "label": "Deploy?", "options": [
                {"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]}],
        }),
    )
}

/// Creates an inbox with pending decisions.
pub(super) fn inbox(size: (u16, u16), waiting: &[Decision]) -> Model {
    inbox_holding(size, waiting, Span::from_secs(0))
}

/// Creates an inbox that holds answers back.
pub(super) fn inbox_holding(size: (u16, u16), waiting: &[Decision], undo: Span) -> Model {
    let mut model = Model::new(now(), size, Some("bo".into()), Colour::No, undo);
    update(&mut model, listed(waiting));
    settle(&mut model);
    model
}

/// Returns the news that these decisions are pending.
pub(super) fn listed(waiting: &[Decision]) -> InboxEvent {
    InboxEvent::Listed(PendingList {
        rows: waiting.iter().map(|decision| Row::of(decision, None)).collect(),
        more: false,
        now: Some(now()),
    })
}

/// Opens the selected decision as if it had just been read, and draws it.
pub(super) fn open(model: &mut Model, decision: &Decision, pick: Option<usize>) {
    model.screen = Screen::Opening(decision.id);
    let opened = OpenedDecision { pick, ..opened(decision) };
    update(model, InboxEvent::Opened(Box::new(opened)));
    draw(model);
    settle(model);
}

/// Returns the news that an opened decision was read.
pub(super) fn read(decision: &Decision) -> InboxEvent {
    InboxEvent::Opened(Box::new(opened(decision)))
}

/// Returns a decision as if it had been read.
pub(super) fn opened(decision: &Decision) -> OpenedDecision {
    OpenedDecision {
        same: Vec::new(),
        again: None,
        decision: decision.clone(),
        owner_name: None,
        rounds: Vec::new(),
        diff: None,
        pick: None,
    }
}

/// Lets the quiet time after new content pass.
pub(super) fn settle(model: &mut Model) {
    model.arrival.drawn(now());
    update(model, InboxEvent::Quiet(later(1_000)));
}

/// Returns a time this many milliseconds later.
pub(super) fn later(millis: i64) -> Timestamp {
    now().checked_add(Span::from_millis(millis)).unwrap()
}

/// Presses a key at a given time.
pub(super) fn press_at(model: &mut Model, key: KeyCode, at: Timestamp) -> Vec<InboxEffect> {
    let effects = update(model, InboxEvent::Key(KeyEvent::new(key, KeyModifiers::NONE), at));
    draw(model);
    effects
}

/// Presses keys: letters as they are, others by name in angle brackets; draws after each.
pub(super) fn press(model: &mut Model, keys: &str) -> Vec<InboxEffect> {
    let mut effects = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let (code, modifiers, taken) = match first {
            '<' => {
                let end = rest.find('>').unwrap();
                let (code, modifiers) = named(&rest[1..end]);
                (code, modifiers, end + 1)
            }
            letter => (KeyCode::Char(letter), KeyModifiers::NONE, letter.len_utf8()),
        };
        rest = &rest[taken..];
        effects.extend(update(model, InboxEvent::Key(KeyEvent::new(code, modifiers), later(1_000))));
        draw(model);
        model.arrival.drawn(now());
    }
    effects
}

fn named(name: &str) -> (KeyCode, KeyModifiers) {
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "pgdn" => KeyCode::PageDown,
        "home" => KeyCode::Home,
        "right" => KeyCode::Right,
        "back" => KeyCode::Backspace,
        control => match control.strip_prefix("c-").and_then(|letter| letter.chars().next()) {
            Some(letter) => return (KeyCode::Char(letter), KeyModifiers::CONTROL),
            None => panic!("no key is called {name}"),
        },
    };
    (code, KeyModifiers::NONE)
}

/// Returns the open card.
pub(super) fn card(model: &Model) -> &Card {
    match &model.screen {
        Screen::Card(card) => card,
        other => panic!("no card is open: {other:?}"),
    }
}

/// Draws, and returns the screen.
pub(super) fn draw(model: &Model) -> String {
    let mut canvas = Canvas::new(model.size.0, model.size.1);
    view::draw(&mut canvas, model);
    let (rows, _) = canvas.into_parts();
    let lines = rows.iter().map(|row| row.to_string().trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
