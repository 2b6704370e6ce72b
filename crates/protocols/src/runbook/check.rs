//! Checks a whole runbook: the references between its parts.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::job::interpolate::{self, Known, PROMPT, Unsafe};
use holdpoint_core::job::{Definition, Run, Runbook};
use holdpoint_core::text::{check_name, quote};

use super::node::{Root, only};
use super::read::{self, Link, Parts};
use super::{Faults, suggestion};

/// The names of values that every job has, besides its variables.
const KNOWN: [&str; 7] =
    ["job.id", "job.name", "job.project", "job.item", "job.dir", "step.name", "agent.id"];

/// Reads a runbook and checks it as a whole.
pub(super) fn runbook(root: &Root, faults: &mut Faults) -> Runbook {
    only(root.node.map("a runbook", faults), &["job", "agent"], "a runbook", faults);
    let mut runbook = Runbook::default();
    let (mut jobs, mut agents) = (Vec::new(), Vec::new());
    let mut empty = true;
    for entry in root.node.get("agent").map(|node| node.map("agent", faults)).unwrap_or_default() {
        empty = false;
        named(&entry.key, entry.at, "an agent", runbook.agents.contains_key(&entry.key), faults);
        let (agent, parts) = read::agent(&entry.node, faults);
        runbook.agents.insert(entry.key.clone(), agent);
        agents.push((entry.key.clone(), parts));
    }
    for entry in root.node.get("job").map(|node| node.map("job", faults)).unwrap_or_default() {
        empty = false;
        named(&entry.key, entry.at, "a job", runbook.jobs.contains_key(&entry.key), faults);
        let (job, parts) = read::job(&entry.node, faults);
        runbook.jobs.insert(entry.key.clone(), job);
        jobs.push((entry.key.clone(), parts));
    }
    if empty && faults.list.is_empty() {
        faults.add(0, "a runbook defines at least one job or agent");
    }
    for (name, parts) in &jobs {
        let Some(job) = runbook.jobs.get(name) else { continue };
        check_links(&runbook, job, parts, faults);
        check_texts(parts, &values(job.vars.keys(), false), faults);
    }
    // An agent may be used by several jobs: each of them must have what it refers to.
    for (name, parts) in &agents {
        let users: Vec<&Definition> = runbook.jobs.values().filter(|job| uses(job, name)).collect();
        let all: BTreeSet<&String> = match users.as_slice() {
            [] => runbook.jobs.values().flat_map(|job| job.vars.keys()).collect(),
            [first, rest @ ..] => {
                first.vars.keys().filter(|var| rest.iter().all(|job| job.vars.contains_key(*var))).collect()
            }
        };
        check_texts(parts, &values(all.into_iter(), true), faults);
    }
    refuse_circles(&runbook, &jobs, faults);
    runbook
}

fn uses(job: &Definition, agent: &str) -> bool {
    job.steps.iter().any(|step| matches!(&step.run, Run::Agent(name) if name == agent))
}

fn named(name: &str, at: usize, what: &str, twice: bool, faults: &mut Faults) {
    if let Err(why) = check_name(name) {
        faults.add(at, format!("{} is not a valid name for {what}: it {why}", quote(name)));
    } else if twice {
        faults.add(at, format!("{what} called {} occurs twice", quote(name)));
    }
}

fn check_links(runbook: &Runbook, job: &Definition, parts: &Parts, faults: &mut Faults) {
    for (link, at) in &parts.links {
        let (what, name, known): (_, _, Vec<&str>) = match link {
            Link::Step(name) => ("step", name, job.steps.iter().map(|step| step.name.as_str()).collect()),
            Link::Agent(name) => ("agent", name, runbook.agents.keys().map(String::as_str).collect()),
            Link::Job(name) => ("job", name, runbook.jobs.keys().map(String::as_str).collect()),
        };
        if !known.contains(&name.as_str()) {
            faults.add(*at, format!("there is no {what} {}; {}", quote(name), suggestion(name, &known)));
        }
    }
}

fn values<'a>(vars: impl Iterator<Item = &'a String>, of_agent: bool) -> Known {
    let vars = vars.map(|name| format!("var.{name}"));
    let fixed = KNOWN.iter().map(|name| (*name).to_owned());
    let prompt = of_agent.then(|| PROMPT.to_owned());
    vars.chain(fixed).chain(prompt).map(|name| (name, String::new())).collect()
}

fn check_texts(parts: &Parts, known: &Known, faults: &mut Faults) {
    for text in &parts.texts {
        let mut unknown = false;
        for (_, name) in interpolate::names(&text.words) {
            if !known.contains_key(name) {
                unknown = true;
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                faults.add(text.at, format!("${{{name}}} is not known here; {}", suggestion(name, &names)));
            }
        }
        if !unknown
            && text.shell
            && let Err(why @ Unsafe::Place { .. }) = interpolate::shell(&text.words, known)
        {
            faults.add(text.at, why.to_string());
        }
    }
}

/// Refuses jobs that start themselves, directly or indirectly, and so would never end.
fn refuse_circles(runbook: &Runbook, parts: &[(String, Parts)], faults: &mut Faults) {
    let starts: BTreeMap<&str, Vec<&str>> = runbook
        .jobs
        .iter()
        .map(|(name, job)| {
            let started = job.steps.iter().filter_map(|step| match &step.run {
                Run::Job { name, .. } => Some(name.as_str()),
                _ => None,
            });
            (name.as_str(), started.collect())
        })
        .collect();
    for (name, parts) in parts {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut next: Vec<&str> = starts.get(name.as_str()).cloned().unwrap_or_default();
        while let Some(job) = next.pop() {
            if reached.insert(job) {
                next.extend(starts.get(job).into_iter().flatten());
            }
        }
        if reached.contains(name.as_str())
            && let Some((_, at)) = parts.links.iter().find(|(link, _)| matches!(link, Link::Job(_)))
        {
            faults.add(*at, format!("the job {} would start itself again without end", quote(name)));
        }
    }
}
