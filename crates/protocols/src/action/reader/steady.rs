//! What is known stays, unless something is plainly said in its place.

use holdpoint_core::{Field, Kind, Values};
use jiff::Span;
use jiff::civil::{Date, Weekday};
use serde_json::{Value, json};

use super::complement::is_time;
use super::lexicon::{is_asking, is_fine, is_formal, is_going, is_small, is_wishing};
use super::relative::day_name;
use super::role::{is_end, span};
use super::vocabulary::{Vocabulary, phrased};
use super::words::{Sort, Token, tokens};
use super::{Manner, Question, Reading, Taken, correct, day, manner, number};

/// What stands around a day for which another was meant.
const AROUND: [&str; 34] = [
    "actually", "sorry", "make", "it", "that", "i", "meant", "mean", "no", "wait", "oops", "please",
    "instead", "on", "let's", "oh", "the", "this", "should", "be", "change", "to", "better", "then", "ok",
    "okay", "say", "set", "was", "is", "it's", "thanks", "hm", "well",
];

/// What is done with a form or after it, and not asked for in it.
const BESIDE: [&str; 18] = [
    "send", "submit", "back", "feel", "see", "tell", "call", "look", "good", "work", "weekend", "hope",
    "think", "guess", "confirm", "ring", "sign", "best",
];

/// What somebody says who puts another word in the place of one.
const CHANGED: [&str; 14] = [
    "moved",
    "said",
    "proper",
    "reflection",
    "changed",
    "mistaken",
    "misspoke",
    "corrected",
    "meant",
    "mixed",
    "rather",
    "apologies",
    "oughtn't",
    "shouldn't",
];

/// Drops what would change something that is known, where nothing says that it shall be changed: `send it tomorrow`.
pub(super) fn keep_known(question: Question<'_>, reading: &mut Reading) {
    let changes = |taken: &Taken| {
        question.asked.is_none_or(|asked| asked.id != taken.field)
            && question.known.get(&taken.field).is_some_and(|known| *known != taken.value)
    };
    if !reading.taken.iter().any(changes)
        || matches!(manner(question.text), Manner::Correct | Manner::Edit)
        || super::after_no(question.text).is_some()
        || !correct::changes(question.fields, question.text).is_empty()
    {
        return;
    }
    let all = tokens(question.text);
    if all.iter().any(|token| token.among(&CHANGED)) {
        return;
    }
    let vocabulary = Vocabulary::new(question.fields, all.len());
    let phrased = phrased(&all, question.fields);
    let known = |at: usize| {
        let token = &all[at];
        let topic = vocabulary.has(token) || phrased.contains(&token.start);
        let plain = is_small(token) || is_wishing(token) || is_asking(token) || is_going(token);
        token.sort != Sort::Word
            || topic
            || plain && !token.among(&BESIDE)
            || is_fine(token)
            || is_formal(token)
            || is_time(token)
            || number::at(&all, at).is_some()
            || token.among(&["st", "nd", "rd", "th", "days", "leave", "early", "soon", "late"])
    };
    reading.taken.retain(|taken| !changes(taken) || is_stated(question.text, &all, &taken.words, &known));
}

/// Returns whether all words around a value are understood, up to where its part of the sentence ends.
fn is_stated(text: &str, all: &[Token], words: &str, known: &impl Fn(usize) -> bool) -> bool {
    let Some(from) = text.find(words) else { return true };
    let to = from + words.len();
    let parts = |token: &Token| token.among(&[",", ";", "—", "because"]);
    let first = all.partition_point(|token| token.end <= from);
    let last = all.partition_point(|token| token.start < to);
    let sentence = all.get(first).map(|token| token.sentence);
    let same = |token: &Token| Some(token.sentence) == sentence;
    let start = all[..first].iter().rposition(|token| parts(token) || !same(token)).map_or(0, |at| at + 1);
    let rest = all.get(last..).unwrap_or_default();
    let end = rest.iter().position(|token| parts(token) || !same(token)).map_or(all.len(), |at| last + at);
    // What was taken is understood.
    (start..first).chain(last..end).all(known)
}

/// Returns the start and the end of what is known, where a text names a day and nothing else, so that it could be either:
/// `sorry, Friday`. A day between them is a later start.
pub fn either_end<'a>(fields: &'a [Field], known: &Values, text: &str) -> Option<(&'a Field, &'a Field)> {
    const LONGEST: usize = 14;
    const MONTH: usize = 31;
    let (start, end) = span(fields)?;
    let held = |field: &Field| field.kind == Kind::Date && known.contains_key(&field.id);
    let all = tokens(text);
    if !held(start) || !held(end) || all.len() > LONGEST {
        return None;
    }
    let rest: Vec<&Token> =
        all.iter().filter(|token| token.sort != Sort::Sign && !token.among(&AROUND)).collect();
    let (weekday, number) = named_day(&rest)?;
    let date = |field: &Field| -> Option<Date> { known.get(&field.id)?.as_str()?.parse().ok() };
    let (first, last) = (date(start)?, date(end)?);
    let named = |day: &Date| {
        weekday.is_none_or(|weekday| day.weekday() == weekday)
            && number.is_none_or(|number| day.day() == number)
    };
    let mut between = first.series(Span::new().days(1)).skip(1).take(MONTH).take_while(|day| *day <= last);
    if between.any(|day| named(&day)) { None } else { Some((start, end)) }
}

/// Reads a weekday, the number of a day, or both, where there is nothing else.
fn named_day(rest: &[&Token]) -> Option<(Option<Weekday>, Option<i8>)> {
    let plain: Vec<&&Token> =
        rest.iter().filter(|token| !token.among(&["st", "nd", "rd", "th", "the", "on", "this"])).collect();
    let numbered = plain.len() < rest.len();
    let number = |token: &Token| i8::try_from(token.number()?).ok().filter(|day| (1..=31).contains(day));
    match plain[..] {
        [one] => match day_name(one) {
            Some(weekday) => Some((Some(weekday), None)),
            None => Some((None, Some(number(one).filter(|_| numbered)?))),
        },
        [weekday, day] => Some((Some(day_name(weekday)?), Some(number(day)?))),
        _ => None,
    }
}

/// Takes a day that is told by its weekday and its number in the month that is known, where it fits there: `Thursday the 17th`.
pub(super) fn settle_month(question: Question<'_>, reading: &mut Reading) {
    let date = |value: Option<&Value>| -> Option<Date> { value?.as_str()?.parse().ok() };
    let ends = span(question.fields);
    let first = ends.and_then(|(start, _)| {
        date(reading.value(&start.id)).or_else(|| date(question.known.get(&start.id)))
    });
    let mut settled = Vec::new();
    reading.unsure.retain(|unsure| {
        let Some(field) =
            question.fields.iter().find(|field| field.id == unsure.field && field.kind == Kind::Date)
        else {
            return true;
        };
        let all = tokens(&unsure.words);
        let said: Vec<&Token> = all.iter().filter(|token| token.sort != Sort::Sign).collect();
        let Some((Some(weekday), Some(number))) = named_day(&said) else { return true };
        if all.iter().any(day::is_month) {
            return true;
        }
        let own = date(question.known.get(&field.id));
        let beside = ends.into_iter().flat_map(|(start, end)| [start, end]);
        let mut near = own.into_iter().chain(beside.filter_map(|field| date(question.known.get(&field.id))));
        let found = near.find_map(|held| {
            let next = held.last_of_month().tomorrow().ok()?;
            [held, next].into_iter().find_map(|month| {
                let day = Date::new(month.year(), month.month(), number).ok()?;
                let behind = !is_end(field) || first.is_none_or(|first| day >= first);
                (day.weekday() == weekday && behind).then_some(day)
            })
        });
        let Some(found) = found else { return true };
        let (field, words) = (unsure.field.clone(), unsure.words.clone());
        settled.push(Taken { field, value: json!(found.to_string()), words });
        false
    });
    reading.taken.extend(settled);
}
