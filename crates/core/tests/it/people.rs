//! Decisions that take several people: votes, and what settles them.

use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::people::{GroupChange, NewPolicy, PolicyCommand};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Event, Person, Refusal, Role, Status, decision,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::rules::{agent, approval, ask_new, bash};
use crate::world::World;

pub(crate) fn person(name: &str) -> Actor {
    Actor {
        auth: Auth::Session,
        role: Some(Role::Person),
        credential: Some(format!("person:{name}")),
        ..Actor::claimed(name, "web")
    }
}

pub(crate) fn admin() -> Actor {
    Actor { role: Some(Role::Admin), ..person("root") }
}

/// The agent `ci`, whose token ana owns.
pub(crate) fn ci() -> Actor {
    Actor { owner: Some("ana".into()), ..agent("ci") }
}

pub(crate) fn with_needs(needs: &Value) -> New {
    New { needs: Some(serde_json::from_value(needs.clone()).unwrap()), ..approval(&bash("deploy")) }
}

pub(crate) fn ask(world: &mut World, needs: &Value) -> Decision {
    ask_new(world, &ci(), with_needs(needs))
}

pub(crate) fn vote(world: &mut World, who: &Actor, id: DecisionId, choice: &str) -> Result<(), Refusal> {
    let digest = world.decisions.get(&id).map(|decision| decision.digest.clone());
    let input = AnswerInput { choice: Some(json!(choice)), digest, ..AnswerInput::default() };
    world.submit(who, &Command::Answer { id, input: Box::new(input) }).map(drop)
}

pub(crate) fn group(world: &mut World, name: &str, members: &[&str]) {
    let add = members.iter().map(ToString::to_string).collect();
    let change = GroupChange { add, ..GroupChange::default() };
    world.submit(&admin(), &Command::Group { name: name.into(), change }).unwrap();
}

pub(crate) fn why(refused: Result<(), Refusal>) -> String {
    refused.unwrap_err().to_string()
}

#[test]
fn enough_people_settle_it_and_the_last_vote_does_so_in_its_own_ruling() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 2})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let open = world.decisions[&id].clone();
    assert_eq!((open.status, open.votes.len()), (Status::Pending, 1));
    assert_eq!(open.progress().unwrap().to_string(), "1 of 2: ben; still needed: 1 more person");
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].votes.len(), 1, "the same vote again is a replay");
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    let settled = &world.decisions[&id];
    assert_eq!(settled.status, Status::Answered);
    assert!(!decision::is_refusal(settled));
    assert_eq!(settled.answer.as_ref().unwrap().by, "cem");
    let tags: Vec<&str> = world.log.iter().map(|(event, _)| event.tag()).collect();
    assert_eq!(tags[tags.len() - 2..], ["decision:voted", "decision:resolved"]);
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    assert!(why(vote(&mut world, &person("dan"), id, "deny")).contains("answered"));
    world.check_replay();
}

#[test]
fn a_vote_can_be_changed_and_the_first_refusal_is_enough() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 2, "refusals": 2})).id;
    vote(&mut world, &person("ben"), id, "deny").unwrap();
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    vote(&mut world, &person("cem"), id, "deny").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "one refusal counts: ben has changed his mind");
    vote(&mut world, &person("dan"), id, "deny").unwrap();
    assert!(decision::is_refusal(&world.decisions[&id]));

    let id = ask(&mut world, &json!({"approvals": 3})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    vote(&mut world, &person("cem"), id, "deny").unwrap();
    assert!(decision::is_refusal(&world.decisions[&id]));
}

#[test]
fn only_those_who_are_named_count_and_each_group_must_be_there() {
    let mut world = World::new();
    group(&mut world, "release", &["ben", "cem"]);
    group(&mut world, "security", &["dan"]);
    let needs = json!({"approvals": 2, "from": ["group:release", "eva"], "each": {"group:security": 1}});
    let id = ask(&mut world, &needs).id;
    assert!(why(vote(&mut world, &person("fay"), id, "approve")).contains("group:release"));
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let progress = world.decisions[&id].progress().unwrap().to_string();
    assert_eq!(progress, "1 of 2: ben; still needed: group:release, eva, group:security");
    vote(&mut world, &person("eva"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "security is missing");
    vote(&mut world, &person("dan"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Answered);
    let groups = world.log.iter().find_map(|(event, _)| match event {
        Event::Voted(voted) if voted.vote.by == "ben" => Some(voted.groups.clone()),
        _ => None,
    });
    assert_eq!(groups.unwrap()["group:release"], ["ben", "cem"]);
}

#[test]
fn who_left_a_group_may_still_take_their_vote_back() {
    let mut world = World::new();
    group(&mut world, "release", &["ana", "ben"]);
    let asked = ask(&mut world, &json!({"approvals": 2, "from": ["group:release"]}));
    vote(&mut world, &person("ana"), asked.id, "approve").unwrap();
    let change = GroupChange { remove: vec!["ana".into()], ..GroupChange::default() };
    world.submit(&admin(), &Command::Group { name: "release".into(), change }).unwrap();
    vote(&mut world, &person("ana"), asked.id, "deny").unwrap();
    assert_eq!(
        world.decisions[&asked.id].status,
        Status::Pending,
        "a no of somebody who left refuses nothing"
    );
    vote(&mut world, &person("ben"), asked.id, "approve").unwrap();
    assert_eq!(world.decisions[&asked.id].status, Status::Pending, "and the yes is gone");
}

#[test]
fn a_field_that_may_stay_empty_is_no_obstacle() {
    let mut world = World::new();
    let mut new = serde_json::to_value(with_needs(&json!({"approvals": 2}))).unwrap();
    let words = json!({"id": "words", "kind": "multiline", "label": "Anything else?", "required": false});
    new["fields"].as_array_mut().unwrap().push(words);
    let asked = ask_new(&mut world, &ci(), serde_json::from_value(new).unwrap());
    vote(&mut world, &person("ben"), asked.id, "approve").unwrap();
    vote(&mut world, &person("cem"), asked.id, "approve").unwrap();
    assert_eq!(world.decisions[&asked.id].status, Status::Answered);
}

#[test]
fn a_group_that_must_be_there_keeps_nobody_else_out() {
    let mut world = World::new();
    group(&mut world, "security", &["ana"]);
    let asked = ask(&mut world, &json!({"approvals": 2, "each": {"group:security": 1}}));
    vote(&mut world, &person("ben"), asked.id, "approve").unwrap();
    vote(&mut world, &person("ana"), asked.id, "approve").unwrap();
    assert_eq!(world.decisions[&asked.id].status, Status::Answered);
}

#[test]
fn who_leaves_a_group_after_voting_has_voted() {
    let mut world = World::new();
    group(&mut world, "release", &["ben", "cem"]);
    let id = ask(&mut world, &json!({"approvals": 2, "from": ["group:release"]})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let change = GroupChange { remove: vec!["ben".into()], ..GroupChange::default() };
    world.submit(&admin(), &Command::Group { name: "release".into(), change }).unwrap();
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Answered);
}

#[test]
fn one_person_with_two_credentials_is_one_voter() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 2})).id;
    let token = |name: &str, owner: Option<&str>| Actor {
        auth: Auth::Token,
        credential: Some(format!("tok-{name}")),
        owner: owner.map(str::to_owned),
        ..person(name)
    };
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    world.person = Some(known("ben"));
    vote(&mut world, &token("ben-laptop", Some("ben")), id, "approve").unwrap();
    vote(&mut world, &token("ben", None), id, "approve").unwrap();
    assert_eq!((world.decisions[&id].status, world.decisions[&id].votes.len()), (Status::Pending, 1));
    world.person = None;
    let refused = why(vote(&mut world, &token("nobody", None), id, "approve"));
    assert!(refused.contains("--owner"), "{refused}");
}

fn known(name: &str) -> Person {
    serde_json::from_value(json!({"name": name, "role": "person", "email": null, "projects": [],
        "created_at": "2026-11-15T12:00:00Z", "has_password": true}))
    .unwrap()
}

#[test]
fn ways_that_do_not_say_who_it_is_are_refused_with_the_reason() {
    let with = |auth: Auth| Actor { auth, ..person("ben") };
    let mcp = Actor { via: "mcp".into(), ..person("ben") };
    let local = Actor { auth: Auth::Local, role: None, credential: None, ..person("ben") };
    let table = [
        (with(Auth::Link), "a link"),
        (with(Auth::Channel), "a channel"),
        (local, "local token"),
        (Actor::claimed("ben", "cli"), "checks who calls"),
        (mcp, "MCP"),
    ];
    for needs in [Some(json!({"approvals": 2})), None] {
        for (actor, reason) in &table {
            let mut world = World::new();
            let new = match &needs {
                Some(needs) => with_needs(needs),
                None => New { needs_person: true, ..approval(&bash("deploy")) },
            };
            let id = ask_new(&mut world, &ci(), new).id;
            let refused = why(vote(&mut world, actor, id, "approve"));
            assert!(refused.contains(reason), "{:?}: {refused}", actor.auth);
        }
    }
}

#[test]
fn a_signed_in_person_alone_answers_what_needs_a_person() {
    let mut world = World::new();
    let id = ask_new(&mut world, &ci(), New { needs_person: true, ..approval(&bash("deploy")) }).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let decision = &world.decisions[&id];
    assert_eq!((decision.status, decision.votes.len()), (Status::Answered, 0));
}

#[test]
fn what_nobody_could_vote_on_is_refused_as_it_is_asked() {
    let mut world = World::new();
    let mut create =
        |actor: &Actor, new: New| why(world.submit(actor, &Command::Create(Box::new(new))).map(drop));
    let two = json!({"approvals": 2});
    let text: New = serde_json::from_value(
        json!({"prompt": "Why?", "needs": two, "fields": [{"id": "t", "kind": "text"}]}),
    )
    .unwrap();
    assert!(create(&ci(), text).contains("exactly one confirm or choice field"));
    let by_silence = json!({"prompt": "Which?", "needs": two, "timeout": "1h", "default": {"c": "a"},
        "fields": [{"id": "c", "kind": "choice", "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}]});
    let refused = create(&ci(), serde_json::from_value(by_silence).unwrap());
    assert!(refused.contains("silence may only refuse"), "{refused}");
    assert!(create(&Actor::claimed("ci", "cli"), with_needs(&two)).contains("checks who calls"));
    let without_owner = create(&agent("ci"), with_needs(&json!({"not_requester": true})));
    assert!(without_owner.contains("--owner"), "{without_owner}");
    for needs in [
        json!({"approvals": 0}),
        json!({"refusals": 101}),
        json!({"from": ["agent:x"]}),
        json!({"each": {"a": 0}}),
    ] {
        let refused = create(&ci(), with_needs(&needs));
        assert!(refused.contains("needs."), "{needs}: {refused}");
    }
}

#[test]
fn who_owns_the_token_that_asks_does_not_vote() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 1, "not_requester": true})).id;
    assert!(why(vote(&mut world, &person("ana"), id, "approve")).contains("others"));
    world.person = Some(known("ana"));
    let token = Actor {
        auth: Auth::Token,
        credential: Some("tok-7".into()),
        owner: Some("ana".into()),
        ..person("a2")
    };
    assert!(why(vote(&mut world, &token, id, "approve")).contains("others"));
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Answered);
}

#[test]
fn who_is_bound_to_other_projects_has_no_vote_even_by_a_token_that_is_not() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 1})).id;
    world.person = Some(Person { projects: vec!["elsewhere".into()], ..known("cem") });
    let token = Actor {
        auth: Auth::Token,
        credential: Some("tok-7".into()),
        owner: Some("cem".into()),
        ..person("c2")
    };
    assert!(why(vote(&mut world, &token, id, "approve")).contains("no vote in this project"));
    world.person = Some(known("cem"));
    vote(&mut world, &token, id, "approve").unwrap();
}

#[test]
fn a_second_name_does_not_hide_the_tool_from_a_policy() {
    let mut world = World::new();
    policy(&mut world, &admin(), &json!({"when": {"tool": "Bash"}, "needs_person": true})).unwrap();
    for subject in [
        json!({"tool": "Other", "tool_name": "Bash", "input": {"command": "deploy"}}),
        json!({"tool": 7, "tool_name": "Bash"}),
        json!({"tool": "Bash", "tool_name": "Other"}),
    ] {
        assert!(ask_new(&mut world, &ci(), approval(&subject)).needs_person, "{subject}");
    }
}

#[test]
fn a_revision_clears_the_votes_and_says_whose() {
    let mut world = World::new();
    let id = ask(&mut world, &json!({"approvals": 2})).id;
    vote(&mut world, &person("ben"), id, "approve").unwrap();
    let before = world.decisions[&id].digest.clone();
    let revision = Revision { subject: Some(bash("deploy --all")), ..Revision::default() };
    world.submit(&ci(), &Command::Revise { id, revision: Box::new(revision) }).unwrap();
    assert!(world.decisions[&id].votes.is_empty());
    let Some((Event::Revised(revised), _)) = world.log.last() else { panic!("it was revised") };
    assert_eq!(revised.cleared, ["ben"]);
    let input =
        AnswerInput { choice: Some(json!("approve")), digest: Some(before), ..AnswerInput::default() };
    let stale = world.submit(&person("cem"), &Command::Answer { id, input: Box::new(input) });
    assert!(matches!(stale, Err(Refusal::Stale { .. })));
    vote(&mut world, &person("cem"), id, "approve").unwrap();
    assert_eq!(world.decisions[&id].status, Status::Pending, "ben's vote was for something else");
}

pub(crate) fn policy(world: &mut World, actor: &Actor, policy: &Value) -> Result<(), Refusal> {
    let new: NewPolicy = serde_json::from_value(policy.clone()).unwrap();
    let command = PolicyCommand::Add { id: format!("pol-{}", world.log.len()), new: Box::new(new) };
    world.submit(actor, &Command::Policy { project: "default".into(), command }).map(drop)
}

#[test]
fn a_policy_applies_to_what_is_asked_and_an_ask_only_adds_to_it() {
    let mut world = World::new();
    let plain = approval(&bash("deploy"));
    let unset = ask_new(&mut world, &ci(), plain.clone());
    group(&mut world, "release", &["ben", "cem", "dan"]);
    policy(
        &mut world,
        &admin(),
        &json!({"when": {"source": "approval"},
        "needs": {"approvals": 2, "from": ["group:release"]}}),
    )
    .unwrap();
    policy(&mut world, &admin(), &json!({"when": {"tool": "Bash"}, "needs_person": true})).unwrap();
    let set = ask_new(&mut world, &ci(), plain.clone());
    assert_eq!((set.needs.as_ref().unwrap().approvals, set.needs_person), (2, true));
    assert_ne!(set.digest, unset.digest, "what is needed is part of what is asked");
    let more = ask(&mut world, &json!({"approvals": 3, "not_requester": true}));
    let needs = more.needs.unwrap();
    assert_eq!((needs.approvals, needs.not_requester, needs.from), (3, true, vec!["group:release".into()]));
    let fewer = ask(&mut world, &json!({"approvals": 1, "refusals": 5})).needs.unwrap();
    assert_eq!((fewer.approvals, fewer.refusals), (2, 1));
    let others = with_needs(&json!({"from": ["mallory"]}));
    let refused = why(world.submit(&ci(), &Command::Create(Box::new(others))).map(drop));
    assert!(refused.contains("leaves out group:release"), "{refused}");
    // That an agent calls it a question does not spare it the policy.
    let question = New { source: Some(holdpoint_core::Source::Question), ..plain };
    assert_eq!(ask_new(&mut world, &ci(), question).needs.unwrap().approvals, 2);
    let revision = Revision { title: Some("Now?".into()), ..Revision::default() };
    world.submit(&ci(), &Command::Revise { id: unset.id, revision: Box::new(revision) }).unwrap();
    assert_eq!(world.decisions[&unset.id].needs.as_ref().unwrap().approvals, 2);
}

#[test]
fn policies_that_say_nothing_or_come_from_agents_are_refused() {
    let two = json!({"when": {"source": "approval"}, "needs": {"approvals": 2}});
    let table = [
        (admin(), json!({"when": {}, "needs_person": true}), "names nothing"),
        (admin(), json!({"when": {"tool": "Bash"}}), "demands nothing"),
        (admin(), json!({"when": {"source": "verdict"}, "needs_person": true}), "approval, plan or question"),
        (admin(), json!({"when": {"tool": "x"}, "needs": {"approvals": 0}}), "from 1 to"),
        (Actor { role: Some(Role::Admin), via: "mcp".into(), ..admin() }, two.clone(), "agents"),
        (Actor::claimed("ana", "cli"), two, "checks who calls"),
    ];
    for (actor, wrong, reason) in table {
        let refused = why(policy(&mut World::new(), &actor, &wrong));
        assert!(refused.contains(reason), "{wrong}: {refused}");
    }
}

#[test]
fn rules_never_consent_to_what_takes_several_people() {
    let allow = json!({"then": "allow", "when": {"asked_by": "ci", "command": {"words": ["deploy"], "cwd": "/srv/app"}}});
    let refuse = json!({"then": "refuse", "when": {"asked_by": "ci"}});
    let two = with_needs(&json!({"approvals": 2}));
    let by_person = New { needs_person: true, ..approval(&bash("deploy")) };
    let table = [
        (&allow, approval(&bash("deploy")), Status::Answered),
        (&allow, two.clone(), Status::Pending),
        (&allow, by_person.clone(), Status::Pending),
        (&refuse, two, Status::Answered),
        (&refuse, by_person, Status::Pending),
    ];
    for (rule, new, status) in table {
        let mut world = World::new();
        crate::rules::add(&mut world, rule.clone());
        assert_eq!(ask_new(&mut world, &ci(), new).status, status, "{rule}");
    }
}

proptest! {
    /// Whatever people say, in whatever order: it is settled only by enough distinct people who say the same now.
    #[test]
    fn nothing_is_settled_without_enough_distinct_people(
        approvals in 1_u32..4,
        refusals in 1_u32..3,
        votes in prop::collection::vec((0_usize..5, any::<bool>()), 0..16),
    ) {
        let mut world = World::new();
        let id = ask(&mut world, &json!({"approvals": approvals, "refusals": refusals})).id;
        let mut said = std::collections::BTreeMap::new();
        for (who, yes) in votes {
            if world.decisions[&id].status != Status::Pending {
                break;
            }
            said.insert(who, yes);
            vote(&mut world, &person(&format!("p{who}")), id, if yes { "approve" } else { "deny" }).unwrap();
            let consenting = said.values().filter(|yes| **yes).count();
            let refusing = said.len() - consenting;
            let settled = &world.decisions[&id];
            let is_no = refusing >= refusals as usize;
            let is_yes = consenting >= approvals as usize;
            prop_assert_eq!(settled.status == Status::Answered, is_no || is_yes);
            prop_assert_eq!(decision::is_refusal(settled), is_no);
            prop_assert_eq!(settled.votes.len(), said.len());
        }
        world.check_replay();
    }
}
