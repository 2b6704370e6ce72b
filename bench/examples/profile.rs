#![allow(warnings)]
use holdpoint_core::{decision::*, *};
use holdpoint_store::{sqlite, *};
use std::sync::Arc;
fn sub(command: Command) -> Submission {
    Submission {
        command,
        actor: Actor::claimed("ana", "bench"),
        now: Timestamp::from_millis(1_800_000_000_000),
        key: None,
        routes: Arc::from([]),
    }
}
fn main() {
    let rounds: usize = std::env::args().nth(1).map_or(20, |a| a.parse().unwrap());
    let dir = tempfile::tempdir_in("/tmp/wt/bench/target").unwrap();
    let store = Arc::new(
        sqlite::open(
            &dir.path().join("h.db"),
            Options { signer: None, policy: CheckpointPolicy::EveryEvents(1000) },
        )
        .unwrap(),
    );
    let rt = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let new = |number: usize| {
        let prompt = format!(
            "The nightly build {number} failed in `integration/payments` after the client library was updated. Pin the old version, or port the three call sites to the new interface?"
        );
        let options = vec![
            Opt { recommended: true, ..Opt::new("pin", "Pin the old version for now") },
            Opt::new("port", "Port the call sites"),
            Opt::new("skip", "Leave it broken until Monday"),
        ];
        New {
            title: Some(format!("Build {number} failed")),
            prompt: Some(prompt),
            fields: vec![Field::offering("choice", Kind::Choice, "What should I do?", options)],
            requested_by: Some("agent-7".into()),
            ..New::default()
        }
    };
    let start = std::time::Instant::now();
    rt.block_on(async {
        for r in 0..rounds {
            let mut set = tokio::task::JoinSet::new();
            for i in 0..64 {
                let store = store.clone();
                let s = sub(Command::Create(Box::new(new(i))));
                set.spawn(async move { store.submit(s).await.unwrap().decision.unwrap().id });
            }
            let mut ids = vec![];
            while let Some(id) = set.join_next().await {
                ids.push(id.unwrap());
            }
            let mut set = tokio::task::JoinSet::new();
            for id in ids {
                let store = store.clone();
                let s = sub(Command::Answer {
                    id,
                    input: Box::new(AnswerInput { choice: Some("pin".into()), ..Default::default() }),
                });
                set.spawn(async move {
                    store.submit(s).await.unwrap();
                });
            }
            while let Some(x) = set.join_next().await {
                x.unwrap();
            }
        }
    });
    let n = rounds * 128;
    eprintln!("{} commands, {:.1} us each", n, start.elapsed().as_secs_f64() * 1e6 / n as f64);
}
