//! Signing in, by password or one-time link, and signing out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use holdpoint_engine::Error;
use holdpoint_engine::auth::{Password, SignedIn};
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::form::{Form, Posted};
use super::page::{NavItem, Page, see_other};
use super::visitor::{entered, find, links, unset};
use super::{decision, typed};
use crate::http::app::App;
use crate::http::caller::cookie;
use crate::http::client_address::ClientAddress;

/// The maximum size of input that is kept across a sign-in.
const MOST_KEPT: usize = 1 << 20;

pub(super) async fn show(State(app): State<Arc<App>>, headers: HeaderMap, uri: axum::http::Uri) -> Reply {
    let query = Form::parse(uri.query().unwrap_or_default());
    let next = local(query.get("next"));
    if find(&headers, &app).await?.is_some() {
        return Ok(see_other(&next));
    }
    Ok(send(StatusCode::OK, &form(&next, "", None, None)))
}

pub(super) async fn by_password(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    form: Form,
) -> Reply {
    links(&app)?;
    let (name, next, kept) = (form.get("name"), local(form.get("next")), form.get("kept"));
    // A password may start or end with a space.
    let password = form.0.iter().find(|(known, _)| known == "password").map_or("", |(_, value)| value);
    if let Err(wait) = app.attempts.begin(name, from, Instant::now()) {
        let kept = (!kept.is_empty()).then_some(kept);
        return Ok(too_often(wait, |why| self::form(&next, name, Some(why), kept)));
    }
    let turn = app.attempts.turn(from).await;
    let signed_in = app.engine.sign_in(name, Password::new(password)).await?;
    drop(turn);
    if let Some(signed_in) = signed_in {
        app.attempts.succeeded(name, from);
        return enter(&app, &signed_in, &next, kept).await;
    }
    let wrong = "Wrong name or password.";
    let kept = (!kept.is_empty()).then_some(kept);
    Ok(send(StatusCode::UNAUTHORIZED, &self::form(&next, name, Some(wrong), kept)))
}

/// Shows a button, without using up the link: programs that fetch links must not sign anyone in or out.
pub(super) async fn offer(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    links(&app)?;
    let main = html! {
        div .narrow {
            h1 { "Sign in" }
            p { "This link signs you in once, in this browser." }
            form method="post" action={ "/sign-in/" (text) } { button .primary autofocus { "Sign in" } }
        }
    };
    Ok(send(StatusCode::OK, &main))
}

pub(super) async fn by_link(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    Path(text): Path<String>,
    form: Form,
) -> Reply {
    let links = links(&app)?;
    // A valid link is accepted however many attempts failed from here: checking it costs nothing.
    match app.engine.sign_in_by_link(links, &text).await {
        Ok(signed_in) => enter(&app, &signed_in, &local(form.get("next")), "").await,
        Err(error) => match app.attempts.begin("", from, Instant::now()) {
            Ok(()) => Err(error.into()),
            Err(wait) => Ok(too_often(
                wait,
                |why| html! { div .narrow { h1 { "Sign in" } p .banner.bad role="alert" { (why) } } },
            )),
        },
    }
}

pub(super) async fn out(State(app): State<Arc<App>>, headers: HeaderMap, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    // Signing out ends notifications here: the browser is removed from the list, and without the service worker its
    // subscription ends. A browser of another person, or one that was removed before, is not changed.
    let browser = form.get("browser");
    if visitor.can_be_notified && !browser.is_empty() {
        match app.engine.unsubscribe(&visitor.caller, browser).await {
            Ok(()) | Err(Error::Refused(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(secret) = cookie(&headers).filter(|_| visitor.signed_in) {
        app.engine.sign_out(secret).await?;
    }
    let mut response = see_other("/sign-in");
    response.headers_mut().append(header::SET_COOKIE, unset());
    if visitor.can_be_notified {
        let storage = HeaderValue::from_static("\"storage\"");
        response.headers_mut().insert(HeaderName::from_static("clear-site-data"), storage);
    }
    Ok(response)
}

/// Returns the sign-in address that leads back to a page.
pub(super) fn address(next: &str) -> String {
    if next == "/" {
        return "/sign-in".into();
    }
    let coded: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("/sign-in?next={coded}")
}

/// Shows that a session is over, and keeps the input.
pub(super) fn over(next: &str, kept: &str) -> Response {
    let why = "You have been signed out, or the page has expired. Nothing was sent.";
    send(StatusCode::UNAUTHORIZED, &form(&local(next), "", Some(why), Some(kept)))
}

/// Starts a session. Earlier input is put back on its card, but not sent.
async fn enter(app: &Arc<App>, signed_in: &SignedIn, next: &str, kept: &str) -> Reply {
    let gone = || PageError::new(401, "unauthorized", "the session ended at once");
    let visitor = entered(app, signed_in).await?.ok_or_else(gone)?;
    if let Some(id) = next.strip_prefix("/d/").filter(|_| !kept.is_empty()) {
        return decision::redisplay(app, &visitor, id, &Form::parse(kept)).await;
    }
    let mut response = see_other(next);
    response.headers_mut().extend(visitor.renewed.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}

/// Shows how long to wait before the next attempt, in words and for programs.
fn too_often(wait: Duration, page: impl FnOnce(&str) -> Markup) -> Response {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let why = format!("Too many attempts failed. Try again in {seconds} s.");
    let mut response = send(StatusCode::TOO_MANY_REQUESTS, &page(&why));
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

fn form(next: &str, name: &str, wrong: Option<&str>, kept: Option<&str>) -> Markup {
    let kept = kept.filter(|kept| kept.len() <= MOST_KEPT);
    html! {
        div .narrow {
            h1 { "Sign in" }
            @if let Some(wrong) = wrong { p .banner.bad role="alert" { (wrong) } }
            form .stack method="post" action="/sign-in" {
                input type="hidden" name="next" value=(next);
                @if let Some(kept) = kept { input type="hidden" name="kept" value=(kept); }
                label { "Name" input name="name" value=(name) autocomplete="username" required autofocus; }
                label { "Password" input name="password" type="password" autocomplete="current-password" required; }
                button .primary { "Sign in" }
            }
            p .hint { "No password? Ask an admin for a sign-in link, or run " code { "hold serve" } " in a terminal." }
            @if let Some(kept) = kept { (typed::shown(&Form::parse(kept))) }
        }
    }
}

fn send(status: StatusCode, main: &Markup) -> Response {
    Page { title: "Sign in", nav: NavItem::Elsewhere, visitor: None, seq: None }.send(status, main)
}

/// Returns an address on this server; the inbox for any other address.
fn local(next: &str) -> String {
    let plain = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n', '\t']);
    if plain && next.is_ascii() { next.to_owned() } else { "/".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_comes_back_only_to_this_server() {
        for bad in ["", "//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil", "evil"] {
            assert_eq!(local(bad), "/", "{bad:?}");
        }
        assert_eq!(local("/d/dcn-x?project=web"), "/d/dcn-x?project=web");
    }
}
