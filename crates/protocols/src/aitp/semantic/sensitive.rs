//! Text that looks like a secret or like somebody's data. Ids and prompts travel through logs and other hands.

use crate::aitp::document::At;
use crate::aitp::finding::{Findings, Path};

/// How much of a text is looked at.
const LOOKED_AT: usize = 64 << 10;

/// Warns of what the text under a name seems to hold.
pub(super) fn warn(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = at.text_of(key)
        && let Some(what) = looks_like(crate::cut(&text, LOOKED_AT))
    {
        let message = format!("looks like {what}, which should not travel in a request");
        found.warn(&path.member(key), message);
    }
}

/// Says what a text seems to hold that it should not.
pub(super) fn looks_like(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN") {
        return Some("a private key");
    }
    let words = text.split(|c: char| c.is_whitespace() || "\"'`,;<>()[]{}".contains(c));
    words.filter(|word| !word.is_empty()).find_map(word).or_else(|| card(text).then_some("a card number"))
}

fn word(word: &str) -> Option<&'static str> {
    let value = word.trim_end_matches(['.', ':', '!', '?']);
    if is_secret(value) || value.rsplit_once(['=', ':']).is_some_and(|(_, value)| is_secret(value)) {
        Some("a secret key")
    } else if is_email(value) {
        Some("an e-mail address")
    } else if shaped(value, "ddd-dd-dddd") {
        Some("a social security number")
    } else {
        None
    }
}

/// The starts by which well-known services make their keys findable.
const STARTS: [&str; 17] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "pk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ed25519:",
    "hold_",
];

fn is_secret(word: &str) -> bool {
    const SHORTEST: usize = 16;
    let rest = STARTS.iter().find_map(|start| word.strip_prefix(start));
    let opaque =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+/=.".contains(&byte));
    if rest.is_some_and(|rest| rest.len() >= SHORTEST && opaque(rest)) {
        return true;
    }
    // A signed token: three long parts, of which the first is an encoded object.
    word.starts_with("eyJ") && word.len() > 40 && word.split('.').count() == 3 && opaque(word)
}

fn is_email(word: &str) -> bool {
    let word = word.strip_prefix("mailto:").unwrap_or(word);
    let Some((name, host)) = word.split_once('@') else { return false };
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
    !name.is_empty()
        && plain(name)
        && plain(host)
        && host.rsplit_once('.').is_some_and(|(before, end)| !before.is_empty() && end.len() >= 2)
}

fn shaped(word: &str, pattern: &str) -> bool {
    word.len() == pattern.len()
        && word
            .bytes()
            .zip(pattern.bytes())
            .all(|(byte, p)| if p == b'd' { byte.is_ascii_digit() } else { byte == p })
}

/// Looks for 13 to 19 digits, perhaps in groups, whose check digit is right.
fn card(text: &str) -> bool {
    let mut digits: Vec<u32> = Vec::new();
    let mut before = None;
    for c in text.chars().chain(['\n']) {
        match c.to_digit(10) {
            // A number that goes on after a letter is part of some name.
            Some(digit) if !digits.is_empty() || before.is_none_or(|c: char| !c.is_alphanumeric()) => {
                digits.push(digit);
            }
            Some(_) => {}
            None if matches!(c, ' ' | '-') && before.is_some_and(|c: char| c.is_ascii_digit()) => {}
            None => {
                if !c.is_alphanumeric() && is_card(&digits) {
                    return true;
                }
                digits.clear();
            }
        }
        before = Some(c);
    }
    false
}

/// Luhn's check, on numbers that start as cards do.
fn is_card(digits: &[u32]) -> bool {
    let sum = |(place, digit): (usize, &u32)| match (place % 2, digit * 2) {
        (0, _) => *digit,
        (_, twice) if twice > 9 => twice - 9,
        (_, twice) => twice,
    };
    (13..=19).contains(&digits.len())
        && matches!(digits.first(), Some(2..=6))
        && digits.iter().rev().enumerate().map(sum).sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn secrets_and_personal_data_are_noticed() {
        for (text, expected) in [
            ("sk-proj-abcdefghijklmnop1234", Some("a secret key")),
            ("use AKIAIOSFODNN7EXAMPLE now", Some("a secret key")),
            ("token=ghp_0123456789abcdefghij", Some("a secret key")),
            ("-----BEGIN PRIVATE KEY-----", Some("a private key")),
            ("Is ana@example.org right?", Some("an e-mail address")),
            ("mail <bob.b@x.co>", Some("an e-mail address")),
            ("pay with 4111 1111 1111 1111?", Some("a card number")),
            ("4111111111111111", Some("a card number")),
            ("4111111111111112", None),
            ("123-45-6789", Some("a social security number")),
            ("7c42b9d6-107d-4f5f-8f23-f9014c6efdae", None),
            ("bd9b613c-6fa5-4797-ba91-547f0903da9f", None),
            ("Which of the 3 @ 5 each?", None),
            ("product_1", None),
            ("sk-short", None),
            ("", None),
        ] {
            assert_eq!(looks_like(text), expected, "{text}");
        }
    }
}
