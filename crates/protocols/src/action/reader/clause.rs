//! Clauses: who or what each is about, and its verb. Where one ends: `border`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::verbs;
use super::words::{Sort, Token};

/// Who or what a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Whoever speaks.
    Speaker,
    /// What was spoken of before: it, this, there.
    It,
    /// Another person: he, they, somebody.
    Person,
    /// What a noun names; its head is this token.
    Thing(usize),
    /// Nobody is named: a fragment, a request.
    Nobody,
}

/// A clause taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    pub(super) about: About,
    /// The verb of what is said, if there is one.
    pub(super) verb: Option<usize>,
}

pub(super) const SPEAKER: [&str; 12] =
    ["i", "i'm", "i'd", "i'll", "i've", "we", "we're", "we'd", "we'll", "we've", "me", "im"];
const IT: [&str; 25] = [
    "it",
    "it's",
    "this",
    "that",
    "there",
    "mine",
    "mine's",
    "ours",
    "ours'",
    "everything",
    "that's",
    "there's",
    "it'll",
    "all",
    "these",
    "which",
    "here",
    "nothing",
    "none",
    "both",
    "its",
    "there'll",
    "that'll",
    "it'd",
    "that'd",
];
const PERSON: [&str; 17] = [
    "he",
    "she",
    "they",
    "he's",
    "she's",
    "they're",
    "somebody",
    "someone",
    "nobody",
    "everyone",
    "everybody",
    "anyone",
    "anybody",
    "who",
    "they've",
    "you",
    "people",
];
const DETERMINERS: [&str; 12] =
    ["my", "our", "his", "her", "their", "the", "a", "an", "some", "another", "one", "your"];
/// What may stand before the subject.
static LEADS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    "and but so then since because as hi hello well hey hiya yes no ok okay sorry thanks now also please anyway \
     morning actually that when while apparently though although oh wait nope oops um uh er erm hm hmm ah right yeah \
     yep yup let's sir madam guys folks mate lol haha btw fyi ps sure plus again afternoon evening dear cheers look listen unfortunately"
        .split_whitespace()
        .collect()
});
const PREPOSITIONS: [&str; 20] = [
    "on", "in", "at", "of", "for", "from", "to", "with", "by", "near", "about", "between", "until", "till",
    "during", "after", "before", "since", "without", "into",
];

/// Takes a clause apart. `topic` says whether a word names what the form is about.
pub(super) fn parse(all: &[Token], topic: &impl Fn(&Token) -> bool) -> Clause {
    let leads = |token: &&Token| {
        let adverb = super::complement::is_manner(token) && !topic(token) && !verbs::is_time(token);
        LEADS.contains(token.low.as_str()) || token.sort == Sort::Sign || adverb
    };
    let mut at = all.iter().take_while(leads).count();
    // `that makes seven`: it leads to no subject where a verb follows it.
    let makes = |at: usize| {
        all.get(at).is_some_and(|token| verbs::is_verb(token) || token.among(&["makes", "brings", "leaves"]))
    };
    // `that one begins on`
    let one = all.get(at).is_some_and(|token| token.is("one")) && makes(at + 1);
    if at > 0 && all[at - 1].is("that") && (makes(at) || one) {
        at -= 1;
    }
    // `on Monday we`, `from 16 November I am`, `last night a lorry`
    at = behind_time(all, at).unwrap_or(at);
    // `only mine is missing`
    let pointed = all.get(at + 1).is_some_and(|next| next.among(&["mine", "ours"]));
    at += usize::from(pointed && all[at].among(&["only", "just"]));
    // `for them I'd like to order`
    let for_them = all.get(at).is_some_and(|token| token.is("for"))
        && all
            .get(at + 1)
            .is_some_and(|token| token.among(&["them", "us", "him", "her", "me", "that", "it", "this"]))
        && all.get(at + 2).is_some_and(|token| token.among(&SPEAKER));
    at += if for_them { 2 } else { 0 };
    let verb_from = |from: usize| {
        (from..all.len().min(from + 5))
            .find(|at| verbs::is_verb(&all[*at]) || (verbs::is_third_person(all, *at) && !topic(&all[*at])))
    };
    let Some(first) = all.get(at) else { return Clause { about: About::Nobody, verb: None } };
    // `Tom and I need`
    let joined = (at + 2..all.len().min(at + 6)).find(|here| {
        all[*here].is("i")
            && all[here - 1].is("and")
            && all.get(here + 1).is_some_and(|next| {
                super::lexicon::is_wishing(next) || is_adverb(next) || verbs::is_auxiliary(next)
            })
    });
    if let Some(here) = joined.filter(|_| first.sort == Sort::Word) {
        let verb = (here + 1..all.len()).find(|at| !is_adverb(&all[*at]));
        return Clause { about: About::Speaker, verb };
    }
    if first.among(&SPEAKER) {
        let verb = (at + 1..all.len()).find(|at| !is_adverb(&all[*at]));
        let joined = first.low.contains('\'').then_some(at);
        // `me and my husband want`
        if first.is("me") {
            let verb = (at + 1..all.len().min(at + 8)).find(|at| super::lexicon::is_wishing(&all[*at]));
            return Clause { about: About::Speaker, verb: verb_from(at + 1).or(verb) };
        }
        return Clause { about: About::Speaker, verb: joined.or(verb) };
    }
    // `this report is from …`
    let pointed = first.among(&["this", "that", "these", "those"])
        && all.get(at + 1).is_some_and(|next| {
            next.sort == Sort::Word
                && !verbs::is_verb(next)
                && !verbs::is_time(next)
                && !next.among(&PREPOSITIONS)
                && !super::lexicon::is_going(next)
                && !next.is("one")
        });
    if first.among(&IT) && !pointed {
        let makes = (at + 1..all.len().min(at + 3)).find(|at| all[*at].among(&["makes", "brings"]));
        return Clause { about: About::It, verb: verb_from(at).or(makes) };
    }
    // `new one is`, `correct number is`
    let newer = first.among(&["new", "correct", "right", "current", "proper", "actual"])
        && all.get(at + 1).is_some_and(|next| next.is("one") || super::lexicon::is_label(next))
        && all.get(at + 2).is_some_and(|next| next.among(&["is", ":"]));
    if newer {
        return Clause { about: About::It, verb: verb_from(at) };
    }
    if first.among(&PERSON) {
        return Clause { about: About::Person, verb: verb_from(at) };
    }
    // `one of my reps got into a crash`
    let part = all.get(at + 1).is_some_and(|next| next.is("of"))
        && all.get(at + 2).is_some_and(|next| next.among(&DETERMINERS))
        && (super::number::at(all, at).is_some() || first.among(&["some", "several", "most", "one"]));
    if part {
        at += 2;
    }
    // `last day of my leave is`
    let edge = all.get(at + 1).is_some_and(|next| {
        first.among(&["first", "last", "final"]) && next.among(&["day", "date", "night"])
            || first.among(&["start", "end", "beginning"]) && next.is("of")
    });
    if first.among(&DETERMINERS) || pointed || part || edge {
        let verb = (at + 1..all.len().min(at + 12))
            .take_while(|at| all[*at].sort != Sort::Sign || within_figures(all, *at))
            .find(|verb| {
                let plural = *verb > at + 1 && verbs::is_happening(&all[*verb]) && !topic(&all[*verb])
                    || *verb > at + 1
                        && all[*verb].among(&["want", "need", "prefer", "arrive", "come", "stay", "like"]);
                // `our supplier delivers laptops`
                let deals = *verb > at + 1
                    && super::verbs::is_third_form(&all[*verb])
                    && !topic(&all[*verb])
                    && all.get(*verb + 1).is_some_and(|next| topic(next) && !verbs::is_time(next));
                verbs::is_verb(&all[*verb])
                    || plural
                    || deals
                    || (*verb > 1 && verbs::is_third_person(all, *verb) && !topic(&all[*verb]))
            });
        let stop = verb.unwrap_or(all.len());
        let to = (at + 1..stop)
            .find(|at| {
                all[*at].sort != Sort::Word
                    || all[*at].among(&PREPOSITIONS)
                    || all[*at].among(&SPEAKER)
                    || all[*at]
                        .among(&["please", "thanks", "then", "only", "too", "instead", "together", "along"])
            })
            .unwrap_or(stop);
        // `since the divorce I have`
        let since = all[..at].last().is_some_and(|token| token.is("since"));
        if let Some(speaker) =
            (at + 2..all.len().min(at + 5)).find(|here| all[*here].among(&SPEAKER)).filter(|_| since)
        {
            let verb = (speaker + 1..all.len()).find(|at| !is_adverb(&all[*at]));
            return Clause { about: About::Speaker, verb };
        }
        // `so a mouse and, while we are at it, a dock`
        let joined = |head: &usize| all[*head].among(&["and", "or", "plus"]);
        let head = to.checked_sub(1).map(|head| if joined(&head) { head.saturating_sub(1) } else { head });
        let head = head.filter(|head| *head > at);
        return match head {
            Some(head) => Clause { about: About::Thing(head), verb },
            None => Clause { about: About::Nobody, verb },
        };
    }
    // `Jonas is on vacation`, `Marketing announced`, `payroll closes on`: one or two words before a verb.
    let plain = first.sort == Sort::Word
        && !first.among(&PREPOSITIONS)
        && !verbs::is_verb(first)
        && !verbs::is_time(first)
        && !first.low.ends_with("n't")
        && !first.among(&["not", "no", "never", "none", "all", "only", "just", "each", "done"])
        && !super::complement::is_manner(first);
    let noun = |token: &Token| {
        // `ward 4 needs`
        token.is(".")
            || token.sort == Sort::Digits
            || token.sort == Sort::Word
                && !token.among(&DETERMINERS)
                && !token.among(&PREPOSITIONS)
                && !token.among(&SPEAKER)
                && !token.among(&["it", "us", "you", "them", "him", "and", "or", "not"])
    };
    // `Ella's holiday form says`
    let reach = if first.low.ends_with("'s") || first.among(&["mr", "mrs", "ms", "dr"]) { 5 } else { 3 };
    // `two cars in an accident` is no verb.
    let third = |verb: usize| super::number::at(all, at).is_none() && verbs::is_third_person(all, verb);
    let verb = (at + 1..all.len().min(at + reach)).find(|verb| {
        let token = &all[*verb];
        let between = all[at + 1..*verb].iter().all(noun);
        between
            && (verbs::is_verb(token) || third(*verb) && !topic(token))
            && !token.among(&["do", "have", "can"])
    });
    match verb.filter(|_| plain) {
        Some(verb) => Clause { about: About::Thing(verb - 1), verb: Some(verb) },
        None => Clause { about: About::Nobody, verb: verbs::is_verb(first).then_some(at) },
    }
}

/// Returns whether a sign stands between figures: 08:00, 24.7.
fn within_figures(all: &[Token], at: usize) -> bool {
    let figures =
        |at: Option<usize>| at.and_then(|at| all.get(at)).is_some_and(|token| token.sort == Sort::Digits);
    figures(at.checked_sub(1)) && figures(Some(at + 1))
}

/// Returns the token behind words of time that stand before a subject.
fn behind_time(all: &[Token], at: usize) -> Option<usize> {
    let mut next = at;
    let mut timed = false;
    while let Some(token) = all.get(next) {
        let quarter = token.is("a") && all.get(next + 1).is_some_and(|next| next.among(&["quarter", "half"]));
        let time = quarter
            || super::complement::is_time(token)
            || timed && super::number::at(all, next).is_some() && !token.is("one")
            || token.among(&["yesterday", "today", "tomorrow", "tonight", "ago", "last", "next", "this"])
            || token.sort == Sort::Digits
            || token.among(&["st", "nd", "rd", "th"]);
        let joins = token.among(&[
            "on", "from", "in", "the", "of", "at", "since", "until", ",", ":", "before", "during", "after",
        ]);
        if !(time || joins) {
            break;
        }
        timed |= time;
        next += 1;
    }
    // Only where somebody is named behind it; else it is all there is.
    let subject = all.get(next).is_some_and(|token| {
        token.among(&SPEAKER)
            || token.among(&PERSON)
            || token.among(&["it", "a", "an", "my", "our", "there", "mr", "mrs", "ms", "dr"])
            || token.sort == Sort::Word && all.get(next + 1).is_some_and(verbs::is_verb)
    });
    // The article was counted among the words of time: `yesterday the …`.
    let article =
        next.checked_sub(1).filter(|before| *before > at && all[*before].is("the") && next < all.len());
    (timed && subject).then_some(next).or(article.filter(|_| timed))
}

/// Returns whether a word stands for another person.
pub(super) fn is_person(token: &Token) -> bool {
    token.among(&PERSON)
}

pub(super) fn is_adverb(token: &Token) -> bool {
    if super::complement::is_manner(token) {
        return true;
    }
    token.among(&[
        "please",
        "rather",
        "preferably",
        "sooner",
        "better",
        "also",
        "just",
        "only",
        "really",
        "already",
        "still",
        "actually",
        "now",
        "then",
        "therefore",
        "currently",
        "both",
        "all",
        "hereby",
        "almost",
        "nearly",
        "never",
        "always",
        "probably",
        "certainly",
        "definitely",
        "not",
    ])
}
