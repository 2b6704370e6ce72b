//! Many processes at once: one outcome, one store, nobody left waiting.

use std::collections::BTreeSet;

use crate::process::{Ran, Running};
use crate::sandbox::{Sandbox, at};

/// Starts a process for each set of arguments before waiting for any, and returns how they ended, in order.
fn at_once<'a>(sandbox: &Sandbox, all: impl IntoIterator<Item = Vec<&'a str>>) -> Vec<Ran> {
    let running: Vec<Running> = all.into_iter().map(|arguments| sandbox.spawn(&arguments)).collect();
    running.into_iter().map(Running::end).collect()
}

fn count(all: &[Ran], code: i32) -> usize {
    all.iter().filter(|ran| ran.code == code).count()
}

#[test]
fn fifty_answerers_of_one_decision_give_one_outcome() {
    let sandbox = Sandbox::new().looking();
    let id = sandbox.ask_a_or_b();
    let waiting = sandbox.spawn(&["wait", &id]);
    let names: Vec<String> = (0..50).map(|n| format!("p{n}")).collect();
    let answer = |n: usize| vec!["answer", &id, ["a", "b"][n % 2], "--by", &names[n]];
    let all = at_once(&sandbox, (0..50).map(answer));
    let decision = sandbox.show(&id);
    let won = decision["answer"]["values"]["choice"].as_str().unwrap();
    let by = decision["answer"]["by"].as_str().unwrap();
    for (n, ran) in all.iter().enumerate() {
        let same = ["a", "b"][n % 2] == won;
        assert_eq!(ran.code, if same { 0 } else { 4 }, "p{n}: {ran}");
        let (said, words) = match (same, names[n] == by) {
            (true, true) => (&ran.out, format!("Answered {id}: {won}")),
            (true, false) => (&ran.out, format!("had this answer already, from {by}")),
            (false, _) => (&ran.err, format!("already answered: {won} by {by}")),
        };
        assert!(said.contains(&words), "p{n} says nothing of {words:?}: {ran}");
    }
    assert_eq!(sandbox.tags(), ["decision:created", "decision:resolved"]);
    waiting.end().exits(0).prints(won);
    sandbox.is_well();
}

#[test]
fn answers_guidance_and_cancels_at_once_settle_it_once() {
    let sandbox = Sandbox::new().looking();
    for _ in 0..4 {
        let id = sandbox.ask_a_or_b();
        #[rustfmt::skip]
        let all = at_once(&sandbox, [
            vec!["answer", &id, "a"], vec!["cancel", &id], vec!["answer", &id, "--guidance", "think"],
            vec!["answer", &id, "b"], vec!["revise", &id, "--prompt", "Else?"],
        ]);
        let settling = &all[..4];
        assert_eq!(settling.iter().filter(|ran| ran.code == 0).count(), 1, "{settling:?}");
        assert!(all.iter().all(|ran| ran.code == 0 || ran.code == 4), "{all:?}");
    }
    let settled = ["decision:resolved", "decision:cancelled", "decision:refined"];
    assert_eq!(sandbox.tags().iter().filter(|tag| settled.contains(&tag.as_str())).count(), 4);
    sandbox.is_well();
}

#[test]
fn an_approval_is_consumed_by_one_of_many() {
    let sandbox = Sandbox::new().looking();
    let subject = sandbox.file("s", "make");
    let id = sandbox.ask(&["May I?", "--subject", &subject]);
    sandbox.ok(&["answer", &id, "yes"]);
    let all = at_once(&sandbox, (0..16).map(|_| vec!["consume", &id, "--subject", &subject]));
    assert_eq!((count(&all, 0), count(&all, 4)), (1, 15), "{all:?}");
}

#[test]
fn one_key_makes_one_decision() {
    let sandbox = Sandbox::new().looking();
    let all = at_once(&sandbox, (0..12).map(|_| vec!["ask", "Q?", "--key", "k", "--no-wait"]));
    let ids: BTreeSet<&str> = all.iter().map(|ran| ran.out.trim()).collect();
    assert!(ids.len() == 1 && count(&all, 0) == 12, "{all:?}");
    assert_eq!(sandbox.tags(), ["decision:created"]);
}

#[test]
fn one_item_has_one_pending_decision() {
    let sandbox = Sandbox::new().looking();
    let create = || vec!["bd", "decision", "create", "bd-1", "--prompt", "Q?", "--option", "a:A"];
    let all = at_once(&sandbox, (0..12).map(|_| create()));
    assert_eq!((count(&all, 0), count(&all, 4)), (1, 11), "{all:?}");
    assert_eq!(sandbox.tags(), ["item:created", "decision:created"]);
}

#[test]
fn several_processes_may_be_the_first() {
    for _ in 0..3 {
        let sandbox = Sandbox::new().looking();
        let mut all: Vec<Vec<&str>> = (0..8).map(|_| vec!["ask", "Q?", "-o", "a:A", "--no-wait"]).collect();
        all.extend([vec!["list", "--json"], vec!["init"], vec!["log"], vec!["item", "add", "x"]]);
        let ran = at_once(&sandbox, all);
        assert_eq!(count(&ran, 0), 12, "{ran:?}");
        let ids: BTreeSet<&str> = ran[..8].iter().map(|ran| ran.out.trim()).collect();
        assert_eq!(ids.len(), 8);
        at(&sandbox.json(&["audit", "verify", "--json"]), "/vouched_to", 9);
        let untrusted = &sandbox.json(&["audit", "verify", "--json"])["untrusted"];
        assert_eq!(untrusted.as_array().unwrap().len(), 0, "one key, no matter which process made it");
        sandbox.is_well();
    }
}

#[test]
fn every_waiter_is_woken() {
    let sandbox = Sandbox::new().looking();
    let id = sandbox.ask_a_or_b();
    let mut waiting: Vec<Running> = (0..10).map(|_| sandbox.spawn(&["wait", &id])).collect();
    for one in &mut waiting {
        one.listening();
    }
    sandbox.ok(&["answer", &id, "b"]);
    for one in waiting {
        one.end().exits(0).prints("b");
    }
}

#[test]
fn a_deadline_that_many_wait_for_passes_once() {
    let sandbox = Sandbox::new().looking();
    let id = sandbox.ask(&["Q?", "-o", "a:A", "-o", "b:B", "--default", "a", "--timeout", "400ms"]);
    let all = at_once(&sandbox, (0..8).map(|_| vec!["wait", &id]));
    assert_eq!(count(&all, 0), 8, "{all:?}");
    assert_eq!(sandbox.tags(), ["decision:created", "decision:expired"]);
}
