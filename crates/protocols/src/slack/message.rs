//! The message about a decision: its content and its buttons.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status};
use serde_json::{Value, json};

use super::form::can_draw;
use super::text::{block, bold, escaped, is_ambiguous, line, normal, plain};
use crate::channel::{
    self, Button, ChannelLimits, Control, Controls, DetailLevel, FirstTap, QuestionText, TapAction, TapStep,
    handle, shortened,
};

/// The text before the label of a consent that needs a second tap.
const SURE: &str = "Yes, I have read it: ";
/// The limits for each part of a message.
const ROOM: ChannelLimits = ChannelLimits {
    title: 300,
    prompt: 1_200,
    subject: 2_900,
    all: 6_000,
    label: LABEL,
    sure: LABEL - SURE.len(),
    is_exact: |text| !is_ambiguous(text),
};
/// How many answers are shown as buttons, and how many in a list; more than that are for the card.
const BUTTONS: usize = 5;
const PICKS: usize = 100;
/// How many characters a button or an option shows.
pub(super) const LABEL: usize = 75;

/// Returns the actions of a message's buttons: the answers that one tap can give, the form, and a yes to a subject only
/// if the message shows everything that the card does.
pub fn controls(decision: &Decision, show: DetailLevel, nonce: String) -> Controls {
    let whole = QuestionText::of(decision, show, &ROOM).is_whole;
    let taps = channel::controls(decision);
    let count = taps.len();
    let all = taps.into_iter().chain(channel::with_words(decision)).collect();
    let all = channel::legible(all, ROOM.label, ROOM.sure).into_iter();
    let (worded, taps): (Vec<_>, Vec<_>) = all.partition(|control| control.takes_words(decision));
    // Showing some of several answers would hide the others.
    let fits = count <= PICKS && taps.len() == count;
    let offered = |control: &Control| (fits || control.refuses) && (whole || !control.consents);
    let most = if fits { PICKS } else { BUTTONS };
    let button = |control: Control, words| Button {
        label: control.label,
        act: control.act,
        consents: control.consents,
        words,
    };
    let taps = taps.into_iter().filter(offered).take(most);
    let mut buttons: Vec<Button> = taps.map(|control| button(control, false)).collect();
    let worded = worded.into_iter().filter(|control| whole || !control.consents).take(BUTTONS);
    buttons.extend(worded.map(|control| button(control, true)));
    let declines = decision.fields.iter().flat_map(|field| &field.options).any(|option| option.refuses);
    let answers = !decision.needs_consent() || whole || decision.fields.len() == 1 && declines;
    if can_draw(decision) && answers {
        let label = match (decision.needs_consent() && !whole, buttons.is_empty()) {
            (true, _) => "Decline with words…",
            (false, true) => "Answer…",
            (false, false) => "Answer with words…",
        };
        buttons.push(Button { label: label.into(), act: TapAction::Form, consents: whole, words: false });
    }
    Controls { nonce, buttons }
}

/// Returns the blocks of a message about a decision in its current state.
pub fn blocks(
    decision: &Decision,
    show: DetailLevel,
    card: Option<&str>,
    id: i64,
    controls: &Controls,
) -> Value {
    let mut blocks = vec![json!({ "type": "rich_text", "elements": text(decision, show, card) })];
    blocks.extend(actions(id, controls));
    Value::Array(blocks)
}

/// Returns the blocks that ask to confirm a consent; its subject stays above.
pub fn are_you_sure(
    decision: &Decision,
    show: DetailLevel,
    card: Option<&str>,
    id: i64,
    (controls, at, first): (&Controls, usize, FirstTap),
) -> Value {
    let label = controls.buttons.get(at).map(|button| button.label.as_str()).unwrap_or_default();
    let sure = format!("{SURE}{label}");
    let elements = [
        button("sure", &sure, &handle(id, &controls.nonce, TapStep::Sure(at, first))),
        button("back", "Back", &handle(id, &controls.nonce, TapStep::Back)),
    ];
    json!([
        { "type": "rich_text", "elements": text(decision, show, card) },
        { "type": "actions", "block_id": "sure", "elements": elements },
    ])
}

/// Returns the text of a notification.
pub fn notification(decision: &Decision) -> String {
    let title = shortened(&inert_line(decision.summary()), ROOM.title);
    escaped(&format!("{}: {title}", headline(decision)))
}

/// Returns blocks with a text.
pub fn text_blocks(text: &str) -> Value {
    json!([{ "type": "rich_text", "elements": [line(&[normal(&shortened(text, 1_000))])] }])
}

/// Returns blocks for decisions that came too fast for a message each: how many of them are still pending.
pub fn gathered(waiting: usize, inbox: Option<&str>) -> (String, Value) {
    let words = channel::many(waiting);
    let mut parts = vec![bold(&words)];
    if let Some(inbox) = inbox.filter(|_| waiting > 0) {
        parts.extend([normal(" "), link(inbox, "Open the inbox")]);
    }
    let blocks = json!([{ "type": "rich_text", "elements": [line(&parts)] }]);
    (words, blocks)
}

fn headline(decision: &Decision) -> String {
    match decision.status {
        Status::Pending => format!("Decision needed in {}", channel::project(decision)),
        _ => channel::outcome(decision),
    }
}

fn text(decision: &Decision, show: DetailLevel, card: Option<&str>) -> Vec<Value> {
    let asks = format!("\n{} asks:", channel::asker(decision));
    let mut parts = vec![line(&[bold(&headline(decision)), normal(&asks)])];
    let asked = QuestionText::of(decision, show, &ROOM);
    parts.push(block(&asked.title));
    parts.extend(asked.prompt.as_deref().map(block));
    if let Some((title, subject)) = &asked.subject {
        parts.extend([line(&[bold(title)]), block(subject)]);
    }
    parts.extend(asked.details.as_deref().map(block));
    if asked.is_cut && show >= DetailLevel::Prompt {
        parts.push(line(&[normal("This is not all of it; the card shows the rest.")]));
    }
    let remarks = if show >= DetailLevel::Prompt { channel::remarks(decision) } else { Vec::new() };
    for lines in [channel::progress(decision), remarks] {
        if !lines.is_empty() {
            parts.push(block(&lines.join("\n")));
        }
    }
    let mut last = Vec::new();
    if decision.status == Status::Pending {
        last.extend(decision.account_warning().map(|warning| normal(&format!("Warning: {warning}\n"))));
        last.extend(decision.deadline.map(|deadline| normal(&format!("Deadline: {deadline}\n"))));
    }
    last.extend(card.map(|card| link(card, "Open the card")));
    if !last.is_empty() {
        parts.push(line(&last));
    }
    parts
}

fn link(url: &str, text: &str) -> Value {
    json!({ "type": "link", "url": url, "text": text })
}

/// Returns the buttons of a message; if there are many answers, a list.
fn actions(id: i64, controls: &Controls) -> Vec<Value> {
    let all: Vec<(usize, &Button)> = controls.buttons.iter().enumerate().collect();
    let is_tap = |button: &Button| button.act != TapAction::Form && !button.words;
    let (taps, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, button)| is_tap(button));
    let value = |at| handle(id, &controls.nonce, TapStep::First(at));
    let as_button = |&(at, one): &(usize, &Button)| button(&format!("tap{at}"), &one.label, &value(at));
    let mut elements: Vec<Value> = if taps.len() > BUTTONS {
        let option =
            |&(at, one): &(usize, &Button)| json!({ "text": plain(&one.label, LABEL), "value": value(at) });
        let options: Vec<Value> = taps.iter().map(option).collect();
        let placeholder = plain("Choose an answer", 150);
        vec![
            json!({ "type": "static_select", "action_id": "pick", "placeholder": placeholder, "options": options }),
        ]
    } else {
        taps.iter().map(as_button).collect()
    };
    elements.extend(others.iter().map(as_button));
    if elements.is_empty() {
        return Vec::new();
    }
    vec![json!({ "type": "actions", "block_id": "answer", "elements": elements })]
}

fn button(action: &str, label: &str, value: &str) -> Value {
    json!({ "type": "button", "action_id": action, "text": plain(label, LABEL), "value": value })
}
