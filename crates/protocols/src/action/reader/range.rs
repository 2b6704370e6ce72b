//! Moments that stand together: which of two is the start of a span and which its end.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::cue::Cue;
use super::day::{self, Reckoning};
use super::moment::Moment;
use super::relative;
use super::scan::Scan;
use super::words::Sort;

/// Takes the day right before an end as its start: `2 March until 6 March`.
pub(super) fn leads_to(scan: &Scan<'_>, first: &mut Moment, last: &Moment) {
    let adjacent = (first.end..last.start).len() <= 2
        && (first.end..last.start).all(|at| scan.word(at) != "," && !matches!(scan.word(at), "and" | "or"));
    // Of two ends that are joined the first is none.
    let joined = first.cue == Cue::End && day::joint(&scan.tokens, first.end, first.start).is_some();
    if (first.cue == Cue::None || joined) && last.cue == Cue::End && adjacent && first.day.is_some() {
        first.cue = Cue::Start;
    }
}

/// Takes two days that follow each other as a span: `Thursday and Friday`.
pub(super) fn follows_on(scan: &Scan<'_>, first: &Moment, last: &mut Moment) {
    let (Some(start), Some(end)) = (&first.day, &last.day) else { return };
    let open = matches!(first.cue, Cue::None | Cue::Start) && last.cue == Cue::None && first.time.is_none();
    // `today, tomorrow too`
    let too = matches!(scan.word(last.end), "too" | "also")
        || scan.word(last.end) == "as" && scan.word(last.end + 1) == "well";
    let joined = first.end + 1 == last.start
        && (matches!(scan.word(first.end), "and" | "&" | "+" | "/")
            || scan.word(first.end) == "or" && is_absence(scan, first.start)
            || scan.word(first.end) == "," && too);
    if open && joined && start.day.tomorrow().is_ok_and(|next| next == end.day) {
        last.cue = Cue::End;
    }
}

/// Returns whether a day is one on which somebody will not be there: `I won't be in today or tomorrow` names both.
fn is_absence(scan: &Scan<'_>, at: usize) -> bool {
    (1..=6)
        .map_while(|count| scan.before(at, count))
        .any(|token| token.among(&["won't", "can't", "cannot", "not"]))
}

/// Reads the end of a span again, reckoned from its start, where it would lie before it: `28 December to
/// 3 January`, `Friday to Monday`.
pub(super) fn not_before(scan: &Scan<'_>, first: &Moment, last: &mut Moment) {
    let (Some(start), Some(end)) = (&first.day, &last.day) else { return };
    if last.cue == Cue::End && end.day < start.day && !end.fixed {
        let from = Reckoning { today: start.day, backward: false, asked: false, week: None };
        let again = (last.start..last.end).find_map(|at| day::at(&scan.tokens, at, from));
        if let Some(again) = again.filter(|again| again.next <= last.end) {
            last.day = Some(again);
        }
    }
}

/// Reads a weekday of a week that is counted from the day before it, or from this week: `from Monday to Wednesday of the week
/// after`, `Friday of the week after next`.
pub(super) fn week_after(scan: &Scan<'_>, moments: &mut [Moment]) {
    for at in 0..moments.len() {
        let base = at.checked_sub(1).and_then(|before| moments[before].day.as_ref()).map(|said| said.day);
        let moment = &mut moments[at];
        let weekday = (moment.start..moment.end).find_map(|at| relative::day_name(&scan.tokens[at]));
        let from = moment.end + usize::from(matches!(scan.word(moment.end), "of" | "in"));
        let (weeks, end) =
            match (scan.word(from), scan.word(from + 1), scan.word(from + 2), scan.word(from + 3)) {
                ("the", "week", "after", "next") => (2, from + 4),
                ("the", "week", "after", "that" | "this") => (1, from + 4),
                ("the", "week", "after", _) | ("the", "following", "week", _) => (1, from + 3),
                _ => continue,
            };
        let (Some(weekday), Some(said)) = (weekday, &mut moment.day) else { continue };
        let base = base.filter(|_| weeks == 1).unwrap_or(scan.now.date());
        let monday = base.checked_sub(i32::from(base.weekday().to_monday_zero_offset()).days());
        let days = 7 * weeks + i32::from(weekday.to_monday_zero_offset());
        if let Ok(day) = monday.and_then(|monday| monday.checked_add(days.days())) {
            *said = day::Said::fixed(day, end);
            moment.end = end;
        }
    }
}

/// Reads the end of something again whose start is known, where a day told by its number or weekday would lie before it.
pub(super) fn after_start(scan: &Scan<'_>, start: Date, moment: &Moment) -> Option<day::Said> {
    let said = moment.day.as_ref().filter(|said| !said.fixed && said.or.is_none() && said.day < start)?;
    // A month that was said is meant.
    let named = (moment.start..moment.end).any(|at| day::is_month(&scan.tokens[at]));
    let from = Reckoning { today: start, backward: false, asked: true, week: None };
    let again = (moment.start..moment.end).find_map(|at| day::at(&scan.tokens, at, from))?;
    (!named && again.next <= said.next).then_some(again)
}

/// How many days lie at most between two that are spoken of together.
const NEAR: i32 = 7;

/// Asks in which month a day lies that is told by its number only, where another month was spoken of before it: `the baby is due
/// around 20 October, so I need leave from the 21st`.
pub(super) fn anchor(scan: &Scan<'_>, moments: &mut [Moment]) {
    let Some(month) = (0..scan.tokens.len()).find(|at| day::is_month(&scan.tokens[*at])) else { return };
    // The month of `7 to 9 July` is that of its end.
    let ranges: Vec<usize> =
        moments.windows(2).filter(|pair| pair[0].end == pair[1].start).map(|pair| pair[0].start).collect();
    let alone = |moment: &&mut Moment| {
        moment.start > month && moment.cue != Cue::End && !ranges.contains(&moment.start)
    };
    for moment in moments.iter_mut().filter(alone) {
        let named = (moment.start..moment.end).any(|at| {
            let token = &scan.tokens[at];
            token.sort == Sort::Word && !token.among(&["the", "st", "nd", "rd", "th", "at", "on"])
        });
        let Some(said) = moment.day.as_mut().filter(|said| !said.fixed && said.or.is_none() && !named) else {
            continue;
        };
        let from = scan.reckoning;
        let spoken = (0..=month).rev().take(4).find_map(|at| day::at(&scan.tokens, at, from));
        let Some(spoken) = spoken else { continue };
        let Ok(other) = spoken.day.with().day(said.day.day()).build() else { continue };
        let far = |day: Date| spoken.day.until(day).map_or(i32::MAX, |span| span.get_days().abs());
        // `the concert is on 23 May, so we come on the 22nd`: right beside the day that was spoken of.
        if far(other) <= NEAR && far(said.day) > 2 * NEAR && other >= from.today && !from.backward {
            said.day = other;
        } else {
            said.or = Some(other).filter(|other| *other != said.day);
        }
    }
}

/// Takes the second of two days where the first is taken back at once: `from the 5th, no wait, the 6th`.
pub(super) fn repaired(scan: &Scan<'_>, moments: &mut Vec<Moment>) {
    let mut at = 1;
    while at < moments.len() {
        let between = moments[at - 1].end..moments[at].start;
        let said: Vec<&str> = between
            .map(|at| scan.word(at))
            .filter(|word| !matches!(*word, "," | "-" | "–" | "…" | "." | "the" | "on"))
            .collect();
        let repairs = matches!(
            said[..],
            ["no" | "sorry" | "wait" | "rather" | "actually" | "oops"]
                | ["no" | "oh", "wait" | "sorry" | "no" | "actually"]
                | ["wait" | "sorry", "no" | "i", ..]
                | ["i", "mean" | "meant"]
                | ["or", "rather"]
                | ["no", "i" | "make" | "let's", ..]
                | ["make", "that" | "it"]
        ) && said.len() <= 4;
        if repairs {
            let cue = moments[at - 1].cue.clone();
            if moments[at].cue == Cue::None {
                moments[at].cue = cue;
            }
            moments.remove(at - 1);
        } else {
            at += 1;
        }
    }
}

/// Takes days between which somebody has not chosen as one that could be either: `Tuesday or Wednesday`.
pub(super) fn either(scan: &Scan<'_>, moments: &mut Vec<Moment>) {
    let mut at = 1;
    while at < moments.len() {
        let (first, last) = (&moments[at - 1], &moments[at]);
        let joined = scan.word(first.end) == "or"
            && !is_absence(scan, first.start)
            && (first.end + 1..last.start).all(|at| matches!(scan.word(at), "on" | "the" | "even"));
        let other = last.day.as_ref().filter(|_| joined && first.time.is_none() && last.time.is_none());
        match (other.map(|said| said.day), last.end) {
            (Some(day), end)
                if first.day.as_ref().is_some_and(|said| said.or.is_none() && said.day != day) =>
            {
                moments.remove(at);
                let first = &mut moments[at - 1];
                first.end = end;
                if let Some(said) = &mut first.day {
                    said.or = Some(day);
                }
            }
            _ => at += 1,
        }
    }
}
