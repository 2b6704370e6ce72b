//! The port `Reader`: who finds out what a person means. Two adapters: the built-in reader, which needs nothing, and
//! any server of language models that speaks chat completions as `OpenAI` does.
//!
//! A reader never fails: a model that is slow, silent or talks nonsense is replaced by the built-in reader for that
//! turn, and the log says why.

#[cfg(feature = "llm")]
mod endpoint;
#[cfg(feature = "llm")]
mod probe;
mod settings;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_protocols::action::{Briefing, Understood, reader};

use crate::error::Result;
use crate::settings::Forms;

#[cfg(feature = "llm")]
pub use probe::{Probe, probe};
pub use settings::Settings;

/// Reads what a person said to a form.
#[async_trait]
pub trait Reader: fmt::Debug + Send + Sync {
    /// Says what was understood.
    async fn read(&self, briefing: &Briefing<'_>) -> Understood;
}

/// The reader that needs no network.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

#[async_trait]
impl Reader for BuiltIn {
    async fn read(&self, briefing: &Briefing<'_>) -> Understood {
        aside(|| reader::read(briefing.question)).into()
    }
}

/// Does what only takes the processor, apart from where other requests wait to be served: a long message takes a while to
/// read.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    let many = tokio::runtime::Handle::try_current()
        .is_ok_and(|handle| handle.runtime_flavor() == tokio::runtime::RuntimeFlavor::MultiThread);
    if many { tokio::task::block_in_place(work) } else { work() }
}

/// A model that says something in words of its own.
#[cfg(all(feature = "llm", feature = "notify"))]
#[derive(Debug)]
pub(crate) struct Speaker(endpoint::Endpoint);

#[cfg(all(feature = "llm", feature = "notify"))]
impl Speaker {
    /// Makes ready to ask.
    pub(crate) fn open(settings: &Settings) -> Result<Self> {
        endpoint::Endpoint::open(settings).map(Self)
    }

    /// Returns what it says to these messages.
    pub(crate) async fn speak(&self, messages: &serde_json::Value) -> std::result::Result<String, String> {
        self.0.speak(messages).await
    }
}

/// Returns the reader that the settings ask for.
///
/// # Errors
/// If a model is set whose key is not in the environment, or which this program was not built to ask.
pub fn reader(forms: &Forms) -> Result<Arc<dyn Reader>> {
    Ok(match &forms.model {
        #[cfg(feature = "llm")]
        Some(settings) => Arc::new(endpoint::Endpoint::open(settings)?),
        #[cfg(not(feature = "llm"))]
        Some(_) => {
            return Err(crate::error::Error::Settings(
                "forms.model is set, but no models are asked from here".into(),
            ));
        }
        None => Arc::new(BuiltIn),
    })
}
