//! Who may see and do what: role, project and assignee, each tried from the wrong side.

use holdpoint_core::access::{admit, may_read, shows_whole, visible_to};
use holdpoint_core::decision::{AnswerInput, New, Requirements, Revision};
use holdpoint_core::{
    Actor, Auth, Command, Decision, Field, Kind, Numbering, Opt, Owner, OwnerKind, ProjectChange, Refusal,
    Role, SecretHash, Source, Span, Values,
};

use crate::world::World;

fn actor(role: Role, name: &str, credential: &str) -> Actor {
    let (role, credential) = (Some(role), Some(credential.to_owned()));
    Actor { auth: Auth::Token, role, credential, ..Actor::claimed(name, "test") }
}

fn new() -> New {
    let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
    New {
        prompt: Some("Go?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Go?", options)],
        ..New::default()
    }
}

/// A decision in project `web`, asked by the agent `a1` with the token `t1`.
fn asked(assignees: &[&str]) -> Decision {
    let mut world = World::new();
    let new = New {
        project: Some("web".into()),
        assignees: assignees.iter().map(|who| (*who).to_owned()).collect(),
        ..new()
    };
    let asker = actor(Role::Agent, "a1", "t1");
    world.submit(&asker, &Command::Create(Box::new(new))).unwrap();
    world.decisions.values().next().cloned().unwrap()
}

fn on(decision: &Decision) -> [(&'static str, Command); 7] {
    let id = decision.id;
    [
        ("answer", Command::Answer { id, input: Box::new(AnswerInput::default()) }),
        ("draft", Command::Draft { id, input: Box::default() }),
        ("cancel", Command::Cancel { id, reason: None }),
        ("revise", Command::Revise { id, revision: Box::new(Revision::default()) }),
        (
            "consume",
            Command::Consume { id, subject: serde_json::json!(1), required: Requirements::default() },
        ),
        ("expire", Command::Expire { id }),
        ("prune", Command::Prune { id }),
    ]
}

/// Says, verb by verb, what a caller gets.
fn verdicts(decision: &Decision, actor: &Actor, projects: &[&str]) -> String {
    let projects: Vec<String> = projects.iter().map(|name| (*name).to_owned()).collect();
    let word = |verdict: Result<(), Refusal>| match verdict {
        Ok(()) => "yes",
        Err(Refusal::NotFound { .. }) => "hidden",
        Err(Refusal::Forbidden(_)) => "no",
        Err(_) => "odd",
    };
    let said = on(decision).map(|(verb, command)| {
        format!("{verb}: {}", word(admit(actor, &projects, &command, Some(decision))))
    });
    said.join(", ")
}

const ALL: &str = "answer: yes, draft: yes, cancel: yes, revise: yes, consume: yes, expire: yes, prune: yes";
const PERSON: &str =
    "answer: yes, draft: yes, cancel: yes, revise: yes, consume: yes, expire: yes, prune: no";
const LOOKS: &str = "answer: no, draft: no, cancel: no, revise: yes, consume: yes, expire: yes, prune: no";
const HIDDEN: &str = "answer: hidden, draft: hidden, cancel: hidden, revise: hidden, consume: hidden, expire: hidden, prune: hidden";

#[test]
fn projects_hide_what_is_not_in_them() {
    let decision = asked(&[]);
    for role in [Role::Person, Role::Admin] {
        let who = actor(role, "ana", "t9");
        assert!(may_read(&decision, &who, &[]));
        assert!(may_read(&decision, &who, &["app".into(), "web".into()]));
        assert!(!may_read(&decision, &who, &["app".into(), "web ".into(), "WEB".into(), String::new()]));
        assert_eq!(verdicts(&decision, &who, &["app"]), HIDDEN);
    }
    let own = actor(Role::Agent, "a1", "t1");
    assert!(!may_read(&decision, &own, &["app".into()]), "not even what it asked itself");
}

#[test]
fn an_agent_sees_what_it_asked_and_what_it_is_asked() {
    let decision = asked(&["agent:a2", "ana"]);
    let sees = |name: &str, credential: &str| may_read(&decision, &actor(Role::Agent, name, credential), &[]);
    assert!(sees("a1", "t1"), "it asked");
    assert!(sees("other", "t1"), "the credential asked, whatever its name");
    assert!(!sees("a1", "t2"), "the same name is not the same credential");
    assert!(sees("a2", "t3"), "it is asked");
    assert!(!sees("ana", "t4"), "an agent does not become a person by its name");
    assert!(!sees("agent:a2", "t5"));
    assert!(!may_read(&decision, &Actor { credential: None, ..actor(Role::Agent, "a1", "") }, &[]));
    let unowned = Decision { asked_with: None, ..decision.clone() };
    assert!(!may_read(&unowned, &Actor { credential: None, ..actor(Role::Agent, "a1", "") }, &[]));
    assert_eq!(verdicts(&decision, &actor(Role::Agent, "a3", "t6"), &[]), HIDDEN);
}

#[test]
fn where_people_are_asked_others_only_look() {
    let decision = asked(&["ana", "agent:a2"]);
    assert_eq!(verdicts(&decision, &actor(Role::Person, "ana", "t9"), &[]), PERSON);
    assert_eq!(verdicts(&decision, &actor(Role::Person, "bo", "t9"), &[]), LOOKS);
    assert_eq!(verdicts(&decision, &actor(Role::Person, "Ana", "t9"), &[]), LOOKS);
    assert_eq!(verdicts(&decision, &actor(Role::Admin, "bo", "t9"), &[]), ALL);
    assert_eq!(verdicts(&decision, &Actor::claimed("bo", "cli"), &[]), ALL);
    let agents_only = asked(&["agent:a2"]);
    assert_eq!(verdicts(&agents_only, &actor(Role::Person, "bo", "t9"), &[]), PERSON);
    let nobody = asked(&[]);
    assert_eq!(verdicts(&nobody, &actor(Role::Person, "bo", "t9"), &[]), PERSON);
    // The asker may withdraw it, asked for an answer or not.
    let own = Command::Cancel { id: decision.id, reason: None };
    assert_eq!(admit(&actor(Role::Person, "bo", "t1"), &[], &own, Some(&decision)), Ok(()));
}

#[test]
fn drafts_and_credentials_are_shown_to_nobody_who_should_not_see_them() {
    let mut decision = asked(&[]);
    decision.draft.insert("choice".into(), "yes".into());
    let seen = |actor: &Actor| visible_to(decision.clone(), actor);
    assert!(decision.asked_with.is_some());
    for role in Role::ALL {
        let shown = seen(&actor(role, "x", "t9"));
        assert_eq!(shown.asked_with, None);
        assert_eq!(shown.draft.is_empty(), role == Role::Agent, "{role:?}");
    }
    assert_eq!(seen(&actor(Role::Agent, "a1", "t1")).draft, Values::new(), "not even of what it asked");
    let shown = seen(&Actor::claimed("ana", "cli"));
    assert_eq!((shown.asked_with, shown.draft.len()), (None, 1));
}

/// What says that nothing is left out is what lets two callers share one decision.
#[test]
fn a_decision_is_shared_only_as_far_as_both_may_see_it() {
    let callback = serde_json::from_value(serde_json::json!({"url": "https://example.org/settled"})).unwrap();
    let remark = serde_json::from_value(serde_json::json!(
        [{"by": "checker", "text": "deletes outside the project", "at": "2026-01-01T00:00:00Z"}]
    ));
    let remarks: Vec<holdpoint_core::decision::Remark> = remark.unwrap();
    let actors = Role::ALL.map(|role| actor(role, "x", "t9"));
    let channel: holdpoint_core::ChannelMessage =
        serde_json::from_value(serde_json::json!({"account": "501", "message": "2"})).unwrap();
    let answer = serde_json::json!({"values": {}, "out": null, "message": null, "by": "ana", "via": "telegram",
        "auth": "channel", "at": "2026-01-01T00:00:00Z"});
    let answer: holdpoint_core::Answer = serde_json::from_value(answer).unwrap();
    for at in 0..64_u8 {
        let keeps = |bit: u8| at & bit != 0;
        let mut decision = asked(&[]);
        decision.asked_with = decision.asked_with.filter(|_| keeps(1));
        decision.callback = keeps(2).then(|| Box::clone(&callback));
        if keeps(4) {
            decision.draft.insert("choice".into(), "yes".into());
        }
        if keeps(8) {
            decision.remarks.clone_from(&remarks);
        }
        if keeps(16) {
            let channel = keeps(32).then(|| Box::new(channel.clone()));
            decision.answer = Some(holdpoint_core::Answer { channel, ..answer.clone() });
        }
        for actor in actors.iter().chain(&[Actor::claimed("ana", "cli"), Actor::claimed("codex", "mcp")]) {
            let same = visible_to(decision.clone(), actor) == decision;
            assert_eq!(shows_whole(&decision, actor), same, "{at} {actor:?}");
        }
    }
}

fn refused(verdict: Result<(), Refusal>) -> String {
    match verdict {
        Err(Refusal::Forbidden(why)) => why,
        other => panic!("{other:?} is not a refusal"),
    }
}

#[test]
fn an_agent_speaks_for_itself() {
    let agent = actor(Role::Agent, "job-7", "t1");
    let ask = |new: New| admit(&agent, &["web".into()], &Command::Create(Box::new(new)), None);
    let web = || New { project: Some("web".into()), ..new() };
    assert_eq!(ask(web()), Ok(()));
    assert!(refused(ask(new())).contains("not for project \"default\""));
    for source in Source::ALL {
        let verdict = ask(New { source: Some(source), ..web() });
        let speaks = matches!(
            source,
            Source::Question
                | Source::Approval
                | Source::Plan
                | Source::Request
                | Source::Form
                | Source::Idle
        );
        assert_eq!(verdict.is_ok(), speaks, "{}", source.name());
    }
    for kind in
        [OwnerKind::Item, OwnerKind::Job, OwnerKind::Crew, OwnerKind::Run, OwnerKind::Thread, OwnerKind::Chat]
    {
        let own = ask(New { owner: Some(Owner::new(kind, "job-7")), ..web() });
        assert_eq!(own, Ok(()), "{}", kind.name());
        let others = ask(New { owner: Some(Owner::new(kind, "job-8")), ..web() });
        let acts = matches!(kind, OwnerKind::Job | OwnerKind::Crew | OwnerKind::Run);
        assert_eq!(others.is_err(), acts, "{}", kind.name());
    }
    let person = actor(Role::Person, "ana", "t2");
    let dead = New { source: Some(Source::Dead), owner: Some(Owner::new(OwnerKind::Job, "job-8")), ..web() };
    assert_eq!(admit(&person, &[], &Command::Create(Box::new(dead)), None), Ok(()));
}

#[test]
fn only_an_admin_looks_after_things() {
    let owner = Owner::new(OwnerKind::Item, "i");
    let commands = [
        Command::UpdateProject {
            name: "web".into(),
            change: ProjectChange { min_timeout: Some(Span::from_secs(0)), verdicts: None },
        },
        Command::EndOwner { project: "web".into(), owner, deleted: true },
        Command::Prune { id: Numbering::new(1).id(1) },
    ];
    for command in &commands {
        for role in [Role::Agent, Role::Person] {
            assert!(
                refused(admit(&actor(role, "x", "t"), &[], command, None)).contains("admin"),
                "{command:?}"
            );
        }
        assert_eq!(admit(&actor(Role::Admin, "x", "t"), &["web".into()], command, None), Ok(()));
        assert_eq!(admit(&Actor::claimed("x", "cli"), &[], command, None), Ok(()));
    }
    for command in &commands[..2] {
        refused(admit(&actor(Role::Admin, "x", "t"), &["app".into()], command, None));
    }
    let item = Command::CreateItem { project: "web".into(), id: "i".into(), title: None };
    assert_eq!(admit(&actor(Role::Agent, "x", "t"), &["web".into()], &item, None), Ok(()));
    refused(admit(&actor(Role::Agent, "x", "t"), &["app".into()], &item, None));
}

#[test]
fn an_admin_of_one_project_makes_no_admin_of_all() {
    let commands = [
        Command::CreateToken {
            id: "tok-1".into(),
            name: "x".into(),
            role: Role::Admin,
            projects: vec!["web".into()],
            permissions: Vec::new(),
            expires_at: None,
            owner: None,
            hash: SecretHash([0; 32]),
        },
        Command::RevokeToken { id: "tok-1".into() },
        Command::PutPerson {
            name: "x".into(),
            role: Role::Admin,
            email: None,
            projects: Vec::new(),
            password: None,
        },
        Command::RemovePerson { name: "x".into() },
        Command::SetAuth { required: false },
    ];
    for command in &commands {
        let admin = actor(Role::Admin, "x", "t");
        assert!(refused(admit(&admin, &["web".into()], command, None)).contains("all projects"));
        assert_eq!(admit(&admin, &[], command, None), Ok(()));
        for role in [Role::Agent, Role::Person] {
            refused(admit(&actor(role, "x", "t"), &[], command, None));
        }
    }
}

#[test]
fn holdpoint_itself_is_nobody() {
    let system = Actor::system();
    assert_eq!((system.auth, system.role, system.credential), (Auth::System, None, None));
}
