//! A JSON text as a flat list of what stands in it: one pass, no recursion, nothing copied.
//!
//! A message comes from anybody and may be a megabyte of opening brackets. Below a certain depth nothing is kept,
//! only checked to be JSON: no message has a member that matters there. What two readers could read differently is noted
//! on the way, so that whoever cares need not read again.

mod ambiguous;
mod reader;

use std::borrow::Cow;

use reader::Reader;

/// How deep lists and objects are kept: as deep as anything is read here. The deepest member of any message lies nine
/// levels down.
const KEPT: usize = 64;
/// The longest text that is looked at.
const LONGEST: usize = 64 << 20;
const NOT_KEPT: u32 = u32::MAX;

/// A text that is JSON.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    odd: Odd,
}

/// What was met on the way that others may read otherwise: where it first stands.
#[derive(Debug, Default)]
struct Odd {
    /// A list or object that lies too deep to be kept.
    deep: Option<usize>,
    /// Half a pair of surrogates.
    lone: Option<usize>,
    /// A number that a double cannot hold.
    inexact: Option<usize>,
    /// Objects in which a name may stand twice; most are cleared of it on a second look.
    suspects: Vec<u32>,
}

/// What kind of value stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    Text,
    List,
    Object,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// Where a text is not JSON, and why.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
    pub(crate) why: &'static str,
}

/// Nodes stand in the order of the text; whatever lies inside one comes right after it.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: Span,
    value: Span,
    after: u32,
    kind: Kind,
    /// Of its name, or 0 if that has escapes in it.
    tag: u8,
}

/// Returns a number that most names do not share, by length and ends: what differs in it need not be compared further.
/// Never 0.
const fn tag(name: &[u8]) -> u8 {
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return 1 };
    #[expect(clippy::cast_possible_truncation, reason = "that is what makes it a tag")]
    let tag = (name.len() as u8).wrapping_add(first.wrapping_mul(3)).wrapping_add(last.wrapping_mul(5));
    if tag == 0 { 1 } else { tag }
}

/// A piece of the text, of a string what lies between the quotation marks. Texts are so short that the highest bit of
/// the end is free to say whether there are escapes in it.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    const ESCAPED: u32 = 1 << 31;

    fn new(start: usize, end: usize, escaped: bool) -> Self {
        Self { start: small(start), end: small(end) | if escaped { Self::ESCAPED } else { 0 } }
    }

    fn is_escaped(self) -> bool {
        self.end & Self::ESCAPED != 0
    }

    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.end & !Self::ESCAPED) as usize
    }
}

/// The text is shorter than 2^31, and so is every place in it.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NOT_KEPT)
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'d> {
    document: &'d Document<'d>,
    at: usize,
}

impl<'a> Document<'a> {
    /// Reads a text.
    pub(crate) fn read(text: &'a str) -> Result<Self, Malformed> {
        if text.len() > LONGEST {
            return Err(Malformed { at: LONGEST, why: "longer than any message" });
        }
        let mut reader = Reader::new(text);
        reader.run()?;
        Ok(Self { text, nodes: reader.nodes, odd: reader.odd })
    }

    /// Returns the whole value.
    pub(crate) fn root(&self) -> At<'_> {
        At { document: self, at: 0 }
    }

    /// Returns how many values there are, as far as they are kept.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    fn piece(&self, span: Span) -> Cow<'_, str> {
        let raw = self.text.get(span.range()).unwrap_or_default();
        if span.is_escaped() { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) }
    }

    fn is(&self, span: Span, text: &str) -> bool {
        if span.is_escaped() {
            return self.piece(span) == text;
        }
        let (range, text) = (span.range(), text.as_bytes());
        let raw = if range.len() == text.len() { self.text.as_bytes().get(range) } else { None };
        // Most names that are as long start otherwise.
        raw.is_some_and(|raw| raw.first() == text.first() && raw == text)
    }
}

impl<'d> At<'d> {
    fn node(self) -> &'d Node {
        &self.document.nodes[self.at]
    }

    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    /// Returns a string's text.
    pub(crate) fn text(self) -> Option<Cow<'d, str>> {
        let node = self.node();
        (node.kind == Kind::Text).then(|| self.document.piece(node.value))
    }

    /// Returns a number or a truth as it is written.
    pub(crate) fn raw(self) -> &'d str {
        self.document.text.get(self.node().value.range()).unwrap_or_default()
    }

    /// Returns where it starts; of a string, what lies between the quotation marks.
    pub(crate) fn start(self) -> usize {
        self.node().value.start as usize
    }

    /// Returns where its name starts.
    pub(crate) fn key_start(self) -> usize {
        self.node().key.start as usize
    }

    /// Returns a number as a double.
    pub(crate) fn number(self) -> Option<f64> {
        let node = self.node();
        if node.kind != Kind::Number {
            return None;
        }
        self.raw().parse().ok()
    }

    /// Returns whether a string is this text.
    pub(crate) fn is_text(self, text: &str) -> bool {
        let node = self.node();
        node.kind == Kind::Text && self.document.is(node.value, text)
    }

    /// Returns whether it stands under this name.
    #[inline]
    pub(crate) fn has_key(self, key: &str) -> bool {
        let node = self.node();
        (node.tag == 0 || node.tag == tag(key.as_bytes())) && self.document.is(node.key, key)
    }

    /// Returns the name under which it stands in its object.
    pub(crate) fn key(self) -> Cow<'d, str> {
        self.document.piece(self.node().key)
    }

    /// Walks what a list or an object holds.
    pub(crate) fn children(self) -> Children<'d> {
        Children { document: self.document, next: self.at + 1, end: self.node().after as usize }
    }

    /// Finds a member of an object. Of a name that stands twice the last counts, as for most readers.
    pub(crate) fn get(self, key: &str) -> Option<At<'d>> {
        if self.kind() != Kind::Object {
            return None;
        }
        self.children().filter(|child| child.has_key(key)).last()
    }

    /// Walks the list under a name; nothing if there is none.
    pub(crate) fn list(self, key: &str) -> impl Iterator<Item = At<'d>> {
        let list = self.get(key).filter(|list| list.kind() == Kind::List);
        list.into_iter().flat_map(At::children)
    }

    /// Returns the text under a name.
    pub(crate) fn text_of(self, key: &str) -> Option<Cow<'d, str>> {
        self.get(key)?.text()
    }
}

/// What a list or an object holds, in order.
#[derive(Clone, Debug)]
pub(crate) struct Children<'d> {
    document: &'d Document<'d>,
    next: usize,
    end: usize,
}

impl<'d> Iterator for Children<'d> {
    type Item = At<'d>;

    fn next(&mut self) -> Option<At<'d>> {
        if self.next >= self.end {
            return None;
        }
        let child = At { document: self.document, at: self.next };
        self.next = child.node().after as usize;
        Some(child)
    }
}

/// Reads escapes, which were checked before. Half a pair of surrogates stands for no character.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        if !before.is_empty() {
            flush(&mut units, &mut text);
            text.push_str(before);
        }
        let code = escape.as_bytes().get(1).copied().unwrap_or_default();
        if code == b'u' {
            let unit = escape.get(2..6).and_then(|digits| u16::from_str_radix(digits, 16).ok());
            units.push(unit.unwrap_or(0xFFFD));
            rest = escape.get(6..).unwrap_or_default();
            continue;
        }
        flush(&mut units, &mut text);
        text.push(match code {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        });
        rest = escape.get(2..).unwrap_or_default();
    }
    flush(&mut units, &mut text);
    text.push_str(rest);
    text
}

fn flush(units: &mut Vec<u16>, text: &mut String) {
    text.extend(char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or('\u{FFFD}')));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_is_read_as_others_read_it() {
        for (text, good) in [
            (r#"{"a":[1,-0.5e+3,"x\u00e9\n\ud83d\ude00",null,true,false,{},[]]}"#, true),
            (" 5 ", true),
            ("[1,]", false),
            ("[,1]", false),
            ("{\"a\" 1}", false),
            ("{1:2}", false),
            ("{\"a\":1,}", false),
            ("01", false),
            ("-", false),
            ("1.", false),
            ("1e", false),
            ("\"\t\"", false),
            ("\"\\x\"", false),
            ("\"\\u12\"", false),
            ("[1] 2", false),
            ("", false),
            ("tru", false),
            ("[1}", false),
        ] {
            assert_eq!(Document::read(text).is_ok(), good, "{text}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(text).is_ok(), good, "{text}");
        }
        let text = r#"{"k\u0065y":"a\ud83d\ude00\\\/\ud800b","key":2,"n":-1.5e1}"#;
        let document = Document::read(text).unwrap();
        let root = document.root();
        assert_eq!(root.children().next().unwrap().text().unwrap(), "a😀\\/\u{fffd}b");
        assert_eq!(root.get("key").unwrap().number(), Some(2.0));
        assert_eq!(root.get("n").unwrap().number(), Some(-15.0));
    }

    #[test]
    fn depth_costs_nothing() {
        let deep = format!("{}{}", "[".repeat(1 << 19), "]".repeat(1 << 19));
        let document = Document::read(&deep).unwrap();
        assert_eq!(document.nodes.len(), KEPT + 1);
        assert!(Document::read(&deep[..deep.len() - 1]).is_err());
    }
}
