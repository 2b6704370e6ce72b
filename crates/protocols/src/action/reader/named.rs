//! Rule 3: a value with its field's name beside it (`3 drivers`, `no parking`, `name: Ana`), or in the place of a known one.

use std::ops::Range;

use holdpoint_core::Kind;
use serde_json::Value;

use super::super::form::span;
use super::{End, FILLERS, Found, Mark, Measure, Mention, Rule, Scan, What};

pub(super) fn read(scan: &mut Scan<'_>) {
    lists(scan);
    super::truths::read(scan);
    super::texts::read(scan);
    none(scan);
    values(scan);
}

/// Takes a nought for what is counted from nought: `no children`, `nobody was injured`.
fn none(scan: &mut Scan<'_>) {
    let message = scan.message;
    for Mention { at: name, field } in scan.names.mentions.clone() {
        let known = scan.field(field);
        let counted = known.kind == Kind::Integer && known.min.as_ref().is_some_and(|min| *min == 0);
        let clause = message.clause(name.start);
        let lead =
            (clause.start..name.start).rev().find(|at| !message.is(*at, "was were is are one has have been"));
        let Some(lead) =
            lead.filter(|at| counted && message.is(*at, "no nobody none") && !scan.is_read(field))
        else {
            continue;
        };
        let rest = (clause.start..lead).chain(name.end..clause.end).all(|at| message.is(at, FILLERS));
        let fit = rest
            .then(|| {
                scan.fit(
                    field,
                    &Found { at: lead..name.end, what: What::Number(vec![0.0], Measure::Count), end: None },
                    Rule::Named,
                )
            })
            .flatten();
        let Some(Ok(values)) = fit else { continue };
        scan.marks.retain(|mark| mark.at != lead);
        scan.found.retain(|found| !clause.contains(&found.at.start));
        scan.place(field, values, message.words(&clause), Rule::Named, None);
    }
}

/// Takes values whose field is named beside them, from left to right; a name serves one value.
fn values(scan: &mut Scan<'_>) {
    let mut all = scan.found.clone();
    all.sort_by_key(|found| (scan.guard(&found.at).is_some(), found.at.start));
    for found in all {
        // A second value of a field is weighed against the first in the end.
        let named = beside(scan, &found).or_else(|| of_end(scan, &found));
        let named = named.filter(|mention| !scan.is_read(mention.field));
        let fit = named.as_ref().and_then(|mention| scan.fit(mention.field, &found, Rule::Named));
        let (Some(Mention { at, field }), Some(fit)) = (named, fit) else { continue };
        let doubt = scan.doubt(field, &found, &at, Rule::Named);
        scan.names.mentions.retain(|mention| mention.at != at);
        scan.settle(field, fit, &found, Rule::Named, doubt);
    }
}

/// Returns the one field whose name stands beside a value that it can take, and where.
fn beside(scan: &Scan<'_>, found: &Found) -> Option<Mention> {
    let (message, start, end) = (scan.message, found.at.start, found.at.end);
    let sentence = message.sentence(start);
    let counted = matches!(found.what, What::Number(..));
    let named = |here: &dyn Fn(&Range<usize>) -> bool| {
        let fits = |name: &&Mention| here(&name.at) && scan.fit(name.field, found, Rule::Named).is_some();
        let mut all = scan.names.mentions.iter().filter(fits);
        let first = all.next()?;
        all.all(|other| other.field == first.field).then(|| first.clone())
    };
    // Other words may stand between them, but no value and no other part of the sentence.
    // `the colour is not red but blue`
    let denied = |at: usize| scan.corrects && scan.guard(&(at..at + 1)).is_some_and(Mark::blocks);
    let between = |at: &usize| !message.is(*at, ", and") && (!scan.is_value(*at) || denied(*at));
    let reach = (sentence.start..start).rev().take(7).take_while(between).count();
    let left = (start - reach..=start).rev().find_map(|at| Some((at, named(&|name| name.end == at)?)));
    let reach = (end..sentence.end).take(2).take_while(between).count();
    let within = named(&|name| found.at.contains(&name.start));
    let right = within.or_else(|| (end..=end + reach).find_map(|at| named(&|name| name.start == at)));
    let linked = |at: usize| !counted || (at..start).any(|at| message.is(at, ": = is are be as"));
    // `boxes 3 drivers 2`
    let opens = scan.names.covered[sentence.start] && !scan.is_value(sentence.start);
    let pairs = opens && scan.is_value(sentence.end - 1);
    match (left, right) {
        (Some((at, one)), Some(_)) if at == start && pairs => Some(one),
        // `licences 3 seats 5`: whose the 3 is, nobody can tell.
        (Some((at, one)), Some(other)) if one.field != other.field && linked(at) => Some(one),
        (Some((at, one)), Some(other)) if one.field != other.field => (at < start).then_some(other),
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

/// Adds to the options of a field what is added, or takes it from them: `blue too`, `not red`.
fn lists(scan: &mut Scan<'_>) {
    let all = scan.found.clone();
    let of = |one: &Found| if let What::Options(field, _) = one.what { Some(field) } else { None };
    for one in all.iter().filter(|one| all.iter().filter(|other| of(one) == of(other)).count() == 1).cloned()
    {
        let What::Options(field, _) = one.what else { continue };
        let known = scan
            .question
            .known
            .get(&scan.field(field).id)
            .filter(|_| scan.field(field).kind == Kind::Choices);
        let (Some(Value::Array(known)), clause) = (known, scan.message.clause(one.at.start)) else {
            continue;
        };
        let said = |words: &str| clause.clone().any(|at| scan.message.is(at, words) && !scan.is_form(at));
        let (less, more) =
            (said("not no without except remove delete drop"), said("too also add well additionally"));
        let Some(Ok(values)) = scan.fit(field, &one, Rule::Named).filter(|_| less != more) else { continue };
        let values: Vec<Value> = values.iter().filter_map(Value::as_array).flatten().cloned().collect();
        let mut new: Vec<Value> = known.iter().filter(|value| !values.contains(value)).cloned().collect();
        new.extend(values.into_iter().filter(|_| more));
        scan.marks.retain(|mark| !mark.covers(&clause));
        scan.found.retain(|found| *found != one);
        let corrects = std::mem::replace(&mut scan.corrects, true);
        scan.place(field, vec![Value::Array(new)], scan.message.words(&clause), Rule::Named, None);
        scan.corrects = corrects;
    }
}
