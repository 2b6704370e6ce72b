//! Rule 3: a value with its field's name beside it (`3 drivers`, `no parking`, `name: Ana`), or one that is put in the place of a
//! known one.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

use super::super::form::{poles, span};
use super::found::{End, Found, What};
use super::guard::{Mark, denies};
use super::name::Mention;
use super::scan::Scan;
use super::token::{GOES_ON, Message, Sort, Token};
use super::{Guard, Rule, asked};

/// Takes everything that is named.
pub(super) fn read(scan: &mut Scan<'_>) {
    replaced(scan);
    truths(scan);
    texts(scan);
    values(scan);
}

/// Takes values whose field is named beside them, from left to right; a name serves one value.
fn values(scan: &mut Scan<'_>) {
    let mut all = std::mem::take(&mut scan.found);
    all.sort_by_key(|found| found.at.start);
    let mut used: Vec<Range<usize>> = Vec::new();
    for mut found in all {
        let named = beside(scan, &found, &used).or_else(|| of_end(scan, &found));
        let fit = named.as_ref().and_then(|mention| scan.fit(mention.field, &found));
        let (Some(Mention { at, field }), Some(fit)) = (named, fit) else {
            scan.found.push(found);
            continue;
        };
        // `we ordered 5 units in May` tells of other units than those that are asked for.
        let plain = scan.names.said[field].been || scan.message.is(at.end, ": = is are");
        let told = scan.is_told(at.start) && !plain;
        found.doubt = found.doubt.or_else(|| told.then(|| "it tells of what has been".to_owned()));
        used.push(at);
        scan.settle(field, fit, &found, Rule::Named);
    }
}

/// Returns the one field whose name stands beside a value that it can take, and where.
fn beside(scan: &Scan<'_>, found: &Found, used: &[Range<usize>]) -> Option<Mention> {
    /// Words that may stand between a name and its value.
    const LINKS: &str = "is are was were be will would should must to the a an of on at by from for set as in = : - – it it's its about \
                         needs need being equals it'll please now held planned scheduled due i'd we'd like my our with ( around \
                         approximately roughly maybe $ € £ usd eur gbp us";
    /// Those that say that the value is the field's.
    const STRONG: &str = ": = is are be as";
    let (message, start, end) = (scan.message, found.at.start, found.at.end);
    let sentence = message.sentence(start);
    let counted = matches!(found.what, What::Number(..));
    let named = |here: &dyn Fn(&Range<usize>) -> bool| {
        let free = |mention: &&Mention| here(&mention.at) && !used.contains(&mention.at);
        let fits = |mention: &&Mention| scan.fit(mention.field, found).is_some();
        let mut all = scan.names.mentions.iter().filter(free).filter(fits);
        let first = all.next()?;
        all.all(|other| other.field == first.field).then(|| first.clone())
    };
    // To the left, over linking words.
    let reach = (sentence.start..start).rev().take(7).take_while(|at| message.is(*at, LINKS)).count();
    let left = (start - reach..=start).rev().find_map(|at| Some((at, named(&|name| name.end == at)?)));
    // To the right: at once, over small words, or over one word that describes what is counted.
    let word = |token: &Token| token.is_word() && !token.is(GOES_ON) && !token.low.ends_with('s');
    let describes = |at: usize| counted && at == end && message.tokens.get(at).is_some_and(word);
    let passed = |at: &usize| describes(*at) || message.is(*at, "of for as the my our a");
    let reach = (end..sentence.end).take(3).take_while(passed).count();
    let right = (end..=end + reach).find_map(|at| named(&|name| name.start == at));
    match (left, right) {
        (Some((_, one)), Some(other)) if one.field == other.field => Some(one),
        (Some((at, one)), Some(_)) if !counted || (at..start).any(|at| message.is(at, STRONG)) => Some(one),
        // `licences 3 seats 5`: whose the 3 is, nobody can tell.
        (Some((at, _)), Some(_)) if at == start => None,
        (one, other) => other.or(one.map(|(_, one)| one)),
    }
}

/// Returns the field that `from A`, `until B` or `from A to B` names, where a form has two for it.
fn of_end(scan: &Scan<'_>, found: &Found) -> Option<Mention> {
    let kind = match found.what {
        What::Date(_) => Kind::Date,
        What::Time(_) => Kind::Time,
        _ => Kind::Datetime,
    };
    let (first, last) = found.end.and_then(|_| span(scan.question.fields, |field| field.kind == kind))?;
    let field = if found.end == Some(End::First) { first } else { last };
    (!scan.is_read(field)).then(|| Mention { at: found.at.clone(), field })
}

/// Takes what yes-or-no fields are said to be: `parking: yes`, `no parking`, `we need parking`, `parking is not needed`.
fn truths(scan: &mut Scan<'_>) {
    const WANTED: &str =
        "with need needs want include including includes add plus require requires like have has";
    let message = scan.message;
    for Mention { at: name, field } in scan.names.mentions.clone() {
        let Some((yes, no)) = poles(scan.field(field)) else { continue };
        let clause = message.clause(name.start);
        let small = |at: &usize| !message.is(*at, "a an any the some of our my your to for");
        let before = (clause.start..name.start).rev().find(small);
        // `it is urgent`, `the dog is vaccinated`; `we have parking` is no wish for parking.
        let is = |at: usize| {
            let participle = message.low(name.start).ends_with("ed");
            message.is(at, "is are am") && (participle || message.follows(at, "it there"))
                || message.is(at, "it's")
        };
        let wish = ["need", "want"].iter().any(|word| scan.field(field).label.to_lowercase().contains(word));
        let wants = |at: &usize| message.is(*at, WANTED) && !(wish && message.is(*at, "have has"));
        let lead = before.filter(|at| wants(at) || is(*at));
        let around = lead.into_iter().flat_map(|at| at.saturating_sub(3).max(clause.start)..at);
        let denied = before.into_iter().chain(around).any(|at| denies(message, at));
        let after = message.past(name.end, "is are : = will be");
        let not = denies(message, after) && !message.is(after, "no");
        let needed = message.is(after + usize::from(not), "needed required included necessary wanted please");
        let said = asked::says(message, after).filter(|said| *said || after > name.end);
        let (value, end) = match if needed { Some(!not) } else { said } {
            Some(value) if !denied || needed => (value && !denied, after + 1 + usize::from(needed && not)),
            None if denied || lead.is_some() => (!denied, name.end),
            _ => continue,
        };
        let start = before.filter(|_| denied || lead.is_some()).unwrap_or(name.start);
        // The word that denies is the answer, and no guard any more.
        let around = start.saturating_sub(3)..end;
        scan.marks.retain(|mark| !(mark.guard == Guard::Negation && around.contains(&mark.at)));
        if scan.guard(&name).is_none() {
            let told = scan.is_told(name.start).then(|| "it tells of what has been".to_owned());
            let value = vec![if value { yes } else { no }];
            scan.place(field, value, message.words(&(start..end)), Rule::Named, told);
            scan.found.retain(|found| !matches!(found.what, What::Options(of, _) if of == field));
        }
    }
}

/// Takes what is put in the place of a known value: `not Friday but Saturday`, `change 3 to 5`, `blue instead of red`.
fn replaced(scan: &mut Scan<'_>) {
    let swaps = scan.corrects || scan.message.tokens.iter().any(|token| token.is("but not"));
    if !swaps || scan.marks.iter().any(|mark| mark.guard != Guard::Negation) {
        return;
    }
    for at in 0..scan.question.fields.len() {
        let Some(held) = scan.question.known.get(&scan.field(at).id) else { continue };
        let fitting = scan.found.iter().map(|found| (scan.values(at, found), found));
        let pair: Vec<_> = fitting.filter(|(values, _)| values.len() == 1).collect();
        let [(one, first), (other, second)] = &pair[..] else { continue };
        let (values, new) = match (one[0] == *held, other[0] == *held) {
            (true, false) => (other.clone(), second.at.clone()),
            (false, true) => (one.clone(), first.at.clone()),
            _ => continue,
        };
        let used = [first.at.clone(), second.at.clone()];
        let corrected = std::mem::replace(&mut scan.corrects, true);
        scan.place(at, values, scan.message.words(&new), Rule::Named, None);
        scan.corrects = corrected;
        scan.found.retain(|found| !used.contains(&found.at));
        return;
    }
}

/// Takes words whose field is named before them.
fn texts(scan: &mut Scan<'_>) {
    let message = scan.message;
    for Mention { at: name, field: whose } in scan.names.mentions.clone() {
        let field = scan.field(whose);
        let shared =
            |other: &Mention| other.field != whose && other.at == name && is_words(scan.field(other.field));
        if !is_words(field) || scan.is_read(whose) || scan.names.mentions.iter().any(shared) {
            continue;
        }
        let why = message.is(name.start, "because");
        let colon = why || message.is(name.end, ": =");
        let is = message.past(name.end, "is are will be");
        let called = is + usize::from(message.is(is, "called named"));
        let first = name.start == message.sentence(name.start).start;
        let led = called > name.end && (first || message.follows(name.start, "my our the and , its a this"));
        let at = match () {
            () if why => message.past(name.end, "of"),
            () if colon => name.end + 1,
            () => called,
        };
        if !(colon || led) || message.tokens.get(at).is_none_or(|token| token.sort == Sort::Break) {
            continue;
        }
        let end = end(scan, at, colon);
        let words = trimmed(message.words(&(at..end)));
        // Behind a comma something else than the reason may follow.
        if why && (!scan.is_empty(whose) || (at..end).any(|at| message.is(at, ", and"))) {
            continue;
        }
        // What stands in the words themselves guards nothing.
        let guard =
            scan.marks.iter().find(|mark| mark.over.contains(&name.start) && !(colon && mark.at >= at));
        let Ok(value) = field::check(field, &Value::from(words)) else { continue };
        if !guard.is_some_and(Mark::blocks) {
            // `the company is late` says something about the field, and not its value.
            let plain = colon || called > is || capital(message, at) || message.is(at, "\" “");
            let about = (!plain).then(|| "it may only be said about the field".to_owned());
            scan.place(whose, vec![value], words, Rule::Named, guard.map(Mark::reason).or(about));
            // What stands in somebody's words is not read for another field.
            scan.found.retain(|found| found.at.end <= at || end <= found.at.start);
            scan.names.mentions.retain(|mention| mention.at.end <= at || end <= mention.at.start);
            scan.marks.retain(|mark| !(at..end).contains(&mark.at));
        }
    }
}

fn is_words(field: &Field) -> bool {
    matches!(field.kind, Kind::Text | Kind::Multiline)
}

fn capital(message: &Message<'_>, at: usize) -> bool {
    message.is_capital(at) || message.tokens.get(at).is_some_and(|token| token.sort == Sort::Number)
}

/// Returns where the words of a field end.
fn end(scan: &Scan<'_>, at: usize, colon: bool) -> usize {
    let message = scan.message;
    let sentence = message.sentence(at).end;
    let linked = |at: usize| {
        scan.names
            .mentions
            .iter()
            .any(|mention| mention.at.start == at && message.is(mention.at.end, ": = is are"))
    };
    let next = |at: &usize| linked(*at) || message.is(*at, ", and") && (linked(at + 1) || linked(at + 2));
    // A name ends with its last capital: `Ana de Souza from Berlin`.
    let small = |at: usize| message.is(at, "de da van von der of & - ' . the") && capital(message, at + 1);
    let found = match () {
        () if colon => (at + 1..sentence).find(next),
        () if message.is(at, "\" “") => {
            (at + 1..sentence).find(|at| message.is(*at, "\" ”")).map(|at| at + 1)
        }
        () if capital(message, at) => (at + 1..sentence).find(|at| !capital(message, *at) && !small(*at)),
        () => Some(message.clause(at).end),
    };
    found.unwrap_or(sentence)
}

fn trimmed(words: &str) -> &str {
    let words = words.trim_end_matches("please").trim_end_matches("thanks").trim_end_matches([',', ';', ' ']);
    words.strip_prefix(['"', '“']).and_then(|words| words.strip_suffix(['"', '”'])).unwrap_or(words)
}
