//! Arbitrary sequences of commands, encoded as small numbers so that a generator can produce them.

use holdpoint_core::decision::{New, Revision};
use holdpoint_core::field::Effect;
use holdpoint_core::thread::{NewThread, Post, ThreadAction};
use holdpoint_core::{
    Command, DecisionId, Field, Kind, Lane, Occasion, OnTimeout, Opt, ProjectChange, Source, Span, Timestamp,
};
use serde_json::json;

use super::answering::guide;
use super::{Scene, StoreHarness, T0, choose, question, signer};
use crate::{CheckpointPolicy, Error, Options, Repair, Route, Submission, audit};

/// One step: the command, the decision, and the delay in seconds.
pub type Step = (u8, u8, u8);

/// Runs a script, and checks that the log, the projections and the chain agree.
pub async fn any_script_replays(bench: &dyn StoreHarness, steps: &[Step]) {
    let options =
        Options { signer: Some(signer(1)), policy: CheckpointPolicy::ByCaller, ..Options::default() };
    let scene = Scene::with(bench, options).await;
    let route = |occasion, lane| Route::new(occasion, lane, "t");
    scene.route(&[
        route(Occasion::Create, Lane::Hook),
        route(Occasion::Timeout, Lane::Webhook),
        route(Occasion::Respond, Lane::Session),
    ]);
    let mut ids: Vec<DecisionId> = Vec::new();
    let mut clock = 0;
    let mut batch = Vec::new();
    for (verb, which, wait) in steps {
        clock += i64::from(*wait % 40);
        let named = ids.get(usize::from(*which) % ids.len().max(1)).copied();
        let Some(command) = command(*verb, *which, named) else { continue };
        let key = (*verb == 0 && which.is_multiple_of(5)).then(|| format!("k{}", which % 10));
        let now = Timestamp::from_millis(T0 + clock * 1_000);
        let submission = Submission { now, key, ..scene.submission(command) };
        let store = scene.store.clone();
        batch.push(tokio::spawn(async move { store.submit(submission).await }));
        if wait % 7 == 0 {
            scene.store.index(usize::from(*which % 4)).await.unwrap();
        }
        // Some are submitted in a row, some at once.
        if wait % 3 > 0 {
            for task in batch.drain(..) {
                match task.await.unwrap() {
                    Ok(outcome) => {
                        ids.extend(outcome.decision.iter().chain(&outcome.next).map(|decision| decision.id));
                    }
                    Err(Error::Refused(_)) => {}
                    Err(other) => assert_eq!(other.to_string(), ""),
                }
            }
        }
    }
    for task in batch {
        let _ = task.await.unwrap();
    }
    if steps.len().is_multiple_of(2) {
        while scene.store.index(5).await.unwrap() > 0 {}
    }
    let inspection = scene.store.inspect(Repair::No).await.unwrap();
    assert_eq!(inspection.findings, Vec::<String>::new());
    let head = scene.store.head().await.unwrap().seq;
    assert_eq!(inspection.events, head.unsigned_abs());
    crate::vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap();
    assert_eq!(scene.store.vouching().broken(), None);
    let report = audit::verify(scene.store.as_ref(), &[signer(1).public_key()], None).await.unwrap();
    assert_eq!((report.faults, report.vouched_to, report.head), (vec![], head, head));
    assert_eq!(scene.store.inspect(Repair::Rebuild).await.unwrap().findings, Vec::<String>::new());
}

fn command(verb: u8, which: u8, named: Option<DecisionId>) -> Option<Command> {
    let owner = ["item:bd-1", "job:build", "crew:night", "item:bd-2", "thread:thr-1"][usize::from(which) % 5];
    Some(match verb % 15 {
        0 => Command::Create(Box::new(question())),
        1 => Command::Create(Box::new(New {
            owner: owner.parse().ok(),
            timeout: Some(Span::from_secs(i64::from(which) + 1)),
            on_timeout: Some(if which.is_multiple_of(2) { OnTimeout::Cancel } else { OnTimeout::Expire }),
            exclusive: which.is_multiple_of(7),
            ..question()
        })),
        2 => Command::Create(Box::new(New {
            source: Some(Source::Idle),
            project: (which.is_multiple_of(3)).then(|| "web".into()),
            fields: vec![Field::offering(
                "choice",
                Kind::Choice,
                "?",
                vec![
                    Opt { effect: Some(Effect::Resume), ..Opt::new("a", "Go on") },
                    Opt { effect: Some(Effect::Cancel), ..Opt::new("b", "Stop") },
                ],
            )],
            default: Some(serde_json::Map::from_iter([("choice".to_owned(), json!("a"))])),
            timeout: Some(Span::from_secs(i64::from(which % 50) + 1)),
            owner: owner.parse().ok(),
            ..question()
        })),
        3 => choose(named?, ["a", "b"][usize::from(which) % 2]),
        4 => guide(named?, "smaller"),
        5 => Command::Cancel { id: named?, reason: None },
        6 => {
            let revision = Revision { prompt: Some(format!("Which {which}?")), ..Revision::default() };
            Command::Revise { id: named?, revision: Box::new(revision) }
        }
        7 => {
            let values = serde_json::Map::from_iter([("choice".to_owned(), json!("b"))]);
            Command::Draft { id: named?, input: Box::new(values.into()) }
        }
        8 => Command::Expire { id: named? },
        9 => Command::Prune { id: named? },
        10 => Command::EndOwner {
            project: "default".into(),
            owner: owner.parse().ok()?,
            deleted: which.is_multiple_of(2),
        },
        11 => Command::CreateThread(Box::new(NewThread { id: "thr-1".into(), ..NewThread::default() })),
        12 => post(vec![ThreadAction::Ask(Box::new(question())), ThreadAction::Ask(Box::new(question()))]),
        13 => match choose(named?, ["a", "b"][usize::from(which) % 2]) {
            Command::Answer { id, input } => post(vec![ThreadAction::Answer { id, input }]),
            other => other,
        },
        _ => Command::UpdateProject {
            name: "web".into(),
            change: ProjectChange { min_timeout: Some(Span::from_secs(i64::from(which))), verdicts: None },
        },
    })
}

fn post(actions: Vec<ThreadAction>) -> Command {
    Command::Post(Box::new(Post {
        thread: "thr-1".into(),
        project: "default".into(),
        actor: None,
        role: None,
        content: vec!["Which?".into()],
        attachments: Vec::new(),
        metadata: serde_json::Map::new(),
        actions,
    }))
}
