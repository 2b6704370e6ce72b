//! One tokenizer for forms, their readers and the conversation: words, numbers, signs, and what has a shape of its own (addresses,
//! dates, times). What words mean is the reader's business.

use std::ops::Range;

use holdpoint_core::text::start;

/// How many bytes and tokens of a text are read; what is longer was not said to a form but pasted.
pub(super) const LONGEST: usize = 4_000;
const MOST: usize = 400;
/// Signs that open and close a quotation.
pub(super) const QUOTES: &str = "\" “ ” „ « » ‹ › ‘ ’ ' `";

/// A piece of a text: where it stands in bytes, and its letters in lower case.
pub(in crate::action) struct Token {
    pub(super) at: Range<usize>,
    pub(in crate::action) low: String,
    pub(super) sort: Sort,
}

/// What a token is: `2026-03-01T14:30` is ISO, `3/12/2026` and `3/12` slashed, `14:30` and `2pm` are clocks; a break ends a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sort {
    Word,
    Number,
    Iso,
    Slashed,
    Clock,
    Email,
    Url,
    Phone,
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
        figures.parse().ok().filter(|day| self.sort == Sort::Number && (1..=31).contains(day))
    }

    /// Returns whether a word tells of what has been: `ordered`, but not `need`.
    pub(super) fn is_past(&self) -> bool {
        self.low.ends_with("ed") && self.stem() != self.low
    }

    /// Returns a word without its ending, so that `arriving` and `arrival`, `companies` and `company` meet.
    pub(in crate::action) fn stem(&self) -> &str {
        if self.sort == Sort::Word { stem(&self.low) } else { &self.low }
    }
}

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
    let kept =
        |token: &Token| token.sort == Sort::Word || token.sort == Sort::Sign && !token.low.starts_with(drawn);
    tokens(text).into_iter().filter(kept).map(|token| token.low).collect()
}

/// Returns whether a text is longer than anything that is said to a form: nothing is read in it.
pub(in crate::action) fn is_long(text: &str) -> bool {
    text.len() > LONGEST || tokens(text).len() > MOST
}

/// Takes a text apart: what has a shape as a whole, else words, numbers and signs.
pub(in crate::action) fn tokens(text: &str) -> Vec<Token> {
    const HEAD: usize = 200;
    let mut all: Vec<Token> = Vec::new();
    let (mut at, mut spaced) = (0, true);
    while let Some(first) = text[at..].chars().next().filter(|_| all.len() <= MOST) {
        if !matches!(first, '\n' | '\r') && (first.is_whitespace() || first.is_control()) {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        }
        let (length, sort) = first_token(start(&text[at..], HEAD), spaced, all.last().filter(|_| !spaced));
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

/// Returns how long the token at the head of a text is, and what it is; `before` is what it touches.
fn first_token(text: &str, spaced: bool, before: Option<&Token>) -> (usize, Sort) {
    /// Abbreviations whose dot ends no sentence.
    const DOTTED: &str = "mr mrs ms dr st prof";
    const HALVES: [&str; 6] = ["a.m.", "p.m.", "a. m.", "p. m.", "a.m", "p.m"];
    let head = text.split(char::is_whitespace).next().unwrap_or_default();
    let first = text.chars().next().unwrap_or(' ');
    let shapely = first.is_ascii_digit() || "+-.(".contains(first) || head.contains(['@', '/']);
    let figures = || shaped(head).or_else(|| dialled(text)).or_else(|| number(text, spaced));
    if let Some(shaped) = shapely.then(figures).flatten() {
        return shaped;
    }
    let is_half = |half: &&&str| text.get(..half.len()).is_some_and(|head| head.eq_ignore_ascii_case(half));
    if let Some(half) = HALVES.iter().find(is_half) {
        return (half.len(), Sort::Word);
    }
    let word = head.find(|c: char| !(c.is_alphanumeric() || "'’_".contains(c))).unwrap_or(head.len());
    let word = head[..word].trim_end_matches(['\'', '’', '_']).len();
    if word > 0 && first.is_alphanumeric() {
        return (word, Sort::Word);
    }
    // `ca. 3`, `24.11. please`, `Dr. Roth`
    let rest = text[first.len_utf8()..].trim_start();
    let goes_on = rest.starts_with(|next: char| next.is_lowercase() || next.is_numeric());
    let stops = first == '.' && !goes_on && !before.is_some_and(|last| last.is(DOTTED));
    let breaks = stops || matches!(first, ';' | '?' | '!' | '\n' | '\r');
    (first.len_utf8(), if breaks { Sort::Break } else { Sort::Sign })
}

/// Finds at the head of a text what has a shape of its own.
fn shaped(text: &str) -> Option<(usize, Sort)> {
    let whole = text.trim_end_matches(|c: char| ".,;:!?)\"'”’>]".contains(c));
    let low = whole.to_ascii_lowercase();
    if low.starts_with("http://") || low.starts_with("https://") {
        return Some((whole.len(), Sort::Url));
    }
    let mail =
        whole.find('@').filter(|at| whole.starts_with(char::is_alphanumeric) && whole[*at..].contains('.'));
    if mail.is_some() {
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

/// Finds a number to dial at the head of a text: `+49 30 123456`, `(030) 123-4567`, `0171 5550 123`, `555-123-4567`.
fn dialled(text: &str) -> Option<(usize, Sort)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+()-/ ".contains(c))).unwrap_or(text.len());
    let body = text[..end].trim_end_matches(|c: char| !c.is_ascii_digit());
    let figures = body.bytes().filter(u8::is_ascii_digit).count();
    let begins = |heads: &[&str]| heads.iter().any(|head| body.starts_with(head));
    let least = if begins(&["+", "00", "(+"]) { 8 } else { 9 };
    let parts: Vec<usize> = body.split('-').map(str::len).collect();
    let led = begins(&["+", "(+", "(0"])
        || begins(&["0"]) && body.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    ((led || parts == [3, 3, 4]) && (least..=15).contains(&figures)).then_some((body.len(), Sort::Phone))
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
