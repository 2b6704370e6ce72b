//! `session/request_permission`: an approval. Options are recognised by their kind, never by id or name, which the
//! agent chooses.

use holdpoint_core::decision::{New, chosen, is_refusal};
use holdpoint_core::field::Effect;
use holdpoint_core::text::{inert, inert_line, start};
use holdpoint_core::{Decision, Field, Kind, OnTimeout, Opt, Source, Span, Status};
use serde_json::{Map, Value, json};

use super::Reply;

/// The request of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    pub(super) session: String,
    /// The id of the tool call.
    pub(super) call: Option<String>,
    title: String,
    pub(super) subject: Value,
    /// The first option of each kind that is offered: its kind and its id.
    options: Vec<(OptionKind, String)>,
}

/// The meaning of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionKind {
    AllowOnce,
    AllowAlways,
    RejectOnce,
    RejectAlways,
}

impl OptionKind {
    const ALL: [(Self, &'static str); 4] = [
        (Self::AllowOnce, "allow_once"),
        (Self::AllowAlways, "allow_always"),
        (Self::RejectOnce, "reject_once"),
        (Self::RejectAlways, "reject_always"),
    ];

    /// Returns the option that a person is shown. The text is ours: an agent could label a yes as a no.
    fn option(self) -> Opt {
        let (id, label, effect, about) = match self {
            Self::AllowOnce => ("approve", "Approve", Effect::Approve, "Let the agent do exactly this, once"),
            Self::AllowAlways => (
                "always",
                "Always allow",
                Effect::Approve,
                "Let the agent do this and similar things without asking",
            ),
            Self::RejectOnce => {
                ("deny", "Deny", Effect::Deny, "Does not allow it; the agent reads your message")
            }
            Self::RejectAlways => {
                ("never", "Always deny", Effect::Deny, "Do not let the agent do this or similar things")
            }
        };
        let refuses = matches!(self, Self::RejectOnce | Self::RejectAlways);
        Opt { effect: Some(effect), refuses, description: Some(about.to_owned()), ..Opt::new(id, label) }
    }
}

/// Reads a request.
pub(super) fn read(params: &Map<String, Value>) -> Option<Permission> {
    let session = text(params.get("sessionId"))?;
    let described = params.get("subject").and_then(Value::as_object);
    let call = params.get("toolCall").or_else(|| described?.get("toolCall"));
    let call = call.and_then(Value::as_object).or(described).cloned().unwrap_or_default();
    let mut options: Vec<(OptionKind, String)> = Vec::new();
    for option in params.get("options")?.as_array()? {
        let kind = option.get("kind").and_then(Value::as_str);
        let known = OptionKind::ALL.into_iter().find(|(_, name)| Some(*name) == kind).map(|(offer, _)| offer);
        let (Some(offer), Some(id)) = (known, text(option.get("optionId"))) else { continue };
        if options.iter().all(|(met, _)| *met != offer) {
            options.push((offer, id));
        }
    }
    let kind = text(call.get("kind")).or_else(|| text(call.get("type")));
    let tool = text(call.get("name")).or(kind).unwrap_or_else(|| "tool".to_owned());
    let title = text(call.get("title")).or_else(|| text(params.get("title"))).unwrap_or_else(|| tool.clone());
    let id = text(call.get("toolCallId"));
    Some(Permission { session, call: id, subject: subject(&tool, &title, &call), title, options })
}

/// Returns the subject to approve: the tool's input, and what the agent shows of it in the editor, which may say more.
fn subject(tool: &str, title: &str, call: &Map<String, Value>) -> Value {
    let mut subject = json!({ "tool": tool, "title": title });
    for (from, to) in [("rawInput", "input"), ("command", "command"), ("content", "content")] {
        let says = |value: &&Value| match value {
            Value::Object(members) => !members.is_empty(),
            Value::Array(items) => !items.is_empty(),
            other => !other.is_null(),
        };
        if let Some(value) = call.get(from).filter(says) {
            subject[to] = value.clone();
        }
    }
    for name in ["locations", "cwd"] {
        if let Some(value) = call.get(name).filter(|value| !value.is_null()) {
            subject[name] = value.clone();
        }
    }
    subject
}

/// Asks whether the tool may be used.
pub(super) fn ask(asked: &Permission, timeout: Option<Span>) -> New {
    const LONGEST: usize = 160;
    let line = inert_line(&asked.title);
    let short = start(&line, LONGEST);
    let mut options: Vec<Opt> = asked.options.iter().map(|(offer, _)| offer.option()).collect();
    if !options.iter().any(|option| option.refuses) {
        options.push(OptionKind::RejectOnce.option());
    }
    New {
        source: Some(Source::Approval),
        title: Some(format!("{short}{}", if short.len() < line.len() { "…" } else { "" })),
        prompt: Some("The agent asks in its editor; the first answer, there or here, decides.".to_owned()),
        fields: vec![Field::offering("choice", Kind::Confirm, "Allow it?", options)],
        on_timeout: timeout.map(|_| OnTimeout::Deny),
        subject: Some(asked.subject.clone()),
        ..New::default()
    }
}

/// Turns a settled decision into the agent's reply; none if there is no answer.
pub(super) fn reply(asked: &Permission, decision: &Decision) -> Option<Reply> {
    let answer = decision.answer.as_ref()?;
    if !matches!(decision.status, Status::Answered | Status::TimedOut) {
        return None;
    }
    let message = answer.message.as_deref().map(inert).filter(|text| !text.trim().is_empty());
    let picked = chosen(decision);
    let offer = |id: &str| {
        let is = |(offer, _): &&(OptionKind, String)| offer.option().id == id;
        asked.options.iter().find(is).map(|(offer, id)| (*offer, id.clone()))
    };
    let consents = decision.status == Status::Answered && !is_refusal(decision);
    match picked.first().and_then(|chosen| offer(&chosen.option.id)) {
        Some((OptionKind::AllowOnce | OptionKind::AllowAlways, id)) if consents => {
            Some(Reply { result: selected(&id), reason: None })
        }
        Some((OptionKind::RejectAlways, id)) => Some(Reply { result: selected(&id), reason: message }),
        _ => Some(Reply { result: refused(asked), reason: message }),
    }
}

/// Returns a refusal: an option that rejects if there is one, preferably the weaker.
pub(super) fn refused(asked: &Permission) -> Value {
    let find = |wanted: OptionKind| asked.options.iter().find(|(offer, _)| *offer == wanted);
    match find(OptionKind::RejectOnce).or_else(|| find(OptionKind::RejectAlways)) {
        Some((_, id)) => selected(id),
        None => json!({ "outcome": { "outcome": "cancelled" } }),
    }
}

fn selected(id: &str) -> Value {
    json!({ "outcome": { "outcome": "selected", "optionId": id } })
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
}
