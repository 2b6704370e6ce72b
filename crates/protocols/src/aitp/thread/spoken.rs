//! Reads the bodies that open a thread and post to it.
//!
//! Participants are a list, or a string that contains the list; a capability is an address, or an object with the
//! address under `schema` or `$schema`; content is a string, a list of strings, or a list of blocks with text.

use holdpoint_core::FieldError;
use holdpoint_core::thread::{Participant, Side};
use serde_json::{Map, Value};

/// The body that opens a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadOpening {
    /// The project, if it is given.
    pub project: Option<String>,
    /// The thread it is forked from.
    pub parent_id: Option<String>,
    /// The participants.
    pub actors: Vec<Participant>,
    /// The people who are asked questions from the thread.
    pub assignees: Vec<String>,
    /// Other metadata.
    pub metadata: Map<String, Value>,
    /// The first messages.
    pub messages: Vec<MessageBody>,
}

/// The body of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageBody {
    /// The speaker, under their name in the thread.
    pub actor: Option<String>,
    /// Which side the speaker is on.
    pub role: Option<Side>,
    /// The content.
    pub content: Vec<String>,
    /// The attachments.
    pub attachments: Vec<Value>,
    /// Other metadata.
    pub metadata: Map<String, Value>,
}

type FieldResult<T> = Result<T, FieldError>;

fn wrong<T>(place: &str, message: impl Into<String>) -> FieldResult<T> {
    Err(FieldError::new(place, message))
}

impl ThreadOpening {
    /// Reads the body that opens a thread. Unknown members are ignored.
    ///
    /// # Errors
    /// If it has none of the accepted forms.
    pub fn read(value: Value) -> FieldResult<Self> {
        let Value::Object(mut body) = value else { return wrong("body", "must be an object") };
        let mut metadata = map(body.remove("metadata"), "metadata")?;
        let mut named = |names: &[&str]| {
            let found = names.iter().find_map(|name| body.remove(*name).or_else(|| metadata.remove(*name)));
            found.filter(|value| !value.is_null())
        };
        let actors = match named(&["actors", "agents"]) {
            Some(actors) => {
                list(actors, "actors")?.into_iter().map(participant).collect::<FieldResult<_>>()?
            }
            None => Vec::new(),
        };
        let assignees = match named(&["assignees"]) {
            Some(Value::String(text)) if !text.trim_start().starts_with('[') => {
                text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
            }
            Some(given) => list(given, "assignees")?
                .into_iter()
                .map(|name| text_of(name, "assignees"))
                .collect::<FieldResult<_>>()?,
            None => Vec::new(),
        };
        let parent_id = named(&["parent_id"]).map(|id| text_of(id, "parent_id")).transpose()?;
        let project = named(&["project"]).map(|name| text_of(name, "project")).transpose()?;
        let messages = match body.remove("messages").filter(|value| !value.is_null()) {
            Some(messages) => {
                list(messages, "messages")?.into_iter().map(first_words).collect::<FieldResult<_>>()?
            }
            None => Vec::new(),
        };
        let parent_id = parent_id.filter(|id| !id.is_empty());
        Ok(Self { project, parent_id, actors, assignees, metadata, messages })
    }
}

impl MessageBody {
    /// Makes a plain text from an unnamed speaker.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self { content: vec![text.into()], ..Self::default() }
    }

    /// Reads the body of a message. Unknown members are ignored.
    ///
    /// # Errors
    /// If it has none of the accepted forms.
    pub fn read(value: Value) -> FieldResult<Self> {
        let Value::Object(mut body) = value else { return wrong("body", "must be an object") };
        let role = match body.remove("role") {
            None | Some(Value::Null) => None,
            Some(Value::String(role)) if role == "user" => Some(Side::User),
            Some(Value::String(role)) if role == "assistant" => Some(Side::Assistant),
            Some(_) => return wrong("role", "must be user or assistant"),
        };
        let content = match body.remove("content") {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(parts)) => parts.into_iter().map(block).collect::<FieldResult<_>>()?,
            Some(Value::Null) | None => return wrong("content", "is missing; it must be a string or a list"),
            Some(_) => return wrong("content", "must be a string or a list"),
        };
        let attachments = match body.remove("attachments").filter(|value| !value.is_null()) {
            Some(attachments) => list(attachments, "attachments")?,
            None => Vec::new(),
        };
        let mut metadata = map(body.remove("metadata"), "metadata")?;
        let actor = metadata.remove("actor").filter(|value| !value.is_null());
        let actor = actor.map(|name| text_of(name, "metadata.actor")).transpose()?;
        Ok(Self { actor, role, content, attachments, metadata })
    }
}

fn first_words(value: Value) -> FieldResult<MessageBody> {
    match value {
        Value::String(text) => Ok(MessageBody::from_text(text)),
        other => MessageBody::read(other),
    }
}

/// Reads a string, or a block `{"type": "text", "text": {"value": …}}`.
fn block(value: Value) -> FieldResult<String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Object(mut block) => match block.remove("text") {
            Some(Value::String(text)) => Ok(text),
            Some(Value::Object(mut text)) => match text.remove("value") {
                Some(Value::String(text)) => Ok(text),
                _ => wrong("content", "a block of text has its string in text.value"),
            },
            _ => wrong("content", "use blocks of text only, and attach files"),
        },
        _ => wrong("content", "every part must be a string or a block of text"),
    }
}

fn participant(value: Value) -> FieldResult<Participant> {
    let mut members = match value {
        Value::String(id) => return Ok(Participant { id, ..Participant::default() }),
        Value::Object(members) => members,
        _ => return wrong("actors", "each must be an object with an id"),
    };
    let id = members.remove("id").ok_or_else(|| FieldError::new("actors", "each needs an id"))?;
    let id = text_of(id, "actors")?;
    let client_id = members.remove("client_id").filter(|value| !value.is_null());
    let client_id = client_id.map(|client| text_of(client, "actors")).transpose()?;
    let capabilities = match members.remove("capabilities").filter(|value| !value.is_null()) {
        Some(given) => list(given, "capabilities")?.into_iter().map(address).collect::<FieldResult<_>>()?,
        None => Vec::new(),
    };
    Ok(Participant { id, client_id, capabilities, extra: members })
}

fn address(value: Value) -> FieldResult<String> {
    let expected = "each must be an address, or an object with one under schema";
    match value {
        Value::String(address) => Ok(address),
        Value::Object(mut members) => match members.remove("schema").or_else(|| members.remove("$schema")) {
            Some(Value::String(address)) => Ok(address),
            _ => wrong("capabilities", expected),
        },
        _ => wrong("capabilities", expected),
    }
}

/// Reads a list, or a string that contains one: some clients send lists like this because their metadata may only be
/// strings.
fn list(value: Value, place: &str) -> FieldResult<Vec<Value>> {
    let read = match value {
        Value::String(text) => holdpoint_core::json::parse_strict(&text).ok(),
        other => Some(other),
    };
    match read {
        Some(Value::Array(items)) => Ok(items),
        _ => wrong(place, "must be a list, or a string with a list in JSON"),
    }
}

fn map(value: Option<Value>, place: &str) -> FieldResult<Map<String, Value>> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(members)) => Ok(members),
        Some(_) => wrong(place, "must be an object"),
    }
}

fn text_of(value: Value, place: &str) -> FieldResult<String> {
    match value {
        Value::String(text) => Ok(text),
        _ => wrong(place, "must be a string"),
    }
}
