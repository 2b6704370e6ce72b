//! Values after a name that marks them as secret: `password=…`, `PIN: …`.

use super::keys::is_opaque;

const WHAT: &str = "a password or another secret";

/// What the value after a name must look like to count as secret.
#[derive(Clone, Copy)]
enum SecretPattern {
    /// Anything after an equals sign; after a colon, which also occurs in sentences, not just a word.
    Secret,
    /// Long, with digits: the name also has harmless meanings.
    Long,
    /// A number of digits, from least to most.
    Digits(usize, usize),
}

/// The ends of names, in lower case and without separators.
const NAMES: [(&str, SecretPattern); 19] = [
    ("password", SecretPattern::Secret),
    ("passwd", SecretPattern::Secret),
    ("passphrase", SecretPattern::Secret),
    ("passcode", SecretPattern::Secret),
    ("pwd", SecretPattern::Secret),
    ("secret", SecretPattern::Secret),
    ("apikey", SecretPattern::Secret),
    ("secretkey", SecretPattern::Secret),
    ("accesskey", SecretPattern::Secret),
    ("privatekey", SecretPattern::Secret),
    ("accesstoken", SecretPattern::Secret),
    ("authtoken", SecretPattern::Secret),
    ("authorization", SecretPattern::Long),
    ("bearer", SecretPattern::Long),
    ("token", SecretPattern::Long),
    ("pin", SecretPattern::Digits(4, 8)),
    ("otp", SecretPattern::Digits(4, 8)),
    ("cvv", SecretPattern::Digits(3, 4)),
    ("cvc", SecretPattern::Digits(3, 4)),
];

/// Checks after every sign that assigns a value.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let signs = text.match_indices(['=', ':']);
    let found = signs.filter(|(at, sign)| sets_secret(&text[..*at], &text[at + sign.len()..], sign));
    found.map(|_| WHAT).next()
}

fn sets_secret(before: &str, after: &str, sign: &str) -> bool {
    const LONGEST: usize = 32;
    // The name, read backwards: letters, and separators within names.
    let before = before.trim_end_matches(['"', '\'', '`', ' ']);
    let end = before.bytes().rev().take_while(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(byte));
    let mut name: Vec<u8> = end.take(LONGEST).filter(u8::is_ascii_alphabetic).collect();
    name.reverse();
    name.make_ascii_lowercase();
    let promise = NAMES.iter().rev().find(|(end, promise)| match promise {
        // Short names are also the ends of many words.
        SecretPattern::Digits(..) => name == end.as_bytes(),
        _ => name.ends_with(end.as_bytes()),
    });
    let Some((_, promise)) = promise else { return false };
    let spaced = after.starts_with(' ');
    let after = after.trim_start_matches(['"', '\'', '`', ' ']);
    let after = ["Bearer ", "Basic "].iter().find_map(|start| after.strip_prefix(start)).unwrap_or(after);
    let value =
        after.split(|c: char| c.is_whitespace() || "\"'`,;&<>(){}".contains(c)).next().unwrap_or_default();
    let value = value.trim_end_matches(['.', '?', '!']);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    match promise {
        SecretPattern::Secret => {
            let word = sign == ":" && spaced && value.chars().all(char::is_alphabetic);
            value.len() >= 4 && !word && !is_placeholder(value)
        }
        SecretPattern::Long => value.len() >= 16 && digits > 1 && is_opaque(value),
        SecretPattern::Digits(least, most) => digits == value.len() && (*least..=*most).contains(&digits),
    }
}

/// Returns whether a value is only a placeholder: stars, `$NAME`, `required`.
pub(super) fn is_placeholder(value: &str) -> bool {
    const WORDS: [&str; 12] = [
        "required", "optional", "none", "null", "true", "false", "password", "secret", "redacted", "hidden",
        "changeme", "example",
    ];
    let mut letters = value.chars();
    let first = letters.next();
    let same = letters.all(|letter| Some(letter) == first);
    same || value.starts_with(['$', '%', '*', '•', '…', '['])
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}
