//! What is started for a step: the command with its values, its folder, and its environment.

use std::path::PathBuf;

use holdpoint_core::Job;
use holdpoint_core::job::interpolate::{self, Known};
use holdpoint_core::job::{Agent, Run};

use crate::home::Home;
use crate::run::worktree;
use crate::sessions::Spec;

/// The variables that lead to the server's store and keys: none of them is passed to what a job runs.
pub(super) const SERVERS_OWN: [&str; 5] =
    ["HOLD_HOME", "HOLD_STORE", "HOLD_URL", "HOLD_TOKEN", "HOLD_SERVER_FILE"];

/// Returns what to start, or why that fails.
pub(super) fn spec(home: &Home, job: &Job, agent_id: &str, message: Option<&str>) -> Result<Spec, String> {
    let dir = worktree::dir(home, job);
    let known = known(home, job, agent_id);
    let (run, cwd, agent) = match job.run() {
        Some(Run::Shell(command)) => (shell(&command, &known)?, dir, None),
        Some(Run::Agent(name)) => {
            let agent = job.runbook.agents.get(&name);
            let agent = agent.ok_or_else(|| format!("the runbook has no agent {name:?}"))?;
            (command(agent, &known, message)?, folder(agent, dir, &known)?, Some(agent))
        }
        Some(Run::Job { .. }) | None => return Err(format!("the job has no step {:?}", job.step)),
    };
    if !cwd.is_dir() {
        return Err(format!("the folder {} does not exist", cwd.display()));
    }
    let mut spec = Spec::new(agent_id, run, cwd);
    for name in ["HOLD_HOME", "HOLD_STORE", "HOLD_SERVER_FILE"] {
        spec.env.insert(name.to_owned(), None);
    }
    let owner = job.owner().to_string();
    for (name, value) in [
        ("HOLD_JOB", job.id.as_str()),
        ("HOLD_OWNER", owner.as_str()),
        ("HOLD_PROJECT", job.project.as_str()),
        ("HOLD_STEP", job.step.as_str()),
        ("HOLD_AGENT", agent_id),
    ] {
        spec.env.insert(name.to_owned(), Some(value.to_owned()));
    }
    if let Some(message) = message {
        spec.env.insert("HOLD_MESSAGE".into(), Some(message.replace('\0', "")));
    }
    for (name, value) in agent.into_iter().flat_map(|agent| &agent.env) {
        let value = interpolate::plain(value, &known).map_err(|why| why.to_string())?;
        spec.env.insert(name.clone(), Some(value));
    }
    Ok(spec)
}

/// Returns the values that texts of the job's runbook can refer to.
pub(super) fn known(home: &Home, job: &Job, agent_id: &str) -> Known {
    let mut known = job.values();
    known.insert("job.dir".into(), worktree::dir(home, job).display().to_string());
    known.insert("agent.id".into(), agent_id.to_owned());
    known
}

fn command(agent: &Agent, known: &Known, message: Option<&str>) -> Result<String, String> {
    let mut known = known.clone();
    let mut prompt = match &agent.prompt {
        Some(prompt) => interpolate::plain(prompt, &known).map_err(|why| why.to_string())?,
        None => String::new(),
    };
    if let (Some(message), false) = (message, prompt.is_empty()) {
        prompt = format!("{prompt}\n\n{message}");
    }
    if prompt.starts_with('-') {
        // The prompt must not be read as an option of the agent's program.
        prompt.insert(0, ' ');
    }
    let run = if prompt.is_empty() { agent.run.clone() } else { interpolate::with_prompt(&agent.run) };
    known.insert(interpolate::PROMPT.into(), prompt);
    shell(&run, &known)
}

fn folder(agent: &Agent, dir: PathBuf, known: &Known) -> Result<PathBuf, String> {
    match &agent.cwd {
        Some(cwd) => Ok(dir.join(interpolate::plain(cwd, known).map_err(|why| why.to_string())?)),
        None => Ok(dir),
    }
}

fn shell(command: &str, known: &Known) -> Result<String, String> {
    interpolate::shell(command, known).map_err(|why| why.to_string())
}
