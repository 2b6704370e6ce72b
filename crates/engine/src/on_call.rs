//! The group `oncall`, if a command of the settings defines its members.
//!
//! The server runs the command off the commit path, each minute. Its output becomes the group; if it fails, the group
//! stays as it was, and the log and the list of groups say so.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holdpoint_core::people::GroupChange;
use holdpoint_core::{Actor, Command, text};
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;
use crate::tools;

/// The group that a command fills.
pub(crate) const GROUP: &str = "oncall";
/// How often the command is run.
const EVERY: Duration = Duration::from_secs(60);
/// How many people it may name.
const MOST: usize = 100;

/// Why the command last failed, if it did.
#[derive(Clone, Debug, Default)]
pub(crate) struct OnCallState(Arc<Mutex<Option<String>>>);

impl OnCallState {
    /// Returns why the command last failed.
    pub(crate) fn problem(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, problem: Option<String>) -> Option<String> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), problem)
    }
}

impl Engine {
    /// Keeps the group `oncall` up to date with the command of the settings, until `stop` is set.
    pub async fn run_on_call(self, mut stop: watch::Receiver<bool>) {
        if self.settings.people.on_call.is_none() {
            return;
        }
        while !*stop.borrow() {
            if let Err(error) = self.refresh_on_call().await {
                tracing::warn!("Could not say who is on call: {error}");
            }
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Runs the command of the settings once, and sets the group to its output.
    pub async fn refresh_on_call(&self) -> Result<()> {
        let Some(command) = &self.settings.people.on_call else { return Ok(()) };
        let found = tools::run(command, &Map::new()).await;
        let named = match members(&found) {
            Ok(named) => named,
            Err(why) => {
                self.on_call_failed(&why);
                return Ok(());
            }
        };
        let known: BTreeSet<String> =
            self.store.people().await?.into_iter().map(|person| person.name).collect();
        let (members, strangers): (BTreeSet<String>, BTreeSet<String>) =
            named.into_iter().partition(|name| known.contains(name));
        if members.is_empty() {
            self.on_call_failed(&format!("it names nobody who is known here: {}", listed(&strangers)));
            return Ok(());
        }
        let before = holdpoint_store::roster(&*self.store).await?;
        let before: BTreeSet<String> = before
            .groups()
            .find(|group| group.name == GROUP)
            .map(|group| group.members)
            .into_iter()
            .flatten()
            .collect();
        let change = GroupChange {
            add: members.difference(&before).cloned().collect(),
            remove: before.difference(&members).cloned().collect(),
            delete: false,
        };
        if !change.add.is_empty() || !change.remove.is_empty() {
            let command = Command::Group { name: GROUP.to_owned(), change };
            self.submit(Actor { by: "system:oncall".into(), ..Actor::system() }, command).await?;
        }
        if strangers.is_empty() {
            if self.on_call.set(None).is_some() {
                tracing::info!("The command that says who is on call works again");
            }
        } else {
            self.on_call_failed(&format!("it names people who are not known here: {}", listed(&strangers)));
        }
        Ok(())
    }

    fn on_call_failed(&self, why: &str) {
        // Logged once, not each minute.
        if self.on_call.set(Some(why.to_owned())).as_deref() != Some(why) {
            tracing::warn!(
                "The command that says who is on call failed, and group:{GROUP} stays as it was: {why}"
            );
        }
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    if names.is_empty() {
        return "nobody".to_owned();
    }
    text::inert_line(&names.iter().take(5).cloned().collect::<Vec<_>>().join(", "))
}

/// Parses the output of the command: one name per line, or a JSON list of names.
fn members(found: &Value) -> std::result::Result<BTreeSet<String>, String> {
    if let Some(why) = found.get("error").and_then(Value::as_str) {
        return Err(text::inert_line(why));
    }
    let wrong = || "it must print one name per line, or a JSON list of names".to_owned();
    let list = match found {
        Value::Array(list) => list.clone(),
        Value::String(_) => vec![found.clone()],
        _ => return Err(wrong()),
    };
    if list.len() > MOST {
        return Err(format!("it names more than {MOST} people"));
    }
    list.iter().map(|name| name.as_str().map(|name| name.trim().to_owned()).ok_or_else(wrong)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_names_are_taken() {
        assert_eq!(members(&json!(["ana", " ben "])).unwrap(), ["ana".to_owned(), "ben".to_owned()].into());
        assert_eq!(members(&json!("ana")).unwrap(), ["ana".to_owned()].into());
        let many: Vec<String> = (0..101).map(|n| n.to_string()).collect();
        for wrong in
            [json!({"a": 1}), json!([1]), json!([["ana"]]), json!(null), json!({"error": "x"}), json!(many)]
        {
            assert!(members(&wrong).is_err(), "{wrong}");
        }
    }
}
