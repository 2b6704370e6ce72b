//! Chooses the next question.

use holdpoint_core::{Field, field::OptionsFrom};

use super::super::form::step;
use super::super::wire::Action;
use super::{Conversation, offer, say, send, tools};

/// Returns the next action: a tool, a question, a summary, or that all is known.
pub(super) fn action(talk: &mut Conversation<'_>) -> Action {
    let steps = talk.steps();
    let last = steps.last().copied().unwrap_or(1);
    for number in steps {
        if let Some(field) = next_of_step(talk, number) {
            let id = field.id.clone();
            return ask(talk, &id);
        }
        if number != last && !talk.state.confirmed.contains(&number) {
            talk.state.summed = Some(number);
            talk.state.asked = None;
            let text = joined(talk, say::summary(talk, number));
            return Action::Message { text };
        }
    }
    if let Some(text) = say::lacking(talk) {
        // Nothing is asked by this, so nothing said to it is an answer in words.
        talk.state.asked = None;
        let text = joined(talk, text);
        return Action::Message { text };
    }
    talk.state.asked = None;
    let message = say::complete(talk);
    let message = joined(talk, message);
    Action::FormComplete { data: send::plain(&talk.values), message }
}

/// Returns the first field that must still be answered, in any step.
pub(super) fn missing<'a>(talk: &'a Conversation<'_>) -> Option<&'a Field> {
    talk.visible().into_iter().find(|field| open(talk, field))
}

/// Asks for a field next.
pub(super) fn ask_first(talk: &mut Conversation<'_>, id: &str) {
    talk.state.failures = 0;
    talk.state.first = Some(id.to_owned());
}

fn open(talk: &Conversation<'_>, field: &Field) -> bool {
    let barren = field.options_from.as_ref().is_some_and(|from| talk.state.barren.contains(&from.tool));
    // A field without anything to choose from cannot be answered by choosing.
    let possible = !barren || !field.options.is_empty() || field.custom;
    field.required && possible && !talk.values.contains_key(&field.id)
}

fn next_of_step<'a>(talk: &'a Conversation<'_>, number: u64) -> Option<&'a Field> {
    let visible = talk.visible();
    let first = talk.state.first.as_deref();
    let reopened =
        visible.iter().copied().find(|field| Some(field.id.as_str()) == first && step(field) == number);
    if reopened.is_some() {
        return reopened;
    }
    let of_step: Vec<&Field> =
        visible.into_iter().filter(|field| step(field) == number && open(talk, field)).collect();
    let mut ready = of_step.iter().copied().filter(|field| !talk.state.postponed.contains(&field.id));
    if let Some(offered) = offer::next_of_step(talk, number) {
        // What is looked up may settle what is uncertain.
        return Some(ready.find(|field| lookup(talk, field).is_some()).unwrap_or(offered));
    }
    let ready = ready.next();
    // What was left for later is asked when nothing else is left, longest waiting first.
    let later =
        || talk.state.postponed.iter().find_map(|id| of_step.iter().copied().find(|field| field.id == *id));
    ready.or_else(later)
}

/// Returns where a field's options must be looked up before it can be asked.
fn lookup<'f>(talk: &Conversation<'_>, field: &'f Field) -> Option<&'f OptionsFrom> {
    let from = field.options_from.as_ref().filter(|_| field.options.is_empty());
    from.filter(|from| !talk.state.barren.contains(&from.tool))
}

fn ask(talk: &mut Conversation<'_>, id: &str) -> Action {
    if talk.state.first.as_deref() == Some(id) {
        talk.state.first = None;
    }
    if talk.state.asked.as_deref() != Some(id) {
        talk.state.failures = 0;
    }
    let Some(field) = talk.field(id).cloned() else { return Action::Message { text: String::new() } };
    if let Some(from) = lookup(talk, &field) {
        if tools::gives_up_on(talk, &from.tool) {
            tools::give_up(talk, &field, &from.tool);
            return action(talk);
        }
        talk.state.tool = Some(from.tool.clone());
        talk.keep_text();
        let message = joined(talk, format!("Looking up what there is for {}…", say::called(&field)));
        return Action::ToolCall { tool_name: from.tool.clone(), tool_args: from.args.clone(), message };
    }
    let text = match offer::offer_question(talk, &field) {
        Some(text) => text,
        None if talk.told.is_empty() && say::question(&field) == field.label => String::new(),
        None => say::question(&field),
    };
    let message = joined(talk, text);
    Action::ask(&field, message)
}

/// Puts the messages before the question.
fn joined(talk: &mut Conversation<'_>, text: String) -> String {
    let mut parts = std::mem::take(&mut talk.told);
    parts.push(text);
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}
