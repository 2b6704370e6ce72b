//! `hold bd`: decision points on work items, in the vocabulary of beads.

mod awaiting;
mod capture;
mod create;
mod instead;
mod new_item;
mod point;
mod shape;

use holdpoint_core::Span;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use holdpoint_protocols::beads;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::holding::Interrupt;
use super::seen::{self, Consent, Stream};
use super::ui::{CommandNames, Ui};
use super::{answer, check, inbox, show};
use crate::shown::change;
use crate::shown::owners::Names;

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
    Refused(instead::Noun),
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
    Respond(Respond),
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
    Check(check::Look),
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
    Refused(instead::Verb),
}

#[derive(Debug, clap::Args)]
struct Respond {
    /// The work item; or a decision, by its id or an unambiguous prefix
    issue: String,
    /// The option to choose
    #[arg(short = 's', long, visible_alias = "select", value_name = "ID")]
    option: Option<String>,
    /// Your own words
    #[arg(short, long, allow_hyphen_values = true)]
    text: Option<String>,
    /// What should be different; opens another round
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT")]
    guidance: Option<String>,
    /// Take the text as the answer, without another round
    #[arg(long)]
    accept_guidance: bool,
    /// The person who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The digest of what you saw, if this terminal has not shown it
    #[arg(long)]
    digest: Option<String>,
    #[arg(long, hide = true, value_name = "TEXT", value_parser = instead::reason)]
    reason: Option<String>,
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
                    let names = Names::of(&*client, &found).await;
                    for decision in &found {
                        point::print(decision, names.name(decision), &here, json, client.now().await?, ui)?;
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
            let names = Names::of(&*client, std::slice::from_ref(&decision)).await;
            if json {
                ui.json(&shape::of(&*client, &decision).await)?;
            } else {
                point::print(&decision, names.name(&decision), &here, json, client.now().await?, ui)?;
                seen::shown(&decision, None, Stream::Out, &context.home);
                seen::shown_as(&issue, &decision, Stream::Out, &context.home);
            }
        }
        Verb::Respond(respond) => {
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &here, &respond.issue).await?;
            seen::is_still(&respond.issue, &decision, &context.home)?;
            let by = respond.by.clone();
            let mut input = beads::respond(
                &decision,
                &beads::Respond {
                    option: respond.option,
                    text: respond.text,
                    guidance: respond.guidance,
                    accept_guidance: respond.accept_guidance,
                    by: respond.by,
                },
            )?;
            let now = client.now().await?;
            let diff = change::read(&*client, &decision).await;
            let card = || show::card_named(&decision, None, diff.as_deref(), now);
            match seen::consent(&decision, respond.digest, card, diff.as_deref(), context, ui)? {
                Consent::Send(digest) => input.digest = digest,
                Consent::Withheld => return Ok(Exit::StillPending),
            }
            let answered = client.answer(decision.id, input).await;
            for failure in client.finish().await {
                ui.warn(failure);
            }
            let answered = answered?;
            answer::warn_of_name(by.as_deref(), &answered, ui);
            if json {
                ui.json(&beads::view(&answered.decision))?;
            } else {
                answer::report(&answered, false, ui)?;
            }
        }
        Verb::Await { issue, timeout, poll_interval: _ } => {
            let interrupt = Interrupt::listen()?;
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &here, &issue).await?;
            return awaiting::hold(&*client, decision.id, timeout, json, interrupt, ui).await;
        }
        Verb::Watch { urgent_only, notify, headless } => {
            instead::watch(urgent_only, notify, headless)?;
            let all = inbox::Arguments::of_project(project);
            return Box::pin(inbox::run(all, context, ui)).await;
        }
        Verb::Check(look) => return check::look(look, json, project, context, ui).await,
        Verb::Refused(verb) => return Err(verb.refusal()),
        Verb::Cancel { issue, reason, by } => {
            let client = context.acting_as(by)?.client(Role::Writer).await?;
            let decision = point::find(&*client, &here, &issue).await?;
            let cancelled = client.cancel(decision.id, reason).await?;
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
