//! The outcome of a decision, and other parties' reports about it.

use holdpoint_core::decision::is_refusal;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Auth, Decision, Status, Timestamp};
use holdpoint_engine::thread::sender;
use holdpoint_protocols::aitp::thread::show_message;
use maud::{Markup, html};

use super::words;
use crate::view_model::answered_via::answered_via;

/// Renders other parties' reports.
pub(super) fn reports(decision: &Decision, now: Timestamp) -> Markup {
    html! {
        @for report in &decision.reports {
            @let shown = show_message(&report.content, now);
            section .outcome.report aria-label="Outcome reported by another party" {
                h2 dir="auto" { (shown.title.unwrap_or_else(|| inert_line(&report.message))) }
                dl { @for (fact, value) in shown.facts { dt dir="auto" { (fact) } dd .pre dir="auto" { (value) } } }
                @if report.approved == Some(false) { p .fault { "Done without approval." } }
                p .hint {
                    "Reported by " bdi { (sender(&report.by, report.actor.as_deref())) } " (" (words::auth(report.auth.unwrap_or(Auth::Claimed))) ") "
                    (words::ago(report.at, now)) " ago. Nobody here has checked it."
                }
            }
        }
    }
}

/// Renders the outcome, who decided, and how reliably that is known.
pub(super) fn outcome(decision: &Decision, now: Timestamp) -> Markup {
    let refused = is_refusal(decision);
    html! {
        section class={ "outcome" @if refused { " refused" } } aria-labelledby="outcome-title" {
            h2 #outcome-title { (ended(decision.status, refused)) }
            @if let Some(answer) = &decision.answer {
                dl {
                    @for (label, value) in words::given(decision, &answer.values, answer.out.as_deref()) {
                        dt dir="auto" { (words::short(&label, 200)) }
                        dd .pre dir="auto" { (value) }
                    }
                    @if let Some(message) = &answer.message {
                        dt { @if decision.status == Status::Refined { "Guidance" } @else { "Message" } }
                        dd .pre dir="auto" { (inert(message)) }
                    }
                }
                @if answer.seen == Some(false) { p .fault { "Approved without reading it all." } }
                @if decision.status == Status::TimedOut { p .hint { "At the deadline, " (words::ago(answer.at, now)) " ago" } }
                @else {
                    p .hint { bdi { (words::answered_by(answer)) } ", " (words::ago(answer.at, now)) " ago, " (answered_via(answer)) }
                }
            } @else if let Some(at) = decision.settled_at {
                p .hint { (words::ago(at, now)) " ago." }
            }
            @if let Some(reason) = &decision.reason { p dir="auto" { (inert_line(reason)) } }
            @if let Some(at) = decision.consumed_at { p .hint { "Used " (words::ago(at, now)) " ago." } }
            @if let Some(next) = decision.next { p { a .button href={ "/d/" (next) } { "The next round" } } }
            @if let Some(next) = decision.superseded_by { p { a .button href={ "/d/" (next) } { "The newer decision" } } }
        }
    }
}

/// Says how a decision ended.
fn ended(status: Status, refused: bool) -> &'static str {
    match (status, refused) {
        (Status::Answered, true) => "Refused",
        (Status::TimedOut, true) => "Refused: nobody answered in time",
        _ => words::status(status),
    }
}
