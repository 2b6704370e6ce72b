//! The values that a runbook's texts can name.

use super::interpolate::{self, Known, Unsafe};
use super::runbook::{Agent, Notify, Run};
use super::state::Job;

impl Job {
    /// Returns the values that texts of its runbook can name.
    pub fn values(&self) -> Known {
        let vars = self.vars.iter().map(|(name, value)| (format!("var.{name}"), value.clone()));
        let fixed = [
            ("job.id", self.id.clone()),
            ("job.name", self.name.clone()),
            ("job.project", self.project.clone()),
            ("job.item", self.item.clone().unwrap_or_default()),
            ("job.dir", self.cwd.clone()),
            ("step.name", self.step.clone()),
            ("agent.id", self.agent_id.clone().unwrap_or_default()),
        ];
        vars.chain(fixed.map(|(name, value)| (name.to_owned(), value))).collect()
    }

    /// Returns why a command of its runbook cannot take the values it was given, if so.
    pub fn misread(&self) -> Option<Unsafe> {
        let mut known = self.values();
        known.insert(interpolate::PROMPT.to_owned(), String::new());
        let made = |command: String| match interpolate::shell(&command, &known) {
            Err(why @ Unsafe::Misread { .. }) => Some(why),
            _ => None,
        };
        let steps = self.definition().into_iter().flat_map(|definition| {
            let runs = definition.steps.iter().flat_map(|step| match &step.run {
                Run::Shell(command) => vec![command.clone()],
                Run::Agent(name) => self.runbook.agents.get(name).map(of_agent).unwrap_or_default(),
                Run::Job { .. } => Vec::new(),
            });
            runs.chain(of_notify(&definition.notify))
        });
        let crew = self.agent().map(of_agent).unwrap_or_default();
        steps.chain(crew).find_map(made)
    }
}

fn of_agent(agent: &Agent) -> Vec<String> {
    let reactions = [&agent.on_idle, &agent.on_dead, &agent.on_error, &agent.on_prompt].into_iter().flatten();
    let gates = reactions.filter_map(|reaction| reaction.run.clone());
    std::iter::once(agent.run.clone()).chain(gates).chain(of_notify(&agent.notify)).collect()
}

fn of_notify(notify: &Notify) -> impl Iterator<Item = String> {
    [&notify.on_start, &notify.on_done, &notify.on_fail].into_iter().flatten().cloned()
}
