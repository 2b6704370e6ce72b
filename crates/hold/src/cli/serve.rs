//! `hold serve`

use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use holdpoint_engine::auth::{Links, Seal, local};
use holdpoint_engine::{Engine, Role, Settings, llm};
use tokio::net::TcpListener;

use super::context::Context;
use super::diagnostics;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::api::chat::chats::Conversations;
use crate::http::client_address::TrustedProxies;
use crate::http::hosts::Hosts;
use crate::http::limits::Limits;
use crate::http::mode::{Authentication, LocalAccess, Mode};
use crate::server;

/// Serve decisions over HTTP, fire deadlines, send notices, and supervise jobs
///
/// Commands on this machine find the server by themselves. Others need a token; see `hold token create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:4653", value_name = "ADDRESS", value_parser = parse_address)]
    listen: SocketAddr,
    /// Do not check credentials; on loopback only
    #[arg(long)]
    no_auth: bool,
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "use numbers, as in 127.0.0.1:4653, [::1]:4653 or 0.0.0.0:4653".to_owned())
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    diagnostics::start();
    raise_file_limit();
    if arguments.no_auth && !arguments.listen.ip().is_loopback() {
        return Err(Failure::error(format!("--no-auth on {} would let anyone answer", arguments.listen))
            .hint("listen on 127.0.0.1, or remove --no-auth"));
    }
    let engine = context.engine(Role::Server).await?;
    if arguments.no_auth && engine.auth_required().await? {
        return Err(Failure::error(
            "only a server that checks credentials may write to this store, and --no-auth does not",
        )
        .hint("remove --no-auth, or ask an admin to run: hold auth off"));
    }
    let Settings { server: settings, limits, forms, .. } = Settings::load(&context.home.config())?;
    let trusted_proxies = TrustedProxies::parse(&settings.trusted_proxies)
        .map_err(|why| Failure::error(format!("config.toml: server.trusted_proxies: {why}")))?;
    let listener = TcpListener::bind(arguments.listen)
        .await
        .map_err(|why| Failure::error(format!("cannot listen on {}: {why}", arguments.listen)))?;
    let listening = format!("http://{}", reachable(listener.local_addr()?));
    let address = settings.public_url.clone().unwrap_or_else(|| listening.clone());
    // Links are useful only where people are authenticated.
    let links = (!arguments.no_auth).then(|| Links::load_or_make(&context.home)).transpose()?;
    let notices = engine.notices(&address, links)?;
    let mode = if arguments.no_auth {
        Mode::NoAuth(Box::new(local_access(context, &engine, &listening).await?))
    } else {
        ask_callers(context, &engine, &listening, &address, ui).await?
    };
    let mut hosts = settings.hosts.clone();
    hosts.extend(host_of(&address));
    hosts.extend(host_of(&listening));
    // The reader of the next line may ask for the end right after it.
    let end = server::stop_signal()?;
    ui.note(format!("Listening on {listening}"));
    let options = server::Options {
        mode,
        address: address.trim_end_matches('/').to_owned(),
        hosts: Hosts { names: hosts, origins: settings.origins.clone() },
        limits: Limits::new(&settings, limits),
        trusted_proxies,
        notices,
        seal: Seal::load_or_make(&context.home)?,
        chats: Conversations::new(
            context.home.path().join("forms"),
            &forms,
            llm::reader(forms.model.as_ref())?,
        ),
        jobs: holdpoint_engine::jobs::Options {
            home: context.home.clone(),
            host: None,
            url: Some(listening.clone()),
        },
        files: most_files(),
    };
    server::run(engine, listener, options, end).await?;
    Ok(Exit::Done)
}

/// Lets commands on this machine find the server, and come in by the local token.
async fn local_access(context: &Context, engine: &Engine, listening: &str) -> Result<LocalAccess, Failure> {
    let store = engine.store().identity().await?;
    let published = local::publish(&context.home, listening, &store)?;
    Ok(LocalAccess { published, user: context.user().to_owned() })
}

/// Sets up authentication for clients on this machine by the local token, and for the browser of its user by a
/// one-time link.
async fn ask_callers(
    context: &Context,
    engine: &Engine,
    listening: &str,
    address: &str,
    ui: &mut Ui,
) -> Result<Mode, Failure> {
    let links = Links::load_or_make(&context.home)?;
    let local = local_access(context, engine, listening).await?;
    if std::io::stderr().is_terminal() {
        let link = local::sign_in_link(&links, context.user(), engine.clock())?;
        ui.note(format!("Open the inbox (once, within 15 minutes): {address}/sign-in/{link}"));
    }
    Ok(Mode::Auth(Box::new(Authentication { links, local })))
}

/// Returns the address for programs on this machine; a server that listens on all interfaces also listens on
/// loopback.
fn reachable(mut bound: SocketAddr) -> SocketAddr {
    match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => bound.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => bound.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    bound
}

fn host_of(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty()).map(str::to_owned)
}

/// Raises the limit of open files and connections to the maximum; many systems start programs with 1,024.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let Some(most) = most_files() else { return };
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    if let Err(why) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!("Could not raise how many files may be open: {why}");
    }
}

/// Returns the hard limit of open files. A service manager may forbid the system call, so it is read from `/proc`
/// where possible.
#[cfg(target_os = "linux")]
fn most_files() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn most_files() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum
}
