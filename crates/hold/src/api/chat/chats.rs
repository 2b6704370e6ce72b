//! The conversations of one server.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use holdpoint_core::Span;
use holdpoint_engine::llm::Reader;
use holdpoint_engine::settings;
use tokio::sync::Mutex;

use super::transcript::Transcript;

/// The conversations in progress on this server.
#[derive(Debug)]
pub(crate) struct Conversations {
    /// The folder that holds the forms.
    pub(crate) folder: PathBuf,
    /// How long a conversation may be idle before it is cancelled.
    pub(crate) idle: Span,
    /// Interprets what people write.
    pub(crate) reader: Arc<dyn Reader>,
    /// Commands that look things up for the page, by tool name.
    pub(crate) tools: BTreeMap<String, String>,
    pub(super) talks: Mutex<HashMap<String, Arc<Mutex<Transcript>>>>,
}

impl Conversations {
    pub(crate) fn new(folder: PathBuf, forms: &settings::Forms, reader: Arc<dyn Reader>) -> Self {
        Self { folder, idle: forms.idle, reader, tools: forms.tools.clone(), talks: Mutex::default() }
    }
}
