//! How something is said: an answer, a wish to skip, a yes, an objection, a correction, a question.

use super::words::{Token, tokens};

/// What a message does beside stating values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It states or answers something.
    Plain,
    /// The person wants to leave the field out.
    Skip,
    /// The person agrees with what was shown.
    Confirm,
    /// The person wants something changed in what was shown.
    Edit,
    /// The person takes back something said before.
    Correct,
    /// The person wants something tried once more.
    Again,
    /// The person asks something.
    Ask,
}

const CONFIRM: [&str; 19] = [
    "yes",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "sure",
    "confirm",
    "confirmed",
    "continue",
    "proceed",
    "correct",
    "approved",
    "right",
    "fine",
    "perfect",
    "نعم",
    "موافق",
    "أكد",
];
const EDIT: [&str; 13] = [
    "change",
    "update",
    "edit",
    "modify",
    "fix",
    "wrong",
    "incorrect",
    "correction",
    "mistake",
    "instead",
    "تعديل",
    "تغيير",
    "خطأ",
];
const ASKING: [&str; 12] =
    ["what", "which", "how", "who", "when", "where", "why", "is", "are", "do", "does", "can"];

/// Tells how something is said.
pub fn manner(text: &str) -> Manner {
    let tokens = tokens(text);
    let words: Vec<&Token> =
        tokens.iter().filter(|token| token.low.chars().any(char::is_alphanumeric)).collect();
    let said = |list: &[&str]| words.iter().any(|token| token.among(list));
    let phrase = words.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
    let starts = |starts: &[&str]| {
        starts.iter().any(|start| phrase == *start || phrase.starts_with(&format!("{start} ")))
    };
    if matches!(
        phrase.as_str(),
        "skip"
            | "skip it"
            | "skip this"
            | "skip that"
            | "pass"
            | "n a"
            | "na"
            | "none"
            | "nothing"
            | "no thanks"
            | "no thank you"
            | "leave it empty"
            | "leave it blank"
            | "leave it out"
            | "nothing to add"
            | "not needed"
            | "no"
    ) {
        return Manner::Skip;
    }
    if matches!(
        phrase.as_str(),
        "try again" | "again" | "retry" | "look again" | "try once more" | "please try again"
    ) {
        return Manner::Again;
    }
    let denied =
        words.windows(2).any(|pair| pair[0].low.ends_with("n't") || pair[0].among(&["not", "no", "never"]))
            || words.first().is_some_and(|token| token.among(&["no", "nope"]));
    let opens = [
        "actually",
        "sorry",
        "oops",
        "i meant",
        "i mean",
        "make it",
        "make that",
        "no wait",
        "wait",
        "switch to",
        "switch it",
        "change to",
        "set it",
        "i take it back",
        "scratch that",
    ];
    if starts(&opens)
        || phrase.contains("make it")
        || phrase.contains("make that")
        || phrase.contains("i meant")
        || (phrase.contains("should be") && words.len() <= 12)
    {
        return Manner::Correct;
    }
    if said(&EDIT) || (denied && said(&["correct", "right", "good", "ok", "true"])) {
        return Manner::Edit;
    }
    let good = ["looks good", "all good", "go ahead", "that's right", "sounds good"]
        .iter()
        .any(|good| phrase.contains(good));
    if (good || (words.len() <= 6 && said(&CONFIRM))) && !denied {
        return Manner::Confirm;
    }
    if tokens.last().is_some_and(|token| token.is("?"))
        && words.first().is_some_and(|token| token.among(&ASKING))
    {
        return Manner::Ask;
    }
    Manner::Plain
}

/// Returns whether a text says that a field is to be left out, and can mean nothing else.
pub fn skips(text: &str) -> bool {
    tokens(text).first().is_some_and(|token| token.among(&["skip", "pass", "leave"]))
        && manner(text) == Manner::Skip
}

/// Returns whether a short text begins with a no that something else follows: `no, annual`.
pub fn objects(text: &str) -> bool {
    let tokens = tokens(text);
    tokens.first().is_some_and(|token| token.among(&["no", "nope"]))
        && tokens.get(1).is_some_and(|token| token.is(","))
        && (3..=8).contains(&tokens.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manners() {
        for (text, expected) in [
            ("skip", Manner::Skip),
            ("No thanks.", Manner::Skip),
            ("yes", Manner::Confirm),
            ("نعم", Manner::Confirm),
            ("looks good to me, thank you very much", Manner::Confirm),
            ("incorrect", Manner::Edit),
            ("not correct", Manner::Edit),
            ("that isn't right", Manner::Edit),
            ("change the name, ok", Manner::Edit),
            ("actually make it Tuesday", Manner::Correct),
            ("sorry, I meant sick", Manner::Correct),
            ("what do you need?", Manner::Ask),
            ("hmm", Manner::Plain),
            ("yesterday", Manner::Plain),
            ("book", Manner::Plain),
        ] {
            assert_eq!(manner(text), expected, "{text}");
        }
    }
}
