//! Rule 3: a value with its field's name beside it, or one that is put in the place of a known one.

use std::ops::Range;

use super::super::form::poles;
use super::fit::Tie;
use super::found::{Found, What};
use super::guard::denies;
use super::name::Mention;
use super::scan::Scan;
use super::{Guard, Rule, answer, date, text};

/// Words that may stand between a name and its value.
const LINKS: &str = "is are was were be will would should must to the a an of on at by from for set as in = : - – it it's its about \
                     needs need being equals it'll please now held planned scheduled due i'd we'd like my our with ( around \
                     approximately roughly maybe $ € £ usd eur gbp us";
/// Those that say that the value is the field's.
const STRONG: &str = ": = is are be as";

/// Words behind a number that do not describe what is counted.
const APART: &str =
    "and or in on at by from to per with each please but if because the have need want of for as a";

/// Takes everything that is named.
pub(super) fn read(scan: &mut Scan<'_>) {
    replaced(scan);
    truths(scan);
    text::read(scan);
    values(scan);
}

/// Takes values whose field is named beside them, from left to right; a name serves one value.
fn values(scan: &mut Scan<'_>) {
    let mut all = std::mem::take(&mut scan.found);
    all.sort_by_key(|found| found.at.start);
    let mut used: Vec<Range<usize>> = Vec::new();
    for mut found in all {
        let named = beside(scan, &found, &used);
        if let Some(Mention { at, field }) = &named {
            // `we ordered 5 units in May` tells of other units than those that are asked for.
            let told = date::is_told(scan.message, at.start) && !scan.message.is(at.end, ": = is are");
            let other = told && !scan.facts[*field].been && !scan.facts.iter().any(|facts| facts.reports);
            found.doubt = found.doubt.or_else(|| other.then(|| "it tells of what has been".to_owned()));
        }
        match named.and_then(|Mention { at, field }| Some((at, field, scan.fit(field, &found, Tie::Close)?)))
        {
            Some((at, field, fit)) => {
                used.push(at);
                scan.settle(field, fit, &found, Rule::Named);
            }
            None => scan.found.push(found),
        }
    }
}

/// Returns the one field whose name stands beside a value that it can take, and where.
fn beside(scan: &Scan<'_>, found: &Found, used: &[Range<usize>]) -> Option<Mention> {
    let message = scan.message;
    let sentence = message.sentence(found.at.start);
    let counted = matches!(found.what, What::Number(..));
    let named = |here: &dyn Fn(&Range<usize>) -> bool| {
        let free = |mention: &&Mention| here(&mention.at) && !used.contains(&mention.at);
        let fits = |mention: &&Mention| scan.fit(mention.field, found, Tie::Close).is_some();
        let mut all = scan.mentions.iter().filter(free).filter(fits);
        let first = all.next()?;
        all.all(|other| other.field == first.field).then(|| first.clone())
    };
    // To the left, over linking words.
    let (mut start, mut strong) = (found.at.start, false);
    let left = loop {
        let here = named(&|at| at.end == start);
        if here.is_some()
            || start <= sentence.start
            || found.at.start - start > 6
            || !message.is(start - 1, LINKS)
        {
            break here;
        }
        start -= 1;
        strong |= message.is(start, STRONG);
    };
    // To the right: at once, over `of`, `for`, `as`, or over one word that describes what is counted.
    let mut end = found.at.end;
    let right = loop {
        let here = named(&|at| at.start == end);
        let describes = counted
            && end == found.at.end
            && message
                .tokens
                .get(end)
                .is_some_and(|token| token.is_word() && !token.is(APART) && !token.low.ends_with('s'));
        if here.is_some()
            || end >= sentence.end
            || end - found.at.end > 2
            || !(describes || message.is(end, "of for as the my our a"))
        {
            break here;
        }
        end += 1;
    };
    match (left, right) {
        (Some(one), Some(other)) if one.field == other.field => Some(one),
        (Some(one), Some(_)) if strong || !counted => Some(one),
        // `licences 3 seats 5`: whose the 3 is, nobody can tell.
        (Some(_), Some(_)) if start == found.at.start => None,
        (one, other) => other.or(one),
    }
}

/// Takes what yes-or-no fields are said to be: `parking: yes`, `no parking`, `we need parking`, `parking is not needed`.
fn truths(scan: &mut Scan<'_>) {
    const WANTED: &str =
        "with need needs want include including includes add plus require requires like have has";
    let message = scan.message;
    for mention in scan.mentions.clone() {
        let Some((yes, no)) = poles(scan.field(mention.field)) else { continue };
        let clause = message.clause(mention.at.start);
        let before = (clause.start..mention.at.start)
            .rev()
            .find(|at| !message.is(*at, "a an any the some of our my your to for"));
        let is =
            |at: usize| message.is(at, "is are") && message.follows(at, "it there") || message.is(at, "it's");
        let wanted = before.filter(|at| message.is(*at, WANTED) || is(*at));
        let denied = before
            .into_iter()
            .chain(wanted.into_iter().flat_map(|at| at.saturating_sub(3).max(clause.start)..at))
            .any(|at| denies(message, at));
        let linked = (mention.at.end..=message.tokens.len())
            .find(|at| !message.is(*at, "is are : = will be"))
            .unwrap_or(mention.at.end);
        let not = denies(message, linked) && !message.is(linked, "no");
        let needed =
            message.is(linked + usize::from(not), "needed required included necessary wanted please");
        let said = answer::says(message, linked).filter(|said| *said || linked > mention.at.end);
        let (value, end) = match if needed { Some(!not) } else { said } {
            Some(value) if !denied || needed => (value && !denied, linked + 1 + usize::from(needed && not)),
            None if denied || wanted.is_some() => (!denied, mention.at.end),
            _ => continue,
        };
        let start = before.filter(|_| denied || wanted.is_some()).unwrap_or(mention.at.start);
        // The word that denies is the answer, and no guard any more.
        let around = start.saturating_sub(3)..end;
        scan.marks.retain(|mark| !(mark.guard == Guard::Negation && around.contains(&mark.at)));
        if scan.guard(&mention.at).is_none() {
            let words = message.words(&(start..end.min(message.tokens.len())));
            scan.place(mention.field, vec![if value { yes } else { no }], words, Rule::Named, None);
            scan.found
                .retain(|found| !matches!(found.what, What::Options(field, _) if field == mention.field));
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
        let fits = |found: &&Found| scan.values(at, found, Tie::Close).len() == 1;
        let pair: Vec<Found> = scan.found.iter().filter(fits).cloned().collect();
        let [one, other] = &pair[..] else { continue };
        let is_held = |found: &Found| scan.values(at, found, Tie::Close).first() == Some(held);
        let new = match (is_held(one), is_held(other)) {
            (true, false) => other,
            (false, true) => one,
            _ => continue,
        };
        let values = scan.values(at, new, Tie::Close);
        let corrected = std::mem::replace(&mut scan.corrects, true);
        scan.place(at, values, scan.message.words(&new.at), Rule::Named, None);
        scan.corrects = corrected;
        scan.found.retain(|found| !pair.contains(found));
        return;
    }
}
