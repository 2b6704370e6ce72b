//! Options by name, other name and likely misspelling.

use holdpoint_core::{Field, Kind, Opt};
use serde_json::{Value, json};

use super::super::form::{synonyms, words_of};
use super::correct::own_words as own_words_of;
use super::known;
use super::meant::{is_counted, is_idiom, is_meant};
use super::mention::{self, Phrase};
use super::number;
use super::scan::Scan;
use super::truth;
use super::words::{Sort, alike, inflects, misspells, resembles};

/// An option that was found in the text.
pub(super) struct Hit<'a> {
    option: &'a Opt,
    pub(super) start: usize,
    pub(super) end: usize,
    exact: bool,
    negated: bool,
}

/// Finds options for all fields that offer some.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for field in
        fields.iter().filter(|field| matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm))
    {
        if truth::poles(field).is_none() || scan.is_asked(field) {
            settle(scan, field, 0, scan.tokens.len());
        }
    }
}

/// Finds options between two tokens, right behind the field's name.
pub(super) fn read_within(scan: &mut Scan<'_>, field: &Field, start: usize, end: usize) {
    if truth::poles(field).is_some() {
        truth::read_within(scan, field, start, end);
    } else {
        settle(scan, field, start, end);
    }
}

fn settle(scan: &mut Scan<'_>, field: &Field, from: usize, to: usize) {
    if scan.reading.value(&field.id).is_some() {
        return;
    }
    let named = from > 0 || scan.is_asked(field);
    let mut hits = find(scan, field, from, to, named);
    // What is denied once is not stated elsewhere: `the fire alarm went off, but there was no fire`.
    // A sick note that there is not says nothing of being sick.
    hits.retain(|hit| !(hit.negated && matches!(scan.word(hit.end), "note" | "certificate")));
    let denied: Vec<&str> = hits.iter().filter(|hit| hit.negated).map(|hit| hit.option.id.as_str()).collect();
    let left_out: Vec<String> = denied.iter().map(|id| (*id).to_owned()).collect();
    if let Some(rest) = takes_all_but(scan, field, &left_out) {
        scan.take(field, &Value::Array(rest), 0..scan.tokens.len());
        return;
    }
    hits.retain(|hit| !denied.contains(&hit.option.id.as_str()));
    // `anual or sick` names two, though only one is spelt right.
    let between = hits.first().map_or(0, |hit| hit.end)..hits.last().map_or(0, |hit| hit.start);
    let two = between.into_iter().any(|at| matches!(scan.word(at), "or" | "/"));
    if !two && hits.iter().any(|hit| hit.exact) {
        hits.retain(|hit| hit.exact);
    }
    // `emergency leave` names the leave; `my son is sick` only speaks of it.
    let reach = hits.first().map_or(0, |hit| hit.end)..hits.last().map_or(0, |hit| hit.start);
    let weighs = reach.into_iter().any(|at| matches!(scan.word(at), "or" | "/"));
    if !weighs && field.kind != Kind::Choices && hits.iter().any(|hit| anchored(scan, field, hit)) {
        hits.retain(|hit| anchored(scan, field, hit));
    }
    if hits.is_empty()
        && let Some((option, range)) = without(scan, field)
    {
        scan.take(field, &holdpoint_core::field::picking(field, &option.id), range);
        return;
    }
    if hits.is_empty() && denied.is_empty() && scan.is_asked(field) && takes_all(scan, field) {
        let ids: Vec<Value> = field.options.iter().map(|option| json!(option.id)).collect();
        scan.take(field, &Value::Array(ids), 0..scan.tokens.len());
        return;
    }
    let told = || super::harm::told(scan, field).or_else(|| super::again::another(scan, field));
    if hits.is_empty()
        && denied.is_empty()
        && let Some((option, range)) = told()
    {
        scan.take(field, &holdpoint_core::field::picking(field, &option.id), range);
        return;
    }
    if hits.is_empty() && denied.is_empty() && scan.is_asked(field) && from == 0 {
        own_words(scan, field);
        return;
    }
    // `call it an accident, although she was hurt`: what is granted is not chosen.
    let granted = |hit: &Hit<'_>| {
        (0..hit.start)
            .rev()
            .take_while(|at| scan.is_in_clause_of(*at, hit.start))
            .any(|at| matches!(scan.word(at), "although" | "though" | "despite"))
    };
    if field.kind == Kind::Choice && hits.iter().any(|hit| !granted(hit)) {
        hits.retain(|hit| !granted(hit));
    }
    // `staging only for now, production comes in November`
    let only = |hit: &Hit<'_>| {
        let behind = (scan.word(hit.end), scan.word(hit.end + 1));
        matches!(behind, ("only", _) | ("for", "now"))
            || hit.start > 0 && matches!(scan.word(hit.start - 1), "only" | "just")
    };
    if !weighs && field.kind == Kind::Choice && hits.iter().filter(|hit| only(hit)).count() == 1 {
        hits.retain(|hit| only(hit));
    }
    let mut chosen: Vec<&Opt> = Vec::new();
    for hit in &hits {
        if !chosen.iter().any(|option| option.id == hit.option.id) {
            chosen.push(hit.option);
        }
    }
    let (Some(first), Some(last)) = (hits.first(), hits.last()) else { return };
    let (start, end) = (first.start, last.end);
    let spans: Vec<(usize, usize)> = hits.iter().map(|hit| (hit.start, hit.end)).collect();
    let ids: Vec<Value> = chosen.iter().map(|option| json!(option.id)).collect();
    match (field.kind, ids.as_slice()) {
        (Kind::Choices, _) => scan.take(field, &Value::Array(ids), start..end),
        (_, [one]) => {
            let one = one.clone();
            scan.take(field, &one, spans[0].0..spans[0].1);
        }
        _ => scan.wonder(field, ids, start..end),
    }
    if !named && !hits.iter().any(|hit| anchored(scan, field, hit)) {
        scan.loose.push(field.id.clone());
    }
    for (start, end) in spans {
        scan.claim(start..end);
    }
}

/// Takes an answer in one's own words, where the field allows it: whoever is asked and names no option names something
/// else. Something short, for a longer text is rather about it.
fn own_words(scan: &mut Scan<'_>, field: &Field) {
    let all = 0..scan.tokens.len();
    let short = scan.tokens.iter().filter(|token| token.sort == Sort::Word).count() <= 6;
    let plain = matches!(super::manner(scan.text), super::Manner::Plain);
    if field.custom && field.kind == Kind::Choice && short && plain && scan.free_words(all.clone()) {
        let text = json!({ "text": scan.text.trim() });
        scan.take(field, &text, all);
    }
}

/// Returns what is left of all options for whoever was asked which they want: `everywhere but Asia`.
fn takes_all_but(scan: &Scan<'_>, field: &Field, denied: &[String]) -> Option<Vec<Value>> {
    let lead = scan.tokens.iter().position(|token| !token.among(&["please", "in", "for", "well", "ok"]))?;
    let all = matches!(scan.word(lead), "all" | "everywhere" | "everything" | "any");
    let but = (lead + 1..scan.tokens.len().min(lead + 4))
        .any(|at| matches!(scan.word(at), "but" | "except" | "without" | "bar" | "excluding" | "apart"));
    let rest: Vec<Value> = field
        .options
        .iter()
        .filter(|option| !denied.contains(&option.id))
        .map(|option| json!(option.id))
        .collect();
    (field.kind == Kind::Choices
        && scan.is_asked(field)
        && all
        && but
        && !rest.is_empty()
        && !denied.is_empty())
    .then_some(rest)
}

/// Returns whether whoever was asked which they want says that they want all: `all of them please`, `both`.
fn takes_all(scan: &Scan<'_>, field: &Field) -> bool {
    let count = field.options.len();
    let said: Vec<&str> = scan
        .tokens
        .iter()
        .filter(|token| token.sort != Sort::Sign)
        .map(|token| token.low.as_str())
        .filter(|word| {
            !matches!(*word, "please" | "thanks" | "yes" | "i" | "want" | "need" | "i'd" | "like" | "would")
        })
        .collect();
    let counted = |word: &str| match word {
        "two" | "2" => count == 2,
        "three" | "3" => count == 3,
        "four" | "4" => count == 4,
        _ => false,
    };
    field.kind == Kind::Choices
        && match said[..] {
            ["all" | "everything"] | ["all", "of", "them" | "it" | "these" | "those"] => true,
            ["all", number]
            | ["all", "of", "the", number]
            | ["all", number, "of", "them" | "these" | "those"] => counted(number),
            ["both"] | ["both", "of", "them"] => count == 2,
            _ => false,
        }
}

/// Finds that there is none of what a field asks for, where that is one of its options: `no insurance`, `I'm not insured`,
/// `uninsured`.
fn without<'a>(scan: &Scan<'_>, field: &'a Field) -> Option<(&'a Opt, std::ops::Range<usize>)> {
    let none = field.options.iter().find(|option| option.label.eq_ignore_ascii_case("none"))?;
    // `I don't have any`, said to whoever asks for it.
    if scan.is_asked(field) && scan.tokens.len() <= 6 {
        let any = (1..scan.tokens.len()).find(|at| {
            matches!(scan.word(*at), "any" | "one") && matches!(scan.word(at - 1), "have" | "got")
        });
        if let Some(at) = any.filter(|at| scan.negated(*at) && scan.free_words(0..at + 1)) {
            return Some((none, 0..at + 1));
        }
    }
    let own = own_words_of(field);
    let named = |at: usize| own.iter().any(|own| alike(own, scan.word(at)));
    (0..scan.tokens.len()).find_map(|at| {
        let lacking = scan.word(at).strip_prefix("un").is_some_and(|rest| own.iter().any(|own| own == rest));
        let denied = named(at) && scan.negated(at) && !is_of_other_kind(scan, at);
        let start = if denied { (0..at).rev().find(|at| denies(scan, *at)).unwrap_or(at) } else { at };
        ((lacking || denied) && scan.free(start..at + 1)).then_some((none, start..at + 1))
    })
}

fn denies(scan: &Scan<'_>, at: usize) -> bool {
    matches!(scan.word(at), "no" | "not" | "without" | "never") || scan.word(at).ends_with("n't")
}

/// Returns whether what is denied is only one kind of a thing: `no travel insurance`.
fn is_of_other_kind(scan: &Scan<'_>, at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else { return false };
    !(denies(scan, last)
        || matches!(
            scan.word(last),
            "any" | "have" | "an" | "a" | "got" | "currently" | "health" | "medical"
        ))
}

fn find<'a>(scan: &Scan<'_>, field: &'a Field, from: usize, to: usize, expected: bool) -> Vec<Hit<'a>> {
    let names = named_options(field);
    let own = own_words_of(field);
    let mut hits = Vec::new();
    let mut at = from;
    while at < to {
        let hit = longest(scan, &names, &own, at, expected)
            .filter(|hit| hit.end <= to && scan.free(hit.start..hit.end));
        match hit {
            Some(hit)
                if (expected || is_meant(scan, field, &hit))
                    && (field.kind == Kind::Choices || !is_counted(scan, &hit))
                    && !is_idiom(scan, &hit) =>
            {
                at = hit.end;
                hits.push(hit);
            }
            _ => at += 1,
        }
    }
    hits
}

/// Lists the names of an option: those of the form, and what else people call it.
pub(super) fn names(field: &Field, option: &Opt) -> Vec<Phrase> {
    let own = [Some(option.label.as_str()), option.short.as_deref()];
    let id = words_of(&option.id);
    let all = own.into_iter().flatten().chain([id.as_str()]).chain(synonyms(&option.extra));
    all.filter_map(known::phrase).chain(super::kin::phrases(field, option).iter().cloned()).collect()
}

/// Lists the options of a field with their names.
pub(super) fn named_options(field: &Field) -> Vec<(&Opt, Vec<Phrase>)> {
    field.all_options().map(|option| (option, names(field, option))).collect()
}

/// Lists the names of a field's options.
pub(super) fn names_of(field: &Field) -> Vec<Phrase> {
    field.all_options().flat_map(|option| names(field, option)).collect()
}

/// Lists the names of all options of which one is chosen, each once: many fields may offer the same.
pub(super) fn of_choices<'a>(scan: &'a Scan<'_>) -> &'a [Phrase] {
    scan.options.get_or_init(|| {
        let choices = scan.fields.iter().filter(|field| field.kind == Kind::Choice);
        let mut names: Vec<Phrase> = choices.flat_map(names_of).collect();
        names.sort_unstable();
        names.dedup();
        names
    })
}

/// Returns the longest option that stands at a token; an exact name before a misspelt one.
fn longest<'a>(
    scan: &Scan<'_>,
    names: &[(&'a Opt, Vec<Phrase>)],
    own: &[String],
    at: usize,
    asked: bool,
) -> Option<Hit<'a>> {
    let mut best: Option<Hit<'a>> = None;
    for (option, phrases) in names {
        for phrase in phrases {
            let exact = phrase.at(scan, at);
            let near = || {
                let [word] = phrase.words() else { return None };
                let said = scan.word(at);
                // The field's own name is no misspelt value of it.
                if own.iter().any(|own| alike(own, said)) {
                    return None;
                }
                let alike =
                    inflects(said, word) || if asked { resembles(said, word) } else { misspells(said, word) };
                (alike && mention::is_word(scan, at)).then_some(at + 1)
            };
            let Some(end) = exact.or_else(near) else { continue };
            let better = best.as_ref().is_none_or(|best| (exact.is_some(), end) > (best.exact, best.end));
            if better {
                let negated = scan.negated(at) || scan.denied_after(end) || scan.denied_in_series(at, end);
                best = Some(Hit { option, start: at, end, exact: exact.is_some(), negated });
            }
        }
    }
    best
}

/// Returns whether an option is named, and denied at least once: then it is not stated elsewhere either.
pub(super) fn is_denied(scan: &Scan<'_>, field: &Field, id: &str) -> bool {
    let names = named_options(field);
    let hits = (0..scan.tokens.len()).filter_map(|at| longest(scan, &names, &[], at, false));
    hits.into_iter().any(|hit| hit.option.id == id && hit.negated)
}

/// Returns whether a hit stands with a word of the field's own name.
fn anchored(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    let name = words_of(&field.id);
    let around = hit.start.saturating_sub(1)..=hit.end;
    around.into_iter().any(|at| name.split(' ').any(|word| word.len() >= 4 && word == scan.word(at)))
}

/// Takes an option by its place: `the second one`, `number 2`, `2`.
pub(super) fn read_place(scan: &mut Scan<'_>, field: &Field) {
    let picks = matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm);
    // Who says where it stands says little else.
    if !picks || scan.tokens.len() > 8 {
        return;
    }
    let names = named_options(field);
    // An option may itself be called by a number.
    let called = (0..scan.tokens.len()).any(|at| longest(scan, &names, &[], at, false).is_some());
    if !called {
        by_place(scan, field);
    }
}

fn by_place(scan: &mut Scan<'_>, field: &Field) {
    let words = scan
        .tokens
        .iter()
        .filter(|token| !token.among(&["the", "one", "number", "option", ".", "!", "#", "please"]))
        .count();
    let start = (0..scan.tokens.len())
        .find(|at| number::ordinal(&scan.tokens, *at).is_some() || scan.tokens[*at].number().is_some());
    let Some(start) = start else { return };
    let place = number::ordinal(&scan.tokens, start)
        .or_else(|| scan.tokens[start].number().map(|place| (place, start + 1)));
    let Some((place, end)) = place.filter(|(_, end)| end - start == words) else { return };
    let option = usize::try_from(place - 1).ok().and_then(|at| field.options.get(at));
    if let Some(option) = option.filter(|_| scan.free(start..end)) {
        let value = holdpoint_core::field::picking(field, &option.id);
        scan.take(field, &value, start..end);
    }
}
