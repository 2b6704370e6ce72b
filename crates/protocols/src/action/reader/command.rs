//! What is said to the conversation itself and not to a field: send it, cancel, start over, help.

use holdpoint_core::Field;

use super::option;
use super::words::{Sort, Token, tokens};

/// A wish about the whole form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// It shall be sent.
    Send,
    /// It shall not be sent yet.
    Hold,
    /// It shall be given up.
    Cancel,
    /// It shall be begun anew.
    Restart,
    /// The person wants to know what can be said.
    Help,
}

/// How many words such a wish has at most.
const LONGEST: usize = 12;

/// Words that may stand around a wish without changing it.
const AROUND: [&str; 58] = [
    "please",
    "pls",
    "ok",
    "okay",
    "now",
    "thanks",
    "thank",
    "you",
    "just",
    "then",
    "that's",
    "thats",
    "that",
    "is",
    "all",
    "and",
    "everything",
    "everything's",
    "looks",
    "good",
    "fine",
    "great",
    "perfect",
    "yes",
    "yep",
    "yeah",
    "alright",
    "right",
    "so",
    "i'm",
    "done",
    "finished",
    "can",
    "could",
    "would",
    "will",
    "let's",
    "go",
    "ahead",
    "it's",
    "correct",
    "we're",
    "ready",
    "to",
    "i",
    "want",
    "like",
    "i'd",
    "actually",
    "well",
    "oh",
    "hey",
    "no",
    "sorry",
    "let",
    "me",
    "i've",
    "complete",
];

/// What such a wish may be said of.
const OBJECTS: [&str; 24] = [
    "it",
    "this",
    "that",
    "the",
    "form",
    "request",
    "report",
    "booking",
    "my",
    "whole",
    "thing",
    "everything",
    "we",
    "all",
    "our",
    "off",
    "in",
    "conversation",
    "away",
    "out",
    "a",
    "us",
    "entire",
    "application",
];

/// Returns what a text wants of the conversation, if it says that and nothing else.
pub fn command(text: &str) -> Option<Command> {
    let all = tokens(text);
    let words: Vec<&Token> = all.iter().filter(|token| token.sort != Sort::Sign).collect();
    if words.is_empty() || words.len() > LONGEST {
        return None;
    }
    let whole = phrase(&words, |_| true);
    let bare = phrase(&words, |token| !token.among(&AROUND));
    let only = |verbs: &[&str], more: &[&str]| {
        let verb = words.iter().position(|token| token.among(verbs));
        verb.is_some_and(|verb| {
            // `send it to me` asks for something else, and who asks whether they may has not decided.
            let to = words[verb + 1..].iter().any(|token| token.is("to"));
            let asks =
                all.last().is_some_and(|token| token.is("?")) && words.iter().any(|token| token.is("i"));
            !to && !asks
        }) && words.iter().all(|token| {
            token.among(verbs) || token.among(more) || token.among(&OBJECTS) || token.among(&AROUND)
        })
    };
    let over = ["over", "again", "scratch", "afresh", "anew", "beginning", "start", "fresh"];
    let anew = ["over", "again", "scratch", "afresh", "anew", "beginning", "from", "new", "fresh"];
    let restarts = only(&["start", "begin"], &anew)
        && words.iter().skip(1).any(|token| token.among(&over) || token.is("new"))
        || only(&["restart", "reset"], &anew)
        || matches!(
            bare.as_str(),
            "clear form" | "clear the form" | "clear it" | "do over" | "from the start"
        );
    let help = matches!(bare.as_str(), "help" | "commands" | "what say" | "what do" | "what next" | "what" if !words.is_empty())
        && (bare != "what" || whole.starts_with("what can i say") || whole.starts_with("what now"))
        || matches!(
            whole.as_str(),
            "how does this work" | "how do i do this" | "what happens now" | "help me"
        );
    let gives_up = matches!(
        bare.as_str(),
        "stop" | "give up" | "forget it" | "forget this" | "forget the whole thing" | "throw it away"
    );
    if help {
        Some(Command::Help)
    } else if restarts {
        Some(Command::Restart)
    } else if gives_up || only(&["cancel", "abort", "quit", "discard"], &["never", "mind", "nevermind"]) {
        Some(Command::Cancel)
    } else if only(&["send", "submit"], &[]) {
        Some(Command::Send)
    } else {
        holds(&words).then_some(Command::Hold)
    }
}

/// Returns whether a text agrees and says nothing else.
pub fn agrees(text: &str) -> bool {
    const YES: [&str; 17] = [
        "yes",
        "yep",
        "yeah",
        "yup",
        "sure",
        "ok",
        "okay",
        "go ahead",
        "do it",
        "yes do",
        "confirm",
        "confirmed",
        "yes i do",
        "absolutely",
        "of course",
        "yes go ahead",
        "نعم",
    ];
    let all = tokens(text);
    let words: Vec<&Token> = all.iter().filter(|token| token.sort != Sort::Sign).collect();
    let polite = ["please", "thanks", "thank", "you", "i'm", "am"];
    let bare = phrase(&words, |token| !token.among(&polite));
    YES.contains(&bare.as_str()) || matches!(bare.as_str(), "yes sure" | "yes yes" | "yes do it")
}

/// Returns whether a text says no and nothing else.
pub fn declines(text: &str) -> bool {
    const NO: [&str; 15] = [
        "no",
        "nope",
        "nah",
        "no it isn't",
        "no it is not",
        "no it's not",
        "neither",
        "none",
        "no don't",
        "not really",
        "don't",
        "do not",
        "no go on",
        "no keep it",
        "no way",
    ];
    let all = tokens(text);
    let words: Vec<&Token> = all.iter().filter(|token| token.sort != Sort::Sign).collect();
    let polite = ["please", "thanks", "thank", "you", "sorry", "oh"];
    NO.contains(&phrase(&words, |token| !token.among(&polite)).as_str())
}

/// Returns whether a text is the name of an option of these fields: then it is no wish about the form.
pub fn names_option(fields: &[Field], text: &str) -> bool {
    let all = tokens(text);
    let said: Vec<&str> =
        all.iter().filter(|token| token.sort != Sort::Sign).map(|token| token.low.as_str()).collect();
    fields.iter().any(|field| option::names_of(field).iter().any(|name| name.words() == said))
}

fn phrase(words: &[&Token], keep: impl Fn(&Token) -> bool) -> String {
    let kept: Vec<&str> = words.iter().filter(|token| keep(token)).map(|token| token.low.as_str()).collect();
    kept.join(" ")
}

/// Returns whether somebody says not to send it: `don't send it yet`, `not yet`.
fn holds(words: &[&Token]) -> bool {
    let sends = words.iter().any(|token| token.among(&["send", "submit"]));
    let denied = words.iter().any(|token| token.among(&["don't", "dont", "not", "never"]));
    words.len() <= 7
        && denied
        && words.iter().all(|token| {
            token.among(&AROUND)
                || token.among(&[
                    "don't", "dont", "do", "not", "never", "send", "submit", "it", "this", "yet", "form",
                    "the",
                ])
        })
        && (sends || words.iter().any(|token| token.is("yet")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_about_the_form() {
        for (text, expected) in [
            ("send it", Some(Command::Send)),
            ("Submit", Some(Command::Send)),
            ("that's all, send", Some(Command::Send)),
            ("OK, please send it now. Thank you!", Some(Command::Send)),
            ("yes, send it", Some(Command::Send)),
            ("I'd like to submit it", Some(Command::Send)),
            ("looks good, submit the form please", Some(Command::Send)),
            ("can you send it?", Some(Command::Send)),
            ("don't send it yet", Some(Command::Hold)),
            ("not yet", Some(Command::Hold)),
            ("should I send it?", None),
            ("send it to Bob", None),
            ("send it tomorrow", None),
            ("cancel", Some(Command::Cancel)),
            ("please cancel it", Some(Command::Cancel)),
            ("forget it", Some(Command::Cancel)),
            ("cancel breakfast", None),
            ("start over", Some(Command::Restart)),
            ("let's start again from scratch please", Some(Command::Restart)),
            ("can we start all over?", Some(Command::Restart)),
            ("it starts again on Monday", None),
            ("start on Monday", None),
            ("send it to me", None),
            ("can I send it?", None),
            ("cancel the whole thing", Some(Command::Cancel)),
            ("I want to start over", Some(Command::Restart)),
            ("help", Some(Command::Help)),
            ("help!", Some(Command::Help)),
            ("what can I say?", Some(Command::Help)),
            ("I need help moving house", None),
            ("annual", None),
            ("", None),
        ] {
            assert_eq!(command(text), expected, "{text}");
        }
    }

    #[test]
    fn agreeing() {
        for yes in ["yes", "Yes please", "ok", "sure, thanks", "go ahead"] {
            assert!(agrees(yes), "{yes}");
        }
        for other in ["no", "yes but annual", "thanks", "right now", "yes, change the end date"] {
            assert!(!agrees(other), "{other}");
        }
    }
}
