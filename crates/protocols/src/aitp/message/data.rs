//! The messages of AITP-03.

#![expect(missing_docs, reason = "the members are the protocol's own, and documented there")]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Asks for a form to be filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestData {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub description: String,
    #[serde(rename = "fillButtonLabel", default, skip_serializing_if = "Option::is_none")]
    pub fill_button_label: Option<String>,
    pub form: Form,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What is to be filled in, here or at an address.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Form {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FormField>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_url: Option<String>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One thing to be filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FieldType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<String>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    #[default]
    Text,
    Number,
    Email,
    Textarea,
    Select,
    Combobox,
    Tel,
}

/// The data that was filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Data {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_data_id: Option<String>,
    pub fields: Vec<FieldValue>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What was filled in at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldValue {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
