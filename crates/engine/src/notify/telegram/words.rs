//! Text that goes with an answer: a reply contains it, and then a tap chooses the answer.
//!
//! Nothing is stored meanwhile: the buttons are in reply to the text, so Telegram includes the text in the tap,
//! whichever node receives it. If the text has been deleted, the person is asked to send it again, and nothing is
//! answered.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Lane, Refusal};
use holdpoint_protocols::channel::{Controls, TapStep};
use holdpoint_protocols::telegram::{Guidance, which_answer};

use super::listen::BotReply;
use crate::engine::Engine;
use crate::notify::answers::{ReplyContext, TapContext, is_open_question, means_yes, stale, takes_guidance};

const ASK: &str = "Which answer does your text belong to? Nothing was sent yet.";

impl Engine {
    /// Handles a text in reply to a question, or asks which answer it goes with if there are several.
    pub(super) async fn replied(&self, account: &str, about: &str, message: &str, text: &str) -> BotReply {
        let replied = match self.about_reply(Lane::Telegram, account, about).await {
            Ok(replied) => replied,
            Err(error) => return BotReply::Words(self.refuse(Lane::Telegram, account, None, &error).await),
        };
        let ReplyContext { sent, decision, .. } = &replied;
        if !is_open_question(decision)
            && !means_yes(decision, text)
            && let Ok(controls) = serde_json::from_str::<Controls>(&sent.controls)
        {
            let guidance = if takes_guidance(decision) { Guidance::Taken } else { Guidance::NotTaken };
            if let Some(keyboard) = which_answer(sent.id, &controls, guidance) {
                return BotReply::Ask(ASK.into(), message.to_owned(), keyboard);
            }
        }
        BotReply::Words(self.take_words(&replied, text).await)
    }

    /// Handles a tap that chooses the answer for a text.
    pub(super) async fn tapped_for_words(
        &self,
        about: TapContext,
        words: Option<&str>,
        id: &str,
        message: &str,
    ) -> BotReply {
        let TapContext { person, sent, decision, controls, step } = about;
        // The text may have been edited since.
        let Some(words) = words.filter(|words| !means_yes(&decision, words)).map(str::to_owned) else {
            let why = "send your text again, in reply to the question: it is no longer stored";
            let error = Refusal::Forbidden(why.into()).into();
            let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &error).await;
            return BotReply::Done(id.to_owned(), message.to_owned(), said);
        };
        let (input, label) = match step {
            TapStep::Guide => {
                (Some(AnswerInput { guidance: Some(words), ..AnswerInput::default() }), "guidance")
            }
            TapStep::Worded(at) => {
                let button = controls.buttons.get(at).filter(|button| !button.consents);
                let input = button.and_then(|button| button.act.answer(&decision));
                // A person must see what they consent to.
                let input = input
                    .filter(|input| !consents_to_subject(&decision, &input.values, input.out.as_deref()));
                let label = button.map(|button| button.label.as_str()).unwrap_or_default();
                (input.map(|input| AnswerInput { message: Some(words), ..input }), label)
            }
            TapStep::First(_) | TapStep::Sure(..) | TapStep::Back => (None, ""),
        };
        let Some(input) = input else {
            let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &stale()).await;
            return BotReply::Done(id.to_owned(), message.to_owned(), said);
        };
        let on = sent.message.as_deref().unwrap_or_default();
        let note = format!("{label}, with words (account {}, message {on})", sent.place);
        match self.give_answer(&person, &sent, &decision, input, &note).await {
            Ok(said) => BotReply::Done(id.to_owned(), message.to_owned(), said),
            Err(error) => {
                let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &error).await;
                BotReply::Tap(id.to_owned(), said)
            }
        }
    }
}
