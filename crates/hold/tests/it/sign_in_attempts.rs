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
    // Whoever mistypes and then remembers is not held up, and starts anew.
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
        match page.status {
            404 => assert!(number < 110, "guessed at {number} times"),
            _ => {
                has_to_wait(page);
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}
