//! The message about a decision: what it shows, and what can be tapped.

use std::collections::HashSet;

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Status};
use serde_json::{Value, json};

use super::form::can_draw;
use super::text::{block, bold, escaped, is_ambiguous, line, normal, plain, shortened};
use crate::channel::{self, Act, Button, Control, Controls, Show, Step, handle};
use crate::present;

/// How many characters of each part go into a message.
const TITLE: usize = 300;
const PROMPT: usize = 1_200;
const SUBJECT: usize = 2_900;
/// How many answers are buttons, and how many a list to pick from; with more they are for the card.
const BUTTONS: usize = 5;
const PICKS: usize = 100;
/// How many characters a button or an option shows.
pub(super) const LABEL: usize = 75;

/// Returns what the buttons of a message stand for: the answers that one tap can give, the form, and a yes to a subject only
/// where the message shows all of it.
pub fn controls(decision: &Decision, show: Show, nonce: String) -> Controls {
    let whole = shows_whole(decision, show);
    let offered = |control: &Control| whole || !control.consents;
    let all: Vec<Control> = channel::controls(decision).into_iter().filter(offered).collect();
    let fits = all.len() <= PICKS && are_distinct(all.iter().map(|control| control.label.as_str()));
    let shown = all.into_iter().filter(|control| fits || control.refuses);
    let most = if fits { PICKS } else { BUTTONS };
    let button = |control: Control, words| Button {
        label: shortened(&control.label, LABEL),
        act: control.act,
        consents: control.consents,
        words,
    };
    let mut buttons: Vec<Button> = shown.take(most).map(|control| button(control, false)).collect();
    let worded = channel::with_words(decision).into_iter().filter(offered).take(BUTTONS);
    buttons.extend(worded.map(|control| button(control, true)));
    let declines = decision.fields.iter().flat_map(|field| &field.options).any(|option| option.refuses);
    let answers = !decision.needs_consent() || whole || decision.fields.len() == 1 && declines;
    if can_draw(decision) && answers {
        let label = match (decision.needs_consent() && !whole, buttons.is_empty()) {
            (true, _) => "Decline with words…",
            (false, true) => "Answer…",
            (false, false) => "Answer with words…",
        };
        buttons.push(Button { label: label.into(), act: Act::Form, consents: whole, words: false });
    }
    Controls { nonce, buttons }
}

/// Returns whether labels can be told from each other once they are cut.
pub(super) fn are_distinct<'a>(labels: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = HashSet::new();
    labels.into_iter().all(|label| seen.insert(shortened(label, LABEL)))
}

/// Returns whether a message shows all that a yes would consent to, and in no other words.
fn shows_whole(decision: &Decision, show: Show) -> bool {
    let fits = |text: &str, most: usize| text.encode_utf16().count() <= most && !is_ambiguous(text);
    let title = fits(&inert_line(decision.summary()), TITLE);
    let prompt = decision.prompt.as_deref().is_none_or(|prompt| fits(&inert(prompt), PROMPT));
    let subject = present::subject(decision).is_none_or(|subject| fits(&inert(&subject.text()), SUBJECT));
    show == Show::All && title && prompt && subject
}

/// Returns the blocks of a message about a decision as it is now.
pub fn blocks(decision: &Decision, show: Show, card: Option<&str>, id: i64, controls: &Controls) -> Value {
    let mut blocks = vec![json!({ "type": "rich_text", "elements": text(decision, show, card) })];
    blocks.extend(actions(id, controls));
    Value::Array(blocks)
}

/// Returns the blocks that ask whether a consent is meant; what is consented to stays above.
pub fn are_you_sure(
    decision: &Decision,
    show: Show,
    card: Option<&str>,
    id: i64,
    (controls, at): (&Controls, usize),
) -> Value {
    let label = controls.buttons.get(at).map(|button| button.label.as_str()).unwrap_or_default();
    let sure = format!("Yes, I have read it: {label}");
    let elements = [
        button("sure", &sure, &handle(id, &controls.nonce, Step::Sure(at))),
        button("back", "Back", &handle(id, &controls.nonce, Step::Back)),
    ];
    json!([
        { "type": "rich_text", "elements": text(decision, show, card) },
        { "type": "actions", "block_id": "sure", "elements": elements },
    ])
}

/// Returns what a notification says.
pub fn notification(decision: &Decision) -> String {
    let title = shortened(&inert_line(decision.summary()), TITLE);
    escaped(&format!("{}: {title}", headline(decision)))
}

/// Returns blocks that say something.
pub fn words(text: &str) -> Value {
    json!([{ "type": "rich_text", "elements": [line(&[normal(&shortened(text, 1_000))])] }])
}

/// Returns blocks that stand for decisions that came too fast for a message each: how many of them still wait.
pub fn gathered(waiting: usize, inbox: Option<&str>) -> (String, Value) {
    let words = match waiting {
        0 => "The decisions that came with these are settled.".to_owned(),
        1 => "And 1 more decision is waiting for you.".to_owned(),
        many => format!("And {many} more decisions are waiting for you."),
    };
    let mut parts = vec![bold(&words)];
    if let Some(inbox) = inbox.filter(|_| waiting > 0) {
        parts.extend([normal(" "), link(inbox, "Open the inbox")]);
    }
    let blocks = json!([{ "type": "rich_text", "elements": [line(&parts)] }]);
    (words, blocks)
}

fn headline(decision: &Decision) -> String {
    let project = shortened(&inert_line(&decision.project), 60);
    match decision.status {
        Status::Pending => format!("Decision needed in {project}"),
        _ => channel::outcome(decision),
    }
}

fn text(decision: &Decision, show: Show, card: Option<&str>) -> Vec<Value> {
    let asks = format!("\n{} asks:", channel::asker(decision));
    let mut parts = vec![line(&[bold(&headline(decision)), normal(&asks)])];
    parts.push(block(&shortened(&inert_line(decision.summary()), TITLE)));
    if show >= Show::Prompt
        && let Some(prompt) = decision.prompt.as_deref()
        && (decision.title.is_some() || prompt.encode_utf16().count() > TITLE)
    {
        parts.push(block(&shortened(&inert(prompt), PROMPT)));
    }
    if show >= Show::All
        && let Some(subject) = present::subject(decision)
    {
        parts.push(line(&[bold(subject.title)]));
        let text = inert(&subject.text());
        parts.push(block(&shortened(&text, SUBJECT)));
        if text.encode_utf16().count() > SUBJECT {
            parts.push(line(&[normal("This is not all of it; the card shows the rest.")]));
        }
    }
    let remarks = if show >= Show::Prompt { channel::remarks(decision) } else { Vec::new() };
    if !remarks.is_empty() {
        parts.push(block(&remarks.join("\n")));
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

/// Returns the buttons of a message; many answers are a list to pick from.
fn actions(id: i64, controls: &Controls) -> Vec<Value> {
    let all: Vec<(usize, &Button)> = controls.buttons.iter().enumerate().collect();
    let is_tap = |button: &Button| button.act != Act::Form && !button.words;
    let (taps, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, button)| is_tap(button));
    let value = |at| handle(id, &controls.nonce, Step::First(at));
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
