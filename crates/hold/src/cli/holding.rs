//! Holding on a decision: a spinner for people, nothing for programs, and the exit code of the outcome.

use std::time::Duration;

use holdpoint_core::decision::{chosen, is_refusal};
use holdpoint_core::field::has_custom_text;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Status};
use holdpoint_engine::Client;
use serde_json::Value;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::failure::{Exit, Failure};
use super::spinner::Spinner;
use super::ui::Ui;

/// What is held for.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Expect {
    /// Exit 8 unless this option was chosen; repeatable
    #[arg(long, value_name = "ID")]
    #[expect(clippy::struct_field_names, reason = "the flag is called so")]
    expect: Vec<String>,
    /// When guidance comes, hold on the next round instead of exiting
    #[arg(long)]
    follow: bool,
    /// Print the whole decision as JSON
    #[arg(long)]
    json: bool,
}

impl Expect {
    pub(crate) fn json(&self) -> bool {
        self.json
    }
}

/// Listens for Ctrl-C from the moment it is created: one that comes while the question is being asked is not lost.
#[derive(Debug)]
pub(crate) struct Interrupt(Signal);

impl Interrupt {
    pub(crate) fn listen() -> Result<Self, Failure> {
        Ok(Self(signal(SignalKind::interrupt())?))
    }

    /// Waits for Ctrl-C.
    pub(crate) async fn interrupted(&mut self) {
        self.0.recv().await;
    }
}

/// Holds until a decision is settled, the timeout passes or someone presses Ctrl-C, and prints the outcome.
pub(crate) async fn hold(
    client: &dyn Client,
    id: DecisionId,
    timeout: Option<Duration>,
    expect: &Expect,
    interrupt: Interrupt,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    match settled(client, id, timeout, expect, interrupt, ui).await? {
        Some(settled) => print(&settled, expect, ui),
        None => Ok(Exit::StillPending),
    }
}

/// Holds and returns the decision as it stands then; none after Ctrl-C, when everything has been printed.
pub(crate) async fn settled(
    client: &dyn Client,
    id: DecisionId,
    timeout: Option<Duration>,
    expect: &Expect,
    mut interrupt: Interrupt,
    ui: &mut Ui,
) -> Result<Option<Decision>, Failure> {
    let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
    let mut id = id;
    loop {
        let spinner = Spinner::start(id);
        let left = give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
        let settled = tokio::select! {
            settled = client.wait(id, left) => settled?,
            _ = interrupt.0.recv() => {
                drop(spinner);
                ui.note(format!("Stopped holding; {id} is still pending. Resume with: hold wait {id}"));
                return Ok(None);
            }
        };
        drop(spinner);
        if settled.status == Status::Refined
            && expect.follow
            && let Some(next) = settled.next
        {
            let guidance =
                settled.answer.as_ref().and_then(|answer| answer.message.as_deref()).unwrap_or_default();
            ui.note(format!("Guidance: {}\nHolding on the next round, {next}.", inert_line(guidance)));
            id = next;
            continue;
        }
        return Ok(Some(settled));
    }
}

/// Prints the outcome and returns its exit code.
fn print(decision: &Decision, expect: &Expect, ui: &mut Ui) -> Result<Exit, Failure> {
    let exit = exit(decision, &expect.expect);
    if expect.json {
        ui.json(decision)?;
        return Ok(exit);
    }
    match (&decision.status, &decision.answer) {
        (Status::Pending, _) => {
            ui.note(format!("Still pending: {}. Resume with: hold wait {}", decision.id, decision.id));
        }
        (Status::Refined, answer) => {
            if let Some(next) = decision.next {
                ui.line(next.to_string())?;
            }
            let guidance = answer.as_ref().and_then(|answer| answer.message.as_deref()).unwrap_or_default();
            ui.note(format!("Guidance: {}", inert_line(guidance)));
        }
        (_, Some(answer)) => {
            ui.line(outcome(decision))?;
            if let Some(message) = &answer.message {
                ui.note(format!("{}: {}", inert_line(&answer.by), inert_line(message)));
            }
        }
        (status, None) => {
            let reason = decision
                .reason
                .as_deref()
                .map(|reason| format!(": {}", inert_line(reason)))
                .unwrap_or_default();
            let by = decision.superseded_by.map(|by| format!(" by {by}")).unwrap_or_default();
            ui.note(format!("No answer: {} is {status}{by}{reason}.", decision.id));
        }
    }
    Ok(exit)
}

/// Returns the chosen id, or the values as JSON if no single option was chosen.
pub(crate) fn outcome(decision: &Decision) -> String {
    let Some(answer) = &decision.answer else { return String::new() };
    let single = answer.values.len() == 1 && answer.values.values().all(Value::is_string);
    match (&answer.out, chosen(decision).as_slice()) {
        (Some(out), _) => inert_line(out),
        (None, [one]) if single => inert_line(&one.option.id),
        _ => Value::Object(answer.values.clone()).to_string(),
    }
}

/// Describes the choice for a person: "commit, patch set 1".
pub(crate) fn outcome_in_words(decision: &Decision) -> String {
    let Some(answer) = &decision.answer else { return String::new() };
    let one = |value: &Value| {
        let words = value.as_str().or_else(|| has_custom_text(value));
        inert_line(&words.map_or_else(|| value.to_string(), str::to_owned))
    };
    let text = |value: &Value| match value.as_array() {
        Some(several) => several.iter().map(one).collect::<Vec<_>>().join(" and "),
        None => one(value),
    };
    let fields = decision.fields.iter();
    let given: Vec<_> =
        fields.filter_map(|field| Some((field, text(answer.values.get(&field.id)?)))).collect();
    if answer.out.is_some() || given.len() < 2 {
        let is_said = answer.out.is_some() || !answer.values.is_empty();
        return if is_said { answer.brief() } else { String::new() };
    }
    // The first pick needs no label, unless there are several questions.
    let questions =
        given.iter().filter(|(field, _)| field.kind.picks() && field.visible_if.is_none()).count();
    let words = given.iter().enumerate().map(|(at, (field, value))| match at {
        _ if questions > 1 => format!("{} {value}", inert_line(&field.label)),
        0 if field.kind.picks() => value.clone(),
        _ => format!("{} {value}", inert_line(&field.label).to_lowercase()),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the exit code of a decision's outcome.
pub(crate) fn exit(decision: &Decision, expected: &[String]) -> Exit {
    match (decision.status, &decision.answer) {
        (Status::Pending, _) => Exit::StillPending,
        (Status::Refined, _) => Exit::Refined,
        (Status::Answered | Status::TimedOut, Some(answer)) => {
            let chosen = chosen(decision);
            let wanted = if expected.is_empty() {
                // A message without a choice does not count as a yes.
                !is_refusal(decision) && !answer.values.is_empty()
            } else {
                !chosen.is_empty() && chosen.iter().all(|chosen| expected.contains(&chosen.option.id))
            };
            if wanted { Exit::Done } else { Exit::NotExpected }
        }
        _ => Exit::NoAnswer,
    }
}
