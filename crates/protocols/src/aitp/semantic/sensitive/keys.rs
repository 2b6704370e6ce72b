//! Keys that can be recognised by their form.

/// The prefixes with which well-known services mark their keys, and the least length of the rest.
const STARTS: [(&str, usize); 32] = [
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("pk_live_", 16),
    ("whsec_", 16),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("xoxa-", 16),
    ("xoxs-", 16),
    ("xapp-", 16),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 30),
    ("SG.", 30),
    ("dop_v1_", 30),
    ("shpat_", 30),
    ("AGE-SECRET-KEY-1", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 16),
    ("ya29.", 16),
    // The public half is half as long.
    ("ed25519:", 80),
    ("hold_", 16),
];

/// The length of the shortest key.
const SHORTEST: usize = 19;

pub(super) fn is_key(word: &str) -> bool {
    if word.len() < SHORTEST {
        return false;
    }
    let follows = |(start, least): &(&str, usize)| {
        word.strip_prefix(start).is_some_and(|rest| rest.len() >= *least && is_opaque(rest))
    };
    // A signed token: three long parts, of which the first is an encoded object.
    let signed = || word.len() > 40 && word.starts_with("eyJ") && word.split('.').count() == 3;
    STARTS.iter().any(follows) || (signed() && is_opaque(word))
}

/// Returns whether a text consists of the characters of keys.
pub(super) fn is_opaque(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+/=.".contains(&byte))
}

/// Finds `scheme://name:password@host`.
pub(super) fn has_password(word: &str) -> bool {
    let Some((_, rest)) = word.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let named = host.rsplit_once('@').and_then(|(user, _)| user.split_once(':'));
    named.is_some_and(|(_, password)| !password.is_empty() && !super::named::is_placeholder(password))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_shorter_than_the_shortest() {
        assert_eq!(STARTS.iter().map(|(start, least)| start.len() + least).min(), Some(SHORTEST));
    }
}
