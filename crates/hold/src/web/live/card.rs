//! Tells a decision's page, once, that the decision has changed.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use holdpoint_core::{DecisionId, Status};
use holdpoint_engine::Client as _;
use holdpoint_engine::auth;
use holdpoint_store::Logged;

use super::{EventSender, changed, news, remarked, stream};
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::web::form::Form;
use crate::web::{remarks, words};

pub(super) const REVISED: &str = "The agent changed this. Nothing was sent; your text is kept.";
const REMOVED: &str = "This was withdrawn. Nothing was sent.";

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    uri: Uri,
) -> HandlerResult<Response> {
    let id = caller.client(&app).get(&id).await?.id;
    let asked = Form::parse(uri.query().unwrap_or_default());
    let (digest, shown) = (asked.get("digest").to_owned(), asked.get("remarks").parse().ok());
    let (sender, response) = stream();
    tokio::spawn(async move {
        let held = app.held.register(&caller.0, caller.1);
        tokio::select! {
            words = change(&app, &caller.0, id, &digest, shown.map(|shown| (shown, &sender))) => {
                if let Some(words) = words {
                    let _ = sender.send(Ok(changed(&words))).await;
                }
            }
            () = held.over() => {}
            () = sender.closed() => {}
            () = app.stops() => {}
        }
    });
    Ok(response)
}

/// Waits until the decision differs from what the page shows, and returns how; none if that cannot be known.
/// Meanwhile sends remarks beyond those that the page shows.
pub(super) async fn change(
    app: &App,
    caller: &auth::Caller,
    id: DecisionId,
    digest: &str,
    mut remarks: Option<(usize, &EventSender)>,
) -> Option<String> {
    let on_page = remarks.map(|(shown, _)| shown).unwrap_or_default();
    let mut beat = app.live.beat.listen();
    let name = id.to_string();
    loop {
        let mut after = *beat.borrow_and_update();
        match app.engine.decision_for(caller, id).await.ok()? {
            None => return Some(REMOVED.into()),
            Some(now) if now.status != Status::Pending => return Some(words::settled_meanwhile(&now)),
            Some(now) if now.digest != digest => return Some(REVISED.into()),
            Some(now) => {
                if let Some((sent, page)) = &mut remarks
                    && now.remarks.len() > *sent
                {
                    *sent = now.remarks.len();
                    page.send(Ok(remarked(&remarks::after(&now, on_page)))).await.ok()?;
                }
            }
        }
        loop {
            beat.changed().await.ok()?;
            let head = *beat.borrow_and_update();
            if news(app, &mut after, head, |event| is_about(event, &name)).await.ok()? {
                break;
            }
        }
    }
}

/// Returns whether an event is about a decision. An erased event could be about any.
fn is_about(event: &Logged, name: &str) -> bool {
    let id = event.body.as_ref().map(|body| body.get("id").and_then(|id| id.as_str()));
    event.tag.starts_with("decision:") && id.is_none_or(|id| id == Some(name))
}
