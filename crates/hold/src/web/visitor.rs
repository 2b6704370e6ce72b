//! The visitor of a page: a person with a session or, where authentication is off, anyone.

use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_engine::Embedded;
use holdpoint_engine::auth::{Caller, CsrfToken, Links, PresentedSession, SignedIn};
use maud::{Markup, html};

use super::error::PageError;
use crate::http::app::App;
use crate::http::caller::{COOKIE, cookie};
use crate::http::in_flight::Identified;
use crate::http::mode::Mode;

/// The cookie with the name that a visitor claims where authentication is off.
const NAME: &str = "hold_name";
/// The lifetime of the session cookie; the session itself may end earlier.
const KEPT_SECS: u32 = 14 * 24 * 60 * 60;

/// The visitor of a page.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    pub(super) caller: Caller,
    /// Whether they signed in; never where authentication is off.
    pub(super) signed_in: bool,
    /// Whether their browsers can be notified.
    pub(super) can_be_notified: bool,
    /// The new cookie, if the session was extended.
    pub(super) renewed: Option<HeaderValue>,
    csrf: CsrfToken,
}

impl Visitor {
    fn signed_in(app: &App, presented: PresentedSession, renewed: Option<HeaderValue>) -> Self {
        let PresentedSession { caller, csrf, .. } = presented;
        let can_be_notified = app.engine.settings().webpush.is_some();
        Self { caller, signed_in: true, can_be_notified, renewed, csrf }
    }

    /// Returns a client that has their permissions.
    pub(super) fn client(&self, app: &App) -> Embedded {
        Embedded::of(app.engine.clone(), self.caller.clone())
    }

    /// Returns their name.
    pub(super) fn name(&self) -> String {
        inert_line(&self.caller.actor.by)
    }

    /// Returns whether they manage tokens and people.
    pub(super) fn administers(&self) -> bool {
        self.caller.administers().is_ok()
    }

    /// Returns the hidden field with the CSRF token for every form.
    pub(super) fn token(&self) -> Markup {
        html! { input type="hidden" name="csrf" value=(self.csrf.shown()); }
    }

    /// Returns the CSRF token, for scripts that have no form.
    pub(super) fn csrf(&self) -> &str {
        self.csrf.shown()
    }

    /// Returns whether a submitted CSRF token is valid.
    pub(super) fn is_csrf(&self, sent: &str) -> bool {
        self.csrf.is(sent)
    }
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, PageError> {
        let next = parts.uri.path_and_query().map_or("/", |place| place.as_str());
        let found = find(&parts.headers, app).await?;
        let credential = found.as_ref().and_then(|visitor| visitor.caller.actor.credential.as_deref());
        Identified::note(&parts.extensions, credential);
        app.limits.admit_credential(credential)?;
        found.ok_or_else(|| PageError::SignIn { next: next.to_owned(), kept: None })
    }
}

/// Identifies the visitor; none if the session is over or never existed.
pub(super) async fn find(headers: &HeaderMap, app: &App) -> Result<Option<Visitor>, PageError> {
    if matches!(app.mode, Mode::NoAuth(_)) {
        let csrf = without_session()?;
        let caller = Caller::claimed(claimed(headers).unwrap_or_else(|| "anonymous".into()), "web");
        let (signed_in, can_be_notified) = (false, false);
        return Ok(Some(Visitor { caller, signed_in, can_be_notified, renewed: None, csrf }));
    }
    let Some(secret) = cookie(headers) else { return Ok(None) };
    let Some(presented) = app.engine.session(secret, "web").await? else { return Ok(None) };
    let renewed = presented.extended.then(|| set(app, secret)).flatten();
    Ok(Some(Visitor::signed_in(app, presented, renewed)))
}

/// Returns the visitor who just signed in, with the cookie to set.
pub(super) async fn entered(app: &App, signed_in: &SignedIn) -> Result<Option<Visitor>, PageError> {
    let secret = signed_in.cookie.reveal();
    let Some(presented) = app.engine.session(&secret, "web").await? else { return Ok(None) };
    let renewed = set(app, &secret);
    Ok(Some(Visitor::signed_in(app, presented, renewed)))
}

/// Returns the signer of sign-in links; an error page where authentication is off.
pub(super) fn links(app: &App) -> Result<&Links, PageError> {
    let missing = || PageError::new(404, "no_auth", "this server does not require anyone to sign in");
    app.mode.links().ok_or_else(missing)
}

/// Returns the header that sets the session cookie.
pub(super) fn set(app: &App, secret: &str) -> Option<HeaderValue> {
    let secure = if app.address.starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={KEPT_SECS}{secure}");
    HeaderValue::from_str(&text).ok()
}

/// Returns the header that removes the session cookie.
pub(super) fn unset() -> HeaderValue {
    HeaderValue::from_static("hold_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
}

/// Returns the header that remembers a claimed name.
pub(super) fn remember(name: &str) -> Option<HeaderValue> {
    let coded: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    HeaderValue::from_str(&format!("{NAME}={coded}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000")).ok()
}

fn claimed(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let coded = lines
        .flat_map(|line| line.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(NAME)?.strip_prefix('='))?;
    let (name, _) = form_urlencoded::parse(coded.as_bytes()).next()?;
    check_name(&name).is_ok().then(|| name.into_owned())
}

/// Without sessions, all forms of a server share one token, created at each start.
fn without_session() -> Result<CsrfToken, PageError> {
    static TOKEN: OnceLock<CsrfToken> = OnceLock::new();
    if let Some(token) = TOKEN.get() {
        return Ok(token.again()?);
    }
    let fresh = CsrfToken::random()?;
    Ok(TOKEN.get_or_init(|| fresh).clone())
}
