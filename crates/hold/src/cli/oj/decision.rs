//! `hold oj decision`: list, show, resolve, review and create.

use holdpoint_core::{Decision, OwnerKind, Source};
use holdpoint_engine::Role;
use holdpoint_protocols::oddjobs;

use super::{Output, escalation, review, subject};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::list::parse_source;
use crate::cli::read_before_consent::{self, ReadOutcome};
use crate::cli::shown_digests::{self, Consent, Stream};
use crate::cli::ui::{self, Ui};
use crate::cli::{fill, input, table};
use crate::view_model::owners::OwnerNames;
use crate::view_model::{change, vote_progress};

#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List pending decisions of jobs and crews, newest first
    List,
    /// Show a decision with its context and numbered options
    Show {
        /// The decision: its id or an unambiguous prefix
        id: String,
    },
    /// Resolve a decision by the number of an option, a message, or both
    Resolve {
        /// The decision: its id or an unambiguous prefix
        id: String,
        /// The number of an option; one per question
        choice: Vec<usize>,
        /// A message to the agent
        #[arg(short, long, allow_hyphen_values = true)]
        message: Option<String>,
        /// The digest of what you saw, if this terminal has not shown it
        #[arg(long)]
        digest: Option<String>,
    },
    /// Go through all pending decisions of jobs and crews
    Review,
    /// Create a decision, for manual use and tests
    Create(Create),
}

#[derive(Debug, clap::Args)]
pub(super) struct Create {
    /// What happened: idle, dead, error, gate, approval, question or plan
    #[arg(long, value_parser = parse_source)]
    source: Source,
    /// The job that waits: the id or name of a running one, or any name
    #[arg(long, value_name = "NAME", required_unless_present = "crew", conflicts_with = "crew")]
    job: Option<String>,
    /// The crew that waits, likewise
    #[arg(long, value_name = "NAME")]
    crew: Option<String>,
    /// The agent to wake
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The text that the person reads first
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT")]
    context: String,
    /// An option to offer instead of the source's own; repeatable
    #[arg(long, value_name = "LABEL")]
    option: Vec<String>,
    /// Questions, as a JSON array or {"questions": [...]}
    #[arg(long, value_name = "JSON")]
    questions: Option<String>,
}

pub(super) async fn run(
    verb: Verb,
    project: Option<String>,
    output: Output,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let json = output == Output::Json;
    match verb {
        Verb::List => {
            let client = context.client(Role::Reader).await?;
            let pending = escalation::pending(&*client, project.as_deref()).await?;
            let names = OwnerNames::of(&*client, &pending).await;
            let name = |decision: &Decision| names.name(decision).map(str::to_owned);
            if json {
                let item = |decision| oddjobs::view::item(decision, name(decision).as_deref());
                ui.json(&pending.iter().map(item).collect::<Vec<_>>())?;
            } else if pending.is_empty() {
                ui.note("No pending decisions");
            } else {
                let now = client.now().await?;
                let row = |decision| {
                    let row = oddjobs::view::row(decision, name(decision).as_deref(), now);
                    vec![
                        row.id.to_string(),
                        row.project,
                        row.agent,
                        row.age,
                        row.source.to_owned(),
                        row.summary,
                    ]
                };
                let header = ["ID", "PROJECT", "AGENT", "AGE", "SOURCE", "SUMMARY"];
                ui.line(table::render(&header, pending.iter().map(row).collect()))?;
            }
        }
        Verb::Show { id } => {
            let client = context.client(Role::Reader).await?;
            let decision = escalation::find(&*client, &id, project.as_deref()).await?;
            let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
            let name = names.name(&decision);
            if json {
                ui.json(&oddjobs::view::detail(&decision, name))?;
            } else {
                let now = client.now().await?;
                let diff = change::read(&*client, &decision).await;
                let subject = subject::with_change(&decision, diff.as_deref());
                let tool = ui.tool();
                let owner = names.owner_of(&decision);
                let shown =
                    oddjobs::show_with(&decision, subject.as_deref(), owner.as_deref(), now, tool.as_deref());
                ui.line(shown.trim_end())?;
                shown_digests::shown(&decision, diff.as_deref(), Stream::Out, &context.home);
            }
        }
        Verb::Resolve { id, choice, mut message, digest } => {
            let client = context.client(Role::Writer).await?;
            let decision = escalation::find(&*client, &id, project.as_deref()).await?;
            let mut read = oddjobs::resolve(&decision, &choice, message.as_deref());
            if matches!(read, Err(oddjobs::ResolveError::Wordless { .. })) && ui::is_interactive() {
                ui.prompt("Your own words: ");
                message = input::line()?;
                read = oddjobs::resolve(&decision, &choice, message.as_deref());
            }
            let mut input = read.map_err(|unfit| escalation::unfit(&id, &decision, unfit))?;
            if ui::is_interactive() {
                fill::needed_words(&decision, &mut input, ui)?;
            }
            let now = client.now().await?;
            let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
            let has_digest = digest.is_some();
            // A diff that scrolls by is read only by a person at a terminal.
            let diff = if ui::is_interactive() { change::read(&*client, &decision).await } else { None };
            let subject = subject::with_change(&decision, diff.as_deref());
            let owner = names.owner_of(&decision);
            let card = || oddjobs::show_with(&decision, subject.as_deref(), owner.as_deref(), now, None);
            match shown_digests::consent(&decision, digest, card, diff.as_deref(), context, ui)? {
                Consent::Send(digest) => input.digest = digest,
                Consent::Withheld => return Ok(Exit::StillPending),
            }
            // A digest on the command line does not tell what was on this screen.
            if !has_digest && ui::is_interactive() {
                match read_before_consent::ask(&*client, &decision, diff.as_deref(), None, &input, ui).await?
                {
                    ReadOutcome::Send(seen) => input.seen = seen,
                    ReadOutcome::Back => {
                        ui.note(format!("Nothing was sent; {} is still pending.", decision.id));
                        return Ok(Exit::StillPending);
                    }
                }
            }
            let answered = client.answer(decision.id, input).await;
            let is_carried = decision.source == Source::Verdict && !json;
            if !is_carried {
                for failure in client.finish().await {
                    ui.warn(failure);
                }
            }
            let answered = answered.map_err(|error| escalation::refused(&id, error))?;
            if json {
                ui.json(&oddjobs::view::detail(&answered.decision, names.name(&answered.decision)))?;
            } else if let Some(voted) = vote_progress::voted(&answered.decision) {
                ui.line(voted)?;
            } else {
                ui.line(format!("Resolved decision {}", answered.decision.id))?;
                if is_carried {
                    return review::carry_out(&*client, &answered.decision, context, ui).await;
                }
            }
        }
        Verb::Review => {
            if json {
                return Err(Failure::usage("review does not support --output json"));
            }
            if !ui::is_interactive() {
                return Err(Failure::error("review requires an interactive terminal")
                    .hint("see what is pending: hold list"));
            }
            let client = context.client(Role::Writer).await?;
            let mut pending = escalation::pending(&*client, project.as_deref()).await?;
            pending.reverse();
            let names = OwnerNames::of(&*client, &pending).await;
            return review::walk(&*client, pending, &names, context, ui).await;
        }
        Verb::Create(create) => {
            let client = context.client(Role::Writer).await?;
            let owner = match (create.job, create.crew) {
                (Some(job), _) => escalation::owner(&*client, OwnerKind::Job, job).await,
                (None, crew) => escalation::owner(&*client, OwnerKind::Crew, crew.unwrap_or_default()).await,
            };
            let new = oddjobs::create(&oddjobs::Create {
                project: Some(context.project(project.as_deref())),
                source: create.source,
                owner,
                agent: create.agent,
                context: create.context,
                options: create.option,
                questions: create.questions,
            })?;
            let created = client.create(new, None).await;
            for failure in client.finish().await {
                ui.warn(failure);
            }
            let decision = created?.decision;
            if json {
                ui.json(&oddjobs::view::detail(&decision, None))?;
            } else {
                ui.line(decision.id.to_string())?;
            }
        }
    }
    Ok(Exit::Done)
}
