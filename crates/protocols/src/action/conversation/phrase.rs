//! Commands to the conversation itself, not answers to a field: yes and no, send it, cancel, undo, skip.

use holdpoint_core::text::start;
use serde::{Deserialize, Serialize};

use super::super::reader::{NO, YES};
use super::super::token::{is_among as among, words};

/// A wish about the whole form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Send the form.
    Send,
    /// Do not send it yet.
    Hold,
    /// Cancel the form.
    Cancel,
    /// Start over.
    Restart,
    /// The person wants to know what can be said.
    Help,
}

/// Words that may stand around a wish without changing it.
const AROUND: &str = "please pls ok okay now thanks thank you just then that's thats that is all and everything looks good fine great \
                      perfect yes yep yeah alright right so i'm done finished can could would will let's go ahead it's correct we're \
                      ready to i want like i'd actually well oh hey no sorry let me i've complete it this the form request whole thing \
                      we my our off in conversation away out a us entire application booking report order";
const SEND: &str = "send submit";
const CANCEL: &str = "cancel abort quit discard";
const POLITE: &str = "please thanks thank you i'm am sorry oh that's that is it it's do i go ahead of course looks good fine great \
                      perfect all lgtm";

/// Returns the words of a short text; none, if it is longer than a wish.
fn short(text: &str) -> Option<Vec<String>> {
    const LONGEST: usize = 12;
    let mut words = if text.len() > 200 { Vec::new() } else { words(text) };
    words.dedup();
    (!words.is_empty() && words.len() <= LONGEST).then_some(words)
}

/// Returns whether a short text, without some words, is one of several phrases.
fn is_phrase(text: &str, without: &str, phrases: &str) -> bool {
    let mut words = short(text).unwrap_or_default();
    words.retain(|word| !among(word, without));
    phrases.split(", ").any(|phrase| phrase == words.join(" "))
}

/// Returns what a text wants of the conversation, if it says that and nothing else.
pub(super) fn command(text: &str) -> Option<Command> {
    const HELP: [&str; 7] =
        ["help", "help me", "commands", "what can i say", "what now", "how does this work", "what can i do"];
    let words = short(text)?;
    let whole = words.join(" ");
    let has = |list: &str| words.iter().any(|word| among(word, list));
    let only = |more: &str| words.iter().all(|word| among(word, AROUND) || among(word, more));
    let asks = text.trim_end().ends_with('?') && has("i");
    let sent = words.iter().position(|word| among(word, SEND));
    let to = sent.is_some_and(|at| words[at..].iter().any(|word| word == "to"));
    let denied = has("don't dont not never");
    if HELP.contains(&whole.as_str()) {
        Some(Command::Help)
    } else if has("start begin restart reset clear")
        && (has("over again scratch anew restart reset") || whole == "clear the form")
        && only("start begin restart reset over again from scratch anew afresh beginning clear")
    {
        Some(Command::Restart)
    } else if has(CANCEL) && !denied && only(CANCEL)
        || ["stop", "forget it", "never mind", "give up", "forget this"].contains(&whole.as_str())
    {
        Some(Command::Cancel)
    } else if denied && (sent.is_some() || has("yet")) && only("don't dont not never yet do send submit") {
        Some(Command::Hold)
    } else if sent.is_some() && !to && !asks && only(SEND) {
        Some(Command::Send)
    } else {
        None
    }
}

/// Returns whether a text agrees and says nothing else.
pub(super) fn agrees(text: &str) -> bool {
    const GOOD: [&str; 6] = ["looks good", "that's right", "go ahead", "do it", "that is right", "all good"];
    let words = short(text).unwrap_or_default();
    let yes = words.iter().any(|word| among(word, YES)) || GOOD.contains(&words.join(" ").as_str());
    yes && !text.contains('?') && words.iter().all(|word| among(word, YES) || among(word, POLITE))
}

/// Returns whether a text says no and nothing else.
pub(super) fn declines(text: &str) -> bool {
    let words = short(text).unwrap_or_default();
    let denies = |word: &String| among(word, NO) || word.ends_with("n't") || word == "not";
    let around = |word: &String| among(word, POLITE) || among(word, "really wrong right correct we keep");
    words.iter().any(denies) && words.iter().all(|word| denies(word) || around(word))
}

/// Returns whether a text takes the last change back.
pub(super) fn undoes(text: &str) -> bool {
    const UNDO: &str = "undo, undo it, undo that, take that back, take it back, revert, revert that, go back";
    is_phrase(text, "please the last change oops sorry this", UNDO)
}

/// Returns whether a text leaves a field out.
pub(super) fn skips(text: &str) -> bool {
    const SKIP: &str = "skip, skip to next, next, later, leave, leave out, leave empty, pass, none, n a, nothing, no answer, leave blank";
    is_phrase(text, "please let's i'd i'll it this that one for now the question", SKIP)
}

/// Returns whether a text wants something looked up once more.
pub(super) fn tries_again(text: &str) -> bool {
    is_phrase(text, "please it that can you once", "try again, retry, again, look again")
}

/// Returns whether a text empties a field.
pub(super) fn removes(text: &str) -> bool {
    let words = words(start(text, 500));
    let denied = words.iter().any(|word| word.ends_with("n't") || among(word, "not never"));
    !denied && words.iter().any(|word| among(word, "remove delete drop clear erase empty"))
}

/// Returns whether a text asks back, or only makes a sound, and so is no answer.
pub(super) fn asks_back(text: &str) -> bool {
    const ASKS: &str = "what why how which when where who do does is are can could should may";
    const SOUNDS: &str = "hm hmm hmmm um uh er well moment wait let me think second sec hold on dunno idk don't i know not sure";
    let words = words(start(text, 500));
    let question = text.trim_end().ends_with('?')
        && words.first().is_none_or(|first| among(first, ASKS) || words.len() <= 3);
    let sound = words.len() <= 6 && !words.is_empty() && words.iter().all(|word| among(word, SOUNDS));
    let signs = !text.trim().is_empty() && text.is_ascii() && !text.contains(char::is_alphanumeric);
    question || sound || signs
}

/// Returns whether a text is only a greeting or a thank-you.
pub(super) fn is_courtesy(text: &str) -> bool {
    const COURTESY: &str = "hi hello hey good morning afternoon evening thanks thank you cheers great ok okay nice looks perfect bye very \
                            much there dear cool";
    short(text).is_some_and(|words| words.iter().all(|word| among(word, COURTESY)))
}
