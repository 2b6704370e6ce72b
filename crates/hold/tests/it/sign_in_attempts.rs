//! Guessing passwords and links: each further attempt has to wait.

use crate::browser::{PASSWORD, Page, Served};
use crate::sandbox::Sandbox;
use crate::server::Server;

fn served() -> (Sandbox, Served) {
    let sandbox = Sandbox::new();
    let server = Served::start(&sandbox, &[]);
    server.person("ana", "person");
    server.person("ben", "person");
    (sandbox, server)
}

#[track_caller]
fn has_to_wait(page: Page) -> u64 {
    let page = page.is(429).shows("Too many attempts failed");
    let seconds: u64 = page.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    assert_eq!(page.header("set-cookie"), "");
    seconds
}

#[test]
fn a_name_is_not_guessed_at_for_long() {
    let (_sandbox, server) = served();
    let attempt = |name: &str, password: &str| {
        server.browser().send("/sign-in", &[("name", name), ("password", password)])
    };
    // A person who mistypes and then remembers is not held up, and starts over.
    for _ in 0..2 {
        for _ in 0..3 {
            attempt("ana", "wrong wrong wrong").is(401);
        }
        attempt("ana", PASSWORD).is(303);
    }
    for name in ["ana", "nobody-of-that-name"] {
        for _ in 0..5 {
            attempt(name, "wrong wrong wrong").is(401);
        }
        // Known or not, it looks the same.
        has_to_wait(attempt(name, "wrong wrong wrong"));
    }
    // The wait grows with each that fails after it, until there is time for what follows.
    while loop {
        let page = attempt("ana", "wrong wrong wrong");
        if page.status == 429 {
            break has_to_wait(page);
        }
    } < 7
    {}
    // Now the right password does not help either.
    let seconds = has_to_wait(attempt("ana", PASSWORD));
    attempt(" ana ", PASSWORD).is(429);
    // What was typed elsewhere is not lost over it.
    let kept = [("name", "ana"), ("password", PASSWORD), ("next", "/d/dcn-x"), ("kept", "message=my+words")];
    server.browser().send("/sign-in", &kept).is(429).shows("my words");
    // Others come in as ever.
    attempt("ben", PASSWORD).is(303);
    let end = std::time::Instant::now() + std::time::Duration::from_secs(seconds + 60);
    while attempt("ana", PASSWORD).status == 429 {
        assert!(std::time::Instant::now() < end, "the wait never ends");
    }
}

#[test]
fn many_at_once_do_not_slip_through() {
    let server = Server::start();
    let form = "name=ana&password=wrong+wrong+wrong";
    let api = server.nobody().with("Content-Type", "application/x-www-form-urlencoded");
    let api = api.with("Content-Length", &form.len().to_string());
    let attempts: Vec<_> = (0..30)
        .map(|_| {
            let api = api.clone();
            std::thread::spawn(move || api.raw("POST", "/sign-in", form.as_bytes()).status)
        })
        .collect();
    let statuses: Vec<u16> = attempts.into_iter().map(|attempt| attempt.join().unwrap()).collect();
    let looked_at = statuses.iter().filter(|status| **status == 401).count();
    // Five are free; while the others come in, a wait or two may run out.
    assert!((5..=8).contains(&looked_at), "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 30 - looked_at);
}

#[test]
fn links_are_not_guessed_at_for_long() {
    let (_sandbox, server) = served();
    let mut refused = 0;
    for number in 0..130 {
        let page = server.browser().send(&format!("/sign-in/forged.{number}"), &[]);
        if page.status == 404 {
            assert!(number < 110, "guessed at {number} times");
        } else {
            has_to_wait(page);
            refused += 1;
        }
    }
    assert!(refused > 0);
}

/// Tries to sign in at a server, through a proxy that says where from.
fn try_from(server: &Server, from: &str, name: &str, password: &str) -> u16 {
    let form = format!("name={name}&password={}", password.replace(' ', "+"));
    let api = server.nobody().with("Content-Type", "application/x-www-form-urlencoded");
    let api = api.with("Content-Length", &form.len().to_string()).with("X-Forwarded-For", from);
    api.raw("POST", "/sign-in", form.as_bytes()).status
}

fn with_ana(settings: &str) -> Server {
    let sandbox = Sandbox::new();
    sandbox.settings(settings);
    let server = Server::on(sandbox, &[]);
    let ana = serde_json::json!({"name": "ana", "role": "person", "password": PASSWORD});
    server.local().send("PUT", "/v1/people/ana", Some(&ana)).is(200);
    server
}

#[test]
fn nobody_is_kept_out_by_what_others_fail() {
    let server = with_ana("[server]\ntrusted_proxies = [\"127.0.0.1\"]");
    let (there, elsewhere) = ("203.0.113.9", "203.0.113.10");
    for number in 0..22 {
        assert_eq!(try_from(&server, there, &format!("made-up-{number}"), "wrong wrong wrong"), 401);
    }
    assert_eq!(try_from(&server, there, "made-up-3", "wrong wrong wrong"), 429);
    assert_eq!(try_from(&server, elsewhere, "made-up-3", "wrong wrong wrong"), 401);
    // What others failed at the same address is not ana's concern.
    assert_eq!(try_from(&server, there, "ana", PASSWORD), 303);
    // A proxy adds the address that it was called from; what the caller wrote before that counts for nothing.
    let forged = format!("198.51.100.7, {there}");
    // One more may be let through by the time that has passed; an address of its own would let through twenty.
    let is_refused =
        |number: u32| try_from(&server, &forged, &format!("made-up-{number}"), "wrong wrong wrong") == 429;
    assert!((4..12).any(is_refused));
}

#[test]
fn an_address_is_believed_only_from_a_trusted_proxy() {
    let server = with_ana("");
    for number in 0..5 {
        let from = format!("203.0.113.{number}");
        assert_eq!(try_from(&server, &from, "ana", "wrong wrong wrong"), 401);
    }
    // Another address each time would have helped, had it been believed.
    assert_eq!(try_from(&server, "203.0.113.99", "ana", "wrong wrong wrong"), 429);
}

#[test]
fn many_who_sign_in_and_go_away_take_little_memory() {
    use std::io::Write as _;
    let server = with_ana("");
    let before = server.peak();
    for number in 0..100 {
        let form = format!("name=made-up-{number}&password=wrong+wrong+wrong");
        let api = server.nobody().with("Content-Type", "application/x-www-form-urlencoded");
        let api = api.with("Content-Length", &form.len().to_string());
        api.connect("POST", "/sign-in").write_all(form.as_bytes()).unwrap();
    }
    assert_eq!(try_from(&server, "", "ana", PASSWORD), 303);
    let grown = server.peak() - before;
    assert!(grown < 200, "{grown} MiB more");
}
