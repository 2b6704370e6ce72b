//! `hold aitp validate`

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _};

use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Clock;
use holdpoint_protocols::aitp::{Finding, Keys, Layer, Message, Verdict, check_signatures, validate_bytes};

use super::{commented, parse_key};
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::ui::Ui;

/// Validate a message against its schema, and check whether it makes sense
///
/// Exits 0 if the message satisfies the schema of its capability, otherwise 1. Other problems are reported, but do
/// not change the exit code.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The message: a file, or - for standard input
    file: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Read one message per line, and print one result per line; exits 0 if all satisfy their schemas
    #[arg(long)]
    lines: bool,
    /// Check signatures of payments with this signer's public key; repeatable
    #[arg(long, value_name = "NAME=ed25519:KEY", value_parser = parse_key)]
    key: Vec<(String, String)>,
}

/// The longest line that is read.
const LONGEST: u64 = 64 << 20;
/// How much output is buffered while more input is available.
const GATHERED: usize = 64 << 10;

pub(crate) fn run(arguments: &Arguments, ui: &mut Ui) -> Result<Exit, Failure> {
    let now = Clock::System.now();
    if arguments.lines {
        return lines(arguments, now, ui);
    }
    let keys: Keys = arguments.key.iter().cloned().collect();
    let bytes = input::bytes(&arguments.file)?;
    let verdict = judge(&bytes, &keys, now);
    let commented = commented::without_comments(&String::from_utf8_lossy(&bytes));
    if let Some((_, line)) = commented.filter(|_| !verdict.valid) {
        ui.warn(format!(
            "line {line} has a comment, which JSON does not allow: a server refuses the message"
        ));
    }
    if arguments.json {
        ui.json(&verdict)?;
    } else {
        ui.line(summary(&verdict))?;
        for (what, findings) in [("error", &verdict.errors), ("warning", &verdict.warnings)] {
            for finding in findings {
                ui.line(format!("{what}: {}", finding_line(finding)))?;
            }
        }
    }
    Ok(exit(verdict.valid))
}

fn lines(arguments: &Arguments, now: Timestamp, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut reader = BufReader::with_capacity(GATHERED, input::open(&arguments.file)?);
    let keys: Keys = arguments.key.iter().cloned().collect();
    let (mut line, mut out, mut all) = (Vec::new(), String::new(), true);
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|why| Failure::error(format!("cannot read: {why}")))? == 0 {
            break;
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            // An overlong line is judged by its start, and its rest is skipped.
            reader.skip_until(b'\n').map_err(|why| Failure::error(format!("cannot read: {why}")))?;
        }
        let verdict = judge(&line, &keys, now);
        all &= verdict.valid;
        if arguments.json {
            out.push_str(&serde_json::to_string(&verdict)?);
        } else {
            out.push_str(&summary(&verdict));
            if let Some(first) = verdict.errors.first() {
                let _ = write!(out, "  {}", finding_line(first));
            }
        }
        out.push('\n');
        // An interactive caller gets each result at once, while a file is still processed in large chunks.
        if out.len() >= GATHERED || reader.buffer().is_empty() {
            ui.data(out.as_bytes())?;
            out.clear();
        }
    }
    ui.data(out.as_bytes())?;
    Ok(exit(all))
}

/// Validates a message, and its signatures if keys are known.
fn judge(bytes: &[u8], keys: &Keys, now: Timestamp) -> Verdict {
    let mut verdict = validate_bytes(bytes, now);
    if !keys.is_empty()
        && verdict.valid
        && let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(read) = Message::read(text, now)
    {
        verdict.errors.extend(check_signatures(&read.message, keys));
    }
    verdict
}

/// Returns the result in a few words.
fn summary(verdict: &Verdict) -> String {
    let what = match (verdict.valid, verdict.errors.is_empty()) {
        (true, true) => "valid",
        (true, false) => "valid, but wrong",
        (false, _) => "invalid",
    };
    let capability = verdict.capability.map_or("unknown capability", |capability| capability.name());
    format!("{what}: {capability} {}", verdict.message.unwrap_or("without a message")).trim_end().to_owned()
}

fn finding_line(finding: &Finding) -> String {
    let layer = match finding.layer {
        Layer::Schema => "schema",
        Layer::Semantic => "semantic",
    };
    format!("{layer}: {}: {}", inert_line(&location(&finding.pointer)), finding.message)
}

/// Formats a place for people: `options 1, id` for `/options/0/id`. Machines get the pointer with `--json`.
fn location(pointer: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for step in pointer.split('/').skip(1) {
        match (step.parse::<usize>(), words.last_mut()) {
            (Ok(at), Some(list)) => *list = format!("{list} {}", at + 1),
            _ => words.push(step.replace("~1", "/").replace("~0", "~")),
        }
    }
    if words.is_empty() { "the message".to_owned() } else { words.join(", ") }
}

fn exit(valid: bool) -> Exit {
    if valid { Exit::Done } else { Exit::Error }
}
