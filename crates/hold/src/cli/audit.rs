//! `hold audit`

use std::path::PathBuf;

use holdpoint_core::decision::Callback;
use holdpoint_core::json;
use holdpoint_core::text::inert_line;
use holdpoint_engine::keys::{self, Key};
use holdpoint_engine::{Engine, Role, witness};
use holdpoint_store::audit::{Accepted, Report};
use holdpoint_store::{Checkpoint, LogRow, Signer, audit};
use serde_json::{Value, json};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Verify, accept or export the log of everything that happened
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Verify that nothing in the log was changed, and how far it is signed
    Verify {
        /// Also trust this public key, in hex; repeatable
        #[arg(long, value_name = "HEX", value_parser = keys::parse_public)]
        key: Vec<String>,
        /// Also compare the log with what a witness saw: the file that `hold witness` writes
        #[arg(long, value_name = "FILE")]
        witness: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Accept a log that does not match what was signed, for example after a restore
    ///
    /// Until then the log is not signed any further. The reason stays in the log, and verify always reports it.
    Accept {
        /// Why the log is right as it is
        #[arg(long)]
        reason: String,
    },
    /// Print the log and its checkpoints, one JSON object per line
    ///
    /// The address of a callback may be a credential, so only its host is printed, and the event says what was
    /// withheld. Its `body_hash` is that of the whole body.
    Export {
        /// Print the whole addresses of callbacks, so that the hash of every body can be checked
        #[arg(long)]
        whole: bool,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Verb::Accept { reason } = &arguments.verb {
        let accepted = context.client(Role::Writer).await?.accept_log(reason).await?;
        ui.line(inert_line(&format!("accepted as event {}: {}", accepted.seq, accepted.found)))?;
        return Ok(Exit::Done);
    }
    let engine = context.own_store("audit", Role::Reader).await?;
    match arguments.verb {
        Verb::Verify { key, witness, json } => {
            let mut trusted = Key::trusted(&context.home);
            trusted.extend(key);
            let signer = Key::load(&context.home).ok();
            let signer = signer.as_ref().map(|key| key as &dyn Signer);
            let mut report = audit::verify(engine.store().as_ref(), &trusted, signer).await?;
            if let Some(file) = witness {
                let seen = witness::read(&file)?;
                if seen.is_empty() {
                    return Err(Failure::error(format!("{} has nothing that a witness saw", file.display())));
                }
                let heads = seen.iter().map(|seen| (seen.head.seq, seen.head.hash.as_str()));
                let key = seen.first().map(|seen| keys::key_id(&seen.witness)).unwrap_or_default();
                report.faults.extend(audit::hold_against(engine.store().as_ref(), heads, &key).await?);
                if !json && let Some(last) = seen.last() {
                    ui.line(format!("a witness, {key}, saw the log up to event {}", last.head.seq))?;
                }
            }
            verify(&report, json, ui)
        }
        Verb::Export { whole } => {
            export(&engine, if whole { BodyDetail::Whole } else { BodyDetail::Shareable }, ui).await
        }
        Verb::Accept { .. } => Ok(Exit::Done),
    }
}

fn verify(report: &Report, as_json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let sound = report.faults.is_empty();
    let exit = if sound { Exit::Done } else { Exit::Error };
    if as_json {
        let faults: Vec<_> =
            report.faults.iter().map(|fault| json!({"seq": fault.seq, "what": fault.to_string()})).collect();
        let untrusted: Vec<_> = report.untrusted.iter().map(|key| keys::key_id(key)).collect();
        ui.json(&json!({
            "sound": sound, "events": report.events, "erased": report.erased, "checkpoints": report.checkpoints,
            "vouched_to": report.vouched_to, "head": report.head, "untrusted": untrusted, "faults": faults, "accepted": report.accepted.iter().map(word).collect::<Vec<_>>(),
        }))?;
        return Ok(exit);
    }
    for fault in &report.faults {
        ui.line(inert_line(&fault.to_string()))?;
    }
    for accepted in &report.accepted {
        let Accepted { seq, at, by, reason, found, .. } = accepted;
        ui.line(inert_line(&format!(
            "event {seq}: {by} accepted a break at {at}: {reason} (found: {found})"
        )))?;
    }
    let erased =
        if report.erased > 0 { format!(", {} of them erased", report.erased) } else { String::new() };
    let verdict = if sound { "OK" } else { "TOUCHED" };
    ui.line(format!("{verdict}: {} events{erased}, {} checkpoints", report.events, report.checkpoints))?;
    if report.vouched_to > 0 {
        ui.line(format!("signed by a trusted key up to event {}", report.vouched_to))?;
    }
    if report.tail() > 0 {
        ui.line(format!("the {} events after that are not signed yet", report.tail()))?;
    }
    for key in &report.untrusted {
        ui.warn(format!(
            "{} signed checkpoints, but is not trusted here; --key {key} would trust it",
            keys::key_id(key)
        ));
    }
    Ok(exit)
}

fn word(accepted: &Accepted) -> Value {
    let faults: Vec<_> = accepted.faults.iter().map(ToString::to_string).collect();
    json!({
        "seq": accepted.seq, "at": accepted.at, "by": accepted.by, "reason": accepted.reason, "found": accepted.found,
        "faults": faults,
    })
}

/// How much of the events' bodies is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyDetail {
    /// Everything in the log.
    Whole,
    /// Without callback addresses, which may be secret.
    Shareable,
}

async fn export(engine: &Engine, bodies: BodyDetail, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut after = 0;
    loop {
        let links = engine.store().links(after, 1000).await?;
        for link in &links {
            ui.line(event(link, bodies).to_string())?;
        }
        match links.last() {
            Some(last) => after = last.seq,
            None => break,
        }
    }
    for checkpoint in engine.store().checkpoints().await? {
        ui.line(signed(&checkpoint).to_string())?;
    }
    Ok(Exit::Done)
}

fn event(link: &LogRow, bodies: BodyDetail) -> Value {
    let shareable =
        link.body.as_deref().filter(|_| bodies == BodyDetail::Shareable).and_then(without_address);
    let withheld = shareable.is_some();
    let mut shown = json!({"event": {
        "seq": link.seq, "stream": link.stream, "version": link.version, "type": link.tag, "at": link.at,
        "body": shareable.as_ref().or(link.body.as_ref()), "body_hash": link.body_hash, "prev": link.prev, "hash": link.hash,
        "proof": link.proof.as_deref().map(holdpoint_store::chain::hex),
    }});
    if withheld {
        shown["event"]["withheld"] = json!(["callback.url"]);
    }
    shown
}

/// Returns a body with the callback's address replaced by its host; none if it has no callback.
fn without_address(body: &str) -> Option<String> {
    if !body.contains("\"callback\"") {
        return None;
    }
    let mut body: Value = serde_json::from_str(body).ok()?;
    let callback = body.get_mut("callback")?.as_object_mut()?;
    let known: Option<Callback> = serde_json::from_value(Value::Object(callback.clone())).ok();
    callback.remove("url");
    callback.insert("host".to_owned(), known.as_ref().map(Callback::host).into());
    json::canonical(&body).ok()
}

fn signed(checkpoint: &Checkpoint) -> Value {
    json!({ "checkpoint": checkpoint })
}
