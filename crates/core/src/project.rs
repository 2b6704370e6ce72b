//! Projects: name spaces for decisions, with their settings.

use serde::{Deserialize, Serialize};

use crate::Span;

/// A project and what it demands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Project {
    /// Its name.
    pub name: String,
    /// The shortest time after which an agent's default may be taken.
    pub min_timeout: Span,
}

impl Project {
    /// The project that is meant where none is named.
    pub const DEFAULT: &'static str = "default";

    /// Returns a project with the settings that hold until someone changes them.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), min_timeout: Span::from_secs(60) }
    }
}
