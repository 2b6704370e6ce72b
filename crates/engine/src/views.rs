//! Saved views: each person has their own.

use holdpoint_core::text::{check_name, quote};
use holdpoint_core::{Refusal, Search, Status};
use holdpoint_store::View;
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How many views a person may have.
const MOST: usize = 100;

/// What is saved under a name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewView {
    /// What is looked for, as `q` of a list.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 1000))]
    pub q: String,
    /// One status or several with commas between, or `all`; `pending` if not given.
    #[serde(default)]
    pub status: Option<String>,
}

/// Checks the name of a view, which is part of an address.
///
/// # Errors
/// If the name is invalid, with what would be right.
pub fn check_view_name(name: &str) -> std::result::Result<(), Refusal> {
    let is_step = matches!(name, "." | "..");
    let checked =
        if is_step { Err("has another meaning in an address".to_owned()) } else { check_name(name) };
    checked.map_err(|why| {
        let why = format!("{} {why}; use letters, digits and spaces, such as \"old approvals\"", quote(name));
        Refusal::invalid("name", why)
    })
}

impl Engine {
    /// Lists the caller's views by name.
    pub async fn views(&self, caller: &Caller) -> Result<Vec<View>> {
        Ok(self.store.views(view_owner(caller)).await?)
    }

    /// Saves a view of the caller's.
    pub async fn save_view(&self, caller: &Caller, name: &str, new: NewView) -> Result<View> {
        let invalid = |place: &str, why: String| Refusal::invalid(place, why);
        check_view_name(name)?;
        Search::read(&new.q).map_err(|why| invalid("q", why))?;
        let status = new.status.unwrap_or_else(|| "pending".to_owned());
        Status::read_several(&status).map_err(|why| invalid("status", why))?;
        let view = View { name: name.to_owned(), q: new.q.trim().to_owned(), status };
        let known = self.store.views(view_owner(caller)).await?;
        if known.len() >= MOST && !known.iter().any(|one| one.name == view.name) {
            return Err(invalid("name", format!("a person has at most {MOST} views; remove one")).into());
        }
        self.store.put_view(view_owner(caller), &view).await?;
        Ok(view)
    }

    /// Removes a view of the caller's.
    pub async fn remove_view(&self, caller: &Caller, name: &str) -> Result<()> {
        if self.store.remove_view(view_owner(caller), name).await? {
            return Ok(());
        }
        Err(Refusal::NotFound { what: "view", id: quote(name) }.into())
    }
}

/// Returns the owner of the views that a caller sees: a token may belong to a person.
fn view_owner(caller: &Caller) -> &str {
    caller.actor.owner.as_deref().unwrap_or(&caller.actor.by)
}
