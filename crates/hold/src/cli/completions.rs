//! `hold completions`

use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Print shell completions
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(arguments: &Arguments, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "hold", &mut script);
    ui.data(&script)?;
    Ok(Exit::Done)
}
