//! Rule 4: a value that only one open field can take, in a message that nothing speaks against.

use std::ops::Range;

use holdpoint_core::Kind;
use holdpoint_core::text::quote;

use super::super::form::poles;
use super::{End, Fit, Found, Guard, Mark, Mention, Rule, Scan, What};

/// Takes what fits one open field each; where something is to be changed, also what fits one known field and no open one.
pub(super) fn read(scan: &mut Scan<'_>) {
    let visible = scan.visible();
    let mut all = scan.found.clone();
    all.sort_by_key(|found| scan.guard(&found.at).is_some());
    for one in &all {
        let [(at, fit)] = &open(scan, &visible, one)[..] else { continue };
        // A second value of a field that has one is weighed against that: `80 to 95`.
        let named = |at: usize| scan.names.mentions.iter().any(|name| name.at.contains(&at));
        let goes_on = |(field, before): &(usize, Range<usize>)| {
            let apart = (before.end..one.at.start).any(|at| scan.message.is(at, "and") || named(at));
            before.end <= one.at.start && !apart && matches!(scan.fit(*field, one, Rule::Named), Some(Ok(_)))
        };
        if one.end == Some(End::Last) || is_shared(scan, &all, one) || scan.placed.iter().any(goes_on) {
            continue;
        }
        let unnamed = !matches!(one.what, What::Options(..)) && !scan.is_empty(*at);
        let clause = scan.message.clause(one.at.start);
        // `a truck for my brother`, `blankets, no boxes`: what only stands behind it, or denies something else of the form.
        let apart = |mark: &Mark| match mark.guard {
            Guard::OtherPerson => mark.over.start >= one.at.end,
            Guard::Negation => {
                !mark.over.contains(&one.at.start) && mark.over.clone().any(|at| scan.is_form(at))
            }
            _ => false,
        };
        let here = |mark: &&Mark| mark.covers(&clause) && !apart(mark);
        let mark = scan.marks.iter().find(here);
        let why = mark.map(|mark| mark.reason(scan.message)).or_else(|| loose(scan, *at, one));
        let why = why.or(unnamed.then(|| "the field to change is not named".to_owned()));
        // Of what does not fit only that is told which is plainly said.
        if fit.is_ok() || why.is_none() {
            scan.settle(*at, fit.clone(), one, Rule::Only, why);
        }
    }
    // What was taken may open fields that depend on it.
    if scan.visible() != visible {
        read(scan);
    }
}

/// Lists the open fields that a value fits, or else the first that refuses it. A yes is no answer to all that can be answered so.
fn open(scan: &Scan<'_>, visible: &[usize], found: &Found) -> Vec<(usize, Fit)> {
    let fits = |at: &usize| Some((*at, scan.fit(*at, found, Rule::Only).filter(|_| !scan.is_read(*at))?));
    let all = visible.iter().filter_map(fits);
    let (mut good, mut bad): (Vec<_>, Vec<_>) = all.partition(|(_, fit)| fit.is_ok());
    let changes = scan.corrects && scan.reading.named.is_empty();
    let changes = changes && !good.iter().any(|(at, _)| scan.is_empty(*at));
    let nods = |at: usize| matches!(found.what, What::Options(..)) && poles(scan.field(at)).is_some();
    good.retain(|(at, _)| changes || scan.is_empty(*at) && !nods(*at));
    bad.retain(|(at, _)| scan.is_empty(*at));
    bad.truncate(1);
    if good.is_empty() { bad } else { good }
}

/// Returns whether the words of an option mean something else just as well: another field's option or name, or a date.
fn is_shared(scan: &Scan<'_>, all: &[Found], one: &Found) -> bool {
    let What::Options(field, _) = one.what else { return false };
    let over = |other: &Range<usize>| other.start < one.at.end && one.at.start < other.end;
    scan.names.mentions.iter().any(|mention| mention.field != field && over(&mention.at))
        || all.iter().any(|other| other != one && over(&other.at))
}

/// Returns why a value may belong to something else than the form, though only one field can take it.
fn loose(scan: &Scan<'_>, at: usize, found: &Found) -> Option<String> {
    const WEAK: &str = "other none any all both new now will can one first last more less same normal good no yes home work full half";
    let (message, next, start) = (scan.message, found.at.end, found.at.start);
    let (clause, today) = (message.clause(start), scan.question.now.date());
    let leads = |name: &Mention| message.past(name.at.end, ": = is of to the at on for by in from") == start;
    let other = |name: &Mention| name.field != at && (leads(name) || name.at.start == next);
    let day = |at: usize| matches!(scan.field(at).kind, Kind::Date | Kind::Time) && scan.is_empty(at);
    let loose = match &found.what {
        // `I have 25 boxes` orders none.
        What::Options(..) => {
            found.at.len() == 1 && message.is(start, WEAK)
                || message.follows(start, "0 zero")
                || scan.field(at).kind == Kind::Choices && scan.values.iter().any(|value| value.end == start)
                || (clause.start..start).any(|at| message.is(at, "have own"))
        }
        // `the deposit is 20%` says nothing of the discount.
        _ if scan.names.mentions.iter().any(other) => true,
        // A form that asks for a day and a time as well leaves it open which is meant.
        What::Moment(_) => (0..scan.question.fields.len()).filter(|at| day(*at)).count() > 1,
        // `10 m from the road` says how far it is.
        What::Number(..) => scan.question.asked.is_some() || message.is(next, "from off"),
        // What has been is rarely what a form asks for.
        What::Date(dates) => !scan.names.said[at].been && dates.iter().all(|date| *date < today),
        _ => false,
    };
    let loose = loose.then(|| format!("{} may be said of something else", quote(message.words(&found.at))));
    scan.strange(at, &found.at, clause).or(loose)
}
