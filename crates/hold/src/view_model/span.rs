//! Durations: short for columns, in words for sentences.

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;
/// From here on, days say nothing.
const YEARS: i64 = 2 * YEAR;

/// Formats a duration in one unit, for a column: `5s`, `2m`, `3h`, `4d`.
pub(crate) fn brief(millis: i64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0..MINUTE => format!("{seconds}s"),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        _ => format!("{}d", seconds / DAY),
    }
}

/// Formats a duration in words: `5 s`, `2 min`, `1 h 59 min`, `3 days 4 h`. The script of the pages does the same.
pub(crate) fn spelled_out(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    let and = |part: i64, unit: &str| if part == 0 { String::new() } else { format!(" {part} {unit}") };
    match seconds {
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h{}", seconds / HOUR, and(seconds % HOUR / MINUTE, "min")),
        YEARS.. => format!("{} years", seconds / YEAR),
        _ => {
            let days = seconds / DAY;
            format!("{days} day{}{}", if days == 1 { "" } else { "s" }, and(seconds % DAY / HOUR, "h"))
        }
    }
}

/// Formats how long something took: in milliseconds if less than a second.
pub(crate) fn elapsed(millis: u64) -> String {
    if millis < 1000 {
        format!("{millis} ms")
    } else {
        spelled_out(i64::try_from(millis).unwrap_or(i64::MAX))
    }
}

/// Formats the remaining time, rounded up: two hours that have just begun are two hours.
pub(crate) fn remaining(millis: i64) -> String {
    spelled_out(millis.saturating_add(999))
}

#[cfg(test)]
mod tests {
    use super::{brief, elapsed, remaining, spelled_out};

    #[test]
    fn a_time_is_said_as_people_say_it() {
        for (millis, narrow, said) in [
            (-5, "0s", "0 s"),
            (59_999, "59s", "59 s"),
            (60_000, "1m", "1 min"),
            (3_599_999, "59m", "59 min"),
            (7_140_000, "1h", "1 h 59 min"),
            (7_200_000, "2h", "2 h"),
            (86_400_000, "1d", "1 day"),
            (270_000_000, "3d", "3 days 3 h"),
            (729_496_800_000, "8443d", "23 years"),
        ] {
            assert_eq!((brief(millis).as_str(), spelled_out(millis).as_str()), (narrow, said), "{millis}");
        }
        assert_eq!(
            (remaining(7_199_400), remaining(500), remaining(i64::MAX)),
            ("2 h".into(), "1 s".into(), spelled_out(i64::MAX))
        );
        assert_eq!(
            (elapsed(67), elapsed(61_000), elapsed(u64::MAX)),
            ("67 ms".into(), "1 min".into(), spelled_out(i64::MAX))
        );
    }
}
