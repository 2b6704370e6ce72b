//! `hold answer --where`: one answer to all matching decisions, as a preview showed them.

use std::fmt::Write as _;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Search, Status, json};
use holdpoint_engine::{AnswerItem, AnswerItems, Client, ListQuery, Role};
use serde_json::Value;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use super::{choice, show};
use crate::view_model::bulk_answer::alone;
use crate::view_model::owners::OwnerNames;
use crate::view_model::{private, wording};

/// The arguments.
pub(super) struct AnswerManyArgs {
    pub(super) filter: String,
    pub(super) choice: Vec<String>,
    pub(super) message: Option<String>,
    pub(super) by: Option<String>,
    pub(super) confirm: Option<String>,
    pub(super) json: bool,
}

pub(super) async fn run(many: AnswerManyArgs, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let search = Search::strict(&many.filter).map_err(|why| Failure::usage(format!("--where: {why}")))?;
    if search.is_empty() {
        return Err(Failure::usage("--where needs a search, e.g. source=approval"));
    }
    if many.choice.is_empty() {
        return Err(Failure::usage("missing CHOICE"));
    }
    let client = context.client(Role::Writer).await?;
    let (items, skipped) = sort(&*client, &search, &many).await?;
    if items.is_empty() {
        for (decision, why) in &skipped {
            ui.note(format!("{}: {why}", decision.id));
        }
        return Err(Failure::new(Exit::NotFound, "no pending decision matches and has this option"));
    }
    let code = code(&items)?;
    match &many.confirm {
        None => {
            let (choice, command) = (inert_line(&many.choice.join(" ")), command(&many, Some(&code)));
            let batch = Batch { items: &items, skipped: &skipped, code: &code, choice, command };
            batch.preview(&*client, many.json, ui).await?;
            Ok(Exit::StillPending)
        }
        Some(given) if *given != code => {
            Err(Failure::new(Exit::Conflict, "the matches have changed since the preview; nothing was sent")
                .hint(format!("look again: {}", command(&many, None))))
        }
        Some(_) => send(&*client, items, many.json, ui).await,
    }
}

/// Decisions, each with its answer.
pub(super) type Items = Vec<(Decision, AnswerItem)>;
type Skipped = Vec<(Decision, String)>;

/// Returns the decisions to answer, each with its answer, and those that are skipped, with the reason.
async fn sort(
    client: &dyn Client,
    search: &Search,
    many: &AnswerManyArgs,
) -> Result<(Items, Skipped), Failure> {
    let query = ListQuery {
        statuses: vec![Status::Pending],
        search: Some(search.clone()),
        limit: AnswerItems::MOST,
        ..ListQuery::default()
    };
    let (found, more) = private::list(client, query, |_| true).await?;
    if more {
        return Err(Failure::error(format!(
            "more than {} decisions match; narrow the search",
            AnswerItems::MOST
        ))
        .hint("e.g. add project=NAME or older=10m"));
    }
    let (mut items, mut skipped) = (Vec::new(), Vec::new());
    for one in found {
        // A list may omit long values.
        let decision = client.get(&one.id.to_string()).await?;
        if let Some(why) = alone(&decision) {
            skipped.push((decision, why.to_owned()));
            continue;
        }
        match choice::read(&decision, &many.choice, None, &[]) {
            Ok(typed) => {
                let answer = AnswerInput {
                    values: typed.values,
                    out: typed.out,
                    message: many.message.clone(),
                    by: many.by.clone(),
                    digest: Some(decision.digest.clone()),
                    ..AnswerInput::default()
                };
                items.push((decision.clone(), AnswerItem { id: decision.id, answer }));
            }
            Err(why) => skipped.push((decision, why.message)),
        }
    }
    Ok((items, skipped))
}

/// Returns a code for exactly these decisions in their current state, with these answers.
pub(super) fn code(items: &Items) -> Result<String, Failure> {
    let answers: Vec<&AnswerItem> = items.iter().map(|(_, item)| item).collect();
    json::code(&answers).map_err(|why| Failure::error(why.to_string()))
}

/// Returns the option that an answer chooses, in the decision's words.
fn chosen(decision: &Decision, answer: &AnswerInput) -> String {
    let is_chosen = |id: &str| {
        answer.out.as_deref() == Some(id)
            || answer.values.values().any(|value| match value {
                Value::Array(all) => all.iter().any(|one| one == id),
                one => one == id,
            })
    };
    let options = decision.fields.iter().flat_map(|field| &field.options).chain(&decision.outs);
    let worded = options.filter(|option| is_chosen(&option.id)).map(|option| {
        let refuses = if option.refuses { " (refuses)" } else { "" };
        format!("{} {}{refuses}", inert_line(&option.id), inert_line(&option.label))
    });
    worded.collect::<Vec<_>>().join(", ")
}

/// The answers to send, and the command that sends them.
pub(super) struct Batch<'a> {
    pub(super) items: &'a Items,
    pub(super) skipped: &'a [(Decision, String)],
    /// The code that identifies exactly these answers.
    pub(super) code: &'a str,
    /// The choice, in words.
    pub(super) choice: String,
    /// The command that sends it.
    pub(super) command: String,
}

impl Batch<'_> {
    /// Shows each decision in full, with its answer.
    pub(super) async fn preview(self, client: &dyn Client, json: bool, ui: &mut Ui) -> Result<(), Failure> {
        let Self { items, skipped, code, choice, command } = self;
        let decisions: Vec<Decision> = items.iter().map(|(decision, _)| decision.clone()).collect();
        let names = OwnerNames::of(client, &decisions).await;
        if json {
            let skipped: Vec<_> =
                skipped.iter().map(|(one, why)| serde_json::json!({"id": one.id, "why": why})).collect();
            let all: Vec<_> = decisions.iter().map(|decision| names.named(decision)).collect();
            return ui.json(&serde_json::json!({"confirm": code, "items": all, "skipped": skipped}));
        }
        let now = client.now().await?;
        for (decision, item) in items {
            let card = show::body(decision, names.name(decision), None, now);
            ui.line(format!("{card}\n\n→ {}\n──", chosen(decision, &item.answer)))?;
        }
        for (decision, why) in skipped {
            ui.note(format!("Left out: {} ({}): {why}", decision.id, wording::short(decision.summary(), 60)));
        }
        let many =
            if items.len() == 1 { "1 decision".to_owned() } else { format!("{} decisions", items.len()) };
        ui.note(format!(
            "Nothing was sent yet. {many} would be answered: {choice}.\nSend exactly this: {command}"
        ));
        Ok(())
    }
}

/// Returns the command that sends the same choice, with or without the code.
fn command(many: &AnswerManyArgs, code: Option<&str>) -> String {
    let quoted = |text: &str| format!("'{}'", inert_line(text).replace('\'', r"'\''"));
    let mut command = format!("hold answer --where {}", quoted(&many.filter));
    for choice in &many.choice {
        let _ = write!(command, " {}", quoted(choice));
    }
    if let Some(message) = &many.message {
        let _ = write!(command, " -m {}", quoted(message));
    }
    if let Some(by) = &many.by {
        let _ = write!(command, " --by {}", quoted(by));
    }
    if let Some(code) = code {
        let _ = write!(command, " --confirm {code}");
    }
    command
}

/// Sends each answer, and reports the result.
pub(super) async fn send(
    client: &dyn Client,
    items: Items,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let items = items.into_iter().map(|(_, item)| item).collect();
    let answered = client.answer_many(AnswerItems { items }).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    let answered = answered?;
    if json {
        ui.json(&serde_json::json!({ "items": answered }))?;
    }
    for item in answered.iter().filter(|_| !json) {
        ui.line(match &item.refused {
            None if item.status == Some(Status::Pending) => format!("Voted on {}", item.id),
            None => format!("Answered {}", item.id),
            Some(refused) => format!("Not answered: {}: {}", item.id, inert_line(&refused.detail)),
        })?;
    }
    let all = answered.iter().all(|item| item.refused.is_none());
    Ok(if all { Exit::Done } else { Exit::Conflict })
}
