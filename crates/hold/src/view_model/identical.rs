//! Identical questions, shown as one.

use holdpoint_core::text::MAX_SAME;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::{AnsweredSame, Client, Error, ListQuery};

use super::span;

/// How many pending decisions are searched.
pub(super) const LOOKED_AT: usize = 1_000;
/// How many askers are named.
const NAMED: usize = 2;

/// Finds the pending decisions that ask the same as one, oldest first.
pub(crate) async fn of(client: &dyn Client, decision: &Decision) -> Result<Vec<Decision>, Error> {
    let query = ListQuery {
        project: Some(decision.project.clone()),
        statuses: vec![Status::Pending],
        source: Some(decision.source),
        digest: Some(decision.digest.clone()),
        limit: LOOKED_AT,
        ..ListQuery::default()
    };
    let mut found = client.list(&query).await?.items;
    found.retain(|other| decision.asks_same(other));
    found.truncate(MAX_SAME);
    Ok(found)
}

/// A decision, and the others that ask the same.
#[derive(Clone, Debug)]
pub(crate) struct IdenticalGroup {
    /// The decision that represents the group.
    pub(crate) decision: Decision,
    pub(crate) others: Vec<Decision>,
}

/// Groups decisions that ask the same, at the place of the first.
pub(crate) fn group(decisions: Vec<Decision>) -> Vec<IdenticalGroup> {
    let mut groups: Vec<IdenticalGroup> = Vec::with_capacity(decisions.len());
    let mut known: std::collections::HashMap<(String, String), Vec<usize>> = std::collections::HashMap::new();
    for decision in decisions {
        let places = known.entry((decision.project.clone(), decision.digest.clone())).or_default();
        let same = places
            .iter()
            .copied()
            .find(|at| groups[*at].others.len() < MAX_SAME && groups[*at].decision.asks_same(&decision));
        if let Some(at) = same {
            groups[at].others.push(decision);
        } else {
            places.push(groups.len());
            groups.push(IdenticalGroup { decision, others: Vec::new() });
        }
    }
    groups
}

/// Names the askers: the first few, and how many more.
pub(crate) fn askers(decision: &Decision, others: &[Decision]) -> Option<String> {
    let mut askers: Vec<String> = Vec::new();
    for asker in
        std::iter::once(decision).chain(others).filter_map(Decision::asker).map(|asker| asker.brief())
    {
        if !askers.contains(&asker) {
            askers.push(asker);
        }
    }
    let rest = askers.len().saturating_sub(NAMED);
    askers.truncate(NAMED);
    match (askers.as_slice(), rest) {
        ([], _) => None,
        ([one], _) => Some(one.clone()),
        ([first, second], 0) => Some(format!("{first} and {second}")),
        (named, rest) => Some(format!("{} and {rest} more", named.join(", "))),
    }
}

/// Describes how often something is asked, by whom, and since when; none if it is asked once.
pub(crate) fn same_question_note(decision: &Decision, others: &[Decision], now: Timestamp) -> Option<String> {
    if others.is_empty() {
        return None;
    }
    let all = || std::iter::once(decision).chain(others);
    let by = askers(decision, others).map(|askers| format!(", by {askers}")).unwrap_or_default();
    let oldest = all().map(|one| one.created_at).min().unwrap_or(decision.created_at);
    Some(format!(
        "asked {} times{by}, first {} ago",
        others.len() + 1,
        span::spelled_out(now.since(oldest).as_millis())
    ))
}

/// Describes what an answer did for those that asked the same; none if there were none.
pub(crate) fn outcome(same: &[AnsweredSame]) -> Option<String> {
    let answered = same.iter().filter(|one| one.refused.is_none()).count();
    let left: Vec<String> = same
        .iter()
        .filter_map(|one| one.refused.as_ref().map(|why| format!("{} was not answered: {why}", one.id)))
        .collect();
    let told = match answered {
        0 => None,
        1 => Some("Also answered 1 identical request".to_owned()),
        many => Some(format!("Also answered {many} identical requests")),
    };
    let all: Vec<String> = told.into_iter().chain(left).collect();
    (!all.is_empty()).then(|| all.join("; "))
}
