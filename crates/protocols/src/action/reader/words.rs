//! A text as words, numbers and signs, each with its place, and the sentences that they form.

use super::{courtesy, feast, haste, spoken};

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Word,
    Digits,
    Sign,
}

/// One word, run of digits or sign.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) sort: Sort,
    /// In lower case, with plain apostrophes.
    pub(super) low: String,
    /// Where it is in the text, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether space stands before it.
    pub(super) spaced: bool,
    /// Which sentence it belongs to.
    pub(super) sentence: usize,
}

impl Token {
    pub(super) fn is(&self, word: &str) -> bool {
        self.low == word
    }

    pub(super) fn among(&self, words: &[&str]) -> bool {
        words.contains(&self.low.as_str())
    }

    /// Returns the number that a run of digits is, if it is a sensible one.
    pub(super) fn number(&self) -> Option<i64> {
        (self.sort == Sort::Digits && self.low.len() <= 9).then(|| self.low.parse().ok()).flatten()
    }
}

/// Takes a text apart.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut spaced = true;
    let mut sentence = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            if c == '\n' || takes_up(&tokens) {
                sentence += 1;
            }
            // A full stop, question mark and so on ends a sentence only before a space: 9.30, a.m., 2.5 go on.
            if !spaced
                && tokens.last().is_some_and(|last| last.among(&[".", "!", "?", ";"]))
                && !shortened(&tokens)
                && !is_half(&tokens, &text[start..])
                && !is_day(&tokens, &text[start..])
            {
                sentence += 1;
            }
            spaced = true;
            continue;
        }
        let sort = sort_of(c);
        let mut end = start + c.len_utf8();
        if sort != Sort::Sign {
            while let Some((at, next)) = chars.peek().copied() {
                let inside = is_apostrophe(next)
                    && sort == Sort::Word
                    && text[at + next.len_utf8()..].chars().next().is_some_and(char::is_alphabetic);
                if sort_of(next) != sort && !inside {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
        }
        let low: String = text[start..end]
            .chars()
            .map(|c| if is_apostrophe(c) { '\'' } else { c })
            .flat_map(char::to_lowercase)
            .collect();
        // Al is a person; AL is annual leave.
        let meant = haste::mistyped(&low).filter(|_| &text[start..end] != "Al");
        let low = meant.map_or(low, str::to_owned);
        tokens.push(Token { sort, low, start, end, spaced, sentence });
        spaced = false;
    }
    haste::settle(&mut tokens);
    spoken::settle(&mut tokens);
    feast::settle(&mut tokens);
    courtesy::settle(&mut tokens);
    tokens
}

/// Returns whether the full stop at the end only shortens a word: `Dr. Haas`.
fn shortened(tokens: &[Token]) -> bool {
    let before = tokens.len().checked_sub(2).and_then(|at| tokens.get(at)).filter(|token| token.spaced);
    tokens.last().is_some_and(|last| last.is("."))
        && before
            .is_some_and(|token| token.among(&["dr", "mr", "mrs", "ms", "prof", "approx", "nr", "tel", "st"]))
}

/// Returns whether the last words leave what was said and take up what is meant: `…, anyway, I need two screens`.
fn takes_up(tokens: &[Token]) -> bool {
    matches!(tokens, [.., before, anyway, last]
        if before.among(&[",", "-", "–"]) && anyway.among(&["anyway", "anyways", "anyhow"]) && last.is(","))
}

/// Returns whether the full stop at the end belongs to a day in figures, behind which a sentence may go on: `21.12. to`.
fn is_day(tokens: &[Token], rest: &str) -> bool {
    let short = |token: &Token| token.sort == Sort::Digits && token.low.len() <= 2;
    let day = matches!(tokens, [.., one, dot, two, last]
        if short(one) && dot.is(".") && short(two) && last.is(".") && !dot.spaced && !two.spaced);
    day && rest.trim_start().starts_with(|c: char| c.is_lowercase() || matches!(c, '-' | '–'))
}

/// Returns whether the full stop at the end is that of `p.m.`, behind which a sentence may go on.
fn is_half(tokens: &[Token], rest: &str) -> bool {
    let half = matches!(tokens, [.., half, dot, m, last]
        if half.among(&["a", "p"]) && dot.is(".") && m.is("m") && last.is("."));
    half && rest.trim_start().starts_with(char::is_lowercase)
}

fn sort_of(c: char) -> Sort {
    if c.is_ascii_digit() {
        Sort::Digits
    } else if c.is_alphabetic() {
        Sort::Word
    } else {
        Sort::Sign
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ')
}

/// Returns whether two words are the same but for a plural.
pub(super) fn alike(left: &str, right: &str) -> bool {
    left == right || singular(left) == singular(right)
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() >= 3 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

/// Returns whether a word is another form of a verb: `crashed` of `crash`. Short words are rather other words: nobody who
/// was fired was on fire.
pub(super) fn inflects(word: &str, stem: &str) -> bool {
    stem.len() >= 5 && word.strip_prefix(stem).is_some_and(|end| matches!(end, "ed" | "ing" | "ly"))
}

/// Returns whether a word is a likely misspelling of another: letters doubled, dropped or swapped, or vowels
/// mistaken. A wrong consonant makes another word (`staying` is not `staging`).
pub(super) fn misspells(word: &str, right: &str) -> bool {
    let first = |text: &str| text.chars().next();
    if word == right || first(word) != first(right) || right.len() < 4 || word.len() < 4 {
        return false;
    }
    if squeeze(word) == squeeze(right) || swapped(word, right) {
        return true;
    }
    if right.len() >= 5 && word.len() >= 5 && skeleton(word) == skeleton(right) && distance(word, right) <= 2
    {
        return true;
    }
    // One letter left out of a long word, or one that sounds like it: `chekup`, `labtop`.
    let (word, right) = (singular(word), singular(right));
    right.len() >= 6
        && word.len() >= 6
        && word != right
        && (right.len() == word.len() + 1 && distance(word, right) == 1 || sounds_alike(word, right))
}

/// Returns whether two words differ in one letter only, and that sounds like the other.
fn sounds_alike(word: &str, right: &str) -> bool {
    const PAIRS: [(char, char); 5] = [('b', 'p'), ('d', 't'), ('g', 'k'), ('f', 'v'), ('s', 'z')];
    let mut differ = word.chars().zip(right.chars()).filter(|(one, two)| one != two);
    let pair = differ.next();
    word.len() == right.len()
        && differ.next().is_none()
        && pair.is_some_and(|(one, two)| PAIRS.contains(&(one, two)) || PAIRS.contains(&(two, one)))
}

/// Returns whether a word is near enough to another where one of a few is expected.
pub(super) fn resembles(word: &str, right: &str) -> bool {
    let most = match right.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    misspells(word, right) || (word.len() >= 3 && distance(word, right) <= most)
}

fn squeeze(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        if !out.ends_with(c) {
            out.push(c);
        }
    }
    out
}

fn swapped(word: &str, right: &str) -> bool {
    let (word, right): (Vec<char>, Vec<char>) = (word.chars().collect(), right.chars().collect());
    let differ: Vec<usize> = if word.len() == right.len() {
        (0..word.len()).filter(|at| word[*at] != right[*at]).collect()
    } else {
        Vec::new()
    };
    matches!(differ[..], [a, b] if b == a + 1 && word[a] == right[b] && word[b] == right[a])
}

fn skeleton(word: &str) -> String {
    squeeze(&word.chars().filter(|c| !"aeiouy".contains(*c)).collect::<String>())
}

/// Returns how many letters must be added, dropped or changed to make one word the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, l) in left.chars().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (to, r) in right.iter().enumerate() {
            let kept = corner + usize::from(l != *r);
            corner = row[to + 1];
            row[to + 1] = kept.min(corner + 1).min(row[to] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_apart() {
        let split = |text| tokens(text).iter().map(|token| token.low.clone()).collect::<Vec<_>>();
        assert_eq!(split("I’m off 9.30am, 2nd."), ["i'm", "off", "9", ".", "30", "am", ",", "2", "nd", "."]);
        let sentences: Vec<usize> = tokens("A b. C\nd 9.30 e").iter().map(|token| token.sentence).collect();
        assert_eq!(sentences, [0, 0, 0, 1, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn misspellings() {
        for (word, right) in [
            ("anual", "annual"),
            ("acident", "accident"),
            ("emergancy", "emergency"),
            ("dubble", "double"),
            ("unpayed", "unpaid"),
            ("singel", "single"),
            ("firre", "fire"),
            ("stagng", "staging"),
        ] {
            assert!(misspells(word, right), "{word} for {right}");
        }
        for (word, other) in [
            ("fine", "fire"),
            ("five", "fire"),
            ("staying", "staging"),
            ("stick", "sick"),
            ("site", "suite"),
            ("simple", "single"),
            ("actual", "annual"),
            ("packing", "parking"),
            ("fire", "fire"),
        ] {
            assert!(!misspells(word, other), "{word} for {other}");
        }
        assert!(resembles("produktion", "production") && !resembles("fire", "unpaid"));
    }
}
