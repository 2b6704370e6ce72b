//! Forms in conversation: the action protocol.

use holdpoint_core::Values;
use holdpoint_protocols::action::{Action, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{NoParams, endpoints};

endpoints! {
    "forms" {
        /// Takes a turn of a conversation that fills in a form.
        CHAT = chat Known Post "/api/chat"
            (NoParams, Turn) => 200 TurnReply, "What to show or do next";
        /// Ends a conversation; what was drafted is cancelled, what was sent stays.
        RESET_CHAT = resetChat Known Post "/api/sessions/reset"
            (NoParams, Reset) => 200 ResetReply, "Whether there was a conversation to end";
        /// Lists the forms in the server's folder.
        LIST_FORMS = listForms Known Get "/api/schemas"
            (NoParams, ()) => 200 Forms, "The forms; an invalid one is listed with its first error";
        /// Returns one form as it is stored: JSON as such, Markdown as text.
        GET_FORM = getForm Known Get "/api/schemas/{name}"
            (NoParams, ()) => 200 Value, "The form: its JSON, or `{filename, content}`";
        /// Checks a form's definition.
        VALIDATE_FORM = validateForm Known Post "/api/validate-schema"
            (NoParams, FormDefinition) => 200 FormChecked, "Whether it can be asked, and if not, why";
        /// Tells how many conversations are open here.
        CHAT_HEALTH = chatHealth Anyone Get "/api/health"
            (NoParams, ()) => 200 ChatHealth, "Conversations can be held";
    }
}

/// What is sent with each turn. Keys that are unknown are ignored, as the protocol's other servers do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    /// The form as JSON. It is used when a conversation begins.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub form_schema: Option<Value>,
    /// The form as Markdown with YAML front matter.
    pub form_context_md: Option<String>,
    /// A text is read; anything else is the typed value of the field that was asked. Empty or left out, it opens the
    /// conversation, or only goes with the rest.
    #[serde(default)]
    pub user_message: Value,
    /// Which conversation; one that is not known begins under this id. A decision's id talks about that decision.
    pub conversation_id: Option<String>,
    /// What tools found.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Object>>))]
    pub tool_results: Option<Vec<ToolResult>>,
    /// Typed values, by field.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub answers: Values,
    /// Sends the form once it is complete.
    #[serde(default)]
    pub submit: bool,
    /// Where a new conversation belongs.
    pub project: Option<String>,
    /// Where the person's clock hangs: `Europe/Berlin`, or how far it is from UTC, like `+03:00`. It is remembered.
    pub timezone: Option<String>,
}

/// What a turn is answered with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TurnReply {
    /// What the front end shows or does: `MESSAGE`, `ASK_DROPDOWN`, `ASK_CHECKBOX`, `ASK_TEXT`, `ASK_DATE`,
    /// `ASK_DATETIME`, `ASK_LOCATION`, `TOOL_CALL` or `FORM_COMPLETE`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub action: Action,
    /// Which conversation.
    pub conversation_id: String,
    /// The values of the visible fields so far.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub answers: Values,
    /// The decision that the conversation drafts.
    pub decision_id: String,
    /// Whether the form has been sent.
    pub submitted: bool,
}

/// Which conversation is to end.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reset {
    /// Its id.
    pub conversation_id: String,
}

/// Whether it ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResetReply {
    /// Whether there was one to end.
    pub success: bool,
    /// The outcome.
    pub message: String,
}

/// How the conversations are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChatHealth {
    /// `healthy`.
    pub status: String,
    /// How many conversations are open on this node.
    pub active_sessions: usize,
}

/// The forms in the folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Forms {
    /// One for each file.
    pub schemas: Vec<FormListed>,
}

/// A form in the folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormListed {
    /// Its file, by which it is fetched.
    pub filename: String,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_id: Option<String>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How many fields it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_count: Option<usize>,
    /// How many characters it has.
    pub size: usize,
    /// Its first flaw, if it cannot be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A form that is to be checked: one of both.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormDefinition {
    /// The form as JSON.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub form_schema: Option<Value>,
    /// The form as Markdown.
    pub form_context_md: Option<String>,
}

/// What is wrong with a form.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormChecked {
    /// Whether it can be asked.
    pub valid: bool,
    /// Why not.
    pub errors: Vec<String>,
}
