//! Random histories: what may be asked and done, and living through it.
//!
//! The world checks after every step that what is settled stays settled, that a time-out is nobody's answer, that
//! answers and drafts are valid, that events read back as written, and that the same input decides the same.

use std::collections::BTreeMap;

use crate::world::World;
use holdpoint_core::decision::{AnswerInput, NewRemark, Requirements};
use holdpoint_core::field::picking;
use holdpoint_core::{
    Actor, Auth, Command, DecisionId, Field, Kind, Owner, OwnerKind, Role, Span, Status, Values, form,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// A command on the decision of some index, or a wait.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Wait(i64),
    Ask(Value),
    On(usize, Action),
    End { job: &'static str, deleted: bool },
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Answer(Value),
    /// Answers whatever is asked, by some option of each field.
    AnswerWell(usize),
    Revise(Value),
    Draft(Value),
    /// A program of the settings says something.
    Remark(&'static str),
    Cancel(Option<String>),
    Consume(Option<Value>),
    Expire,
    Prune,
}

fn fields() -> impl Strategy<Value = Value> {
    let yes_no = json!({"id": "c", "kind": "choice", "options": [{"id": "yes"}, {"id": "no"}]});
    select(vec![
        json!([yes_no]),
        json!([{"id": "c", "kind": "choice", "custom": true, "options": [{"id": "yes"}, {"id": "skip"}, {"id": "retry"}]}]),
        json!([{"id": "c", "kind": "choice", "options": [{"id": "accept_auto"}, {"id": "revise"}, {"id": "nudge"}]}]),
        json!([{"id": "s", "kind": "choices", "options": [{"id": "a"}, {"id": "deny"}, {"id": "b"}]}]),
        json!([yes_no, {"id": "t", "kind": "text", "visible_if": {"field": "c", "op": "EQUALS", "value": "yes"}}]),
        json!([{"id": "n", "kind": "number", "required": false}, {"id": "d", "kind": "date", "required": false,
                "visible_if": {"not": {"field": "n", "op": "EXISTS"}}}]),
        json!([{"id": "p", "kind": "products", "options": [{"id": "a", "variants": [{"id": "no"}, {"id": "b"}]}]}]),
    ])
}

fn values() -> impl Strategy<Value = Value> {
    let fitting = select(vec![
        json!({"c": "yes"}),
        json!({"c": "no"}),
        json!({"c": "retry"}),
        json!({"c": "skip"}),
        json!({"c": "revise"}),
        json!({"c": "accept_auto"}),
        json!({"c": {"text": "own"}}),
        json!({"c": "_accept"}),
        json!({"c": "yes", "t": "words"}),
        json!({"c": "no", "t": "hidden"}),
        json!({"s": ["a", "deny"]}),
        json!({"s": ["b", "a", "a"]}),
        json!({"p": [{"id": "b", "quantity": 2.0}]}),
        json!({"p": ["no"]}),
        json!({"n": 2.0}),
        json!({"n": 1, "d": "2026-02-28"}),
        json!({"n": null, "d": "2026-02-28"}),
    ]);
    let value =
        select(vec![json!("yes"), json!(["a"]), json!(1e17), json!("2026-02-30"), json!(null), json!({})]);
    let id = select(vec!["c", "s", "t", "n", "d", "p", "zzz"]);
    let wild = proptest::collection::btree_map(id, value, 0..3)
        .prop_map(|map| json!(map.into_iter().collect::<BTreeMap<&str, Value>>()));
    prop_oneof![8 => fitting, 1 => wild]
}

fn subject() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => Just(json!(null)),
        6 => select(vec![json!({"cmd": "ls"}), json!({"n": 1.0})]),
        1 => Just(json!(u64::MAX)),
    ]
}

fn ask() -> impl Strategy<Value = Value> {
    let sources =
        ["question", "approval", "plan", "gate", "idle", "dead", "error", "request", "form", "verdict"];
    let source = proptest::option::of(select(sources.to_vec()));
    let owner = proptest::option::of(select(vec!["job:x", "job:y", "crew:x", "item:i"]));
    let on_timeout = proptest::option::weighted(0.4, select(vec!["expire", "default", "deny", "cancel"]));
    let default = proptest::option::weighted(0.3, prop_oneof![values(), Just(json!({"out": "cancel"}))]);
    let timeout = proptest::option::weighted(0.8, select(vec!["1s", "2m", "3m", "4m", "0s"]));
    let outs = select(vec![json!([]), json!([{"id": "cancel"}, {"id": "dismiss"}])]);
    let rest =
        (proptest::bool::weighted(0.1), 1..4_u32, proptest::option::of(select(vec!["s1", "s2"])), subject());
    (source, owner, on_timeout, default, timeout, outs, fields(), rest).prop_map(
        |(
            source,
            owner,
            on_timeout,
            default,
            timeout,
            outs,
            fields,
            (exclusive, rounds, requested_by, subject),
        )| {
            json!({
                "prompt": "?", "source": source, "owner": owner, "on_timeout": on_timeout, "default": default,
                "timeout": timeout, "outs": outs, "fields": fields, "max_iterations": rounds,
                "exclusive": exclusive && owner.is_some(), "requested_by": requested_by, "subject": subject,
                "assignees": ["agent:bot"],
            })
        },
    )
}

fn action() -> impl Strategy<Value = Action> {
    let words = || proptest::option::weighted(0.3, select(vec!["", "  ", "go on", "no"]));
    let out = proptest::option::weighted(0.1, select(vec!["cancel", "later"]));
    let digest = proptest::option::weighted(0.05, Just("sha256:0"));
    let answer = (values(), out, words(), digest).prop_map(|(values, out, message, digest)| {
        let values = if out.is_some() { json!({}) } else { values };
        json!({"values": values, "out": out, "message": message, "digest": digest})
    });
    let guidance = select(vec!["", "cheaper", "smaller"]).prop_map(|words| json!({ "guidance": words }));
    let message = select(vec![" ", "go on"]).prop_map(|words| json!({ "message": words }));
    let revision = (proptest::option::of(fields()), words(), proptest::option::of(values()), subject()).prop_map(
        |(fields, title, default, subject)| {
            json!({"fields": fields, "title": title, "default": default, "subject": subject})
        },
    );
    prop_oneof![
        5 => answer.prop_map(Action::Answer),
        4 => (0..4_usize).prop_map(Action::AnswerWell),
        2 => guidance.prop_map(Action::Answer),
        2 => message.prop_map(Action::Answer),
        2 => revision.prop_map(Action::Revise),
        2 => values().prop_map(Action::Draft),
        1 => select(vec!["guard", "other"]).prop_map(Action::Remark),
        1 => words().prop_map(|reason| Action::Cancel(reason.map(str::to_owned))),
        2 => proptest::option::weighted(0.3, subject()).prop_map(Action::Consume),
        1 => Just(Action::Expire),
        1 => Just(Action::Prune),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => select(vec![1, 500, 90_000]).prop_map(Step::Wait),
        4 => ask().prop_map(Step::Ask),
        8 => (0..4_usize, action()).prop_map(|(at, action)| Step::On(at, action)),
        1 => (select(vec!["x", "y"]), any::<bool>()).prop_map(|(job, deleted)| Step::End { job, deleted }),
    ]
}

fn actor() -> impl Strategy<Value = Actor> {
    let token = |by: &str, role, credential: &str| Actor {
        by: by.into(),
        via: "api".into(),
        auth: Auth::Token,
        role: Some(role),
        credential: Some(credential.into()),
        permissions: Vec::new(),
        owner: None,
        channel: None,
    };
    let tokens = select(vec![
        token("bot", Role::Agent, "t1"),
        token("other", Role::Agent, "t2"),
        token("bo", Role::Person, "t3"),
        token("root", Role::Admin, "t4"),
    ]);
    prop_oneof![2 => Just(Actor::claimed("ana", "cli")), 1 => tokens]
}

fn command(world: &World, action: &Action, id: DecisionId) -> Command {
    match action.clone() {
        Action::Answer(input) => {
            Command::Answer { id, input: Box::new(serde_json::from_value(input).unwrap()) }
        }
        Action::AnswerWell(at) => {
            let found = world.decisions.get(&id);
            let values = found.map(|decision| well(&decision.fields, at)).unwrap_or_default();
            let digest = found.map(|decision| decision.digest.clone());
            let input = AnswerInput { values, digest, ..AnswerInput::default() };
            Command::Answer { id, input: Box::new(input) }
        }
        Action::Revise(revision) => {
            Command::Revise { id, revision: Box::new(serde_json::from_value(revision).unwrap()) }
        }
        Action::Draft(values) => {
            Command::Draft { id, input: Box::new(values.as_object().unwrap().clone().into()) }
        }
        Action::Remark(by) => {
            let digest = world.decisions.get(&id).map(|decision| decision.digest.clone());
            let remark =
                NewRemark { by: by.into(), text: "words".into(), digest: digest.unwrap_or_default() };
            Command::Remark { id, remark: Box::new(remark) }
        }
        Action::Cancel(reason) => Command::Cancel { id, reason },
        Action::Consume(subject) => {
            let own = world.decisions.get(&id).and_then(|decision| decision.subject.clone());
            Command::Consume {
                id,
                subject: subject.or(own).unwrap_or_default(),
                required: Requirements::default(),
            }
        }
        Action::Expire => Command::Expire { id },
        Action::Prune => Command::Prune { id },
    }
}

/// Fills a form field by field, as a person would.
fn well(fields: &[Field], at: usize) -> Values {
    let mut values = Values::new();
    while let Some(field) = form::next_unanswered(fields, &values, &[]) {
        let value = match field.kind {
            Kind::Text => json!("words"),
            Kind::Number => json!(at),
            Kind::Date => json!("2026-02-28"),
            _ => picking(field, &field.options[at % field.options.len()].id),
        };
        values.insert(field.id.clone(), value);
    }
    values
}

pub(crate) type History = Vec<(Step, Actor, bool)>;

pub(crate) fn history() -> impl Strategy<Value = History> {
    proptest::collection::vec((step(), actor(), any::<bool>()), 1..40)
}

/// Lives through a history and returns the world it leaves.
pub(crate) fn live(history: History) -> World {
    let mut world = World::new();
    let mut known: Vec<DecisionId> = Vec::new();
    for (step, actor, lazy) in history {
        let command = match step {
            Step::Wait(millis) => {
                world.wait(Span::from_millis(millis));
                continue;
            }
            Step::Ask(new) => Command::Create(Box::new(serde_json::from_value(new).unwrap())),
            Step::On(..) if known.is_empty() => continue,
            Step::On(at, action) => command(&world, &action, known[known.len() - 1 - at % known.len()]),
            Step::End { job, deleted } => {
                let owner = Owner::new(OwnerKind::Job, job);
                Command::EndOwner { project: "default".into(), owner, deleted }
            }
        };
        let actor = if let Command::Remark { .. } = command { Actor::system() } else { actor };
        let before = world.log.len();
        // Whether the store records what is overdue first or not, no settled decision may change.
        let outcome = if lazy { world.submit_now(&actor, &command) } else { world.submit(&actor, &command) };
        if let Err(refusal) = &outcome {
            assert!(!refusal.to_string().is_empty());
            let expiry = |tag: &str| tag == "decision:expired" || !tag.starts_with("decision:");
            assert!(
                world.log[before..].iter().all(|(event, _)| expiry(event.tag())),
                "a refusal writes nothing"
            );
        }
        let created = world.log[before..].iter().filter(|(event, _)| event.tag() == "decision:created");
        known.extend(created.filter_map(|(event, _)| event.decision()));
    }
    world.check_replay();
    check_world(&world);
    world
}

/// What must hold in any world.
fn check_world(world: &World) {
    for decision in world.decisions.values() {
        if let Some(next) = decision.next {
            assert_eq!(decision.status, Status::Refined);
            let next = world.decisions.get(&next);
            assert!(next.is_none_or(|next| next.prior == Some(decision.id)));
            assert!(next.is_none_or(|next| next.iteration == decision.iteration + 1));
        }
        assert!(decision.iteration <= decision.max_iterations);
        assert_eq!(decision.status == Status::Superseded, decision.superseded_by.is_some());
        if decision.consumed_at.is_some() {
            assert_eq!(decision.status, Status::Answered);
            assert!(decision.subject.is_some() && !holdpoint_core::decision::is_refusal(decision));
        }
        // Read late or not, a settled decision is what it is.
        let later = world.now.checked_add(Span::from_secs(86_400)).unwrap();
        let read = decision.clone().as_of(later);
        assert_eq!(read.clone().as_of(later), read);
        if decision.status != Status::Pending {
            assert_eq!(read, *decision);
        }
    }
    // One outcome each: nothing is settled twice.
    let mut settled = BTreeMap::new();
    for (event, _) in &world.log {
        let settles = ["resolved", "refined", "expired", "cancelled", "superseded"];
        if let (Some(id), Some(verb)) = (event.decision(), event.tag().strip_prefix("decision:"))
            && settles.contains(&verb)
        {
            assert_eq!(settled.insert(id, verb), None, "{id} was settled twice");
        }
    }
}
