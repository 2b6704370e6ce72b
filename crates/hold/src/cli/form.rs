//! `hold form`

mod explain;
mod fill;

use holdpoint_core::text::inert_line;
use holdpoint_engine::{Settings, llm};
use holdpoint_protocols::action::form::{self, Form};

use super::context::Context;
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
        /// Ask the configured language model too: whether it answers, how fast, and whether it keeps to a JSON schema
        #[arg(long)]
        model: bool,
    },
    /// Show what the built-in reader takes from a message, by which rule and from which words
    Explain {
        /// The definition: JSON, or Markdown with YAML front matter
        file: String,
        /// The message
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// The field that the message answers
        #[arg(long, value_name = "FIELD")]
        asked: Option<String>,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Fill in a form in your own words; prints the values as JSON once it is sent
    Fill {
        /// The definition: JSON, or Markdown with YAML front matter
        file: String,
        /// Where it belongs
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// A command that looks up what a tool of the form would: it gets the arguments as JSON and prints JSON, or a
        /// line for each option; may be given several times
        #[arg(long, value_name = "NAME=COMMAND")]
        tool: Vec<String>,
    },
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match &arguments.verb {
        Verb::Check { file, json, model } => {
            let form = read(file, ui)?;
            if *json {
                ui.json(&form)?;
            } else {
                let asked = form.fields.len();
                let noun = if asked == 1 { "field" } else { "fields" };
                let (name, title) = (name(file), inert_line(&form.title));
                ui.line(format!("{name}: {title} ({asked} {noun}) is sound"))?;
            }
            if *model {
                let forms = Settings::load(&context.home.config())?.forms;
                let Some(settings) = &forms.model else {
                    return Err(Failure::error("no language model is configured; [forms.model] names one"));
                };
                let probe = llm::probe(settings, &form.fields).await?;
                ui.line(probe.to_string())?;
                return Ok(if probe.answers() { Exit::Done } else { Exit::Error });
            }
            Ok(Exit::Done)
        }
        Verb::Explain { file, text, asked, json } => {
            explain::run(&read(file, ui)?, text, asked.as_deref(), *json, ui)
        }
        Verb::Fill { file, project, tool } => {
            let form = read(file, ui)?;
            fill::run(form, context, &context.project(project.as_deref()), tool, ui).await
        }
    }
}

fn name(file: &str) -> String {
    if file == "-" { "standard input".to_owned() } else { inert_line(file) }
}

/// Reads a form, or fails with all that is wrong with it.
fn read(file: &str, ui: &mut Ui) -> Result<Form, Failure> {
    let name = name(file);
    match form::read(&input::text(file)?) {
        Ok(form) => {
            for warning in &form.warnings {
                ui.warn(format!("{name}: {warning}"));
            }
            Ok(form)
        }
        Err(flaws) => {
            let lines: Vec<String> = flaws.iter().map(|flaw| format!("{name}: {flaw}")).collect();
            Err(Failure::error(lines.join("\n")))
        }
    }
}
