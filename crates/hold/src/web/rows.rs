//! The list of what waits, as the inbox shows it.

use holdpoint_core::{Decision, Priority, Source, Timestamp};
use maud::{Markup, html};

use super::filter::Filter;
use super::form::Form;
use super::inbox::Ranked;
use super::words;
use crate::shown::owners::Names;
use crate::shown::same::{self, Group};
use crate::shown::{face, many, people, rank, reading};

/// How many are shown at first, and how many more each time.
const PAGE: usize = 40;
/// How many rows one page ever has.
const MOST: usize = 1_000;

/// Returns how many rows someone wants to see.
pub(super) fn shown(asked: &Form) -> usize {
    asked.get("shown").parse().unwrap_or(PAGE).clamp(PAGE, MOST)
}

/// Shows what waits.
pub(super) fn list(found: &Ranked, names: &Names, filter: &Filter, shown: usize, now: Timestamp) -> Markup {
    let query = filter.query();
    let tail = if query.is_empty() { String::new() } else { format!("?{query}") };
    html! {
        div #list data-title=(found.title()) {
            @if found.items.is_empty() {
                div .empty {
                    p .big { @if filter.is_empty() { "Nothing is waiting for you." } @else { "No pending decision matches." } }
                    (snoozed(found, filter))
                    p .hint { @if filter.is_empty() { "New decisions appear here automatically." }
                        @else { a href="/" { "Show everything" } } }
                }
            } @else {
                p .hint.count { (found.total()) " pending"
                    @if found.items.len() > 1 { " · " a href={ "/next?" (query) } { "Answer one by one" } }
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
                    p .hint { "Only the first part of the list is shown. Narrow it to see the rest." }
                }
            }
        }
    }
}

/// Leads to what the visitor has snoozed, and back.
fn snoozed(found: &Ranked, filter: &Filter) -> Markup {
    html! {
        @if filter.shows_snoozed() { " · " a href="/" { "Back to the inbox" } }
        @else if found.snoozed > 0 { " · " a href="/?snoozed=true" { (found.snoozed) " snoozed" } }
    }
}

fn more(query: &str, shown: usize) -> String {
    let amp = if query.is_empty() { "" } else { "&" };
    format!("{query}{amp}shown={shown}")
}

/// Returns what the rows from here on are called, and how many they are, where that changes.
fn section(groups: &[Group], at: usize, now: Timestamp) -> Option<(&'static str, usize)> {
    let name = |group: &Group| rank::section(&group.decision, now);
    let here = name(&groups[at]);
    // One section needs no name.
    let is_first = at.checked_sub(1).is_none_or(|before| name(&groups[before]) != here);
    let has_several = || groups.iter().any(|group| name(group) != here);
    if !is_first || !has_several() {
        return None;
    }
    Some((here, groups[at..].iter().take_while(|group| name(group) == here).count()))
}

fn row(
    group: &Group,
    section: Option<(&'static str, usize)>,
    owner_name: Option<&str>,
    tail: &str,
    now: Timestamp,
) -> Markup {
    let decision = &group.decision;
    let subject = decision.subject.as_ref();
    let whole = subject.and_then(reading::in_row);
    // What a verdict is about is known by the names of commits; its title says it in words, and so does that of a plan.
    let told = subject.filter(|_| !matches!(decision.source, Source::Verdict | Source::Plan));
    let line = told.map(reading::line).unwrap_or_default();
    let what = told.map(|_| line.split_once(" · ").unwrap_or((&line, "")));
    // Consent from the list only to what is seen there in full; a no to anything. A long subject is left out of lists.
    let refusing = decision.subject_digest.is_some().then(|| {
        let numbers: Vec<String> = reading::refusing(decision).iter().map(ToString::to_string).collect();
        numbers.join(" ")
    });
    html! {
        li data-id=(decision.id) data-section=[section.map(|(name, _)| name)] data-count=[section.map(|(_, count)| count)] {
            (tick(decision, owner_name))
            a .row href={ "/d/" (decision.id) (tail) } data-refusing=[refusing] data-whole[whole.is_some()] {
                @if let Some((what, facts)) = what {
                    code .what dir="auto" { (what) @if !facts.is_empty() { span .facts { " · " (facts) } } }
                }
                @if what.is_none() || !words::repeats_subject(decision) {
                    span .title dir="auto" { @if decision.source == Source::Plan { "Plan: " } (words::short(decision.summary(), 160)) }
                }
                (meta(group, owner_name, now))
                (times(group, now))
            }
        }
    }
}

/// What an asker is known by, and the box that marks the row; what is answered by itself has none.
fn tick(decision: &Decision, owner_name: Option<&str>) -> Markup {
    let known_by = decision.asker().map(|asker| asker.brief()).or_else(|| owner_name.map(str::to_owned));
    let face = known_by.map(|name| face::of(&name));
    let class = face.as_ref().map_or_else(|| "face f7".to_owned(), |face| format!("face f{}", face.colour));
    html! {
        label .tick {
            @if many::alone(decision).is_none() {
                input type="checkbox" form="many" name="id" value=(decision.id) aria-label={ "Mark: " (words::short(decision.summary(), 80)) };
            }
            span class=(class) aria-hidden="true" { (face.as_ref().map_or("?", |face| face.letters.as_str())) }
        }
    }
}

/// Says who asks, and where; and what else tells it from others.
fn meta(group: &Group, owner_name: Option<&str>, now: Timestamp) -> Markup {
    let decision = &group.decision;
    let who = match (same::askers(decision, &group.others), owner_name) {
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
            @if let Some(votes) = people::progress(decision) { strong .votes dir="auto" { (words::short(&votes, 120)) } }
            @if let Some(taken) = decision.taken_at(now) { strong .taken dir="auto" { (words::short(&taken.by, 40)) " is on it" } }
            @if !decision.draft.is_empty() { span { "Draft" } }
        }
    }
}

/// Says how often it is asked, for how long, and when it is due.
fn times(group: &Group, now: Timestamp) -> Markup {
    let decision = &group.decision;
    let soon = rank::is_due_soon(decision, now);
    html! {
        span .times {
            @if !group.others.is_empty() {
                span .same title={ "Asked " (group.others.len() + 1) " times" } { "× " (group.others.len() + 1) }
            }
            @if let Some(deadline) = decision.deadline.filter(|_| soon) { span .due.soon { "due in " (words::left(deadline, now)) } }
            span .age title="How long it has waited" { (words::ago(decision.created_at, now)) }
            @if let Some(deadline) = decision.deadline.filter(|_| !soon) { span .due { "due in " (words::left(deadline, now)) } }
        }
    }
}
