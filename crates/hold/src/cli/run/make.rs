//! `hold run start`, `patch`, `evidence`, `usage` and `finish`: an attempt, from its start to the question.

use std::io::Read as _;
use std::path::PathBuf;

use holdpoint_core::run::{self, MAX_PATCH, ObjectId};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Run, RunStatus};
use holdpoint_engine::git::Repo;
use holdpoint_engine::run::{FinishRun, Judged, NewEvidence, StartRun};

use super::{RunChoice, RunClient, show};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::view_model::run::{run_name, short, standing};

/// Start an attempt at a task
#[derive(Debug, clap::Args)]
pub(super) struct Start {
    /// What to do, or the id of an earlier task
    #[arg(long, value_name = "TITLE|ID")]
    task: String,
    /// A description of the task
    #[arg(long)]
    description: Option<String>,
    /// The user's intent, in their words
    #[arg(long)]
    intent: Option<String>,
    /// The repository, or a folder in it
    #[arg(long, default_value = ".")]
    repo: PathBuf,
    /// The commit to start from; by default the tip of --branch, else HEAD
    #[arg(long)]
    base: Option<String>,
    /// The branch to commit to; by default one of the task's own
    #[arg(long)]
    branch: Option<String>,
    /// The project
    #[arg(long)]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Propose a change: a diff against the run's base
#[derive(Debug, clap::Args)]
pub(super) struct Patch {
    /// The diff, as git writes it; - for standard input
    #[arg(required_unless_present = "from_worktree", conflicts_with = "from_worktree")]
    file: Option<PathBuf>,
    /// Take the changes of a work tree on that base; by default the one here
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    from_worktree: Option<PathBuf>,
    /// Why the change is right
    #[arg(short, long)]
    message: Option<String>,
    #[command(flatten)]
    meant: RunChoice,
}

/// Run a command, and record its exit code and output; exits as the command did
#[derive(Debug, clap::Args)]
pub(super) struct Evidence {
    /// The kind: test, lint, build or another word
    #[arg(long, default_value = "test")]
    kind: String,
    /// The patch set it is about; by default the committed one, else the last
    #[arg(long, value_name = "NUMBER")]
    patchset: Option<usize>,
    #[command(flatten)]
    meant: RunChoice,
    /// The command, after --
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Record tokens and costs of the run
#[derive(Debug, clap::Args)]
pub(super) struct Usage {
    /// Input tokens
    #[arg(long, default_value_t = 0)]
    input: u64,
    /// Output tokens
    #[arg(long, default_value_t = 0)]
    output: u64,
    /// The cost in US dollars
    #[arg(long, default_value_t = 0.0)]
    cost: f64,
    #[command(flatten)]
    meant: RunChoice,
}

/// Finish a run and ask for the verdict, or give it if the project allows that
#[derive(Debug, clap::Args)]
pub(super) struct Finish {
    /// Who gives the verdict; all but ask must be allowed with hold project set
    #[arg(long, value_enum, default_value = "ask")]
    verdict: Who,
    /// With --verdict agent, the verdict: commit, checkpoint, retry, abandon or rollback
    #[arg(long, value_name = "WHAT", required_if_eq("verdict", "agent"))]
    choose: Option<String>,
    /// With --choose commit, the patch set; the last by default
    #[arg(long, value_name = "NUMBER", requires = "choose")]
    patchset: Option<usize>,
    /// With --choose retry, the parameters of the next attempt
    #[arg(long, value_name = "TEXT", requires = "choose")]
    parameters: Option<String>,
    /// A note for the person who decides, or the rationale
    #[arg(short, long)]
    message: Option<String>,
    /// Assign it to this person; repeatable
    #[arg(long, value_name = "WHO")]
    assign: Vec<String>,
    #[command(flatten)]
    meant: RunChoice,
}

/// Who gives a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Who {
    /// Ask a person
    Ask,
    /// Decide by the evidence: commit if all passed, retry after a failure, checkpoint without evidence, abandon
    /// without a proposal
    Auto,
    /// Let the caller decide
    Agent,
}

pub(super) async fn start(
    verb: Start,
    runs: &RunClient,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    // The server may run in another folder, so the path must be absolute.
    let repo = std::path::absolute(&verb.repo).unwrap_or(verb.repo);
    let start = StartRun {
        project: Some(context.project(verb.project.as_deref())),
        task: verb.task,
        description: verb.description,
        intent: verb.intent,
        repo,
        base: verb.base,
        branch: verb.branch,
    };
    let run = runs.client.start_run(start).await?;
    if verb.json {
        ui.json(&run)?;
    } else {
        ui.line(run.id.to_string())?;
        let branch = inert_line(run.branch.trim_start_matches("refs/heads/"));
        ui.note(format!("Started from {}; a commit goes to branch {branch}.", short(&run.base)));
    }
    runs.others_under_way(&run, ui).await;
    Ok(Exit::Done)
}

pub(super) async fn patch(verb: Patch, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.meant(verb.meant.run.as_deref()).await?;
    let bytes = verb.file.as_deref().map(read).transpose()?;
    let diff = match (bytes, &verb.from_worktree) {
        (Some(bytes), _) => bytes,
        (None, Some(folder)) => {
            let there = Repo::open(folder).await.map_err(holdpoint_engine::Error::from)?;
            let stands = there.check_stands_on(folder, &run.base).await;
            stands.map_err(holdpoint_engine::Error::from)?;
            let patch = there.patch_from_worktree(folder, &run.base).await;
            patch.map_err(holdpoint_engine::Error::from)?.bytes
        }
        (None, None) => return Err(Failure::usage("name a file, or --from-worktree")),
    };
    let run = runs.client.patch_run(&run.id.to_string(), diff, verb.message).await?;
    if verb.meant.json {
        ui.json(&run)?;
    } else if let Some(last) = run.patchsets.last() {
        ui.line(show::patchset_line(last))?;
    }
    Ok(Exit::Done)
}

/// Reads a diff, up to the maximum size.
fn read(file: &std::path::Path) -> Result<Vec<u8>, Failure> {
    let cannot = |why: std::io::Error| Failure::error(format!("{} cannot be read: {why}", file.display()));
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().take(MAX_PATCH + 1).read_to_end(&mut bytes).map_err(cannot)?;
    } else {
        std::fs::File::open(file)
            .map_err(cannot)?
            .take(MAX_PATCH + 1)
            .read_to_end(&mut bytes)
            .map_err(cannot)?;
    }
    Ok(bytes)
}

pub(super) async fn evidence(verb: Evidence, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.meant(verb.meant.run.as_deref()).await?;
    let patchset = verb.patchset.map(|number| numbered(&run, number)).transpose()?;
    let here =
        std::env::current_dir().map_err(|why| Failure::error(format!("no folder to run it in: {why}")))?;
    if run.status == RunStatus::Finished {
        let why = format!("run {} is waiting for review, and cannot be changed until then", run_name(run.id));
        return Err(Failure::new(Exit::Conflict, why));
    }
    let found = holdpoint_engine::run::prove(&verb.command, &here).await?;
    ui.note(holdpoint_core::text::inert(&found.tail()));
    let new = NewEvidence {
        kind: verb.kind,
        tool: found.tool,
        command: Some(found.command),
        exit_code: found.exit_code,
        took_ms: Some(found.took_ms),
        patchset,
        log: None,
    };
    let run = runs.client.add_evidence(&run.id.to_string(), new, Some(found.said)).await?;
    if verb.meant.json {
        ui.json(&run)?;
    } else if let Some(last) = run.evidence.last() {
        ui.line(show::evidence_line(&run, last))?;
    }
    // A caller that runs this in place of the command gets the same exit code.
    let code = found.exit_code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(Exit::Error, Exit::As))
}

pub(super) async fn usage(verb: &Usage, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.meant(verb.meant.run.as_deref()).await?;
    if !(0.0..=1_000_000_000.0).contains(&verb.cost) {
        return Err(Failure::usage("--cost takes US dollars, from 0 to 1000000000"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its range is checked above")]
    let cost_micros = (verb.cost * 1_000_000.0).round() as u64;
    let usage = run::Usage { input_tokens: verb.input, output_tokens: verb.output, cost_micros };
    let run = runs.client.use_in_run(&run.id.to_string(), usage).await?;
    if verb.meant.json {
        ui.json(&run)?;
    } else {
        ui.line(show::usage_line(&run.usage))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn finish(verb: Finish, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.meant(verb.meant.run.as_deref()).await?;
    let verdict = match verb.verdict {
        Who::Ask => Judged::Ask,
        Who::Auto => Judged::Auto,
        Who::Agent => Judged::Agent,
    };
    let finish = FinishRun {
        verdict,
        choose: verb.choose,
        patchset: verb.patchset.map(|number| numbered(&run, number)).transpose()?,
        parameters: verb.parameters,
        message: verb.message,
        assignees: verb.assign,
        blocks: Vec::new(),
    };
    let run = runs.client.finish_run(&run.id.to_string(), finish).await?;
    runs.settle(ui).await;
    let run = if verdict == Judged::Ask { run } else { runs.carried(run.id).await? };
    if verb.meant.json {
        ui.json(&run)?;
    } else if verdict != Judged::Ask {
        ui.line(standing(&run))?;
    } else if let Some(decision) = run.decision {
        ui.line(decision.to_string())?;
        let diff = format!(" · Diff: hold run show {} --diff", run_name(run.id));
        let diff = if run.patchsets.is_empty() { String::new() } else { diff };
        ui.note(format!("Waiting for review: hold show {decision}{diff}"));
    }
    Ok(Exit::Done)
}

/// Finds a patch set by its number.
fn numbered(run: &Run, number: usize) -> Result<ObjectId, Failure> {
    let found = number.checked_sub(1).and_then(|at| run.patchsets.get(at));
    let count = run.patchsets.len();
    let missing = || match count {
        0 => Failure::error(format!("run {} has no patch set", run_name(run.id))),
        _ => Failure::error(format!("there is no patch set {number}; they are numbered from 1 to {count}")),
    };
    Ok(found.ok_or_else(missing)?.id)
}
