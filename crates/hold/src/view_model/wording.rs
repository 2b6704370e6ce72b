//! The wording of the interface: times, sources, what options do and what silence means.

use holdpoint_core::field::range;
use holdpoint_core::text::inert_line;
use holdpoint_core::{
    Answer, Auth, Decision, Field, Kind, Owner, OwnerKind, Priority, RuleStatus, Source, Status, Timestamp,
    Values,
};
use holdpoint_protocols::present;
use serde_json::Value;

pub(crate) use super::meanwhile::{STALE, lost, raced, settled_meanwhile};
pub(crate) use super::option_effect::{counts_as, explained, is_suggested};
use super::products;
use super::run::end_of;

/// Names an owner; a run by the end of its id.
pub(crate) fn owner(owner: &Owner) -> String {
    match owner.kind {
        OwnerKind::Run => format!("run:{}", end_of(&owner.id)),
        _ => owner.to_string(),
    }
}

/// Returns the first characters of a text on one line.
pub(crate) fn short(text: &str, most: usize) -> String {
    // Making the whole text inert for one line of it would be wasteful.
    let head: String = text.chars().take(most.saturating_mul(4)).collect();
    let line = inert_line(&head);
    match line.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None if head.len() < text.len() => format!("{line}…"),
        None => line,
    }
}

/// Names the source of a decision.
pub(crate) fn source(source: Source) -> &'static str {
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

/// Names the status of a decision.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "Pending",
        Status::Answered => "Answered",
        Status::Refined => "Changes requested",
        Status::TimedOut => "Timed out",
        Status::Cancelled => "Cancelled",
        Status::Superseded => "Superseded",
    }
}

/// Says where a rule stands.
pub(crate) fn rule_status(status: RuleStatus) -> &'static str {
    match status {
        RuleStatus::Tripped => "paused",
        other => other.name(),
    }
}

/// Says how urgent it is, where that is worth a word.
pub(crate) fn priority(priority: Priority) -> Option<&'static str> {
    match priority {
        Priority::Urgent => Some("Urgent"),
        Priority::High => Some("High"),
        Priority::Normal => None,
        Priority::Low => Some("Low"),
    }
}

/// Describes who answered, and for whom.
pub(crate) fn answered_by(answer: &Answer) -> String {
    let by = inert_line(&answer.by);
    match &answer.on_behalf_of {
        Some(person) => format!("{by} for {}", inert_line(person)),
        None => by,
    }
}

/// Describes how reliably the answerer was identified.
pub(crate) fn auth(auth: Auth) -> &'static str {
    match auth {
        Auth::System => "by Holdpoint",
        Auth::Claimed => "unverified",
        Auth::Rule => "by a rule",
        Auth::Local => "local",
        Auth::Link => "signed link",
        Auth::Channel => "linked account",
        Auth::Token => "token",
        Auth::Session => "signed in",
    }
}

/// Returns whether a careless yes could do harm: then the refusing option is preselected.
pub(crate) fn is_dangerous(decision: &Decision) -> bool {
    decision.subject.is_some() || matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict)
}

/// Returns whether the refusing option has the focus from the start. Below a long subject it does not, because the
/// page would scroll there, past the text to be read.
pub(crate) fn focuses_refusal(decision: &Decision) -> bool {
    is_dangerous(decision) && decision.subject.as_ref().is_none_or(super::read_before_consent::is_short)
}

/// Describes the input of a field without options.
pub(crate) fn kind(kind: Kind) -> String {
    let words = match kind {
        Kind::Text => "text",
        Kind::Multiline => "text, one line or more",
        Kind::Email => "an e-mail address",
        Kind::Tel => "a phone number",
        Kind::Url => "a web address",
        Kind::Integer => "a whole number",
        Kind::Boolean => "yes or no",
        Kind::Datetime => "a date and a time",
        other => return other.with_article(),
    };
    words.to_owned()
}

/// Lists values as label and text.
pub(crate) fn given(decision: &Decision, values: &Values, out: Option<&str>) -> Vec<(String, String)> {
    let taken = out.or_else(|| values.get("out").filter(|_| decision.field("out").is_none())?.as_str());
    if let Some(out) = taken {
        let label = decision.outs.iter().find(|option| option.id == out).map_or(out, |option| &option.label);
        return vec![("Instead of answering".into(), inert_line(label))];
    }
    let of_field = |field: &Field| {
        let value = values.get(&field.id)?;
        Some((inert_line(&field.label), value_words(field, value, decision.settled_at)))
    };
    decision.fields.iter().filter_map(of_field).collect()
}

/// Formats a value. `settled` is used to find options that had expired by then: those were chosen, but not bought.
fn value_words(field: &Field, value: &Value, settled: Option<Timestamp>) -> String {
    let label =
        |id: &str| field.option(id).map_or_else(|| inert_line(id), |option| inert_line(&option.label));
    match value {
        Value::String(id) if field.kind.picks() => label(id),
        Value::String(text) => holdpoint_core::text::inert(text),
        Value::Bool(true) => "Yes".into(),
        Value::Bool(false) => "No".into(),
        Value::Array(items) => {
            items.iter().map(|item| value_words(field, item, settled)).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) => {
            match (map.get("id").and_then(Value::as_str), map.get("text").and_then(Value::as_str)) {
                (Some(id), _) if settled.is_some_and(|settled| had_expired(field, id, settled)) => {
                    format!("{} (chosen, not bought: the quote had expired)", label(id))
                }
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

fn had_expired(field: &Field, id: &str, settled: Timestamp) -> bool {
    let base = field.options.iter().find(|base| base.with_variants().any(|one| one.id == id));
    field.option(id).is_some_and(|option| products::is_expired(option, base, settled))
}

/// Describes the limits of a value.
pub(crate) fn limits(field: &Field) -> Option<String> {
    let plain = |bound: &Value| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned);
    let bounds = (field.min.as_ref().map(plain), field.max.as_ref().map(plain));
    if matches!(field.kind, Kind::Choices | Kind::Products) {
        return match bounds {
            (Some(min), Some(max)) => Some(format!("Choose {min} to {max}")),
            (Some(min), None) => Some(format!("Choose at least {min}")),
            (None, Some(max)) => Some(format!("Choose at most {max}")),
            (None, None) => None,
        };
    }
    let unit = if field.kind.is_text() { " characters" } else { "" };
    (bounds != (None, None)).then(|| capital(&format!("{}{unit}", range(field))))
}

/// Capitalises the first letter.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A short prompt without markup is its own title.
fn is_title(decision: &Decision) -> bool {
    let prompt = decision.prompt.as_deref().unwrap_or_default();
    decision.title.is_none()
        && prompt.len() <= 200
        && !prompt.contains(['\n', '*', '`', '#', '[', '<', '_', '|'])
}

/// Returns whether a title only repeats the subject.
pub(crate) fn repeats_subject(decision: &Decision) -> bool {
    present::subject(decision).is_some_and(|subject| present::repeats(decision, &subject))
}

/// Returns whether the subject contains a text as its description.
pub(crate) fn is_described(decision: &Decision, text: &str) -> bool {
    let is_it = |block: &present::Block| {
        block.name.as_deref() == Some("description") && block.content.text() == text.trim()
    };
    present::subject(decision).is_some_and(|subject| subject.blocks.iter().any(is_it))
}

/// Describes in a line what a decision is about.
pub(crate) fn headline(decision: &Decision, most: usize) -> String {
    present::headline(decision, most)
}

/// Returns the heading of a card.
pub(crate) fn title(decision: &Decision, most: usize) -> String {
    if decision.title.is_some() || is_title(decision) {
        return short(decision.summary(), most);
    }
    short(decision.summary().lines().find(|line| !line.trim().is_empty()).unwrap_or_default(), most.min(120))
}

/// Returns the question in full, unless the title is all of it.
pub(crate) fn prompt(decision: &Decision) -> Option<&str> {
    decision.prompt.as_deref().filter(|_| decision.title.is_some() || !is_title(decision))
}

/// Names the asker: the credential's name first, or a note that the name was not checked.
pub(crate) fn asker(decision: &Decision) -> String {
    decision.asker().map_or_else(|| "Someone".to_owned(), |asker| asker.to_string())
}

/// Describes who asks and why, for whom and where. People know a job by its name, not by the agent that currently
/// works on it.
pub(crate) fn about(decision: &Decision, owner_name: Option<&str>) -> String {
    let unnamed = decision.owner.as_ref().filter(|_| owner_name.is_none());
    let owner = unnamed.map(|one| format!(", for {}", short(&owner(one), 80)));
    let project = (decision.project != holdpoint_core::Project::DEFAULT)
        .then(|| format!(", in {}", short(&decision.project, 80)));
    let asks = verdict_asked(decision, owner_name, None).unwrap_or_else(|| {
        let asker = owner_name.map_or_else(|| asker(decision), |name| short(name, 80));
        format!("{asker} {}{}", super::wants::request_sentence(decision), owner.unwrap_or_default())
    });
    format!("{asks}{}.", project.unwrap_or_default())
}

/// Describes which run asks for its verdict, who owns it and its task; none for other decisions. `begun_by` is the
/// person who began it, if known.
pub(crate) fn verdict_asked(
    decision: &Decision,
    owner_name: Option<&str>,
    begun_by: Option<&str>,
) -> Option<String> {
    let run = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    let title = decision.title.as_deref().filter(|_| decision.source == Source::Verdict)?;
    let begun_by =
        begun_by.map(|by| short(by, 80)).or_else(|| decision.asker().map(|asker| asker.to_string()));
    let id = short(end_of(&run.id), 80);
    let run = match (owner_name, begun_by) {
        (Some(job), _) => format!("Run {id} of job {}", short(job, 80)),
        (None, Some(by)) => format!("{by}'s run {id}"),
        (None, None) => format!("Run {id}"),
    };
    let task = title.strip_prefix("Verdict on ").unwrap_or(title);
    Some(format!("{run} is ready for review: {}", short(task, 80)))
}

/// Describes the answer on one line.
pub(crate) fn answered(decision: &Decision) -> String {
    let Some(answer) = &decision.answer else { return String::new() };
    let given = given(decision, &answer.values, answer.out.as_deref());
    if given.is_empty() {
        return answer.message.as_deref().map(|message| short(message, 200)).unwrap_or_default();
    }
    inert_line(&given.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(", "))
}

/// Says what is wrong with a field: `Days is required`, or after a colon where that would be no sentence.
pub(crate) fn fault(label: &str, message: &str) -> String {
    let (label, message) = (short(label, 80), inert_line(message));
    let is_name = label.ends_with(char::is_alphanumeric);
    if is_name && ["is ", "must "].iter().any(|start| message.starts_with(start)) {
        format!("{label} {message}")
    } else {
        format!("{label}: {message}")
    }
}

/// Makes a message a sentence: with a capital letter and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let words = capital(&inert_line(words));
    if words.ends_with(['.', '!', '?']) { words } else { format!("{words}.") }
}

/// Returns whether the title or the prompt begins with the label of a field, which need not be repeated then.
pub(crate) fn is_label_in_prompt(decision: &Decision, field: &Field) -> bool {
    let label = inert_line(&field.label);
    let first = |text: &str| text.lines().find(|line| !line.trim().is_empty()).map(inert_line);
    [&decision.prompt, &decision.title].into_iter().flatten().any(|text| first(text).as_ref() == Some(&label))
}
