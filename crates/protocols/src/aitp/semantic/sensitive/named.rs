//! Values after a name that marks them as secret: `password=…`, `PIN: …`.

use super::keys::is_opaque;

const WHAT: &str = "a password or another secret";

/// What the value after a name must look like to count as secret.
#[derive(Clone, Copy)]
enum Promise {
    /// Anything after an equals sign; after a colon, which also occurs in sentences, not just a word.
    Secret,
    /// Long, with digits: the name also has harmless meanings.
    Long,
    /// A number of digits, from least to most.
    Digits(usize, usize),
}

/// The ends of names, in lower case and without separators.
const NAMES: [(&str, Promise); 19] = [
    ("password", Promise::Secret),
    ("passwd", Promise::Secret),
    ("passphrase", Promise::Secret),
    ("passcode", Promise::Secret),
    ("pwd", Promise::Secret),
    ("secret", Promise::Secret),
    ("apikey", Promise::Secret),
    ("secretkey", Promise::Secret),
    ("accesskey", Promise::Secret),
    ("privatekey", Promise::Secret),
    ("accesstoken", Promise::Secret),
    ("authtoken", Promise::Secret),
    ("authorization", Promise::Long),
    ("bearer", Promise::Long),
    ("token", Promise::Long),
    ("pin", Promise::Digits(4, 8)),
    ("otp", Promise::Digits(4, 8)),
    ("cvv", Promise::Digits(3, 4)),
    ("cvc", Promise::Digits(3, 4)),
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
        Promise::Digits(..) => name == end.as_bytes(),
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
        Promise::Secret => {
            let word = sign == ":" && spaced && value.chars().all(char::is_alphabetic);
            value.len() >= 4 && !word && !is_placeholder(value)
        }
        Promise::Long => value.len() >= 16 && digits > 1 && is_opaque(value),
        Promise::Digits(least, most) => digits == value.len() && (*least..=*most).contains(&digits),
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
