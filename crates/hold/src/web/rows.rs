//! The inbox's list of pending decisions.

use holdpoint_core::{Decision, Priority, Source, Timestamp};
use maud::{Markup, html};

use super::filter::Filter;
use super::form::Form;
use super::inbox::RankedInbox;
use super::words;
use crate::view_model::identical::{self, IdenticalGroup};
use crate::view_model::owners::OwnerNames;
use crate::view_model::{avatar, bulk_answer, rank, read_before_consent, vote_progress};

/// How many rows are shown at first, and added each time.
const PAGE: usize = 40;
/// How many rows a page can have.
const MOST: usize = 1_000;
/// With more time left than this, in milliseconds, a row says how long it has waited.
const NEAR: i64 = 60 * 60_000;

/// Returns how many rows were requested.
pub(super) fn shown(asked: &Form) -> usize {
    asked.get("shown").parse().unwrap_or(PAGE).clamp(PAGE, MOST)
}

/// Renders the list.
pub(super) fn list(
    found: &RankedInbox,
    names: &OwnerNames,
    filter: &Filter,
    shown: usize,
    now: Timestamp,
) -> Markup {
    let query = filter.query();
    let tail = if query.is_empty() { String::new() } else { format!("?{query}") };
    html! {
        div #list data-title=(found.title()) {
            @if found.items.is_empty() {
                div .empty {
                    p .big { @if filter.is_empty() { "Nothing is waiting for you." } @else { "No matches." } }
                    (snoozed(found, filter))
                    p .hint { @if filter.is_empty() { "New decisions appear here automatically." }
                        @else { a href="/" { "Show everything" } } }
                }
            } @else {
                p .hint.count { (found.total()) " pending"
                    @if found.items.len() > 1 { " · " a href={ "/next?" (query) } { "Focus mode" } }
                    (snoozed(found, filter)) }
                ol .rows {
                    @for (at, group) in found.items.iter().enumerate().take(shown) {
                        (row(group, section(&found.items, at, now), names.name(&group.decision), &tail, now))
                    }
                }
                @if found.items.len() > shown {
                    p .hint.below { (found.items.len() - shown) " more below" }
                    p { a .button href={ "/?" (more(&query, shown + PAGE)) } { "Show more" } }
                } @else if found.more {
                    p .hint { "List truncated. Search to narrow it." }
                }
            }
        }
    }
}

/// Links to the snoozed decisions, and back.
fn snoozed(found: &RankedInbox, filter: &Filter) -> Markup {
    html! {
        @if filter.shows_snoozed() { " · " a href="/" { "Back to the inbox" } }
        @else if found.snoozed > 0 { " · " a href="/?snoozed=true" { (found.snoozed) " snoozed" } }
    }
}

fn more(query: &str, shown: usize) -> String {
    let amp = if query.is_empty() { "" } else { "&" };
    format!("{query}{amp}shown={shown}")
}

/// The section of a row.
#[derive(Clone, Copy)]
struct Section {
    name: &'static str,
    /// How many decisions are in it; only at its first row.
    count: Option<usize>,
}

/// Returns the section of a row; none if there is only one section.
fn section(groups: &[IdenticalGroup], at: usize, now: Timestamp) -> Option<Section> {
    let name = |group: &IdenticalGroup| rank::section(&group.decision, now);
    let here = name(&groups[at]);
    if groups.iter().all(|group| name(group) == here) {
        return None;
    }
    let is_first = at.checked_sub(1).is_none_or(|before| name(&groups[before]) != here);
    let alike = || groups[at..].iter().take_while(|group| name(group) == here);
    let count = is_first.then(|| alike().map(|group| 1 + group.others.len()).sum());
    Some(Section { name: here, count })
}

fn row(
    group: &IdenticalGroup,
    section: Option<Section>,
    owner_name: Option<&str>,
    tail: &str,
    now: Timestamp,
) -> Markup {
    let decision = &group.decision;
    let whole = decision.subject.as_ref().and_then(read_before_consent::in_row);
    // Consent from the list requires that the subject is shown there in full; refusing is always possible. Lists omit
    // long subjects.
    let refusing = decision.subject_digest.is_some().then(|| {
        let numbers: Vec<String> =
            read_before_consent::refusing(decision).iter().map(ToString::to_string).collect();
        numbers.join(" ")
    });
    html! {
        // The script moves a section's heading on when its first row goes.
        li data-id=(decision.id) data-in=[section.map(|section| section.name)]
            data-section=[section.filter(|section| section.count.is_some()).map(|section| section.name)] data-count=[section.and_then(|section| section.count)] {
            (tick(decision, owner_name))
            a .row href={ "/d/" (decision.id) (tail) } data-refusing=[refusing] data-whole[whole.is_some()] {
                (headline(decision, Facts::Shown))
                (meta(group, owner_name, now))
                (times(group, now))
            }
        }
    }
}

/// Renders a pending decision outside the inbox, where rows cannot be marked.
pub(super) fn alone(decision: &Decision, now: Timestamp) -> Markup {
    let group = IdenticalGroup { decision: decision.clone(), others: Vec::new() };
    let asker = decision.asker().map(|asker| asker.brief());
    html! {
        li data-id=(decision.id) {
            span .tick { (face(asker.as_deref())) }
            a .row href={ "/d/" (decision.id) } {
                (headline(decision, Facts::Hidden))
                (meta(&group, None, now))
                (times(&group, now))
            }
        }
    }
}

/// Whether a row names the members beside what would be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facts {
    /// As in the inbox, where consent requires all of the subject.
    Shown,
    /// As where nothing is answered.
    Hidden,
}

/// Renders what would be done, followed by the title if that says more, on one line.
pub(super) fn headline(decision: &Decision, facts: Facts) -> Markup {
    // A verdict's subject names commits by their hashes; the title describes it in words, as it does a plan.
    let told =
        decision.subject.as_ref().filter(|_| !matches!(decision.source, Source::Verdict | Source::Plan));
    let line = told
        .map(if facts == Facts::Shown { read_before_consent::line } else { read_before_consent::what })
        .unwrap_or_default();
    let parts = line.split_once(" · ").filter(|_| facts == Facts::Shown);
    let what = told.map(|_| parts.unwrap_or((&line, "")));
    html! {
        span .headline {
            @if let Some((what, facts)) = what {
                code .what dir="auto" { (what) @if !facts.is_empty() { span .facts { " · " (facts) } } }
            }
            @if what.is_none() || !words::repeats_subject(decision) {
                span .title dir="auto" { @if decision.source == Source::Plan { "Plan: " } (words::short(decision.summary(), 160)) }
            }
        }
    }
}

/// Renders the face of an asker, known by this name.
pub(super) fn face(known_by: Option<&str>) -> Markup {
    let face = known_by.map(avatar::of);
    let class = face.as_ref().map_or_else(|| "face f7".to_owned(), |face| format!("face f{}", face.colour));
    html! { span class=(class) aria-hidden="true" { (face.as_ref().map_or("?", |face| face.letters.as_str())) } }
}

/// Renders the asker's face, and the box that marks the row, unless the decision is only answered on its own.
fn tick(decision: &Decision, owner_name: Option<&str>) -> Markup {
    let known_by = decision.asker().map(|asker| asker.brief()).or_else(|| owner_name.map(str::to_owned));
    html! {
        label .tick {
            @if bulk_answer::alone(decision).is_none() {
                input type="checkbox" form="many" name="id" value=(decision.id) aria-label={ "Mark: " (words::headline(decision, 80)) };
            }
            (face(known_by.as_deref()))
        }
    }
}

/// Renders who asks and where, and what distinguishes the decision from others.
fn meta(group: &IdenticalGroup, owner_name: Option<&str>, now: Timestamp) -> Markup {
    let decision = &group.decision;
    let who = match (identical::askers(decision, &group.others), owner_name) {
        (Some(askers), _) if !group.others.is_empty() => Some(askers),
        (_, Some(name)) => Some(words::short(name, 60)),
        _ => decision.asker().map(|asker| words::short(&asker.brief(), 60)),
    };
    let is_told = matches!(decision.source, Source::Gate | Source::Idle | Source::Dead | Source::Error);
    html! {
        span .meta {
            @if is_told { span class={ "tag s-" (decision.source.name()) } { (words::source(decision.source)) } }
            @if decision.priority != Priority::Urgent && let Some(priority) = words::priority(decision.priority) {
                span class={ "tag p-" (priority.to_lowercase()) } { (priority) }
            }
            @if let Some(who) = who { span dir="auto" { (who) } }
            @if decision.project != "default" { span dir="auto" { (words::short(&decision.project, 40)) } }
            @if group.others.is_empty() && owner_name.is_none() && let Some(owner) = decision.owner.as_ref().and_then(words::owner_known) {
                span { (owner) }
            }
            @if decision.iteration > 1 { span { "round " (decision.iteration) " of " (decision.max_iterations) } }
            @if !decision.assignees.is_empty() { span dir="auto" { "for " (words::short(&decision.assignees.join(", "), 60)) } }
            @if let Some(votes) = vote_progress::count(decision) { strong .votes title=[vote_progress::progress(decision)] { (votes) " votes" } }
            @if let Some(taken) = decision.taken_at(now) { strong .taken dir="auto" { (words::short(&taken.by, 40)) " is on it" } }
            @if !decision.draft.is_empty() { span { "Draft" } }
        }
    }
}

/// Renders how often it is asked, and when it is due or else how long it has waited.
fn times(group: &IdenticalGroup, now: Timestamp) -> Markup {
    let decision = &group.decision;
    let due = decision.deadline.filter(|deadline| deadline.since(now).as_millis() <= NEAR);
    html! {
        span .times {
            @if !group.others.is_empty() {
                span .same title={ "Asked " (group.others.len() + 1) " times" } { "× " (group.others.len() + 1) }
            }
            @if let Some(deadline) = due {
                span class={ "due" @if rank::is_due_soon(decision, now) { " soon" } } { "due in " (words::time_left(deadline, now)) }
            } @else {
                span .age title="How long it has waited" { (words::ago(decision.created_at, now)) }
            }
        }
    }
}
