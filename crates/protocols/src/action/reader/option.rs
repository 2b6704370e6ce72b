//! Options by name, other name and likely misspelling.

use std::collections::HashSet;

use holdpoint_core::{Field, Kind, Opt};
use serde_json::{Value, json};

use super::super::form::{synonyms, words_of};
use super::mention::{self, Phrase, phrases};
use super::number;
use super::scan::Scan;
use super::truth;
use super::words::{Sort, inflects, misspells, resembles};

/// An option that was found in the text.
struct Hit<'a> {
    option: &'a Opt,
    start: usize,
    end: usize,
    exact: bool,
    negated: bool,
}

/// Words that say something only about what they stand with.
const RELATIVE: [&str; 16] = [
    "low", "medium", "high", "small", "large", "big", "normal", "other", "short", "long", "good", "bad",
    "none", "new", "old", "average",
];

/// Finds options for all fields that offer some.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for field in
        fields.iter().filter(|field| matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm))
    {
        if truth::poles(field).is_none() || scan.is_asked(field) {
            settle(scan, field, 0, scan.tokens.len());
        }
    }
}

/// Finds options between two tokens, right behind the field's name.
pub(super) fn read_within(scan: &mut Scan<'_>, field: &Field, start: usize, end: usize) {
    if truth::poles(field).is_some() {
        truth::read_within(scan, field, start, end);
    } else {
        settle(scan, field, start, end);
    }
}

fn settle(scan: &mut Scan<'_>, field: &Field, from: usize, to: usize) {
    if scan.reading.value(&field.id).is_some() {
        return;
    }
    let named = from > 0 || scan.is_asked(field);
    let mut hits = find(scan, field, from, to, named);
    // What is denied once is not stated elsewhere: `the fire alarm went off, but there was no fire`.
    let denied: Vec<&str> = hits.iter().filter(|hit| hit.negated).map(|hit| hit.option.id.as_str()).collect();
    hits.retain(|hit| !denied.contains(&hit.option.id.as_str()));
    if hits.iter().any(|hit| hit.exact) {
        hits.retain(|hit| hit.exact);
    }
    // `emergency leave` names the leave; `my son is sick` only speaks of it.
    let reach = hits.first().map_or(0, |hit| hit.end)..hits.last().map_or(0, |hit| hit.start);
    let weighs = reach.into_iter().any(|at| matches!(scan.word(at), "or" | "/"));
    if !weighs && field.kind != Kind::Choices && hits.iter().any(|hit| anchored(scan, field, hit)) {
        hits.retain(|hit| anchored(scan, field, hit));
    }
    if hits.is_empty() && denied.is_empty() && scan.is_asked(field) && from == 0 {
        own_words(scan, field);
        return;
    }
    let mut chosen: Vec<&Opt> = Vec::new();
    for hit in &hits {
        if !chosen.iter().any(|option| option.id == hit.option.id) {
            chosen.push(hit.option);
        }
    }
    let (Some(first), Some(last)) = (hits.first(), hits.last()) else { return };
    let (start, end) = (first.start, last.end);
    let spans: Vec<(usize, usize)> = hits.iter().map(|hit| (hit.start, hit.end)).collect();
    let ids: Vec<Value> = chosen.iter().map(|option| json!(option.id)).collect();
    match (field.kind, ids.as_slice()) {
        (Kind::Choices, _) => scan.take(field, &Value::Array(ids), start..end),
        (_, [one]) => {
            let one = one.clone();
            scan.take(field, &one, spans[0].0..spans[0].1);
        }
        _ => scan.wonder(field, ids, start..end),
    }
    if !named && !hits.iter().any(|hit| anchored(scan, field, hit)) {
        scan.loose.push(field.id.clone());
    }
    for (start, end) in spans {
        scan.claim(start..end);
    }
}

/// Takes an answer in one's own words, where the field allows it: whoever is asked and names no option names something
/// else. Something short, for a longer text is rather about it.
fn own_words(scan: &mut Scan<'_>, field: &Field) {
    let all = 0..scan.tokens.len();
    let short = scan.tokens.iter().filter(|token| token.sort == Sort::Word).count() <= 6;
    let plain = matches!(super::manner(scan.text), super::Manner::Plain);
    if field.custom && field.kind == Kind::Choice && short && plain && scan.free_words(all.clone()) {
        let text = json!({ "text": scan.text.trim() });
        scan.take(field, &text, all);
    }
}

fn find<'a>(scan: &Scan<'_>, field: &'a Field, from: usize, to: usize, expected: bool) -> Vec<Hit<'a>> {
    let names: Vec<(&Opt, Vec<Phrase>)> = field.all_options().map(|option| (option, names(option))).collect();
    let mut hits = Vec::new();
    let mut at = from;
    while at < to {
        let hit =
            longest(scan, &names, at, expected).filter(|hit| hit.end <= to && scan.free(hit.start..hit.end));
        match hit {
            Some(hit) if (expected || is_meant(scan, field, &hit)) && !is_counted(scan, &hit) => {
                at = hit.end;
                hits.push(hit);
            }
            _ => at += 1,
        }
    }
    hits
}

fn names(option: &Opt) -> Vec<Phrase> {
    let own = [Some(option.label.as_str()), option.short.as_deref()];
    let id = words_of(&option.id);
    let all = own.into_iter().flatten().chain([id.as_str()]).chain(synonyms(&option.extra));
    all.filter_map(Phrase::new).collect()
}

/// Lists the names of a field's options.
pub(super) fn names_of(field: &Field) -> Vec<Phrase> {
    field.all_options().flat_map(names).collect()
}

/// Returns the longest option that stands at a token; an exact name before a misspelt one.
fn longest<'a>(scan: &Scan<'_>, names: &[(&'a Opt, Vec<Phrase>)], at: usize, asked: bool) -> Option<Hit<'a>> {
    let mut best: Option<Hit<'a>> = None;
    for (option, phrases) in names {
        for phrase in phrases {
            let exact = phrase.at(scan, at);
            let near = || {
                let [word] = phrase.words() else { return None };
                let said = scan.word(at);
                let alike =
                    inflects(said, word) || if asked { resembles(said, word) } else { misspells(said, word) };
                (alike && mention::is_word(scan, at)).then_some(at + 1)
            };
            let Some(end) = exact.or_else(near) else { continue };
            let better = best.as_ref().is_none_or(|best| (exact.is_some(), end) > (best.exact, best.end));
            if better {
                let negated = scan.negated(at) || scan.denied_after(end);
                best = Some(Hit { option, start: at, end, exact: exact.is_some(), negated });
            }
        }
    }
    best
}

/// Returns whether a hit stands with a word of the field's own name.
fn anchored(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    let name = words_of(&field.id);
    let around = hit.start.saturating_sub(1)..=hit.end;
    around.into_iter().any(|at| name.split(' ').any(|word| word.len() >= 4 && word == scan.word(at)))
}

/// Returns whether a hit may be another word: a small word that is no name here, or one that says something only
/// about what it stands with.
fn doubtful(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    let word = scan.word(hit.start);
    if hit.end > hit.start + 1 {
        return false;
    }
    if mention::is_filler(word) {
        let written = scan.words(hit.start..hit.end);
        let upper = written.len() > 1 && written.chars().all(char::is_uppercase);
        let listed = scan.before(hit.start, 1).is_some_and(|token| token.among(&[",", "and", "&"]))
            && matches!(scan.word(hit.end), "," | "and" | "&" | "." | "");
        return !upper && !listed;
    }
    RELATIVE.contains(&word) && !stands_with_name(scan, field, hit)
}

/// Returns whether a field's name stands right before or behind a word: `high risk`, `the risk is fairly low`.
fn stands_with_name(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    let between = |from: usize, to: usize| {
        (from..to).all(|at| {
            let joins = [
                "is", "are", "as", "be", "will", ":", "=", "-", "very", "fairly", "pretty", "rather",
                "quite", "only", "just", "to",
            ];
            joins.contains(&scan.word(at))
                || super::mention::is_filler(scan.word(at)) && scan.word(at) != "of"
        })
    };
    let it = scan.before(hit.start, 1).is_some_and(|token| token.is("it's"))
        || (scan.before(hit.start, 1).is_some_and(|token| token.is("is"))
            && scan.before(hit.start, 2).is_some_and(|token| token.is("it")));
    phrases(field).iter().any(|name| {
        scan.sentence(hit.start).any(|at| {
            name.at(scan, at).is_some_and(|end| {
                (it && end <= hit.start && scan.word(end) != "of")
                    || (end <= hit.start && hit.start - end <= 3 && between(end, hit.start))
                    || (at >= hit.end && at - hit.end <= 1 && between(hit.end, at))
            })
        })
    })
}

/// Returns whether an option that was found is one that is stated, where nobody asked for it.
fn is_meant(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    !(doubtful(scan, field, hit)
        || is_compound(scan, field, hit)
        || is_owned(scan, hit)
        || !scan.report && is_spoken_of(scan, hit))
}

/// Returns whether it is somebody else's: `Tom's holiday`.
fn is_owned(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    let shortened =
        ["it's", "that's", "there's", "what's", "he's", "she's", "who's", "here's", "let's", "today's"];
    scan.before(hit.start, 1).is_some_and(|token| token.low.ends_with("'s") && !token.among(&shortened))
        || scan.before(hit.start, 1).is_some_and(|token| token.among(&["his", "her", "their"]))
}

/// Returns whether something is said about an option, which does not choose it: `Asia is asleep`. That it is fine does.
fn is_spoken_of(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    let fine = [
        "fine",
        "ok",
        "okay",
        "good",
        "right",
        "correct",
        "enough",
        "better",
        "best",
        "preferred",
        "perfect",
        "what",
        "the",
        "my",
        "our",
        "it",
        "needed",
        "wanted",
        "required",
        "great",
        "also",
        "in",
        "from",
        "on",
    ];
    let before = |count: usize| scan.before(hit.start, count);
    let opens = |token: Option<&super::words::Token>| {
        token.is_none_or(|token| token.sort == Sort::Sign || token.among(&["and", "but", "so", "because"]))
    };
    let determined = before(1).is_some_and(|token| token.among(&["the", "my", "our", "this", "that"]));
    if !(opens(before(1)) || determined && opens(before(2))) {
        return false;
    }
    // `the monitor in room 12 is broken`
    let near = matches!(scan.word(hit.end), "in" | "at" | "on" | "from" | "of" | "for");
    let reach = if near { 5 } else { 1 };
    let sentence = |at: usize| {
        scan.tokens.get(at).map(|token| token.sentence)
            == scan.tokens.get(hit.start).map(|token| token.sentence)
    };
    let verb =
        (hit.end..hit.end + reach).take_while(|at| sentence(*at) && scan.word(*at) != ",").find(|at| {
            matches!(
                scan.word(*at),
                "is" | "are" | "has" | "have" | "was" | "were" | "runs" | "ran" | "isn't"
            )
        });
    verb.is_some_and(|verb| mention::is_word(scan, verb + 1) && !fine.contains(&scan.word(verb + 1)))
}

/// Returns whether several of an option are wanted, which is not choosing it: `two single rooms`.
fn is_counted(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    if scan.fields.iter().any(super::quantity::counts_anything) {
        return false;
    }
    (1..=2).filter_map(|back| hit.start.checked_sub(back)).any(|at| {
        let several =
            |number: number::Number| number.next == hit.start && number.value > 1.0 && number.value < 100.0;
        number::at(&scan.tokens, at).is_some_and(several) && scan.free(at..hit.start)
    })
}

/// Words that may stand behind the name of an option without making another thing of it.
const FOLLOWING: [&str; 113] = [
    "and",
    "or",
    "but",
    "so",
    "because",
    "since",
    "as",
    "for",
    "from",
    "to",
    "until",
    "till",
    "through",
    "on",
    "in",
    "at",
    "of",
    "with",
    "without",
    "by",
    "near",
    "after",
    "before",
    "during",
    "due",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "now",
    "next",
    "last",
    "this",
    "that",
    "these",
    "the",
    "a",
    "an",
    "my",
    "our",
    "please",
    "thanks",
    "thank",
    "only",
    "too",
    "also",
    "instead",
    "again",
    "then",
    "i",
    "i'm",
    "i'd",
    "i'll",
    "i've",
    "we",
    "we're",
    "it",
    "it's",
    "he",
    "she",
    "they",
    "you",
    "is",
    "are",
    "was",
    "were",
    "isn't",
    "wasn't",
    "has",
    "had",
    "have",
    "will",
    "would",
    "can",
    "could",
    "should",
    "may",
    "must",
    "do",
    "does",
    "not",
    "no",
    "broke",
    "if",
    "when",
    "while",
    "where",
    "there",
    "here",
    "everywhere",
    "somewhere",
    "off",
    "out",
    "up",
    "down",
    "over",
    "rather",
    "than",
    "first",
    "per",
    "each",
    "both",
    "either",
    "it'll",
    "about",
    "around",
    "starts",
    "ends",
    "till",
    "back",
    "between",
    "into",
    "within",
];

/// Returns whether an option's name only says which kind of another thing is meant: a fire drill is no fire.
fn is_compound(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    if hit.end > hit.start + 1 {
        return false;
    }
    let Some(next) = scan.tokens.get(hit.end).filter(|next| next.sort == Sort::Word && next.spaced) else {
        return false;
    };
    if scan.tokens.get(hit.start).is_some_and(|token| token.sentence != next.sentence) {
        return false;
    }
    let word = next.low.as_str();
    let form = ["ed", "ing", "ly"].iter().any(|end| word.len() > 4 && word.ends_with(end));
    let day = super::relative::day_name(next).is_some() || super::day::is_month(next);
    let number = number::at(&scan.tokens, hit.end).is_some();
    let named = || {
        let own = words_of(&field.id);
        let label = field.label.to_lowercase();
        let mut all = own.split(' ').chain(label.split(|c: char| !c.is_alphanumeric()));
        all.any(|name| name.len() >= 4 && super::words::alike(name, word))
    };
    // What another field or option is called by begins something new: `staging Europe`.
    let other = || scan.names.get_or_init(|| first_words(scan.fields)).contains(word);
    !(FOLLOWING.contains(&word) || form || day || number || named() || other())
}

/// Lists the words with which the names of fields and options begin.
fn first_words(fields: &[Field]) -> HashSet<String> {
    let of_field = |field: &Field| {
        let own = phrases(field);
        let options = field.all_options().take(200).flat_map(names);
        own.into_iter().chain(options).filter_map(|name| name.words().first().cloned()).collect::<Vec<_>>()
    };
    fields.iter().flat_map(of_field).collect()
}

/// Takes an option by its place: `the second one`, `number 2`, `2`.
pub(super) fn read_place(scan: &mut Scan<'_>, field: &Field) {
    let picks = matches!(field.kind, Kind::Choice | Kind::Choices | Kind::Confirm);
    // Who says where it stands says little else.
    if !picks || scan.tokens.len() > 8 {
        return;
    }
    let names: Vec<(&Opt, Vec<Phrase>)> = field.all_options().map(|option| (option, names(option))).collect();
    // An option may itself be called by a number.
    let called = (0..scan.tokens.len()).any(|at| longest(scan, &names, at, false).is_some());
    if !called {
        by_place(scan, field);
    }
}

fn by_place(scan: &mut Scan<'_>, field: &Field) {
    let words = scan
        .tokens
        .iter()
        .filter(|token| !token.among(&["the", "one", "number", "option", ".", "!", "#", "please"]))
        .count();
    let start = (0..scan.tokens.len())
        .find(|at| number::ordinal(&scan.tokens, *at).is_some() || scan.tokens[*at].number().is_some());
    let Some(start) = start else { return };
    let place = number::ordinal(&scan.tokens, start)
        .or_else(|| scan.tokens[start].number().map(|place| (place, start + 1)));
    let Some((place, end)) = place.filter(|(_, end)| end - start == words) else { return };
    let option = usize::try_from(place - 1).ok().and_then(|at| field.options.get(at));
    if let Some(option) = option.filter(|_| scan.free(start..end)) {
        let value = holdpoint_core::field::picking(field, &option.id);
        scan.take(field, &value, start..end);
    }
}
