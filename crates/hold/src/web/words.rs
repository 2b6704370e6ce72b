//! The words of the interface: times, sources, what options do and what silence means.

use holdpoint_core::field::Effect;
use holdpoint_core::text::inert_line;
use holdpoint_core::{
    Auth, Decision, Field, OnTimeout, Opt, OwnerKind, Priority, Source, Status, Timestamp, Values,
};
use maud::{Markup, html};
use serde_json::Value;

/// Writes a span in one unit: `5s`, `2m`, `3h`, `4d`.
pub(super) fn span(millis: i64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Shows how long ago something was; the script keeps it true.
pub(super) fn ago(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-ago { (span(now.since(then).as_millis())) } }
}

/// Shows how far off something is; the script keeps it true.
pub(super) fn left(then: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(then) title=(then) data-left { (span(then.since(now).as_millis())) } }
}

/// Returns the first characters of a text on one line.
pub(super) fn short(text: &str, most: usize) -> String {
    // Making a whole page of text inert for one line of it would be wasteful.
    let head: String = text.chars().take(most.saturating_mul(4)).collect();
    let line = inert_line(&head);
    match line.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None if head.len() < text.len() => format!("{line}…"),
        None => line,
    }
}

/// Says why something is asked.
pub(super) fn source(source: Source) -> &'static str {
    match source {
        Source::Question => "Question",
        Source::Approval => "Approval",
        Source::Plan => "Plan",
        Source::Gate => "Gate failed",
        Source::Idle => "Idle",
        Source::Dead => "Dead",
        Source::Error => "Error",
        Source::Request => "Request",
        Source::Form => "Form",
        Source::Verdict => "Verdict",
    }
}

/// Says what happened that someone is asked.
pub(super) fn why(source: Source) -> &'static str {
    match source {
        Source::Question => "has a question",
        Source::Approval => "wants to do this",
        Source::Plan => "has a plan",
        Source::Gate => "did not get through a gate",
        Source::Idle => "stands idle",
        Source::Dead => "ended unexpectedly",
        Source::Error => "met an error",
        Source::Request => "sent a request",
        Source::Form => "needs a form filled in",
        Source::Verdict => "wants its work judged",
    }
}

pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "Pending",
        Status::Answered => "Answered",
        Status::Refined => "Changes requested",
        Status::TimedOut => "Timed out",
        Status::Cancelled => "Cancelled",
        Status::Superseded => "Superseded",
    }
}

pub(super) fn priority(priority: Priority) -> Option<&'static str> {
    match priority {
        Priority::Urgent => Some("Urgent"),
        Priority::High => Some("High"),
        Priority::Normal => None,
        Priority::Low => Some("Low"),
    }
}

/// Says how surely it is known who answered.
pub(super) fn auth(auth: Auth) -> &'static str {
    match auth {
        Auth::System => "by the deadline",
        Auth::Claimed => "name not checked",
        Auth::Local => "on the server's machine",
        Auth::Link => "by a signed link",
        Auth::Token => "by a token",
        Auth::Session => "signed in",
    }
}

/// Returns whether a careless yes could do harm: then the refusing option is the one at hand.
pub(super) fn is_dangerous(decision: &Decision) -> bool {
    decision.subject.is_some() || matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict)
}

/// Says what choosing an option does, where that is known.
pub(super) fn effect(decision: &Decision, option: &Opt) -> Option<&'static str> {
    let owned =
        decision.owner.as_ref().is_some_and(|owner| matches!(owner.kind, OwnerKind::Job | OwnerKind::Crew));
    let by_id = || match (decision.source, option.id.as_str()) {
        _ if !owned => None,
        (_, "cancel") => Some(Effect::Cancel),
        (_, "dismiss") => Some(Effect::Dismiss),
        (Source::Idle, "nudge") => Some(Effect::Resume),
        (Source::Dead | Source::Error | Source::Gate, "retry") => Some(Effect::Restart),
        (Source::Idle, "done") | (Source::Dead | Source::Error | Source::Gate, "skip") => {
            Some(Effect::Advance)
        }
        _ => None,
    };
    Some(match option.effect.or_else(by_id)? {
        Effect::Resume => "The agent is told to go on.",
        Effect::Restart => "The agent is started again.",
        Effect::Advance => "The step counts as done; the job goes on.",
        Effect::Cancel => "The job is cancelled.",
        Effect::Dismiss => "Nothing is done; the job stays as it is.",
        Effect::Approve => "The agent may do this, once.",
        Effect::Deny => "The agent may not do this.",
        Effect::AcceptClear => "The plan is carried out with a fresh context.",
        Effect::AcceptAuto => "The plan is carried out; edits are not asked about.",
        Effect::AcceptManual => "The plan is carried out; each edit is asked about.",
        Effect::Revise => "The agent reworks the plan.",
        Effect::Commit => "The work is committed.",
        Effect::Checkpoint => "The work is kept as a checkpoint, and goes on.",
        Effect::Abandon => "The work is abandoned.",
        Effect::Retry => "The work is tried again.",
        Effect::Rollback => "The work is rolled back.",
    })
}

/// Says what happens at the deadline.
pub(super) fn silence(decision: &Decision) -> String {
    match decision.on_timeout {
        OnTimeout::Expire => "then it ends without an answer".into(),
        OnTimeout::Deny => "then it counts as refused".into(),
        OnTimeout::Cancel => "then it ends without an answer and its owner is cancelled".into(),
        OnTimeout::Default => {
            let taken =
                decision.default.as_ref().map(|values| given(decision, values, None)).unwrap_or_default();
            let taken: Vec<String> = taken.into_iter().map(|(_, value)| value).collect();
            format!("then this is taken: {}", short(&taken.join(", "), 200))
        }
    }
}

/// Lists what values say, as label and words.
pub(super) fn given(decision: &Decision, values: &Values, out: Option<&str>) -> Vec<(String, String)> {
    let taken = out.or_else(|| values.get("out").filter(|_| decision.field("out").is_none())?.as_str());
    if let Some(out) = taken {
        let label = decision.outs.iter().find(|option| option.id == out).map_or(out, |option| &option.label);
        return vec![("Instead of answering".into(), inert_line(label))];
    }
    let of_field = |field: &Field| {
        let value = values.get(&field.id)?;
        Some((inert_line(&field.label), value_words(field, value)))
    };
    decision.fields.iter().filter_map(of_field).collect()
}

fn value_words(field: &Field, value: &Value) -> String {
    let label =
        |id: &str| field.option(id).map_or_else(|| inert_line(id), |option| inert_line(&option.label));
    match value {
        Value::String(id) if field.kind.picks() => label(id),
        Value::String(text) => holdpoint_core::text::inert(text),
        Value::Bool(true) => "Yes".into(),
        Value::Bool(false) => "No".into(),
        Value::Array(items) => {
            items.iter().map(|item| value_words(field, item)).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) => {
            match (map.get("id").and_then(Value::as_str), map.get("text").and_then(Value::as_str)) {
                (Some(id), _) => {
                    format!("{} × {}", map.get("quantity").unwrap_or(&Value::from(1)), label(id))
                }
                (_, Some(text)) => format!("“{}”", holdpoint_core::text::inert(text)),
                _ => match (map.get("lat"), map.get("lng")) {
                    (Some(lat), Some(lng)) => format!("{lat}, {lng}"),
                    _ => inert_line(&value.to_string()),
                },
            }
        }
        other => inert_line(&other.to_string()),
    }
}
