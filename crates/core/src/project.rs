//! Projects: namespaces for decisions, with their settings.

use serde::{Deserialize, Serialize};

use crate::Span;
use crate::run::Judge;

/// A project and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Project {
    /// Its name.
    pub name: String,
    /// The shortest time after which an agent's default may be taken.
    pub min_timeout: Span,
    /// Who besides people may give the verdict on a run; nobody if empty.
    #[serde(default)]
    pub verdicts: Vec<Judge>,
}

/// A change to a project's settings; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ProjectSettings))]
#[serde(deny_unknown_fields, default)]
pub struct ProjectChange {
    /// The shortest time after which an agent's default may be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_timeout: Option<Span>,
    /// Who besides people may give the verdict on a run: `auto`, `agent`, both or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<Vec<Judge>>,
}

impl Project {
    /// The project that is used if none is named.
    pub const DEFAULT: &'static str = "default";

    /// Returns a project with default settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), min_timeout: Span::from_secs(60), verdicts: Vec::new() }
    }

    /// Returns the project after a change.
    #[must_use]
    pub fn changed(&self, change: &ProjectChange) -> Self {
        let mut verdicts = change.verdicts.clone().unwrap_or_else(|| self.verdicts.clone());
        verdicts.sort_unstable();
        verdicts.dedup();
        let min_timeout = change.min_timeout.unwrap_or(self.min_timeout);
        Self { name: self.name.clone(), min_timeout, verdicts }
    }

    /// Returns who besides people may give verdicts, as it is stored: names separated by commas.
    pub fn verdicts_text(&self) -> String {
        self.verdicts.iter().map(|judge| judge.name()).collect::<Vec<_>>().join(",")
    }

    /// Reads the output of [`Self::verdicts_text`]; a name from a newer program is ignored.
    pub fn read_verdicts(text: &str) -> Vec<Judge> {
        text.split(',').filter_map(Judge::from_name).collect()
    }
}
