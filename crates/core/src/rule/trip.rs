//! Rules that trip by answering too often: the author is asked whether the rule continues, and the answer resumes or
//! revokes it.

use serde_json::json;

use super::{Rule, RuleStatus};
use crate::actor::{Actor, Auth};
use crate::decision::{self, Answer, Decision, New};
use crate::event::Event;
use crate::state::State;
use crate::{Field, Kind, Opt, Source, Timestamp};

/// The field with the choice.
const CHOICE: &str = "choice";
/// The option that lets the rule continue.
const RESUME: &str = "resume";
/// The option that ends it.
const REVOKE: &str = "revoke";

/// Records that a rule trips, and asks its author whether it continues.
pub(super) fn trip(state: &State, rule: &Rule, now: Timestamp) -> Vec<Event> {
    let asked = question(state, rule, now);
    let (id, project) = (rule.id.clone(), rule.project.clone());
    let tripped = Event::RuleTripped { id, project, decision_id: asked.as_ref().map(|asked| asked.id) };
    std::iter::once(tripped).chain(asked.map(|asked| Event::Created(Box::new(asked)))).collect()
}

/// Creates the question. The ask of an agent must not fail because of it, so there is no question if it cannot be
/// asked.
fn question(state: &State, rule: &Rule, now: Timestamp) -> Option<Decision> {
    let limit = state.rules.trip_limit;
    let resume = Opt {
        description: Some("Resumes the rule; the same rate will pause it again".into()),
        ..Opt::new(RESUME, "Resume the rule")
    };
    let revoke = Opt {
        refuses: true,
        description: Some("Ends the rule; its answers stay".into()),
        ..Opt::new(REVOKE, "Revoke the rule")
    };
    let new = New {
        project: Some(rule.project.clone()),
        source: Some(Source::Approval),
        title: Some(format!("Rule {} answered {limit} requests within a minute. Resume it?", rule.id)),
        prompt: Some("The rule is paused: too many answers. Matching requests wait for you.".to_owned()),
        fields: vec![Field::offering(CHOICE, Kind::Confirm, "Resume it?", vec![resume, revoke])],
        assignees: vec![rule.by.clone()],
        // Once the rule has expired, the question is moot.
        deadline: Some(rule.until),
        subject: Some(json!({ "rule": rule.id, "allows": rule.when.to_string() })),
        ..New::default()
    };
    let holdpoint = Actor { auth: Auth::System, ..Actor::claimed("system:rules", super::VIA) };
    // No policy applies: the author is asked, whatever the project demands for questions of agents.
    let state = State { fresh: state.spare.first().copied(), ..State::default() };
    let asked = decision::check(&state, &holdpoint, new, now).ok()?;
    Some(Decision { rule: Some(rule.id.clone()), ..asked })
}

/// Returns the effect of an answer on the rule that it is about; none if the rule is no longer tripped.
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
    // A comment without a choice is a no, as for every approval.
    let resumes = answer.values.get(CHOICE).is_some_and(|choice| choice == RESUME);
    Some(if resumes {
        Event::RuleResumed { id, project, by }
    } else {
        Event::RuleRevoked { id, project, by }
    })
}
