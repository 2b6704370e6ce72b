//! Days of coding agents: how many of their asks a person answers who takes the rules that the cards propose.

use std::collections::HashMap;
use std::sync::Arc;

use holdpoint_core::rule::{InForce, Proposal, RuleEffect, Then, matches, proposals};
use holdpoint_core::{Decision, Event, Rule, RuleSet, Span, Status, decision};
use serde_json::{Value, json};

use crate::rules::{add, agent, ana, approval, ask_new};
use crate::world::World;

/// What became of an ask.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// A rule allowed it.
    ByRule,
    /// A person allowed it, and made this rule.
    Allowed(Option<String>),
    /// A person refused it.
    Refused,
}

/// Plays a day: one ask a line, with `refuse` where a person would say no.
fn play(day: &str) -> Vec<(Value, Outcome)> {
    let mut world = World::new();
    let mut refused: Vec<Decision> = Vec::new();
    let asks = day.lines().filter(|line| !line.trim().is_empty());
    let asks = asks.map(|line| serde_json::from_str::<Value>(line).unwrap());
    asks.map(|ask| {
        world.wait(Span::from_secs(180));
        let subject = json!({"tool": ask["tool"], "input": ask["input"], "cwd": ask["cwd"]});
        let asked = ask_new(&mut world, &agent("coder"), approval(&subject));
        let outcome = match asked.status {
            Status::Answered => {
                assert!(!decision::is_refusal(&asked));
                Outcome::ByRule
            }
            _ if is_refused(&ask) => {
                refused.push(asked);
                Outcome::Refused
            }
            _ => Outcome::Allowed(take_widest(&mut world, &asked, &refused)),
        };
        (ask, outcome)
    })
    .collect()
}

fn is_refused(ask: &Value) -> bool {
    ask["refuse"] == true || ask["verdict"] == "refuse"
}

/// Makes the widest rule that an ask proposes, but for what would have allowed something that was refused, and for pushes of whatever
/// is checked out.
fn take_widest(world: &mut World, asked: &Decision, refused: &[Decision]) -> Option<String> {
    let now = world.now;
    let is_taken = |step: &Proposal| {
        let rule = step.rule.as_rule("rul-test", &ana(), now);
        let pushes = step.rule.warnings().iter().any(|warning| warning.contains("checked-out branch"));
        !pushes && !refused.iter().any(|refused| matches(&rule, refused).is_ok())
    };
    let step = proposals(asked, Then::Allow).into_iter().rfind(is_taken)?;
    let mut rule = serde_json::to_value(&step.rule).unwrap();
    rule["lasts"] = json!("24h");
    add(world, rule);
    Some(step.title)
}

fn what(ask: &Value) -> String {
    let command = ask["input"]["command"].as_str();
    command.map_or_else(|| format!("{} {}", ask["tool"], ask["input"]), str::to_owned)
}

fn check(day: &str, most: usize) {
    let played = play(day);
    for (ask, outcome) in &played {
        assert!(!is_refused(ask) || *outcome == Outcome::Refused, "allowed: {}", what(ask));
    }
    let answers = played.iter().filter(|(_, outcome)| *outcome != Outcome::ByRule).count();
    assert!(answers <= most, "{answers} answers");
}

#[test]
fn a_day_of_data_science_takes_few_answers() {
    check(include_str!("days/data.jsonl"), 37);
}

#[test]
fn a_day_in_a_monorepo_takes_few_answers() {
    check(include_str!("days/ts.jsonl"), 34);
}

#[test]
fn a_day_with_a_cluster_takes_few_answers() {
    check(include_str!("days/cluster.jsonl"), 39);
}

#[test]
fn a_day_in_kotlin_takes_few_answers() {
    check(include_str!("days/kotlin.jsonl"), 24);
}

/// Many rules are not tried one by one; which of them answers must not depend on that.
#[test]
fn what_is_left_out_matches_nothing() {
    let days = [
        include_str!("days/data.jsonl"),
        include_str!("days/ts.jsonl"),
        include_str!("days/cluster.jsonl"),
        include_str!("days/kotlin.jsonl"),
    ];
    let lines = days.into_iter().flat_map(str::lines).filter(|line| !line.trim().is_empty());
    let asks: Vec<Decision> = lines
        .step_by(7)
        .map(|line| {
            let ask: Value = serde_json::from_str(line).unwrap();
            let subject = json!({"tool": ask["tool"], "input": ask["input"], "cwd": ask["cwd"]});
            ask_new(&mut World::new(), &agent("coder"), approval(&subject))
        })
        .collect();
    let now = World::new().now;
    for then in [Then::Allow, Then::Refuse, Then::Ask] {
        let steps = asks.iter().flat_map(|asked| proposals(asked, then));
        let codes: HashMap<String, Proposal> = steps.map(|step| (step.code.clone(), step)).collect();
        let rules = codes.values().map(|step| step.rule.as_rule(&step.code, &ana(), now));
        let rules: Vec<Rule> = rules.map(|rule| Rule { made_with: None, ..rule }).collect();
        let mut set = RuleSet::default();
        for rule in &rules {
            set.apply(&Event::RuleCreated(Box::new(rule.clone())));
        }
        let in_force = InForce { rules: Arc::new(set), trip_limit: usize::MAX, ..InForce::default() };
        for asked in &asks {
            let first = rules.iter().find(|rule| matches(rule, asked).is_ok()).map(|rule| &rule.id);
            let found = in_force.rule_on(asked, now).map(|ruled| match ruled {
                RuleEffect::Answered { rule, .. } | RuleEffect::Asked(rule) | RuleEffect::Trips(rule) => {
                    rule.id.clone()
                }
            });
            assert_eq!(found.as_ref(), first, "{:?}", asked.subject);
        }
    }
}

/// Prints what each ask of the days in `DAYS` (files, separated by spaces) came to: `DAYS='a.jsonl b.jsonl' cargo test measure -- --ignored --nocapture`.
#[test]
#[ignore = "a measure of days that are kept elsewhere"]
fn measure() {
    for file in std::env::var("DAYS").unwrap().split_whitespace() {
        let played = play(&std::fs::read_to_string(file).unwrap());
        let count = |is: &dyn Fn(&Value, &Outcome) -> bool| {
            played.iter().filter(|(ask, outcome)| is(ask, outcome)).count()
        };
        println!(
            "{file}: {} asks, {} answers, of which {} refusals; {} by rule, {} wrongly allowed",
            played.len(),
            count(&|_, outcome| *outcome != Outcome::ByRule),
            count(&|_, outcome| *outcome == Outcome::Refused),
            count(&|_, outcome| *outcome == Outcome::ByRule),
            count(&|ask, outcome| is_refused(ask) && *outcome != Outcome::Refused),
        );
        for (ask, outcome) in &played {
            match outcome {
                Outcome::Allowed(rule) => {
                    println!("  {}\n      → {}", what(ask), rule.as_deref().unwrap_or("no rule"));
                }
                Outcome::ByRule if is_refused(ask) => println!("  WRONG {}", what(ask)),
                Outcome::ByRule | Outcome::Refused => {}
            }
        }
    }
}
