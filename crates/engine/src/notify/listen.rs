//! Listening to Telegram: taps and replies of linked accounts become answers, codes link accounts. One node does so at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::{AnswerInput, consents_to_subject, fitting_option, opens_next};
use holdpoint_core::{Command, Decision, Lane, Person, Refusal, Source, Span, Status};
use holdpoint_protocols::channel::outcome;
use holdpoint_protocols::telegram::{Controls, Heard, Said, Step, are_you_sure, keyboard, read_handle};
use holdpoint_store::{Happened, Sent};
use tokio::sync::watch;

use super::drain::lease_name;
use super::telegram::Telegram;
use super::{Notices, Trouble, as_duration};
use crate::auth::account_holder;
use crate::engine::Engine;
use crate::error::{Error, Result};

const CHANNEL: Lane = Lane::Telegram;
/// How long a node that says nothing any more keeps others from listening.
const LEASE: Span = Span::from_secs(60);
/// How long one request waits for something to happen.
const WAIT: Duration = Duration::from_secs(25);
/// How long to wait before the next try, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// A request that waits for nothing is not made more often than this.
const QUICK: Duration = Duration::from_millis(200);
/// How often a message is looked for that somebody replies to.
const TRIES: usize = 10;

const HELP: &str = "This bot brings decisions of Holdpoint to people whose account is linked. An admin makes a code with \
                    `hold person link NAME telegram`; send it here.";

impl Engine {
    /// Listens until told to stop.
    pub(super) async fn run_telegram(self, notices: Arc<Notices>, mut stop: watch::Receiver<bool>) {
        let (Ok(Some(bot)), Ok(holder)) = (Telegram::of(&self.settings), lease_name()) else { return };
        let (mut position, mut pause) = (0, PAUSES.0);
        while !*stop.borrow() {
            let asked = Instant::now();
            let next = tokio::select! {
                heard = self.hear(&bot, &holder, position) => heard,
                _ = stop.changed() => break,
            };
            let wait = match next {
                // Nothing new, and at once: what was confirmed is handed out again.
                Ok(Some(heard)) if heard.is_empty() && asked.elapsed() < QUICK => QUICK,
                Ok(Some(heard)) => {
                    pause = PAUSES.0;
                    for one in heard {
                        if one.update >= position {
                            self.take_in(&notices, &bot, &one).await;
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
                    self.jot(CHANNEL, "", None, Happened::Failed, why).await;
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

    /// Does what somebody asks for, and tells them what came of it.
    async fn take_in(&self, notices: &Notices, bot: &Telegram, heard: &Heard) {
        let account = &heard.account;
        let told = match &heard.said {
            Said::Other => return,
            Said::Tap { id, handle, message } => {
                let words = self.tapped(notices, bot, account, handle, message).await;
                match words {
                    Some(words) => bot.answer_tap(id, &words).await,
                    None => bot.answer_tap(id, "Tap once more if you mean it").await,
                }
            }
            Said::Words { text, reply_to: Some(message) } if !text.starts_with('/') => {
                let words = self.replied(account, message, text).await;
                bot.say(account, &words, None).await
            }
            Said::Words { text, .. } => {
                let words = self.told(notices, account, text).await;
                bot.say(account, &words, None).await
            }
        };
        if let Err(Trouble::Later { why, .. } | Trouble::Never { why }) = told {
            tracing::warn!("Could not tell a Telegram account what came of it: {why}");
        }
    }

    /// Takes a tap; returns what to say, or nothing where it takes another.
    async fn tapped(
        &self,
        notices: &Notices,
        bot: &Telegram,
        account: &str,
        handle: &str,
        message: &str,
    ) -> Option<String> {
        let about = match self.about_tap(notices, account, handle).await {
            Ok(about) => about,
            Err(error) => return Some(self.refuse(account, None, &error).await),
        };
        let (controls, step) = (about.controls, about.step);
        // A copy that arrived although nobody was told so is as good.
        let sent = Sent { message: Some(message.to_owned()), ..about.sent };
        let person = about.person;
        let at = match step {
            Step::First(at) | Step::Sure(at) => at,
            Step::Back => {
                let _ = bot.set_keyboard(&sent, &keyboard(sent.id, &controls)).await;
                return Some("Nothing was sent".into());
            }
        };
        let Some(button) = controls.buttons.get(at) else {
            return Some(self.refuse(account, Some(&sent), &stale()).await);
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
            return Some(self.refuse(account, Some(&sent), &stale()).await);
        };
        let consents = consents_to_subject(&about.decision, &input.values, input.out.as_deref());
        let input = AnswerInput { seen: consents.then_some(true), ..input };
        let words = format!("{} (account {account}, message {message})", button.label);
        self.give_answer(&person, &sent, &about.decision, input, &words).await
    }

    /// Takes words in reply to a message: the answer where words are one, and guidance elsewhere.
    async fn replied(&self, account: &str, message: &str, text: &str) -> String {
        let found = async {
            let person = self.linked(account).await?;
            let sent = self.replied_to(account, message).await?.ok_or_else(stale)?;
            let decision = self.of(&person, &sent).await?;
            Ok::<_, Error>((person, sent, decision))
        };
        let (person, sent, decision) = match found.await {
            Ok(found) => found,
            Err(error) => return self.refuse(account, None, &error).await,
        };
        let words = Some(text.to_owned());
        let open = matches!(decision.fields.as_slice(), [field] if field.custom || !field.kind.is_pick());
        let input = if decision.source == Source::Question && open || !takes_guidance(&decision) {
            AnswerInput { message: words, ..AnswerInput::default() }
        } else {
            AnswerInput { guidance: words, ..AnswerInput::default() }
        };
        let note = format!("words (account {account}, message {message})");
        self.give_answer(&person, &sent, &decision, input, &note).await.unwrap_or_default()
    }

    /// Returns the message that somebody replies to. Who is quick may do so before its id is noted.
    async fn replied_to(&self, account: &str, message: &str) -> Result<Option<Sent>> {
        for _ in 0..TRIES {
            let found = self.store.sent_at(CHANNEL, account, message).await?;
            if found.is_some() {
                return Ok(found);
            }
            tokio::time::sleep(QUICK).await;
        }
        Ok(None)
    }

    /// Takes a code, or a wish to be unlinked.
    async fn told(&self, notices: &Notices, account: &str, text: &str) -> String {
        let text = text.trim();
        let code = ["/start ", "/link "].into_iter().find_map(|start| text.strip_prefix(start));
        let code = code.or(Some(text).filter(|text| !text.starts_with('/') && text.len() == 32));
        if text == "/unlink" {
            return match self.linked(account).await {
                Err(error) => self.refuse(account, None, &error).await,
                Ok(person) => match self.set_account(&person.name, CHANNEL, None).await {
                    Ok(()) => {
                        self.jot(CHANNEL, &person.name, None, Happened::Linked, "unlinked").await;
                        "This account answers for nobody any more.".into()
                    }
                    Err(error) => self.refuse(account, None, &error).await,
                },
            };
        }
        let (Some(code), Some(links)) = (code, &notices.links) else { return HELP.into() };
        match self.link_account(links, CHANNEL, account, code.trim()).await {
            Ok(name) => {
                self.jot(CHANNEL, &name, None, Happened::Linked, &format!("account {account}")).await;
                format!("Linked. What {name} is asked comes here, and what you answer here counts as theirs.")
            }
            Err(error) => self.refuse(account, None, &error).await,
        }
    }

    /// Returns what a tap is about, if it is theirs and stands in the message as it is now.
    async fn about_tap(&self, notices: &Notices, account: &str, handle: &str) -> Result<Tapped> {
        let person = self.linked(account).await?;
        let (id, nonce, step) = read_handle(handle).ok_or_else(stale)?;
        let sent = self.store.sent(id).await?.filter(|sent| sent.channel == CHANNEL && sent.place == account);
        let sent = sent.ok_or_else(stale)?;
        let decision = self.of(&person, &sent).await?;
        let controls = serde_json::from_str::<Controls>(&sent.controls).ok();
        // Whoever can write the store must not turn a tap into another answer, nor into one about something else.
        let is_ours = |controls: &Controls| {
            let proof =
                notices.links.as_ref().map(|links| links.prove_controls(&decision, &person.name, controls));
            matches!(proof, Some(Ok(proof)) if proof == nonce) && sent.digest == decision.digest
        };
        let controls = controls.filter(is_ours).ok_or_else(stale)?;
        Ok(Tapped { person, sent, decision, controls, step })
    }

    /// Returns the decision of a message, if it was sent to them, they may still see it, and it waits.
    async fn of(&self, person: &Person, sent: &Sent) -> Result<Decision> {
        let decision = self.decision(sent.decision).await?;
        let caller = account_holder(person, CHANNEL);
        let theirs = decision.filter(|decision| sent.address == person.name && caller.may_read(decision));
        let decision = theirs.ok_or_else(stale)?;
        if decision.status == Status::Pending {
            Ok(decision)
        } else {
            Err(Refusal::Settled(Box::new(decision)).into())
        }
    }

    async fn linked(&self, account: &str) -> Result<Person> {
        let person = self.person_of(CHANNEL, account).await?;
        let unknown = || Refusal::Forbidden("this account is not linked to anybody".into());
        Ok(person.ok_or_else(unknown)?)
    }

    /// Answers in the name of who linked the account, and returns what to say.
    async fn give_answer(
        &self,
        person: &Person,
        sent: &Sent,
        decision: &Decision,
        input: AnswerInput,
        words: &str,
    ) -> Option<String> {
        let input = AnswerInput { digest: Some(sent.digest.clone()), ..input };
        let command = Command::Answer { id: decision.id, input: Box::new(input) };
        match self.submit_for(&account_holder(person, CHANNEL), command, None).await {
            Ok(done) => {
                self.jot(CHANNEL, &person.name, Some(decision.id), Happened::Taken, words).await;
                let said = done.decision.as_ref().map(outcome);
                Some(said.unwrap_or_else(|| "Sent".into()))
            }
            Err(error) => Some(self.refuse(&person.name, Some(sent), &error).await),
        }
    }

    /// Notes that something was refused, and returns what to say.
    async fn refuse(&self, who: &str, sent: Option<&Sent>, error: &Error) -> String {
        let words = match error {
            Error::Refused(Refusal::Settled(settled)) => {
                format!("Already settled. {}", outcome(settled))
            }
            other => other.to_string(),
        };
        self.jot(CHANNEL, who, sent.map(|sent| sent.decision), Happened::Refused, &words).await;
        format!("{words}. Nothing was sent.")
    }
}

/// What a tap is about.
struct Tapped {
    person: Person,
    sent: Sent,
    decision: Decision,
    controls: Controls,
    step: Step,
}

fn takes_guidance(decision: &Decision) -> bool {
    opens_next(decision) || fitting_option(decision).is_some()
}

/// Says that a button or a message is not what it was, or not theirs: which of the two is nobody's business.
fn stale() -> Error {
    Refusal::Forbidden("this counts no more: what it stood for has changed, or is not for you".into()).into()
}
