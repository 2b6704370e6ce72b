//! `hold hook claude EVENT`, `hold hook codex EVENT`, `hold hook gemini EVENT`

use std::io::Read as _;
use std::path::PathBuf;

use holdpoint_core::job::detect::Notice;
use holdpoint_core::{Owner, Span};
use holdpoint_engine::Error;
use holdpoint_engine::auth::{AgentProfile, door};
use holdpoint_engine::sessions::Session;
use holdpoint_protocols::claude::{self, Dialect, Event, Supervision};
use serde_json::Value;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::OnFailure;
use crate::cli::context::{Context, is_unknown};
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::hooks::{self, HeldQuestions, Options};

/// The longest input that is read.
const LONGEST: u64 = 16 << 20;

const HELP: &str = "What happened: PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, \
                    UserPromptSubmit, Stop, Notification, SessionStart or SessionEnd; notify for that of Codex, \
                    BeforeTool for Gemini CLI";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(value_parser = parse_event, help = HELP)]
    event: Event,
    /// The agent's JSON, if it is passed as an argument instead of on standard input
    json: Option<String>,
    /// The project of the decisions
    #[arg(long)]
    project: Option<String>,
    /// Settle a decision after this long without an answer; a permission is then denied
    #[arg(long, default_value = "59m")]
    timeout: Span,
    /// End the session instead of holding, to be resumed when there is an answer
    #[arg(long)]
    defer: bool,
    /// Create an idle decision when a session stops
    #[arg(long)]
    idle: bool,
    /// Have the agent ask about this call in every mode, or hold if the session is unattended; used by `install
    /// --guard`
    #[arg(long)]
    guard: bool,
    /// What to do if Holdpoint cannot be reached
    #[arg(long, value_enum, default_value_t = OnFailure::Deny)]
    on_failure: OnFailure,
}

fn parse_event(text: &str) -> Result<Event, String> {
    if text == NOTIFY {
        return Ok(Event::Notification);
    }
    let known = || Event::ALL.map(Event::name).join(", ");
    Event::from_name(text).ok_or_else(|| format!("use one of {}", known()))
}

/// Codex's name for what its `notify` setting runs.
const NOTIFY: &str = "notify";

pub(super) async fn run(
    dialect: Dialect,
    arguments: Arguments,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let event = arguments.event;
    let on_failure = arguments.on_failure;
    // From here on, no failure may count as a yes.
    let output = match answer(dialect, arguments, context).await {
        Ok(output) => output,
        Err(failure) => {
            ui.failure(&failure);
            match on_failure {
                OnFailure::Deny => hooks::refuse(dialect, event, &failure.message),
                OnFailure::Ask => claude::output::ask_there(dialect, event),
            }
        }
    };
    if let Some(output) = output {
        ui.line(output.to_string())?;
    }
    Ok(Exit::Done)
}

/// Returns whether no person attends the session, which then denies calls instead of asking.
fn is_unattended() -> bool {
    let says = |name: &str, wanted: &str| std::env::var(name).is_ok_and(|value| value.starts_with(wanted));
    says("CLAUDE_CODE_SESSION_ATTENDED", "0") || says("CLAUDE_CODE_ENTRYPOINT", "sdk")
}

async fn answer(dialect: Dialect, arguments: Arguments, context: &Context) -> Result<Option<Value>, Failure> {
    if arguments.defer && !dialect.is_rich() {
        return Err(Failure::error(format!("{} cannot resume a call: remove --defer", dialect.product())));
    }
    let mut ends = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    let (event, input) = claude::read(Some(arguments.event), &given(arguments.json)?)?;
    // Codex has no such reply: its guards hold.
    if arguments.guard && dialect.is_rich() && !is_unattended() {
        return Ok(Some(claude::output::guard()));
    }
    let supervised = supervised(event, &input).await;
    if supervised && event != Event::Stop {
        return Ok(None);
    }
    let within = within();
    let project = context.project(arguments.project.as_deref());
    let agent = agent(dialect, within.as_ref().map(|(within, _)| within), &project, context)?;
    // An event that only reports progress is irrelevant if this agent never asked anything.
    let tells = matches!(
        event,
        Event::PostToolUse | Event::PostToolUseFailure | Event::UserPromptSubmit | Event::Stop
    );
    if tells && (supervised || !arguments.idle) && !context.knows(&agent) {
        return Ok(None);
    }
    // The agent waits for this at every call, so whether the server still knows the credential is not checked
    // beforehand.
    let (mut client, mut is_checked) = match context.agent_as_kept(&agent, door::HOOK) {
        Some(client) => (client, false),
        None => (context.agent(&agent, door::HOOK).await?, true),
    };
    let options = Options {
        dialect,
        project: Some(project),
        timeout: (!arguments.defer).then_some(arguments.timeout),
        defer: arguments.defer,
        // The watcher of a session's terminal itself asks what to do with a session that stops.
        idle: (arguments.idle || event == Event::Notification && dialect == Dialect::Codex) && !supervised,
        supervised: within,
    };
    let parked = HeldQuestions::default();
    let output: holdpoint_engine::Result<_> = loop {
        let output = tokio::select! {
            output = hooks::run(&client, &parked, event, &input, &options) => output,
            () = ended(&mut ends) => {
                // Dropping the branch above ends the wait, and the question with it.
                Err(Error::Settings(hooks::ENDED.to_owned()))
            }
        };
        if is_checked || !is_unknown(&output) {
            break output;
        }
        (client, is_checked) = (context.agent(&agent, door::HOOK).await?, true);
    };
    parked.finish().await;
    if let (Err(_), Some((_, session)), Event::PreToolUse | Event::PermissionRequest) =
        (&output, &options.supervised, event)
    {
        // Failing to notify the watcher is harmless.
        let _ = session.notice(&Notice::Working).await;
    }
    client.finish().await;
    Ok(output?)
}

/// Tells the agent's watcher that the agent has ended its turn, if it runs in a session of ours. Then the watcher
/// decides what to do, and no other question is asked.
async fn supervised(event: Event, input: &claude::Input) -> bool {
    let (Some(notice), Some(session)) = (claude::notice(event, input), Session::of_this_process()) else {
        return false;
    };
    session.notice(&notice).await.is_ok()
}

/// Returns the agent whose credential a session's hooks use: a job's, or the coding agent in this folder.
fn agent(
    dialect: Dialect,
    within: Option<&Supervision>,
    project: &str,
    context: &Context,
) -> Result<AgentProfile, Failure> {
    let folder = || match std::env::var_os("CLAUDE_PROJECT_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => std::env::current_dir(),
    };
    Ok(AgentProfile {
        client: within.map_or_else(|| dialect.protocol().to_owned(), |within| within.owner.id.clone()),
        folder: if within.is_some() { None } else { Some(folder()?) },
        project: project.to_owned(),
        permissions: Vec::new(),
        place: context.credential_place(),
    })
}

/// Returns the job that this agent works for, and its session, if it runs in one.
fn within() -> Option<(Supervision, Session)> {
    let session = Session::of_this_process()?;
    let owner: Owner = std::env::var("HOLD_OWNER").ok()?.parse().ok()?;
    let agent = std::env::var("HOLD_AGENT").ok()?;
    let fits = owner.supersedes() && agent == session.id();
    fits.then_some((Supervision { owner, agent }, session))
}

async fn ended([terminate, interrupt]: &mut [Signal; 2]) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

fn given(argument: Option<String>) -> Result<String, Failure> {
    if let Some(json) = argument {
        return Ok(json);
    }
    let mut text = String::new();
    let read = std::io::stdin().take(LONGEST + 1).read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read > LONGEST) {
        return Err(Failure::error(format!("the hook's input has more than {LONGEST} bytes")));
    }
    Ok(text)
}
