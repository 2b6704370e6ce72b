//! A field: its label, limits, error, and the control that fits its kind.

use holdpoint_core::decision::number::{goes_by_ids, of_option, of_words, takes_words};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Field, Kind, Opt, Timestamp};

use super::sheet::Sheet;
use crate::inbox::card::{BoxHeight, Card, EditTarget, FocusItem};
use crate::inbox::editor::Editor;
use crate::view_model::form_values::{NONE, place_name, quantity_name, text_name, value_name, variant_name};
use crate::view_model::read_form::{self, FEW, OpenField};
use crate::view_model::{products, span, wording};

/// How many options of a long list are visible at a time.
const SEEN: usize = 8;

pub(super) fn draw_field(sheet: &mut Sheet, card: &Card, asked: OpenField<'_>, now: Timestamp) {
    let (field, at) = (asked.field, asked.at);
    sheet.gap();
    label(sheet, card, field);
    if let Some(description) = &field.description {
        sheet.agent(2, description, 3, "");
    }
    if let Some(limits) = wording::limits(field) {
        let look = sheet.style.faint();
        sheet.push_text(2, &limits, look);
    }
    sheet.fault(card.fault(&field.id));
    let here = |item: &FocusItem| card.focus.as_ref() == Some(item);
    match field.kind {
        kind if kind.picks() => options(sheet, card, asked, now),
        Kind::Boolean => {
            let suggested = field.default.as_ref().map(ToString::to_string);
            for (value, name) in [("true", "Yes"), ("false", "No")] {
                let item = FocusItem::Fixed(at, value);
                let mark = radio(card.is_chosen(&item));
                let note = if suggested.as_deref() == Some(value) { "(suggested)" } else { "" };
                sheet.item(here(&item), &format!("{mark} {name}"), note);
            }
            left_out(sheet, card, field, at);
        }
        Kind::Location => {
            for (part, name) in [("lat", "Latitude, -90 to 90:   "), ("lng", "Longitude, -180 to 180:")] {
                let item = FocusItem::Place(at, part);
                let control = place_name(part, field);
                let text = card.filled.one(&control);
                sheet.input(here(&item), name, text, editor(card, &control), 1);
            }
        }
        kind => {
            let control = value_name(field);
            let lines = if kind == Kind::Multiline { 6 } else { 1 };
            let text = card.filled.one(&control);
            sheet.input(here(&FocusItem::Text(at)), hint(kind), text, editor(card, &control), lines);
        }
    }
}

/// Returns the hint in front of a box.
fn hint(kind: Kind) -> &'static str {
    match kind {
        Kind::Email => "E-mail:",
        Kind::Tel => "Telephone:",
        Kind::Url => "URL (https://…):",
        Kind::Number => "Number:",
        Kind::Integer => "Whole number:",
        Kind::Date => "Date (YYYY-MM-DD):",
        Kind::Time => "Time (HH:MM):",
        Kind::Datetime => "Date and time (YYYY-MM-DD HH:MM):",
        _ => "",
    }
}

fn editor<'a>(card: &'a Card, control: &str) -> Option<&'a Editor> {
    let (target, editor) = card.edit.as_ref()?;
    matches!(target, EditTarget::Control(name, BoxHeight::One | BoxHeight::Several) if name == control)
        .then_some(editor)
}

/// If a card has a single question, its heading already shows it; repeating it would only take room.
fn label(sheet: &mut Sheet, card: &Card, field: &Field) {
    let decision = &card.decision;
    let same = |words: &Option<String>| words.as_deref() == Some(field.label.as_str());
    let alone = decision.fields.len() == 1;
    let bare = alone && (same(&decision.title) || same(&decision.prompt) || field.label == field.id);
    let text = if bare { "Your answer".to_owned() } else { wording::short(&field.label, 400) };
    let left_out = if field.required { "" } else { " (optional)" };
    let look = sheet.style.strong();
    sheet.push_text(0, &format!("{text}{left_out}"), look);
}

fn options(sheet: &mut Sheet, card: &Card, asked: OpenField<'_>, now: Timestamp) {
    let (field, at) = (asked.field, asked.at);
    let here = |item: &FocusItem| card.focus.as_ref() == Some(item);
    let faint = sheet.style.faint();
    let long = field.options.len() > FEW;
    let (all, accept) = card.listed(field, at);
    let mut window = 0..all.len();
    if long {
        let count = field.options.len();
        let sought = card.sought.get(&at).map_or("", String::as_str);
        let typing = card.edit.as_ref().filter(|(target, _)| *target == EditTarget::Search(at));
        let label = format!("Search {count} options (/):");
        sheet.input(here(&FocusItem::Search(at)), &label, sought, typing.map(|(_, editor)| editor), 1);
        let focused = match &card.focus {
            Some(FocusItem::Option(of, option)) if *of == at => all.iter().position(|known| known == option),
            _ => None,
        };
        let start = focused.unwrap_or(0).saturating_sub(SEEN / 2).min(all.len().saturating_sub(SEEN));
        window = start..(start + SEEN).min(all.len());
        chosen(sheet, card, field, &all[window.clone()]);
        if window.start > 0 {
            sheet.push_text(4, &format!("… {} before", window.start), faint);
        }
    }
    let after = all.len() - window.end;
    for option in &all[window] {
        self::option(sheet, card, asked, *option, now);
    }
    if after > 0 {
        sheet.push_text(4, &format!("… {after} more"), faint);
    }
    if field.options.is_empty() && !field.custom {
        sheet.push_text(2, "No options are offered yet.", faint);
    }
    if field.custom {
        let control = text_name(field);
        let item = FocusItem::Own(at);
        let mark = if field.kind == Kind::Choices { "" } else { radio(card.is_chosen(&item)) };
        // Only the first field that accepts a written answer has a number for it.
        let first = card.decision.fields.iter().position(takes_words);
        let picks = of_words(&card.decision).filter(|_| first == Some(at)).map(number).unwrap_or_default();
        let label = format!("{picks}{mark} In your own words:").trim_start().to_owned();
        sheet.input(here(&item), &label, card.filled.one(&control), editor(card, &control), 4);
    }
    for option in accept {
        self::option(sheet, card, asked, option, now);
    }
    if matches!(field.kind, Kind::Choice | Kind::Confirm) {
        left_out(sheet, card, field, at);
    }
}

/// Keeps the chosen options visible during a search: otherwise an unseen one could be sent.
fn chosen(sheet: &mut Sheet, card: &Card, field: &Field, seen: &[usize]) {
    let picked = card.filled.all(&value_name(field));
    let unseen = |option: &&Opt| {
        picked.contains(&option.id) && !seen.iter().any(|at| field.options[*at].id == option.id)
    };
    let names: Vec<String> = if picked.is_empty() {
        Vec::new()
    } else {
        field
            .options
            .iter()
            .filter(unseen)
            .take(20)
            .map(|option| wording::short(option.brief(), 40))
            .collect()
    };
    if !names.is_empty() {
        let look = sheet.style.good();
        sheet.push_text(2, &format!("Chosen too: {}", names.join(", ")), look);
    }
}

fn option(sheet: &mut Sheet, card: &Card, asked: OpenField<'_>, at: usize, now: Timestamp) {
    let field = asked.field;
    let Some(option) = field.options.get(at) else { return };
    let item = FocusItem::Option(asked.at, at);
    let is_here = card.focus.as_ref() == Some(&item);
    let picked = card.is_chosen(&item);
    let mark = match field.kind {
        Kind::Choices | Kind::Products if picked => "[x] ",
        Kind::Choices | Kind::Products => "[ ] ",
        _ if read_form::sends(&card.decision) => "",
        _ if picked => "(x) ",
        _ => "( ) ",
    };
    // While the focus is among patch sets, their own numbers apply instead of the card's.
    let by_ids = card.apart().filter(|(_, field)| goes_by_ids(field)).map(|(at, _)| at);
    let picks = match by_ids {
        Some(focused) if focused == asked.at => option.id.parse().ok(),
        Some(_) => None,
        None => of_option(&card.decision, field, at),
    };
    let key = picks.map_or_else(|| "  ".to_owned(), number);
    let text = format!("{key}{mark}{}", inert_line(&option.label));
    let counts_as = wording::counts_as(&card.decision, field, option);
    let marks = [
        (option.recommended, "(recommended)"),
        (wording::is_suggested(field, option), "(suggested)"),
        (option.refuses, "(refuses)"),
        (!option.refuses && counts_as.is_some(), "(counts as yes)"),
    ];
    let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
    sheet.item(is_here, &text, &marks.join(" "));
    let look = sheet.style.faint();
    if field.kind == Kind::Products {
        product(sheet, card, field, option, now);
    }
    if let Some(effect) = wording::explained(&card.decision, option) {
        sheet.push_text(6, effect, look);
    }
    if let Some(description) = &option.description {
        sheet.agent(6, description, if is_here { 6 } else { 2 }, "");
    }
    if is_here {
        for (name, url) in [("Picture", &option.image_url), ("More", &option.url)] {
            if let Some(url) = url {
                sheet.agent(6, &format!("{name}: {url}"), 2, "");
            }
        }
        // The details that belong to the item should be visible with it.
        let last = sheet.lines.len().saturating_sub(1);
        sheet.focus = sheet.focus.map(|(first, _)| (first, last));
    }
}

fn product(sheet: &mut Sheet, card: &Card, field: &Field, option: &Opt, now: Timestamp) {
    let (faint, bad) = (sheet.style.faint(), sheet.style.bad());
    let variant = card.filled.one(&variant_name(field, &option.id));
    let taken = option.with_variants().find(|one| one.id == variant).unwrap_or(option);
    let price = products::price(taken).or_else(|| products::price(option));
    let mut facts = vec![price.unwrap_or_else(|| "No price is given".into())];
    if let Some(rating) = option.rating {
        let count = option.reviews_count.map(|count| format!(" ({count} reviews)")).unwrap_or_default();
        facts.push(format!("{rating} of 5{count}"));
    }
    if let Some(until) = products::valid_until(taken).filter(|until| *until > now) {
        facts.push(format!("quote valid for {}", span::remaining(until.since(now).as_millis())));
    }
    sheet.push_text(6, &facts.join(" · "), faint);
    if option.with_variants().all(|one| products::is_expired(one, Some(option), now)) {
        sheet.push_text(6, "Price expired: can be picked, not bought", bad);
        return;
    }
    let quantity = card.filled.one(&quantity_name(field, &option.id));
    let quantity = if quantity.is_empty() { "1" } else { quantity };
    let kind = if option.variants.is_empty() {
        String::new()
    } else {
        let more = if option.with_variants().count() > 2 { ", & for another" } else { "" };
        format!("   Variant (← →{more}): {}", wording::short(taken.brief(), 60))
    };
    sheet.push_text(6, &format!("Quantity (+ -): {}{kind}", wording::short(quantity, 12)), faint);
    let further = option.with_variants().skip(1).filter(|one| one.id != taken.id).filter_map(|one| {
        let quantity = card.filled.one(&quantity_name(field, &one.id));
        (!quantity.is_empty())
            .then(|| format!("{} × {}", wording::short(quantity, 12), wording::short(one.brief(), 60)))
    });
    let further: Vec<String> = further.collect();
    if !further.is_empty() {
        sheet.push_text(6, &format!("And also: {}", further.join(", ")), faint);
    }
}

fn left_out(sheet: &mut Sheet, card: &Card, field: &Field, at: usize) {
    if !field.required {
        let item = FocusItem::Fixed(at, NONE);
        let text = format!("{} Leave blank", radio(card.is_chosen(&item)));
        sheet.item(card.focus.as_ref() == Some(&item), &text, "");
    }
}

fn radio(chosen: bool) -> &'static str {
    if chosen { "(x)" } else { "( )" }
}

/// Returns the key that picks an option.
pub(super) fn number(number: usize) -> String {
    if number <= 9 { format!("{number} ") } else { "  ".into() }
}
