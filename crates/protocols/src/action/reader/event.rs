//! What a clause tells of a time or an event: that a day suits, that something happened.

use super::clause::is_adverb;
use super::complement::{Complement, complement, is_time};
use super::lexicon::is_going;
use super::licence::{Held, Licence};
use super::verbs;
use super::words::{Sort, Token};

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Judges a clause that begins with a time of which something is said or asked.
    pub(super) fn time_suits(&self, first: usize) -> Option<Licence> {
        let asked = usize::from(matches!(self.word(first), "would" | "does" | "is" | "will"));
        let of_time = |at: &usize| {
            let token = &self.words[*at];
            token.sort == Sort::Digits
                || token.among(&[":", "."])
                || is_time(token)
                || token.among(&["on", "at", "the", "around", "about", "next", "this", "in", "of"])
        };
        let end = (first + asked..self.words.len()).find(|at| !of_time(at))?;
        let any =
            (first + asked..end).any(|at| self.words[at].sort == Sort::Digits || is_time(&self.words[at]));
        let token = &self.words[end];
        let said = is_going(token) && !token.among(&["is", "are", "has"])
            || token.among(&["possible", "ok", "okay", "fine"]);
        let goes = || if is_going(token) { self.goes(end) } else { self.judged(end + 1) };
        (any && said).then(goes)
    }

    /// Returns whether a verb tells what happened: `fell`, `was badly hurt`, `had an accident`.
    pub(super) fn happens(&self, verb: usize) -> bool {
        // `they put it out on Tuesday`, `we had it under control`
        let token = self.words.get(verb);
        let ended = token.is_some_and(|token| token.among(&["put", "had", "got", "brought"]))
            && self.words[verb..].iter().take(6).any(|token| token.among(&["out", "control"]));
        let was = token.is_some_and(|token| token.among(&["was", "were"]))
            && self.words[verb..].iter().take(4).any(|token| token.is("control"));
        if ended || was {
            return true;
        }
        // `was badly hurt`, `has slipped`; in `replaced the burnt cable` nothing burns.
        let first = self.words[verb.min(self.words.len())..].iter().find(|token| {
            !(verbs::is_auxiliary(token)
                || is_adverb(token)
                || token.low.ends_with("ly")
                || token.among(&["been", "got", "get", "be", "being", "gotten"])
                || token.low.contains('\''))
        });
        if first.is_some_and(verbs::is_happening) {
            return true;
        }
        let helps = self.words.get(verb).is_some_and(|token| {
            verbs::is_auxiliary(token)
                || token.low.contains('\'')
                || token.among(&[
                    "got",
                    "suffered",
                    "caused",
                    "saw",
                    "caught",
                    "witnessed",
                    "discovered",
                    "get",
                    "set",
                    "made",
                    "make",
                    "received",
                    "sustained",
                ])
        });
        helps && complement(self, verb + 1) == Complement::Known && self.words[verb..].iter().any(self.topic)
    }
}
