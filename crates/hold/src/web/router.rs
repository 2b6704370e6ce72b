//! The addresses of all pages.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::{
    agents, answer, assets, attention, bulk_answer, chat, compressed, decision, draft, forms, history, inbox,
    insights, install, jobs, link, live, next, notices, notifications, rules, run, settings, sign_in, take,
    thread, unsubscribe, views,
};
use crate::http::app::App;

/// Returns the routes of all pages.
pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(inbox::show))
        .route("/next", get(next::show))
        .route("/many", post(bulk_answer::preview))
        .route("/many/send", post(bulk_answer::send))
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
        .route("/settings/accounts", post(settings::link_account))
        .route("/settings/accounts/unlink", post(settings::unlink_account))
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
