//! The web inbox: pages for people. Every action is a plain form that works without script; one small script of
//! our own adds life. Whatever an agent wrote is shown inert. Nothing here decides: the engine does.

mod accounts;
mod agents;
mod answer;
mod assets;
mod attention;
mod card;
mod chat;
mod compressed;
mod controls;
mod decision;
mod details;
mod draft;
mod error;
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
mod many;
mod markdown;
mod meanwhile;
mod next;
mod notices;
mod notifications;
mod outcome;
mod page;
mod remarks;
mod rounds;
mod rows;
mod rules;
mod run;
mod settings;
mod sign_in;
mod subject;
mod suggested;
mod take;
mod thread;
mod timeline;
mod unsubscribe;
mod views;
mod visitor;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub(crate) use live::{Live, run as run_live};

use crate::api::App;
use crate::shown::{filled, read};

/// Says in a page that there is nothing at an address.
pub(crate) fn nothing_at(path: &str) -> axum::response::Response {
    use axum::response::IntoResponse as _;
    let path: String = path.chars().take(200).collect();
    error::PageError::new(404, "no_such_page", format!("There is no page at {path}")).into_response()
}

/// Returns all pages.
pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(inbox::show))
        .route("/next", get(next::show))
        .route("/many", post(many::preview))
        .route("/many/send", post(many::send))
        .route("/agents/{name}", get(agents::show))
        .route("/insights", get(insights::show))
        .route("/history", get(history::show))
        .route("/views", get(views::links).post(views::save))
        .route("/views/remove", post(views::remove))
        .route("/d/{id}", get(decision::show).post(answer::take))
        .route("/d/{id}/draft", post(draft::keep))
        .route("/d/{id}/take", post(attention::take))
        .route("/d/{id}/snooze", post(attention::snooze))
        .route("/d/{id}/rules", get(rules::propose).post(rules::make))
        .route("/rules", get(rules::list))
        .route("/rules/suggested/{id}/dismiss", post(rules::dismiss))
        .route("/rules/{id}/resume", post(rules::resume))
        .route("/rules/{id}/waiting", get(rules::waiting))
        .route("/rules/{id}/revoke", post(rules::revoke))
        .route("/runs", get(run::list))
        .route("/runs/{id}", get(run::show))
        .route("/runs/{id}/comments", post(run::comment))
        .route("/runs/{id}/lines", get(run::lines))
        .route("/runs/{id}/output/{number}", get(run::output))
        .route("/runs/{id}/retry", post(run::retry))
        .route("/d/{id}/chat", get(chat::show).post(chat::take))
        .route("/forms", get(forms::show).post(forms::open))
        .route("/jobs", get(jobs::list))
        .route("/jobs/{id}", get(jobs::show).post(jobs::steer))
        .route("/t/{id}", get(thread::show))
        .route("/link/{text}", get(link::show).post(link::take))
        .route("/take/{text}", post(take::take))
        .route("/sign-in", get(sign_in::show).post(sign_in::by_password))
        .route("/sign-in/{text}", get(sign_in::offer).post(sign_in::by_link))
        .route("/sign-out", post(sign_in::out))
        .route("/settings", get(settings::show))
        .route("/settings/tokens", post(settings::create_token))
        .route("/settings/tokens/revoke", post(settings::revoke_token))
        .route("/settings/people", post(settings::put_person))
        .route("/settings/people/remove", post(settings::remove_person))
        .route("/settings/people/link", post(settings::sign_in_link))
        .route("/settings/notices", get(notices::show).post(notices::save))
        .route("/unsubscribe/{text}", get(unsubscribe::show).post(unsubscribe::take))
        .route("/settings/accounts", post(accounts::link))
        .route("/settings/accounts/unlink", post(accounts::unlink))
        .route("/notifications", get(notifications::show))
        .route("/notifications/remove", post(notifications::remove))
        .route("/notifications/test", post(notifications::test))
        .route("/push/session", get(notifications::session))
        .route("/sw.js", get(install::worker))
        .route("/manifest.webmanifest", get(install::manifest))
        .route("/icons/{name}", get(install::icon))
        .route("/assets/{*file}", get(assets::serve))
        .merge(live::router())
        .layer(axum::middleware::from_fn(compressed::layer))
}
