//! Opening a thread.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::speaker::is_self;
use super::{Participant, SELF, Thread};
use crate::actor::Actor;
use crate::event::Event;
use crate::json;
use crate::refusal::{FieldError, Refusal};
use crate::state::{Ruling, State};
use crate::text::{MAX_NAME, check_length, check_name, quote};
use crate::{Project, Timestamp};

/// A request to open a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewThread {
    /// Its id, which must be new.
    pub id: String,
    /// The project it belongs to; `default` if not given.
    pub project: Option<String>,
    /// The thread it is forked from.
    pub parent_id: Option<String>,
    /// The participants.
    pub actors: Vec<Participant>,
    /// The assignees of decisions that come up in it.
    pub assignees: Vec<String>,
    /// Other data about it.
    pub metadata: Map<String, Value>,
}

impl NewThread {
    /// Returns the project it will belong to.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }

    /// Returns the thread that it creates.
    ///
    /// # Errors
    /// Reports what is wrong with the request.
    pub fn thread(&self, actor: &Actor, now: Timestamp) -> Result<Thread, Refusal> {
        check(actor, self, now)
    }
}

const PREFIX: &str = "thr-";
const MOST_ACTORS: usize = 100;
const MOST_CAPABILITIES: usize = 100;
const MAX_ADDRESS: usize = 2_048;
const MAX_METADATA: usize = 64 << 10;

pub(crate) fn create(
    state: &State,
    actor: &Actor,
    new: &NewThread,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let thread = check(actor, new, now)?;
    if let Some(known) = &state.thread {
        // The id is derived from the key of the request, so the same id means that the request was repeated.
        let same = Thread { created_at: known.created_at, ..thread };
        return if same == *known {
            Ok(Ruling { replayed: true, ..Ruling::default() })
        } else {
            Err(Refusal::KeyReused { key: new.id.clone() })
        };
    }
    Ok(Ruling { events: vec![Event::ThreadCreated(Box::new(thread))], ..Ruling::default() })
}

fn check(actor: &Actor, new: &NewThread, now: Timestamp) -> Result<Thread, Refusal> {
    let mut faults = Vec::new();
    let mut name = |place: &str, name: &str| {
        faults.extend(
            check_name(name).err().map(|why| FieldError::new(place, format!("{} {why}", quote(name)))),
        );
    };
    name("id", &new.id);
    name("project", new.project());
    new.parent_id.iter().for_each(|parent| name("parent_id", parent));
    new.actors.iter().take(MOST_ACTORS).for_each(|actor| name("actors", &actor.id));
    new.assignees.iter().take(MOST_ACTORS).for_each(|who| name("assignees", who));
    if !new.id.starts_with(PREFIX) {
        faults.push(FieldError::new("id", format!("must start with {PREFIX}")));
    }
    if new.actors.len() > MOST_ACTORS || new.assignees.len() > MOST_ACTORS {
        faults.push(FieldError::new("actors", format!("at most {MOST_ACTORS} participants are allowed")));
    }
    let mut met = HashSet::new();
    for participant in new.actors.iter().take(MOST_ACTORS) {
        check_participant(participant, &mut met, &mut faults);
    }
    let mut metadata = new.metadata.clone();
    let settled = json::settle_map(&mut metadata);
    faults.extend(settled.err().map(|why| FieldError::new("metadata", why)));
    if json::size(&metadata).unwrap_or(usize::MAX) > MAX_METADATA {
        faults.push(FieldError::new("metadata", format!("is longer than {MAX_METADATA} bytes")));
    }
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    Ok(Thread {
        id: new.id.clone(),
        project: new.project().to_owned(),
        parent_id: new.parent_id.clone(),
        actors: new.actors.clone(),
        assignees: new.assignees.clone(),
        metadata,
        created_at: now,
        created_by: actor.by.clone(),
        created_with: actor.credential.clone(),
    })
}

fn check_participant<'a>(
    participant: &'a Participant,
    met: &mut HashSet<&'a str>,
    faults: &mut Vec<FieldError>,
) {
    let mut wrong = |why: String| faults.push(FieldError::new("actors", why));
    if !met.insert(&participant.id) {
        wrong(format!("{} occurs twice; names differ within a thread", quote(&participant.id)));
    }
    if is_self(&participant.id) {
        wrong(format!("{} is Holdpoint's own name", quote(SELF)));
    }
    if participant.capabilities.len() > MOST_CAPABILITIES {
        wrong(format!("at most {MOST_CAPABILITIES} capabilities are allowed"));
    }
    let long = |address: &&String| check_length(address, MAX_ADDRESS).is_err();
    if let Some(address) = participant.capabilities.iter().find(long) {
        wrong(format!("the capability {} is longer than {MAX_ADDRESS} bytes", quote(address)));
    }
    if participant.client_id.as_ref().is_some_and(|client| client.len() > MAX_NAME) {
        wrong(format!("a client_id has at most {MAX_NAME} bytes"));
    }
    if json::size(&participant.extra).unwrap_or(usize::MAX) > MAX_METADATA {
        wrong(format!("more than {MAX_METADATA} bytes of metadata are given for {}", quote(&participant.id)));
    }
    let inexact = participant.extra.values().find_map(json::inexact_number);
    if let Some(number) = inexact {
        wrong(format!("{number} is too large"));
    }
}
