//! `hold acp`

use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use holdpoint_core::Span;
use holdpoint_engine::auth::{AgentProfile, door};
use tokio::signal::unix::{SignalKind, signal};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::acp::{Options, Proxy, Writer, read};

/// How long an agent may take to exit once its input has ended, and how often to check.
const GRACE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);

/// Run an agent for an editor, and let its questions be answered here too
///
/// Speaks the Agent Client Protocol on standard input and output, as the agent itself would. The first answer
/// counts, whether it is given in the editor or here.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The project of the decisions
    #[arg(long)]
    project: Option<String>,
    /// Treat silence as a no after this long; by default the agent waits until somebody answers
    #[arg(long)]
    timeout: Option<Span>,
    /// The agent's command line
    #[arg(last = true, required = true, value_name = "AGENT")]
    agent: Vec<PathBuf>,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, _: &mut Ui) -> Result<Exit, Failure> {
    let project = context.project(arguments.project.as_deref());
    let agent = AgentProfile {
        client: "acp".to_owned(),
        folder: Some(std::env::current_dir()?),
        project: project.clone(),
        permissions: Vec::new(),
        place: context.credential_place(),
    };
    let client = context.agent(&agent, door::ACP).await?;
    let mut ends = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    let mut child = start(&arguments.agent)?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::error("the agent has no standard input and output"));
    };
    let (to_agent, _) = Writer::to(input);
    let (to_editor, written) = Writer::to(std::io::stdout());
    let options = Options { client, project, timeout: arguments.timeout };
    let mut proxy = Proxy::new(options, to_editor, to_agent);
    let [terminate, interrupt] = &mut ends;
    tokio::select! {
        () = proxy.run(read(std::io::stdin()), read(output)) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    // Dropping the proxy drops its writers: the agent's input ends, and what the editor has not read yet is written.
    proxy.finish().await;
    let status = end(&mut child).await?;
    let until = Instant::now() + GRACE;
    while !written.is_finished() && Instant::now() < until {
        tokio::time::sleep(LOOK).await;
    }
    Ok(match status.code() {
        Some(0) => Exit::Done,
        code => Exit::As(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
    })
}

fn start(words: &[PathBuf]) -> Result<Child, Failure> {
    let (program, arguments) =
        words.split_first().ok_or_else(|| Failure::usage("name the agent after --"))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().map_err(|why| Failure::error(format!("cannot start {}: {why}", program.display())))
}

/// Waits until the agent has exited, and kills it if it takes too long.
async fn end(child: &mut Child) -> Result<ExitStatus, Failure> {
    let until = Instant::now() + GRACE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= until {
            child.kill()?;
            return Ok(child.wait()?);
        }
        tokio::time::sleep(LOOK).await;
    }
}
