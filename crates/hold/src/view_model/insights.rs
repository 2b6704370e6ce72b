//! How long agents waited for people: computed from the decisions of a period, for a page and for the command line.

use std::collections::BTreeMap;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Span, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use serde::Serialize;

use super::private::is_private;

/// The maximum number of decisions counted; if there are more, the latest are.
const COUNTED: usize = 10_000;
const PAGE: usize = 1_000;
/// How many of each kind are listed.
const LISTED: usize = 12;
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The periods on offer, in days.
pub(crate) const DAYS: [u16; 3] = [7, 30, 90];

/// What people and agents did in a period. Spans are in milliseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Insights {
    pub(crate) days: u16,
    /// Answers, by people and by rules.
    pub(crate) answered: usize,
    pub(crate) median_ms: i64,
    pub(crate) p95_ms: i64,
    pub(crate) timed_out: usize,
    /// How long agents were blocked, in total.
    pub(crate) blocked_ms: i64,
    /// Answers given by rules.
    pub(crate) by_rules: usize,
    /// Answers given along with another decision that asked the same.
    pub(crate) by_same: usize,
    pub(crate) projects: Vec<Line>,
    pub(crate) sources: Vec<Line>,
    pub(crate) agents: Vec<Line>,
    pub(crate) people: Vec<Line>,
    /// Day by day, oldest first.
    pub(crate) per_day: Vec<Day>,
    /// Agents that wait now, longest first.
    pub(crate) blocked: Vec<Blocked>,
    /// Whether there were more decisions than are counted.
    pub(crate) more: bool,
}

/// The figures of one project, source, agent or person.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) answered: usize,
    pub(crate) median_ms: i64,
    pub(crate) p95_ms: i64,
}

/// The figures of a day.
#[derive(Debug, Serialize)]
pub(crate) struct Day {
    /// Year, month and day, in UTC.
    pub(crate) date: String,
    pub(crate) answered: usize,
    pub(crate) median_ms: i64,
}

/// An agent that waits now.
#[derive(Debug, Serialize)]
pub(crate) struct Blocked {
    pub(crate) agent: String,
    pub(crate) waiting: usize,
    pub(crate) longest_ms: i64,
}

/// Reads the decisions and computes the figures.
pub(crate) async fn read(client: &dyn Client, project: Option<String>, days: u16) -> Result<Insights, Error> {
    let now = client.now().await?;
    let since = Timestamp::from_millis(now.as_millis() - i64::from(days) * DAY);
    let settled: Vec<Status> = Status::ALL.into_iter().filter(|status| *status != Status::Pending).collect();
    let settled = ListQuery {
        project: project.clone(),
        statuses: settled,
        settled_since: Some(since),
        newest_first: true,
        ..ListQuery::default()
    };
    let pending = ListQuery { project, statuses: vec![Status::Pending], ..ListQuery::default() };
    let (settled, more) = all(client, settled).await?;
    let (pending, _) = all(client, pending).await?;
    Ok(count(&settled, &pending, days, now, more))
}

async fn all(client: &dyn Client, mut query: ListQuery) -> Result<(Vec<Decision>, bool), Error> {
    let mut found = Vec::new();
    query.limit = PAGE;
    loop {
        let page = client.list(&query).await?;
        found.extend(page.items.into_iter().filter(|decision| !is_private(decision)));
        query.cursor = page.next;
        if query.cursor.is_none() || found.len() >= COUNTED {
            return Ok((found, query.cursor.is_some()));
        }
    }
}

/// Computes the figures from settled and pending decisions.
fn count(settled: &[Decision], pending: &[Decision], days: u16, now: Timestamp, more: bool) -> Insights {
    let since = Timestamp::from_millis(now.as_millis() - i64::from(days) * DAY);
    let answered: Vec<&Decision> = settled
        .iter()
        .filter(|one| matches!(one.status, Status::Answered | Status::Refined) && one.answer.is_some())
        .collect();
    let by_rule = |one: &Decision| one.answer.as_ref().is_some_and(|answer| answer.via == "rule");
    let people: Vec<&Decision> = answered.iter().copied().filter(|one| !by_rule(one)).collect();
    let waits: Vec<i64> = people.iter().map(|one| waited(one)).collect();
    let mut given: BTreeMap<(&str, Timestamp, &str), usize> = BTreeMap::new();
    for one in &people {
        if let Some(answer) = &one.answer {
            *given.entry((&answer.by, answer.at, &one.digest)).or_default() += 1;
        }
    }
    // A question from before the period counts from the period's beginning.
    let blocked = |one: &Decision| {
        let end = one.settled_at.unwrap_or(now);
        end.since(one.created_at.max(since)).as_millis().max(0)
    };
    Insights {
        days,
        answered: answered.len(),
        median_ms: percentile(&waits, 50),
        p95_ms: percentile(&waits, 95),
        timed_out: settled.iter().filter(|one| one.status == Status::TimedOut).count(),
        blocked_ms: settled.iter().chain(pending).map(blocked).sum(),
        by_rules: answered.len() - people.len(),
        by_same: given.values().map(|count| count - 1).sum(),
        projects: lines(&people, |one| Some(one.project.clone())),
        sources: lines(&people, |one| Some(super::wording::source(one.source).to_owned())),
        agents: lines(&people, agent),
        people: lines(&people, |one| one.answer.as_ref().map(|answer| answer.by.clone())),
        per_day: per_day(&people, days, now),
        blocked: blocked_now(pending, now),
        more,
    }
}

fn waited(decision: &Decision) -> i64 {
    let end = decision.settled_at.unwrap_or(decision.created_at);
    end.since(decision.created_at).as_millis().max(0)
}

fn agent(decision: &Decision) -> Option<String> {
    decision.asker().map(|asker| asker.brief())
}

/// Returns the value that this many of a hundred do not exceed; 0 if there are none.
fn percentile(waits: &[i64], hundredths: usize) -> i64 {
    let mut sorted = waits.to_vec();
    sorted.sort_unstable();
    let place = (sorted.len() * hundredths).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(0)
}

fn lines(decisions: &[&Decision], name: impl Fn(&Decision) -> Option<String>) -> Vec<Line> {
    let mut groups: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for one in decisions {
        if let Some(name) = name(one) {
            groups.entry(inert_line(&name)).or_default().push(waited(one));
        }
    }
    let line = |(name, waits): (String, Vec<i64>)| Line {
        name,
        answered: waits.len(),
        median_ms: percentile(&waits, 50),
        p95_ms: percentile(&waits, 95),
    };
    let mut lines: Vec<Line> = groups.into_iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.answered));
    lines.truncate(LISTED);
    lines
}

fn per_day(decisions: &[&Decision], days: u16, now: Timestamp) -> Vec<Day> {
    let number = |at: Timestamp| at.as_millis().div_euclid(DAY);
    let today = number(now);
    let first = today - i64::from(days) + 1;
    let mut waits: Vec<Vec<i64>> = vec![Vec::new(); usize::from(days)];
    for one in decisions {
        let at = one.settled_at.map(number).and_then(|day| usize::try_from(day - first).ok());
        if let Some(day) = at.and_then(|at| waits.get_mut(at)) {
            day.push(waited(one));
        }
    }
    let day = |(at, waits): (i64, &Vec<i64>)| Day {
        date: Timestamp::from_millis((first + at) * DAY).to_string().chars().take(10).collect(),
        answered: waits.len(),
        median_ms: percentile(waits, 50),
    };
    (0..).zip(&waits).map(day).collect()
}

fn blocked_now(pending: &[Decision], now: Timestamp) -> Vec<Blocked> {
    let mut groups: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    for one in pending {
        let name = agent(one).map_or_else(|| "(no name)".to_owned(), |name| inert_line(&name));
        let (waiting, longest) = groups.entry(name).or_default();
        *waiting += 1;
        *longest = (*longest).max(now.since(one.created_at).as_millis());
    }
    let blocked = |(agent, (waiting, longest_ms))| Blocked { agent, waiting, longest_ms };
    let mut all: Vec<Blocked> = groups.into_iter().map(blocked).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.longest_ms));
    all.truncate(LISTED);
    all
}

/// Reads the number of days asked for.
pub(crate) fn days(text: &str) -> u16 {
    text.parse().ok().filter(|days| DAYS.contains(days)).unwrap_or(DAYS[0])
}

/// Formats a span in words.
pub(crate) fn span(millis: i64) -> String {
    super::span::spelled_out(Span::from_millis(millis).as_millis())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inbox::scene::{decision, now};

    fn answered(number: u32, minutes: i64, by: &str, via: &str) -> Decision {
        let asked = Timestamp::from_millis(now().as_millis() - minutes * 60_000);
        let mut one =
            decision(number, &json!({"status": "answered", "created_at": asked, "settled_at": now()}));
        one.digest = format!("sha256:{number}");
        one.answer = serde_json::from_value(json!({"values": {}, "out": null, "message": null, "by": by,
            "via": via, "auth": "session", "at": now()}))
        .unwrap();
        one
    }

    #[test]
    fn people_are_timed_and_rules_counted() {
        let settled: Vec<Decision> = vec![
            answered(1, 1, "ana", "web"),
            answered(2, 2, "ana", "web"),
            answered(3, 30, "ben", "web"),
            answered(4, 0, "rule:rul-1", "rule"),
        ];
        let waiting = decision(9, &json!({}));
        let found = count(&settled, std::slice::from_ref(&waiting), 7, now(), false);
        assert_eq!((found.answered, found.by_rules, found.by_same, found.timed_out), (4, 1, 0, 0));
        assert_eq!((found.median_ms, found.p95_ms), (2 * 60_000, 30 * 60_000));
        let people: Vec<(&str, usize)> =
            found.people.iter().map(|line| (line.name.as_str(), line.answered)).collect();
        assert_eq!(people, [("ana", 2), ("ben", 1)]);
        assert_eq!((found.per_day.len(), found.per_day.last().unwrap().answered), (7, 3));
        assert_eq!(found.per_day.last().unwrap().date, "2026-11-15");
        assert_eq!((found.blocked[0].waiting, found.blocked[0].longest_ms), (1, 5 * 60_000));
        assert_eq!(found.blocked_ms, (1 + 2 + 30 + 5) * 60_000);
    }

    #[test]
    fn answers_to_the_same_ask_cost_one() {
        let mut settled: Vec<Decision> = (0..12).map(|number| answered(number, 1, "ana", "web")).collect();
        for one in &mut settled {
            one.digest = "sha256:same".into();
        }
        assert_eq!(count(&settled, &[], 7, now(), false).by_same, 11);
    }

    #[test]
    fn a_percentile_is_one_that_was_measured() {
        for (waits, hundredths, wanted) in [
            (vec![], 50, 0),
            (vec![5], 95, 5),
            (vec![3, 1, 2], 50, 2),
            (vec![1, 2, 3, 4], 50, 2),
            (vec![9, 1], 95, 9),
        ] {
            assert_eq!(percentile(&waits, hundredths), wanted, "{waits:?} {hundredths}");
        }
    }
}
