//! Errors on a screen: said once they stand still, and not again once the agent has gone on.

use std::time::Duration;

use holdpoint_core::job::detect::{ErrorKind, Signal};

use crate::detect::Story;

#[test]
fn an_error_must_stand_still_and_is_said_once() {
    let mut story = Story::new();
    let error = "API Error: 429 slow down\n> █";
    story.see(0, "> █", 500, None);
    assert_eq!(story.see(500, error, 500, None).signal, Some(Signal::Working));
    let said = story.see(1500, error, 2000, None).signal;
    let text = "API Error: 429 slow down".to_owned();
    assert_eq!(said, Some(Signal::Error { kind: ErrorKind::RateLimit, text }));
    assert_eq!(story.see(60_000, error, 62_000, None).signal, None);
    // Another one after it is news.
    let other = format!("{error}\nCredit balance is too low\n> █");
    story.see(1000, &other, 0, None);
    assert!(matches!(
        story.see(1000, &other, 1000, None).signal,
        Some(Signal::Error { kind: ErrorKind::Quota, .. })
    ));
}

#[test]
fn an_error_that_somebody_sleeps_over_is_said_in_the_end() {
    let limit = "Error: rate limit exceeded\n█";
    let mut story = Story::new();
    let seen = story.see(0, limit, 0, Some(false));
    assert_eq!(seen.signal, Some(Signal::Working));
    assert!(seen.look_again.unwrap() <= Duration::from_secs(40));
    assert_eq!(story.see(30_000, limit, 30_000, Some(false)).signal, None);
    let said = story.see(10_000, limit, 40_000, Some(false)).signal;
    assert!(matches!(said, Some(Signal::Error { kind: ErrorKind::RateLimit, .. })), "{said:?}");
    // Who said something after it is over it.
    let mut story = Story::new();
    story.see(0, "Error: rate limit exceeded\ncompiling█", 0, Some(false));
    let later = story.see(90_000, "Error: rate limit exceeded\ncompiling█", 90_000, Some(false));
    assert_eq!(later.signal, None);
}

#[test]
fn an_error_that_the_agent_went_on_from_is_not_said_again() {
    let error = "Reading\nAPI Error: 429 slow down\n> █";
    let mut story = Story::new();
    story.see(0, "> █", 500, None);
    story.see(500, error, 500, None);
    let is_error = |signal: &Option<Signal>| matches!(signal, Some(Signal::Error { .. }));
    assert!(is_error(&story.see(1500, error, 2000, Some(true)).signal));
    // It was told to go on, does something, and waits with the old error still on the screen.
    let working = "Reading\nAPI Error: 429 slow down\n> go on\nesc to interrupt█";
    assert_eq!(story.see(1000, working, 0, Some(true)).signal, Some(Signal::Working));
    let done = "Reading\nAPI Error: 429 slow down\n> go on\nDone.\n> █";
    story.see(1000, done, 100, Some(true));
    story.see(3000, done, 3100, Some(true));
    assert_eq!(story.see(1000, done, 4100, Some(true)).signal, Some(Signal::Idle));
    // Nor when the next line is typed, nor once what stood above it has scrolled away.
    for screen in [format!("{done}\nmore█"), "API Error: 429 slow down\n> go on\nDone.\nmore\n> █".to_owned()]
    {
        story.see(1000, &screen, 0, Some(true));
        assert!(!is_error(&story.see(3000, &screen, 3000, Some(true)).signal), "{screen}");
    }
    // The same words further down are another error.
    let again = format!("{done}\nTrying\nAPI Error: 429 slow down\n> █");
    story.see(1000, &again, 0, Some(true));
    assert!(is_error(&story.see(3000, &again, 3000, Some(true)).signal));
}
