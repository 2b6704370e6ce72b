//! What standing rules cost: an ask that one of a thousand answers, beside one in a store without rules.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::New;
use holdpoint_core::{Actor, Auth, Command, NewRule, Role, RuleCommand, Status};
use holdpoint_engine::Clock;
use holdpoint_store::{Store, Submission, sqlite};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::process::Setup;
use crate::sample::in_turn;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// How many rules there are. Each answers now and then only, so that none runs away.
const RULES: usize = 1_000;

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 2_000 } else { 400 };
    let (ruled, plain) = (setup.home("rules"), setup.home("no-rules"));
    let (ruled, plain) = (seed::open(&ruled.store())?, seed::open(&plain.store())?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for number in 0..RULES {
        let new: NewRule = serde_json::from_value(json!({"then": "allow", "lasts": "90d",
            "when": {"asked_by": "coder", "command": {"words": [program(number), "test"], "more": "operands"}}}))?;
        let command = RuleCommand::Create { id: format!("rul-{number}"), new: Box::new(new) };
        let command = Command::Rule { project: "default".into(), command };
        let ana = Actor { auth: Auth::Local, ..Actor::claimed("ana", "cli") };
        runtime.block_on(ruled.submit(Submission::new(command, ana, Clock::System.now())))?;
    }
    let (mut by_rule, mut waiting) = (0, 0);
    let [with, without] = in_turn(
        rounds,
        [&mut || ask(&runtime, &ruled, &mut by_rule, Status::Answered), &mut || {
            ask(&runtime, &plain, &mut waiting, Status::Pending)
        }],
    )?;
    Ok(vec![Row {
        what: "an ask that one of 1,000 rules answers, p50".into(),
        measured: Quantity::Time(with.median()),
        peer: Some((Quantity::Time(without.median()), "an ask without rules")),
        target: Target::AtMost(1.2),
    }])
}

fn program(number: usize) -> String {
    format!("tool-{}", number % RULES)
}

/// Asks once; returns how long it took.
fn ask(
    runtime: &Runtime,
    store: &Arc<sqlite::Sqlite>,
    number: &mut usize,
    expected: Status,
) -> Result<Duration> {
    *number += 1;
    let new: New = serde_json::from_value(json!({"title": "May I?",
        "subject": {"command": format!("{} test core", program(*number))},
        "fields": [{"id": "go", "kind": "confirm", "label": "Go?", "options": [{"id": "y", "label": "Yes"},
            {"id": "n", "label": "No", "refuses": true}]}]}))?;
    let agent = Actor {
        auth: Auth::Token,
        role: Some(Role::Agent),
        credential: Some("tok-coder".into()),
        ..Actor::claimed("coder", "http")
    };
    let submission = Submission::new(Command::Create(Box::new(new)), agent, Clock::System.now());
    let start = Instant::now();
    let asked = runtime.block_on(store.submit(submission))?;
    let took = start.elapsed();
    match asked.decision {
        Some(decision) if decision.status == expected => Ok(took),
        other => Err(format!("expected {expected}, got {other:?}").into()),
    }
}
