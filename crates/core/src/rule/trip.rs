//! A rule that ran away: its author is asked whether it goes on, and their answer resumes or revokes it.

use serde_json::json;

use super::{Rule, RuleStatus};
use crate::actor::{Actor, Auth};
use crate::decision::{self, Answer, Decision, New};
use crate::event::Event;
use crate::state::State;
use crate::{Field, Kind, Opt, Source, Timestamp};

/// The field that is chosen in.
const CHOICE: &str = "choice";
/// The option that lets the rule go on.
const RESUME: &str = "resume";
/// The option that ends it.
const REVOKE: &str = "revoke";

/// Records that a rule trips, and asks its author whether it goes on.
pub(super) fn trip(state: &State, rule: &Rule, now: Timestamp) -> Vec<Event> {
    let asked = question(state, rule, now);
    let (id, project) = (rule.id.clone(), rule.project.clone());
    let tripped = Event::RuleTripped { id, project, decision_id: asked.as_ref().map(|asked| asked.id) };
    std::iter::once(tripped).chain(asked.map(|asked| Event::Created(Box::new(asked)))).collect()
}

/// Makes the question. What an agent asks must not fail because of it, so there is none where it cannot be asked.
fn question(state: &State, rule: &Rule, now: Timestamp) -> Option<Decision> {
    let limit = state.rules.trip_limit;
    let resume = Opt {
        description: Some("It answers again, and trips again if it answers as often".into()),
        ..Opt::new(RESUME, "Resume the rule")
    };
    let revoke = Opt {
        refuses: true,
        description: Some("It ends; what it answered stays answered".into()),
        ..Opt::new(REVOKE, "Revoke the rule")
    };
    let new = New {
        project: Some(rule.project.clone()),
        source: Some(Source::Approval),
        title: Some(format!("Rule {} answered {limit} asks within a minute. May it go on?", rule.id)),
        prompt: Some(
            "The rule has tripped and answers nothing until you decide; what it would have answered waits for people."
                .to_owned(),
        ),
        fields: vec![Field::offering(CHOICE, Kind::Confirm, "May it go on?", vec![resume, revoke])],
        assignees: vec![rule.by.clone()],
        // A rule that is over need not go on.
        deadline: Some(rule.until),
        subject: Some(json!({ "rule": rule.id, "allows": rule.when.to_string() })),
        ..New::default()
    };
    let holdpoint = Actor { auth: Auth::System, ..Actor::claimed("system:rules", super::VIA) };
    // No policy has a say in it: it is put to the author, whatever the project demands of what agents ask.
    let state = State { fresh: state.spare.first().copied(), ..State::default() };
    let asked = decision::check(&state, &holdpoint, new, now).ok()?;
    Some(Decision { rule: Some(rule.id.clone()), ..asked })
}

/// Returns what an answer does to the rule that is asked about; nothing once the rule has not tripped any more.
pub(crate) fn after(
    state: &State,
    decision: &Decision,
    answer: &Answer,
    actor: &Actor,
    now: Timestamp,
) -> Option<Event> {
    let rules = &state.rules.rules;
    let rule = rules.get(decision.rule.as_deref()?)?;
    if rules.status(rule, now) != RuleStatus::Tripped {
        return None;
    }
    let (id, project, by) = (rule.id.clone(), rule.project.clone(), actor.by.clone());
    // Words alone are a no, as they are to every approval.
    let resumes = answer.values.get(CHOICE).is_some_and(|choice| choice == RESUME);
    Some(if resumes {
        Event::RuleResumed { id, project, by }
    } else {
        Event::RuleRevoked { id, project, by }
    })
}
