//! One decision, line by line: it is read out, picked from or filled in, and sent.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, DecisionId, Status};

use super::desk::{Came, Desk, Watched};
use crate::cli::fill::{self, Filling, Taken};
use crate::cli::{Failure, choice, is_interactive, seen, show};
use crate::inbox::card::Card;
use crate::inbox::news::Refused;
use crate::inbox::{pager, update, view, work};
use crate::shown::guide::{self, Guide};
use crate::shown::{change, reading, words};

/// What the person said to do.
enum Said {
    Send(Box<AnswerInput>),
    /// Nothing, for now.
    Nothing,
    /// There are no more lines.
    End,
}

/// Reads a decision out and does with it what the person says.
pub(super) async fn decide(desk: &mut Desk<'_>, id: DecisionId) -> Result<(), Failure> {
    let Some((mut card, mut watched)) = open(desk, id).await? else { return Ok(()) };
    loop {
        let prompt = format!("{}> ", card.decision.id);
        let Came::Line(typed) = desk.line(&prompt, Some(&mut watched)).await? else { return Ok(()) };
        let said = match typed.trim() {
            "u" | "q" => return Ok(()),
            "" => Said::Nothing,
            "?" => {
                desk.ui.line(super::HELP)?;
                Said::Nothing
            }
            "c" => {
                let Some(anew) = open(desk, id).await? else { return Ok(()) };
                (card, watched) = anew;
                Said::Nothing
            }
            "p" => tell(desk, Some(update::prompt(&card)), "")?,
            "s" => tell(desk, update::subject(&card), "It has no subject.")?,
            "d" => tell(desk, view::rounds::in_full(&card), "There are no earlier rounds.")?,
            "f" => fill_in(desk, &card.decision, &mut watched).await?,
            "g" => guide(desk, &card.decision, &mut watched).await?,
            text => pick(desk, &card.decision, text, &mut watched).await?,
        };
        match said {
            Said::Nothing => {}
            Said::End => return Ok(()),
            Said::Send(input) => {
                let Some(input) = reading(desk, &card, input, &mut watched).await? else { continue };
                if send(desk, &card.decision, *input, &watched).await? {
                    return Ok(());
                }
            }
        }
    }
}

/// Reads a decision and says it; nothing if it is not there any more.
async fn open(desk: &mut Desk<'_>, id: DecisionId) -> Result<Option<(Card, Watched)>, Failure> {
    match work::open(&*desk.worker.client, id).await {
        Ok((decision, rounds)) => {
            desk.now = desk.worker.client.now().await?;
            let blocked = (decision.status != Status::Pending).then(|| words::settled_meanwhile(&decision));
            let watched = Watched { id, digest: decision.digest.clone(), blocked };
            let diff = change::read(&*desk.worker.client, &decision).await;
            let card = Card::new(decision, rounds, diff);
            desk.ui.line(view::as_text(&card, desk.now))?;
            seen::shown(&card.decision, seen::Stream::Out, &desk.worker.home);
            if let Some(why) = &watched.blocked {
                desk.ui.line(why)?;
            }
            desk.forget_lines().await?;
            Ok(Some((card, watched)))
        }
        Err(error) => {
            desk.ui.line(words::sentence(&error.to_string()))?;
            Ok(None)
        }
    }
}

/// Says with a consent whether the subject was read; asks where it is longer than the screen. Nothing if the person goes
/// back.
async fn reading(
    desk: &mut Desk<'_>,
    card: &Card,
    mut input: Box<AnswerInput>,
    watched: &mut Watched,
) -> Result<Option<Box<AnswerInput>>, Failure> {
    let decision = &card.decision;
    let consents = consents_to_subject(decision, &input.values, input.out.as_deref());
    let Some(subject) = card.subject.as_ref().filter(|_| consents) else { return Ok(Some(input)) };
    if !is_interactive() {
        desk.ui.line(reading::nobody_reads(decision))?;
        return Ok(None);
    }
    input.seen = Some(true);
    let Some(lines) = reading::longer_than(subject.text(), crossterm::terminal::size()?) else {
        return Ok(Some(input));
    };
    let Came::Line(line) = desk.line(&reading::question(decision, lines), Some(watched)).await? else {
        return Ok(None);
    };
    input.seen = Some(line.trim() == "r");
    Ok(matches!(line.trim(), "r" | "u").then_some(input))
}

fn tell(desk: &mut Desk<'_>, text: Option<pager::Pager>, none: &str) -> Result<Said, Failure> {
    match text {
        Some(text) => desk.ui.line(format!("{}:\n{}", text.title, text.text()))?,
        None => desk.ui.line(none)?,
    }
    Ok(Said::Nothing)
}

async fn pick(
    desk: &mut Desk<'_>,
    decision: &Decision,
    typed: &str,
    watched: &mut Watched,
) -> Result<Said, Failure> {
    let options = show::numbered_options(decision);
    let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let Some((field, option)) = number.and_then(|at| options.get(at)) else {
        let words = holdpoint_core::text::inert_line(typed);
        desk.ui.line(format!("{words:?} is not one of the keys; ? helps"))?;
        return Ok(Said::Nothing);
    };
    let mut input = AnswerInput::default();
    match field.and_then(|id| decision.field(id)) {
        None => input.out = Some(option.id.clone()),
        Some(_) if decision.fields.len() > 1 => return fill_in(desk, decision, watched).await,
        Some(field) => {
            let value = choice::value_of(field, &option.id).map_err(Failure::error)?;
            input.values.insert(field.id.clone(), value);
        }
    }
    desk.ui.line(format!("Picked: {}.", words::short(&option.label, 200)))?;
    with_message(desk, input, watched).await
}

async fn with_message(
    desk: &mut Desk<'_>,
    mut input: AnswerInput,
    watched: &mut Watched,
) -> Result<Said, Failure> {
    let prompt = "Message, or Enter to send without one (u goes back): ";
    match desk.line(prompt, Some(watched)).await? {
        Came::End => Ok(Said::End),
        Came::Line(line) if line.trim() == "u" => Ok(Said::Nothing),
        Came::Line(line) => {
            input.message = Some(line).filter(|line| !line.trim().is_empty());
            Ok(Said::Send(Box::new(input)))
        }
    }
}

async fn fill_in(desk: &mut Desk<'_>, decision: &Decision, watched: &mut Watched) -> Result<Said, Failure> {
    let mut filling = Filling::new(decision);
    if let Some(outs) = filling.outs() {
        desk.ui.line(outs)?;
    }
    while let Some(asked) = filling.asked() {
        desk.ui.line(fill::question(asked))?;
        loop {
            let Came::Line(line) = desk.line(&filling.prompt(asked), Some(watched)).await? else {
                return Ok(Said::End);
            };
            match filling.take(asked, &line) {
                Taken::Next => break,
                Taken::Again(why) if why.is_empty() => desk.ui.line("This one must be filled in.")?,
                Taken::Again(why) => desk.ui.line(words::sentence(&why))?,
                Taken::Out(out) => {
                    let input = AnswerInput { out: Some(out), ..AnswerInput::default() };
                    return with_message(desk, input, watched).await;
                }
            }
        }
    }
    let input = AnswerInput { values: filling.given(), ..AnswerInput::default() };
    with_message(desk, input, watched).await
}

async fn guide(desk: &mut Desk<'_>, decision: &Decision, watched: &mut Watched) -> Result<Said, Failure> {
    match guide::of(decision) {
        Guide::No => desk.ui.line("No changes can be asked for here.")?,
        Guide::LastRound => desk.ui.line(guide::LAST_ROUND)?,
        Guide::Takes(note) => {
            desk.ui.line(note)?;
            let prompt = "What should be different? (Enter alone goes back) ";
            let Came::Line(line) = desk.line(prompt, Some(watched)).await? else { return Ok(Said::End) };
            if !line.trim().is_empty() {
                let input = AnswerInput { guidance: Some(line), ..AnswerInput::default() };
                return Ok(Said::Send(Box::new(input)));
            }
        }
    }
    Ok(Said::Nothing)
}

/// Sends, and says what came of it; returns whether the decision is done with.
async fn send(
    desk: &mut Desk<'_>,
    decision: &Decision,
    input: AnswerInput,
    watched: &Watched,
) -> Result<bool, Failure> {
    if let Some(why) = &watched.blocked {
        desk.ui.line(why)?;
        return Ok(false);
    }
    let input = AnswerInput { digest: Some(watched.digest.clone()), by: desk.by.clone(), ..input };
    match desk.worker.client.answer(decision.id, input).await {
        Ok(answered) => {
            desk.ui.line(match &answered.next {
                Some(next) => format!("Changes requested; round {} is {}.", next.iteration, next.id),
                None => format!("Answered: {}.", words::short(&words::answered(&answered.decision), 200)),
            })?;
            desk.rows.retain(|row| row.id != decision.id);
            for failure in desk.worker.client.finish().await {
                desk.ui.line(words::sentence(&failure))?;
            }
            Ok(true)
        }
        Err(error) => {
            let why = match work::refused(error) {
                Refused::Settled(settled) => {
                    format!("{}: {}.", words::raced(&settled), words::answered(&settled))
                }
                Refused::Stale => words::STALE.to_owned(),
                Refused::Invalid(faults) => {
                    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
                }
                Refused::Other(why) => words::sentence(&why),
            };
            desk.ui.line(why)?;
            Ok(false)
        }
    }
}
