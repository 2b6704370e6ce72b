//! One tokenizer for messages and for the names of a form: words, numbers of both conventions, signs, and what has a
//! shape of its own (addresses, written dates and clock times).

use std::ops::Range;

/// A piece of a text: where it stands in bytes, its letters in lower case, and without an ending (`licences` and `licence`
/// are one name).
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) at: Range<usize>,
    pub(super) low: String,
    pub(super) stem: String,
    pub(super) sort: Sort,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    Word,
    Number(Numeral),
    /// `2026-03-01`, with or without a time behind it.
    Iso,
    /// `3/12/2026`, `03.12.2026`.
    Slashed,
    /// `14:30`, `2pm`.
    Clock,
    Email,
    Url,
    Sign,
    /// The end of a sentence or line.
    Break,
}

/// A number: what it can mean (nothing, if its separators fit no convention), and whether it is `3rd`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numeral {
    pub(super) readings: Vec<f64>,
    pub(super) ordinal: bool,
}

impl Token {
    pub(super) fn is(&self, words: &str) -> bool {
        words.split(' ').any(|word| word == self.low)
    }

    pub(super) fn number(&self) -> Option<&Numeral> {
        if let Sort::Number(number) = &self.sort { Some(number) } else { None }
    }

    pub(super) fn is_word(&self) -> bool {
        self.sort == Sort::Word
    }
}

/// A text with its tokens, as all rules read it.
#[derive(Clone, Debug)]
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
}

impl<'a> Message<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, tokens: tokens(text) }
    }

    /// Returns a token's word; nothing beyond the ends.
    pub(super) fn low(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    pub(super) fn is(&self, at: usize, words: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(words))
    }

    /// Returns whether the token before another is among some words.
    pub(super) fn follows(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is(before, words))
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| self.text[token.at.clone()].starts_with(char::is_uppercase))
    }

    pub(super) fn words(&self, at: &Range<usize>) -> &'a str {
        let ends = self.tokens.get(at.start).zip(self.tokens.get(at.end.wrapping_sub(1)));
        ends.and_then(|(first, last)| self.text.get(first.at.start..last.at.end)).unwrap_or_default()
    }

    /// Returns the sentence around a token, without the sign that ends it.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        let breaks = |token: &Token| token.sort == Sort::Break;
        let start = self.tokens[..at].iter().rposition(breaks).map_or(0, |at| at + 1);
        let end = self.tokens[at..].iter().position(breaks).map_or(self.tokens.len(), |end| at + end);
        start..end
    }

    /// Returns the clause around a token: what commas, `but` and an `and` with its own subject set off.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        const SUBJECTS: &str =
            "i we my our the it also please then he she they i'd i'll we'd we'll that his her their";
        let whole = self.sentence(at);
        let splits = |at: usize| {
            self.is(at, ", ( ) but however though although while whereas because")
                || self.is(at, "and") && self.is(at + 1, SUBJECTS)
        };
        // Nobody says more in one clause; what is longer is a list.
        let whole = whole.start.max(at.saturating_sub(60))..whole.end.min(at + 60);
        let start = (whole.start..=at).rev().find(|at| splits(*at)).map_or(whole.start, |at| at + 1);
        let end = (at + 1..whole.end).find(|at| splits(*at)).unwrap_or(whole.end);
        start.min(at)..end
    }
}

/// How many tokens of a text are read; what is longer was not said to a form but pasted.
pub(super) const MOST: usize = 400;

/// Takes a text apart: what has a shape as a whole, else words, numbers and signs.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    /// Abbreviations whose dot ends no sentence.
    const DOTTED: &str =
        "jan feb mar apr jun jul aug sep sept oct nov dec mr mrs ms dr approx no nr st etc eg ie a.m p.m";
    /// How much of a text without spaces is searched for a shape.
    const LONGEST: usize = 200;
    let shapely = |head: &str| {
        head.contains(['@', '/']) || head.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c))
    };
    let inner = |c: char| matches!(c, '\'' | '’' | '_');
    let mut all: Vec<Token> = Vec::new();
    let (mut at, mut spaced) = (0, true);
    while let Some(first) = text[at..].chars().next().filter(|_| all.len() <= MOST) {
        let rest = crate::cut(&text[at..], LONGEST);
        let head = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let word = head.find(|c: char| !(c.is_alphanumeric() || inner(c))).unwrap_or(head.len());
        let word = head[..word].trim_end_matches(inner).len();
        let (length, sort) = if matches!(first, '\n' | '\r') {
            (1, Sort::Break)
        } else if first.is_whitespace() || first.is_control() {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        } else if let Some(shaped) =
            shapely(head).then(|| shaped(head).or_else(|| number(head, spaced))).flatten()
        {
            shaped
        } else if word > 0 {
            (word, Sort::Word)
        } else {
            let after = head[first.len_utf8()..].chars().next();
            let dotted = all.last().is_some_and(|last| last.at.end == at && last.is(DOTTED));
            let ends = first == '.' && after.is_none_or(|next| "\"')”’.!?".contains(next)) && !dotted;
            (
                first.len_utf8(),
                if ends || matches!(first, ';' | '?' | '!') { Sort::Break } else { Sort::Sign },
            )
        };
        let low = text[at..at + length].to_lowercase().replace('’', "'");
        let stem = if sort == Sort::Word { stem(&low) } else { low.clone() };
        all.push(Token { at: at..at + length, low, stem, sort });
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
    let (end, sign, lengths) = groups(text)?;
    match (sign, &lengths[..]) {
        ('-', [4, 1 | 2, 1 | 2]) => Some((whole.len().max(end), Sort::Iso)),
        ('-' | '/' | '.', [1 | 2, 1 | 2, 2 | 4]) | ('/', [4, 1 | 2, 1 | 2]) => Some((end, Sort::Slashed)),
        (':', [1 | 2, 2] | [1 | 2, 2, 2]) => Some((end + half(&text[end..]), Sort::Clock)),
        ('.', [1 | 2, 2]) | (' ', [1 | 2]) if half(&text[end..]) > 0 => {
            Some((end + half(&text[end..]), Sort::Clock))
        }
        _ => None,
    }
}

/// Reads groups of figures with one sign between them: where they end, the sign, and how long each is.
fn groups(text: &str) -> Option<(usize, char, Vec<usize>)> {
    let figures = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut lengths = vec![figures(0)];
    let mut end = lengths[0];
    let sign = text[end..].chars().next().filter(|c| matches!(c, '-' | '/' | '.' | ':')).unwrap_or(' ');
    while text[end..].starts_with(sign) && figures(end + 1) > 0 {
        lengths.push(figures(end + 1));
        end += 1 + figures(end + 1);
    }
    let sign = if lengths.len() > 1 { sign } else { ' ' };
    (lengths[0] > 0).then_some((end, sign, lengths))
}

/// Returns how long the `am` or `pm` at the head of a text is.
fn half(text: &str) -> usize {
    let low = text.to_ascii_lowercase();
    let is =
        |half: &&str| low.strip_prefix(*half).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    ["a.m", "p.m", "am", "pm"].iter().find(|half| is(half)).map_or(0, |half| half.len())
}

/// Finds a number at the head of a text.
fn number(text: &str, first: bool) -> Option<(usize, Sort)> {
    let sign = text.chars().next().filter(|c| first && matches!(c, '-' | '+'));
    let signed = sign.map_or(0, char::len_utf8);
    let body = &text[signed..];
    if !body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let inner = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | '\u{202f}' | '\u{a0}');
    let length = body.find(|c: char| !inner(c)).unwrap_or(body.len());
    let length = body[..length].trim_end_matches(|c: char| !c.is_ascii_digit()).len();
    let after = body[length..].to_lowercase();
    let letters = &after[..after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len())];
    let ordinal = matches!(letters, "st" | "nd" | "rd" | "th");
    let suffix = if ordinal || matches!(letters, "k" | "x") { letters.len() } else { 0 };
    let factor = if letters == "k" { 1000.0 } else { 1.0 } * if sign == Some('-') { -1.0 } else { 1.0 };
    let readings = readings(&body[..length]).into_iter().map(|reading| reading * factor).collect();
    Some((signed + length + suffix, Sort::Number(Numeral { readings, ordinal })))
}

/// Returns what figures with separators can mean: `1,249.50` and `1.249,50` are one number, `1.249` may be two.
fn readings(figures: &str) -> Vec<f64> {
    let figures: String = figures.chars().filter(|c| c.is_ascii_digit() || ".,".contains(*c)).collect();
    // A first group of at most three figures, then groups of exactly three; or no groups at all.
    let join = |text: &str, sign: char| {
        let groups: Vec<&str> = text.split(sign).collect();
        let good = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
        let good = groups.len() == 1 || good && groups[1..].iter().all(|group| group.len() == 3);
        let joined = groups.concat();
        (good && joined.bytes().all(|byte| byte.is_ascii_digit())).then_some(joined)
    };
    let whole = |sign: char| join(&figures, sign)?.parse().ok();
    let decimal = |sign: char, other: char| {
        let (before, rest) = figures.rsplit_once(sign)?;
        format!("{}.{}", join(before, other)?, join(rest, ' ')?).parse().ok()
    };
    // `1,249` is one thousand and more; a comma before other figures is a decimal one.
    let comma = || whole(',').or_else(|| decimal(',', '.'));
    let mut all: Vec<f64> = [comma(), decimal('.', ','), whole('.')].into_iter().flatten().collect();
    all.dedup();
    all
}

/// Returns a word without its ending, so that `arriving` and `arrives` meet.
pub(super) fn stem(word: &str) -> String {
    const ENDINGS: [(&str, usize); 3] = [("ing", 3), ("ed", 3), ("e", 3)];
    let word = word.strip_suffix("'s").unwrap_or(word);
    let single = match word {
        _ if word.len() > 4 && word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    };
    let cut =
        |(ending, least): &(&str, usize)| single.strip_suffix(*ending).filter(|head| head.len() >= *least);
    let Some(head) = ENDINGS.iter().find_map(cut) else { return single };
    let mut last = head.chars().rev();
    let doubled = matches!((last.next(), last.next()), (Some(a), Some(b)) if a == b && !"lse".contains(a));
    if doubled { head[..head.len() - 1].to_owned() } else { head.to_owned() }
}
