//! Sentences that state nothing: questions, maybes, habits, and what holds only if something else does.

use super::boundary;
use super::verbs;
use super::words::{Sort, Token};

const HEDGES: [&str; 14] = [
    "maybe",
    "perhaps",
    "possibly",
    "might",
    "unsure",
    "whether",
    "undecided",
    "hope",
    "hopefully",
    "probably",
    "either",
    "dream",
    "dreaming",
    "someday",
];
/// What happens again and again is not what is asked now.
const HABITS: [&str; 8] =
    ["always", "usually", "normally", "often", "sometimes", "typically", "generally", "rarely"];
const ASKING: [&str; 14] =
    ["what", "which", "how", "who", "when", "where", "why", "is", "are", "do", "does", "did", "was", "were"];

/// Returns whether a whole sentence is a question or a maybe.
pub(super) fn states_nothing(words: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    let hedged = is_hedged(words, topic);
    let first = words.first();
    let second = words.get(1);
    let asked = words.last().is_some_and(|token| token.is("?"));
    let open = words.iter().any(|token| {
        let plain = token.low.strip_suffix("'s").unwrap_or(&token.low);
        ["what", "which", "how", "who", "why", "where"].contains(&plain)
    });
    // `is Thursday at 9 possible?` asks for it.
    let offers = first.is_some_and(|token| token.among(&["is", "would", "does"]))
        && second.is_some_and(|token| {
            token.sort == Sort::Digits || super::complement::is_time(token) || token.is("next")
        })
        && words.iter().any(|token| token.among(&["possible", "ok", "okay", "work", "fine"]));
    let asks = asked
        && !offers
        && (open
            || first.is_some_and(|token| token.among(&ASKING) || token.is("if"))
            // `by when do you need the answer, 12 June?`
            || first.is_some_and(|token| token.among(&["by", "until", "since", "from", "at", "for"]))
                && second.is_some_and(|token| token.among(&["when", "what"]))
            || words.iter().any(|token| token.is("still")));
    // Many do not trouble to put the mark.
    let unmarked = first.is_some_and(|token| token.among(&["how", "what", "which", "why", "who", "where"]))
        && second.is_some_and(|token| {
            token.among(&["many", "much", "long", "about", "kind", "kinds", "if"])
                || verbs::is_auxiliary(token)
        })
        // `what is: a fire in the battery room`
        && !words.get(2).is_some_and(|token| token.is(":"));
    // `would a crash in a rental go here, or does that go to …?`
    let weighs = asked
        && words.windows(2).any(|pair| {
            pair[0].is("or")
                && pair[1].among(&["is", "does", "do", "would", "should", "are", "must", "shall"])
        });
    let things = asked
        && first.is_some_and(|token| token.among(&["would", "should", "ought", "must", "will", "shall"]))
        && second.is_some_and(|token| token.among(&["a", "an", "the", "my", "our", "somebody", "someone"]))
        && !words.iter().any(|token| {
            super::lexicon::is_fine(token)
                || token.among(&[
                    "work", "suit", "arranged", "sent", "ordered", "booked", "do", "supplied", "fit",
                ])
        });
    // `in a perfect world I'd …`, `nothing to do with us`
    let dreamt = words.windows(2).any(|pair| {
        pair[0].among(&["perfect", "ideal"]) && pair[1].is("world") || pair[0].is("kill") && pair[1].is("for")
    }) || words.windows(3).any(|three| {
        three[0].is("nothing")
            && three[1].is("to")
            && three[2].among(&["do", "report"])
            && !words.windows(2).any(|pair| pair[0].is("with") && pair[1].among(&["it", "that"]))
    });
    // `just asking, not booking: 15 to 19 June`, `let's say I take Monday off, do I lose my bonus?`
    let idle = words.windows(3).any(|three| {
        three[0].among(&["just", "only"])
            && three[1].among(&["asking", "curious"])
            && three[2].sort == Sort::Sign
    });
    let mut said = words.iter().filter(|token| token.sort == Sort::Word);
    let supposed = asked
        && matches!(
            (said.next().map(|token| token.low.as_str()), said.next().map(|token| token.low.as_str())),
            (Some("let's"), Some("say" | "assume" | "suppose" | "imagine"))
                | (Some("say" | "suppose" | "imagine" | "assuming" | "hypothetically" | "theoretically"), _)
        );
    if idle || supposed {
        return true;
    }
    if weighs || things || dreamt || may_have_been(words, topic) || is_thwarted(words) {
        return true;
    }
    let inverted = first.is_some_and(|token| token.among(&["was", "were", "is", "are", "did", "does"]))
        && second.is_some_and(|token| {
            token.among(&[
                "anyone", "anybody", "there", "it", "he", "she", "they", "the", "someone", "my", "your", "a",
                "this", "that",
            ])
        });
    hedged || asks || unmarked || inverted
}

/// Returns whether something is only said to have been possible: `it could have been a fire`. What could have been avoided was.
fn may_have_been(words: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    (0..words.len()).any(|at| {
        let joined = words[at].among(&["could've", "might've", "would've", "may've"]);
        if !(joined || words[at].among(&["could", "might", "may", "would"])) {
            return false;
        }
        let rest = words[at + 1..].iter().filter(|token| !super::clause::is_adverb(token));
        let mut rest = rest.filter(|token| !token.among(&["easily", "well", "very", "also", "so"]));
        let have = joined || rest.next().is_some_and(|token| token.is("have"));
        let turned = rest.next().is_some_and(|token| token.among(&["been", "become", "caused", "led"]));
        // `it would have been on Thursday` is only said politely.
        let polite = words[at].among(&["would", "would've"]);
        let what = rest.next().is_some_and(|token| {
            topic(token)
                || token.among(&["a", "an", "another"])
                || !polite
                    && (token.sort == Sort::Digits
                        || super::complement::is_time(token)
                        || token.among(&["the", "some", "on", "to", "much"]))
        });
        have && turned && what
    })
}

/// Returns whether somebody says what they wished for and then what stood in the way: `I did want to come on Monday, but the bus
/// doesn't run`.
fn is_thwarted(words: &[Token]) -> bool {
    let wished = (0..words.len()).find(|at| {
        let next = |list: &[&str]| words[at + 1..].iter().take(3).any(|token| token.among(list));
        words[*at].among(&["did", "didn't"]) && next(&["want", "hope", "plan"])
            || words[*at].among(&["hoped", "wanted", "planned", "intended", "meant"]) && next(&["to"])
            || words[*at].among(&["would", "i'd", "we'd"]) && next(&["love"])
            || words[*at].among(&["would", "i'd", "we'd"])
                && next(&["have"])
                && next(&["come", "taken", "been", "liked"])
    });
    let Some(wished) = wished else { return false };
    let but = (wished..words.len()).find(|at| words[*at].among(&["but", "yet", "sadly", "however"]));
    but.is_some_and(|but| {
        words[but..].iter().any(|token| {
            token.among(&[
                "can't", "cannot", "doesn't", "won't", "isn't", "don't", "never", "dream", "dreaming",
                "didn't",
            ])
        })
    })
}

/// Returns whether a maybe stands in a part of a sentence that comes behind what is stated and states nothing itself: `call me on …,
/// it might cut out in the tunnels`.
fn is_beside(words: &[Token], at: usize, topic: &impl Fn(&Token) -> bool) -> bool {
    const REACH: usize = 100;
    let parts = |token: &Token| token.among(&[",", ";", ":", "—", "(", ")"]);
    // `… and maybe say hello to Brenda`
    let joined = at.checked_sub(1).filter(|before| words[*before].is("and"));
    let from = joined.or_else(|| words[..at].iter().rposition(parts)).map_or(0, |before| before + 1);
    let to = words[at..].iter().position(parts).map_or(words.len(), |after| at + after);
    let value = |at: usize| {
        topic(&words[at])
            || words[at].sort == Sort::Digits
            || super::complement::is_time(&words[at])
            || super::number::at(words, at).is_some() && !words[at].is("one")
    };
    let said = words[from..to].iter().filter(|token| token.sort == Sort::Word).count();
    let habit = words[at].among(&HABITS)
        && words[from..at].iter().any(|token| token.among(&["you", "he", "she", "they", "it", "people"]));
    let open = words[from..to]
        .iter()
        .any(|token| token.among(&["whether", "unsure", "undecided", "either", "sure"]));
    let been = words[at..].iter().take(3).any(|token| token.is("been"));
    let as_always = words[at].is("always") && at > 0 && words[at - 1].among(&["as", "not"]);
    let long = said >= 4
        || joined.is_some() && said >= 3
        || been
        || as_always
        || words[at].among(&HABITS) && said >= 2;
    if !long || open || !habit && (from..to).any(value) {
        return false;
    }
    // Near enough, so that a long text costs no more than its length.
    let before = || (from.saturating_sub(REACH)..from).any(value);
    let behind = || (to..words.len().min(to + REACH)).any(value);
    let may_follow = words[at].among(&HABITS) || from == 0 && said >= 5 || from > 1 && said >= 4;
    before() || may_follow && behind()
}

/// Returns whether somebody is unsure of something else than what they go on to state: `not sure why I have to report it, but there
/// was a fire`; `…, and frankly I can't tell the difference`.
fn is_set_aside(words: &[Token], at: usize, topic: &impl Fn(&Token) -> bool) -> bool {
    let asks =
        words.get(at + 2).is_some_and(|token| token.among(&["why", "who", "whose", "how", "the", "that"]));
    let but = (at + 3..words.len()).find(|at| words[*at].is("but"));
    let value = |range: &[Token]| {
        range
            .iter()
            .any(|token| topic(token) || token.sort == Sort::Digits || super::complement::is_time(token))
    };
    let leads = at <= 2 && but.is_some_and(|but| !value(&words[at..but]) && value(&words[but..]));
    let trails = at > 4 && words.get(at + 2).is_some_and(|token| token.is("the")) && !value(&words[at + 2..]);
    asks && (leads || trails)
}

/// Returns whether somebody is not sure, or tells of a habit. Why something is so may be one, and that the rest suits everybody
/// is only hoped out of courtesy.
fn is_hedged(words: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    let pair = |at: usize, one: &str, two: &[&str]| {
        words[at].is(one) && words.get(at + 1).is_some_and(|token| token.among(two))
    };
    let reason = words.iter().position(|token| token.is("because")).filter(|at| *at > 2);
    (0..reason.unwrap_or(words.len())).any(|at| {
        let courteous = words[at].among(&["hope", "hopefully"]) && is_courtesy(words, at);
        // `might we move it`
        let inverted =
            words[at].is("might") && words.get(at + 1).is_some_and(|next| next.among(&["i", "we", "you"]));
        words[at].among(&HEDGES)
            && !courteous
            && !inverted
            && !adds_later(words, at)
            && !is_beside(words, at, topic)
            || words[at].among(&HABITS)
                && !(at > 0 && words[at - 1].among(&["can", "could", "may"]))
                && !is_beside(words, at, topic)
            || pair(at, "not", &["sure", "decided", "certain"]) && !is_set_aside(words, at, topic)
            || pair(at, "don't", &["know"])
            || pair(at, "can't", &["say", "tell"]) && !is_set_aside(words, at, topic)
            || pair(at, "no", &["idea"])
    })
}

/// Returns whether a maybe only says what may come on top: `one for now, maybe more later`.
pub(super) fn adds_later(words: &[Token], at: usize) -> bool {
    at > 1
        && words[at].among(&["maybe", "perhaps", "possibly", "probably", "might"])
        && words[at - 1].among(&[",", "and", ";", "-", "–"])
        && words.get(at + 1).is_some_and(|token| {
            token.among(&["more", "later", "another", "additional", "also", "until", "till", "longer", "up"])
        })
}

/// Returns whether somebody hopes that what was said is all right: `I hope that's not too late`.
fn is_courtesy(words: &[Token], hope: usize) -> bool {
    let it = ["that's", "it's", "this", "that", "it", "you", "you're", "everyone", "all", "everything"];
    words.get(hope + 1).is_some_and(|token| token.among(&it))
}

/// Mutes what stands behind an `if` up to the end of its clause: `late check-out if possible` asks for it all the same.
pub(super) fn mute_conditions(all: &[Token], start: usize, end: usize, mute: &mut [bool]) {
    for at in start..end {
        if all[at].among(&["if", "unless"]) {
            let to = boundary::end(all, at, end, &|_| false);
            mute[at..to].fill(true);
        }
    }
}

/// Returns whether what a sentence says holds only if something else does: `if the budget goes through I'd get …`. What is said
/// out of courtesy is no condition: `if possible`, `if you don't mind`.
pub(super) fn hangs_on_condition(words: &[Token]) -> bool {
    let mut said = words.iter().filter(|token| token.sort == Sort::Word);
    let first =
        said.find(|token| !token.among(&["and", "but", "so", "well", "ok", "hi", "hello", "also", "then"]));
    let courteous = said.next().is_some_and(|token| {
        token.among(&[
            "possible",
            "you",
            "so",
            "needed",
            "necessary",
            "that's",
            "it's",
            "available",
            "ok",
            "okay",
        ])
    });
    // `had a chat with her` is no condition.
    let second = words.iter().filter(|token| token.sort == Sort::Word).nth(1);
    let inverted = second.is_some_and(|token| {
        token.among(&[
            "i", "we", "you", "he", "she", "they", "it", "there", "the", "my", "our", "anyone", "anybody",
            "anything", "somebody", "someone", "this", "that",
        ])
    });
    if first.is_some_and(|token| token.is("had")) && !inverted {
        return false;
    }
    first.is_some_and(|token| {
        token.among(&[
            "if",
            "unless",
            "should",
            "had",
            "once",
            "assuming",
            "supposing",
            "provided",
            "providing",
        ])
    }) && !courteous
}

/// Returns whether something would be needed only if something else came: `we'd need two more in case Tom joins us`.
pub(super) fn is_supposed(words: &[Token]) -> bool {
    let word = |at: usize| words.get(at).map_or("", |token| token.low.as_str());
    let need = (1..words.len()).find(|at| {
        word(*at) == "need" && matches!(word(at - 1), "i'd" | "we'd" | "would")
            || word(*at) == "need" && word(at - 1) == "probably" && *at > 1
    });
    let Some(need) = need else { return false };
    (need + 1..words.len()).any(|at| {
        let (condition, behind) = match (word(at), word(at + 1)) {
            ("in", "case") => (true, at + 2),
            ("if" | "provided" | "assuming", _) => (true, at + 1),
            _ => (false, at),
        };
        condition
            && !matches!(
                word(behind),
                "possible" | "you" | "that's" | "it's" | "ok" | "okay" | "available" | "so"
            )
    })
}
