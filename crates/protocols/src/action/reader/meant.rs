//! Whether an option that stands in a text is one that the person states: a fire drill is no fire, and Tom's holiday is
//! not one's own.

use std::collections::HashSet;
use std::sync::LazyLock;

use holdpoint_core::Field;

use super::super::form::words_of;
use super::mention::{self, phrases};
use super::number;
use super::option::{Hit, names};
use super::scan::Scan;
use super::words::Sort;

/// Returns whether an option that was found is one that is stated, where nobody asked for it.
pub(super) fn is_meant(scan: &Scan<'_>, field: &Field, hit: &Hit<'_>) -> bool {
    !(doubtful(scan, field, hit)
        || is_compound(scan, field, hit)
        || is_owned(scan, hit)
        || is_paper(scan, hit)
        || super::belongings::is_had(scan, hit.start)
        || !scan.report && is_spoken_of(scan, hit))
}

/// Returns whether several of an option are wanted, which is not choosing it: `two single rooms`.
pub(super) fn is_counted(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    if scan.fields.iter().any(super::quantity::counts_anything) {
        return false;
    }
    // `two vacation days` are of one kind.
    if scan.tokens.get(hit.end).is_some_and(super::verbs::is_time) {
        return false;
    }
    (1..=2).filter_map(|back| hit.start.checked_sub(back)).any(|at| {
        let several =
            |number: number::Number| number.next == hit.start && number.value > 1.0 && number.value < 100.0;
        number::at(&scan.tokens, at).is_some_and(several) && scan.free(at..hit.start)
    })
}

/// Returns whether a word means another thing where it stands: `sick of waiting`, `by accident`, `accident-free`, `to fire him`.
pub(super) fn is_idiom(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    if hit.end != hit.start + 1 {
        return false;
    }
    let word = scan.word(hit.start);
    let before = |words: &[&str]| scan.before(hit.start, 1).is_some_and(|token| token.among(words));
    let next = scan.word(hit.end);
    let hyphen = |at: usize| {
        scan.tokens.get(at).is_some_and(|token| !token.spaced && matches!(token.low.as_str(), "-" | "‑"))
    };
    let free = hyphen(hit.end) && matches!(scan.word(hit.end + 1), "free" | "proof" | "safe" | "prone")
        || next == "free" && word.len() > 3;
    let deed = before(&[
        "to", "will", "would", "should", "must", "we", "they", "i", "he", "she", "i'll", "we'll", "can",
        "could", "not",
    ]) && matches!(
        next,
        "the" | "him" | "her" | "them" | "our" | "my" | "a" | "an" | "this" | "that" | "his"
    );
    super::figurative::is_image(&scan.tokens, hit.start)
        || free
        || word == "sick" && (next == "of" || next == "and" && scan.word(hit.end + 1) == "tired")
        || word == "accident" && before(&["by"])
        || word == "fire" && deed
}

/// Words that say something only about what they stand with.
const RELATIVE: [&str; 16] = [
    "low", "medium", "high", "small", "large", "big", "normal", "other", "short", "long", "good", "bad",
    "none", "new", "old", "average",
];

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
        let listed = scan.before(hit.start, 1).is_some_and(|token| token.among(&[",", "and", "&", "+", "/"]))
            && matches!(scan.word(hit.end), "," | "and" | "&" | "+" | "." | "");
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

/// Returns whether it is somebody else's: `Tom's holiday`.
fn is_owned(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    let shortened =
        ["it's", "that's", "there's", "what's", "he's", "she's", "who's", "here's", "let's", "today's"];
    scan.before(hit.start, 1).is_some_and(|token| token.low.ends_with("'s") && !token.among(&shortened))
        || scan.before(hit.start, 1).is_some_and(|token| token.among(&["his", "her", "their"]))
        || is_common(scan, hit)
}

/// Returns whether everybody has it: `the school holidays`, `a bank holiday`.
fn is_common(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    matches!(scan.word(hit.start), "holiday" | "holidays" | "vacation" | "leave")
        && scan.before(hit.start, 1).is_some_and(|token| {
            token.among(&["school", "bank", "public", "national", "federal", "term", "works", "company"])
        })
}

/// Returns whether what is spoken of is only written about an option: `the form for an accident`, `annual leave requests`.
fn is_paper(scan: &Scan<'_>, hit: &Hit<'_>) -> bool {
    const PAPERS: [&str; 12] = [
        "form",
        "forms",
        "template",
        "procedure",
        "policy",
        "policies",
        "process",
        "instructions",
        "leaflet",
        "guidelines",
        "checklist",
        "rules",
    ];
    let before = |count: usize| scan.before(hit.start, count).map_or("", |token| token.low.as_str());
    let article = usize::from(matches!(before(1), "a" | "an" | "the"));
    let of =
        matches!(before(article + 1), "for" | "on" | "about" | "of") && PAPERS.contains(&before(article + 2));
    // `a form for annual leave from 3 to 5 May` asks for it.
    let dated = scan.sentence(hit.start).any(|at| scan.tokens[at].sort == Sort::Digits);
    of && !dated
        || matches!(
            scan.word(hit.end),
            "requests" | "policy" | "policies" | "rules" | "balance" | "procedure"
        ) && !scan.before(hit.start, 1).is_some_and(|token| token.among(&["two", "three", "my", "these"]))
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
        "due",
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
                "is" | "are"
                    | "has"
                    | "have"
                    | "was"
                    | "were"
                    | "runs"
                    | "ran"
                    | "isn't"
                    | "looks"
                    | "seems"
                    | "sounds"
                    | "feels"
                    | "costs"
            )
        });
    // `mice are to be supplied`
    let wanted = |verb: usize| scan.word(verb + 1) == "to" && scan.word(verb + 2) == "be";
    verb.is_some_and(|verb| {
        mention::is_word(scan, verb + 1) && !fine.contains(&scan.word(verb + 1)) && !wanted(verb)
    })
}

/// Words that may stand behind the name of an option without making another thing of it.
static FOLLOWING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "his her their him them me us and or but so because since as for from to until till through on in \
     at of with without by near after before during due today tomorrow yesterday tonight now next last \
     this that these the a an my our please thanks thank only too also instead again then i i'm i'd \
     i'll i've we we're it it's he she they you is are was were isn't wasn't has had have will would \
     can could should may must do does not no broke if when while where there here everywhere somewhere \
     off out up down over rather than first per each both either it'll about around starts ends back \
     between into within server servers cluster clusters system systems database databases"
        .split_whitespace()
        .collect()
});

/// Returns whether a word may stand behind a name without making another thing of it.
pub(super) fn may_follow(next: &super::words::Token) -> bool {
    let word = next.low.as_str();
    FOLLOWING.contains(word)
        || super::lexicon::is_small(next)
        || word.ends_with("self")
        || word.ends_with("selves")
        || super::verbs::is_verb(next)
        || ["ed", "ing", "ly"].iter().any(|end| word.len() > 4 && word.ends_with(end))
        || super::verbs::is_time(next)
}

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
    // `a burning bin` is on fire.
    if scan.report && scan.word(hit.start).ends_with("ing") {
        return false;
    }
    // `vacation request: …`
    if !scan.report && super::lexicon::is_formal(next) {
        return false;
    }
    // `accident report: …`, `it's an accident report`
    let told = || {
        scan.report
            && scan.before(hit.start, 1).is_some_and(|token| token.among(&["a", "an"]))
            && scan.before(hit.start, 2).is_some_and(|token| token.among(&["it's", "is"]))
            && scan.tokens.get(hit.end + 1).is_none_or(|next| next.sort == Sort::Sign && !next.is("?"))
    };
    if next.is("report")
        && (scan.tokens.get(hit.end + 1).is_some_and(|token| token.among(&[":", "for"])) || told())
    {
        return false;
    }
    let word = next.low.as_str();
    let number = number::at(&scan.tokens, hit.end).is_some();
    let named = || {
        let own = words_of(&field.id);
        let label = field.label.to_lowercase();
        let mut all = own.split(' ').chain(label.split(|c: char| !c.is_alphanumeric()));
        all.any(|name| {
            name.len() >= 4 && (super::words::alike(name, word) || word.len() >= 3 && name.starts_with(word))
        })
    };
    // What another field or option is called by begins something new: `staging Europe`.
    let other = || scan.names.get_or_init(|| first_words(scan.fields)).contains(word);
    !(may_follow(next) || number || named() || other())
}

/// Lists the words with which the names of fields and options begin.
fn first_words(fields: &[Field]) -> HashSet<String> {
    let of_field = |field: &Field| {
        let own = phrases(field);
        let options = field.all_options().take(200).flat_map(|option| names(field, option));
        own.into_iter().chain(options).filter_map(|name| name.words().first().cloned()).collect::<Vec<_>>()
    };
    fields.iter().flat_map(of_field).collect()
}
