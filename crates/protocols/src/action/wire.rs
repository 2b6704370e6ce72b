//! The actions of the protocol, exactly as they travel.

use holdpoint_core::{Field, Kind, Values};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the front end is told to show or do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// Show a text.
    Message {
        /// The text.
        text: String,
    },
    /// Ask for one of some options.
    AskDropdown(ChoiceQuestion),
    /// Ask for one or more of some options.
    AskCheckbox(ChoiceQuestion),
    /// Ask for a text.
    AskText(FieldQuestion),
    /// Ask for a date.
    AskDate(FieldQuestion),
    /// Ask for a date with a time.
    AskDatetime(FieldQuestion),
    /// Ask for a place.
    AskLocation(FieldQuestion),
    /// Run a tool and send back what it found.
    ToolCall {
        /// Which.
        tool_name: String,
        /// With what.
        tool_args: Map<String, Value>,
        /// What to show meanwhile.
        message: String,
    },
    /// Everything that must be known is known.
    FormComplete {
        /// The values of the visible fields.
        data: Values,
        /// What to show with them.
        message: String,
    },
}

/// A question for one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldQuestion {
    /// Which field.
    pub field_id: String,
    /// The question.
    pub label: String,
    /// The accompanying message: what was understood, what was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A question for one field that offers options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceQuestion {
    /// Which field.
    pub field_id: String,
    /// The question.
    pub label: String,
    /// The options, as the person reads them.
    pub options: Vec<String>,
    /// The accompanying message: what was understood, what was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Action {
    /// Makes the question for a field.
    pub fn ask(field: &Field, message: impl Into<String>) -> Self {
        let (field_id, label) = (field.id.clone(), field.label.clone());
        let message = Some(message.into()).filter(|message| !message.is_empty());
        let choosing = |options: Vec<String>| ChoiceQuestion {
            field_id: field_id.clone(),
            label: label.clone(),
            options,
            message: message.clone(),
        };
        let labels = || field.all_options().map(|option| option.label.clone()).collect();
        let asking =
            || FieldQuestion { field_id: field_id.clone(), label: label.clone(), message: message.clone() };
        match field.kind {
            Kind::Choice | Kind::Confirm if !field.options.is_empty() => {
                Self::AskDropdown(choosing(labels()))
            }
            Kind::Choices | Kind::Products if !field.options.is_empty() => {
                Self::AskCheckbox(choosing(labels()))
            }
            Kind::Boolean => Self::AskDropdown(choosing(vec!["Yes".into(), "No".into()])),
            Kind::Date => Self::AskDate(asking()),
            Kind::Datetime => Self::AskDatetime(asking()),
            Kind::Location => Self::AskLocation(asking()),
            // The protocol has no control of its own for these; they are typed.
            _ => Self::AskText(asking()),
        }
    }

    /// Says something before whatever it says.
    #[must_use]
    pub fn preceded_by(mut self, text: &str) -> Self {
        let before = |said: &mut String| {
            *said = if said.is_empty() { text.to_owned() } else { format!("{text} {said}") }
        };
        match &mut self {
            Self::Message { text: said } => before(said),
            Self::AskDropdown(asking) | Self::AskCheckbox(asking) => {
                before(asking.message.get_or_insert_with(|| asking.label.clone()));
            }
            Self::AskText(asking)
            | Self::AskDate(asking)
            | Self::AskDatetime(asking)
            | Self::AskLocation(asking) => before(asking.message.get_or_insert_with(|| asking.label.clone())),
            Self::ToolCall { message, .. } | Self::FormComplete { message, .. } => before(message),
        }
        self
    }

    /// Returns the field that it asks for.
    pub fn field_id(&self) -> Option<&str> {
        match self {
            Self::AskDropdown(asking) | Self::AskCheckbox(asking) => Some(&asking.field_id),
            Self::AskText(asking)
            | Self::AskDate(asking)
            | Self::AskDatetime(asking)
            | Self::AskLocation(asking) => Some(&asking.field_id),
            Self::Message { .. } | Self::ToolCall { .. } | Self::FormComplete { .. } => None,
        }
    }

    /// Returns what it says to the person.
    pub fn said(&self) -> &str {
        match self {
            Self::Message { text } => text,
            Self::AskDropdown(asking) | Self::AskCheckbox(asking) => {
                asking.message.as_deref().unwrap_or(&asking.label)
            }
            Self::AskText(asking)
            | Self::AskDate(asking)
            | Self::AskDatetime(asking)
            | Self::AskLocation(asking) => asking.message.as_deref().unwrap_or(&asking.label),
            Self::ToolCall { message, .. } | Self::FormComplete { message, .. } => message,
        }
    }
}

/// What a tool found, as the front end sends it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Which tool.
    #[serde(default)]
    pub tool_name: Option<String>,
    /// What it found, or `{"error": …}`.
    #[serde(default)]
    pub result: Value,
}
