//! `hold bd decision await`

use holdpoint_core::{DecisionId, Span};
use holdpoint_engine::Client;

use super::shape;
use crate::cli::failure::{Exit, Failure};
use crate::cli::holding::{self, Expect, Interrupt};
use crate::cli::ui::Ui;

/// Holds until a decision is settled, and prints the outcome.
pub(super) async fn hold(
    client: &dyn Client,
    id: DecisionId,
    timeout: Span,
    json: bool,
    interrupt: Interrupt,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let timeout = std::time::Duration::from_millis(timeout.as_millis().unsigned_abs());
    let expect = Expect::default();
    let exit = if json {
        match holding::settled(client, id, Some(timeout), &expect, interrupt, ui).await? {
            Some(settled) => {
                ui.json(&shape::of(client, &settled).await)?;
                holding::exit(&settled, &[])
            }
            None => Exit::StillPending,
        }
    } else {
        holding::hold(client, id, Some(timeout), &expect, interrupt, ui).await?
    };
    for failure in client.finish().await {
        ui.warn(failure);
    }
    Ok(exit)
}
