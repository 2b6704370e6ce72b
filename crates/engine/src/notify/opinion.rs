//! Second opinions: a command or a language model in the settings reads a question, and may leave a remark for people.
//!
//! It settles nothing. If it is slow, fails or has nothing to add, the card has no remark.

#[cfg(feature = "notify")]
pub(super) mod channel;
#[cfg(all(feature = "llm", feature = "notify"))]
mod model;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::Route;
use serde::Deserialize;

use super::channel_settings::{check_named, check_timeout};
use crate::hooks::HookCommand;
use crate::llm;

/// A program that is asked for its opinion.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name on cards, in the outbox and in messages.
    pub name: String,
    /// A command that gets the decision as JSON on its standard input, and prints its remark, or nothing.
    pub command: Option<HookCommand>,
    /// A language model that is asked instead.
    pub model: Option<llm::Settings>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How long the command may take.
    #[serde(default = "twenty_seconds")]
    pub timeout: Span,
}

fn twenty_seconds() -> Span {
    Span::from_secs(20)
}

impl Settings {
    fn check(&self) -> std::result::Result<(), String> {
        match (&self.command, &self.model) {
            (Some(command), None) if command.is_empty() => return Err("command names no command".into()),
            (Some(_), None) => {}
            (None, Some(model)) => model.check().map_err(|why| why.replace("forms.model", "model"))?,
            (Some(_), Some(_)) | (None, None) => return Err("needs either command or model".into()),
        }
        check_timeout(self.timeout)
    }

    /// Returns which outbox rows are written.
    pub(super) fn route(&self) -> Route {
        Route {
            projects: self.projects.clone(),
            ..Route::new(Occasion::Create, Lane::Opinion, self.name.as_str())
        }
    }
}

/// Checks all of them.
pub(crate) fn check(opinions: &[Settings]) -> std::result::Result<(), String> {
    /// As many as may remark on one decision.
    const MOST: usize = 8;
    if opinions.len() > MOST {
        return Err(format!("there are more than {MOST} opinions"));
    }
    check_named("opinion", opinions, |entry| &entry.name, Settings::check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;

    fn wrong(text: &str) -> String {
        let settings: settings::Settings = toml::from_str(text).unwrap();
        check(&settings.opinion).unwrap_err()
    }

    #[test]
    fn an_opinion_is_a_command_or_a_model() {
        let one = "[[opinion]]\nname = \"guard\"\n";
        let model = "model = { url = \"http://127.0.0.1:1/v1\", name = \"m\" }\n";
        for (more, words) in [
            (String::new(), "command or model"),
            (format!("command = \"x\"\n{model}"), "either command or model"),
            ("command = \" \"".to_owned(), "names no command"),
            ("command = []".to_owned(), "names no command"),
            ("command = \"x\"\ntimeout = \"2m\"".to_owned(), "timeout"),
            ("model = { url = \"ftp://x\", name = \"m\" }".to_owned(), "model.url"),
            (format!("command = \"x\"\n{one}command = \"y\""), "two opinions"),
            ("command = \"x\"\n[[opinion]]\nname = \"a b\"\ncommand = \"y\"".to_owned(), "letters"),
        ] {
            let why = wrong(&format!("{one}{more}"));
            assert!(why.contains(words) && !why.contains("forms."), "{more}: {why}");
        }
        let settings: settings::Settings =
            toml::from_str(&format!("{one}command = [\"x\", \"y\"]\nprojects = [\"web\"]")).unwrap();
        check(&settings.opinion).unwrap();
        let routes: Vec<Route> = settings.opinion.iter().map(Settings::route).collect();
        assert_eq!(
            (routes.len(), routes[0].lane, routes[0].projects.as_slice()),
            (1, Lane::Opinion, &["web".to_owned()][..])
        );
        assert!(settings::Settings::default().opinion.is_empty(), "off by default");
    }
}
