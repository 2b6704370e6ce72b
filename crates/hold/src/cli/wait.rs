//! `hold wait`

use std::time::Duration;

use holdpoint_core::Span;
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::holding::{self, Expect, Interrupt};
use super::ui::Ui;

/// Hold until a decision is settled, and print the outcome
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// Give up after this long, e.g. 5m; the decision stays pending
    #[arg(long)]
    timeout: Option<Span>,
    #[command(flatten)]
    expect: Expect,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let interrupt = Interrupt::listen()?;
    let client = context.client(Role::Writer).await?;
    // A full id can be held on without a lookup: its server may be down.
    let id = match arguments.id.parse() {
        Ok(id) => id,
        Err(_) => client.get(&arguments.id).await?.id,
    };
    let timeout = arguments.timeout.map(|span| Duration::from_millis(span.as_millis().unsigned_abs()));
    let exit = holding::hold(&*client, id, timeout, &arguments.expect, interrupt, ui).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    exit
}
