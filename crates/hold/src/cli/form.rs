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

/// Check forms, and fill them in by conversation
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Check a form's definition, and report every mistake with its line
    Check {
        /// The definition: JSON, or Markdown with YAML front matter; - reads standard input
        file: String,
        /// Print the parsed form as JSON
        #[arg(long)]
        json: bool,
        /// Also test the configured language model: whether it answers, how fast, and whether it follows a JSON
        /// schema
        #[arg(long)]
        model: bool,
    },
    /// Show which values the built-in reader finds in a message, by which rule and in which words
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
    /// Fill in a form in your own words, and print the values as JSON once it is sent
    Fill {
        /// The definition: JSON, or Markdown with YAML front matter
        file: String,
        /// The project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// A command in place of a tool of the form: gets the arguments as JSON, and prints JSON or one option per
        /// line; repeatable
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

/// Reads a form, or fails with all its mistakes.
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
