//! Rules 1 and 2: an answer to the field that was asked: what a control would send, then everyday words.

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::form::{poles, sent};
use super::{
    CHANGES, FILLERS, Found, Mark, Measure, Mention, OPENING, OPENS, Question, Reading, Rule, Said, Scan,
    Sort, Taken, Token, Unfit, Unsure, What, is_among, nod,
};

/// Reads an exact answer; none, if it must be read as words.
pub(super) fn exact(asked: &Field, question: &Question<'_>) -> Option<Reading> {
    let (text, today) = (question.text, question.now.date().to_string());
    let bare = text.trim().trim_matches(|c: char| is_among(c.encode_utf8(&mut [0; 4]), OPENS) || c == '’');
    let sent = sent(asked, text.trim()).or_else(|| sent(asked, bare).filter(|_| asked.kind.picks()));
    // A day to come is asked about where one that has been is asked for.
    let comes = |value: &Value| value.as_str() > Some(&today) && Said::of(asked).been;
    let sent = sent.filter(|value| asked.kind != Kind::Date || !comes(value));
    sent.map(|value| taken(asked, value, text.trim(), Rule::Exact))
}

fn taken(asked: &Field, value: Value, words: &str, rule: Rule) -> Reading {
    let taken = Taken { field: asked.id.clone(), value, words: words.to_owned(), rule, note: None };
    Reading { taken: vec![taken], ..Reading::default() }
}

/// Takes the words of a message for a field of words, without what they plainly say of other fields: `Max, and he weighs 10 kg`.
pub(super) fn words(mut scan: Scan<'_>, asked: &Field) -> Reading {
    const LEADS: &str = "please oh can could you i we want to would like , well";
    const OPENERS: &str = "actually make no sorry correction wait instead not oops add remove";
    let (message, text, known) = (scan.message, scan.question.text, scan.question.known);
    let (end, opener) = (message.tokens.len(), message.past(0, LEADS));
    if nod::unknown(message, 0..end) {
        return Reading::default();
    }
    let changes = message.is(opener, CHANGES) || message.is(opener, OPENERS);
    let led = |mention: &&Mention| mention.at.start <= 1 && message.is(mention.at.end, ": = is");
    let led: Vec<usize> = scan.names.mentions.iter().filter(led).map(|mention| mention.field).collect();
    scan.question.asked = None;
    super::named::read(&mut scan);
    if changes || led.iter().any(|at| scan.field(*at).id != asked.id || scan.is_read(*at)) {
        super::only::read(&mut scan);
        let mut other = scan.reading;
        other.taken.retain(|taken| taken.rule == Rule::Named || known.contains_key(&taken.field));
        other.unsure.retain(|unsure| unsure.field != asked.id && known.contains_key(&unsure.field));
        let named = changes && other.named.iter().any(|id| *id != asked.id);
        return if other.is_empty() && !named { whole(asked, text) } else { other };
    }
    // `Bella, 12 kg`
    let is_unit = |one: &Found| matches!(one.what, What::Number(_, Measure::Unit(_)));
    let alone = |one: &&Found| is_unit(one) && one.at.start > 1 && message.clause(one.at.start) == one.at;
    for one in scan.found.clone().iter().filter(alone) {
        if let [(at, fit)] = &super::only::open(&scan, &scan.visible(), one)[..] {
            scan.settle(*at, fit.clone(), one, Rule::Only, None);
        }
    }
    let begins = |at: &usize| {
        message.is(*at, "and") || message.clause(*at).start == *at && message.tokens[*at].sort != Sort::Break
    };
    let plain = |at: usize| scan.is_form(at) || message.is(at, FILLERS) || scan.acts(at);
    let placed = |at: usize| at == 0 || scan.placed.iter().any(|(_, value)| value.start >= at);
    let mut reading = Reading { named: scan.reading.named.clone(), ..Reading::default() };
    reading.taken.extend(scan.reading.taken.iter().filter(|taken| taken.field != asked.id).cloned());
    let other = (0..end).filter(begins).find(|at| placed(*at) && (*at..end).all(plain));
    let other = other.filter(|_| asked.kind == Kind::Text && !reading.taken.is_empty()).unwrap_or(end);
    let start = name(&scan, asked, other);
    let own = message.words(&(start..other)).trim_end_matches("and").trim_end_matches(['.', ',', ';', ' ']);
    // `Acme. No, Bolt.`
    let corrects = (1..other)
        .any(|at| message.tokens[at - 1].sort == Sort::Break && message.is(at, "no sorry wait actually"));
    match () {
        () if other == 0 => {}
        () if corrects && asked.kind == Kind::Text => {
            let why = "a word corrects what stands before it".to_owned();
            let (field, values, words) = (asked.id.clone(), vec![Value::from(own)], own.to_owned());
            reading.unsure.push(Unsure { field, values, words, why });
        }
        () if start == 0 && other == end => return whole(asked, text),
        () => reading.taken.extend(whole(asked, own).taken),
    }
    reading
}

/// Returns where a name begins behind words that only lead to it: `his name is Max`, `she is called bella`.
fn name(scan: &Scan<'_>, asked: &Field, end: usize) -> usize {
    const LINKS: &str = "is are called named it's that's he's she's";
    const LEADS: &str = "it he she his her its my our the their that";
    let message = scan.message;
    let at = scan.question.fields.iter().position(|field| field.id == asked.id);
    let has = |word| at.is_some_and(|at| scan.names.said[at].has(word));
    let leads = |at: &usize| message.is(*at, LINKS) || message.is(*at, LEADS) || has(message.low(*at));
    let Some(start) = (0..end).find(|at| !leads(at)).filter(|at| message.follows(*at, LINKS)) else {
        return 0;
    };
    let called = start + 1 == end && (0..start).any(|at| message.is(at, "called named name"));
    let whole = (start..end).all(|at| message.tokens[at].sort != Sort::Break || at + 1 == end);
    if asked.kind == Kind::Text && whole && (called || message.is_capital(start)) { start } else { 0 }
}

pub(super) fn whole(asked: &Field, text: &str) -> Reading {
    let check = |text: &str| field::check(asked, &Value::from(text));
    let (field, words) = (asked.id.clone(), text.trim().to_owned());
    match check(text).or_else(|_| check(&words)) {
        Ok(value) => taken(asked, value, &words, Rule::Answer),
        Err(why) => Reading { unfit: vec![Unfit { field, why, words }], ..Reading::default() },
    }
}

/// Takes the one value in a message that the asked field can take.
pub(super) fn read(scan: &mut Scan<'_>, asked: &Field) {
    let at = scan.question.fields.iter().position(|field| field.id == asked.id);
    let Some(at) = at.filter(|at| !scan.is_read(*at)) else { return };
    let (message, words) = (scan.message, scan.message.text.trim());
    let said = nod::says(message, 0..message.tokens.len());
    let no_such = || {
        message.follows(1, "no") && message.tokens.len() > 1 && scan.names.covered[1..].iter().all(|own| *own)
    };
    let none =
        asked.kind == Kind::Integer && asked.min == Some(json!(0)) && (said == Some(false) || no_such());
    if none {
        let why = (!message.is(0, "none") && !no_such()).then(|| "it may be meant otherwise".to_owned());
        scan.place(at, vec![json!(0)], words, Rule::Answer, why);
        return;
    }
    if let Some(((yes, no), said)) = poles(asked).zip(said.or_else(|| nod::leads(message))) {
        scan.place(at, vec![if said { yes } else { no }], words, Rule::Answer, None);
        scan.found.retain(|found| !matches!(found.what, What::Options(field, _) if field == at));
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
    let other = |found: &Found| scan.is_other_end(at, found);
    let best = scan.found.iter().filter(free).filter_map(fits);
    let best = best.min_by_key(|(found, fit)| (fit.is_err(), other(found)));
    match best {
        None if asked.kind.picks() && asked.custom => own_words(scan, asked, at, words),
        None => {}
        Some((found, fit)) => {
            // One written value and nothing else is what a date, time or number control sends.
            let written = |token: &Token| matches!(token.sort, Sort::Iso | Sort::Clock | Sort::Number);
            let rule = if message.tokens.iter().all(written) { Rule::Exact } else { Rule::Answer };
            let doubt = scan.doubt(at, &found, &found.at, Rule::Answer);
            scan.settle(at, fit, &found, rule, doubt);
        }
    }
}

fn own_words(scan: &mut Scan<'_>, asked: &Field, at: usize, words: &str) {
    let nothing = scan.marks.is_empty() && scan.reading.named.is_empty() && scan.found.is_empty();
    let own = json!({ "text": words });
    let own = if asked.kind == Kind::Choices { json!([own]) } else { own };
    let Some(value) = field::check(asked, &own).ok().filter(|_| nothing && !scan.corrects) else { return };
    scan.place(at, vec![value], words, Rule::Answer, None);
}
