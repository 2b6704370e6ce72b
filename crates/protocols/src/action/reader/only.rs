//! Rule 4: a value that only one open field can take, in a message that nothing speaks against.

use std::ops::Range;

use holdpoint_core::Kind;
use holdpoint_core::text::quote;

use super::super::form::poles;
use super::Rule;
use super::found::{Doubt, End, Found, Measure, What};
use super::guard::Mark;
use super::name::Mention;
use super::number::small;
use super::scan::Scan;
use super::token::GOES_ON;

/// Takes what fits one open field each; where something is to be changed, also what fits one known field and no open one.
pub(super) fn read(scan: &mut Scan<'_>) {
    let visible = scan.visible();
    let found = std::mem::take(&mut scan.found);
    let fits: Vec<Vec<usize>> = found.iter().map(|found| open(scan, &visible, found)).collect();
    for (index, one) in found.iter().enumerate() {
        let [at] = fits[index][..] else { continue };
        let Some(Ok(values)) = scan.fit(at, one, Rule::Only) else { continue };
        let rivals = fits.iter().filter(|fits| fits.contains(&at)).count() > 1;
        let option = matches!(one.what, What::Options(..));
        if (rivals && !option) || one.end == Some(End::Last) || is_shared(scan, &found, index) {
            continue;
        }
        let unnamed = (!option && !scan.is_empty(at)).then(|| "the field to change is not named".to_owned());
        let why = scan.marks.first().map(Mark::reason).or(unnamed).or_else(|| loose(scan, at, one));
        let doubt = why.or_else(|| one.doubt.clone());
        scan.settle(at, Ok(values), &Found { doubt, ..one.clone() }, Rule::Only);
    }
}

/// Lists the open fields that a value fits. A yes is no answer to all that can be answered so.
fn open(scan: &Scan<'_>, visible: &[usize], found: &Found) -> Vec<usize> {
    let named = matches!(found.what, What::Options(..));
    let fits = |at: &usize| matches!(scan.fit(*at, found, Rule::Only), Some(Ok(_))) && !scan.is_read(*at);
    let fitting: Vec<usize> = visible.iter().copied().filter(fits).collect();
    let empty = |at: &usize| scan.is_empty(*at) && !(named && poles(scan.field(*at)).is_some());
    let plain = scan.corrects && scan.marks.is_empty() && scan.reading.named.is_empty();
    let changes = plain && !fitting.iter().any(|at| scan.is_empty(*at));
    fitting.into_iter().filter(|at| changes || empty(at)).collect()
}

/// Returns whether the words of an option mean something else just as well: another field's option or name, or a date.
fn is_shared(scan: &Scan<'_>, found: &[Found], index: usize) -> bool {
    let What::Options(field, _) = found[index].what else { return false };
    let over = |other: &Range<usize>| other.start < found[index].at.end && found[index].at.start < other.end;
    scan.names.mentions.iter().any(|mention| mention.field != field && over(&mention.at))
        || found.iter().enumerate().any(|(other, found)| other != index && over(&found.at))
}

/// Returns why a value may belong to something else than the form, though only one field can take it.
fn loose(scan: &Scan<'_>, at: usize, found: &Found) -> Doubt {
    const WEAK: &str = "other none any all both new now will can one first last more less same normal good fine general standard \
                        basic no yes home work high low medium full half free open";
    let (message, next, start) = (scan.message, found.at.end, found.at.start);
    let day = |at: usize| matches!(scan.field(at).kind, Kind::Date | Kind::Time) && scan.is_empty(at);
    let linked =
        |name: &Mention| message.past(name.at.end, ": = is of to the") == start || name.at.start == next;
    let other = |name: &Mention| name.field != at && linked(name);
    let loose = match &found.what {
        _ if scan.told(start).is_some() => true,
        // `red` in `a red folder` describes the folder.
        What::Options(..) if found.at.len() == 1 => {
            let ours = scan.names.mentions.iter().any(|name| name.field == at && name.at.contains(&next));
            let goes_on = message.tokens.get(next).is_some_and(|token| token.is_word() && !token.is(GOES_ON));
            // `moving to the north` says where something is.
            let led = start > 1 && message.is(start - 2, "to in at from near");
            let placed = message.follows(start, "the") && (led || message.is(next, "to"));
            message.is(start, WEAK) || placed || goes_on && !ours && small(message.low(next)).is_none()
        }
        What::Options(..) | What::Address(_) => false,
        // `the deposit is 20%` says nothing of the discount.
        _ if scan.names.mentions.iter().any(other) => true,
        What::Number(_, Measure::Time(_)) => {
            start > 0 && !message.follows(start, "for of , : last takes need want")
        }
        What::Number(_, measure) => {
            scan.question.asked.is_some() || *measure == Measure::Money && has_subject(scan, start)
        }
        _ if has_subject(scan, start) => true,
        // What has been, and `the invoice of 3 May`, are rarely what a form asks for.
        What::Date(dates) => {
            let past = !scan.names.said[at].been && dates.iter().all(|date| *date < scan.question.now.date());
            past || found.end.is_some() || message.follows(start, "of dated since")
        }
        // A form that asks for days or times as well leaves it open which is meant.
        What::Moment(_) => (0..scan.question.fields.len()).any(day),
        What::Time(_) => false,
    };
    loose.then(|| format!("{} may be said of something else", quote(message.words(&found.at))))
}

/// Returns whether a clause says what something else does that is no name of the form: `the train leaves at 9`.
fn has_subject(scan: &Scan<'_>, at: usize) -> bool {
    let message = scan.message;
    let first = message.past(message.clause(at).start, "and so because but");
    let does = |at: &usize| {
        message.low(*at).ends_with('s') && !message.is(*at, "has needs wants as this us its days")
    };
    let verb = (first + 1..at.min(first + 5)).find(does);
    !message.is(first, "i we it there")
        && verb.is_some_and(|verb| !(first..=verb).any(|at| scan.names.covered[at]))
}
