//! Reactions to an event of an agent: a word, a block, or a list of blocks.

use holdpoint_core::Span;
use holdpoint_core::job::{Action, Attempts, Reaction, Trigger};
use holdpoint_core::text::quote;

use super::node::{Node, Value, only};
use super::{Faults, suggestion};

const KEYS: [&str; 6] = ["match", "action", "message", "run", "attempts", "cooldown"];
/// The kinds of errors that are distinguished without a pattern in the runbook.
pub(super) const ERRORS: [&str; 4] = ["unauthorized", "out_of_credits", "no_internet", "rate_limited"];
const PROMPTS: [&str; 3] = ["permission", "question", "plan"];

/// Reads the reactions under a trigger's key.
pub(super) fn reactions(
    node: &Node,
    trigger: Trigger,
    errors: &[String],
    faults: &mut Faults,
) -> Vec<(Reaction, usize)> {
    let one = |node: &Node, faults: &mut Faults| {
        let reaction = reaction(node, trigger, errors, faults)?;
        Some((reaction, node.at))
    };
    match &node.value {
        Value::List(items) => {
            let all: Vec<_> = items.iter().filter_map(|item| one(item, faults)).collect();
            if let Some(open) = all.iter().position(|(reaction, _)| reaction.when.is_none())
                && let Some((_, at)) = all.get(open + 1)
            {
                faults.add(*at, "this is never reached: the one before it has no match, so it fits always");
            }
            all
        }
        _ => one(node, faults).into_iter().collect(),
    }
}

fn reaction(node: &Node, trigger: Trigger, errors: &[String], faults: &mut Faults) -> Option<Reaction> {
    let key = trigger.key();
    if let Value::Text(word) = &node.value {
        let action = action(word, node.at, trigger, faults)?;
        if action == Action::Gate {
            faults.add(node.at, "gate needs a command: { action = \"gate\", run = \"…\" }");
        }
        return Some(Reaction { action, ..Reaction::default() });
    }
    let entries = node.map(key, faults);
    only(entries, &KEYS, key, faults);
    // All of it is read before a wrong action is refused, so that every mistake is reported at once.
    let text = |name: &str, faults: &mut Faults| node.get(name).and_then(|value| value.text(name, faults));
    let (run, message) = (text("run", faults), text("message", faults));
    let when = node.get("match").and_then(|when| when_of(when, trigger, errors, faults));
    let attempts = node.get("attempts").map_or_else(Attempts::default, |value| attempts(value, faults));
    let cooldown = node.get("cooldown").and_then(|value| span(value, "cooldown", faults));
    let word =
        node.get("action").and_then(|action| action.text("action", faults).map(|word| (word, action.at)));
    let action = match word {
        Some((word, at)) => action(&word, at, trigger, faults)?,
        None if node.get("action").is_some() => return None,
        None => {
            faults.add(node.at, format!("{key} needs an action: {}", names(trigger).join(", ")));
            return None;
        }
    };
    match (action, &run, node.get("run")) {
        (Action::Gate, None, None) => faults.add(node.at, "gate needs a command: run = \"…\""),
        (Action::Gate, _, _) | (_, _, None) => {}
        (_, _, Some(run)) => faults.add(run.at, "only gate runs a command"),
    }
    if let (Some(at), false) = (node.get("message"), matches!(action, Action::Nudge | Action::Resume)) {
        faults.add(at.at, format!("{} tells the agent nothing; only nudge and resume do", action.name()));
    }
    Some(Reaction { when, action, message, run, attempts, cooldown })
}

fn action(word: &str, at: usize, trigger: Trigger, faults: &mut Faults) -> Option<Action> {
    let known = names(trigger);
    match Action::ALL.into_iter().find(|action| action.name() == word) {
        Some(action) if trigger.actions().contains(&action) => Some(action),
        Some(action) => {
            let message =
                format!("action '{word}' is not valid for {}: {}", trigger.key(), why(action, trigger));
            faults.add(at, format!("{message}; known are: {}", known.join(", ")));
            None
        }
        None => {
            faults.add(at, format!("{} is not an action; {}", quote(word), suggestion(word, &known)));
            None
        }
    }
}

fn why(action: Action, trigger: Trigger) -> &'static str {
    match (action, trigger) {
        (Action::Nudge, Trigger::Dead) => "nobody is there to be told",
        (Action::Nudge, _) => "words would be taken as the answer",
        (Action::Resume, Trigger::Idle) => "the agent still runs",
        (Action::Resume, _) => "the agent waits for an answer",
        (Action::Done, _) => "an error is no end",
        (Action::Auto, _) => "somebody has to act",
        _ => "it does not fit",
    }
}

fn names(trigger: Trigger) -> Vec<&'static str> {
    trigger.actions().iter().map(|action| action.name()).collect()
}

fn when_of(node: &Node, trigger: Trigger, errors: &[String], faults: &mut Faults) -> Option<String> {
    let word = node.word("match", faults)?;
    let check = |known: &[&str], faults: &mut Faults| {
        if !known.contains(&word.as_str()) {
            faults.add(node.at, format!("{} matches nothing; {}", quote(&word), suggestion(&word, known)));
        }
    };
    match trigger {
        Trigger::Error => {
            let known: Vec<&str> = ERRORS.into_iter().chain(errors.iter().map(String::as_str)).collect();
            check(&known, faults);
        }
        Trigger::Prompt => check(&PROMPTS, faults),
        Trigger::Dead if word == "signal" || word.parse::<u8>().is_ok() => {}
        Trigger::Dead => {
            faults.add(node.at, format!("{} is neither an exit code nor \"signal\"", quote(&word)));
        }
        Trigger::Idle => faults.add(node.at, "on_idle has nothing to match"),
    }
    Some(word)
}

fn attempts(node: &Node, faults: &mut Faults) -> Attempts {
    match &node.value {
        Value::Whole(times) if *times >= 1 => Attempts::Times(u32::try_from(*times).unwrap_or(u32::MAX)),
        Value::Whole(_) => {
            faults.add(node.at, "attempts must be >= 1");
            Attempts::default()
        }
        Value::Text(word) if word == "forever" => Attempts::Forever,
        _ => {
            faults.add(node.at, "attempts must be a number from 1, or \"forever\"");
            Attempts::default()
        }
    }
}

/// Reads a duration, in the many ways in which people write one.
pub(super) fn span(node: &Node, what: &str, faults: &mut Faults) -> Option<Span> {
    let word = node.word(what, faults)?;
    let digits = word.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(word.trim().len());
    let (number, unit) = word.trim().split_at(digits);
    let unit = match unit.trim() {
        "ms" | "millis" | "millisecond" | "milliseconds" => Some(1),
        "" | "s" | "sec" | "secs" | "second" | "seconds" => Some(1_000),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60_000),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3_600_000),
        "d" | "day" | "days" => Some(86_400_000),
        _ => None,
    };
    let millis = number.parse::<i64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    let span = millis.filter(|millis| *millis <= 366 * 86_400_000).map(Span::from_millis);
    if span.is_none() {
        faults.add(node.at, format!("{what} {} is not a duration; use e.g. 30s, 5m or 1h", quote(&word)));
    }
    span
}
