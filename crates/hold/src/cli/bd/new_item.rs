//! Ids for work items that were created without one.

use std::collections::HashSet;

use holdpoint_engine::Client;

use crate::cli::failure::Failure;

/// The prefix of such ids.
const PREFIX: &str = "bd-";
/// How many letters follow it.
const LETTERS: usize = 6;
/// How many ids are tried before giving up.
const TRIES: usize = 100;

/// Returns an id that no item of a project has yet.
pub(super) async fn name(client: &dyn Client, project: &str) -> Result<String, Failure> {
    let taken: HashSet<String> = client.items(Some(project)).await?.into_iter().map(|item| item.id).collect();
    for _ in 0..TRIES {
        let name = random()?;
        if !taken.contains(&name) {
            return Ok(name);
        }
    }
    Err(Failure::error("no free name was found for a new item").hint("name one: create ISSUE --prompt …"))
}

fn random() -> Result<String, Failure> {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bytes = [0; LETTERS];
    getrandom::fill(&mut bytes).map_err(|why| Failure::error(format!("no randomness for a name: {why}")))?;
    let letters = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
    Ok(PREFIX.chars().chain(letters).collect())
}
