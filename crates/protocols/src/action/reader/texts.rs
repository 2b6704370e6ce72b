//! Rule 3 for fields of words: `name: Ana`, `my name is Ana`, `policy KF-204/88`. The words end where the next thing begins.

use holdpoint_core::{Kind, field};
use serde_json::Value;

use super::super::token::QUOTES;
use super::lists::CORRECTS;
use super::{Claim, Mention, Rule, Scan, asked};

/// Claims words whose field is named before them. What stands in somebody's words guards nothing, and is read for no other field.
pub(super) fn read(scan: &mut Scan<'_>) {
    for name in scan.mentions.clone() {
        // A name of two fields names neither, and one in somebody's words is none.
        let once = scan.mentions.iter().filter(|other| other.at == name.at).count() == 1;
        let claim = if once && !scan.is_claimed(name.field) { claim(scan, &name) } else { None };
        let Some(claim) = claim else { continue };
        let at = claim.at.clone();
        scan.is_value[at.clone()].fill(true);
        scan.found.retain(|found| !found.overlaps(&at));
        scan.mentions.retain(|mention| mention.at.end <= at.start || at.end <= mention.at.start);
        scan.marks.retain(|mark| !claim.over.contains(&mark.at));
        scan.claims.push(claim);
    }
}

/// Claims the words behind a name. With a colon they are all that follows; without one only a name, a code or a quotation is meant.
fn claim(scan: &Scan<'_>, Mention { at: name, field }: &Mention) -> Option<Claim> {
    let (message, field) = (scan.message, *field);
    if !matches!(scan.field(field).kind, Kind::Text | Kind::Multiline | Kind::Tel) {
        return None;
    }
    let why = message.is(name.start, "because");
    let colon = why || message.is(name.end, ": =") || scan.corrects && message.is(name.end, "to");
    let start =
        message.past(name.end, if colon { ": = to of" } else { "is are was were will be called named" });
    let quoted = message.is(start, QUOTES);
    let (start, sentence) = (start + usize::from(quoted), message.sentence(start).end);
    let end = match () {
        () if quoted => (start..message.tokens.len()).find(|at| message.is(*at, QUOTES))?,
        () if colon => end(scan, start, field),
        () => (start..sentence).find(|at| !runs(scan, *at)).unwrap_or(sentence),
    };
    let (at, over) = (start..end, name.start..end);
    let words = message.text_of(&at).trim_end_matches([',', ';', ' ', '/', '|']);
    let value = field::check(scan.field(field), &Value::from(words)).ok()?;
    if asked::unknown(message, at.clone()) {
        return None;
    }
    let back =
        |at: usize| message.is(at, CORRECTS) || message.is(at, "ignore forget scratch cancel cancelled no");
    let corrected = at.clone().any(|at| back(at) && message.follows(at, ", . – — -"));
    let denied = asked::yes_or_no(message, at.clone()) == Some(false);
    // `Ana's team`, `Main Street 5, 20457 Bristol`
    let next = end + usize::from(message.is(end, ","));
    let named = scan.mentions.iter().any(|name| name.at.start == next || name.at.start == next + 1);
    let goes_on = next > end && message.is_capital(next) && !named && !message.is(next, "i")
        || message.is(end, "in of at for from") && message.is_capital(end + 1)
        || message.low(end - 1).ends_with("'s");
    let open = corrected || denied || message.is(end, "?") || !colon && !quoted && goes_on;
    let doubt = open.then(|| "it may not be the whole of it".to_owned());
    Some(Claim { field, fit: Ok(vec![value]), at, over, rule: Rule::Named, doubt })
}

/// Returns where words behind a colon end: before the next name or value, or with the sentence; long words go on to the end.
fn end(scan: &Scan<'_>, start: usize, field: usize) -> usize {
    let message = scan.message;
    let names = |at: usize| scan.mentions.iter().any(|name| name.at.start == at && name.field != field);
    if scan.field(field).kind == Kind::Multiline && !(start..message.tokens.len()).any(names) {
        return message.tokens.len();
    }
    let begins = |from: &usize| {
        let next = from + 1 + usize::from(message.is(from + 1, "my our the a"));
        message.is(*from, ", and") && (names(next) || scan.is_value.get(next) == Some(&true))
    };
    let most = message.sentence(start).end;
    (start + 1..most).find(begins).unwrap_or(most)
}

/// Returns whether a token is part of a name or a code: `Ana de Souza`, `KF-204/88`.
fn runs(scan: &Scan<'_>, at: usize) -> bool {
    let message = scan.message;
    let small = message.is(at, "de da van von der of & - / ' . the") && message.is_capital(at + 1);
    let dated = scan.found.iter().any(|found| found.at.start == at && found.is_temporal());
    message.is_capital(at) && !dated || small || message.is_word(at) && message.touches(at)
}
