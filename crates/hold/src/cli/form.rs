//! `hold form`

use holdpoint_core::text::inert_line;
use holdpoint_protocols::action::form;

use super::failure::{Exit, Failure};
use super::input;
use super::ui::Ui;

/// Forms that are filled in conversation
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Check a form's definition, each flaw with its line
    Check {
        /// The definition: JSON, or Markdown with YAML front matter; - reads standard input
        file: String,
        /// Print the form as it is read, as JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(arguments: &Arguments, ui: &mut Ui) -> Result<Exit, Failure> {
    match &arguments.verb {
        Verb::Check { file, json } => check(file, *json, ui),
    }
}

fn check(file: &str, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let text = input::text(file)?;
    let name = if file == "-" { "standard input".to_owned() } else { inert_line(file) };
    match form::read(&text) {
        Ok(form) => {
            for warning in &form.warnings {
                ui.warn(format!("{name}: {warning}"));
            }
            if json {
                ui.json(&form)?;
            } else {
                let asked = form.fields.len();
                let noun = if asked == 1 { "field" } else { "fields" };
                ui.line(format!("{name}: {} ({asked} {noun}) is sound", inert_line(&form.title)))?;
            }
            Ok(Exit::Done)
        }
        Err(flaws) => {
            let lines: Vec<String> = flaws.iter().map(|flaw| format!("{name}: {flaw}")).collect();
            Err(Failure::error(lines.join("\n")))
        }
    }
}
