//! What states nothing about what is asked: questions, maybes, conditions, habits, other times and other people.
//!
//! Every part of a text is one of these or a statement. When in doubt it is not a statement: what is not taken is
//! asked, and a question costs less than a wrong value.

use std::cell::OnceCell;
use std::collections::HashSet;

use holdpoint_core::Field;

use super::super::form::{synonyms, words_of};
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
const AUXILIARIES: [&str; 22] = [
    "is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will", "would", "can", "could",
    "should", "must", "isn't", "wasn't", "doesn't", "don't", "won't", "hasn't",
];
/// Verbs that tell what was, in the first person: where a form asks what shall be, they speak of another time.
const PAST: [&str; 14] = [
    "had", "took", "stayed", "tested", "used", "booked", "tried", "did", "went", "ran", "made", "came",
    "spent", "asked",
];
const PAST_OF_OTHERS: [&str; 22] = [
    "lost", "found", "gave", "sent", "told", "said", "made", "broke", "fell", "hit", "left", "kept", "saw",
    "bought", "brought", "took", "went", "came", "got", "ran", "died", "began",
];
/// Words before a verb that name nobody else.
const IMPERSONAL: [&str; 43] = [
    "mine",
    "ours",
    "everything",
    "i",
    "we",
    "you",
    "it",
    "this",
    "that",
    "there",
    "which",
    "what",
    "who",
    "when",
    "where",
    "how",
    "why",
    "and",
    "but",
    "so",
    "if",
    "please",
    "yes",
    "no",
    "ok",
    "okay",
    "hi",
    "hello",
    "hey",
    "thanks",
    "now",
    "then",
    "all",
    "anything",
    "nobody",
    "nothing",
    "none",
    "not",
    "also",
    "here",
    "because",
    "since",
    "as",
];
/// Whoever or whatever else a clause can be about.
const OTHERS: [&str; 44] = [
    "colleague",
    "colleagues",
    "boss",
    "manager",
    "team",
    "company",
    "office",
    "doctor",
    "wife",
    "husband",
    "partner",
    "mother",
    "father",
    "mom",
    "mum",
    "dad",
    "parents",
    "son",
    "daughter",
    "kid",
    "kids",
    "child",
    "children",
    "brother",
    "sister",
    "friend",
    "friends",
    "neighbour",
    "neighbor",
    "flight",
    "train",
    "plane",
    "bus",
    "school",
    "report",
    "shop",
    "landlord",
    "customer",
    "supplier",
    "police",
    "insurance",
    "uncle",
    "aunt",
    "family",
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
}

/// Returns what may be taken from each token.
pub(super) fn mute(all: &[Token], fields: &[Field], report: bool) -> Muted {
    // Most texts never need it, and a long form takes a while.
    let topic = OnceCell::new();
    let topic = || -> &HashSet<String> { topic.get_or_init(|| topic_of(fields)) };
    let (mut mute, mut words) = (vec![false; all.len()], vec![false; all.len()]);
    let mut start = 0;
    while start < all.len() {
        let sentence = all[start].sentence;
        let end = (start..all.len()).find(|at| all[*at].sentence != sentence).unwrap_or(all.len());
        if states_nothing(&all[start..end]) {
            mute[start..end].fill(true);
            words[start..end].fill(true);
        } else {
            let mut from = start;
            while from < end {
                let to = clause_end(all, from, end);
                if is_condition(&all[from..to]) || is_elsewhere(&all[from..to], &topic, report) {
                    mute[from..to].fill(true);
                }
                from = to;
            }
            mute_conditions(all, start, end, &mut mute);
        }
        start = end;
    }
    Muted { values: mute, words }
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
                || token.among(&AUXILIARIES)
        });
    hedged || asks || unmarked
}

/// Returns where a clause ends: at a comma or semicolon, or where another one begins.
fn clause_end(all: &[Token], from: usize, end: usize) -> usize {
    for at in from + 1..end {
        let (token, next) = (&all[at], all.get(at + 1));
        let figures = |token: Option<&Token>| token.is_some_and(|token| token.sort == Sort::Digits);
        // A comma between figures belongs to them: 24.7, 46.6 and 1,500.
        if token.among(&[",", ";", ":"]) && !(figures(all.get(at - 1)) && figures(next)) {
            return at + 1;
        }
        if token.is("but") && !all[at - 1].among(&["all", "anything", "everything", "nothing"]) {
            return at;
        }
        let subject = |token: &Token| {
            token.among(&[
                "i", "i'm", "i'd", "i'll", "i've", "we", "we're", "we'd", "we'll", "it", "it's", "this",
                "now",
            ])
        };
        if token.among(&["so", "and", "then"])
            && next.is_some_and(|next| {
                subject(next) || next.among(&["would", "want", "need", "will", "please", "the", "my"])
            })
            && at > from + 2
        {
            return at;
        }
    }
    end
}

/// Returns whether a clause only says under which condition something holds.
fn is_condition(clause: &[Token]) -> bool {
    let first = clause.iter().find(|token| token.sort == Sort::Word && !token.among(&["and", "but", "so"]));
    first.is_some_and(|token| token.among(&["if", "unless", "suppose", "supposing"]))
}

/// Mutes what stands behind an `if` up to the end of its clause: `late check-out if possible` asks for it all the same.
fn mute_conditions(all: &[Token], start: usize, end: usize, mute: &mut [bool]) {
    for at in start..end {
        if all[at].among(&["if", "unless"]) {
            let to = clause_end(all, at, end);
            mute[at..to].fill(true);
        }
    }
}

/// Returns whether a clause speaks of another time, another thing or somebody else.
fn is_elsewhere<'a>(clause: &[Token], topic: &impl Fn() -> &'a HashSet<String>, report: bool) -> bool {
    let at = |at: usize| clause.get(at).map_or("", |token| token.low.as_str());
    let has = |words: &[&str]| clause.iter().any(|token| token.among(words));
    let pair =
        |one: &[&str], two: &[&str]| clause.windows(2).any(|pair| pair[0].among(one) && pair[1].among(two));
    let this = pair(&["this"], &["time", "one"]);
    let earlier = has(&["previous", "previously", "formerly", "once"])
        || pair(&["last"], &["time", "year", "years", "month", "summer", "winter", "spring", "autumn"])
        || pair(&["used"], &["to"])
        || pair(&["year", "years", "months"], &["ago"])
        || pair(&["the", "my", "our"], &["last", "earlier"])
            && clause.windows(2).any(|pair| pair[0].is("last") && !is_time(&pair[1]));
    if earlier && !this {
        return true;
    }
    // The subject: the words before the first verb.
    let skipped = clause
        .iter()
        .take_while(|token| {
            token.among(&["and", "but", "so", "then", "since", "because", "as", "hi", "hello", "well"])
        })
        .count();
    let clause = &clause[skipped.min(clause.len())..];
    let first = clause.first().map_or("", |token| token.low.as_str());
    let speaker = matches!(first, "i" | "we");
    if !report && speaker && clause.get(1).is_some_and(is_told) {
        return true;
    }
    if matches!(first, "he" | "she" | "they" | "he's" | "she's" | "they're") && !report {
        return true;
    }
    if !matches!(first, "my" | "our" | "his" | "her" | "their" | "the" | "a" | "an") {
        // `Jonas is on vacation`: one word that is neither the speaker nor what the form is about.
        let plain = clause.first().is_some_and(|token| token.sort == Sort::Word)
            && !IMPERSONAL.contains(&first.split('\'').next().unwrap_or_default());
        return plain
            && !report
            && clause
                .get(1)
                .is_some_and(|verb| is_verb(verb) && !verb.among(&["do", "have", "can", "could"]))
            && !topic().contains(first);
    }
    // `the leave I took in May`
    let told = |pair: &[Token]| pair[0].among(&["i", "we"]) && is_told(&pair[1]);
    if !report && clause[..clause.len().min(6)].windows(2).any(told) {
        return true;
    }
    let Some(verb) = (1..clause.len().min(7)).find(|at| is_verb(&clause[*at])) else { return false };
    let subject = &clause[1..verb];
    if subject.is_empty() || subject.iter().any(|token| token.sort != Sort::Word) {
        return false;
    }
    let named = subject.iter().any(|token| topic().contains(&token.low));
    let other =
        subject.iter().any(|token| OTHERS.contains(&token.low.strip_suffix("'s").unwrap_or(&token.low)));
    let was = clause[verb].among(&["was", "were"]);
    // Where a form asks what shall be, what somebody or something did is another matter.
    let told =
        clause[verb].among(&PAST_OF_OTHERS) || clause[verb].low.len() > 4 && clause[verb].low.ends_with("ed");
    match first {
        _ if told && !report && !named => true,
        _ if report => other && clause[verb].among(&["is", "are"]),
        _ if was && !named => true,
        // What was is not what is wanted: `the double was too small`.
        _ if was => subject.iter().any(|token| token.sort == Sort::Word) && first != "my",
        "my" | "our" | "his" | "her" | "their" => other || !named && at(1) != "own",
        _ => other,
    }
}

/// Returns whether a verb tells what someone did.
fn is_told(token: &Token) -> bool {
    let verb = token.low.as_str();
    PAST.contains(&verb)
        || (verb.len() > 4
            && verb.ends_with("ed")
            && !matches!(verb, "need" | "started" | "ended" | "arrived"))
}

fn is_time(token: &Token) -> bool {
    token.among(&["day", "days", "week", "night", "minute"])
        || super::relative::day_name(token).is_some()
        || token.sort != Sort::Word
}

/// Returns whether a word is likely the verb of its clause.
fn is_verb(token: &Token) -> bool {
    token.among(&AUXILIARIES)
        || token.among(&PAST_OF_OTHERS)
        || (token.low.len() > 4 && token.low.ends_with("ed"))
        || token.among(&[
            "starts", "ends", "begins", "wants", "needs", "lands", "arrives", "leaves", "takes", "took",
            "goes", "comes", "eats", "asked", "says", "said", "flooded", "died", "marries", "got", "lasted",
            "happened", "occurred", "started", "ended", "began", "works", "lives", "opens", "closes",
            "reopens", "likes", "prefers",
        ])
}

/// Lists the words that name what the form is about.
fn topic_of(fields: &[Field]) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut add = |text: &str| {
        for token in tokens(text) {
            let small = token.low.len() < 4
                || token.among(&["your", "what", "when", "which", "does", "with", "have", "here"]);
            if token.sort == Sort::Word && !small {
                // `incident` and `incidents` are one topic.
                words.insert(format!("{}s", token.low));
                words.insert(token.low);
            }
        }
    };
    for field in fields {
        add(&words_of(&field.id));
        add(&field.label);
        synonyms(&field.extra).for_each(&mut add);
        for option in field.all_options().take(200) {
            add(&option.label);
            synonyms(&option.extra).for_each(&mut add);
        }
    }
    words
}
