//! Tokens: shown once, kept as a hash, worth nothing once revoked.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Auth, Command, Permission, Refusal, Role, Span, Status};
use holdpoint_engine::auth::{Caller, CreatedToken, NewPerson, NewToken};
use holdpoint_engine::{Admin as _, Client as _, Embedded};

use crate::scene::{Scene, new_person, owned, question, refusal};

fn new(name: &str, role: Role) -> NewToken {
    NewToken {
        name: name.into(),
        role,
        projects: owned(&["web"]),
        permissions: vec![],
        lasts: None,
        owner: None,
    }
}

#[tokio::test]
async fn a_secret_is_shown_once_and_kept_nowhere() {
    let scene = Scene::new();
    let made = scene.engine.create_token(&Scene::root(), new("builder", Role::Agent)).await.unwrap();
    let secret = made.secret.reveal();
    assert!(!format!("{made:?}").contains(&secret[5..]));
    let json = serde_json::to_string(&made).unwrap();
    assert!(json.contains(&secret) && json.contains(r#""role":"agent""#));
    assert_eq!(serde_json::from_str::<CreatedToken>(&json).unwrap(), made);
    let cut = json.replace(&secret, &secret[..20]);
    let error = serde_json::from_str::<CreatedToken>(&cut).unwrap_err().to_string();
    assert!(!error.contains(&secret[5..20]), "an error does not repeat it: {error}");
    let listed = serde_json::to_string(&scene.engine.tokens(&Scene::root()).await.unwrap()).unwrap();
    assert!(!listed.contains(&secret[5..]));
    let file: Vec<u8> = ["hold.db", "hold.db-wal"]
        .iter()
        .flat_map(|name| std::fs::read(scene.home.path().join(name)).unwrap_or_default())
        .collect();
    let found = |text: &[u8]| file.windows(text.len()).any(|part| part == text);
    assert!(found(b"builder") && !found(&secret.as_bytes()[5..]), "not in the file either");
}

#[tokio::test]
async fn only_the_whole_secret_in_force_counts() {
    let scene = Scene::new();
    let made = scene.engine.create_token(&Scene::root(), new("ana", Role::Person)).await.unwrap();
    let secret = made.secret.reveal();
    let caller = scene.engine.authenticate_token(&secret, "http").await.unwrap().unwrap();
    assert_eq!((caller.actor.by.as_str(), caller.actor.auth), ("ana", Auth::Token));
    assert_eq!(
        (caller.actor.role, caller.actor.credential),
        (Some(Role::Person), Some(made.token.id.clone()))
    );
    assert_eq!(caller.projects, ["web"]);
    let huge = "x".repeat(1 << 20);
    let mut other = secret.clone();
    other.replace_range(10..11, if &secret[10..11] == "A" { "B" } else { "A" });
    for wrong in
        ["", " ", &made.token.id, "ana", &secret[..secret.len() - 1], &format!("{secret}A"), &other, &huge]
    {
        assert_eq!(scene.engine.authenticate_token(wrong, "http").await.unwrap(), None);
    }
    let revoked = scene.engine.revoke_token(&Scene::root(), &made.token.id[..8]).await.unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(scene.engine.authenticate_token(&secret, "http").await.unwrap(), None);
}

#[tokio::test]
async fn tokens_are_named_by_enough_of_their_id() {
    let scene = Scene::new();
    let root = Scene::root();
    let made = scene.engine.create_token(&root, new("a", Role::Agent)).await.unwrap().token;
    scene.engine.create_token(&root, new("b", Role::Agent)).await.unwrap();
    assert!(matches!(refusal(scene.engine.revoke_token(&root, "").await), Refusal::NotFound { .. }));
    assert!(matches!(refusal(scene.engine.revoke_token(&root, "tok-").await), Refusal::NotFound { .. }));
    assert!(matches!(
        refusal(scene.engine.revoke_token(&root, "tok-\u{1b}[2J").await),
        Refusal::NotFound { .. }
    ));
    let upper = made.id.to_uppercase();
    assert!(scene.engine.revoke_token(&root, &upper).await.is_ok());
}

#[tokio::test]
async fn agents_and_people_do_not_manage_credentials() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let bound = scene.holder("admin", Role::Admin, &["web"]).await;
    for caller in
        [scene.holder("a1", Role::Agent, &[]).await, scene.holder("ana", Role::Person, &[]).await, bound]
    {
        let engine = &scene.engine;
        let refused = [
            refusal(engine.create_token(&caller, new("x", Role::Admin)).await),
            refusal(engine.tokens(&caller).await),
            refusal(engine.revoke_token(&caller, "tok-0").await),
            refusal(engine.put_person(&caller, new_person("x", Role::Admin, &[])).await),
            refusal(engine.people(&caller).await),
            refusal(engine.remove_person(&caller, "bo").await),
            refusal(engine.set_auth(&caller, false).await),
        ];
        assert!(refused.iter().all(|refusal| matches!(refusal, Refusal::Forbidden(_))), "{refused:?}");
    }
    assert_eq!(scene.engine.tokens(&Scene::root()).await.unwrap().len(), 3);
    let admin = scene.holder("root", Role::Admin, &[]).await;
    assert!(scene.engine.create_token(&admin, new("x", Role::Admin)).await.is_ok());
}

#[tokio::test]
async fn passwords_are_long_enough_and_appear_nowhere() {
    let scene = Scene::new();
    let short: NewPerson =
        serde_json::from_str(r#"{"name":"bo","role":"person","password":"short-one"}"#).unwrap();
    assert!(!format!("{short:?}").contains("short-one"));
    let refused = refusal(scene.engine.put_person(&Scene::root(), short).await).to_string();
    assert!(refused.contains("at least 10") && !refused.contains("short-one"), "{refused}");
    let unknown = r#"{"name":"bo","role":"person","passwort":"secret-word"}"#;
    assert!(serde_json::from_str::<NewPerson>(unknown).is_err());
    scene.person("bo", Role::Person, &[]).await;
    let kept = scene.engine.store().person("bo").await.unwrap().unwrap();
    assert!(kept.password.unwrap().reveal().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
}

#[tokio::test]
async fn whoever_asked_does_not_answer_with_the_same_credential() {
    let scene = Scene::new();
    let ana = scene.holder("ana", Role::Person, &[]).await;
    let same_name = scene.holder("ana", Role::Person, &[]).await;
    let asked = scene.ask(&ana, question()).await;
    let yes = || AnswerInput { choice: Some("yes".into()), ..AnswerInput::default() };
    let own = Embedded::of(scene.engine.clone(), ana).answer(asked.id, yes()).await;
    assert!(matches!(refusal(own), Refusal::Forbidden(_)));
    // Another name in the request changes nothing.
    let named = AnswerInput { by: Some("boss".into()), ..yes() };
    let answered = Embedded::of(scene.engine.clone(), same_name).answer(asked.id, named).await.unwrap();
    assert_eq!(answered.decision.answer.map(|answer| answer.by), Some("ana".into()));
    // Local and claimed use are not bound by this.
    for caller in [Caller::local("me", "http"), Caller::claimed("me", "cli")] {
        let asked = scene.ask(&caller, question()).await;
        let answered = Embedded::of(scene.engine.clone(), caller).answer(asked.id, yes()).await.unwrap();
        assert_eq!(answered.decision.status, Status::Answered);
    }
}

#[tokio::test]
async fn a_store_that_demands_credentials_has_no_other_way_in() {
    let scene = Scene::new();
    let agent = scene.holder("a1", Role::Agent, &[]).await;
    let embedded = Embedded::new(scene.engine.clone(), "root", "cli");
    embedded.set_auth(true).await.unwrap();
    assert!(embedded.auth_required().await.unwrap());
    assert!(matches!(refusal(embedded.create(question(), None).await), Refusal::Forbidden(_)));
    assert!(matches!(refusal(embedded.set_auth(false).await), Refusal::Forbidden(_)));
    assert!(matches!(refusal(embedded.create_token(new("x", Role::Admin)).await), Refusal::Forbidden(_)));
    assert!(matches!(
        refusal(embedded.put_person(new_person("x", Role::Admin, &[])).await),
        Refusal::Forbidden(_)
    ));
    // Nor does a name that looks like the system's open it.
    let posing = Caller::claimed("system:timeout", "timeout");
    let sent = scene.engine.submit_for(&posing, Command::Create(Box::new(question())), None).await;
    assert!(matches!(refusal(sent), Refusal::Forbidden(_)));
    scene.ask(&agent, question()).await;
    scene.engine.set_auth(&Caller::local("me", "http"), false).await.unwrap();
    embedded.create(question(), None).await.unwrap();
}

#[tokio::test]
async fn a_token_that_has_expired_counts_no_more() {
    let scene = Scene::new();
    let lasting = NewToken { lasts: Some(Span::from_secs(60)), ..new("builder", Role::Agent) };
    let made = scene.engine.create_token(&Scene::root(), lasting).await.unwrap();
    let secret = made.secret.reveal();
    assert!(scene.engine.authenticate_token(&secret, "http").await.unwrap().is_some());
    scene.pass(60);
    assert_eq!(scene.engine.authenticate_token(&secret, "http").await.unwrap(), None);
}

#[tokio::test]
async fn an_agent_that_holdpoint_starts_gets_a_token_of_its_own() {
    let scene = Scene::new();
    // Where only a server writes, it still can: nobody but the server mints.
    scene.engine.submit_for(&Scene::root(), Command::SetAuth { required: true }, None).await.unwrap();
    let made = scene.engine.mint_agent_token("job-1", "web", None).await.unwrap();
    let secret = made.secret.reveal();
    let holder = scene.engine.authenticate_token(&secret, "http").await.unwrap().unwrap();
    assert_eq!(holder.actor.role, Some(Role::Agent));
    assert_eq!((holder.actor.by.as_str(), holder.projects.as_slice()), ("job-1", &["web".to_owned()][..]));
    for _ in 0..2 {
        scene.engine.end_agent_token(&made.token.id).await.unwrap();
    }
    assert_eq!(scene.engine.authenticate_token(&secret, "http").await.unwrap(), None);
}

#[tokio::test]
async fn permissions_come_with_the_credential() {
    let scene = Scene::new();
    let allowed = vec![Permission::Jobs, Permission::Answer, Permission::Jobs];
    let new = NewToken { permissions: allowed, ..new("builder", Role::Agent) };
    let made = scene.engine.create_token(&Scene::root(), new).await.unwrap();
    assert_eq!(made.token.permissions, [Permission::Answer, Permission::Jobs]);
    let holder = scene.engine.authenticate_token(&made.secret.reveal(), "http").await.unwrap().unwrap();
    assert!(holder.actor.has(Permission::Answer) && holder.actor.has(Permission::Jobs));
}
