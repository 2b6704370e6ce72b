//! Parses JSON in one pass, with a list of open values instead of recursion.

use super::names::{Name, NameOrder, Names, Step, tag};
use super::{AmbiguousParts, KEPT, Kind, Malformed, NOT_KEPT, Node, small};

/// The result of parsing a text: its nodes, and what others may read differently.
pub(super) type Found = (Vec<Node>, AmbiguousParts);

/// A list or object that is not closed yet, or, at the start, the text itself.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// One bit for each name so far, by its tag: a bit that occurs twice may be a name that does.
    names: u64,
    node: u32,
    /// What closes it.
    end: u8,
    suspect: bool,
    /// The position among its names, or, for a list, among those of its elements.
    step: Step,
}

impl Open {
    /// Notes that it has a name with this tag.
    #[inline]
    fn meet(&mut self, tag: u8) {
        let bit = 1_u64 << (tag % 64);
        self.suspect |= self.names & bit != 0;
        self.names |= bit;
    }
}

/// The byte that stands for the end of the text: none that JSON has outside of strings.
const END: u8 = 0;

/// Parses a whole text: a value, what follows it, and so on. A message of a mebibyte takes a million passes of this
/// loop, so all of its data is local.
pub(super) fn read(text: &str, names: &Names) -> Result<Found, Malformed> {
    let bytes = text.as_bytes();
    // Most nodes have more text than this, so the list seldom grows.
    let mut nodes: Vec<Node> = Vec::with_capacity(text.len() / 16 + 8);
    let mut odd = AmbiguousParts::default();
    let mut around: Vec<Open> = Vec::new();
    let mut order = NameOrder::new();
    let step = Step::into(Name::UNKNOWN);
    let mut here = Open { names: 0, node: NOT_KEPT, end: END, suspect: false, step };
    let (mut key, mut name) = (0, Name::UNKNOWN);
    let (mut at, mut byte) = next(bytes, 0);
    loop {
        let place = nodes.len();
        let kept = around.len() <= KEPT;
        let mut node = Node { start: small(at), end: 0, key, kind: Kind::Null, name, escaped: false };
        let mut opened = false;
        match byte {
            b'"' => {
                let (end, escaped) = string(bytes, at + 1, &mut odd)?;
                node = Node { start: small(at + 1), end: small(end), kind: Kind::Text, escaped, ..node };
                at = end + 1;
            }
            b'{' | b'[' => {
                opened = true;
                node.kind = if byte == b'{' { Kind::Object } else { Kind::List };
                if around.len() >= KEPT {
                    odd.deep.get_or_insert(at);
                }
                around.push(here);
                let place = if kept { small(place) } else { NOT_KEPT };
                // Both closing brackets are two code points after their opening ones.
                let step = if name == Name::UNKNOWN { here.step } else { Step::into(name) };
                here = Open { names: 0, node: place, end: byte + 2, suspect: false, step };
                at += 1;
            }
            _ => {
                (node.kind, at) = plain(bytes, at, byte, &mut odd)?;
                node.end = small(at);
            }
        }
        if kept {
            nodes.push(node);
        }
        (at, byte) = next(bytes, at);
        if !opened || byte == here.end {
            while byte == here.end {
                if byte == END {
                    return if at < bytes.len() { wrong(at, AFTER) } else { Ok((nodes, odd)) };
                }
                let after = small(nodes.len());
                if let Some(node) = nodes.get_mut(here.node as usize) {
                    node.end = after;
                    if here.suspect {
                        odd.suspects.push(here.node);
                    }
                }
                here = around.pop().unwrap_or(here);
                (at, byte) = next(bytes, at + 1);
            }
            if byte != b',' || here.end == END {
                return wrong_after(bytes, at, here.end);
            }
            (at, byte) = next(bytes, at + 1);
        }
        if here.end == b'}' {
            if byte != b'"' {
                return wrong(at, "expected a name in quotation marks");
            }
            let start = at + 1;
            key = small(start);
            name = order.guess(here.step);
            let end = if let Some(end) = names.ends(name, bytes, start) {
                here.meet(names.tag(name));
                end
            } else {
                let (end, escaped) = string(bytes, start, &mut odd)?;
                let written = bytes.get(start..end).unwrap_or_default();
                let tag = tag(written);
                name = if escaped { unescaped(written, names) } else { names.find(written, tag) };
                order.learn(here.step, name);
                here.meet(tag);
                // An escape may be another spelling of the same name.
                here.suspect |= escaped;
                end
            };
            here.step = Step::after(name);
            (at, byte) = next(bytes, end + 1);
            if byte != b':' {
                return wrong(at, "expected a colon");
            }
            (at, byte) = next(bytes, at + 1);
        } else {
            (key, name) = (0, Name::UNKNOWN);
        }
    }
}

const AFTER: &str = "there is text after the end";
const EARLY: &str = "the text ends too early";

#[cold]
fn wrong<T>(at: usize, why: &'static str) -> Result<T, Malformed> {
    Err(Malformed { at, why })
}

/// Returns the error for a place with neither a comma nor the end of what is open.
#[cold]
fn wrong_after<T>(bytes: &[u8], at: usize, end: u8) -> Result<T, Malformed> {
    let why = match end {
        END => AFTER,
        _ if at >= bytes.len() => EARLY,
        _ => "expected a comma or the end of the list or object",
    };
    wrong(at, why)
}

/// Skips to the next byte that is not a space.
#[inline]
fn next(bytes: &[u8], from: usize) -> (usize, u8) {
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(byte) => return (at, *byte),
            None => return (at, END),
        }
    }
}

/// Reads a string from after its first quotation mark to the last, and returns whether it has escapes.
#[inline]
fn string(bytes: &[u8], start: usize, odd: &mut AmbiguousParts) -> Result<(usize, bool), Malformed> {
    let end = stop(bytes, start);
    if bytes.get(end) == Some(&b'"') { Ok((end, false)) } else { escaped(bytes, end, odd) }
}

/// Continues reading a string at its first escape.
#[cold]
fn escaped(bytes: &[u8], from: usize, odd: &mut AmbiguousParts) -> Result<(usize, bool), Malformed> {
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok((at, true)),
            Some(b'\\') => at = stop(bytes, escape(bytes, at + 1, odd)?),
            Some(_) => return wrong(at, "a string contains a control character; write it as \\u00XX"),
            None => return wrong(at, "a string is not closed"),
        }
    }
}

/// Returns the closing place of a string that was read before.
pub(super) fn closing(bytes: &[u8]) -> usize {
    let mut at = stop(bytes, 0);
    while bytes.get(at) == Some(&b'\\') {
        at = stop(bytes, at + 2);
    }
    at
}

/// Recognises a name that contains escapes.
#[cold]
fn unescaped(written: &[u8], names: &Names) -> Name {
    let name = super::unescape(std::str::from_utf8(written).unwrap_or_default());
    names.find(name.as_bytes(), tag(name.as_bytes()))
}

/// Reads what follows a backslash.
fn escape(bytes: &[u8], at: usize, odd: &mut AmbiguousParts) -> Result<usize, Malformed> {
    match bytes.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
        Some(b'u') => {
            let Some(high) = unit(bytes, at) else { return wrong(at, "\\u needs four hexadecimal digits") };
            let end = at + 5;
            let low = || unit(bytes, end + 1).filter(|low| (0xDC00..=0xDFFF).contains(low));
            match high {
                0xD800..=0xDBFF if bytes.get(end) == Some(&b'\\') && low().is_some() => return Ok(end + 6),
                0xD800..=0xDFFF => drop(odd.lone.get_or_insert(at - 1)),
                _ => {}
            }
            Ok(end)
        }
        _ => wrong(at, "an unknown escape"),
    }
}

/// Reads `uXXXX`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let [b'u', digits @ ..] = bytes.get(at..at + 5)? else { return None };
    let digit = |unit: u16, byte: &u8| {
        let digit = char::from(*byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
        digit.map(|digit| unit << 4 | digit)
    };
    digits.iter().try_fold(0, digit)
}

/// Reads a value that is not a string, a list or an object, and returns where it ends.
fn plain(bytes: &[u8], at: usize, first: u8, odd: &mut AmbiguousParts) -> Result<(Kind, usize), Malformed> {
    let (kind, word) = match first {
        b'-' | b'0'..=b'9' => return Ok((Kind::Number, number(bytes, at, odd)?)),
        b't' => (Kind::Bool, "true"),
        b'f' => (Kind::Bool, "false"),
        b'n' => (Kind::Null, "null"),
        _ if at >= bytes.len() => return wrong(at, EARLY),
        _ => return wrong(at, "expected a value"),
    };
    let end = at + word.len();
    if bytes.get(at..end) != Some(word.as_bytes()) {
        return wrong(at, "expected a value");
    }
    Ok((kind, end))
}

/// The length up to which a number without an exponent is exact as a double.
const EXACT: usize = 15;

fn number(bytes: &[u8], start: usize, odd: &mut AmbiguousParts) -> Result<usize, Malformed> {
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    let whole = start + usize::from(is(start, b'-'));
    let mut at = digits(bytes, whole);
    if at == whole || (is(whole, b'0') && at > whole + 1) {
        return wrong(at, "a number must start with one digit other than 0, or be 0");
    }
    if is(at, b'.') {
        let point = at + 1;
        at = digits(bytes, point);
        if at == point {
            return wrong(at, "digits must follow the point");
        }
    }
    let mut doubtful = at - start > EXACT;
    if is(at, b'e') || is(at, b'E') {
        doubtful = true;
        let power = at + 1 + usize::from(is(at + 1, b'+') || is(at + 1, b'-'));
        at = digits(bytes, power);
        if at == power {
            return wrong(at, "the exponent needs digits");
        }
    }
    if doubtful && odd.inexact.is_none() {
        let text = std::str::from_utf8(bytes.get(start..at).unwrap_or_default());
        let exact = text.is_ok_and(holdpoint_core::json::is_exact_text);
        odd.inexact = (!exact).then_some(start);
    }
    Ok(at)
}

/// Returns where digits end.
fn digits(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Finds the first byte that ends a string, begins an escape, or is invalid in a string: eight at a time.
#[inline]
fn stop(bytes: &[u8], from: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = from;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*word);
        // The lowest remaining high bit marks the first such byte; higher ones may be carries.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let marks = (zero(word ^ (ONES * 0x22)) | zero(word ^ (ONES * 0x5C)) | control) & HIGH;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len())
}
