//! `hold check`

use holdpoint_core::json::sha256_hex;
use holdpoint_core::{Decision, DecisionId, Span, Status, Timestamp};
use holdpoint_engine::{Home, ListQuery, Role};
use holdpoint_protocols::beads;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::view_model::private::is_private;
use crate::view_model::settled;

/// Print for an agent what was answered since it last looked
///
/// Exits 1 if nothing was, unless --inject is given. With --requested-by, each answer is printed once.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    look: ReportArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What to report to an agent, and in which form.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Print it as a reminder for an agent's context, and always exit 0
    #[arg(long)]
    inject: bool,
    /// How far to look back
    #[arg(long, default_value = "5m")]
    since: Span,
    /// Limit to what this agent or session asked
    #[arg(long, value_name = "NAME")]
    requested_by: Option<String>,
    /// Limit to this work item or decision
    #[arg(long)]
    id: Option<String>,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    report(arguments.look, arguments.json, None, context, ui).await
}

/// Reports what was answered; if an asker is named, each answer only once.
pub(crate) async fn report(
    arguments: ReportArgs,
    json: bool,
    project: Option<&str>,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let now = client.now().await?;
    let window = Timestamp::from_millis(now.as_millis() - arguments.since.as_millis());
    let marker = arguments.requested_by.as_deref().map(|name| Marker::of(&context.home, name));
    let named = match &arguments.id {
        Some(name) if name.starts_with(DecisionId::PREFIX) => Some(client.get(name).await?.id),
        // Any name may be an item's, and at the same time the prefix of a decision's id.
        Some(name) => client.get(name).await.ok().map(|decision| decision.id),
        None => None,
    };
    let is_named = arguments.id.is_some() || arguments.requested_by.is_some();
    let is_meant = |decision: &Decision| {
        // Forms that people filled in for themselves do not concern an agent, unless it names them.
        if !is_named && is_private(decision) {
            return false;
        }
        let item = |name: &String| decision.blocked_items().any(|item| item == name);
        arguments.id.as_ref().is_none_or(|name| named == Some(decision.id) || item(name))
    };
    let query = ListQuery {
        project: project.map(str::to_owned),
        statuses: vec![Status::Answered, Status::Refined, Status::TimedOut, Status::Cancelled],
        requested_by: arguments.requested_by.clone(),
        settled_since: Some(window),
        limit: 100,
        ..ListQuery::default()
    };
    let told = marker.as_ref().map(Marker::read).unwrap_or_default();
    let is_new = |decision: &Decision| is_meant(decision) && !told.contains(&decision.id.to_string());
    let settled = settled::list(&*client, &query, is_new).await?;
    let any = !settled.is_empty();
    if json {
        ui.json(&beads::check(&settled))?;
    } else if arguments.inject {
        if any {
            ui.line(beads::inject(&settled).trim_end())?;
        }
    } else {
        for decision in &settled {
            let answer = decision.answer.as_ref().map(holdpoint_core::Answer::brief).unwrap_or_default();
            ui.line(format!("{}  {}  {answer}", decision.id, decision.status))?;
        }
    }
    if let Some(marker) = marker.filter(|_| any) {
        marker.add(&settled)?;
    }
    Ok(if any || arguments.inject { Exit::Done } else { Exit::Error })
}

/// The file that records what an agent has been told.
struct Marker(std::path::PathBuf);

impl Marker {
    fn of(home: &Home, name: &str) -> Self {
        Self(home.seen().join(&sha256_hex(name.as_bytes())[..32]))
    }

    fn read(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Keeps the newest thousand: anything older is outside of every window.
    fn add(&self, settled: &[Decision]) -> Result<(), Failure> {
        let mut told = self.read();
        told.extend(settled.iter().map(|decision| decision.id.to_string()));
        let start = told.len().saturating_sub(1000);
        Ok(Home::write_private(&self.0, told[start..].join("\n").as_bytes())?)
    }
}
