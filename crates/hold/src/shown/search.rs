//! Whether a decision is one that somebody looks for.

use holdpoint_core::Decision;

/// How far into a long text one looks.
const DEPTH: usize = 100_000;

/// Returns whether a text is found where people look for it.
pub(crate) fn fits(decision: &Decision, text: &str) -> bool {
    text.is_empty() || haystack(decision, None).contains(&text.to_lowercase())
}

/// Returns where people look for a text, in small letters: the words, the names, the id and the answer.
pub(crate) fn haystack(decision: &Decision, owner_name: Option<&str>) -> String {
    let words = [&decision.title, &decision.prompt, &decision.asked_by, &decision.requested_by];
    let mut places: Vec<String> =
        words.into_iter().flatten().map(|words| words.chars().take(DEPTH).collect()).collect();
    places.push(decision.id.to_string());
    places.extend(decision.owner.as_ref().map(ToString::to_string));
    places.extend(owner_name.map(str::to_owned));
    places.extend(decision.answer.iter().flat_map(|answer| [answer.brief(), answer.by.clone()]));
    places.join("\n").to_lowercase()
}

/// Returns whether someone is asked: by name, or because nobody is and it is everybody's.
pub(crate) fn is_put_to(decision: &Decision, who: &str) -> bool {
    decision.assignees.is_empty() || decision.assignees.iter().any(|name| name == who)
}
