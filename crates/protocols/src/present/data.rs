//! Nested values: their structure, their size, and their content as lines of text.

use holdpoint_core::text::inert;
use serde_json::Value;

use super::shown_name;

/// A value of a subject, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A simple value, as it was sent. A text that looks like another value is in quotes, to distinguish it.
    Text(String),
    /// Values with names.
    Members(Vec<(String, Data)>),
    /// Values in their order.
    Items(Vec<Data>),
}

impl Data {
    /// Converts a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Object(members) if !members.is_empty() => {
                let member = |(name, value): (&String, &Value)| (name.clone(), Self::of(value));
                Self::Members(members.iter().map(member).collect())
            }
            Value::Array(items) if !items.is_empty() => Self::Items(items.iter().map(Self::of).collect()),
            Value::String(text) if !reads_as_other(text) => Self::Text(text.clone()),
            other => Self::Text(other.to_string()),
        }
    }

    /// Describes its size.
    pub fn extent(&self) -> String {
        let (count, what) = match self {
            Self::Text(text) => (text.split('\n').count(), "line"),
            Self::Members(members) => (members.len(), "field"),
            Self::Items(items) => (items.len(), "item"),
        };
        format!("{count} {what}{}", if count == 1 { "" } else { "s" })
    }

    /// Returns how many lines its text has.
    pub fn lines(&self) -> usize {
        let below = |value: &Self| value.lines() + usize::from(!value.is_line());
        match self {
            Self::Text(text) => text.split('\n').count(),
            Self::Members(members) => members.iter().map(|(_, value)| below(value)).sum(),
            Self::Items(items) => items.iter().map(below).sum(),
        }
    }

    /// Formats it as text: nested values are indented, below a heading with their number, so that nothing can pass for
    /// more than it is.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        self.write(0, &mut out);
        out.join("\n")
    }

    fn write(&self, depth: usize, out: &mut Vec<String>) {
        let indent = "  ".repeat(depth);
        let mut below = |head: &str, between: &str, value: &Self| {
            if value.is_line() {
                out.push(format!("{indent}{head}{between}{}", value.text()));
            } else {
                out.push(format!("{indent}{head} ({}):", value.extent()));
                value.write(depth + 1, out);
            }
        };
        match self {
            Self::Members(members) => {
                for (name, value) in members {
                    below(&shown_name(name), ": ", value);
                }
            }
            Self::Items(items) => {
                for value in items {
                    below("-", " ", value);
                }
            }
            Self::Text(text) => out.extend(inert(text).split('\n').map(|line| format!("{indent}{line}"))),
        }
    }

    /// Returns whether it fits on one line.
    fn is_line(&self) -> bool {
        matches!(self, Self::Text(text) if !text.contains('\n'))
    }
}

/// Returns whether a text on one line could be taken for another value, or for less than it is.
fn reads_as_other(text: &str) -> bool {
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    !text.contains('\n') && (text.is_empty() || text.trim() != text || is_json())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_passes_for_more_than_it_is() {
        for (value, lines) in [
            (
                json!({"a": 1, "b": "1", "c": "", "d": " x", "e": "x"}),
                "a: 1\nb: \"1\"\nc: \"\"\nd: \" x\"\ne: x",
            ),
            (json!([[], {}, "{}", null, "null"]), "- []\n- {}\n- \"{}\"\n- null\n- \"null\""),
            (
                json!({"a": {"b": [1, {"c": true}]}}),
                "a (1 field):\n  b (2 items):\n    - 1\n    - (1 field):\n      c: true",
            ),
            (json!({"a": "x\nadmin: true"}), "a (2 lines):\n  x\n  admin: true"),
            (json!({"a": "  1\n2\n"}), "a (3 lines):\n    1\n  2\n  "),
            (json!({"a (2 lines)": "x"}), "\"a (2 lines)\": x"),
            (json!({"a: b": "\u{202e}"}), "\"a: b\": <U+202E>"),
        ] {
            let data = Data::of(&value);
            assert_eq!(data.text(), lines, "{value}");
            assert_eq!(data.lines(), lines.lines().count(), "{value}");
        }
    }
}
