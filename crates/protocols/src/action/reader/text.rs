//! Rule 3 for words: `name: value`, `my name is Ana`, `because …` for the field that asks why.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

use super::Rule;
use super::guard::Mark;
use super::name::Mention;
use super::scan::Scan;
use super::token::{Message, Sort, tokens};

/// Takes words whose field is named before them.
pub(super) fn read(scan: &mut Scan<'_>) {
    let message = scan.message;
    for Mention { at: name, field: whose } in scan.mentions.clone() {
        let field = scan.field(whose);
        let shared =
            |other: &Mention| other.field != whose && other.at == name && is_words(scan.field(other.field));
        if !is_words(field) || scan.is_read(whose) || scan.mentions.iter().any(shared) {
            continue;
        }
        let next = name.end;
        let colon = message.is(next, ": =");
        let is =
            next + usize::from(message.is(next, "is are will")) + usize::from(message.is(next + 1, "be"));
        let called = is + usize::from(message.is(is, "called named"));
        let first = name.start == message.sentence(name.start).start;
        let led = called > next && (first || message.follows(name.start, "my our the and , its a this"));
        let at = if colon { next + 1 } else { called };
        if !(colon || led) || message.tokens.get(at).is_none_or(|token| token.sort == Sort::Break) {
            continue;
        }
        let end = end(scan, at, colon);
        let words = trimmed(message.words(&(at..end)));
        // What stands in the words themselves guards nothing.
        let guard =
            scan.marks.iter().find(|mark| mark.over.contains(&name.start) && !(colon && mark.at >= at));
        let Ok(value) = field::check(field, &Value::from(words)) else { continue };
        if !guard.is_some_and(Mark::blocks) {
            // `the company is late` says something about the field, and not its value.
            let plain = colon || called > is || capital(message, at) || message.is(at, "\" “");
            let about = (!plain).then(|| "it may only be said about the field".to_owned());
            scan.place(whose, vec![value], words, Rule::Named, guard.map(Mark::reason).or(about));
            use_up(scan, &(at..end));
        }
    }
    reason(scan);
}

fn is_words(field: &Field) -> bool {
    matches!(field.kind, Kind::Text | Kind::Multiline)
}

fn capital(message: &Message<'_>, at: usize) -> bool {
    message.is_capital(at) || message.tokens.get(at).is_some_and(|token| token.number().is_some())
}

/// Returns where the words of a field end.
fn end(scan: &Scan<'_>, at: usize, colon: bool) -> usize {
    let message = scan.message;
    let sentence = message.sentence(at).end;
    let linked = |at: usize| {
        scan.mentions.iter().any(|mention| mention.at.start == at && message.is(mention.at.end, ": = is are"))
    };
    let next = |at: &usize| linked(*at) || message.is(*at, ", and") && (linked(at + 1) || linked(at + 2));
    // A name ends with its last capital: `Ana de Souza from Berlin`.
    let small = |at: usize| message.is(at, "de da van von der of & - ' . the") && capital(message, at + 1);
    match () {
        () if colon => (at + 1..sentence).find(next).unwrap_or(sentence),
        () if message.is(at, "\" “") => {
            (at + 1..sentence).find(|at| message.is(*at, "\" ”")).map_or(sentence, |at| at + 1)
        }
        () if capital(message, at) => {
            (at + 1..sentence).find(|at| !capital(message, *at) && !small(*at)).unwrap_or(sentence)
        }
        () => message.clause(at).end,
    }
}

fn trimmed(words: &str) -> &str {
    let words = words.trim_end_matches("please").trim_end_matches("thanks").trim_end_matches([',', ';', ' ']);
    words.strip_prefix(['"', '“']).and_then(|words| words.strip_suffix(['"', '”'])).unwrap_or(words)
}

/// What stands in somebody's words is not read for another field.
fn use_up(scan: &mut Scan<'_>, at: &Range<usize>) {
    let inside = |other: &Range<usize>| at.start <= other.start && other.end <= at.end;
    scan.found.retain(|found| !inside(&found.at));
    scan.mentions.retain(|mention| !inside(&mention.at));
    scan.marks.retain(|mark| !at.contains(&mark.at));
}

/// Takes what stands behind `because`, to the end of its sentence, for the one open field that asks why.
fn reason(scan: &mut Scan<'_>) {
    let message = scan.message;
    let Some(because) = (0..message.tokens.len()).find(|at| message.is(*at, "because")) else { return };
    let asks = |at: &usize| {
        let named = || tokens(&format!("{} {}", scan.field(*at).id.replace('_', " "), scan.field(*at).label));
        is_words(scan.field(*at)) && scan.is_empty(*at) && named().iter().any(|token| token.is("why reason"))
    };
    let fields: Vec<usize> = (0..scan.question.fields.len()).filter(asks).collect();
    let [whose] = &fields[..] else { return };
    let at = because + 1 + usize::from(message.is(because + 1, "of"));
    let range = at..message.sentence(because).end.max(at);
    // Behind a comma something else may follow.
    let ends = !range.clone().any(|at| message.is(at, ", and")) && scan.guard(&(because..at)).is_none();
    let words = trimmed(message.words(&range));
    if let (Ok(value), true) = (field::check(scan.field(*whose), &Value::from(words)), ends) {
        scan.place(*whose, vec![value], words, Rule::Named, None);
        use_up(scan, &range);
    }
}
