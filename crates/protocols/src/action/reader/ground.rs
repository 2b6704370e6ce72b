//! Why, without a word that says so: what stands behind a dash or in brackets at the end of a request, `unpaid leave tomorrow -
//! dentist`, `one monitor (mine is cracked)`.
//!
//! Much else stands there too: thanks, who covers, when somebody is back. So only what is known as an occasion to be away, or
//! as the end of what is to be replaced, is a reason.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::scan::Scan;
use super::words::{Sort, Token};

/// The most words of such a reason.
const LONGEST: usize = 7;

/// What people are away for.
static OCCASIONS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    "dentist dentists doctor gp hospital surgery operation appointment checkup physio physiotherapy therapy treatment scan mri \
     wedding funeral christening baptism birthday graduation ceremony anniversary honeymoon reunion bereavement birth \
     baby exam exams court jury visa embassy consulate passport moving move removal relocation renovation renovations \
     plumber boiler electrician builders childcare nursery vet skiing trip travel travelling marathon pilgrimage hajj \
     eid diwali ramadan passover festival concert tournament flu fever migraine covid tonsillitis bug poisoning \
     headache toothache burnout chemo chemotherapy dialysis"
        .split_whitespace()
        .collect()
});

/// What has happened to a thing that must be replaced.
const ENDED: [&str; 20] = [
    "broke",
    "broken",
    "died",
    "dead",
    "cracked",
    "flickers",
    "flickering",
    "failed",
    "failing",
    "stolen",
    "lost",
    "smashed",
    "kaput",
    "outdated",
    "fried",
    "bust",
    "busted",
    "dying",
    "defective",
    "faulty",
];

/// What says which thing that was.
const REPLACED: [&str; 12] =
    ["mine", "mine's", "old", "current", "ours", "one", "ones", "it's", "present", "existing", "last", "my"];

/// What makes another thing of such words: a denial, a condition, a person who does something.
const OTHERWISE: [&str; 22] = [
    "no",
    "not",
    "never",
    "without",
    "if",
    "unless",
    "or",
    "maybe",
    "perhaps",
    "please",
    "thanks",
    "thank",
    "cheers",
    "confirm",
    "covers",
    "cover",
    "approved",
    "agreed",
    "will",
    "back",
    "cancelled",
    "over",
];

/// Finds a reason that only its place tells: its first token and what is behind it.
pub(super) fn read(scan: &Scan<'_>) -> Option<Range<usize>> {
    if scan.report {
        return None;
    }
    (1..scan.tokens.len()).find_map(|at| behind(scan, at))
}

fn behind(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let token = &scan.tokens[at];
    let bracket = token.is("(");
    let dash = token.among(&["-", "–", "—"])
        && token.spaced
        && scan.tokens.get(at + 1).is_some_and(|next| next.spaced);
    if !(bracket || dash) || !scan.is_statement(at - 1) {
        return None;
    }
    let sentence = scan.sentence(at);
    let start = at + 1;
    let ends = |at: &usize| {
        let token = &scan.tokens[*at];
        token.sort == Sort::Sign && !token.among(&["-", "'"])
            || token.among(&["-", "–", "—"]) && token.spaced
            || token.sort == Sort::Digits
    };
    let end = (start..sentence.end).find(ends).unwrap_or(sentence.end);
    // Nothing but courtesies follows.
    let polite = |at: usize| {
        let token = &scan.tokens[at];
        token.among(&["please", "thanks", "thank", "you", "cheers", ")", ".", "!", ","])
    };
    let last = (end..sentence.end).all(polite);
    let closed = !bracket || (end..sentence.end).any(|at| scan.word(at) == ")");
    let words = scan.tokens.get(start..end)?;
    let fits = last && closed && (1..=LONGEST).contains(&words.len()) && is_ground(words);
    (fits && scan.free_words(start..end) && scan.is_about(at - 1)).then_some(start..end)
}

/// Returns whether some words are a reason by themselves.
fn is_ground(words: &[Token]) -> bool {
    let plain = |token: &Token| token.low.strip_suffix("'s").unwrap_or(&token.low).to_owned();
    let occasion = words.iter().any(|token| OCCASIONS.contains(plain(token).as_str()));
    // `dentist on Friday` says when, and nobody knows of what.
    let dated = words.iter().any(super::complement::is_time);
    let ended =
        words.iter().any(|token| token.among(&ENDED)) && words.iter().any(|token| token.among(&REPLACED));
    let otherwise = words.iter().any(|token| token.among(&OTHERWISE) || token.low.ends_with("n't"));
    !otherwise && (occasion && !dated || ended)
}
