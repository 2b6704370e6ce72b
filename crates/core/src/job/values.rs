//! What a runbook's texts can name.

use super::interpolate::Known;
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
}
