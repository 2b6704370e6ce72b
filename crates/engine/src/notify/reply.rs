//! The response of another server, as far as a log may contain it: its beginning, on one line, with control characters
//! made harmless, and without what looks like a secret. A server may repeat what it was sent, including its address and
//! token.

use super::excerpt::excerpt;

/// How many characters are kept.
const KEPT: usize = 120;
/// The least length of a text that looks like a token, with letters and digits; twice that for one of letters alone.
const TOKEN: usize = 16;
/// The names before a secret of any length.
const NAMES: [&str; 9] =
    ["token", "secret", "password", "passwd", "key", "authorization", "cookie", "session", "signature"];
/// The schemes before a secret, with only a space between.
const SCHEMES: [&str; 3] = ["bearer", "basic", "vapid"];
/// The replacement for what is left out.
const LEFT_OUT: &str = "…";

/// Returns as much of a reply as a log may contain, without the secrets that were sent.
pub(super) fn loggable(said: &str, secrets: &[&str]) -> String {
    let secrets = secrets.iter().filter(|secret| !secret.is_empty());
    let said = secrets.fold(said.to_owned(), |said, secret| said.replace(secret, LEFT_OUT));
    // Much more than is kept is examined: half a secret cannot be recognised.
    let said = excerpt(&said, KEPT * 8);
    let mut out = String::new();
    let mut before = String::new();
    for run in runs(&said) {
        let is_run = run.starts_with(in_run);
        if is_run && (looks_like_token(run) || is_named(&before)) {
            out.push_str(LEFT_OUT);
        } else {
            out.push_str(run);
        }
        before.push_str(&run.to_ascii_lowercase());
    }
    excerpt(out.trim(), KEPT)
}

/// Splits a text where runs of token characters begin and end.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut was_run = None;
    for (at, c) in text.char_indices() {
        if was_run.is_some_and(|was| was != in_run(c)) {
            runs.push(&text[start..at]);
            start = at;
        }
        was_run = Some(in_run(c));
    }
    runs.push(&text[start..]);
    runs
}

fn in_run(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.~+/%|".contains(c)
}

fn looks_like_token(run: &str) -> bool {
    let has = |is: fn(&char) -> bool| run.chars().any(|c| is(&c));
    let mixed = has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
    run.len() >= TOKEN && mixed || run.len() >= TOKEN * 2
}

/// Returns whether a text in lower case names the secret that follows it: `"token": "`, `key=`, `bearer `.
fn is_named(before: &str) -> bool {
    let ends = |text: &str, names: &[&str]| names.iter().any(|name| text.ends_with(name));
    let bare = before.trim_end_matches(|c: char| c.is_whitespace() || "\"':=".contains(c));
    let between = &before[bare.len()..];
    ends(bare, &SCHEMES) && !between.is_empty() || ends(bare, &NAMES) && between.contains([':', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_kept_without_what_looks_like_a_secret() {
        let table = [
            ("", ""),
            ("database is down", "database is down"),
            ("{\"error\":\"invalid topic\",\"code\":40009}", "{\"error\":\"invalid topic\",\"code\":40009}"),
            ("UnauthorizedRegistration", "UnauthorizedRegistration"),
            ("no route for /push/v2/gAAAAABl9x0_zQ", "no route for …"),
            ("Authorization: Bearer abc was wrong", "Authorization: … … was wrong"),
            ("bad token=short1&x=2", "bad token=…&x=2"),
            ("{\"api_key\": \"k1\"}", "{\"api_key\": \"…\"}"),
            ("vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.e30.sig, k=BPa", "vapid …=…, k=BPa"),
            ("xoxb-1234567890-abcdefghijkl", "…"),
            ("the token is not known", "the token is not known"),
            ("https://ops.example/hook/s3cr3tpathsegment", "https:…"),
            ("ééé", "ééé"),
        ];
        for (said, wanted) in table {
            assert_eq!(loggable(said, &[]), wanted, "{said:?}");
        }
        let hostile = loggable("two\nlines\u{1b}[31m red \u{202e} txt", &[]);
        assert!(!hostile.contains(|c: char| c.is_control() || c == '\u{202e}'), "{hostile}");
    }

    #[test]
    fn what_it_was_sent_is_left_out_whatever_it_looks_like() {
        assert_eq!(loggable("no hunter2 in my-topic", &["hunter2", "", "my-topic"]), "no … in …");
    }

    #[test]
    fn it_is_bounded_and_a_secret_at_the_cut_does_not_show() {
        let long = format!("{} {}", "word ".repeat(23), "a1".repeat(5_000));
        let got = loggable(&long, &[]);
        assert!(got.chars().count() <= KEPT && !got.contains("a1a1"), "{got}");
        assert!(loggable(&"ä".repeat(100_000), &[]).chars().count() <= KEPT);
    }
}
