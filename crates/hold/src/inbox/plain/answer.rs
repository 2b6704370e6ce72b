//! One decision, line by line: it is read out, answered by number or filled in, and sent.

use holdpoint_core::decision::{AnswerInput, consents_to_subject, needs_words};
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, DecisionId, Status};

use super::input::{LineInput, PlainInbox, WatchedDecision};
use super::pick::pick;
use crate::cli::failure::Failure;
use crate::cli::files::Files;
use crate::cli::fill::{self, FormFiller, LineResult};
use crate::cli::shown_digests;
use crate::cli::ui::is_interactive;
use crate::inbox::card::Card;
use crate::inbox::events::AnswerRefusal;
use crate::inbox::{pager, update, view, work};
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::verdict_commit::{LOOKED_AT, landed};
use crate::view_model::{change, identical, read_before_consent, vote_progress, wording};

/// What the person said to do.
pub(super) enum Instruction {
    Send(Box<AnswerInput>),
    /// Nothing, for now.
    Nothing,
    /// The input has ended.
    End,
}

/// The outcome of reading a decision out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadOutOutcome {
    Answered,
    /// The person left it as it is.
    Left,
    /// It no longer exists.
    Gone,
    /// The person wants to quit.
    Quit,
}

/// Reads a decision out and does with it what the person says.
pub(super) async fn decide(inbox: &mut PlainInbox<'_>, id: DecisionId) -> Result<ReadOutOutcome, Failure> {
    loop {
        let Some((card, watched)) = open(inbox, id).await? else { return Ok(ReadOutOutcome::Gone) };
        if let Some(became) = with(inbox, &card, watched).await? {
            return Ok(became);
        }
    }
}

/// Carries out the person's choice for a decision; none if it must be read out again.
async fn with(
    inbox: &mut PlainInbox<'_>,
    card: &Card,
    mut watched: WatchedDecision,
) -> Result<Option<ReadOutOutcome>, Failure> {
    let mut files = Files::of(card.diff.as_deref());
    loop {
        let LineInput::Line(typed) = inbox.line("decision> ", Some(&mut watched)).await? else {
            return Ok(Some(ReadOutOutcome::Quit));
        };
        let said = match typed.trim() {
            "q" => return Ok(Some(ReadOutOutcome::Quit)),
            "u" | "n" => return Ok(Some(ReadOutOutcome::Left)),
            "" => Instruction::Nothing,
            "?" => {
                inbox.ui.line(inbox.flow.help())?;
                Instruction::Nothing
            }
            "c" => return Ok(None),
            "]" | "[" if !files.is_empty() => {
                files.turn(&typed, inbox.ui);
                Instruction::Nothing
            }
            "p" => tell(inbox, Some(update::prompt(card)), "")?,
            "s" => tell(inbox, update::subject(card), "It has no subject.")?,
            "d" => tell(inbox, view::rounds::in_full(card), "There are no earlier rounds.")?,
            "i" => tell(inbox, Some(update::details(card)), "")?,
            "f" => fill_in(inbox, &card.decision, FormFiller::new(&card.decision), &mut watched).await?,
            "g" => guide(inbox, &card.decision, &mut watched).await?,
            text => pick(inbox, &card.decision, &typed_or_recent(card, text), &mut watched).await?,
        };
        match said {
            Instruction::Nothing => {}
            Instruction::End => return Ok(Some(ReadOutOutcome::Quit)),
            Instruction::Send(input) => {
                let Some(input) = reading(inbox, card, input, &mut watched).await? else { continue };
                if send(inbox, card, *input, &watched).await? {
                    return Ok(Some(ReadOutOutcome::Answered));
                }
            }
        }
    }
}

/// Returns what was typed; for 0, the numbers of the person's recent answer to the same question.
fn typed_or_recent(card: &Card, typed: &str) -> String {
    match &card.again {
        Some(again) if typed == "0" && !again.numbers.is_empty() => {
            again.numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        _ => typed.to_owned(),
    }
}

/// Reads a decision and reads it out; none if it no longer exists.
async fn open(
    inbox: &mut PlainInbox<'_>,
    id: DecisionId,
) -> Result<Option<(Card, WatchedDecision)>, Failure> {
    match work::open(&*inbox.worker.client, id).await {
        Ok((decision, rounds)) => {
            inbox.now = inbox.worker.client.now().await?;
            let blocked = (decision.status != Status::Pending).then(|| wording::settled_meanwhile(&decision));
            let watched = WatchedDecision { id, digest: decision.digest.clone(), blocked };
            let diff = change::read(&*inbox.worker.client, &decision).await;
            let name = inbox.worker.name(&decision).await;
            let mut card = Card::new(decision, rounds, diff, name);
            card.same = identical::of(&*inbox.worker.client, &card.decision).await.unwrap_or_default();
            card.again = inbox.worker.recent_answer(&card.decision).await;
            inbox.ui.line(view::as_text(&card, inbox.now))?;
            let home = &inbox.worker.home;
            shown_digests::shown(&card.decision, card.diff.as_deref(), shown_digests::Stream::Out, home);
            if let Some(why) = &watched.blocked {
                inbox.ui.line(why)?;
            }
            inbox.forget_lines().await?;
            Ok(Some((card, watched)))
        }
        Err(error) => {
            inbox.ui.line(wording::sentence(&error.to_string()))?;
            Ok(None)
        }
    }
}

/// Determines whether the subject was read, for a consent; asks if it is longer than the screen. None if the person
/// goes back.
async fn reading(
    inbox: &mut PlainInbox<'_>,
    card: &Card,
    mut input: Box<AnswerInput>,
    watched: &mut WatchedDecision,
) -> Result<Option<Box<AnswerInput>>, Failure> {
    let decision = &card.decision;
    let consents = consents_to_subject(decision, &input.values, input.out.as_deref());
    let Some(subject) = card.subject.as_ref().filter(|_| consents) else { return Ok(Some(input)) };
    if !is_interactive() {
        inbox.ui.line(read_before_consent::nobody_reads(decision))?;
        return Ok(None);
    }
    let mut subject = subject.text().to_owned();
    let another = read_before_consent::another_is_shown(decision, &input.values, "");
    if let Some(why) = &another {
        let chosen = read_before_consent::committed(decision, &input.values).unwrap_or_default();
        let diff = change::read_set(&*inbox.worker.client, decision, chosen.parse().unwrap_or(0))
            .await
            .map(|diff| inert(&diff));
        let Some(diff) = diff else {
            let question = format!("{why}. u approve unread, Enter back: ");
            let LineInput::Line(line) = inbox.line(&question, Some(watched)).await? else { return Ok(None) };
            input.seen = Some(false);
            return Ok((line.trim() == "u").then_some(input));
        };
        inbox.ui.line(format!("Patch set {chosen}, which you chose:\n{diff}"))?;
        subject = diff;
    }
    input.seen = Some(true);
    let Some(lines) = read_before_consent::longer_than(&subject, crossterm::terminal::size()?) else {
        if another.is_none() {
            return Ok(Some(input));
        }
        let question = "Send? [y/N] ";
        let LineInput::Line(line) = inbox.line(question, Some(watched)).await? else { return Ok(None) };
        return Ok((line.trim() == "y").then_some(input));
    };
    let LineInput::Line(line) =
        inbox.line(&read_before_consent::question(decision, lines), Some(watched)).await?
    else {
        return Ok(None);
    };
    input.seen = Some(line.trim() == "r");
    Ok(matches!(line.trim(), "r" | "u").then_some(input))
}

fn tell(inbox: &mut PlainInbox<'_>, text: Option<pager::Pager>, none: &str) -> Result<Instruction, Failure> {
    match text {
        Some(text) => inbox.ui.line(format!("{}:\n{}", text.title, text.text()))?,
        None => inbox.ui.line(none)?,
    }
    Ok(Instruction::Nothing)
}

pub(super) async fn with_message(
    inbox: &mut PlainInbox<'_>,
    decision: &Decision,
    mut input: AnswerInput,
    watched: &mut WatchedDecision,
) -> Result<Instruction, Failure> {
    let needed = needs_words(decision, &input.values, input.out.as_deref());
    let prompt =
        if needed { fill::REVISION } else { "Message, or Enter to send without one (u goes back): " };
    match inbox.line(prompt, Some(watched)).await? {
        LineInput::End => Ok(Instruction::End),
        LineInput::Line(line) if line.trim() == "u" => Ok(Instruction::Nothing),
        LineInput::Line(line) if needed && line.trim().is_empty() => {
            inbox.ui.line("Nothing was sent: say what should be different, or pick something else.")?;
            Ok(Instruction::Nothing)
        }
        LineInput::Line(line) => {
            input.message = Some(line).filter(|line| !line.trim().is_empty());
            Ok(Instruction::Send(Box::new(input)))
        }
    }
}

pub(super) async fn fill_in(
    inbox: &mut PlainInbox<'_>,
    decision: &Decision,
    mut filling: FormFiller<'_>,
    watched: &mut WatchedDecision,
) -> Result<Instruction, Failure> {
    if let Some(outs) = filling.outs() {
        inbox.ui.line(outs)?;
    }
    while let Some(asked) = filling.asked() {
        inbox.ui.line(fill::question(asked))?;
        loop {
            let LineInput::Line(line) = inbox.line(&filling.prompt(asked), Some(watched)).await? else {
                return Ok(Instruction::End);
            };
            match filling.take(asked, &line) {
                LineResult::Next => break,
                LineResult::Again(why) if why.is_empty() => inbox.ui.line("This one must be filled in.")?,
                LineResult::Again(why) => inbox.ui.line(wording::sentence(&why))?,
                LineResult::Out(out) => {
                    let input = AnswerInput { out: Some(out), ..AnswerInput::default() };
                    return with_message(inbox, decision, input, watched).await;
                }
            }
        }
    }
    let input = AnswerInput { values: filling.given(), ..AnswerInput::default() };
    with_message(inbox, decision, input, watched).await
}

async fn guide(
    inbox: &mut PlainInbox<'_>,
    decision: &Decision,
    watched: &mut WatchedDecision,
) -> Result<Instruction, Failure> {
    match guide::of(decision) {
        ChangeRequest::No => inbox.ui.line("Changes cannot be requested here.")?,
        ChangeRequest::LastRound => inbox.ui.line(guide::LAST_ROUND)?,
        ChangeRequest::Takes(note) => {
            inbox.ui.line(note)?;
            let prompt = "What should be different? (Enter alone goes back) ";
            let LineInput::Line(line) = inbox.line(prompt, Some(watched)).await? else {
                return Ok(Instruction::End);
            };
            if !line.trim().is_empty() {
                let input = AnswerInput { guidance: Some(line), ..AnswerInput::default() };
                return Ok(Instruction::Send(Box::new(input)));
            }
        }
    }
    Ok(Instruction::Nothing)
}

/// Sends the answer and prints the outcome; returns whether the decision is done.
async fn send(
    inbox: &mut PlainInbox<'_>,
    card: &Card,
    mut input: AnswerInput,
    watched: &WatchedDecision,
) -> Result<bool, Failure> {
    if let Some(why) = &watched.blocked {
        inbox.ui.line(why)?;
        return Ok(false);
    }
    if input.guidance.is_none() {
        input.same = card.same.iter().map(|other| other.id).collect();
    }
    let input = AnswerInput { digest: Some(watched.digest.clone()), by: inbox.by.clone(), ..input };
    match inbox.worker.client.answer(card.decision.id, input).await {
        Ok(answered) => {
            inbox.ui.line(match &answered.next {
                Some(next) => format!("Changes requested; round {} is {}.", next.iteration, next.id),
                None if let Some(voted) = vote_progress::voted(&answered.decision) => format!("{voted}."),
                None => format!("Answered: {}.", wording::short(&wording::answered(&answered.decision), 200)),
            })?;
            if let Some(others) = identical::outcome(&answered.same) {
                inbox.ui.line(wording::sentence(&wording::capital(&others)))?;
            }
            inbox.rows.retain(|row| row.id != card.decision.id);
            for failure in inbox.worker.client.finish().await {
                inbox.ui.line(wording::sentence(&failure))?;
            }
            if let Some(landed) = landed(&*inbox.worker.client, &answered.decision, LOOKED_AT).await {
                inbox.ui.line(landed.unwrap_or_else(|why| why))?;
            }
            Ok(true)
        }
        Err(error) => {
            let why = match work::refused(error) {
                AnswerRefusal::Settled(settled) => {
                    format!("{}: {}.", wording::raced(&settled), wording::answered(&settled))
                }
                AnswerRefusal::Stale => wording::STALE.to_owned(),
                AnswerRefusal::Invalid(faults) => {
                    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
                }
                AnswerRefusal::Lost(why) => wording::lost(&why),
                AnswerRefusal::Other(why) => wording::sentence(&why),
            };
            inbox.ui.line(why)?;
            Ok(false)
        }
    }
}
