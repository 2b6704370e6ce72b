//! Records what this terminal has shown, so that an answer typed on it can name the digest that was seen.
//!
//! There is one small file per terminal and session in `HOLD_HOME/terminals`: the digests of the decisions that were
//! printed there in full, and which decision an item's name stood for. It is neither a secret nor a permission;
//! whether a digest is current is checked with the answer.

use std::fmt::Write as _;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Status};
use holdpoint_engine::Home;

use super::context::Context;
use super::early_keys;
use super::failure::{Exit, Failure};
use super::files::Files;
use super::ui::{self, Ui};
use crate::view_model::change;

/// How many decisions a terminal's record keeps, newest last.
const KEPT: usize = 200;
/// How long the record of an unused terminal is kept.
const FORGET_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The stream that a decision was printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Remembers that a decision was printed with this diff, if that is all of it and the stream is a terminal. Errors
/// are ignored: the next answer shows it again.
pub(crate) fn shown(decision: &Decision, diff: Option<&str>, stream: Stream, home: &Home) {
    if change::is_whole(decision, diff) {
        remember(decision.id.to_string(), decision.digest.clone(), stream, home);
    }
}

/// Remembers which decision a name stood for, because it may stand for another one later.
pub(crate) fn shown_as(name: &str, decision: &Decision, stream: Stream, home: &Home) {
    if !name.contains(char::is_whitespace) {
        remember(name.to_owned(), decision.id.to_string(), stream, home);
    }
}

fn remember(key: String, value: String, stream: Stream, home: &Home) {
    let terminal = match stream {
        Stream::Out => terminal(&std::io::stdout()),
        Stream::Err => terminal(&std::io::stderr()),
    };
    let Some(path) = terminal.map(|terminal| home.terminals().join(terminal)) else { return };
    forget_old(home);
    let mut kept = read(&path);
    kept.retain(|(known, _)| *known != key);
    kept.push((key, value));
    let mut text = String::new();
    for (key, value) in &kept[kept.len().saturating_sub(KEPT)..] {
        let _ = writeln!(text, "{key} {value}");
    }
    if let Err(error) = Home::write_private(&path, text.as_bytes()) {
        tracing::debug!("cannot remember what was shown: {error}");
    }
}

/// Whether to send the answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    /// Send it, with this digest.
    Send(Option<String>),
    /// Do not send it: the person was shown the decision and did not go on.
    Withheld,
}

/// Finds the digest for an answer: the one that was given, or the one that this terminal has shown. Otherwise shows
/// the decision, file by file if wished, and asks. Without an interactive terminal, an answer to a decision with a
/// subject is refused.
pub(crate) fn consent(
    decision: &Decision,
    given: Option<String>,
    card: impl FnOnce() -> String,
    diff: Option<&str>,
    context: &Context,
    ui: &mut Ui,
) -> Result<Consent, Failure> {
    let mut files = Files::of(diff);
    if given.is_some() || decision.status != Status::Pending {
        return Ok(Consent::Send(given));
    }
    let seen = digest(decision.id, &context.home);
    match &seen {
        Some(digest) if *digest == decision.digest => return Ok(Consent::Send(seen)),
        None if decision.subject.is_none() => return Ok(Consent::Send(None)),
        _ => {}
    }
    if !ui::is_interactive() {
        return if decision.subject.is_some() { Err(unseen(decision)) } else { Ok(Consent::Send(seen)) };
    }
    ui.note(card());
    if seen.is_some() {
        ui.note("\nIt has changed since this terminal showed it.");
    }
    let mut agreed = false;
    if early_keys::forget(ui)?.is_continue() {
        agreed = sends(&mut files, ui)?;
    }
    if !agreed {
        ui.note(format!("Nothing was sent; {} is still pending.", decision.id));
        return Ok(Consent::Withheld);
    }
    shown(decision, diff, Stream::Err, &context.home);
    Ok(Consent::Send(Some(decision.digest.clone())))
}

/// Asks whether to send an answer to a decision that was only now shown, with the files of its change.
pub(crate) fn sends(files: &mut Files<'_>, ui: &mut Ui) -> Result<bool, Failure> {
    let typed = files.line("Send? [y/N] ", ui)?;
    Ok(typed.is_some_and(|line| matches!(line.trim(), "y" | "Y" | "yes" | "Yes")))
}

fn unseen(decision: &Decision) -> Failure {
    let id = decision.id;
    Failure::new(Exit::Conflict, format!("you have not seen the subject of {id} here"))
        .hint(format!("look at it on a terminal first: hold show {id}"))
        .hint(format!("or send the `digest` that hold show {id} --json prints: add --digest DIGEST"))
}

/// Refuses a name that stood for another decision when this terminal showed it.
pub(crate) fn is_still(name: &str, decision: &Decision, home: &Home) -> Result<(), Failure> {
    match remembered(name, home) {
        Some(before) if before != decision.id.to_string() && name != before => {
            let why = format!(
                "{:?} was {before} when this terminal showed it, and is {} now",
                inert_line(name),
                decision.id
            );
            Err(Failure::new(Exit::Conflict, why).hint(format!("look again: hold show {}", decision.id)))
        }
        _ => Ok(()),
    }
}

/// Returns the digest of a decision that this terminal has shown.
fn digest(id: DecisionId, home: &Home) -> Option<String> {
    remembered(&id.to_string(), home)
}

fn remembered(key: &str, home: &Home) -> Option<String> {
    let terminal = terminal(&std::io::stdin())
        .or_else(|| terminal(&std::io::stderr()))
        .or_else(|| terminal(&std::io::stdout()))?;
    let kept = read(&home.terminals().join(terminal));
    kept.into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// Names a terminal by its device and its session, because devices are reused.
fn terminal(stream: &(impl AsFd + std::io::IsTerminal)) -> Option<String> {
    if !stream.is_terminal() {
        return None;
    }
    let device = rustix::fs::fstat(stream).ok()?.st_rdev;
    let session = rustix::process::getsid(None).ok()?;
    Some(format!("{device:x}-{}", session.as_raw_nonzero()))
}

fn read(path: &PathBuf) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let pair = |line: &str| line.split_once(' ').map(|(id, digest)| (id.to_owned(), digest.to_owned()));
    text.lines().filter_map(pair).collect()
}

/// Deletes the records of unused terminals.
fn forget_old(home: &Home) {
    for entry in std::fs::read_dir(home.terminals()).into_iter().flatten().flatten() {
        let age =
            entry.metadata().and_then(|file| file.modified()).map(|at| at.elapsed().unwrap_or_default());
        if age.is_ok_and(|age| age > FORGET_AFTER) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
