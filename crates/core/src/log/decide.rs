//! Decides the commands about the log itself.

use super::LogCommand;
use crate::access::administers;
use crate::actor::Actor;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::Ruling;
use crate::text::inert_line;

/// How long a reason may be, in bytes.
const MAX_REASON: usize = 2_000;

/// Decides a command about the log.
pub(crate) fn decide(actor: &Actor, command: &LogCommand) -> Result<Ruling, Refusal> {
    administers(actor, "the log and its keys")?;
    let (id, by) = ("log".to_owned(), actor.by.clone());
    let event = match command {
        LogCommand::Accept { reason, found, log } => {
            let (reason, found, log) = (check_reason(reason)?, found.clone(), log.clone());
            Event::LogAccepted { id, reason, found, log, by }
        }
        LogCommand::RotateKey { from, to, public_key } => {
            Event::KeyRotated { id, from: from.clone(), to: to.clone(), public_key: public_key.clone(), by }
        }
        LogCommand::RevokeKey { key, reason } => {
            Event::KeyRevoked { id, key: check_key(key)?, reason: check_reason(reason)?, by }
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn check_reason(reason: &str) -> Result<String, Refusal> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Refusal::invalid("reason", "must give a reason, which stays in the log forever"));
    }
    if reason.len() > MAX_REASON {
        return Err(Refusal::invalid("reason", format!("must have at most {MAX_REASON} bytes")));
    }
    Ok(reason.to_owned())
}

fn check_key(key: &str) -> Result<String, Refusal> {
    let digits = key.strip_prefix("key-").unwrap_or_default();
    if digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(key.to_ascii_lowercase())
    } else {
        let shown = inert_line(key);
        Err(Refusal::invalid("key", format!("{shown:?} is not a key id such as key-0123456789abcdef")))
    }
}
