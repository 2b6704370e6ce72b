//! Rule 3 for yes-or-no fields: `parking: yes`, `no parking`, `with parking`, `parking is needed`, `the dog is vaccinated`.

use std::ops::Range;

use super::super::form::poles;
use super::guard::denies;
use super::{Claim, Guard, Mention, Rule, Scan, asked};

const WISHES: &str = "need needs want wants add require requires like take book order request please";
const WITH: &str = "with include including includes";
const ARTICLES: &str = "a an any the some my our your his her";
const BE: &str = "is are am be will it's he's she's they're i'm we're there's isn't aren't";
const SAID: &str = "needed required included necessary wanted provided please still anymore any more yet";
const MODAL: &str = "must should could would might may needs need";

/// Claims what yes-or-no fields are said to be. A clause that holds a word that is not understood leaves them open.
pub(super) fn read(scan: &mut Scan<'_>) {
    for Mention { at, field } in scan.mentions.clone() {
        let Some((yes, no)) = poles(scan.field(field)).filter(|_| !scan.is_claimed(field)) else { continue };
        let Some(said) = stated_truth(scan, field, &at) else { continue };
        // The word that denies is the answer, and no guard any more.
        let over = scan.message.clause(at.start);
        scan.marks.retain(|mark| mark.guard != Guard::Negation || !over.contains(&mark.at));
        let fit = Ok(vec![if said { yes } else { no }]);
        scan.claims.push(Claim { field, fit, at, over, rule: Rule::Named, doubt: None });
    }
}

/// Returns whether a field is affirmed or denied in the clause where it is named.
fn stated_truth(scan: &Scan<'_>, field: usize, name: &Range<usize>) -> Option<bool> {
    let (message, about, clause) = (scan.message, &scan.about[field], scan.message.clause(name.start));
    let told = asked::yes_or_no(message, message.past(name.end, ": = is are to be")..clause.end);
    // `parking: yes, but only on Sunday`
    let limits = "but only if unless though except";
    let limited = told.is_some() && message.is(message.past(clause.end, ", ("), limits);
    let own = |at: usize| name.contains(&at) || about.means(&message.tokens[at]) && !message.small[at];
    let be = |at: usize| message.is(at, BE) || scan.reports && message.is(at, "was were been");
    let denials = clause.clone().filter(|at| denies(message, *at) && !about.has(message.low(*at))).count();
    // `he must be insured` says what is wanted, where it is asked what is.
    let wanted = about.states && clause.clone().any(|at| message.is(at, MODAL) || message.says(at, "has to"));
    // `insurance is needed`, `he is insured`, `we have had the training`; `3 days for the insurance` says nothing of it.
    let aux = |at: usize| message.is(at, "have has had been did was were") && about.has(message.low(at));
    let called = clause
        .clone()
        .find(|at| be(*at))
        .is_some_and(|is| is < name.end || (is..clause.end).any(|at| own(at) || message.is(at, SAID)));
    let lead = (clause.start..name.start).rev().find(|at| !message.is(*at, ARTICLES));
    let behind = name.end + usize::from(denies(message, name.end));
    let adjunct = |at: usize| message.is(at, "of on at for from in about");
    let wish = |at: usize| {
        message.is(at, WITH) || message.says(at, "would be") || !about.states && message.is(at, WISHES)
    };
    let says = |at: usize| wish(at) || aux(at) || denies(message, at) || message.is(at, SAID);
    let aside = adjunct(behind) || lead.is_some_and(adjunct);
    let states = !wanted && !aside && (called || clause.clone().any(says));
    // `2 nights, breakfast, from Friday`
    let listed = clause == *name && clause != message.sentence(name.start) && !scan.found.is_empty();
    match (told, denials) {
        _ if limited => None,
        (Some(told), 0) => Some(told),
        (Some(false), 1) => Some(false),
        (None, 0 | 1) if states => Some(denials == 0),
        (None, 0) if listed => Some(true),
        _ => None,
    }
}
