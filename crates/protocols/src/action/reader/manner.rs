//! How something is said: an answer, a wish to skip, a yes, an objection, a correction, a question.

use holdpoint_core::Field;

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
            | "keep it"
            | "leave it"
            | "leave it as it is"
            | "keep it as it is"
            | "never mind"
            | "nevermind"
    ) || refuses(&phrase)
    {
        return Manner::Skip;
    }
    if matches!(
        phrase.as_str(),
        "try again"
            | "again"
            | "retry"
            | "look again"
            | "try once more"
            | "once more"
            | "please try again"
            | "try it again"
            | "try that again"
            | "please retry"
            | "look it up again"
            | "look once more"
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
        || ["should be", "should read", "should say"].iter().any(|should| phrase.contains(should))
            && words.len() <= 16
    {
        return Manner::Correct;
    }
    // `I'd like to correct the start date`; what is correct is right.
    let corrects = words.iter().enumerate().any(|(at, token)| {
        token.is("correct")
            && words.get(at + 1).is_some_and(|next| next.among(&["the", "my", "our", "it", "that"]))
            && at.checked_sub(1).is_none_or(|before| words[before].among(&["to", "please", "must", "you"]))
    });
    if corrects || said(&EDIT) || (denied && said(&["correct", "right", "good", "ok", "true"])) {
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
    let all = tokens(text);
    let phrase = all
        .iter()
        .filter(|token| token.low.chars().any(char::is_alphanumeric))
        .map(|token| token.low.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    manner(text) == Manner::Skip
        && (refuses(&phrase)
            || all.first().is_some_and(|token| token.among(&["skip", "pass", "leave", "please"])))
}

/// Returns whether somebody only hesitates: that is no answer, not even in words.
pub fn hesitates(text: &str) -> bool {
    const SOUNDS: [&str; 14] =
        ["hm", "hmm", "hmmm", "um", "umm", "uh", "er", "erm", "eh", "ah", "oh", "well", "wait", "so"];
    const PHRASES: [&str; 7] =
        ["let me think", "let me see", "one moment", "just a moment", "hang on", "hold on", "one second"];
    let all = tokens(text);
    let said: Vec<&str> = all
        .iter()
        .filter(|token| token.low.chars().any(char::is_alphanumeric) && !token.among(&SOUNDS))
        .map(|token| token.low.as_str())
        .collect();
    said.is_empty() || PHRASES.contains(&said.join(" ").as_str())
}

/// Returns whether a text wants back what was before the last change, and nothing else.
pub fn undoes(text: &str) -> bool {
    const WHOLE: [&str; 22] = [
        "undo",
        "revert",
        "restore",
        "undo it",
        "undo that",
        "undo this",
        "revert it",
        "revert that",
        "restore it",
        "undo the last",
        "undo the last change",
        "undo my last change",
        "revert the last change",
        "take that back",
        "take it back",
        "i take that back",
        "i take it back",
        "put it back",
        "change it back",
        "go back",
        "scratch that",
        "as before",
    ];
    const OPENS: [&str; 3] = ["put it back ", "change it back ", "as it was"];
    let all = tokens(text);
    let polite = [
        "please", "oh", "no", "sorry", "oops", "wait", "actually", "can", "you", "could", "just", "ok", "hm",
    ];
    let said: Vec<&str> = all
        .iter()
        .filter(|token| token.low.chars().any(char::is_alphanumeric) && !token.among(&polite))
        .map(|token| token.low.as_str())
        .collect();
    let said = said.join(" ");
    WHOLE.contains(&said.as_str()) || OPENS.iter().any(|open| said.starts_with(open))
}

/// Returns what follows a no that does not deny it, if anything does: `no, the 4th`, `no it starts on the 2nd`.
pub fn after_no(text: &str) -> Option<&str> {
    let all = tokens(text);
    let at = all.iter().position(|token| !token.among(&["oh", "ah", "hm", "hmm", "well", ","]))?;
    let no = all.get(at).filter(|token| token.among(&["no", "nope"]))?;
    let next = all.get(at + 1)?;
    if next.among(&[",", ".", ";", ":", "!", "-", "–", "—"]) {
        return all.get(at + 2).and_then(|rest| text.get(rest.start..));
    }
    // Of `no insurance` the rest is no statement.
    let speaks = next.among(&["it", "its", "the", "i", "we", "my", "that", "this", "make", "sorry", "wait"]);
    // A full stop may stand for itself or not be a word at all.
    let apart = text.get(no.end..next.start).is_some_and(|gap| !gap.trim().is_empty());
    (speaks || apart).then(|| text.get(next.start..)).flatten()
}

/// Returns whether a text begins with words that take something back.
pub fn opens_with_change(text: &str) -> bool {
    tokens(text).first().is_some_and(|token| {
        token.among(&[
            "actually", "sorry", "no", "oops", "make", "change", "wait", "i", "switch", "set", "scratch",
            "update", "please",
        ])
    })
}

/// Returns whether a text is only polite.
pub fn is_courtesy(text: &str) -> bool {
    let all = tokens(text);
    all.iter().all(|token| {
        token.low.chars().all(|c| !c.is_alphanumeric())
            || token.among(&[
                "thanks", "thank", "you", "very", "much", "great", "hi", "hello", "bye", "goodbye", "many",
                "so", "cheers", "good", "morning", "evening", "day", "all", "that's", "done", "super",
            ])
    })
}

/// Returns whether a text is a short question and nothing else.
pub fn asks_back(text: &str) -> bool {
    const LONGEST: usize = 14;
    let all = tokens(text);
    let one = all.iter().all(|token| token.sentence == all[0].sentence);
    one && all.len() <= LONGEST && manner(text) == Manner::Ask
}

/// Returns whether the answer to a field may well be a question.
pub fn takes_questions(field: &Field) -> bool {
    let words = |text: &str| {
        tokens(text).iter().any(|token| {
            token.among(&[
                "question",
                "questions",
                "message",
                "comment",
                "comments",
                "subject",
                "query",
                "request",
                "notes",
                "text",
                "title",
                "feedback",
                "problem",
                "issue",
            ])
        })
    };
    words(&super::super::form::words_of(&field.id)) || words(&field.label)
}

/// Returns whether somebody says that they will not say it.
fn refuses(phrase: &str) -> bool {
    const WHOLE: [&str; 8] = [
        "i'd rather not",
        "i would rather not",
        "i prefer not to",
        "i'd prefer not to",
        "prefer not to",
        "rather not",
        "none of your business",
        "that's none of your business",
    ];
    const OPENS: [&str; 6] =
        ["i don't want to", "i do not want to", "i won't", "i will not", "i don't wish to", "i'd rather not"];
    const SAYS: [&str; 10] =
        ["say", "give", "tell", "share", "answer", "disclose", "provide", "state", "name", "explain"];
    let short = phrase.split(' ').count() <= 8;
    let told = || {
        OPENS.iter().chain(&WHOLE).any(|open| {
            phrase
                .strip_prefix(open)
                .and_then(|rest| rest.split_whitespace().next())
                .is_some_and(|next| SAYS.contains(&next))
        })
    };
    short && (WHOLE.contains(&phrase) || told())
}

/// Returns whether a short text begins with a no that something else follows: `no, annual`, `not sick, annual`.
pub fn objects(text: &str) -> bool {
    let tokens = tokens(text);
    let no = tokens.first().is_some_and(|token| token.among(&["no", "nope"]))
        && tokens.get(1).is_some_and(|token| token.is(","));
    let not = tokens.first().is_some_and(|token| token.is("not"))
        && tokens.iter().skip(2).any(|token| token.among(&[",", "but", ";"]));
    (no || not) && (3..=8).contains(&tokens.len())
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
