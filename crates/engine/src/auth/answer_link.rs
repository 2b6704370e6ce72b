//! Links that give one answer: a button in a push message. Following one settles the decision with the answer that was
//! signed.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Command, Decision, Lane, Refusal, Span, Status};
use holdpoint_protocols::channel::{self, TapAction};
use holdpoint_store::{ChannelNote, Happened, SharedDecision};

use super::link::{Link, Links, follower};
use super::link_error::LinkError;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// After one invalid link, further ones are not recorded for this long.
const A_WHILE: Span = Span::from_secs(60);
/// How many of the latest notes about the channel are searched for a similar one.
const LOOKED_AT: usize = 50;

/// The result of following a link that gives an answer.
#[derive(Clone, Debug)]
pub struct LinkAnswer {
    /// The decision, as it is now.
    pub decision: Decision,
    /// Whether the same tap arrived before.
    pub replayed: bool,
}

impl LinkAnswer {
    /// Returns what the channel's log says: the label of what was tapped.
    pub(crate) fn describe(&self, act: &TapAction) -> String {
        let label = act.label(&self.decision).unwrap_or_default();
        if self.replayed { format!("{label} (again)") } else { label }
    }
}

impl Engine {
    /// Gives the answer of a link, once. It never consents to anything that must be seen first.
    pub async fn take_by_link(&self, links: &Links, text: &str) -> Result<LinkAnswer> {
        let (link, act) = match links.read_act(text, self.now().await?) {
            Ok(read) => read,
            Err(error) => {
                self.note_bad_link(error).await?;
                return Err(error.into());
            }
        };
        let taken = self.give(&link, &act).await;
        let (what, words) = match &taken {
            Ok(taken) => (Happened::Taken, taken.describe(&act)),
            Err(error) => (Happened::Refused, error.to_string()),
        };
        self.log_channel(Lane::Ntfy, &link.addressee, Some(link.decision), what, &words).await;
        taken
    }

    /// Records a link that was not made here, or has expired. Anyone can send one, so only the first within a while is
    /// recorded.
    async fn note_bad_link(&self, error: LinkError) -> Result<()> {
        if self.settings.ntfy.is_none() {
            return Ok(());
        }
        let (now, words) = (self.now().await?, error.to_string());
        let is_same = |note: &ChannelNote| {
            note.what == Happened::Refused && note.words == words && now.since(note.at) < A_WHILE
        };
        if !self.store.notes(Some(Lane::Ntfy), LOOKED_AT).await?.iter().any(is_same) {
            self.log_channel(Lane::Ntfy, "", None, Happened::Refused, &words).await;
        }
        Ok(())
    }

    async fn give(&self, link: &Link, act: &TapAction) -> Result<LinkAnswer> {
        let person = self.addressee(&link.addressee, link.issued).await?;
        let caller = follower(&person, Lane::Ntfy.name());
        let decision = self.decision(link.decision).await?.filter(|decision| caller.may_read(decision));
        let decision = decision.ok_or(LinkError::Unknown)?;
        if decision.status != Status::Pending {
            return replay(&link.addressee, act, decision);
        }
        if decision.digest != link.digest {
            return Err(LinkError::Changed.into());
        }
        let command = unseen_answer(&decision, act, &link.digest)?;
        match self.submit_with(&caller, command, None, Some(link.as_use())).await {
            Ok(outcome) => {
                let decision = outcome.decision.map_or(decision, SharedDecision::into_decision);
                Ok(LinkAnswer { decision, replayed: outcome.replayed })
            }
            // The same tap arrived twice at once, or another answer was first.
            Err(Error::Refused(Refusal::LinkUsed { .. } | Refusal::Settled(_))) => {
                let settled = self.decision(link.decision).await?.ok_or(LinkError::Unknown)?;
                replay(&link.addressee, act, settled)
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns the command that gives the answer of a person who was shown a digest of the question, but not its subject:
/// no such answer consents.
pub(crate) fn unseen_answer(decision: &Decision, act: &TapAction, digest: &str) -> Result<Command> {
    let offered = channel::controls(decision);
    let control = offered.iter().find(|control| control.act == *act && !control.consents);
    let input = control.and_then(|control| control.act.answer(decision));
    let input = input.ok_or_else(|| Refusal::Forbidden("open the card to answer this".into()))?;
    let input = AnswerInput { digest: Some(digest.to_owned()), ..input };
    Ok(Command::Answer { id: decision.id, input: Box::new(input) })
}

/// Returns the outcome of a tap on a settled decision: a repeated tap succeeds without a change, a late one is told the
/// decision.
pub(crate) fn replay(by: &str, act: &TapAction, settled: Decision) -> Result<LinkAnswer> {
    let own = settled.answer.as_ref().is_some_and(|answer| answer.by == by);
    if own && act.is_answer_of(&settled) {
        return Ok(LinkAnswer { decision: settled, replayed: true });
    }
    Err(Refusal::Settled(Box::new(settled)).into())
}
