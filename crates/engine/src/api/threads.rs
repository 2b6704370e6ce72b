//! AITP: threads in which agents of different parties talk.

use holdpoint_core::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{NoParams, endpoints};
use crate::thread::{Message, View};

endpoints! {
    "aitp" {
        /// Opens a thread with its first messages.
        CREATE_THREAD = createThread Known Post "/aitp/v1/threads"
            (OpenParams, Value as NewThread) => 201 View, "The thread with its messages";
        /// Opens a thread, at the path that the protocol's own text has.
        OPEN_THREAD = openThread Known Post "/aitp/v1/thread"
            (OpenParams, Value as NewThread) => 201 View, "The thread with its messages";
        /// Lists threads, newest first, without their messages.
        LIST_THREADS = listThreads Known Get "/aitp/v1/threads"
            (ListParams, ()) => 200 List<View>, "Threads";
        /// Returns a thread with its first thousand messages.
        GET_THREAD = getThread Known Get "/aitp/v1/threads/{id}"
            (NoParams, ()) => 200 View, "The thread";
        /// Returns a thread, asked for as the protocol's own text has it. What it was opened with stays.
        READ_THREAD = readThread Known Post "/aitp/v1/threads/{id}"
            (NoParams, ()) => 200 View, "The thread";
        /// Deletes a thread with its decisions and messages.
        DELETE_THREAD = deleteThread Known Delete "/aitp/v1/threads/{id}"
            (NoParams, ()) => 204 (), "It was removed";
        /// Says something. Messages of AITP in it open decisions, answer them, or report their outcome.
        CREATE_MESSAGE = createMessage Known Post "/aitp/v1/threads/{id}/messages"
            (NoParams, Value as NewMessage) => 201 Message, "The message";
        /// Lists messages.
        LIST_MESSAGES = listMessages Known Get "/aitp/v1/threads/{id}/messages"
            (MessageParams, ()) => 200 List<Message>, "Messages";
    }
}

/// Where a thread is opened.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct OpenParams {
    /// The project it belongs to; what `metadata` says, or `default`, if not given.
    pub project: Option<String>,
}

/// Which threads are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those of this project; otherwise of all that the caller may see.
    pub project: Option<String>,
    /// At most this many; 50 if not given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 1000))]
    pub limit: Option<usize>,
}

/// Which messages are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct MessageParams {
    /// At most this many; 100 if not given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 1000))]
    pub limit: Option<usize>,
    /// Which come first; `asc`, the oldest, if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub order: Option<Order>,
    /// Only messages after the one with this id.
    pub after: Option<String>,
    /// Only messages before the one with this id.
    pub before: Option<String>,
    /// Where there is nothing, holds up to this long for the first, at most 5m.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub wait: Option<Span>,
}

/// Which messages come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The oldest.
    Asc,
    /// The newest.
    Desc,
}

/// A list, as AITP sends it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct List<T> {
    /// `list`.
    pub object: String,
    /// The items.
    pub data: Vec<T>,
    /// The id of the first, if there is one.
    pub first_id: Option<String>,
    /// The id of the last, if there is one.
    pub last_id: Option<String>,
    /// Whether there may be more.
    pub has_more: bool,
}

/// What is sent to open a thread. Other members are ignored.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes; what is sent is read in all the shapes that are about")]
struct NewThread {
    /// The first messages: strings, or objects.
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<Vec<Value>>,
    /// `actors`, `parent_id`, `project`, `assignees`, and whatever else is to be kept.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
}

/// What is sent to speak. Other members are ignored.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes; what is sent is read in all the shapes that are about")]
struct NewMessage {
    /// `user` or `assistant`; used only where callers are not authenticated.
    role: Option<String>,
    /// A string, or a list of strings or of blocks of text.
    #[schema(value_type = Object)]
    content: Value,
    /// What is attached.
    #[schema(value_type = Option<Vec<Object>>)]
    attachments: Option<Vec<Value>>,
    /// `actor`, and whatever else is to be kept.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
}
