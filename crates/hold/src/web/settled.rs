//! A settled decision in a list: what it was about, how it ended, who asked and who decided.

use holdpoint_core::decision::is_refusal;
use holdpoint_core::{Decision, Owner, OwnerKind, Status, Timestamp};
use maud::{Markup, html};

use super::{rows, words};

/// An outcome of at most this many characters takes the place of the status.
const BRIEF: usize = 40;

/// Renders a row. A job or a run goes by its name, if that is known.
pub(super) fn row(decision: &Decision, owner_name: Option<&str>, now: Timestamp) -> Markup {
    let settled = decision.settled_at.unwrap_or(decision.created_at);
    let asker = decision.asker().map(|asker| asker.brief());
    let named = owner_name.map(|name| html! { bdi { (words::short(name, 40)) } });
    // A run has no name; the end of its id is what other pages and commands call it.
    let unnamed = |owner: &Owner| match owner.kind {
        OwnerKind::Run => Some(words::owner(owner)),
        _ => words::owner_known(owner),
    };
    let owner = named.or_else(|| decision.owner.as_ref().and_then(unnamed));
    let outcome = match &decision.answer {
        Some(_) => words::short(&words::answered(decision), 100),
        None => decision.reason.as_deref().map(|reason| words::short(reason, 100)).unwrap_or_default(),
    };
    let is_told =
        decision.status == Status::Answered && !outcome.is_empty() && outcome.chars().count() <= BRIEF;
    let (tag, rest) =
        if is_told { (outcome.as_str(), "") } else { (words::status(decision.status), outcome.as_str()) };
    html! {
        li data-id=(decision.id) {
            span .tick { (rows::face(asker.as_deref())) }
            a .row href={ "/d/" (decision.id) } {
                (rows::headline(decision, rows::Facts::Hidden))
                span .meta {
                    span class={ "tag st-" (decision.status.name()) @if is_refusal(decision) { " bad" } } dir="auto" { (tag) }
                    @if !rest.is_empty() { span .outcome-words dir="auto" { (rest) } }
                    @if let Some(asker) = &asker { span dir="auto" { (words::short(asker, 40)) } }
                    @if let Some(owner) = &owner { span { (owner) } }
                    @if decision.project != "default" { span dir="auto" { (words::short(&decision.project, 40)) } }
                    @if let Some(answer) = &decision.answer { span dir="auto" { "answered by " (words::short(&words::answered_by(answer), 40)) } }
                }
                span .times { span .age { (words::ago(settled, now)) } }
            }
        }
    }
}
