//! The standing rules and policies of a project, and the groups of people, read from the log outside a batch: for people who look at them.

use holdpoint_core::RuleSet;
use holdpoint_core::people::Roster;

use crate::history;
use crate::plan::{ROSTER, of_rule, of_rules};
use crate::{Error, Result, Store};

/// Reads the rules of a project.
///
/// # Errors
/// The log cannot be read, or is not what was recorded.
pub async fn rules(store: &dyn Store, project: &str) -> Result<RuleSet> {
    let links = store.stream(&of_rules(project), 0).await?;
    let mut rules = RuleSet::default();
    for (_, event, _) in history::events(&links, None).map_err(Error::Corrupt)? {
        rules.apply(&event);
    }
    Ok(rules)
}

/// Returns how often a rule that may answer only so often has answered.
///
/// # Errors
/// The log cannot be read.
pub async fn rule_uses(store: &dyn Store, id: &str) -> Result<u64> {
    let used = store.stream(&of_rule(id), 0).await?.last().map_or(0, |link| link.version);
    Ok(u64::try_from(used).unwrap_or_default())
}

/// Reads the groups of people.
///
/// # Errors
/// The log cannot be read, or is not what was recorded.
pub async fn roster(store: &dyn Store) -> Result<Roster> {
    let links = store.stream(ROSTER, 0).await?;
    let mut roster = Roster::default();
    for (_, event, _) in history::events(&links, None).map_err(Error::Corrupt)? {
        roster.apply(&event);
    }
    Ok(roster)
}
