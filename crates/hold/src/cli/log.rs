//! `hold log`

use std::time::Duration;

use holdpoint_core::Answer;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::{FAINT, STRONG, Ui};
use crate::view_model::run::end_of;

/// Show what happened, oldest first
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Limit to this decision
    id: Option<String>,
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Start after this sequence number
    #[arg(long, default_value_t = 0)]
    after: i64,
    /// Follow new events, until Ctrl-C
    #[arg(long)]
    follow: bool,
    /// Print one JSON event per line
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let decision = match &arguments.id {
        Some(id) => Some(client.get(id).await?.id),
        None => None,
    };
    let mut after = arguments.after;
    loop {
        let page = client.events(after, decision, arguments.project.as_deref(), Duration::ZERO).await?;
        for event in &page.events {
            if arguments.json {
                ui.json_line(event)?;
            } else {
                ui.line(line(event))?;
            }
        }
        if ui.is_unread() {
            return Ok(Exit::Done);
        }
        if page.last > after {
            after = page.last;
            continue;
        }
        if !arguments.follow {
            return Ok(Exit::Done);
        }
        let more = client.events(after, decision, arguments.project.as_deref(), Duration::from_secs(3600));
        tokio::select! {
            page = more => { page?; }
            _ = tokio::signal::ctrl_c() => return Ok(Exit::Done),
        }
    }
}

fn line(event: &Map<String, Value>) -> String {
    let text = |key: &str| event.get(key).and_then(Value::as_str).map(inert_line).unwrap_or_default();
    let answer = event.get("answer").or_else(|| event.get("vote")).and_then(Value::as_object);
    let mut said: Vec<String> = Vec::new();
    if let Some(answer) = answer {
        let by = answer.get("by").and_then(Value::as_str).unwrap_or_default();
        let what = Answer::deserialize(Value::Object(answer.clone())).map(|answer| answer.brief());
        said.push(format!("{} by {by}", what.unwrap_or_default()));
    }
    if let Some(cleared) = event.get("cleared").and_then(Value::as_array) {
        let names: Vec<&str> = cleared.iter().filter_map(Value::as_str).collect();
        said.push(format!("cleared the votes of {}", names.join(", ")));
    }
    if let Some(number) = event.get("patchset").and_then(|it| it.get("sequence")?.as_u64()) {
        said.push(format!("patch set {}", number + 1));
    }
    if let Some(found) = event.get("evidence") {
        let word = |key: &str| found.get(key).and_then(Value::as_str).unwrap_or_default();
        let ended = found.get("exit_code").and_then(Value::as_i64).map(|code| format!(" exited {code}"));
        said.push(format!("{}: {}{}", word("kind"), word("tool"), ended.unwrap_or_default()));
    }
    if event.contains_key("erased") {
        said.push("(erased)".to_owned());
    }
    let named = ["message", "guidance", "reason", "superseded_by", "input"];
    let plain = ["title", "prompt", "what"];
    for key in named.into_iter().chain(plain).chain(["person", "stand_in", "by"]) {
        let value = text(key);
        if !value.is_empty() {
            said.push(if plain.contains(&key) { value } else { format!("{key}: {value}") });
        }
    }
    let said: String = inert_line(&said.join(" · ")).chars().take(120).collect();
    let id = text("id");
    let id = if text("type").starts_with("run:") { end_of(&id) } else { &id };
    let seq = event.get("seq").and_then(Value::as_i64).unwrap_or_default();
    format!(
        "{FAINT}{seq:>6}  {:<24}{FAINT:#}  {STRONG}{:<20}{STRONG:#}  {}  {said}",
        text("at"),
        text("type"),
        id
    )
}
