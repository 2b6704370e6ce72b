//! Days of coding agents: how many of their asks a person answers who takes the widest rule that each card proposes.

use holdpoint_core::rule::{Then, proposals};
use holdpoint_core::{Decision, Span, Status, decision};
use serde_json::{Value, json};

use crate::rules::{add, agent, approval, ask_new};
use crate::world::World;

/// What a person answers without making a rule: it publishes, deletes, or ends what others use.
const ONCE: [&str; 6] = ["git push", "gh pr create", "rm -rf", "kill ", "db:rollback", "docker compose down"];

/// What became of an ask.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Allowed,
    Asked,
    Refused,
}

/// Plays a day: one ask a line, `refuse` where a person would say no.
fn play(day: &str) -> Vec<(Value, Outcome)> {
    let mut world = World::new();
    let asks = day.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    asks.map(|ask| {
        world.wait(Span::from_secs(180));
        let subject = json!({"tool": ask["tool"], "input": ask["input"], "cwd": ask["cwd"]});
        let asked = ask_new(&mut world, &agent("coder"), approval(&subject));
        let outcome = match asked.status {
            Status::Answered => {
                assert!(!decision::is_refusal(&asked));
                Outcome::Allowed
            }
            _ if ask["refuse"] == true => Outcome::Refused,
            _ => {
                take_widest(&mut world, &asked, &subject);
                Outcome::Asked
            }
        };
        (ask, outcome)
    })
    .collect()
}

/// Makes the widest rule that an ask proposes, unless a person would rather be asked each time.
fn take_widest(world: &mut World, asked: &Decision, subject: &Value) {
    let command = subject["input"]["command"].as_str().unwrap_or_default();
    if let Some(step) = proposals(asked, Then::Allow).pop()
        && !ONCE.iter().any(|once| command.contains(once))
    {
        let mut rule = serde_json::to_value(&step.rule).unwrap();
        rule["lasts"] = json!("24h");
        add(world, rule);
    }
}

fn check(day: &str, most: usize) {
    let played = play(day);
    let mut answers = 0;
    for (ask, outcome) in &played {
        let what = ask["input"]["command"].as_str().map_or_else(|| ask["input"].to_string(), str::to_owned);
        assert!(ask["refuse"] != true || *outcome == Outcome::Refused, "allowed: {what}");
        answers += usize::from(*outcome != Outcome::Allowed);
    }
    assert!(answers <= most, "{answers} answers");
}

#[test]
fn a_day_of_data_science_takes_few_answers() {
    check(include_str!("days/data.jsonl"), 42);
}

#[test]
fn a_day_in_a_monorepo_takes_few_answers() {
    check(include_str!("days/ts.jsonl"), 43);
}

#[test]
fn a_day_with_a_cluster_takes_few_answers() {
    check(include_str!("days/cluster.jsonl"), 48);
}

#[test]
fn a_day_in_kotlin_takes_few_answers() {
    check(include_str!("days/kotlin.jsonl"), 42);
}
