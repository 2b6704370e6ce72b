//! A rotation of the signing key that is killed at any step is finished, and the old key ends with it.

use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::Value;

use crate::process::finish;
use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::vouching::until;

/// How far a rotation had come when it was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// The next key is made, and nobody knows it.
    Made,
    /// Its public half is published.
    Published,
    /// The log says which key comes next.
    Recorded,
    /// The next key signs.
    Replaced,
    /// The old key is revoked.
    Revoked,
    /// The next key signs, and no file says that more was to be done, as older versions left it.
    Forgotten,
}

/// Who finds it.
#[derive(Clone, Copy, Debug)]
enum Finder {
    Rotation,
    Question,
    Server,
}

fn key_file(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.home().join("keys").join(name)
}

fn signing(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(key_file(sandbox, "signing.key")).unwrap()
}

fn keys(sandbox: &Sandbox) -> Vec<Value> {
    sandbox.json(&["key", "list", "--json"]).as_array().unwrap().clone()
}

fn id(key: &Value) -> &str {
    key["id"].as_str().unwrap()
}

/// Starts a rotation, and kills it when something holds.
fn kill_when(sandbox: &Sandbox, holds: impl Fn() -> bool) {
    let running = sandbox.spawn(&["key", "rotate"]);
    until(holds);
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, -1, "it was not killed, but had ended");
}

/// Leaves a rotation cut off; returns the old key's id and its secret.
fn cut_off(sandbox: &Sandbox, cut: Cut) -> (String, String) {
    sandbox.ask_a_or_b();
    let (before, old) = (keys(sandbox), signing(sandbox));
    let next = key_file(sandbox, "next.key");
    match cut {
        Cut::Made | Cut::Published => {
            kill_when(sandbox, || next.exists() && keys(sandbox).len() == 2);
            if cut == Cut::Made {
                let made = keys(sandbox).into_iter().find(|key| !before.contains(key)).unwrap();
                std::fs::remove_file(key_file(sandbox, &format!("{}.pub", id(&made)))).unwrap();
            }
        }
        Cut::Recorded | Cut::Replaced | Cut::Forgotten => {
            kill_when(sandbox, || signing(sandbox) != old);
            match cut {
                // Nothing was signed with the next key yet.
                Cut::Recorded => std::fs::write(key_file(sandbox, "signing.key"), &old).unwrap(),
                Cut::Forgotten => std::fs::remove_file(next).unwrap(),
                _ => {}
            }
        }
        Cut::Revoked => {
            let running = sandbox.spawn(&["key", "rotate"]);
            until(|| next.exists());
            let kept = std::fs::read(&next).unwrap();
            assert_eq!(running.end().code, 0);
            std::fs::write(&next, kept).unwrap();
        }
    }
    (id(&before[0]).to_owned(), old)
}

/// Returns a user of the same store who has somebody's key.
fn thief(sandbox: &Sandbox, secret: &str) -> Sandbox {
    let thief = Sandbox::new().with("HOLD_STORE", &format!("sqlite:{}", sandbox.store().display()));
    std::fs::create_dir_all(thief.home().join("keys")).unwrap();
    std::fs::write(key_file(&thief, "signing.key"), secret).unwrap();
    thief
}

/// Expects that the old key does not count, and that all else does.
fn is_finished(sandbox: &Sandbox, old: &str, secret: &str) {
    assert!(!key_file(sandbox, "next.key").exists());
    let listed = keys(sandbox);
    let signs: Vec<_> = listed.iter().filter(|key| key["signs"] == true).collect();
    assert!(signs.len() == 1 && id(signs[0]) != old, "{listed:?}");
    assert_eq!(listed.iter().find(|key| id(key) == old).unwrap()["revoked"], true, "{listed:?}");
    assert_ne!(signing(sandbox), secret);
    let rotated = sandbox.tags().into_iter().filter(|tag| tag.starts_with("key:")).collect::<Vec<_>>();
    assert_eq!(rotated, ["key:rotated", "key:revoked"]);
    sandbox.ask_a_or_b();
    let report = sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    assert_eq!(report["vouched_to"], report["head"], "{report}");
    sandbox.is_well();
    let thief = thief(sandbox, secret);
    thief.ok(&["ask", "Mine?", "--no-wait"]);
    let ran = sandbox.run(&["audit", "verify"]).exits(1);
    assert!(ran.out.contains("which is not trusted here"), "{ran}");
}

fn is_finished_by_everyone(cut: Cut) {
    for finder in [Finder::Rotation, Finder::Question, Finder::Server] {
        let sandbox = Sandbox::new();
        let (old, secret) = cut_off(&sandbox, cut);
        let said = sandbox.run(&["doctor"]).exits(1);
        assert!(said.out.contains("a rotation of the signing key was cut off"), "{cut:?}: {said}");
        assert!(said.out.contains("hold key rotate"), "{said}");
        match finder {
            Finder::Rotation => {
                let said = sandbox.ok(&["key", "rotate"]);
                assert!(said.contains(&format!("{old} is revoked")), "{cut:?}: {said}");
                is_finished(&sandbox, &old, &secret);
            }
            Finder::Question => {
                let said = sandbox.run(&["ask", "Go?", "--no-wait"]).exits(0);
                let words = format!("a rotation that was cut off is finished: {}", id(&keys(&sandbox)[0]));
                assert!(said.err.contains(&words), "{cut:?}: {said}");
                is_finished(&sandbox, &old, &secret);
            }
            Finder::Server => {
                let mut server = Server::on(sandbox, &["--no-auth"]);
                let is_revoked = |key: &Value| id(key) == old && key["revoked"] == true;
                until(|| {
                    keys(&server.sandbox).iter().any(is_revoked)
                        && !key_file(&server.sandbox, "next.key").exists()
                });
                server.stop().exits(0);
                is_finished(&server.sandbox, &old, &secret);
            }
        }
    }
}

#[test]
fn a_rotation_cut_off_before_the_next_key_is_published_is_finished() {
    is_finished_by_everyone(Cut::Made);
}

#[test]
fn a_rotation_cut_off_once_the_next_key_is_published_is_finished() {
    is_finished_by_everyone(Cut::Published);
}

#[test]
fn a_rotation_cut_off_once_it_is_recorded_is_finished() {
    is_finished_by_everyone(Cut::Recorded);
}

#[test]
fn a_rotation_cut_off_before_the_old_key_is_revoked_is_finished() {
    is_finished_by_everyone(Cut::Replaced);
}

#[test]
fn a_rotation_cut_off_after_the_old_key_is_revoked_is_finished() {
    is_finished_by_everyone(Cut::Revoked);
}

#[test]
fn a_rotation_cut_off_by_an_older_version_is_finished() {
    let sandbox = Sandbox::new();
    let (old, secret) = cut_off(&sandbox, Cut::Forgotten);
    // The next rotation revokes both keys; a server only the one that was forgotten.
    let said = sandbox.run(&["doctor"]).exits(1);
    assert!(said.out.contains(&format!("{old} was replaced, but is still trusted")), "{said}");
    let second = id(&keys(&sandbox)[0]).to_owned();
    sandbox.ok(&["key", "rotate"]);
    for gone in [&old, &second] {
        let listed = keys(&sandbox);
        assert_eq!(listed.iter().find(|key| id(key) == gone).unwrap()["revoked"], true, "{listed:?}");
    }
    sandbox.is_well();
    let sandbox = Sandbox::new();
    let (old, _) = cut_off(&sandbox, Cut::Forgotten);
    let mut server = Server::on(sandbox, &["--no-auth"]);
    until(|| keys(&server.sandbox).iter().any(|key| id(key) == old && key["revoked"] == true));
    server.stop().exits(0);
    server.sandbox.is_well();
    assert_ne!(signing(&server.sandbox), secret);
}

#[test]
fn a_server_that_was_killed_while_it_rotated_finishes_when_it_starts_again() {
    let mut server = Server::start();
    server.local().ask();
    let (old, secret) = (id(&keys(&server.sandbox)[0]).to_owned(), signing(&server.sandbox));
    let asking = server.sandbox.spawn(&["key", "rotate"]);
    until(|| key_file(&server.sandbox, "next.key").exists());
    server.kill();
    asking.end();
    server.run();
    until(|| !key_file(&server.sandbox, "next.key").exists());
    server.stop().exits(0);
    assert_ne!(signing(&server.sandbox), secret);
    let revoked = keys(&server.sandbox).into_iter().find(|key| id(key) == old).unwrap();
    assert_eq!(revoked["revoked"], true);
    server.sandbox.ok(&["audit", "verify"]);
    server.sandbox.is_well();
}

#[test]
fn a_rotation_that_was_cut_off_with_another_store_is_finished_there() {
    let sandbox = Sandbox::new();
    let (old, secret) = cut_off(&sandbox, Cut::Replaced);
    let elsewhere = format!("sqlite:{}", sandbox.path("other.db").display());
    let ran = finish(sandbox.command(&["key", "rotate"]).env("HOLD_STORE", &elsewhere), b"");
    let ran = ran.exits(1).says("finish it there first");
    assert!(ran.err.contains(&sandbox.store().canonicalize().unwrap().display().to_string()), "{ran}");
    finish(sandbox.command(&["ask", "Go?", "--no-wait"]).env("HOLD_STORE", &elsewhere), b"").exits(0);
    assert!(key_file(&sandbox, "next.key").exists());
    sandbox.ok(&["key", "rotate"]);
    is_finished(&sandbox, &old, &secret);
}

/// The thief signs with it, too, which counted for what was signed before.
#[test]
fn an_answer_that_a_revoked_key_wrote_is_not_reported() {
    let sandbox = Sandbox::new();
    let [asked, other] = [sandbox.ask_a_or_b(), sandbox.ask_a_or_b()];
    sandbox.ok(&["answer", &other, "a"]);
    let secret = signing(&sandbox);
    sandbox.ok(&["key", "rotate"]);
    let thief = thief(&sandbox, &secret);
    thief.ok(&["answer", &asked, "a"]);
    for verb in ["show", "wait", "receipt"] {
        sandbox.run(&[verb, &asked]).exits(4).says("cannot be relied on");
    }
    // What the key wrote while it counted is reported as before.
    sandbox.run(&["show", &other]).exits(0);
}
