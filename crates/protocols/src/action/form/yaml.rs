//! The YAML of front matter, as JSON with lines. Hostile input is refused, not carried out: no anchors and
//! aliases (which can blow up to any size), no tags, no key twice, no deep nesting.
//!
//! Plain words stay words: only `true`, `false`, `null`, `~` and numbers in their usual spelling mean something
//! else, so that the option `No` is a text and the telephone number `0551` keeps its zero.

use holdpoint_core::text::inert_line;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Value};

use super::Flaw;
use super::lines::{Lines, join};

const DEPTH: usize = 32;

/// Reads one YAML document.
pub(super) fn read(text: &str) -> Result<(Value, Lines), Flaw> {
    let mut reading = YamlReader { parser: Parser::new_from_str(text), lines: Lines::default() };
    loop {
        match reading.next()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
            (Event::StreamEnd | Event::DocumentEnd, _) => return Ok((Value::Null, reading.lines)),
            (event, span) => {
                let value = reading.node(event, span, "", DEPTH)?;
                return Ok((value, reading.lines));
            }
        }
    }
}

struct YamlReader<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    lines: Lines,
}

impl<'a> YamlReader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Flaw> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(why)) => {
                let message = format!("is not YAML that can be read: {}", inert_line(why.info()));
                Err(flaw(why.marker().line(), message))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, pointer: &str, depth: usize) -> Result<Value, Flaw> {
        let line = span.start.line();
        self.lines.note(pointer.to_owned(), line);
        let deeper =
            || depth.checked_sub(1).ok_or_else(|| flaw(line, format!("nests deeper than {DEPTH} levels")));
        let plain = |anchor: usize, tagged: bool| match (anchor, tagged) {
            (0, false) => Ok(()),
            (0, true) => Err(flaw(line, "tags (!…) are not accepted")),
            _ => Err(flaw(line, "anchors (&…) are not accepted; write it out")),
        };
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                plain(anchor, tag.is_some())?;
                Ok(scalar(&text, style))
            }
            Event::SequenceStart(anchor, tag) => {
                plain(anchor, tag.is_some())?;
                let (mut items, depth) = (Vec::new(), deeper()?);
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => return Ok(Value::Array(items)),
                        (Event::StreamEnd, _) => return Err(flaw(line, "a list is not ended")),
                        (event, span) => {
                            let inner = join(pointer, &items.len().to_string());
                            items.push(self.node(event, span, &inner, depth)?);
                        }
                    }
                }
            }
            Event::MappingStart(anchor, tag) => {
                plain(anchor, tag.is_some())?;
                self.mapping(line, pointer, deeper()?)
            }
            Event::Alias(_) => Err(flaw(line, "aliases (*…) are not accepted; write it out")),
            _ => Err(flaw(line, "is not YAML that can be read")),
        }
    }

    fn mapping(&mut self, line: usize, pointer: &str, depth: usize) -> Result<Value, Flaw> {
        let mut map = Map::new();
        loop {
            let (key, span) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Value::Object(map)),
                (Event::Scalar(key, _, 0, None), span) => (key.into_owned(), span),
                (Event::Scalar(..), span) => {
                    return Err(flaw(span.start.line(), "a key takes no anchor or tag"));
                }
                (Event::StreamEnd, _) => return Err(flaw(line, "a mapping is not ended")),
                (_, span) => return Err(flaw(span.start.line(), "a key must be a text")),
            };
            if map.contains_key(&key) {
                let message = format!("key \"{}\" occurs twice", inert_line(&key));
                return Err(flaw(span.start.line(), message));
            }
            let inner = join(pointer, &key);
            self.lines.note(inner.clone(), span.start.line());
            let (event, span) = self.next()?;
            let value = self.node(event, span, &inner, depth)?;
            map.insert(key, value);
        }
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::from(text);
    }
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "" | "~" | "null" => Value::Null,
        _ => match holdpoint_core::json::parse_strict(text) {
            // Only what is written back the same: 1e3 and 007 may be part numbers.
            Ok(Value::Number(number)) if number.to_string().as_str() == text => Value::Number(number),
            _ => Value::from(text),
        },
    }
}

fn flaw(line: usize, message: impl Into<String>) -> Flaw {
    Flaw { line: Some(line), place: String::new(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_stay_words() {
        let text =
            "a: Yes\nb: true\nc: 5\nd: 0551\ne: 1.0\nf: 10:30\ng: 2026-03-01\nh: '5'\ni:\nj: [No, on]\n";
        assert_eq!(
            read(text).unwrap().0,
            json!({"a": "Yes", "b": true, "c": 5, "d": "0551", "e": 1.0, "f": "10:30", "g": "2026-03-01",
                   "h": "5", "i": null, "j": ["No", "on"]})
        );
    }

    #[test]
    fn what_could_grow_or_act_is_refused_by_line() {
        for (text, line, message) in [
            ("a: 1\nb: &x 2\n", 2, "anchors"),
            ("a: &x [1]\nb: *x\n", 1, "anchors"),
            ("a: !!python/object 1\n", 1, "tags"),
            ("a: 1\nc: 2\na: 3\n", 3, "occurs twice"),
            ("a: [1,\n", 2, "not YAML"),
            ("? [a]\n: b\n", 1, "a key must be a text"),
        ] {
            let flaw = read(text).unwrap_err();
            assert!(flaw.message.contains(message), "{text:?}: {flaw}");
            assert_eq!(flaw.line, Some(line), "{text:?}: {flaw}");
        }
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read(&"- ".repeat(50_000)).is_err());
    }
}
