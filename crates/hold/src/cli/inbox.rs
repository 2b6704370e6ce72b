//! `hold inbox`

use std::io::IsTerminal as _;
use std::sync::Arc;

use holdpoint_core::{Owner, Source, text};
use holdpoint_engine::{Client, ListQuery, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::list::parse_source;
use super::owner;
use super::ui::Ui;
use crate::inbox::plain::OpenOrder;
use crate::inbox::work::InboxFilter;
use crate::inbox::{self, Colour};

/// Answer pending decisions on a full screen
///
/// j and k move, Enter opens and sends, a number picks, g requests changes, / searches, ? lists all keys. New
/// decisions appear by themselves.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Work line by line, without moving the cursor: for screen readers, pipes and simple terminals
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    only: Only,
}

/// Which decisions are shown, and to whom.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Only {
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Limit to this source
    #[arg(long, value_parser = parse_source)]
    source: Option<Source>,
    /// Limit to this owner
    #[arg(long, value_name = "KIND:ID")]
    owner: Option<Owner>,
    /// Limit to those assigned to you or to nobody
    #[arg(long)]
    mine: bool,
    /// The person who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

impl Arguments {
    /// Selects everything that waits, in a project if one is named.
    pub(crate) fn of_project(project: Option<&str>) -> Self {
        let project = project.map(str::to_owned);
        Self { plain: false, only: Only { project, ..Only::default() } }
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let whole = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !arguments.plain && !whole {
        return Err(Failure::error("the inbox needs a terminal")
            .hint("without one, work line by line: hold inbox --plain")
            .hint("or list what is pending: hold list"));
    }
    if arguments.plain {
        return line_by_line(arguments.only, OpenOrder::Listed, context, ui).await;
    }
    let client: Arc<dyn Client> = context.client(Role::Writer).await?.into();
    let by = arguments.only.by.clone();
    let narrowed = narrowed(arguments.only, &*client, context, ui).await?;
    let bare = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = if bare { Colour::No } else { Colour::Yes };
    let left = inbox::run(client, narrowed, context.home.clone(), by, colour).await?;
    for words in left.landed {
        ui.note(words);
    }
    for warning in left.warnings {
        ui.warn(warning);
    }
    if !left.unsent.is_empty() {
        let s = if left.unsent.len() == 1 { " was" } else { "s were" };
        return Err(Failure::error(format!(
            "{} answer{s} not taken:\n{}",
            left.unsent.len(),
            left.unsent.join("\n")
        )));
    }
    Ok(Exit::Done)
}

/// Shows decisions line by line.
pub(super) async fn line_by_line(
    only: Only,
    flow: OpenOrder,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let client: Arc<dyn Client> = context.client(Role::Writer).await?.into();
    let by = only.by.clone();
    let narrowed = narrowed(only, &*client, context, ui).await?;
    inbox::plain::run(client, narrowed, context.home.clone(), by, flow, ui).await?;
    Ok(Exit::Done)
}

async fn narrowed(
    only: Only,
    client: &dyn Client,
    context: &Context,
    ui: &mut Ui,
) -> Result<InboxFilter, Failure> {
    let query = ListQuery {
        project: only.project,
        source: only.source,
        owner: owner::whole(client, only.owner).await?,
        ..ListQuery::default()
    };
    // A token names its person, whatever the local account is called.
    let known = client.whoami().await?;
    if let (Some(known), Some(by)) = (&known, &only.by)
        && known != by
    {
        let (name, by) = (text::inert_line(known), text::inert_line(by));
        ui.warn(format!("you are {name}: the server knows who you are, so --by {by} is not used"));
    }
    let known = known.or(only.by);
    let who = known.unwrap_or_else(|| context.user().to_owned());
    Ok(InboxFilter { query, mine: only.mine.then(|| who.clone()), me: who })
}
