//! `hold receipt`

use holdpoint_core::Auth;
use holdpoint_engine::keys::{self, Key};
use holdpoint_engine::{Role, receipt};

use super::consume::parse_auth;
use super::context::Context;
use super::failure::{Exit, Failure};
use super::input;
use super::ui::Ui;

/// Print a signed receipt of what was decided, or verify one
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    #[arg(required = true)]
    id: Option<String>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Verify a receipt, with only the public key and not the store
    Verify {
        /// The receipt: a file, or - for standard input
        file: String,
        /// Require at least this assurance of who answered: claimed, rule, local, link, channel, token or session
        #[arg(long, value_parser = parse_auth)]
        min: Option<Auth>,
        /// Also trust this public key, in hex; repeatable
        #[arg(long, value_name = "HEX", value_parser = keys::parse_public)]
        key: Vec<String>,
        /// Accept a receipt without a proof that it is in the log
        #[arg(long)]
        unproven: bool,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match (arguments.verb, arguments.id) {
        (Some(Verb::Verify { file, min, key, unproven }), _) => {
            let mut trusted = Key::trusted(&context.home);
            trusted.extend(key);
            let receipt = receipt::verify(&input::text(&file)?, &trusted, min)?;
            if receipt.log.is_none() && !unproven {
                return Err(Failure::error("it carries no proof that it is in the log").hint(
                    "issue it again once the log is signed (hold audit verify), or accept it as it is: --unproven",
                ));
            }
            let answer = receipt.answer.as_ref();
            let what = answer.map(|answer| {
                format!(": {} by {}, known as {}", answer.brief(), answer.by, answer.auth.name())
            });
            ui.line(holdpoint_core::text::inert_line(&format!(
                "valid: {} {}{}",
                receipt.decision,
                receipt.status,
                what.unwrap_or_default()
            )))?;
            match &receipt.log {
                Some(log) => {
                    let (event, head) = (log.event.seq, &log.head);
                    let line =
                        format!("in the log: event {event}, signed up to {} by {}", head.seq, head.key);
                    ui.line(holdpoint_core::text::inert_line(&line))?;
                }
                None => ui.warn("it carries no proof that it is in the log"),
            }
            Ok(Exit::Done)
        }
        (None, Some(id)) => {
            let client = context.client(Role::Writer).await?;
            let decision = client.get(&id).await?;
            ui.json(&client.receipt(decision.id).await?)?;
            Ok(Exit::Done)
        }
        (None, None) => Err(Failure::usage("which decision? hold receipt ID")),
    }
}
