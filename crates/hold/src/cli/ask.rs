//! `hold ask`

use holdpoint_core::decision::{Callback, CallbackBody, New};
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_core::{Field, Kind, OnTimeout, Opt, Owner, Priority, Source, Span, Status, Values};
use holdpoint_engine::Role;
use serde_json::{Value, json};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::holding::{self, Expect, Interrupt};
use super::list::parse_source;
use super::people_flags::PeopleArgs;
use super::ui::Ui;
use super::{choice, input, owner};

/// Ask a question, hold until it is answered, and print the choice
///
/// Exits 0 only on an answer that does not refuse, so `hold ask … && deploy` never deploys on a no.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The question, as Markdown
    prompt: Option<String>,
    /// An option, as ID:LABEL, or ID!:LABEL for one that refuses; repeatable
    #[arg(short, long = "option", value_name = "ID:LABEL")]
    option: Vec<String>,
    /// The kind of answer: choice, choices, confirm, text, number, date, …
    #[arg(long, value_parser = parse_kind)]
    kind: Option<Kind>,
    /// Why it is asked: question, approval, plan, …
    #[arg(long, value_parser = parse_source)]
    source: Option<Source>,
    /// A short title for lists
    #[arg(long)]
    title: Option<String>,
    /// The option to take if nobody answers in time
    #[arg(long, value_name = "ID")]
    default: Option<String>,
    /// Settle it after this long without an answer, e.g. 30m
    #[arg(long)]
    timeout: Option<Span>,
    /// What a timeout does: expire, default, deny or cancel
    #[arg(long, value_parser = parse_on_timeout)]
    on_timeout: Option<OnTimeout>,
    /// The owner that waits, e.g. item:bd-abc123 or job:build
    #[arg(long, value_name = "KIND:ID")]
    owner: Option<Owner>,
    /// The project
    #[arg(long)]
    project: Option<String>,
    /// The agent or session that asks
    #[arg(long, value_name = "NAME")]
    requested_by: Option<String>,
    /// Assign it to this person; repeatable
    #[arg(long, value_name = "WHO")]
    assign: Vec<String>,
    /// The priority: low, normal, high or urgent
    #[arg(long, value_parser = parse_priority)]
    priority: Option<Priority>,
    /// The exact thing to decide on: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    subject: Option<String>,
    /// A text that is returned with the decision, as NAME=TEXT; repeatable
    #[arg(long, value_name = "NAME=TEXT", value_parser = parse_metadata)]
    metadata: Vec<(String, String)>,
    /// POST the outcome to this address, which the settings must list
    #[arg(long, value_name = "URL")]
    callback: Option<String>,
    /// Send the secret of this `[[callback]]` entry of the settings along
    #[arg(long, value_name = "NAME", requires = "callback")]
    callback_auth: Option<String>,
    /// The body of the callback: webhook (event and decision), data (the answer as {"data": …}) or answer
    #[arg(long, value_name = "BODY", requires = "callback", value_parser = parse_callback_body)]
    callback_body: Option<CallbackBody>,
    /// The maximum number of rounds of guidance
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// Ask only once with this key, however often this is run
    #[arg(long, value_name = "IDEMPOTENCY", value_parser = parse_key)]
    key: Option<String>,
    /// The whole question as JSON: a file, or - for standard input; flags take precedence
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    #[command(flatten)]
    people: PeopleArgs,
    /// Print the id and exit instead of holding
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    expect: Expect,
}

pub(super) fn parse_key(text: &str) -> Result<String, String> {
    check_name(text).map(|()| text.to_owned())
}

fn parse_metadata(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("give NAME=TEXT, e.g. run=4711")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn parse_priority(text: &str) -> Result<Priority, String> {
    Priority::from_name(text).ok_or_else(|| "give low, normal, high or urgent".to_owned())
}

fn parse_callback_body(text: &str) -> Result<CallbackBody, String> {
    CallbackBody::from_name(text).ok_or_else(|| "give webhook, data or answer".to_owned())
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let (key, no_wait) = (arguments.key.clone(), arguments.no_wait);
    let (mut new, expect) = question(arguments, context)?;
    let client = context.client(Role::Writer).await?;
    new.owner = owner::whole(&*client, new.owner).await?;
    // From here on Ctrl-C leaves a decision behind, so its id must be printed.
    let interrupt = if no_wait { None } else { Some(Interrupt::listen()?) };
    let created = client.create(new, key).await?;
    let decision = created.decision;
    let Some(interrupt) = interrupt else {
        if expect.json() {
            ui.json(&decision)?;
        } else {
            ui.line(decision.id.to_string())?;
        }
        warn(client.finish().await, ui);
        return Ok(Exit::Done);
    };
    if decision.status != Status::Pending {
        // It was asked before under the same key, and has been answered since.
        return holding::hold(&*client, decision.id, None, &expect, interrupt, ui).await;
    }
    let deadline = decision.deadline.map(|at| format!(", until {at}")).unwrap_or_default();
    let id = decision.id;
    ui.note(format!("Holding on {id}{deadline}. Answer with: hold answer {id}"));
    if let Some(page) = client.page(id) {
        ui.note(format!("Open {page}"));
    }
    ui.note(format!("Ctrl-C stops holding; hold cancel {id} withdraws the question."));
    // Notices must go out while we hold, not after.
    let (told, exit) =
        tokio::join!(client.finish(), holding::hold(&*client, decision.id, None, &expect, interrupt, ui));
    warn(told, ui);
    warn(client.finish().await, ui);
    exit
}

fn warn(failures: Vec<String>, ui: &mut Ui) {
    for failure in failures {
        ui.warn(failure);
    }
}

/// Builds the question: the file first, overridden by flags.
fn question(arguments: Arguments, context: &Context) -> Result<(New, Expect), Failure> {
    if arguments.file.as_deref() == Some("-") && arguments.subject.as_deref() == Some("-") {
        return Err(Failure::usage("only one of --file and --subject can be standard input"));
    }
    let mut new: New = match &arguments.file {
        Some(path) => input::document(path)?,
        None => New::default(),
    };
    if arguments.prompt.is_none() && arguments.file.is_none() && arguments.title.is_none() {
        return Err(Failure::usage("nothing to ask: give a PROMPT, a --title or a --file"));
    }
    let no_project = new.project.is_none() || arguments.project.is_some();
    if no_project {
        new.project = Some(context.project(arguments.project.as_deref()));
    }
    set(&mut new.prompt, arguments.prompt);
    set(&mut new.title, arguments.title);
    set(&mut new.source, arguments.source);
    set(&mut new.timeout, arguments.timeout);
    set(&mut new.on_timeout, arguments.on_timeout);
    set(&mut new.owner, arguments.owner);
    set(&mut new.requested_by, arguments.requested_by);
    new.metadata.extend(arguments.metadata);
    if let Some(url) = arguments.callback {
        let body = arguments.callback_body.unwrap_or_default();
        new.callback = Some(Box::new(Callback { url, auth: arguments.callback_auth, body }));
    }
    let people = arguments.people.read();
    set(&mut new.needs, people.needs.map(Box::new));
    new.needs_person |= people.needs_person;
    new.escalation.extend(people.escalation);
    set(&mut new.max_iterations, arguments.max_iterations);
    set(&mut new.priority, arguments.priority);
    if arguments.timeout.is_some() {
        new.deadline = None;
    }
    if !arguments.assign.is_empty() {
        new.assignees = arguments.assign;
    }
    if let Some(path) = &arguments.subject {
        new.subject = Some(input::subject(path)?);
    }
    if !arguments.option.is_empty() || arguments.kind.is_some() || new.fields.is_empty() {
        let label = new.prompt.clone().or_else(|| new.title.clone()).unwrap_or_default();
        let approval =
            new.source == Some(Source::Approval) || (new.source.is_none() && new.subject.is_some());
        new.fields = vec![field(&arguments.option, arguments.kind, &label, approval)];
    }
    if let Some(default) = &arguments.default {
        new.default = Some(read_default(&new.fields, &new.outs, default)?);
    }
    Ok((new, arguments.expect))
}

fn set<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}

/// Builds the single field that flags can ask for.
pub(crate) fn field(options: &[String], kind: Option<Kind>, label: &str, approval: bool) -> Field {
    let default_kind = match (options.is_empty(), approval) {
        (false, _) => Kind::Choice,
        (true, true) => Kind::Confirm,
        (true, false) => Kind::Text,
    };
    let kind = kind.unwrap_or(default_kind);
    let id = if kind.picks() { "choice" } else { kind.name() };
    let mut options: Vec<Opt> = options.iter().map(|text| Opt::read(text)).collect();
    if options.is_empty() && kind == Kind::Confirm {
        options = vec![Opt::new("yes", "Yes"), Opt { refuses: true, ..Opt::new("no", "No") }];
    }
    Field::offering(id, kind, short_label(label), options)
}

/// Shortens a text to a one-line label; the prompt itself stands above it.
fn short_label(text: &str) -> String {
    const LONGEST: usize = 200;
    let line = inert_line(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

pub(crate) fn read_default(fields: &[Field], outs: &[Opt], text: &str) -> Result<Values, Failure> {
    if outs.iter().any(|out| out.id == text) {
        return Ok(Values::from_iter([("out".to_owned(), json!(text))]));
    }
    let [field] = fields else {
        return Err(Failure::usage(
            "--default goes with one field; put the default of a form into its --file",
        ));
    };
    let wrong = |why: String| Failure::error(format!("default: {why}"));
    let value = if field.kind.picks() {
        match field.kind {
            Kind::Choices => choice::value_of(field, text).map_err(wrong)?,
            _ => Value::String(field.option(text).map(|option| option.id.clone()).ok_or_else(|| {
                let ids: Vec<&str> = field.options.iter().map(|option| option.id.as_str()).collect();
                wrong(format!(
                    "{:?} is not among the options: {}",
                    inert_line(text),
                    inert_line(&ids.join(", "))
                ))
            })?),
        }
    } else {
        choice::value_of(field, text).map_err(wrong)?
    };
    Ok(Values::from_iter([(field.id.clone(), value)]))
}

pub(crate) fn parse_kind(text: &str) -> Result<Kind, String> {
    let known = || Kind::ALL.map(Kind::name).join(", ");
    Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| format!("use one of {}", known()))
}

fn parse_on_timeout(text: &str) -> Result<OnTimeout, String> {
    match text {
        "expire" => Ok(OnTimeout::Expire),
        "default" => Ok(OnTimeout::Default),
        "deny" => Ok(OnTimeout::Deny),
        "cancel" => Ok(OnTimeout::Cancel),
        _ => Err("use expire, default, deny or cancel".into()),
    }
}
