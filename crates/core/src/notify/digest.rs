//! When mail about non-urgent matters is sent: at once, or gathered hourly or daily.

use std::fmt;
use std::str::FromStr;

use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::hours::{AmbiguousTime, DayTime, day_of};
use crate::text::quote;
use crate::{Span, Timestamp};

const HOUR: i64 = 60 * 60 * 1_000;

/// When mail about non-urgent decisions is sent; `at_once`, `hourly`, `daily HH:MM` or `never` as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digest {
    /// A mail for each, at once.
    #[default]
    AtOnce,
    /// One mail at every full hour, if there was something to send.
    Hourly,
    /// One mail a day, at this time.
    Daily(DayTime),
    /// No mail.
    Never,
}

impl Digest {
    /// Returns whether mail is neither gathered nor left out.
    pub fn is_at_once(&self) -> bool {
        *self == Self::AtOnce
    }

    /// Returns when the first digest after a time is due.
    pub(super) fn after(self, zone: &TimeZone, at: Timestamp) -> Option<Timestamp> {
        match self {
            Self::AtOnce | Self::Never => None,
            Self::Hourly => {
                let local = zone.to_datetime(jiff::Timestamp::from_millisecond(at.as_millis()).ok()?);
                let past = (i64::from(local.minute()) * 60 + i64::from(local.second())) * 1_000;
                let past = past + i64::from(local.millisecond());
                at.checked_add(Span::from_millis(HOUR - past))
            }
            Self::Daily(time) => {
                let today = day_of(zone, at)?;
                let tomorrow = today.tomorrow().ok();
                let days = [
                    today.yesterday().ok(),
                    Some(today),
                    tomorrow,
                    tomorrow.and_then(|day| day.tomorrow().ok()),
                ];
                let times = days
                    .into_iter()
                    .flatten()
                    .filter_map(|day| time.instant(zone, day, AmbiguousTime::First));
                times.filter(|due| *due > at).min()
            }
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtOnce => f.write_str("at_once"),
            Self::Hourly => f.write_str("hourly"),
            Self::Daily(time) => write!(f, "daily {time}"),
            Self::Never => f.write_str("never"),
        }
    }
}

impl FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim() {
            "at_once" | "at-once" => Self::AtOnce,
            "hourly" => Self::Hourly,
            "never" => Self::Never,
            other => match other.strip_prefix("daily ") {
                Some(time) => Self::Daily(time.trim().parse()?),
                None => {
                    return Err(format!(
                        "{} is unknown; use at_once, hourly, \"daily HH:MM\" or never",
                        quote(text)
                    ));
                }
            },
        })
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
