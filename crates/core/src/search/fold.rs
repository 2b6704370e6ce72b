//! Folds a text to the words that are compared: lower case, no accents, a space before each word.
//!
//! Both stores index exactly these words, so that both find the same.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::decompose_canonical;

/// How many characters of a word are compared; longer words are blobs.
const WORD: usize = 64;
/// A character that no folded text has.
pub(super) const RESERVED: char = '\u{E000}';

/// Returns the words of a text, each with a space before it.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    fold(text, &mut out);
    out
}

/// Appends the words of a text, each with a space before it.
pub(super) fn fold(text: &str, out: &mut String) {
    let mut words = WordWriter { out, length: 0 };
    if text.is_ascii() {
        for c in text.chars() {
            words.take(c.to_ascii_lowercase());
        }
        return;
    }
    for c in text.nfkc().flat_map(char::to_lowercase) {
        match c {
            'ß' => "ss".chars().for_each(|c| words.take(c)),
            'æ' => "ae".chars().for_each(|c| words.take(c)),
            'œ' => "oe".chars().for_each(|c| words.take(c)),
            'ø' => words.take('o'),
            'ł' => words.take('l'),
            'đ' => words.take('d'),
            'ı' => words.take('i'),
            'ς' => words.take('σ'),
            // Scripts whose letters carry accents or points that people omit.
            '\u{80}'..='\u{6FF}' | '\u{1E00}'..='\u{1FFF}' => decompose_canonical(c, |c| words.take(c)),
            c => words.take(c),
        }
    }
}

/// What a character does to the current word.
enum Kind {
    /// It continues the word.
    Letter,
    /// It ends the word, and is a word by itself.
    Alone,
    /// It ends the word.
    Between,
    /// It is ignored.
    Silent,
}

struct WordWriter<'a> {
    out: &'a mut String,
    /// The length of the current word in characters; 0 if there is none.
    length: usize,
}

impl WordWriter<'_> {
    fn take(&mut self, c: char) {
        match kind(c) {
            Kind::Silent => {}
            Kind::Between => self.length = 0,
            Kind::Alone => {
                self.out.extend([' ', c]);
                self.length = 0;
            }
            Kind::Letter => {
                if self.length == 0 {
                    self.out.push(' ');
                }
                self.length += 1;
                if self.length <= WORD {
                    self.out.push(c);
                }
            }
        }
    }
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' | '0'..='9' => Kind::Letter,
        '\0'..='\x7F' => Kind::Between,
        c if is_silent(c) => Kind::Silent,
        c if is_alone(c) => Kind::Alone,
        // The scripts of India write vowels as signs.
        '\u{900}'..='\u{DFF}' => Kind::Letter,
        c if c.is_alphanumeric() => Kind::Letter,
        _ => Kind::Between,
    }
}

fn is_silent(c: char) -> bool {
    // Soft hyphen, zero widths, directions, variation selectors, skin colours.
    let is_unseen = matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{1F3FB}'..='\u{1F3FF}');
    let is_accent = matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}');
    // The points of Hebrew, the vowels and the stretching of Arabic.
    let is_point = matches!(c, '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}'
        | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}');
    is_unseen || is_accent || is_point
}

fn is_alone(c: char) -> bool {
    // Scripts without spaces: Thai, Lao, Burmese, Khmer; kana; Chinese characters.
    let is_unspaced = matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}');
    // Arrows, signs and emoji.
    is_unspaced || matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_words() {
        for (text, words) in [
            ("Deploy to PROD-2!", " deploy to prod 2"),
            ("src/main.rs", " src main rs"),
            ("Zürich, Ångström, İstanbul", " zurich angstrom istanbul"),
            ("Zu\u{308}rich", " zurich"),
            ("Straße œuvre Łódź smørrebrød", " strasse oeuvre lodz smorrebrod"),
            ("ΟΔΟΣ οδός", " οδοσ οδοσ"),
            ("ＦＵＬＬ width ﬁle", " full width file"),
            ("東京都へ", " 東 京 都 へ"),
            ("ガ", " ガ"),
            ("한국어", " 한국어"),
            ("שָׁלוֹם", " שלום"),
            ("مُحَمَّد", " محمد"),
            ("क्षेत्र", " क्षेत्र"),
            ("ship🚀it 👍🏽", " ship 🚀 it 👍"),
            ("de\u{200B}ploy \u{202E}now", " deploy now"),
            ("\0\u{1}a\0b", " a b"),
            ("\u{E000}x\u{E001}", " x"),
            ("\"NEAR(*)\" AND - OR ^ : {a}", " near and or a"),
            ("", ""),
            ("?! -- …", ""),
        ] {
            assert_eq!(folded(text), words, "{text:?}");
        }
        let long = "x".repeat(1_000);
        assert_eq!(folded(&format!("{long} y")), format!(" {} y", &long[..WORD]));
    }
}
