//! Rule 3 for yes-or-no fields: `parking: yes`, `no parking`, `with parking`, `parking is needed`, `the dog is vaccinated`.

use super::super::form::poles;
use super::{FILLERS, Guard, Mark, Mention, Rule, Scan, denies, nod};

const WITH: &str = "with include including includes plus";
const BE: &str =
    "is are am be will was were been being it's he's she's they're i'm we're there's isn't aren't";
const MODAL: &str = "must should could would might may has have needs need to";
const SAID: &str = "needed required included necessary wanted provided please still anymore any more";

/// Takes what yes-or-no fields are said to be. What is not wholly understood in the clause leaves them open.
pub(super) fn read(scan: &mut Scan<'_>) {
    let message = scan.message;
    for Mention { at: name, field } in scan.names.mentions.clone() {
        let Some((yes, no)) = poles(scan.field(field)).filter(|_| !scan.is_read(field)) else { continue };
        let (said, mut clause) = (&scan.names.said[field], message.clause(name.start));
        // `Is he insured? Yes.`
        let next = message.sentence(clause.end + 1);
        let answer = nod::says(message, next.clone()).filter(|_| message.is(clause.end, "?"));
        let told =
            answer.or_else(|| nod::says(message, message.past(name.end, ": = is are to be")..clause.end));
        let own = |at: usize| name.contains(&at) || said.has(message.low(at)) || message.is(at, SAID);
        let no_at: Vec<usize> = clause.clone().filter(|at| denies(message, *at) && !own(*at)).collect();
        // `the lamp was tested` tells nothing of now.
        let reports = scan.reports;
        let is = |at: usize| message.is(at, BE) && (reports || !message.is(at, "was were"));
        let plain = |at: usize| {
            let past = !reports && message.is(at, "was were");
            let small = message.is(at, FILLERS) && !message.is(at, "sure");
            !past
                && (own(at)
                    || message.is(at, "have has had") && message.is(at + 1, "been")
                    || is(at)
                    || denies(message, at)
                    || small
                    || scan.is_form(at)
                    || said.means(&message.tokens[at]))
        };
        // `no parking`, `with full insurance`
        let little = |at: &usize| !message.is(*at, "a an any the some of our my your for full");
        let lead = (clause.start..name.start).rev().find(little);
        let wish = |at: usize| message.is(at, WITH) || message.is(at, said.wishes);
        let local = lead.is_some_and(|lead| wish(lead) || no_at.contains(&lead));
        let small = |at: usize| message.is(at, FILLERS) && !message.is(at, "on of") || own(at);
        let local = local && (name.end..clause.end).all(small);
        let local = local && (clause.start..lead.unwrap_or(0)).all(|at| plain(at) || scan.acts(at));
        // `he is insured`, `insurance is needed`, `we won't serve drinks`; `I swim`, where it is asked `do you swim?`
        let be = clause.clone().find(|at| is(*at));
        let called = be.is_some_and(|be| be < name.start || (be..clause.end).any(own));
        let subject =
            said.has("you") && lead.is_some_and(|lead| message.is(lead, "i we i'll we'll i'm we're"));
        let serves = |at: usize| said.means(&message.tokens[at]) && !message.is(at, FILLERS);
        let states =
            called || subject || message.is(name.end, "please") || (clause.start..name.start).any(serves);
        let modal = said.wishes.is_empty()
            && clause.clone().any(|at| message.is(at, MODAL) && !own(at) && !message.is(at + 1, "been"));
        let states = states && !modal && clause.clone().all(plain) && !message.is(name.end, "of");
        // `braces, first visit, Thursday`
        let alone = clause == name && clause != message.sentence(name.start) && !scan.found.is_empty();
        let value = match (told, &no_at[..]) {
            (Some(told), []) => told,
            (Some(told), _) if answer.is_some() => told,
            (Some(false), [_]) => false,
            (None, [_]) if states || local => false,
            (None, []) if states || local || alone => true,
            _ => continue,
        };
        // `parking: yes, but only on Sunday`
        let limits = "but only if unless though except";
        let limited = told.is_some() && message.is(message.past(clause.end, ", ("), limits);
        let answers = |mark: &Mark| answer.is_some() && mark.guard == Guard::Question;
        let speaks = |mark: &Mark| mark.covers(&name) && mark.guard != Guard::Negation && !answers(mark);
        if limited || scan.marks.iter().any(speaks) {
            continue;
        }
        clause.end = if answer.is_some() { next.end } else { clause.end };
        // The word that denies is the answer, and no guard any more.
        scan.marks.retain(|mark| mark.guard != Guard::Negation || !clause.contains(&mark.at));
        scan.marks.retain(|mark| !answers(mark));
        scan.place(field, vec![if value { yes } else { no }], message.words(&clause), Rule::Named, None);
        scan.values.push(name);
    }
}
