//! The words of the interface: times, sources, what options do and what silence means.

use holdpoint_core::decision::refusing::{is_foreign, is_no, is_yes};
use holdpoint_core::field::Effect;
use holdpoint_core::text::inert_line;
use holdpoint_core::{
    Answer, Auth, Decision, Field, Kind, Opt, Owner, OwnerKind, Priority, Source, Status, Timestamp, Values,
};
use holdpoint_protocols::present;
use serde_json::Value;

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

/// Says where a decision stands.
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

/// Says how urgent it is, where that is worth a word.
pub(crate) fn priority(priority: Priority) -> Option<&'static str> {
    match priority {
        Priority::Urgent => Some("Urgent"),
        Priority::High => Some("High"),
        Priority::Normal => None,
        Priority::Low => Some("Low"),
    }
}

/// Says who answered, and for whom.
pub(crate) fn answered_by(answer: &Answer) -> String {
    let by = inert_line(&answer.by);
    match &answer.on_behalf_of {
        Some(person) => format!("{by} for {}", inert_line(person)),
        None => by,
    }
}

/// Says how surely it is known who answered.
pub(crate) fn auth(auth: Auth) -> &'static str {
    match auth {
        Auth::System => "by the deadline",
        Auth::Claimed => "name not checked",
        Auth::Rule => "by a standing rule",
        Auth::Local => "on the server's machine",
        Auth::Link => "by a signed link",
        Auth::Channel => "by a linked account",
        Auth::Token => "by a token",
        Auth::Session => "signed in",
    }
}

/// Returns whether a careless yes could do harm: then the refusing option is preselected.
pub(crate) fn is_dangerous(decision: &Decision) -> bool {
    decision.subject.is_some() || matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict)
}

/// Returns whether the refusing option has the focus from the start. Below a long subject it has not: the page would go
/// there, past what is to be read.
pub(crate) fn focuses_refusal(decision: &Decision) -> bool {
    is_dangerous(decision) && decision.subject.as_ref().is_none_or(super::reading::is_short)
}

/// A question of yes or no has no more options than this.
const FEW: usize = 9;

/// Says whether an option is a yes or a no, where a consent is asked for and its label leaves that open: the agent chose the
/// labels. Beside one plain No, the only other option is plainly the yes.
pub(crate) fn counts_as(decision: &Decision, field: &Field, option: &Opt) -> Option<&'static str> {
    // Whoever picks from a long list picks a value; and as this is asked for each option, thousands would take seconds.
    let offers_yes = || {
        field.kind == Kind::Choice
            && field.options.len() <= FEW
            && field.options.iter().any(|option| is_yes(&option.label))
    };
    let takes_consent = field.kind == Kind::Confirm || is_dangerous(decision) || offers_yes();
    let is_plain = |option: &Opt| match option.refuses {
        _ if effect(decision, option).is_some() => true,
        true => is_no(&option.label),
        false => is_yes(&option.label),
    };
    let one_each = match field.options.as_slice() {
        [one, other] => {
            one.refuses != other.refuses && [one, other].iter().any(|no| no.refuses && is_plain(no))
        }
        _ => false,
    };
    // What another party offers counts as a yes unless it is marked, whatever it says: naming that would only puzzle.
    let is_unmarked = !option.refuses && is_foreign(decision);
    if !takes_consent || one_each || is_unmarked || is_plain(option) {
        return None;
    }
    Some(if option.refuses { "refuses" } else { "counts as yes" })
}

/// Says what a field that is not picked from takes.
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

/// Says what choosing an option does, where that is known.
pub(crate) fn effect(decision: &Decision, option: &Opt) -> Option<&'static str> {
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
        // What else is cancelled, only its asker can say.
        Effect::Cancel if !owned => return None,
        Effect::Cancel => "The job is cancelled.",
        Effect::Dismiss => "Nothing is done; the job stays as it is.",
        Effect::Approve => "The agent may do this, once.",
        Effect::Deny => "The agent may not do this.",
        Effect::AcceptClear => "The plan is carried out with a fresh context.",
        Effect::AcceptAuto => "The plan is carried out; edits are not asked about.",
        Effect::AcceptManual => "The plan is carried out; each edit is asked about.",
        Effect::Revise => "The agent reworks the plan.",
        Effect::Commit => "The work is committed.",
        Effect::Checkpoint => "The work is kept as a checkpoint; it goes on only when somebody resumes it.",
        Effect::Abandon => "The work is abandoned.",
        Effect::Retry => "The work is tried again.",
        Effect::Rollback => "The work is rolled back.",
    })
}

/// Lists what values say, as label and words.
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

/// `settled` tells what had expired by then: it was chosen, and not bought.
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

/// Says what bounds a value has.
pub(crate) fn limits(field: &Field) -> Option<String> {
    let plain = |bound: &Value| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned);
    let unit = match field.kind {
        kind if kind.is_text() => " characters",
        Kind::Choices | Kind::Products => " choices",
        _ => "",
    };
    match (field.min.as_ref().map(plain), field.max.as_ref().map(plain)) {
        (Some(min), Some(max)) => Some(format!("From {min} to {max}{unit}")),
        (Some(min), None) => Some(format!("At least {min}{unit}")),
        (None, Some(max)) => Some(format!("At most {max}{unit}")),
        (None, None) => None,
    }
}

/// Begins words with a capital letter.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What is said when the question is another one now.
pub(crate) const STALE: &str = "The asker changed the question while you were looking. Nothing was sent; what you typed is still here. Look again, and send.";

/// Says that nobody knows whether an answer arrived.
pub(crate) fn lost(why: &str) -> String {
    format!("{} It may not have arrived: send it again; an answer counts once.", sentence(why))
}

/// Says who was faster, and how it ended.
pub(crate) fn raced(settled: &Decision) -> String {
    let by = settled.answer.as_ref().map(|answer| format!(" by {}", inert_line(&answer.by)));
    format!(
        "Your answer was not taken: this was settled before. {}{}",
        status(settled.status),
        by.unwrap_or_default()
    )
}

/// A short prompt without markup is its own title.
fn is_title(decision: &Decision) -> bool {
    let prompt = decision.prompt.as_deref().unwrap_or_default();
    decision.title.is_none()
        && prompt.len() <= 200
        && !prompt.contains(['\n', '*', '`', '#', '[', '<', '_', '|'])
}

/// Returns whether a title only says again what the subject says, as the hooks of coding agents make them: `Bash: cargo test`.
pub(crate) fn repeats_subject(decision: &Decision) -> bool {
    let (Some(title), Some(subject)) = (decision.title.as_deref(), present::subject(decision)) else {
        return false;
    };
    let said = match title.split_once(": ") {
        Some((tool, said)) if !tool.contains(' ') => said,
        _ => title,
    };
    let all = subject.text();
    said.trim_end_matches('…').split(", ").all(|part| all.contains(part))
}

/// Returns the line that stands above a card.
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

/// Says who asks: the credential's name first, or that nobody checked the name.
pub(crate) fn asker(decision: &Decision) -> String {
    decision.asker().map_or_else(|| "Someone".to_owned(), |asker| asker.to_string())
}

/// Says who asks and why, for whom and where. People know a job by its name, not by the agent that works for it just now.
pub(crate) fn about(decision: &Decision, owner_name: Option<&str>) -> String {
    let unnamed = decision.owner.as_ref().filter(|_| owner_name.is_none());
    let owner = unnamed.map(|one| format!(", for {}", short(&owner(one), 80)));
    let project = (decision.project != holdpoint_core::Project::DEFAULT)
        .then(|| format!(", in {}", short(&decision.project, 80)));
    let asks = verdict_asked(decision, owner_name, None).unwrap_or_else(|| {
        let asker = owner_name.map_or_else(|| asker(decision), |name| short(name, 80));
        format!("{asker} {}{}", super::wants::why(decision.source), owner.unwrap_or_default())
    });
    format!("{asks}{}.", project.unwrap_or_default())
}

/// Says which run asks for its verdict, whose it is and on what task; nothing for other decisions. `begun_by` is who began
/// it, where that is known.
pub(crate) fn verdict_asked(
    decision: &Decision,
    owner_name: Option<&str>,
    begun_by: Option<&str>,
) -> Option<String> {
    let run = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    let title = decision.title.as_deref().filter(|_| decision.source == Source::Verdict)?;
    let begun_by =
        begun_by.map(|by| short(by, 80)).or_else(|| decision.asker().map(|asker| asker.to_string()));
    let who = match (owner_name, begun_by) {
        (Some(job), _) => format!(" of job {}", short(job, 80)),
        (None, Some(by)) => format!(", begun by {by},"),
        (None, None) => String::new(),
    };
    let task = title.strip_prefix("Verdict on ").unwrap_or(title);
    Some(format!("Run {}{who} asks for the verdict on “{}”", short(end_of(&run.id), 80), short(task, 80)))
}

/// Says what was answered, on one line.
pub(crate) fn answered(decision: &Decision) -> String {
    let Some(answer) = &decision.answer else { return String::new() };
    let given = given(decision, &answer.values, answer.out.as_deref());
    if given.is_empty() {
        return answer.message.as_deref().map(|message| short(message, 200)).unwrap_or_default();
    }
    inert_line(&given.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(", "))
}

/// Makes a message a sentence: with a capital letter and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let words = capital(&inert_line(words));
    if words.ends_with(['.', '!', '?']) { words } else { format!("{words}.") }
}

/// Says how a decision was settled while someone looked at it.
pub(crate) fn settled_meanwhile(decision: &Decision) -> String {
    let how = match decision.status {
        Status::Pending | Status::Answered => "answered",
        Status::Refined => "sent back for changes",
        Status::TimedOut => "settled by its deadline",
        Status::Cancelled => "cancelled",
        Status::Superseded => "replaced by a newer decision",
    };
    let by = decision.answer.as_ref().map(|answer| format!(" by {}", short(&answer.by, 60)));
    let what = answered(decision);
    let what = if what.is_empty() { String::new() } else { format!(": {}", short(&what, 120)) };
    format!("This was {how}{} meanwhile{what}. Nothing was sent.", by.unwrap_or_default())
}
