//! Why a signed link is not valid.

/// Why a link is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It was not made here, or was changed, or is for something else.
    #[error("this link was not sent by this server")]
    Invalid,
    /// It has expired.
    #[error("the link is too old")]
    Expired,
    /// It was used before.
    #[error("the link was used before")]
    Used,
    /// The question has changed.
    #[error("what is asked has changed since the link was sent")]
    Changed,
    /// It was sent to an account or address that is theirs no more.
    #[error("the account or address that the link was sent to is no longer linked")]
    Unlinked,
    /// The person or the decision no longer exists.
    #[error("the link is for a person or decision that no longer exists")]
    Unknown,
}

impl LinkError {
    /// Returns the stable code that programs match on.
    pub fn code(self) -> &'static str {
        match self {
            Self::Invalid => "link_invalid",
            Self::Expired => "link_expired",
            Self::Used => "link_used",
            Self::Changed => "link_changed",
            Self::Unlinked => "link_unlinked",
            Self::Unknown => "link_unknown",
        }
    }
}
