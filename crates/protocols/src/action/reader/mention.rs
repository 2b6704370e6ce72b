//! Where a field is called by its name, and what is written right behind the name: `nights: 4`.

use std::sync::Arc;

use holdpoint_core::{Field, Kind};

use super::super::form::{synonyms, words_of};
use super::scan::Scan;
use super::words::{Sort, alike, tokens};
use super::{known, moment, option, person, quantity, truth};

/// A name of a field, as words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Phrase(Arc<[String]>);

impl Phrase {
    pub(super) fn new(text: &str) -> Option<Self> {
        let words: Vec<String> = tokens(text).into_iter().map(|token| token.low).collect();
        Some(Self(words.into())).filter(|phrase| !phrase.0.is_empty())
    }

    /// Returns the token after the phrase, if it stands at a token.
    pub(super) fn at(&self, scan: &Scan<'_>, at: usize) -> Option<usize> {
        let mut next = at;
        for word in self.0.iter() {
            // `check-in` and `check in` are one.
            if scan.word(next) == "-" && word != "-" && next > at {
                next += 1;
            }
            // `1st time` is the first.
            if word == "first" && scan.word(next) == "1" && scan.word(next + 1) == "st" {
                next += 2;
                continue;
            }
            if !alike(scan.word(next), word) {
                return None;
            }
            next += 1;
        }
        Some(next)
    }

    pub(super) fn words(&self) -> &[String] {
        &self.0
    }
}

/// Lists the names of a field, longest first: its id in words, that without a last word that only tells its kind,
/// and its other names.
pub(super) fn phrases(field: &Field) -> Vec<Phrase> {
    let id = words_of(&field.id);
    let mut names = vec![id.clone()];
    if let Some((head, "date" | "time" | "type" | "notes" | "at")) = id.rsplit_once(' ') {
        names.push(head.to_owned());
    }
    names.extend(synonyms(&field.extra).map(str::to_owned));
    let mut phrases: Vec<Phrase> = names.iter().filter_map(|name| known::phrase(name)).collect();
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.0.len()));
    phrases
}

/// Reads values that stand right behind a field's name and a colon; for texts also behind `is`.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    let mut names: Vec<(&Field, Vec<Phrase>)> = fields.iter().map(|field| (field, phrases(field))).collect();
    let mut heads: Vec<Option<Phrase>> = Vec::new();
    for (field, phrases) in &mut names {
        // Before a colon the last word of a name will do, where no other field has it: `certificate: yes`.
        let id = words_of(&field.id);
        let head = id.rsplit(' ').next().filter(|head| head.len() >= 4 && *head != id);
        let alone = |head: &&str| {
            fields.iter().filter(|other| words_of(&other.id).split(' ').any(|word| word == *head)).count()
                == 1
        };
        heads.push(head.filter(alone).and_then(known::phrase));
        phrases.extend(heads.last().cloned().flatten());
    }
    let mut at = 0;
    while at < scan.tokens.len() {
        let found = names.iter().zip(&heads).find_map(|((field, phrases), head)| {
            let Some(next) = phrases.iter().find_map(|phrase| phrase.at(scan, at)) else {
                // `the contact's Paul Meyer`
                let own = scan.word(at).strip_suffix("'s")?;
                let called = phrases.iter().any(|phrase| matches!(phrase.words(), [one] if one == own));
                return (called && person::named_behind(scan, field, at + 1)).then_some((*field, at + 1));
            };
            let said = match scan.word(next) {
                ":" | "=" => true,
                // `the doctor's note is in your tray` says nothing of the handover notes.
                "is" | "are" => field.kind.is_text() && !stands_for(scan, head.as_ref(), phrases, at),
                _ => false,
            };
            let will_be = scan.word(next) == "will" && scan.word(next + 1) == "be" && field.kind.is_text();
            let person = || person::named_behind(scan, field, next).then_some((*field, next));
            if said || will_be { Some((*field, next + 1 + usize::from(will_be))) } else { person() }
        });
        let free = |field: &Field, start: usize| {
            let words = matches!(field.kind, Kind::Text | Kind::Multiline);
            if words { scan.free_words(at..start) } else { scan.free(at..start) }
        };
        let Some((field, start)) = found.filter(|(field, start)| free(field, *start)) else {
            at += 1;
            continue;
        };
        let end = person::end(scan, field, start).unwrap_or(segment_end(scan, field, start, &names));
        let words = matches!(field.kind, Kind::Text | Kind::Multiline);
        if start < end && (scan.free(start..end) || words && scan.free_words(start..end)) {
            take(scan, field, start, end);
        }
        at = start;
    }
}

/// Returns whether only the last word of a field's name stands at a token, and the word before it makes another thing of it.
fn stands_for(scan: &Scan<'_>, head: Option<&Phrase>, phrases: &[Phrase], at: usize) -> bool {
    let whole =
        phrases.iter().filter(|phrase| Some(*phrase) != head).any(|phrase| phrase.at(scan, at).is_some());
    let other = scan.before(at, 1).is_some_and(|token| {
        token.sort == Sort::Word && !super::lexicon::is_small(token) || token.among(&["his", "her", "their"])
    });
    !whole && other
}

/// Returns where the value ends: with the sentence, before the next name, and for all but texts at a comma.
fn segment_end(scan: &Scan<'_>, field: &Field, start: usize, names: &[(&Field, Vec<Phrase>)]) -> usize {
    let Some(first) = scan.tokens.get(start) else { return start };
    for at in start..scan.tokens.len() {
        let token = &scan.tokens[at];
        if token.sentence != first.sentence || token.is(";") {
            return at;
        }
        if token.is(",") {
            let another = names.iter().flat_map(|(_, phrases)| phrases).any(|phrase| {
                phrase.at(scan, at + 1).is_some_and(|next| matches!(scan.word(next), ":" | "=" | "is"))
            });
            // `the rollback plan is to restore the backup, it's production`
            let it = matches!(scan.word(at + 1), "it's" | "its")
                || scan.word(at + 1) == "it" && scan.word(at + 2) == "is";
            let option = it
                && names
                    .iter()
                    .filter(|(other, _)| other.id != field.id)
                    .flat_map(|(other, _)| option::names_of(other))
                    .any(|name| (2..=4).any(|ahead| name.at(scan, at + ahead).is_some()));
            if option {
                return at;
            }
            let many = matches!(field.kind, Kind::Choices | Kind::Location);
            if another || !(field.kind.is_text() || many) {
                return at;
            }
        }
        let last = scan.tokens.get(at + 1).is_none_or(|next| next.sentence != first.sentence);
        if last && token.among(&[".", "!"]) {
            return at;
        }
    }
    scan.tokens.len()
}

fn take(scan: &mut Scan<'_>, field: &Field, start: usize, end: usize) {
    match field.kind {
        Kind::Text | Kind::Multiline => {
            let start = if scan.word(start) == "that" { start + 1 } else { start };
            let words = scan.words(start..end);
            if !is_verdict(words) {
                scan.take_text(field, words, start..end);
            }
        }
        Kind::Integer | Kind::Number => quantity::read_within(scan, field, start, end),
        Kind::Boolean => truth::read_within(scan, field, start, end),
        Kind::Choice | Kind::Choices | Kind::Confirm => option::read_within(scan, field, start, end),
        Kind::Date | Kind::Time | Kind::Datetime => moment::read_within(scan, field, start),
        // These have a form of their own, by which they were found before.
        Kind::Email | Kind::Tel | Kind::Url | Kind::Location | Kind::Products => {}
    }
}

/// Returns whether words only say how something is found: `the reason is wrong` tells no reason.
pub(super) fn is_verdict(words: &str) -> bool {
    if words.to_lowercase().contains("none of your business") {
        return true;
    }
    let all = tokens(words);
    let mut said = all.iter().filter(|token| {
        token.sort == Sort::Word && !token.among(&["not", "still", "very", "quite", "now", "really"])
    });
    let judged = |token: &super::words::Token| {
        token.among(&[
            "wrong",
            "private",
            "fine",
            "ok",
            "okay",
            "good",
            "right",
            "correct",
            "incorrect",
            "confidential",
            "missing",
            "outdated",
            "secret",
            "bad",
            "unclear",
            "true",
            "false",
            "mistaken",
            "optional",
            "irrelevant",
            "unimportant",
        ])
    };
    said.next().is_some_and(judged) && said.next().is_none()
}

/// Returns whether a word carries no meaning of its own.
pub(super) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "it"
            | "is"
            | "it's"
            | "be"
            | "to"
            | "of"
            | "in"
            | "on"
            | "at"
            | "for"
            | "i"
            | "we"
            | "my"
            | "our"
            | "me"
            | "us"
            | "you"
            | "or"
            | "and"
            | "no"
            | "so"
            | "do"
            | "can"
            | "may"
            | "will"
            | "all"
            | "one"
    )
}

/// Returns whether a token is a word.
pub(super) fn is_word(scan: &Scan<'_>, at: usize) -> bool {
    scan.tokens.get(at).is_some_and(|token| token.sort == Sort::Word)
}
