//! Rules 1 and 2: an answer to the field that was asked: what a control would send, then everyday words; a yes, a no, or that nobody
//! knows.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::form::{poles, sent};
use super::super::token::QUOTES;
use super::guard::{denies, doubts};
use super::lists::{CHANGES, NO, OPENING, VAGUE, YES};
use super::scan::settle;
use super::{
    FitResult, FoundValue, Message, Question, Reading, RejectedValue, Rule, Scan, Sort, StatedValue,
    is_among, owner,
};

/// Reads an exact answer, or a yes or a no; none, if it must be read as words.
pub(super) fn exact(asked: &Field, question: &Question<'_>) -> Option<Reading> {
    let text = question.text.trim();
    let bare = text.trim_matches(|c: char| is_among(c.encode_utf8(&mut [0; 4]), QUOTES));
    if let Some(value) = sent(asked, text).or_else(|| sent(asked, bare).filter(|_| asked.kind.picks())) {
        return Some(taken(asked, value, text, Rule::Exact));
    }
    let message = Message::new(text);
    let said = yes_or_no(&message, message.all()).or_else(|| leads(&message));
    if let Some(((yes, no), said)) = poles(asked).zip(said) {
        return Some(taken(asked, if said { yes } else { no }, text, Rule::Answer));
    }
    let none = asked.kind == Kind::Integer && asked.min == Some(json!(0)) && message.is(0, "none");
    (none && said == Some(false)).then(|| taken(asked, json!(0), text, Rule::Answer))
}

fn taken(asked: &Field, value: Value, words: &str, rule: Rule) -> Reading {
    let taken = StatedValue { field: asked.id.clone(), value, words: words.to_owned(), rule, note: None };
    Reading { taken: vec![taken], ..Reading::default() }
}

/// Takes the words of a message for a field of words as they are, unless they name another field or change something.
pub(super) fn everyday_words(mut scan: Scan<'_>, asked: &Field) -> Reading {
    const LEADS: &str = "please oh can could you i we want to would like , well";
    const OPENERS: &str = "actually make no sorry correction wait instead not oops add remove";
    let (message, text, known) = (scan.message, scan.question.text, scan.question.known);
    // `Acme. No, Bolt.`
    let back = |at: usize| message.is(at, "no sorry wait actually") && message.follows(at, ". ; \n");
    if unknown(message, message.all()) || asked.kind == Kind::Text && message.all().any(back) {
        return Reading::default();
    }
    let opener = message.past(0, LEADS);
    let changes = message.is(opener, CHANGES) || message.is(opener, OPENERS);
    let led = scan.mentions.iter().any(|name| name.at.start <= 1 && message.is(name.at.end, ": = is"));
    scan.question.asked = None;
    super::read_named(&mut scan);
    // `Max, and his weight is 10 kg`; in long words that may be a part of them.
    let named = asked.kind == Kind::Text && scan.claims.iter().any(|claim| scan.doubt(claim).is_none());
    if !(named || led || changes) {
        // `It's Max`
        let start = message.past(0, "it it's is that's");
        let led = asked.kind == Kind::Text && message.is_capital(start) && start < message.tokens.len();
        return whole(asked, if led { &text[message.tokens[start].at.start..] } else { text });
    }
    if changes {
        owner::by_kind(&mut scan);
    }
    let mut reading = settle(scan);
    reading.taken.retain(|taken| taken.rule == Rule::Named || known.contains_key(&taken.field));
    reading.unsure.retain(|unsure| unsure.field == asked.id || known.contains_key(&unsure.field));
    let other = changes && reading.named.iter().any(|id| *id != asked.id);
    if reading.is_empty() && !other { whole(asked, text) } else { reading }
}

fn whole(asked: &Field, text: &str) -> Reading {
    let check = |text: &str| field::check(asked, &Value::from(text));
    let (field, words) = (asked.id.clone(), text.trim().to_owned());
    match check(text).or_else(|_| check(&words)) {
        Ok(value) => taken(asked, value, &words, Rule::Answer),
        Err(why) => Reading { unfit: vec![RejectedValue { field, why, words }], ..Reading::default() },
    }
}

/// Claims the values in a message that the asked field can take. Returns own words instead of an option, where nothing else is said.
pub(super) fn read(scan: &mut Scan<'_>, asked: &Field) -> Option<Reading> {
    let at = scan.question.fields.iter().position(|field| field.id == asked.id);
    let at = at.filter(|at| !scan.is_claimed(*at))?;
    let (message, text) = (scan.message, scan.message.text.trim());
    // `actually Tuesday` may speak of something known.
    if message.is(0, OPENING) && !scan.question.known.is_empty() {
        scan.found.clear();
        return None;
    }
    // One written value and nothing else is what a date, time or number control sends.
    let written = |sort: Sort| matches!(sort, Sort::Iso | Sort::Clock | Sort::Number);
    let exact = message.tokens.iter().all(|token| written(token.sort));
    let free = scan.found.iter().filter(|found| scan.is_free(found));
    let mut fits: Vec<(FoundValue, FitResult)> =
        free.filter_map(|found| Some((found.clone(), scan.fit(at, found, Rule::Answer)?))).collect();
    // Of `from A to B` one end is meant.
    let own = |(found, fit): &(FoundValue, FitResult)| {
        fit.is_ok() && !found.end.is_some_and(|end| scan.is_other_end(at, end))
    };
    if fits.iter().any(own) {
        fits.retain(own);
    }
    for (found, fit) in fits {
        scan.claim(if exact { Rule::Exact } else { Rule::Answer }, at, fit, &found, None);
    }
    let silent = scan.marks.is_empty() && scan.mentions.is_empty() && scan.found.is_empty();
    let own = if asked.kind == Kind::Choices { json!([{ "text": text }]) } else { json!({ "text": text }) };
    let own = field::check(asked, &own).ok().filter(|_| silent && !scan.corrects);
    own.filter(|_| asked.kind.picks() && asked.custom).map(|own| taken(asked, own, text, Rule::Answer))
}

/// Returns whether some words are a yes or a no, and nothing else but politeness.
pub(super) fn yes_or_no(message: &Message<'_>, at: Range<usize>) -> Option<bool> {
    let said = message.tokens.get(at).unwrap_or_default().iter();
    let said = said.filter(|token| !token.is("please thanks thank you very much , . ! ; \n"));
    let said: Vec<&str> = said.map(|token| token.low.as_str()).collect();
    let all = |list: &str| said.iter().all(|word| is_among(word, list));
    match said[..] {
        [] => None,
        ["absolutely" | "certainly" | "definitely", "not"]
        | ["of", "course", "not"]
        | ["don't" | "never"] => Some(false),
        _ if all(YES) || said == ["of", "course"] => Some(true),
        _ => all(NO).then_some(false),
    }
}

/// Returns the yes or no that an answer begins with, where only a reason follows it: `no, I've been there before`.
pub(super) fn leads(message: &Message<'_>) -> Option<bool> {
    const TURNS: &str = "but only until till except though although however wait sorry actually without or know idea could should would or far ?";
    const NEXT: &str =
        ", . ! ; - – — and i i've i'm we we've we're he she they it it's there there's my our the";
    let yes = message.is(0, "yes yeah yep yup");
    let opposite = if yes { NO } else { YES };
    let turns = |at: usize| {
        message.is(at, TURNS) || doubts(message, at) || message.is(at, opposite) || yes && denies(message, at)
    };
    let leads = (yes || message.is(0, "no nope nah")) && message.is(1, NEXT);
    (leads && !(1..message.tokens.len()).any(turns)).then_some(yes)
}

/// Returns whether a text only says that nothing is known yet: `tbd`, `I'll tell you later`, `not decided`.
pub fn is_unknown(text: &str) -> bool {
    let message = Message::new(text);
    unknown(&message, message.all())
}

pub(super) fn unknown(message: &Message<'_>, mut at: Range<usize>) -> bool {
    const OPEN: &str = "idk dunno unknown unsure tbd tba tbc later maybe perhaps ? know idea certain decided na sure confirmed announced";
    const AROUND: &str = "at moment right now for as of us haven't hasn't been have has clue said told already mentioned before";
    let vague = at.clone().all(|at| message.is(at, VAGUE) || message.is(at, AROUND));
    let told = |at: usize| message.is(at, "told said mentioned") && message.follows(at, "i i've already");
    vague && at.any(|at| message.is(at, OPEN) || message.says(at, "n / a") || told(at))
}
