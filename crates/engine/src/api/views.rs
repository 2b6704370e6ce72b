//! The inboxes of people: how they behave, and saved views, which are searches that a person gave names to.

use holdpoint_core::Span;
use holdpoint_store::View;
use serde::{Deserialize, Serialize};

use super::{Empty, Items, NoParams, endpoints};
use crate::views::NewView;

endpoints! {
    "inbox" {
        /// Says how the inboxes of people behave.
        GET_INBOX = getInbox Known Get "/v1/inbox"
            (NoParams, ()) => 200 InboxSettings, "As the settings say";
    }
    "views" {
        /// Lists the caller's views by name.
        LIST_VIEWS = listViews People Get "/v1/views"
            (NoParams, ()) => 200 Items<View>, "The views";
        /// Saves a view of the caller, replacing one with the same name.
        PUT_VIEW = putView People Put "/v1/views/{name}"
            (NoParams, NewView) => 200 View, "The view";
        /// Removes a view of the caller.
        REMOVE_VIEW = removeView People Delete "/v1/views/{name}"
            (NoParams, ()) => 200 Empty, "It was removed";
    }
}

/// How the inboxes of people behave, in a browser and in a terminal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InboxSettings {
    /// How long an answer is held back so that it can be undone.
    pub undo: Span,
}
