//! Reading JSON in one pass, with a list of what is open in place of recursion.

use super::{KEPT, Kind, Malformed, NOT_KEPT, Node, Odd, Span, small, tag};

/// A list or object that is not closed yet.
#[derive(Debug)]
struct Open {
    node: u32,
    object: bool,
    empty: bool,
    suspect: bool,
}

/// How far a text has been read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) odd: Odd,
    open: Vec<Open>,
    /// Of each object that is kept and open, one bit for each name met, by length and ends: a bit met twice may be a
    /// name met twice.
    names: Vec<u64>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // Most nodes take longer than this to write, so the list seldom grows.
        let nodes = Vec::with_capacity(text.len() / 16 + 8);
        Self {
            bytes: text.as_bytes(),
            at: 0,
            nodes,
            odd: Odd::default(),
            open: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Reads all of it.
    pub(super) fn run(&mut self) -> Result<(), Malformed> {
        self.space();
        self.value(Span::default(), 0)?;
        while let Some(&Open { object, empty, .. }) = self.open.last() {
            self.space();
            match self.peek() {
                Some(c) if c == if object { b'}' } else { b']' } => {
                    self.at += 1;
                    self.close();
                    continue;
                }
                Some(b',') if !empty => {
                    self.at += 1;
                    self.space();
                }
                Some(_) if empty => {}
                Some(_) => return self.wrong("expected a comma or the end of the list or object"),
                None => return self.wrong("the text ends too early"),
            }
            let (key, tag) = if object { self.name()? } else { (Span::default(), 0) };
            self.value(key, tag)?;
        }
        self.space();
        if self.at < self.bytes.len() { self.wrong("something stands after the end") } else { Ok(()) }
    }

    fn name(&mut self) -> Result<(Span, u8), Malformed> {
        if self.peek() != Some(b'"') {
            return self.wrong("expected a name in quotation marks");
        }
        let name = self.string()?;
        let tag = self.met(name);
        self.space();
        if self.peek() != Some(b':') {
            return self.wrong("expected a colon");
        }
        self.at += 1;
        self.space();
        Ok((name, tag))
    }

    /// Notes a name of the object that is open, and returns its tag.
    fn met(&mut self, name: Span) -> u8 {
        let tag = if name.is_escaped() { 0 } else { tag(self.bytes.get(name.range()).unwrap_or_default()) };
        if self.names.len() == self.open.len()
            && let (Some(open), Some(names)) = (self.open.last_mut(), self.names.last_mut())
        {
            let bit = 1_u64 << (tag % 64);
            // An escape can be another way to write the same name.
            open.suspect |= *names & bit != 0 || tag == 0;
            *names |= bit;
        }
        tag
    }

    fn value(&mut self, key: Span, tag: u8) -> Result<(), Malformed> {
        let kept = self.open.len() <= KEPT;
        if let Some(parent) = self.open.last_mut() {
            parent.empty = false;
        }
        let Some(first) = self.peek() else { return self.wrong("the text ends too early") };
        let (kind, value) = match first {
            b'{' | b'[' => {
                let object = first == b'{';
                self.at += 1;
                let start = self.at - 1;
                if self.open.len() >= KEPT {
                    self.odd.deep.get_or_insert(start);
                }
                let node = if kept { small(self.nodes.len()) } else { NOT_KEPT };
                if kept {
                    self.names.push(0);
                }
                self.open.push(Open { node, object, empty: true, suspect: false });
                (if object { Kind::Object } else { Kind::List }, Span::new(start, start, false))
            }
            b'"' => (Kind::Text, self.string()?),
            b'-' | b'0'..=b'9' => (Kind::Number, self.number()?),
            b't' => (Kind::Bool, self.word(b"true")?),
            b'f' => (Kind::Bool, self.word(b"false")?),
            b'n' => (Kind::Null, self.word(b"null")?),
            _ => return self.wrong("expected a value"),
        };
        if kept {
            let after = small(self.nodes.len() + 1);
            self.nodes.push(Node { key, value, after, kind, tag });
        }
        Ok(())
    }

    fn close(&mut self) {
        let after = small(self.nodes.len());
        if self.names.len() == self.open.len() {
            self.names.pop();
        }
        if let Some(closed) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(closed.node as usize)
        {
            node.after = after;
            if closed.suspect {
                self.odd.suspects.push(closed.node);
            }
        }
    }

    fn string(&mut self) -> Result<Span, Malformed> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            self.at += plain(self.bytes.get(self.at..).unwrap_or_default());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    self.escape()?;
                }
                Some(_) => return self.wrong("a control character stands in a string; write it as \\u00XX"),
                None => return self.wrong("a string is not closed"),
            }
        }
        let span = Span::new(start, self.at, escaped);
        self.at += 1;
        Ok(span)
    }

    fn escape(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let Some(unit) = self.unit(self.at) else {
                    return self.wrong("\\u needs four hexadecimal digits");
                };
                let escape = self.at - 1;
                self.at += 5;
                let paired = match unit {
                    0xD800..=0xDBFF if self.peek() == Some(b'\\') => {
                        let low = self.unit(self.at + 1).filter(|low| (0xDC00..=0xDFFF).contains(low));
                        self.at += if low.is_some() { 6 } else { 0 };
                        low.is_some()
                    }
                    0xD800..=0xDFFF => false,
                    _ => true,
                };
                if !paired {
                    self.odd.lone.get_or_insert(escape);
                }
            }
            _ => return self.wrong("an unknown escape"),
        }
        Ok(())
    }

    /// Reads `uXXXX`.
    fn unit(&self, at: usize) -> Option<u16> {
        let [b'u', digits @ ..] = self.bytes.get(at..at + 5)? else { return None };
        let digit = |unit: u16, byte: &u8| {
            let digit = char::from(*byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
            digit.map(|digit| unit << 4 | digit)
        };
        digits.iter().try_fold(0, digit)
    }

    fn number(&mut self) -> Result<Span, Malformed> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (zero && whole > 1) {
            return self.wrong("a number must start with one digit other than 0, or be 0");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return self.wrong("digits must follow the point");
            }
        }
        let mut doubtful = self.at - start > EXACT;
        if let Some(b'e' | b'E') = self.peek() {
            doubtful = true;
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return self.wrong("the exponent needs digits");
            }
        }
        let span = Span::new(start, self.at, false);
        if doubtful && self.odd.inexact.is_none() {
            let text = std::str::from_utf8(self.bytes.get(span.range()).unwrap_or_default());
            let exact = text.is_ok_and(holdpoint_core::json::is_exact_text);
            self.odd.inexact = (!exact).then_some(start);
        }
        Ok(span)
    }

    fn digits(&mut self) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn word(&mut self, word: &[u8]) -> Result<Span, Malformed> {
        if self.bytes.get(self.at..self.at + word.len()) != Some(word) {
            return self.wrong("expected a value");
        }
        let start = self.at;
        self.at += word.len();
        Ok(Span::new(start, self.at, false))
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn wrong<T>(&self, why: &'static str) -> Result<T, Malformed> {
        Err(Malformed { at: self.at, why })
    }
}

/// A number of so many characters without an exponent is one that a double can hold.
const EXACT: usize = 15;

/// Counts the bytes before the first that ends a string, escapes, or must not stand in one: eight at a time.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest high bit that is left marks the first such byte; what is above it may be carried over.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let marks = (zero(word ^ (ONES * 0x22)) | zero(word ^ (ONES * 0x5C)) | control) & HIGH;
        if marks != 0 {
            return at * 8 + (marks.trailing_zeros() / 8) as usize;
        }
    }
    let ends = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    bytes.len() - rest.len() + ends.unwrap_or(rest.len())
}
