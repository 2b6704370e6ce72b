//! Listening to Telegram: taps and replies of linked accounts become answers, codes link accounts. One node listens at
//! a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Lane, Refusal, Span};
use holdpoint_protocols::channel::TapStep;
use holdpoint_protocols::telegram::{ActionKind, TelegramAction, are_you_sure, keyboard};
use holdpoint_store::Happened;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::channel::Telegram;
use super::strangers::{UnlinkedAccounts, UnlinkedAction};
use crate::engine::Engine;
use crate::notify::answers::{SECOND_TAP, TapContext, stale};
use crate::notify::channel::DeliveryError;
use crate::notify::channel_settings::as_duration;
use crate::notify::drain::lease_name;
use crate::notify::notices::OpenChannels;

const CHANNEL: Lane = Lane::Telegram;
/// How long a node that has stopped renewing its lease keeps others from listening.
const LEASE: Span = Span::from_secs(60);
/// How long one request waits for an event.
const WAIT: Duration = Duration::from_secs(25);
/// How long to wait before the next try, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// The least pause between requests that return at once.
const QUICK: Duration = Duration::from_millis(200);
/// The most pending replies, and how long sending them may take when the server stops.
const MOST_REPLIES: usize = 256;
const LAST_WORDS: Duration = Duration::from_secs(3);

const HELP: &str = "This bot brings decisions of Holdpoint to people whose account is linked. An admin makes a code with \
                    `hold person link NAME telegram`; send it here.";

impl Engine {
    /// Listens until told to stop.
    pub(in crate::notify) async fn run_telegram(
        self,
        notices: Arc<OpenChannels>,
        mut stop: watch::Receiver<bool>,
    ) {
        let (Some(bot), Ok(holder)) = (notices.telegram.clone(), lease_name()) else { return };
        let (mut position, mut pause) = (0, PAUSES.0);
        let mut failing = self.last_failure(CHANNEL).await.is_some();
        let mut listener =
            Listener { bot, notices, strangers: UnlinkedAccounts::default(), replies: JoinSet::new() };
        while !*stop.borrow() {
            let asked = Instant::now();
            // After a failure, one that waits for nothing tells at once whether it is over.
            let wait = if failing { Duration::ZERO } else { WAIT };
            let next = tokio::select! {
                heard = self.hear(&listener.bot, &holder, position, wait) => heard,
                _ = stop.changed() => break,
            };
            if failing && matches!(next, Ok(Some(_))) {
                failing = false;
                self.log_channel(CHANNEL, "", None, Happened::Connected, "").await;
            }
            let wait = match next {
                // An empty response without waiting: confirmed events are being returned again.
                Ok(Some(heard)) if heard.is_empty() && asked.elapsed() < QUICK => QUICK,
                Ok(Some(heard)) => {
                    pause = PAUSES.0;
                    for one in heard {
                        if one.update >= position {
                            self.take_in(&mut listener, &one).await;
                            position = one.update + 1;
                        }
                    }
                    continue;
                }
                // Another node listens.
                Ok(None) => PAUSES.0 * 2,
                Err(trouble) => {
                    let (DeliveryError::Later { why, .. } | DeliveryError::Never { why }) = &trouble;
                    tracing::warn!("Could not listen to Telegram: {why}");
                    self.log_channel(CHANNEL, "", None, Happened::Failed, why).await;
                    failing = true;
                    pause = (pause * 2).min(PAUSES.1);
                    match trouble {
                        DeliveryError::Later { after: Some(after), .. } => as_duration(after).max(pause),
                        _ => pause,
                    }
                }
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => {}
            }
        }
        let last = async { while listener.replies.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_WORDS, last).await;
        // The next node need not wait for the lease to end.
        if let Ok(now) = self.now().await {
            let _ = self.store.listen(CHANNEL, &holder, now, Span::from_secs(0), position).await;
        }
    }

    /// Returns the actions of people, if this node may listen.
    async fn hear(
        &self,
        bot: &Telegram,
        holder: &str,
        position: i64,
        wait: Duration,
    ) -> std::result::Result<Option<Vec<TelegramAction>>, DeliveryError> {
        let now = self.now().await?;
        let Some(from) = self.store.listen(CHANNEL, holder, now, LEASE, position).await? else {
            return Ok(None);
        };
        let heard = bot.poll_updates(from, wait).await?;
        Ok(Some(heard.into_iter().filter(|one| one.update >= from).collect()))
    }

    /// Carries out an action of a person, and reports the outcome to them.
    async fn take_in(&self, listener: &mut Listener, heard: &TelegramAction) {
        let account = &heard.account;
        if heard.said == ActionKind::Other {
            return;
        }
        let action = if self.is_linked(account).await {
            UnlinkedAction::Again
        } else {
            listener.strangers.record(account, Instant::now())
        };
        if action != UnlinkedAction::Enough {
            self.take_from_telegram(listener, heard).await;
        }
        // What they sent may have been the code that links them.
        if action == UnlinkedAction::First && !self.is_linked(account).await {
            let words = "an account that is not linked to anybody; its messages are rate-limited";
            self.log_channel(CHANNEL, account, None, Happened::Refused, words).await;
        }
    }

    async fn is_linked(&self, account: &str) -> bool {
        matches!(self.person_of(CHANNEL, account).await, Ok(Some(_)))
    }

    async fn take_from_telegram(&self, listener: &mut Listener, heard: &TelegramAction) {
        let account = &heard.account;
        let reply = match &heard.said {
            ActionKind::Other => return,
            ActionKind::Elsewhere { id } => {
                let why = "a tap counts only in your own chat with the bot".into();
                let words = self.refuse(CHANNEL, account, None, &Refusal::Forbidden(why).into()).await;
                BotReply::Tap(id.clone(), words)
            }
            ActionKind::Tap { id, handle, message, words } => {
                match self.about_tap(&listener.notices, CHANNEL, account, handle).await {
                    Err(error) => {
                        BotReply::Tap(id.clone(), self.refuse(CHANNEL, account, None, &error).await)
                    }
                    Ok(about) if matches!(about.step, TapStep::Worded(_) | TapStep::Guide) => {
                        self.tapped_for_words(about, words.as_deref(), id, message).await
                    }
                    Ok(about) => {
                        let words = self.tapped(listener, account, about, message).await;
                        BotReply::Tap(id.clone(), words.unwrap_or_else(|| "Tap again to confirm".into()))
                    }
                }
            }
            ActionKind::Words { text, message, reply_to: Some(about) } if !text.starts_with('/') => {
                self.replied(account, about, message, text).await
            }
            ActionKind::Words { text, .. } => {
                BotReply::Words(self.handle_code(&listener.notices, account, text).await)
            }
        };
        listener.tell(account, reply);
        if let ActionKind::Tap { handle, message, .. } = &heard.said {
            listener.follow_copy(self, account, handle, message);
        }
    }

    /// Handles a tap; returns the response, or none if another tap is expected.
    async fn tapped(
        &self,
        listener: &Listener,
        account: &str,
        about: TapContext,
        message: &str,
    ) -> Option<String> {
        let (bot, controls, step) = (&listener.bot, about.controls, about.step);
        let sent = self.arrived(about.sent, message).await;
        let person = about.person;
        let at = match step {
            TapStep::First(at) | TapStep::Sure(at, _) => at,
            TapStep::Back => {
                let _ = bot.set_keyboard(&sent, &keyboard(sent.id, &controls)).await;
                return Some("Nothing was sent".into());
            }
            // These are handled elsewhere.
            TapStep::Worded(_) | TapStep::Guide => usize::MAX,
        };
        let Some(button) = controls.buttons.get(at) else {
            return Some(self.refuse(CHANNEL, account, Some(&sent), &stale()).await);
        };
        if button.consents && step == TapStep::First(at) {
            // The message contains what the person consents to; the second tap confirms that they read it.
            let first = match self.first_tap(&listener.notices, &controls, account, (at, SECOND_TAP)).await {
                Ok(first) => first,
                Err(error) => return Some(self.refuse(CHANNEL, &person.name, Some(&sent), &error).await),
            };
            if let Err(DeliveryError::Later { why, .. } | DeliveryError::Never { why }) =
                bot.set_keyboard(&sent, &are_you_sure(sent.id, &controls, at, first)).await
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

    /// Handles a code, or a request to unlink.
    async fn handle_code(&self, notices: &OpenChannels, account: &str, text: &str) -> String {
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
pub(super) struct Listener {
    bot: Arc<Telegram>,
    notices: Arc<OpenChannels>,
    strangers: UnlinkedAccounts,
    /// The replies being sent. A chat accepts one message a second, and no other chat waits for that.
    replies: JoinSet<()>,
}

/// A reply to a person.
pub(super) enum BotReply {
    /// To the tap with this id.
    Tap(String, String),
    /// To the tap with this id, replacing the message with its buttons.
    Done(String, String, String),
    /// As a message.
    Words(String),
    /// As a message with buttons, in reply to another.
    Ask(String, String, Value),
}

impl Listener {
    /// Returns whether another reply may be sent at once.
    fn has_room(&mut self) -> bool {
        while self.replies.try_join_next().is_some() {}
        let has_room = self.replies.len() < MOST_REPLIES;
        if !has_room {
            tracing::warn!("Too many Telegram messages at once: an account is not told the outcome");
        }
        has_room
    }

    /// Brings the tapped message up to date, if it is not the one that is recorded.
    fn follow_copy(&mut self, engine: &Engine, account: &str, handle: &str, message: &str) {
        if !self.has_room() {
            return;
        }
        let (engine, bot, notices) = (engine.clone(), Arc::clone(&self.bot), Arc::clone(&self.notices));
        let (account, handle, message) = (account.to_owned(), handle.to_owned(), message.to_owned());
        self.replies.spawn(async move {
            let tapped = (account.as_str(), handle.as_str(), message.as_str());
            if let Err(trouble) = engine.follow_copy(&notices, bot.as_ref(), tapped).await {
                tracing::warn!("Could not update a copy of a message: {}", trouble.why());
            }
        });
    }

    fn tell(&mut self, account: &str, reply: BotReply) {
        if !self.has_room() {
            return;
        }
        let (bot, account) = (Arc::clone(&self.bot), account.to_owned());
        self.replies.spawn(async move {
            let told = match &reply {
                BotReply::Tap(id, words) => bot.answer_tap(id, words).await,
                BotReply::Done(id, message, words) => match bot.answer_tap(id, words).await {
                    Ok(()) => bot.replace(&account, message, words).await,
                    failed => failed,
                },
                BotReply::Words(words) => bot.say(&account, words, None).await,
                BotReply::Ask(words, message, keyboard) => {
                    bot.ask(&account, words, Some(message), Some(keyboard)).await
                }
            };
            if let Err(DeliveryError::Later { why, .. } | DeliveryError::Never { why }) = told {
                tracing::warn!("Could not tell a Telegram account the outcome: {why}");
            }
        });
    }
}
