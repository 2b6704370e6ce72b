//! Text from outside: limits on what is stored, and inert forms for display.

/// How many options one decision may offer, variants included.
pub const MAX_OPTIONS: usize = 10_000;
/// How many outs one decision may offer.
pub const MAX_OUTS: usize = 100;
/// How many fields one decision may have.
pub const MAX_FIELDS: usize = 500;
/// How many bytes a prompt, a plan or a description may have.
pub const MAX_PROMPT: usize = 1 << 20;
/// How many characters a title may have.
pub const MAX_TITLE: usize = 20_000;
/// How many bytes a label may have.
pub const MAX_LABEL: usize = 16 << 10;
/// How many further decisions one answer may settle.
pub const MAX_SAME: usize = 200;
/// How many bytes a message or guidance may have.
pub const MAX_MESSAGE: usize = 64 << 10;
/// How many bytes an id, a name or a key may have.
pub const MAX_NAME: usize = 200;
/// How many bytes a whole decision, an answer or a draft may have as JSON.
pub const MAX_BODY: usize = 8 << 20;
/// How many bytes a turn of a conversation may store beside the draft.
pub const MAX_TALK: usize = 256 << 10;

/// Returns the text with everything made visible that could act on a terminal or reorder the text: control characters,
/// bidirectional overrides, zero-width and other invisible characters.
///
/// Line breaks and tabs stay. A carriage return is dropped before a line feed; alone it could overwrite a line, so it
/// is made visible. Each character of that kind becomes its code point in angle brackets.
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            // Emoji and many scripts are joined by these; between Latin letters they only hide something.
            '\u{200C}' | '\u{200D}' if !before.is_ascii() => out.push(c),
            '\u{FE0E}' | '\u{FE0F}' if has_variants(before) => out.push(c),
            c if is_active(c) || matches!(c, '\u{FE0E}' | '\u{FE0F}') => {
                use std::fmt::Write as _;
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Returns whether a character may be followed by a variation selector, as emoji are: only one, and not after letters,
/// where a row of them could hide a text.
fn has_variants(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*') || !c.is_ascii() && !matches!(c, '\u{FE0E}' | '\u{FE0F}')
}

/// Like [`inert`], on one line: breaks and tabs become spaces.
pub fn inert_line(text: &str) -> String {
    let line = inert(text);
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text between quotation marks for a message: inert, on one line, not too long. Spaces stay, because they
/// may be what is wrong.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 60;
    let head: String = text.chars().take(SHOWN).collect();
    let cut = if head.len() < text.len() { "…" } else { "" };
    format!("\"{}{cut}\"", inert(&head).replace(['\n', '\t'], " ").replace('"', "\\\""))
}

/// Returns a word as it is typed into a shell: unchanged if that is safe, else between single quotation marks.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    quoted(word)
}

/// Returns a word of a shell command, always between single quotation marks.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\0', "").replace('\'', r"'\''"))
}

/// Returns whether a character acts on the display instead of being read.
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}' | '\u{FE00}'..='\u{FE0D}')
}

/// Checks an id or name: not empty, short, without active characters, and without spaces at the ends.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        Err("must not be empty".into())
    } else if name.len() > MAX_NAME {
        Err(format!("has {} bytes; at most {MAX_NAME} are allowed", name.len()))
    } else if name.trim() != name {
        Err("must not start or end with a space".into())
    } else if name.chars().any(is_active) {
        Err("must not contain control or invisible characters".into())
    } else {
        Ok(())
    }
}

/// Checks that a text is within a limit of bytes.
pub fn check_length(text: &str, limit: usize) -> Result<(), String> {
    if text.len() > limit {
        Err(format!("has {} bytes; at most {limit} are allowed", text.len()))
    } else {
        Ok(())
    }
}

/// Returns the start of a text within a number of bytes, cut between characters.
pub fn start(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acting_characters_become_visible() {
        assert_eq!(inert("a\x1b[31mb\u{202e}c\r\nd\u{200b}"), "a<U+001B>[31mb<U+202E>c\nd<U+200B>");
        assert_eq!(
            inert("# harmless\rrm -rf /"),
            "# harmless<U+000D>rm -rf /",
            "a line that nobody sees begins there"
        );
        assert_eq!(inert("a\u{3164}\u{2800}b"), "a<U+3164><U+2800>b");
        assert_eq!(inert_line(" a\n\tb "), "a b");
        assert_eq!(inert("a\u{e0162}\u{fe00}b\u{fe0f}"), "a<U+E0162><U+FE00>b<U+FE0F>", "a hidden text");
        assert_eq!(inert("❤\u{fe0f} 1\u{fe0f}\u{20e3}"), "❤\u{fe0f} 1\u{fe0f}\u{20e3}");
        assert_eq!(inert("❤\u{fe0f}\u{fe0f}"), "❤\u{fe0f}<U+FE0F>");
        assert_eq!(inert("naïve 日本 👩\u{200d}💻"), "naïve 日本 👩\u{200d}💻");
    }

    #[test]
    fn quotes_are_short_and_inert() {
        assert_eq!(quote(" a\n\u{7}b"), "\" a <U+0007>b\"");
        assert_eq!(quote("x\" by \"y"), r#""x\" by \"y""#);
        assert_eq!(quote(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
        assert_eq!(quote(&"é".repeat(60)), format!("\"{}\"", "é".repeat(60)));
    }

    #[test]
    fn names_are_plain() {
        for bad in ["", " a", "a\n", "a\u{202e}b", &"x".repeat(201)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
        assert!(check_name("bd-abc123 and more").is_ok());
    }
}
