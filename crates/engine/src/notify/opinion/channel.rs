//! Asks for a second opinion, and stores it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{LONGEST_REMARK, NewRemark};
use holdpoint_core::{Actor, Command, Lane, Refusal, Source, Status, text};
use serde_json::json;

use super::Settings;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::hooks::HookCommand;
use crate::notify::channel::{Channel, DeliveryError};
use crate::notify::channel_settings::as_duration;
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::tools;

/// How many bytes of a command's output are read. The beginning is the remark.
const MOST_SAID: u64 = 64 << 10;
/// How much longer than its time limit an opinion is waited for.
const MARGIN: Duration = Duration::from_secs(2);

/// Asks one program.
struct Opinion {
    engine: Engine,
    name: String,
    asked: OpinionSource,
}

/// The program that is asked.
enum OpinionSource {
    Command(HookCommand, Duration),
    #[cfg(feature = "llm")]
    Model(Box<crate::llm::TextModel>),
}

impl fmt::Debug for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opinion").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl Channel for Opinion {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), DeliveryError> {
        let decision = &notice.decision;
        // A form that people fill in on their own is not shown to programs.
        if decision.status != Status::Pending || decision.source == Source::Form {
            return Ok(());
        }
        // It may have cost something already, and the person is about to answer: nobody is asked twice.
        let said = self.ask(notice).await.map_err(DeliveryError::never)?;
        let text = first_words(&said);
        if text.is_empty() {
            return Ok(());
        }
        let remark = NewRemark { by: self.name.clone(), text, digest: decision.digest.clone() };
        let command = Command::Remark { id: decision.id, remark: Box::new(remark) };
        let actor = Actor { by: format!("opinion:{}", self.name), ..Actor::system() };
        match self.engine.submit(actor, command).await {
            // It may have been removed meanwhile.
            Ok(_) | Err(Error::NotFound(_) | Error::Refused(Refusal::NotFound { .. })) => Ok(()),
            Err(Error::Refused(why)) => Err(DeliveryError::never(why.to_string())),
            Err(error) => Err(DeliveryError::later(error.to_string())),
        }
    }
}

impl Opinion {
    async fn ask(&self, notice: &Notice) -> std::result::Result<String, String> {
        match &self.asked {
            OpinionSource::Command(command, timeout) => {
                let mut decision = notice.decision.clone();
                // What people have drafted is not part of the question.
                decision.draft.clear();
                let input = json!({ "decision": decision, "url": notice.url });
                match tokio::time::timeout(*timeout, tools::printed(command, &input, MOST_SAID)).await {
                    Ok(printed) => Ok(String::from_utf8_lossy(&printed?).into_owned()),
                    Err(_) => Err(format!("it took longer than {} s", timeout.as_secs_f32())),
                }
            }
            #[cfg(feature = "llm")]
            OpinionSource::Model(model) => super::model::ask(model, &notice.decision).await,
        }
    }
}

/// Returns the beginning of an opinion, on one line and with control characters made harmless.
fn first_words(said: &str) -> String {
    let whole = text::inert_line(said);
    let mut shown: String = whole.chars().take(LONGEST_REMARK).collect();
    if shown.len() < whole.len() {
        shown.pop();
        shown.push('…');
    }
    shown
}

pub(in crate::notify) fn open(engine: &Engine, settings: &Settings) -> Result<Outlet> {
    let wrong = |why: String| Error::Settings(format!("opinion {:?}: {why}", settings.name));
    let (asked, timeout) = match (&settings.command, &settings.model) {
        (Some(command), _) => {
            let timeout = as_duration(settings.timeout);
            (OpinionSource::Command(command.clone(), timeout), timeout)
        }
        #[cfg(feature = "llm")]
        (None, Some(model)) => {
            let speaker = crate::llm::TextModel::open(model)
                .map_err(|why| wrong(why.to_string().replace("forms.model", "model")))?;
            (OpinionSource::Model(Box::new(speaker)), as_duration(model.timeout))
        }
        _ => return Err(wrong("there is nothing here to ask".into())),
    };
    let channel = Opinion { engine: engine.clone(), name: settings.name.clone(), asked };
    Ok(Outlet {
        lane: Lane::Opinion,
        target: Some(settings.name.clone()),
        timeout: timeout + MARGIN,
        way: ChannelKind::Once(Arc::new(channel)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_one_line_bounded_and_inert() {
        assert_eq!(first_words(" deletes\n\toutside "), "deletes outside");
        assert_eq!(first_words("a\u{1b}[2Jb\u{202e}"), "a<U+001B>[2Jb<U+202E>");
        assert_eq!(first_words(" \n "), "");
        let long = first_words(&"\u{1b}x".repeat(10_000));
        assert_eq!(long.chars().count(), LONGEST_REMARK);
        assert!(long.ends_with('…'));
    }
}
