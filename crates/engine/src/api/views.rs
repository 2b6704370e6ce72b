//! Saved views: searches that a person gave names to.

use holdpoint_store::View;

use super::{Empty, Items, NoParams, endpoints};
use crate::views::NewView;

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
