//! `hold next`

use super::context::Context;
use super::failure::{Exit, Failure};
use super::inbox::{Only, line_by_line};
use super::ui::Ui;
use crate::inbox::plain::Flow;

/// Answer pending decisions one by one, what presses most first
///
/// Urgent ones come first, then what is due soon, then who has been blocked longest; what asks the same is asked once. It
/// is `hold inbox --plain` without the list: a number picks, g requests changes, n goes on to the next, q quits, ? shows
/// all keys, each followed by Enter. `hold review` is the same command.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    only: Only,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    line_by_line(arguments.only, Flow::Next, context, ui).await
}
