//! `hold notify`

use std::sync::Arc;

use holdpoint_core::text::quote;
use holdpoint_engine::auth::door;
use holdpoint_engine::{Client, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::desktop::{self, DecisionSource, Follower, Opening};

/// Show pending decisions as desktop notices, until Ctrl-C
///
/// A notice changes when its decision is settled. Its buttons decline, or answer a question without a subject; to
/// consent, open it in the browser. Waits for the server if it is not running.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Who you are, if no token says so
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let context = context.acting_as(arguments.by.clone())?;
    let client = open(&context).await?;
    let screen = desktop::open().await.map_err(|why| {
        Failure::error(why).hint("notices are shown by gdbus or notify-send, or by osascript on macOS")
    })?;
    let (user, place) = (context.user().to_owned(), Box::new(EnvironmentSource(context)));
    let mut follower = Follower::new(client, place, screen, user, arguments.project);
    let mut say = |words| ui.note(words);
    let outcome = desktop::until_told_to_end(&mut follower, arguments.by.as_deref(), &mut say).await;
    follower.end().await;
    match outcome? {
        None => Ok(Exit::Done),
        Some(name) => Err(Failure::error(format!("the token is that of {}", quote(&name)))
            .hint("without --by, it follows what is pending for them")),
    }
}

/// Finds the decisions from the environment.
struct EnvironmentSource(Context);

impl DecisionSource for EnvironmentSource {
    fn has_server(&self) -> bool {
        self.0.has_server()
    }

    fn open(&self) -> Opening {
        let context = self.0.clone();
        Box::pin(async move { open(&context).await.ok() })
    }
}

async fn open(context: &Context) -> Result<Arc<dyn Client>, Failure> {
    Ok(context.client_through(Role::Writer, door::DESKTOP).await?.into())
}
