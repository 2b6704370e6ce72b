//! Days that stand in another clause than what they belong to: `the racking came down on Monday and he got hurt`.

use std::ops::Range;

use super::mood::Muted;
use super::verbs;
use super::words::{Sort, Token};

/// Takes the day of what led to an incident as its day, where the sentence names the incident and no other day: the shelf came
/// down on Friday, and nobody was hurt.
pub(super) fn date_event(
    all: &[Token],
    sentence: Range<usize>,
    topic: &impl Fn(&Token) -> bool,
    muted: &mut Muted,
) {
    let stated = |at: usize| !muted.values[at] && !muted.open[at];
    let day = |at: usize| is_day(&all[at]);
    let told = sentence.clone().any(|at| stated(at) && topic(&all[at]));
    let dated = sentence.clone().any(|at| stated(at) && !muted.open_days[at] && day(at) && !muted.days[at]);
    let asked = all[sentence.clone()].last().is_some_and(|token| token.is("?"));
    if !told || dated || asked {
        return;
    }
    let days: Vec<usize> =
        sentence.clone().filter(|at| day(*at) && (muted.open_days[*at] || muted.days[*at])).collect();
    let Some(first) = days.first().copied() else { return };
    let clause = muted.clauses[first];
    if days.iter().any(|at| muted.clauses[*at] != clause) {
        return;
    }
    // Of what there was not, no day is told, unless it is set against it: `nobody hurt, but the racking came down`.
    let real = sentence.clone().any(|at| stated(at) && topic(&all[at]) && !muted.days[at]);
    if !real && !all[clause].is("but") {
        return;
    }
    let within: Vec<usize> = sentence.filter(|at| muted.clauses[*at] == clause).collect();
    // Only of what happened, and to those who are there.
    let past = within.iter().any(|at| verbs::is_past(&all[*at]) || all[*at].among(&["was", "were", "had"]));
    let other = within.iter().any(|at| {
        let token = &all[*at];
        verbs::is_family(token)
            || verbs::is_saying(token)
            || verbs::is_occasion(token)
            || token.among(&[
                "inspector",
                "insurer",
                "police",
                "insurance",
                "meeting",
                "until",
                "since",
                "last",
                "before",
            ]) && !is_last_day(all, *at)
    });
    let negated =
        all[within[0]..first].iter().any(|token| token.among(&["not"]) || token.low.ends_with("n't"));
    let held = within.iter().any(|at| muted.values[*at]);
    if past && !other && !negated && !held {
        for at in within {
            muted.open_days[at] = false;
            muted.days[at] = false;
            if is_near_day(all, at) {
                muted.open[at] = false;
            }
        }
    }
}

/// Takes the day of what somebody does as the one that they ask for, where they say so: `we move house on 28 August, so I'd like that
/// day off`.
pub(super) fn date_wish(all: &[Token], sentence: Range<usize>, muted: &mut Muted) {
    let refers = sentence.clone().find(|at| {
        all[*at].among(&["that", "those", "these"])
            && all.get(at + 1).is_some_and(|next| next.among(&["day", "days", "date", "dates", "week"]))
            && !muted.values[*at]
            && !muted.open[*at]
    });
    let Some(refers) = refers else { return };
    let own = muted.clauses[refers];
    let denied = |at: usize| all[at].is("not") || all[at].low.ends_with("n't");
    if sentence.clone().any(|at| muted.clauses[at] == own && denied(at)) {
        return;
    }
    for at in sentence.take_while(|at| *at < refers) {
        if muted.clauses[at] != own && !muted.values[at] && is_near_day(all, at) {
            muted.open[at] = false;
            muted.open_days[at] = false;
        }
    }
}

fn is_day(token: &Token) -> bool {
    super::relative::day_name(token).is_some()
        || super::day::is_month(token)
        || token.among(&["today", "yesterday", "tonight", "morning", "afternoon", "evening", "ago"])
}

fn is_last_day(all: &[Token], at: usize) -> bool {
    all[at].is("last") && all.get(at + 1).is_some_and(|next| is_day(next) || next.is("night"))
}

/// Returns whether a token belongs to a day: its number, its name, what leads to it.
fn is_near_day(all: &[Token], at: usize) -> bool {
    let token = &all[at];
    is_day(token)
        || token.sort == Sort::Digits
        || token.among(&[
            "on", "the", "st", "nd", "rd", "th", "of", "last", "this", "in", "from", "to", "until", "-",
        ])
}
