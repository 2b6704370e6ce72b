//! Personal numbers: cards, accounts, phones, social security.

/// Returns a description of a personal number in a text.
pub(super) fn find(text: &str) -> Option<&'static str> {
    const LEAST: usize = 7;
    if text.bytes().filter(u8::is_ascii_digit).count() < LEAST {
        return None;
    }
    if runs(text).any(|run| is_card(&digits(run.text))) {
        return Some("a card number");
    }
    if runs(text).any(|run| is_social_security(run.text)) {
        return Some("a social security number");
    }
    if has_account(text) {
        return Some("an account number");
    }
    runs(text).any(is_phone).then_some("a phone number")
}

/// Digits with their separators, and the text before them.
#[derive(Clone, Copy)]
struct Run<'a> {
    before: &'a str,
    text: &'a str,
}

/// Iterates over possible numbers in groups. Digits next to a letter are part of a name.
fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let joins = |byte: u8| byte.is_ascii_digit() || b" -.()+".contains(&byte);
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|byte| joins(*byte))?;
            let length = bytes.get(start..)?.iter().take_while(|byte| joins(**byte)).count();
            at = start + length;
            let run = text.get(start..at)?;
            let whole = run.trim_matches([' ', '.', '-']);
            let before = text.get(..start)?;
            let glued = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_/#$€£%".contains(c));
            let (head, tail) = (run.len() - run.trim_start().len(), run.len() - run.trim_end().len());
            let apart = (head > 0 || !glued(before.chars().next_back()))
                && (tail > 0 || !glued(text.get(at..)?.chars().next()));
            if apart && whole.len() >= 7 {
                return Some(Run { before, text: whole });
            }
        }
    })
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Returns whether 13 to 19 digits that start like a card number pass Luhn's check.
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

/// Returns whether a number may be a social security number: some were never issued.
fn is_social_security(text: &str) -> bool {
    shaped(text, "ddd-dd-dddd")
        && !["000", "666", "9"].iter().any(|start| text.starts_with(start))
        && !text.ends_with("0000")
        && text.get(4..6) != Some("00")
}

fn shaped(text: &str, pattern: &str) -> bool {
    let fits = |(byte, p): (u8, u8)| if p == b'd' { byte.is_ascii_digit() } else { byte == p };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

/// Returns whether a number is marked as a phone number: by a plus and a country code, by its form, or by a word before
/// it.
fn is_phone(run: Run<'_>) -> bool {
    const FORMS: [&str; 4] = ["ddd-ddd-dddd", "(ddd) ddd-dddd", "(ddd)ddd-dddd", "ddd.ddd.dddd"];
    const WORDS: [&str; 8] = ["phone", "telephone", "tel", "mobile", "cell", "fax", "whatsapp", "sms"];
    let count = run.text.bytes().filter(u8::is_ascii_digit).count();
    if !(7..=15).contains(&count) {
        return false;
    }
    if let Some(rest) = run.text.strip_prefix('+') {
        let plain = rest.bytes().all(|byte| byte.is_ascii_digit());
        // A sum has a point and two digits, or is short.
        return !rest.starts_with('0') && !rest.contains('+') && count >= if plain { 9 } else { 8 };
    }
    if FORMS.iter().any(|form| shaped(run.text, form)) {
        return true;
    }
    let before = run.before.trim_end_matches([' ', ':', '=', '.', '"', '\'']);
    let start = before.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let word = before.get(start..).unwrap_or_default();
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Searches for an IBAN with correct check digits.
fn has_account(text: &str) -> bool {
    let is_start = |at: &usize| {
        let bytes = text.as_bytes();
        let free = *at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let [a, b, c, d] = bytes.get(*at..at + 4).and_then(|start| start.try_into().ok()).unwrap_or([0; 4]);
        free && a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit()
    };
    (0..text.len()).filter(is_start).any(|at| is_account(&text.as_bytes()[at..]))
}

fn is_account(bytes: &[u8]) -> bool {
    const LONGEST: usize = 34;
    let mut letters: Vec<u8> = Vec::with_capacity(LONGEST);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b' ' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) => {}
            byte if byte.is_ascii_digit() || byte.is_ascii_uppercase() => letters.push(*byte),
            _ => break,
        }
        let ends = !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        if letters.len() > LONGEST || (ends && letters.len() >= 15 && remainder(&letters) == 1) {
            break;
        }
    }
    (15..=LONGEST).contains(&letters.len()) && remainder(&letters) == 1
}

/// Returns the IBAN checksum: the first four characters move to the end, letters count from ten, and the whole is taken
/// modulo 97.
fn remainder(letters: &[u8]) -> u32 {
    let (head, rest) = letters.split_at(4.min(letters.len()));
    rest.iter().chain(head).fold(0, |sum, letter| match letter {
        b'0'..=b'9' => (sum * 10 + u32::from(letter - b'0')) % 97,
        _ => (sum * 100 + u32::from(letter.wrapping_sub(b'A')) + 10) % 97,
    })
}
