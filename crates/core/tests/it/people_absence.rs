//! Stand-ins, and people who are gone: one vote a person, and never one by who asks.

use holdpoint_core::people::{AbsenceCommand, NewAbsence, Vote};
use holdpoint_core::{Actor, Command, Refusal, Role, Span, Status, Timestamp};
use proptest::prelude::*;
use serde_json::json;

use crate::people::{admin, ask, ci, group, person, policy, vote, why, with_needs};
use crate::world::World;

const DAY: Span = Span::from_secs(24 * 60 * 60);

fn days(world: &World, days: i64) -> Timestamp {
    world.now.checked_add(Span::from_millis(DAY.as_millis() * days)).unwrap()
}

fn away_between(world: &mut World, who: &str, by: &str, from: i64, until: i64) -> Result<(), Refusal> {
    let (from, until) = (Some(days(world, from)), Some(days(world, until)));
    let new = NewAbsence { stand_in: by.into(), from, until, project: None };
    let command = AbsenceCommand::Add(new);
    world.submit(&admin(), &Command::Absence { person: who.into(), command }).map(drop)
}

fn away(world: &mut World, who: &str, by: &str) -> Result<(), Refusal> {
    away_between(world, who, by, 0, 7)
}

#[test]
fn a_stand_in_votes_for_who_is_away_once_and_says_so() {
    let mut world = World::new();
    group(&mut world, "release", &["ben", "cem"]);
    let id = ask(&mut world, &json!({"approvals": 2, "from": ["group:release"]})).id;
    assert!(why(vote(&mut world, &person("dan"), id, "approve")).contains("group:release"));
    away(&mut world, "ben", "dan").unwrap();
    vote(&mut world, &person("dan"), id, "approve").unwrap();
    let open = world.decisions[&id].clone();
    assert_eq!(open.progress().unwrap().to_string(), "1 of 2: dan for ben; still needed: group:release");
    // Who is away may vote all the same: it is their vote.
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].votes.len(), 1);
    assert!(why(vote(&mut world, &person("dan"), id, "approve")).contains("group:release"));
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Answered);
    world.check_replay();
}

#[test]
fn who_has_a_vote_of_their_own_has_no_other() {
    let mut world = World::new();
    group(&mut world, "release", &["ben", "cem"]);
    away(&mut world, "ben", "cem").unwrap();
    let id = ask(&mut world, &json!({"approvals": 2, "from": ["group:release"]})).id;
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "cem is one person");
    // Cem hands over too: dan has two to stand in for, and one vote.
    away(&mut world, "cem", "dan").unwrap();
    vote(&mut world, &person("dan"), id, "approve").unwrap();
    let by: Vec<String> = world.decisions[&id].votes.iter().map(Vote::signed).collect();
    assert_eq!(by, ["cem", "dan for ben"]);
    assert_eq!(world.decisions[&id].status, Status::Answered, "two people for two who are named");
}

#[test]
fn who_asks_votes_neither_themselves_nor_through_a_stand_in() {
    let mut world = World::new();
    away(&mut world, "ana", "ben").unwrap();
    let id = ask(&mut world, &json!({"approvals": 1, "not_requester": true})).id;
    assert!(why(vote(&mut world, &person("ana"), id, "approve")).contains("others"));
    assert!(why(vote(&mut world, &person("ben"), id, "approve")).contains("for whom you stand in"));
    away(&mut world, "ben", "cem").unwrap();
    for stand_in in ["ben", "cem"] {
        assert!(why(vote(&mut world, &person(stand_in), id, "approve")).contains("for whom you stand in"));
    }
    // The other way round: who asks stands in for somebody who may vote.
    let mut world = World::new();
    away(&mut world, "ben", "ana").unwrap();
    let id = ask(&mut world, &json!({"from": ["ben", "cem"], "not_requester": true})).id;
    assert!(why(vote(&mut world, &person("ana"), id, "approve")).contains("others"));
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Answered);
}

#[test]
fn an_assigned_person_who_is_away_is_answered_for() {
    let mut world = World::new();
    let new = holdpoint_core::decision::New {
        assignees: vec!["ana".into()],
        ..crate::rules::approval(&crate::rules::bash("deploy"))
    };
    let id = crate::rules::ask_new(&mut world, &ci(), new).id;
    away(&mut world, "ana", "ben").unwrap();
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let answer = world.decisions[&id].answer.clone().unwrap();
    assert_eq!((answer.by.as_str(), answer.on_behalf_of.as_deref()), ("ben", Some("ana")));
}

#[test]
fn circles_and_long_rows_are_refused_only_while_they_overlap() {
    let mut world = World::new();
    away(&mut world, "ana", "ben").unwrap();
    let refused = why(away(&mut world, "ben", "ana"));
    assert!(refused.contains("ana > ben > ana"), "{refused}");
    // One after the other is no circle.
    away_between(&mut world, "ben", "ana", 7, 14).unwrap();
    let refused = why(away_between(&mut world, "ben", "ana", 6, 14));
    assert!(refused.contains("circle"), "{refused}");
    let mut world = World::new();
    for (who, by) in [("a", "b"), ("b", "c"), ("c", "d")] {
        away(&mut world, who, by).unwrap();
    }
    let refused = why(away(&mut world, "d", "e"));
    assert!(refused.contains("at most 3") && refused.contains("somebody who is not away"), "{refused}");
    assert_eq!(world.roster.acting("a", "default", world.now), "d");
}

#[test]
fn hostile_absences_are_refused() {
    let mut world = World::new();
    let until = Some(days(&world, 7));
    let good = NewAbsence { stand_in: "ben".into(), from: None, until, project: None };
    let long = "x".repeat(10_000);
    let table = [
        ("ana", NewAbsence { stand_in: "ana".into(), ..good.clone() }, "somebody else"),
        ("ana", NewAbsence { stand_in: String::new(), ..good.clone() }, "stand_in"),
        ("ana", NewAbsence { stand_in: "group:release".into(), ..good.clone() }, "not a person"),
        ("ana", NewAbsence { stand_in: "agent:ci".into(), ..good.clone() }, "not a person"),
        ("group:x", good.clone(), "not a person"),
        (long.as_str(), good.clone(), "person"),
        ("ana", NewAbsence { until: None, ..good.clone() }, "until when"),
        ("ana", NewAbsence { until: Some(days(&world, -1)), ..good.clone() }, "over before"),
        ("ana", NewAbsence { from: Some(days(&world, 8)), ..good.clone() }, "over before"),
        ("ana", NewAbsence { until: Some(days(&world, 500)), ..good.clone() }, "more than a year"),
        ("ana", NewAbsence { project: Some("a\nb".into()), ..good.clone() }, "project"),
    ];
    for (who, new, reason) in table {
        let command = AbsenceCommand::Add(new.clone());
        let refused =
            why(world.submit(&admin(), &Command::Absence { person: who.into(), command }).map(drop));
        assert!(refused.contains(reason), "{new:?}: {refused}");
    }
    let command = || Command::Absence { person: "ana".into(), command: AbsenceCommand::Add(good.clone()) };
    let admit = |actor: &Actor, projects: &[String]| {
        holdpoint_core::access::admit(actor, projects, &command(), None).is_ok()
    };
    assert!(admit(&person("ana"), &[]) && admit(&admin(), &[]));
    assert!(!admit(&person("ben"), &[]), "nobody hands over for another");
    assert!(!admit(&admin(), &["web".into()]), "an admin of one project says nothing for all");
    assert!(!admit(&ci(), &[]), "an agent says nothing for its owner");
    assert!(!admit(&Actor { role: Some(Role::Person), via: "mcp".into(), ..person("ana") }, &[]));
}

#[test]
fn the_vote_of_somebody_who_is_gone_counts_no_more_even_if_the_name_comes_back() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 2})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    world.known_since.insert("ben".into(), None);
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "ben is gone");
    world.wait(DAY);
    world.known_since.insert("ben".into(), Some(world.now));
    vote(&mut world, &person("cem"), id, "deny").unwrap();
    let id = ask(&mut world, &json!({"approvals": 2})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    world.wait(DAY);
    world.known_since.insert("ben".into(), Some(world.now));
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "it is another ben");
    let command = Command::ClearVotes { id, person: "ben".into() };
    assert!(matches!(world.submit(&admin(), &command), Err(Refusal::Forbidden(_))));
    world.submit(&Actor::system(), &command).unwrap();
    assert_eq!(world.decisions[&id].votes.len(), 1);
    assert!(world.submit(&Actor::system(), &command).unwrap().replayed);
    world.check_replay();
}

#[test]
fn what_nobody_can_meet_is_refused_where_it_is_made_with_the_way_out() {
    let mut world = World::new();
    group(&mut world, "release", &["ana", "ben"]);
    let three = json!({"when": {"tool": "x"}, "needs": {"approvals": 3, "from": ["group:release"]}});
    let refused = why(policy(&mut world, &admin(), &three));
    assert!(
        refused.contains("only 2 people (ana, ben)") && refused.contains("hold group add release"),
        "{refused}"
    );
    let table = [
        (json!({"approvals": 3, "from": ["group:release"]}), "only 2 people"),
        (json!({"approvals": 2, "from": ["group:release"], "not_requester": true}), "not counting ana"),
        (json!({"approvals": 1, "from": ["group:none"]}), "nobody"),
        (json!({"approvals": 2, "from": ["cem"]}), "only cem"),
        (json!({"each": {"group:release": 3}}), "only 2 people"),
        (json!({"refusals": 3, "from": ["group:release"]}), "needs.refusals"),
    ];
    for (needs, reason) in table {
        let create = Command::Create(Box::new(with_needs(&needs)));
        let refused = why(world.submit(&ci(), &create).map(drop));
        assert!(refused.contains(reason), "{needs}: {refused}");
    }
    ask(&mut world, &json!({"approvals": 3, "from": ["group:release", "cem"]}));
}

#[test]
fn an_ask_keeps_nobody_out_whom_a_policy_names() {
    let mut world = World::new();
    let named = json!({"when": {"tool": "Bash"}, "needs": {"from": ["ben", "cem"]}});
    policy(&mut world, &admin(), &named).unwrap();
    let friend = with_needs(&json!({"from": ["ben"]}));
    let refused = why(world.submit(&ci(), &Command::Create(Box::new(friend))).map(drop));
    assert!(refused.contains("leaves out cem"), "{refused}");
    let more = ask(&mut world, &json!({"from": ["ben", "cem", "dan"]}));
    assert_eq!(more.needs.unwrap().from, ["ben", "cem"], "the policy says whose votes count");
}

proptest! {
    /// Whoever stands in for whom: nothing is settled but by as many distinct people, for as many distinct people who are
    /// named, and none of them asked.
    #[test]
    fn stand_ins_make_no_more_votes_than_there_are_people(
        handed in prop::collection::vec((0_usize..5, 0_usize..5), 0..5),
        votes in prop::collection::vec(0_usize..5, 0..12),
        approvals in 1_usize..4,
    ) {
        let names = ["ana", "ben", "cem", "dan", "eva"];
        let mut world = World::new();
        for (who, by) in handed {
            // Circles are refused; the rest stands.
            let _ = away(&mut world, names[who], names[by]);
        }
        let needs = json!({"approvals": approvals, "from": ["ana", "ben", "cem", "dan"], "not_requester": true});
        prop_assume!(approvals <= 3);
        let id = ask(&mut world, &needs).id;
        for who in votes {
            let _ = vote(&mut world, &person(names[who]), id, "approve");
            let decision = &world.decisions[&id];
            let by: std::collections::BTreeSet<&str> = decision.votes.iter().map(|vote| vote.by.as_str()).collect();
            let whose: std::collections::BTreeSet<&str> = decision.votes.iter().map(Vote::voter).collect();
            prop_assert_eq!(by.len(), decision.votes.len());
            prop_assert_eq!(whose.len(), decision.votes.len());
            prop_assert!(!by.contains("ana") && !whose.contains("ana"), "who asks has no vote");
            prop_assert_eq!(decision.status == Status::Answered, decision.votes.len() >= approvals);
        }
        world.check_replay();
    }
}
