//! Fields: what is asked, with its kind and options.
//!
//! A field is checked when it is asked ([`definition`]) and when it is answered ([`check`]); nothing here knows about
//! decisions.

pub mod definition;
mod format;
mod opt;
mod value;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use opt::{Effect, Opt};
pub use value::{Picked, check, has_custom_text, picked, picking, range, same};

use crate::form::Condition;

/// One thing that is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of what is sent")]
pub struct Field {
    /// The id of the field in answers.
    pub id: String,
    /// What kind of value answers it.
    pub kind: Kind,
    /// What the person reads; the id if none is given.
    #[serde(default)]
    pub label: String,
    /// A longer description, as markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether an answer must have it while it is visible.
    #[serde(default = "yes")]
    pub required: bool,
    /// The options, for the kinds that choose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Opt>,
    /// Whether `{"text": …}` is taken instead of an option.
    #[serde(default, skip_serializing_if = "is_false")]
    pub custom: bool,
    /// When the field is asked; always if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible_if: Option<Condition>,
    /// The initial value of the control; it does not answer by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The tool whose result gives the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options_from: Option<OptionsFrom>,
    /// Least number, length, count of choices, date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// Greatest number, length, count of choices, date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Whether a number must be greater than `min`, and not equal to it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exclusive_min: bool,
    /// Whether a number must be less than `max`, and not equal to it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exclusive_max: bool,
    /// What a foreign protocol needs to be answered in kind.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Field {
    /// Makes a required field of a kind, with nothing else set.
    pub fn new(id: impl Into<String>, kind: Kind, label: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind,
            label: label.into(),
            description: None,
            required: true,
            options: Vec::new(),
            custom: false,
            visible_if: None,
            default: None,
            options_from: None,
            min: None,
            max: None,
            exclusive_min: false,
            exclusive_max: false,
            extra: Map::new(),
        }
    }

    /// Makes a required field that offers options.
    pub fn offering(id: impl Into<String>, kind: Kind, label: impl Into<String>, options: Vec<Opt>) -> Self {
        Self { options, ..Self::new(id, kind, label) }
    }

    /// Finds an option or variant by its id.
    pub fn option(&self, id: &str) -> Option<&Opt> {
        self.all_options().find(|option| option.id == id)
    }

    /// Walks all options, each followed by its variants.
    pub fn all_options(&self) -> impl Iterator<Item = &Opt> {
        self.options.iter().flat_map(Opt::with_variants)
    }
}

/// A tool whose result gives a field its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OptionsFrom {
    /// The tool's name; the asker knows how to run it.
    pub tool: String,
    /// The arguments.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    /// Where in its result the list is, as a JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The kind of a field: which control it has and which values answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the names explain themselves, and the value of each is written at its check"
)]
pub enum Kind {
    Choice,
    Choices,
    Confirm,
    Products,
    Text,
    Multiline,
    Email,
    Tel,
    Url,
    Number,
    Integer,
    Boolean,
    Date,
    Time,
    Datetime,
    Location,
}

impl Kind {
    /// Returns whether it is answered by picking, not by typing.
    pub fn is_pick(self) -> bool {
        matches!(self, Self::Choice | Self::Choices | Self::Confirm | Self::Products | Self::Boolean)
    }

    /// All kinds, in the order they are listed to people.
    pub const ALL: [Self; 16] = [
        Self::Choice,
        Self::Choices,
        Self::Confirm,
        Self::Products,
        Self::Text,
        Self::Multiline,
        Self::Email,
        Self::Tel,
        Self::Url,
        Self::Number,
        Self::Integer,
        Self::Boolean,
        Self::Date,
        Self::Time,
        Self::Datetime,
        Self::Location,
    ];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Choices => "choices",
            Self::Confirm => "confirm",
            Self::Products => "products",
            Self::Text => "text",
            Self::Multiline => "multiline",
            Self::Email => "email",
            Self::Tel => "tel",
            Self::Url => "url",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Time => "time",
            Self::Datetime => "datetime",
            Self::Location => "location",
        }
    }

    /// Returns its name with the indefinite article.
    pub fn with_article(self) -> String {
        let article = if matches!(self, Self::Email | Self::Integer) { "an" } else { "a" };
        format!("{article} {}", self.name())
    }

    /// Returns whether it is answered by picking from options.
    pub fn picks(self) -> bool {
        matches!(self, Self::Choice | Self::Choices | Self::Confirm | Self::Products)
    }

    /// Returns whether it is answered by a free string.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Multiline | Self::Email | Self::Tel | Self::Url)
    }

    /// Returns whether it is answered by a date, a time or both.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Date | Self::Time | Self::Datetime)
    }

    /// Returns whether a field of this kind may allow free text in place of an option.
    pub fn takes_custom(self) -> bool {
        matches!(self, Self::Choice | Self::Choices)
    }
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
