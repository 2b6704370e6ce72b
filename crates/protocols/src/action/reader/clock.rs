//! Times of day as people say them.

use jiff::civil::Time;

use super::number;
use super::words::{Sort, Token};

/// A time that was said, and the token after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    pub(super) time: Time,
    pub(super) next: usize,
}

/// Which half of the day is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Morning,
    Evening,
}

/// Reads a time that begins at a token. `bare` takes a mere hour too, where the words before it say that a time
/// comes: `at 9`.
pub(super) fn at(tokens: &[Token], at: usize, bare: bool, tonight: bool) -> Option<Said> {
    let word = tokens.get(at)?;
    match word.low.as_str() {
        "noon" | "midday" => return said(12, 0, at + 1),
        "midnight" => return said(0, 0, at + 1),
        _ => {}
    }
    let (hour, minute, next, sure) = past_or_to(tokens, at).or_else(|| figures(tokens, at))?;
    let (half, next) = half_after(tokens, next).map_or((None, next), |(half, next)| (Some(half), next));
    if !sure && half.is_none() && !bare {
        return None;
    }
    let half = half.or((tonight && hour < 12).then_some(Half::Evening));
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => hour,
        Some(Half::Morning) => hour % 12,
        Some(Half::Evening) => hour % 12 + 12,
        None => hour,
    };
    said(hour, minute, next)
}

fn said(hour: i64, minute: i64, next: usize) -> Option<Said> {
    let time = Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()?;
    Some(Said { time, next })
}

/// Reads `half past nine`, `quarter to six`, `ten past 8`: hour, minute, next token, and that it is surely a time.
fn past_or_to(tokens: &[Token], at: usize) -> Option<(i64, i64, usize, bool)> {
    let article = usize::from(tokens.get(at)?.is("a"));
    let word = tokens.get(at + article)?;
    let (minutes, next) = match word.low.as_str() {
        "half" => (30, at + article + 1),
        "quarter" => (15, at + article + 1),
        _ => {
            let (minutes, next) = number::whole(tokens, at, 29)?;
            (
                minutes,
                next + usize::from(tokens.get(next).is_some_and(|token| token.among(&["minutes", "minute"]))),
            )
        }
    };
    let way = tokens.get(next)?;
    // `half three` is half past it.
    if word.is("half")
        && article == 0
        && let Some((hour, after)) = number::whole(tokens, next, 12).filter(|(hour, _)| *hour > 0)
        && (hour_stands_alone(tokens, after) || half_after(tokens, after).is_some())
    {
        return Some((hour, 30, after, true));
    }
    let (hour, after) = number::whole(tokens, next + 1, 24)?;
    let to = way.among(&["to", "before"]);
    // `11 to 15` is a range, not a time: only a quarter is counted down to in figures.
    if to && (word.sort == Sort::Digits || minutes == 30) {
        return None;
    }
    if to {
        Some(((hour + 23) % 24, 60 - minutes, after, true))
    } else {
        way.among(&["past", "after"]).then_some((hour, minutes, after, true))
    }
}

/// Reads `15:30`, `9.30am`, `3 pm`, `9 o'clock`, `9`.
fn figures(tokens: &[Token], at: usize) -> Option<(i64, i64, usize, bool)> {
    let hour = tokens.get(at)?;
    let glued = |at: usize| tokens.get(at).filter(|token| !token.spaced);
    if hour.sort == Sort::Digits && hour.low.len() <= 2 {
        let minute = glued(at + 2)
            .filter(|token| token.low.len() == 2)
            .and_then(Token::number)
            .filter(|minute| *minute < 60);
        if let (Some(sign), Some(minute)) = (glued(at + 1), minute) {
            let more = glued(at + 3).is_some_and(|token| {
                token.is(".") && glued(at + 4).is_some_and(|next| next.sort == Sort::Digits)
            });
            if sign.is(":") {
                let seconds = glued(at + 3).is_some_and(|token| token.is(":"))
                    && glued(at + 4).is_some_and(|token| token.sort == Sort::Digits);
                return Some((
                    hour.number().filter(|hour| *hour < 24)?,
                    minute,
                    at + if seconds { 5 } else { 3 },
                    true,
                ));
            }
            if sign.is(".") && !more && half_after(tokens, at + 3).is_some() {
                return Some((hour.number()?, minute, at + 3, true));
            }
            // `at 10.45`
            if sign.is(".") && !more && glued(at + 3).is_none_or(|token| token.sort == Sort::Sign) {
                return Some((hour.number().filter(|hour| *hour < 24)?, minute, at + 3, false));
            }
        }
    }
    if let Some(spoken) = spoken(tokens, at) {
        return Some(spoken);
    }
    let (hour, next) = number::whole(tokens, at, 23)?;
    if hour == 12 && tokens.get(next).is_some_and(|token| token.among(&["noon", "midday"])) {
        return Some((12, 0, next + 1, true));
    }
    if hour == 12 && tokens.get(next).is_some_and(|token| token.is("midnight")) {
        return Some((0, 0, next + 1, true));
    }
    if tokens.get(next).is_some_and(|token| token.is("o'clock")) {
        return Some((hour, 0, next + 1, true));
    }
    // A number that goes on is something else: 2026, 11 February, 24.7, 3 nights.
    let plain = hour_stands_alone(tokens, next) || half_after(tokens, next).is_some();
    plain.then_some((hour, 0, next, false))
}

/// Reads `eleven fifteen`, `nine oh five`. What is counted behind it makes a number of it: `two thirty inch screens`.
fn spoken(tokens: &[Token], at: usize) -> Option<(i64, i64, usize, bool)> {
    let in_words = |at: usize| tokens.get(at).is_some_and(|token| token.sort == Sort::Word);
    let (hour, after) =
        number::whole(tokens, at, 12).filter(|(hour, after)| *hour > 0 && *after == at + 1)?;
    let oh = usize::from(tokens.get(after).is_some_and(|token| token.among(&["oh", "o"])));
    let (minute, next) = number::whole(tokens, after + oh, 59)?;
    let fits = if oh == 1 { (1..10).contains(&minute) } else { minute >= 10 };
    let ends = hour_stands_alone(tokens, next) || half_after(tokens, next).is_some();
    (in_words(at) && in_words(after) && in_words(after + oh) && fits && ends)
        .then_some((hour, minute, next, true))
}

fn hour_stands_alone(tokens: &[Token], next: usize) -> bool {
    tokens.get(next).is_none_or(|token| match token.sort {
        Sort::Sign => {
            token.among(&[",", ".", "!", "?", ";"]) && tokens.get(next + 1).is_none_or(|more| more.spaced)
        }
        Sort::Digits => false,
        // `at 11 would suit me`, `at 9 because …`; a noun would be counted.
        Sort::Word => {
            super::lexicon::is_small(token)
                && !token.among(&["of", "to", "or", "more", "other", "others", "new"])
                || super::lexicon::is_going(token)
                || super::relative::day_name(token).is_some()
                || token.among(&["sharp", "today", "tomorrow", "tonight", "because"])
        }
    })
}

/// Reads which half of the day: `pm`, `a.m.`, `in the evening`, `at night`.
fn half_after(tokens: &[Token], at: usize) -> Option<(Half, usize)> {
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.low.as_str());
    let half = |name: &str| match name {
        "am" | "a" | "morning" => Some(Half::Morning),
        "pm" | "p" | "afternoon" | "evening" | "night" => Some(Half::Evening),
        _ => None,
    };
    match (word(0), word(1), word(2)) {
        (name @ ("am" | "pm"), ..) => half(name).map(|half| (half, at + 1)),
        (name @ ("a" | "p"), ".", "m") => {
            let dot = usize::from(word(3) == "." && tokens.get(at + 3).is_some_and(|token| !token.spaced));
            half(name).map(|half| (half, at + 3 + dot))
        }
        ("in" | "on", "the", name @ ("morning" | "afternoon" | "evening")) => {
            half(name).map(|half| (half, at + 3))
        }
        ("at", "night", _) => Some((Half::Evening, at + 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, bare, time) in [
            ("15:30", false, "15:30:00"),
            ("3pm", false, "15:00:00"),
            ("9.30am", false, "09:30:00"),
            ("12 a.m.", false, "00:00:00"),
            ("half past nine", false, "09:30:00"),
            ("half past nine in the evening", false, "21:30:00"),
            ("quarter to six pm", false, "17:45:00"),
            ("a quarter past seven", false, "07:15:00"),
            ("noon", false, "12:00:00"),
            ("midnight", false, "00:00:00"),
            ("9 o'clock", false, "09:00:00"),
            ("8 in the evening", false, "20:00:00"),
            ("9", true, "09:00:00"),
            ("twelve thirty", false, "12:30:00"),
            ("eleven fifteen", false, "11:15:00"),
            ("nine oh five", false, "09:05:00"),
            ("two forty-five p.m.", false, "14:45:00"),
            ("three p.m.", false, "15:00:00"),
            ("08:00:30", false, "08:00:00"),
        ] {
            let said = at(&tokens(text), 0, bare, false).map(|said| said.time.to_string());
            assert_eq!(said.as_deref(), Some(time), "{text}");
        }
        for text in [
            "9",
            "11 to 15",
            "25:00",
            "3 nights",
            "2026",
            "24.7136",
            "a",
            "two thirty inch screens",
            "one two",
            "10 30",
        ] {
            assert_eq!(at(&tokens(text), 0, false, false), None, "{text}");
        }
        assert_eq!(at(&tokens("11"), 0, true, true).unwrap().time.to_string(), "23:00:00");
    }
}
