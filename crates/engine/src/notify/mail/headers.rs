//! Headers for programs that handle mail.

use lettre::message::header::{Header, HeaderName, HeaderValue};

use crate::notify::notice::SignedLink;

/// Tells automatic responders not to answer.
#[derive(Clone, Copy)]
pub(super) struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".into())
    }
}

/// Names the address that unsubscribes from digests (RFC 2369).
#[derive(Clone)]
pub(super) struct ListUnsubscribe(pub(super) SignedLink);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{text} is not read").into())
    }

    fn display(&self) -> HeaderValue {
        let value = format!("<{}>", self.0.reveal());
        // An address that is encoded or folded would not work; ours has plain characters only.
        if value.bytes().all(|byte| byte.is_ascii_graphic()) {
            HeaderValue::dangerous_new_pre_encoded(Self::name(), value.clone(), value)
        } else {
            HeaderValue::new(Self::name(), value)
        }
    }
}

/// Says that a single request unsubscribes (RFC 8058).
#[derive(Clone, Copy)]
pub(super) struct OneClick;

impl OneClick {
    /// Returns whether an address is suitable: it must not be readable on the way.
    pub(super) fn suits(link: &SignedLink) -> bool {
        link.reveal().starts_with("https://")
    }
}

impl Header for OneClick {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".into())
    }
}
