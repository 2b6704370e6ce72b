//! Rules 1 and 2: an answer to the field that was asked: what a control would send, then everyday words.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::form::{poles, sent};
use super::{CHANGES, Found, Mark, Mention, Message, OPENING, Reading, Rule, Scan, Sort, Taken, Token};

pub(in crate::action) const YES: &str = "yes true yep yeah yup sure ok okay y ye yea k absolutely certainly correct confirm confirmed right exactly indeed definitely نعم 👍 👌 ✅ ✔ ☑ 🆗";
pub(in crate::action) const NO: &str = "no false nope nah n neither none 👎 ❌ ✖ 🚫";

/// Reads an exact answer; none, if it must be read as words.
pub(super) fn exact(asked: &Field, text: &str) -> Option<Reading> {
    sent(asked, text.trim()).map(|value| taken(asked, value, text.trim(), Rule::Exact))
}

fn taken(asked: &Field, value: Value, words: &str, rule: Rule) -> Reading {
    let taken = Taken { field: asked.id.clone(), value, words: words.to_owned(), rule, note: None };
    Reading { taken: vec![taken], ..Reading::default() }
}

/// Takes the words of a message for a field of words, unless they plainly change another field or name their own.
pub(super) fn words(mut scan: Scan<'_>, asked: &Field) -> Reading {
    const LEADS: &str = "please oh can could you i we want to would like , well";
    const OPENERS: &str = "actually make no sorry correction wait instead not oops add remove";
    let (message, text, known) = (scan.message, scan.question.text, scan.question.known);
    let opener = message.past(0, LEADS);
    let changes = message.is(opener, CHANGES) || message.is(opener, OPENERS);
    let led = |mention: &Mention| mention.at.start <= 1 && message.is(mention.at.end, ": = is");
    if !changes && !scan.names.mentions.iter().any(led) {
        return whole(asked, text);
    }
    scan.question.asked = None;
    super::named::read(&mut scan);
    super::only::read(&mut scan);
    let mut other = scan.reading;
    other.taken.retain(|taken| taken.rule == Rule::Named || known.contains_key(&taken.field));
    other.unsure.retain(|unsure| unsure.field != asked.id && known.contains_key(&unsure.field));
    let named = changes && other.named.iter().any(|id| *id != asked.id);
    if other.is_empty() && !named { whole(asked, text) } else { other }
}

pub(super) fn whole(asked: &Field, text: &str) -> Reading {
    let check = |text: &str| field::check(asked, &Value::from(text));
    let (field, words) = (asked.id.clone(), text.trim().to_owned());
    match check(text).or_else(|_| check(&words)) {
        Ok(value) => taken(asked, value, &words, Rule::Answer),
        Err(why) => Reading { unfit: vec![super::Unfit { field, why, words }], ..Reading::default() },
    }
}

/// Takes the one value in a message that the asked field can take.
pub(super) fn read(scan: &mut Scan<'_>, asked: &Field) {
    let at = scan.question.fields.iter().position(|field| field.id == asked.id);
    let Some(at) = at.filter(|at| !scan.is_read(*at)) else { return };
    let (message, words) = (scan.message, scan.message.text.trim());
    if let Some(((yes, no), said)) = poles(asked).zip(says(message, 0..message.tokens.len())) {
        scan.place(at, vec![if said { yes } else { no }], words, Rule::Answer, None);
        scan.found.retain(|found| !matches!(found.what, super::What::Options(field, _) if field == at));
        return;
    }
    // `actually Tuesday` may speak of something known, and what is refused may be the value: `the 3rd won't work`.
    let elsewhere = message.is(0, OPENING) && !scan.question.known.is_empty();
    // `3, not 2` refuses only the 2.
    let other = |mark: &Mark| scan.found.iter().any(|found| mark.over.contains(&found.at.start));
    let refuses = |mark: &Mark| mark.blocks() && !other(mark);
    if elsewhere || scan.marks.iter().any(refuses) || message.tokens.iter().any(|token| token.is("but")) {
        scan.found.clear();
        return;
    }
    let free = |found: &&Found| !scan.guard(&found.at).is_some_and(Mark::blocks);
    let fits = |found: &Found| Some((found.clone(), scan.fit(at, found, Rule::Answer)?));
    let best = scan.found.iter().filter(free).filter_map(fits).min_by_key(|(_, fit)| fit.is_err());
    match best {
        None if asked.kind.picks() && asked.custom => own_words(scan, asked, at, words),
        None => {}
        Some((found, fit)) => {
            // One written value and nothing else is what a date, time or number control sends.
            let written = |token: &Token| matches!(token.sort, Sort::Iso | Sort::Clock | Sort::Number);
            let rule = if message.tokens.iter().all(written) { Rule::Exact } else { Rule::Answer };
            // `5 people` counts what is asked.
            let counted = usize::from(found.is_count() && message.is(found.at.end, "people"));
            let behind = found.at.end + counted..message.tokens.len();
            let strange = |range| scan.strange(at, &found.at, range);
            let doubt = strange(0..found.at.start).or_else(|| strange(behind));
            scan.settle(at, fit, &found, rule, doubt);
        }
    }
}

/// Returns whether some words are a yes or a no, and nothing else but politeness.
pub(super) fn says(message: &Message<'_>, at: Range<usize>) -> Option<bool> {
    const ECHO: &str = "there it he she they i we you that is are do does has have will would can may isn't aren't don't doesn't hasn't haven't won't can't not nothing need want";
    const POLITE: &str = "please thanks thank you very much , . ! ; \n";
    let said = message.tokens.get(at).unwrap_or_default().iter().filter(|token| !token.is(POLITE));
    let said: Vec<&str> = said.map(|token| token.low.as_str()).collect();
    let all = |said: &[&str], list: &str| said.iter().all(|word| super::is_among(word, list));
    let denies = |word: &&str| word.ends_with("n't") || super::is_among(word, "not nothing");
    match said[..] {
        [] => None,
        ["absolutely" | "certainly" | "definitely", "not"] | ["of", "course", "not"] => Some(false),
        _ if all(&said, YES) => Some(true),
        _ if all(&said, NO) || said == ["don't"] => Some(false),
        // `yes he is`, `no there isn't`
        [first, ref rest @ ..] if all(rest, ECHO) => {
            let no = rest.iter().any(denies);
            (first == if no { "no" } else { "yes" }).then_some(!no)
        }
        _ => None,
    }
}

fn own_words(scan: &mut Scan<'_>, asked: &Field, at: usize, words: &str) {
    let nothing = scan.marks.is_empty() && scan.reading.named.is_empty() && scan.found.is_empty();
    let own = json!({ "text": words });
    let own = if asked.kind == Kind::Choices { json!([own]) } else { own };
    let Some(value) = field::check(asked, &own).ok().filter(|_| nothing && !scan.corrects) else { return };
    scan.place(at, vec![value], words, Rule::Answer, None);
}
