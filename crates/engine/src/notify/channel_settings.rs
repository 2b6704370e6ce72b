//! What the settings of channels have in common: names, occasions, time limits and routes.

use std::time::Duration;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::{Route, Target};

/// Lists the outbox rows of a messenger: each assignee is told, or those named here, and messages are followed.
pub(super) fn followed_routes(lane: Lane, tell: &[String], projects: &[String]) -> Vec<Route> {
    let route = |target| Route { projects: projects.to_vec(), ..Route::new(Occasion::Create, lane, target) };
    [Target::EachAssigneeOr(tell.to_vec()), Target::Messages].map(route).into()
}

/// Checks a channel of which the settings have at most one.
pub(crate) fn check_one<T>(
    name: &str,
    settings: Option<&T>,
    check: fn(&T) -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    settings.map_or(Ok(()), check).map_err(|why| format!("{name}: {why}"))
}

/// Checks entries of the settings that have names.
pub(crate) fn check_named<T>(
    what: &str,
    entries: &[T],
    name: fn(&T) -> &str,
    check: fn(&T) -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    let mut met = std::collections::HashSet::new();
    for entry in entries {
        let name = name(entry);
        check_label(what, name)?;
        if !met.insert(name) {
            return Err(format!("two {what}s are named {name:?}"));
        }
        check(entry).map_err(|why| format!("{what} {name:?}: {why}"))?;
    }
    Ok(())
}

fn check_label(what: &str, name: &str) -> std::result::Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        return Err(format!("{what}.name {name:?} must be 1 to 64 letters, digits, - _ or ."));
    }
    Ok(())
}

/// Checks what channels have in common.
pub(super) fn check_common(occasions: &[Occasion], timeout: Span) -> std::result::Result<(), String> {
    if occasions.is_empty() {
        return Err("occasions names none of create, respond, timeout, escalate and vote".into());
    }
    if (1..occasions.len()).any(|at| occasions[..at].contains(&occasions[at])) {
        return Err("occasions names one of them twice".into());
    }
    check_timeout(timeout)
}

/// How long one message may take where the settings do not say.
pub(super) fn ten_seconds() -> Span {
    Span::from_secs(10)
}

pub(super) fn check_timeout(timeout: Span) -> std::result::Result<(), String> {
    const LONGEST: Span = Span::from_secs(60);
    if timeout.as_millis() <= 0 || timeout > LONGEST {
        return Err(format!("timeout must be longer than zero and at most {LONGEST}"));
    }
    Ok(())
}

pub(super) fn as_duration(span: Span) -> Duration {
    Duration::from_millis(span.as_millis().unsigned_abs())
}
