//! Converts the tree to the structs: one job, one step, one agent.

use std::collections::BTreeMap;

use holdpoint_core::job::interpolate;
use holdpoint_core::job::{Agent, Definition, Notify, Run, Step, Trigger};
use holdpoint_core::text::{check_name, quote};

use super::Faults;
use super::node::{Entry, Node, Value, only};
use super::reaction::{reactions, span};

const JOB: [&str; 11] = [
    "vars",
    "step",
    "steps",
    "on_done",
    "on_fail",
    "on_cancel",
    "cwd",
    "item",
    "worktree",
    "verdict",
    "notify",
];
const STEP: [&str; 5] = ["name", "run", "on_done", "on_fail", "on_cancel"];
const AGENT: [&str; 11] = [
    "run",
    "prompt",
    "env",
    "cwd",
    "on_idle",
    "on_dead",
    "on_error",
    "on_prompt",
    "idle_after",
    "errors",
    "notify",
];
const NOTIFY: [&str; 3] = ["on_start", "on_done", "on_fail"];

/// A text of the runbook with placeholders for values, and its position.
pub(super) struct Text {
    pub(super) at: usize,
    pub(super) words: String,
    pub(super) shell: bool,
}

/// The parts of a job or an agent that still have to be checked.
pub(super) struct Parts {
    pub(super) texts: Vec<Text>,
    /// The steps, agents and jobs that are referred to, with positions.
    pub(super) links: Vec<(Link, usize)>,
}

pub(super) enum Link {
    Step(String),
    Agent(String),
    Job(String),
}

pub(super) fn job(node: &Node, faults: &mut Faults) -> (Definition, Parts) {
    let mut parts = Parts { texts: Vec::new(), links: Vec::new() };
    only(node.map("a job", faults), &JOB, "a job", faults);
    let mut definition = Definition::default();
    if let Some(vars) = node.get("vars") {
        definition.vars = variables(vars, faults);
    }
    let listed = node.get("step").or_else(|| node.get("steps"));
    for (name, at, step) in listed.map(|steps| steps_of(steps, faults)).unwrap_or_default() {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if check_name(&name).is_err() || !name.chars().all(plain) {
            faults.add(
                at,
                format!("{} is not a valid name for a step; use letters, digits, - and _", quote(&name)),
            );
        }
        if matches!(name.as_str(), "done" | "failed" | "cancelled" | "suspended") {
            faults.add(at, format!("{} is how a job ends; call the step something else", quote(&name)));
        }
        if definition.steps.iter().any(|before| before.name == name) {
            faults.add(at, format!("the step {} occurs twice", quote(&name)));
        }
        definition.steps.extend(self::step(name, at, step, &mut parts, faults));
    }
    if listed.is_none() || (definition.steps.is_empty() && faults.list.is_empty()) {
        faults.add(node.at, "a job needs at least one step");
    }
    for (key, to) in [
        ("on_done", &mut definition.on_done),
        ("on_fail", &mut definition.on_fail),
        ("on_cancel", &mut definition.on_cancel),
    ] {
        *to = next(node, key, &mut parts, faults);
    }
    definition.cwd = text(node, "cwd", &mut parts, faults);
    definition.item = text(node, "item", &mut parts, faults);
    definition.worktree = node.get("worktree").is_some_and(|truth| truth.truth("worktree", faults));
    if let Some(verdict) = node.get("verdict") {
        definition.verdict = Some(verdict.truth("verdict", faults));
        if definition.verdict == Some(true) && !definition.worktree {
            faults.add(verdict.at, "a verdict is given on what a worktree holds: add worktree = true");
        }
    }
    definition.notify = notify(node, &mut parts, faults);
    (definition, parts)
}

/// Returns steps given as labelled blocks, as a map, or as a list with names.
fn steps_of<'a>(node: &'a Node, faults: &mut Faults) -> Vec<(String, usize, &'a Node)> {
    match &node.value {
        Value::Map(entries) => {
            entries.iter().map(|entry| (entry.key.clone(), entry.at, &entry.node)).collect()
        }
        Value::List(items) => {
            let named = |item: &'a Node| {
                let Some(name) = item.get("name") else {
                    faults.add(item.at, "a step in a list needs a name");
                    return None;
                };
                Some((name.text("name", faults)?, name.at, item))
            };
            items.iter().filter_map(named).collect()
        }
        _ => {
            faults.add(node.at, format!("steps are blocks or a list of them, not {}", node.kind()));
            Vec::new()
        }
    }
}

fn step(name: String, at: usize, node: &Node, parts: &mut Parts, faults: &mut Faults) -> Option<Step> {
    only(node.map("a step", faults), &STEP, "a step", faults);
    let Some(run) = node.get("run") else {
        faults.add(at, "a step needs run: a shell command, { agent = \"…\" } or { job = \"…\" }");
        return None;
    };
    Some(Step {
        name,
        run: run_of(run, parts, faults)?,
        on_done: next(node, "on_done", parts, faults),
        on_fail: next(node, "on_fail", parts, faults),
        on_cancel: next(node, "on_cancel", parts, faults),
    })
}

fn run_of(node: &Node, parts: &mut Parts, faults: &mut Faults) -> Option<Run> {
    if let Value::Text(command) = &node.value {
        if command.trim().is_empty() {
            faults.add(node.at, "run is empty");
        }
        parts.texts.push(Text { at: node.at, words: command.clone(), shell: true });
        return Some(Run::Shell(command.clone()));
    }
    let entries = node.map("run", faults);
    only(entries, &["agent", "job", "vars"], "run", faults);
    match (node.get("agent"), node.get("job")) {
        (Some(agent), None) => {
            let name = agent.text("agent", faults)?;
            parts.links.push((Link::Agent(name.clone()), agent.at));
            Some(Run::Agent(name))
        }
        (None, Some(job)) => {
            let name = job.text("job", faults)?;
            parts.links.push((Link::Job(name.clone()), job.at));
            let vars =
                node.get("vars").map(|vars| text_entries(vars, "vars", parts, faults)).unwrap_or_default();
            Some(Run::Job { name, vars })
        }
        _ => {
            faults.add(node.at, "run is a shell command, { agent = \"…\" } or { job = \"…\" }");
            None
        }
    }
}

/// Returns the next step: its name, or `{ step = "…" }`.
fn next(node: &Node, key: &str, parts: &mut Parts, faults: &mut Faults) -> Option<String> {
    let node = node.get(key)?;
    let named = match &node.value {
        Value::Map(entries) => {
            only(entries, &["step"], key, faults);
            node.get("step")
        }
        _ => Some(node),
    };
    let Some(named) = named else {
        faults.add(node.at, format!("{key} names a step: {{ step = \"…\" }}"));
        return None;
    };
    let name = named.text(key, faults)?;
    parts.links.push((Link::Step(name.clone()), named.at));
    Some(name)
}

pub(super) fn agent(node: &Node, faults: &mut Faults) -> (Agent, Parts) {
    let mut parts = Parts { texts: Vec::new(), links: Vec::new() };
    only(node.map("an agent", faults), &AGENT, "an agent", faults);
    let mut agent = Agent::default();
    match node.get("run") {
        Some(run) => {
            agent.run = run.text("run", faults).unwrap_or_default();
            if agent.run.trim().is_empty() {
                faults.add(run.at, "run is empty");
            }
            let prompted = node.get("prompt").is_some();
            let words = if prompted { interpolate::with_prompt(&agent.run) } else { agent.run.clone() };
            parts.texts.push(Text { at: run.at, words, shell: true });
        }
        None => faults.add(node.at, "an agent needs run: the command that starts it"),
    }
    agent.prompt = text(node, "prompt", &mut parts, faults);
    agent.cwd = text(node, "cwd", &mut parts, faults);
    agent.env = node.get("env").map(|env| text_entries(env, "env", &mut parts, faults)).unwrap_or_default();
    agent.idle_after = node.get("idle_after").and_then(|value| span(value, "idle_after", faults));
    agent.errors = node
        .get("errors")
        .map(|errors| text_entries(errors, "errors", &mut parts, faults))
        .unwrap_or_default();
    let errors: Vec<String> = agent.errors.keys().cloned().collect();
    for trigger in Trigger::ALL {
        let Some(node) = node.get(trigger.key()) else { continue };
        let found = reactions(node, trigger, &errors, faults);
        for (reaction, at) in &found {
            let shells = reaction.run.iter().map(|text| (text, true));
            for (text, shell) in shells.chain(reaction.message.iter().map(|text| (text, false))) {
                parts.texts.push(Text { at: *at, words: text.clone(), shell });
            }
        }
        let list = found.into_iter().map(|(reaction, _)| reaction).collect();
        match trigger {
            Trigger::Idle => agent.on_idle = list,
            Trigger::Dead => agent.on_dead = list,
            Trigger::Error => agent.on_error = list,
            Trigger::Prompt => agent.on_prompt = list,
        }
    }
    agent.notify = notify(node, &mut parts, faults);
    (agent, parts)
}

fn notify(node: &Node, parts: &mut Parts, faults: &mut Faults) -> Notify {
    let Some(node) = node.get("notify") else { return Notify::default() };
    only(node.map("notify", faults), &NOTIFY, "notify", faults);
    Notify {
        on_start: command(node, "on_start", parts, faults),
        on_done: command(node, "on_done", parts, faults),
        on_fail: command(node, "on_fail", parts, faults),
    }
}

/// Returns variables: names that are required, or names with a default.
fn variables(node: &Node, faults: &mut Faults) -> BTreeMap<String, Option<String>> {
    let mut vars = BTreeMap::new();
    let mut add = |name: String, at: usize, value: Option<String>, faults: &mut Faults| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(plain) {
            faults.add(
                at,
                format!("{} is not a valid name for a variable; use letters, digits, - and _", quote(&name)),
            );
        } else if vars.insert(name.clone(), value).is_some() {
            faults.add(at, format!("the variable {} occurs twice", quote(&name)));
        }
    };
    match &node.value {
        Value::List(items) => {
            for item in items {
                if let Some(name) = item.text("a variable's name", faults) {
                    add(name, item.at, None, faults);
                }
            }
        }
        _ => {
            for Entry { key, at, node } in node.map("vars", faults) {
                let value = node.word("a variable's value", faults);
                add(key.clone(), *at, value, faults);
            }
        }
    }
    vars
}

fn text_entries(node: &Node, what: &str, parts: &mut Parts, faults: &mut Faults) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for entry in node.map(what, faults) {
        let Some(text) = entry.node.word(what, faults) else { continue };
        if what == "env" && (entry.key.is_empty() || entry.key.contains(['=', '\0'])) {
            faults.add(entry.at, format!("{} is not a valid name for a variable", quote(&entry.key)));
        }
        parts.texts.push(Text { at: entry.node.at, words: text.clone(), shell: false });
        words.insert(entry.key.clone(), text);
    }
    words
}

fn text(node: &Node, key: &str, parts: &mut Parts, faults: &mut Faults) -> Option<String> {
    let node = node.get(key)?;
    let text = node.text(key, faults)?;
    parts.texts.push(Text { at: node.at, words: text.clone(), shell: false });
    Some(text)
}

/// Returns a shell command under a key.
fn command(node: &Node, key: &str, parts: &mut Parts, faults: &mut Faults) -> Option<String> {
    let node = node.get(key)?;
    let text = node.text(key, faults)?;
    parts.texts.push(Text { at: node.at, words: text.clone(), shell: true });
    Some(text)
}
