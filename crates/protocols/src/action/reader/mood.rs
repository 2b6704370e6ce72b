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
use super::clause::{self, About};
use super::correct::ends_at;
use super::licence::{Held, Licence};
use super::judge::{Judged, denies_all, judge, of_last_week};
use super::mention::phrases;
use super::verbs;
use super::words::{Sort, Token, inflects, misspells, tokens};

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
/// Words of questions that name nothing.
const SMALL: [&str; 35] = [
    "your", "what", "when", "which", "does", "with", "have", "here", "last", "longer", "than", "need",
    "please", "give", "kind", "anything", "else", "call", "about", "time", "will", "would", "like", "take",
    "many", "much", "where", "could", "reach", "send", "there", "long", "high", "should", "know",
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
    /// Perhaps a value: its clause may state something, but who knows.
    pub(super) open: Vec<bool>,
    /// Perhaps a day or time.
    pub(super) open_days: Vec<bool>,
    /// Which clause it belongs to.
    pub(super) clauses: Vec<usize>,
}

/// Returns what may be taken from each token.
pub(super) fn mute(all: &[Token], fields: &[Field], asked: bool, report: bool) -> Muted {
    let answers = asked && all.iter().filter(|token| token.sort != Sort::Sign).count() <= 8;
    // Most texts never need it, and a long form takes a while.
    let cell = OnceCell::new();
    let topic = |token: &Token| -> bool {
        let words: &HashSet<String> = cell.get_or_init(|| topic_of(fields.iter()));
        words.contains(&token.low) || all.len() <= LONGEST && is_form_of(words, token)
    };
    let none = || vec![false; all.len()];
    let clauses = vec![0; all.len()];
    let mut muted =
        Muted { values: none(), words: none(), days: none(), open: none(), open_days: none(), clauses };
    let mut start = 0;
    while start < all.len() {
        let sentence = all[start].sentence;
        let end = (start..all.len()).find(|at| all[*at].sentence != sentence).unwrap_or(all.len());
        // `annual leave? no, unpaid`
        let answered = all[end - 1].is("?") && all.get(end).is_some_and(|next| next.among(&["no", "nope"]));
        // What stands before a colon may be hedged by itself: `I hope this is right: a worker was hurt`.
        let colon = (start + 4..end).find(|at| all[*at].is(":") && all.get(at + 1).is_some_and(|next| next.spaced));
        let split = colon.filter(|at| states_nothing(&all[start..*at]) && !states_nothing(&all[*at..end]));
        if let Some(at) = split {
            muted.values[start..at].fill(true);
            muted.words[start..at].fill(true);
            start = at;
        }
        if states_nothing(&all[start..end]) || answered {
            muted.values[start..end].fill(true);
            muted.words[start..end].fill(true);
        } else {
            mute_clauses(all, start, end, &topic, report, answers, &mut muted);
            mute_conditions(all, start, end, &mut muted.values);
            if hangs_on_condition(&all[start..end]) {
                muted.open[start..end].fill(true);
                muted.open_days[start..end].fill(true);
            }
        }
        start = end;
    }
    mute_quotes(all, &mut muted.values);
    mute_withdrawn(all, &mut muted);
    muted
}

/// Returns whether a clause has nothing but times and counts: `3 to 5 May`, `two nights`.
fn is_count(words: &[Token], topic: &impl Fn(&Token) -> bool) -> bool {
    (0..words.len()).all(|at| {
        let counted = at.checked_sub(1).is_some_and(|at| super::number::at(words, at).is_some());
        let token = &words[at];
        token.sort != Sort::Word
            || super::lexicon::is_small(token)
            || super::complement::is_time(token)
            || super::number::at(words, at).is_some()
            || topic(token) && counted
    })
}

/// How many words a text may have that mistyped words are looked for in.
const LONGEST: usize = 200;

/// Returns whether a word is another form of one of some, or a likely misspelling.
fn is_form_of(words: &HashSet<String>, token: &Token) -> bool {
    token.sort == Sort::Word
        && token.low.len() >= 3
        && !super::lexicon::is_small(token)
        && words.iter().any(|word| {
            misspells(&token.low, word) || inflects(&token.low, word) || shortens(&token.low, word)
        })
}

/// Returns whether a word is the beginning of a much longer one: `ins` for insurance.
fn shortens(word: &str, whole: &str) -> bool {
    whole.len() >= word.len() + 4 && whole.starts_with(word)
}

fn mute_clauses(
    all: &[Token],
    start: usize,
    end: usize,
    topic: &impl Fn(&Token) -> bool,
    report: bool,
    answers: bool,
    muted: &mut Muted,
) {
    let mut from = start;
    let mut onwards = false;
    let (mut denied, mut spoken) = (false, false);
    // Whether the clause before was about something else.
    let mut strange = false;
    while from < end {
        let to = clause::end(all, from, end);
        muted.clauses[from..to].fill(from);
        let words = &all[from..to];
        let parsed = clause::parse(words, topic);
        // `but` and the speaker begin anew.
        if words.first().is_some_and(|token| token.among(&["but", "so"])) || parsed.about == About::Speaker {
            onwards = false;
        }
        let judged = judge(words, parsed, topic);
        let licence = Held { words, parsed, topic, report }.licence();
        // Days alone go on with what was said before them.
        let bare = parsed.verb.is_none() && parsed.about == About::Nobody && is_count(words, topic);
        // A few words are the answer to what was asked.
        let licence = if parsed.verb.is_none() && parsed.about != About::Speaker && answers { Licence::States } else { licence };
        let licence = if bare && strange { Licence::Open } else { licence };
        if !bare {
            strange = licence == Licence::Open && parsed.verb.is_some() && parsed.about != About::Speaker;
        }
        if licence == Licence::Open {
            muted.open[from..to].fill(true);
        }
        if licence != Licence::States {
            muted.open_days[from..to].fill(true);
        }
        if std::env::var("TRACE").is_ok() {
            let text: Vec<&str> = words.iter().map(|token| token.low.as_str()).collect();
            eprintln!("{licence:?} {judged:?} {parsed:?} | {}", text.join(" "));
        }
        let judged = if std::env::var("NOVETO").is_ok() { Judged::Statement } else { judged };
        onwards |= judged == Judged::Onwards;
        if onwards || judged != Judged::Statement {
            muted.values[from..to].fill(true);
        } else if let Some(at) = denies_all(words, topic) {
            denied = true;
            muted.days[from + at..to].fill(true);
        } else {
            spoken |= words.iter().any(topic);
        }
        // `the leave that I asked for on 3 August`
        let told = |pair: &[Token]| {
            pair[0].among(&["i", "we", "you", "he", "she", "they"])
                && verbs::is_past(&pair[1])
                && !pair[1].among(&["had", "need"])
        };
        if !report && parsed.about != About::Speaker && words.windows(2).any(told) {
            muted.days[from..to].fill(true);
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
                || verbs::is_auxiliary(token)
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

/// Mutes what stands behind an `if` up to the end of its clause: `late check-out if possible` asks for it all the same.
fn mute_conditions(all: &[Token], start: usize, end: usize, mute: &mut [bool]) {
    for at in start..end {
        if all[at].among(&["if", "unless"]) {
            let to = clause::end(all, at, end);
            mute[at..to].fill(true);
        }
    }
}

/// Returns whether what a sentence says holds only if something else does: `if the budget goes through I'd get …`. What is said
/// out of courtesy is no condition: `if possible`, `if you don't mind`.
fn hangs_on_condition(words: &[Token]) -> bool {
    let mut said = words.iter().filter(|token| token.sort == Sort::Word);
    let first = said.find(|token| !token.among(&["and", "but", "so", "well", "ok", "hi", "hello", "also", "then"]));
    let courteous = said.next().is_some_and(|token| {
        token.among(&["possible", "you", "so", "needed", "necessary", "that's", "it's", "available", "ok", "okay"])
    });
    first.is_some_and(|token| token.among(&["if", "unless", "should", "had", "once"])) && !courteous
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
            // What is offered is no small word, though a question may be made of it: `high`.
            let small = token.low.len() < least
                || if least < 4 { super::lexicon::is_small(&token) } else { token.among(&SMALL) };
            if token.sort == Sort::Word && !small {
                // `incident` and `incidents` are one topic.
                words.insert(format!("{}s", token.low));
                words.extend(token.low.strip_suffix('s').filter(|one| one.len() > 3).map(str::to_owned));
                words.insert(token.low);
            }
        }
    };
    for field in fields {
        add(&words_of(&field.id), 4);
        add(&field.label, 4);
        synonyms(&field.extra).for_each(|name| add(name, 4));
        for option in field.all_options().take(200) {
            add(&option.label, 2);
            synonyms(&option.extra).for_each(|name| add(name, 2));
        }
    }
    words
}
