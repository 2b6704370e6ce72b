//! A count that answers what was asked, or is put in the place of one that is known.

use holdpoint_core::{Field, Kind};
use serde_json::Value;

use super::number;
use super::quantity::{is_bound, shortest, stands_alone};
use super::scan::Scan;
use super::words::Sort;

/// Returns whether a count is changed without being named, and can be no other: `make it 4`.
pub(super) fn is_changed(scan: &Scan<'_>, field: &Field) -> bool {
    let counts = |other: &&Field| {
        matches!(other.kind, Kind::Integer | Kind::Number) && scan.known.contains_key(&other.id)
    };
    scan.asked.is_none()
        && scan.known.contains_key(&field.id)
        && (super::manner(scan.text) == super::Manner::Correct || puts_other(scan, field))
        && scan.fields.iter().filter(counts).count() == 1
}

/// Returns whether a few words put another number in the place of the one that is known: `two now instead of three`, `rather 4`. What
/// denies it: `contrast`.
fn puts_other(scan: &Scan<'_>, field: &Field) -> bool {
    let held = scan.known.get(&field.id).and_then(Value::as_f64);
    let old = |at: usize| number::at(&scan.tokens, at).is_some_and(|number| Some(number.value) == held);
    let but = scan.tokens.iter().any(|token| token.among(&["but", "enough", "too"]));
    let not = (0..scan.tokens.len()).any(|at| old(at) && (but || at > 0 && scan.word(at - 1) == "of"));
    let so = (1..scan.tokens.len()).any(|at| {
        matches!(scan.word(at - 1), "so" | "makes")
            && number::at(&scan.tokens, at).is_some_and(|number| number.next >= scan.tokens.len())
    });
    let only = matches!(scan.word(0), "only" | "just" | "rather" | "better")
        && number::at(&scan.tokens, 1)
            .is_some_and(|number| scan.tokens.get(number.next).is_none_or(|next| next.sort == Sort::Sign));
    // `can you bump that up to 6`
    let raised = scan.tokens.windows(2).any(|pair| {
        pair[0].among(&["bump", "raise", "increase", "reduce", "lower", "cut", "change", "up", "turn"])
            && pair[1].among(&["it", "that", "this", "them"])
    });
    let words = scan.tokens.iter().filter(|token| token.sort == Sort::Word).count();
    let needed = (0..scan.tokens.len()).any(|at| !old(at) && super::several::is_needed(scan, at));
    needed || words <= 8 && (not || only || so || raised) || (0..scan.tokens.len()).any(|at| suits(scan, at))
}

/// Returns whether a number is said to be better or enough: `three would be better`.
fn suits(scan: &Scan<'_>, at: usize) -> bool {
    let Some(number) = number::at(&scan.tokens, at) else { return false };
    let after = |at: usize| at + usize::from(scan.word(at) == "be");
    let verb = matches!(scan.word(number.next), "would" | "will" | "is" | "are" | "should" | "'ll");
    let opens = scan
        .before(at, 1)
        .is_none_or(|token| token.sort == Sort::Sign || token.among(&["and", "but", "that", "think", "so"]));
    let fine = after(number.next + 1);
    verb && opens
        && (matches!(scan.word(fine), "better" | "enough" | "plenty" | "fine" | "sufficient" | "best" | "do")
            || scan.word(fine) == "suffice")
}

/// Finds the count that somebody makes do with: `ideally I'd get two monitors, but one will do`.
pub(super) fn settled_for(scan: &Scan<'_>, field: &Field) -> Option<(f64, usize, usize)> {
    let counts = super::quantity::counts_anything(field);
    (1..scan.tokens.len()).filter(|at| counts && scan.word(at - 1) == "but").find_map(|at| {
        let number = number::at(&scan.tokens, at).filter(|_| suits(scan, at))?;
        (scan.free(at..number.next) && !scan.negated(at)).then_some((number.value, at, number.next))
    })
}

/// Takes the number that is the answer: the only one, or the one in the first clause that has any. What comes behind it
/// explains it: `ten, one per forklift`.
pub(super) fn only(scan: &mut Scan<'_>, field: &Field) {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scan.tokens.len() {
        if let Some((_, next)) = number::ordinal(&scan.tokens, at) {
            at = next;
            continue;
        }
        match number::at(&scan.tokens, at) {
            Some(number) => {
                // `two now, not three`
                let held = scan.known.get(&field.id).and_then(Value::as_f64) == Some(number.value);
                // `one per desk` says of how many there are only what depends on the desks.
                let shared = matches!(scan.word(number.next), "per" | "each" | "apiece")
                    || scan.word(number.next) == "for"
                        && matches!(scan.word(number.next + 1), "each" | "every");
                // `one moment`
                let idle = matches!(scan.word(number.next), "moment" | "second" | "sec" | "tick" | "thing")
                    && scan.word(at) == "one";
                // `there are two of us`
                let people =
                    scan.word(number.next) == "of" && matches!(scan.word(number.next + 1), "us" | "you");
                let denied = shared
                    || idle
                    || people
                    || held && scan.asked.is_none()
                    || at.checked_sub(1).is_some_and(|at| matches!(scan.word(at), "not" | "than" | "of"));
                if !denied {
                    found.push((number.value, at, number.next));
                }
                at = number.next;
            }
            None => at += 1,
        }
    }
    // `eight. What was it last time, five? Anyway, eight`: what is said again holds.
    if let [first, .., last] = found[..]
        && found.len() > 2
        && shortest(first.0) == shortest(last.0)
        && scan.sentence(last.1).last().is_none_or(|end| scan.word(end) != "?")
        && found[1..found.len() - 1].iter().all(|(_, at, next)| !scan.free(*at..*next))
    {
        found.truncate(1);
    }
    // `1 for me and 1 for Jan, so 2`
    let sum =
        |at: usize| at > 0 && matches!(scan.word(at - 1), "so" | "total" | "altogether" | "makes" | "=");
    if let Some(sum) = found.iter().position(|(_, at, _)| sum(*at)) {
        found.drain(..sum);
    }
    // `there were 14 of us, so just four`: what is told of others is not the answer.
    if let [first, ..] = found[..]
        && !scan.free(first.1..first.2)
        && let [one] =
            found.iter().copied().filter(|(_, at, next)| scan.free(*at..*next)).collect::<Vec<_>>()[..]
    {
        found = vec![one];
    }
    let Some(&(value, start, end)) = found.first() else { return };
    let explains = found.iter().skip(1).all(|(other, at, next)| {
        #[expect(clippy::float_cmp, reason = "both are read from words, and nothing was reckoned")]
        let same = *other == value;
        same || !scan.is_in_clause_of(*at, start)
            && !stands_alone(scan, *at, *next)
            && !is_repaired(scan, end, *at)
    });
    let raised = scan.tokens.iter().any(|token| token.among(&["bump", "raise", "increase", "turn"]));
    let bound = is_bound(scan, start) && !raised;
    if explains && scan.free(start..end) && !bound && !is_bound_above(scan, end) {
        scan.take(field, &shortest(value), start..end);
    }
}

/// Returns whether words between two numbers take the first one back: `4, no, 5`.
fn is_repaired(scan: &Scan<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|at| {
        matches!(
            scan.word(at),
            "no" | "sorry" | "wait" | "actually" | "rather" | "make" | "mean" | "meant" | "or"
        )
    })
}

/// Returns whether a number is only the least or most: `5 or more`, `3 at most`.
fn is_bound_above(scan: &Scan<'_>, end: usize) -> bool {
    matches!(
        (scan.word(end), scan.word(end + 1)),
        ("or" | "minimum" | "maximum" | "max" | "min" | "plus" | "+", _) | ("at", "most" | "least")
    )
}
