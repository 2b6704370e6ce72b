//! Changes that are spoken of and not asked for: `don't change the end date`, `what if I change it?`, `my boss wants me to`.

use holdpoint_core::Field;

use super::correct::{VERBS, named_at};
use super::words::{Token, tokens};

/// Why a change that a text speaks of is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// It shall not be made.
    Denied,
    /// It is asked about.
    Asked,
    /// It is only thought of.
    Supposed,
    /// Somebody else wants it.
    Others,
}

/// Returns why no change is asked for, where a text speaks of changing something that the form has.
pub fn withheld(fields: &[Field], text: &str) -> Option<Withheld> {
    let all = tokens(text);
    let mut why = None;
    for at in (0..all.len()).filter(|at| all[*at].among(&VERBS) || all[*at].is("changing")) {
        let thing = all.get(at + 1).is_some_and(|token| {
            token.among(&["it", "that", "this", "anything", "something", "them", "any", "everything"])
        });
        if !(thing || named_at(fields, &all, at + 1)) {
            continue;
        }
        let from = (0..at).find(|from| all[*from].sentence == all[at].sentence).unwrap_or(at);
        let asked = all[at..]
            .iter()
            .take_while(|token| token.sentence == all[at].sentence)
            .last()
            .is_some_and(|token| token.is("?"));
        // One that is asked for is enough.
        why = Some(why.unwrap_or(judge(&all[from..at], asked)?));
    }
    why
}

/// Judges what stands before a verb of change.
fn judge(before: &[Token], asked: bool) -> Option<Withheld> {
    const COURTESY: [&str; 14] =
        ["oh", "ok", "okay", "wait", "sorry", "hi", "so", "and", "but", ",", "no", "yes", "hm", "please"];
    let word = |at: usize| before.get(at).map_or("", |token| token.low.as_str());
    let denied = (before.len().saturating_sub(5)..before.len()).any(|at| {
        let negator = before[at].low.ends_with("n't") || before[at].among(&["not", "never", "dont"]);
        // `can't you change it`, `why don't we`
        negator && !matches!(word(at + 1), "you" | "we")
    });
    if denied {
        return Some(Withheld::Denied);
    }
    let says = |at: usize| {
        before[at].among(&[
            "wants",
            "asked",
            "asks",
            "told",
            "tells",
            "says",
            "said",
            "thinks",
            "suggests",
            "suggested",
            "recommends",
            "recommended",
            "insists",
            "wanted",
            "prefers",
        ]) && !at.checked_sub(1).is_some_and(|at| matches!(word(at), "i" | "we"))
    };
    let sent = |at: usize| matches!(word(at), "me" | "us") && word(at + 1) == "to";
    if (0..before.len()).any(|at| says(at) || sent(at)) {
        return Some(Withheld::Others);
    }
    let courteous = ["possible", "you", "ok", "okay", "that's", "it's", "so", "needed", "necessary"];
    let supposed = (0..before.len()).any(|at| {
        matches!(word(at), "if" | "unless") && !courteous.contains(&word(at + 1))
            || before[at].among(&[
                "suppose",
                "supposing",
                "imagine",
                "whether",
                "maybe",
                "perhaps",
                "might",
                "thinking",
                "considering",
                "wondering",
            ])
    });
    if supposed {
        return Some(Withheld::Supposed);
    }
    let lead = before.iter().position(|token| !token.among(&COURTESY));
    let open = lead.is_some_and(|at| {
        before[at].among(&[
            "should", "shall", "do", "does", "did", "is", "are", "am", "must", "how", "why", "when", "what",
            "which", "who", "was",
        ]) && !(matches!(word(at), "why") && word(at + 1).ends_with("n't"))
            && !(word(at) == "do" && at + 1 == before.len())
            || word(at) == "would" && word(at + 1) == "it"
    });
    let request = lead.is_none_or(|at| {
        before[at]
            .among(&["can", "could", "would", "will", "may", "i", "we", "i'd", "let's", "also", "why", "do"])
    });
    (open || asked && !request).then_some(Withheld::Asked)
}
