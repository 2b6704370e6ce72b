//! The shortest answers: a letter or a sign, where a yes or a no is awaited.

use super::{Talk, field, reader, say};

impl<'a> Talk<'a> {
    /// Returns what the person said; a bare `y` or a thumb in words, where a yes or a no is awaited.
    pub(super) fn said(&self) -> &'a str {
        self.nod.unwrap_or(&self.turn.text)
    }

    /// Returns a letter or a sign in words, if it answers what was asked.
    pub(super) fn nodded(&self) -> Option<&'static str> {
        let word = word(&self.turn.text)?;
        let asked = field(&self.form, self.state.asked.as_deref());
        let awaited = self.state.wished.is_some()
            || self.state.offered.is_some()
            || self.state.summed.is_some()
            || asked.is_some_and(reader::takes_no)
            || asked.is_none() && self.state.said.contains(say::SHALL_SEND);
        (awaited && self.turn.typed.is_empty() && !reader::names_option(&self.form.fields, &self.turn.text))
            .then_some(word)
    }
}

fn word(text: &str) -> Option<&'static str> {
    const LONGEST: usize = 16;
    // The colour of a thumb, and how it is drawn, say nothing.
    let drawn =
        |c: &char| !matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '.' | '!' | ',');
    let mut low: Vec<char> =
        text.trim().chars().take(LONGEST).flat_map(char::to_lowercase).filter(drawn).collect();
    low.dedup();
    match low.into_iter().collect::<String>().trim() {
        "y" | "ye" | "yea" | "yep" | "yup" | "yeah" | "k" | "ok" | "okay" | "👍" | "👌" | "✅" | "✔"
        | "☑" | "🆗" => Some("yes"),
        "n" | "nope" | "nah" | "👎" | "❌" | "✖" | "🚫" => Some("no"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn letters_and_signs() {
        for yes in ["y", "Y", "yep", "ok", "OK!", " k ", "👍", "👍🏽", "👍👍", "✔️"] {
            assert_eq!(word(yes), Some("yes"), "{yes}");
        }
        for no in ["n", "N.", "nope", "👎🏿", "❌"] {
            assert_eq!(word(no), Some("no"), "{no}");
        }
        for neither in ["", "yn", "y or n", "yes, annual", "no", "okay then", "👍 but later"] {
            assert_eq!(word(neither), None, "{neither}");
        }
    }
}
