//! What the words before a day or time say about it: that something starts, that it ends, or which field it is for.

use super::mention::Phrase;
use super::scan::Scan;
use super::words::Sort;

/// What the words before a moment say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cue {
    Start,
    End,
    /// When someone is back: not when what is asked about ends.
    Back,
    Named(usize),
    None,
}

const START: [&str; 25] = [
    "kick",
    "kicks",
    "commencement",
    "onset",
    "outbreak",
    "commence",
    "kicking",
    "kicked",
    "arose",
    "begun",
    "commences",
    "commenced",
    "from",
    "starting",
    "start",
    "starts",
    "started",
    "begin",
    "begins",
    "beginning",
    "began",
    "since",
    "commencing",
    "first",
    "between",
];
const END: [&str; 39] = [
    "resolved",
    "conclusion",
    "completion",
    "concluded",
    "concludes",
    "wrapped",
    "wrapping",
    "wraps",
    "contained",
    "finally",
    "stop",
    "stops",
    "stopped",
    "stopping",
    "ceased",
    "finishing",
    "upto",
    "control",
    "done",
    "to",
    "until",
    "till",
    "through",
    "thru",
    "end",
    "ends",
    "ended",
    "ending",
    "over",
    "out",
    "finish",
    "finishes",
    "extinguished",
    "finished",
    "last",
    "final",
    "-",
    "–",
    "—",
];
const BACK: [&str; 4] = ["back", "return", "returning", "returns"];
const FILLERS: [&str; 25] = [
    "should", "would", "must", "shall", "than", "probably", "itself", "on", "the", "at", "about", "around",
    "by", "is", "was", "be", "will", "a", "day", "of", "in", "date", "it", "off", ":",
];

/// Returns what the words before a moment say about it.
pub(super) fn cue(scan: &Scan<'_>, names: &[Vec<Phrase>], start: usize) -> Cue {
    const REACH: usize = 5;
    if let Some(edge) = edge(scan, start) {
        return edge;
    }
    // `the last day of my leave is`, `first day out Monday`, `kicked off on`, `came to an end on`
    let joins = |at: usize| match scan.word(at) {
        "leave" | "holiday" | "holidays" | "vacation" | "absence" => (1..=3)
            .filter_map(|count| at.checked_sub(count))
            .any(|before| matches!(scan.word(before), "day" | "date")),
        "out" => at.checked_sub(1).is_some_and(|before| scan.word(before) == "day"),
        "off" | "up" | "in" => at.checked_sub(1).is_some_and(|before| {
            matches!(
                scan.word(before),
                "kick" | "kicks" | "kicked" | "kicking" | "wrapped" | "wrapping" | "wraps" | "day"
            )
        }),
        // `finishing that Wednesday, 10 June`
        "that" => at + 1 == start,
        // `up to and including 21 August`
        "including" | "my" | "our" | "being" | "night" | "evening" | "afternoon" | "morning" => true,
        "and" => scan.word(at + 1) == "including",
        _ => false,
    };
    let filled = |from: usize| (from..start).all(|at| FILLERS.contains(&scan.word(at)) || joins(at));
    // Behind a name the words that else lead to an end lead to the new value: `change the start date to Monday`.
    let led = |from: usize| {
        (from..start).all(|at| {
            FILLERS.contains(&scan.word(at))
                || matches!(scan.word(at), "to" | "should" | "must")
                || super::lexicon::is_set(&scan.tokens[at])
        })
    };
    let reached =
        (1..=REACH).take_while(|count| scan.before(start, *count).is_some()).map(|count| start - count);
    // A name counts before any other word, for it may hold one: `check-in`.
    for at in reached.clone() {
        let called = names.iter().zip(scan.fields).position(|(phrases, field)| {
            let ends = |phrase: &Phrase| phrase.at(scan, at).is_some_and(|end| end <= start && led(end));
            field.kind.is_temporal() && phrases.iter().any(ends)
        });
        if let Some(field) = called {
            return Cue::Named(field);
        }
    }
    for at in reached.filter(|at| filled(at + 1)) {
        let word = scan.word(at);
        let before = at.checked_sub(1).and_then(|before| scan.tokens.get(before));
        // `see the mail from 12 February`: its own date. `we leave on 9 March`: not when they come.
        let of_other = word == "from" && before.is_some_and(super::verbs::is_other);
        let goes = matches!(word, "leaving" | "departing" | "depart")
            || word == "leave" && before.is_some_and(|token| token.among(&["i", "we", "and", "they"]));
        // `a late checkout on Sunday`
        let out = matches!(word, "checkout" | "departure")
            || word == "out"
                && before.is_some_and(|token| token.among(&["check", "-", "checking", "checked"]));
        if of_other || goes || out {
            return Cue::Back;
        }
        // `the bin out back`
        if word == "out" && joins(at) || word == "back" && before.is_some_and(|token| token.is("out")) {
            continue;
        }
        // `tipped over yesterday`, `fell out of the lorry`
        let tipped = matches!(word, "over" | "out")
            && before.is_some_and(|token| {
                super::verbs::is_past(token)
                    && !token.among(&[
                        "was", "were", "put", "went", "burned", "burnt", "died", "got", "been", "stamped",
                        "brought", "broke", "broken",
                    ])
            });
        if tipped {
            continue;
        }
        // `I want to be off 28 December`; whoever hurt her back is not back.
        let to_be = word == "to" && scan.word(at + 1) == "be";
        let body = word == "back"
            && before.is_some_and(|token| {
                token.among(&["his", "her", "my", "their", "your", "lower", "upper", "our", "whole", "own"])
            });
        if to_be || body {
            continue;
        }
        // `a fire broke out on 1 November`
        if word == "out" && before.is_some_and(|token| token.among(&["broke", "break", "breaks", "broken"])) {
            return Cue::Start;
        }
        // `please move me to Thursday`
        let moves = |at: usize| {
            (1..=5).filter_map(|count| scan.before(at, count)).any(|token| {
                token.among(&[
                    "move",
                    "change",
                    "switch",
                    "shift",
                    "postpone",
                    "push",
                    "bump",
                    "delay",
                    "amend",
                    "adjust",
                    "alter",
                    "correct",
                    "update",
                    "reschedule",
                    "set",
                    "bring",
                    "pull",
                ])
            })
        };
        if word == "to" && moves(at) {
            return Cue::None;
        }
        // A dash that parts is no way to an end.
        let joins = before.is_some_and(|token| {
            token.sort == Sort::Digits
                || super::verbs::is_time(token)
                || token.among(&["tomorrow", "today", "th", "st", "nd", "rd", "pm", "am"])
        });
        if matches!(word, "-" | "–" | "—") && !joins {
            continue;
        }
        // `2026-12-07/2026-12-09`
        if word == "/" && joins && at + 1 == start {
            return Cue::End;
        }
        for (words, cue) in [(&START[..], Cue::Start), (&END[..], Cue::End), (&BACK[..], Cue::Back)] {
            if words.contains(&word) {
                return cue;
            }
        }
    }
    Cue::None
}

/// Reads `the last day of my leave would be`, `the end of the fire was`: which end of something a day is said to be.
fn edge(scan: &Scan<'_>, start: usize) -> Option<Cue> {
    const BE: [&str; 31] = [
        "would",
        "should",
        "will",
        "shall",
        "must",
        "is",
        "was",
        "be",
        "being",
        "been",
        "to",
        "going",
        "has",
        "have",
        "had",
        "on",
        "the",
        "a",
        "then",
        "now",
        "actually",
        "ideally",
        "preferably",
        "likely",
        "planned",
        "set",
        "scheduled",
        "falls",
        "fell",
        "for",
        ":",
    ];
    const THING: usize = 4;
    let word = |count: usize| scan.before(start, count).map_or("", |token| token.low.as_str());
    let said = (1..=8).take_while(|count| BE.contains(&word(*count))).count();
    // `my last day at work is`: what is asked about begins after it.
    let at_work = (said + 1..=said + 3).find(|count| matches!(word(*count), "at" | "in" | "of"));
    if let Some(at) =
        at_work.filter(|at| (said + 1..*at).any(|count| matches!(word(count), "work" | "office")))
        && matches!(word(at + 1), "day" | "shift")
    {
        return Some(Cue::Back);
    }
    if matches!((word(said + 1), word(said + 2)), ("day" | "shift", "working" | "work")) {
        return Some(Cue::Back);
    }
    let of = (said + 2..=said + 1 + THING).find(|count| word(*count) == "of")?;
    let thing = |count: usize| scan.before(start, count).is_some_and(|token| token.sort == Sort::Word);
    if !(said + 1..of).all(thing) {
        return None;
    }
    let edge = |word: &str| match word {
        "first" | "start" | "starting" | "beginning" | "opening" | "onset" | "commencement" => {
            Some(Cue::Start)
        }
        "last" | "final" | "end" | "ending" | "closing" | "finish" | "conclusion" => Some(Cue::End),
        _ => None,
    };
    match word(of + 1) {
        "day" | "date" | "night" | "morning" => edge(word(of + 2)),
        head => edge(head).filter(|_| !matches!(word(of + 2), "at" | "by" | "before" | "after" | "until")),
    }
}
