//! Saved views: searches that a person gave names to.

use holdpoint_store::View;
use serde::{Deserialize, Serialize};

use super::{Empty, Items, NoParams, endpoints};

endpoints! {
    "views" {
        /// Lists one's own views by name.
        LIST_VIEWS = listViews People Get "/v1/views"
            (NoParams, ()) => 200 Items<View>, "The views";
        /// Saves a view of one's own, in the place of one that has the name.
        PUT_VIEW = putView People Put "/v1/views/{name}"
            (NoParams, NewView) => 200 View, "The view";
        /// Removes a view of one's own.
        REMOVE_VIEW = removeView People Delete "/v1/views/{name}"
            (NoParams, ()) => 200 Empty, "It is gone";
    }
}

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
