//! Who casts a vote: a known person, whichever of their credentials they use.

use crate::Person;
use crate::actor::{Actor, Auth, Role};
use crate::refusal::Refusal;
use crate::state::State;
use crate::text::quote;

/// Returns the person who acts.
///
/// # Errors
/// Explains why the person is not known, or why this credential does not count.
pub(crate) fn voter<'a>(state: &State, actor: &'a Actor) -> Result<&'a str, Refusal> {
    let no = |why: String| Err(Refusal::Forbidden(why));
    if actor.is_program() {
        return no("only a person can answer this, not an agent or an MCP client".into());
    }
    match actor.auth {
        Auth::Session if actor.credential == Some(Person::credential(&actor.by)) => Ok(&actor.by),
        Auth::Token => {
            let person = actor.owner.as_deref().unwrap_or(&actor.by);
            match &state.known.person {
                // A token outlives its person, but must not count for another person of the same name.
                Some(known)
                    if state
                        .known
                        .token
                        .as_ref()
                        .is_some_and(|token| token.created_at < known.created_at) =>
                {
                    no(format!(
                        "{} was made before this {} was known: make another token with --owner PERSON, or sign in",
                        quote(&actor.by),
                        quote(person)
                    ))
                }
                Some(known) if known.name == person => Ok(person),
                _ => no(format!(
                    "this is counted by person, and {} is no known person's token: make one with --owner PERSON, or sign in",
                    quote(&actor.by)
                )),
            }
        }
        Auth::Link | Auth::Channel => {
            no("sign in to answer this: a link or a channel account is not enough".into())
        }
        Auth::Local | Auth::Session => {
            no("sign in, or use a person's token: the local token does not say who you are".into())
        }
        Auth::Claimed | Auth::Rule | Auth::System => {
            no("use a server that checks who calls (hold serve): this depends on who answers".into())
        }
    }
}

/// Returns the person on whose behalf a credential asks, if known.
pub(crate) fn requester(actor: &Actor) -> Option<String> {
    match actor.auth {
        Auth::Session => Some(actor.by.clone()),
        Auth::Token => {
            actor.owner.clone().or_else(|| (actor.role != Some(Role::Agent)).then(|| actor.by.clone()))
        }
        _ => None,
    }
}
