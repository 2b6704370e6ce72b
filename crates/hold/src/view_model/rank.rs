//! The order of decisions: urgent ones first, then those due before a person would get to them, then those that block
//! somebody, and among these the longest waiting.

use std::cmp::Reverse;

use holdpoint_core::{Decision, Priority, Timestamp};

/// A decision with less time left than this is due soon, wherever it is in the list.
const SOON: i64 = 10 * 60_000;
/// How long a person takes for one decision, to estimate when they would get to the others.
const EACH: i64 = 30_000;

/// Sorts decisions into the order in which to answer them.
pub(crate) fn rank(decisions: Vec<Decision>, now: Timestamp) -> Vec<Decision> {
    // Decisions are large, so their places are sorted, and each is moved once.
    let is_nobody = |decision: &Decision| decision.owner.is_none() && decision.requested_by.is_none();
    let mut places: Vec<usize> = (0..decisions.len()).collect();
    places.sort_by_key(|place| {
        let decision = &decisions[*place];
        (Reverse(decision.priority), is_nobody(decision), decision.created_at)
    });
    let mut at = 0;
    places.sort_by_cached_key(|place| {
        let decision = &decisions[*place];
        let reached = SOON + EACH * at;
        at += 1;
        let due = decision.deadline.filter(|deadline| deadline.since(now).as_millis() <= reached);
        (decision.priority != Priority::Urgent, due.is_none(), due)
    });
    let mut decisions: Vec<Option<Decision>> = decisions.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| decisions[place].take()).collect()
}

/// Returns whether a decision's time is nearly up.
pub(crate) fn is_due_soon(decision: &Decision, now: Timestamp) -> bool {
    decision.deadline.is_some_and(|deadline| deadline.since(now).as_millis() <= SOON)
}

/// Names the section of the list that a decision is in.
pub(crate) fn section(decision: &Decision, now: Timestamp) -> &'static str {
    if decision.priority == Priority::Urgent {
        "Urgent"
    } else if is_due_soon(decision, now) {
        "Due soon"
    } else {
        "Waiting"
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::rank;
    use crate::inbox::scene::{decision, now};

    #[test]
    fn what_falls_due_before_one_would_get_to_it_comes_first() {
        let at =
            |minutes: i64| now().checked_add(holdpoint_core::Span::from_millis(minutes * 60_000)).unwrap();
        let mut all = Vec::new();
        for number in 0..112 {
            let age = json!({"created_at": at(-200 + i64::from(number)), "prompt": format!("old {number}")});
            all.push(decision(number, &age));
        }
        for (number, name, minutes, priority) in [
            (200, "in five minutes", 5, "normal"),
            (201, "in an hour, reached before", 65, "normal"),
            (202, "in an hour, not reached", 60, "low"),
            (203, "tomorrow", 1_440, "normal"),
            (204, "urgent", 300, "urgent"),
        ] {
            let given = json!({
                "prompt": name, "priority": priority, "deadline": at(minutes),
                "created_at": at(if name.ends_with("reached before") { -300 } else { 0 }),
            });
            all.push(decision(number, &given));
        }
        let all = rank(all, now());
        let order: Vec<&str> = all.iter().map(|one| one.prompt.as_deref().unwrap()).collect();
        assert_eq!(
            order[..4],
            ["urgent", "in five minutes", "in an hour, not reached", "in an hour, reached before"]
        );
        assert_eq!(order[4], "old 0");
        assert_eq!(order.last(), Some(&"tomorrow"));
    }
}
