//! Forms as browsers send them: bounded, and accepted only from our own pages.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::header;

use super::error::PageError;
use super::visitor::{self, Visitor};
use crate::http::app::App;
use crate::http::limits::BodyError;

/// The name, in addresses and forms, of the mode in which the person goes from card to card.
pub(super) const FLOW: &str = "flow";

/// Submitted names and values, in the order they were sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Form(pub(super) Vec<(String, String)>);

impl Form {
    pub(super) fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// Returns the first value of a name, trimmed; empty if there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }
}

impl FromRequest<Arc<App>> for Form {
    type Rejection = PageError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, PageError> {
        Ok(Self::parse(&body(request, app).await?))
    }
}

/// A form submitted by a known visitor.
#[derive(Debug)]
pub(super) struct Posted {
    pub(super) visitor: Visitor,
    pub(super) form: Form,
}

impl Posted {
    /// Returns whether it was sent from a page of this session.
    pub(super) fn is_ours(&self) -> bool {
        self.visitor.is_csrf(self.form.get("csrf"))
    }

    /// Refuses a form that was sent from elsewhere.
    pub(super) fn ours(self) -> Result<Self, PageError> {
        if self.is_ours() {
            return Ok(self);
        }
        Err(PageError::new(403, "csrf", "the page has expired, or is not one of ours; nothing was done"))
    }
}

impl FromRequest<Arc<App>> for Posted {
    type Rejection = PageError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, PageError> {
        let found = visitor::find(request.headers(), app).await?;
        let next = request.uri().path().to_owned();
        let kept = body(request, app).await?;
        let Some(visitor) = found else { return Err(PageError::SignIn { next, kept: Some(kept) }) };
        Ok(Self { visitor, form: Form::parse(&kept) })
    }
}

async fn body(request: Request, app: &App) -> Result<String, PageError> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(PageError::new(415, "not_a_form", "send this as an HTML form"));
    }
    let bytes = app.limits.read(request.into_body()).await.map_err(|unread| match unread {
        BodyError::TooLarge => {
            PageError::new(413, "too_large", format!("the form has more than {} bytes", app.limits.body))
        }
        BodyError::TooSlow => PageError::new(408, "too_slow", "the form did not arrive in time"),
        BodyError::Broken => PageError::new(400, "broken_body", "the form could not be read"),
    })?;
    String::from_utf8(bytes.into()).map_err(|_| PageError::new(400, "malformed", "the form is not UTF-8"))
}
