//! The requests of an agent.

use std::collections::BTreeMap;

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::field::Effect;
use holdpoint_core::text::check_name;
use holdpoint_core::{Field, Kind, Opt, Refusal, Source};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::{APPROVE, CHOICE, CallKind, DENY, INTERACTIVE, KIND, PROTOCOL, RESPONSE, STATE, owner, read};

/// A question, and its idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedQuestion {
    /// The question.
    pub new: New,
    /// The idempotency key: the call's id, separate from the keys of others.
    pub key: String,
}

#[derive(Deserialize)]
struct RawCall<S> {
    run_id: String,
    call_id: String,
    spec: S,
    #[serde(default)]
    status: Option<Status>,
}

/// Members that only answers have; nothing is read from them.
#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    approved: Option<IgnoredAny>,
    #[serde(default)]
    response: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct FunctionSpec {
    #[serde(rename = "fn")]
    function: String,
    kwargs: Map<String, Value>,
    #[serde(default)]
    channel: Option<Channel>,
    #[serde(default)]
    reject_options: Option<Vec<OptionSpec>>,
    #[serde(default)]
    state: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct ContactSpec {
    msg: String,
    #[serde(default)]
    subject: Option<String>,
    #[serde(default)]
    channel: Option<Channel>,
    #[serde(default)]
    response_options: Option<Vec<OptionSpec>>,
    #[serde(default)]
    state: Option<Map<String, Value>>,
}

/// The part of the channel that matters here: whether it restricts who may answer.
#[derive(Deserialize)]
struct Channel {
    #[serde(default)]
    slack: Option<Slack>,
}

#[derive(Deserialize)]
struct Slack {
    #[serde(default)]
    allowed_responder_ids: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct OptionSpec {
    name: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    prompt_fill: Option<String>,
    #[serde(default)]
    interactive: Option<bool>,
}

/// Reads the body of a request; it belongs to the given project, or to the default one.
pub fn ask(kind: CallKind, body: Value, project: Option<&str>) -> Result<KeyedQuestion, Refusal> {
    let (call, new) = match kind {
        CallKind::FunctionCall => {
            let call: RawCall<FunctionSpec> = read(body)?;
            check_channel(call.spec.channel.as_ref())?;
            let new = approval(&call.spec)?;
            let spec = (call.spec.reject_options.unwrap_or_default(), call.spec.state);
            (RawCall { run_id: call.run_id, call_id: call.call_id, spec, status: call.status }, new)
        }
        CallKind::HumanContact => {
            let call: RawCall<ContactSpec> = read(body)?;
            check_channel(call.spec.channel.as_ref())?;
            let ContactSpec { msg, subject, response_options, state, .. } = call.spec;
            let new = New {
                source: Some(Source::Question),
                title: subject,
                prompt: Some(msg),
                // The SDKs do not support a second round.
                max_iterations: Some(1),
                ..New::default()
            };
            let spec = (response_options.unwrap_or_default(), state);
            (RawCall { run_id: call.run_id, call_id: call.call_id, spec, status: call.status }, new)
        }
    };
    check_ids(&call.run_id, &call.call_id)?;
    if call.status.is_some_and(|status| status.approved.is_some() || status.response.is_some()) {
        return Err(Refusal::invalid("status", "is what a person says; leave it out when you ask"));
    }
    let (options, state) = call.spec;
    Ok(KeyedQuestion {
        key: format!("{PROTOCOL}/{}/{}", kind.name(), call.call_id),
        new: New {
            project: project.map(str::to_owned),
            fields: vec![field(kind, options)],
            owner: Some(owner(&call.call_id)),
            metadata: BTreeMap::from([
                ("run_id".to_owned(), call.run_id.clone()),
                ("call_id".to_owned(), call.call_id.clone()),
            ]),
            origin: Some(Origin {
                protocol: PROTOCOL.to_owned(),
                id: Some(call.call_id),
                schema: None,
                thread: Some(call.run_id.clone()),
                extra: origin(kind, state.as_ref()),
            }),
            requested_by: Some(call.run_id),
            ..new
        },
    })
}

/// Returns an approval whose subject is the function and its arguments, in the form of the modules for agent
/// frameworks, so that standing rules apply to both.
fn approval(spec: &FunctionSpec) -> Result<New, Refusal> {
    check_name(&spec.function).map_err(|why| Refusal::invalid("spec.fn", why))?;
    Ok(New {
        source: Some(Source::Approval),
        title: Some(format!("Call {}?", spec.function)),
        subject: Some(json!({ "tool": spec.function, "arguments": spec.kwargs })),
        ..New::default()
    })
}

fn field(kind: CallKind, options: Vec<OptionSpec>) -> Field {
    match kind {
        CallKind::FunctionCall => {
            let approve = Opt { effect: Some(Effect::Approve), ..Opt::new(APPROVE, "Approve") };
            let deny = Opt { effect: Some(Effect::Deny), refuses: true, ..Opt::new(DENY, "Deny") };
            let rejects = options.into_iter().map(|option| Opt { refuses: true, ..option.into_opt() });
            let mut offered: Vec<Opt> = std::iter::once(approve).chain(rejects).collect();
            if !offered.iter().any(|option| option.id == DENY) {
                offered.push(deny);
            }
            Field::offering(CHOICE, Kind::Confirm, "Allow it?", offered)
        }
        CallKind::HumanContact if options.is_empty() => Field::new(RESPONSE, Kind::Multiline, "Response"),
        CallKind::HumanContact => {
            let offered = options.into_iter().map(OptionSpec::into_opt).collect();
            Field { custom: true, ..Field::offering(RESPONSE, Kind::Choice, "Response", offered) }
        }
    }
}

impl OptionSpec {
    fn into_opt(self) -> Opt {
        let mut extra =
            Map::from_iter([(INTERACTIVE.to_owned(), self.interactive.unwrap_or_default().into())]);
        extra.extend(self.prompt_fill.map(|fill| ("prompt_fill".to_owned(), fill.into())));
        let label = self.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| self.name.clone());
        Opt { description: self.description, extra, ..Opt::new(self.name, label) }
    }
}

fn origin(kind: CallKind, state: Option<&Map<String, Value>>) -> Map<String, Value> {
    let mut extra = Map::from_iter([(KIND.to_owned(), kind.name().into())]);
    let text = state.and_then(|state| serde_json::to_string(state).ok());
    extra.extend(text.map(|text| (STATE.to_owned(), text.into())));
    extra
}

/// Checks the channel: the server decides who may answer, and a restriction that it cannot enforce is not dropped
/// silently.
fn check_channel(channel: Option<&Channel>) -> Result<(), Refusal> {
    let restricts = |slack: &Slack| slack.allowed_responder_ids.is_some();
    if channel.and_then(|channel| channel.slack.as_ref()).is_some_and(restricts) {
        let why = "is not kept: who may answer here is said by the project's policies; leave it out";
        return Err(Refusal::invalid("spec.channel.slack.allowed_responder_ids", why));
    }
    Ok(())
}

/// Checks the ids, which the SDKs put into an address unescaped.
fn check_ids(run_id: &str, call_id: &str) -> Result<(), Refusal> {
    const LONGEST: usize = 150;
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.:~@+=".contains(c);
    if call_id.is_empty() || call_id.len() > LONGEST || !call_id.chars().all(fits) || call_id.starts_with('.')
    {
        let why = format!(
            "must be 1 to {LONGEST} letters, digits or signs of - _ . : ~ @ + =, and start with no dot"
        );
        return Err(Refusal::invalid("call_id", why));
    }
    check_name(run_id).map_err(|why| Refusal::invalid("run_id", why))
}
