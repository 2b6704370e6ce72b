//! The port `Reader`, which finds out what a person means. It has two adapters: the built-in reader, which needs
//! nothing, and any server of language models with the chat completions API of `OpenAI`.
//!
//! A reader never fails: if a model is slow, does not answer or returns nonsense, the built-in reader is used for that
//! turn, and the log says why.

#[cfg(feature = "llm")]
mod endpoint;
#[cfg(feature = "llm")]
mod probe;
mod settings;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_protocols::action::{Briefing, ReaderResult, reader};

use crate::error::Result;

#[cfg(feature = "llm")]
pub use probe::{Probe, probe};
pub use settings::Settings;

/// Reads a person's message to a form.
#[async_trait]
pub trait Reader: fmt::Debug + Send + Sync {
    /// Returns what was understood.
    async fn read(&self, briefing: &Briefing<'_>) -> ReaderResult;
}

/// The reader that needs no network.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

#[async_trait]
impl Reader for BuiltIn {
    async fn read(&self, briefing: &Briefing<'_>) -> ReaderResult {
        aside(|| reader::read(briefing.question)).into()
    }
}

/// Runs CPU-bound work away from the threads that serve other requests: a long message takes a while to read.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    let many = tokio::runtime::Handle::try_current()
        .is_ok_and(|handle| handle.runtime_flavor() == tokio::runtime::RuntimeFlavor::MultiThread);
    if many { tokio::task::block_in_place(work) } else { work() }
}

/// A model that writes free text.
#[cfg(all(feature = "llm", feature = "notify"))]
#[derive(Debug)]
pub(crate) struct TextModel(endpoint::Endpoint);

#[cfg(all(feature = "llm", feature = "notify"))]
impl TextModel {
    /// Prepares the client.
    pub(crate) fn open(settings: &Settings) -> Result<Self> {
        endpoint::Endpoint::open(settings).map(Self)
    }

    /// Returns its reply to these messages.
    pub(crate) async fn speak(&self, messages: &serde_json::Value) -> std::result::Result<String, String> {
        self.0.speak(messages).await
    }
}

/// Returns the reader that the settings ask for: a model, else the built-in one.
///
/// # Errors
/// If a model is set whose key is not in the environment, or which this program was not built to ask.
pub fn reader(model: Option<&Settings>) -> Result<Arc<dyn Reader>> {
    Ok(match model {
        #[cfg(feature = "llm")]
        Some(settings) => Arc::new(endpoint::Endpoint::open(settings)?),
        #[cfg(not(feature = "llm"))]
        Some(_) => {
            return Err(crate::error::Error::Settings(
                "forms.model is set, but this program was built without language models".into(),
            ));
        }
        None => Arc::new(BuiltIn),
    })
}
