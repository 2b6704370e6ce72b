//! One answer to several decisions that were shown to a person as one ask.

use std::collections::BTreeSet;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Command, Decision, DecisionId, Refusal, Status};
use holdpoint_store::Outcome;

use crate::auth::Caller;
use crate::client::AnsweredSame;
use crate::engine::Engine;
use crate::error::{Error, Result};

impl Engine {
    /// Answers a decision and, in the same transaction, those of the others that still ask the same. Each answer is
    /// bound by the same digest to what the person saw, so a decision that is revised meanwhile is left alone.
    pub(crate) async fn answer_same(
        &self,
        caller: &Caller,
        id: DecisionId,
        mut input: AnswerInput,
    ) -> Result<(Outcome, Vec<AnsweredSame>)> {
        input.check_same()?;
        let others: BTreeSet<DecisionId> =
            std::mem::take(&mut input.same).into_iter().filter(|other| *other != id).collect();
        let first = self.decision_for(caller, id).await?.ok_or_else(|| Error::NotFound(id.to_string()))?;
        // Without a digest, the person was shown the current version.
        input.digest.get_or_insert_with(|| first.digest.clone());
        // A request that is repeated because its response was lost gets the same response.
        let is_again = |other: &Decision| {
            let is_settled = |decision: &Decision| decision.status != Status::Pending;
            is_settled(&first) && is_settled(other) && first.digest == other.digest
        };
        let (mut commands, mut reports) = (vec![answer(id, &input)], Vec::new());
        for other in others {
            let refused = match self.decision_for(caller, other).await {
                Ok(Some(decision)) if first.asks_same(&decision) || is_again(&decision) => None,
                Ok(Some(_)) => Some("it no longer asks the same, or is settled".to_owned()),
                Ok(None) => Some("there is no such decision".to_owned()),
                Err(Error::Refused(refusal)) => Some(refusal.to_string()),
                Err(error) => return Err(error),
            };
            if refused.is_none() {
                commands.push(answer(other, &input));
            }
            reports.push(AnsweredSame { id: other, refused });
        }
        let mut outcomes = self.submit_all_for(caller, commands).await?.into_iter();
        let outcome = outcomes.next().ok_or_else(|| Error::NotFound(id.to_string()))??;
        for (report, outcome) in reports.iter_mut().filter(|report| report.refused.is_none()).zip(outcomes) {
            match outcome {
                Ok(_) => {}
                Err(Error::Refused(refusal)) => report.refused = Some(why(&refusal)),
                Err(error) => return Err(error),
            }
        }
        Ok((outcome, reports))
    }
}

fn answer(id: DecisionId, input: &AnswerInput) -> Command {
    Command::Answer { id, input: Box::new(input.clone()) }
}

fn why(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Settled(_) => "somebody else answered first".to_owned(),
        other => other.to_string(),
    }
}
