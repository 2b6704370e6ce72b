//! `hold next`

use super::context::Context;
use super::failure::{Exit, Failure};
use super::inbox::{Only, line_by_line};
use super::ui::Ui;
use crate::inbox::plain::OpenOrder;

/// Answer pending decisions one by one, most pressing first
///
/// Urgent decisions come first, then those due soon, then those that have blocked someone longest; identical
/// questions are asked once. A number picks, g requests changes, n skips, q quits, ? lists all keys, each followed
/// by Enter. `hold review` is the same command.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    only: Only,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    line_by_line(arguments.only, OpenOrder::Next, context, ui).await
}
