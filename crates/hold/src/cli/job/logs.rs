//! `hold job logs`

use std::io::Write as _;

use holdpoint_core::text::inert;
use holdpoint_engine::Role;

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Print the end of what a job's step wrote to its terminal
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job, or a unique start of its id
    id: String,
    /// At most how many bytes
    #[arg(long, default_value_t = 65_536)]
    bytes: u64,
    /// Print bytes as they were written, terminal escapes and all
    #[arg(long)]
    raw: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let log = client.job_log(&arguments.id, arguments.bytes).await?;
    if arguments.raw {
        // Past what would leave escapes out: they are what was asked for.
        let mut out = std::io::stdout().lock();
        out.write_all(&log).and_then(|()| out.flush())?;
    } else {
        // An agent's escapes are for its own terminal, not for this one.
        ui.data(inert(&without_escapes(&String::from_utf8_lossy(&log))).as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Leaves out escape sequences, which would otherwise be shown as noise.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('[') => while rest.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {},
            Some(']') => {
                while let Some(c) = rest.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        rest.next();
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_left_out() {
        assert_eq!(
            without_escapes("a\u{1b}[31mb\u{1b}]0;title\u{7}c\u{1b}]8;;x\u{1b}\\d\u{1b}(Be"),
            "abcdBe"
        );
        assert_eq!(without_escapes("\u{1b}["), "");
    }
}
