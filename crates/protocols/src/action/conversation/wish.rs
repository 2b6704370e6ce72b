//! Requests about the whole form: send it, cancel it, start over, or get help.

use super::super::form::names_option;
use super::super::wire::Action;
use super::phrase::{self, Command};
use super::{Conversation, State, next, say, send};

/// What to do with the form at the end of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormOutcome {
    /// It is sent: everything that must be known is.
    Send,
    /// It is cancelled: the person has said so twice.
    Cancel,
    /// It stays as it is: the person talks about something else, or does not want to send it.
    Keep,
}

/// A message about the form itself, not about a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormRequest {
    /// Something new.
    New(Command),
    /// A yes to what was asked back.
    Agreed(Command),
    /// A no to it.
    Dropped,
}

impl Conversation<'_> {
    /// Returns what a text wants of the form. What is the name of an option is an answer.
    pub(super) fn wished(&self) -> Option<FormRequest> {
        let text = self.turn.text.as_str();
        if text.trim().is_empty() || !self.turn.typed.is_empty() || self.turn.astray {
            return None;
        }
        let said = phrase::command(text);
        if let Some(wished) = self.state.wished {
            if said == Some(wished) || phrase::agrees(text) {
                return Some(FormRequest::Agreed(wished));
            }
            if phrase::declines(text) {
                return Some(FormRequest::Dropped);
            }
        }
        let complete = self.state.asked.is_none()
            && self.state.summed.is_none()
            && next::missing(self).is_none()
            && say::lacking(self).is_none();
        if complete && !self.state.resumed && self.state.said.contains(say::SHALL_SEND) {
            if phrase::agrees(text) {
                return Some(FormRequest::New(Command::Send));
            }
            if phrase::declines(text) {
                return Some(FormRequest::New(Command::Hold));
            }
        }
        // If a question is open, `not yet` is an answer to it.
        let said = said.filter(|said| *said != Command::Hold || complete)?;
        (!names_option(&self.form.fields, text)).then_some(FormRequest::New(said))
    }
}

/// Carries out a request, as far as the conversation itself can.
pub(super) fn follow(talk: &mut Conversation<'_>, wished: FormRequest) -> Action {
    talk.state.wished = None;
    talk.wish = Some(FormOutcome::Keep);
    match wished {
        FormRequest::New(Command::Send) | FormRequest::Agreed(Command::Send) => send_it(talk),
        FormRequest::New(Command::Help) | FormRequest::Agreed(Command::Help) => {
            let text = say::help(talk);
            talk.add_message(text);
            next::action(talk)
        }
        FormRequest::New(Command::Hold) | FormRequest::Agreed(Command::Hold) => {
            talk.add_message("It is not sent.");
            next::action(talk)
        }
        FormRequest::New(Command::Restart) if talk.values.is_empty() => {
            Action::Message { text: say::greeting(&talk.form) }
        }
        FormRequest::New(command) => {
            talk.state.wished = Some(command);
            let text = match command {
                Command::Restart => "Shall I clear the form and start over? Say yes, or just go on.",
                _ => "Shall I cancel this form? Nothing will be sent. Say yes, or just go on.",
            };
            Action::Message { text: text.to_owned() }
        }
        FormRequest::Agreed(Command::Restart) => {
            talk.values.clear();
            let kept = std::mem::take(&mut talk.state);
            talk.state = State { begun: true, past: kept.past, barren: kept.barren, ..State::default() };
            let text = format!("The form is empty again. {}", say::invitation(&talk.form));
            Action::Message { text }
        }
        FormRequest::Agreed(Command::Cancel) => {
            talk.wish = Some(FormOutcome::Cancel);
            Action::Message { text: "It is cancelled. Nothing was sent.".to_owned() }
        }
        FormRequest::Dropped => {
            talk.add_message("All right, it goes on.");
            next::action(talk)
        }
    }
}

/// Sends the form if all is known; else says what is missing, and asks for it.
fn send_it(talk: &mut Conversation<'_>) -> Action {
    talk.wish = None;
    // The person was asked for the new value of a field and has not given it yet; sending would send the old one.
    let open = talk.state.asked.clone().filter(|id| talk.values.contains_key(id));
    if let Some(id) = &open {
        next::ask_first(talk, id);
    }
    let action = next::action(talk);
    if matches!(action, Action::FormComplete { .. }) && !talk.values.is_empty() {
        talk.wish = Some(FormOutcome::Send);
        return action;
    }
    let mut why = send::why_unsent(&talk.form, &talk.values, &action, false);
    if open.is_some() && open.as_deref() == action.field_id() {
        why.push_str(" Say \"skip\" to leave it as it is.");
    }
    action.preceded_by(&why)
}
