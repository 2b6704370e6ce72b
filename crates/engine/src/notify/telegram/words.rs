//! Words that go with an answer: a reply says them, and then a tap says which answer.
//!
//! They are kept by who listens, in memory: after a restart, or where another node listens by then, the tap is told to send them
//! again, and answers nothing.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Lane, Refusal};
use holdpoint_protocols::channel::{Controls, Step};
use holdpoint_protocols::telegram::{Guidance, which_answer};

use super::listen::{Ear, Reply};
use crate::engine::Engine;
use crate::notify::answers::{Replied, Tapped, is_open_question, means_yes, stale, takes_guidance};

/// How long words wait, and those of how many messages.
const WAITS: Duration = Duration::from_secs(60 * 60);
const MOST: usize = 1_000;
const ASK: &str = "Which answer do your words go with? Nothing was sent yet.";

/// The words that were sent last in reply to each message.
#[derive(Debug, Default)]
pub(super) struct Kept(HashMap<i64, (String, Instant)>);

impl Kept {
    fn put(&mut self, message: i64, words: String, now: Instant) {
        self.0.retain(|_, (_, since)| now.duration_since(*since) < WAITS);
        if self.0.len() >= MOST
            && let Some(oldest) = self.0.iter().min_by_key(|(_, (_, since))| *since).map(|(id, _)| *id)
        {
            self.0.remove(&oldest);
        }
        self.0.insert(message, (words, now));
    }

    fn get(&self, message: i64, now: Instant) -> Option<&str> {
        let kept = self.0.get(&message).filter(|(_, since)| now.duration_since(*since) < WAITS);
        kept.map(|(words, _)| words.as_str())
    }
}

impl Engine {
    /// Takes words in reply to a message, or asks which answer they go with where there are some.
    pub(super) async fn replied(&self, ear: &mut Ear, account: &str, message: &str, text: &str) -> Reply {
        let replied = match self.about_reply(Lane::Telegram, account, message).await {
            Ok(replied) => replied,
            Err(error) => return Reply::Words(self.refuse(Lane::Telegram, account, None, &error).await),
        };
        let Replied { sent, decision, .. } = &replied;
        if !is_open_question(decision)
            && !means_yes(decision, text)
            && let Ok(controls) = serde_json::from_str::<Controls>(&sent.controls)
        {
            let guidance = if takes_guidance(decision) { Guidance::Taken } else { Guidance::NotTaken };
            if let Some(keyboard) = which_answer(sent.id, &controls, guidance) {
                ear.kept.put(sent.id, text.to_owned(), Instant::now());
                return Reply::Ask(ASK.into(), message.to_owned(), keyboard);
            }
        }
        Reply::Words(self.take_words(&replied, text).await)
    }

    /// Takes a tap that says which answer words go with.
    pub(super) async fn tapped_for_words(
        &self,
        ear: &mut Ear,
        about: Tapped,
        id: &str,
        message: &str,
    ) -> Reply {
        let Tapped { person, sent, decision, controls, step } = about;
        let Some(words) = ear.kept.get(sent.id, Instant::now()).map(str::to_owned) else {
            let why = "your words are not here any more: send them again, in reply to the question";
            let error = Refusal::Forbidden(why.into()).into();
            let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &error).await;
            return Reply::Done(id.to_owned(), message.to_owned(), said);
        };
        let (input, label) = match step {
            Step::Guide => {
                (Some(AnswerInput { guidance: Some(words), ..AnswerInput::default() }), "guidance")
            }
            Step::Worded(at) => {
                let button = controls.buttons.get(at).filter(|button| !button.consents);
                let input = button.and_then(|button| button.act.answer(&decision));
                // What is consented to must be in sight.
                let input = input
                    .filter(|input| !consents_to_subject(&decision, &input.values, input.out.as_deref()));
                let label = button.map(|button| button.label.as_str()).unwrap_or_default();
                (input.map(|input| AnswerInput { message: Some(words), ..input }), label)
            }
            Step::First(_) | Step::Sure(_) | Step::Back => (None, ""),
        };
        let Some(input) = input else {
            let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &stale()).await;
            return Reply::Done(id.to_owned(), message.to_owned(), said);
        };
        let on = sent.message.as_deref().unwrap_or_default();
        let note = format!("{label}, with words (account {}, message {on})", sent.place);
        match self.give_answer(&person, &sent, &decision, input, &note).await {
            Ok(said) => {
                ear.kept.0.remove(&sent.id);
                Reply::Done(id.to_owned(), message.to_owned(), said)
            }
            Err(error) => {
                let said = self.refuse(Lane::Telegram, &person.name, Some(&sent), &error).await;
                Reply::Tap(id.to_owned(), said)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wait_for_a_while_and_are_bounded() {
        let (mut kept, start) = (Kept::default(), Instant::now());
        for message in 0..2_000_i64 {
            let at = start + Duration::from_millis(message.unsigned_abs());
            kept.put(message, message.to_string(), at);
        }
        let now = start + Duration::from_secs(5);
        assert_eq!(kept.0.len(), MOST);
        assert_eq!((kept.get(999, now), kept.get(1_000, now)), (None, Some("1000")));
        kept.put(1_000, "again".into(), now);
        assert_eq!(kept.get(1_000, now), Some("again"));
        assert_eq!(kept.get(1_000, now + WAITS), None);
        kept.put(1, "new".into(), now + WAITS);
        assert_eq!(kept.0.len(), 1);
    }
}
