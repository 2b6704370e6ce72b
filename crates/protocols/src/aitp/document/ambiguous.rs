//! The parts of a text that two parsers could read differently, and their places.

use std::borrow::Cow;
use std::collections::HashSet;

use holdpoint_core::text::quote;

use super::{Document, KEPT, Kind, ValueRef};

/// A part that others may read differently.
#[derive(Debug)]
pub(crate) struct Ambiguity {
    /// The names and indexes that lead to it.
    pub(crate) way: Vec<String>,
    /// What is wrong and what would be right.
    pub(crate) why: String,
}

impl<'a> Document<'a> {
    /// Finds the parts that others may read differently, the first of each kind.
    pub(crate) fn ambiguities(&'a self) -> Vec<Ambiguity> {
        let mut found = Vec::new();
        let mut note = |at: Option<usize>, why: String| {
            if let Some(at) = at {
                found.push(Ambiguity { way: self.way(at), why });
            }
        };
        note(self.odd.deep, format!("is nested deeper than {KEPT} levels, the deepest that is read"));
        note(self.odd.lone, "has half a pair of surrogates, which stands for no character".into());
        let inexact = "is beyond 2^53, where numbers lose digits; send it as a string";
        note(self.odd.inexact, inexact.into());
        let twice = self
            .odd
            .suspects
            .iter()
            .find_map(|object| twice(ValueRef { document: self, at: *object as usize }));
        if let Some((at, key)) = twice {
            note(Some(at), format!("{} occurs twice in one object; name it once", quote(&key)));
        }
        found
    }

    /// Returns the way to the value at a place, as deep as values are kept.
    fn way(&'a self, place: usize) -> Vec<String> {
        let mut way = Vec::new();
        let mut here = self.root();
        loop {
            let starts = |child: &(usize, ValueRef<'_>)| {
                let start = if here.kind() == Kind::Object { child.1.key_start() } else { child.1.start() };
                start <= place
            };
            let Some((at, child)) = here.children().enumerate().take_while(starts).last() else { return way };
            way.push(if here.kind() == Kind::Object { child.key().into_owned() } else { at.to_string() });
            here = child;
        }
    }
}

/// Finds a name that occurs twice in an object, and its second place.
fn twice(object: ValueRef<'_>) -> Option<(usize, Cow<'_, str>)> {
    const FEW: usize = 16;
    let mut met = HashSet::new();
    let many = object.children().nth(FEW).is_some();
    object.children().enumerate().find_map(|(at, child)| {
        let key = child.key();
        // For a few names, searching the previous ones is faster than any table.
        let again = if many {
            !met.insert(key.clone())
        } else {
            object.children().take(at).any(|other| other.key() == key)
        };
        again.then(|| (child.key_start(), key))
    })
}
