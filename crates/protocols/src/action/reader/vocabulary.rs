//! The words that a form is about: names of its fields and options, and the words of its questions.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use holdpoint_core::{Field, Kind};

use super::super::form::{synonyms, words_of};
use super::correct::ends_at;
use super::known::named;
use super::lexicon::is_small;
use super::mention::phrases;
use super::words::{Sort, Token, inflects, misspells};

/// The words that a form is about.
pub(super) struct Vocabulary<'a> {
    fields: &'a [Field],
    /// Most texts never need them, and a long form takes a while.
    words: OnceCell<HashSet<String>>,
    /// What was found out of words that are not among them.
    found: RefCell<HashMap<String, bool>>,
    /// Whether mistyped words are looked for.
    mistyped: bool,
}

/// How many words a text may have that mistyped words are looked for in.
const LONGEST: usize = 200;

/// Words of questions that name nothing.
const SMALL: [&str; 35] = [
    "your", "what", "when", "which", "does", "with", "have", "here", "last", "longer", "than", "need",
    "please", "give", "kind", "anything", "else", "call", "about", "time", "will", "would", "like", "take",
    "many", "much", "where", "could", "reach", "send", "there", "long", "high", "should", "know",
];

impl<'a> Vocabulary<'a> {
    pub(super) fn new(fields: &'a [Field], length: usize) -> Self {
        Self { fields, words: OnceCell::new(), found: RefCell::default(), mistyped: length <= LONGEST }
    }

    /// Returns whether a word names what the form is about, also in another form, shortened or misspelt.
    pub(super) fn has(&self, token: &Token) -> bool {
        let words = self.words.get_or_init(|| topic_of(self.fields.iter()));
        if words.contains(&token.low) || !self.mistyped {
            return words.contains(&token.low);
        }
        if let Some(found) = self.found.borrow().get(&token.low) {
            return *found;
        }
        let found = is_form_of(words, token);
        self.found.borrow_mut().insert(token.low.clone(), found);
        found
    }
}

/// Returns where words stand that together name an option in everyday words: `docking station`.
pub(super) fn phrased(all: &[Token], fields: &[Field]) -> HashSet<usize> {
    let mut found = HashSet::new();
    for field in fields.iter().filter(|field| field.kind.picks()) {
        for option in field.all_options().take(200) {
            for phrase in super::kin::phrases(field, option).iter().filter(|phrase| phrase.words().len() > 1)
            {
                let ends = (0..all.len()).filter_map(|at| Some((at, ends_at(phrase, all, at)?)));
                found.extend(ends.flat_map(|(at, end)| at..end).map(|at| all[at].start));
            }
        }
    }
    found
}

/// Returns whether a word is another form of one of some, or a likely misspelling.
fn is_form_of(words: &HashSet<String>, token: &Token) -> bool {
    token.sort == Sort::Word
        && token.low.len() >= 3
        && !is_small(token)
        && (token.low.strip_prefix("un").is_some_and(|rest| words.contains(rest))
            || words.iter().any(|word| {
                misspells(&token.low, word)
                    || inflects(&token.low, word)
                    || shortens(&token.low, word)
                    || is_cut_short(&token.low, word)
            }))
}

/// Returns whether a word is the beginning of a much longer one: `ins` for insurance.
fn shortens(word: &str, whole: &str) -> bool {
    whole.len() >= word.len() + 4 && whole.starts_with(word)
}

/// Returns whether a word lacks its last letter: `leav`.
fn is_cut_short(word: &str, whole: &str) -> bool {
    word.len() >= 4 && whole.len() == word.len() + 1 && whole.starts_with(word) && !whole.ends_with('s')
}

/// Returns for each token whether it names something that a form's days go with. A sick note is none, though `sick` is.
pub(super) fn dated_words(all: &[Token], fields: &[Field]) -> Vec<bool> {
    let words = topic_of(fields.iter().filter(|field| has_days(field)));
    let wish = ["off", "need", "want", "like", "book", "request", "reserve", "take"];
    let mut found: Vec<bool> =
        all.iter().map(|token| words.contains(&token.low) || token.among(&wish)).collect();
    for phrase in fields.iter().filter(|field| !has_days(field)).flat_map(phrases) {
        for at in 0..all.len() {
            if let Some(end) = ends_at(&phrase, all, at) {
                found[at..end].fill(false);
            }
        }
    }
    found
}

/// Returns whether a field is one of those that a form's days go with: neither words nor yes and no.
fn has_days(field: &Field) -> bool {
    !matches!(field.kind, Kind::Text | Kind::Multiline) && super::truth::poles(field).is_none()
}

/// Lists the words that name what the form is about.
fn topic_of<'a>(fields: impl Iterator<Item = &'a Field>) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut add = |text: &str, least: usize| {
        for token in named(text).iter() {
            // What is offered is no small word, though a question may be made of it: `high`.
            let small =
                token.low.len() < least || if least < 4 { is_small(token) } else { token.among(&SMALL) };
            if token.sort == Sort::Word && !small {
                // `incident` and `incidents` are one topic.
                words.insert(format!("{}s", token.low));
                words.extend(token.low.strip_suffix('s').filter(|one| one.len() > 3).map(str::to_owned));
                words.insert(token.low.clone());
            }
        }
    };
    for field in fields {
        add(&words_of(&field.id), 3);
        add(&field.label, 4);
        synonyms(&field.extra).for_each(|name| add(name, 4));
        for option in field.all_options().take(200) {
            add(&option.label, 2);
            synonyms(&option.extra).for_each(|name| add(name, 2));
            // Of what people call it in several words, none names it alone: `went up in flames`.
            for phrase in super::kin::phrases(field, option) {
                if let [word] = phrase.words() {
                    add(word, 3);
                }
            }
        }
    }
    words
}
