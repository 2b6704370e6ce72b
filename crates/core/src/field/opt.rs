//! One option of a field, with its variants.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::is_false;

/// An option that can be chosen; also an out, which is chosen instead of answering.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Opt {
    /// The id of the option in answers.
    pub id: String,
    /// What the person reads; the id if none is given.
    #[serde(default)]
    pub label: String,
    /// One to three words for narrow places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// A longer description, as markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The URL of a picture, over https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// The URL of a page with more about it, over https.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the asker recommends it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub recommended: bool,
    /// Whether choosing it is a no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub refuses: bool,
    /// A product's rating, 0 to 5.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 5))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// How many reviews made the rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviews_count: Option<u64>,
    /// The price and how long it holds, as the seller wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Value>,
    /// Variants of the same product, up to three levels deep.
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Opt>,
    /// What choosing it does to the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// What a foreign protocol needs to be answered in kind.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Opt {
    /// Makes an option with an id and a label.
    pub fn new(id: impl Into<String>, label: impl Into<String>) -> Self {
        Self { id: id.into(), label: label.into(), ..Self::default() }
    }

    /// Reads `ID:LABEL`, or `ID!:LABEL` for an option that refuses; a text without a colon is both id and label.
    pub fn read(text: &str) -> Self {
        let Some((id, label)) = text.split_once(':') else { return Self::new(text.trim(), text.trim()) };
        let id = id.trim();
        let marked = id.strip_suffix('!').map(str::trim_end);
        Self { refuses: marked.is_some(), ..Self::new(marked.unwrap_or(id), label.trim()) }
    }

    /// Walks this option and all its variants.
    pub fn with_variants(&self) -> Box<dyn Iterator<Item = &Opt> + '_> {
        Box::new(std::iter::once(self).chain(self.variants.iter().flat_map(Opt::with_variants)))
    }

    /// Returns its shortest label.
    pub fn brief(&self) -> &str {
        self.short.as_deref().unwrap_or(&self.label)
    }
}

/// What choosing an option does to the owner of the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it; what each does is written where it is done")]
pub enum Effect {
    Resume,
    Restart,
    Advance,
    Cancel,
    Dismiss,
    Approve,
    Deny,
    AcceptClear,
    AcceptAuto,
    AcceptManual,
    Revise,
    Commit,
    Checkpoint,
    Abandon,
    Retry,
    Rollback,
}
