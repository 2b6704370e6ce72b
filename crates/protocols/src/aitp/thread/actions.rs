//! The effects of a message on the decisions of its thread.

use std::collections::BTreeMap;

use holdpoint_core::text::{inert_line, quote, start};
use holdpoint_core::thread::{Thread, ThreadAction};
use holdpoint_core::{Decision, Status, Timestamp};
use serde_json::Value;

use super::part::Part;
use super::{not_understood_by, others};
use crate::aitp::family::family;
use crate::aitp::message::{Body, Message};
use crate::aitp::translate::{self, request_id};
use crate::aitp::{Finding, Keys, ParsedMessage, check_signatures};

/// External forms, by address: the fetched text, or the error.
pub type Forms = BTreeMap<String, Result<String, String>>;

/// The context of a message.
#[derive(Clone, Copy, Debug)]
pub struct MessageContext<'a> {
    /// The thread.
    pub thread: &'a Thread,
    /// Who speaks.
    pub speaker: &'a str,
    /// The thread's decisions, newest first.
    pub decisions: &'a [Decision],
    /// Forms that were fetched.
    pub forms: &'a Forms,
    /// The keys that sign payments; if any are known, all signatures must be valid.
    pub keys: &'a Keys,
    /// The current time.
    pub now: Timestamp,
}

/// Lists the forms that must be fetched before the actions of a message can be determined.
pub fn forms(thread: &Thread, speaker: &str, parts: &[Part]) -> Vec<String> {
    let address = |part: &Part| match part {
        Part::Message(read)
            if not_understood_by(thread, speaker, read.message.body.capability()).is_none() =>
        {
            translate::form_address(&read.message).map(str::to_owned)
        }
        _ => None,
    };
    parts.iter().filter_map(address).collect()
}

/// Which decisions of its thread a message refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecisionScope {
    /// None: it asks, or is plain text.
    Nothing,
    /// A pending one, unless it comes too late.
    Waiting,
    /// One that may have been settled long ago.
    All,
}

/// Returns how far back a message refers.
pub fn looks_back(parts: &[Part]) -> DecisionScope {
    let back = |part: &Part| match part {
        Part::Message(read) => match &read.message.body {
            Body::Decision(_) | Body::Data(_) => DecisionScope::Waiting,
            _ if result_of(&read.message).is_some() => DecisionScope::All,
            _ => DecisionScope::Nothing,
        },
        _ => DecisionScope::Nothing,
    };
    parts.iter().map(back).max().unwrap_or(DecisionScope::Nothing)
}

/// Returns whether every reply in a message answers one of the room's decisions; those that name none refer to a
/// pending one.
pub fn finds(room: &MessageContext<'_>, parts: &[Part]) -> bool {
    let found = |id: &str| room.decisions.iter().any(|decision| request_id(decision) == id);
    parts.iter().all(|part| match part {
        Part::Message(read) => translate::answers(&read.message).is_none_or(found),
        _ => true,
    })
}

/// Returns the actions of a message, in their order.
pub fn actions(room: &MessageContext<'_>, parts: Vec<Part>) -> Vec<ThreadAction> {
    parts.into_iter().filter_map(|part| action(room, part)).collect()
}

fn action(room: &MessageContext<'_>, part: Part) -> Option<ThreadAction> {
    match part {
        Part::Words => None,
        Part::Wrong(verdict) => {
            let title = verdict.capability.map_or("AITP", |capability| capability.title());
            let why = inert_line(&translate::lines(&verdict.errors));
            Some(ThreadAction::Say(format!("This is not a message of {title}: {}", start(&why, 2_000))))
        }
        Part::Message(read) => {
            let ParsedMessage { message, remarks } = *read;
            match &message.body {
                Body::Decision(_) | Body::Data(_) => Some(answer(room, &message)),
                Body::NearTokenNotification(_)
                | Body::EvmTokenNotification(_)
                | Body::ChainNotification(_) => None,
                _ => match result_of(&message) {
                    Some(result) => Some(report(room, &message, &result)),
                    None => Some(ask(room, message, &remarks)),
                },
            }
        }
    }
}

fn ask(room: &MessageContext<'_>, mut message: Message, remarks: &[Finding]) -> ThreadAction {
    let capability = message.body.capability();
    if let Some(names) = not_understood_by(room.thread, room.speaker, capability) {
        let names: Vec<String> = names.iter().map(|name| inert_line(name)).collect();
        return ThreadAction::Say(format!(
            "{} did not declare {} ({}). Please say it in plain words.",
            names.join(", "),
            capability.title(),
            capability.schema()
        ));
    }
    if !room.keys.is_empty() {
        let wrong = check_signatures(&message, room.keys);
        if !wrong.is_empty() {
            return ThreadAction::Say(format!(
                "This was not accepted: {}",
                inert_line(&translate::lines(&wrong))
            ));
        }
    }
    if let Some(address) = translate::form_address(&message).map(str::to_owned) {
        let fetched = match room.forms.get(&address) {
            Some(Ok(form)) => translate::with_form(message, form, room.now)
                .map_err(|verdict| inert_line(&translate::lines(&verdict.errors))),
            Some(Err(why)) => Err(inert_line(why)),
            None => Err("was not fetched".into()),
        };
        match fetched {
            Ok(whole) => message = whole,
            Err(why) => {
                return ThreadAction::Say(format!(
                    "The form at {} could not be fetched: {}",
                    quote(&address),
                    start(&why, 2_000)
                ));
            }
        }
    }
    match translate::ask(&message, room.now) {
        Ok(new) => ThreadAction::Ask(Box::new(translate::remarked(new, remarks))),
        Err(refusal) => {
            ThreadAction::Say(format!("This was not accepted: {}", inert_line(&refusal.to_string())))
        }
    }
}

fn answer(room: &MessageContext<'_>, message: &Message) -> ThreadAction {
    let found = match request_of(room, message) {
        Ok(found) => found,
        Err(words) => return ThreadAction::Say(words),
    };
    let asked_it = found.requested_by.as_deref() == Some(room.speaker);
    if asked_it && others(room.thread, room.speaker).next().is_some() {
        return ThreadAction::Say(format!("{} asked this and does not answer it.", inert_line(room.speaker)));
    }
    match translate::answer(found, message) {
        Ok(taken) => ThreadAction::Answer { id: found.id, input: Box::new(taken.input) },
        Err(wrong) => {
            let why = inert_line(&translate::lines(&wrong));
            let id = quote(&request_id(found));
            ThreadAction::Say(format!("This does not answer {id}: {}", start(&why, 2_000)))
        }
    }
}

/// Finds the decision that a message answers: the one it names, or else the only possible one.
fn request_of<'a>(room: &MessageContext<'a>, message: &Message) -> Result<&'a Decision, String> {
    let pending = |decision: &&Decision| decision.status == Status::Pending;
    if let Some(id) = translate::answers(message) {
        let mut named = room.decisions.iter().filter(|decision| request_id(decision) == id);
        // If an id was used again, it refers to the pending decision.
        let found = named.clone().find(pending).or_else(|| named.next());
        return found
            .ok_or_else(|| format!("No request here has the id {}; nothing was answered.", quote(id)));
    }
    let takes = |decision: &&Decision| translate::answer(decision, message).is_ok();
    let open = || room.decisions.iter().filter(pending);
    match only(open().filter(takes)) {
        Ok(Some(only)) => Ok(only),
        // If there is only one possible decision, the sender is told what is wrong with the reply.
        Ok(None) => match only(open().filter(|decision| is_answered_by(decision, &message.body))) {
            Ok(Some(meant)) => Ok(meant),
            _ => Err("No pending request here accepts this as its answer.".into()),
        },
        Err(MoreThanOne) => {
            Err("Say which request this answers, by its id: several are pending here.".into())
        }
    }
}

/// The error that there was more than one.
struct MoreThanOne;

fn only<T>(mut all: impl Iterator<Item = T>) -> Result<Option<T>, MoreThanOne> {
    let first = all.next();
    if all.next().is_some() { Err(MoreThanOne) } else { Ok(first) }
}

/// Returns whether a decision was created by a request that such a reply answers.
fn is_answered_by(decision: &Decision, reply: &Body) -> bool {
    let request = match reply {
        Body::Decision(_) => "request_decision",
        Body::Data(_) => "request_data",
        _ => return false,
    };
    message_of(decision) == Some(request)
}

/// Returns the name of the message that created a decision.
fn message_of(decision: &Decision) -> Option<&str> {
    decision.origin.as_ref()?.extra.get("message")?.as_str()
}

/// The outcome that a message reports: for which requests, and with which id.
struct Outcome<'a> {
    requests: &'static [&'static str],
    id: &'a str,
}

fn result_of(message: &Message) -> Option<Outcome<'_>> {
    const QUOTES: &[&str] = &["quote", "wrapped_quote"];
    let (requests, id): (&'static [&'static str], &str) = match &message.body {
        Body::Payment(body) => (QUOTES, &body.quote_id),
        Body::PaymentConfirmation(body) => (QUOTES, &body.quote_id),
        Body::PaymentAuthorization(body) => (QUOTES, &body.quote_id),
        Body::PaymentResult(body) => (QUOTES, &body.quote_id),
        Body::TopUpResponse(body) => (&["top_up_request"], &body.channel_id),
        Body::AccountResponse(body) => (&["request_account"], &body.request_id),
        Body::AddressResponse(body) => (&["request_address"], &body.request_id),
        Body::NearTransactionResponse(body) => (&["request_transaction"], &body.request_id),
        Body::EvmTransactionResponse(body) => (&["request_transaction"], &body.request_id),
        Body::NearSigningResponse(body) => (&["request_message_signing"], &body.request_id),
        Body::EvmSigningResponse(body) => (&["request_message_signing"], &body.request_id),
        _ => return None,
    };
    Some(Outcome { requests, id })
}

fn report(room: &MessageContext<'_>, message: &Message, result: &Outcome<'_>) -> ThreadAction {
    let capability = |schema: &str| family(schema).map(|family| family.capability);
    let asked = |decision: &&Decision| {
        let origin = decision.origin.as_ref();
        let name = message_of(decision);
        // Both kinds of wallets use the same message names; the schema distinguishes them.
        let schema = origin.and_then(|origin| origin.schema.as_deref());
        request_id(decision) == result.id
            && name.is_some_and(|name| result.requests.contains(&name))
            && schema.and_then(capability) == capability(&message.schema)
    };
    // A price that was only offered with a product is known by the id of the product's request.
    let offered = |decision: &&Decision| {
        let quoted = |quote: &Value| quote["quote_id"].as_str() == Some(result.id);
        let mut options = decision.fields.iter().flat_map(holdpoint_core::Field::all_options);
        result.requests.contains(&"quote") && options.any(|option| option.quote.as_ref().is_some_and(quoted))
    };
    let found = room.decisions.iter().find(asked).or_else(|| room.decisions.iter().find(offered));
    let content = message.to_value().ok();
    match found.zip(content) {
        Some((decision, content)) => {
            ThreadAction::Report { id: decision.id, message: message.body.name().into(), content }
        }
        None => ThreadAction::Say(format!(
            "Nothing was asked here under {}; this is stored as it is.",
            quote(result.id)
        )),
    }
}
