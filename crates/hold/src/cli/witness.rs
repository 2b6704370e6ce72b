//! `hold witness`

use std::io::Write as _;
use std::path::PathBuf;

use holdpoint_core::Span;
use holdpoint_engine::keys::{self, Key};
use holdpoint_engine::witness::{self, Cosigned, WitnessResult};
use holdpoint_engine::{Clock, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Watch the log of a server from another machine
///
/// Signs its heads as long as they are consistent, and keeps them in a file for `hold audit verify`.
/// Exits 1 when the log was cut or rewritten.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file to keep what was seen; `witness.jsonl` in the data folder by default
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A public key that may sign the log, in hex; repeatable; any by default
    #[arg(long, value_name = "HEX", value_parser = keys::parse_public)]
    key: Vec<String>,
    /// How often to look
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    every: Span,
    /// Look once and exit
    #[arg(long)]
    once: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let file = arguments.file.unwrap_or_else(|| context.home.path().join("witness.jsonl"));
    let signer = Key::load_or_make(&context.home)?;
    let client = context.client(Role::Writer).await?;
    let mut last = if file.exists() { witness::read(&file)?.pop() } else { None };
    let pause = std::time::Duration::from_millis(arguments.every.as_millis().unsigned_abs());
    loop {
        let now = Clock::System.now();
        match witness::check_log(client.as_ref(), last.as_ref(), &arguments.key, &signer, now).await? {
            WitnessResult::Signed(cosigned) => {
                append(&file, &cosigned)?;
                ui.line(format!("signed       event {}, {}", cosigned.head.seq, cosigned.head.root))?;
                last = Some(*cosigned);
            }
            WitnessResult::Same => ui.line("unchanged")?,
            WitnessResult::Empty => ui.line("nothing is signed there yet")?,
        }
        if arguments.once {
            return Ok(Exit::Done);
        }
        tokio::time::sleep(pause).await;
    }
}

fn append(file: &std::path::Path, cosigned: &Cosigned) -> Result<(), Failure> {
    let failed = |why: std::io::Error| Failure::error(format!("cannot write {}: {why}", file.display()));
    let line = serde_json::to_string(cosigned).map_err(|why| Failure::error(why.to_string()))?;
    let mut opened = std::fs::OpenOptions::new().create(true).append(true).open(file).map_err(failed)?;
    writeln!(opened, "{line}").and_then(|()| opened.sync_all()).map_err(failed)
}
