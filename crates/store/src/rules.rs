//! The standing rules and policies of a project, and the groups of people, read from the log outside a batch, for
//! display.

use holdpoint_core::RuleSet;
use holdpoint_core::people::Roster;

use crate::plan::{ROSTER, of_rule, of_rules};
use crate::{Error, LogRow, Result, Store};
use crate::{history, in_log};

/// Reads the rules of a project.
///
/// # Errors
/// Fails if the log cannot be read, or is not as recorded.
pub async fn rules(store: &dyn Store, project: &str) -> Result<RuleSet> {
    let links = proven(store, &of_rules(project)).await?;
    let mut rules = RuleSet::default();
    for (_, event, _) in history::events(&links, None).map_err(Error::Corrupt)? {
        rules.apply(&event);
    }
    Ok(rules)
}

/// Returns how often a rule with limited uses has answered.
///
/// # Errors
/// Fails if the log cannot be read.
pub async fn rule_uses(store: &dyn Store, id: &str) -> Result<u64> {
    let used = store.stream(&of_rule(id), 0).await?.last().map_or(0, |link| link.version);
    Ok(u64::try_from(used).unwrap_or_default())
}

/// Reads the groups of people.
///
/// # Errors
/// Fails if the log cannot be read, or is not as recorded.
pub async fn roster(store: &dyn Store) -> Result<Roster> {
    let links = proven(store, ROSTER).await?;
    let mut roster = Roster::default();
    for (_, event, _) in history::events(&links, None).map_err(Error::Corrupt)? {
        roster.apply(&event);
    }
    Ok(roster)
}

/// Reads a stream; where callers are authenticated, keys must vouch for it.
async fn proven(store: &dyn Store, stream: &str) -> Result<Vec<LogRow>> {
    let links = store.stream(stream, 0).await?;
    if !store.vouching().is_strict() || in_log::are_proven(store, &links).await? {
        return Ok(links);
    }
    Err(Error::Corrupt(format!("nobody answers for an event of {stream}; see hold audit verify")))
}
