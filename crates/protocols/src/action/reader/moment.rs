//! Dates and times, and which field each belongs to.

use holdpoint_core::{Field, Kind};
use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};
use serde_json::json;

use super::bound::{bounded, denied, is_window};
use super::cue::{Cue, cue};
use super::day::Reckoning;
use super::mention::{Phrase, phrases};
use super::range::{after_start, anchor, either, follows_on, leads_to, not_before, repaired, week_after};
use super::role::{asks_by_when, is_end, is_start};
use super::scan::Scan;
use super::words::Sort;
use super::{Partial, clock, day, monthly, quantity};

/// A day, a time or both.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) day: Option<day::Said>,
    pub(super) time: Option<Time>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) cue: Cue,
}

/// Finds moments and gives them to the fields that they belong to.
pub(super) fn read(scan: &mut Scan<'_>) {
    if !scan.fields.iter().any(|field| field.kind.is_temporal()) {
        return;
    }
    let names: Vec<Vec<Phrase>> = scan.fields.iter().map(phrases).collect();
    let mut moments = find(scan, &names);
    repaired(scan, &mut moments);
    either(scan, &mut moments);
    anchor(scan, &mut moments);
    week_after(scan, &mut moments);
    for at in 1..moments.len() {
        let (before, rest) = moments.split_at_mut(at);
        if let (Some(first), Some(last)) = (before.last_mut(), rest.first_mut()) {
            let between = scan.word(first.end) == "and"
                && first.cue == Cue::Start
                && first.end + 1 >= last.start.saturating_sub(1);
            if last.cue == Cue::None
                && between
                && scan.before(first.start, 1).is_some_and(|token| token.is("between"))
            {
                last.cue = Cue::End;
            }
            leads_to(scan, first, last);
            follows_on(scan, first, last);
            not_before(scan, first, last);
        }
    }
    // Where the words say which field a moment is for, a day that is merely mentioned is for none.
    let (loose, cued): (Vec<Moment>, Vec<Moment>) =
        moments.into_iter().partition(|moment| matches!(moment.cue, Cue::None));
    for moment in &cued {
        // `it both started and ended on 1 April`
        if moment.cue == Cue::End && starts_too(scan, moment.start) {
            assign(scan, &Moment { cue: Cue::Start, ..moment.clone() });
        }
        assign(scan, moment);
    }
    for moment in licensed(scan, loose) {
        assign(scan, &moment);
    }
}

/// Returns whether something started on the day on which it ended: `started and finished yesterday`.
fn starts_too(scan: &Scan<'_>, at: usize) -> bool {
    (2..=6).map_while(|count| scan.before(at, count).map(|token| (count, token))).any(|(count, token)| {
        token.is("and")
            && scan.before(at, count + 1).is_some_and(|token| {
                token.among(&[
                    "started",
                    "began",
                    "starts",
                    "begins",
                    "start",
                    "begin",
                    "commenced",
                    "starting",
                    "first",
                ])
            })
    })
}

/// Returns the moments without a cue that are stated for this form. Of several days only those count that stand in a clause
/// about it, if there is such a clause.
fn licensed(scan: &mut Scan<'_>, loose: Vec<Moment>) -> Vec<Moment> {
    let about = |scan: &Scan<'_>, moment: &Moment| scan.is_about(moment.start);
    let some = loose.iter().filter(|moment| moment.day.is_some()).any(|moment| about(scan, moment));
    let mut kept = Vec::new();
    for moment in loose {
        let beside = moment.day.is_some() && some && !about(scan, &moment);
        let hour = moment.day.is_none()
            && scan.asked.is_none()
            && !about(scan, &moment)
            && !scan.is_bare(moment.start)
            && !scan.says_come(moment.start)
            && !is_moved(scan, moment.start)
            && (scan.known.is_empty()
                || !matches!(super::manner(scan.text), super::Manner::Correct | super::Manner::Edit));
        if beside || hour {
            scan.claim(moment.start..moment.end);
        } else {
            kept.push(moment);
        }
    }
    kept
}

/// Returns whether what is known is moved to a time: `push it to 3 pm`.
fn is_moved(scan: &Scan<'_>, start: usize) -> bool {
    let moves = |at: usize| {
        matches!(scan.word(at), "push" | "move" | "bump" | "shift" | "postpone" | "delay" | "put" | "bring")
            && matches!(scan.word(at + 1), "it" | "that" | "this" | "mine")
    };
    !scan.known.is_empty()
        && scan.before(start, 1).is_some_and(|token| token.is("to"))
        && scan.sentence(start).any(moves)
}

/// Reads the moment that stands right behind a field's name.
pub(super) fn read_within(scan: &mut Scan<'_>, field: &Field, start: usize) {
    let from = reckoning(scan, start);
    if let Some(moment) =
        moment_at(scan, start, from).filter(|moment| scan.free_days(moment.start..moment.end))
    {
        give(scan, field, &moment);
    }
}

fn reckoning(scan: &Scan<'_>, at: usize) -> Reckoning {
    let from = scan.reckoning;
    let since = (1..=3).filter_map(|count| scan.before(at, count)).any(|token| token.is("since"));
    let asked = scan.asked.is_some_and(|field| field.kind.is_temporal());
    Reckoning { backward: from.backward || since, asked, ..from }
}

fn find(scan: &mut Scan<'_>, names: &[Vec<Phrase>]) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut at = 0;
    while at < scan.tokens.len() {
        let from = reckoning(scan, at);
        let range =
            day::range(&scan.tokens, at, from).or_else(|| day::month_first_range(&scan.tokens, at, from));
        if let Some((first, last)) = range.filter(|(_, last)| scan.free_days(at..last.next)) {
            let (middle, end) = (first.next, last.next);
            if is_window(scan, at, &first, &last) {
                scan.claim(at..end);
                at = end;
                continue;
            }
            moments.push(Moment { day: Some(first), time: None, start: at, end: middle, cue: Cue::Start });
            moments.push(Moment { day: Some(last), time: None, start: middle, end, cue: Cue::End });
            at = end;
            continue;
        }
        if let Some((why, end)) =
            monthly::missing(&scan.tokens, at).filter(|(_, end)| scan.free_days(at..*end))
        {
            monthly::tell_missing(scan, names, at..end, why);
            at = end;
            continue;
        }
        match moment_at(scan, at, from)
            .map(|moment| ahead_of_long_ago(scan, at, from, moment))
            .or_else(|| soon(scan, at))
            .or_else(|| beside(scan, at, from))
            .filter(|moment| scan.free_days(moment.start..moment.end))
        {
            Some(mut moment) => {
                at = moment.end;
                // What is reported has happened.
                let ahead = scan.report && moment.day.as_ref().is_some_and(|said| said.day > scan.now.date());
                if ahead || denied(scan, moment.start) {
                    scan.claim(moment.start..moment.end);
                    continue;
                }
                if let Some(end) = bounded(scan, &moment) {
                    scan.claim(moment.start..end);
                    at = end;
                    continue;
                }
                moment.cue = cue(scan, names, moment.start);
                // By when something shall be done is not when something is.
                let over = scan.report && scan.asked.is_some_and(is_end);
                if moment.cue == Cue::None && !over && is_due(scan, moment.start) {
                    let Some(field) = scan.fields.iter().position(asks_by_when) else {
                        scan.claim(moment.start..moment.end);
                        continue;
                    };
                    moment.cue = Cue::Named(field);
                }
                moments.push(moment);
            }
            None => at += 1,
        }
    }
    moments
}

/// Returns whether words say that something is due at a moment: `by Friday`, `before the 3rd`.
fn is_due(scan: &Scan<'_>, start: usize) -> bool {
    let lead = (1..=2).map_while(|count| scan.before(start, count)).find(|token| !token.is("the"));
    // `I could come by on Tuesday`
    let comes = || {
        (2..=3).map_while(|count| scan.before(start, count)).any(|token| {
            token.among(&[
                "come", "coming", "drop", "pop", "stop", "swing", "pass", "call", "stay", "nip", "came",
            ])
        })
    };
    lead.is_some_and(|token| token.is("before") || token.is("by") && !comes())
}

/// Reads a day with or without a time, or a time with or without a day.
fn moment_at(scan: &Scan<'_>, start: usize, from: Reckoning) -> Option<Moment> {
    let timed = scan.asked.is_some_and(|field| matches!(field.kind, Kind::Time | Kind::Datetime));
    if let Some(said) = day::at(&scan.tokens, start, from) {
        // `Wednesday afternoon at three`
        let part = scan.word(said.next);
        let late = matches!(part, "afternoon" | "evening" | "night");
        let mut next = said.next + usize::from(late || part == "morning");
        let mut bare = false;
        while matches!(scan.word(next), "," | "at" | "around" | "about" | "t" | "by" | "from") {
            bare |= matches!(scan.word(next), "at" | "around" | "about");
            next += 1;
        }
        let time = clock::at(&scan.tokens, next, bare, scan.tonight);
        let later = |time: Time| {
            if late && (1..12).contains(&time.hour()) { time.wrapping_add(12.hours()) } else { time }
        };
        let (time, end) = time.map_or((None, said.next), |time| (Some(later(time.time)), time.next));
        return Some(Moment { day: Some(said), time, start, end, cue: Cue::None });
    }
    let bare = timed
        || is_moved(scan, start)
        || start.checked_sub(1).is_some_and(|before| matches!(scan.word(before), "at" | "around" | "about"));
    let time = clock::at(&scan.tokens, start, bare, scan.tonight)?;
    let mut next = time.next;
    while matches!(scan.word(next), "," | "on")
        || scan.word(next) == "of" && next > time.next.saturating_sub(1)
    {
        next += 1;
    }
    let said = day::at(&scan.tokens, next, from);
    let end = said.as_ref().map_or(time.next, |said| said.next);
    Some(Moment { day: said, time: Some(time.time), start, end, cue: Cue::None })
}

/// Reads a day again that would lie most of a year back only because of `since`: many say `since 2 March` of what is to come.
fn ahead_of_long_ago(scan: &Scan<'_>, start: usize, from: Reckoning, moment: Moment) -> Moment {
    let long_ago = moment.day.as_ref().is_some_and(|said| said.or.is_some() && !said.fixed);
    if scan.reckoning.backward || !from.backward || !long_ago {
        return moment;
    }
    moment_at(scan, start, Reckoning { backward: false, ..from }).unwrap_or(moment)
}

/// Reads a day by the one that was spoken of last: `the conference starts on 9 March, I'd arrive the evening before`.
fn beside(scan: &Scan<'_>, start: usize, from: Reckoning) -> Option<Moment> {
    let days = match (scan.word(start), scan.word(start + 1), scan.word(start + 2)) {
        ("the", "day" | "evening" | "night" | "afternoon", "before") => -1,
        ("the", "day" | "morning", "after") => 1,
        _ => return None,
    };
    let end = start + 3;
    let ends = scan
        .tokens
        .get(end)
        .is_none_or(|next| next.sort == Sort::Sign || next.among(&["and", "for", "please"]));
    let base =
        (0..start).rev().find_map(|at| day::at(&scan.tokens, at, from).filter(|said| said.next <= start));
    let day = base.filter(|base| ends && base.or.is_none())?.day.checked_add(days.days()).ok()?;
    Some(Moment { day: Some(day::Said::fixed(day, end)), time: None, start, end, cue: Cue::None })
}

/// Reads a moment that is counted from now: `in 45 minutes`, `half an hour ago`.
fn soon(scan: &Scan<'_>, start: usize) -> Option<Moment> {
    let ahead = scan.word(start) == "in";
    let (minutes, next) = quantity::length_at(scan, start + usize::from(ahead))?;
    let ago = scan.word(next) == "ago";
    if ahead == ago || !(1.0..1440.0).contains(&minutes) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "less than a day")]
    let minutes = if ago { -(minutes as i64) } else { minutes as i64 };
    let at = scan.now.checked_add(jiff::Span::new().try_minutes(minutes).ok()?).ok()?;
    let end = next + usize::from(ago);
    let time = Time::new(at.hour(), at.minute(), 0, 0).ok()?;
    Some(Moment { day: Some(day::Said::fixed(at.date(), end)), time: Some(time), start, end, cue: Cue::None })
}

fn assign(scan: &mut Scan<'_>, moment: &Moment) {
    let fields = scan.fields;
    let asked = scan.asked.filter(|field| field.kind.is_temporal());
    let fits = |field: &&Field| match field.kind {
        Kind::Date => moment.day.is_some(),
        Kind::Time => moment.time.is_some(),
        Kind::Datetime => true,
        _ => false,
    };
    let days: Vec<&Field> = fields.iter().filter(|field| field.kind != Kind::Time).filter(fits).collect();
    let role =
        |ends: bool| days.iter().copied().find(|field| if ends { is_end(field) } else { is_start(field) });
    let only = || match days[..] {
        [one] => Some(one),
        _ => None,
    };
    let open = |field: &&Field| scan.reading.value(&field.id).is_none();
    let target = match moment.cue {
        Cue::Named(at) => fields.get(at).filter(fits),
        Cue::Back => None,
        Cue::Start => role(false).or_else(only).or(asked),
        // Until when somebody can wait is by when it is needed.
        Cue::End => role(true).or(asked).or_else(|| days.iter().copied().find(|field| asks_by_when(field))),
        Cue::None => asked.filter(fits).filter(open).or_else(|| role(false)).or_else(only),
    };
    let moment = &from_known_start(scan, target, moment);
    let mut times = fields.iter().filter(|field| field.kind == Kind::Time);
    let clock = times.next().filter(|_| times.next().is_none());
    match target.filter(|field| fits(field)) {
        Some(field) if open(&field) => {
            if moment.cue == Cue::None && !scan.is_asked(field) {
                scan.loose.push(field.id.clone());
            }
            give(scan, field, moment);
            if let (Some(clock), Kind::Date, Some(time)) = (clock, field.kind, moment.time) {
                scan.take(clock, &json!(time.to_string()), moment.start..moment.end);
            }
        }
        Some(_) => {}
        None => {
            if let (Some(clock), Some(time), None) = (clock, moment.time, &moment.day) {
                scan.take(clock, &json!(time.to_string()), moment.start..moment.end);
            } else if moment.day.is_some() {
                // A day is no count, whoever it is for.
                scan.claim(moment.start..moment.end);
            }
        }
    }
}

/// Reckons the end of something from its start, where that is known: `until the 15th`.
fn from_known_start(scan: &Scan<'_>, target: Option<&Field>, moment: &Moment) -> Moment {
    let mut moment = moment.clone();
    let Some(end) = target.filter(|field| field.kind == Kind::Date && is_end(field)) else { return moment };
    let start =
        scan.fields.iter().find(|field| field.kind == Kind::Date && is_start(field) && field.id != end.id);
    let value = start.and_then(|start| scan.reading.value(&start.id).or_else(|| scan.known.get(&start.id)));
    let day: Option<Date> = value.and_then(|value| value.as_str()).and_then(|day| day.parse().ok());
    if let Some(again) = day.and_then(|day| after_start(scan, day, &moment)) {
        moment.day = Some(again);
    }
    moment
}

/// Gives a moment to a field, as far as it goes.
fn give(scan: &mut Scan<'_>, field: &Field, moment: &Moment) {
    let range = moment.start..moment.end;
    let value = |day: Date| match (field.kind, moment.time) {
        (Kind::Date, _) => Some(json!(day.to_string())),
        (Kind::Datetime, Some(time)) => Some(json!(day.to_datetime(time).to_string())),
        _ => None,
    };
    match (&moment.day, moment.time, field.kind) {
        (_, Some(time), Kind::Time) => scan.take(field, &json!(time.to_string()), range),
        (Some(said), _, Kind::Date) | (Some(said), Some(_), Kind::Datetime) => match said.or {
            Some(other) => {
                scan.wonder(field, [said.day, other].into_iter().filter_map(value).collect(), range);
            }
            None => {
                if let Some(value) = value(said.day) {
                    scan.take(field, &value, range);
                }
            }
        },
        (said, time, Kind::Datetime) => {
            // Who changes half of what is known leaves the other half: `make it 11:30`.
            let held: Option<DateTime> =
                scan.known.get(&field.id).and_then(|held| held.as_str()).and_then(|held| held.parse().ok());
            if let Some(held) = held {
                let day = said.as_ref().map_or(held.date(), |said| said.day);
                let whole = day.to_datetime(time.unwrap_or(held.time()));
                scan.take(field, &json!(whole.to_string()), range);
                return;
            }
            let words = scan.words(range.clone()).to_owned();
            scan.claim(range);
            let date = said.as_ref().map(|said| said.day);
            scan.reading.partial.push(Partial { field: field.id.clone(), date, time, words });
        }
        _ => {}
    }
}
