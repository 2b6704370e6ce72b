//! The list of what waits, as the inbox shows it.

use holdpoint_core::{Source, Timestamp};
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
                    @if found.items.len() > 1 { " · " a href={ "/next?" (query) } { "Answer one after the other" } }
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
                    p .hint { "Only part of the list is ranked here. Narrow it to see the rest." }
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
fn section(groups: &[Group], at: usize, now: Timestamp) -> Option<String> {
    let name = |group: &Group| rank::section(&group.decision, now);
    let here = name(&groups[at]);
    // One section needs no name.
    let is_first = at.checked_sub(1).is_none_or(|before| name(&groups[before]) != here);
    let has_several = || groups.iter().any(|group| name(group) != here);
    if !is_first || !has_several() {
        return None;
    }
    let count = groups[at..].iter().take_while(|group| name(group) == here).count();
    Some(format!("{here} · {count}"))
}

fn row(
    group: &Group,
    section: Option<String>,
    owner_name: Option<&str>,
    tail: &str,
    now: Timestamp,
) -> Markup {
    let decision = &group.decision;
    let subject = decision.subject.as_ref();
    let whole = subject.and_then(reading::in_row);
    // What a verdict is about is known by the names of commits; its title says it in words.
    let told = subject.filter(|_| decision.source != Source::Verdict);
    let line = told.map(reading::line).unwrap_or_default();
    let what = told.map(|_| line.split_once(" · ").unwrap_or((&line, "")));
    let face = decision.asker().map(|asker| face::of(&asker.brief()));
    // Consent from the list only to what is shown there in full; a no to anything. A long subject is left out of lists.
    let picks = (decision.subject_digest.is_some() && whole.is_none()).then(|| {
        let numbers: Vec<String> = reading::refusing(decision).iter().map(ToString::to_string).collect();
        numbers.join(" ")
    });
    html! {
        li data-id=(decision.id) data-section=[section] {
            // What is answered by itself has none.
            label .tick {
                @if many::alone(decision).is_none() {
                    input type="checkbox" form="many" name="id" value=(decision.id) aria-label={ "Mark: " (words::short(decision.summary(), 80)) };
                }
            }
            a .row href={ "/d/" (decision.id) (tail) } data-picks=[picks] {
                @if let Some(face) = face {
                    span class={ "face f" (face.colour) } aria-hidden="true" { (face.letters) }
                }
                @if let Some((what, facts)) = what {
                    code .what dir="auto" { (what) @if !facts.is_empty() { span .facts { " · " (facts) } } }
                }
                span .title dir="auto" { (words::short(decision.summary(), 160)) }
                span .meta {
                    span class={ "tag s-" (decision.source.name()) } { (words::source(decision.source)) }
                    @if let Some(priority) = words::priority(decision.priority) {
                        span class={ "tag p-" (priority.to_lowercase()) } { (priority) }
                    }
                    @if decision.iteration > 1 { span .tag { "Round " (decision.iteration) } }
                    @if let Some(votes) = people::progress(decision) { strong .votes dir="auto" { (words::short(&votes, 120)) } }
                    @if let Some(words) = same::words(decision, &group.others, now) { strong .same dir="auto" { (words) } }
                    @if !group.others.is_empty() {
                    } @else if let Some(name) = owner_name {
                        span dir="auto" { (words::short(name, 60)) }
                    } @else {
                        @if let Some(asker) = decision.asker() { span dir="auto" { (words::short(&asker.brief(), 60)) } }
                        @if let Some(owner) = &decision.owner { span dir="auto" { (words::short(&crate::shown::words::owner(owner), 40)) } }
                    }
                    @if decision.project != "default" { span dir="auto" { (words::short(&decision.project, 40)) } }
                    @if !decision.assignees.is_empty() {
                        span dir="auto" { "for " (words::short(&decision.assignees.join(", "), 60)) }
                    }
                    @if let Some(taken) = decision.taken_at(now) { strong .taken dir="auto" { (words::short(&taken.by, 40)) " is on it" } }
                    @if !decision.draft.is_empty() { span .tag { "Draft" } }
                }
                span .times {
                    span .age title="How long it has waited" { (words::ago(decision.created_at, now)) }
                    @if let Some(deadline) = decision.deadline {
                        span class={ "due" @if rank::is_due_soon(decision, now) { " soon" } } {
                            "due in " (words::left(deadline, now))
                        }
                    }
                }
            }
        }
    }
}
