//! `hold rule answer`: a person answers, in one go, pending decisions that a rule would have answered.

use holdpoint_core::Status;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Client;
use holdpoint_engine::rules::WaitingAsk;

use crate::cli::answer_many::{Batch, Items, code, send};
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// What is sent with each answer, and which preview is meant.
#[derive(Debug, clap::Args)]
pub(super) struct Answering {
    /// The rule: its id or an unambiguous prefix
    id: String,
    /// Send the preview with this code; without it, the preview is shown
    #[arg(long, value_name = "CODE")]
    confirm: Option<String>,
    /// A message to add to each answer
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(answering: Answering, client: &dyn Client, ui: &mut Ui) -> Result<Exit, Failure> {
    let Answering { id, confirm, message, json } = answering;
    let items = items(client, &client.waiting_for_rule(&id).await?, message.as_deref()).await?;
    if items.is_empty() {
        return Err(Failure::new(Exit::NotFound, "this rule would answer no pending decision"));
    }
    match (confirm, code(&items)?) {
        (None, code) => {
            preview(client, &id, &items, (&code, message.as_deref()), json, ui).await?;
            Ok(Exit::StillPending)
        }
        (Some(given), code) if given != code => {
            let why = "the pending decisions have changed since the preview; nothing was sent";
            let again = format!("look again: hold rule answer {}", inert_line(&id));
            Err(Failure::new(Exit::Conflict, why).hint(again))
        }
        (Some(_), _) => send(client, items, json, ui).await,
    }
}

/// Shows the pending decisions that a new rule leaves to its author.
pub(super) async fn offer(
    client: &dyn Client,
    id: &str,
    waiting: &[WaitingAsk],
    ui: &mut Ui,
) -> Result<(), Failure> {
    let items = items(client, waiting, None).await?;
    if items.is_empty() {
        return Ok(());
    }
    ui.note("It does not answer earlier questions. Pending ones of this kind:");
    let code = code(&items)?;
    preview(client, id, &items, (&code, None), false, ui).await
}

/// Reads each decision in full, in its current state; those settled or revised meanwhile are left out.
async fn items(client: &dyn Client, waiting: &[WaitingAsk], message: Option<&str>) -> Result<Items, Failure> {
    let mut items = Vec::new();
    for ask in waiting {
        let decision = match client.get(&ask.id.to_string()).await {
            Err(holdpoint_engine::Error::NotFound(_)) => continue,
            found => found?,
        };
        if decision.status == Status::Pending && decision.digest == ask.digest {
            let mut item = ask.answer();
            item.answer.message = message.map(str::to_owned);
            items.push((decision, item));
        }
    }
    Ok(items)
}

async fn preview(
    client: &dyn Client,
    id: &str,
    items: &Items,
    (code, message): (&str, Option<&str>),
    json: bool,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let quoted = |text: &str| format!("'{}'", inert_line(text).replace('\'', r"'\''"));
    let message = message.map(|text| format!(" -m {}", quoted(text))).unwrap_or_default();
    let command = format!("hold rule answer {}{message} --confirm {code}", inert_line(id));
    let choice = "as the rule says".to_owned();
    Batch { items, skipped: &[], code, choice, command }.preview(client, json, ui).await
}
