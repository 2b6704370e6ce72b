//! `ExitPlanMode`: a plan, accepted or sent back with the person's comments.

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::{Field, Kind, OnTimeout, Opt, Source};
use serde_json::Value;

use super::input::Tool;
use super::lineage;
use super::permission::{CHOICE, STOP, option, subject};
use super::terms::CallContext;

/// The tool's name.
pub(super) const TOOL: &str = "ExitPlanMode";

/// How many characters of a plan are used as its title.
const MOST: usize = 80;

/// Asks whether a plan is to be carried out.
pub(super) fn ask(tool: &Tool, terms: &CallContext) -> New {
    let plan = tool.input.get("plan").and_then(Value::as_str).filter(|plan| !plan.trim().is_empty());
    // A plan is the subject, and is on every card.
    let prompt = plan.is_none().then(|| "The agent has finished planning, but shows no plan.".to_owned());
    let accept = option("accept", "Accept", Effect::AcceptManual);
    let revise = Opt { refuses: true, ..option("revise", "Revise", Effect::Revise) };
    let stop = Opt {
        description: Some("Turn it down, and end the agent's turn".to_owned()),
        ..option(STOP, "Stop", Effect::Cancel)
    };
    New {
        source: Some(Source::Plan),
        title: Some(lineage::title(terms, &title(plan.unwrap_or_default()))),
        prompt,
        fields: vec![Field::offering(CHOICE, Kind::Confirm, "Carry out this plan?", vec![accept, revise])],
        outs: vec![stop],
        on_timeout: terms.timeout.map(|_| OnTimeout::Deny),
        subject: Some(subject(tool)),
        ..New::default()
    }
}

/// Returns the first heading or line of a plan as its title, so that plans can be distinguished in a list.
fn title(plan: &str) -> String {
    let bare =
        |line: &'_ str| line.trim_matches(|c: char| c.is_whitespace() || "#*_`:-=".contains(c)).to_owned();
    let mut lines =
        plan.lines().map(bare).filter(|line| !line.is_empty() && !line.eq_ignore_ascii_case("plan"));
    let Some(line) = lines.next() else { return "Plan".to_owned() };
    let short: String = line.chars().take(MOST).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    let says_so = short.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("plan"));
    if says_so { format!("{short}{more}") } else { format!("Plan: {short}{more}") }
}
