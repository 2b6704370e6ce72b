//! The standing rules of a project, read from the log outside a batch: for people who look at them.

use holdpoint_core::RuleSet;

use crate::history;
use crate::plan::{of_rule, of_rules};
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
