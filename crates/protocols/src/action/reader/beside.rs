//! Whether a clause speaks of what the form is about, or of something beside it.

use super::clause::{About, Clause};
use super::verbs;
use super::words::{Sort, Token};

/// What the speaker does now that has nothing to do with a form.
const BESIDE: [&str; 16] = [
    "hate",
    "hated",
    "enjoy",
    "enjoyed",
    "miss",
    "turn",
    "marry",
    "graduate",
    "retire",
    "celebrate",
    "remember",
    "know",
    "heard",
    "noticed",
    "expire",
    "believe",
];

/// Returns whether a clause speaks of another time, another thing or somebody else, where a form asks what shall be.
pub(super) fn is_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let verb = parsed.verb.and_then(|at| words.get(at));
    match parsed.about {
        About::Speaker => {
            let told = |token: &Token| {
                verbs::is_past(token)
                    && !token.among(&["need", "started", "ended", "arrived", "wanted", "hurt", "cut"])
            };
            // `I was at your hotel on 3 May`; `I was sick yesterday` says what is asked.
            let at = parsed
                .verb
                .and_then(|at| words.get(at + 1))
                .is_some_and(|next| next.among(&["at", "in", "there"]));
            let was =
                verb.is_some_and(|verb| verb.among(&["was", "were"])) && (at || !words.iter().any(topic));
            was || verb.is_some_and(|verb| told(verb) || verb.among(&BESIDE))
        }
        // `it ran on staging for 3 days`, `it was medium in spring`
        About::It => {
            verb.is_some_and(|verb| verb.among(&["was", "were"]))
                || verb.is_some_and(|verb| {
                    verbs::is_past(verb)
                        && !verbs::is_auxiliary(verb)
                        && !verb.among(&["started", "began", "ended", "been"])
                })
        }
        // `took a sick day on Friday`
        About::Nobody => words
            .iter()
            .find(|token| {
                token.sort == Sort::Word && !token.among(&["and", "but", "so", "then", "just", "also"])
            })
            .is_some_and(|first| {
                verbs::is_past(first)
                    && !topic(first)
                    && !first.among(&[
                        "need", "started", "ended", "arrived", "attached", "hurt", "cut", "left", "hit",
                    ])
            }),
        About::Person => {
            !words.iter().take(3).any(|token| token.is("you"))
                || verb.is_some_and(|verb| verbs::is_past(verb) && !verb.is("need"))
        }
        About::Thing(head) => {
            // `my last day of work`
            let of = words.get(head + 1).is_some_and(|token| token.is("of")) && verbs::is_time(&words[head]);
            let owned = words[head + 1..].iter().find(|token| {
                token.sort == Sort::Word && !token.among(&["of", "my", "the", "our", "this", "next", "a"])
            });
            let strange = of && owned.is_some_and(|token| !topic(token) && !verbs::is_time(token))
                || words.windows(2).any(|pair| {
                    pair[0].is("of")
                        && (pair[1].among(&["mr", "mrs", "ms", "dr"]) || verbs::is_other(&pair[1]))
                });
            let head = &words[head];
            let first = words.iter().position(|token| {
                token.among(&[
                    "my", "our", "his", "her", "their", "the", "a", "an", "some", "another", "one", "your",
                ])
            });
            let whose = first.map_or("", |at| words[at].low.as_str());
            // `the leave I took in May`
            let took = |pair: &[Token]| pair[0].among(&["i", "we"]) && verbs::is_past(&pair[1]);
            if words[..words.len().min(8)].windows(2).any(took) {
                return true;
            }
            let other = verbs::is_other(head) && !topic(head);
            let named = (topic(head) || verbs::is_time(head)) && !strange;
            let Some(verb) = verb else { return other || matches!(whose, "his" | "her" | "their") };
            let own = whose == "my" && words.get(first.unwrap_or(0) + 1).is_some_and(|token| token.is("own"));
            // What was is not what is wanted: `the double was too small`.
            let was = verb.among(&["was", "were"]) && whose != "my";
            let took = verbs::is_past(verb)
                && !verbs::is_auxiliary(verb)
                && !verb.low.ends_with("ed")
                && !verb.is("began");
            was || took || verbs::is_past(verb) && !named || other || !(named || own)
        }
    }
}

/// Returns whether a clause speaks of something else than what happened.
pub(super) fn is_beside_report(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let About::Thing(head) = parsed.about else { return false };
    let head = &words[head];
    let Some(verb) = parsed.verb else { return verbs::is_occasion(head) };
    let present =
        words[verb].among(&["is", "are", "has", "will", "must"]) || verbs::is_third_person(words, verb);
    let predicate = words[verb..].iter().any(topic);
    let aside = verbs::is_occasion(head) || verbs::is_other(head);
    // What only is on a day has a day of its own: `the inspection was on 29 September`.
    let merely = words[verb].among(&["was", "were"])
        && words.get(verb + 1).is_some_and(|token| token.among(&["on", "at"]));
    match (present, aside) {
        (true, true) => true,
        (true, false) => !predicate && !topic(head),
        (false, aside) => merely && (aside || !topic(head) && !predicate),
    }
}

/// Returns whether the speaker tells when they do something that has nothing to do with the form: `I pick up my car on
/// 26 June`. Its day is another.
pub(super) fn does_another_thing(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    const OWN: [&str; 44] = [
        "am",
        "are",
        "will",
        "would",
        "want",
        "need",
        "like",
        "come",
        "arrive",
        "take",
        "request",
        "book",
        "apply",
        "stay",
        "go",
        "plan",
        "do",
        "can",
        "have",
        "be",
        "check",
        "ask",
        "propose",
        "suggest",
        "choose",
        "prefer",
        "coming",
        "arriving",
        "taking",
        "going",
        "staying",
        "planning",
        "requesting",
        "asking",
        "applying",
        "booking",
        "hoping",
        "away",
        "off",
        "out",
        "checking",
        "thinking",
        "say",
        "guess",
    ];
    let (About::Speaker, Some(verb)) = (parsed.about, parsed.verb) else { return false };
    let about = |at: usize| at != verb && topic(&words[at]) || words[at].among(&["off", "away", "out"]);
    if (0..words.len()).any(about) {
        return false;
    }
    let token = &words[verb];
    let next =
        words[verb + 1..].iter().find(|token| token.sort == Sort::Word && !super::clause::is_adverb(token));
    let begins = token.among(&["start", "begin", "end"])
        && next.is_none_or(|next| next.among(&["on", "at", "from", "in", "with"]) || verbs::is_time(next));
    // `I'm getting married`, `I will pick up`
    let joined = token.low.contains('\'') || token.among(&["am", "are", "will", "would"]);
    let does = next.is_some_and(|next| {
        next.low.len() > 4 && next.low.ends_with("ing") && !next.among(&OWN) && !verbs::is_time(next)
    });
    if joined { does } else { !token.among(&OWN) && !begins && token.sort == Sort::Word }
}

/// Returns whether a clause of a report tells of something around what happened: `the fire brigade came on 2 October`.
/// Its words may name it, but its day is another.
pub(super) fn tells_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    // `the fire alarm`, `a fire risk assessment`: the word only says which alarm.
    let is_name = |at: usize| {
        let next = words.get(at + 1).filter(|next| next.sort == Sort::Word);
        topic(&words[at])
            && (next.is_none_or(|next| topic(next) || super::meant::may_follow(next))
                || super::number::at(words, at + 1).is_some())
    };
    let mut spoken = (0..words.len()).filter(|at| topic(&words[*at])).peekable();
    let compound = spoken.peek().is_some() && spoken.all(|at| !is_name(at));
    // `we were trained on 5 August`
    let done_to = parsed.about == About::Speaker
        && parsed.verb.is_some_and(|verb| {
            words[verb].among(&["was", "were"])
                && words
                    .get(verb + 1)
                    .is_some_and(|next| verbs::is_past(next) && !topic(next) && !verbs::is_happening(next))
        });
    let (Some(verb), Some(from)) = (parsed.verb, subject_of(words, parsed)) else {
        return compound || done_to;
    };
    let behind = (from..words.len()).any(is_name);
    let happens = words[verb..].iter().take(3).any(verbs::is_happening) || words[verb].is("had");
    compound || !behind && !happens
}

/// Returns where what a clause tells begins, if somebody or something is named that does it.
fn subject_of(words: &[Token], parsed: Clause) -> Option<usize> {
    match parsed.about {
        About::Thing(head) => Some(head),
        About::Speaker | About::Person => parsed.verb.filter(|verb| verbs::is_past(&words[*verb])),
        About::Nobody => parsed.verb.filter(|verb| verbs::is_past(&words[*verb])),
        About::It => None,
    }
}
