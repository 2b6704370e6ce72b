//! The actions of people in Slack: taps, forms and replies of linked accounts become answers, codes link accounts.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, Lane, Refusal};
use holdpoint_protocols::channel::{Button, TapAction, TapStep, handle};
use holdpoint_protocols::slack::{self, ActionKind, Draft, Modal, SlackAction};
use serde_json::{Value, json};

use super::super::answers::{OPEN_FORM, SECOND_TAP, TapContext, stale};
use super::super::channel::DeliveryError;
use super::super::excerpt::excerpt;
use super::super::notice::SignedLink;
use super::super::notices::OpenChannels;
use super::super::send;
use super::api::DeliveryResult;
use super::channel::Slack;
use super::channel::quiet;
use crate::engine::Engine;
use crate::error::{Error, Result};

const CHANNEL: Lane = Lane::Slack;
const HELP: &str = "This app brings decisions of Holdpoint to people whose account is linked. An admin makes a code with \
                    `hold person link NAME slack`; send it here. `unlink` ends it.";

impl Engine {
    /// Handles an action, and tells its author the result.
    pub(super) async fn take_from_slack(&self, notices: &OpenChannels, slack: &Slack, heard: &SlackAction) {
        let told = match slack.api.team().await {
            Err(trouble) => Err(trouble),
            Ok(team) if team != heard.team => {
                let error = Refusal::Forbidden("this account is one of another workspace".into()).into();
                let words = self.refuse(CHANNEL, &heard.account, None, &error).await;
                slack.answer(heard, &words).await
            }
            Ok(_) => Box::pin(self.take_said(notices, slack, heard)).await,
        };
        if let Err(DeliveryError::Later { why, .. } | DeliveryError::Never { why }) = told {
            tracing::warn!("Could not tell a Slack account the outcome: {why}");
        }
    }

    async fn take_said(
        &self,
        notices: &OpenChannels,
        slack: &Slack,
        heard: &SlackAction,
    ) -> DeliveryResult<()> {
        let account = &heard.account;
        match &heard.said {
            ActionKind::Tap { handle, channel, message, trigger } => {
                let message = format!("{channel}/{message}");
                let words = match self.about_tap(notices, CHANNEL, account, handle).await {
                    Ok(about) => {
                        self.tapped_in_slack(notices, slack, account, about, (&message, trigger)).await
                    }
                    Err(error) => Some(self.refuse(CHANNEL, account, None, &error).await),
                };
                if let Some(words) = words {
                    slack.answer(heard, &words).await?;
                }
                self.follow_copy(notices, slack, (account, handle, &message)).await
            }
            ActionKind::Changed(modal) => self.redraw(notices, slack, account, modal).await,
            ActionKind::Submitted(modal) => {
                let view = self.submitted(notices, account, modal).await;
                slack.show(&json!({ "view_id": modal.view, "view": view })).await
            }
            ActionKind::Words { channel, text, thread: Some(thread) } => {
                let message = format!("{channel}/{thread}");
                let words = self.take_reply(CHANNEL, account, &message, text).await;
                slack.answer(heard, &words).await
            }
            ActionKind::Words { text, .. } => {
                let text = text.trim().trim_matches('`');
                let words = match text {
                    text if text.eq_ignore_ascii_case("unlink") => self.take_unlink(CHANNEL, account).await,
                    code if code.len() == 32 => self.take_code(notices, CHANNEL, account, code).await,
                    _ => HELP.into(),
                };
                slack.answer(heard, &words).await
            }
        }
    }

    /// Handles a tap; returns the response, unless the message or a modal shows it.
    async fn tapped_in_slack(
        &self,
        notices: &OpenChannels,
        slack: &Slack,
        account: &str,
        about: TapContext,
        (message, trigger): (&str, &str),
    ) -> Option<String> {
        let TapContext { person, sent, decision, controls, step } = about;
        let sent = self.arrived(sent, message).await;
        let card = self.card_for(notices, &person, &decision).await;
        let card = card.as_ref().map(SignedLink::reveal);
        let at = match step {
            TapStep::First(at) | TapStep::Sure(at, _) => at,
            TapStep::Back => {
                let blocks = slack::blocks(&decision, slack.shown.of(&decision), card, sent.id, &controls);
                let body = json!({ "text": slack::notification(&decision), "blocks": blocks });
                let _ = slack.update(message, body).await;
                return None;
            }
            // Here text is entered in a form.
            TapStep::Worded(_) | TapStep::Guide => {
                return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
            }
        };
        let Some(button) = controls.buttons.get(at) else {
            return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
        };
        let is_form = button.words || button.act == TapAction::Form;
        let first = (at, if is_form { OPEN_FORM } else { SECOND_TAP });
        let first = match self.first_tap(notices, &controls, account, first).await {
            Ok(first) => first,
            Err(error) => return Some(self.refuse(CHANNEL, account, Some(&sent), &error).await),
        };
        if is_form {
            let handle = handle(sent.id, &controls.nonce, TapStep::Sure(at, first));
            let view = match button.act {
                TapAction::Form => slack::form(&decision, &handle, button.consents, &Draft::of(&decision)),
                _ => slack::words_form(&decision, &handle, &button.label),
            };
            let opened = slack.api.call("views.open", &json!({ "trigger_id": trigger, "view": view })).await;
            return opened.err().map(|trouble| format!("{}. Tap again.", why(&trouble)));
        }
        if button.consents && step == TapStep::First(at) {
            // The message shows what is consented to; the second tap confirms that it was read.
            let blocks = slack::are_you_sure(
                &decision,
                slack.shown.of(&decision),
                card,
                sent.id,
                (&controls, at, first),
            );
            let body = json!({ "text": slack::notification(&decision), "blocks": blocks });
            let asked = slack.update(message, body).await;
            return asked.err().map(|trouble| format!("{}. Nothing was sent.", why(&trouble)));
        }
        let Some(input) = button.act.answer(&decision) else {
            return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
        };
        let consents = consents_to_subject(&decision, &input.values, input.out.as_deref());
        let input = AnswerInput { seen: consents.then_some(true), ..input };
        let note = format!("{} (account {account}, message {message})", button.label);
        // The message itself shows the result.
        match self.give_answer(&person, &sent, &decision, input, &note).await {
            Ok(_) => None,
            Err(error) => Some(self.refuse(CHANNEL, &person.name, Some(&sent), &error).await),
        }
    }

    /// Draws a form again after a change of a field that others depend on.
    async fn redraw(
        &self,
        notices: &OpenChannels,
        slack: &Slack,
        account: &str,
        modal: &Modal,
    ) -> DeliveryResult<()> {
        let view = match self.about_modal(notices, account, modal).await {
            Ok((about, button)) => {
                let filled = slack::filled(&about.decision, &modal.state);
                let draft = Draft { values: filled.values, words: filled.words, faults: Vec::new() };
                slack::form(&about.decision, &modal.handle, button.consents, &draft)
            }
            Err(error) => slack::closing(&self.refuse(CHANNEL, account, None, &error).await),
        };
        // If the state is outdated, a newer one is on its way.
        match slack.show(&json!({ "view_id": modal.view, "hash": modal.hash, "view": view })).await {
            Err(DeliveryError::Never { why }) if why.contains("hash_conflict") => Ok(()),
            done => done,
        }
    }

    /// Handles a submitted form; returns what its modal shows next.
    async fn submitted(&self, notices: &OpenChannels, account: &str, modal: &Modal) -> Value {
        let (about, button) = match self.about_modal(notices, account, modal).await {
            Ok(about) => about,
            Err(error) => return slack::closing(&self.refuse(CHANNEL, account, None, &error).await),
        };
        let TapContext { person, sent, decision, .. } = about;
        let filled = slack::filled(&decision, &modal.state);
        let input = match button.act.answer(&decision) {
            Some(input) => AnswerInput { message: filled.words.clone(), ..input },
            None => AnswerInput {
                values: filled.values.clone(),
                message: filled.words.clone(),
                ..AnswerInput::default()
            },
        };
        let declines = input.out.is_some() || slack::declines(&decision, &input.values);
        if decision.needs_consent() && !declines && !button.consents {
            let error = Refusal::Forbidden("approve on the card, which shows all of it".into()).into();
            return slack::closing(&self.refuse(CHANNEL, &person.name, Some(&sent), &error).await);
        }
        let consents = consents_to_subject(&decision, &input.values, input.out.as_deref());
        let input = AnswerInput { seen: consents.then_some(true), ..input };
        let message = sent.message.as_deref().unwrap_or_default();
        let note = format!("{} (account {account}, message {message})", button.label);
        match self.give_answer(&person, &sent, &decision, input, &note).await {
            Ok(words) => slack::closing(&words),
            // Wrong values are corrected in the form.
            Err(Error::Refused(Refusal::Invalid(faults))) if button.act == TapAction::Form => {
                let draft = Draft { values: filled.values, words: filled.words, faults };
                slack::form(&decision, &modal.handle, button.consents, &draft)
            }
            Err(error) => slack::closing(&self.refuse(CHANNEL, &person.name, Some(&sent), &error).await),
        }
    }

    /// Returns the decision of a modal, and the button that opened it.
    async fn about_modal(
        &self,
        notices: &OpenChannels,
        account: &str,
        modal: &Modal,
    ) -> Result<(TapContext, Button)> {
        let about = self.about_tap(notices, CHANNEL, account, &modal.handle).await?;
        let (TapStep::First(at) | TapStep::Sure(at, _)) = about.step else { return Err(stale()) };
        let opens = |button: &&Button| button.words || button.act == TapAction::Form;
        let button = about.controls.buttons.get(at).filter(opens).cloned().ok_or_else(stale)?;
        if button.consents && matches!(about.step, TapStep::First(_)) {
            let why = "this form was not opened by a tap within the last hour: open it again";
            return Err(Refusal::Forbidden(why.into()).into());
        }
        Ok((about, button))
    }

    /// Returns where a person can see a decision.
    async fn card_for(
        &self,
        notices: &OpenChannels,
        person: &holdpoint_core::Person,
        decision: &Decision,
    ) -> Option<SignedLink> {
        let plain = notices.public_url.as_ref().map(|base| SignedLink(format!("{base}/d/{}", decision.id)));
        let now = self.now().await.ok()?;
        send::link(notices, person, CHANNEL, decision, now).or(plain)
    }
}

impl Slack {
    /// Tells a person the result of their action, where they did it and visible only to them.
    async fn answer(&self, heard: &SlackAction, words: &str) -> DeliveryResult<()> {
        let words = excerpt(words, 1_000);
        let mut body = json!({ "text": slack::escaped(&words), "blocks": slack::text_blocks(&words) });
        match &heard.said {
            ActionKind::Tap { channel, .. } => {
                body["channel"] = json!(channel);
                body["user"] = json!(heard.user);
                self.api.call("chat.postEphemeral", &quiet(body)).await.map(drop)
            }
            ActionKind::Changed(modal) | ActionKind::Submitted(modal) => {
                self.show(&json!({ "view_id": modal.view, "view": slack::closing(&words) })).await
            }
            ActionKind::Words { channel, thread, .. } => {
                body["channel"] = json!(channel);
                if let Some(thread) = thread {
                    body["thread_ts"] = json!(thread);
                }
                self.pace.first(&heard.account).await;
                self.api.call("chat.postMessage", &quiet(body)).await.map(drop)
            }
        }
    }

    async fn show(&self, view: &Value) -> DeliveryResult<()> {
        self.api.call("views.update", view).await.map(drop)
    }
}

fn why(trouble: &DeliveryError) -> &str {
    let (DeliveryError::Later { why, .. } | DeliveryError::Never { why }) = trouble;
    why
}
