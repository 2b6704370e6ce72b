//! Clauses in which nobody is named: requests and fragments.

use super::complement;
use super::lexicon::{is_asking, is_deed, is_going, is_reaching, is_small, is_wishing};
use super::licence::{Held, Licence, is_lead};
use super::verbs;
use super::wish::Tone;
use super::words::{Sort, Token};

/// What may be, and stands first in a request.
const MAY: [&str; 13] = [
    "will", "would", "shall", "should", "must", "can", "do", "don't", "won't", "did", "could", "may", "might",
];

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// `book me a double`, `could I have`, `annual leave, 3 to 5 March`.
    pub(super) fn nobody(&self) -> Licence {
        let Some(first) = self.words.iter().position(|token| !is_lead(token)) else { return Licence::States };
        let token = &self.words[first];
        let next = self.word(first + 1);
        // `do we get Christmas Eve off this year`
        if token.among(&["do", "did", "don't"]) && matches!(next, "i" | "we") {
            return Licence::Open;
        }
        // `can my husband come on Friday`
        let others = |token: &Token| verbs::is_family(token) || verbs::is_other(token);
        if token.among(&MAY)
            && matches!(next, "my" | "our" | "his" | "her")
            && self.words.get(first + 2).is_some_and(others)
        {
            return Licence::Open;
        }
        // `could someone cover for me from 15 June`; `could someone book me` asks.
        if token.among(&MAY)
            && matches!(next, "someone" | "somebody" | "anyone" | "anybody" | "he" | "she" | "they")
            && !self.words.get(first + 2).is_some_and(is_asking)
        {
            return Licence::Open;
        }
        // `school holidays start on 22 July`
        if token.among(&["school", "bank", "public", "national"]) && next.starts_with("holiday") {
            return Licence::Open;
        }
        // `pick up the two old monitors`
        if token.is("pick") && next == "up" {
            return Licence::Open;
        }
        if token.among(&MAY) && matches!(next, "i" | "we" | "you" | "u") {
            return self.chain_asked(first + 2, matches!(next, "you" | "u"));
        }
        // `guy from assembly hurt his hand`
        let tells = |at: usize| verbs::is_auxiliary(&self.words[at]) && self.happens(at);
        if self.report && (self.words.iter().any(verbs::is_happening) || (first..self.words.len()).any(tells))
        {
            return Licence::States;
        }
        // `the fire started on Monday and lasted until Tuesday`
        if self.takes_course(first) {
            return Licence::States;
        }
        // `been ill since yesterday`
        if token.is("been") && self.is_topic(first + 1) {
            return self.judged(first + 1);
        }
        // `after a check-up`
        if token.is("after")
            && matches!(next, "a" | "an" | "some" | "another")
            && self.is_topic(first + 2)
            && !self.report
        {
            return self.judged(first + 1);
        }
        if !self.report && self.is_accepted(first) {
            return Licence::States;
        }
        // `my manager, who is away, has approved 20 headphones`
        let approved = matches!(next, "approved" | "okayed" | "authorised" | "authorized" | "granted");
        let others =
            self.words.iter().any(|token| token.among(&["his", "her", "their", "him", "them", "not"]));
        if token.is("has") && approved && !others && !self.report {
            return self.judged(first + 2);
        }
        if !self.report
            && let Some(Licence::States) = self.time_suits(first)
        {
            return Licence::States;
        }
        // `Tuesday 2 March is early enough`
        let timed = |token: &Token| {
            complement::is_time(token)
                || token.sort != Sort::Word
                || token.among(&["the", "on", "next", "this", "coming", "of", "at", "by"])
        };
        let verb = (first..self.words.len()).find(|at| !timed(&self.words[*at])).filter(|at| *at > first);
        // `Friday at 10 was taken`
        if !self.report && verb.is_some_and(|verb| self.words[verb].among(&["was", "were", "wasn't"])) {
            return Licence::Open;
        }
        if let Some(verb) = verb
            && self.words[verb]
                .among(&["is", "works", "would", "suits", "will", "fits", "sounds", "should", "seems"])
        {
            // `Boxing Day is on a Saturday`, `Monday is a holiday`
            let falls = self.words[verb..].windows(2).any(|pair| {
                pair[0].among(&["a", "an", "bank", "public"])
                    && (super::relative::day_name(&pair[1]).is_some()
                        || pair[1].among(&["holiday", "bank", "public"]))
            });
            if falls {
                return Licence::Open;
            }
            return self.goes(verb);
        }
        // `what I need is`
        let ours = matches!(next, "the" | "our" | "my")
            && self.words[first..]
                .iter()
                .take(5)
                .any(|token| token.among(&["wants", "needs", "want", "need", "requires"]));
        if token.is("what") && (ours || matches!(next, "i" | "we" | "i'd" | "we'd")) {
            let is = (first + 2..self.words.len().min(first + 6))
                .find(|at| matches!(self.word(*at), "is" | "are"));
            return is.map_or(Licence::Open, |is| self.judged(is + 1));
        }
        // `would Thursday at 9 work`, `Tuesday at 11 would suit me`
        if let Some(licence) = self.time_suits(first) {
            return licence;
        }
        let possible = (first..self.words.len().min(first + 4))
            .find(|at| matches!(self.word(*at), "possible" | "chance" | "possibility" | "wondering"));
        if let Some(at) = possible {
            return self.chain_asked(at + 1, false);
        }
        if is_reaching(token) {
            return Licence::Names;
        }
        if is_going(token) && !is_asking(token) {
            return self.goes(first);
        }
        if is_deed(token) && self.does(first) {
            return Licence::States;
        }
        if is_wishing(token) {
            return self.chain(first, Tone::Asked);
        }
        if is_asking(token) {
            return self.judged(first + 1);
        }
        // `calling in sick today`, `feeling ill`
        if token.low.len() > 5 && token.low.ends_with("ing") && !self.is_topic(first) {
            return self.chain(first, Tone::Asked);
        }
        if verbs::is_past(token)
            && !self.is_topic(first)
            && !token.among(&[
                "need",
                "started",
                "ended",
                "attached",
                "required",
                "needed",
                "lasted",
                "delivered",
                "paid",
                "wanted",
                "enclosed",
                "requested",
                "finished",
                "done",
                "wrapped",
            ])
        {
            return Licence::Open;
        }
        // `two of my plants need water`
        let things = (first..self.words.len().saturating_sub(2)).take(3).find(|at| {
            self.word(*at) == "of"
                && matches!(self.word(at + 1), "my" | "our" | "the" | "his" | "her" | "their")
        });
        if let Some(at) = things.filter(|at| !self.report && *at > first)
            && self.words[first].sort != Sort::Sign
            && super::number::at(self.words, first).is_some_and(|number| number.next == at)
            && self.words.get(at + 2).is_some_and(|token| !(self.topic)(token) && !complement::is_time(token))
        {
            return Licence::Open;
        }
        // `three of us share a monitor`
        let share = (first..self.words.len().saturating_sub(2))
            .find(|at| self.word(*at) == "of" && matches!(self.word(at + 1), "us" | "them" | "you"));
        if let Some(at) = share
            && self.words.get(at + 2).is_some_and(|token| {
                token.sort == Sort::Word
                    && !is_small(token)
                    && !(self.topic)(token)
                    && !is_wishing(token)
                    && !verbs::is_time(token)
            })
        {
            return Licence::Open;
        }
        // A verb that was not found so far says something of a thing that is not known.
        let told = self.words[first..]
            .iter()
            .take_while(|token| {
                !token.among(&[
                    "as", "since", "because", "who", "which", "that", "if", "when", "while", "so", "where",
                ])
            })
            .skip(1)
            .any(|token| token.among(&["was", "were", "had", "has", "did", "is", "are"]));
        // `unpaid it is`
        let it_is = self.words.windows(2).any(|pair| pair[0].is("it") && pair[1].is("is"));
        if told && !it_is && !self.report && self.parsed.verb.is_none() {
            return Licence::Open;
        }
        self.judged(first)
    }
}
