//! Checks that a person who consents on this terminal has read the subject.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, Status};
use holdpoint_engine::Client;

use super::failure::Failure;
use super::files::Files;
use super::run::diff::column;
use super::ui::{self, Ui};
use super::{early_keys, input, shown_digests};
use crate::view_model::{change, read_before_consent};

/// Whether to send the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// Send it; the value is whether the subject was seen.
    Send(Option<bool>),
    /// Do not send it: the person goes back to read.
    Back,
}

/// Determines whether the subject printed here was seen, for the answer to record. A subject longer than the screen
/// has scrolled by, so the person is asked. The diff is of a patch set, by default the last. Without an interactive
/// terminal nobody reads, and nothing is sent.
pub(crate) async fn ask(
    client: &dyn Client,
    decision: &Decision,
    diff: Option<&str>,
    patchset: Option<&str>,
    input: &AnswerInput,
    ui: &mut Ui,
) -> Result<ReadOutcome, Failure> {
    let consents = consents_to_subject(decision, &input.values, input.out.as_deref());
    let subject = change::subject(decision).filter(|_| consents);
    let (Some(mut subject), None) = (subject, input.seen) else { return Ok(ReadOutcome::Send(input.seen)) };
    // A settled decision takes no consent: the server says so, and recognises a repeated answer.
    if decision.status != Status::Pending {
        return Ok(ReadOutcome::Send(None));
    }
    if !ui::is_interactive() {
        ui.note(format!("  {}", read_before_consent::nobody_reads(decision)));
        return Ok(ReadOutcome::Back);
    }
    let another =
        read_before_consent::another_is_shown(decision, &input.values, patchset.unwrap_or_default());
    let chosen_diff;
    let mut files = Files::of(diff);
    if let Some(why) = &another {
        let chosen = read_before_consent::committed(decision, &input.values).unwrap_or_default();
        let Some(chosen_set) = change::read_set(client, decision, chosen.parse().unwrap_or(0)).await else {
            ui.note(format!("  {why}."));
            ui.prompt("u approve unread, Enter back: ");
            let unread = input::line()?.is_some_and(|line| line.trim() == "u");
            return Ok(if unread { ReadOutcome::Send(Some(false)) } else { ReadOutcome::Back });
        };
        ui.note(format!("\nPatch set {chosen}, which you chose:\n\n{}", column(&chosen_set)));
        subject.clone_from(&chosen_set);
        chosen_diff = chosen_set;
        files = Files::of(Some(&chosen_diff));
    } else {
        subject.push_str(diff.unwrap_or_default());
    }
    let Some(lines) = read_before_consent::longer_than(&subject, crossterm::terminal::size()?) else {
        return if another.is_some() { sends(&mut files, ui) } else { Ok(ReadOutcome::Send(Some(true))) };
    };
    if early_keys::forget(ui)?.is_break() {
        return Ok(ReadOutcome::Back);
    }
    Ok(match files.line(&read_before_consent::question(decision, lines), ui)?.as_deref().map(str::trim) {
        Some("r") => ReadOutcome::Send(Some(true)),
        Some("u") => ReadOutcome::Send(Some(false)),
        _ => ReadOutcome::Back,
    })
}

/// Asks whether to send an answer to a change that has only now been shown.
fn sends(files: &mut Files<'_>, ui: &mut Ui) -> Result<ReadOutcome, Failure> {
    if early_keys::forget(ui)?.is_break() {
        return Ok(ReadOutcome::Back);
    }
    Ok(if shown_digests::sends(files, ui)? { ReadOutcome::Send(Some(true)) } else { ReadOutcome::Back })
}
