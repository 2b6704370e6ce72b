//! Answers of linked accounts, from any channel: what a tap or a reply is about, whether it counts, and its result.

use std::time::Duration;

use holdpoint_core::decision::refusing::is_only_yes;
use holdpoint_core::decision::{AnswerInput, fitting_option, opens_next};
use holdpoint_core::{Command, Decision, Field, Lane, Person, Refusal, Source, Span, Status};
use holdpoint_protocols::channel::{Controls, FirstTap, TapStep, outcome, read_handle};
use holdpoint_store::{Happened, TrackedMessage};

use super::combined_message::is_gathered;
use super::notices::OpenChannels;
use crate::auth::account_holder;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// How often to look up the message that is replied to, and how long to pause in between.
const TRIES: usize = 10;
const BETWEEN: Duration = Duration::from_millis(200);

/// How long the second tap may come after the first, and the answer of a form after it was opened.
pub(super) const SECOND_TAP: Span = Span::from_secs(5 * 60);
pub(super) const OPEN_FORM: Span = Span::from_secs(60 * 60);

/// What a tap refers to.
pub(super) struct TapContext {
    pub(super) person: Person,
    pub(super) sent: TrackedMessage,
    pub(super) decision: Decision,
    pub(super) controls: Controls,
    pub(super) step: TapStep,
}

/// What a reply to a message refers to.
pub(super) struct ReplyContext {
    pub(super) person: Person,
    pub(super) sent: TrackedMessage,
    pub(super) decision: Decision,
}

impl Engine {
    /// Returns what a tap refers to, if the message is the person's and still has that button.
    pub(super) async fn about_tap(
        &self,
        notices: &OpenChannels,
        channel: Lane,
        account: &str,
        handle: &str,
    ) -> Result<TapContext> {
        let person = self.linked(channel, account).await?;
        let (id, nonce, step) = read_handle(handle).ok_or_else(stale)?;
        let sent = self.store.sent(id).await?.filter(|sent| sent.channel == channel && sent.place == account);
        let sent = sent.ok_or_else(stale)?;
        let decision = self.decision_of(&person, &sent).await?;
        let controls = serde_json::from_str::<Controls>(&sent.controls).ok();
        // Someone who can write to the store must not turn a tap into another answer, or into one to another question.
        let is_ours = |controls: &Controls| {
            let proof =
                notices.links.as_ref().map(|links| links.prove_controls(&decision, &person.name, controls));
            matches!(proof, Some(Ok(proof)) if proof == nonce) && sent.digest == decision.digest
        };
        let controls = controls.filter(is_ours).ok_or_else(stale)?;
        let step = self.proven_step(notices, &controls, account, step).await?;
        Ok(TapContext { person, sent, decision, controls, step })
    }

    /// Checks that a second tap follows a first one. If that was too long ago, it is a first tap itself.
    async fn proven_step(
        &self,
        notices: &OpenChannels,
        controls: &Controls,
        account: &str,
        step: TapStep,
    ) -> Result<TapStep> {
        let TapStep::Sure(at, first) = step else { return Ok(step) };
        let links = notices.links.as_ref().ok_or_else(stale)?;
        if !links.has_tapped(&controls.nonce, account, at, first) {
            return Err(stale());
        }
        let is_late = self.now().await?.as_millis() > i64::from(first.until) * 1_000;
        Ok(if is_late { TapStep::First(at) } else { step })
    }

    /// Returns the proof that an account tapped a button, which its second tap brings along.
    pub(super) async fn first_tap(
        &self,
        notices: &OpenChannels,
        controls: &Controls,
        account: &str,
        (at, lasts): (usize, Span),
    ) -> Result<FirstTap> {
        let links = notices.links.as_ref().ok_or_else(stale)?;
        let now = self.now().await?;
        let until = now.checked_add(lasts).unwrap_or(now);
        Ok(links.prove_tap(&controls.nonce, account, at, until))
    }

    /// Returns the record of a tapped message. If the process that sent it ended before it knew that the message had
    /// arrived, the arrival is recorded, so that the message can be kept up to date.
    pub(super) async fn arrived(&self, sent: TrackedMessage, message: &str) -> TrackedMessage {
        let was_known = sent.message.is_some();
        let sent = TrackedMessage { message: Some(message.to_owned()), ..sent };
        if !was_known && let Err(error) = self.store.put_sent(&sent).await {
            tracing::warn!("Could not note that a message arrived: {error}");
        }
        sent
    }

    /// Returns the decision of a message, if it was sent to the person, they may still see it, and it is pending.
    async fn decision_of(&self, person: &Person, sent: &TrackedMessage) -> Result<Decision> {
        let decision = self.decision(sent.decision).await?;
        let caller = account_holder(person, sent);
        let theirs = decision.filter(|decision| sent.address == person.name && caller.may_read(decision));
        let decision = theirs.ok_or_else(stale)?;
        if decision.status == Status::Pending {
            Ok(decision)
        } else {
            Err(Refusal::Settled(Box::new(decision)).into())
        }
    }

    /// Returns the person who linked an account.
    pub(super) async fn linked(&self, channel: Lane, account: &str) -> Result<Person> {
        let person = self.person_of(channel, account).await?;
        let unknown = || Refusal::Forbidden("this account is not linked to anybody".into());
        Ok(person.ok_or_else(unknown)?)
    }

    /// Handles a reply to a message: as the answer if text can be one, otherwise as guidance. Returns the response.
    pub(super) async fn take_reply(&self, channel: Lane, account: &str, message: &str, text: &str) -> String {
        match self.about_reply(channel, account, message).await {
            Ok(replied) => self.take_words(&replied, text).await,
            Err(error) => self.refuse(channel, account, None, &error).await,
        }
    }

    /// Returns what a reply to a message refers to, if the message is the person's.
    pub(super) async fn about_reply(
        &self,
        channel: Lane,
        account: &str,
        message: &str,
    ) -> Result<ReplyContext> {
        let person = self.linked(channel, account).await?;
        let sent = self.replied_to(channel, account, message).await?.ok_or_else(stale)?;
        let decision = self.decision_of(&person, &sent).await?;
        Ok(ReplyContext { person, sent, decision })
    }

    /// Handles a text, and returns the response.
    pub(super) async fn take_words(&self, replied: &ReplyContext, text: &str) -> String {
        let ReplyContext { person, sent, decision } = replied;
        let words = Some(text.to_owned());
        let input = if is_open_question(decision) || !takes_guidance(decision) {
            AnswerInput { message: words, ..AnswerInput::default() }
        } else if means_yes(decision, text) {
            let why = "tap a button, or choose on the card: a reply in words is guidance, not a choice";
            let error = Refusal::Forbidden(why.into()).into();
            return self.refuse(sent.channel, &person.name, Some(sent), &error).await;
        } else {
            AnswerInput { guidance: words, ..AnswerInput::default() }
        };
        let message = sent.message.as_deref().unwrap_or_default();
        let note = format!("words (account {}, message {message})", sent.place);
        match self.give_answer(person, sent, decision, input, &note).await {
            Ok(words) => words,
            Err(error) => self.refuse(sent.channel, &person.name, Some(sent), &error).await,
        }
    }

    /// Returns the message that is replied to. A quick reply may arrive before the id of the message is recorded.
    async fn replied_to(
        &self,
        channel: Lane,
        account: &str,
        message: &str,
    ) -> Result<Option<TrackedMessage>> {
        for _ in 0..TRIES {
            let found = self.store.sent_at(channel, account, message).await?;
            if found.is_some() {
                // A message that stands for many decisions refers to none of them.
                return Ok(found.filter(|sent| !is_gathered(sent)));
            }
            tokio::time::sleep(BETWEEN).await;
        }
        Ok(None)
    }

    /// Answers in the name of the person who linked the account, and returns the response.
    pub(super) async fn give_answer(
        &self,
        person: &Person,
        sent: &TrackedMessage,
        decision: &Decision,
        input: AnswerInput,
        words: &str,
    ) -> Result<String> {
        let input = AnswerInput { digest: Some(sent.digest.clone()), ..input };
        let command = Command::Answer { id: decision.id, input: Box::new(input) };
        let done = self.submit_for(&account_holder(person, sent), command, None).await?;
        self.log_channel(sent.channel, &person.name, Some(decision.id), Happened::Taken, words).await;
        Ok(done.decision.as_deref().map_or_else(|| "Sent".into(), outcome))
    }

    /// Links an account by a code, and returns the response.
    pub(super) async fn take_code(
        &self,
        notices: &OpenChannels,
        channel: Lane,
        account: &str,
        code: &str,
    ) -> String {
        let Some(links) = &notices.links else { return "This server does not link accounts.".into() };
        match self.link_account(links, channel, account, code.trim()).await {
            Ok(name) => {
                self.log_channel(channel, &name, None, Happened::Linked, &format!("account {account}")).await;
                format!("Linked. Questions for {name} come here, and your answers here count as theirs.")
            }
            Err(error) => self.refuse(channel, account, None, &error).await,
        }
    }

    /// Unlinks an account, and returns the response.
    pub(super) async fn take_unlink(&self, channel: Lane, account: &str) -> String {
        let unlinked = async {
            let person = self.linked(channel, account).await?;
            self.set_account(&person.name, channel, None).await?;
            Ok::<_, Error>(person.name)
        };
        match unlinked.await {
            Ok(name) => {
                self.log_channel(channel, &name, None, Happened::Unlinked, &format!("account {account}"))
                    .await;
                "This account is no longer linked to anyone.".into()
            }
            Err(error) => self.refuse(channel, account, None, &error).await,
        }
    }

    /// Records a refusal, and returns the response.
    pub(super) async fn refuse(
        &self,
        channel: Lane,
        who: &str,
        sent: Option<&TrackedMessage>,
        error: &Error,
    ) -> String {
        let words = match error {
            Error::Refused(Refusal::Settled(settled)) => {
                format!("Already settled. {}", outcome(settled))
            }
            other => other.to_string(),
        };
        self.log_channel(channel, who, sent.map(|sent| sent.decision), Happened::Refused, &words).await;
        format!("{}. Nothing was sent.", capital(&words))
    }
}

/// Returns whether a text in reply is the answer itself.
pub(super) fn is_open_question(decision: &Decision) -> bool {
    let open = matches!(decision.fields.as_slice(), [field] if field.custom || !field.kind.is_pick());
    decision.source == Source::Question && open
}

/// Returns whether a text only names a choice that is no refusal, or says yes: as guidance it would mean the opposite.
pub(super) fn means_yes(decision: &Decision, text: &str) -> bool {
    // In addition to texts that read as a yes on a label.
    const YES: [&str; 6] = ["yep", "sure", "approved", "go ahead", "lgtm", "do it"];
    let plain = |text: &str| text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let said = plain(text);
    let mut options = decision.fields.iter().flat_map(Field::all_options);
    is_only_yes(text)
        || YES.contains(&said.as_str())
        || options
            .any(|option| !option.refuses && (plain(&option.label) == said || plain(&option.id) == said))
}

fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

pub(super) fn takes_guidance(decision: &Decision) -> bool {
    opens_next(decision) || fitting_option(decision).is_some()
}

/// Returns the error for a button or a message that is outdated or someone else's: which of the two is not revealed.
pub(super) fn stale() -> Error {
    Refusal::Forbidden(
        "this button or message is no longer valid: the question changed, or it is not yours".into(),
    )
    .into()
}
