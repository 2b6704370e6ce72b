//! Answers given on a notification: by the person who is signed in there, and never a consent to what it does not show.

use holdpoint_core::{Actor, Decision, DecisionId, Lane, Refusal, Status};
use holdpoint_protocols::channel::TapAction;
use holdpoint_store::{Happened, SharedDecision};
use serde::{Deserialize, Serialize};

use crate::auth::{Caller, LinkAnswer, replay, unseen_answer};
use crate::engine::Engine;
use crate::error::{Error, Result};

/// A button of a notification that was pressed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NoticeAnswer {
    /// The decision that it was about.
    pub decision: DecisionId,
    /// The digest of what it showed.
    pub digest: String,
    /// What the button stood for, as the notification had it.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub act: TapAction,
}

impl Engine {
    /// Gives the answer of a button, once. It never consents to anything that must be seen first.
    pub async fn answer_notice(&self, caller: &Caller, pressed: &NoticeAnswer) -> Result<LinkAnswer> {
        let person = self.signed_in(caller).await?;
        let actor = Actor { via: Lane::Webpush.name().into(), ..caller.actor.clone() };
        let caller = Caller { actor, projects: caller.projects.clone() };
        let taken = self.give_on_notice(&caller, pressed).await;
        let (what, words) = match &taken {
            Ok(taken) => (Happened::Taken, taken.describe(&pressed.act)),
            Err(error) => (Happened::Refused, error.to_string()),
        };
        self.log_channel(Lane::Webpush, &person.name, Some(pressed.decision), what, &words).await;
        taken
    }

    async fn give_on_notice(&self, caller: &Caller, pressed: &NoticeAnswer) -> Result<LinkAnswer> {
        let id = pressed.decision;
        let missing = || Refusal::NotFound { what: "decision", id: id.to_string() };
        let decision = self.decision(id).await?.filter(|decision| caller.may_read(decision));
        let decision = decision.ok_or_else(missing)?;
        let own = |settled: Decision| replay(&caller.actor.by, &pressed.act, settled);
        if decision.status != Status::Pending {
            return own(decision);
        }
        let command = unseen_answer(&decision, &pressed.act, &pressed.digest)?;
        match self.submit_for(caller, command, None).await {
            Ok(done) => Ok(LinkAnswer {
                decision: done.decision.map_or(decision, SharedDecision::into_decision),
                replayed: done.replayed,
            }),
            // The same press arrived twice at once, or another answer was first.
            Err(Error::Refused(Refusal::Settled(settled))) => own(*settled),
            Err(error) => Err(error),
        }
    }
}
