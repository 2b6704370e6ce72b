//! Text that looks like a secret or like personal data. Ids and prompts pass through logs and other systems.
//!
//! Warnings that come too often are ignored, so each check requires more than a resemblance: a name before a value that
//! is not a placeholder, the prefix of a service's keys, a correct check digit.

mod keys;
mod named;
mod numbers;

use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};
use holdpoint_core::text::start;

/// How much of a text is checked.
const LOOKED_AT: usize = 64 << 10;
/// The least length of what is searched for.
const SHORTEST: usize = 7;

/// Warns of sensitive content in the text under a name.
pub(super) fn warn(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = at.get(key) {
        warn_of(text, key, path, found);
    }
}

/// Warns of sensitive content in a text.
pub(super) fn warn_of(text: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = text.text()
        && let Some(what) = looks_like(start(&text, LOOKED_AT))
    {
        found.warn(&path.member(key), format!("looks like {what}, which should not travel in a request"));
    }
}

/// Returns a description of sensitive content in a text.
fn looks_like(text: &str) -> Option<&'static str> {
    if text.len() < SHORTEST {
        return None;
    }
    // Most texts are ids: one plain word, in which only a key or a number can be found.
    if text.bytes().fold(true, |plain, byte| plain & PLAIN[usize::from(byte)]) {
        return keys::is_key(text).then_some(KEY).or_else(|| numbers::find(text));
    }
    if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY") {
        return Some("a private key");
    }
    let words = text.split(|c: char| c.is_whitespace() || "\"'`,;<>()[]{}".contains(c));
    let word = words.filter(|word| word.len() >= SHORTEST).find_map(word);
    word.or_else(|| named::find(text)).or_else(|| numbers::find(text))
}

const KEY: &str = "a secret key";

/// The characters that neither end a word nor have a meaning in one.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        plain[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        byte += 1;
    }
    plain
};

fn word(word: &str) -> Option<&'static str> {
    let value = word.trim_end_matches(['.', ':', '!', '?']);
    if keys::is_key(value) || value.rsplit_once(['=', ':']).is_some_and(|(_, value)| keys::is_key(value)) {
        Some(KEY)
    } else if !value.contains('@') {
        None
    } else if keys::has_password(value) {
        Some("an address with a password in it")
    } else if is_email(value) {
        Some("an e-mail address")
    } else {
        None
    }
}

fn is_email(word: &str) -> bool {
    let word = word.strip_prefix("mailto:").unwrap_or(word);
    let Some((name, host)) = word.split_once('@') else { return false };
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
    let ends = |end: &str| end.len() >= 2 && end.chars().all(char::is_alphabetic);
    !name.is_empty()
        && plain(name)
        && plain(host)
        && host.rsplit_once('.').is_some_and(|(before, end)| !before.is_empty() && ends(end))
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn secrets_and_personal_data_are_noticed() {
        for (text, expected) in [
            ("sk-proj-abcdefghijklmnop1234", "a secret key"),
            ("use AKIAIOSFODNN7EXAMPLE now", "a secret key"),
            ("token=ghp_0123456789abcdefghij", "a secret key"),
            ("-----BEGIN RSA PRIVATE KEY-----", "a private key"),
            ("postgres://app:s3cret@db.example/x", "an address with a password in it"),
            ("Is ana@example.org right?", "an e-mail address"),
            ("mail <bob.b@x.co>", "an e-mail address"),
            ("password=hunter2", "a password or another secret"),
            ("db_password=hunter", "a password or another secret"),
            ("Use Password: hunter2 to sign in", "a password or another secret"),
            ("{\"passwd\": \"s3cr3t!\"}", "a password or another secret"),
            ("pwd = Tr0ub4dor", "a password or another secret"),
            ("https://x.example/?api_key=abcd1234&x=1", "a password or another secret"),
            ("CLIENT_SECRET=abcdefgh", "a password or another secret"),
            ("Authorization: Bearer abcdef0123456789abcdef", "a password or another secret"),
            ("token: 0123456789abcdef", "a password or another secret"),
            ("PIN: 4711", "a password or another secret"),
            ("cvc=123", "a password or another secret"),
            ("Call +49 30 1234567?", "a phone number"),
            ("+14155550132", "a phone number"),
            ("(415) 555-0132", "a phone number"),
            ("415-555-0132 or later?", "a phone number"),
            ("phone: 030 1234567", "a phone number"),
            ("tel:0301234567", "a phone number"),
            ("pay with 4111 1111 1111 1111?", "a card number"),
            ("4111111111111111", "a card number"),
            ("123-45-6789", "a social security number"),
            ("Pay to DE89 3704 0044 0532 0130 00 now", "an account number"),
            ("GB82WEST12345698765432", "an account number"),
        ] {
            assert_eq!(looks_like(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_harmless_raises_no_alarm() {
        for text in [
            "",
            "product_1",
            "sk-short",
            "7c42b9d6-107d-4f5f-8f23-f9014c6efdae",
            "bd9b613c-6fa5-4797-ba91-547f0903da9f",
            "Which of the 3 @ 5 each?",
            "Which password manager should I use?",
            "Reset the password: which way do you prefer?",
            "Password: required",
            "password=********",
            "password=<your password>",
            "password=${PASSWORD}",
            "passwords: 12345 were found to be weak",
            "token=USDC",
            "token: usdc.near",
            "secret: yes",
            "The secret: practise",
            "Pin: to the top",
            "Spin: 4711",
            "2026-11-15 12:00:00",
            "2026-11-15T12:00:00+02:00",
            "Order 415-555-0132-9",
            "10 000 000 users",
            "Version 1.2.3.4",
            "+1 for this",
            "+12.50 EUR",
            "from 1000000 to 2000000",
            "192.168.100.200",
            "tel aviv or berlin?",
            "Phone: 12 mini or 13?",
            "4111111111111112",
            "000-12-3456",
            "ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp",
            "-----BEGIN CERTIFICATE-----",
            "DE89 3704 0044 0532 0130 01",
            "https://x.example/p?token=1",
            "user@host",
            "react@18.2.0",
        ] {
            assert_eq!(looks_like(text), None, "{text}");
        }
    }
}
