//! `hold job check`

use std::path::{Path, PathBuf};

use holdpoint_core::job::{Run, Runbook};
use holdpoint_core::text::inert_line;
use holdpoint_protocols::runbook::{self, Format};

use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Check a runbook, and report every mistake with its line and column
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runbook: a .hcl, .toml or .json file
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, ui: &mut Ui) -> Result<Exit, Failure> {
    let (text, format) = load(&arguments.file)?;
    let book = runbook::read(&text, format).map_err(|mistakes| wrong(&arguments.file, &mistakes))?;
    for line in described(&book) {
        ui.line(line)?;
    }
    Ok(Exit::Done)
}

/// Reads a runbook's file.
pub(super) fn load(file: &Path) -> Result<(String, Format), Failure> {
    let name = inert_line(&file.display().to_string());
    let format = Format::of(file).ok_or_else(|| {
        Failure::error(format!("{name}: unrecognised runbook extension (.hcl, .toml, .json)"))
            .hint("rename it to ….hcl, ….toml or ….json")
    })?;
    let text =
        std::fs::read_to_string(file).map_err(|why| Failure::error(format!("cannot read {name}: {why}")))?;
    Ok((text, format))
}

/// Formats a runbook's mistakes, one per line, as compilers do.
pub(super) fn wrong(file: &Path, mistakes: &[runbook::RunbookError]) -> Failure {
    let name = inert_line(&file.display().to_string());
    let lines: Vec<String> = mistakes.iter().map(|mistake| format!("{name}:{mistake}")).collect();
    let s = if lines.len() == 1 { "" } else { "s" };
    Failure::error(format!("{} mistake{s} in the runbook\n{}", lines.len(), lines.join("\n")))
        .hint("see what a runbook can contain: docs/jobs.md")
}

fn described(book: &Runbook) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, job) in &book.jobs {
        let steps: Vec<String> = job
            .steps
            .iter()
            .map(|step| match &step.run {
                Run::Shell(_) => step.name.clone(),
                Run::Agent(agent) => format!("{} (agent {agent})", step.name),
                Run::Job { name, .. } => format!("{} (job {name})", step.name),
            })
            .collect();
        lines.push(inert_line(&format!("job {name}: {}", steps.join(", "))));
    }
    lines.extend(book.agents.keys().map(|name| inert_line(&format!("agent {name}"))));
    lines
}
