//! The list alone, rendered once for all visitors who see the same: at a beat, every open inbox requests it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, Uri, header};
use axum::response::IntoResponse as _;

use crate::http::app::App;
use crate::http::live::{Key, RenderedList};
use crate::web::error::{PageError, Reply};
use crate::web::filter::Filter;
use crate::web::form::Form;
use crate::web::visitor::Visitor;
use crate::web::{inbox, page, rows};

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let needed = match Form::parse(query).get("seq").parse() {
        Ok(seq) => seq,
        Err(_) => app.engine.store().head().await?.seq,
    };
    let markup = seen(&app, &visitor, query, needed).await?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], markup).into_response();
    page::guard(response.headers_mut());
    Ok(response)
}

/// Returns a filtered list as a visitor sees it, no older than a place in the log.
pub(super) async fn seen(app: &App, visitor: &Visitor, query: &str, needed: i64) -> Result<Bytes, PageError> {
    let filter = Filter::read(query);
    let shown = rows::shown(&Form::parse(query));
    let caller = &visitor.caller;
    let mut key = Key {
        projects: caller.actor.role.map(|_| caller.projects.clone()),
        filter: filter.query(),
        shown,
        who: filter.is_personal().then(|| caller.actor.by.clone()),
    };
    let (markup, snoozed_by) = drawn(app, visitor, &filter, &key, needed).await?;
    // A person who has snoozed something sees a different list.
    if key.who.is_none() && snoozed_by.contains(&caller.actor.by) {
        key.who = Some(caller.actor.by.clone());
        return Ok(drawn(app, visitor, &filter, &key, needed).await?.0);
    }
    Ok(markup)
}

/// Returns the list for a key, and who has snoozed decisions in it.
async fn drawn(
    app: &App,
    visitor: &Visitor,
    filter: &Filter,
    key: &Key,
    needed: i64,
) -> Result<(Bytes, Arc<BTreeSet<String>>), PageError> {
    let place = app.live.rows.slot(key);
    // The first request renders it; the others wait here and reuse it.
    let mut drawn = place.lock().await;
    let fresh = drawn.as_ref().is_some_and(|drawn| drawn.is_fresh(needed));
    if !fresh {
        *drawn = None;
    }
    let list = match drawn.take() {
        Some(list) => list,
        None => draw(app, visitor, filter, key).await?,
    };
    let list = drawn.insert(list);
    Ok((list.markup.clone(), Arc::clone(&list.snoozed_by)))
}

async fn draw(app: &App, visitor: &Visitor, filter: &Filter, key: &Key) -> Result<RenderedList, PageError> {
    let shown = key.shown;
    let at = Instant::now();
    let seq = app.engine.store().head().await?.seq;
    let found = inbox::ranked(app, visitor, filter, key.who.as_deref(), shown).await?;
    let now = app.engine.now().await?;
    let names = found.names(app, visitor, shown).await;
    let markup = rows::list(&found, &names, filter, shown, now).into_string().into();
    Ok(RenderedList { seq, at, markup, snoozed_by: Arc::new(found.snoozed_by) })
}
