//! Choices: one of a few, one of many, several, or a written answer.

use holdpoint_core::decision;
use holdpoint_core::decision::number::{of_option, of_words, takes_words};
use holdpoint_core::field::definition::ACCEPT;
use holdpoint_core::field::picking;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Kind, Opt};
use maud::{Markup, html};

use super::{ControlInput, described};
use crate::view_model::read_form::FEW;
use crate::web::form_values::{CUSTOM, NONE, search_name, text_name, value_name};
use crate::web::{markdown, words};

/// How many options are shown on the page at most.
const SHOWN: usize = 100;

/// Renders the options of a field.
pub(super) fn options(drawn: &ControlInput<'_>) -> Markup {
    let field = drawn.field;
    let name = value_name(field);
    let sought = drawn.filled.one(&search_name(field)).to_lowercase();
    let fits = |option: &Opt| {
        sought.is_empty()
            || option.label.to_lowercase().contains(&sought)
            || option.id.to_lowercase().contains(&sought)
    };
    let many = field.options.len() > FEW;
    let numbered = field.options.iter().enumerate();
    let found = numbered.clone().filter(|(_, option)| fits(option)).take(SHOWN);
    let mut listed: Vec<(usize, &Opt)> = found.collect();
    // Chosen options stay visible during a search: otherwise an unseen one could be sent.
    let chosen = numbered.filter(|(at, option)| {
        drawn.filled.has(&name, &option.id) && !listed.iter().any(|(known, _)| known == at)
    });
    let chosen: Vec<_> = chosen.collect();
    listed.splice(0..0, chosen);
    let all = listed.len() >= field.options.len();
    // It comes after the written answer, as its number does.
    let (accept, listed): (Vec<_>, Vec<_>) = listed.into_iter().partition(|(_, option)| option.id == ACCEPT);
    let focus = words::focuses_refusal(drawn.decision)
        .then(|| field.options.iter().position(|option| option.refuses))
        .flatten();
    html! {
        @if many {
            div .find {
                label { span .quiet { "Search the options" }
                    input type="search" name=(search_name(field)) value=(drawn.filled.one(&search_name(field)))
                        placeholder={ "Search " (field.options.len()) " options" } data-find=(if all { "here" } else { "server" }) autocomplete="off";
                }
                button .no-script name="verb" value="continue" { "Search" }
            }
        }
        div class={ "options" @if many { " many" } } data-options tabindex=[many.then_some("0")]
            role=[many.then_some("group")] aria-label=[many.then_some("Options")] {
            @for (at, option) in &listed { (choosable(drawn, *at, option, focus == Some(*at))) }
            @if !all {
                p .hint { (listed.len()) " of " (field.options.len()) " options are shown; search to find the others." }
            }
        }
        @if field.options.is_empty() && !field.custom { p .hint { "No options are offered yet." } }
        @if field.custom { (own_words(drawn)) }
        @for (at, option) in accept { (choosable(drawn, at, option, focus == Some(at))) }
        @if !field.required && field.kind != Kind::Choices {
            label .option.slim {
                input type="radio" name=(name) value=(NONE) checked[drawn.filled.has(&name, NONE)];
                span .hint { "Leave blank" }
            }
        }
    }
}

fn choosable(drawn: &ControlInput<'_>, at: usize, option: &Opt, focus: bool) -> Markup {
    let field = drawn.field;
    let name = value_name(field);
    let kind = if field.kind == Kind::Choices { "checkbox" } else { "radio" };
    let id = format!("f{}o{at}", drawn.at);
    html! {
        div class={ "option" @if option.refuses { " refuses" } } data-words=(inert_line(&option.label).to_lowercase()) {
            label for=(id) {
                input id=(id) type=(kind) name=(name) value=(option.id) checked[drawn.filled.has(&name, &option.id)]
                    data-number=[drawn.number(at)] data-refuses[option.refuses] data-needs-words[needs_words(drawn.decision, field, option)]
                    data-focus[focus] aria-describedby=[described(drawn)];
                span .label dir="auto" { (inert_line(&option.label)) }
                (marks(drawn.decision, field, option))
                (number(drawn.number(at)))
            }
            (details(drawn.decision, option))
        }
    }
}

/// Renders options as buttons that send.
pub(super) fn buttons(decision: &Decision, field: &Field) -> Markup {
    let focus = words::focuses_refusal(decision)
        .then(|| field.options.iter().position(|option| option.refuses))
        .flatten();
    html! {
        div .confirm role="group" aria-label=(inert_line(&field.label)) data-options {
            @for (at, option) in field.options.iter().enumerate() {
                @let shown = of_option(decision, field, at);
                button class=(if option.refuses { "no" } else { "yes" }) name=(value_name(field)) value=(option.id)
                    data-number=[shown] data-refuses[option.refuses] data-needs-words[needs_words(decision, field, option)]
                    data-focus[focus == Some(at)] {
                    span .label dir="auto" { (inert_line(&option.label)) }
                    (marks(decision, field, option))
                    (number(shown))
                }
            }
        }
    }
}

/// Returns whether there is more to show of an option than its label.
pub(super) fn needs_details(decision: &Decision, option: &Opt) -> bool {
    option.description.is_some()
        || option.image_url.is_some()
        || option.url.is_some()
        || words::explained(decision, option).is_some()
}

/// Returns whether an option is meaningful only with a message.
fn needs_words(decision: &Decision, field: &Field, option: &Opt) -> bool {
    let picked = [(field.id.clone(), picking(field, &option.id))];
    decision::needs_words(decision, &picked.into_iter().collect(), None)
}

fn own_words(drawn: &ControlInput<'_>) -> Markup {
    let field = drawn.field;
    let name = value_name(field);
    let text = text_name(field);
    let id = format!("f{}own", drawn.at);
    let several = field.kind == Kind::Choices;
    // Only the first field that accepts a written answer has a number for it.
    let first = drawn.decision.fields.iter().find(|field| takes_words(field));
    let first = first.filter(|first| first.id == field.id && drawn.numbered);
    let picks = first.and_then(|_| of_words(drawn.decision));
    html! {
        div .option.own {
            @if !several {
                label for={ (id) "-pick" } {
                    input id={ (id) "-pick" } type="radio" name=(name) value=(CUSTOM) checked[drawn.filled.has(&name, CUSTOM)]
                        data-number=[picks];
                    span .label { "In your own words" }
                    (number(picks))
                }
            }
            textarea id=(id) name=(text) rows="2" dir="auto" aria-label="In your own words"
                placeholder=[several.then_some("Something else")] data-own { "\n" (drawn.filled.one(&text)) }
        }
    }
}

fn marks(decision: &Decision, field: &Field, option: &Opt) -> Markup {
    html! {
        @if option.recommended { span .tag.good { "Recommended" } }
        @if words::is_suggested(field, option) { span .tag { "Suggested" } }
        @if let Some(counts_as) = words::counts_as(decision, field, option) { span .tag { (counts_as) } }
    }
}

/// Renders what choosing an option does, and its details.
pub(super) fn details(decision: &Decision, option: &Opt) -> Markup {
    html! {
        @if let Some(effect) = words::explained(decision, option) { p .effect { (effect) } }
        @if let Some(description) = &option.description { (markdown::shown(description)) }
        @if option.image_url.is_some() || option.url.is_some() {
            p .elsewhere {
                @if let Some(url) = &option.image_url { (picture(url)) }
                @if let Some(url) = &option.url { (elsewhere(url)) }
            }
        }
    }
}

/// Renders a link to a picture: it is fetched only on request, and without a referrer.
pub(super) fn picture(url: &str) -> Markup {
    let host = markdown::host(url).filter(|_| url.to_ascii_lowercase().starts_with("https://"));
    html! {
        @if let Some(host) = host {
            a .picture href=(url) target="_blank" rel="noopener noreferrer nofollow" data-picture { "Show the picture (" (host) ")" }
        }
    }
}

pub(super) fn elsewhere(url: &str) -> Markup {
    html! {
        @if let Some(host) = markdown::host(url) {
            a href=(url) target="_blank" rel="noopener noreferrer nofollow" { "Read more (" (host) ")" }
        }
    }
}

pub(super) fn number(number: Option<usize>) -> Markup {
    html! { @if let Some(number) = number.filter(|number| *number <= 9) { kbd .number aria-hidden="true" { (number) } } }
}
