//! The web inbox: pages for people. Every action is a plain form that works without scripts; our own small scripts
//! enhance it. Text from an agent is shown inert. Nothing here decides: the engine does.

mod accounts;
mod agents;
mod answer;
mod answer_form;
mod assets;
mod attention;
mod bulk_answer;
mod card;
mod chat;
mod compressed;
mod controls;
mod decision;
mod details;
mod draft;
mod error;
mod error_page;
mod filter;
mod form;
mod forms;
mod help;
mod history;
mod inbox;
mod insights;
mod install;
mod jobs;
mod link;
mod live;
mod long;
mod markdown;
mod meanwhile;
mod next;
mod notices;
mod notifications;
mod outcome;
mod page;
mod remarks;
mod rounds;
mod router;
mod rows;
mod rules;
mod run;
mod settings;
mod settled;
mod sign_in;
mod subject;
mod suggested;
mod take;
mod thread;
mod timeline;
mod typed;
mod unsubscribe;
mod views;
mod visitor;
mod words;

pub(crate) use live::run as run_live;
pub(crate) use router::router;

use crate::view_model::{form_values, read_form};

/// Redirects to the inbox.
pub(crate) fn to_inbox() -> axum::response::Response {
    page::see_other("/")
}

/// Says in a page that there is nothing at an address.
pub(crate) fn not_found_page(path: &str) -> axum::response::Response {
    use axum::response::IntoResponse as _;
    let path: String = path.chars().take(200).collect();
    error::PageError::new(404, "no_such_page", format!("Page {path} not found")).into_response()
}
