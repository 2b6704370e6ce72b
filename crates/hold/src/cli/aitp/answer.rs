//! `hold aitp answer`

use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Status};
use holdpoint_engine::{Client, ListQuery, Role};
use holdpoint_protocols::aitp::ParsedMessage;
use holdpoint_protocols::aitp::translate::{self, AnswerInMessage};

use super::{line, message};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::show;
use crate::cli::shown_digests::{self, Consent};
use crate::cli::ui::Ui;
use crate::view_model::change;

/// Answer a decision with a message that another party sent
///
/// The message names its request. If it does not, it answers the only pending decision that it can.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The `decision` or `data` message: a file, or - for standard input
    file: String,
    /// The decision to answer, if not the one that the message names
    #[arg(long)]
    id: Option<String>,
    /// The person who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// The digest of what you saw, if this terminal has not shown it
    #[arg(long)]
    digest: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let ParsedMessage { message: reply, .. } = message(&arguments.file, client.now().await?, ui)?;
    let decision = match (&arguments.id, translate::answers(&reply)) {
        (Some(id), _) => client.get(id).await?,
        (None, Some(request)) => named(&*client, request).await?,
        (None, None) => only(&*client, &reply).await?,
    };
    let wrong = |why: Vec<_>| Failure::error(translate::lines(&why));
    let AnswerInMessage { mut input, remarks } = translate::answer(&decision, &reply).map_err(wrong)?;
    for remark in remarks {
        ui.warn(line(&remark));
    }
    input.by = arguments.by;
    let now = client.now().await?;
    let diff = change::read(&*client, &decision).await;
    let card = || show::card_named(&decision, None, diff.as_deref(), now);
    match shown_digests::consent(&decision, arguments.digest, card, diff.as_deref(), context, ui)? {
        Consent::Send(digest) => input.digest = digest,
        Consent::Withheld => return Ok(Exit::StillPending),
    }
    let answered = client.answer(decision.id, input).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    crate::cli::answer::report(&answered?, arguments.json, ui)?;
    Ok(Exit::Done)
}

/// Finds the decision whose request has this id: a pending one, or else the newest.
async fn named(client: &dyn Client, request: &str) -> Result<Decision, Failure> {
    let is_it = |decision: &Decision| translate::request_id(decision) == request;
    // Pending first: a reused id refers to what is still open.
    for statuses in [vec![Status::Pending], Vec::new()] {
        let open = !statuses.is_empty();
        match every(client, statuses, is_it, 2).await?.as_slice() {
            [] => {}
            [_, _, ..] if open => {
                let why = format!("several pending requests have the id {}", quote(request));
                return Err(Failure::new(Exit::NotFound, why).hint("name it with --id"));
            }
            [newest, ..] => return Ok(newest.clone()),
        }
    }
    let request = quote(request);
    Err(Failure::new(Exit::NotFound, format!("no request has the id {request}")))
}

/// Finds the only decision that a message without a request id can answer.
async fn only(client: &dyn Client, reply: &holdpoint_protocols::aitp::Message) -> Result<Decision, Failure> {
    let takes = |decision: &Decision| translate::answer(decision, reply).is_ok();
    let mut found = every(client, vec![Status::Pending], takes, 2).await?;
    match (found.pop(), found.pop()) {
        (Some(one), None) => Ok(one),
        (None, _) => {
            Err(Failure::new(Exit::NotFound, "the message names no request, and nothing pending takes it"))
        }
        (Some(_), Some(_)) => {
            let failure =
                Failure::new(Exit::NotFound, "the message names no request, and several could be meant");
            Err(failure.hint("name it with --id"))
        }
    }
}

/// Collects matching decisions, newest first, until there are this many.
async fn every(
    client: &dyn Client,
    statuses: Vec<Status>,
    wanted: impl Fn(&Decision) -> bool,
    most: usize,
) -> Result<Vec<Decision>, Failure> {
    let mut query = ListQuery { statuses, newest_first: true, limit: 500, ..ListQuery::default() };
    let mut found = Vec::new();
    loop {
        let page = client.list(&query).await?;
        found.extend(page.items.into_iter().filter(&wanted));
        query.cursor = page.next;
        if query.cursor.is_none() || found.len() >= most {
            found.truncate(most);
            return Ok(found);
        }
    }
}
