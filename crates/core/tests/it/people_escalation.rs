//! Escalation: what happens while nobody answers, once, in order, and never a settlement.

use holdpoint_core::decision::{Attention, New};
use holdpoint_core::people::{AbsenceCommand, EscalationStep, NewAbsence};
use holdpoint_core::{Actor, Command, Decision, DecisionId, Effect, Event, Ruling, Span, Status, Timestamp};
use proptest::prelude::*;
use serde_json::json;

use crate::people::{admin, ci, group, person, policy, vote, why};
use crate::rules::{approval, ask_new, bash};
use crate::world::World;

fn minutes(minutes: i64) -> Span {
    Span::from_secs(60 * minutes)
}

fn step(text: &str) -> EscalationStep {
    text.parse().unwrap()
}

fn with_steps(steps: &[&str]) -> New {
    New { escalation: steps.iter().map(|text| step(text)).collect(), ..approval(&bash("deploy")) }
}

fn ask(world: &mut World, steps: &[&str]) -> Decision {
    ask_new(world, &ci(), with_steps(steps))
}

fn fire(world: &mut World, id: DecisionId) -> Ruling {
    world.submit(&Actor::system(), &Command::Escalate { id }).unwrap()
}

fn told(ruling: &Ruling) -> Vec<String> {
    let people = ruling.effects.iter().find_map(|effect| match effect {
        Effect::TellPeople { people, .. } => Some(people.clone()),
        _ => None,
    });
    people.unwrap_or_default()
}

#[test]
fn steps_are_taken_when_they_are_due_and_each_once() {
    let mut world = World::new();
    group(&mut world, "oncall", &["ben", "cem"]);
    let asked = ask(&mut world, &["after=10m tell=group:oncall every=30m times=2", "after=2h assign=ana"]);
    let (id, start) = (asked.id, world.now);
    assert_eq!(asked.escalates_at(), start.checked_add(minutes(10)));
    assert!(fire(&mut world, id).replayed, "nothing is due");
    let mut seen = Vec::new();
    for _ in 0..180 {
        world.wait(minutes(1));
        let ruling = fire(&mut world, id);
        assert!(fire(&mut world, id).replayed, "a step is taken once, whoever comes second");
        if !ruling.replayed {
            seen.push((world.now.since(start).to_string(), told(&ruling).join(",")));
        }
    }
    let expected = [("10m", "ben,cem"), ("40m", "ben,cem"), ("1h10m", "ben,cem"), ("2h", "ana")];
    assert_eq!(seen, expected.map(|(at, who)| (at.to_owned(), who.to_owned())));
    let after = &world.decisions[&id];
    assert_eq!((after.status, after.escalates_at()), (Status::Pending, None), "it never settles anything");
    assert_eq!(after.assignees, ["ana"]);
    world.check_replay();
}

#[test]
fn what_was_missed_while_nobody_was_there_happens_once() {
    let mut world = World::new();
    let id = ask(&mut world, &["after=10m tell=ben every=10m times=50", "after=1h tell=cem"]).id;
    world.wait(minutes(300));
    let ruling = fire(&mut world, id);
    let events: Vec<(usize, u32)> = ruling
        .events
        .iter()
        .map(|event| match event {
            Event::Escalated(escalated) => (escalated.step, escalated.round),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(events, [(2, 1), (1, 30)], "an event a step, and not one for each time that was missed");
    assert_eq!(told(&ruling), ["ben", "cem"]);
    assert!(fire(&mut world, id).replayed);
    assert_eq!(
        world.decisions[&id].escalates_at(),
        world.decisions[&id].created_at.checked_add(minutes(310))
    );
}

#[test]
fn taking_it_pauses_and_letting_go_goes_on() {
    let mut world = World::new();
    let id = ask(&mut world, &["after=10m tell=ben", "after=20m tell=cem"]).id;
    let start = world.now;
    let due = |world: &World| world.decisions[&id].escalates_at().unwrap().since(start).to_string();
    let attend = |world: &mut World, attention| {
        world.submit(&person("ana"), &Command::Attend { id, attention }).unwrap();
    };
    world.wait(minutes(5));
    attend(&mut world, Attention::Take);
    assert_eq!(due(&world), "40m", "30 minutes later than it was to be");
    world.wait(minutes(10));
    assert!(fire(&mut world, id).replayed, "somebody is on it");
    attend(&mut world, Attention::Take);
    assert_eq!(due(&world), "50m", "taken again, it lasts from then on");
    world.wait(minutes(5));
    attend(&mut world, Attention::Release);
    assert_eq!(due(&world), "25m", "paused for the 15 minutes in which somebody was on it");
    world.wait(minutes(5));
    assert_eq!(told(&fire(&mut world, id)), ["ben"]);
    assert_eq!(due(&world), "35m");
    world.check_replay();
}

#[test]
fn it_stops_when_it_is_settled_or_due() {
    let mut world = World::new();
    let asked = ask(&mut world, &["after=10m tell=ben"]);
    vote(&mut world, &person("cem"), asked.id, "approve").unwrap();
    assert_eq!(world.decisions[&asked.id].escalates_at(), None);
    world.wait(minutes(10));
    assert!(fire(&mut world, asked.id).replayed);
    let new = New { timeout: Some(minutes(10)), ..with_steps(&["after=10m tell=ben", "after=5m tell=cem"]) };
    let asked = ask_new(&mut world, &ci(), new);
    world.wait(minutes(5));
    assert_eq!(told(&fire(&mut world, asked.id)), ["cem"]);
    assert_eq!(world.decisions[&asked.id].escalates_at(), None, "the deadline is first");
    world.wait(minutes(5));
    fire(&mut world, asked.id);
    assert_eq!(world.decisions[&asked.id].status, Status::TimedOut);
}

#[test]
fn reminders_go_to_those_who_are_asked_and_have_not_voted() {
    let mut world = World::new();
    group(&mut world, "release", &["ben", "cem", "dan"]);
    let mut new = with_steps(&["after=10m remind", "after=20m remind"]);
    new.needs = Some(serde_json::from_value(json!({"approvals": 2, "from": ["group:release"]})).unwrap());
    let id = ask_new(&mut world, &ci(), new).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    world.wait(minutes(10));
    assert_eq!(told(&fire(&mut world, id)), ["cem", "dan"]);
    let until = world.now.checked_add(minutes(60));
    let command =
        AbsenceCommand::Add(NewAbsence { stand_in: "eva".into(), from: None, until, project: None });
    world.submit(&admin(), &Command::Absence { person: "cem".into(), command }).unwrap();
    world.wait(minutes(10));
    assert_eq!(told(&fire(&mut world, id)), ["dan", "eva"], "who is away is stood in for");
    let new = New { assignees: vec!["ana".into(), "agent:x".into()], ..with_steps(&["after=10m remind"]) };
    let id = ask_new(&mut world, &ci(), new).id;
    world.wait(minutes(10));
    assert_eq!(told(&fire(&mut world, id)), ["ana"]);
    let id = ask(&mut world, &["after=10m remind"]).id;
    world.wait(minutes(10));
    let ruling = fire(&mut world, id);
    assert!(ruling.effects.iter().any(|effect| matches!(effect, Effect::TellPeople { others: true, .. })));
}

#[test]
fn a_policy_escalates_what_fits_and_an_ask_only_adds() {
    let mut world = World::new();
    let steps = json!({"when": {}, "escalation": [{"after": "10m", "tell": ["ben"]}]});
    policy(&mut world, &admin(), &steps).unwrap();
    let asked = ask(&mut world, &["after=1h tell=cem", "after=10m tell=ben"]);
    let says: Vec<String> = asked.escalation.unwrap().steps.iter().map(ToString::to_string).collect();
    assert_eq!(says, ["after 10m ben is told", "after 1h cem is told"]);
    let plain = ask(&mut world, &[]);
    assert_eq!(plain.escalation.unwrap().steps.len(), 1);
    let both = json!({"when": {}, "needs_person": true, "escalation": [{"after": "10m", "tell": ["ben"]}]});
    assert!(why(policy(&mut world, &admin(), &both)).contains("names nothing"));
}

#[test]
fn only_the_server_takes_steps() {
    let mut world = World::new();
    let id = ask(&mut world, &["after=10m tell=ben"]).id;
    world.wait(minutes(10));
    for actor in [admin(), ci(), person("ben"), Actor::claimed("x", "cli")] {
        assert!(world.submit(&actor, &Command::Escalate { id }).is_err(), "{}", actor.by);
    }
}

#[test]
fn steps_are_read_as_they_are_written_and_hostile_ones_are_refused() {
    for (text, says) in [
        (
            "after=10m tell=group:oncall every=30m times=3",
            "after 10m oncall is told, again every 30m at most 3 times",
        ),
        ("after=2h assign=ana,ben", "after 2h ana, ben are asked too"),
        ("  remind after=1h  ", "after 1h those who were asked are reminded"),
    ] {
        assert_eq!(step(text).to_string(), says);
    }
    let many = format!("after=1m tell={}", vec!["x"; 60].join(","));
    let long = format!("after=1m tell={}", "x".repeat(100_000));
    for text in [
        "",
        "after=10m",
        "tell=ana",
        "after=0s tell=ana",
        "after=-1m tell=ana",
        "after=400d tell=ana",
        "after=x tell=ana",
        "after=1m tell=",
        "after=1m tell=a,,b",
        "after=1m tell=agent:x",
        "after=1m remind=yes",
        "after=1m remind remind",
        "after=1m after=2m tell=a",
        "after=1m tell=a times=3",
        "after=1m tell=a every=1m times=0",
        "after=1m tell=a every=1m times=101",
        "after=1m tell=a every=0s",
        "after=1m tell=a; rm -rf /",
        "after=1m tell=a\u{202e}b",
        "after=99999999999999999999d tell=a",
        "= = =",
        &many,
        &long,
    ] {
        assert!(text.parse::<EscalationStep>().is_err(), "{text:.60}");
    }
    let mut world = World::new();
    let new = New { escalation: vec![step("after=1m tell=a"); 21], ..approval(&bash("deploy")) };
    assert!(why(world.submit(&ci(), &Command::Create(Box::new(new))).map(drop)).contains("at most 20"));
    let wild: Result<New, _> =
        serde_json::from_value(json!({"escalation": [{"after": "1m", "tell": ["a"], "settle": "yes"}]}));
    assert!(wild.is_err(), "unknown keys are refused");
}

proptest! {
    /// Whatever the steps, however often and late the server looks, whoever takes it: each time counts once, in order, nothing
    /// is settled, and the log gives the same.
    #[test]
    fn every_step_counts_once_however_time_goes(
        steps in prop::collection::vec((1_i64..200, prop::option::of((1_i64..60, 1_u32..5))), 1..4),
        moves in prop::collection::vec((0_i64..90, 0_u8..4), 1..30),
    ) {
        let mut world = World::new();
        let escalation: Vec<EscalationStep> = (0..)
            .zip(&steps)
            .map(|(at, (after, again))| EscalationStep {
                // No two begin together: they would be one.
                after: minutes(after * 4 + at),
                tell: vec!["ben".into()],
                every: again.map(|(every, _)| minutes(every)),
                times: again.map(|(_, times)| times),
                ..EscalationStep::default()
            })
            .collect();
        let all: u32 = steps.iter().map(|(_, again)| again.map_or(1, |(_, times)| 1 + times)).sum();
        let id = ask_new(&mut world, &ci(), New { escalation, ..approval(&bash("deploy")) }).id;
        let mut fired = 0;
        for (wait, act) in moves {
            world.wait(minutes(wait));
            let due = world.decisions[&id].escalates_at();
            match act {
                0 | 1 => {
                    let ruling = fire(&mut world, id);
                    prop_assert_eq!(ruling.replayed, due.is_none_or(|due| due > world.now));
                }
                2 => drop(world.submit(&person("ana"), &Command::Attend { id, attention: Attention::Take }).unwrap()),
                _ => drop(world.submit(&person("ana"), &Command::Attend { id, attention: Attention::Release }).unwrap()),
            }
            let decision = &world.decisions[&id];
            let now_fired = decision.escalation.as_ref().unwrap().fired;
            prop_assert!(now_fired >= fired && now_fired <= all);
            prop_assert_eq!(decision.status, Status::Pending);
            prop_assert_eq!(decision.escalates_at().is_none(), now_fired == all);
            if let Some(taken) = decision.taken_at(world.now) {
                let paused = |at: Timestamp| at >= taken.until;
                prop_assert!(decision.escalates_at().is_none_or(paused), "nothing happens while somebody is on it");
            }
            fired = now_fired;
        }
        world.check_replay();
    }
}

#[test]
fn whom_a_step_asks_too_takes_it_from_nobody() {
    let mut world = World::new();
    let steps = &["after=10m assign=ana", "after=20m assign=ben", "after=30m remind"];
    let asked = ask(&mut world, steps);
    world.wait(minutes(20));
    fire(&mut world, asked.id);
    assert_eq!(world.decisions[&asked.id].assignees, ["ana", "ben"]);
    world.wait(minutes(10));
    let reminded = fire(&mut world, asked.id);
    let others =
        reminded.effects.iter().any(|effect| matches!(effect, Effect::TellPeople { others: true, .. }));
    assert!(others, "it is still asked of everybody: {:?}", reminded.effects);
    vote(&mut world, &person("cem"), asked.id, "approve").unwrap();
    let answer = world.decisions[&asked.id].answer.clone().unwrap();
    assert_eq!((answer.by.as_str(), answer.on_behalf_of), ("cem", None));
    world.check_replay();
}
