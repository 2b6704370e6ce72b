//! Rule 4: a value that only one open field can take, and what is asked because no rule took it.

use std::ops::Range;

use super::super::form::poles;
use super::{End, FILLERS, Fit, Found, Guard, Mark, Mention, Rule, Scan, What};

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
        let why = scan.doubt(*at, one, &one.at, Rule::Only);
        let why =
            why.or_else(|| is_loose(scan, *at, one).then(|| "it may be said of something else".to_owned()));
        let why = why.or(unnamed.then(|| "the field to change is not named".to_owned()));
        // Of what does not fit only that is told which is plainly said.
        if fit.is_ok() || why.is_none() && scan.guard(&one.at).is_none() {
            scan.settle(*at, fit.clone(), one, Rule::Only, why);
        }
    }
    // What was taken may open fields that depend on it.
    if scan.visible() != visible {
        read(scan);
    }
}

/// Lists the open fields that a value fits, or else the first that refuses it. A yes is no answer to all that can be answered so.
pub(super) fn open(scan: &Scan<'_>, visible: &[usize], found: &Found) -> Vec<(usize, Fit)> {
    let fits = |at: &usize| Some((*at, scan.fit(*at, found, Rule::Only).filter(|_| !scan.is_read(*at))?));
    let (mut good, mut bad): (Vec<_>, Vec<_>) =
        visible.iter().filter_map(fits).partition(|(_, fit)| fit.is_ok());
    let changes = scan.corrects && scan.reading.named.is_empty();
    let changes = changes && !good.iter().any(|(at, _)| scan.is_empty(*at));
    let nods = |at: usize| matches!(found.what, What::Options(..)) && poles(scan.field(at)).is_some();
    good.retain(|(at, _)| changes || scan.is_empty(*at) && !nods(*at));
    bad.retain(|(at, _)| scan.is_empty(*at));
    bad.truncate(1);
    if good.is_empty() { bad } else { good }
}

/// Returns whether the words of a value mean something else just as well: another value (`Monday` may be an option and a day), or of
/// an option another field's name.
fn is_shared(scan: &Scan<'_>, all: &[Found], one: &Found) -> bool {
    let over = |other: &Range<usize>| other.start < one.at.end && one.at.start < other.end;
    let named =
        |name: &Mention| matches!(one.what, What::Options(of, _) if of != name.field) && over(&name.at);
    scan.names.mentions.iter().any(named)
        || scan.placed.iter().any(|(_, at)| over(at))
        || all.iter().any(|other| other != one && over(&other.at) && other.at.len() >= one.at.len())
}

/// Returns whether a value may belong to something else than the form, though only one field can take it.
fn is_loose(scan: &Scan<'_>, at: usize, found: &Found) -> bool {
    const WEAK: &str = "other none any all both new now will can one first last more less same normal good no yes home work full half";
    let (message, next, start, today) =
        (scan.message, found.at.end, found.at.start, scan.question.now.date());
    let leads = |name: &Mention| message.past(name.at.end, ": = is of to the at on for by in from") == start;
    let other = |name: &Mention| name.field != at && (leads(name) || name.at.start == next);
    match &found.what {
        // `as always`
        What::Options(..) => {
            let weak = found.at.len() == 1 && message.is(start, WEAK) || message.follows(start, "0 zero as");
            weak || message.is(next, "of") && message.follows(start, "the")
        }
        // `the deposit is 20%` says nothing of the discount.
        _ if scan.names.mentions.iter().any(other) => true,
        // `10 m from the road` says how far it is.
        What::Number(..) => scan.question.asked.is_some() || message.is(next, "from off"),
        // What has been is rarely what a form asks for.
        What::Date(dates) => {
            let past = !scan.names.said[at].been && dates.iter().all(|date| *date < today);
            past || scan.question.asked.is_some() && message.is(start, "in")
        }
        _ => false,
    }
}

/// Offers what no rule took to the few open fields that can take it, and lists the fields that are spoken of without a value.
pub(super) fn left(scan: &mut Scan<'_>) {
    let visible = scan.visible();
    for one in &scan.found.clone() {
        let fits = open(scan, &visible, one).into_iter();
        let mut all: Vec<_> = fits.filter_map(|(at, fit)| Some((at, fit.ok()?))).collect();
        let used = scan.placed.iter().any(|(_, at)| at.start < one.at.end && one.at.start < at.end);
        if used || all.len() > 3 || scan.guard(&one.at).is_some_and(Mark::blocks) {
            continue;
        }
        let several = all.iter().any(|(_, values)| values.len() > 1);
        all.truncate(if several { 1 } else { 3 });
        for (at, values) in all {
            scan.ask(at, values, scan.message.words(&one.at), "several fields could take it");
        }
    }
    let speaks =
        |mark: &Mark| mark.guard == Guard::Negation || !mark.blocks() && mark.guard != Guard::Question;
    for Mention { at, field } in &scan.names.mentions {
        let id = &scan.field(*field).id;
        let told = scan.marks.iter().all(|mark| !mark.covers(at) || speaks(mark));
        let small = at.clone().all(|at| scan.message.is(at, FILLERS)) || scan.is_value(at.start);
        let known = scan.reading.has(id) || scan.reading.unfit.iter().any(|unfit| unfit.field == *id);
        if told && !small && !known && visible.contains(field) && !scan.reading.left.contains(id) {
            scan.reading.left.push(id.clone());
        }
    }
}
