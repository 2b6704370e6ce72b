//! `hold init`

use holdpoint_engine::keys::Key;
use holdpoint_engine::{Home, Role};
use holdpoint_store::Signer as _;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Set up the data folder and print the lines to give an agent
///
/// No command needs this first.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

const CONFIG: &str = "\
# Settings of Holdpoint. What is commented out shows what can be set.

[hooks]
# A line for sh, or a program with its arguments; JSON comes on standard input.
# on_decision_create  = \"jq -r .decision.prompt | mail -s 'Decision needed' me@example.org\"
# on_decision_respond = [\"/usr/local/bin/tell-the-agent\"]
# on_decision_timeout = \"logger -t hold\"
# A desktop notice is shown where there is a desktop and no on_decision_create.
# desktop = true
# timeout = \"10s\"
";

const LINES: &str = "\
When you must not go on alone (a choice that is not yours, a risky or irreversible step), ask and wait:

    hold ask \"QUESTION\" -o ID:LABEL -o ID:LABEL --requested-by YOUR-NAME

It prints the chosen id. Go on only if it exits 0. Exit 7: guidance came and the next round's id is printed;
change the question with `hold revise NEXT …`, then `hold wait NEXT`. Exit 6 or 8: do not go on. Before a command
that must be approved, write it to a file and run:

    hold ask \"May I run this?\" --subject FILE   and then   hold consume ID --subject FILE

Never run `hold answer`, `hold next` or `hold token`: those are for the person.";

pub(crate) async fn run(_: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    Home::make_private(context.home.path())?;
    let key = Key::load_or_make(&context.home)?;
    context.engine(Role::Writer).await?.store().head().await?;
    Home::write_private_once(&context.home.config(), CONFIG.as_bytes())?;
    ui.note(format!("Data folder  {}", context.home.path().display()));
    ui.note(format!("Settings     {}", context.home.config().display()));
    ui.note(format!("Key          {}", key.key()));
    ui.note("\nGive your agent these lines:\n");
    ui.line(LINES)?;
    Ok(Exit::Done)
}
