//! The cost of standing rules: a question that one of a thousand rules answers, compared with a store without rules.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::New;
use holdpoint_core::{Actor, Auth, Command, NewRule, Role, RuleCommand, Status};
use holdpoint_engine::Clock;
use holdpoint_store::{Store, Submission, sqlite};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::process::Setup;
use crate::sample::in_turn;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// How many rules there are. Each answers only now and then, so that none trips.
const RULES: usize = 1_000;

/// A kind of rule.
#[derive(Clone, Copy, Debug)]
struct Sort {
    what: &'static str,
    /// The pattern of the rule with a number.
    when: fn(usize) -> Value,
    /// The subject of a question that the rule answers.
    subject: fn(usize) -> Value,
}

const SORTS: [Sort; 6] = [
    Sort {
        what: "each for a program",
        when: |number| json!({"command": {"words": [format!("tool-{number}"), "test"], "more": "operands"}}),
        subject: |number| json!({"command": format!("tool-{number} test core")}),
    },
    Sort {
        what: "each for a task of one program",
        when: |number| {
            json!({"tool": "Bash",
                "command": {"words": ["make", format!("task-{number}")], "cwd": "/srv/app/**", "composite": true}})
        },
        subject: |number| bash(&format!("make task-{number} 2>&1 | tail -5"), "/srv/app"),
    },
    Sort {
        what: "each for any command that looks in a folder",
        when: |number| {
            json!({"tool": "Bash", "command": {"words": [], "more": "looking", "composite": true,
                "cwd": format!("/srv/app-{number}/**")}})
        },
        subject: |number| bash("git log --oneline -5 | head", &format!("/srv/app-{number}/src")),
    },
    Sort {
        what: "each for the files of a folder",
        when: |number| json!({"tool": "Edit", "path": format!("/srv/app/part-{number}/**")}),
        subject: |number| {
            let file = format!("/srv/app/part-{number}/a.rs");
            json!({"tool": "Edit", "cwd": "/srv/app",
                "input": {"file_path": file, "old_string": "a", "new_string": "b"}})
        },
    },
    Sort {
        what: "each for an exact line",
        when: |number| json!({"tool": "Bash", "input": {"/cwd": "/srv/app", "/input/command": exact_line(number)}}),
        subject: |number| bash(&exact_line(number), "/srv/app"),
    },
    Sort {
        what: "each for the pages of a host",
        when: |number| {
            let pages = json!({"glob": format!("https://host-{number}.example.com/**")});
            json!({"tool": "WebFetch", "input": {"/input/url": pages, "/input/prompt": {"glob": "**"}}})
        },
        subject: |number| {
            let url = format!("https://host-{number}.example.com/a");
            json!({"tool": "WebFetch", "input": {"url": url, "prompt": "What is it?"}, "cwd": "/srv/app"})
        },
    },
];

fn bash(command: &str, cwd: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command}, "cwd": cwd})
}

fn exact_line(number: usize) -> String {
    format!("for x in a b; do ./run $x --part {number}; done > out.txt")
}

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 1_000 } else { 300 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut rows = Vec::new();
    for (at, sort) in SORTS.iter().enumerate() {
        let (ruled, plain) = (setup.home(&format!("rules-{at}")), setup.home(&format!("no-rules-{at}")));
        let (ruled, plain) = (seed::open(&ruled.store())?, seed::open(&plain.store())?);
        for number in 0..RULES {
            create(&runtime, &ruled, sort, number)?;
        }
        let (mut by_rule, mut waiting) = (0, 0);
        let [with, without] = in_turn(
            rounds,
            [&mut || ask(&runtime, &ruled, sort, &mut by_rule, Status::Answered), &mut || {
                ask(&runtime, &plain, sort, &mut waiting, Status::Pending)
            }],
        )?;
        rows.push(Row {
            what: format!("an ask that one of 1,000 rules answers, {}, p50", sort.what),
            measured: Quantity::Time(with.median()),
            peer: Some((Quantity::Time(without.median()), "an ask without rules")),
            target: Target::AtMost(1.2),
        });
    }
    Ok(rows)
}

fn create(runtime: &Runtime, store: &Arc<sqlite::Sqlite>, sort: &Sort, number: usize) -> Result<()> {
    let mut when = (sort.when)(number);
    when["asked_by"] = json!("coder");
    let new: NewRule = serde_json::from_value(json!({"then": "allow", "lasts": "90d", "when": when}))?;
    let command = RuleCommand::Create { id: format!("rul-{number}"), new: Box::new(new) };
    let command = Command::Rule { project: "default".into(), command };
    let ana = Actor { auth: Auth::Local, ..Actor::claimed("ana", "cli") };
    runtime.block_on(store.submit(Submission::new(command, ana, Clock::System.now())))?;
    Ok(())
}

/// Asks once; returns how long it took.
fn ask(
    runtime: &Runtime,
    store: &Arc<sqlite::Sqlite>,
    sort: &Sort,
    number: &mut usize,
    expected: Status,
) -> Result<Duration> {
    *number += 1;
    let new: New = serde_json::from_value(json!({"title": "May I?", "source": "approval",
        "subject": (sort.subject)(*number % RULES),
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
