//! Starting the server, running it, and stopping it without cutting callers off. Its responses come from the API
//! (`api/`) and the pages (`web/`).

mod accept;
mod fallback;
mod guard;
mod write_timeout;

use std::sync::Arc;
use std::time::Duration;

use axum::routing::any;
use axum::{Router, middleware};
use holdpoint_engine::auth::Seal;
use holdpoint_engine::notify::OpenChannels;
use holdpoint_engine::{Engine, Error, jobs};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::api::chat::{self, chats::Conversations};
use crate::http::app::App;
use crate::http::attempts::Attempts;
use crate::http::client_address::TrustedProxies;
use crate::http::held_requests;
use crate::http::held_requests::HeldRequests;
use crate::http::hosts::Hosts;
use crate::http::limits::Limits;
use crate::http::live::LivePages;
use crate::http::metrics::Metrics;
use crate::http::mode::Mode;
use crate::http::tail::LogTail;

/// How long a server that is told to stop waits for requests to end.
const GRACE: Duration = Duration::from_secs(20);

/// How a server is run.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) address: String,
    pub(crate) hosts: Hosts,
    pub(crate) limits: Limits,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) notices: OpenChannels,
    pub(crate) seal: Seal,
    pub(crate) chats: Conversations,
    pub(crate) jobs: jobs::Options,
    /// How many files and connections this process may have open, where that is known.
    pub(crate) files: Option<u64>,
}

/// Serves until told to stop, then releases those who hold and finishes what was begun.
pub(crate) async fn run(
    engine: Engine,
    listener: TcpListener,
    options: Options,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let engine = engine.serving().await?;
    let (stop, stopping) = watch::channel(false);
    let app = Arc::new(App {
        engine: engine.clone(),
        mode: options.mode,
        address: options.address,
        hosts: options.hosts,
        limits: options.limits,
        trusted_proxies: options.trusted_proxies,
        metrics: Metrics::new(),
        held: HeldRequests::new(options.files, engine.settings().server.at_once),
        tail: LogTail::default(),
        live: LivePages::default(),
        attempts: Attempts::default(),
        seal: options.seal,
        replies: crate::mcp::replies::Replies::default(),
        chats: options.chats,
        stopping: stopping.clone(),
    });
    let supervisor = jobs::Supervisor::new(engine.clone(), options.jobs)?;
    let tasks = [
        tokio::spawn(engine.clone().run_deadlines(stopping.clone())),
        tokio::spawn(engine.clone().run_on_call(stopping.clone())),
        tokio::spawn(engine.clone().run_checkpoints(stopping.clone())),
        tokio::spawn(engine.clone().run_key_expiry(stopping.clone())),
        tokio::spawn(engine.clone().run_search_index(stopping.clone())),
        tokio::spawn(supervisor.run(stopping.clone())),
        tokio::spawn(chat::run_idle(Arc::clone(&app), stopping.clone())),
        tokio::spawn(engine.clone().run_verdicts(stopping.clone())),
        tokio::spawn(engine.clone().run_outbox(options.notices, stopping)),
        tokio::spawn({
            let app = Arc::clone(&app);
            async move { held_requests::watch(&app.held, &app.engine, app.stops()).await }
        }),
        tokio::spawn(crate::web::run_live(Arc::clone(&app))),
    ];
    let timeout = app.limits.timeout;
    let told = async move {
        end.await;
        tracing::info!("Stopping: letting requests finish");
        stop.send_replace(true);
    };
    let (began, ending) = tokio::sync::oneshot::channel();
    let told = async move {
        told.await;
        let _ = began.send(());
    };
    let graceful = accept::serve(listener, router(app), timeout, told);
    let out_of_patience = async {
        let _ = ending.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = graceful => {}
        () = out_of_patience => tracing::warn!("Some requests did not end in time"),
    }
    for task in tasks {
        let _ = tokio::time::timeout(GRACE, task).await;
    }
    Ok(())
}

/// Returns the routes of the API and the pages.
fn router(app: Arc<App>) -> Router {
    crate::api::router()
        .merge(crate::web::router())
        .fallback(any(fallback::not_found))
        .method_not_allowed_fallback(fallback::wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

/// Returns what holds until the process is asked to end; from now on it is not ended by the asking itself.
pub(crate) fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
