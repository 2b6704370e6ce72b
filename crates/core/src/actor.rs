//! Who acts, and how surely that is known.

use serde::{Deserialize, Serialize};

use crate::permission::Permission;

/// The entry point of MCP clients, as recorded in `via`.
pub const MCP: &str = "mcp";

/// Who sends a command, through which entry point, and how surely that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name.
    pub by: String,
    /// The entry point.
    pub via: String,
    /// How surely the name is known.
    pub auth: Auth,
    /// What the credential allows; everything if there is none.
    pub role: Option<Role>,
    /// The credential's id.
    pub credential: Option<String>,
    /// What the credential allows beyond its role.
    pub permissions: Vec<Permission>,
    /// The person whom the credential belongs to, if any.
    pub owner: Option<String>,
    /// The channel message by which the person acted, if any.
    pub channel: Option<Box<ChannelMessage>>,
}

/// A channel message by which a person acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChannelMessage {
    /// The account that was used, as the channel calls it.
    pub account: String,
    /// The message it was done on, as the channel calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Actor {
    /// Returns an actor whose name has not been checked.
    pub fn claimed(by: impl Into<String>, via: impl Into<String>) -> Self {
        Self {
            by: by.into(),
            via: via.into(),
            auth: Auth::Claimed,
            role: None,
            credential: None,
            permissions: Vec::new(),
            owner: None,
            channel: None,
        }
    }

    /// Returns whether the actor is a program: an agent's credential, or anything that comes through the MCP entry
    /// point.
    pub fn is_program(&self) -> bool {
        self.role == Some(Role::Agent) || self.via == MCP
    }

    /// Returns whether this credential asked a decision. Where credentials are not checked, callers without one count
    /// as the same; the local token has no credential, and as a program its holder asked nothing.
    pub fn asked(&self, asked_with: Option<&str>) -> bool {
        self.credential.as_deref() == asked_with && (asked_with.is_some() || self.auth == Auth::Claimed)
    }

    /// Returns whether an admin gave the credential a permission.
    pub fn has(&self, permission: Permission) -> bool {
        self.permissions.contains(&permission)
    }

    /// Returns the name, if the credential or Holdpoint itself vouches for it.
    pub fn checked_name(&self) -> Option<String> {
        (self.auth.is_checked() || self.auth == Auth::System).then(|| self.by.clone())
    }

    /// Returns Holdpoint itself, acting as the supervisor of a job.
    pub fn supervisor() -> Self {
        Self { auth: Auth::System, ..Self::claimed("system:jobs", "jobs") }
    }

    /// Returns Holdpoint itself, signing a person in.
    pub fn sign_in() -> Self {
        Self { auth: Auth::System, ..Self::claimed("system:sign_in", "sign_in") }
    }

    /// Returns Holdpoint itself, finishing a rotation of the signing key that was cut off.
    pub fn rotation() -> Self {
        Self { auth: Auth::System, ..Self::claimed("system:rotation", "rotation") }
    }

    /// Returns Holdpoint itself, acting because a deadline has passed.
    pub fn system() -> Self {
        Self { auth: Auth::System, ..Self::claimed("system:timeout", "timeout") }
    }
}

/// How surely it is known who acted, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// Holdpoint itself, not a person.
    System,
    /// A name that was given, and not checked.
    Claimed,
    /// A standing rule of a person.
    Rule,
    /// Anyone who can read the local token.
    Local,
    /// The holder of a signed link.
    Link,
    /// An account of a channel that a person linked: as sure as a link.
    Channel,
    /// A token.
    Token,
    /// A signed-in session.
    Session,
}

impl Auth {
    /// All levels, from least to most sure.
    pub const ALL: [Self; 8] = [
        Self::System,
        Self::Claimed,
        Self::Rule,
        Self::Local,
        Self::Link,
        Self::Channel,
        Self::Token,
        Self::Session,
    ];

    /// Returns whether the name was checked: it is the credential's own, not one that the caller gave.
    pub fn is_checked(self) -> bool {
        matches!(self, Self::Link | Self::Channel | Self::Token | Self::Session)
    }

    /// Returns whether it is at least as sure as another. A link and a channel account rank equally.
    pub fn is_at_least(self, least: Self) -> bool {
        let rank = |auth| if auth == Self::Channel { Self::Link } else { auth };
        rank(self) >= rank(least)
    }

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Claimed => "claimed",
            Self::Rule => "rule",
            Self::Local => "local",
            Self::Link => "link",
            Self::Channel => "channel",
            Self::Token => "token",
            Self::Session => "session",
        }
    }
}

/// What a credential allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it; what each may is written where it is checked")]
pub enum Role {
    Agent,
    Person,
    Admin,
}
