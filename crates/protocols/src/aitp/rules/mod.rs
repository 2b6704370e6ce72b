//! The messages of each capability and their rules, one file per capability.

mod data;
mod decisions;
mod evm;
mod legacy;
pub(super) mod names;
mod near;
mod payments;

use super::family::Capability;
use super::shape::Shape;

/// The rules of a capability for its messages.
#[derive(Debug)]
pub(super) struct Rules {
    /// The capability.
    pub(super) capability: Capability,
    /// Whether a message may have other members beside `$schema` and its body.
    pub(super) open: bool,
    /// The bodies, by name.
    pub(super) messages: &'static [(&'static str, Shape)],
}

impl Rules {
    /// Iterates over the names of the bodies.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.messages.iter().map(|(name, _)| *name)
    }
}

static PAYMENTS: Rules =
    Rules { capability: Capability::Payments, open: false, messages: payments::MESSAGES };
static DECISIONS: Rules =
    Rules { capability: Capability::Decisions, open: true, messages: decisions::MESSAGES };
static DATA: Rules = Rules { capability: Capability::DataRequest, open: true, messages: data::MESSAGES };
static NEAR: Rules = Rules { capability: Capability::NearWallet, open: false, messages: near::MESSAGES };
static EVM: Rules = Rules { capability: Capability::EvmWallet, open: false, messages: evm::MESSAGES };
static LEGACY: Rules = Rules { capability: Capability::Payments, open: false, messages: legacy::MESSAGES };

/// Returns the rules that the newest version of a capability has.
pub(super) fn rules(capability: Capability) -> &'static Rules {
    match capability {
        Capability::Payments => &PAYMENTS,
        Capability::Decisions => &DECISIONS,
        Capability::DataRequest => &DATA,
        Capability::NearWallet => &NEAR,
        Capability::EvmWallet => &EVM,
    }
}

/// Returns the rules of payments before merchants and channels were added.
pub(super) fn legacy() -> &'static Rules {
    &LEGACY
}
