//! Whether a screen is unchanged. A changing clock, counter or spinner is not work: many agents show one in their
//! status line while they wait.

/// The characters of spinners in a status line; braille patterns count too.
const SPINNERS: &str = "✻✽✶✳✢·∗*+◐◓◑◒◴◷◶◵";
/// Words that are spinners only if nothing else is beside them.
const ALONE: [&str; 6] = ["|", "/", "-", "\\", "–", "—"];

/// Returns whether two screens are equal except for spinners and numbers.
pub(super) fn is_still(before: &[String], now: &[String]) -> bool {
    before == now
        || (before.len() == now.len() && before.iter().zip(now).all(|(one, other)| is_same(one, other)))
}

fn is_same(one: &str, other: &str) -> bool {
    one == other || one.split_whitespace().map(fixed).eq(other.split_whitespace().map(fixed))
}

/// Returns a word with every number as one digit, and every spinner as one sign.
fn fixed(word: &str) -> String {
    if ALONE.contains(&word) {
        return "*".into();
    }
    let mut fixed = String::with_capacity(word.len());
    for c in word.chars() {
        let sign = match c {
            '0'..='9' => '0',
            '\u{2800}'..='\u{28ff}' => '*',
            c if SPINNERS.contains(c) => '*',
            c => c,
        };
        if sign != '0' || !fixed.ends_with('0') {
            fixed.push(sign);
        }
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_and_counts_stands_still_and_words_do_not() {
        let table = [
            ("12:59:59 · 9% left", "13:00:00 · 10% left", true),
            ("⠋ waiting", "⠙  waiting", true),
            ("| main 3 files", "/ main 12 files", true),
            ("✻ idle (59s)", "✶ idle (1s)", true),
            ("> ", "> y", false),
            ("Reading a.rs", "Reading b.rs", false),
            ("a-b", "a/b", false),
            ("done", "done 1", false),
        ];
        for (before, now, expected) in table {
            let screen = |last: &str| vec!["same".to_owned(), last.to_owned()];
            assert_eq!(is_still(&screen(before), &screen(now)), expected, "{before:?} {now:?}");
        }
        assert!(!is_still(&["a".to_owned()], &[]));
    }
}
