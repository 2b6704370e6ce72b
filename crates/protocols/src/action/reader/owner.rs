//! Whose a value is. Rule 3: its field's name stands beside it in the same clause: `drivers: 3`, `3 drivers`, `the first day is Friday`.
//! Rule 4: only one open field can take it. What no rule took is asked.

use holdpoint_core::Kind;

use super::super::form::{poles, span};
use super::lists::{CHANGES, PAST};
use super::{
    Claim, FitResult, FoundValue, Guard, Mention, Reading, Rule, Scan, SpanEnd, UncertainValue, ValueKind,
};

/// What may stand between a name and its number: `the number of boxes is 40`, `change the boxes to 40`.
const LINKS: &str =
    ": = ( # - is are be was were am of to at should will would the a an my our exactly only now there";

/// Claims values whose field is named beside them, from left to right; a name serves one value.
pub(super) fn by_name(scan: &mut Scan<'_>) {
    for found in scan.found.clone() {
        let named = if scan.is_free(&found) {
            named_field(scan, &found).or_else(|| of_end(scan, &found))
        } else {
            None
        };
        let Some(Mention { at, field }) = named else { continue };
        let Some(fit) = scan.fit(field, &found, Rule::Named) else { continue };
        // `a table for 8` says nothing of how many tables.
        let link = |at: usize| scan.message.is(at, LINKS) || scan.message.is(at, CHANGES) || scan.is_form(at);
        let linked = !found.is_number() || scan.corrects || (at.end..found.at.start).all(link);
        let doubt = (!linked).then_some("nothing says that it is the value of what is named");
        scan.claim(Rule::Named, field, fit, &found, doubt);
        if let Some(claim) = scan.claims.last_mut() {
            claim.over = found.at.start.min(at.start)..found.at.end.max(at.end);
        }
    }
}

/// Returns the one field whose name is linked to a value that it can take, and where it stands.
fn named_field(scan: &Scan<'_>, found: &FoundValue) -> Option<Mention> {
    let (message, start, end) = (scan.message, found.at.start, found.at.end);
    let clause = message.clause(start);
    let serves = |name: &&Mention| {
        let used = |claim: &Claim| claim.over.contains(&name.at.start) && !claim.over.contains(&start);
        !scan.claims.iter().any(used) && scan.fit(name.field, found, Rule::Named).is_some()
    };
    let names: Vec<&Mention> = scan.mentions.iter().filter(serves).collect();
    let one_field = |here: &dyn Fn(&Mention) -> bool| {
        let mut all = names.iter().filter(|name| here(name));
        let first = all.next()?;
        all.all(|other| other.field == first.field).then(|| (*first).clone())
    };
    // Before a value its name is the nearest one, with no other value between them.
    let value = |at: &usize| scan.is_value[*at] && !scan.is_blocked(&(*at..at + 1));
    let from = (clause.start..start).rev().find(value).map_or(clause.start, |at| at + 1);
    let before = |name: &Mention| name.at.start >= from && name.at.end <= start;
    let nearest = names.iter().filter(|name| before(name)).map(|name| name.at.end).max();
    let left = nearest.and_then(|end| one_field(&|name| before(name) && name.at.end == end));
    // `90 minutes`, `3 drivers`, `20 m² of area`, `Friday as the first day`
    let next = message.past(end, "of for as is the my our - (");
    let within = one_field(&|name| found.at.contains(&name.at.start));
    let right = within.or_else(|| one_field(&|name| (end..=next.max(end + 1)).contains(&name.at.start)));
    let (Some(one), Some(_)) = (&left, &right) else {
        return left.or(right).or_else(|| of_pieces(scan, found));
    };
    // `boxes 3 drivers 2`: the names lead.
    let leads = scan.is_name[clause.start] && scan.is_value[clause.end - 1] && one.at.end == start;
    let stated = (one.at.end..start).any(|at| message.is(at, ": = is are be"));
    if leads || stated || !found.is_number() { left } else { right }
}

/// Returns the one field that counts whatever is chosen, for a number before an option: `two cameras`.
fn of_pieces(scan: &Scan<'_>, found: &FoundValue) -> Option<Mention> {
    let counts = |at: &usize| scan.about[*at].counts_pieces && !scan.is_claimed(*at);
    let before = scan.found.iter().any(|option| option.is_option() && option.at.start == found.at.end);
    let mut all = (0..scan.about.len()).filter(counts).filter(|_| found.is_count() && before);
    let field = all.next().filter(|_| all.next().is_none())?;
    Some(Mention { at: found.at.clone(), field })
}

/// Returns the field that `from A`, `until B` or `from A to B` names, where a form has two for it.
fn of_end(scan: &Scan<'_>, found: &FoundValue) -> Option<Mention> {
    let kind = match found.what {
        ValueKind::Date(_) => Kind::Date,
        ValueKind::Time(_) => Kind::Time,
        _ => Kind::Datetime,
    };
    let (first, last) = span(scan.question.fields, |field| field.kind == kind)?;
    let field = if found.end? == SpanEnd::First { first } else { last };
    (!scan.is_claimed(field)).then(|| Mention { at: found.at.clone(), field })
}

/// Claims what fits one open field each; where something is to be changed, also an option of one known field.
pub(super) fn by_kind(scan: &mut Scan<'_>) {
    let visible = scan.visible();
    for found in scan.found.clone() {
        if !scan.is_free(&found) || found.end == Some(SpanEnd::Last) || is_shared(scan, &found) {
            continue;
        }
        let [(at, fit)] = &open(scan, &visible, &found)[..] else { continue };
        let doubt = loose(scan, *at, &found);
        scan.claim(Rule::Only, *at, fit.clone(), &found, doubt);
    }
    // What was taken may open fields that depend on it.
    if scan.visible() != visible {
        by_kind(scan);
    }
}

/// Lists the open fields that a value fits, or else the first that refuses it. A yes is no answer to all that can be answered so.
fn open(scan: &Scan<'_>, visible: &[usize], found: &FoundValue) -> Vec<(usize, FitResult)> {
    let changes = scan.corrects && found.is_option();
    let is_open = |at: usize| {
        let nods = found.is_option() && poles(scan.field(at)).is_some();
        !nods && !scan.is_claimed(at) && (changes || !scan.is_known(at))
    };
    let fits = |at: &usize| Some((*at, scan.fit(*at, found, Rule::Only).filter(|_| is_open(*at))?));
    let (good, bad): (Vec<_>, Vec<_>) = visible.iter().filter_map(fits).partition(|(_, fit)| fit.is_ok());
    if good.is_empty() { bad.into_iter().take(1).collect() } else { good }
}

/// Returns whether the words of a value mean something else just as well: another value (`Monday` may be an option and a day), or of
/// an option another field's name.
fn is_shared(scan: &Scan<'_>, one: &FoundValue) -> bool {
    let other =
        |other: &FoundValue| other != one && one.overlaps(&other.at) && other.at.len() >= one.at.len();
    let named = |name: &Mention| matches!(one.what, ValueKind::Options(of, _) if of != name.field && one.overlaps(&name.at));
    scan.mentions.iter().any(named) || scan.found.iter().any(other)
}

/// Returns why a value may belong to something else than the form, though only one field can take it.
fn loose(scan: &Scan<'_>, field: usize, found: &FoundValue) -> Option<&'static str> {
    const WEAK: &str = "other none any all both new will can first last more less same normal no half once";
    let (message, option, clause) = (scan.message, found.is_option(), scan.message.clause(found.at.start));
    // `I have 3000 euros in the savings account`, `at home I have a camera` say what there is.
    let money = |other: &FoundValue| clause.contains(&other.at.start) && other.is_money();
    let has = |at: usize| message.is(at, "have has had got own owe owes earn") && !message.follows(at, "to");
    let has = clause.clone().any(has) && (option || scan.found.iter().any(money));
    // An option called `Good` or `All` is in many sentences that do not mean it.
    let weak = |at: usize| message.small[at] || message.is(at, WEAK);
    let common =
        found.at != message.all() && found.at.clone().all(weak) || message.follows(found.at.start, "as");
    // `for my exam at 10:00`
    let told = |at: usize| scan.about[field].means(&message.tokens[at]) || message.is(at, PAST);
    let aside = |at: usize| message.is_word(at) && !(message.small[at] || scan.is_form(at) || told(at));
    let timed = matches!(found.what, ValueKind::Time(_) | ValueKind::Moment(_))
        && (clause.start..found.at.start).any(aside);
    // `the deposit is 20%` says nothing of the discount.
    let served = |name: &Mention| name.field == field || scan.is_claimed(name.field);
    let rival = |name: &Mention| {
        let served = scan.mentions.iter().any(|other| other.at == name.at && served(other));
        let takes = !matches!(scan.field(name.field).kind, Kind::Choice | Kind::Choices | Kind::Boolean);
        takes && !served && scan.is_name[name.at.start] && clause.contains(&name.at.start)
    };
    let unasked = scan.question.asked.is_some() && (found.is_number() || found.is_temporal());
    let other = !option && (timed || unasked || scan.mentions.iter().any(rival));
    (has || option && common || other).then_some("it may be said of something else")
}

/// Asks what no rule took of the few open fields that can take it, and lists the fields that are spoken of without a value.
pub(super) fn list_unclaimed(scan: &Scan<'_>, reading: &mut Reading) {
    const MOST: usize = 3;
    let visible = scan.visible();
    for found in scan.found.iter().filter(|found| scan.is_free(found)) {
        let fits = open(scan, &visible, found).into_iter();
        let all: Vec<_> = fits.filter_map(|(at, fit)| Some((at, fit.ok()?))).collect();
        // Which field and which value in one question would be too much.
        let most = if all.iter().any(|(_, values)| values.len() > 1) { 1 } else { MOST };
        for (at, values) in all.into_iter().take(most) {
            let (field, words) = (scan.field(at).id.clone(), scan.message.text_of(&found.at).to_owned());
            let why = "several fields could take it".to_owned();
            reading.unsure.push(UncertainValue { field, values, words, why });
        }
    }
    for name in scan.mentions.iter().filter(|name| visible.contains(&name.field)) {
        let id = &scan.field(name.field).id;
        let hushed = |guard: Guard| matches!(guard, Guard::Quotation | Guard::Question);
        let hushed = scan.marks.iter().any(|mark| mark.covers(&name.at) && hushed(mark.guard));
        let small = name.at.clone().all(|at| scan.message.small[at]) || scan.is_value[name.at.start];
        let known = reading.has(id) || reading.unfit.iter().any(|unfit| unfit.field == *id);
        if !hushed && !small && !known && !reading.left.contains(id) {
            reading.left.push(id.clone());
        }
    }
}
