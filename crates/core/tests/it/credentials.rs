//! Tokens, people and the setting: what is taken, what is recorded, and what is never written down.

use holdpoint_core::credential::{KnownCredentials, apply_to_person, apply_to_token, token_id};
use holdpoint_core::{
    Actor, Auth, Command, Event, Notify, PasswordHash, Permission, Person, Refusal, Role, SecretHash, State,
    Timestamp, Token, decide,
};

fn state(known: KnownCredentials) -> State {
    State { known, ..State::default() }
}

fn run(known: KnownCredentials, command: &Command) -> Result<Option<Event>, Refusal> {
    let ruling = decide(&state(known), &Actor::claimed("root", "cli"), command, Timestamp::from_millis(5))?;
    assert_eq!(ruling.replayed, ruling.events.is_empty());
    assert_eq!(ruling.effects, []);
    Ok(ruling.events.into_iter().next())
}

fn fault(known: KnownCredentials, command: &Command) -> String {
    run(known, command).unwrap_err().to_string()
}

fn token(name: &str, projects: &[&str]) -> Command {
    Command::CreateToken {
        id: "tok-000000000000".into(),
        name: name.into(),
        role: Role::Agent,
        projects: projects.iter().map(|name| (*name).to_owned()).collect(),
        permissions: Vec::new(),
        expires_at: None,
        owner: None,
        hash: SecretHash([0xAB; 32]),
    }
}

fn person(name: &str, email: Option<&str>, password: Option<&str>) -> Command {
    Command::PutPerson {
        name: name.into(),
        role: Role::Person,
        email: email.map(str::to_owned),
        projects: vec!["web".into()],
        password: password.map(PasswordHash::new),
    }
}

#[test]
fn a_token_is_recorded_with_a_fingerprint_of_its_secret() {
    let command = token("builder", &["web", "app", "web"]);
    let event = run(KnownCredentials::default(), &command).unwrap().unwrap();
    let text = serde_json::to_string(&event).unwrap();
    let right = format!(
        r#"{{"type":"token:created","id":"tok-000000000000","name":"builder","role":"agent","projects":["app","web"],"fingerprint":"{}","by":"root"}}"#,
        "ab".repeat(16)
    );
    assert_eq!(text, right, "half of the hash, and no more");
    assert!(
        !format!("{command:?}").contains("171") && !format!("{command:?}").to_lowercase().contains("ab, ab")
    );
    let made = apply_to_token(None, &event, Timestamp::from_millis(5)).unwrap();
    assert_eq!((made.created_by.as_str(), made.revoked_at), ("root", None));
    let known = KnownCredentials { token: Some(made), ..KnownCredentials::default() };
    assert!(fault(known.clone(), &command).contains("taken"));
    let revoke = Command::RevokeToken { id: "tok-000000000000".into() };
    let revoked = run(known.clone(), &revoke).unwrap().unwrap();
    let ended = apply_to_token(known.token, &revoked, Timestamp::from_millis(9)).unwrap();
    assert_eq!(ended.revoked_at, Some(Timestamp::from_millis(9)));
    assert_eq!(
        run(KnownCredentials { token: Some(ended), ..KnownCredentials::default() }, &revoke),
        Ok(None),
        "a second time is a replay"
    );
    assert!(fault(KnownCredentials::default(), &revoke).contains("was not found"));
}

#[test]
fn a_person_is_recorded_without_their_password() {
    let command = person("bo", Some(" bo@example.org "), Some("$argon2id$secret"));
    assert!(!format!("{command:?}").contains("argon2id"));
    let event = run(KnownCredentials::default(), &command).unwrap().unwrap();
    let text = serde_json::to_string(&event).unwrap();
    assert!(!text.contains("argon2") && text.contains(r#""email":"bo@example.org""#), "{text}");
    let bo = apply_to_person(None, &event, Timestamp::from_millis(5)).unwrap();
    assert!(bo.has_password);
    let known = KnownCredentials { person: Some(bo.clone()), ..KnownCredentials::default() };
    assert_eq!(run(known.clone(), &person("bo", Some("bo@example.org"), None)), Ok(None));
    let changed = run(known.clone(), &person("bo", None, None)).unwrap().unwrap();
    let changed = apply_to_person(Some(bo), &changed, Timestamp::from_millis(9)).unwrap();
    assert_eq!(
        (changed.email, changed.has_password, changed.created_at),
        (None, true, Timestamp::from_millis(5))
    );
    let gone = run(known, &Command::RemovePerson { name: "bo".into() }).unwrap().unwrap();
    assert_eq!(apply_to_person(None, &gone, Timestamp::from_millis(9)), None::<Person>);
    assert!(
        fault(KnownCredentials::default(), &Command::RemovePerson { name: "bo".into() })
            .contains("was not found")
    );
}

#[test]
fn nobody_is_called_like_something_else() {
    for bad in
        ["", " x", "x\u{202e}", "agent:x", "system:timeout", "person:ana", "local:me", &"x".repeat(201)]
    {
        assert!(fault(KnownCredentials::default(), &token(bad, &[])).contains("name"), "{bad:?}");
        assert!(fault(KnownCredentials::default(), &person(bad, None, None)).contains("name"), "{bad:?}");
    }
    assert!(fault(KnownCredentials::default(), &token("x", &["a\nb"])).contains("projects"));
    let many: Vec<String> = (0..101).map(|n| n.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(fault(KnownCredentials::default(), &token("x", &many)).contains("at most 100"));
    let agent = Command::PutPerson {
        name: "x".into(),
        role: Role::Agent,
        email: None,
        projects: Vec::new(),
        password: None,
    };
    assert!(fault(KnownCredentials::default(), &agent).contains("create a token for an agent"));
}

#[test]
fn an_agent_and_a_person_never_share_a_name() {
    let taken = |role| KnownCredentials { namesakes: vec![role], ..KnownCredentials::default() };
    for role in [Role::Person, Role::Admin] {
        assert!(fault(taken(role), &token("ana", &[])).contains("is a person's name"));
        assert!(run(taken(role), &person("ana", None, None)).is_ok());
    }
    assert!(fault(taken(Role::Agent), &person("ana", None, None)).contains("is an agent's name"));
    assert!(run(taken(Role::Agent), &token("ana", &[])).is_ok(), "a second token for the same agent");
}

#[test]
fn addresses_cannot_carry_more_than_an_address() {
    let long = format!("{}@example.org", "x".repeat(250));
    for bad in [
        "",
        "x",
        "@example.org",
        "x@",
        "a@b@c",
        "a b@example.org",
        "a@example.org\r\nBcc: x@y",
        "-f@example.org",
        "x@example.org,y@example.org",
        "<x@example.org>",
        "\"x\"@example.org",
        &long,
    ] {
        assert!(
            fault(KnownCredentials::default(), &person("bo", Some(bad), None)).contains("email"),
            "{bad:?}"
        );
    }
    for good in ["bo@example.org", "bo+hold@mail.example", "bö@exämple.org", "bo@localhost"] {
        assert!(run(KnownCredentials::default(), &person("bo", Some(good), None)).is_ok(), "{good:?}");
    }
}

#[test]
fn only_an_admin_or_someone_without_a_role_changes_credentials() {
    let commands = [
        token("x", &[]),
        Command::RevokeToken { id: "tok-0".into() },
        person("bo", None, None),
        Command::RemovePerson { name: "bo".into() },
        Command::SetAuth { required: true },
    ];
    let known = KnownCredentials {
        token: None,
        person: Some(Person {
            name: "bo".into(),
            role: Role::Person,
            email: None,
            projects: Vec::new(),
            created_at: Timestamp::from_millis(0),
            has_password: false,
            accounts: std::collections::BTreeMap::new(),
            notify: Notify::default(),
        }),
        namesakes: Vec::new(),
        auth_required: false,
    };
    for command in &commands {
        for role in [Role::Agent, Role::Person] {
            let actor = Actor { auth: Auth::Session, role: Some(role), ..Actor::claimed("x", "web") };
            let refusal =
                decide(&state(known.clone()), &actor, command, Timestamp::from_millis(5)).unwrap_err();
            assert!(matches!(refusal, Refusal::Forbidden(_)), "{command:?}: {refusal:?}");
        }
        let admin = Actor { auth: Auth::Token, role: Some(Role::Admin), ..Actor::claimed("x", "http") };
        let ruling = decide(&state(known.clone()), &admin, command, Timestamp::from_millis(5));
        assert!(!matches!(ruling, Err(Refusal::Forbidden(_))), "{command:?}");
    }
}

#[test]
fn the_setting_changes_once() {
    let on = Command::SetAuth { required: true };
    let event = run(KnownCredentials::default(), &on).unwrap().unwrap();
    assert_eq!(event, Event::AuthUpdated { id: "auth".into(), required: true, by: "root".into() });
    assert_eq!(run(KnownCredentials { auth_required: true, ..KnownCredentials::default() }, &on), Ok(None));
    assert!(
        run(
            KnownCredentials { auth_required: true, ..KnownCredentials::default() },
            &Command::SetAuth { required: false }
        )
        .is_ok()
    );
}

#[test]
fn ids_of_tokens_look_like_ids() {
    let ids = [token_id(0), token_id(u64::MAX), token_id(0x0123_4567_89ab_cdef)];
    assert_eq!(ids, ["tok-000000000000", "tok-zzzzzzzzzzzz", "tok-28t5cy4tqkff"]);
    let token = Token {
        id: token_id(1),
        name: "x".into(),
        role: Role::Agent,
        projects: Vec::new(),
        permissions: vec![Permission::InClient],
        created_at: Timestamp::from_millis(0),
        created_by: "y".into(),
        expires_at: None,
        owner: None,
        revoked_at: None,
    };
    let text = serde_json::to_string(&token).unwrap();
    let right = r#"{"id":"tok-000000000001","name":"x","role":"agent","projects":[],"permissions":["in_client"],"created_at":"1970-01-01T00:00:00Z","created_by":"y","expires_at":null,"revoked_at":null}"#;
    assert_eq!(text, right);
}

/// Standing rules go by this, in the transaction that asks and where they are shown.
#[test]
fn what_was_said_with_a_token_counts_as_long_as_its_owner_may_answer() {
    let now = Timestamp::from_millis(100);
    let token = |owner: Option<&str>| Token {
        id: token_id(1),
        name: "x".into(),
        role: Role::Person,
        projects: Vec::new(),
        permissions: Vec::new(),
        created_at: Timestamp::from_millis(50),
        created_by: "y".into(),
        expires_at: None,
        owner: owner.map(str::to_owned),
        revoked_at: None,
    };
    let person = |created_at: i64, projects: &[&str]| Person {
        name: "ana".into(),
        role: Role::Person,
        email: None,
        projects: projects.iter().map(ToString::to_string).collect(),
        created_at: Timestamp::from_millis(created_at),
        has_password: false,
        accounts: std::collections::BTreeMap::new(),
        notify: Notify::default(),
    };
    let (before, after, elsewhere) = (person(50, &[]), person(51, &[]), person(0, &["other"]));
    for (what, token, known, counts) in [
        ("nobody's", token(None), None, true),
        ("its owner is there", token(Some("ana")), Some(&before), true),
        ("its owner is gone", token(Some("ana")), None, false),
        ("somebody got the name of who is gone", token(Some("ana")), Some(&after), false),
        ("its owner has no say here", token(Some("ana")), Some(&elsewhere), false),
        ("revoked", Token { revoked_at: Some(now), ..token(None) }, None, false),
        ("expired", Token { expires_at: Some(now), ..token(None) }, None, false),
        ("for another project", Token { projects: vec!["other".into()], ..token(None) }, None, false),
        ("an agent's", Token { role: Role::Agent, ..token(None) }, None, false),
    ] {
        assert_eq!(token.still_speaks_in("web", now, |_| known), counts, "{what}");
    }
}
