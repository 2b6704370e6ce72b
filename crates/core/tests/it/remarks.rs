//! What programs remark on a decision: kept once, part of nothing that is asked, shown to no agent.

use holdpoint_core::decision::{LONGEST_REMARK, NewRemark, Revision};
use holdpoint_core::{Actor, Command, DecisionId, Refusal, access};

use crate::rules::{agent, ana, ask};
use crate::world::World;

fn asked(world: &mut World) -> DecisionId {
    ask(world, serde_json::json!("ls")).id
}

fn remark(world: &mut World, actor: &Actor, id: DecisionId, by: &str, text: &str) -> Result<usize, Refusal> {
    let digest = world.decisions[&id].digest.clone();
    let remark = Box::new(NewRemark { by: by.into(), text: text.into(), digest });
    world.submit(actor, &Command::Remark { id, remark }).map(|ruling| ruling.events.len())
}

#[test]
fn a_remark_changes_nothing_that_is_asked() {
    let mut world = World::new();
    let id = asked(&mut world);
    let before = world.decisions[&id].clone();
    assert_eq!(remark(&mut world, &Actor::system(), id, "guard", "deletes outside the project"), Ok(1));
    assert_eq!(remark(&mut world, &Actor::system(), id, "guard", "something else"), Ok(0), "once");
    assert_eq!(remark(&mut world, &Actor::system(), id, "other", "b"), Ok(1));
    let mut after = world.decisions[&id].clone();
    let said: Vec<(&str, &str)> =
        after.remarks.iter().map(|one| (one.by.as_str(), one.text.as_str())).collect();
    assert_eq!(said, [("guard", "deletes outside the project"), ("other", "b")]);
    after.remarks.clear();
    assert_eq!(after, before);
    world.check_replay();
}

#[test]
fn only_the_server_leaves_remarks_and_of_bounded_length() {
    let mut world = World::new();
    let id = asked(&mut world);
    for actor in [ana(), agent("coder"), Actor::claimed("x", "cli")] {
        let refused = remark(&mut world, &actor, id, "guard", "x").unwrap_err();
        assert!(matches!(refused, Refusal::Forbidden(_)), "{refused:?}");
    }
    let long = "é".repeat(LONGEST_REMARK);
    for (by, text) in
        [("guard", ""), ("guard", " \n "), ("guard", &*format!("{long}x")), ("", "x"), ("a\nb", "x")]
    {
        assert!(remark(&mut world, &Actor::system(), id, by, text).is_err(), "{by:?} {text:?}");
    }
    assert_eq!(remark(&mut world, &Actor::system(), id, "guard", &long), Ok(1));
    for other in 0..20 {
        remark(&mut world, &Actor::system(), id, &format!("other-{other}"), "x").unwrap();
    }
    assert_eq!(world.decisions[&id].remarks.len(), 8);
}

#[test]
fn what_was_settled_or_revised_meanwhile_gets_no_remark() {
    let mut world = World::new();
    let id = asked(&mut world);
    remark(&mut world, &Actor::system(), id, "guard", "about the first").unwrap();
    let seen = world.decisions[&id].digest.clone();
    let revision = Box::new(Revision { prompt: Some("Go on?".into()), ..Revision::default() });
    world.submit(&agent("coder"), &Command::Revise { id, revision }).unwrap();
    assert!(world.decisions[&id].remarks.is_empty(), "it was about something else");
    let late = Box::new(NewRemark { by: "late".into(), text: "about the first".into(), digest: seen });
    let ruling = world.submit(&Actor::system(), &Command::Remark { id, remark: late }).unwrap();
    assert!(ruling.events.is_empty());
    assert_eq!(remark(&mut world, &Actor::system(), id, "guard", "about the second"), Ok(1));
    world.submit(&agent("coder"), &Command::Cancel { id, reason: None }).unwrap();
    assert_eq!(remark(&mut world, &Actor::system(), id, "other", "x"), Ok(0));
    world.check_replay();
}

#[test]
fn people_see_remarks_and_programs_do_not() {
    let mut world = World::new();
    let id = asked(&mut world);
    remark(&mut world, &Actor::system(), id, "guard", "x").unwrap();
    let seen = |actor: &Actor| access::visible_to(world.decisions[&id].clone(), actor).remarks.len();
    assert_eq!((seen(&ana()), seen(&Actor::claimed("ana", "cli"))), (1, 1));
    assert_eq!((seen(&agent("coder")), seen(&Actor::claimed("x", "mcp"))), (0, 0));
}
