//! Judges what was acknowledged against what the log and the decisions say.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde_json::{Value, json};

use super::record::{Fate, Record, Waited};

/// How long after the settling a waiter may be woken, with everything breaking around it.
const LATEST: Duration = Duration::from_secs(15);
/// Events that settle a decision.
const SETTLING: [(&str, &str); 5] = [
    ("decision:resolved", "answered"),
    ("decision:refined", "refined"),
    ("decision:expired", "timed_out"),
    ("decision:cancelled", "cancelled"),
    ("decision:superseded", "superseded"),
];

/// Says what is wrong, in words; nothing if everyone kept their word.
pub(super) fn judge(record: &Record, log: &[Value], finals: &BTreeMap<String, Value>) -> Vec<String> {
    let mut findings = Vec::new();
    in_order(log, &mut findings);
    commands(record, log, finals, &mut findings);
    outcomes(log, finals, &mut findings);
    for waited in &record.waited {
        woken(waited, finals, &mut findings);
    }
    findings
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The log has no gaps and no doubles.
fn in_order(log: &[Value], findings: &mut Vec<String>) {
    for (event, expected) in log.iter().zip(1_i64..) {
        if event["seq"] != expected {
            findings.push(format!("event {} stands where {expected} should", event["seq"]));
            return;
        }
    }
}

/// Returns the mark of the command that made an event.
fn mark(event: &Value) -> Option<&str> {
    let mark = match text(&event["type"]) {
        // A further round is a copy of the first; its own mark is the guidance.
        "decision:created" if event["iteration"] == 1 => &event["prompt"],
        "decision:revised" => &event["prompt"],
        "decision:resolved" | "decision:refined" => &event["answer"]["message"],
        "decision:cancelled" => &event["reason"],
        _ => return None,
    };
    mark.as_str()
}

/// Every acknowledged command is there once, every refused one is not, every other one at most once.
fn commands(record: &Record, log: &[Value], finals: &BTreeMap<String, Value>, findings: &mut Vec<String>) {
    let mut made: HashMap<(&str, &str), usize> = HashMap::new();
    for event in log {
        if let Some(mark) = mark(event) {
            *made.entry((text(&event["type"]), mark)).or_default() += 1;
        }
    }
    for sent in &record.sent {
        let (verb, mark) = (sent.verb, &sent.mark);
        let count = made.get(&(verb.event(), mark.as_str())).copied().unwrap_or_default();
        let (right, words) = match &sent.fate {
            Fate::Done(_) => (count == 1, "was acknowledged"),
            Fate::Refused(_) => (count == 0, "was refused"),
            Fate::Doubt => (count <= 1, "was left in doubt"),
            Fate::Broken(why) => {
                findings.push(format!("{verb:?} {mark} broke the server: {why}"));
                continue;
            }
        };
        if !right {
            findings.push(format!("{verb:?} {mark} {words}, and is there {count} times"));
        }
        if let Fate::Done(decision) | Fate::Refused(Some(decision)) = &sent.fate {
            same_outcome(&format!("{verb:?} {mark}"), decision, finals, findings);
        }
    }
}

/// Every decision was settled by one event at most, and stands as that event left it.
fn outcomes(log: &[Value], finals: &BTreeMap<String, Value>, findings: &mut Vec<String>) {
    let mut settled: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut created: BTreeMap<&str, usize> = BTreeMap::new();
    for event in log {
        let (tag, id) = (text(&event["type"]), text(&event["id"]));
        if tag == "decision:created" {
            *created.entry(id).or_default() += 1;
        }
        if let Some((_, status)) = SETTLING.iter().find(|(settles, _)| *settles == tag) {
            settled.entry(id).or_default().push(status);
        }
    }
    for (id, decision) in finals {
        let is = text(&decision["status"]);
        let by = settled.get(id.as_str()).map(Vec::as_slice).unwrap_or_default();
        match by {
            [] if is == "pending" => {}
            [status] if *status == is => {}
            _ => findings.push(format!("{id} is {is}, but the log settled it as {by:?}")),
        }
        if created.get(id.as_str()) != Some(&1) {
            findings.push(format!("{id} was created {:?} times", created.get(id.as_str())));
        }
        let next = decision["next"].as_str();
        let back = next.and_then(|next| finals.get(next)).map(|next| text(&next["prior"]));
        if (is == "refined") != next.is_some() || next.is_some() && back != Some(id) {
            findings.push(format!("{id} is {is} and its next round is {next:?}, which came of {back:?}"));
        }
    }
    for id in created.keys().filter(|id| !finals.contains_key(**id)) {
        findings.push(format!("{id} was created and is gone"));
    }
}

fn woken(waited: &Waited, finals: &BTreeMap<String, Value>, findings: &mut Vec<String>) {
    let id = &waited.id;
    match &waited.outcome {
        None => findings.push(format!("the waiter for {id} was never woken")),
        Some(outcome) => {
            if text(&outcome["status"]) == "pending" {
                findings.push(format!("the waiter for {id} was woken for nothing"));
            }
            same_outcome(&format!("the waiter for {id}"), outcome, finals, findings);
        }
    }
    if waited.late > LATEST {
        findings.push(format!("the waiter for {id} was woken {:?} late", waited.late));
    }
}

/// What someone was told of a settled decision is what it still is.
fn same_outcome(who: &str, seen: &Value, finals: &BTreeMap<String, Value>, findings: &mut Vec<String>) {
    let outcome = |decision: &Value| {
        let answer = &decision["answer"];
        json!([decision["status"], decision["next"], answer["values"], answer["message"], answer["by"]])
    };
    let id = text(&seen["id"]);
    match finals.get(id) {
        None => findings.push(format!("{who} was told of {id}, which is gone")),
        Some(last) if seen["status"] != "pending" && outcome(seen) != outcome(last) => {
            findings.push(format!(
                "{who} was told that {id} is {}, but it is {}",
                outcome(seen),
                outcome(last)
            ));
        }
        Some(_) => {}
    }
}
