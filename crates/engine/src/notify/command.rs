//! Commands from the settings, and the desktop notification if there are none.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::{Lane, Occasion};
use holdpoint_store::Route;

use super::channel::{Channel, DeliveryError};
use super::channel_settings::as_duration;
use super::notice::Notice;
use super::outlet::{ChannelKind, Outlet};
use crate::hooks::{self, Hooks};

/// Runs the command for an occasion.
#[derive(Debug)]
struct Command {
    hooks: Hooks,
}

#[async_trait]
impl Channel for Command {
    async fn send(&self, notice: &Notice) -> Result<(), DeliveryError> {
        let run = match self.hooks.command(notice.occasion) {
            Some(command) => hooks::Run::Command(command.clone()),
            None => match hooks::desktop_notice() {
                Some(program) => hooks::Run::Notice(program),
                None => return Ok(()),
            },
        };
        let (payload, timeout) = (notice.body(), as_duration(self.hooks.timeout));
        let run = tokio::task::spawn_blocking(move || hooks::run(&run, &payload, timeout));
        // A command may have done half of its work: it is not run again unless someone says so.
        run.await.unwrap_or_else(|why| Err(format!("could not be run: {why}"))).map_err(DeliveryError::never)
    }
}

/// Opens the channel of commands.
pub(super) fn open(hooks: &Hooks) -> Vec<Outlet> {
    // A command that takes too long is killed by its runner, with all that it started.
    let timeout = as_duration(hooks.timeout) + Duration::from_secs(2);
    let channel = Arc::new(Command { hooks: hooks.clone() });
    vec![Outlet { lane: Lane::Hook, target: None, timeout, way: ChannelKind::Once(channel) }]
}

/// Returns which outbox rows are written.
pub(super) fn routes(hooks: &Hooks) -> Vec<Route> {
    let wanted = |occasion: &Occasion| {
        hooks.command(*occasion).is_some()
            || (*occasion == Occasion::Create && hooks.desktop && hooks::desktop_notice().is_some())
    };
    let occasions = Occasion::ALL.into_iter().filter(wanted);
    occasions.map(|occasion| Route::new(occasion, Lane::Hook, occasion.hook())).collect()
}
