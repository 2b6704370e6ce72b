//! The words of forms taken apart. The same labels and options come again at every turn, and often many times in one; a
//! text that a person says comes once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::kin;
use super::mention::Phrase;
use super::words::{Token, tokens};

/// How many texts are remembered at most.
const MOST: usize = 20_000;
/// The longest text that is remembered, in bytes: names and questions are shorter.
const LONGEST: usize = 200;

/// Texts, each with what it comes to.
type Memory<T> = RefCell<HashMap<String, T>>;

thread_local! {
    static TOKENS: Memory<Rc<[Token]>> = RefCell::default();
    static PHRASES: Memory<Option<Phrase>> = RefCell::default();
    static GROUPS: Memory<Option<usize>> = RefCell::default();
}

/// Takes a text of a form apart.
pub(super) fn named(text: &str) -> Rc<[Token]> {
    TOKENS.with(|memory| remembered(memory, text, |text| tokens(text).into()))
}

/// Makes a name of a text of a form.
pub(super) fn phrase(text: &str) -> Option<Phrase> {
    PHRASES.with(|memory| remembered(memory, text, Phrase::new))
}

/// Finds the everyday words that mean the same as a name of a form.
pub(super) fn group(text: &str) -> Option<usize> {
    GROUPS.with(|memory| remembered(memory, text, kin::group_of))
}

fn remembered<T: Clone>(memory: &Memory<T>, text: &str, make: impl Fn(&str) -> T) -> T {
    if let Some(known) = memory.borrow().get(text) {
        return known.clone();
    }
    let fresh = make(text);
    if text.len() <= LONGEST {
        let mut memory = memory.borrow_mut();
        if memory.len() >= MOST {
            memory.clear();
        }
        memory.insert(text.to_owned(), fresh.clone());
    }
    fresh
}
