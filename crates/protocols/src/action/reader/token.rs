//! One tokenizer for messages and names: words, numbers, signs, and what has a shape of its own (addresses, dates, times).

use holdpoint_core::text::start;
use std::ops::Range;

/// How many bytes and tokens of a text are read; what is longer was not said to a form but pasted.
pub(super) const LONGEST: usize = 4_000;
pub(super) const MOST: usize = 400;

/// A piece of a text: where it stands in bytes, and its letters in lower case.
pub(super) struct Token {
    pub(super) at: Range<usize>,
    pub(super) low: String,
    pub(super) sort: Sort,
}

/// What a token is: `2026-03-01T14:30` is ISO, `3/12/2026` slashed, `14:30`, `14h30` and `2pm` are clocks; a break ends a sentence.
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
    pub(super) fn is(&self, words: &str) -> bool {
        is_among(&self.low, words)
    }

    pub(super) fn is_ordinal(&self) -> bool {
        self.sort == Sort::Number && self.low.ends_with(['t', 'd', 'h'])
    }

    pub(super) fn is_word(&self) -> bool {
        self.sort == Sort::Word
    }

    /// Returns a word without its ending, so that `arriving` and `arrival`, `companies` and `company` meet.
    pub(super) fn stem(&self) -> &str {
        if self.is_word() { stem(&self.low) } else { &self.low }
    }
}

pub(in crate::action) fn is_among(word: &str, list: &str) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b' ');
    let byte = |at: usize| list.as_bytes().get(at);
    list.match_indices(word).any(|(at, _)| ends(byte(at.wrapping_sub(1))) && ends(byte(at + word.len())))
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

/// A text with its tokens, as all rules read it.
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
}

impl<'a> Message<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = start(text, LONGEST);
        Self { text, tokens: tokens(text) }
    }

    /// Returns a token's word; nothing beyond the ends.
    pub(super) fn low(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    pub(super) fn is(&self, at: usize, words: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(words))
    }

    /// Returns whether some words stand one after another from a token on.
    pub(super) fn says(&self, at: usize, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(more, word)| self.low(at + more) == word)
    }

    /// Returns whether the token before another is among some words.
    pub(super) fn follows(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is(before, words))
    }

    /// Returns the first token from one on that is not among some words.
    pub(super) fn past(&self, at: usize, words: &str) -> usize {
        (at..self.tokens.len()).find(|at| !self.is(*at, words)).unwrap_or(self.tokens.len().max(at))
    }

    /// Returns whether a token is written as a part of a name: with a capital, or in figures.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let upper = |token: &Token| self.text[token.at.clone()].starts_with(char::is_uppercase);
        self.tokens.get(at).is_some_and(|token| token.sort == Sort::Number || upper(token))
    }

    pub(super) fn words(&self, at: &Range<usize>) -> &'a str {
        let last = self.tokens.get(at.end.min(self.tokens.len()).wrapping_sub(1));
        let ends = self.tokens.get(at.start).zip(last);
        ends.and_then(|(first, last)| self.text.get(first.at.start..last.at.end)).unwrap_or_default()
    }

    /// Returns the sentence around a token, without the sign that ends it.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        let (ends, all) = (|at: &usize| self.tokens[*at].sort == Sort::Break, self.tokens.len());
        let start = (0..at.min(all)).rev().find(ends).map_or(0, |at| at + 1);
        start..(at..all).find(ends).unwrap_or(all)
    }

    pub(super) fn line(&self, at: usize) -> Range<usize> {
        let ends = |at: &usize| self.is(*at, "\n \r");
        let start = (0..at).rev().find(ends).map_or(0, |at| at + 1);
        start..(at..self.tokens.len()).find(ends).unwrap_or(self.tokens.len())
    }

    /// Returns where the sentence before a token's own begins.
    pub(super) fn before(&self, at: usize) -> usize {
        let (start, said) = (self.sentence(at).start, |at: &usize| self.tokens[*at].sort != Sort::Break);
        (0..start).rev().find(said).map_or(start, |at| self.sentence(at).start)
    }

    /// Returns the clause around a token: what commas, `but` and an `and` with its own subject set off.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        const SUBJECTS: &str =
            "i we my our the it also please then he she they i'd i'll we'd we'll that his her there there's";
        let spaced = |at: usize| self.text[..self.tokens[at].at.start].ends_with(' ');
        let splits = |at: usize| {
            self.is(at, "- – —") && spaced(at)
                || self.is(at, ", ( ) but however though although while whereas because")
                || self.is(at, "and") && self.is(at + 1, SUBJECTS)
        };
        let whole = self.sentence(at);
        let start = (whole.start..=at).rev().find(|at| splits(*at)).map_or(whole.start, |at| at + 1);
        let end = (at + 1..whole.end).find(|at| splits(*at)).unwrap_or(whole.end);
        start.min(at)..end
    }
}

/// Takes a text apart: what has a shape as a whole, else words, numbers and signs.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    /// Abbreviations whose dot ends no sentence.
    const DOTTED: &str = "mr mrs ms dr st str prof approx ca incl excl nr max min est vol ext";
    const HEAD: usize = 200;
    let inner = |c: char| matches!(c, '\'' | '’' | '_');
    let mut all: Vec<Token> = Vec::new();
    let (mut at, mut spaced) = (0, true);
    while let Some(first) = text[at..].chars().next().filter(|_| all.len() <= MOST) {
        let rest = start(&text[at..], HEAD);
        let head = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let shapely = first.is_ascii_digit() || "+-".contains(first) || head.contains(['@', '/']);
        let word = head.find(|c: char| !(c.is_alphanumeric() || inner(c))).unwrap_or(head.len());
        let word = head[..word].trim_end_matches(inner).len();
        let (length, sort) = if matches!(first, '\n' | '\r') {
            (1, Sort::Break)
        } else if first.is_whitespace() || first.is_control() {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        } else if let Some(shaped) = shapely.then(|| shaped(head).or_else(|| number(rest, spaced))).flatten()
        {
            shaped
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
        let low = text[at..at + length].to_lowercase().replace('’', "'");
        all.push(Token { at: at..at + length, low, sort });
        (at, spaced) = (at + length, false);
    }
    all
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
    let half = if matches!(letters, "am" | "pm" | "a.m" | "p.m") { letters.len() } else { 0 };
    match (sign, &lengths[..]) {
        ('-', [4, 1 | 2, 1 | 2]) => Some((whole.len().max(end), Sort::Iso)),
        ('-' | '/' | '.', [1 | 2, 1 | 2, 2 | 4]) | ('/', [4, 1 | 2, 1 | 2]) => Some((end, Sort::Slashed)),
        (':' | 'h', [1 | 2, 2]) | (':', [1 | 2, 2, 2]) => Some((end + half, Sort::Clock)),
        ('.', [1 | 2, 2]) | (_, [1 | 2]) if half > 0 => Some((end + half, Sort::Clock)),
        _ => None,
    }
}

/// Finds a number at the head of a text: `12`, `-3`, `1.249,50`, `12 000`, `1.5k`, `3rd`.
fn number(text: &str, spaced: bool) -> Option<(usize, Sort)> {
    let body = text.strip_prefix(['-', '+']).filter(|_| spaced).unwrap_or(text);
    let figures = |at: usize| body[at..].bytes().take_while(u8::is_ascii_digit).count();
    let first = Some(figures(0)).filter(|first| *first > 0)?;
    let mut end = first;
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
