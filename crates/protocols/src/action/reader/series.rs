//! Lists under one no: `no cot, parking or late checkout` denies all three.

use super::lexicon::is_wishing;
use super::scan::{Scan, denies};
use super::verbs;
use super::words::{Sort, Token};

/// How many tokens a list under one no may have.
const LONGEST: usize = 24;

/// What ends what a no reaches: somebody begins anew.
const ANEW: [&str; 19] = [
    "but", "just", "only", "rather", "so", "because", "since", "i", "we", "he", "she", "they", "it", "i'd",
    "we'd", "please", "instead", "yes", "though",
];

/// Who says these leaves open what they want, and denies nothing that follows: `I don't mind, single or double`.
const OPEN: [&str; 8] = ["care", "mind", "know", "matter", "sure", "thanks", "worry", "decided"];

impl Scan<'_> {
    /// Returns whether what stands at some tokens is one of a list that a no stands before.
    ///
    /// Things joined by `or` share their no. Things that are only set apart by commas do if the list ends in an `or`;
    /// those joined by `and` do behind a verb that is denied: `we don't need a cot and a parking space`.
    pub(super) fn denied_in_series(&self, start: usize, end: usize) -> bool {
        let mut joined = self.goes_on(end);
        let (mut both, mut inside) = (false, false);
        for count in 1..=LONGEST {
            let Some(token) = self.before(start, count) else { return false };
            let at = start - count;
            if token.among(&["or", "nor"]) {
                joined = true;
                inside = true;
            } else if token.is("and") {
                both = true;
                inside = true;
            } else if token.is(",") {
                let open = self
                    .before(start, count + 1)
                    .is_none_or(|before| before.among(&OPEN) || denies(before) || before.sort == Sort::Sign);
                if !joined || open {
                    return false;
                }
                inside = true;
            } else if denies(token) || token.among(&["nothing", "noone"]) {
                // Right behind its no, a thing is denied whatever follows.
                let verb = self.tokens.get(at + 1).is_some_and(is_acting);
                return inside && (!both || verb && !token.is("no"));
            } else if token.sort == Sort::Sign && !token.among(&["-", "'", "/"])
                || token.among(&ANEW)
                || is_acting(token) && !self.is_denied_verb(start, count)
            {
                return false;
            }
        }
        false
    }

    /// Returns whether a no stands right before a verb.
    fn is_denied_verb(&self, start: usize, count: usize) -> bool {
        (count + 1..=count + 3)
            .map_while(|count| self.before(start, count))
            .take_while(|token| token.sort == Sort::Word)
            .any(denies)
    }

    /// Returns whether a list goes on behind a token and ends in an `or`, before anything else is said.
    fn goes_on(&self, end: usize) -> bool {
        let Some(sentence) =
            end.checked_sub(1).and_then(|last| self.tokens.get(last)).map(|token| token.sentence)
        else {
            return false;
        };
        for token in self.tokens.iter().skip(end).take(LONGEST / 2) {
            if token.sentence != sentence || token.among(&ANEW) || is_acting(token) {
                return false;
            }
            if token.among(&["or", "nor"]) {
                return true;
            }
            if token.sort == Sort::Sign && !token.among(&[",", "-", "'"]) || token.is("and") {
                return false;
            }
        }
        false
    }
}

/// Returns whether a word says what somebody does or wants.
fn is_acting(token: &Token) -> bool {
    is_wishing(token) || verbs::is_verb(token) && !verbs::is_time(token)
}
