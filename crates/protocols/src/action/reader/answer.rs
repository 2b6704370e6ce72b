//! Rule 2: an answer to the field that was asked, in everyday words.

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::form::{poles, span};
use super::fit::Tie;
use super::found::{Found, What};
use super::guard::{self, Mark};
use super::name::Mention;
use super::scan::{CHANGES, Scan};
use super::token::Message;
use super::{Guard, Reading, Rule, Taken, Unfit, exact, named, only};

const YES: &str = "yes yep yeah yup sure ok okay y yea absolutely certainly correct confirm confirmed right exactly indeed definitely \
                              نعم 👍 👌 ✅ ✔ ☑ 🆗";
const NO: &str = "no nope nah n neither none 👎 ❌ ✖ 🚫";

/// Takes the words of a message for a field of words, unless they plainly change another field or name their own.
pub(super) fn words(mut scan: Scan<'_>, asked: &Field) -> Reading {
    const LEADS: &str = "please oh can could you i we want to would like , well";
    const OPENERS: &str = "actually make no sorry correction wait instead not oops add remove";
    let (message, text, known) = (scan.message, scan.question.text, scan.question.known);
    let opener = (0..message.tokens.len()).find(|at| !message.is(*at, LEADS)).unwrap_or(0);
    let changes = message.is(opener, CHANGES) || message.is(opener, OPENERS);
    let led = |mention: &Mention| mention.at.start <= 1 && message.is(mention.at.end, ": = is");
    if !changes && !scan.mentions.iter().any(led) {
        return whole(asked, text);
    }
    scan.question.asked = None;
    named::read(&mut scan);
    only::read(&mut scan);
    let mut other = scan.reading;
    other.taken.retain(|taken| taken.rule == Rule::Named || known.contains_key(&taken.field));
    other.unsure.retain(|unsure| unsure.field != asked.id && known.contains_key(&unsure.field));
    let named = changes && other.named.iter().any(|id| *id != asked.id);
    if other.is_empty() && !named { whole(asked, text) } else { other }
}

/// Takes a text as it is.
pub(super) fn whole(asked: &Field, text: &str) -> Reading {
    let (field, words) = (asked.id.clone(), text.trim().to_owned());
    let check = |text: &str| field::check(asked, &Value::from(text));
    let mut reading = Reading::default();
    match check(text).or_else(|_| check(text.trim())) {
        Ok(value) => reading.taken.push(Taken { field, value, words, rule: Rule::Answer, note: None }),
        Err(why) => reading.unfit.push(Unfit { field, why, words }),
    }
    reading
}

/// Takes the one value in a message that the asked field can take.
pub(super) fn read(scan: &mut Scan<'_>, asked: &Field) {
    let Some(at) = scan.question.fields.iter().position(|field| field.id == asked.id) else { return };
    if scan.is_read(at) {
        return;
    }
    let words = scan.message.text.trim();
    if let Some(value) = poles(asked).and_then(|poles| truth(scan, poles)) {
        scan.place(at, vec![value], words, Rule::Answer, None);
        scan.found.retain(|found| !matches!(found.what, What::Options(field, _) if field == at));
        return;
    }
    // `actually Tuesday` may speak of what was said before; then nobody knows which is meant.
    let others: Vec<usize> =
        (0..scan.question.fields.len()).filter(|other| *other != at && !scan.is_empty(*other)).collect();
    let elsewhere = |found: &Found| others.iter().any(|other| scan.fit(*other, found, Tie::Close).is_some());
    let astray = scan.corrects && scan.found.iter().any(elsewhere);
    let blocked = |found: &Found| scan.guard(&found.at).is_some_and(Mark::blocks);
    let fits = |found: &Found| scan.fit(at, found, Tie::Close).is_some() && !blocked(found);
    let fitting: Vec<usize> = (0..scan.found.len()).filter(|index| fits(&scan.found[*index])).collect();
    let spans = span(scan.question.fields, |field| field.kind == asked.kind).is_some();
    match fitting[..] {
        _ if astray => scan.found.clear(),
        // `until Friday` may answer for the other end; that is left to the rule for both.
        [index] if !(spans && scan.found[index].end.is_some()) => {
            let found = scan.found.remove(index);
            let rule = if exact::is_written(scan.message, &found) { Rule::Exact } else { Rule::Answer };
            if let Some(fit) = scan.fit(at, &found, Tie::Close) {
                scan.settle(at, fit, &found, rule);
            }
        }
        [] if asked.kind.picks() => own_words(scan, asked, at, words),
        [first, .., last] if fitting.iter().all(|index| scan.found[*index].end.is_none()) => {
            let values =
                fitting.iter().flat_map(|index| scan.values(at, &scan.found[*index], Tie::Close)).collect();
            let words = scan.message.words(&(scan.found[first].at.start..scan.found[last].at.end));
            scan.place(at, values, words, Rule::Answer, None);
        }
        _ => {}
    }
}

/// Reads a yes or a no that leads the answer.
fn truth(scan: &Scan<'_>, (yes, no): (Value, Value)) -> Option<Value> {
    let message = scan.message;
    let asks = |mark: &Mark| matches!(mark.guard, Guard::Hedge | Guard::Question | Guard::Condition);
    let short = message.tokens.len() <= 5;
    let denied = (0..3).any(|at| guard::denies(message, at)) && short;
    let affirms =
        message.is(0, "i we there it") && message.is(1, "do have am are will would need want is") && short;
    // `no, the start is 2 December` changes something else.
    let other = scan.found.iter().any(|found| !matches!(found.what, What::Options(..)));
    match says(message, 0) {
        _ if scan.marks.iter().any(asks) => None,
        Some(true) => Some(yes),
        Some(false) => (!other).then_some(no),
        None if denied => Some(no),
        None => affirms.then_some(yes),
    }
}

/// Returns whether the word at a place is a yes or a no.
pub(super) fn says(message: &Message<'_>, at: usize) -> Option<bool> {
    if message.is(at, YES) { Some(true) } else { message.is(at, NO).then_some(false) }
}

/// Reads `the second one`, or own words where the field takes them.
fn own_words(scan: &mut Scan<'_>, asked: &Field, at: usize, words: &str) {
    const AROUND: &str = "the one option number please i'd i like want take . , let's go with of them it";
    let message = scan.message;
    let said: Vec<usize> = (0..message.tokens.len()).filter(|at| !message.is(*at, AROUND)).collect();
    let place =
        |low: &str| ["first", "second", "third"].iter().position(|word| *word == low).map(|at| at + 1);
    let value = match said[..] {
        [at] => exact::picked(
            asked,
            &place(message.low(at)).map_or(message.low(at).to_owned(), |at| at.to_string()),
        ),
        _ => None,
    };
    let nothing =
        scan.marks.is_empty() && scan.mentions.is_empty() && scan.found.is_empty() && !scan.corrects;
    let own = json!({ "text": words });
    let own = if asked.kind == Kind::Choices { json!([own]) } else { own };
    let own = field::check(asked, &own).ok().filter(|_| asked.custom && nothing);
    if let Some(value) = value.or(own) {
        scan.place(at, vec![value], words, Rule::Answer, None);
    }
}
