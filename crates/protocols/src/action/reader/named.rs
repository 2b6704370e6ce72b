//! Rule 3: a value with its field's name beside it (`3 drivers`, `no parking`, `name: Ana`), or in the place of a known one.

use std::ops::Range;

use holdpoint_core::{Kind, field};
use serde_json::Value;

use super::super::form::{poles, span};
use super::{End, Found, Guard, Mark, Mention, Rule, Scan, Sort, VAGUE, What, asked, denies};

pub(super) fn read(scan: &mut Scan<'_>) {
    truths(scan);
    texts(scan);
    values(scan);
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
        let (first, end) = (found.at.start.min(at.start), found.at.end.max(at.end));
        let clause = scan.message.clause(first).start..scan.message.clause(end - 1).end.max(end);
        let doubt = scan.strange(field, &found.at, clause);
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
    let between = |at: &usize| !message.is(*at, ", and") && !scan.is_value(*at);
    let reach = (sentence.start..start).rev().take(7).take_while(between).count();
    let left = (start - reach..=start).rev().find_map(|at| Some((at, named(&|name| name.end == at)?)));
    let reach = (end..sentence.end).take(2).take_while(between).count();
    let within = named(&|name| found.at.contains(&name.start));
    let right = within.or_else(|| (end..=end + reach).find_map(|at| named(&|name| name.start == at)));
    let linked = |at: usize| !counted || (at..start).any(|at| message.is(at, ": = is are be as"));
    match (left, right) {
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

/// Takes what yes-or-no fields are said to be: `parking: yes`, `no parking`, `we need parking`, `parking is not needed`.
fn truths(scan: &mut Scan<'_>) {
    const WITH: &str = "with include including includes plus";
    const SHORT: &str = "it he she they it's there's he's she's they're";
    let message = scan.message;
    for Mention { at: name, field } in scan.names.mentions.clone() {
        let Some((yes, no)) = poles(scan.field(field)) else { continue };
        let (said, clause) = (&scan.names.said[field], message.clause(name.start));
        let small = |at: &usize| !message.is(*at, "a an any the some of our my your to for full");
        let before = (clause.start..name.start).rev().find(small);
        // `it is urgent`, `the dog is vaccinated`, `it leaks`
        let own = |at| at > 0 && said.has(message.low(at - 1)) || message.low(name.start).ends_with("ed");
        let of_it = |at: usize| message.follows(at, "it there will he she they") || own(at);
        let is = |at: usize| message.is(at, SHORT) || message.is(at, "is are am be") && of_it(at);
        let wishes = |at: usize| message.is(at, WITH) || message.is(at, said.wishes);
        let lead = before.filter(|at| wishes(*at) || said.means(&message.tokens[*at]) || is(*at));
        let around = lead.and_then(|at| at.checked_sub(1)).filter(|at| *at >= clause.start);
        let denied = before.into_iter().chain(around).any(|at| denies(message, at));
        let after = message.past(name.end, "is are : = will be to of");
        let told = asked::says(message, after..clause.end);
        let not = usize::from(told.is_none() && denies(message, after));
        let wanted = message.past(after + not, "be");
        let own = message.tokens.get(wanted).is_some_and(|word| after > name.end && said.has(&word.low));
        let needed = own || message.is(wanted, "needed required included necessary wanted provided please");
        // `not without parking`; `parking: yes, but only on Sunday`
        let twice = clause.clone().filter(|at| denies(message, *at)).nth(1).is_some();
        let limited = message.is(message.past(clause.end, ", ("), "but only if unless though except");
        let (value, end) = match told {
            _ if twice || told.is_some() && limited => continue,
            _ if needed => (not == 0 && !denied, wanted + 1),
            Some(told) if !denied => (told, clause.end),
            None if (denied || lead.is_some()) && after == name.end => (!denied, name.end),
            _ => continue,
        };
        let start = before.filter(|_| denied || lead.is_some()).unwrap_or(name.start);
        // The word that denies is the answer, and no guard any more; another one in the clause may turn it round.
        let around = start - usize::from(start > clause.start && denies(message, start - 1))..end;
        scan.marks.retain(|mark| mark.guard != Guard::Negation || !around.contains(&mark.at));
        let mut rest = clause.clone().filter(|at| !around.contains(at));
        if scan.guard(&clause).is_none() && rest.all(|at| scan.strange(field, &name, at..at + 1).is_none()) {
            let value = vec![if value { yes } else { no }];
            scan.place(field, value, message.words(&(start..end)), Rule::Named, None);
            scan.values.push(around);
            scan.found.retain(|found| !matches!(found.what, What::Options(of, _) if of == field));
        }
    }
}

/// Takes words whose field is named before them: `name: Ana`, `my name is Ana`.
fn texts(scan: &mut Scan<'_>) {
    let message = scan.message;
    let is_words = |name: &&Mention| matches!(scan.field(name.field).kind, Kind::Text | Kind::Multiline);
    let named: Vec<Mention> = scan.names.mentions.iter().filter(is_words).cloned().collect();
    for Mention { at: name, field } in &named {
        // A name of two fields names neither, and one in somebody's words is none.
        let named = scan.names.mentions.iter().filter(|mention| mention.at == *name).count();
        if named != 1 || scan.is_read(*field) {
            continue;
        }
        let why = message.is(name.start, "because");
        let colon = why || message.is(name.end, ": =") || scan.corrects && message.is(name.end, "to");
        let is = message.past(name.end, "is are will be");
        let called = is + usize::from(message.is(is, "called named"));
        let led = name.start == 0 || message.follows(name.start, "my our the and , its a this . ; ! ? \n");
        let at = match () {
            () if why => message.past(name.end, "of"),
            () if colon => name.end + 1,
            () if led && called > name.end => called,
            // `made in Portugal`
            () if message.is_capital(name.end) && !scan.is_value(name.end) => name.end,
            () => continue,
        };
        let end = end(scan, at, *field, colon);
        let words = message.words(&(at..end)).trim_end_matches("please").trim_end_matches("thanks");
        let words = words.trim_end_matches([',', ';', ' ', '/', '|']);
        let bare = words.strip_prefix(['"', '“']).and_then(|words| words.strip_suffix(['"', '”']));
        let value = field::check(scan.field(*field), &Value::from(bare.unwrap_or(words)));
        // What stands in the words themselves guards nothing, and what says nothing is no value.
        let own = |mark: &Mark| colon && mark.at >= at && mark.guard != Guard::TakenBack;
        let guard = scan.marks.iter().find(|mark| mark.over.contains(&name.start) && !own(mark));
        // Behind `because` and a comma something else than the reason may follow.
        let mixed = why && (!scan.is_empty(*field) || (at..end).any(|at| message.is(at, ", and")));
        let refused = mixed || guard.is_some_and(Mark::blocks) || (at..end).all(|at| message.is(at, VAGUE));
        let (false, Ok(value)) = (refused, value) else { continue };
        // `the company is late` says something about the field, and not its value.
        let plain = colon || called > is || message.is_capital(at) || message.is(at, "\" “");
        let cut = message.is(end, "; ?") || !colon && message.is_capital(at) && is_cut(scan, *field, end);
        let cut = cut && !scan.names.mentions.iter().any(|name| name.at.start == end + 1);
        let doubt = guard.map(|mark| mark.reason(message));
        let doubt = doubt.or((!plain).then(|| "it may only be said about the field".to_owned()));
        let doubt = doubt.or(cut.then(|| "it may go on behind it".to_owned()));
        scan.place(*field, vec![value], bare.unwrap_or(words), Rule::Named, doubt);
        // What stands in somebody's words is not read for another field.
        scan.values.push(at..end);
        scan.found.retain(|found| found.at.end <= at || end <= found.at.start);
        scan.names.mentions.retain(|mention| mention.at.end <= at || end <= mention.at.start);
        scan.marks.retain(|mark| !(at..end).contains(&mark.at));
    }
}

/// Returns where the words of a field end: before the next name, or with the quotation, name or clause that they are.
fn end(scan: &Scan<'_>, at: usize, field: usize, colon: bool) -> usize {
    let (message, all, kind) = (scan.message, &scan.names.mentions, scan.field(field).kind);
    // `Company: Acme, 4 drivers`
    let beside = |name: &Range<usize>| scan.is_value(name.end) || scan.is_value(name.start - 1);
    let begins = |at: usize, name: &Range<usize>| match name.start.checked_sub(at) {
        Some(0) => message.is(name.end, ": ="),
        Some(1..4) if message.is(at, ", and") => {
            message.is(name.end, ": = is are") || kind == Kind::Text && beside(name)
        }
        _ => false,
    };
    // A name ends with its last capital: `Ana de Souza from Berlin`.
    let small = |at: usize| message.is(at, "de da van von der of & - ' . the") && message.is_capital(at + 1);
    // Long words go on, as long as nothing else is named.
    let speaks = all.iter().any(|name| name.at.start > at && name.field != field);
    let long = colon && !speaks && kind == Kind::Multiline;
    let sentence = if long { message.tokens.len() } else { message.sentence(at).end };
    let mut rest = at + 1..sentence;
    let end = match () {
        () if message.is(at, "\" “") => rest.find(|at| message.is(*at, "\" ”")).map(|at| at + 1),
        () if colon => rest.find(|at| all.iter().any(|name| begins(*at, &name.at))),
        () if message.is_capital(at) => rest.find(|at| !message.is_capital(*at) && !small(*at)),
        () => Some(message.clause(at).end),
    };
    end.unwrap_or(sentence)
}

/// Returns whether a name may go on where its capitals end: `Ana's team`, `Main Street 5 in Bristol`, `Ana and Bo`.
fn is_cut(scan: &Scan<'_>, field: usize, end: usize) -> bool {
    let (message, next) = (scan.message, end + usize::from(scan.message.is(end, ", and in at on")));
    let Some(token) = message.tokens.get(next) else { return false };
    let form = |at: usize| scan.names.covered.get(at) == Some(&true);
    let goes_on = match token.sort {
        Sort::Number => !form(next + 1),
        _ => scan.is_aside(next) || scan.strange(field, &(0..end), next..next + 1).is_some(),
    };
    goes_on && (next == end || message.is_capital(next)) || message.low(end - 1).ends_with("'s")
}
