//! One tokenizer for messages and names: words, numbers, signs, and what has a shape of its own (addresses, dates, times).

use holdpoint_core::text::start;
use std::ops::Range;

use super::units::{DAYS, MONTHS, small};

/// How many bytes and tokens of a text are read; what is longer was not said to a form but pasted.
pub(super) const LONGEST: usize = 4_000;
pub(super) const MOST: usize = 400;

/// A piece of a text: where it stands in bytes, and its letters in lower case.
pub(in crate::action) struct Token {
    pub(super) at: Range<usize>,
    pub(in crate::action) low: String,
    pub(super) sort: Sort,
}

/// What a token is: `2026-03-01T14:30` is ISO, `3/12/2026` and `3/12` slashed, `14:30` and `2pm` are clocks; a break ends a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    Word,
    Number,
    Iso,
    Slashed,
    Clock,
    Email,
    Url,
    Sign,
    Break,
}

impl Token {
    pub(in crate::action) fn is(&self, words: &str) -> bool {
        is_among(&self.low, words)
    }

    pub(super) fn is_ordinal(&self) -> bool {
        self.sort == Sort::Number && self.low.ends_with(['t', 'd', 'h'])
    }

    /// Returns the day of a month that a number can be: `3`, `3rd`.
    pub(super) fn day(&self) -> Option<i8> {
        let figures = if self.is_ordinal() { &self.low[..self.low.len() - 2] } else { &self.low };
        let day = figures.parse().ok().filter(|_| self.sort == Sort::Number);
        day.filter(|day| (1..=31).contains(day))
    }

    pub(super) fn is_word(&self) -> bool {
        self.sort == Sort::Word
    }

    /// Returns whether a word tells of what has been: `ordered`, but not `need`.
    pub(super) fn is_past(&self) -> bool {
        self.low.ends_with("ed") && self.stem() != self.low
    }

    /// Returns a word without its ending, so that `arriving` and `arrival`, `companies` and `company` meet.
    pub(in crate::action) fn stem(&self) -> &str {
        if self.is_word() { stem(&self.low) } else { &self.low }
    }
}

/// Signs that open and close a quotation.
pub(super) const OPENS: &str = "\" “ ” „ « » ‹ ‘ ' `";
pub(super) const CLOSES: &str = "\" ” “ » « › ’ ' `";

pub(in crate::action) fn is_among(word: &str, list: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|one| one == word.as_bytes())
}

pub(super) fn stem(word: &str) -> &str {
    let cut = |word, ending, least| str::strip_suffix(word, ending).filter(|head: &&str| head.len() >= least);
    let word = word.strip_suffix("'s").unwrap_or(word);
    let single = if word.ends_with("ss") || word.ends_with("us") { None } else { cut(word, "s", 3) };
    let single = cut(word, "ies", 2).or(single).unwrap_or(word);
    let endings = [("ing", 3), ("ed", 3), ("al", 4), ("ure", 4), ("ion", 5), ("ance", 4), ("e", 3), ("y", 3)];
    let head = endings.iter().find_map(|(ending, least)| cut(single, ending, *least)).unwrap_or(single);
    // `dropped` and `drop`, `installed` and `installation`
    let doubled = head.len() < single.len() && ["pp", "tt", "gg", "nn"].iter().any(|two| head.ends_with(two));
    cut(head, "at", 5).unwrap_or(&head[..head.len() - usize::from(doubled)])
}

/// Returns the words of a text, in lower case, with emoji and without other signs.
pub(in crate::action) fn words(text: &str) -> Vec<String> {
    let drawn = |c: char| c.is_ascii() || matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let kept = |token: &Token| token.is_word() || token.sort == Sort::Sign && !token.low.starts_with(drawn);
    tokens(text).into_iter().filter(kept).map(|token| token.low).collect()
}

/// Returns whether a text is longer than anything that is said to a form: nothing is read in it.
pub(in crate::action) fn is_long(text: &str) -> bool {
    text.len() > LONGEST || tokens(text).len() > MOST
}

/// Takes a text apart: what has a shape as a whole, else words, numbers and signs.
pub(in crate::action) fn tokens(text: &str) -> Vec<Token> {
    /// Abbreviations whose dot ends no sentence.
    const DOTTED: &str = "mr mrs ms dr st str prof approx ca incl excl nr max min est vol ext";
    const HEAD: usize = 200;
    let inner = |c: char| matches!(c, '\'' | '’' | '_');
    let mut all: Vec<Token> = Vec::new();
    let (mut at, mut spaced) = (0, true);
    while let Some(first) = text[at..].chars().next().filter(|_| all.len() <= MOST) {
        let rest = start(&text[at..], HEAD);
        let head = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let shapely = first.is_ascii_digit() || "+-.".contains(first) || head.contains(['@', '/']);
        let word = head.find(|c: char| !(c.is_alphanumeric() || inner(c))).unwrap_or(head.len());
        // `'Acme'` and `'27` begin with a sign.
        let word =
            if first == '\'' || first == '’' { 0 } else { head[..word].trim_end_matches(inner).len() };
        let (length, sort) = if matches!(first, '\n' | '\r') {
            (1, Sort::Break)
        } else if first.is_whitespace() || first.is_control() {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        } else if let Some(shaped) = shapely.then(|| shaped(head).or_else(|| number(rest, spaced))).flatten()
        {
            shaped
        } else if let Some(half) = all.last().and_then(|last| meridiem(last, rest)) {
            (half, Sort::Word)
        } else if word > 0 {
            (word, Sort::Word)
        } else {
            let after = head[first.len_utf8()..].chars().next();
            let next = rest[first.len_utf8()..].trim_start().chars().next();
            // `ca. 3`, `Main Str. 5`
            let goes_on = next.is_some_and(|next| next.is_lowercase() || next.is_numeric());
            let short = |last: &Token| last.is(DOTTED) || goes_on && last.low.len() == 1;
            let dotted = all.last().is_some_and(|last| last.at.end == at && short(last));
            let ends = first == '.' && after.is_none_or(|next| "\"')”’.!?".contains(next)) && !dotted;
            let ends = ends || matches!(first, ';' | '?' | '!');
            (first.len_utf8(), if ends { Sort::Break } else { Sort::Sign })
        };
        let mut low = text[at..at + length].to_lowercase().replace('’', "'");
        // `p. m.` is `pm`.
        if sort == Sort::Word {
            low.retain(|c| !matches!(c, '.' | ' '));
        }
        all.push(Token { at: at..at + length, low, sort });
        (at, spaced) = (at + length, false);
    }
    all
}

/// Measures the half of the day behind a number: `p.m.`, `A. M.`; its last dot is its own where no sentence begins behind it.
fn meridiem(last: &Token, text: &str) -> Option<usize> {
    let timed = matches!(last.sort, Sort::Number | Sort::Clock) || small(&last.low).is_some();
    let rest =
        text.strip_prefix(['a', 'p', 'A', 'P']).filter(|_| timed)?.strip_prefix('.')?.trim_start_matches(' ');
    let rest = rest.strip_prefix(['m', 'M']).filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
    let next = rest.strip_prefix('.').unwrap_or(rest).trim_start_matches([' ', '.']);
    let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let named = DAYS.split(' ').chain(MONTHS.split(' ')).any(|name| name == word);
    // Neither a day nor a zone begins a sentence: `6 a.m. UTC`.
    let shouts = next.chars().nth(1).is_some_and(char::is_uppercase);
    let begins = next.starts_with(char::is_uppercase) && !named && !shouts;
    Some(text.len() - rest.len() + usize::from(!begins && rest.starts_with('.')))
}

/// Finds at the head of a text what has a shape of its own.
fn shaped(text: &str) -> Option<(usize, Sort)> {
    let whole = text.trim_end_matches(|c: char| ".,;:!?)\"'”’>]".contains(c));
    let low = whole.to_ascii_lowercase();
    if low.starts_with("http://") || low.starts_with("https://") {
        return Some((whole.len(), Sort::Url));
    }
    if let Some(at) = whole.find('@')
        && whole.starts_with(char::is_alphanumeric)
        && whole[at..].contains('.')
    {
        return Some((whole.find([',', ';', '<', '>']).unwrap_or(whole.len()), Sort::Email));
    }
    // Groups of figures with one sign between them.
    let sign = text.chars().find(|c| !c.is_ascii_digit()).unwrap_or(' ');
    let figures = text.split(|c: char| !(c.is_ascii_digit() || c == sign)).next()?.trim_end_matches(sign);
    let (end, lengths) = (figures.len(), figures.split(sign).map(str::len).collect::<Vec<_>>());
    let letters = low.get(end..).unwrap_or_default().split(['-', '–', '/', ',']).next().unwrap_or_default();
    let half = if matches!(letters, "am" | "pm") { letters.len() } else { 0 };
    match (sign, &lengths[..]) {
        ('-', [4, 1 | 2, 1 | 2]) => Some((whole.len().max(end), Sort::Iso)),
        ('-' | '/' | '.', [1 | 2, 1 | 2, 2 | 4]) | ('/', [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2]) => {
            Some((end, Sort::Slashed))
        }
        (':', [1 | 2, 2] | [1 | 2, 2, 2]) => Some((end + half, Sort::Clock)),
        ('.', [1 | 2, 2]) | (_, [1 | 2]) if half > 0 => Some((end + half, Sort::Clock)),
        ('h', [1 | 2, 2]) if letters.is_empty() => Some((end, Sort::Clock)),
        _ => None,
    }
}

/// Finds a number at the head of a text: `12`, `-3`, `.5`, `1.249,50`, `12 000`, `1.5k`, `3rd`.
fn number(text: &str, spaced: bool) -> Option<(usize, Sort)> {
    let body = text.strip_prefix(['-', '+']).filter(|_| spaced).unwrap_or(text);
    let figures = |at: usize| body[at..].bytes().take_while(u8::is_ascii_digit).count();
    let point = usize::from(body.starts_with('.') && spaced);
    let first = Some(figures(point)).filter(|first| *first > 0)?;
    let mut end = point + first;
    while let Some(sign) = body[end..].chars().next() {
        let next = end + sign.len_utf8();
        let more = match (sign, figures(next)) {
            ('.' | ',' | '\'' | '’', more) => more,
            // Behind a space, groups have three figures.
            (' ' | '\u{a0}' | '\u{202f}', 3) if first <= 3 && !body[..end].contains(['.', ',']) => 3,
            _ => 0,
        };
        if more == 0 || sign.is_whitespace() && body.starts_with('0') {
            break;
        }
        end = next + more;
    }
    let after = body[end..].to_lowercase();
    let letters = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let suffix = if matches!(letters, "st" | "nd" | "rd" | "th" | "k" | "x") { letters.len() } else { 0 };
    Some((text.len() - body.len() + end + suffix, Sort::Number))
}
