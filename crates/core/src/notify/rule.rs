//! A person's rules about which channels notify them of what.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::NoticeContext;
use crate::text::quote;
use crate::{Priority, Source};

/// A channel by which people are notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = NotifyChannel))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Channel {
    Mail,
    Ntfy,
    Telegram,
    Slack,
    Webpush,
    /// `hold notify`, in a desktop session.
    Desktop,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 6] =
        [Self::Mail, Self::Ntfy, Self::Telegram, Self::Slack, Self::Webpush, Self::Desktop];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Ntfy => "ntfy",
            Self::Telegram => "telegram",
            Self::Slack => "slack",
            Self::Webpush => "webpush",
            Self::Desktop => "desktop",
        }
    }

    /// Finds a channel by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name() == name)
    }
}

/// Which channels are used for which decisions. A missing condition matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = NotifyRule))]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Only decisions from this source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Only in this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Only decisions of this priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The channels that are used, and no others; if empty, it appears in the inbox only.
    pub channels: Vec<Channel>,
}

impl Rule {
    pub(super) fn fits(&self, matter: &NoticeContext<'_>) -> bool {
        self.source.is_none_or(|source| source == matter.source)
            && self.project.as_ref().is_none_or(|project| project == matter.project)
            && self.priority.is_none_or(|priority| priority == matter.priority)
    }

    /// Returns the channels, as text.
    pub(super) fn by(&self) -> String {
        if self.channels.is_empty() { "nowhere".into() } else { format!("by {}", self.names()) }
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.channels.iter().map(|channel| channel.name()).collect();
        if names.is_empty() { "none".into() } else { names.join(",") }
    }
}

/// Formats a rule as it is typed: `project=web priority=high: telegram,mail`, the project quoted if it has spaces.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.source.map(|source| format!("source={}", source.name())));
        parts.extend(self.project.as_ref().map(|project| format!("project={}", typed(project))));
        parts.extend(self.priority.map(|priority| format!("priority={}", priority.name())));
        if parts.is_empty() {
            parts.push("all".into());
        }
        write!(f, "{}: {}", parts.join(" "), self.names())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = "use e.g. \"project=web priority=high: telegram,mail\"";
        let (when, channels) =
            text.rsplit_once(':').ok_or_else(|| format!("{} names no channels; {usage}", quote(text)))?;
        let mut rule = Self::default();
        for part in split_words(when)?.iter().filter(|part| *part != "all") {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("{} is not KEY=VALUE or all; {usage}", quote(part)))?;
            let again = match key {
                "source" => {
                    let source = Source::from_name(value);
                    rule.source
                        .replace(source.ok_or_else(|| format!("{} is not a source", quote(value)))?)
                        .is_some()
                }
                "project" => rule.project.replace(value.to_owned()).is_some(),
                "priority" => rule.priority.replace(priority(value)?).is_some(),
                _ => return Err(format!("{} is not one of source, project and priority", quote(key))),
            };
            if again {
                return Err(format!("{key} is given twice"));
            }
        }
        let channels = channels.split(',').map(str::trim).filter(|name| !name.is_empty());
        let channels: Vec<&str> = channels.collect();
        rule.channels = match channels.as_slice() {
            [] => {
                return Err(format!(
                    "{} names no channels; to name none on purpose, write none",
                    quote(text)
                ));
            }
            ["none"] => Vec::new(),
            names => names.iter().map(|name| channel(name)).collect::<Result<_, _>>()?,
        };
        Ok(rule)
    }
}

fn channel(name: &str) -> Result<Channel, String> {
    let names = || Channel::ALL.map(Channel::name).join(", ");
    Channel::from_name(name)
        .ok_or_else(|| format!("{} is not a channel; use {} or none", quote(name), names()))
}

fn priority(name: &str) -> Result<Priority, String> {
    Priority::from_name(name)
        .ok_or_else(|| format!("{} is not one of low, normal, high and urgent", quote(name)))
}

/// Formats a value as it is typed.
fn typed(text: &str) -> String {
    if text.contains([' ', '"', ':']) {
        format!("\"{}\"", text.replace('"', "\\\""))
    } else {
        text.to_owned()
    }
}

/// Splits at spaces that are not between quotation marks.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' if quoted => word.extend(rest.next()),
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    if quoted {
        return Err(format!("a quotation mark is missing in {}", quote(text)));
    }
    words.push(word);
    Ok(words.into_iter().filter(|word| !word.is_empty()).collect())
}
