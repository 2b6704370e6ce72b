//! A decision as text: what happened, what the options are and how to choose one.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Field, Source, Status, Timestamp};
use serde_json::Value;

use super::context::{PLAN, under};
use super::number::{self, Entry, NumberMeaning};
use super::question;
use super::view::{context, message, owner_id};
use crate::present;

/// Formats a decision. `whose` names its owner, if more than its id is known; `hint` is the command that the reader
/// would type, e.g. `oj`; none hides the hint.
pub fn show(decision: &Decision, whose: Option<&str>, now: Timestamp, hint: Option<&str>) -> String {
    show_with(decision, None, whose, now, hint)
}

/// Formats a decision with this text for its subject, if the caller has more than what the decision carries.
pub fn show_with(
    decision: &Decision,
    subject: Option<&str>,
    whose: Option<&str>,
    now: Timestamp,
    hint: Option<&str>,
) -> String {
    let mut lines = head(decision, whose, now);
    lines.extend([String::new(), "Context:".to_owned()]);
    lines.extend(inert(context(decision)).lines().map(|line| format!("  {line}")));
    lines.push(String::new());
    if let Some(carried) = decision.subject.as_ref().filter(|carried| !has_plan(context(decision), carried)) {
        // People must not say yes to something that they were not shown.
        lines.push("Subject:".to_owned());
        let text = subject.map_or_else(|| present::of_value(carried).text(), str::to_owned);
        lines.extend(text.lines().map(|line| format!("  {line}").trim_end().to_owned()));
        lines.push(String::new());
    }
    lines.extend(choices(decision));
    if let (Some(command), Status::Pending) = (hint, decision.status) {
        let questions = number::questions(decision);
        // What is asked only after a choice may be left out after another one.
        let place = |(at, field): (usize, &&Field)| match &field.visible_if {
            Some(_) => format!("[<q{}>]", at + 1),
            None => format!("<q{}>", at + 1),
        };
        let numbers = match questions.as_slice() {
            [] | [_] => "<number>".to_owned(),
            several => several.iter().enumerate().map(place).collect::<Vec<_>>().join(" "),
        };
        lines.extend([
            String::new(),
            format!("Use: {command} decision resolve {} {numbers} [-m message]", decision.id),
        ]);
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Returns whether a context has the whole plan that is the subject, so that it need not be shown again.
fn has_plan(context: &str, subject: &Value) -> bool {
    let members = subject.as_object().filter(|members| members.len() == 1);
    let plan = members.and_then(|members| members.get("plan")).and_then(Value::as_str);
    plan.is_some_and(|plan| context.contains(&under(String::new(), PLAN, plan.trim())))
}

/// Formats how long ago something was, in one or two units: `5s`, `2m`, `1h5m`, `3d`; `-` for no time at all.
pub fn age(from: Timestamp, now: Timestamp) -> String {
    let secs = now.since(from).as_millis() / 1_000;
    match (secs / 86_400, secs / 3_600, secs / 60) {
        _ if secs == 0 => "-".into(),
        (0, 0, 0) => format!("{secs}s"),
        (0, 0, minutes) => format!("{minutes}m"),
        (0, hours, minutes) if minutes % 60 == 0 => format!("{hours}h"),
        (0, hours, minutes) => format!("{hours}h{}m", minutes % 60),
        (days, _, _) => format!("{days}d"),
    }
}

fn head(decision: &Decision, whose: Option<&str>, now: Timestamp) -> Vec<String> {
    let mut lines = vec![format!("Decision: {}", decision.id)];
    let mut say = |name: &str, text: &str| lines.push(format!("{:<9} {text}", format!("{name}:")));
    if let Some(owner) = &decision.owner {
        let unnamed = || format!("{} ({})", owner.id, owner_id(owner));
        say("Owner", &inert_line(&whose.map_or_else(unnamed, str::to_owned)));
    }
    say("Project", &inert_line(&decision.project));
    say("Source", source(decision.source));
    say("Age", &age(decision.created_at, now));
    if let Some(asker) = decision.asker() {
        say("Agent", &asker.to_string());
    }
    match decision.status {
        Status::Pending => {}
        Status::Answered => say("Status", "completed"),
        Status::TimedOut => say("Status", "timed out"),
        other => say("Status", other.name()),
    }
    if let Some(newer) = decision.superseded_by.or(decision.next) {
        say(if decision.next.is_some() { "Next" } else { "Superseded by" }, &newer.to_string());
    }
    let chosen = number::chosen(decision);
    if !chosen.is_empty() {
        let one = |entry: &Entry<'_>| format!("{} ({})", entry.number, inert_line(entry.label));
        say("Chosen", &chosen.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    if let Some(message) = message(decision) {
        say("Message", &inert_line(&message));
    }
    if let Some(answer) = &decision.answer {
        say("By", &inert_line(&answer.by));
    }
    lines
}

/// Formats one flat list; with several questions one list each, followed by what concerns all of them.
fn choices(decision: &Decision) -> Vec<String> {
    let mut lines = Vec::new();
    let questions = number::questions(decision);
    if let [_] | [] = questions.as_slice() {
        // Questions that are in the context are not repeated.
        let asked = questions.into_iter().filter(|field| !context(decision).contains(&field.label));
        lines.extend(asked.flat_map(|field| [heading("Question", field), String::new()]));
        lines.push("Options:".to_owned());
        lines.extend(number::entries(decision).iter().map(line));
        return lines;
    }
    for (at, field) in questions.into_iter().enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        lines.push(heading(&format!("Question {}", at + 1), field));
        lines.extend(number::group(field).iter().map(line));
    }
    let for_all = number::entries(decision);
    let mut for_all = for_all.iter().filter(|entry| matches!(entry.means, NumberMeaning::Out(_))).peekable();
    if for_all.peek().is_some() {
        lines.extend([String::new(), "Instead of answering, one number alone:".to_owned()]);
        lines.extend(for_all.map(line));
    }
    lines
}

fn heading(name: &str, field: &Field) -> String {
    let header =
        question::header(field).map(|header| format!(" [{}]", inert_line(header))).unwrap_or_default();
    format!("{name}{header}: {}", inert_line(&field.label))
}

fn line(entry: &Entry<'_>) -> String {
    let mark = if entry.recommended { " (recommended)" } else { "" };
    let more = entry.description.map(|text| format!(" - {}", inert_line(text))).unwrap_or_default();
    format!("  {}. {}{mark}{more}", entry.number, inert_line(entry.label))
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Plan => "Plan Approval",
        Source::Approval => "Permission Approval",
        Source::Question => "Question",
        Source::Idle => "Idle",
        Source::Dead => "Dead",
        Source::Error => "Error",
        Source::Gate => "Gate",
        Source::Request => "Request",
        Source::Form => "Form",
        Source::Verdict => "Verdict",
    }
}
