//! Decides the commands about tokens, people and authentication.

use std::collections::BTreeSet;

use super::check::{check_credential_name, check_email, check_namesakes, check_owner, check_projects};
use super::{KnownCredentials, LOCAL, PasswordHash, Person, SecretHash};
use crate::access::administers;
use crate::actor::{Actor, Auth, Role};
use crate::command::Command;
use crate::event::{Event, PersonUpdated, TokenCreated};
use crate::notify::Notify;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, inert_line};

/// Decides the commands about credentials. Who may give them is checked in `crate::access`.
pub(crate) fn decide(state: &State, actor: &Actor, command: &Command) -> Result<Ruling, Refusal> {
    let known = &state.known;
    if let Command::SignIn { person, session, .. } = command {
        return sign_in(known, actor, person, *session);
    }
    if let Command::LinkAccount { name, channel, account } = command {
        return link_account(known, actor, name, channel, account.as_deref());
    }
    if let Command::SetNotify { name, notify } = command {
        return set_notify(known, name, notify, actor);
    }
    administers(actor, "tokens, people and authentication")?;
    let event = match command {
        Command::CreateToken { id, name, role, projects, permissions, expires_at, owner, hash } => {
            if known.token.is_some() {
                return Err(Refusal::invalid("id", format!("{id:?} is taken")));
            }
            check_credential_name(name)?;
            check_namesakes(known, name, *role)?;
            check_owner(known, owner.as_deref())?;
            Event::TokenCreated(Box::new(TokenCreated {
                id: id.clone(),
                name: name.clone(),
                role: *role,
                projects: check_projects(projects)?,
                permissions: permissions.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
                expires_at: *expires_at,
                fingerprint: Some(hash.fingerprint()),
                owner: owner.clone(),
                by: actor.by.clone(),
            }))
        }
        Command::RevokeToken { id } => {
            let missing = || Refusal::NotFound { what: "token", id: inert_line(id) };
            let token = known.token.as_ref().ok_or_else(missing)?;
            if token.revoked_at.is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            Event::TokenRevoked { id: token.id.clone(), by: actor.by.clone() }
        }
        Command::PutPerson { name, role, email, projects, password } => {
            check_credential_name(name)?;
            if *role == Role::Agent {
                return Err(Refusal::invalid("role", "must be person or admin; create a token for an agent"));
            }
            check_namesakes(known, name, *role)?;
            let email = email.as_deref().map(check_email).transpose()?;
            let (role, projects) = (*role, check_projects(projects)?);
            let before = known.person.as_ref();
            let same = before.is_some_and(|person| {
                person.role == role && person.email == email && person.projects == projects
            });
            if same && password.is_none() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            let has_password = password.is_some() || before.is_some_and(|person| person.has_password);
            let (id, new_password, by) = (name.clone(), password.is_some(), actor.by.clone());
            let fingerprint = password.as_ref().map(PasswordHash::fingerprint);
            let accounts = before.map(|person| person.accounts.clone()).unwrap_or_default();
            let notify = before.map(|person| person.notify.clone()).unwrap_or_default();
            Event::PersonUpdated(Box::new(PersonUpdated {
                id,
                role,
                email,
                projects,
                has_password,
                new_password,
                fingerprint,
                accounts,
                notify,
                by,
            }))
        }
        Command::RemovePerson { name } => {
            let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
            let person = known.person.as_ref().ok_or_else(missing)?;
            let removed = Event::PersonRemoved { id: person.name.clone(), by: actor.by.clone() };
            let mut events = vec![removed];
            // A person added under that name later is a different person.
            events.extend(state.roster.without(&person.name, &actor.by));
            return Ok(Ruling { events, ..Ruling::default() });
        }
        Command::SetAuth { required } if known.auth_required == *required => {
            return Ok(Ruling { replayed: true, ..Ruling::default() });
        }
        Command::SetAuth { required } => {
            Event::AuthUpdated { id: "auth".into(), required: *required, by: actor.by.clone() }
        }
        _ => return Ok(Ruling::default()),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Signs someone in. A caller from this machine is not a known person.
fn sign_in(
    known: &KnownCredentials,
    actor: &Actor,
    person: &str,
    session: SecretHash,
) -> Result<Ruling, Refusal> {
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("a command cannot sign anyone in".into()));
    }
    if known.person.is_none() && !person.starts_with(LOCAL) {
        return Err(Refusal::NotFound { what: "person", id: inert_line(person) });
    }
    let event = Event::SignedIn { id: person.to_owned(), session: session.fingerprint() };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Links a channel account to a person, or removes the link. The code was checked before this command is sent.
fn link_account(
    known: &KnownCredentials,
    actor: &Actor,
    name: &str,
    channel: &str,
    account: Option<&str>,
) -> Result<Ruling, Refusal> {
    if actor.auth != Auth::System {
        administers(actor, "tokens, people and authentication")?;
    }
    let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
    let person = known.person.as_ref().ok_or_else(missing)?;
    for text in [Some(channel), account].into_iter().flatten() {
        check_name(text).map_err(|why| Refusal::invalid("account", why))?;
    }
    let mut accounts = person.accounts.clone();
    match account {
        Some(account) => accounts.insert(channel.to_owned(), account.to_owned()),
        None => accounts.remove(channel),
    };
    if accounts == person.accounts {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    Ok(changed(Person { accounts, ..person.clone() }, actor))
}

/// Sets how a person wants to be notified.
fn set_notify(
    known: &KnownCredentials,
    name: &str,
    notify: &Notify,
    actor: &Actor,
) -> Result<Ruling, Refusal> {
    let missing = || Refusal::NotFound { what: "person", id: inert_line(name) };
    let person = known.person.as_ref().ok_or_else(missing)?;
    let notify = notify.checked()?;
    if notify == person.notify {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    Ok(changed(Person { notify, ..person.clone() }, actor))
}

/// Refuses callers who may not change how a person is notified: allowed are that person, admins of all projects, and a
/// link in a digest.
pub(crate) fn may_set_notify(actor: &Actor, projects: &[String], name: &str) -> Result<(), Refusal> {
    let is_admin = match actor.role {
        None => true,
        Some(Role::Admin) => projects.is_empty(),
        Some(Role::Person | Role::Agent) => false,
    };
    let is_person = matches!(actor.role, Some(Role::Person | Role::Admin));
    let is_self = is_person && actor.owner.as_deref().unwrap_or(&actor.by) == name;
    if actor.auth == Auth::System || !actor.is_program() && (is_admin || is_self) {
        return Ok(());
    }
    Err(Refusal::Forbidden(
        "only the person, or an admin of all projects, can change how they are notified".into(),
    ))
}

/// Records a change to a known person that leaves the password as it is.
fn changed(person: Person, actor: &Actor) -> Ruling {
    let event = Event::PersonUpdated(Box::new(PersonUpdated {
        id: person.name,
        role: person.role,
        email: person.email,
        projects: person.projects,
        has_password: person.has_password,
        new_password: false,
        fingerprint: None,
        accounts: person.accounts,
        notify: person.notify,
        by: actor.by.clone(),
    }));
    Ruling { events: vec![event], ..Ruling::default() }
}
