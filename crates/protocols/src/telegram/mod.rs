//! Telegram: messages and buttons in the format of its Bot API, and the parsing of its updates.
//!
//! All text of agents is in code blocks, in which Telegram finds no mention, command or address to tap.

use holdpoint_core::{Decision, Status};
use serde_json::{Value, json};

use crate::channel::{
    self, Button, ChannelLimits, Control, Controls, DetailLevel, FirstTap, QuestionText, TapStep, handle,
};

/// The limits for each part of a message. Telegram allows 4,096 characters in total; the rest is for our own text.
const ROOM: ChannelLimits = ChannelLimits {
    title: 300,
    prompt: 1_200,
    subject: 2_000,
    all: 3_500,
    label: 60,
    sure: 60,
    // Text in a code block is shown unchanged.
    is_exact: |_| true,
};
/// The length limit of a message with remarks or progress; the rest is for what comes below them.
const MOST_WITH_REMARKS: usize = 3_600;
/// The most answers that are shown as buttons; more than that are for the card.
const MOST_BUTTONS: usize = 8;

/// Returns the actions of a message's buttons: the answers that one tap can give, a yes to a subject only if the
/// message shows everything that the card does, and those that need a text, which are offered once a text was sent.
pub fn controls(decision: &Decision, show: DetailLevel, nonce: String) -> Controls {
    let whole = QuestionText::of(decision, show, &ROOM).is_whole;
    let taps = channel::controls(decision);
    let count = taps.len();
    let all = taps.into_iter().chain(channel::with_words(decision)).collect();
    let shown = channel::legible(all, ROOM.label, ROOM.sure).into_iter();
    let (worded, taps): (Vec<_>, Vec<_>) = shown.partition(|control| control.takes_words(decision));
    // Showing some of several answers would hide the others.
    let fits = count <= MOST_BUTTONS && taps.len() == count;
    let offered = |control: &Control| (fits || control.refuses) && (whole || !control.consents);
    let button = |control: Control, words| Button {
        label: control.label,
        act: control.act,
        consents: control.consents,
        words,
    };
    let taps = taps.into_iter().filter(offered).take(MOST_BUTTONS);
    let mut buttons: Vec<Button> = taps.map(|control| button(control, false)).collect();
    let worded = worded.into_iter().filter(|control| !control.consents).take(MOST_BUTTONS);
    buttons.extend(worded.map(|control| button(control, true)));
    Controls { nonce, buttons }
}

/// Returns the text of a message about a decision in its current state, in Telegram's HTML.
pub fn text(decision: &Decision, show: DetailLevel, card: Option<&str>) -> String {
    let headline = match decision.status {
        Status::Pending => format!("Decision needed in {}", channel::project(decision)),
        _ => channel::outcome(decision),
    };
    let asked = QuestionText::of(decision, show, &ROOM);
    let mut parts = vec![format!("<b>{}</b>", escaped(&headline))];
    parts.push(format!("<code>{}</code> asks:", escaped(&channel::asker(decision))));
    parts.push(block(&asked.title));
    parts.extend(asked.prompt.as_deref().map(block));
    if let Some((title, subject)) = &asked.subject {
        parts.extend([format!("<b>{}</b>", escaped(title)), block(subject)]);
    }
    parts.extend(asked.details.as_deref().map(block));
    if asked.is_cut && show >= DetailLevel::Prompt {
        parts.push("This is not all of it; the card shows the rest.".into());
    }
    let remarks = if show >= DetailLevel::Prompt { channel::remarks(decision) } else { Vec::new() };
    for (lines, instead) in [
        (channel::progress(decision), "The card shows the progress."),
        (remarks, "Programs left remarks; the card shows them."),
    ] {
        if !lines.is_empty() {
            let lines = lines.join("\n");
            // The remaining space is for the question, which must not be cut for remarks about it.
            let used: usize = parts.iter().map(|part| part.chars().count()).sum();
            let fits = used + lines.chars().count() <= MOST_WITH_REMARKS;
            parts.push(if fits { block(&lines) } else { instead.into() });
        }
    }
    if decision.status == Status::Pending {
        parts.extend(decision.account_warning().map(|warning| format!("Warning: {}", escaped(warning))));
        parts.extend(decision.deadline.map(|deadline| format!("Deadline: {deadline}")));
    }
    parts.extend(card.map(|card| format!("<a href=\"{}\">Open the card</a>", escaped(card))));
    parts.join("\n")
}

/// Returns the text for decisions that came too fast for a message each: how many of them are still pending.
pub fn gathered(waiting: usize, inbox: Option<&str>) -> String {
    let words = escaped(&channel::many(waiting));
    match inbox.filter(|_| waiting > 0) {
        Some(inbox) => format!("<b>{words}</b>\n<a href=\"{}\">Open the inbox</a>", escaped(inbox)),
        None => format!("<b>{words}</b>"),
    }
}

/// Returns the keyboard of a message.
pub fn keyboard(id: i64, controls: &Controls) -> Value {
    let buttons = controls.buttons.iter().enumerate().filter(|(_, button)| !button.words);
    let rows = buttons.map(|(at, button)| row(&button.label, id, controls, TapStep::First(at)));
    json!({ "inline_keyboard": rows.collect::<Vec<_>>() })
}

/// Returns the keyboard that asks which answer a text goes with; none if there is none. A yes to a subject is not among
/// them: it can only be given below the message itself.
pub fn which_answer(id: i64, controls: &Controls, guidance: Guidance) -> Option<Value> {
    let buttons = controls.buttons.iter().enumerate().filter(|(_, button)| !button.consents);
    let mut rows: Vec<Value> =
        buttons.map(|(at, button)| row(&button.label, id, controls, TapStep::Worded(at))).collect();
    if rows.is_empty() {
        return None;
    }
    if guidance == Guidance::Taken {
        rows.push(row("No answer: send it back with these words", id, controls, TapStep::Guide));
    }
    Some(json!({ "inline_keyboard": rows }))
}

/// Whether a decision accepts a text in place of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// It accepts one.
    Taken,
    /// It does not accept one.
    NotTaken,
}

fn row(label: &str, id: i64, controls: &Controls, step: TapStep) -> Value {
    json!([{ "text": label, "callback_data": handle(id, &controls.nonce, step) }])
}

/// Returns the keyboard that asks to confirm a consent.
pub fn are_you_sure(id: i64, controls: &Controls, at: usize, first: FirstTap) -> Value {
    let label = controls.buttons.get(at).map(|button| button.label.as_str()).unwrap_or_default();
    let sure = handle(id, &controls.nonce, TapStep::Sure(at, first));
    let back = handle(id, &controls.nonce, TapStep::Back);
    json!({ "inline_keyboard": [
        [{ "text": format!("Yes, I have read it: {label}"), "callback_data": sure }],
        [{ "text": "Back", "callback_data": back }],
    ]})
}

fn block(text: &str) -> String {
    format!("<pre>{}</pre>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An action of a person, in their own chat with the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelegramAction {
    /// Its update id.
    pub update: i64,
    /// The account.
    pub account: String,
    /// The action.
    pub said: ActionKind,
}

/// An action of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// They tapped a button.
    Tap {
        /// The id for answering the tap.
        id: String,
        /// The data of the button.
        handle: String,
        /// The message with the button.
        message: String,
        /// The text of the same person to which that message replies, if any.
        words: Option<String>,
    },
    /// They wrote a text.
    Words {
        /// The text.
        text: String,
        /// The message with it.
        message: String,
        /// The message that it replies to.
        reply_to: Option<String>,
    },
    /// They tapped a button outside of their own chat with the bot.
    Elsewhere {
        /// The id for answering the tap.
        id: String,
    },
    /// Anything else, which is ignored.
    Other,
}

/// Parses an update. Anything outside of a person's own chat with the bot is ignored.
pub fn read_update(update: &Value) -> Option<TelegramAction> {
    let id = update["update_id"].as_i64()?;
    let number = |value: &Value| value.as_i64().map(|number| number.to_string());
    let (part, message) = match update.get("callback_query") {
        Some(query) => (query, &query["message"]),
        None => (&update["message"], &update["message"]),
    };
    let other = |account: Option<String>| {
        Some(TelegramAction { update: id, account: account.unwrap_or_default(), said: ActionKind::Other })
    };
    let (Some(account), Some(chat)) = (number(&part["from"]["id"]), number(&message["chat"]["id"])) else {
        return other(None);
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if message["chat"]["type"] != "private" || chat != account || part["from"]["is_bot"] == true {
        let tap = update.get("callback_query").and_then(|query| text(&query["id"]));
        let said = tap.map_or(ActionKind::Other, |id| ActionKind::Elsewhere { id });
        return Some(TelegramAction { update: id, account, said });
    }
    let said = if update.get("callback_query").is_some() {
        let parts = (text(&part["id"]), text(&part["data"]), number(&message["message_id"]));
        let (Some(id), Some(handle), Some(message)) = parts else { return other(Some(account)) };
        let replied_to = &part["message"]["reply_to_message"];
        let is_theirs = number(&replied_to["from"]["id"]).as_ref() == Some(&account);
        let words = text(&replied_to["text"]).filter(|_| is_theirs);
        ActionKind::Tap { id, handle, message, words }
    } else {
        let parts = (text(&message["text"]), number(&message["message_id"]));
        let (Some(text), Some(written)) = parts else { return other(Some(account)) };
        let reply_to = number(&message["reply_to_message"]["message_id"]);
        ActionKind::Words { text, message: written, reply_to }
    };
    Some(TelegramAction { update: id, account, said })
}

#[cfg(test)]
mod tests;
