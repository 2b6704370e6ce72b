//! `hold revise`

use holdpoint_core::decision::Revision;
use holdpoint_core::{Kind, Source};
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use super::{ask, input};

/// Change what a pending decision asks; its id stays
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// A new prompt
    #[arg(long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// A new title
    #[arg(long)]
    title: Option<String>,
    /// The new options, all of them, as ID:LABEL, or ID!:LABEL for one that refuses
    #[arg(short, long = "option", value_name = "ID:LABEL")]
    option: Vec<String>,
    /// A new subject: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    subject: Option<String>,
    /// The new option to take if nobody answers in time
    #[arg(long, value_name = "ID")]
    default: Option<String>,
    /// The whole revision as JSON: a file, or - for standard input; flags take precedence
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id).await?;
    let mut revision: Revision = match &arguments.file {
        Some(path) => input::document(path)?,
        None => Revision::default(),
    };
    if arguments.prompt.is_some() {
        revision.prompt = arguments.prompt;
    }
    if arguments.title.is_some() {
        revision.title = arguments.title;
    }
    if let Some(path) = &arguments.subject {
        revision.subject = Some(input::subject(path)?);
    }
    if !arguments.option.is_empty() {
        let old = match decision.fields.as_slice() {
            [field] if field.kind.picks() => field,
            _ => {
                return Err(Failure::usage(
                    "-o goes with a decision of one choice; use --file for other fields",
                ));
            }
        };
        let kind = if old.kind == Kind::Products { Kind::Choice } else { old.kind };
        let mut field =
            ask::field(&arguments.option, Some(kind), &old.label, decision.source == Source::Approval);
        field.id.clone_from(&old.id);
        field.custom = old.custom;
        revision.fields = Some(vec![field]);
    }
    if let Some(default) = &arguments.default {
        let fields = revision.fields.as_deref().unwrap_or(&decision.fields);
        revision.default = Some(ask::read_default(fields, &decision.outs, default)?);
    }
    let revised = client.revise(decision.id, revision).await?;
    if arguments.json {
        ui.json(&revised)?;
    } else {
        ui.line(format!("Revised {}", revised.id))?;
    }
    Ok(Exit::Done)
}
