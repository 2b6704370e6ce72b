//! Taking and snoozing a decision: two small forms below the card, and what others see of them.

use std::sync::Arc;

use axum::extract::{Path, State};
use holdpoint_core::decision::Attention;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Span, Status, Timestamp};
use holdpoint_engine::Client as _;
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::filter::Filter;
use super::form::Posted;
use super::page::see_other;
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;
use crate::view_model::span;

/// The durations for snoozing, and their labels.
const SNOOZES: [(&str, &str); 4] =
    [("1h", "1 hour"), ("10m", "10 minutes"), ("4h", "4 hours"), ("1d", "1 day")];

/// Shows who is on a decision and who has snoozed it, and lets the visitor do both.
pub(super) fn markup(decision: &Decision, visitor: &Visitor, back: &str, now: Timestamp) -> Markup {
    if decision.status != Status::Pending {
        return html! {};
    }
    let me = visitor.caller.actor.by.as_str();
    let is_mine = decision.taken_at(now).is_some_and(|taken| taken.by == me);
    let others: Vec<String> = decision.snoozed_by(now).filter(|who| *who != me).map(inert_line).collect();
    let hidden = html! { (visitor.token()) input type="hidden" name="back" value=(back); };
    html! {
        section .attend aria-label="Who is on it" {
            @if !others.is_empty() { p .hint dir="auto" { (others.join(", ")) " snoozed it." } }
            form method="post" action={ "/d/" (decision.id) "/take" } {
                (hidden)
                @if is_mine { input type="hidden" name="release" value="true"; }
                button data-take { @if is_mine { "Release it" } @else { "I'm on it" } kbd .number aria-hidden="true" { "t" } }
            }
            @if let Some(until) = decision.snoozed_until(me, now) {
                form method="post" action={ "/d/" (decision.id) "/snooze" } {
                    (hidden)
                    input type="hidden" name="end" value="true";
                    button data-snooze { "Unsnooze" span .hint { "snoozed for another " (words::time_left(until, now)) } kbd .number aria-hidden="true" { "z" } }
                }
            } @else {
                details {
                    summary { "Snooze" kbd .number aria-hidden="true" { "z" } }
                    form method="post" action={ "/d/" (decision.id) "/snooze" } {
                        (hidden)
                        p .hint { "Only hidden for you. Returns on a revision or 10 min before the deadline." }
                        p .acts {
                            @for (at, (span, words)) in SNOOZES.iter().enumerate() {
                                button name="for" value=(span) data-snooze[at == 0] { (words) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Shows who has taken a decision that is pending.
pub(super) fn taken(decision: &Decision, visitor: Option<&str>, now: Timestamp) -> Markup {
    let Some(taken) = decision.taken_at(now).filter(|_| decision.status == Status::Pending) else {
        return html! {};
    };
    html! {
        span #taken .tag dir="auto" title={ "for another " (span::remaining(taken.until.since(now).as_millis())) } {
            @if visitor == Some(taken.by.as_str()) { "You are on it" } @else { (inert_line(&taken.by)) " is on it" }
        }
    }
}

/// Takes it, or lets it go.
pub(super) async fn take(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    let attention = if form.get("release") == "true" { Attention::Release } else { Attention::Take };
    client.attend(decision.id, attention).await?;
    Ok(see_other(&format!("/d/{}?{}", decision.id, Filter::read(form.get("back")).query())))
}

/// Snoozes the decision, or ends that.
pub(super) async fn snooze(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    let attention = if form.get("end") == "true" {
        Attention::Wake
    } else {
        let span: Span =
            form.get("for").parse().map_err(|why: String| PageError::new(422, "no_span", why))?;
        let until = app.engine.now().await?.checked_add(span);
        Attention::Snooze { until: until.ok_or_else(|| PageError::new(422, "no_span", "that is too long"))? }
    };
    client.attend(decision.id, attention).await?;
    // After that it is in the list, not among the snoozed.
    let back = Filter { snoozed: String::new(), ..Filter::read(form.get("back")) };
    Ok(see_other(&format!("/?{}", back.query())))
}
