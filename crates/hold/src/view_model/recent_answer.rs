//! Offers the answer that the person gave to the very same question a while ago, so that they can give it again.
//! Nothing is answered automatically.

use holdpoint_core::decision::number::{self, NumberMeaning};
use holdpoint_core::{Decision, Kind, Source, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use serde_json::Value;

use super::{span, wording};

/// How many milliseconds an answer is offered for.
const OFFERED_MS: i64 = 10 * 60 * 1_000;
/// How many answers to the same question are searched.
const LOOKED_AT: usize = 100;

/// An answer that was given to the same question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) at: Timestamp,
    /// The answer, in words.
    pub(crate) what: String,
    /// The numbers that pick it; none if it takes more than picking.
    pub(crate) numbers: Vec<usize>,
    /// The text that was written with it.
    pub(crate) text: Option<String>,
}

impl Again {
    /// Reads the answer to the same question.
    fn of(answered: &Decision) -> Option<Self> {
        let answer = answered.answer.as_ref()?;
        let questions = number::questions(answered);
        let picks = match questions.as_slice() {
            [field] if field.kind != Kind::Products => number::chosen(answered),
            _ if answer.out.is_some() => number::chosen(answered),
            _ => Vec::new(),
        };
        let has_text = picks.iter().any(|entry| entry.means == NumberMeaning::Other);
        let text = answer.values.values().find_map(written).filter(|_| has_text);
        Some(Self {
            at: answer.at,
            what: wording::short(&wording::answered(answered), 80),
            numbers: picks.iter().map(|entry| entry.number).collect(),
            text,
        })
    }

    /// Returns when it was given, in words.
    pub(crate) fn when(&self, now: Timestamp) -> String {
        format!("You answered this {} ago", span::spelled_out(now.since(self.at).as_millis()))
    }
}

/// Finds the person's last answer to the very same question, if it is recent. Decisions that are only answered one by
/// one have none, and neither has a person without a name.
pub(crate) async fn find(
    client: &dyn Client,
    decision: &Decision,
    me: &str,
    now: Timestamp,
) -> Result<Option<Again>, Error> {
    let is_alone = matches!(decision.source, Source::Verdict | Source::Form | Source::Request);
    if decision.status != Status::Pending || is_alone || me == "anonymous" {
        return Ok(None);
    }
    let since = since(now);
    let query = ListQuery {
        project: Some(decision.project.clone()),
        statuses: vec![Status::Answered],
        source: Some(decision.source),
        digest: Some(decision.digest.clone()),
        settled_since: Some(since),
        newest_first: true,
        limit: LOOKED_AT,
        ..ListQuery::default()
    };
    Ok(last(&client.list(&query).await?.items, me, since))
}

/// Returns the time since which answers are offered again.
fn since(now: Timestamp) -> Timestamp {
    Timestamp::from_millis(now.as_millis() - OFFERED_MS)
}

/// Returns the person's last answer since a time.
fn last(answered: &[Decision], me: &str, since: Timestamp) -> Option<Again> {
    let is_mine =
        |other: &&Decision| other.answer.as_ref().is_some_and(|answer| answer.by == me && answer.at >= since);
    answered.iter().filter(is_mine).filter_map(Again::of).max_by_key(|again| again.at)
}

/// Returns the text of a value: of a text field, or one written instead of picking an option.
fn written(value: &Value) -> Option<String> {
    let text = match value {
        Value::Object(own) => own.get("text")?.as_str()?,
        Value::Array(items) => return items.iter().filter(|item| item.is_object()).find_map(written),
        other => other.as_str()?,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::inbox::scene::{decision, now};

    fn answered(by: &str, seconds_ago: i64, more: &Value) -> Decision {
        let at = Timestamp::from_millis(now().as_millis() - seconds_ago * 1_000);
        let mut answer = json!({"values": {}, "out": null, "message": null, "by": by, "via": "web", "auth": "session", "at": at});
        answer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        decision(1, &json!({"status": "answered", "settled_at": at, "answer": answer}))
    }

    #[test]
    fn the_last_answer_of_the_same_person_is_offered_for_ten_minutes() {
        let redis = json!({"values": {"choice": "redis"}});
        let memory = json!({"values": {"choice": "memory"}});
        let all = [answered("bo", 500, &redis), answered("bo", 60, &memory), answered("cy", 5, &redis)];
        let found = |me: &str, all: &[Decision]| last(all, me, since(now())).map(|again| again.numbers);
        assert_eq!(found("bo", &all), Some(vec![2]));
        assert_eq!(found("cy", &all), Some(vec![1]));
        assert_eq!(found("di", &all), None);
        assert_eq!(found("bo", &[answered("bo", 600, &redis)]), Some(vec![1]));
        assert_eq!(found("bo", &[answered("bo", 601, &redis)]), None);
    }

    #[test]
    fn it_is_said_and_picked_by_its_numbers() {
        let again = Again::of(&answered("bo", 180, &json!({"values": {"choice": "memory"}}))).unwrap();
        assert_eq!(again.when(now()), "You answered this 3 min ago");
        assert_eq!((again.numbers, again.text), (vec![2], None));
        let mut own = answered("bo", 1, &json!({"values": {"choice": {"text": "none\u{202e}"}}}));
        own.fields[0].custom = true;
        let own = Again::of(&own).unwrap();
        assert_eq!(own.text.as_deref(), Some("none\u{202e}"));
        assert!(own.what.contains("<U+202E>"), "{}", own.what);
    }
}
