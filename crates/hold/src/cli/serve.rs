//! `hold serve`

use std::net::SocketAddr;

use holdpoint_engine::Role;
use tokio::net::TcpListener;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::api::{self, Mode};

/// Serve decisions over HTTP, and fire deadlines and notices by itself
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:4653", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Do not ask callers who they are; on loopback only
    #[arg(long)]
    no_auth: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if arguments.no_auth && !arguments.listen.ip().is_loopback() {
        return Err(Failure::error(format!("--no-auth on {} would let anyone answer", arguments.listen))
            .hint("listen on 127.0.0.1, or leave --no-auth away"));
    }
    let engine = context.engine(Role::Server)?;
    let listener = TcpListener::bind(arguments.listen)
        .await
        .map_err(|why| Failure::error(format!("cannot listen on {}: {why}", arguments.listen)))?;
    let address = listener.local_addr()?;
    ui.note(format!("Listening on http://{address}"));
    let options = api::Options {
        mode: Mode::NoAuth,
        hosts: api::Hosts::default(),
        limits: api::Limits::new(16 << 20, 20_000, Some(100)),
    };
    api::run(engine, listener, options).await?;
    Ok(Exit::Done)
}
