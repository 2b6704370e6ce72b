//! The verbs of a wish, from the person to what is wished for: `am hoping to take`, `could I please have`.

use super::clause::is_adverb;
use super::lexicon::{is_asking, is_deed, is_small, is_wishing};
use super::licence::{Held, Licence};
use super::verbs;
use super::words::{Sort, Token};

const BE: [&str; 12] =
    ["am", "is", "are", "be", "been", "being", "was", "were", "isn't", "wasn't", "aren't", "weren't"];
const MODAL: [&str; 11] =
    ["gonna", "will", "would", "shall", "should", "must", "can", "do", "don't", "won't", "did"];
const POSSIBLE: [&str; 3] = ["could", "may", "might"];

/// Whether something is asked for or told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Told,
    Asked,
}

/// What a word is to the verbs of a wish.
enum Step {
    /// One of them, behind which a verb must follow.
    Opens,
    /// One of them, behind which what is wished for may follow.
    Goes,
    /// An adverb between them.
    Adverb,
    /// The first word behind them.
    Behind,
    /// A verb that makes the clause no wish, or all of one.
    Ends(Licence),
}

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Follows the verbs of a wish to what is wished for.
    pub(super) fn chain(&self, from: usize, tone: Tone) -> Licence {
        let mut at = from;
        // Behind the person a verb must follow.
        let mut open = true;
        while let Some(token) = self.words.get(at) {
            // `I have been asked by reception to order`
            if token.is("asked") && at > 0 && self.word(at - 1) == "been" {
                let to = (at + 1..self.words.len().min(at + 9)).find(|at| self.word(*at) == "to");
                let Some(to) = to else { return Licence::Open };
                at = to + 1;
                continue;
            }
            match self.step(token, at, from, tone) {
                Step::Opens => open = true,
                Step::Goes => open = false,
                Step::Adverb => {}
                Step::Behind => break,
                Step::Ends(licence) => return licence,
            }
            at += 1;
        }
        let unknown = self.words.get(at).is_some_and(|token| {
            let known = (self.topic)(token) || verbs::is_time(token) || is_small(token);
            let happens = self.report && verbs::is_happening(token);
            token.sort == Sort::Word && !known && !happens
        });
        if open && unknown { Licence::Open } else { self.judged(at) }
    }

    /// Follows the verbs of a request.
    pub(super) fn chain_asked(&self, from: usize, you: bool) -> Licence {
        let verb = (from..self.words.len()).find(|at| !is_adverb(&self.words[*at])).unwrap_or(from);
        let told = you && self.words.get(verb).is_some_and(|token| is_asking(token) || is_deed(token));
        if told { self.judged(verb + 1) } else { self.chain(from, Tone::Asked) }
    }

    fn step(&self, token: &Token, at: usize, from: usize, tone: Tone) -> Step {
        let word = token.low.as_str();
        let next = self.word(at + 1);
        let has = at > from && matches!(self.word(at - 1), "have" | "i've" | "we've");
        let past = (matches!(word, "had" | "did") || word == "got" && !has) && !self.report;
        if word.contains('\'') && word.starts_with(['i', 'w']) && at == from {
            return if matches!(word, "i'm" | "we're") { Step::Goes } else { Step::Opens };
        }
        if is_adverb(token) {
            return Step::Adverb;
        }
        // `tomorrow at noon I could be there`
        let offers = word == "could"
            && matches!(
                (next, self.word(at + 2)),
                ("be", "there" | "here" | "with") | ("come" | "make" | "drop" | "pop" | "manage" | "pick", _)
            );
        // `we came to seven`
        let amounts =
            matches!((word, next), ("came" | "come", "to") | ("settled" | "agreed" | "landed", "on"))
                && super::number::at(self.words, at + 2).is_some();
        if amounts {
            return Step::Ends(Licence::States);
        }
        if offers {
            return Step::Goes;
        }
        let doubtful = (POSSIBLE.contains(&word) || past) && tone == Tone::Told || word == "thinking";
        // `I was at your hotel`; `I was sick yesterday` says what is asked.
        let done = self.words.get(at + 1).is_some_and(|next| {
            verbs::is_past(next)
                && next.low.ends_with("ed")
                && (self.topic)(next)
                && !next.among(&["signed", "insured", "unpaid"])
        });
        let was =
            matches!(word, "was" | "were") && !self.report && (done || !self.words.iter().any(self.topic));
        // When one asks is not when one comes.
        let asks = word.starts_with("ask") && !matches!(next, "for" | "to");
        if doubtful || was || asks {
            return Step::Ends(Licence::Open);
        }
        if BE.contains(&word) {
            return Step::Goes;
        }
        if MODAL.contains(&word) || POSSIBLE.contains(&word) || word == "to" {
            return Step::Opens;
        }
        if is_deed(token) && self.does(at) {
            return Step::Ends(Licence::States);
        }
        let calls_in = word.starts_with("call") && next == "in" && self.is_topic(at + 2);
        let names_it = matches!(
            word,
            "call" | "consider" | "describe" | "classify" | "class" | "file" | "log" | "treat"
        ) && matches!(next, "it" | "this" | "that");
        let writes_to = matches!(word, "writing" | "calling" | "emailing" | "here") && next == "to";
        // `we're short two laptops`
        let lacks = matches!(word, "short" | "lacking" | "lack" | "missing" | "down")
            && !self.report
            && (next == "of" || super::number::at(self.words, at + 1).is_some());
        if calls_in || names_it || writes_to || lacks {
            return Step::Goes;
        }
        if self.is_foreign_move(token) {
            return Step::Ends(Licence::Open);
        }
        let wishes =
            matches!(word, "wanted" | "needed" | "wondering" | "hoped" | "meant") || is_wishing(token);
        if wishes { Step::Goes } else { Step::Behind }
    }

    /// Returns whether what is done is done to what the form asks about: `we patch staging`.
    pub(super) fn does(&self, verb: usize) -> bool {
        !self.report && self.words[verb + 1..].iter().any(self.topic)
    }

    /// Returns whether somebody starts, ends or comes where the form asks for no such thing: when we start is not when we
    /// need it.
    fn is_foreign_move(&self, token: &Token) -> bool {
        const GROUPS: [&[&str]; 2] = [
            &["start", "begin", "end", "finish"],
            &["come", "arrive", "stay", "check", "travel", "coming", "arrival", "arriving", "nights"],
        ];
        let knows = |word: &&str| (self.topic)(&Token { low: (*word).to_owned(), ..token.clone() });
        let stem = token.low.trim_end_matches("ing");
        !self.report
            && GROUPS.iter().any(|group| {
                group.iter().any(|word| token.is(word) || stem.len() > 3 && word.starts_with(stem))
                    && !group.iter().any(knows)
            })
    }
}
