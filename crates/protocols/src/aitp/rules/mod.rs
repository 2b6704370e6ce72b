//! The messages of each capability and what they must look like, one file per capability.

mod data;
mod decisions;
mod evm;
mod legacy;
mod names;
mod near;
mod payments;

pub(super) use names::{NAMES, name};

use super::family::Capability;
use super::shape::Shape;

/// What a capability says about its messages.
#[derive(Debug)]
pub(super) struct Rules {
    /// Whose rules these are.
    pub(super) capability: Capability,
    /// Whether a message may have further members beside `$schema` and its body.
    pub(super) open: bool,
    /// The bodies by the name under which they stand.
    pub(super) messages: &'static [(&'static str, Shape)],
}

impl Rules {
    /// Walks the names of the bodies.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.messages.iter().map(|(name, _)| *name)
    }
}

/// Returns the rules that the newest version of a capability has.
pub(super) fn rules(capability: Capability) -> &'static Rules {
    match capability {
        Capability::Payments => &payments::RULES,
        Capability::Decisions => &decisions::RULES,
        Capability::DataRequest => &data::RULES,
        Capability::NearWallet => &near::RULES,
        Capability::EvmWallet => &evm::RULES,
    }
}

/// Returns the rules of payments as they were before they had merchants and channels.
pub(super) fn legacy() -> &'static Rules {
    &legacy::RULES
}
