//! What a clause is: a statement about what is asked, or something else: a condition, hearsay, what did not happen, another
//! time, another thing, somebody else.

use super::beside::{is_beside, is_beside_report};
use super::clause::{About, Clause};
use super::verbs;
use super::words::{Sort, Token};

const NEGATORS: [&str; 8] = ["no", "not", "never", "nothing", "nobody", "none", "neither", "cannot"];

/// What is made of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// It states something.
    Statement,
    /// It states nothing about what is asked.
    Elsewhere,
    /// Nor does what follows it, up to a `but` or the speaker.
    Onwards,
}

pub(super) fn judge(
    words: &[Token],
    parsed: Clause,
    topic: &impl Fn(&Token) -> bool,
    report: bool,
) -> Judged {
    if is_condition(words) || is_earlier(words) || is_aside(words) {
        return Judged::Elsewhere;
    }
    if is_unreal(words) || is_possible(words, topic) {
        return Judged::Onwards;
    }
    if let Some(judged) = hearsay(words, parsed, topic) {
        return judged;
    }
    if !report && is_anothers(words, parsed, topic) {
        return Judged::Elsewhere;
    }
    if is_modal(words, parsed) || has_own_date(words, parsed, topic) {
        return Judged::Elsewhere;
    }
    let elsewhere =
        if report { is_beside_report(words, parsed, topic) } else { is_beside(words, parsed, topic) };
    if elsewhere { Judged::Elsewhere } else { Judged::Statement }
}

/// Returns whether a clause only says under which condition something holds.
fn is_condition(clause: &[Token]) -> bool {
    let mut words = clause
        .iter()
        .filter(|token| token.sort == Sort::Word)
        .skip_while(|token| token.among(&["and", "but", "so"]));
    let Some(first) = words.next() else { return false };
    let second = words.next();
    let then = |list: &[&str]| second.is_some_and(|token| token.among(list));
    first.among(&["if", "unless", "suppose", "supposing", "assuming", "imagine"])
        || first.is("in") && then(&["case"])
        || first.is("should") && then(&["there", "anyone", "anybody", "anything", "it", "the", "we"])
        || first.is("had") && then(&["there", "i", "we", "he", "she", "they", "it", "the"])
}

/// Returns whether a clause speaks of a time before.
fn is_earlier(clause: &[Token]) -> bool {
    let has = |words: &[&str]| clause.iter().any(|token| token.among(words));
    let pair =
        |one: &[&str], two: &[&str]| clause.windows(2).any(|pair| pair[0].among(one) && pair[1].among(two));
    let this = pair(&["this"], &["time", "one"]);
    let is_time = |token: &Token| {
        token.among(&["day", "days", "week", "night", "minute"])
            || super::relative::day_name(token).is_some()
            || token.sort != Sort::Word
    };
    let earlier = has(&["previous", "previously", "formerly", "once"])
        || pair(&["last"], &["time", "year", "years", "month", "summer", "winter", "spring", "autumn"])
        || pair(&["used"], &["to"])
        || pair(&["year", "years", "months"], &["ago"])
        || pair(&["the", "my", "our"], &["last", "earlier"])
            && clause.windows(2).any(|pair| pair[0].is("last") && !is_time(&pair[1]));
    earlier && !this
}

/// Returns whether a clause is only mentioned by the way.
fn is_aside(clause: &[Token]) -> bool {
    // What somebody may take or has left they do not take.
    let owned = clause
        .iter()
        .any(|token| token.among(&["eligible", "entitled", "entitlement", "allowance", "balance"]))
        || clause.iter().any(|token| token.among(&["have", "has", "got"]))
            && clause
                .iter()
                .rev()
                .find(|token| token.sort == Sort::Word)
                .is_some_and(|token| token.is("left"));
    // What is used up is not to be had: `I used up all my annual leave`.
    let spent = clause.windows(2).any(|pair| {
        pair[0].is("used") && pair[1].among(&["up", "all", "my", "every"])
            || pair[0].among(&["ran", "run"]) && pair[1].is("out")
    }) || clause.iter().any(|token| token.among(&["exhausted", "spent"]));
    if owned || spent && !clause.iter().any(|token| token.among(&["want", "like", "need", "will"])) {
        return true;
    }
    let mut words = clause.iter().filter(|token| token.sort == Sort::Word);
    words.next_back().is_some_and(|token| token.is("anyway")) && words.next().is_some()
}

/// Returns whether what a clause tells did not happen.
fn is_unreal(clause: &[Token]) -> bool {
    let pair = |one: &[&str], two: &[&str]| {
        clause
            .iter()
            .filter(|token| !token.is("-"))
            .collect::<Vec<_>>()
            .windows(2)
            .any(|pair| pair[0].among(one) && pair[1].among(two))
    };
    let nearly = clause.iter().enumerate().any(|(at, token)| {
        let length = |token: &Token| {
            token.sort == Sort::Digits || verbs::is_time(token) || token.among(&["a", "an", "all"])
        };
        // `almost a week`, `nearly 3 hours` happened.
        let counts = clause.get(at + 1).is_some_and(|next| {
            next.sort == Sort::Digits
                || length(next) && clause.get(at + 2).is_some_and(verbs::is_time)
                || super::number::at(clause, at + 1).is_some()
        });
        token.among(&["almost", "nearly"]) && !counts
    });
    nearly
        || clause.iter().any(verbs::is_unreal)
        || clause.iter().any(|token| token.among(&["could've", "would've", "might've", "should've"]))
        || clause
            .windows(3)
            .any(|three| three[0].low.ends_with("'d") && three[1].is("have") && verbs::is_past(&three[2]))
        || pair(&["near"], &["miss", "misses"])
        || pair(&["close"], &["call", "shave"])
        || pair(&["false"], &["alarm"])
        || pair(&["tried", "trying", "try", "failed", "supposed", "meant"], &["to"])
        || pair(&["wish"], &["i", "we"])
        || pair(&["hate", "hated", "love"], &["being", "it"])
        || clause.iter().any(|token| {
            token.among(&[
                "cancel",
                "cancelling",
                "withdraw",
                "delete",
                "scrap",
                "swap",
                "reschedule",
                "exchange",
            ])
        })
        || pair(&["was", "were"], &["going"])
        || pair(&["back", "returned", "returning", "return"], &["from"])
        || clause.iter().any(|token| {
            token.among(&[
                "rejected",
                "declined",
                "refused",
                "cancelled",
                "canceled",
                "postponed",
                "withdrawn",
            ])
        })
        || clause
            .windows(2)
            .any(|pair| pair[0].among(&["could", "would", "might", "should", "may"]) && pair[1].is("have"))
            && !asks_for(clause)
}

/// Returns whether what a clause names is only possible: `possible injury`.
fn is_possible(clause: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    clause.windows(2).any(|pair| {
        pair[0].among(&["possible", "potential", "likely", "alleged", "suspected", "supposed"])
            && topic(&pair[1])
    })
}

/// Returns whether a clause begins as a request does: `could I have`.
fn asks_for(clause: &[Token]) -> bool {
    let mut words = clause.iter().filter(|token| token.sort == Sort::Word);
    let modal = words.position(|token| token.among(&["could", "can", "may", "would", "might", "should"]));
    modal.is_some() && words.next().is_some_and(|token| token.among(&["i", "we", "you"]))
}

/// Judges what is said to have been said.
fn hearsay(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> Option<Judged> {
    let said = |at: usize| words.get(at).is_some_and(verbs::is_saying);
    let judged = |at: usize| if verbs::is_quoting(&words[at]) { Judged::Onwards } else { Judged::Elsewhere };
    match parsed.about {
        About::Speaker => {
            let verb = parsed.verb?;
            // `I wanted to ask` is polite; `I'm writing on 6 October` says when it is written.
            let polite =
                words.get(verb).is_some_and(|token| token.among(&["wanted", "want", "say", "thought"]));
            let passive = words.get(verb).is_some_and(|token| token.among(&["was", "were"]))
                && words
                    .get(verb + 1)
                    .is_some_and(|token| verbs::is_saying(token) || token.among(&["thinking"]));
            let writing = words
                .iter()
                .take(verb + 3)
                .any(|token| token.among(&["writing", "calling", "mailing", "emailing", "phoning"]));
            (!polite && said(verb) || passive || writing).then_some(Judged::Elsewhere)
        }
        About::Nobody => {
            // `as discussed on 3 November`, `called you yesterday`
            let first = words.iter().position(|token| {
                token.sort == Sort::Word
                    && !token.among(&["as", "and", "but", "so", "like", "we", "was", "previously", "please"])
            })?;
            let word = &words[first];
            if word.is("according") {
                return Some(Judged::Onwards);
            }
            // `in her mail Mrs Koch asked for`
            let by_another = (first + 1..words.len()).any(|at| {
                let before = &words[at - 1];
                said(at)
                    && before.sort == Sort::Word
                    && before.low.len() > 2
                    && !topic(before)
                    && !verbs::is_auxiliary(before)
                    && !verbs::is_time(before)
                    && !super::clause::is_small(before)
            });
            if by_another {
                return Some(Judged::Onwards);
            }
            // `following our call on Friday`, `per my email of 1 October`, `please note`
            let refers = word.among(&[
                "see",
                "following",
                "per",
                "re",
                "referring",
                "note",
                "remember",
                "fyi",
                "further",
            ]);
            (refers || said(first) && verbs::is_past(word)).then_some(Judged::Elsewhere)
        }
        About::Thing(head)
            if topic(&words[head])
                && !verbs::is_other(&words[head])
                && !parsed.verb.is_some_and(|verb| verbs::is_quoting(&words[verb])) =>
        {
            None
        }
        About::Thing(_) | About::Person | About::It => {
            let at = (0..words.len()).find(|at| said(*at))?;
            // Nobody says it: `it is planned for Monday`.
            let it = parsed.about == About::It && !verbs::is_quoting(&words[at]);
            (!it).then(|| judged(at))
        }
    }
}

/// Returns whether a clause is about what somebody else has: `Tom's leave ends on`.
fn is_anothers(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let About::Thing(head) = parsed.about else { return false };
    let short =
        ["it's", "that's", "there's", "today's", "tomorrow's", "week's", "year's", "what's", "here's"];
    head.checked_sub(1)
        .and_then(|at| words.get(at))
        .filter(|token| token.low.ends_with("'s") && !token.among(&short))
        // `doctor's note` is what the form calls it itself.
        .is_some_and(|token| !verbs::is_time(token) && !topic(token))
}

/// Returns whether a clause only says what could be.
fn is_modal(words: &[Token], parsed: Clause) -> bool {
    let Some(verb) = parsed.verb.and_then(|at| words.get(at).map(|token| (at, token))) else { return false };
    let (at, token) = verb;
    let next = |offset: usize| words.get(at + offset).map_or("", |token| token.low.as_str());
    match parsed.about {
        About::Nobody => false,
        About::Speaker => {
            token.among(&["could", "may", "might"])
                || token.is("should") && next(1) == "be" && next(2).ends_with("ing")
        }
        About::It => token.among(&["could", "may", "might"]),
        About::Person | About::Thing(_) => {
            let fine = [
                "good", "great", "nice", "fine", "perfect", "best", "ideal", "ok", "okay", "lovely", "enough",
            ];
            let welcome =
                matches!(next(1), "suit" | "work" | "do") || next(1) == "be" && fine.contains(&next(2));
            token.among(&["could", "may", "might"]) || token.is("would") && !welcome
        }
    }
}

/// Returns whether a clause tells the date of something of its own: when it expires, when somebody was born.
fn has_own_date(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let own = |at: usize| {
        words.get(at).is_some_and(|token| {
            verbs::is_of_own_date(token)
                && !(token.is("due") && words.get(at + 1).is_some_and(|next| next.is("to")))
        })
    };
    let named =
        matches!(parsed.about, About::Thing(head) if topic(&words[head]) && !verbs::is_other(&words[head]));
    let verb = parsed.verb.is_some_and(|verb| (verb..verb + 3).any(own));
    let first = words.iter().position(|token| token.sort == Sort::Word).is_some_and(own);
    (verb || first) && !named
}

/// Returns from where a clause says only what there is not: `no incident today`, `I won't take annual leave in May`.
pub(super) fn denies_all(words: &[Token], topic: &impl Fn(&Token) -> bool) -> Option<usize> {
    // `no, the end is Thursday` denies something said before.
    let from = if words.len() > 2 && words[0].is("no") && words[1].is(",") { 2 } else { 0 };
    let negator =
        (from..words.len()).find(|at| words[*at].among(&NEGATORS) || words[*at].low.ends_with("n't"))?;
    // `it did not happen on Friday`
    let event = ["happen", "start", "begin", "end", "occur", "on", "until"];
    if words.get(negator + 1).is_some_and(|token| token.among(&event)) {
        return Some(negator);
    }
    if words[negator].among(&["nothing", "nobody", "none"]) && negator <= 1 && !words.iter().any(topic) {
        return Some(negator);
    }
    let spoken: Vec<usize> = (0..words.len()).filter(|at| topic(&words[*at])).collect();
    let first = *spoken.first()?;
    // `nobody was hurt in the accident`: what lies behind a preposition is not denied.
    let apart =
        |at: usize| words[first..at].iter().any(|token| token.among(&["in", "during", "at", "after", "by"]));
    spoken.iter().all(|at| *at > negator && !apart(*at)).then_some(negator)
}

/// Returns whether a clause counts its days in a week before this one, which they do not say themselves.
pub(super) fn of_last_week(words: &[Token]) -> bool {
    words.windows(2).any(|pair| pair[0].among(&["last", "previous"]) && pair[1].is("week"))
}
