//! `hold list`

use holdpoint_core::{Decision, Owner, Search, Source, Status, text};
use holdpoint_engine::{Client, Detail, ListQuery, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use super::{owner, table};
use crate::view_model::owners::OwnerNames;
use crate::view_model::{private, read_before_consent, vote_progress, wording};

/// List decisions, oldest first
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Search for all these words, or prefixes of words, in title, text, subject, options, names, metadata, ids and answer;
    /// KEY=VALUE filters by project, source, owner, `asked_by`, assignee, priority, tool, text or older (e.g.
    /// older=10m)
    words: Vec<String>,
    /// Limit to one of your saved views (see hold view)
    #[arg(long, value_name = "NAME")]
    view: Option<String>,
    /// Limit to these statuses, separated by commas: pending, answered, refined, `timed_out`, cancelled, superseded,
    /// or all; pending by default, unless the view has others
    #[arg(long, value_parser = parse_status)]
    status: Option<Statuses>,
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Limit to this source, e.g. question or approval
    #[arg(long, value_parser = parse_source)]
    source: Option<Source>,
    /// Limit to this owner, e.g. item:bd-abc123 or job:build
    #[arg(long)]
    owner: Option<Owner>,
    /// At most this many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug)]
struct Statuses(Vec<Status>);

fn parse_status(text: &str) -> Result<Statuses, String> {
    Status::read_several(text).map(Statuses)
}

/// Returns the search and the statuses.
async fn sought(arguments: &Arguments, client: &dyn Client) -> Result<(Search, Vec<Status>), Failure> {
    let (mut words, mut status) = (arguments.words.join(" "), "pending".to_owned());
    if let Some(name) = &arguments.view {
        let views = client.views().await?;
        let view = views.into_iter().find(|view| view.name == *name).ok_or_else(|| {
            Failure::new(Exit::NotFound, format!("you have no view {}", text::quote(name)))
                .hint("hold view list shows your views")
        })?;
        (words, status) = (format!("{} {words}", view.q), view.status);
    }
    let statuses = match &arguments.status {
        Some(Statuses(statuses)) => statuses.clone(),
        None => Status::read_several(&status).map_err(Failure::error)?,
    };
    Ok((Search::read(words.trim()).map_err(Failure::usage)?, statuses))
}

pub(crate) fn parse_source(text: &str) -> Result<Source, String> {
    Source::from_name(text).ok_or_else(|| format!("use one of {}", Source::ALL.map(Source::name).join(", ")))
}

/// Returns the question, and its subject if that fits in a line: many agents ask "Run it?".
fn question(decision: &Decision) -> String {
    let asked = decision.summary();
    // A verdict's subject names commits by their hashes; its title says it in words.
    let told = decision.subject.as_ref().filter(|_| decision.source != Source::Verdict);
    let subject = told.map(read_before_consent::line);
    match subject.filter(|subject| !asked.contains(subject.as_str())) {
        Some(subject) => format!("{asked} · {subject}"),
        None => asked.to_owned(),
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let (sought, statuses) = sought(&arguments, &*client).await?;
    let wanted = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let query = ListQuery {
        project: arguments.project,
        statuses,
        source: arguments.source,
        owner: owner::whole(&*client, arguments.owner).await?,
        search: Some(sought.clone()),
        limit: wanted,
        detail: Detail::Brief,
        ..ListQuery::default()
    };
    let (listed, more) = private::list(&*client, query, |_| true).await?;
    let names = OwnerNames::of(&*client, &listed).await;
    if arguments.json {
        ui.json(&listed.iter().map(|decision| names.named(decision)).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    if listed.is_empty() {
        let nothing = if sought.is_empty() { "Nothing is waiting for you." } else { "No matches." };
        ui.note(nothing);
        return Ok(Exit::Done);
    }
    let now = client.now().await?;
    let ids: Vec<_> = listed.iter().map(|decision| decision.id).collect();
    let lengths = client.prefix_lengths(&ids).await?;
    let with_project = listed.iter().any(|decision| decision.project != listed[0].project);
    let with_status = listed.iter().any(|decision| decision.status != Status::Pending);
    let mut header = vec!["ID", "AGE"];
    if with_status {
        header.push("STATUS");
    }
    if with_project {
        header.push("PROJECT");
    }
    let deadline = |decision: &Decision| decision.deadline.filter(|_| decision.status == Status::Pending);
    let with_deadline = listed.iter().any(|decision| deadline(decision).is_some());
    header.extend(["SOURCE", "ASKED BY"]);
    if with_deadline {
        header.push("DEADLINE");
    }
    let with_votes = listed.iter().any(|decision| decision.needs.is_some());
    if with_votes {
        header.push("VOTES");
    }
    header.push("QUESTION");
    let row = |(decision, length): (&Decision, &usize)| {
        let short = |text: &str| text::inert_line(text).chars().take(24).collect::<String>();
        let mut row = vec![table::id(decision.id, *length), table::age(decision.created_at, now)];
        if with_status {
            row.push(decision.status.to_string());
        }
        if with_project {
            row.push(short(&decision.project));
        }
        let asker = || decision.asker().map(|asker| asker.brief());
        let owner = || decision.owner.as_ref().map(wording::owner);
        // People know a job by its name, not by the agent that currently works on it.
        let asker = names.name(decision).map(str::to_owned).or_else(asker).or_else(owner);
        row.extend([
            decision.source.name().to_owned(),
            asker.map_or_else(|| "-".to_owned(), |asker| short(&asker)),
        ]);
        if with_deadline {
            row.push(deadline(decision).map_or_else(|| "-".to_owned(), |at| table::time_left(at, now)));
        }
        if with_votes {
            row.push(vote_progress::progress(decision).unwrap_or_else(|| "-".to_owned()));
        }
        row.push(wording::short(&question(decision), 500));
        row
    };
    let rows = listed.iter().zip(&lengths).map(row).collect();
    ui.line(table::render(&header, rows))?;
    if more {
        ui.note(format!("There are more; --limit {} shows them.", wanted.saturating_mul(2)));
    }
    Ok(Exit::Done)
}
