//! Sessions: opened by a password or a one-time link, ended by time, by hand, or with the person.

use holdpoint_core::{Auth, Role};
use holdpoint_engine::auth::{LinkError, Password, local};

use crate::scene::{PASSWORD, Scene, fault};

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn a_person_signs_in_and_out() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &["web"]).await;
    let signed_in = scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().unwrap();
    let cookie = signed_in.cookie.reveal();
    assert!(!format!("{signed_in:?}").contains(&cookie[5..]));
    let session = scene.engine.session(&cookie, "web").await.unwrap().unwrap();
    assert_eq!((session.caller.actor.by.as_str(), session.caller.actor.auth), ("bo", Auth::Session));
    assert_eq!(session.caller.actor.role, Some(Role::Person));
    assert_eq!(session.caller.projects, ["web"]);
    for wrong in ["", &cookie[1..], &cookie[..cookie.len() - 1], "bo", session.csrf.shown()] {
        assert!(scene.engine.session(wrong, "web").await.unwrap().is_none(), "{wrong}");
    }
    assert!(
        scene.engine.authenticate_token(&cookie, "http").await.unwrap().is_none(),
        "a cookie is no token"
    );
    scene.engine.sign_out(&cookie).await.unwrap();
    assert!(scene.engine.session(&cookie, "web").await.unwrap().is_none());
}

#[tokio::test]
async fn wrong_passwords_do_not_tell_who_is_known() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let passwordless = holdpoint_engine::auth::NewPerson {
        password: None,
        ..crate::scene::new_person("al", Role::Person, &[])
    };
    scene.engine.put_person(&Scene::root(), passwordless).await.unwrap();
    let huge = "x".repeat(1 << 20);
    let tries = [
        ("bo", "correct horse batterY"),
        ("bo", ""),
        ("bo", &huge),
        ("Bo", PASSWORD),
        ("bo ", PASSWORD),
        ("", PASSWORD),
        ("al", PASSWORD),
        ("al", ""),
        ("nobody", PASSWORD),
        ("nobody", "nobody has this password"),
        ("local:me", "nobody has this password"),
    ];
    for (name, password) in tries {
        assert!(scene.engine.sign_in(name, Password::new(password)).await.unwrap().is_none(), "{name:?}");
    }
    assert!(scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_session_lasts_a_fortnight_after_the_last_visit() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let cookie = scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().unwrap().cookie.reveal();
    let visit = || async { scene.engine.session(&cookie, "web").await.unwrap() };
    assert!(!visit().await.unwrap().extended, "not written at every visit");
    scene.pass(13 * DAY);
    assert!(visit().await.unwrap().extended);
    scene.pass(13 * DAY);
    assert!(visit().await.is_some(), "the visit counted");
    scene.pass(14 * DAY);
    assert!(visit().await.is_none());
    scene.pass(-DAY);
    assert!(visit().await.is_some(), "over means over, not gone");
}

#[tokio::test]
async fn what_is_taken_away_is_taken_at_once() {
    let scene = Scene::new();
    scene.person("bo", Role::Admin, &[]).await;
    let sign_in = || async {
        scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().unwrap().cookie.reveal()
    };
    let cookie = sign_in().await;
    let session = scene.engine.session(&cookie, "web").await.unwrap().unwrap();
    assert!(session.caller.administers().is_ok());
    let demoted = holdpoint_engine::auth::NewPerson {
        password: None,
        ..crate::scene::new_person("bo", Role::Person, &["web"])
    };
    scene.engine.put_person(&Scene::root(), demoted).await.unwrap();
    let session = scene.engine.session(&cookie, "web").await.unwrap().unwrap();
    assert!(session.caller.administers().is_err());
    assert_eq!(session.caller.projects, ["web"]);
    scene.person("bo", Role::Person, &[]).await;
    assert!(scene.engine.session(&cookie, "web").await.unwrap().is_none(), "a new password ends it");
    let cookie = sign_in().await;
    let other = sign_in().await;
    assert_eq!(scene.engine.sign_out_everywhere("bo").await.unwrap(), 2);
    assert!(scene.engine.session(&other, "web").await.unwrap().is_none());
    scene.engine.remove_person(&Scene::root(), "bo").await.unwrap();
    assert!(scene.engine.session(&cookie, "web").await.unwrap().is_none());
    assert!(scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().is_none());
}

#[tokio::test]
async fn forms_carry_what_only_their_session_knows() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let cookie =
            scene.engine.sign_in("bo", Password::new(PASSWORD)).await.unwrap().unwrap().cookie.reveal();
        let session = scene.engine.session(&cookie, "web").await.unwrap().unwrap();
        let again = scene.engine.session(&cookie, "web").await.unwrap().unwrap();
        assert!(session.csrf.is(again.csrf.shown()));
        assert!(!format!("{session:?}").contains(session.csrf.shown()));
        let shown = session.csrf.shown();
        for wrong in ["", &cookie, &shown[1..], &format!("{shown}=")] {
            assert!(!session.csrf.is(wrong));
        }
        tokens.push(session);
    }
    assert!(!tokens[0].csrf.is(tokens[1].csrf.shown()), "not another session's");
}

#[tokio::test]
async fn a_link_signs_in_once_and_soon() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let link = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    let signed_in = scene.engine.sign_in_by_link(&scene.links, &link).await.unwrap();
    let session = scene.engine.session(&signed_in.cookie.reveal(), "web").await.unwrap().unwrap();
    assert_eq!((session.caller.actor.by.as_str(), session.caller.actor.auth), ("bo", Auth::Session));
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &link).await), LinkError::Used);
    let late = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    scene.pass(15 * 60);
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &late).await), LinkError::Expired);
    let unknown = scene.links.issue_sign_in("nobody", scene.now()).unwrap();
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &unknown).await), LinkError::Unknown);
    let gone = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    scene.engine.remove_person(&Scene::root(), "bo").await.unwrap();
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &gone).await), LinkError::Unknown);
}

#[tokio::test]
async fn twenty_followers_of_one_link_open_one_session() {
    let scene = Scene::new();
    scene.person("bo", Role::Person, &[]).await;
    let link = scene.links.issue_sign_in("bo", scene.now()).unwrap();
    let tries = (0..20).map(|_| scene.engine.sign_in_by_link(&scene.links, &link));
    let mut opened = 0;
    for one in tries.collect::<Vec<_>>() {
        opened += usize::from(one.await.is_ok());
    }
    assert_eq!(opened, 1);
}

#[tokio::test]
async fn the_browser_of_this_machine_is_local_and_no_person() {
    let scene = Scene::new();
    let link = local::sign_in_link(&scene.links, "me", scene.now()).unwrap();
    let signed_in = scene.engine.sign_in_by_link(&scene.links, &link).await.unwrap();
    let session = scene.engine.session(&signed_in.cookie.reveal(), "web").await.unwrap().unwrap();
    let actor = &session.caller.actor;
    assert_eq!(
        (actor.by.as_str(), actor.auth, actor.role, &actor.credential),
        ("me", Auth::Local, None, &None)
    );
    assert_eq!(fault(scene.engine.sign_in_by_link(&scene.links, &link).await), LinkError::Used);
}
