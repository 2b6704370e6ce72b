//! The parts common to all pages: the frame, the headers, and sending.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use maud::{DOCTYPE, Markup, html};

use super::assets::{CSS_PATH, ICON_PATH, JS_PATH, MODULES, TYPING_PATH};
use super::help;
use super::visitor::Visitor;
use crate::view_model::avatar;

const POLICY: &str =
    "default-src 'self'; img-src 'self' https:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// The navigation item that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NavItem {
    Inbox,
    History,
    Forms,
    Jobs,
    Runs,
    Rules,
    Insights,
    Settings,
    /// None of them.
    Elsewhere,
}

/// A page to be sent.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) nav: NavItem,
    /// The visitor; none before signing in and behind a signed link.
    pub(super) visitor: Option<&'a Visitor>,
    /// The end of the log when the list was read; live updates continue from there.
    pub(super) seq: Option<i64>,
}

impl Page<'_> {
    /// Sends the page.
    pub(super) fn send(&self, status: StatusCode, main: &Markup) -> Response {
        let mut response = (status, self.frame(main).into_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        guard(headers);
        if let Some(cookie) = self.visitor.and_then(|visitor| visitor.renewed.clone()) {
            headers.append(header::SET_COOKIE, cookie);
        }
        response
    }

    fn frame(&self, main: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Holdpoint" }
                    link rel="icon" type="image/svg+xml" href=(*ICON_PATH);
                    link rel="apple-touch-icon" href="/icons/180.png";
                    link rel="manifest" href="/manifest.webmanifest";
                    link rel="stylesheet" href=(*CSS_PATH);
                    // Not deferred: a key must not reach a button before there is a handler for keys.
                    script src=(*TYPING_PATH) {}
                    @for module in MODULES.iter() { link rel="modulepreload" href=(module); }
                    script type="module" src=(*JS_PATH) {}
                }
                body data-seq=[self.seq] data-person=[self.visitor.map(Visitor::name)] {
                    a .skip href="#main" { "Skip to content" }
                    (self.header())
                    main #main tabindex="-1" { (main) }
                    div #say .quiet role="status" aria-live="polite" {}
                    p #ignored .ignored role="status" hidden {}
                    (help::dialog())
                }
            }
        }
    }

    fn header(&self) -> Markup {
        let current = |nav: NavItem| (self.nav == nav).then_some("page");
        html! {
            header .top {
                a .brand href="/" { span .mark aria-hidden="true" {} "Holdpoint" }
                @if let Some(visitor) = self.visitor {
                    nav aria-label="Pages" {
                        a href="/" aria-current=[current(NavItem::Inbox)] { "Inbox" }
                        a href="/jobs" aria-current=[current(NavItem::Jobs)] { "Jobs" }
                        a href="/runs" aria-current=[current(NavItem::Runs)] { "Runs" }
                        a href="/rules" aria-current=[current(NavItem::Rules)] { "Rules" }
                        a href="/history" aria-current=[current(NavItem::History)] { "History" }
                        a href="/insights" aria-current=[current(NavItem::Insights)] { "Insights" }
                    }
                    button #find .find-all type="button" hidden { "Search or jump to…" kbd .number aria-hidden="true" { "Ctrl K" } }
                    (self.menu(visitor))
                }
            }
        }
    }

    /// Renders the menu of less frequent pages, with the visitor's name.
    fn menu(&self, visitor: &Visitor) -> Markup {
        let current = |nav: NavItem| (self.nav == nav).then_some("page");
        let face = avatar::of(&visitor.name());
        html! {
            details .menu {
                // Screen readers announce what others see.
                summary aria-label={ @if visitor.signed_in { (face.letters) ": Menu" } @else { "Names are unverified: Menu" } } {
                    @if visitor.signed_in { span class={ "face f" (face.colour) } aria-hidden="true" { (face.letters) } }
                    @else { span .hint { "Names are unverified" } }
                }
                div .menu-items {
                    @if visitor.signed_in { a .name href="/settings/notices" title="Notification settings" dir="auto" { (visitor.name()) } }
                    a href="/forms" aria-current=[current(NavItem::Forms)] { "Forms" }
                    @if visitor.can_be_notified { a href="/notifications" { "Notifications" } }
                    @if visitor.administers() { a href="/settings" aria-current=[current(NavItem::Settings)] { "Settings" } }
                    button #keys .plain type="button" hidden { "Keys" kbd .number aria-hidden="true" { "?" } }
                    @if visitor.signed_in {
                        form method="post" action="/sign-out" {
                            (visitor.token())
                            button .plain { "Sign out" }
                        }
                    }
                }
            }
        }
    }
}

/// Redirects after a successful form submission.
pub(super) fn see_other(to: &str) -> Response {
    let place = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response();
    guard(response.headers_mut());
    response
}

/// Sends a fragment of a page for a script to insert.
pub(super) fn fragment(part: &Markup) -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], part.0.clone()).into_response();
    guard(response.headers_mut());
    response
}

/// Sets the security headers of every page.
pub(super) fn guard(headers: &mut axum::http::HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Not no-referrer: browsers would then hide the origin of our own forms as well.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
}
