//! The list alone, drawn once for all who see the same: at a beat, every open inbox asks for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, Uri, header};
use axum::response::IntoResponse as _;

use crate::api::App;
use crate::web::error::{PageError, Reply};
use crate::web::filter::Filter;
use crate::web::form::Form;
use crate::web::visitor::Visitor;
use crate::web::{inbox, page, rows};

/// How old a list may be: it says how long each has waited.
const FRESH: Duration = Duration::from_secs(1);
/// How many lists are kept before old ones are let go.
const KEPT: usize = 64;

/// The lists that open inboxes share.
#[derive(Debug, Default)]
pub(super) struct Rows(Mutex<HashMap<Key, Arc<tokio::sync::Mutex<Option<Drawn>>>>>);

/// Viewers who see the same ask with the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    /// Nothing where all is seen.
    projects: Option<Vec<String>>,
    filter: String,
    shown: usize,
    /// Who looks, where that makes a difference.
    who: Option<String>,
}

#[derive(Debug)]
struct Drawn {
    /// Up to where the log was, at least, when it was read.
    seq: i64,
    at: Instant,
    markup: Bytes,
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let asked = Form::parse(uri.query().unwrap_or_default());
    let filter = Filter::read(uri.query().unwrap_or_default());
    let shown = rows::shown(&asked);
    let needed = match asked.get("seq").parse() {
        Ok(seq) => seq,
        Err(_) => app.engine.store().head().await?.seq,
    };
    let caller = &visitor.caller;
    let key = Key {
        projects: caller.actor.role.map(|_| caller.projects.clone()),
        filter: filter.query(),
        shown,
        who: filter.is_personal().then(|| caller.actor.by.clone()),
    };
    let place = app.live.rows.place(&key);
    // The first to come draws it; the others wait here and take what was drawn.
    let mut drawn = place.lock().await;
    let markup = match drawn.as_ref().filter(|drawn| drawn.seq >= needed && drawn.at.elapsed() < FRESH) {
        Some(drawn) => drawn.markup.clone(),
        None => drawn.insert(draw(&app, &visitor, &filter, shown).await?).markup.clone(),
    };
    drop(drawn);
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], markup).into_response();
    page::guard(response.headers_mut());
    Ok(response)
}

async fn draw(app: &App, visitor: &Visitor, filter: &Filter, shown: usize) -> Result<Drawn, PageError> {
    let at = Instant::now();
    let seq = app.engine.store().head().await?.seq;
    let found = inbox::ranked(app, visitor, filter).await?;
    let now = app.engine.now().await?;
    let names = found.names(app, visitor, shown).await;
    let markup = rows::list(&found, &names, filter, shown, now).into_string().into();
    Ok(Drawn { seq, at, markup })
}

impl Rows {
    fn place(&self, key: &Key) -> Arc<tokio::sync::Mutex<Option<Drawn>>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= KEPT && !places.contains_key(key) {
            // Those that somebody draws or waits for just now stay.
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(places.entry(key.clone()).or_default())
    }
}
