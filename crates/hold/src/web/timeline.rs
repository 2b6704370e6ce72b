//! The events of a decision, in order.

use holdpoint_core::decision::Asker;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Timestamp};
use holdpoint_store::EventQuery;
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::error::PageError;
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;

/// How many events are shown.
const MOST: usize = 500;

/// Reads and renders a decision's events.
pub(super) async fn of(
    app: &App,
    visitor: &Visitor,
    decision: &Decision,
    now: Timestamp,
) -> Result<Markup, PageError> {
    let query = EventQuery { decision: Some(decision.id), limit: MOST, ..EventQuery::default() };
    let mut events: Vec<(Timestamp, String, String)> = Vec::new();
    for logged in app.engine.store().events(&query).await? {
        let Some(event) = app.engine.event_for(&visitor.caller, &logged).await? else { continue };
        let (what, who) = say(&logged.tag, &event);
        // A person who types saves many drafts; consecutive ones are shown as one.
        if events
            .last()
            .is_some_and(|(_, last, by)| *last == what && *by == who && logged.tag == "decision:drafted")
        {
            events.pop();
        }
        events.push((logged.at, what, who));
    }
    // The head of the card says who asked, and when.
    if events.len() < 2 {
        return Ok(html! {});
    }
    Ok(html! {
        section .timeline aria-labelledby="timeline-title" {
            h2 #timeline-title { "Timeline" }
            ol {
                @for (at, what, who) in &events {
                    li { span { (what) @if !who.is_empty() { " — " bdi { (who) } } } span .hint { (words::ago(*at, now)) " ago" } }
                }
            }
        }
    })
}

fn asker(event: &Map<String, Value>) -> String {
    let name = |key: &str| event.get(key).and_then(Value::as_str);
    let (checked, claimed) = (name("asked_by"), name("requested_by"));
    if checked.or(claimed).is_none() { String::new() } else { Asker { checked, claimed }.to_string() }
}

fn say(tag: &str, event: &Map<String, Value>) -> (String, String) {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(inert_line).unwrap_or_default();
    let answer = event.get("answer");
    let by_message = || {
        let part = |name: &str| answer.and_then(|answer| answer.get(name));
        let by = text(part("by"));
        match part("channel").and_then(|channel| channel.get("account")) {
            Some(account) => format!("{by} via {} (account {})", text(part("via")), text(Some(account))),
            None => by,
        }
    };
    match tag {
        "decision:created" => ("Asked".into(), asker(event)),
        "decision:revised" => {
            let cleared = event.get("cleared").and_then(Value::as_array).into_iter().flatten();
            let cleared: Vec<String> = cleared.map(|name| text(Some(name))).collect();
            let what = match cleared.as_slice() {
                [] => "Revised".to_owned(),
                names => format!("Revised; cleared the votes of {}", names.join(", ")),
            };
            (what, text(event.get("by")))
        }
        "decision:voted" => ("Voted".into(), text(event.get("vote").and_then(|vote| vote.get("by")))),
        "decision:votes_cleared" => {
            let cleared = event.get("cleared").and_then(Value::as_array).into_iter().flatten();
            let cleared: Vec<String> = cleared.map(|name| text(Some(name))).collect();
            (format!("Votes cleared: {}", cleared.join(", ")), String::new())
        }
        "decision:escalated" => (format!("Nobody had answered: {}", text(event.get("what"))), String::new()),
        "decision:remarked" => {
            let remark = event.get("remark");
            let part = |name: &str| text(remark.and_then(|remark| remark.get(name)));
            (format!("Remark: {}", part("text")), part("by"))
        }
        "decision:drafted" => ("Draft saved".into(), text(event.get("by"))),
        "decision:taken" if event.get("until").is_none_or(Value::is_null) => {
            ("Released".into(), text(event.get("by")))
        }
        "decision:taken" => ("Taken".into(), text(event.get("by"))),
        "decision:snoozed" if event.get("until").is_none_or(Value::is_null) => {
            ("Unsnoozed".into(), text(event.get("by")))
        }
        "decision:snoozed" => ("Snoozed".into(), text(event.get("by"))),
        "decision:resolved" => ("Answered".into(), by_message()),
        "decision:refined" => ("Changes requested".into(), by_message()),
        "decision:expired" => ("The deadline passed".into(), String::new()),
        "decision:cancelled" => ("Cancelled".into(), text(event.get("by"))),
        "decision:superseded" => ("Replaced by a newer decision".into(), String::new()),
        "decision:reported" => (
            "Another party reported the outcome".into(),
            text(event.get("report").and_then(|report| report.get("by"))),
        ),
        "decision:consumed" => ("The approval was used".into(), text(event.get("by"))),
        other => (inert_line(other), String::new()),
    }
}
