//! Taking a decision and snoozing it: who sees what until when, and that neither settles anything.

use holdpoint_core::decision::{Attention, New, Revision};
use holdpoint_core::{Actor, Auth, Command, DecisionId, Field, Kind, Opt, Refusal, Role, Span, Timestamp};

use crate::world::World;

const MINUTE: i64 = 60;

fn person(name: &str) -> Actor {
    let credential = Some(format!("person:{name}"));
    Actor { auth: Auth::Session, role: Some(Role::Person), credential, ..Actor::claimed(name, "web") }
}

fn asked(world: &mut World, timeout: Option<Span>) -> DecisionId {
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    let new = New {
        prompt: Some("Go?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Go?", options)],
        timeout,
        ..New::default()
    };
    world.submit(&Actor::claimed("agent", "test"), &Command::Create(Box::new(new))).unwrap();
    *world.decisions.keys().next_back().unwrap()
}

fn after(world: &World, minutes: i64) -> Timestamp {
    world.now.checked_add(Span::from_secs(minutes * MINUTE)).unwrap()
}

fn attend(world: &mut World, who: &str, id: DecisionId, attention: Attention) -> Result<(), Refusal> {
    world.submit(&person(who), &Command::Attend { id, attention }).map(|_| ())
}

#[test]
fn who_took_it_is_seen_for_half_an_hour() {
    let mut world = World::new();
    let id = asked(&mut world, None);
    attend(&mut world, "ana", id, Attention::Take).unwrap();
    assert_eq!(world.decisions[&id].taken_at(world.now).unwrap().by, "ana");
    // Another takes over; what the first lets go then changes nothing.
    attend(&mut world, "ben", id, Attention::Take).unwrap();
    attend(&mut world, "ana", id, Attention::Release).unwrap();
    assert_eq!(world.decisions[&id].taken_at(world.now).unwrap().by, "ben");
    world.wait(Span::from_secs(30 * MINUTE));
    assert!(world.decisions[&id].taken_at(world.now).is_none());
    attend(&mut world, "ben", id, Attention::Release).unwrap();
    assert!(world.decisions[&id].taken.is_none());
}

#[test]
fn what_is_snoozed_is_hidden_from_one_and_comes_back() {
    let mut world = World::new();
    let id = asked(&mut world, None);
    let until = after(&world, 60);
    let digest = world.decisions[&id].digest.clone();
    attend(&mut world, "ana", id, Attention::Snooze { until }).unwrap();
    let decision = &world.decisions[&id];
    assert_eq!(
        (decision.snoozed_until("ana", world.now), decision.snoozed_until("ben", world.now)),
        (Some(until), None)
    );
    assert_eq!(decision.digest, digest, "it is still the same question");
    world.wait(Span::from_secs(60 * MINUTE));
    assert_eq!(world.decisions[&id].snoozed_until("ana", world.now), None);
    let until = after(&world, 60);
    attend(&mut world, "ana", id, Attention::Snooze { until }).unwrap();
    attend(&mut world, "ana", id, Attention::Wake).unwrap();
    assert_eq!(world.decisions[&id].snoozed_until("ana", world.now), None);
}

#[test]
fn a_revision_brings_it_back() {
    let mut world = World::new();
    let id = asked(&mut world, None);
    let until = after(&world, 60);
    attend(&mut world, "ana", id, Attention::Snooze { until }).unwrap();
    let revision = Box::new(Revision { prompt: Some("Go there?".into()), ..Revision::default() });
    world.submit(&Actor::claimed("agent", "test"), &Command::Revise { id, revision }).unwrap();
    assert_eq!(world.decisions[&id].snoozed_until("ana", world.now), None);
}

#[test]
fn it_comes_back_ten_minutes_before_it_is_due() {
    let mut world = World::new();
    let id = asked(&mut world, Some(Span::from_secs(30 * MINUTE)));
    let (until, nearly) = (after(&world, 60), after(&world, 20));
    attend(&mut world, "ana", id, Attention::Snooze { until }).unwrap();
    assert_eq!(world.decisions[&id].snoozed_until("ana", world.now), Some(nearly));
    world.wait(Span::from_secs(21 * MINUTE));
    let refused = attend(&mut world, "ana", id, Attention::Snooze { until }).unwrap_err();
    assert!(refused.to_string().contains("falls due in less than ten minutes"), "{refused}");
}

#[test]
fn only_people_do_it_and_only_to_what_waits() {
    let mut world = World::new();
    let id = asked(&mut world, None);
    let (past, far) = (world.now, after(&world, 31 * 24 * 60));
    for until in [past, far] {
        assert!(matches!(
            attend(&mut world, "ana", id, Attention::Snooze { until }),
            Err(Refusal::Invalid(_))
        ));
    }
    let agent = Actor { role: Some(Role::Agent), ..person("a1") };
    let refused = world.submit(&agent, &Command::Attend { id, attention: Attention::Take }).unwrap_err();
    assert!(matches!(refused, Refusal::Forbidden(_)), "{refused}");
    world.submit(&person("ana"), &Command::Cancel { id, reason: None }).unwrap();
    assert!(matches!(attend(&mut world, "ana", id, Attention::Take), Err(Refusal::Settled(_))));
}
