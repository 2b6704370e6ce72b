//! Listening to Telegram: taps and replies of linked accounts become answers, codes link accounts. One node does so at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Lane, Refusal, Span};
use holdpoint_protocols::channel::Step;
use holdpoint_protocols::telegram::{Heard, Said, are_you_sure, keyboard};
use holdpoint_store::Happened;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::channel::Telegram;
use super::strangers::{Heed, Strangers};
use crate::engine::Engine;
use crate::notify::answers::{Tapped, stale};
use crate::notify::drain::lease_name;
use crate::notify::{Notices, Trouble, as_duration};

const CHANNEL: Lane = Lane::Telegram;
/// How long a node that says nothing any more keeps others from listening.
const LEASE: Span = Span::from_secs(60);
/// How long one request waits for something to happen.
const WAIT: Duration = Duration::from_secs(25);
/// How long to wait before the next try, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// A request that waits for nothing is not made more often than this.
const QUICK: Duration = Duration::from_millis(200);
/// How much there is to say at once, at most, and how long that may take once the server stops.
const MOST_REPLIES: usize = 256;
const LAST_WORDS: Duration = Duration::from_secs(3);

const HELP: &str = "This bot brings decisions of Holdpoint to people whose account is linked. An admin makes a code with \
                    `hold person link NAME telegram`; send it here.";

impl Engine {
    /// Listens until told to stop.
    pub(in crate::notify) async fn run_telegram(
        self,
        notices: Arc<Notices>,
        mut stop: watch::Receiver<bool>,
    ) {
        let (Ok(Some(bot)), Ok(holder)) = (Telegram::of(&self.settings), lease_name()) else { return };
        let (mut position, mut pause) = (0, PAUSES.0);
        let mut ear =
            Ear { bot: Arc::new(bot), notices, strangers: Strangers::default(), replies: JoinSet::new() };
        while !*stop.borrow() {
            let asked = Instant::now();
            let next = tokio::select! {
                heard = self.hear(&ear.bot, &holder, position) => heard,
                _ = stop.changed() => break,
            };
            let wait = match next {
                // Nothing new, and at once: what was confirmed is handed out again.
                Ok(Some(heard)) if heard.is_empty() && asked.elapsed() < QUICK => QUICK,
                Ok(Some(heard)) => {
                    pause = PAUSES.0;
                    for one in heard {
                        if one.update >= position {
                            self.take_in(&mut ear, &one).await;
                            position = one.update + 1;
                        }
                    }
                    continue;
                }
                // Another node listens.
                Ok(None) => PAUSES.0 * 2,
                Err(trouble) => {
                    let (Trouble::Later { why, .. } | Trouble::Never { why }) = &trouble;
                    tracing::warn!("Could not listen to Telegram: {why}");
                    self.log_channel(CHANNEL, "", None, Happened::Failed, why).await;
                    pause = (pause * 2).min(PAUSES.1);
                    match trouble {
                        Trouble::Later { after: Some(after), .. } => as_duration(after).max(pause),
                        _ => pause,
                    }
                }
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => {}
            }
        }
        let last = async { while ear.replies.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_WORDS, last).await;
        // The next node need not wait.
        if let Ok(now) = self.now().await {
            let _ = self.store.listen(CHANNEL, &holder, now, Span::from_secs(0), position).await;
        }
    }

    /// Returns what people did, if it is for this node to hear it.
    async fn hear(
        &self,
        bot: &Telegram,
        holder: &str,
        position: i64,
    ) -> std::result::Result<Option<Vec<Heard>>, Trouble> {
        let now = self.now().await?;
        let Some(from) = self.store.listen(CHANNEL, holder, now, LEASE, position).await? else {
            return Ok(None);
        };
        let heard = bot.hear(from, WAIT).await?;
        Ok(Some(heard.into_iter().filter(|one| one.update >= from).collect()))
    }

    /// Does what somebody asks for, and has them told what came of it.
    async fn take_in(&self, ear: &mut Ear, heard: &Heard) {
        let account = &heard.account;
        if heard.said == Said::Other || !self.heeds(ear, account).await {
            return;
        }
        let reply = match &heard.said {
            Said::Other => return,
            Said::Elsewhere { id } => {
                let why = "a tap counts only in your own chat with the bot".into();
                let words = self.refuse(CHANNEL, account, None, &Refusal::Forbidden(why).into()).await;
                Reply::Tap(id.clone(), words)
            }
            Said::Tap { id, handle, message, words } => {
                let about = match self.about_tap(&ear.notices, CHANNEL, account, handle).await {
                    Ok(about) => about,
                    Err(error) => {
                        let words = self.refuse(CHANNEL, account, None, &error).await;
                        return ear.tell(account, Reply::Tap(id.clone(), words));
                    }
                };
                if matches!(about.step, Step::Worded(_) | Step::Guide) {
                    self.tapped_for_words(about, words.as_deref(), id, message).await
                } else {
                    let words = self.tapped(&ear.bot, account, about, message).await;
                    Reply::Tap(id.clone(), words.unwrap_or_else(|| "Tap again to confirm".into()))
                }
            }
            Said::Words { text, message, reply_to: Some(about) } if !text.starts_with('/') => {
                self.replied(account, about, message, text).await
            }
            Said::Words { text, .. } => Reply::Words(self.told(&ear.notices, account, text).await),
        };
        ear.tell(account, reply);
    }

    /// Returns whether to look at what an account did: always if somebody linked it, and else now and then.
    async fn heeds(&self, ear: &mut Ear, account: &str) -> bool {
        if matches!(self.person_of(CHANNEL, account).await, Ok(Some(_))) {
            return true;
        }
        let heed = ear.strangers.heed(account, Instant::now());
        if heed == Heed::First {
            let words = "an account that is not linked to anybody; it is heard a few times a minute";
            self.log_channel(CHANNEL, account, None, Happened::Refused, words).await;
        }
        heed != Heed::Enough
    }

    /// Takes a tap; returns what to say, or nothing where it takes another.
    async fn tapped(&self, bot: &Telegram, account: &str, about: Tapped, message: &str) -> Option<String> {
        let (controls, step) = (about.controls, about.step);
        let sent = self.arrived(about.sent, message).await;
        let person = about.person;
        let at = match step {
            Step::First(at) | Step::Sure(at) => at,
            Step::Back => {
                let _ = bot.set_keyboard(&sent, &keyboard(sent.id, &controls)).await;
                return Some("Nothing was sent".into());
            }
            // These are taken elsewhere.
            Step::Worded(_) | Step::Guide => usize::MAX,
        };
        let Some(button) = controls.buttons.get(at) else {
            return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
        };
        if button.consents && step == Step::First(at) {
            // What is consented to stands in the message; the second tap says that it was read.
            if let Err(Trouble::Later { why, .. } | Trouble::Never { why }) =
                bot.set_keyboard(&sent, &are_you_sure(sent.id, &controls, at)).await
            {
                return Some(format!("{why}. Nothing was sent"));
            }
            return None;
        }
        let Some(input) = button.act.answer(&about.decision) else {
            return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
        };
        let consents = consents_to_subject(&about.decision, &input.values, input.out.as_deref());
        let input = AnswerInput { seen: consents.then_some(true), ..input };
        let words = format!("{} (account {account}, message {message})", button.label);
        match self.give_answer(&person, &sent, &about.decision, input, &words).await {
            Ok(words) => Some(words),
            Err(error) => Some(self.refuse(CHANNEL, &person.name, Some(&sent), &error).await),
        }
    }

    /// Takes a code, or a wish to be unlinked.
    async fn told(&self, notices: &Notices, account: &str, text: &str) -> String {
        let text = text.trim();
        let code = ["/start ", "/link "].into_iter().find_map(|start| text.strip_prefix(start));
        let code = code.or(Some(text).filter(|text| !text.starts_with('/') && text.len() == 32));
        match code {
            _ if text == "/unlink" => self.take_unlink(CHANNEL, account).await,
            Some(code) => self.take_code(notices, CHANNEL, account, code).await,
            None => HELP.into(),
        }
    }
}

/// What listening takes.
pub(super) struct Ear {
    bot: Arc<Telegram>,
    notices: Arc<Notices>,
    strangers: Strangers,
    /// What is being said. One chat takes a message a second, and nobody else waits for that.
    replies: JoinSet<()>,
}

/// What somebody is told.
pub(super) enum Reply {
    /// About the tap of this id.
    Tap(String, String),
    /// About the tap of this id, and in place of the message that it stood under: its buttons are done with.
    Done(String, String, String),
    /// In a message.
    Words(String),
    /// In a message with buttons, in reply to one.
    Ask(String, String, Value),
}

impl Ear {
    fn tell(&mut self, account: &str, reply: Reply) {
        while self.replies.try_join_next().is_some() {}
        if self.replies.len() >= MOST_REPLIES {
            tracing::warn!("Too much to say on Telegram at once: an account is not told what came of it");
            return;
        }
        let (bot, account) = (Arc::clone(&self.bot), account.to_owned());
        self.replies.spawn(async move {
            let told = match &reply {
                Reply::Tap(id, words) => bot.answer_tap(id, words).await,
                Reply::Done(id, message, words) => match bot.answer_tap(id, words).await {
                    Ok(()) => bot.replace(&account, message, words).await,
                    failed => failed,
                },
                Reply::Words(words) => bot.say(&account, words, None).await,
                Reply::Ask(words, message, keyboard) => {
                    bot.ask(&account, words, Some(message), Some(keyboard)).await
                }
            };
            if let Err(Trouble::Later { why, .. } | Trouble::Never { why }) = told {
                tracing::warn!("Could not tell a Telegram account what came of it: {why}");
            }
        });
    }
}
