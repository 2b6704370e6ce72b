//! `hold run list`, `show` and `log`.

use holdpoint_core::Run;
use holdpoint_core::run::{self, Evidence, PatchSet, RunOrigin, Usage as Used};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_engine::run::{RunLog, RunPart, ShownRun};
use holdpoint_store::{Order, RunQuery};

use super::{RunClient, diff};
use crate::cli::failure::{Exit, Failure};
use crate::cli::table;
use crate::cli::ui::Ui;
use crate::view_model::change::in_a_line;
use crate::view_model::run::{brief, file_words, run_name, short, standing, state};

/// List runs, newest first
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Start after this run, for the next page
    #[arg(long, value_name = "RUN")]
    before: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show a run: its patch sets, evidence and outcome
#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The run: its id, or a prefix or suffix of at least 4 characters
    run: String,
    /// Print the diff of a patch set instead; of the last by default
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "last", value_parser = parse_number)]
    diff: Option<usize>,
    /// With --diff, show before and after side by side
    #[arg(long, requires = "diff")]
    split: bool,
    /// With --diff, show what changed from a patch set of another attempt: RUN, or RUN:NUMBER
    #[arg(long, value_name = "RUN:NUMBER", requires = "diff")]
    against: Option<String>,
    /// Print the whole output of a piece of evidence instead
    #[arg(long, value_name = "NUMBER", conflicts_with = "diff")]
    evidence: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show the history of a task: its attempts, and the outcome of each
#[derive(Debug, clap::Args)]
pub(super) struct Log {
    /// A run of the task
    run: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn list(verb: List, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let after = match &verb.before {
        Some(named) => Some(runs.client.run(named).await?.id),
        None => None,
    };
    let limit = usize::try_from(verb.limit).unwrap_or(usize::MAX);
    let query = RunQuery { project: verb.project, task: None, order: Order::NewestFirst, after, limit };
    let found = runs.client.runs(&query).await?.items;
    if verb.json {
        ui.json(&found)?;
    } else if found.is_empty() {
        ui.note("There are no runs.");
    } else {
        let now = runs.client.now().await?;
        let row = |run: &ShownRun| {
            let age = table::age(run.created_at, now);
            vec![run_name(run.id), brief(run), age, inert_line(&run.task.title)]
        };
        ui.line(table::render(&["RUN", "STANDING", "AGE", "TASK"], found.iter().map(row).collect()))?;
    }
    Ok(Exit::Done)
}

pub(super) async fn show(verb: &Show, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.client.run(&verb.run).await?;
    if let Some(number) = verb.diff {
        let part = match &verb.against {
            Some(named) => {
                let (other, from) = match named.rsplit_once(':') {
                    Some((other, from)) => (other, parse_number(from)),
                    None => (named.as_str(), Ok(0)),
                };
                let from = from.map_err(|_| Failure::usage("--against takes RUN or RUN:NUMBER"))?;
                let other = runs.client.run(other).await?.id;
                RunPart::Between { from: (other, from), to: number }
            }
            None => RunPart::Patch(number),
        };
        let bytes = runs.client.run_part(&run.id.to_string(), part).await?;
        return change(&bytes, verb.split, ui);
    }
    if let Some(number) = verb.evidence {
        let bytes = runs.client.run_part(&run.id.to_string(), RunPart::Evidence(number)).await?;
        return print_inert(&bytes, ui);
    }
    if verb.json {
        ui.json(&run)?;
        return Ok(Exit::Done);
    }
    ui.line(format!("run       {}", run_name(run.id)))?;
    ui.line(format!("task      {}  {}", run_name(run.task.id), inert_line(&run.task.title)))?;
    // The reason why it is asked again is printed below, in full.
    let stands = if run.trouble.is_some() && run.verdict.is_none() { brief(&run) } else { standing(&run) };
    ui.line(format!("standing  {stands}"))?;
    ui.line(format!(
        "on        {} from {} to {}",
        inert_line(&run.repo),
        short(&run.base),
        inert_line(&run.branch)
    ))?;
    if let Some(origin) = run.origin {
        ui.line(format!("follows   {}", follows(origin)))?;
        if let RunOrigin::Retry { run: before } | RunOrigin::Resume { run: before } = origin
            && !run.patchsets.is_empty()
        {
            let (run, before) = (run_name(run.id), run_name(before));
            ui.line(format!("changed   hold run show {run} --diff --against {before}"))?;
        }
    }
    if let Some(job) = &run.job {
        ui.line(format!("job       {}", inert_line(job)))?;
    }
    for (what, how) in run.state.iter().flat_map(state) {
        ui.line(format!("{what:<9} {how}"))?;
    }
    for (name, text) in
        [("guidance", &run.guidance), ("parameters", &run.parameters), ("trouble", &run.trouble)]
    {
        if let Some(text) = text {
            ui.line(format!("{name}: {}", inert(text)))?;
        }
    }
    for note in run.verdict.iter().flat_map(|verdict| &verdict.notes) {
        ui.line(format!("note: {}", inert(note)))?;
    }
    if let Some(reverts) = run.reverts.as_ref().filter(|_| run.patchsets.is_empty()) {
        let (commit, run) = (short(&reverts.commit), run_name(run.id));
        ui.line(format!("takes back commit {commit}: hold run show {run} --diff"))?;
    }
    for patchset in &run.patchsets {
        ui.line(patchset_line(patchset))?;
        for file in patchset.touched.iter().take(50) {
            let change = format!("{:?}", file.change).to_lowercase();
            ui.line(format!("  {change:<7} +{} −{}  {}", file.added, file.deleted, file_words(file)))?;
        }
    }
    for evidence in &run.evidence {
        ui.line(evidence_line(&run, evidence))?;
    }
    for comment in &run.comments {
        let (path, by) = (inert_line(&comment.path), inert_line(&comment.created_by));
        ui.line(format!("{path}:{}  {by}: {}", comment.line, inert_line(&comment.text)))?;
    }
    if run.usage != Used::default() {
        ui.line(usage_line(&run.usage))?;
    }
    Ok(Exit::Done)
}

/// Prints a change: formatted for people in a terminal, the exact bytes for programs.
fn change(bytes: &[u8], split: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    use std::io::IsTerminal as _;
    /// The width if the terminal's is unknown.
    const WIDTH: u16 = 160;
    let text = String::from_utf8_lossy(bytes);
    if split {
        let width = crossterm::terminal::size().map_or(WIDTH, |(width, _)| width.max(60));
        ui.line(diff::columns(&text, usize::from(width)))?;
    } else if std::io::stdout().is_terminal() {
        ui.line(diff::column(&text))?;
    } else {
        ui.data(bytes)?;
    }
    Ok(Exit::Done)
}

/// Prints bytes from an agent or its tools, so that they cannot act on a terminal.
fn print_inert(bytes: &[u8], ui: &mut Ui) -> Result<Exit, Failure> {
    use std::io::IsTerminal as _;
    if std::io::stdout().is_terminal() {
        ui.line(inert(&String::from_utf8_lossy(bytes)).trim_end_matches('\n'))?;
    } else {
        // Another program gets the exact bytes.
        ui.data(bytes)?;
    }
    Ok(Exit::Done)
}

pub(super) async fn log(verb: &Log, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.client.run(&verb.run).await?;
    let RunLog { items: attempts, state: stands } = runs.client.run_log(&run.id.to_string()).await?;
    if verb.json {
        ui.json(&RunLog { items: attempts, state: stands })?;
        return Ok(Exit::Done);
    }
    ui.line(format!("{}  {}", run_name(run.task.id), inert_line(&run.task.title)))?;
    for (what, how) in state(&stands) {
        ui.line(format!("│  {what}: {how}"))?;
    }
    let last = attempts.len().saturating_sub(1);
    for (at, run) in attempts.iter().enumerate() {
        let (fork, stem) = if at == last { ("└─", "   ") } else { ("├─", "│  ") };
        let follows = run.origin.map(|origin| format!(", {}", follows(origin))).unwrap_or_default();
        ui.line(format!("{fork} run {}  from {}{follows}", run_name(run.id), short(&run.base)))?;
        let mut lines: Vec<String> = Vec::new();
        lines.extend(run.guidance.iter().map(|text| format!("guidance: {}", inert_line(text))));
        lines.extend(run.parameters.iter().map(|text| format!("parameters: {}", inert_line(text))));
        lines.extend(run.patchsets.iter().map(patchset_line));
        lines.extend(run.evidence.iter().map(|evidence| evidence_line(run, evidence)));
        lines.push(standing(run));
        let end = lines.len().saturating_sub(1);
        for (at, line) in lines.iter().enumerate() {
            let fork = if at == end { "└─" } else { "├─" };
            ui.line(format!("{stem}{fork} {line}"))?;
        }
    }
    Ok(Exit::Done)
}

/// Parses the number of a patch set, from 1; `last` is 0.
fn parse_number(text: &str) -> Result<usize, String> {
    if text == "last" {
        return Ok(0);
    }
    let number: Option<usize> = text.parse().ok();
    number.filter(|number| *number > 0).ok_or_else(|| "patch sets are numbered from 1".to_owned())
}

fn follows(origin: RunOrigin) -> String {
    match origin {
        RunOrigin::Retry { run } => format!("tries {} again", run_name(run)),
        RunOrigin::Resume { run } => format!("goes on from {}", run_name(run)),
        RunOrigin::Rollback { run } => format!("takes back {}", run_name(run)),
    }
}

pub(super) fn patchset_line(patchset: &PatchSet) -> String {
    let (added, deleted) = patchset.touched.iter().fold((0, 0), |(added, deleted), file| {
        (added + u64::from(file.added), deleted + u64::from(file.deleted))
    });
    let (number, files) = (patchset.number(), patchset.touched.len());
    let s = if files == 1 { "" } else { "s" };
    format!("patch set {number}: {files} file{s}, +{added} −{deleted}")
}

pub(super) fn evidence_line(run: &Run, evidence: &Evidence) -> String {
    let after = if evidence.verdict.is_some() { ", after the verdict" } else { "" };
    let again = if run::is_run_again(run, evidence) { ", run again since" } else { "" };
    format!("{}{after}{again}", in_a_line(run, evidence))
}

pub(super) fn usage_line(usage: &Used) -> String {
    let (dollars, rest) = (usage.cost_micros / 1_000_000, usage.cost_micros % 1_000_000);
    format!(
        "used {} tokens in, {} out, {dollars}.{rest:06} US dollars",
        usage.input_tokens, usage.output_tokens
    )
}
