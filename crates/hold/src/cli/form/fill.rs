//! `hold form fill`: the conversation at the terminal. It is stored with the draft of a form decision.

use std::collections::BTreeMap;

use holdpoint_core::decision::{AnswerInput, Revision};
use holdpoint_core::text::{inert, quote};
use holdpoint_core::{DecisionId, Values};
use holdpoint_engine::llm::{self, Reader};
use holdpoint_engine::{Client, Role, Settings, tools};
use holdpoint_protocols::action::conversation::{self, FormOutcome, State, Turn};
use holdpoint_protocols::action::form::Form;
use holdpoint_protocols::action::{Action, ReaderResult, ToolResult};
use jiff::tz::TimeZone;
use serde_json::json;

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::ui::{self, Ui};
use crate::view_model::wrap::wrap;

/// Talks until the form is sent or the person stops; a stopped form is withdrawn.
pub(super) async fn run(
    form: Form,
    context: &Context,
    project: &str,
    tools: &[String],
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let forms = Settings::load(&context.home.config())?.forms;
    let reader = llm::reader(forms.model.as_ref())?;
    let mut commands = forms.tools;
    for tool in tools {
        let (name, command) = tool
            .split_once('=')
            .filter(|(name, command)| !name.trim().is_empty() && !command.trim().is_empty())
            .ok_or_else(|| Failure::usage(format!("--tool takes NAME=COMMAND, not {}", quote(tool))))?;
        commands.insert(name.trim().to_owned(), command.to_owned());
    }
    let client = context.client(Role::Writer).await?;
    let now = client.now().await?;
    let chat = format!("terminal-{}-{}", now.as_millis(), std::process::id());
    let decision = client.create(form.opening(project, &chat), None).await?.decision;
    let form = Form { fields: decision.fields.clone(), ..form };
    let sent =
        talk(&*client, decision.id, form, &Readers { reader: &*reader, commands: &commands }, ui).await;
    match sent {
        Ok(Some(values)) => {
            ui.json(&values)?;
            Ok(Exit::Done)
        }
        Ok(None) => {
            client.cancel(decision.id, Some("not sent".into())).await?;
            ui.note("Not sent.");
            Ok(Exit::NoAnswer)
        }
        Err(failure) => {
            let _ = client.cancel(decision.id, Some("not sent".into())).await;
            Err(failure)
        }
    }
}

/// Interprets what the person means, and looks up what there is to choose from.
struct Readers<'a> {
    reader: &'a dyn Reader,
    commands: &'a BTreeMap<String, String>,
}

async fn talk(
    client: &dyn Client,
    id: DecisionId,
    mut form: Form,
    readers: &Readers<'_>,
    ui: &mut Ui,
) -> Result<Option<Values>, Failure> {
    let (mut state, mut values) = (State::default(), Values::new());
    // The person is at this machine, so its time zone is theirs.
    let zone = TimeZone::try_system().unwrap_or(TimeZone::UTC);
    let mut turn = Turn::default();
    loop {
        let now = client.now().await?;
        let clock = jiff::Timestamp::from_millisecond(now.as_millis())
            .map_err(|why| Failure::error(why.to_string()))?;
        let clock = zone.to_datetime(clock);
        let heard = conversation::take_turn(&form, &state, &values, &turn);
        let understood = match heard.briefing(clock, &zone) {
            Some(briefing) => readers.reader.read(&briefing).await,
            None => ReaderResult::default(),
        };
        let outcome = heard.answer(&understood);
        if !outcome.options.is_empty() {
            for (id, options) in outcome.options {
                if let Some(field) = form.fields.iter_mut().find(|field| field.id == id) {
                    field.options = options;
                }
            }
            let revision = Revision { fields: Some(form.fields.clone()), ..Revision::default() };
            client.revise(id, revision).await?;
        }
        if outcome.values != values {
            client.draft(id, outcome.values.clone()).await?;
        }
        (state, values) = (outcome.state, outcome.values);
        if let Action::ToolCall { tool_name, tool_args, message } = &outcome.action {
            let result = if let Some(command) = readers.commands.get(tool_name) {
                say(message, ui);
                tools::run(command, tool_args).await
            } else {
                let name = quote(tool_name);
                json!({ "error": format!("the list comes from the tool {name}, which is not available here; name a command for it with --tool") })
            };
            let tool_results = vec![ToolResult { tool_name: Some(tool_name.clone()), result }];
            turn = Turn { tool_results, ..Turn::default() };
            continue;
        }
        match outcome.wish {
            Some(FormOutcome::Cancel) => return Ok(None),
            Some(FormOutcome::Send) => return send(client, id, values).await.map(Some),
            Some(FormOutcome::Keep) | None => {}
        }
        let complete = matches!(outcome.action, Action::FormComplete { .. }) && !values.is_empty();
        show(&outcome.action, ui);
        ui.prompt(if complete { "Enter to send, or say what to change: " } else { "> " });
        let Some(line) = input::line()? else { return Ok(None) };
        if complete && line.trim().is_empty() {
            return send(client, id, values).await.map(Some);
        }
        turn = Turn { text: line, ..Turn::default() };
    }
}

async fn send(client: &dyn Client, id: DecisionId, values: Values) -> Result<Values, Failure> {
    let input = AnswerInput { values: values.clone(), ..AnswerInput::default() };
    client.answer(id, input).await?;
    Ok(values)
}

fn show(action: &Action, ui: &mut Ui) {
    say(action.said(), ui);
    if let Action::AskDropdown(asking) | Action::AskCheckbox(asking) = action {
        for (at, option) in asking.options.iter().enumerate() {
            ui.note(format!("  {}  {}", at + 1, inert(option)));
        }
    }
}

/// Prints text wrapped to the terminal's width.
fn say(text: &str, ui: &mut Ui) {
    let text = inert(text);
    match ui::width() {
        Some(width) => wrap(&text, width, usize::MAX).lines.iter().for_each(|line| ui.note(line)),
        None => ui.note(text),
    }
}
