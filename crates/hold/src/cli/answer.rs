//! `hold answer`

use std::fmt::Write as _;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Refusal, Source, Status, form};
use holdpoint_engine::{AnswerBody, Answered, Role};

use super::answer_many::{self, AnswerManyArgs};
use super::context::Context;
use super::failure::{Exit, Failure};
use super::read_before_consent::{self, ReadOutcome};
use super::shown_digests::{self, Consent, Stream};
use super::ui::{self, Ui};
use super::verdict_outcome::{carried, carrier, is_own};
use super::{choice, fill, holding, input, show};
use crate::view_model::owners::OwnerNames;
use crate::view_model::{self, change, identical, vote_progress, wording};

/// Answer a decision, or send it back with guidance
///
/// CHOICE is an option's id, its number, or a prefix of its label. Without CHOICE, asks field by field on a
/// terminal. A form that was filled in elsewhere is sent as it is; --set changes single fields.
///
/// If the decision has a subject that this terminal has not shown, shows it first and asks you to confirm. Without
/// a terminal, pass the --digest of what you saw.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    #[arg(required_unless_present = "filter")]
    id: Option<String>,
    /// The choice
    choice: Vec<String>,
    /// Answer in your own words, if the field accepts them
    #[arg(long, allow_hyphen_values = true)]
    text: Option<String>,
    /// Add a message to the answer
    #[arg(short, long, allow_hyphen_values = true)]
    message: Option<String>,
    /// Say what should be different instead of choosing, and open another round
    #[arg(long, allow_hyphen_values = true, value_name = "TEXT", conflicts_with_all = ["choice", "text", "message", "set", "patchset"])]
    guidance: Option<String>,
    /// Answer one field; repeatable
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    /// The number of the patch set that a verdict commits; short for --set patchset=N
    #[arg(long, value_name = "N")]
    patchset: Option<usize>,
    /// The digest of what you saw; the answer is refused if the decision has changed since
    #[arg(long)]
    digest: Option<String>,
    /// Approve without reading the whole subject; recorded with the answer
    #[arg(long)]
    unread: bool,
    /// Also answer all pending identical questions to the same people
    #[arg(long, conflicts_with = "guidance")]
    same: bool,
    /// Answer all pending decisions that match, by words and KEY=VALUE as in hold list. Shows each, and prints the
    /// command that sends exactly these answers
    #[arg(long = "where", id = "filter", value_name = "FILTER",
        conflicts_with_all = ["text", "guidance", "set", "patchset", "digest", "unread", "same"])]
    filter: Option<String>,
    /// Send what a preview of --where showed, if nothing has changed
    #[arg(long, value_name = "CODE", requires = "filter")]
    confirm: Option<String>,
    /// The person who answers
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(filter) = arguments.filter {
        let Arguments { id, choice, message, by, confirm, json, .. } = arguments;
        // Without an id, the first word is part of the choice.
        let choice = id.into_iter().chain(choice).collect();
        return answer_many::run(AnswerManyArgs { filter, choice, message, by, confirm, json }, context, ui)
            .await;
    }
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id.unwrap_or_default()).await?;
    let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
    let has_digest = arguments.digest.is_some();
    let mut input = AnswerInput {
        message: arguments.message,
        guidance: arguments.guidance,
        digest: arguments.digest,
        by: arguments.by,
        seen: arguments.unread.then_some(false),
        ..AnswerInput::default()
    };
    let chosen_set = arguments.patchset.map(|number| format!("patchset={number}"));
    let sets: Vec<String> = arguments.set.into_iter().chain(chosen_set).collect();
    let nothing = arguments.choice.is_empty() && arguments.text.is_none() && sets.is_empty();
    if nothing
        && input.message.is_none()
        && input.guidance.is_none()
        && ui::is_interactive()
        && decision.status == Status::Pending
    {
        let diff = change::read(&*client, &decision).await;
        ui.note(show::card_named(&decision, names.name(&decision), diff.as_deref(), client.now().await?));
        shown_digests::shown(&decision, diff.as_deref(), Stream::Err, &context.home);
        let filled = match confirmed(&decision, ui)? {
            FormConfirmation::AsItIs => Some(AnswerInput::default()),
            FormConfirmation::No => None,
            FormConfirmation::AskOn => fill::fill(&decision, ui)?,
        };
        let Some(filled) = filled else {
            ui.note(format!("Nothing was sent; {} is still pending.", decision.id));
            return Ok(Exit::StillPending);
        };
        input =
            AnswerInput { by: input.by, seen: input.seen, digest: Some(decision.digest.clone()), ..filled };
    } else if !nothing {
        let typed = choice::read(&decision, &arguments.choice, arguments.text.as_deref(), &sets);
        let typed = typed.map_err(|failure| settled_first(&decision, failure))?;
        (input.values, input.out) = (typed.values, typed.out);
    }
    if is_filled(&decision) && input.out.is_none() && input.guidance.is_none() {
        // Values from a conversation or a saved form count, unless this command overrides them.
        let mut values = decision.draft.clone();
        values.extend(std::mem::take(&mut input.values));
        let kept = form::accept_draft(&decision.fields, &values).values;
        values.retain(|id, _| kept.contains_key(id));
        input.values = values;
    }
    names_patchset(&decision, &input, |id| format!("commit --patchset {id}"))?;
    if sets.iter().any(|set| set.starts_with("patchset=")) {
        takes_patchset(&decision, &input)?;
    }
    if ui::is_interactive() {
        fill::needed_words(&decision, &mut input, ui)?;
    }
    let now = client.now().await?;
    // A diff that scrolls by is read only by a person at a terminal.
    let chosen = view_model::read_before_consent::committed(&decision, &input.values).map(str::to_owned);
    let number = chosen.as_deref().and_then(|chosen| chosen.parse().ok()).unwrap_or(0);
    let diff = if ui::is_interactive() { change::read_set(&*client, &decision, number).await } else { None };
    let is_shown = std::cell::Cell::new(false);
    let card = || {
        is_shown.set(true);
        let mut card = show::card_named(&decision, names.name(&decision), diff.as_deref(), now);
        // The card suggests one patch set, and this answer may commit another.
        if let Some(chosen) = &chosen {
            let shown = if diff.is_some() { ", the one shown here" } else { "" };
            let _ = write!(card, "\n\nYour answer commits patch set {chosen}{shown}.");
        }
        card
    };
    match shown_digests::consent(&decision, input.digest.take(), card, diff.as_deref(), context, ui)? {
        Consent::Send(digest) => input.digest = digest,
        Consent::Withheld => return Ok(Exit::StillPending),
    }
    // A digest on the command line does not tell what was on this screen.
    if !has_digest {
        let patchset = chosen.as_deref().filter(|_| is_shown.get());
        match read_before_consent::ask(&*client, &decision, diff.as_deref(), patchset, &input, ui).await? {
            ReadOutcome::Send(seen) => input.seen = seen,
            ReadOutcome::Back => {
                ui.note(format!("Nothing was sent; {} is still pending.", decision.id));
                return Ok(Exit::StillPending);
            }
        }
    }
    if arguments.same {
        let same = identical::of(&*client, &decision).await?;
        input.same = same.iter().map(|other| other.id).collect();
    }
    let by = input.by.clone();
    let answered = client.answer(decision.id, input).await;
    // The outcome of this verdict is reported once, at the end.
    let (own, others): (Vec<_>, Vec<_>) =
        client.finish().await.into_iter().partition(|word| is_own(decision.id, word));
    for failure in others {
        ui.warn(failure);
    }
    let answered = answered?;
    // From here on, Ctrl-C ends the wait for the verdict's outcome, and that is reported.
    let carrier = match decision.source {
        Source::Verdict => Some(carrier(context, &*client).await?),
        _ => None,
    };
    warn_of_name(by.as_deref(), &answered, ui);
    report(&answered, arguments.json, ui)?;
    let ended = match carrier {
        Some(carrier) => carried(&answered.decision, carrier, client.as_ref(), ui).await?,
        None => None,
    };
    if ended.is_none() {
        for failure in own {
            ui.warn(failure);
        }
    }
    Ok(ended.unwrap_or(Exit::Done))
}

/// Refuses a commit that does not say which of several patch sets it means, with the commands that do.
/// `how` returns what such a command says after the decision.
pub(crate) fn names_patchset(
    decision: &Decision,
    input: &AnswerInput,
    how: impl Fn(&str) -> String,
) -> Result<(), Failure> {
    let commits = input.values.get("verdict").is_some_and(|verdict| verdict == "commit");
    let offered = decision.field("patchset").filter(|_| decision.source == Source::Verdict && commits);
    let open = offered.filter(|field| field.options.len() > 1 && !input.values.contains_key(&field.id));
    let Some(field) = open.filter(|_| decision.status == Status::Pending) else { return Ok(()) };
    let failure = Failure::error(format!("which patch set? There are {}", field.options.len()));
    let hint = |option: &holdpoint_core::Opt| {
        let (id, label) = (inert_line(&option.id), inert_line(&option.label));
        format!("hold answer {} {}   ({label})", decision.id, how(&id))
    };
    Err(field.options.iter().rev().map(hint).fold(failure, Failure::hint))
}

/// Refuses a patch set with a verdict that does not take one: it would be dropped, and the verdict is final.
pub(crate) fn takes_patchset(decision: &Decision, input: &AnswerInput) -> Result<(), Failure> {
    let verdict = input.values.get("verdict").and_then(serde_json::Value::as_str);
    match verdict.filter(|_| decision.source == Source::Verdict) {
        Some(verdict) if verdict != "commit" => Err(Failure::usage(format!(
            "only commit takes a patch set; {} is about the last one",
            inert_line(verdict)
        ))),
        _ => Ok(()),
    }
}

/// Returns whether a form has been filled in elsewhere, as far as the person who answers may see.
fn is_filled(decision: &Decision) -> bool {
    decision.source == Source::Form && decision.status == Status::Pending && !decision.draft.is_empty()
}

/// Shows the values of a form that is complete, and asks whether to send it; continues to ask if it is not.
fn confirmed(decision: &Decision, ui: &mut Ui) -> Result<FormConfirmation, Failure> {
    if !is_filled(decision) {
        return Ok(FormConfirmation::AskOn);
    }
    for (id, value) in &decision.draft {
        ui.note(format!("  {}: {}", inert_line(id), inert_line(&value.to_string())));
    }
    let visible = form::visible(&decision.fields, &decision.draft);
    if visible.iter().any(|field| field.required && !decision.draft.contains_key(&field.id)) {
        return Ok(FormConfirmation::AskOn);
    }
    ui.prompt("Enter to send it as it is, n to leave it: ");
    let sends = |line: String| matches!(line.trim().to_lowercase().as_str(), "" | "y" | "yes");
    Ok(if input::line()?.is_some_and(sends) { FormConfirmation::AsItIs } else { FormConfirmation::No })
}

/// The person's reply to a form that was filled in elsewhere.
enum FormConfirmation {
    AsItIs,
    No,
    /// Something is missing, or nothing was filled in: ask the rest.
    AskOn,
}

/// Warns that a name was ignored: a server that authenticates callers records their own name.
pub(crate) fn warn_of_name(by: Option<&str>, answered: &Answered, ui: &mut Ui) {
    let decision = &answered.decision;
    // A vote that is not the last one does not settle the decision.
    let recorded = match &decision.answer {
        Some(answer) => Some(&answer.by),
        None => decision.votes.last().map(|vote| &vote.by),
    };
    let recorded = recorded.filter(|_| !answered.replayed);
    if let (Some(by), Some(name)) = (by.map(str::trim), recorded)
        && name != by
    {
        let (name, by) = (inert_line(name), inert_line(by));
        ui.warn(format!("recorded as {name}: the server knows who you are, so --by {by} was not used"));
    }
}

/// Reports what was recorded.
pub(crate) fn report(answered: &Answered, json: bool, ui: &mut Ui) -> Result<(), Failure> {
    let decision = &answered.decision;
    if json {
        return ui.json(&AnswerBody { decision: decision.clone(), same: answered.same.clone() });
    }
    let answer = decision.answer.as_ref();
    let by = answer.map(|answer| holdpoint_core::text::inert_line(&answer.by)).unwrap_or_default();
    match (&answered.next, answered.replayed) {
        (Some(next), _) => {
            ui.line(format!("Sent back with guidance; round {} is {}", next.iteration, next.id))
        }
        (None, _) if let Some(voted) = vote_progress::voted(decision) => {
            ui.line(format!("{}: {voted}", decision.id))
        }
        (None, true) => ui.line(format!("{} had this answer already, from {by}", decision.id)),
        (None, false) => {
            let what = holding::outcome_in_words(decision);
            let what = if what.is_empty() { what } else { format!(": {what}") };
            ui.line(format!("Answered {}{what}", decision.id))
        }
    }?;
    if let Some(others) = identical::outcome(&answered.same) {
        ui.line(wording::sentence(&others))?;
    }
    Ok(())
}

/// Reports that a settled decision is settled, before any other error.
fn settled_first(decision: &Decision, failure: Failure) -> Failure {
    if decision.status == Status::Pending {
        failure
    } else {
        Refusal::Settled(Box::new(decision.clone())).into()
    }
}
