//! The course of what is reported: that it broke out, dragged on, was over.

use super::licence::Held;
use super::words::Token;
use super::{number, verbs};

/// What an incident is called by those who do not say of which kind it was.
const MATTERS: [&str; 16] = [
    "trouble",
    "thing",
    "problem",
    "event",
    "matter",
    "situation",
    "mess",
    "episode",
    "incident",
    "whole",
    "disaster",
    "emergency",
    "chaos",
    "drama",
    "incidents",
    "everything",
];

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Returns whether words from a verb on tell how something went: `took so long`, `went on until`, `wrapped up`, `was out`.
    pub(super) fn takes_course(&self, verb: usize) -> bool {
        if !self.report {
            return false;
        }
        let next = self.word(verb + 1);
        let counts = number::at(self.words, verb + 1).is_some();
        match self.word(verb) {
            "took" => {
                counts
                    || matches!(
                        next,
                        "so" | "ages"
                            | "long"
                            | "forever"
                            | "until"
                            | "till"
                            | "a"
                            | "over"
                            | "place"
                            | "that"
                            | "all"
                    )
            }
            "went" => matches!(next, "on" | "out"),
            "kicked" => next == "off",
            "wrapped" => next == "up",
            "came" => next == "to" && matches!(self.word(verb + 2), "an" | "a" | "the"),
            "broke" => next == "out",
            "dragged" | "lasted" | "continued" | "burned" | "burnt" | "commenced" | "concluded"
            | "smouldered" | "kept" | "raged" | "started" | "ended" | "finished" | "happened"
            | "occurred" | "began" => true,
            "was" | "were" | "wasn't" | "got" => {
                let rest = self.words.get(verb + 1..).unwrap_or_default();
                rest.iter().take(4).any(|token| {
                    token.among(&[
                        "out",
                        "over",
                        "done",
                        "finished",
                        "extinguished",
                        "contained",
                        "control",
                        "resolved",
                        "ended",
                    ])
                })
            }
            _ => false,
        }
    }

    /// Returns whether a clause is about the incident itself, whatever it is called.
    pub(super) fn is_matter(&self, head: usize) -> bool {
        self.words.get(head).is_some_and(|token| token.among(&MATTERS))
    }

    /// Returns whether an incident is named of which something else is told: `the van crash on Tuesday has blocked our gate`.
    pub(super) fn is_event(&self, head: usize) -> bool {
        let done = self.parsed.verb.is_some_and(|verb| {
            let token = &self.words[verb];
            verbs::is_past(token) || token.among(&["has", "have", "had", "was", "were"])
        });
        let other = self.words.get(head).is_some_and(|token| {
            token.among(&[
                "report", "form", "type", "date", "reports", "location", "place", "reason", "end", "start",
            ])
        });
        let whose = self.words[..head].iter().any(|token| {
            token.among(&["his", "her", "their", "your", "another", "old", "first", "last"])
                || token.low.ends_with("'s")
                || verbs::is_family(token)
        });
        self.report && done && self.is_topic(head) && !other && !whose
    }

    /// Returns whether a clause without a subject says that something offered is right: `without pay is fine by me`.
    pub(super) fn is_accepted(&self, first: usize) -> bool {
        let is = (first + 1..self.words.len())
            .find(|at| matches!(self.word(*at), "is" | "are" | "would" | "will" | "'s" | "sounds" | "works"));
        let Some(is) = is else { return false };
        let plain = self.words[first..is].iter().all(|token| {
            (self.topic)(token) || super::lexicon::is_small(token) || super::complement::is_time(token)
        });
        let named = self.words[first..is].iter().any(|token| (self.topic)(token));
        let fine =
            self.words[is..].iter().take(4).any(|token| super::lexicon::is_fine(token) || token.is("do"));
        plain && named && fine && !self.words[is..].iter().any(|token| token.among(&["not", "never"]))
    }

    /// Returns whether whoever decides has agreed to what the speaker asks for: `my boss has okayed unpaid leave for 12 May`.
    pub(super) fn is_approved(&self) -> bool {
        let own = self.words.iter().take(3).any(|token| token.among(&["my", "our"]));
        let verb = self.words.iter().position(|token| {
            token.among(&["okayed", "ok'd", "approved", "authorised", "authorized", "granted", "cleared"])
        });
        let Some(verb) = verb else { return false };
        let behind = &self.words[verb + 1..];
        let others = behind.iter().any(|token| {
            token.among(&["his", "her", "their", "last", "no", "not"]) || token.low.ends_with("'s")
        });
        // `for Petra`
        let others = others
            || behind.windows(2).any(|pair| {
                pair[0].is("for")
                    && pair[1].sort == super::words::Sort::Word
                    && !super::lexicon::is_small(&pair[1])
                    && !super::complement::is_time(&pair[1])
                    && !(self.topic)(&pair[1])
            });
        own && !self.report && !others && behind.iter().take(3).any(|token| (self.topic)(token))
    }
}
