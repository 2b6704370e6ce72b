//! Warnings about a request, stored for the person who decides on it.

use holdpoint_core::Decision;
use holdpoint_core::decision::New;
use holdpoint_core::text::start;
use serde_json::Value;

use super::{lines, origin};
use crate::aitp::finding::Finding;

/// Their name in a decision's origin.
const NAME: &str = "remarks";
/// How many are stored, and how much of each: a card is read by a person.
const MOST: usize = 8;
const LONGEST: usize = 300;

/// Stores the warnings about a request with its question.
#[must_use]
pub fn remarked(mut new: New, remarks: &[Finding]) -> New {
    let line = |finding: &Finding| Value::from(start(&lines(std::slice::from_ref(finding)), LONGEST));
    if let Some(origin) = new.origin.as_mut().filter(|_| !remarks.is_empty()) {
        origin.extra.insert(NAME.into(), remarks.iter().take(MOST).map(line).collect());
    }
    new
}

/// Lists the warnings about a decision's request, in words for people.
pub fn remarks(decision: &Decision) -> Vec<String> {
    let kept = origin(decision).and_then(|origin| origin.extra.get(NAME)).and_then(Value::as_array);
    kept.into_iter().flatten().filter_map(Value::as_str).map(in_words).collect()
}

/// Rewrites a remark that begins with a JSON pointer: `/request/options/0/name: is empty` is about `options 1, name`.
fn in_words(remark: &str) -> String {
    let Some((pointer, what)) = remark.strip_prefix('/').and_then(|remark| remark.split_once(": ")) else {
        return remark.to_owned();
    };
    let mut place = Vec::new();
    // The first step only names the message.
    for step in pointer.split('/').skip(1) {
        match (step.parse::<usize>(), place.last_mut()) {
            (Ok(at), Some(list)) => *list = format!("{list} {}", at + 1),
            _ => place.push(step.replace('_', " ").replace("~1", "/").replace("~0", "~")),
        }
    }
    if place.is_empty() { what.to_owned() } else { format!("{}: {what}", place.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn people_are_not_shown_pointers() {
        for (remark, words) in [
            ("/request_decision/options/0/quote/amount: is 5: odd", "options 1, quote, amount: is 5: odd"),
            ("/request_data: lacks a title", "lacks a title"),
            ("is not known", "is not known"),
            ("/no colon", "/no colon"),
        ] {
            assert_eq!(in_words(remark), words);
        }
    }
}
