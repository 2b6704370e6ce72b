//! `hold aitp thread create`

use holdpoint_core::json;
use holdpoint_engine::Role;
use holdpoint_protocols::aitp::Capability;
use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::ui::Ui;

/// Open a thread, and print its id
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// An AITP request to open a thread: a file, or - for standard input
    file: Option<String>,
    /// A participant and what they understand: numbers of capabilities or addresses of schemas, e.g. shop=01,02;
    /// repeatable
    #[arg(long, value_name = "ID[=CAPABILITY,…]", value_parser = parse_actor)]
    actor: Vec<Value>,
    /// Assign its decisions to this person; repeatable
    #[arg(long, value_name = "WHO")]
    assign: Vec<String>,
    /// A first message; repeatable
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    /// The project
    #[arg(long)]
    project: Option<String>,
    /// Open only one thread with this key, however often this is run
    #[arg(long, value_name = "IDEMPOTENCY")]
    key: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let mut body = match &arguments.file {
        Some(path) => json::parse_strict(&input::text(path)?)
            .map_err(|why| Failure::error(format!("{path} is not JSON: {why}")))?,
        None => json!({ "metadata": {} }),
    };
    if !arguments.actor.is_empty() {
        body["metadata"]["actors"] = arguments.actor.into();
    }
    if !arguments.assign.is_empty() {
        body["metadata"]["assignees"] = json!(arguments.assign);
    }
    if !arguments.text.is_empty() {
        body["messages"] = json!(arguments.text);
    }
    let said = body.pointer("/metadata/project").and_then(Value::as_str);
    let project = context.project(arguments.project.as_deref().or(said));
    let thread = client.create_thread(body, Some(&project), arguments.key).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    let thread = thread?;
    if arguments.json {
        ui.json(&thread)?;
    } else {
        ui.line(&thread.id)?;
    }
    Ok(Exit::Done)
}

/// Reads `shop=01,02`.
fn parse_actor(text: &str) -> Result<Value, String> {
    let (id, capabilities) = text.split_once('=').unwrap_or((text, ""));
    if id.is_empty() {
        return Err("use ID, or ID=CAPABILITY,…".into());
    }
    let address = |named: &str| {
        if named.contains("://") {
            return Ok(named.to_owned());
        }
        let start = format!("aitp-{:0>2}-", named.trim_start_matches("aitp-"));
        let known = Capability::ALL.into_iter().find(|capability| capability.name().starts_with(&start));
        known
            .map(Capability::schema)
            .ok_or_else(|| format!("{named:?} is not a capability; use 01 to 05, or the address of a schema"))
    };
    let named = capabilities.split(',').map(str::trim).filter(|named| !named.is_empty());
    let capabilities = named.map(address).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "id": id, "capabilities": capabilities }))
}
