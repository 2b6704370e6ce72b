//! Which options refuse, and the check that a confirmation has one.

use super::{Decision, Source};
use crate::field::{Effect, Field, Kind, Opt};
use crate::refusal::FieldError;
use crate::text::{is_active, quote};

/// Words that mark a no: as an id, as a label or as the first clause of a label, in upper or lower case.
const NO: [&str; 8] = ["no", "n", "deny", "reject", "decline", "nope", "no thanks", "no thank you"];
/// Words that cannot be a no.
const YES: [&str; 9] = ["yes", "y", "ok", "okay", "allow", "approve", "accept", "confirm", "agree"];
/// The most letters that one of these words has.
const LETTERS: usize = 10;

const NEEDS_REFUSAL: &str = "a confirm field needs an option that refuses: name one no, n, deny, reject or decline, \
                             or mark one with \"refuses\": true (-o 'ID!:LABEL' on the command line)";

/// Marks the options that refuse: by their effect, or by their name.
pub(super) fn mark(decision: &mut Decision) {
    let (source, foreign) = (decision.source, is_foreign(decision));
    for field in &mut decision.fields {
        let marks = RefusalMarks {
            source,
            fixed: !foreign || source != Source::Request,
            id: !foreign && matches!(field.kind, Kind::Choice | Kind::Confirm),
            label: !foreign && matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm),
        };
        field.options.iter_mut().for_each(|option| mark_option(marks, option));
    }
}

/// Which parts of an option can mark it as a no.
#[derive(Clone, Copy)]
struct RefusalMarks {
    source: Source,
    /// Whether certain ids refuse by themselves.
    fixed: bool,
    /// Whether an id may read as a no. In a list to pick several from, an id names a thing.
    id: bool,
    /// Whether a label may read as a no.
    label: bool,
}

fn mark_option(marks: RefusalMarks, option: &mut Opt) {
    let source = marks.source;
    let does_no = match option.effect {
        Some(Effect::Deny | Effect::Revise | Effect::Cancel | Effect::Dismiss) => true,
        Some(Effect::Retry | Effect::Abandon) => source == Source::Verdict,
        _ => false,
    };
    let says_no = match option.id.as_str() {
        "no" | "deny" | "revise" => marks.fixed,
        "retry" | "abandon" => source == Source::Verdict,
        _ => false,
    };
    let reads_no = marks.label && (is_no(&option.label) || option.short.as_deref().is_some_and(is_no));
    option.refuses |= does_no || says_no || marks.id && reads_as(&option.id, &NO) || reads_no;
    option.variants.iter_mut().for_each(|variant| mark_option(marks, variant));
}

/// Refuses a confirmation that cannot be declined, and a yes that is marked as a no: a person who reads the labels
/// would take the other option for the no.
pub(super) fn check(decision: &Decision, faults: &mut Vec<FieldError>) {
    for field in decision.fields.iter().filter(|field| matches!(field.kind, Kind::Choice | Kind::Confirm)) {
        let is_inverted = |option: &&Opt| {
            option.refuses && (is_yes(&option.label) || option.short.as_deref().is_some_and(is_yes))
        };
        for option in field.options.iter().filter(is_inverted).filter(|_| !is_foreign(decision)) {
            faults.push(FieldError::new(field.id.as_str(), inverted("option", option)));
        }
    }
    for out in decision.outs.iter().filter(|out| is_yes(&out.label) && !is_foreign(decision)) {
        faults.push(FieldError::new("outs", inverted("out", out)));
    }
    for field in decision.fields.iter().filter(|field| lacks_refusal(decision, field)) {
        faults.push(FieldError::new(field.id.as_str(), NEEDS_REFUSAL));
    }
}

fn inverted(what: &str, option: &Opt) -> String {
    let label = option.short.as_deref().filter(|short| is_yes(short)).unwrap_or(&option.label);
    let (id, label) = (quote(&option.id), quote(label));
    format!("{what} {id} refuses, but its label {label} reads as a yes; label it as a no")
}

/// Adds an out to a foreign confirmation that cannot be declined, because its sender does not know Holdpoint's rules.
pub(super) fn offer_decline(decision: &mut Decision) {
    mark(decision);
    if !is_foreign(decision) || !decision.fields.iter().any(|field| lacks_refusal(decision, field)) {
        return;
    }
    let taken = |id: &String| decision.fields.iter().any(|field| field.option(id).is_some());
    let mut ids = (1..).map(|n| if n == 1 { "decline".to_owned() } else { format!("decline-{n}") });
    let Some(id) = ids.find(|id| !taken(id)) else { return };
    decision.outs.push(Opt::new(id, "Decline"));
}

/// Returns whether a confirmation cannot be declined. Outs always refuse, so one is enough; a field without options is
/// refused elsewhere.
fn lacks_refusal(decision: &Decision, field: &Field) -> bool {
    field.kind == Kind::Confirm
        && decision.outs.is_empty()
        && !field.options.is_empty()
        && !field.all_options().any(|option| option.refuses)
}

/// Returns whether a decision comes from another protocol, where an option called `n` may mean anything, so that only
/// marked options refuse. A decision with a subject can be consumed like a native one, so it is read like one.
pub fn is_foreign(decision: &Decision) -> bool {
    let relayed = match decision.source {
        Source::Request => true,
        Source::Question | Source::Form => decision.origin.is_some(),
        _ => false,
    };
    relayed && decision.subject.is_none()
}

/// Returns whether a label reads as a yes: "Yes", or "Yes, go on".
pub fn is_yes(label: &str) -> bool {
    reads_as(first_clause(label), &YES)
}

/// Returns whether a label reads as a yes and nothing more.
pub fn is_only_yes(label: &str) -> bool {
    reads_as(label, &YES)
}

/// Returns whether a label reads as a yes to this one request and nothing more: "Yes", or "Allow once".
pub fn is_one_yes(label: &str) -> bool {
    let is_once = |(yes, once): (&str, &str)| is_only_yes(yes) && reads_as(once, &["once"]);
    is_only_yes(label) || label.trim_end().rsplit_once(' ').is_some_and(is_once)
}

/// Returns whether a label reads as a no and nothing more.
pub fn is_only_no(label: &str) -> bool {
    reads_as(label, &NO)
}

/// Returns whether a label reads as a no: "No", or "No, not yet".
pub fn is_no(label: &str) -> bool {
    reads_as(first_clause(label), &NO)
}

fn first_clause(label: &str) -> &str {
    let is_end = |c: char| matches!(c, ',' | ';' | ':' | '.' | '!' | '(' | '\n' | '–' | '—' | '，' | '、');
    // Quotation marks, spaces and invisible characters before the first word do not count.
    let start = label.find(char::is_alphanumeric).unwrap_or_default();
    label[start..].split(is_end).next().and_then(|clause| clause.split(" - ").next()).unwrap_or_default()
}

/// Compares a text as a person reads it: surrounding invisible characters, spaces and punctuation are ignored, and a
/// look-alike letter of another script counts as the letter.
fn reads_as(text: &str, words: &[&str]) -> bool {
    let is_selector = |c: char| matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    let (mut seen, mut letters, mut space) = (String::new(), 0, false);
    for c in text.chars().filter(|c| !is_active(*c) && !is_selector(*c)).map(look_alike) {
        if c.is_alphanumeric() {
            letters += 1;
            // Most labels say more than any of the words, and need not be read to their end.
            if letters > LETTERS {
                return false;
            }
        } else if seen.is_empty() {
            continue;
        } else if c.is_whitespace() {
            space = true;
            continue;
        }
        if std::mem::take(&mut space) {
            seen.push(' ');
        }
        seen.push(c);
    }
    let seen = seen.trim_end_matches(|c: char| !c.is_alphanumeric());
    words.iter().any(|word| seen.eq_ignore_ascii_case(word))
}

/// Returns the letter of the words above that a character resembles.
fn look_alike(c: char) -> char {
    match c {
        // Full width.
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(u32::from(c) - 0xff21 + u32::from('A')).unwrap_or(c)
        }
        // Cyrillic, Greek, Armenian.
        'о' | 'О' | 'ο' | 'Ο' | 'օ' => 'o',
        'е' | 'Е' | 'Ε' => 'e',
        'у' | 'У' | 'Υ' => 'y',
        'с' | 'С' | 'ϲ' => 'c',
        'і' | 'І' | 'Ι' | 'ι' => 'i',
        'ј' | 'Ј' | 'ϳ' => 'j',
        'т' | 'Т' | 'Τ' => 't',
        'Ν' | 'п' | 'ո' => 'n',
        'ԁ' => 'd',
        other => other,
    }
}
