//! What a batch knows of credentials, which submissions it admits, and what it writes.

use std::collections::HashMap;

use holdpoint_core::{
    Auth, Command, Event, PasswordHash, Person, Refusal, Role, RunCommand, SecretHash, Timestamp, Token,
    credential,
};

use super::{Snapshot, Writes, post};
use crate::{LinkUse, Session, Submission};

/// The token or person that a command names, and the name to be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NamedCredential {
    Token {
        id: String,
        name: Option<String>,
        owner: Option<String>,
    },
    Person(String),
    /// The person whose token is used to answer, and the token.
    Voter {
        name: String,
        token: Option<String>,
    },
}

impl NamedCredential {
    /// Returns the person to load.
    pub(crate) fn person(&self) -> Option<&str> {
        match self {
            Self::Token { owner, .. } => owner.as_deref(),
            Self::Person(name) | Self::Voter { name, .. } => Some(name),
        }
    }

    /// Returns the token to load.
    pub(crate) fn token(&self) -> Option<&str> {
        match self {
            Self::Token { id, .. } => Some(id),
            Self::Person(_) => None,
            Self::Voter { token, .. } => token.as_deref(),
        }
    }

    /// Returns the name that the new token or person will have.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Token { name, .. } => name.as_deref(),
            Self::Person(name) => Some(name),
            Self::Voter { .. } => None,
        }
    }
}

/// Returns the token or person that a command names, or the owner of the token it is sent with where votes may count.
pub(super) fn named(submission: &Submission) -> Option<NamedCredential> {
    let Submission { actor, command, .. } = submission;
    match &**command {
        Command::Answer { .. } | Command::Post(_)
            if actor.auth == Auth::Token && matches!(actor.role, Some(Role::Person | Role::Admin)) =>
        {
            let name = actor.owner.clone().unwrap_or_else(|| actor.by.clone());
            Some(NamedCredential::Voter { name, token: actor.credential.clone() })
        }
        Command::CreateToken { id, name, owner, .. } => {
            Some(NamedCredential::Token { id: id.clone(), name: Some(name.clone()), owner: owner.clone() })
        }
        Command::RevokeToken { id } => {
            Some(NamedCredential::Token { id: id.clone(), name: None, owner: None })
        }
        Command::PutPerson { name, .. }
        | Command::LinkAccount { name, .. }
        | Command::SetNotify { name, .. }
        | Command::RemovePerson { name }
        | Command::SignIn { person: name, .. } => Some(NamedCredential::Person(name.clone())),
        _ => None,
    }
}

/// The credentials loaded for a batch, updated as its commands are decided.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// Whether only a server that checks identities may write to the store.
    pub(crate) auth_required: bool,
    pub(crate) tokens: HashMap<String, Option<Token>>,
    pub(crate) people: HashMap<String, Option<Person>>,
    /// The roles that already use a name.
    pub(crate) names: HashMap<String, Vec<Role>>,
    /// Whether links were used up, by nonce.
    pub(crate) links: HashMap<String, bool>,
}

impl Loaded {
    /// Returns the known state of the credentials that a command names.
    pub(super) fn known(&self, named: Option<&NamedCredential>) -> credential::KnownCredentials {
        let mut known = credential::KnownCredentials {
            auth_required: self.auth_required,
            ..credential::KnownCredentials::default()
        };
        if let Some(id) = named.and_then(NamedCredential::token) {
            known.token = self.tokens.get(id).cloned().flatten();
        }
        let person = named.and_then(NamedCredential::person);
        known.person = person.and_then(|name| self.people.get(name)).cloned().flatten();
        let name = named.and_then(NamedCredential::name);
        known.namesakes = name.and_then(|name| self.names.get(name)).cloned().unwrap_or_default();
        known
    }
}

/// A change to stored credentials.
#[derive(Debug)]
pub(crate) enum CredentialWrite {
    /// A new token.
    Token(Token, SecretHash),
    /// A token was revoked.
    Revoke { id: String, at: Timestamp },
    /// A person was added or changed; without a new password the old one stays.
    Person(Person, Option<PasswordHash>),
    /// A person signed in.
    Session(Session),
    /// A person was removed, and their sessions with them.
    Remove(String),
    /// Whether only a server that authenticates callers may write to the store.
    Auth(bool),
    /// A link was used up.
    Link(LinkUse, Timestamp),
}

/// Returns whether a submission may write at all: with authentication on, only if a server has checked the caller.
pub(crate) fn may_write(snapshot: &Snapshot, submission: &Submission) -> bool {
    !snapshot.credentials.auth_required
        || match submission.actor.auth {
            Auth::Claimed | Auth::Rule => false,
            Auth::System => {
                matches!(
                    *submission.command,
                    Command::Expire { .. }
                        | Command::Escalate { .. }
                        | Command::Remark { .. }
                        | Command::ClearVotes { .. }
                        | Command::Group { .. }
                        | Command::Job { .. }
                        | Command::SignIn { .. }
                        | Command::LinkAccount { .. }
                        | Command::SetNotify { .. }
                        | Command::EndOwner { .. }
                ) || carries_out(&submission.command)
            }
            Auth::Local | Auth::Link | Auth::Channel | Auth::Token | Auth::Session => true,
        }
}

/// Returns whether a command records the outcome of carrying out a verdict.
fn carries_out(command: &Command) -> bool {
    let Command::Run { command, .. } = command else { return false };
    matches!(**command, RunCommand::Conclude(_) | RunCommand::Fail { .. })
}

/// Refuses submissions that bypass the server, and links that were used.
pub(super) fn admit(snapshot: &Snapshot, submission: &Submission, now: Timestamp) -> Result<(), Refusal> {
    if !may_write(snapshot, submission) {
        return Err(Refusal::Forbidden(
            "this store is written only by its server; start it with hold serve, or name it in HOLD_URL"
                .into(),
        ));
    }
    match &submission.link {
        Some(link) if snapshot.credentials.links.get(&link.nonce).copied().unwrap_or_default() => {
            Err(Refusal::LinkUsed { why: "was used before" })
        }
        Some(link) if link.expires <= now => Err(Refusal::LinkUsed { why: "is too old" }),
        Some(_) if matches!(*submission.command, Command::Answer { .. }) => Ok(()),
        None if submission.actor.auth == Auth::Channel => match *submission.command {
            Command::Answer { .. } => Ok(()),
            _ => Err(Refusal::Forbidden("a linked account answers and does nothing else".into())),
        },
        None if submission.actor.auth != Auth::Link => Ok(()),
        _ => Err(Refusal::Forbidden("a link answers one decision and does nothing else".into())),
    }
}

/// Adds what a command changed about credentials to the writes, hashes from the command included.
pub(super) fn write(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    submission: &Submission,
    events: &[Event],
    now: Timestamp,
) {
    let first = snapshot.seq() + 1;
    let loaded = &mut snapshot.credentials;
    if let Some(link) = submission.link.as_ref().filter(|_| !events.is_empty()) {
        loaded.links.insert(link.nonce.clone(), true);
        writes.credentials.push(CredentialWrite::Link(link.clone(), now));
    }
    for (seq, event) in (first..).zip(events) {
        let write = match (event, &*submission.command) {
            (Event::TokenCreated(_), Command::CreateToken { hash, .. }) => {
                let Some(token) = credential::apply_to_token(None, event, now) else { continue };
                loaded.tokens.insert(token.id.clone(), Some(token.clone()));
                loaded.names.entry(token.name.clone()).or_default().push(token.role);
                CredentialWrite::Token(token, *hash)
            }
            (Event::TokenRevoked { id, .. }, _) => {
                if let Some(token) = loaded.tokens.get_mut(id) {
                    *token = credential::apply_to_token(token.take(), event, now);
                }
                CredentialWrite::Revoke { id: id.clone(), at: now }
            }
            (Event::PersonUpdated(updated), command) => {
                let id = &updated.id;
                let password = match command {
                    Command::PutPerson { password, .. } => password,
                    _ => &None,
                };
                let before = loaded.people.get(id).cloned().flatten();
                let Some(person) = credential::apply_to_person(before.clone(), event, now) else { continue };
                if before.is_some_and(|before| sees_less(&before, &person)) {
                    post::withdraw(writes, id, seq, now, &submission.routes);
                }
                loaded.people.insert(id.clone(), Some(person.clone()));
                loaded.names.entry(id.clone()).or_default().push(person.role);
                CredentialWrite::Person(person, password.clone())
            }
            (Event::SignedIn { .. }, Command::SignIn { person, session, expires_at }) => {
                CredentialWrite::Session(Session {
                    hash: *session,
                    person: person.clone(),
                    created_at: now,
                    expires_at: *expires_at,
                })
            }
            (Event::PersonRemoved { id, .. }, _) => {
                loaded.people.insert(id.clone(), None);
                post::withdraw(writes, id, seq, now, &submission.routes);
                CredentialWrite::Remove(id.clone())
            }
            (Event::AuthUpdated { required, .. }, _) => {
                loaded.auth_required = *required;
                CredentialWrite::Auth(*required)
            }
            _ => continue,
        };
        writes.credentials.push(write);
    }
}

/// Returns whether a person may have messages, after a change, that they should not have any more.
fn sees_less(before: &Person, after: &Person) -> bool {
    let keeps = |(channel, account)| after.accounts.get(channel) == Some(account);
    !before.accounts.iter().all(keeps) || before.projects != after.projects
}

#[cfg(test)]
mod tests {
    use holdpoint_core::decision::{AnswerInput, New};
    use holdpoint_core::{Actor, Field, Kind, Numbering};

    use super::super::plan;
    use super::*;
    use crate::chain::GENESIS;

    fn submission(command: Command) -> Submission {
        Submission::new(command, Actor::claimed("ana", "cli"), Timestamp::from_millis(1_000))
    }

    fn ask() -> Submission {
        let fields = vec![Field::new("text", Kind::Text, "Why?")];
        submission(Command::Create(Box::new(New { prompt: Some("Why?".into()), fields, ..New::default() })))
    }

    #[test]
    fn a_batch_sees_what_it_has_done_itself() {
        let mut snapshot = Snapshot::new(Numbering::new(1), 0, GENESIS, None, 0);
        let mut writes = Writes::default();
        let link = || Some(LinkUse { nonce: "n".into(), expires: Timestamp::from_millis(2_000) });
        let mut answers = Vec::new();
        for _ in 0..2 {
            let id = plan(&mut snapshot, &mut writes, &ask()).unwrap().decision.unwrap().id;
            let input = AnswerInput { message: Some("So".into()), ..AnswerInput::default() };
            let command = Command::Answer { id, input: Box::new(input) };
            answers.push(Submission { link: link(), ..submission(command) });
        }
        plan(&mut snapshot, &mut writes, &answers[0]).unwrap();
        let again = plan(&mut snapshot, &mut writes, &answers[1]).unwrap_err();
        assert_eq!(again, Refusal::LinkUsed { why: "was used before" });
        plan(&mut snapshot, &mut writes, &submission(Command::SetAuth { required: true })).unwrap();
        assert!(matches!(plan(&mut snapshot, &mut writes, &ask()), Err(Refusal::Forbidden(_))));
    }
}
