//! The person's local time, by UTC offset or by the name of a time zone.

use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// Reads a zone: `Europe/Berlin`, `+03:00`, `UTC`.
///
/// # Errors
/// Returns a message that says what would be valid.
pub(crate) fn zone(text: &str) -> Result<TimeZone, String> {
    let text = text.trim();
    let wrong = || {
        let shown: String = inert_line(text).chars().take(60).collect();
        format!(
            "timezone is a name like Europe/Berlin, or how far the clock is from UTC, like +03:00; not {shown:?}"
        )
    };
    if matches!(text, "" | "Z" | "UTC") {
        return Ok(TimeZone::UTC);
    }
    let signed = match text.split_at_checked(1) {
        Some(("+", rest)) => Some((1, rest)),
        Some(("-", rest)) => Some((-1, rest)),
        _ => text.strip_prefix('−').map(|rest| (-1, rest)),
    };
    let Some((sign, rest)) = signed else {
        // Only characters that occur in zone names: the lookup must not be led to other files.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '+');
        let named = text.len() <= 64 && text.chars().all(plain) && !text.starts_with('/');
        return named.then(|| TimeZone::get(text).ok()).flatten().ok_or_else(wrong);
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some(parts) => parts,
        None if rest.len() == 4 && rest.is_ascii() => rest.split_at(2),
        None => (rest, "0"),
    };
    let number = |text: &str, most: i32| {
        let plain = !text.is_empty() && text.len() <= 2 && text.chars().all(|c| c.is_ascii_digit());
        plain.then(|| text.parse::<i32>().ok()).flatten().filter(|number| *number <= most)
    };
    let minutes = 60 * number(hours, 14).ok_or_else(wrong)? + number(minutes, 59).ok_or_else(wrong)?;
    Offset::from_seconds(sign * 60 * minutes).map(TimeZone::fixed).map_err(|_| wrong())
}

/// Returns a zone's name, in the form that [`zone`] reads.
pub(super) fn name(zone: &TimeZone) -> Option<String> {
    match zone.iana_name() {
        Some(name) => Some(name.to_owned()),
        None => zone.to_fixed_offset().ok().map(|offset| offset.to_string()),
    }
}

/// Returns the local time in a zone.
pub(super) fn shows(now: Timestamp, zone: &TimeZone) -> DateTime {
    let at = jiff::Timestamp::from_millisecond(now.as_millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    zone.to_datetime(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_by_name_and_by_distance() {
        // 10:30 UTC on 1 July 2026, when Berlin has summer time.
        let summer = Timestamp::from_millis(1_782_901_800_000);
        let read = |text: &str| shows(summer, &zone(text).unwrap()).to_string();
        for (text, shown) in [
            ("UTC", "2026-07-01T10:30:00"),
            ("", "2026-07-01T10:30:00"),
            ("Europe/Berlin", "2026-07-01T12:30:00"),
            ("europe/berlin", "2026-07-01T12:30:00"),
            ("Asia/Riyadh", "2026-07-01T13:30:00"),
            ("America/New_York", "2026-07-01T06:30:00"),
            ("Pacific/Kiritimati", "2026-07-02T00:30:00"),
            ("+03:00", "2026-07-01T13:30:00"),
            ("+0530", "2026-07-01T16:00:00"),
            ("-3", "2026-07-01T07:30:00"),
            ("−3:30", "2026-07-01T07:00:00"),
        ] {
            assert_eq!(read(text), shown, "{text}");
            assert_eq!(read(&name(&zone(text).unwrap()).unwrap()), shown, "{text}, as it is kept");
        }
        for wrong in
            ["Mars/Base", "+15", "+3:99", "+3:x", "../../etc/passwd", "/etc/localtime", "Berlin\n", "+", "é"]
        {
            assert!(zone(wrong).unwrap_err().contains("Europe/Berlin"), "{wrong}");
        }
    }
}
