//! What states nothing about what is asked: questions, maybes, what did not happen, hearsay, other times, other things
//! and other people.
//!
//! A value is taken only from a clause that asserts it about this form. So a clause must be about the speaker, about
//! what the form is about, or about nothing else that it names. When in doubt it is not a statement: what is not
//! taken is asked, and a question costs less than a wrong value.

use std::cell::OnceCell;
use std::collections::HashSet;

use holdpoint_core::{Field, Kind};

use super::super::form::{synonyms, words_of};
use super::clause::{self, About, Clause};
use super::correct::ends_at;
use super::mention::phrases;
use super::verbs;
use super::words::{Sort, Token, tokens};

const HEDGES: [&str; 11] = [
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
];
/// What happens again and again is not what is asked now.
const HABITS: [&str; 8] =
    ["always", "usually", "normally", "often", "sometimes", "typically", "generally", "rarely"];
const ASKING: [&str; 14] =
    ["what", "which", "how", "who", "when", "where", "why", "is", "are", "do", "does", "did", "was", "were"];
const NEGATORS: [&str; 8] = ["no", "not", "never", "nothing", "nobody", "none", "neither", "cannot"];
/// Words of questions that name nothing.
const SMALL: [&str; 35] = [
    "your", "what", "when", "which", "does", "with", "have", "here", "last", "longer", "than", "need",
    "please", "give", "kind", "anything", "else", "call", "about", "time", "will", "would", "like", "take",
    "many", "much", "where", "could", "reach", "send", "there", "long", "high", "should", "know",
];
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

/// Returns whether a form reports what has happened.
pub(super) fn is_report(fields: &[Field]) -> bool {
    fields.iter().any(|field| {
        let words = tokens(&field.label);
        words.iter().any(|token| token.among(&["did", "occurred", "happened", "occur", "was"]))
    })
}

/// What may be taken from each token of a text.
#[derive(Debug, Default)]
pub(super) struct Muted {
    /// No value: its clause speaks of something else.
    pub(super) values: Vec<bool>,
    /// No words either: its sentence states nothing at all.
    pub(super) words: Vec<bool>,
    /// No day and no time: its clause says what there is not.
    pub(super) days: Vec<bool>,
    /// Which clause it belongs to.
    pub(super) clauses: Vec<usize>,
}

/// What is made of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    /// It states something.
    Statement,
    /// It states nothing about what is asked.
    Elsewhere,
    /// Nor does what follows it, up to a `but` or the speaker.
    Onwards,
}

/// Returns what may be taken from each token.
pub(super) fn mute(all: &[Token], fields: &[Field], report: bool) -> Muted {
    // Most texts never need it, and a long form takes a while.
    let cell = OnceCell::new();
    let topic = |token: &Token| -> bool {
        let words: &HashSet<String> = cell.get_or_init(|| topic_of(fields.iter()));
        words.contains(&token.low)
    };
    let none = || vec![false; all.len()];
    let clauses = vec![0; all.len()];
    let mut muted = Muted { values: none(), words: none(), days: none(), clauses };
    let mut start = 0;
    while start < all.len() {
        let sentence = all[start].sentence;
        let end = (start..all.len()).find(|at| all[*at].sentence != sentence).unwrap_or(all.len());
        if states_nothing(&all[start..end]) {
            muted.values[start..end].fill(true);
            muted.words[start..end].fill(true);
        } else {
            mute_clauses(all, start, end, &topic, report, &mut muted);
            mute_conditions(all, start, end, &mut muted.values);
        }
        start = end;
    }
    mute_quotes(all, &mut muted.values);
    mute_withdrawn(all, &mut muted);
    muted
}

fn mute_clauses(
    all: &[Token],
    start: usize,
    end: usize,
    topic: &impl Fn(&Token) -> bool,
    report: bool,
    muted: &mut Muted,
) {
    let mut from = start;
    let mut onwards = false;
    let (mut denied, mut spoken) = (false, false);
    while from < end {
        let to = clause::end(all, from, end);
        muted.clauses[from..to].fill(from);
        let words = &all[from..to];
        let parsed = clause::parse(words, topic);
        // `but` and the speaker begin anew.
        if words.first().is_some_and(|token| token.is("but")) || parsed.about == About::Speaker {
            onwards = false;
        }
        let judged = judge(words, parsed, topic, report);
        onwards |= judged == Judged::Onwards;
        if onwards || judged != Judged::Statement {
            muted.values[from..to].fill(true);
        } else if let Some(at) = denies_all(words, topic) {
            denied = true;
            muted.days[from + at..to].fill(true);
        } else if report && (words.iter().any(verbs::is_occasion) || tells_beside(words, parsed, topic)) {
            muted.days[from..to].fill(true);
        } else {
            spoken |= words.iter().any(topic);
        }
        if of_last_week(words) {
            muted.days[from..to].fill(true);
        }
        from = to;
    }
    // `a spark, but no fire, on 13 February`: of what there was not, no day is told.
    if report && denied && !spoken {
        muted.days[start..end].fill(true);
    }
}

/// Returns whether a clause counts its days in a week before this one, which they do not say themselves.
fn of_last_week(words: &[Token]) -> bool {
    words.windows(2).any(|pair| pair[0].among(&["last", "previous"]) && pair[1].is("week"))
}

fn judge(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool, report: bool) -> Judged {
    if is_condition(words) || is_earlier(words) || is_aside(words) {
        return Judged::Elsewhere;
    }
    if is_unreal(words) || is_possible(words, topic) {
        return Judged::Onwards;
    }
    if let Some(judged) = hearsay(words, parsed, topic) {
        return judged;
    }
    if is_modal(words, parsed) || has_own_date(words, parsed, topic) {
        return Judged::Elsewhere;
    }
    let elsewhere =
        if report { is_beside_report(words, parsed, topic) } else { is_beside(words, parsed, topic) };
    if elsewhere { Judged::Elsewhere } else { Judged::Statement }
}

/// Returns whether a whole sentence is a question or a maybe.
fn states_nothing(words: &[Token]) -> bool {
    let pair = |one: &str, two: &[&str]| words.windows(2).any(|pair| pair[0].is(one) && pair[1].among(two));
    let hedged = words.iter().any(|token| token.among(&HEDGES) || token.among(&HABITS))
        || pair("not", &["sure", "decided", "certain"])
        || pair("don't", &["know"])
        || pair("can't", &["say", "tell"])
        || pair("no", &["idea"]);
    let first = words.first();
    let second = words.get(1);
    let asked = words.last().is_some_and(|token| token.is("?"));
    let open = words.iter().any(|token| {
        let plain = token.low.strip_suffix("'s").unwrap_or(&token.low);
        ["what", "which", "how", "who", "why", "where"].contains(&plain)
    });
    let asks = asked
        && (open
            || first.is_some_and(|token| token.among(&ASKING) || token.is("if"))
            || words.iter().any(|token| token.is("still")));
    // Many do not trouble to put the mark.
    let unmarked = first.is_some_and(|token| token.among(&["how", "what", "which", "why", "who", "where"]))
        && second.is_some_and(|token| {
            token.among(&["many", "much", "long", "about", "kind", "kinds", "if"])
                || token.among(&verbs::AUXILIARIES)
        });
    let inverted = first.is_some_and(|token| token.among(&["was", "were", "is", "are", "did", "does"]))
        && second.is_some_and(|token| {
            token.among(&[
                "anyone", "anybody", "there", "it", "he", "she", "they", "the", "someone", "my", "your", "a",
                "this", "that",
            ])
        });
    hedged || asks || unmarked || inverted
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

/// Mutes what stands behind an `if` up to the end of its clause: `late check-out if possible` asks for it all the same.
fn mute_conditions(all: &[Token], start: usize, end: usize, mute: &mut [bool]) {
    for at in start..end {
        if all[at].among(&["if", "unless"]) {
            let to = clause::end(all, at, end);
            mute[at..to].fill(true);
        }
    }
}

/// Mutes what stands in quotation marks, unless all of it does: it was said elsewhere.
fn mute_quotes(all: &[Token], mute: &mut [bool]) {
    let marks = |token: &Token| token.among(&["\"", "“", "”", "„", "«", "»"]);
    let Some(open) = all.iter().position(|token| marks(token) && token.spaced) else { return };
    let words = |range: &[Token]| range.iter().any(|token| token.sort != Sort::Sign);
    let mut from = open;
    while let Some(close) = (from + 1..all.len()).find(|at| marks(&all[*at])) {
        if words(&all[..from]) || words(&all[close..]) {
            mute[from..=close].fill(true);
        }
        let Some(next) = (close + 1..all.len()).find(|at| marks(&all[*at]) && all[*at].spaced) else {
            return;
        };
        from = next;
    }
}

/// Mutes what is taken back at once: `sick from Monday. No, forget it`.
fn mute_withdrawn(all: &[Token], muted: &mut Muted) {
    let back = (1..all.len()).rev().find(|at| {
        all[at - 1].among(&["ignore", "forget", "disregard", "scratch", "never"])
            && all[*at].among(&["that", "it", "this", "mind"])
            && all.get(at + 1).is_none_or(|next| next.sort == Sort::Sign)
    });
    if let Some(back) = back {
        muted.values[..back].fill(true);
        muted.words[..back].fill(true);
    }
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
        || pair(&["near"], &["miss", "misses"])
        || pair(&["close"], &["call", "shave"])
        || pair(&["false"], &["alarm"])
        || pair(&["tried", "trying", "try", "failed", "supposed", "meant"], &["to"])
        || pair(&["wish"], &["i", "we"])
        || pair(&["hate", "hated", "love"], &["being", "it"])
        || clause.iter().any(|token| {
            token.among(&["cancel", "cancelling", "withdraw", "delete", "swap", "reschedule", "exchange"])
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

/// Returns whether a clause of a report tells of something around what happened: `the fire brigade came on 2 October`.
/// Its words may name it, but its day is another.
fn tells_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    // `the fire alarm`, `a fire risk assessment`: the word only says which alarm.
    let is_name = |at: usize| {
        let next = words.get(at + 1).filter(|next| next.sort == Sort::Word);
        topic(&words[at])
            && (next.is_none_or(|next| topic(next) || super::meant::may_follow(next))
                || super::number::at(words, at + 1).is_some())
    };
    let mut spoken = (0..words.len()).filter(|at| topic(&words[*at])).peekable();
    let compound = spoken.peek().is_some() && spoken.all(|at| !is_name(at));
    let (Some(verb), Some(from)) = (parsed.verb, subject_of(words, parsed)) else { return compound };
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

/// Returns whether a clause speaks of another time, another thing or somebody else, where a form asks what shall be.
fn is_beside(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
    let verb = parsed.verb.and_then(|at| words.get(at));
    match parsed.about {
        About::Speaker => {
            let told = |token: &Token| {
                verbs::is_past(token)
                    && !token.among(&["need", "started", "ended", "arrived", "wanted", "hurt", "cut"])
            };
            // `I was at your hotel on 3 May`; `I was sick yesterday` says what is asked.
            let was = verb.is_some_and(|verb| verb.among(&["was", "were"])) && !words.iter().any(topic);
            was || verb.is_some_and(|verb| told(verb) || verb.among(&BESIDE))
        }
        About::It => false,
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
        About::Person => !words.iter().take(3).any(|token| token.is("you")),
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
            let owner = first.map_or("", |at| words[at].low.as_str());
            // `the leave I took in May`
            let took = |pair: &[Token]| pair[0].among(&["i", "we"]) && verbs::is_past(&pair[1]);
            if words[..words.len().min(8)].windows(2).any(took) {
                return true;
            }
            let other = verbs::is_other(head) && !topic(head);
            let named = (topic(head) || verbs::is_time(head)) && !strange;
            let Some(verb) = verb else { return other || matches!(owner, "his" | "her" | "their") };
            let own = owner == "my" && words.get(first.unwrap_or(0) + 1).is_some_and(|token| token.is("own"));
            // What was is not what is wanted: `the double was too small`.
            let was = verb.among(&["was", "were"]) && owner != "my";
            was || verbs::is_past(verb) && !named || other || !(named || own)
        }
    }
}

/// Returns whether a clause speaks of something else than what happened.
fn is_beside_report(words: &[Token], parsed: Clause, topic: &impl Fn(&Token) -> bool) -> bool {
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

/// Returns from where a clause says only what there is not: `no incident today`, `I won't take annual leave in May`.
fn denies_all(words: &[Token], topic: &impl Fn(&Token) -> bool) -> Option<usize> {
    let negator = words.iter().position(|token| token.among(&NEGATORS) || token.low.ends_with("n't"))?;
    // `it did not happen on Friday`
    let event = ["happen", "start", "begin", "end", "occur", "on", "until"];
    if words.get(negator + 1).is_some_and(|token| token.among(&event)) {
        return Some(negator);
    }
    let spoken: Vec<usize> = (0..words.len()).filter(|at| topic(&words[*at])).collect();
    let first = *spoken.first()?;
    // `nobody was hurt in the accident`: what lies behind a preposition is not denied.
    let apart =
        |at: usize| words[first..at].iter().any(|token| token.among(&["in", "during", "at", "after", "by"]));
    spoken.iter().all(|at| *at > negator && !apart(*at)).then_some(negator)
}

/// Returns for each token whether it names something that a form's days go with. A sick note is none, though `sick` is.
pub(super) fn dated_words(all: &[Token], fields: &[Field]) -> Vec<bool> {
    let words = topic_of(fields.iter().filter(|field| has_days(field)));
    let wish = ["off", "need", "want", "like", "book", "request", "reserve", "take"];
    let mut found: Vec<bool> =
        all.iter().map(|token| words.contains(&token.low) || token.among(&wish)).collect();
    for phrase in fields.iter().filter(|field| !has_days(field)).flat_map(phrases) {
        for at in 0..all.len() {
            if let Some(end) = ends_at(&phrase, all, at) {
                found[at..end].fill(false);
            }
        }
    }
    found
}

/// Returns whether a field is one of those that a form's days go with: neither words nor yes and no.
fn has_days(field: &Field) -> bool {
    !matches!(field.kind, Kind::Text | Kind::Multiline) && super::truth::poles(field).is_none()
}

/// Lists the words that name what the form is about.
fn topic_of<'a>(fields: impl Iterator<Item = &'a Field>) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut add = |text: &str, least: usize| {
        for token in tokens(text) {
            let small = token.low.len() < least || token.among(&SMALL);
            if token.sort == Sort::Word && !small {
                // `incident` and `incidents` are one topic.
                words.insert(format!("{}s", token.low));
                words.insert(token.low);
            }
        }
    };
    for field in fields {
        add(&words_of(&field.id), 4);
        add(&field.label, 4);
        synonyms(&field.extra).for_each(|name| add(name, 4));
        for option in field.all_options().take(200) {
            add(&option.label, 3);
            synonyms(&option.extra).for_each(|name| add(name, 3));
        }
    }
    words
}
