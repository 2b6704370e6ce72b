//! Hours of a day in a time zone, for quiet hours, also on days when the clock changes.
//!
//! The zones are compiled in, so they are the same on every machine and need no file of the system.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Timestamp;
use crate::text::quote;

/// The longest name of a time zone.
const LONGEST_NAME: usize = 64;

/// A time of day, to the minute; `HH:MM` as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayTime {
    hour: i8,
    minute: i8,
}

impl DayTime {
    /// Returns a time of day, if it is a valid one.
    pub fn new(hour: i8, minute: i8) -> Option<Self> {
        ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some(Self { hour, minute })
    }

    fn on(self, date: Date) -> DateTime {
        date.at(self.hour, self.minute, 0, 0)
    }

    /// Returns when a day reaches this time. If the clock skips it, the instant just after the gap is used; if it
    /// occurs twice, `which` selects the first or the last.
    pub(super) fn instant(self, zone: &TimeZone, date: Date, which: AmbiguousTime) -> Option<Timestamp> {
        let wanted = self.on(date);
        let at = match zone.to_ambiguous_timestamp(wanted).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(wanted).ok()?,
            AmbiguousOffset::Fold { before, after } => {
                let offset = if which == AmbiguousTime::First { before } else { after };
                offset.to_timestamp(wanted).ok()?
            }
            AmbiguousOffset::Gap { after, .. } => {
                let earlier = after.to_timestamp(wanted).ok()?;
                zone.following(earlier).next()?.timestamp()
            }
        };
        Some(Timestamp::from_millis(at.as_millisecond()))
    }
}

/// Selects one of two equal times of a day.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AmbiguousTime {
    First,
    Last,
}

/// The hours in which only urgent notices are sent; they span midnight if they end before they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = QuietHours))]
#[serde(deny_unknown_fields)]
pub struct Quiet {
    /// When they begin.
    pub from: DayTime,
    /// When they end.
    pub until: DayTime,
}

impl Quiet {
    /// Returns when they end, if a time lies in them. The end itself is outside.
    pub(super) fn until(self, zone: &TimeZone, at: Timestamp) -> Option<Timestamp> {
        let mut end = self.around(zone, at)?;
        // On the day that the clock is set back, quiet hours of nearly a day may run into the next ones.
        while let Some(later) = self.around(zone, end) {
            end = later;
        }
        Some(end)
    }

    /// Returns the end of the quiet hours that contain a time; they may begin the day before or after.
    fn around(self, zone: &TimeZone, at: Timestamp) -> Option<Timestamp> {
        let today = day_of(zone, at)?;
        let days = [today.yesterday().ok(), Some(today), today.tomorrow().ok()];
        let ends = days.into_iter().flatten().filter_map(|day| {
            let last = if self.from < self.until { day } else { day.tomorrow().ok()? };
            let begin = self.from.instant(zone, day, AmbiguousTime::First)?;
            let end = self.until.instant(zone, last, AmbiguousTime::Last)?;
            (begin <= at && at < end).then_some(end)
        });
        ends.max()
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.until)
    }
}

impl FromStr for Quiet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || format!("{} is not a range of hours; use e.g. 22:00-07:00", quote(text));
        let (from, until) = text.split_once(['-', '–']).ok_or_else(usage)?;
        Ok(Self { from: from.trim().parse()?, until: until.trim().parse()? })
    }
}

impl fmt::Display for DayTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

impl FromStr for DayTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |part: &str| {
            let plain = matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| part.parse().ok()).flatten()
        };
        let time = text.split_once(':').filter(|(_, minute)| minute.len() == 2);
        let time = time.and_then(|(hour, minute)| Self::new(read(hour)?, read(minute)?));
        time.ok_or_else(|| format!("{} is not a time of day; use 00:00 to 23:59", quote(text)))
    }
}

impl Serialize for DayTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DayTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Returns the zone of a name; UTC if there is none, or if this program does not know it.
pub(super) fn zone(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}

/// Returns the canonical spelling of a zone's name.
pub(super) fn known_zone(name: &str) -> Result<String, String> {
    let unknown =
        || format!("{} is not a time zone; use a name of the IANA database, e.g. Europe/Berlin", quote(name));
    if name.len() > LONGEST_NAME {
        return Err(unknown());
    }
    let zone = TimeZone::get(name).ok().filter(|zone| !zone.is_unknown()).ok_or_else(unknown)?;
    Ok(zone.iana_name().ok_or_else(unknown)?.to_owned())
}

/// Returns a time as a clock in a zone shows it.
pub(super) fn local(name: Option<&str>, at: Timestamp) -> String {
    let zone = zone(name);
    match jiff::Timestamp::from_millisecond(at.as_millis()) {
        Ok(time) => {
            let time = zone.to_datetime(time);
            let name = zone.iana_name().unwrap_or("UTC");
            format!("{} {:02}:{:02} {name}", time.date(), time.hour(), time.minute())
        }
        Err(_) => at.to_string(),
    }
}

/// Returns the day on which a time lies in a zone.
pub(super) fn day_of(zone: &TimeZone, at: Timestamp) -> Option<Date> {
    Some(zone.to_datetime(jiff::Timestamp::from_millisecond(at.as_millis()).ok()?).date())
}
