//! `hold bd decision create`

use holdpoint_core::Span;
use holdpoint_engine::{Role, Settings};
use holdpoint_protocols::beads;

use super::{awaiting, new_item, point, unsupported};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::holding::Interrupt;
use crate::cli::ui::Ui;
use crate::view_model;

#[derive(Debug, clap::Args)]
pub(super) struct Create {
    /// The work item; a new one, with an id of its own, if none is named
    issue: Option<String>,
    /// The question
    #[arg(short, long)]
    prompt: String,
    /// Background for the person
    #[arg(short, long, allow_hyphen_values = true, value_name = "TEXT")]
    context: Option<String>,
    /// The urgency: high, medium or low
    #[arg(short, long, value_name = "URGENCY")]
    urgency: Option<String>,
    /// An option, as ID:LABEL; repeatable
    #[arg(long, value_name = "ID:LABEL")]
    option: Vec<String>,
    /// All options as a JSON array of {id, short, label, description, refuses}
    #[arg(short, long, value_name = "JSON")]
    options: Option<String>,
    /// The option to take if nobody answers in time
    #[arg(short, long, value_name = "ID")]
    default: Option<String>,
    /// Settle it after this long without an answer; with --default, 24h or the setting `[bd] timeout`
    #[arg(long)]
    timeout: Option<Span>,
    /// Also block this work item until it is decided; repeatable
    #[arg(long, value_name = "ISSUE")]
    blocks: Vec<String>,
    /// Ask on a new work item below this one: ISSUE.decision-1, ISSUE.decision-2, …; creates both if needed
    #[arg(long, value_name = "ISSUE", conflicts_with = "issue")]
    parent: Option<String>,
    /// The maximum number of rounds of guidance
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// The agent or session that asks
    #[arg(long, value_name = "NAME")]
    requested_by: Option<String>,
    /// Send no notice and run no hook; lists and inboxes still show it
    #[arg(long)]
    no_notify: bool,
    /// Hold until it is settled, as await does
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = false)]
    wait: bool,
    /// With --wait, give up after this long
    #[arg(long, value_name = "SPAN", default_value = "60m")]
    wait_timeout: Span,
    /// Accepted and ignored: an answer wakes at once, without polling
    #[arg(long, value_name = "SPAN", hide = true)]
    wait_poll_interval: Option<Span>,
    #[arg(long, hide = true, value_name = "ID", value_parser = unsupported::predecessor)]
    predecessor: Option<String>,
    #[arg(long, hide = true, value_name = "LEVEL", value_parser = unsupported::priority)]
    priority: Option<String>,
    #[arg(long, hide = true, value_name = "NAME", value_parser = unsupported::waiter)]
    waiter: Option<String>,
}

pub(super) async fn run(
    create: Create,
    json: bool,
    project: Option<&str>,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let interrupt = create.wait.then(Interrupt::listen).transpose()?;
    let client = context.client(Role::Writer).await?;
    let issue = match (create.issue, &create.parent) {
        (Some(issue), _) => issue,
        (None, Some(_)) => String::new(),
        (None, None) => {
            let issue = new_item::name(&*client, &context.project(project)).await?;
            ui.note(format!("Created item: {issue}"));
            issue
        }
    };
    let given = beads::Create {
        project: Some(context.project(project)),
        issue,
        parent: create.parent,
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
        quiet: create.no_notify,
    };
    let created = view_model::decision_point::create(&*client, given).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    let decision = created?;
    let Some(interrupt) = interrupt else {
        if json {
            ui.json(&beads::view(&decision))?;
        } else {
            let (here, now) = (context.project(project), client.now().await?);
            let shown =
                point::PointView { decision: &decision, owner_name: None, diff: None, here: &here, now };
            ui.line(shown.text(ui))?;
        }
        return Ok(Exit::Done);
    };
    ui.note(format!("Created decision: {}", decision.id));
    awaiting::hold(&*client, decision.id, create.wait_timeout, json, interrupt, ui).await
}
