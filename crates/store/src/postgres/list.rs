//! Lists decisions a page at a time, along an index from the end of the last page.

use holdpoint_core::decision::from_brief;
use holdpoint_core::{Status, Timestamp};
use tokio_postgres::types::Type;

use super::connection::{Param, get};
use super::decisions::doc;
use super::error::Result;
use super::pool::Pool;
use super::search;
use crate::port::{LOOKED_AT, PageBuilder};
use crate::{Cursor, Detail, Order, Page, Query, SharedDecision};

/// Lists one page.
pub(super) async fn list(pool: &Pool, query: &Query) -> Result<Page> {
    let mut filling = PageBuilder::default();
    if query.limit == 0 {
        return Ok(filling.page);
    }
    let mut query = query.clone();
    let now = query.now.take();
    // The caller decides whether a time is applied at all; the store decides which.
    let time = now.and_then(|now| pool.address.time(now));
    let most = read_at_once(&query);
    let mut looked_at = 0;
    loop {
        let (sql, values) = statement(&query, now.is_some(), time);
        let params: Vec<Param<'_>> = values.iter().map(BoundValue::param).collect();
        let rows = pool.query(&sql, &params).await?;
        let mut all = true;
        for row in &rows {
            let number: i64 = get(row, 0)?;
            // Rows beyond the size of a page come without their document.
            let Some(mut bytes) = get::<Option<&str>>(row, 1)?.map(str::len) else {
                all = false;
                break;
            };
            if let Some(search) = query.search() {
                let now = get::<Option<i64>>(row, 2)?.filter(|_| now.is_some()).unwrap_or(i64::MAX);
                if looked_at >= LOOKED_AT {
                    filling.page.next = query.cursor;
                    return Ok(filling.page);
                }
                looked_at += 1;
                if !search.fits(&doc(row, 1)?, get(row, 3)?, Timestamp::from_millis(now)) {
                    query.cursor = Some(Cursor(number));
                    continue;
                }
            }
            let decision = match get::<Option<&str>>(row, 4)? {
                Some(brief) => {
                    bytes = brief.len();
                    from_brief(brief)?
                }
                None => doc(row, 1)?,
            };
            if !filling.has_room(query.limit) {
                filling.page.next = query.cursor;
                return Ok(filling.page);
            }
            query.cursor = Some(Cursor(number));
            let as_of = now.and(get::<Option<i64>>(row, 2)?).map(Timestamp::from_millis);
            let decision = if let Some(now) = as_of { decision.as_of(now) } else { decision };
            filling.add(SharedDecision::new(decision), bytes);
        }
        // Fewer rows than the limit means that there are no more.
        if all && rows.len() <= most {
            return Ok(filling.page);
        }
    }
}

/// How many rows are read at once for a search, because only some of the candidates will match.
const SEARCHED: usize = 200;

/// Returns how many rows are read at once, not counting the one that shows that there are more.
fn read_at_once(query: &Query) -> usize {
    if query.search().is_some() { query.limit.max(SEARCHED) } else { query.limit }
}

enum BoundValue {
    Int(Option<i64>),
    Text(String),
    Texts(Vec<String>),
}

impl BoundValue {
    fn param(&self) -> Param<'_> {
        match self {
            Self::Int(value) => (value, Type::INT8),
            Self::Text(value) => (value, Type::TEXT),
            Self::Texts(value) => (value, Type::TEXT_ARRAY),
        }
    }
}

/// Builds the statement from fixed parts only; all input is bound. `$1` is the time, `$2` the limit.
fn statement(query: &Query, as_of: bool, time: Option<i64>) -> (String, Vec<BoundValue>) {
    let limit = i64::try_from(read_at_once(query)).unwrap_or(i64::MAX - 1).saturating_add(1);
    let name = if query.search().is_some() { search::OWNER_NAME } else { "NULL::text" };
    let documents = match query.detail {
        Detail::Whole => "doc, NULL::text AS brief",
        // A search may match in the part that is left out; otherwise the long document is not read.
        Detail::Brief if query.search().is_some() => "doc, brief",
        Detail::Brief => "coalesce(brief, doc) AS doc, brief",
    };
    let mut sql = format!(
        "SELECT n, {documents}, coalesce($1, hp.clock()) AS now, {name} AS name FROM hp.decision WHERE true"
    );
    let mut values = vec![BoundValue::Int(time), BoundValue::Int(Some(limit))];
    let mut and = |condition: &str, bound: Vec<BoundValue>| {
        let mut condition = condition.to_owned();
        for value in bound {
            values.push(value);
            condition = condition.replacen('?', &format!("${}", values.len()), 1);
        }
        sql.push_str(" AND ");
        sql.push_str(&condition);
    };
    if !query.statuses.is_empty() {
        and(&statuses(&query.statuses, as_of), Vec::new());
    }
    let owner = query.owner.as_ref().map(ToString::to_string);
    let source = query.source.map(|source| source.name().to_owned());
    let equal = [
        ("project = ?", &query.project),
        ("owner = ?", &owner),
        ("source = ?", &source),
        ("requested_by = ?", &query.requested_by),
        ("digest = ?", &query.digest),
    ];
    for (condition, value) in equal {
        if let Some(value) = value {
            and(condition, vec![BoundValue::Text(value.clone())]);
        }
    }
    if !query.projects.is_empty() {
        and("project = ANY(?)", vec![BoundValue::Texts(query.projects.clone())]);
    }
    if let Some(agent) = &query.seen_by {
        let bound = [agent.credential.clone(), agent.as_listed()];
        and("(asked_with = ? OR position(? IN assignees) > 0)", bound.map(BoundValue::Text).into());
    }
    if let Some(since) = query.settled_since {
        let since = || BoundValue::Int(Some(since.as_millis()));
        if as_of {
            and(
                "(settled_at >= ? OR (status = 'pending' AND deadline >= ? AND deadline <= coalesce($1, hp.clock())))",
                vec![since(), since()],
            );
        } else {
            and("settled_at >= ?", vec![since()]);
        }
    }
    if let Some(expression) = query.search().and_then(search::expression) {
        and(search::MAY_FIT, vec![BoundValue::Text(expression)]);
    }
    let (beyond, direction) = match query.order {
        Order::OldestFirst => ("n > ?", "ASC"),
        Order::NewestFirst => ("n < ?", "DESC"),
    };
    if let Some(Cursor(number)) = query.cursor {
        and(beyond, vec![BoundValue::Int(Some(number))]);
    }
    let most = PageBuilder::MOST;
    // The sizes are known without reading the documents, so those beyond a page are not sent.
    let sql = format!(
        "SELECT n, CASE WHEN before < {most} THEN doc END, now, name, brief FROM (SELECT n, doc, brief, now, name, \
         coalesce(sum(octet_length(doc)) OVER (ORDER BY n {direction} ROWS BETWEEN UNBOUNDED PRECEDING \
         AND 1 PRECEDING), 0) AS before FROM ({sql} ORDER BY n {direction} LIMIT $2) AS found) AS sized \
         ORDER BY n {direction}"
    );
    (sql, values)
}

/// Builds the condition on statuses. A pending decision past its deadline counts as timed out, recorded or not.
fn statuses(wanted: &[Status], as_of: bool) -> String {
    let wants = |status| wanted.contains(&status);
    let settled: Vec<String> = Status::ALL
        .into_iter()
        .filter(|status| *status != Status::Pending && wants(*status))
        .map(|status| format!("'{}'", status.name()))
        .collect();
    let mut parts = Vec::new();
    if !settled.is_empty() {
        parts.push(format!("status IN ({})", settled.join(", ")));
    }
    match (wants(Status::Pending), wants(Status::TimedOut), as_of) {
        (true, true, _) | (true, false, false) => parts.push("status = 'pending'".into()),
        (true, false, true) => {
            parts.push(
                "(status = 'pending' AND (deadline IS NULL OR deadline > coalesce($1, hp.clock())))".into(),
            );
        }
        (false, true, true) => {
            parts.push("(status = 'pending' AND deadline <= coalesce($1, hp.clock()))".into());
        }
        (false, _, _) => {}
    }
    format!("({})", parts.join(" OR "))
}
