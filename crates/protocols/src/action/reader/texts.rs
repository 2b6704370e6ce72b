//! Rule 3 for fields of words: `name: Ana`, `my name is Ana`, `policy KF-204/88`. The words end where the next thing begins.

use std::ops::Range;

use holdpoint_core::{Kind, field};
use serde_json::Value;

use super::{CLOSES, CORRECTS, FILLERS, Guard, Mark, Mention, OPENS, Rule, Scan, Sort, What, nod};

/// Takes words whose field is named before them.
pub(super) fn read(scan: &mut Scan<'_>) {
    const SUBJECTS: &str = "i we you they he she it who was were been had";
    const LEADS: &str = "my our his her their the and , its a this . ; ! ? \n :";
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
        let led = name.start == 0 || message.follows(name.start, LEADS);
        let told = message.tokens[name.start].is_past() && message.follows(name.start, SUBJECTS);
        let place = usize::from(message.is(name.end, "in at with by"));
        let is_name = |at: usize| message.is_capital(at) || message.is_code(at);
        let at = match () {
            () if why => message.past(name.end, "of"),
            () if colon => name.end + 1,
            () if led && called > name.end && (is > name.end || message.is_capital(called)) => called,
            // `I called Ana` tells something else than `he is called Max`.
            () if told => continue,
            () if is_name(name.end + place) && !scan.is_value(name.end + place) => name.end + place,
            () => continue,
        };
        let (at, end) = corrected(scan, at, end(scan, at, *field, colon), *field, colon);
        let words = message.words(&(at..end)).trim_end_matches("please").trim_end_matches("thanks");
        let words = words.trim_end_matches([',', ';', ' ', '/', '|']);
        let quoted = message.is(at, OPENS) && message.is(end - 1, CLOSES) && at + 2 < end;
        let bare = quoted.then(|| message.words(&(at + 1..end - 1)));
        let value = field::check(scan.field(*field), &Value::from(bare.unwrap_or(words)));
        // What stands in the words themselves guards nothing, and what says nothing is no value.
        let own = |mark: &Mark| colon && mark.at >= at && mark.guard != Guard::TakenBack;
        let guard = scan.marks.iter().find(|mark| mark.over.contains(&name.start) && !own(mark));
        // Behind `because` and a comma something else than the reason may follow.
        let mixed = why && (!scan.is_empty(*field) || (at..end).any(|at| message.is(at, ", and")));
        let refused = mixed || guard.is_some_and(Mark::blocks) || nod::unknown(message, at..end);
        let (false, Ok(value)) = (refused, value) else { continue };
        // `the company is late` says something about the field, and not its value.
        let plain = colon || called > is || is_name(at) || quoted;
        let doubt = guard.map(|mark| mark.reason(message));
        let doubt = doubt.or((!plain).then(|| "it may only be said about the field".to_owned()));
        // `none` may mean that there is none.
        let denies = nod::says(message, at..end) == Some(false);
        let doubt = doubt.or(denies.then(|| "it may say that there is none".to_owned()));
        let cut = message.is(end, "; ?") || !colon && goes_on(scan, at, end);
        let doubt = doubt.or(cut.then(|| "it may go on behind it".to_owned()));
        scan.place(*field, vec![value], bare.unwrap_or(words), Rule::Named, doubt);
        // What stands in somebody's words is not read for another field.
        scan.values.push(at..end);
        scan.found.retain(|found| found.at.end <= at || end <= found.at.start);
        scan.names.mentions.retain(|mention| mention.at.end <= at || end <= mention.at.start);
        scan.marks.retain(|mark| !(at..end).contains(&mark.at));
    }
}

/// Returns the words that correct some others, if there are such: `HD-XY 123, sorry, HD-XY 132`.
fn corrected(scan: &Scan<'_>, at: usize, last: usize, field: usize, colon: bool) -> (usize, usize) {
    let message = scan.message;
    let next = message.past(last, ", . – - no");
    let word = next > last && message.is(next, CORRECTS);
    let start = message.past(next + 1, ", i mean meant it's is");
    if word && message.is_capital(start) {
        return (start, end(scan, start, field, colon));
    }
    (at, last)
}

/// Returns whether words that end with their capitals may go on: `Ana's team`, `Main Street 5 in Bristol`, `Ana and Bo`.
fn goes_on(scan: &Scan<'_>, at: usize, end: usize) -> bool {
    let message = scan.message;
    let next = end + usize::from(message.is(end, ", and in at"));
    let Some(token) = message.tokens.get(next).filter(|_| message.is_capital(at)) else { return false };
    let other = scan.found.iter().any(|found| found.at.start == next && !found.is_count());
    let known = other
        || scan.is_form(next)
            && (!found_count(scan, next) || scan.names.covered.get(next + 1) == Some(&true))
        || token.is(FILLERS)
        || !token.is_word() && token.sort != Sort::Number
        || scan.acts(next);
    message.low(end - 1).ends_with("'s") || !known && (next == end || message.is_capital(next))
}

fn found_count(scan: &Scan<'_>, at: usize) -> bool {
    scan.found.iter().any(|found| found.at.contains(&at) && found.is_count())
}

/// Returns where the words of a field end: before the next name or value, or with the quotation, name or clause that they are.
fn end(scan: &Scan<'_>, at: usize, field: usize, colon: bool) -> usize {
    let (message, all, kind) = (scan.message, &scan.names.mentions, scan.field(field).kind);
    let dated = |at: usize| {
        let timed = |what: &What| matches!(what, What::Date(_) | What::Time(_) | What::Moment(_));
        scan.found.iter().any(|found| found.at.start == at && timed(&found.what))
    };
    // `Company: Acme, 4 drivers`; `Acme, born 2 May`
    let beside = |name: &Range<usize>| {
        message.is(name.end, ": = is are")
            || scan.is_value(name.end)
            || name.start > 0 && scan.is_value(name.start - 1)
            || message.is_capital(name.end)
            || kind == Kind::Text && name.end == message.clause(name.start).end
            || scan.corrects && message.is(name.end, "to")
    };
    let begins = |from: usize| {
        let apart = message.is(from, ", and");
        let next = from + usize::from(apart);
        let near = |name: &Range<usize>| (next..next + 3).contains(&name.start) && beside(name);
        apart
            && (kind == Kind::Text
                && (dated(next) || all.iter().any(|name| name.field != field && near(&name.at)))
                || all.iter().any(|name| near(&name.at) && message.is(name.at.end, ": =")))
    };
    // A name ends with its last capital: `Ana de Souza from Berlin`, and a number with its last sign: `KF-204/88`.
    let small = |at: usize| message.is(at, "de da van von der of & - ' . the") && message.is_capital(at + 1);
    let runs = |at: usize| message.is_capital(at) && !dated(at) || small(at) || message.is_joined(at);
    // Long words go on, as long as nothing else is named.
    let speaks = all.iter().any(|name| name.at.start > at && name.field != field);
    let long = colon && !speaks && kind == Kind::Multiline;
    let sentence = if long { message.tokens.len() } else { message.sentence(at).end };
    let mut rest = at + 1..sentence;
    let end = match () {
        () if message.is(at, OPENS) => rest.find(|at| message.is(*at, CLOSES)).map(|at| at + 1),
        () if colon => rest.find(|at| begins(*at)),
        () if message.is_capital(at) || message.is_code(at) => rest.find(|at| !runs(*at)),
        () => Some(message.clause(at).end),
    };
    end.unwrap_or(sentence)
}
