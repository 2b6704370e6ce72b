//! How programs on one machine find each other, and whom the local token is never sent to.

use std::os::unix::fs::PermissionsExt as _;

use holdpoint_core::Auth;
use holdpoint_engine::auth::{Secret, local};

use crate::scene::Scene;

const ADDRESS: &str = "http://127.0.0.1:4653";

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn store() -> holdpoint_store::vouch::Identity {
    holdpoint_store::vouch::Identity { id: "store-1".into(), place: "/there".into() }
}

#[test]
fn a_server_is_found_by_its_files_and_only_while_it_runs() {
    let scene = Scene::new();
    assert_eq!(local::find(&scene.home), None);
    assert_eq!(local::token_for(&scene.home, ADDRESS), None);
    let published = local::publish(&scene.home, &format!("{ADDRESS}/"), &store()).unwrap();
    let (token, server) = (scene.home.path().join("local.token"), scene.home.path().join("server.json"));
    assert_eq!((mode(&token), mode(&server)), (0o600, 0o600));
    assert_eq!(local::find(&scene.home).as_ref(), Some(published.server()));
    assert_eq!(published.server().address, ADDRESS);
    let secret = local::token_for(&scene.home, ADDRESS).unwrap();
    assert!(!format!("{published:?}").contains(&secret.reveal()[5..]));
    let caller = published.authenticate(&secret.hash(), "me", "http").unwrap();
    assert_eq!((caller.actor.auth, caller.actor.role, caller.actor.credential), (Auth::Local, None, None));
    assert_eq!(published.authenticate(&Secret::random().unwrap().hash(), "me", "http"), None);
    for wrong in ["", &secret.reveal()[1..], &format!("{} ", secret.reveal())] {
        assert_eq!(Secret::read(wrong), None);
    }
    drop(published);
    assert!(!server.exists() && token.exists());
    assert_eq!(local::token_for(&scene.home, ADDRESS), None, "nobody is there to send it to");
    let again = local::publish(&scene.home, ADDRESS, &store()).unwrap();
    assert!(again.authenticate(&secret.hash(), "me", "http").is_some(), "who waited comes in again");
}

#[test]
fn the_token_goes_to_that_address_and_no_other() {
    let scene = Scene::new();
    let _published = local::publish(&scene.home, ADDRESS, &store()).unwrap();
    for same in [ADDRESS, "http://127.0.0.1:4653/", "http://127.0.0.1:4653/v1/decisions?x=http://evil"] {
        assert!(local::token_for(&scene.home, same).is_some(), "{same}");
    }
    for other in [
        "",
        "http://",
        "127.0.0.1:4653",
        "https://127.0.0.1:4653",
        "http://127.0.0.1:4654",
        "http://127.0.0.1",
        "http://127.0.0.1:46530",
        "http://localhost:4653",
        "http://127.0.0.1:4653@evil.example",
        "http://evil.example@127.0.0.1:4653",
        "http://127.0.0.1:4653.evil.example",
        "http://127.0.0.1:4653\\@evil.example/",
        "http://evil.example/http://127.0.0.1:4653",
        "http://evil.example#http://127.0.0.1:4653",
        "ftp://127.0.0.1:4653",
    ] {
        assert_eq!(local::token_for(&scene.home, other), None, "{other}");
    }
}

#[test]
fn files_that_others_could_have_written_are_not_believed() {
    let scene = Scene::new();
    let published = local::publish(&scene.home, ADDRESS, &store()).unwrap();
    let server = scene.home.path().join("server.json");
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(local::find(&scene.home), None);
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(local::find(&scene.home).is_some());
    let elsewhere = scene.home.path().join("elsewhere.json");
    std::fs::rename(&server, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &server).unwrap();
    assert_eq!(local::find(&scene.home), None, "a link may lead anywhere");
    std::fs::remove_file(&server).unwrap();
    for content in ["", "{", "[]", r#"{"address":"http://127.0.0.1:4653"}"#, &"x".repeat(1 << 20)] {
        std::fs::write(&server, content).unwrap();
        std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(local::find(&scene.home), None);
    }
    // A server that was killed: a process that has its pid or its port now must not get the token.
    std::fs::write(&server, format!(r#"{{"address":"{ADDRESS}","pid":1}}"#)).unwrap();
    assert_eq!(local::find(&scene.home), None);
    drop(published);
    assert!(server.exists(), "what another wrote is left alone");
}

#[test]
fn a_token_that_others_could_read_is_made_anew() {
    let scene = Scene::new();
    let first = local::publish(&scene.home, ADDRESS, &store()).unwrap();
    let old = local::token_for(&scene.home, ADDRESS).unwrap();
    let path = scene.home.path().join("local.token");
    drop(first);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let second = local::publish(&scene.home, ADDRESS, &store()).unwrap();
    assert_eq!(second.authenticate(&old.hash(), "me", "http"), None);
    assert_eq!(mode(&path), 0o600);
}
