//! Fragments: clauses that say no more than what is wanted or what there was, without a verb that says it of anyone:
//! `repeat prescription for my tablets`, `five days of vacation kicking off Monday`.

use super::clause::About;
use super::lexicon::{is_asking, is_fine, is_small, is_wishing};
use super::licence::{Held, is_lead};
use super::verbs;
use super::words::{Sort, Token};

/// What says something of somebody, so that a clause is no fragment.
const SAYS: [&str; 43] = [
    "is", "are", "was", "were", "has", "had", "have", "will", "would", "did", "does", "do", "been", "be",
    "isn't", "wasn't", "won't", "don't", "he", "she", "they", "his", "her", "their", "him", "them", "he's",
    "she's", "they're", "who", "whose", "when", "if", "how", "why", "what", "which", "where", "than", "like",
    "you", "your", "whether",
];

/// Things that are asked about and not for, though something that the form knows stands behind them.
const ABOUT: [&str; 38] = [
    "price",
    "prices",
    "cost",
    "costs",
    "quote",
    "info",
    "information",
    "details",
    "list",
    "photo",
    "picture",
    "manual",
    "policy",
    "rules",
    "rule",
    "form",
    "status",
    "invoice",
    "receipt",
    "copy",
    "question",
    "questions",
    "advice",
    "update",
    "news",
    "training",
    "talk",
    "test",
    "drill",
    "safety",
    "warranty",
    "problem",
    "problems",
    "issue",
    "trouble",
    "repair",
    "history",
    "maximum",
];

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Returns whether a clause is a fragment that names what the form asks about.
    pub(super) fn is_fragment(&self) -> bool {
        if self.parsed.about != About::Nobody || self.parsed.verb.is_some() {
            return false;
        }
        let Some(first) = self.words.iter().position(|token| !is_lead(token)) else { return false };
        let words = &self.words[first..];
        // `pick up the two monitors`, `could someone cover for me`
        let deed = words[0].among(&["pick", "look", "take", "hand", "bring"])
            && words.get(1).is_some_and(|next| next.among(&["up", "at", "after", "away", "back"]));
        let whom = words[0].among(&["could", "can", "would", "will"])
            && words.get(1).is_some_and(|next| {
                next.among(&["someone", "somebody", "anyone", "anybody"]) || next.among(&["my", "our"])
            });
        let common = words[0].among(&["school", "bank", "public", "national"])
            && words.get(1).is_some_and(|next| next.low.starts_with("holiday"));
        if deed || whom || common {
            return false;
        }
        let owned = |token: &Token| {
            token.low.ends_with("'s")
                && !verbs::is_time(token)
                && !token.among(&["that's", "it's", "doctor's"])
        };
        let past = |token: &Token| {
            verbs::is_past(token) && !(self.topic)(token) && !is_fine(token) && !is_participle(token)
        };
        let says = |token: &Token| token.among(&SAYS) || token.among(&ABOUT) || owned(token) || past(token);
        let names = words.iter().any(|token| (self.topic)(token) && !verbs::is_time(token));
        // `two of my drivers`, `lads on my crew`: those who are named first would say something.
        let others = words.iter().take(5).any(|token| verbs::is_other(token) || verbs::is_family(token))
            && !words.iter().take(2).any(|token| (self.topic)(token));
        names && !others && !words.iter().any(says) && self.begins_well(first)
    }

    /// Returns whether what a fragment begins with leads to what is named: a count, a wish, a time, or the thing itself.
    fn begins_well(&self, first: usize) -> bool {
        let token = &self.words[first];
        let near = self.words[first..].iter().take(6).any(|token| (self.topic)(token));
        let verb = is_wishing(token) || is_asking(token);
        let unknown = token.sort == Sort::Word && !is_small(token) && !(self.topic)(token) && !verb;
        near && (!unknown || !token.among(&["sick", "fire"]))
    }
}

/// Returns whether a past form is said of a thing rather than of a deed: `delivered by Friday`, `attached`.
fn is_participle(token: &Token) -> bool {
    token.among(&[
        "needed",
        "required",
        "wanted",
        "delivered",
        "attached",
        "enclosed",
        "included",
        "insured",
        "prescribed",
        "paid",
        "unpaid",
        "bundled",
        "accompanied",
        "combined",
        "requested",
        "starting",
        "planned",
        "based",
        "used",
        "preferred",
        "matched",
        "fitted",
        "equipped",
        "hundred",
        "accompanied",
        "signed",
        "cordless",
        "wired",
        "curved",
        "renewed",
    ])
}
