//! Products: cards with description, price, variants and quantity.

use holdpoint_core::Opt;
use maud::{Markup, html};

use super::{ControlInput, choice, described};
use crate::view_model::products::{is_expired, price, valid_until};
use crate::web::form_values::{quantity_name, value_name, variant_name};
use crate::web::words;

/// Products beyond this number are not on the page, and cannot be picked there.
const SHOWN: usize = 200;

/// Renders a card for each product.
pub(super) fn cards(drawn: &ControlInput<'_>) -> Markup {
    let options = &drawn.field.options;
    html! {
        div .products data-options {
            @for (at, option) in options.iter().enumerate().take(SHOWN) { (card(drawn, at, option)) }
        }
        @if options.len() > SHOWN { p .hint { (SHOWN) " of " (options.len()) " products are shown." } }
    }
}

fn card(drawn: &ControlInput<'_>, at: usize, option: &Opt) -> Markup {
    let (field, filled) = (drawn.field, drawn.filled);
    let name = value_name(field);
    let id = format!("f{}o{at}", drawn.at);
    let expired = option.with_variants().all(|one| is_expired(one, Some(option), drawn.now));
    let quantity = filled.one(&quantity_name(field, &option.id));
    html! {
        div class={ "product" @if expired { " expired" } } {
            label for=(id) {
                input id=(id) type="checkbox" name=(name) value=(option.id) checked[filled.has(&name, &option.id)]
                    data-number=[drawn.number(at)] aria-describedby=[described(drawn)];
                span .label dir="auto" { (words::short(&option.label, 300)) }
                @if option.recommended { span .tag.good { "Recommended" } }
            }
            p .price {
                @if let Some(price) = price(option) { strong { (price) } } @else { span .hint { "No price is given" } }
                @if expired { span .tag.bad { "Quote expired" } span .hint { "Price expired: can be picked, not bought" } }
                @else if let Some(until) = valid_until(option) {
                    span .hint { "Quote valid for " (words::time_left(until, drawn.now)) }
                }
            }
            (rating(option))
            (choice::details(drawn.decision, option))
            div .amount {
                @if !option.variants.is_empty() { (variants(drawn, at, option)) }
                @if !expired {
                    label { "Quantity"
                        input type="text" inputmode="numeric" name=(quantity_name(field, &option.id))
                            value=(if quantity.is_empty() { "1" } else { quantity });
                    }
                }
            }
        }
    }
}

fn variants(drawn: &ControlInput<'_>, at: usize, option: &Opt) -> Markup {
    let name = variant_name(drawn.field, &option.id);
    let further = |one: &Opt| drawn.filled.one(&quantity_name(drawn.field, &one.id)).to_owned();
    let opened = option.with_variants().skip(1).any(|one| !further(one).is_empty());
    html! {
        label for={ "f" (drawn.at) "o" (at) "v" } { "Variant"
            select id={ "f" (drawn.at) "o" (at) "v" } name=(name) {
                @for one in option.with_variants() {
                    @let expired = is_expired(one, Some(option), drawn.now);
                    option value=(one.id) selected[drawn.filled.one(&name) == one.id] {
                        // The price comes first: a closed box may not have room for all of it.
                        @if let Some(price) = price(one) { (price) " — " }
                        (words::short(one.brief(), 80))
                        @if expired { " (quote expired)" }
                    }
                }
            }
        }
        details open[opened] {
            summary { "Add other variants" }
            p .hint { "Quantity for each" }
            @for one in option.with_variants().skip(1) {
                label { (words::short(one.brief(), 80))
                    input type="text" inputmode="numeric" name=(quantity_name(drawn.field, &one.id)) value=(further(one));
                }
            }
        }
    }
}

fn rating(option: &Opt) -> Markup {
    let Some(rating) = option.rating else { return html! {} };
    let filled = [0.5, 1.5, 2.5, 3.5, 4.5].iter().filter(|step| rating >= **step).count();
    html! {
        p .rating {
            span .stars aria-hidden="true" { (format!("{}{}", "★".repeat(filled), "☆".repeat(5 - filled))) }
            span { (rating) " of 5" }
            @if let Some(count) = option.reviews_count { span .hint { (count) @if count == 1 { " review" } @else { " reviews" } } }
        }
    }
}
