//! `hold aitp ask`

use holdpoint_core::decision::New;
use holdpoint_core::text::quote;
use holdpoint_core::{Owner, Span};
use holdpoint_engine::{FetchScope, Role, Settings, fetch};
use holdpoint_protocols::aitp::{ParsedMessage, check_signatures, translate};

use super::{message, parse_key, print_reply, refused};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::holding::{self, Expect, Interrupt};
use crate::cli::input;
use crate::cli::ui::Ui;

/// Ask what a request asks, hold until it is answered, and print the reply
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The request: a file, or - for standard input
    file: String,
    /// The form, if the request only names its address; fetched from there by default
    #[arg(long, value_name = "FILE")]
    form: Option<String>,
    /// Refuse a payment's message unless it is signed with these public keys; repeatable
    #[arg(long, value_name = "NAME=ed25519:KEY", value_parser = parse_key)]
    signed_by: Vec<(String, String)>,
    /// The project
    #[arg(long)]
    project: Option<String>,
    /// The agent that asks
    #[arg(long, value_name = "NAME")]
    requested_by: Option<String>,
    /// Assign it to this person; repeatable
    #[arg(long, value_name = "WHO")]
    assign: Vec<String>,
    /// The owner that waits, e.g. job:build
    #[arg(long, value_name = "KIND:ID")]
    owner: Option<Owner>,
    /// Settle it after this long without an answer, e.g. 30m
    #[arg(long)]
    timeout: Option<Span>,
    /// Ask only once with this key, however often this is run
    #[arg(long, value_name = "IDEMPOTENCY")]
    key: Option<String>,
    /// Print the id and exit instead of holding
    #[arg(long)]
    no_wait: bool,
    /// With --no-wait, print the whole decision as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let now = client.now().await?;
    let ParsedMessage { message: mut request, remarks } = message(&arguments.file, now, ui)?;
    if !arguments.signed_by.is_empty() {
        let wrong = check_signatures(&request, &arguments.signed_by.into_iter().collect());
        if !wrong.is_empty() {
            return Err(Failure::error(translate::lines(&wrong)));
        }
    }
    let form = match (&arguments.form, translate::form_address(&request)) {
        (Some(path), _) => Some(input::text(path)?),
        (None, Some(address)) => Some(fetched(address, context).await?),
        (None, None) => None,
    };
    if let Some(form) = form {
        request = translate::with_form(request, &form, now).map_err(|verdict| refused(&verdict))?;
    }
    let new = New {
        project: Some(context.project(arguments.project.as_deref())),
        requested_by: arguments.requested_by,
        assignees: arguments.assign,
        owner: arguments.owner,
        timeout: arguments.timeout,
        ..translate::remarked(translate::ask(&request, now)?, &remarks)
    };
    let interrupt = if arguments.no_wait { None } else { Some(Interrupt::listen()?) };
    let decision = client.create(new, arguments.key).await?.decision;
    let id = decision.id;
    let Some(interrupt) = interrupt else {
        if arguments.json {
            ui.json(&decision)?;
        } else {
            ui.line(id.to_string())?;
        }
        warn(client.finish().await, ui);
        return Ok(Exit::Done);
    };
    ui.note(format!("Holding on {id}. Answer with: hold answer {id}"));
    let expect = Expect::default();
    let (told, settled) =
        tokio::join!(client.finish(), holding::settled(&*client, id, None, &expect, interrupt, ui));
    warn(told, ui);
    warn(client.finish().await, ui);
    match settled? {
        None => Ok(Exit::StillPending),
        Some(settled) => {
            print_reply(&settled, client.now().await?, ui)?;
            Ok(holding::exit(&settled, &[]))
        }
    }
}

/// Fetches the form that a request names, with the restrictions due to an address that another party wrote.
async fn fetched(address: &str, context: &Context) -> Result<String, Failure> {
    let settings = Settings::load(&context.home.config())?.aitp;
    let reach = if settings.allow_private { FetchScope::Private } else { FetchScope::Public };
    fetch(address, reach).await.map_err(|why| {
        let failure = Failure::error(format!("the form at {} {why}", quote(address)));
        failure.hint("give the form yourself with --form FILE")
    })
}

fn warn(failures: Vec<String>, ui: &mut Ui) {
    for failure in failures {
        ui.warn(failure);
    }
}
