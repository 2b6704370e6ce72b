//! `hold key`

use holdpoint_engine::Role;
use holdpoint_engine::keys::{self, Key};
use holdpoint_store::Signer as _;
use serde_json::json;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// List, trust, rotate and revoke the keys that sign the log
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List the key that signs here, the trusted keys and the revoked ones
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Trust the key of another node or user, or an earlier one
    Trust {
        /// The public key, in hex, as `hold key list` prints it there
        #[arg(value_name = "HEX", value_parser = keys::parse_public)]
        public_key: String,
    },
    /// Replace the signing key, and revoke the old one
    Rotate,
    /// Revoke a key: what it writes from now on is not trusted
    Revoke {
        /// The key's id, as `hold key list` prints it
        key: String,
        /// The reason; it stays in the log forever
        #[arg(long)]
        reason: String,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::List { json } => list(context, json, ui)?,
        Verb::Trust { public_key } => {
            Key::trust(&context.home, &public_key)?;
            ui.line(format!("Trusted here: {}", keys::key_id(&public_key)))?;
        }
        Verb::Rotate => {
            let rotated = context.client(Role::Writer).await?.rotate_key().await?;
            ui.line(rotated.to_string())?;
            ui.line(format!("public key   {}", rotated.public_key))?;
        }
        Verb::Revoke { key, reason } => {
            context.client(Role::Writer).await?.revoke_key(&key, &reason).await?;
            ui.line(format!("Revoked {key}: what it writes from now on is not trusted"))?;
        }
    }
    Ok(Exit::Done)
}

fn list(context: &Context, as_json: bool, ui: &mut Ui) -> Result<(), Failure> {
    let own = Key::load(&context.home).ok().map(|key| key.public_key());
    let mut keys = Key::trusted(&context.home);
    keys.sort_unstable_by_key(|key| (own.as_ref() != Some(key), key.clone()));
    let revoked = Key::revoked(&context.home);
    let signs = |key: &String| own.as_ref() == Some(key);
    let is_revoked = |key: &String| revoked.contains(&keys::key_id(key));
    if as_json {
        let keys: Vec<_> = keys
            .iter()
            .map(|key| {
                json!({
                    "id": keys::key_id(key), "public_key": key, "signs": signs(key), "revoked": is_revoked(key),
                })
            })
            .collect();
        ui.json(&keys)?;
        return Ok(());
    }
    for key in &keys {
        let what = match (is_revoked(key), signs(key)) {
            (true, _) => "revoked",
            (false, true) => "signs  ",
            (false, false) => "trusted",
        };
        ui.line(format!("{}  {what}  {key}", keys::key_id(key)))?;
    }
    Ok(())
}
