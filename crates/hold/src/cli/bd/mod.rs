//! `hold bd`: decision points on work items, in the vocabulary of beads.

mod awaiting;
mod capture;
mod create;
mod new_item;
mod point;
mod respond;
mod shape;
mod unsupported;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Span, Status};
use holdpoint_engine::Role;
use holdpoint_protocols::beads;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::holding::Interrupt;
use super::shown_digests::{self, Stream};
use super::ui::{CommandNames, Ui};
use super::{check, inbox};
use crate::view_model::change;
use crate::view_model::owners::OwnerNames;

/// Ask for and answer decisions on work items, with the commands of beads
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// The project
    #[arg(long, global = true)]
    project: Option<String>,
    #[command(subcommand)]
    noun: Noun,
}

#[derive(Debug, clap::Subcommand)]
enum Noun {
    /// Ask for, list and answer decisions on work items
    Decision {
        #[command(subcommand)]
        verb: Verb,
    },
    #[command(flatten)]
    Refused(unsupported::Noun),
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Ask for a decision on a work item, and create the item if needed
    Create(Box<create::Create>),
    /// List decisions on work items, oldest first; into a shell's variable an empty list prints nothing
    List {
        /// Include settled ones
        #[arg(short, long)]
        all: bool,
        /// Show each in full, with its options
        #[arg(short, long)]
        verbose: bool,
    },
    /// Show the decision that a work item waits for, or the last one on it
    Show {
        /// The work item; or a decision, by its id or an unambiguous prefix
        issue: String,
    },
    /// Show all rounds of a decision, first to last
    Chain {
        /// The work item; or a decision, by its id or an unambiguous prefix
        issue: String,
    },
    /// Answer the decision that a work item waits for, or send it back with guidance
    Respond(respond::Arguments),
    /// Hold until the decision that a work item waits for is settled
    Await {
        /// The work item; or a decision, by its id or an unambiguous prefix
        issue: String,
        /// Give up after this long
        #[arg(long, default_value = "5m")]
        timeout: Span,
        /// Accepted and ignored: an answer wakes at once, without polling
        #[arg(long, value_name = "SPAN", hide = true)]
        poll_interval: Option<Span>,
    },
    /// Tell an agent what was answered since it last looked
    Check(check::ReportArgs),
    /// Cancel the decision that a work item waits for
    Cancel {
        /// The work item; or a decision, by its id or an unambiguous prefix
        issue: String,
        /// The reason
        #[arg(short, long)]
        reason: Option<String>,
        /// The person who cancels it
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Answer pending decisions on a full screen
    Watch {
        #[arg(long, hide = true)]
        urgent_only: bool,
        #[arg(long, hide = true)]
        notify: bool,
        #[arg(long, hide = true)]
        headless: bool,
    },
    #[command(flatten)]
    Refused(unsupported::Verb),
}

/// The names of our commands in `bd`.
const BD: CommandNames = CommandNames {
    name: "bd",
    json: "--json",
    commands: &[
        ("hold bd decision", "decision"),
        ("hold show", "decision show"),
        ("hold wait", "decision await"),
        ("hold answer", "decision respond"),
        ("hold list --status all", "decision list --all"),
        ("hold list", "decision list"),
    ],
};

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Arguments { json, project, noun } = arguments;
    ui.speak_as(BD, project.as_deref());
    let verb = match noun {
        Noun::Decision { verb } => verb,
        Noun::Refused(noun) => return Err(noun.refusal()),
    };
    let project = project.as_deref();
    let here = context.project(project);
    match verb {
        Verb::Create(create) => return create::run(*create, json, project, context, ui).await,
        Verb::List { all, verbose } => {
            let client = context.client(Role::Reader).await?;
            let found = point::list(&*client, project, all).await?;
            match (json, found.is_empty()) {
                // Scripts read this into a variable, and test whether it is empty.
                (true, true) if capture::is_captured() => {}
                (true, _) => ui.json(&shape::of_all(&*client, &found).await)?,
                (false, true) => ui.note(if all { "No decisions" } else { "No pending decisions" }),
                (false, false) if verbose => {
                    let names = OwnerNames::of(&*client, &found).await;
                    let now = client.now().await?;
                    for decision in &found {
                        let owner_name = names.name(decision);
                        let shown = point::PointView { decision, owner_name, diff: None, here: &here, now };
                        ui.line(shown.text(ui))?;
                        ui.line("")?;
                    }
                }
                (false, false) => point::print_list(&found, &here, client.now().await?, ui)?,
            }
        }
        Verb::Chain { issue } => {
            let client = context.client(Role::Reader).await?;
            let named = point::find(&*client, &here, &issue).await?;
            let rounds = point::rounds(&*client, named).await?;
            if json {
                ui.json(&shape::of_all(&*client, &rounds).await)?;
            } else {
                point::print_list(&rounds, &here, client.now().await?, ui)?;
            }
        }
        Verb::Show { issue } => {
            let client = context.client(Role::Reader).await?;
            let decision = point::find(&*client, &here, &issue).await?;
            let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
            if json {
                ui.json(&shape::of(&*client, &decision).await)?;
            } else {
                let diff = change::read(&*client, &decision).await;
                let (owner_name, now) = (names.name(&decision), client.now().await?);
                let shown = point::PointView {
                    decision: &decision,
                    owner_name,
                    diff: diff.as_deref(),
                    here: &here,
                    now,
                };
                ui.line(shown.text(ui))?;
                shown_digests::shown(&decision, diff.as_deref(), Stream::Out, &context.home);
                shown_digests::shown_as(&issue, &decision, Stream::Out, &context.home);
            }
        }
        Verb::Respond(respond) => return respond::run(respond, json, &here, context, ui).await,
        Verb::Await { issue, timeout, poll_interval: _ } => {
            let interrupt = Interrupt::listen()?;
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &here, &issue).await?;
            return awaiting::hold(&*client, decision.id, timeout, json, interrupt, ui).await;
        }
        Verb::Watch { urgent_only, notify, headless } => {
            unsupported::watch(urgent_only, notify, headless)?;
            let all = inbox::Arguments::of_project(project);
            return Box::pin(inbox::run(all, context, ui)).await;
        }
        Verb::Check(look) => return check::report(look, json, project, context, ui).await,
        Verb::Refused(verb) => return Err(verb.refusal()),
        Verb::Cancel { issue, reason, by } => {
            let client = context.acting_as(by)?.client(Role::Writer).await?;
            let ended = [Status::Answered, Status::Cancelled];
            let decision = point::find_to_settle(&*client, &here, &issue, &ended).await?;
            let cancelled = match client.cancel(decision.id, reason).await {
                Ok(cancelled) => cancelled,
                Err(error) => {
                    let others = point::hint_of_others(&*client, &here, &issue, &decision).await;
                    return Err(others.into_iter().fold(Failure::from(error), Failure::hint));
                }
            };
            for failure in client.finish().await {
                ui.warn(failure);
            }
            if json {
                ui.json(&shape::of(&*client, &cancelled).await)?;
            } else {
                let on = beads::issue(&cancelled).map(|item| format!(" on {}", inert_line(item)));
                ui.line(format!("Cancelled {}{}", cancelled.id, on.unwrap_or_default()))?;
            }
        }
    }
    Ok(Exit::Done)
}
