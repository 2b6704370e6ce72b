//! `hold bd`: decision points on work items, in the words of beads.

mod capture;
mod point;

use holdpoint_core::Span;
use holdpoint_core::text::inert_line;
use holdpoint_engine::{Role, Settings};
use holdpoint_protocols::beads;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::files::Files;
use super::holding::{self, Expect, Interrupt};
use super::seen::{self, Consent, Stream};
use super::ui::{CommandNames, Ui};
use super::{answer, check, inbox, show};

/// Decision points on work items, in the words of beads
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
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Ask for a decision on a work item; makes the item if it is unknown
    Create(Create),
    /// List decisions on work items, oldest first; an empty list prints nothing into a shell's variable
    List {
        /// Settled ones too
        #[arg(short, long)]
        all: bool,
        /// Each in full, with its options
        #[arg(short, long)]
        verbose: bool,
    },
    /// Show a decision: the newest on a work item or the one that blocks it, or one round by its id
    Show {
        /// The work item, or a decision's id
        issue: String,
    },
    /// Show all rounds of a decision, the first one first
    Chain {
        /// The work item, or a decision's id
        issue: String,
    },
    /// Answer the newest decision on a work item, or send it back with guidance
    Respond(Respond),
    /// Hold until the newest decision on a work item is settled
    Await {
        /// The work item, or a decision's id
        issue: String,
        /// Give up after this long
        #[arg(long, default_value = "5m")]
        timeout: Span,
    },
    /// Tell an agent what was answered since it last looked
    Check(check::Look),
    /// Take the newest decision on a work item back
    Cancel {
        /// The work item, or a decision's id
        issue: String,
        /// Why
        #[arg(short, long)]
        reason: Option<String>,
    },
    /// Show everything that waits on the whole screen, and answer it there
    Watch,
}

#[derive(Debug, clap::Args)]
struct Create {
    /// The work item
    #[arg(required_unless_present = "parent")]
    issue: Option<String>,
    /// The question
    #[arg(short, long)]
    prompt: String,
    /// What the person should know besides
    #[arg(short, long, value_name = "TEXT")]
    context: Option<String>,
    /// How pressing it is: high, medium or low
    #[arg(short, long, value_name = "URGENCY")]
    urgency: Option<String>,
    /// An option, as ID:LABEL; may be given several times
    #[arg(long, value_name = "ID:LABEL")]
    option: Vec<String>,
    /// All options as a JSON array of {id, short, label, description}
    #[arg(short, long, value_name = "JSON")]
    options: Option<String>,
    /// The option that is taken if nobody answers in time
    #[arg(short, long, value_name = "ID")]
    default: Option<String>,
    /// How long until then; with --default, 24h unless the setting `[bd] timeout` says otherwise
    #[arg(long)]
    timeout: Option<Span>,
    /// Another work item that is blocked until this is decided; may be given several times
    #[arg(long, value_name = "ISSUE")]
    blocks: Vec<String>,
    /// Ask on a work item of its own below this one: ISSUE.decision-1, ISSUE.decision-2, …; makes both if unknown
    #[arg(long, value_name = "ISSUE", conflicts_with = "issue")]
    parent: Option<String>,
    /// How many rounds of guidance there may be
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// The agent or session that asks
    #[arg(long, value_name = "NAME")]
    requested_by: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Respond {
    /// The work item, or a decision's id
    issue: String,
    /// The option taken
    #[arg(short = 's', long, visible_alias = "select", value_name = "ID")]
    option: Option<String>,
    /// Your own words
    #[arg(short, long)]
    text: Option<String>,
    /// What should be different, to open another round
    #[arg(long, value_name = "TEXT")]
    guidance: Option<String>,
    /// Go on with the text as it is, without another round
    #[arg(long)]
    accept_guidance: bool,
    /// Who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The digest of what you saw, where no terminal has shown it
    #[arg(long)]
    digest: Option<String>,
}

/// How `bd` calls our commands.
const BD: CommandNames = CommandNames {
    name: "bd",
    json: "--json",
    commands: &[
        ("hold show", "bd decision show"),
        ("hold wait", "bd decision await"),
        ("hold answer", "bd decision respond"),
        ("hold list --status all", "bd decision list --all"),
        ("hold list", "bd decision list"),
    ],
};

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    ui.speak_as(BD);
    let Arguments { json, project, noun: Noun::Decision { verb } } = arguments;
    let project = project.as_deref();
    match verb {
        Verb::Create(create) => {
            let client = context.client(Role::Writer).await?;
            let project = context.project(project);
            let issue = match (create.issue, &create.parent) {
                (Some(issue), _) => issue,
                (None, parent) => {
                    let parent = parent.as_deref().unwrap_or_default();
                    point::below(&*client, &project, parent).await?
                }
            };
            let new = beads::create(&beads::Create {
                project: Some(project.clone()),
                issue,
                prompt: create.prompt,
                context: create.context,
                urgency: create.urgency,
                option: create.option,
                options: create.options,
                default: create.default,
                timeout: create.timeout,
                default_timeout: Settings::load(&context.home.config())?.bd.timeout,
                blocks: create.blocks,
                max_iterations: create.max_iterations,
                requested_by: create.requested_by,
            })?;
            if let Some(parent) = &create.parent {
                client.create_item(&project, parent, None).await?;
            }
            let created = client.create(new, None).await;
            for failure in client.finish().await {
                ui.warn(failure);
            }
            let decision = created?.decision;
            point::print(&decision, json, client.now().await?, ui)?;
        }
        Verb::List { all, verbose } => {
            let client = context.client(Role::Reader).await?;
            let found = point::list(&*client, project, all).await?;
            match (json, found.is_empty()) {
                // Scripts test the variable that they read this into for being empty.
                (true, true) if capture::is_captured() => {}
                (true, _) => ui.json(&found.iter().map(beads::view).collect::<Vec<_>>())?,
                (false, true) => ui.note(if all { "No decisions" } else { "No pending decisions" }),
                (false, false) if verbose => {
                    for decision in &found {
                        point::print(decision, json, client.now().await?, ui)?;
                        ui.line("")?;
                    }
                }
                (false, false) => point::print_list(&found, client.now().await?, ui)?,
            }
        }
        Verb::Chain { issue } => {
            let client = context.client(Role::Reader).await?;
            let newest = point::find(&*client, &context.project(project), &issue).await?;
            let rounds = point::rounds(&*client, newest).await?;
            if json {
                ui.json(&rounds.iter().map(beads::view).collect::<Vec<_>>())?;
            } else {
                point::print_list(&rounds, client.now().await?, ui)?;
            }
        }
        Verb::Show { issue } => {
            let client = context.client(Role::Reader).await?;
            let decision = point::find_to_show(&*client, &context.project(project), &issue).await?;
            point::print(&decision, json, client.now().await?, ui)?;
            if !json {
                seen::shown(&decision, Stream::Out, &context.home);
            }
        }
        Verb::Respond(respond) => {
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &context.project(project), &respond.issue).await?;
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
            match seen::consent(
                &decision,
                respond.digest,
                || show::card(&decision, now),
                Files::default(),
                context,
                ui,
            )? {
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
        Verb::Await { issue, timeout } => {
            let interrupt = Interrupt::listen()?;
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &context.project(project), &issue).await?;
            let timeout = std::time::Duration::from_millis(timeout.as_millis().unsigned_abs());
            let expect = Expect::default();
            let exit = if json {
                match holding::settled(&*client, decision.id, Some(timeout), &expect, interrupt, ui).await? {
                    Some(settled) => {
                        ui.json(&beads::view(&settled))?;
                        holding::exit(&settled, &[])
                    }
                    None => Exit::StillPending,
                }
            } else {
                holding::hold(&*client, decision.id, Some(timeout), &expect, interrupt, ui).await?
            };
            for failure in client.finish().await {
                ui.warn(failure);
            }
            return Ok(exit);
        }
        Verb::Watch => {
            let all = inbox::Arguments::of_project(project);
            return Box::pin(inbox::run(all, context, ui)).await;
        }
        Verb::Check(look) => return check::look(look, json, context, ui).await,
        Verb::Cancel { issue, reason } => {
            let client = context.client(Role::Writer).await?;
            let decision = point::find(&*client, &context.project(project), &issue).await?;
            let cancelled = client.cancel(decision.id, reason).await?;
            for failure in client.finish().await {
                ui.warn(failure);
            }
            if json {
                ui.json(&beads::view(&cancelled))?;
            } else {
                ui.line(format!("Cancelled the decision on {}", inert_line(&issue)))?;
            }
        }
    }
    Ok(Exit::Done)
}
