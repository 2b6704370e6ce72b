//! Reading with a caller's permissions: what they may not see does not exist for them.

use holdpoint_core::{Decision, DecisionId, Refusal, Role, rule, text};
use holdpoint_store::Logged;
use serde_json::{Map, Value};

use super::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::event_view;

/// How many candidates are shown if several match.
const SHOWN: usize = 8;
/// How many ids with a prefix are checked for a caller who may not see all of them.
const LOOKED_AT: usize = 256;

impl Engine {
    /// Returns a decision in its current state, if the caller may read it; with a draft only for callers who may see
    /// one.
    pub async fn decision_for(&self, caller: &Caller, id: DecisionId) -> Result<Option<Decision>> {
        let decision = self.decision(id).await?.filter(|decision| caller.may_read(decision));
        Ok(decision.map(|decision| caller.visible(decision)))
    }

    /// Finds the one decision that a typed id or prefix names, among those the caller may read.
    pub async fn find_for(&self, caller: &Caller, typed: &str) -> Result<Decision> {
        let missing = || Error::NotFound(text::inert_line(typed));
        if let Ok(id) = typed.parse() {
            return self.decision_for(caller, id).await?.ok_or_else(missing);
        }
        let prefix =
            DecisionId::normalise_prefix(typed).filter(|prefix| !prefix.is_empty()).ok_or_else(missing)?;
        let limit = if caller.sees_all() { SHOWN + 1 } else { LOOKED_AT + 1 };
        let ids = self.store.find(&prefix, limit).await?;
        let mut more = ids.len() == limit;
        let mut candidates = Vec::new();
        for id in ids {
            candidates.extend(self.decision_for(caller, id).await?);
            if candidates.len() > SHOWN {
                more = true;
                break;
            }
        }
        if !more && candidates.len() < 2 {
            return candidates.pop().ok_or_else(missing);
        }
        candidates.truncate(SHOWN);
        Err(Error::Ambiguous { prefix, candidates, more })
    }

    /// Refuses a position that is not in the log: it was read from another log, or from this one before it was restored
    /// from a backup.
    pub async fn check_place(&self, after: i64) -> Result<()> {
        let end = if after > 0 { self.store.head().await?.seq } else { 0 };
        if (0..=end).contains(&after) {
            return Ok(());
        }
        let end = self.store.head().await?.seq;
        Err(Refusal::invalid("after", format!("{after} is not a position in this log, which ends at {end}"))
            .into())
    }

    /// Returns an event as the caller may see it, if they may see it at all.
    pub async fn event_for(&self, caller: &Caller, logged: &Logged) -> Result<Option<Map<String, Value>>> {
        let body = logged.body.as_ref();
        let text = |key: &str| body.and_then(|body| body.get(key)?.as_str());
        let about_credentials = ["token:", "person:", "group:", "absence:", "auth:"]
            .iter()
            .any(|start| logged.tag.starts_with(start));
        if about_credentials && caller.administers().is_err() {
            return Ok(None);
        }
        // Rules are for people: no program may learn from them how to ask.
        if ["rule:", "policy:"].iter().any(|start| logged.tag.starts_with(start))
            && rule::may_manage(&caller.actor).is_err()
        {
            return Ok(None);
        }
        if logged.tag == "decision:remarked" && caller.actor.is_program() {
            return Ok(None);
        }
        let show = || {
            let mut shown = event_view::view(logged);
            if caller.actor.is_program() {
                event_view::keep_from_programs(&mut shown);
            }
            shown
        };
        if caller.sees_all() || about_credentials {
            return Ok(Some(show()));
        }
        if !text("project").is_some_and(|project| caller.may_use(project)) {
            return Ok(None);
        }
        if caller.actor.role != Some(Role::Agent) {
            return Ok(Some(show()));
        }
        let about =
            text("decision_id").or_else(|| text("id").filter(|_| logged.tag.starts_with("decision:")));
        let Some(id) = about.and_then(|id| id.parse().ok()) else { return Ok(None) };
        if logged.tag == "decision:drafted" || self.decision_for(caller, id).await?.is_none() {
            return Ok(None);
        }
        let mut shown = show();
        shown.remove("draft");
        // Group membership is for people.
        for name in ["groups", "told", "assigned"] {
            shown.remove(name);
        }
        Ok(Some(shown))
    }
}

impl Caller {
    /// Returns whether nothing but drafts is hidden from the caller.
    pub(crate) fn sees_all(&self) -> bool {
        self.actor.role.is_none() || (self.projects.is_empty() && self.actor.role != Some(Role::Agent))
    }
}
