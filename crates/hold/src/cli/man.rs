//! `hold man`

use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Print the manual page of hold, or of one of its commands
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A command, e.g. ask
    command: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut whole = super::command();
    // Only a built command knows that its full name is `hold ask`.
    whole.build();
    let command = match &arguments.command {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| Failure::new(Exit::NotFound, format!("there is no command {name:?}")))?
        }
    };
    let mut page = Vec::new();
    let title = arguments.command.as_ref().map_or_else(|| "hold".to_owned(), |name| format!("hold-{name}"));
    clap_mangen::Man::new(command).title(title).render(&mut page)?;
    ui.data(&page)?;
    Ok(Exit::Done)
}
