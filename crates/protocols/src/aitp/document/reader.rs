//! Reading JSON in one pass, with a list of what is open in place of recursion.

use super::{KEPT, Kind, Malformed, NOT_KEPT, Node, Span};

/// A list or object that is not closed yet.
#[derive(Debug)]
struct Open {
    node: u32,
    object: bool,
    empty: bool,
}

/// How far a text has been read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(super) nodes: Vec<Node>,
    open: Vec<Open>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // Most nodes take longer than this to write, so the list seldom grows.
        let nodes = Vec::with_capacity(text.len() / 16 + 8);
        Self { bytes: text.as_bytes(), at: 0, nodes, open: Vec::new() }
    }

    /// Reads all of it.
    pub(super) fn run(&mut self) -> Result<(), Malformed> {
        self.space();
        self.value(Span::default())?;
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
            let key = if object { self.name()? } else { Span::default() };
            self.value(key)?;
        }
        self.space();
        if self.at < self.bytes.len() { self.wrong("something stands after the end") } else { Ok(()) }
    }

    fn name(&mut self) -> Result<Span, Malformed> {
        if self.peek() != Some(b'"') {
            return self.wrong("expected a name in quotation marks");
        }
        let name = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return self.wrong("expected a colon");
        }
        self.at += 1;
        self.space();
        Ok(name)
    }

    fn value(&mut self, key: Span) -> Result<(), Malformed> {
        let kept = self.open.len() < KEPT;
        if let Some(parent) = self.open.last_mut() {
            parent.empty = false;
        }
        let Some(first) = self.peek() else { return self.wrong("the text ends too early") };
        let (kind, value) = match first {
            b'{' | b'[' => {
                let object = first == b'{';
                self.at += 1;
                let node = if kept { small(self.nodes.len()) } else { NOT_KEPT };
                self.open.push(Open { node, object, empty: true });
                let start = small(self.at - 1);
                (if object { Kind::Object } else { Kind::List }, Span { start, end: start, escaped: false })
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
            self.nodes.push(Node { kind, key, value, after });
        }
        Ok(())
    }

    fn close(&mut self) {
        let after = small(self.nodes.len());
        if let Some(closed) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(closed.node as usize)
        {
            node.after = after;
        }
    }

    fn string(&mut self) -> Result<Span, Malformed> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            self.at += plain.unwrap_or(rest.len());
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
        let span = Span { start: small(start), end: small(self.at), escaped };
        self.at += 1;
        Ok(span)
    }

    fn escape(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 1..self.at + 5).unwrap_or_default();
                if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return self.wrong("\\u needs four hexadecimal digits");
                }
                self.at += 5;
            }
            _ => return self.wrong("an unknown escape"),
        }
        Ok(())
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
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return self.wrong("the exponent needs digits");
            }
        }
        Ok(Span { start: small(start), end: small(self.at), escaped: false })
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
        let start = small(self.at);
        self.at += word.len();
        Ok(Span { start, end: small(self.at), escaped: false })
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

/// The text is shorter than 2^32, and so is every place in it.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NOT_KEPT)
}
