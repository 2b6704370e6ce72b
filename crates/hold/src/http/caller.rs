//! Identifies the caller: by a token, a session, the local token, or, where authentication is off, by claim.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use holdpoint_core::DecisionId;
use holdpoint_engine::auth::{self, Credential, Secret, door};
use holdpoint_engine::{Client as _, Embedded};

use crate::http::app::App;
use crate::http::in_flight::Identified;
use crate::http::mode::{LocalAccess, Mode};
use crate::http::problem::{HandlerError, HandlerResult};

/// Why a held request is ended.
pub(crate) const ENDED: &str = "the token was revoked, or the session is over";

/// The cookie of a session.
pub(crate) const COOKIE: &str = "hold_session";

/// Who calls, and which projects they may see.
///
/// The second field is the credential, if it can end while a request holds.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) auth::Caller, pub(crate) Option<Credential>);

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, HandlerError> {
        let door = parts.headers.get(door::HEADER).and_then(|door| door.to_str().ok()).map(str::to_owned);
        let Self(caller, credential) = authenticate(parts, app).await?;
        let used = caller.actor.credential.as_deref();
        Identified::note(&parts.extensions, used);
        app.limits.admit_credential(used)?;
        Ok(Self(door::enter(caller, door.as_deref()), credential))
    }
}

async fn authenticate(parts: &Parts, app: &App) -> Result<Caller, HandlerError> {
    let auth = match &app.mode {
        Mode::NoAuth(local) => return unchecked(parts, app, local).await,
        Mode::Auth(auth) => auth,
    };
    if let Some(secret) = bearer(&parts.headers) {
        let not_known = || unknown("the token is not known, or was revoked");
        let hash = Secret::read(secret).ok_or_else(not_known)?.hash();
        if let Some(local) = auth.local.authenticate(&hash) {
            return Ok(Caller(local, None));
        }
        let known = app.engine.authenticate_hash(hash, "http").await?;
        return known.map(|caller| Caller(caller, Some(Credential::Token(hash)))).ok_or_else(not_known);
    }
    let Some(cookie) = cookie(&parts.headers) else {
        return Err(unknown("this needs a token"));
    };
    let presented = app.engine.session(cookie, "web").await?.ok_or_else(|| unknown("the session is over"))?;
    // The browser sends the cookie whichever page made the request; only our own pages know this token.
    let sent = parts.headers.get("x-csrf-token").and_then(|sent| sent.to_str().ok()).unwrap_or_default();
    if !parts.method.is_safe() && !presented.csrf.is(sent) {
        return Err(HandlerError::new(403, "csrf", "the request does not carry the token of its session"));
    }
    Ok(Caller(presented.caller, Some(presented.credential)))
}

/// Returns the caller where authentication is off: one that sends a token all the same, as an agent and commands on this
/// machine do, acts by it.
async fn unchecked(parts: &Parts, app: &App, local: &LocalAccess) -> Result<Caller, HandlerError> {
    let presented = bearer(&parts.headers).and_then(Secret::read).map(|secret| secret.hash());
    if let Some(caller) = presented.and_then(|hash| local.authenticate(&hash)) {
        return Ok(Caller(caller, None));
    }
    let known = match presented {
        Some(hash) => app.engine.authenticate_hash(hash, "http").await?,
        None => None,
    };
    let anonymous = || auth::Caller::claimed("anonymous", "http");
    Ok(Caller(known.map_or_else(anonymous, auth::Caller::unchecked), None))
}

impl Caller {
    /// Returns a client that has the caller's permissions.
    pub(crate) fn client(&self, app: &App) -> Embedded {
        Embedded::of(app.engine.clone(), self.0.clone())
    }

    /// Resolves the id that was typed. A complete id is returned as it is, because the transaction that decides also
    /// checks whether the caller may see the decision.
    pub(crate) async fn names(&self, app: &App, typed: &str) -> HandlerResult<DecisionId> {
        match typed.parse() {
            Ok(id) => Ok(id),
            Err(_) => Ok(self.client(app).get(typed).await?.id),
        }
    }

    /// Refuses a project that the credential does not cover.
    pub(crate) fn may_use_project(&self, project: &str) -> HandlerResult<()> {
        if self.0.may_use(project) {
            Ok(())
        } else {
            let name = holdpoint_core::text::inert_line(project);
            Err(HandlerError::new(403, "forbidden", format!("this credential is not for project {name:?}")))
        }
    }
}

pub(crate) fn unknown(detail: &str) -> HandlerError {
    HandlerError::new(401, "unauthorized", detail)
        .hint("send Authorization: Bearer TOKEN; hold token create makes one")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    // An empty token is a bad one, and a cookie does not make up for it.
    let (scheme, secret) = value.split_once(' ').unwrap_or((value, ""));
    scheme.eq_ignore_ascii_case("bearer").then_some(secret.trim())
}

/// Returns the session's secret, if the browser sent one.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}
