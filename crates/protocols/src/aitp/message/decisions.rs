//! The messages of AITP-02.

#![expect(missing_docs, reason = "the members are the protocol's own, and documented there")]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// Asks for a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestDecision {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<DecisionType>,
    pub options: Vec<DecisionOption>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// How many may be chosen, and how that looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionType {
    Products,
    Checkbox,
    #[default]
    Radio,
    Confirmation,
}

/// An option: everything that its variants have too, and the variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionOption {
    #[serde(flatten)]
    pub itself: Variant,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<Variant>>,
}

/// A variant of an option that can be chosen in its place. Nested variants are among the unknown members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_variant_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviews_count: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub five_star_rating: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A price, in the form of options and of older payments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    #[serde(rename = "type")]
    pub kind: String,
    pub quote_id: String,
    pub payee_id: String,
    pub payment_plans: Vec<PaymentPlan>,
    pub valid_until: String,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One way to pay a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaymentPlan {
    pub plan_id: String,
    pub plan_type: String,
    pub amount: Number,
    pub currency: String,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The options that were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_decision_id: Option<String>,
    pub options: Vec<SelectedOption>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One thing that was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectedOption {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Number>,
}
