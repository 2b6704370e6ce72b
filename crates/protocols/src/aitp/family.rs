//! Which capability a `$schema` names, under every address it has had.

use serde::{Serialize, Serializer};

/// A capability of AITP that has messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// AITP-01.
    Payments,
    /// AITP-02.
    Decisions,
    /// AITP-03.
    DataRequest,
    /// AITP-04.
    NearWallet,
    /// AITP-05.
    EvmWallet,
}

impl Capability {
    /// All capabilities, in the order in which a message without a usable `$schema` is matched.
    pub const ALL: [Self; 5] =
        [Self::Decisions, Self::DataRequest, Self::Payments, Self::NearWallet, Self::EvmWallet];

    /// Returns its name in its address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Payments => "aitp-01-payments",
            Self::Decisions => "aitp-02-decisions",
            Self::DataRequest => "aitp-03-data-request",
            Self::NearWallet => "aitp-04-near-wallet",
            Self::EvmWallet => "aitp-05-evm-wallet",
        }
    }

    /// Returns its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Payments => "AITP-01 Payments",
            Self::Decisions => "AITP-02 Decisions",
            Self::DataRequest => "AITP-03 Data Request",
            Self::NearWallet => "AITP-04 NEAR Wallet",
            Self::EvmWallet => "AITP-05 EVM Wallet",
        }
    }

    /// Returns the address of its schema.
    pub fn schema(self) -> String {
        format!("https://aitp.dev/capabilities/{}/v1.0.0/schema.json", self.name())
    }
}

impl Serialize for Capability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What a `$schema` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The capability.
    pub capability: Capability,
    /// Whether the address belongs to the older form of payments.
    pub legacy: bool,
    /// The major version in the address.
    pub major: u32,
}

/// Finds the capability that a `$schema` names.
pub fn family(schema: &str) -> Option<Family> {
    let rest = schema.strip_prefix("https://").or_else(|| schema.strip_prefix("http://"))?;
    let (host, path) = rest.trim_end_matches('#').split_once('/')?;
    if !["aitp.dev", "www.aitp.dev", "schema.aitp.dev"].iter().any(|known| host.eq_ignore_ascii_case(known)) {
        return None;
    }
    let found = |capability, legacy, major| Some(Family { capability, legacy, major });
    if let Some(path) = path.strip_prefix("capabilities/") {
        let (name, version) = path.strip_suffix("/schema.json")?.split_once('/')?;
        let major = major(version)?;
        if name == "aitp-04-transactions" {
            return found(Capability::Payments, true, major);
        }
        let capability = Capability::ALL.into_iter().find(|capability| capability.name() == name)?;
        return found(capability, false, major);
    }
    let path = path.strip_prefix("v1/")?;
    let noun = path.strip_suffix("/schema.json").or_else(|| path.strip_suffix(".schema.json"))?;
    match noun {
        "requests" | "decision" | "decisions" => found(Capability::Decisions, false, 1),
        "data" => found(Capability::DataRequest, false, 1),
        "payment" | "payments" => found(Capability::Payments, true, 1),
        _ => None,
    }
}

/// Reads the first number of `v1.0.0`.
fn major(version: &str) -> Option<u32> {
    let mut numbers = version.strip_prefix('v')?.split('.').map(str::parse::<u32>);
    let major = numbers.next()?.ok()?;
    numbers.all(|number| number.is_ok()).then_some(major)
}
