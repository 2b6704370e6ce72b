//! Moving between the items of a card, starting to type, and choosing.

use holdpoint_core::{Field, Kind, Opt, Timestamp};

use crate::inbox::card::{BoxHeight, Card, EditTarget, FocusItem};
use crate::inbox::editor::Editor;
use crate::view_model::form_values::{
    CUSTOM, NONE, place_name, quantity_name, text_name, value_name, variant_name,
};
use crate::view_model::products;

/// Moves the focus to the next or previous item.
pub(super) fn go(card: &mut Card, now: Timestamp, by: isize) {
    let items = card.items(now);
    let here = card.focus.as_ref().and_then(|focus| items.iter().position(|item| item == focus));
    let last = items.len().saturating_sub(1);
    let place = match here {
        Some(place) => place.saturating_add_signed(by).min(last),
        None if by > 0 => 0,
        None => last,
    };
    card.focus = items.get(place).cloned();
    card.reading.refused = false;
    card.follows = true;
    land(card);
}

/// Moves the focus to the first item of the next or previous field.
pub(super) fn go_field(card: &mut Card, now: Timestamp, by: isize) {
    let items = card.items(now);
    let key = |item: &FocusItem| item.field().map_or_else(|| format!("{item:?}"), |at| at.to_string());
    let mut starts: Vec<usize> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at == 0 || key(&items[at - 1]) != key(item) {
            starts.push(at);
        }
    }
    let here = card.focus.as_ref().and_then(|focus| items.iter().position(|item| item == focus));
    let next = match here {
        None if by > 0 => starts.first(),
        None => starts.last(),
        Some(here) if by > 0 => starts.iter().find(|start| **start > here).or(starts.first()),
        Some(here) => starts.iter().rfind(|start| **start < here).or(starts.last()),
    };
    card.focus = next.map(|at| items[*at].clone());
    card.reading.refused = false;
    card.follows = true;
    land(card);
}

/// Starts to type in a box.
pub(super) fn begin(card: &mut Card, item: &FocusItem) {
    let Some(target) = target(card, item) else { return };
    let text = match &target {
        EditTarget::Control(name, _) => card.filled.one(name).to_owned(),
        EditTarget::Search(at) => card.sought.get(at).cloned().unwrap_or_default(),
        EditTarget::Message => card.message.clone(),
        EditTarget::Guidance => card.guidance.clone(),
    };
    if *item == FocusItem::Message && card.focus.as_ref() != Some(item) {
        card.back = card.focus.take();
    }
    card.focus = Some(item.clone());
    card.follows = true;
    card.edit = Some((target, Editor::new(&text)));
}

/// Starts to type if the focus is on the box of a question: there no letter is a command until Esc.
pub(super) fn land(card: &mut Card) {
    if let Some(item @ (FocusItem::Text(_) | FocusItem::Place(..))) = card.focus.clone()
        && card.blocked.is_none()
    {
        begin(card, &item);
    }
}

/// Starts to type in a card whose first question is a box. The card is still shown from its top.
pub(super) fn start(card: &mut Card, now: Timestamp) {
    if card.focus.is_none() {
        card.focus = card.items(now).into_iter().next().filter(|item| matches!(item, FocusItem::Text(_)));
    }
    land(card);
    card.follows = false;
}

/// Scrolls by a number of lines.
pub(super) fn turn(card: &mut Card, by: isize) {
    card.follows = false;
    let last = card.height.get();
    card.top.set(card.top.get().saturating_add_signed(by).min(last));
}

/// Returns the box that an item is, if it is one.
pub(super) fn target(card: &Card, item: &FocusItem) -> Option<EditTarget> {
    let field = item.field().and_then(|at| card.decision.fields.get(at));
    match item {
        FocusItem::Search(at) => Some(EditTarget::Search(*at)),
        FocusItem::Own(_) => field.map(|field| EditTarget::Control(text_name(field), BoxHeight::Several)),
        FocusItem::Text(_) => field.map(|field| {
            let lines = if field.kind == Kind::Multiline { BoxHeight::Several } else { BoxHeight::One };
            EditTarget::Control(value_name(field), lines)
        }),
        FocusItem::Place(_, part) => {
            field.map(|field| EditTarget::Control(place_name(part, field), BoxHeight::One))
        }
        FocusItem::Message => Some(EditTarget::Message),
        FocusItem::Guidance => Some(EditTarget::Guidance),
        FocusItem::Option(..)
        | FocusItem::Fixed(..)
        | FocusItem::Send
        | FocusItem::Guide
        | FocusItem::Out(_) => None,
    }
}

/// Chooses an option, or unchooses it if several can be chosen.
pub(super) fn choose(card: &mut Card, item: &FocusItem, now: Timestamp) {
    let Some(field) = item.field().and_then(|at| card.decision.fields.get(at)).cloned() else {
        return;
    };
    let name = value_name(&field);
    match item {
        FocusItem::Fixed(_, value) => card.filled.set(name, if card.is_chosen(item) { "" } else { value }),
        FocusItem::Option(_, option) => {
            let Some(option) = field.options.get(*option) else { return };
            match field.kind {
                Kind::Choices => card.filled.toggle(name, &option.id),
                Kind::Products => {
                    card.filled.toggle(name.clone(), &option.id);
                    if !card.filled.has(&name, &option.id) {
                        for one in option.with_variants().skip(1) {
                            card.filled.set(quantity_name(&field, &one.id), "");
                        }
                    }
                    let variant = variant_name(&field, &option.id);
                    // The product itself may be unavailable while a variant is.
                    if card.filled.one(&variant).is_empty() && products::is_expired(option, None, now) {
                        turn_variant(card, item, now, 1);
                    }
                }
                _ => {
                    // Picking an option replaces a written answer.
                    card.filled.set(text_name(&field), "");
                    let chosen = card.filled.has(&name, &option.id);
                    let value = if chosen && !field.required { NONE } else { &option.id };
                    card.filled.set(name, value);
                }
            }
        }
        _ => {}
    }
}

/// Writes a text into a box, and chooses the written answer if it is one of several choices.
pub(super) fn write(card: &mut Card, item: &FocusItem, text: &str) {
    let Some(field) = item.field().and_then(|at| card.decision.fields.get(at)).cloned() else { return };
    match item {
        FocusItem::Own(_) => {
            card.filled.set(text_name(&field), text);
            if field.kind != Kind::Choices {
                card.filled.set(value_name(&field), CUSTOM);
            }
        }
        _ => card.filled.set(value_name(&field), text),
    }
}

/// Changes the quantity of a product.
pub(super) fn count(card: &mut Card, item: &FocusItem, by: i64) {
    let Some((field, id)) = product(card, item) else { return };
    let name = quantity_name(&field, &id);
    let quantity = card.filled.one(&name).parse().unwrap_or(1_i64).saturating_add(by).max(1);
    card.filled.set(name, &quantity.to_string());
}

/// Switches to the next available variant of a product.
pub(super) fn turn_variant(card: &mut Card, item: &FocusItem, now: Timestamp, by: isize) {
    let Some((field, id)) = product(card, item) else { return };
    let Some(base) = field.options.iter().find(|option| option.id == id) else { return };
    let name = variant_name(&field, &id);
    let fresh: Vec<&str> = base
        .with_variants()
        .filter(|one| !products::is_expired(one, Some(base), now))
        .map(|one| one.id.as_str())
        .filter(|one| *one == id || card.filled.one(&quantity_name(&field, one)).is_empty())
        .collect();
    let taken = card.filled.one(&name);
    let here = fresh.iter().position(|known| *known == if taken.is_empty() { id.as_str() } else { taken });
    let next = match here {
        Some(here) => (here.cast_signed() + by).rem_euclid(fresh.len().cast_signed()).unsigned_abs(),
        None => 0,
    };
    if let Some(next) = fresh.get(next) {
        card.filled.set(name, next);
    }
}

/// Keeps the shown variant of a product with its quantity, and switches to another: both are chosen.
pub(super) fn add_variant(card: &mut Card, item: &FocusItem, now: Timestamp) {
    let Some((field, id)) = product(card, item) else { return };
    let Some(base) = field.options.iter().find(|option| option.id == id) else { return };
    let shown = card.filled.one(&variant_name(&field, &id)).to_owned();
    let is_free = |one: &&Opt| {
        one.id != shown
            && card.filled.one(&quantity_name(&field, &one.id)).is_empty()
            && !products::is_expired(one, Some(base), now)
    };
    let Some(next) = base.with_variants().skip(1).find(is_free) else { return };
    if !shown.is_empty() && shown != id {
        let quantity = card.filled.one(&quantity_name(&field, &id)).to_owned();
        card.filled.set(quantity_name(&field, &shown), if quantity.is_empty() { "1" } else { &quantity });
        card.filled.set(quantity_name(&field, &id), "");
    }
    card.filled.set(variant_name(&field, &id), &next.id);
}

/// Repeats the search in a field's options.
pub(super) fn find(card: &mut Card, at: usize) {
    let sought = card.sought.get(&at).map(|text| text.trim().to_lowercase()).unwrap_or_default();
    let Some(field) = card.decision.fields.get(at).filter(|_| !sought.is_empty()) else {
        card.found.remove(&at);
        return;
    };
    let fits = |text: &str| text.to_lowercase().contains(&sought);
    let found = field.options.iter().enumerate();
    let found = found.filter(|(_, option)| fits(&option.label) || fits(&option.id)).map(|(at, _)| at);
    card.found.insert(at, found.collect());
}

fn product(card: &Card, item: &FocusItem) -> Option<(Field, String)> {
    let FocusItem::Option(at, option) = item else { return None };
    let field = card.decision.fields.get(*at).filter(|field| field.kind == Kind::Products)?;
    Some((field.clone(), field.options.get(*option)?.id.clone()))
}
