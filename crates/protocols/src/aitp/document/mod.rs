//! A JSON text as a flat list of its values: one pass, no recursion, no copies.
//!
//! A message may come from anyone and be a megabyte of opening brackets. Below a certain depth nothing is kept, only
//! checked to be JSON: no message has a relevant member there. Anything that two parsers could read differently is
//! noted on the way, so that a caller who needs it does not have to parse again.

mod ambiguous;
mod names;
mod reader;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub(crate) use names::{Name, Names};

/// How deep lists and objects are kept: as deep as anything is read here. The deepest member of any message is nine
/// levels down.
const KEPT: usize = 64;
/// The length of the longest text that is read.
const LONGEST: usize = 64 << 20;
const NOT_KEPT: u32 = u32::MAX;

/// A text that is JSON.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    odd: AmbiguousParts,
}

/// The places of the first parts that others may read differently.
#[derive(Debug, Default)]
struct AmbiguousParts {
    /// A list or object that is too deep to be kept.
    deep: Option<usize>,
    /// Half a pair of surrogates.
    lone: Option<usize>,
    /// A number that a double cannot hold.
    inexact: Option<usize>,
    /// Objects in which a name may occur twice; most turn out not to have one.
    suspects: Vec<u32>,
}

/// The kind of a value.
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

/// A node. Nodes are in the order of the text; those inside a node come right after it. There are many of them, so they
/// are as small as possible.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Where it starts; for a string, after the quotation mark.
    start: u32,
    /// Where it ends; for a list or object, the node that comes after it.
    end: u32,
    /// Where the text of its name starts, if it has one.
    key: u32,
    kind: Kind,
    name: Name,
    /// Whether its text has escapes.
    escaped: bool,
}

impl Node {
    /// Returns the range of its text; a list or object has none.
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Converts a place: the text is shorter than 2^31, and so is every place in it.
#[expect(clippy::cast_possible_truncation, reason = "no text is so long")]
const fn small(at: usize) -> u32 {
    at as u32
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueRef<'d> {
    document: &'d Document<'d>,
    at: usize,
}

impl<'a> Document<'a> {
    /// Parses a text and recognises the given names in it.
    pub(crate) fn read(text: &'a str, names: &Names) -> Result<Self, Malformed> {
        if text.len() > LONGEST {
            return Err(Malformed { at: LONGEST, why: "longer than any message" });
        }
        let (nodes, odd) = reader::read(text, names)?;
        Ok(Self { text, nodes, odd })
    }

    /// Returns the whole value.
    pub(crate) fn root(&self) -> ValueRef<'_> {
        ValueRef { document: self, at: 0 }
    }

    /// Returns how many values are kept.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the name that starts at a place, as written.
    fn key(&self, start: u32) -> &str {
        let rest = self.text.get(start as usize..).unwrap_or_default();
        rest.get(..reader::closing(rest.as_bytes())).unwrap_or_default()
    }
}

impl<'d> ValueRef<'d> {
    fn node(self) -> &'d Node {
        &self.document.nodes[self.at]
    }

    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    /// Returns the text of a string.
    pub(crate) fn text(self) -> Option<Cow<'d, str>> {
        let node = self.node();
        (node.kind == Kind::Text)
            .then(|| if node.escaped { Cow::Owned(unescape(self.raw())) } else { Cow::Borrowed(self.raw()) })
    }

    /// Returns a string, a number or a boolean as written.
    pub(crate) fn raw(self) -> &'d str {
        self.document.text.get(self.node().range()).unwrap_or_default()
    }

    /// Returns where it starts; for a string, after the quotation mark.
    pub(crate) fn start(self) -> usize {
        self.node().start as usize
    }

    /// Returns where its name starts.
    pub(crate) fn key_start(self) -> usize {
        self.node().key as usize
    }

    /// Returns a number as a double.
    pub(crate) fn number(self) -> Option<f64> {
        let node = self.node();
        if node.kind != Kind::Number {
            return None;
        }
        short(self.raw()).or_else(|| self.raw().parse().ok())
    }

    /// Returns whether it is a string with this text.
    pub(crate) fn is_text(self, text: &str) -> bool {
        let node = self.node();
        node.kind == Kind::Text
            && if node.escaped { unescape(self.raw()) == text } else { self.raw() == text }
    }

    /// Returns its name, if it is one of those that the document was read with.
    #[inline]
    pub(crate) fn name(self) -> Name {
        self.node().name
    }

    /// Returns its name in its object.
    pub(crate) fn key(self) -> Cow<'d, str> {
        let key = self.document.key(self.node().key);
        if key.contains('\\') { Cow::Owned(unescape(key)) } else { Cow::Borrowed(key) }
    }

    /// Returns the index of the node that comes after it and its content.
    fn after(self) -> usize {
        let node = self.node();
        if matches!(node.kind, Kind::List | Kind::Object) { node.end as usize } else { self.at + 1 }
    }

    /// Iterates over the values in a list or an object.
    pub(crate) fn children(self) -> Children<'d> {
        Children { document: self.document, next: self.at + 1, end: self.after() }
    }

    /// Finds a member of an object. If a name occurs twice, the last one counts, as for most parsers.
    pub(crate) fn get(self, key: &str) -> Option<ValueRef<'d>> {
        if self.kind() != Kind::Object {
            return None;
        }
        self.children().filter(|child| child.key() == key).last()
    }

    /// Iterates over the list under a name; empty if there is none.
    pub(crate) fn list(self, key: &str) -> impl Iterator<Item = ValueRef<'d>> {
        let list = self.get(key).filter(|list| list.kind() == Kind::List);
        list.into_iter().flat_map(ValueRef::children)
    }

    /// Returns the text under a name.
    pub(crate) fn text_of(self, key: &str) -> Option<Cow<'d, str>> {
        self.get(key)?.text()
    }
}

/// The values in a list or an object, in order.
#[derive(Clone, Debug)]
pub(crate) struct Children<'d> {
    document: &'d Document<'d>,
    next: usize,
    end: usize,
}

impl<'d> Iterator for Children<'d> {
    type Item = ValueRef<'d>;

    fn next(&mut self) -> Option<ValueRef<'d>> {
        if self.next >= self.end {
            return None;
        }
        let child = ValueRef { document: self.document, at: self.next };
        self.next = child.after();
        Some(child)
    }
}

/// Reads a number with so few digits that these and the power of ten they are divided by are exact as doubles, so that
/// the result is the double nearest to the number.
fn short(raw: &str) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (mut digits, mut power, mut step) = (0_u64, 0, 0);
    for byte in raw.strip_prefix('-').unwrap_or(raw).bytes() {
        match byte {
            b'0'..=b'9' => digits = digits.checked_mul(10)? + u64::from(byte - b'0'),
            b'.' => step = 1,
            _ => return None,
        }
        power += if byte == b'.' { 0 } else { step };
    }
    if digits >= 1 << 53 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "it has no more than 53 bits")]
    let number = digits as f64 / POWERS.get(power)?;
    Some(if raw.starts_with('-') { -number } else { number })
}

/// Decodes escapes, which were checked before. Half a pair of surrogates decodes to nothing.
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
