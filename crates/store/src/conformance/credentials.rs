//! Access: tokens, people, sessions, links, and a store that demands authentication.

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{
    Actor, Auth, Command, DecisionId, PasswordHash, Person, Refusal, Role, SecretHash, Span, Status,
    Timestamp,
};

use super::scene::refusal;
use super::{Scene, StoreHarness, Tampering, choose, question};
use crate::{EventQuery, LinkUse, Query, Repair, SeenBy, Submission, audit};

pub(super) fn token(id: &str, name: &str, hash: u8) -> Command {
    let (role, projects) = (Role::Agent, vec!["web".into()]);
    Command::CreateToken {
        id: id.into(),
        name: name.into(),
        role,
        projects,
        permissions: Vec::new(),
        expires_at: None,
        owner: None,
        hash: SecretHash([hash; 32]),
    }
}

pub(super) fn person(name: &str, password: Option<&str>) -> Command {
    Command::PutPerson {
        name: name.into(),
        role: Role::Person,
        email: Some("private@example.org".into()),
        projects: Vec::new(),
        password: password.map(PasswordHash::new),
    }
}

fn known(auth: Auth, role: Role, name: &str, credential: &str) -> Actor {
    let (role, credential) = (Some(role), Some(credential.into()));
    Actor { auth, role, credential, ..Actor::claimed(name, "http") }
}

/// Returns a person who follows a link to answer.
fn follower() -> Actor {
    known(Auth::Link, Role::Person, "bo", &Person::credential("bo"))
}

fn later(scene: &Scene, seconds: i64) -> Timestamp {
    scene.now().checked_add(Span::from_secs(seconds)).unwrap()
}

/// Signs a person in; returns whether that succeeded.
async fn sign_in(scene: &Scene, hash: u8, person: &str) -> bool {
    let (person, session) = (person.to_owned(), SecretHash([hash; 32]));
    let command = Command::SignIn { person, session, expires_at: later(scene, 60) };
    let submission = Submission { actor: Actor::sign_in(), ..scene.submission(command) };
    scene.store.submit(submission).await.is_ok()
}

fn link(scene: &Scene, nonce: &str) -> LinkUse {
    LinkUse { nonce: nonce.into(), expires: later(scene, 60) }
}

fn by_link(scene: &Scene, id: DecisionId, choice: &str, nonce: &str) -> Submission {
    Submission { actor: follower(), link: Some(link(scene, nonce)), ..scene.submission(choose(id, choice)) }
}

/// Returns the content of the log as one text.
pub(super) async fn log(scene: &Scene) -> String {
    let links = scene.store.links(0, 1000).await.unwrap();
    links
        .iter()
        .map(|link| format!("{} {} {:?}", link.stream, link.tag, link.body))
        .collect::<Vec<_>>()
        .join("\n")
}

pub async fn people_are_kept_without_a_trace_of_the_password(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(person("bo", Some("slow-hash"))).await.unwrap();
    scene.submit(person("al", None)).await.unwrap();
    let bo = scene.store.person("bo").await.unwrap().unwrap();
    assert_eq!(bo.password, Some(PasswordHash::new("slow-hash")));
    assert!(!format!("{bo:?}").contains("slow-hash"));
    let admin = Command::PutPerson {
        name: "bo".into(),
        role: Role::Admin,
        email: None,
        projects: vec!["web".into()],
        password: None,
    };
    scene.submit(admin).await.unwrap();
    let bo = scene.store.person("bo").await.unwrap().unwrap();
    assert_eq!((bo.person.role, bo.person.email, bo.person.has_password), (Role::Admin, None, true));
    assert_eq!(bo.password, Some(PasswordHash::new("slow-hash")), "the old password stays");
    let names: Vec<String> =
        scene.store.people().await.unwrap().into_iter().map(|person| person.name).collect();
    assert_eq!(names, ["al", "bo"]);
    assert!(scene.store.person("nobody").await.unwrap().is_none());
    assert!(!log(&scene).await.contains("slow-hash"));
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn whoever_is_removed_is_out_and_forgotten(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(person("bo", Some("one"))).await.unwrap();
    assert!(sign_in(&scene, 1, "bo").await);
    assert!(log(&scene).await.contains("private@example.org"));
    scene.submit(Command::RemovePerson { name: "bo".into() }).await.unwrap();
    assert_eq!(scene.store.session(&SecretHash([1; 32]), scene.now()).await.unwrap(), None);
    assert!(scene.store.person("bo").await.unwrap().is_none());
    assert!(!log(&scene).await.contains("private@example.org"), "the log forgets the address");
    let report = audit::verify(scene.store.as_ref(), &[], None).await.unwrap();
    assert_eq!((report.faults, report.erased), (vec![], 2), "erased is not tampered");
    // A person who is added again starts over: no session, no password.
    scene.submit(person("bo", None)).await.unwrap();
    assert_eq!(scene.store.session(&SecretHash([1; 32]), scene.now()).await.unwrap(), None);
    assert!(!scene.store.person("bo").await.unwrap().unwrap().person.has_password);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn sessions_end(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(person("bo", Some("one"))).await.unwrap();
    let live = |hash: u8| {
        let (store, now) = (scene.store.clone(), scene.now());
        async move { store.session(&SecretHash([hash; 32]), now).await.unwrap().is_some() }
    };
    for hash in 1..=4 {
        assert!(sign_in(&scene, hash, "bo").await);
    }
    assert!(!sign_in(&scene, 9, "nobody").await, "who is not known does not come in");
    assert!(sign_in(&scene, 8, "local:me").await && live(8).await, "who comes from this machine does");
    assert!(live(1).await && !live(7).await);
    scene.store.end_session(&SecretHash([1; 32])).await.unwrap();
    scene.store.extend_session(&SecretHash([1; 32]), later(&scene, 9_000)).await.unwrap();
    assert!(!live(1).await, "what has ended is not extended");
    scene.store.extend_session(&SecretHash([2; 32]), later(&scene, 120)).await.unwrap();
    scene.at(60);
    assert!(live(2).await && !live(3).await, "at its end it is over");
    scene.at(120);
    assert!(!live(2).await);
    scene.at(0);
    assert_eq!(scene.store.end_sessions_of("bo").await.unwrap(), 3);
    assert!(!live(2).await);
    assert!(sign_in(&scene, 5, "bo").await);
    scene.submit(person("bo", None)).await.unwrap();
    assert!(live(5).await);
    scene.submit(person("bo", Some("two"))).await.unwrap();
    assert!(!live(5).await, "a new password ends what the old one opened");
}

pub async fn links_are_used_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    assert!(!scene.store.is_link_used("n").await.unwrap());
    let mut tries = Vec::new();
    for _ in 0..20 {
        let (store, link, now) = (scene.store.clone(), link(&scene, "n"), scene.now());
        tries.push(tokio::spawn(async move { store.use_link(&link, now).await.unwrap() }));
    }
    let mut first = 0;
    for one in tries {
        first += usize::from(one.await.unwrap());
    }
    assert_eq!(first, 1);
    assert!(scene.store.is_link_used("n").await.unwrap());
    assert!(scene.store.use_link(&link(&scene, "m"), scene.now()).await.unwrap(), "others are not touched");
}

pub async fn a_link_goes_with_the_answer(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let (one, two) = (scene.ask(question()).await.id, scene.ask(question()).await.id);
    let wrong = scene.store.submit(by_link(&scene, one, "nothing", "n")).await;
    assert!(matches!(refusal(wrong), Refusal::Invalid(_)));
    let stale =
        AnswerInput { choice: Some("a".into()), digest: Some("sha256:0".into()), ..AnswerInput::default() };
    let stale = Command::Answer { id: one, input: Box::new(stale) };
    let stale =
        scene.store.submit(Submission { command: stale.into(), ..by_link(&scene, one, "a", "n") }).await;
    assert!(matches!(refusal(stale), Refusal::Stale { .. }));
    assert!(!scene.store.is_link_used("n").await.unwrap(), "what settles nothing uses nothing up");
    let answered = scene.store.submit(by_link(&scene, one, "a", "n")).await.unwrap().decision.unwrap();
    let answer = answered.answer.as_ref().map(|answer| (answer.by.as_str(), answer.auth));
    assert_eq!(answer, Some(("bo", Auth::Link)));
    assert!(scene.store.is_link_used("n").await.unwrap());
    for again in [by_link(&scene, one, "a", "n"), by_link(&scene, two, "a", "n")] {
        let again = refusal(scene.store.submit(again).await);
        assert_eq!(again, Refusal::LinkUsed { why: "was used before" });
    }
    scene.at(60);
    let old = Submission { now: scene.now(), ..by_link(&scene, two, "a", "m") };
    let old = Submission { link: Some(LinkUse { nonce: "m".into(), expires: scene.now() }), ..old };
    assert_eq!(refusal(scene.store.submit(old).await), Refusal::LinkUsed { why: "is too old" });
    assert_eq!(scene.decision(two).await.status, Status::Pending);
}

pub async fn a_link_does_nothing_else(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    let commands = [
        Command::Cancel { id, reason: None },
        Command::Draft { id, input: Box::default() },
        Command::Create(Box::new(question())),
        Command::Prune { id },
    ];
    for command in commands {
        let sent = Submission { command: command.into(), ..by_link(&scene, id, "a", "n") };
        assert!(matches!(refusal(scene.store.submit(sent).await), Refusal::Forbidden(_)));
    }
    let without = Submission { link: None, ..by_link(&scene, id, "a", "n") };
    assert!(matches!(refusal(scene.store.submit(without).await), Refusal::Forbidden(_)));
    assert!(!scene.store.is_link_used("n").await.unwrap());
}

pub async fn one_link_settles_one_of_many(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut sent = Vec::new();
    for _ in 0..10 {
        let id = scene.ask(question()).await.id;
        sent.push(by_link(&scene, id, "a", "n"));
    }
    // All at once, so that some share a transaction.
    let tries = sent.into_iter().map(|sent| {
        let store = scene.store.clone();
        tokio::spawn(async move { store.submit(sent).await.is_ok() })
    });
    let tries: Vec<_> = tries.collect();
    let mut settled = 0;
    for one in tries {
        settled += usize::from(one.await.unwrap());
    }
    assert_eq!(settled, 1);
    let answered = Query { statuses: vec![Status::Answered], ..Query::default() };
    assert_eq!(scene.ids(answered).await.len(), 1);
}

pub async fn authentication_shuts_out_the_unchecked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(New { timeout: Some(Span::from_secs(10)), ..question() }).await.id;
    let other = scene.ask(question()).await.id;
    scene.submit(Command::SetAuth { required: true }).await.unwrap();
    assert!(scene.store.auth_required().await.unwrap());
    let before = scene.store.head().await.unwrap().seq;
    scene.at(20);
    let commands = [
        Command::Create(Box::new(question())),
        choose(other, "a"),
        Command::Cancel { id: other, reason: None },
        Command::SetAuth { required: false },
        token("tok-1", "x", 1),
    ];
    for command in commands {
        for actor in [Actor::claimed("ana", "cli"), Actor::system()] {
            let sent = Submission { actor, ..scene.submission(command.clone()) };
            let refusal = refusal(scene.store.submit(sent).await);
            assert!(
                matches!(&refusal, Refusal::Forbidden(why) if why.contains("only by its server")),
                "{refusal:?}"
            );
        }
    }
    assert_eq!(scene.store.head().await.unwrap().seq, before, "not even what was overdue is recorded");
    let expire = Submission { actor: Actor::system(), ..scene.submission(Command::Expire { id }) };
    assert_eq!(scene.store.submit(expire).await.unwrap().decision.unwrap().status, Status::TimedOut);
    let person = known(Auth::Session, Role::Person, "bo", "person:bo");
    let answer = Submission { actor: person.clone(), ..scene.submission(choose(other, "a")) };
    assert_eq!(scene.store.submit(answer).await.unwrap().decision.unwrap().status, Status::Answered);
    let off = Command::SetAuth { required: false };
    let sent = Submission { actor: person, ..scene.submission(off.clone()) };
    assert!(matches!(refusal(scene.store.submit(sent).await), Refusal::Forbidden(_)), "a person is no admin");
    let local = Actor { auth: Auth::Local, ..Actor::claimed("me", "http") };
    scene.store.submit(Submission { actor: local, ..scene.submission(off) }).await.unwrap();
    assert!(!scene.store.auth_required().await.unwrap());
    scene.ask(question()).await;
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn a_credential_stays_in_its_projects(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let hidden = scene.ask(question()).await.id;
    let seen = scene.ask(New { project: Some("web".into()), ..question() }).await.id;
    let bound = |command| Submission {
        actor: known(Auth::Token, Role::Person, "bo", "tok-1"),
        projects: vec!["web".into()],
        ..scene.submission(command)
    };
    let missing = refusal(scene.store.submit(bound(choose(hidden, "a"))).await);
    assert_eq!(missing, Refusal::NotFound { what: "decision", id: hidden.to_string() });
    let create = refusal(scene.store.submit(bound(Command::Create(Box::new(question())))).await);
    assert!(matches!(create, Refusal::Forbidden(_)));
    scene.store.submit(bound(choose(seen, "a"))).await.unwrap();
    assert_eq!(scene.decision(hidden).await.status, Status::Pending);
}

pub async fn lists_show_what_one_may_see(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let agent = known(Auth::Token, Role::Agent, "a1", "tok-1");
    let own = Command::Create(Box::new(New { project: Some("web".into()), ..question() }));
    let own = scene.store.submit(Submission { actor: agent, ..scene.submission(own) }).await.unwrap();
    let own = own.decision.unwrap().id;
    let assigned = New { assignees: vec!["bo".into(), "agent:a1".into()], ..question() };
    let assigned = scene.ask(assigned).await.id;
    scene.ask(New { assignees: vec!["agent:a11".into(), "a1".into()], ..question() }).await;
    scene.ask(New { prompt: Some("agent:a1 tok-1".into()), ..question() }).await;
    let seen_by = Some(SeenBy { credential: "tok-1".into(), assignee: "agent:a1".into() });
    assert_eq!(scene.ids(Query { seen_by: seen_by.clone(), ..Query::default() }).await, [own, assigned]);
    let pending = Query { seen_by: seen_by.clone(), statuses: vec![Status::Pending], ..Query::default() };
    assert_eq!(scene.ids(Query { now: Some(scene.now()), ..pending }).await, [own, assigned]);
    let projects = vec!["web".into(), "app".into()];
    assert_eq!(scene.ids(Query { seen_by, projects: projects.clone(), ..Query::default() }).await, [own]);
    assert_eq!(scene.ids(Query { projects: vec!["app".into()], ..Query::default() }).await, []);
    let elsewhere = Query { project: Some("default".into()), projects, ..Query::default() };
    assert_eq!(scene.ids(elsewhere).await, [], "what is asked for does not widen what is allowed");
}

pub async fn nobody_gets_a_role_behind_the_log(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(token("tok-1", "builder", 1)).await.unwrap();
    scene.submit(person("bo", Some("one"))).await.unwrap();
    scene.submit(Command::SetAuth { required: true }).await.unwrap();
    bench.tamper(Tampering::Roles).await;
    assert!(
        scene.store.token_by_hash(&SecretHash([1; 32])).await.unwrap().is_none(),
        "it counts for nothing"
    );
    assert!(scene.store.person("bo").await.unwrap().is_none());
    let findings = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert_eq!(
        findings,
        [
            "token tok-1 does not match the log",
            "token tok-x does not match the log",
            "person \"bo\" does not match the log",
            "whether authentication is on is not what the log says",
        ]
    );
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    let token = scene.store.token_by_hash(&SecretHash([1; 32])).await.unwrap().unwrap();
    assert_eq!(token.role, Role::Agent);
    assert!(scene.store.auth_required().await.unwrap());
}

pub async fn nobody_gets_in_by_a_row(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(token("tok-1", "builder", 1)).await.unwrap();
    scene.submit(person("bo", Some("one"))).await.unwrap();
    assert!(sign_in(&scene, 2, "bo").await);
    bench.tamper(Tampering::Secrets).await;
    let (forged, own) = (SecretHash([0; 32]), SecretHash([2; 32]));
    assert!(scene.store.token_by_hash(&forged).await.unwrap().is_none());
    assert!(scene.store.person("bo").await.unwrap().is_none(), "not by another password");
    assert!(scene.store.session(&forged, scene.now()).await.unwrap().is_none());
    assert!(scene.store.session(&own, scene.now()).await.unwrap().is_some());
    let findings = scene.store.inspect(Repair::No).await.unwrap().findings;
    assert_eq!(findings, ["no event explains 1 of the sessions"]);
}

pub async fn credentials_are_events(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.submit(token("tok-1", "builder", 1)).await.unwrap();
    scene.submit(Command::RevokeToken { id: "tok-1".into() }).await.unwrap();
    scene.submit(person("a/b", None)).await.unwrap();
    scene.submit(Command::RemovePerson { name: "a/b".into() }).await.unwrap();
    scene.submit(Command::SetAuth { required: true }).await.unwrap();
    let events = scene.store.events(&EventQuery { limit: 10, ..EventQuery::default() }).await.unwrap();
    let told: Vec<String> =
        events.iter().map(|event| format!("{} {} {}", event.stream, event.version, event.tag)).collect();
    assert_eq!(
        told,
        [
            "token/tok-1 1 token:created",
            "token/tok-1 2 token:revoked",
            "person/a/b 1 person:updated",
            "person/a/b 2 person:removed",
            "auth 1 auth:updated",
        ]
    );
}
