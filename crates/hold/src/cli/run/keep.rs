//! `hold run record`, `objects`, `export` and `import`: objects in the format of other tools.

use std::io::Read as _;
use std::path::PathBuf;

use holdpoint_engine::run::{ImportRuns, NewComment};
use serde_json::Value;

use super::{RunChoice, RunClient};
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// How many bytes of a file are read: slightly more than is accepted.
const MOST: u64 = (1 << 20) + 1;

/// Add an object to a run: a plan, a tool call, context, or a model's settings
#[derive(Debug, clap::Args)]
pub(super) struct Record {
    /// The object as JSON, with its type; - for standard input
    file: PathBuf,
    #[command(flatten)]
    meant: RunChoice,
}

/// Comment on a line of a patch set, as guidance for a retry
#[derive(Debug, clap::Args)]
pub(super) struct Comment {
    /// The run: its id, or a prefix or suffix of at least 4 characters
    run: String,
    /// The file and line, e.g. src/main.rs:12
    #[arg(value_name = "FILE:LINE")]
    place: String,
    /// What should be different
    text: String,
    /// The patch set; the last by default
    #[arg(long, value_name = "NUMBER")]
    patchset: Option<usize>,
    /// Refer to the line number before the change
    #[arg(long)]
    before: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print every object of a run, one per line
#[derive(Debug, clap::Args)]
pub(super) struct Objects {
    /// The run: its id, or a prefix or suffix of at least 4 characters
    run: String,
}

/// Export all attempts at a task to the repository, as git blobs under refs/libra/intent
#[derive(Debug, clap::Args)]
pub(super) struct Export {
    /// A run of the task
    run: String,
}

/// Import runs that others wrote to a repository, all or none
#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The repository, or a folder in it
    #[arg(long, default_value = ".")]
    repo: PathBuf,
    /// The ref that has them; refs/libra/intent by default
    #[arg(long = "ref", value_name = "REF")]
    name: Option<String>,
    /// The project to import them into
    #[arg(long)]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn record(verb: &Record, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.meant(verb.meant.run.as_deref()).await?;
    let cannot =
        |why: std::io::Error| Failure::error(format!("{} cannot be read: {why}", verb.file.display()));
    let mut text = String::new();
    if verb.file.as_os_str() == "-" {
        std::io::stdin().take(MOST).read_to_string(&mut text).map_err(cannot)?;
    } else {
        std::fs::File::open(&verb.file)
            .map_err(cannot)?
            .take(MOST)
            .read_to_string(&mut text)
            .map_err(cannot)?;
    }
    if text.len() as u64 >= MOST {
        return Err(Failure::error(format!("{} has more than {} bytes", verb.file.display(), MOST - 1)));
    }
    let object = holdpoint_core::json::parse_strict(&text)
        .map_err(|why| Failure::error(format!("{} is not JSON: {why}", verb.file.display())))?;
    let kept = runs.client.record_in_run(&run.id.to_string(), object).await?;
    if verb.meant.json {
        ui.json(&kept)?;
    } else {
        ui.line(kept["object_id"].as_str().unwrap_or_default())?;
    }
    Ok(Exit::Done)
}

pub(super) async fn comment(verb: Comment, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let wrong = || Failure::usage("say where: FILE:LINE, such as src/main.rs:12");
    let (path, line) = verb.place.rsplit_once(':').ok_or_else(wrong)?;
    let line = line.parse().map_err(|_| wrong())?;
    let (path, before) = (path.to_owned(), verb.before);
    let new = NewComment { patchset: verb.patchset, path, line, before, text: verb.text };
    let run = runs.client.comment_run(&verb.run, new).await?;
    if verb.json {
        ui.json(&run)?;
    } else {
        let (count, s) = (run.comments.len(), if run.comments.len() == 1 { "" } else { "s" });
        ui.line(format!("{count} comment{s}"))?;
        if let Some(decision) = run.decision {
            ui.note(format!("To retry it: hold answer {decision} retry"));
        }
    }
    Ok(Exit::Done)
}

pub(super) async fn objects(verb: &Objects, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    for object in runs.client.run_objects(&verb.run).await? {
        ui.line(object.get())?;
    }
    Ok(Exit::Done)
}

pub(super) async fn export(verb: &Export, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let shared = runs.client.export_run(&verb.run).await?;
    let commit = shared["commit"].as_str().map(crate::view_model::run::short).unwrap_or_default();
    let at = shared["ref"].as_str().unwrap_or_default();
    ui.line(format!("{} objects at {at}, commit {commit}", shared["objects"]))?;
    Ok(Exit::Done)
}

pub(super) async fn import(verb: Import, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let repo = std::path::absolute(&verb.repo).unwrap_or(verb.repo);
    let import = ImportRuns { project: verb.project, repo, name: verb.name };
    let brought = runs.client.import_runs(import).await?;
    if verb.json {
        ui.json(&brought)?;
        return Ok(Exit::Done);
    }
    let runs: Vec<&str> =
        brought["runs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for run in &runs {
        ui.line(*run)?;
    }
    let (new, known, objects) = (runs.len(), &brought["known"], &brought["objects"]);
    ui.note(format!("Read {objects} objects: {new} runs are new, {known} were known."));
    Ok(Exit::Done)
}
