//! Texts that may lead to a file or an address, or that hold a credential.

use super::glob;

/// Returns whether a text may lead to a file of this machine or to an address, or holds a credential.
pub(super) fn may_tell(text: &str) -> bool {
    may_be_path(text) || text.contains("://") || holds_secret(text)
}

/// Returns whether a text may lead to a file of this machine.
fn may_be_path(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.contains("file:") || glob::leads_out(text)
}

/// How credentials begin, or what they contain.
const SECRETS: [&str; 20] = [
    "AIza",
    "AKIA",
    "ASIA",
    "SG.",
    "dop_v1_",
    "eyJhbGci",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "hold_",
    "npm_",
    "pypi-",
    "sk-",
    "sk_live_",
    "whsec_",
    "xoxb-",
    "xoxp-",
];

/// Returns whether a text contains a credential: a token, recognised by its prefix, or an address with a password.
fn holds_secret(text: &str) -> bool {
    let begins =
        |word: &str| SECRETS.iter().any(|start| word.starts_with(start) && word.len() >= start.len() + 8);
    let has_password = text.split_once("://").is_some_and(|(_, rest)| {
        rest.split('/')
            .next()
            .is_some_and(|host| host.split_once('@').is_some_and(|(user, _)| user.contains(':')))
    });
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    text.contains("-----BEGIN") || text.contains("Bearer ") || has_password || text.split(is_end).any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_somebody_in_is_known_by_how_it_begins() {
        for text in [
            "ghp_0123456789abcdef",
            "use AKIA0123456789AB please",
            "sk-ant-api03-abcdefgh",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "postgres://u:pw@db/x",
            "hold_0123456789abcdef",
            "Bearer abc",
        ] {
            assert!(holds_secret(text), "{text}");
        }
        for text in [
            "BIL-412",
            "how does sk- begin",
            "https://docs.rs/serde",
            "risk-averse teams",
            "user@example.com",
        ] {
            assert!(!holds_secret(text), "{text}");
        }
    }
}
