//! What is over beside what is asked for: absences of before, things that are already dealt with, and days that are pointed
//! at from another clause.
//!
//! A text may tell how something was before it says what it wants. Of what was, nothing is taken, once it is plain that
//! something else is meant.

use std::ops::Range;

use super::lexicon::{is_asking, is_wishing};
use super::mood::Muted;
use super::words::{Sort, Token};
use super::{complement, verbs};

/// What is done with a matter so that nobody has to ask for it again.
const DONE: [&str; 27] = [
    "recorded",
    "booked",
    "settled",
    "reported",
    "approved",
    "filed",
    "logged",
    "dealt",
    "handled",
    "sorted",
    "done",
    "submitted",
    "registered",
    "entered",
    "granted",
    "closed",
    "documented",
    "finished",
    "cleared",
    "resolved",
    "processed",
    "arranged",
    "taken",
    "over",
    "signed",
    "accounted",
    "covered",
];

/// Mutes clauses that tell of what is over, and opens days that a wish points back to.
pub(super) fn settle(all: &[Token], topic: &impl Fn(&Token) -> bool, report: bool, muted: &mut Muted) {
    let clauses = clauses(muted);
    for (at, clause) in clauses.iter().enumerate() {
        let words = &all[clause.clone()];
        if is_done(words) {
            let before = before(all, &clauses, at);
            let past = |range: &Range<usize>| is_past(&all[range.clone()]);
            let anew = clauses[at + 1..].iter().any(|next| begins_anew(&all[next.clone()]));
            if points_back(words) {
                for range in before.into_iter().filter(|range| anew || !report && past(range)) {
                    mute(muted, range);
                }
            }
            if anew || !report {
                mute(muted, clause.clone());
            }
        }
        if begins_anew(words) {
            let own = |range: &&Range<usize>| {
                let words = &all[(*range).clone()];
                !report && is_past(words) || is_done(words) || report && is_other(words)
            };
            for range in clauses[..at].iter().filter(own) {
                mute(muted, range.clone());
            }
        }
    }
    if report {
        join_events(all, &clauses, muted);
    } else {
        mute_absences(all, topic, &clauses, muted);
        open_days(all, &clauses, muted);
        open_things(all, topic, &clauses, muted);
    }
}

/// Mutes what somebody tells of an absence of before, where they ask for something with days of its own: `I was ill from 2 to
/// 6 March. I need annual leave from 4 May`.
fn mute_absences(
    all: &[Token],
    topic: &impl Fn(&Token) -> bool,
    clauses: &[Range<usize>],
    muted: &mut Muted,
) {
    let dated = |range: &Range<usize>| all[range.clone()].iter().any(is_day);
    let about = |range: &Range<usize>| all[range.clone()].iter().any(topic);
    let wished = clauses.iter().position(|range| {
        let words = &all[range.clone()];
        let states = range.clone().any(|at| !muted.values[at] && !muted.open_days[at]);
        let wishes = words.iter().any(|token| {
            (is_wishing(token) || token.among(&["i'd", "we'd"]))
                && !token.among(&["be", "been", "do", "has", "have", "got"])
        });
        states && wishes && !is_past(words) && dated(range) && about(range)
    });
    let Some(wished) = wished else { return };
    let sentence = all[clauses[wished].start].sentence;
    for (at, range) in clauses.iter().enumerate() {
        let words = &all[range.clone()];
        let was = words.windows(2).any(|pair| {
            pair[0].among(&["i", "we"])
                && pair[1].among(&["was", "were", "had", "took", "used", "got", "felt", "called"])
        });
        let apart = all[range.start].sentence != sentence || at + 1 < wished;
        if was && apart && at != wished && dated(range) {
            mute(muted, range.clone());
        }
    }
}

/// Lets days be taken that a wish points back to: `the school is shut from 20 to 24 April, so I'd like leave on those days`.
fn open_days(all: &[Token], clauses: &[Range<usize>], muted: &mut Muted) {
    for (at, range) in clauses.iter().enumerate().skip(1) {
        let words = &all[range.clone()];
        let points = words.windows(2).any(|pair| {
            pair[0].among(&["those", "these", "that", "same"])
                && pair[1].among(&["days", "dates", "day", "time", "period", "weeks"])
        });
        // `an unpaid day off for that please`
        let points = points
            || words.windows(3).any(|three| {
                three[0].is("for")
                    && three[1].is("that")
                    && (three[2].sort == Sort::Sign || three[2].is("please"))
            });
        let then = words.windows(2).any(|pair| pair[0].is("from") && pair[1].is("then"));
        let points = points || then;
        let states = then || range.clone().any(|at| !muted.values[at] && !muted.open[at]);
        let wishes = then
            || words.iter().any(|token| {
                is_wishing(token) || is_asking(token) || token.among(&["i'd", "we'd", "please", "leave"])
            });
        let denied = words
            .iter()
            .any(|token| token.among(&["not", "no", "never", "cannot"]) || token.low.ends_with("n't"));
        if !(points && states && wishes) || denied || words.iter().any(is_day) {
            continue;
        }
        // The nearest days before it are meant.
        let Some(named) = clauses[..at].iter().rev().find(|range| all[(*range).clone()].iter().any(is_day))
        else {
            continue;
        };
        for here in named.clone() {
            let token = &all[here];
            let timed = is_day(token)
                || complement::is_time(token)
                || token.sort != Sort::Word
                || token.among(&[
                    "from", "to", "until", "till", "on", "the", "of", "and", "next", "between", "through",
                ]);
            if timed {
                muted.values[here] = false;
                muted.open[here] = false;
                muted.open_days[here] = false;
                muted.days[here] = false;
            }
        }
    }
}

/// Lets a thing be taken that a wish names only by pointing at it: `her leave begins on 2 November, mine on the 4th`, `last year I
/// took my annual leave in August, this year I want it from 6 July`.
fn open_things(all: &[Token], topic: &impl Fn(&Token) -> bool, clauses: &[Range<usize>], muted: &mut Muted) {
    for (at, range) in clauses.iter().enumerate().skip(1) {
        let words = &all[range.clone()];
        let mine = words.iter().any(|token| token.among(&["mine", "ours"]));
        let it = words.windows(2).any(|pair| pair[0].among(&["want", "need", "take"]) && pair[1].is("it"));
        let denied = words.iter().any(|token| token.among(&["not", "no"]) || token.low.ends_with("n't"));
        let states = range.clone().any(|at| !muted.values[at] && !muted.open[at]);
        if !(mine || it) || denied || !states || !words.iter().any(is_day) {
            continue;
        }
        let named = |range: &&Range<usize>| {
            all[range.start].sentence == words[0].sentence && all[(*range).clone()].iter().any(topic)
        };
        let Some(named) = clauses[..at].iter().rev().find(named) else { continue };
        for here in named.clone().filter(|at| topic(&all[*at]) && !is_day(&all[*at])) {
            muted.values[here] = false;
            muted.open[here] = false;
        }
    }
}

/// Lets the day of a report be taken from what led to it: `there was a short circuit on 7 February and the cabinet caught fire`.
fn join_events(all: &[Token], clauses: &[Range<usize>], muted: &mut Muted) {
    for pair in clauses.windows(2) {
        let (cause, event) = (&all[pair[0].clone()], &all[pair[1].clone()]);
        let joined =
            event.first().is_some_and(|token| token.is("and")) && event[0].sentence == cause[0].sentence;
        let there = cause.windows(2).any(|two| two[0].is("there") && two[1].among(&["was", "were"]));
        let states = pair[1].clone().any(|at| !muted.values[at] && !muted.open[at]);
        let open = pair[0].clone().all(|at| !muted.values[at] && !muted.days[at]);
        if joined && there && states && open && !event.iter().any(is_day) {
            let day = |at: &usize| {
                is_day(&all[*at]) || all[*at].among(&["on", "the", "of", "th", "st", "nd", "rd", "last"])
            };
            for at in pair[0].clone().filter(day) {
                muted.open[at] = false;
                muted.open_days[at] = false;
            }
        }
    }
}

/// Lists the clauses of a text.
fn clauses(muted: &Muted) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, clause) in muted.clauses.iter().enumerate() {
        match found.last_mut() {
            Some(last) if last.start == *clause => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Lists the clauses that a pronoun points back to: those before it in its sentence, or else the sentence before.
fn before(all: &[Token], clauses: &[Range<usize>], at: usize) -> Vec<Range<usize>> {
    let sentence = all[clauses[at].start].sentence;
    let same = |sentence: usize| {
        clauses[..at]
            .iter()
            .filter(move |range| all[range.start].sentence == sentence)
            .cloned()
            .collect::<Vec<_>>()
    };
    let own = same(sentence);
    let last = clauses[..at].last().map(|range| all[range.start].sentence);
    if own.is_empty() { last.map(same).unwrap_or_default() } else { own }
}

fn mute(muted: &mut Muted, range: Range<usize>) {
    muted.values[range.clone()].fill(true);
    muted.days[range].fill(true);
}

/// Returns whether a clause says that a matter has been dealt with.
fn is_done(words: &[Token]) -> bool {
    let done = |token: &Token| token.among(&DONE);
    let has = |list: &[&str]| words.iter().any(|token| token.among(list));
    let been = words.windows(2).any(|pair| {
        pair[0].among(&["been", "is", "are", "was", "were", "that's", "it's", "already", "all", "got"])
            && done(&pair[1])
    });
    let already = has(&["already"]) && words.iter().any(done);
    let known =
        has(&["separate", "different"]) && has(&["matter", "case", "story", "thing", "issue", "request"]);
    let wishes =
        words.iter().any(|token| token.among(&["want", "need", "like", "please", "i'd", "we'd", "would"]));
    // `it was over on Tuesday` says when.
    let dated = words.iter().any(is_day);
    ((been || already) && !dated || known) && !wishes
}

/// Returns whether a clause speaks of what was said before it.
fn points_back(words: &[Token]) -> bool {
    words.iter().take(4).any(|token| {
        token.among(&[
            "that",
            "that's",
            "it",
            "it's",
            "which",
            "this",
            "those",
            "these",
            "they",
            "all",
            "everything",
        ])
    })
}

/// Returns whether a clause begins what is meant now: `this is about`, `now I need`, `this time`, `this request is`.
fn begins_anew(words: &[Token]) -> bool {
    let mut said = words.iter().filter(|token| token.sort == Sort::Word);
    let lead =
        said.find(|token| !token.among(&["but", "and", "so", "then", "anyway", "well", "here", "today"]));
    let (next, third) = (said.next(), said.next());
    let is = |token: Option<&Token>, list: &[&str]| token.is_some_and(|token| token.among(list));
    is(lead, &["this"])
        && is(next, &["time", "one", "request", "report", "year", "booking", "message", "form", "change"])
        || is(lead, &["this", "it's", "it"])
            && (is(next, &["is"]) && is(third, &["about", "for"]) || is(next, &["about"]))
        || is(lead, &["now"])
            && (is(next, &["i'd", "we'd"])
                || is(next, &["i", "we"])
                    && third.is_some_and(|token| is_wishing(token) || token.among(&["would", "am"])))
        || is(lead, &["i'm", "i"])
            && is(next, &["writing", "asking", "reporting"])
            && is(third, &["about", "because", "for"])
}

/// Returns whether a clause tells how something was.
fn is_past(words: &[Token]) -> bool {
    let helped = |at: usize| {
        at > 0 && words[at - 1].among(&["have", "has", "i've", "we've", "be", "been", "is", "are", "get"])
    };
    (0..words.len()).any(|at| {
        words[at].among(&["was", "were", "had", "took", "did", "wasn't"])
            || verbs::is_past(&words[at])
                && !helped(at)
                && !words[at].among(&["need", "cut", "hurt", "injured", "left", "sick"])
    })
}

/// Returns whether a report speaks of another matter: `the fire of 2 February`, `his own accident in March`.
fn is_other(words: &[Token]) -> bool {
    words.iter().any(|token| token.among(&["earlier", "previous", "other", "last", "then"]))
        && words.iter().any(|token| token.among(&["reported", "recorded", "closed", "settled", "report"]))
}

/// Returns whether a token is part of a day.
fn is_day(token: &Token) -> bool {
    token.sort == Sort::Digits
        || super::relative::day_name(token).is_some()
        || super::day::is_month(token)
        || super::feast::is_feast(token)
        || token.among(&["today", "tomorrow", "yesterday"])
}
