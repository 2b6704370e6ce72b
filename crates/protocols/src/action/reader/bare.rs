//! A message that is the name of one option and nothing else: it says itself whose it is.

use holdpoint_core::{Field, Kind, Opt};

use super::correct::own_words;
use super::option::names;
use super::truth;
use super::words::{Sort, tokens};

/// Finds the option that a text names, where it says nothing else and no other field has such an option. A yes or no belongs
/// to whatever was asked.
pub fn bare_option<'a>(fields: &[&'a Field], text: &str) -> Option<(&'a Field, &'a Opt)> {
    const AROUND: [&str; 33] = [
        "please", "the", "a", "an", "it's", "its", "thanks", "i", "mean", "meant", "sorry", "oh", "no",
        "actually", "for", "my", "add", "also", "plus", "with", "and", "too", "need", "want", "i'd", "we'd",
        "like", "would", "we", "include", "another", "just", "then",
    ];
    let all = tokens(text);
    let words: Vec<&str> =
        all.iter().filter(|token| token.sort != Sort::Sign).map(|token| token.low.as_str()).collect();
    // `no, annual` names it; `no annual leave` denies it; `not sure` may be how it is called.
    let denies = all
        .windows(2)
        .any(|pair| pair[0].among(&["no", "not"]) && pair[1].sort != Sort::Sign && !pair[1].among(&AROUND));
    if denies && !is_called(fields, &words) || all.last().is_some_and(|token| token.is("?")) {
        return None;
    }
    let whose = |words: &[&str]| {
        let mut found = fields.iter().copied().filter_map(|field| {
            let picks = matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm);
            let option = (picks && truth::poles(field).is_none()).then(|| named(field, words)).flatten();
            option.map(|option| (field, option))
        });
        match (found.next(), found.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    };
    whose(&words).or_else(|| {
        let bare: Vec<&str> = words.iter().copied().filter(|word| !AROUND.contains(word)).collect();
        if bare.len() == words.len() || bare.is_empty() { None } else { whose(&bare) }
    })
}

fn is_called(fields: &[&Field], words: &[&str]) -> bool {
    fields.iter().flat_map(|field| field.all_options()).any(|option| bears(option, words))
}

/// Returns whether a text is the label of an option, word for word.
pub fn is_label(option: &Opt, text: &str) -> bool {
    let all = tokens(text);
    let words: Vec<&str> =
        all.iter().filter(|token| token.sort != Sort::Sign).map(|token| token.low.as_str()).collect();
    bears(option, &words)
}

fn bears(option: &Opt, words: &[&str]) -> bool {
    let label = tokens(&option.label);
    let label = label.iter().filter(|token| token.sort != Sort::Sign).map(|token| token.low.as_str());
    !words.is_empty() && label.eq(words.iter().copied())
}

/// Returns the one option that words name, alone or with a word of the field's own: `annual leave`.
fn named<'a>(field: &'a Field, words: &[&str]) -> Option<&'a Opt> {
    let own = own_words(field);
    let is_own = |word: &str| own.iter().any(|own| own == word);
    let mut found = field.all_options().filter(|option| {
        names(field, option).iter().any(|name| {
            let name: Vec<&str> = name.words().iter().map(String::as_str).collect();
            match words {
                _ if words == name.as_slice() => true,
                [first @ .., last] if first == name.as_slice() => is_own(last),
                [first, last @ ..] if last == name.as_slice() => is_own(first),
                _ => false,
            }
        })
    });
    match (found.next(), found.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

/// Returns whether a text says that something comes on top of what is known.
pub fn adds(text: &str) -> bool {
    tokens(text)
        .iter()
        .any(|token| token.among(&["add", "also", "plus", "too", "another", "additionally", "include"]))
}
