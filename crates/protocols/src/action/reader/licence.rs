//! Whether a clause states something for this form.
//!
//! Only what is recognised is a statement: the speaker who wants, needs, takes or reports something; what the form
//! asks about, and what it does; what happened, in a report; a request; a few words without a verb that are nearly
//! all understood. Anything else may hold a value, but the person is asked first.

use super::clause::{About, Clause, is_adverb, is_person};
use super::complement::{self, Complement, complement};
use super::lexicon::{
    is_asking, is_deed, is_fine, is_formal, is_going, is_goods, is_group, is_label, is_reaching, is_set,
    is_small,
};
use super::verbs;
use super::wish::Tone;
use super::words::{Sort, Token};

/// What may be taken from a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Licence {
    /// It states something about what the form asks.
    States,
    /// It names what the form asks about, but its days may be those of something else.
    Names,
    /// It may state something: that is asked.
    Open,
}

/// A clause, and what it is held against.
pub(super) struct Held<'a, T> {
    pub(super) words: &'a [Token],
    pub(super) parsed: Clause,
    /// Whether a word names what the form is about.
    pub(super) topic: &'a T,
    /// Whether the form reports what has happened.
    pub(super) report: bool,
}

/// What a fragment or request may begin with before it says anything.
const LEADS: [&str; 34] = [
    "and",
    "but",
    "so",
    "then",
    "please",
    "just",
    "also",
    "kindly",
    "hi",
    "hello",
    "hey",
    "ok",
    "okay",
    "yes",
    "no",
    "sorry",
    "well",
    "oh",
    "actually",
    "now",
    "thanks",
    "dear",
    "um",
    "uh",
    "yeah",
    "basically",
    "like",
    "unfortunately",
    "ideally",
    "let's",
    "oops",
    "wait",
    "ah",
    "er",
];

/// What stands between what is said of a thing and what it is.
const TURNED: [&str; 14] = [
    "been",
    "to",
    "being",
    "classified",
    "classed",
    "recorded",
    "logged",
    "filed",
    "treated",
    "regarded",
    "described",
    "counted",
    "reported",
    "as",
];

pub(super) fn is_lead(token: &Token) -> bool {
    token.sort == Sort::Sign || token.among(&LEADS)
}

impl<T: Fn(&Token) -> bool> Held<'_, T> {
    /// Says what may be taken from the clause.
    pub(super) fn licence(&self) -> Licence {
        match self.parsed.about {
            About::Speaker => self.speaker(),
            About::It => self.it(),
            About::Person => self.person(),
            About::Thing(head) => self.thing(head),
            About::Nobody => self.nobody(),
        }
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |token| token.low.as_str())
    }

    pub(super) fn is_topic(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(self.topic)
    }

    /// Says whether what stands from a token on is understood.
    pub(super) fn judged(&self, from: usize) -> Licence {
        match complement(self, from) {
            Complement::Known => Licence::States,
            Complement::Strange => Licence::Open,
        }
    }

    /// `I need`, `we'd like to book`, `I'm off`; in a report also `we had a fire`.
    fn speaker(&self) -> Licence {
        let Some(verb) = self.parsed.verb else { return Licence::Open };
        if self.report && (self.happens(verb) || self.takes_course(verb)) {
            return Licence::States;
        }
        if self.words.get(verb).is_some_and(is_deed) && self.does(verb) {
            return Licence::States;
        }
        self.chain(verb, Tone::Told)
    }

    /// `it starts on`, `there was a fire`, `that would be 3 nights`.
    fn it(&self) -> Licence {
        let Some(verb) = self.parsed.verb else {
            let first = self.words.iter().position(|token| token.sort == Sort::Word).unwrap_or(0);
            return self.judged(first + 1);
        };
        if self.report && (self.happens(verb) || self.takes_course(verb)) {
            return Licence::States;
        }
        self.goes(verb)
    }

    /// Follows what is said of a thing: `is`, `will be`, `starts`.
    pub(super) fn goes(&self, verb: usize) -> Licence {
        let mut at = verb;
        let joined = self.word(at).contains('\'');
        if !joined && self.words.get(at).is_some_and(|token| !is_going(token)) {
            let was = ["been", "was", "were", "has", "had", "lasted", "took", "came", "went", "ran", "broke"];
            let was = self.report && was.contains(&self.word(at));
            let fine = self.words.get(at).is_some_and(is_fine);
            let set = !self.report && self.words.get(at).is_some_and(is_set);
            if !(was || fine || set || matches!(self.word(at), "started" | "ended" | "began")) {
                return Licence::Open;
            }
        }
        at += 1;
        while self
            .words
            .get(at)
            .is_some_and(|token| is_adverb(token) || is_going(token) || is_set(token) || token.among(&TURNED))
        {
            at += 1;
        }
        self.judged(at)
    }

    /// In a report what happened to anyone; else only what `you` are asked to do.
    fn person(&self) -> Licence {
        if self.report {
            let first =
                self.words.iter().position(is_person).or_else(|| self.words.iter().position(is_small));
            let first = first.unwrap_or(0);
            let verb = self.parsed.verb.unwrap_or(first + 1);
            return if self.happens(verb) { Licence::States } else { Licence::Open };
        }
        let you = self.words.iter().position(|token| token.is("you"));
        let told = you.is_some_and(|you| {
            matches!(self.word(you + 1), "can" | "could" | "may" | "should" | "will")
                && self.words.get(you + 2).is_some_and(is_asking)
        });
        let reached = you.is_some_and(|you| self.words[you..].iter().take(3).any(is_reaching));
        if reached {
            return Licence::Names;
        }
        // `they are needed by Thursday`
        let needed = self.words.iter().find(|token| token.sort == Sort::Word && !is_lead(token));
        if let Some(verb) = self.parsed.verb
            && needed.is_some_and(|token| token.is("they"))
            && self.words[verb + 1..].iter().take(3).any(is_fine)
        {
            return self.goes(verb);
        }
        // `they're needed by Thursday`
        let joined = self.words.iter().position(|token| token.is("they're"));
        if let Some(at) = joined.filter(|at| self.words.get(at + 1).is_some_and(is_fine)) {
            return self.judged(at + 2);
        }
        if told { self.judged(you.unwrap_or(0) + 3) } else { Licence::Open }
    }

    /// `the leave starts on`; in a report also `a worker fell`.
    fn thing(&self, head: usize) -> Licence {
        let order = is_formal(&self.words[head])
            && self
                .parsed
                .verb
                .is_some_and(|verb| verb == head + 1 && self.words[verb].among(&["is", "are", "'s"]))
            && self.word(head + 2) == "for";
        let named = order
            || is_label(&self.words[head])
                && !matches!(self.word(head.wrapping_sub(1)), "his" | "her" | "their" | "your")
            || self.is_topic(head)
            || complement::is_time(&self.words[head]) && !self.words[head].is("couple")
            || complement::is_spoken_day(self.words, head)
            || self.is_number(head)
            || !self.report && is_goods(&self.words[head])
            || self.is_days_off(head)
            // `a pair of monitors`
            || self.words[head].among(&["pair", "couple", "set", "batch", "bunch", "total"])
                && self.word(head + 1) == "of"
                && (head + 2..head + 5).any(|at| self.is_topic(at));
        // `the worker who was injured in May is back`
        if !named && matches!(self.word(head + 1), "who" | "which" | "that" | "whose") {
            return Licence::Open;
        }
        // What befalls one's family is not reported at work.
        let family = self.words[..=head].windows(2).any(|pair| {
            pair[0].among(&["my", "his", "her", "their", "our", "your"])
                && (verbs::is_family(&pair[1]) || verbs::is_of_family(&pair[1]))
        });
        if self.report && (family && !self.is_child_hurt(head) || self.is_festive(head)) {
            return Licence::Open;
        }
        if self.report {
            return match self.parsed.verb {
                None => self.judged(0),
                Some(verb) if self.happens(verb) || self.is_event(head) => Licence::States,
                Some(verb) if self.is_topic(head) && self.has_effect(verb) => Licence::States,
                Some(verb) if (named || self.is_matter(head)) && self.takes_course(verb) => Licence::States,
                Some(verb) if named || self.is_matter(head) => self.goes(verb),
                Some(_) => Licence::Open,
            };
        }
        // `the doctor signed me off until Wednesday`
        if self.words.windows(2).any(|pair| pair[0].is("me") && pair[1].is("off")) {
            return Licence::States;
        }
        // `the doctor's note is in the office`, `my boss has approved unpaid leave`
        if self.words[head].among(&["note", "certificate"])
            && self
                .parsed
                .verb
                .is_some_and(|verb| self.words[verb].among(&["is", "will", "has", "was", "comes"]))
            && !self.words[..head].iter().any(|token| token.among(&["his", "her", "their"]))
            && (self.word(head + 2) != "for" || matches!(self.word(head + 3), "me" | "us" | "today" | "this"))
        {
            return Licence::Names;
        }
        if let Some(verb) = self.parsed.verb.filter(|_| self.is_approved()) {
            return self.judged(verb + 1);
        }
        let whose = self.words[..head].iter().any(|token| {
            token.among(&["his", "her", "their", "school", "bank", "public", "national"])
                || verbs::is_family(token) && !verbs::is_family(&self.words[head])
                || token.low.ends_with("'s")
                    && !token.low.contains("it's")
                    && !verbs::is_time(token)
                    && !(self.topic)(token)
                    && !token.among(&["that's", "there's", "here's", "today's", "tomorrow's"])
        });
        // `our department would like`, `ward 3 needs`; another's do not speak for this one.
        let other = self.words[..head]
            .iter()
            .any(|token| token.among(&["other", "another", "their", "his", "her", "your", "whose"]));
        let group = self.words[..=head].iter().any(is_group) && !other;
        let ours = group || self.words[..head].iter().any(|token| token.is("our"));
        if let Some(verb) = self.parsed.verb.filter(|_| ours && !named) {
            let wants = matches!(
                self.word(verb),
                "would" | "needs" | "wants" | "need" | "want" | "requests" | "requires" | "request" | "could"
            );
            return if wants { self.chain(verb, Tone::Told) } else { Licence::Open };
        }
        // `the shop in staging`: a thing without a name in the form, and an option beside it.
        let beside = matches!(self.word(head + 1), "in" | "on" | "at") && self.is_topic(head + 2);
        if self.parsed.verb.is_none() && beside && self.word(head.wrapping_sub(1)) == "the" {
            return Licence::Names;
        }
        // `working hours are Mon-Fri`
        let hours = self.words[head].is("hours")
            && head.checked_sub(1).is_some_and(|at| {
                self.words[at].among(&["working", "opening", "office", "business", "visiting", "core"])
            });
        if whose || !named || hours {
            return Licence::Open;
        }
        // `my two monitors are fine`: they are there already.
        let own = self.words[..head].iter().any(|token| token.among(&["my", "our"]));
        let fine = self.parsed.verb.is_some_and(|verb| self.words[verb..].iter().take(4).any(is_fine));
        if own && fine && !verbs::is_time(&self.words[head]) || self.is_there(head) {
            return Licence::Open;
        }
        // `a mouse for my home office` is a wish; of `the laptop for Tom is` it is said whose it is.
        let of = match self.word(head + 1) {
            "of" => true,
            // `the monitor in meeting room 4` is there already.
            "in" | "at" | "on" | "from"
                if self.words[..head].iter().any(|token| token.among(&["the", "my", "our"])) =>
            {
                true
            }
            "at" | "with" | "for" => self.parsed.verb.is_some(),
            _ => false,
        };
        // `the holidays of my kids`
        let theirs = self.word(head + 1) == "of"
            && (matches!(self.word(head + 2), "his" | "her" | "their" | "others")
                || matches!(self.word(head + 2), "my" | "our" | "the")
                    && self
                        .words
                        .get(head + 3)
                        .is_some_and(|token| verbs::is_family(token) || verbs::is_other(token)));
        if theirs || of && self.judged(head + 2) == Licence::Open {
            return Licence::Open;
        }
        self.parsed.verb.map_or(Licence::States, |verb| self.goes(verb))
    }

    fn is_days_off(&self, head: usize) -> bool {
        self.word(head) == "off" && head.checked_sub(1).is_some_and(|at| verbs::is_time(&self.words[at]))
    }
}
