//! Counts and lengths of time for fields that take a number.

use holdpoint_core::{Field, Kind};
use serde_json::{Value, json};

use super::counted;
use super::mention::{Phrase, phrases};
use super::number::{self, Number};
use super::option;
use super::people;
use super::scan::Scan;
use super::several;
use super::words::{Sort, alike};

/// Finds numbers that stand with a field's name, and the only number there is for the field that was asked.
pub(super) fn read(scan: &mut Scan<'_>) {
    for field in scan.fields.iter().filter(|field| matches!(field.kind, Kind::Integer | Kind::Number)) {
        let phrases = phrases(field);
        let found = counted::settled_for(scan, field)
            .or_else(|| length(scan, field))
            .or_else(|| named(scan, field, &phrases))
            .or_else(|| behind(scan, &phrases))
            .or_else(|| of_option(scan, field))
            .or_else(|| people::count(scan, field))
            .or_else(|| people::stay(scan, field));
        if let Some((value, start, end)) = found {
            scan.take(field, &shortest(value), start..end);
        } else if scan.is_asked(field) || counted::is_changed(scan, field) {
            counted::only(scan, field);
        }
    }
}

pub(super) fn shortest(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "whole and at most fifteen digits")]
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// Finds `3 nights`, `two more guests`, `six of us`. What is concluded counts before what was said first: `there are three of
/// us, but …, so it's for two people`.
fn named(scan: &Scan<'_>, field: &Field, phrases: &[Phrase]) -> Option<(f64, usize, usize)> {
    let first = named_from(scan, field, phrases, 0)?;
    let mut last = first;
    while let Some(next) = named_from(scan, field, phrases, last.2) {
        let so = (1..=4)
            .map_while(|count| scan.before(next.1, count))
            .any(|token| token.among(&["so", "total", "altogether"]));
        last = next;
        if so && (first.2..next.1).any(|at| scan.word(at) == "but") {
            return Some(next);
        }
    }
    Some(first)
}

fn named_from(
    scan: &Scan<'_>,
    field: &Field,
    phrases: &[Phrase],
    from: usize,
) -> Option<(f64, usize, usize)> {
    for start in from..scan.tokens.len() {
        let Some(number) = number::at(&scan.tokens, start) else { continue };
        for gap in 0..=1 {
            let at = number.next + gap;
            // `one more night` counts from what was said before.
            let further = matches!(
                scan.word(number.next),
                "more" | "extra" | "additional" | "fewer" | "less" | "other"
            );
            let adjective = gap == 0
                || !further && scan.tokens.get(number.next).is_some_and(|token| token.sort == Sort::Word);
            let found = phrases.iter().find_map(|phrase| phrase.at(scan, at));
            // `breakfast for one of us` says that there are more.
            let part = number.value < 2.0 && scan.word(at) == "of";
            let right = |end: &usize| {
                adjective
                    && !part
                    && scan.free(start..*end)
                    && !scan.negated(start)
                    && !goes_on(scan, field, *end)
                    && !is_bound(scan, start)
                    && !is_of_another(scan, field, *end)
                    && !is_said_of_another(scan, field, start)
            };
            if let Some(end) = found.filter(right) {
                return Some((number.value, start, end));
            }
        }
    }
    None
}

/// Finds a number right behind a field's name: `quantity 2`.
fn behind(scan: &Scan<'_>, phrases: &[Phrase]) -> Option<(f64, usize, usize)> {
    (0..scan.tokens.len()).find_map(|start| {
        let name = phrases.iter().find_map(|phrase| phrase.at(scan, start))?;
        let number = number::at(&scan.tokens, name)?;
        let alone = scan.tokens.get(number.next).is_none_or(|next| next.sort == Sort::Sign || next.is("and"));
        (alone && scan.free(start..number.next) && !scan.negated(start)).then_some((
            number.value,
            start,
            number.next,
        ))
    })
}

/// Returns whether a field asks how many of something, whatever it is.
pub(super) fn counts_anything(field: &Field) -> bool {
    let asks = field.label.eq_ignore_ascii_case("how many?")
        || matches!(field.id.as_str(), "quantity" | "count" | "amount");
    asks && matches!(field.kind, Kind::Integer | Kind::Number)
}

/// Finds how many of an option are wanted: `two monitors`.
fn of_option(scan: &Scan<'_>, field: &Field) -> Option<(f64, usize, usize)> {
    if !counts_anything(field) {
        return None;
    }
    let names = option::of_choices(scan);
    (0..scan.tokens.len()).find_map(|start| {
        let number = number::at(&scan.tokens, start).or_else(|| several::at(scan, start))?;
        // `2x headset`, `headsets x2`
        let times = |at: usize| scan.word(at) == "×";
        let leads = |at: usize| matches!(scan.word(at), "×" | ":" | "=");
        // `two new laptops`; what is broken is there already.
        let may_describe = scan.tokens.get(number.next).is_some_and(|token| {
            token.sort == Sort::Word
                && !super::verbs::is_verb(token)
                && (!super::lexicon::is_small(token) || token.among(&["new", "more"]))
                && (!token.is("more") || !scan.known.contains_key(&field.id))
        });
        let offered = |at: usize| {
            names.iter().any(|name| {
                let near = matches!(name.words(), [one] if super::words::misspells(scan.word(at), one));
                near || name.at(scan, at).is_some()
            })
        };
        let unit = several::unit(scan, number.next);
        let described = may_describe && !offered(number.next) && offered(number.next + 1);
        let behind = unit.unwrap_or(number.next + usize::from(times(number.next) || described));
        let before = start.checked_sub(1).filter(|at| leads(*at)).is_some_and(|times| {
            names.iter().any(|name| {
                times.checked_sub(name.words().len()).is_some_and(|at| name.at(scan, at) == Some(times))
            })
        });
        let alone =
            stands_alone(scan, start, number.next) || several::is_told_behind(scan, start, number.next);
        let wanted = before || offered(behind) || alone && has_option(scan, names);
        let right = scan.free(start..number.next) && !scan.negated(start) && !is_bound(scan, start);
        // `look at my two monitors`
        let had = || super::belongings::is_had(scan, behind);
        (wanted && right && !had()).then_some((number.value, start, number.next))
    })
}

/// Returns whether a number is a clause of its own: `screens please, 3`.
pub(super) fn stands_alone(scan: &Scan<'_>, start: usize, end: usize) -> bool {
    let sign = |at: usize| scan.tokens.get(at).is_none_or(|token| token.among(&[",", ".", ";", "!"]));
    // `…, just the one`
    let from = (0..start).rev().take_while(|at| matches!(scan.word(*at), "just" | "only" | "the")).last();
    from.unwrap_or(start).checked_sub(1).is_some_and(sign) && sign(end)
}

fn has_option(scan: &Scan<'_>, names: &[Phrase]) -> bool {
    (0..scan.tokens.len())
        .any(|at| names.iter().any(|name| name.at(scan, at).is_some_and(|end| scan.free(at..end))))
}

/// Returns whether a count goes on with something else that is counted: `2 adults and 1 child` are not two.
fn goes_on(scan: &Scan<'_>, field: &Field, end: usize) -> bool {
    // `2 adults 2 kids`, `2 adults, 1 child`
    let gap = usize::from(matches!(scan.word(end), ","));
    let kin = ["kid", "child", "baby", "toddler", "infant", "teenager", "adult", "teen"];
    let more = number::at(&scan.tokens, end + gap)
        .map(|number| scan.word(number.next))
        .is_some_and(|word| kin.iter().any(|kin| alike(kin, word)) || matches!(word, "children" | "babies"));
    let people = ["guest", "person", "people", "us"];
    let counted = end.checked_sub(1).map_or("", |at| scan.word(at));
    if more && kin.iter().chain(&people).any(|kin| alike(kin, counted)) {
        return true;
    }
    let Some(number) = number::at(&scan.tokens, end + 1) else { return false };
    let others = scan.fields.iter().filter(|other| other.id != field.id);
    let another = others.flat_map(phrases).any(|phrase| phrase.at(scan, number.next).is_some());
    matches!(scan.word(end), "and" | "plus" | "+" | "&") && !another
}

/// Finds a length of time for a field that counts minutes, hours or days.
fn length(scan: &Scan<'_>, field: &Field) -> Option<(f64, usize, usize)> {
    let unit = field.extra.get("unit").and_then(Value::as_str).and_then(minutes);
    // Whoever is asked for nights and says a week means seven; a day is not as sure to be a night.
    let nights = || {
        scan.is_asked(field)
            && phrases(field).iter().any(|name| matches!(name.words(), [one] if alike(one, "night")))
    };
    let whole_weeks = unit.is_none() && nights();
    let unit = unit.or_else(|| nights().then_some(1440.0))?;
    for start in 0..scan.tokens.len() {
        let Some((value, end)) = length_at(scan, start) else { continue };
        if whole_weeks && !alike(scan.word(end - 1), "week") {
            continue;
        }
        let moment = scan.before(start, 1).is_some_and(|token| token.among(&["in", "past"]))
            || matches!(scan.word(end), "ago" | "from" | "before" | "after");
        if !moment
            && scan.free(start..end)
            && !scan.negated(start)
            && !is_bound(scan, start)
            && !is_of_another(scan, field, end)
            && !is_said_of_another(scan, field, start)
        {
            return Some((value / unit, start, end));
        }
    }
    None
}

/// Reads a length in minutes: `45 minutes`, `2 hours`, `an hour and a half`, `half an hour`.
pub(super) fn length_at(scan: &Scan<'_>, start: usize) -> Option<(f64, usize)> {
    let (word, second, third) = (scan.word(start), scan.word(start + 1), scan.word(start + 2));
    if word == "half" && matches!(second, "an" | "a") {
        return minutes(third).map(|unit| (unit / 2.0, start + 3));
    }
    if let Some((share, next)) = quarters(scan, start) {
        return minutes(scan.word(next)).map(|unit| (unit * share, next + 1));
    }
    // `of an hour` is part of one.
    if matches!(word, "a" | "an") && start.checked_sub(1).is_some_and(|before| scan.word(before) == "of") {
        return None;
    }
    let number = match word {
        "a" | "an" => Number { value: 1.0, next: start + 1 },
        _ => number::at(&scan.tokens, start)?,
    };
    let unit = minutes(scan.word(number.next))?;
    let next = number.next + 1;
    if (0..3).all(|at| scan.word(next + at) == ["and", "a", "half"][at]) {
        return Some((unit * (number.value + 0.5), next + 3));
    }
    // `1h 15min`, `an hour and ten minutes`: the smaller unit goes on with the length.
    let more = next + usize::from(scan.word(next) == "and");
    let rest = number::at(&scan.tokens, more).and_then(|rest| {
        Some((rest.value * minutes(scan.word(rest.next)).filter(|small| *small < unit)?, rest.next + 1))
    });
    let (rest, next) = rest.unwrap_or((0.0, next));
    Some((unit * number.value + rest, next))
}

/// Reads `a quarter of an`, `three quarters of an`, `half of an`: the share, and the token of the unit.
fn quarters(scan: &Scan<'_>, start: usize) -> Option<(f64, usize)> {
    let (share, next) = match (scan.word(start), scan.word(start + 1)) {
        ("a", "quarter") => (0.25, start + 2),
        ("quarter", _) => (0.25, start + 1),
        ("three", "quarters") => (0.75, start + 2),
        ("half", "of") => (0.5, start + 1),
        _ => return None,
    };
    let of = scan.word(next) == "of" && matches!(scan.word(next + 1), "an" | "a");
    of.then_some((share, next + 2))
}

/// Returns whether a length is that of another thing: `5 minutes of downtime`.
fn is_of_another(scan: &Scan<'_>, field: &Field, end: usize) -> bool {
    let others = scan.fields.iter().filter(|other| other.id != field.id);
    let mut names = others.clone().flat_map(phrases);
    // `5 minutes of downtime`, `a 5 min outage`
    let own = others.filter(|other| super::truth::poles(other).is_some()).flat_map(phrases);
    (scan.word(end) == "of" && names.any(|phrase| phrase.at(scan, end + 1).is_some()))
        || own.into_iter().any(|phrase| phrase.at(scan, end).is_some())
}

/// Returns whether a length is said of another thing before it: `downtime of 5 minutes`.
fn is_said_of_another(scan: &Scan<'_>, field: &Field, start: usize) -> bool {
    // `downtime of 5 minutes`, `an outage, roughly an hour`
    let near = (0..start).rev().take_while(|at| {
        matches!(
            scan.word(*at),
            "takes"
                | "lasts"
                | "take"
                | "will"
                | "of"
                | ","
                | "roughly"
                | "about"
                | "around"
                | "approximately"
                | "for"
                | "maybe"
        )
    });
    let Some(of) = near.last() else { return false };
    let told = matches!(scan.word(of), "of" | "takes" | "lasts" | "take" | "will");
    let own = |other: &&Field| told || super::truth::poles(other).is_some();
    let others = scan.fields.iter().filter(|other| other.id != field.id).filter(own);
    others
        .flat_map(phrases)
        .any(|phrase| of.checked_sub(phrase.words().len()).is_some_and(|at| phrase.at(scan, at) == Some(of)))
}

/// Returns whether a number only bounds the one that is meant: `at least two`, `20 to 40 minutes`.
pub(super) fn is_bound(scan: &Scan<'_>, start: usize) -> bool {
    let Some(before) = scan.before(start, 1) else { return false };
    let range = before.among(&["to", "-", "–", "or", "and"])
        && (1..=3).any(|back| {
            start
                .checked_sub(1 + back)
                .and_then(|at| number::at(&scan.tokens, at))
                .is_some_and(|number| number.next + 1 == start)
        })
        && !before.is("and");
    range
        || before.among(&[
            "least", "most", "than", "over", "under", "below", "above", "max", "maximum", "minimum", "almost",
        ])
        || (before.is("to") && scan.before(start, 2).is_some_and(|token| token.is("up")))
        || before.is("between")
        || (before.is("and") && scan.before(start, 3).is_some_and(|token| token.is("between")))
}

fn minutes(unit: &str) -> Option<f64> {
    if unit == "h" {
        return Some(60.0);
    }
    [("minute", 1.0), ("min", 1.0), ("hour", 60.0), ("hr", 60.0), ("day", 1440.0), ("week", 10080.0)]
        .iter()
        .find(|(name, _)| {
            alike(unit, name) || (*name == "min" && unit == "mins") || (*name == "hr" && unit == "hrs")
        })
        .map(|(_, minutes)| *minutes)
}

/// Takes the number that stands right behind the field's name.
pub(super) fn read_within(scan: &mut Scan<'_>, field: &Field, start: usize, end: usize) {
    if let Some((value, next)) =
        field.extra.get("unit").and_then(|_| length_at(scan, start)).filter(|(_, next)| *next <= end)
    {
        let unit = field.extra.get("unit").and_then(Value::as_str).and_then(minutes).unwrap_or(1.0);
        scan.take(field, &shortest(value / unit), start..next);
    } else if let Some(number) = number::at(&scan.tokens, start).filter(|number| number.next <= end) {
        scan.take(field, &shortest(number.value), start..number.next);
    }
}
