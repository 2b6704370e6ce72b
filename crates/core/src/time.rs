//! Points in time and time spans, as values. Nothing here reads a clock.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::text::quote;

/// A point in time: milliseconds since 1970 in UTC; RFC 3339 with `Z` as text. The text has as many digits as needed:
/// it is hashed and signed, so parsing and formatting must never change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The last millisecond of the year 9998: later times would need a fifth digit of the year in RFC 3339.
const LATEST: i64 = 253_370_764_799_999;

impl Timestamp {
    /// Returns the time this many milliseconds after 1970, clamped to the years 1970 to 9998.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(0, LATEST))
    }

    /// Returns the milliseconds since 1970.
    pub fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the time a span later, or none if that is outside the years 1970 to 9998.
    pub fn checked_add(self, span: Span) -> Option<Self> {
        self.0.checked_add(span.0).filter(|at| (0..=LATEST).contains(at)).map(Self)
    }

    /// Returns the text with all three digits of the milliseconds, as some signed statements use.
    pub fn in_full(self) -> String {
        jiff::Timestamp::from_millisecond(self.0).map_or_else(|_| self.to_string(), |at| format!("{at:.3}"))
    }

    fn out_of_range(text: &str) -> String {
        format!("{} is out of range; use a time of the years 1970 to 9998", quote(text))
    }

    /// Returns the time since `earlier`; zero if this is before it.
    pub fn since(self, earlier: Self) -> Span {
        Span((self.0 - earlier.0).max(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(at) => write!(f, "{at}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl FromStr for Timestamp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at: jiff::Timestamp = text.parse().map_err(|_| {
            if text.starts_with("9999-") {
                return Self::out_of_range(text);
            }
            format!("{} is not a time; use RFC 3339, e.g. 2026-11-15T12:00:00Z", quote(text))
        })?;
        let millis = at.as_millisecond();
        if (0..=LATEST).contains(&millis) { Ok(Self(millis)) } else { Err(Self::out_of_range(text)) }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A length of time in milliseconds; `1h30m`, `45s`, `250ms` or `2d` as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(i64);

/// Ten years: a deadline further off is a mistake.
const LONGEST: i64 = 3_650 * DAY;
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const UNITS: [(&str, i64); 5] = [("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];

impl Span {
    /// Returns a span of this many milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns a span of this many seconds.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(SECOND))
    }

    /// Returns the milliseconds in it.
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 <= 0 {
            return f.write_str("0s");
        }
        let mut rest = self.0;
        for (unit, millis) in UNITS {
            if rest >= millis {
                write!(f, "{}{unit}", rest / millis)?;
                rest %= millis;
            }
        }
        Ok(())
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || {
            format!("{} is not a duration; use a number and ms, s, m, h or d, e.g. 30m or 1h30m", quote(text))
        };
        let mut rest = text.trim();
        let mut total: i64 = 0;
        if rest.is_empty() {
            return Err(bad());
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?;
            let number: i64 = rest[..digits].parse().map_err(|_| bad())?;
            rest = &rest[digits..];
            let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            let (_, millis) = UNITS.iter().find(|(unit, _)| *unit == &rest[..letters]).ok_or_else(bad)?;
            total = number.checked_mul(*millis).and_then(|part| total.checked_add(part)).ok_or_else(bad)?;
            rest = &rest[letters..];
        }
        if total > LONGEST {
            Err(format!("{} is longer than ten years", quote(text)))
        } else {
            Ok(Self(total))
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_and_print() {
        for (text, millis) in
            [("1h30m", 5_400_000), ("45s", 45_000), ("250ms", 250), ("2d", 172_800_000), ("0s", 0)]
        {
            let span: Span = text.parse().unwrap();
            assert_eq!(span.as_millis(), millis, "{text}");
            assert_eq!(span.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in ["", "5", "m", "5x", "-5m", "5 m", "1.5h", "99999999999999999999s", "99999d", "٣s"] {
            assert!(text.parse::<Span>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn timestamps_read_and_print() {
        let at: Timestamp = "2026-11-15T13:00:00+01:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-11-15T12:00:00Z");
        assert_eq!(Timestamp::from_millis(1).to_string(), "1970-01-01T00:00:00.001Z");
        assert_eq!(Timestamp::from_millis(1_200).to_string(), "1970-01-01T00:00:01.2Z");
        assert_eq!(Timestamp::from_millis(1_200).in_full(), "1970-01-01T00:00:01.200Z");
        assert!("2026-02-30T00:00:00Z".parse::<Timestamp>().is_err());
        assert!("9999-12-31T00:00:00Z".parse::<Timestamp>().is_err());
    }
}
