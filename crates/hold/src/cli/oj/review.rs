//! `hold oj decision review`: one decision after the other, as oddjobs asks them.

use holdpoint_core::decision::number::{self, NumberMeaning};
use holdpoint_core::decision::{AnswerInput, needs_words};
use holdpoint_core::{Decision, Kind, Source, Status};
use holdpoint_engine::Client;
use holdpoint_protocols::oddjobs;

use super::subject;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::files::Files;
use crate::cli::fill::FormFiller;
use crate::cli::read_before_consent::{self, ReadOutcome};
use crate::cli::shown_digests::{self, Stream};
use crate::cli::ui::{STRONG, Ui};
use crate::cli::verdict_outcome::{carried, carrier, is_own};
use crate::cli::{answer, choice, early_keys, fill, input};
use crate::view_model::change;
use crate::view_model::owners::OwnerNames;

/// Walks through decisions; at the end reports how many were resolved and skipped.
pub(super) async fn walk(
    client: &dyn Client,
    pending: Vec<Decision>,
    names: &OwnerNames,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let total = pending.len();
    let s = if total == 1 { "" } else { "s" };
    ui.note(format!("{total} pending decision{s}"));
    let (mut resolved, mut skipped) = (0, 0);
    'decisions: for (at, listed) in pending.iter().enumerate() {
        // It may have changed or been settled since it was listed.
        let Ok(decision) = client.get(&listed.id.to_string()).await else { continue };
        if decision.status != Status::Pending {
            continue;
        }
        ui.note(format!("\n{STRONG}[{}/{total}]{STRONG:#}", at + 1));
        let diff = change::read(client, &decision).await;
        let mut files = Files::of(diff.as_deref());
        let (now, subject) = (client.now().await?, subject::with_change(&decision, diff.as_deref()));
        ui.note(oddjobs::show_with(
            &decision,
            subject.as_deref(),
            names.owner_of(&decision).as_deref(),
            now,
            None,
        ));
        shown_digests::shown(&decision, diff.as_deref(), Stream::Err, &context.home);
        loop {
            match ask(&decision, &files, ui)? {
                Reply::Quit => break 'decisions,
                Reply::Skip => {
                    skipped += 1;
                    break;
                }
                Reply::Help => {
                    let fill = if is_fillable(&decision) { "f fills in field by field; " } else { "" };
                    let turn = if files.is_empty() { "" } else { "] and [ turn from file to file; " };
                    ui.note(format!(
                        "  a number picks an option; {fill}{turn}g gives guidance; s skips; q quits"
                    ));
                }
                Reply::Turn(typed) => {
                    files.turn(&typed, ui);
                }
                Reply::Unfit(why) => ui.note(format!("  {why}")),
                Reply::Unknown(typed) => ui.note(format!("  {typed:?} is not one of the keys; ? helps")),
                Reply::Answer(mut input) => {
                    fill::needed_words(&decision, &mut input, ui)?;
                    if input.message.is_none() && needs_words(&decision, &input.values, input.out.as_deref())
                    {
                        ui.note("  Nothing was sent: say what should be different, or pick something else.");
                        continue;
                    }
                    let ReadOutcome::Send(seen) =
                        read_before_consent::ask(client, &decision, diff.as_deref(), None, &input, ui)
                            .await?
                    else {
                        continue;
                    };
                    let input = AnswerInput { seen, digest: Some(decision.digest.clone()), ..*input };
                    match client.answer(decision.id, input).await {
                        Ok(answered) => {
                            resolved += 1;
                            answer::report(&answered, false, ui)?;
                            if answered.decision.source == Source::Verdict
                                && let Err(failure) = carry_out(client, &answered.decision, context, ui).await
                            {
                                ui.failure(&failure);
                            }
                        }
                        Err(error) => {
                            skipped += 1;
                            ui.failure(&error.into());
                        }
                    }
                    break;
                }
            }
        }
    }
    for failure in client.finish().await {
        ui.warn(failure);
    }
    ui.line(format!("Done. {resolved} resolved, {skipped} skipped."))?;
    Ok(Exit::Done)
}

/// Sees a verdict through and reports its outcome, as `hold answer` does.
pub(super) async fn carry_out(
    client: &dyn Client,
    decision: &Decision,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    for failure in client.finish().await.iter().filter(|word| !is_own(decision.id, word)) {
        ui.warn(failure);
    }
    let carrier = carrier(context, client).await?;
    Ok(carried(decision, carrier, client, ui).await?.unwrap_or(Exit::Done))
}

enum Reply {
    /// Show the next file of a change, or the previous one.
    Turn(String),
    Answer(Box<AnswerInput>),
    Skip,
    Quit,
    Help,
    Unknown(String),
    Unfit(String),
}

fn ask(decision: &Decision, files: &Files<'_>, ui: &mut Ui) -> Result<Reply, Failure> {
    let count = number::entries(decision).len();
    let several = matches!(number::questions(decision).as_slice(), [field] if field.kind == Kind::Choices);
    let numbers = match count {
        0 => String::new(),
        1 => "1 picks, ".to_owned(),
        _ if several => format!("numbers pick, as in 1 {count}, "),
        count => format!("1-{count} picks, "),
    };
    let fillable = is_fillable(decision);
    let fill_key = if fillable { "f fills in, " } else { "" };
    let file_keys = if files.is_empty() { "" } else { "] [ next and previous file, " };
    let keys = format!("[{numbers}{fill_key}{file_keys}g guidance, s skip, q quit, ? help] ");
    if early_keys::forget(ui)?.is_break() {
        return Ok(Reply::Quit);
    }
    ui.prompt(&keys);
    let Some(typed) = input::line()? else {
        return Ok(Reply::Quit);
    };
    match typed.trim() {
        "" | "s" | "S" => Ok(Reply::Skip),
        "q" | "Q" | "x" | "X" => Ok(Reply::Quit),
        "?" => Ok(Reply::Help),
        turn @ ("]" | "[") if !files.is_empty() => Ok(Reply::Turn(turn.to_owned())),
        "g" | "G" => {
            ui.prompt("Guidance: ");
            let words = input::line()?.filter(|line| !line.trim().is_empty());
            Ok(words.map_or(Reply::Skip, |guidance| {
                Reply::Answer(Box::new(AnswerInput { guidance: Some(guidance), ..AnswerInput::default() }))
            }))
        }
        "f" | "F" if fillable => {
            Ok(fill::fill(decision, ui)?.map_or(Reply::Skip, |input| Reply::Answer(Box::new(input))))
        }
        typed => match picked(typed, count, several) {
            None => Ok(Reply::Unknown(typed.to_owned())),
            Some(numbers) => pick(decision, &numbers, ui),
        },
    }
}

/// Returns whether there is more to fill in than a single pick.
fn is_fillable(decision: &Decision) -> bool {
    decision.fields.len() > 1 || decision.fields.iter().any(|field| !field.kind.picks() || field.custom)
}

/// Parses a number, or several where several may be chosen.
fn picked(typed: &str, count: usize, several: bool) -> Option<Vec<usize>> {
    let mut words = typed.split([' ', ',']).filter(|word| !word.is_empty());
    let number = |word: &str| word.parse().ok().filter(|number| (1..=count).contains(number));
    let numbers: Vec<usize> = words.by_ref().map(number).collect::<Option<_>>()?;
    (numbers.len() == 1 || (several && !numbers.is_empty())).then_some(numbers)
}

fn pick(decision: &Decision, numbers: &[usize], ui: &mut Ui) -> Result<Reply, Failure> {
    let entries = number::entries(decision);
    let means =
        |number: &usize| number.checked_sub(1).and_then(|at| entries.get(at)).map(|entry| entry.means);
    if numbers.iter().any(|number| means(number) == Some(NumberMeaning::Other)) {
        return pick_with_words(decision, numbers, ui);
    }
    let of_a_field = |number: &usize| !matches!(means(number), Some(NumberMeaning::Out(_)));
    if number::questions(decision).len() > 1 && numbers.iter().all(of_a_field) {
        // Keeps what was picked, and asks only for the rest.
        let filling =
            numbers.iter().fold(FormFiller::new(decision), |filling, number| filling.picked(*number));
        let filled = fill::fill_rest(filling, ui)?;
        return Ok(filled.map_or(Reply::Skip, |input| Reply::Answer(Box::new(input))));
    }
    let typed: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match choice::read(decision, &typed, None, &[]) {
        Ok(choice::TypedAnswer { values, out }) => {
            // A required message is asked for separately, later.
            let needed = needs_words(decision, &values, out.as_deref());
            let message = if needed { None } else { fill::message(ui)? };
            Ok(Reply::Answer(Box::new(AnswerInput { values, out, message, ..AnswerInput::default() })))
        }
        Err(failure) => Ok(Reply::Unfit(failure.message)),
    }
}

/// Handles numbers of which one stands for a written answer.
fn pick_with_words(decision: &Decision, numbers: &[usize], ui: &mut Ui) -> Result<Reply, Failure> {
    let message = fill::message(ui)?;
    match oddjobs::resolve(decision, numbers, message.as_deref()) {
        Ok(input) => Ok(Reply::Answer(Box::new(input))),
        Err(unfit) => Ok(Reply::Unfit(unfit.to_string())),
    }
}
