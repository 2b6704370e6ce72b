//! Rule 4: a value that only one open field can take, in a message that nothing speaks against.

use std::ops::Range;

use holdpoint_core::text::quote;
use holdpoint_core::{Field, Kind};
use serde_json::Value;

use super::super::form::{poles, span};
use super::fit::Tie;
use super::found::{End, Found, Measure, What};
use super::guard::Mark;
use super::number::small;
use super::scan::Scan;
use super::{Rule, date};

/// How many values a message may hold; more are a list of something else.
const MOST: usize = 40;

/// Takes both ends of spans, then what fits one open field each.
pub(super) fn read(scan: &mut Scan<'_>) {
    spans(scan);
    let visible = scan.visible();
    let found = std::mem::take(&mut scan.found);
    if found.len() > MOST {
        return;
    }
    let fits: Vec<Vec<usize>> = found.iter().map(|found| open(scan, &visible, found)).collect();
    for (index, one) in found.iter().enumerate() {
        if fits[index].is_empty() {
            change(scan, &visible, one);
        }
        let [at] = fits[index][..] else { continue };
        let rivals = fits.iter().filter(|fits| fits.contains(&at)).count() > 1;
        let options = matches!(one.what, What::Options(..));
        if (rivals && !options) || one.end == Some(End::Last) || is_shared(scan, &found, index) {
            continue;
        }
        let why = scan.marks.first().map(Mark::reason).or_else(|| loose(scan, at, one));
        let values = scan.values(at, one, Tie::Loose);
        take(scan, at, values, one, why);
    }
}

/// Lists the open fields that a value fits. A yes is no answer to all that can be answered so.
fn open(scan: &Scan<'_>, visible: &[usize], found: &Found) -> Vec<usize> {
    let named = matches!(found.what, What::Options(..));
    let fits = |at: &usize| {
        scan.is_empty(*at)
            && !(named && poles(scan.field(*at)).is_some())
            && !scan.values(*at, found, Tie::Loose).is_empty()
    };
    visible.iter().copied().filter(fits).collect()
}

/// Returns whether the words of an option mean something else just as well: another field's option or name, or a date.
fn is_shared(scan: &Scan<'_>, found: &[Found], index: usize) -> bool {
    let What::Options(field, _) = found[index].what else { return false };
    let over = |other: &Range<usize>| other.start < found[index].at.end && found[index].at.start < other.end;
    scan.mentions.iter().any(|mention| mention.field != field && over(&mention.at))
        || found.iter().enumerate().any(|(other, found)| other != index && over(&found.at))
}

/// Returns why a value may belong to something else than the form, though only one field can take it.
fn loose(scan: &Scan<'_>, at: usize, found: &Found) -> Option<String> {
    const WEAK: &str = "other none any all both new now will can one first last more less same normal good fine general standard \
                        basic no yes home work high low medium full half free open";
    const AFTER: &str = "one ones please and or for on in at to from with is are was would will by but because as it until \
                         thanks we i starting too also instead today tomorrow this next that who which isn't";
    let (message, next, start) = (scan.message, found.at.end, found.at.start);
    let told = date::is_told(message, start) && !scan.facts[at].been;
    let other = |at: usize| {
        matches!(scan.field(at).kind, Kind::Date | Kind::Time) && scan.is_empty(at) && !scan.facts[at].been
    };
    let unanswered = scan.question.asked.is_some_and(|asked| scan.reading.value(&asked.id).is_none());
    let loose = match &found.what {
        // `red` in `a red folder` describes the folder.
        What::Options(..) if told && !scan.facts.iter().any(|facts| facts.reports) => true,
        What::Options(..) if found.at.len() == 1 => {
            let ours = scan.mentions.iter().any(|mention| mention.field == at && mention.at.contains(&next));
            let goes_on = message.tokens.get(next).is_some_and(|token| token.is_word() && !token.is(AFTER));
            message.is(start, WEAK) || goes_on && !ours && small(message.low(next)).is_none()
        }
        // What has been, and `the invoice of 3 May`, are rarely what a form asks for.
        What::Date(dates) => {
            let past = !scan.facts[at].been && dates.iter().all(|date| *date < scan.question.now.date());
            told || past || found.end.is_some() || message.follows(start, "of dated since")
        }
        // A form that asks for days or times as well leaves it open which is meant.
        What::Moment(_) => told || (0..scan.question.fields.len()).any(other),
        What::Number(_, Measure::Time(_)) if !message.follows(start, "for of , :") => start > 0,
        What::Number(..) => told || unanswered,
        _ => false,
    };
    loose.then(|| format!("{} may be said of something else", quote(message.words(&found.at))))
}

/// Takes a value, or offers it back where something speaks against it.
fn take(scan: &mut Scan<'_>, at: usize, values: Vec<Value>, found: &Found, why: Option<String>) {
    let doubt = why.or_else(|| found.doubt.clone());
    scan.settle(at, Ok(values), &Found { doubt, ..found.clone() }, Rule::Only);
}

/// Takes `from A to B` for the two fields that a form has for it, and `from A` or `until B` for one of them.
fn spans(scan: &mut Scan<'_>) {
    let ended: Vec<Found> = scan.found.iter().filter(|found| found.end.is_some()).cloned().collect();
    let pair =
        matches!(&ended[..], [one, other] if one.end == Some(End::First) && other.end == Some(End::Last));
    if !pair && ended.len() != 1 {
        return;
    }
    let visible = scan.visible();
    let fields: Vec<Field> = visible.iter().map(|at| scan.field(*at).clone()).collect();
    let kind = match ended[0].what {
        What::Date(_) => Kind::Date,
        What::Time(_) => Kind::Time,
        _ => Kind::Datetime,
    };
    let Some((first, last)) = span(&fields, |field| field.kind == kind) else { return };
    for found in &ended {
        let at = visible[if found.end == Some(End::First) { first } else { last }];
        let open = scan.is_empty(at) || scan.corrects && !scan.is_read(at);
        let values = scan.values(at, found, Tie::Loose);
        if open && !values.is_empty() {
            let why = scan.marks.first().map(Mark::reason);
            take(scan, at, values, found, why);
            scan.found.retain(|other| other.at != found.at);
        }
    }
}

/// Takes the option that only one known field has, if something is to be changed; offers any other value.
fn change(scan: &mut Scan<'_>, visible: &[usize], found: &Found) {
    let known = |at: &usize| {
        !scan.is_empty(*at) && !scan.is_read(*at) && !scan.values(*at, found, Tie::Loose).is_empty()
    };
    let all: Vec<usize> = visible.iter().copied().filter(known).collect();
    let ([at], true, true) = (&all[..], scan.corrects, scan.marks.is_empty()) else { return };
    let named = matches!(found.what, What::Options(..)) && loose(scan, *at, found).is_none();
    let why = (!named).then(|| "the field to change is not named".to_owned());
    let adds = scan.message.tokens.iter().any(|token| token.is("add also too"));
    let held = scan.question.known.get(&scan.field(*at).id).and_then(Value::as_array).filter(|_| adds);
    let mut values = scan.values(*at, found, Tie::Loose);
    for value in values.iter_mut().filter_map(Value::as_array_mut) {
        value.splice(0..0, held.into_iter().flatten().cloned());
    }
    take(scan, *at, values, found, why);
}
