//! Absences and stand-ins. They are stored in the stream of the groups.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::roster::{GROUP, Roster};
use crate::actor::{Actor, Role};
use crate::decision::Decision;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};
use crate::{Span, Timestamp};

/// The longest chain of stand-ins.
const LONGEST_CHAIN: usize = 3;
/// The maximum number of absences.
const MOST: usize = 200;
/// The longest absence.
const LONGEST: Span = Span::from_secs(366 * 24 * 60 * 60);

/// The absence of a person, with a stand-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Absence {
    /// The person who is away.
    pub person: String,
    /// Who stands in.
    pub stand_in: String,
    /// The beginning.
    pub from: Timestamp,
    /// The end.
    pub until: Timestamp,
    /// The only project it applies to; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Who recorded it.
    pub by: String,
}

/// A request to record an absence. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct NewAbsence {
    /// Who stands in.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub stand_in: String,
    /// The beginning; now if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// The end.
    #[cfg_attr(feature = "openapi", schema(required))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// The only project it applies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// A command about absences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbsenceCommand {
    /// Add an absence. It replaces an earlier one for the same project.
    Add(NewAbsence),
    /// End the absence, in one project or where no project was named.
    End {
        /// The project of the absence.
        project: Option<String>,
    },
}

impl Absence {
    fn covers(&self, project: Option<&str>, at: Timestamp) -> bool {
        let is_here = self.project.is_none() || self.project.as_deref() == project;
        is_here && self.from <= at && at < self.until
    }
}

impl Roster {
    /// Lists present and future absences, by name.
    pub fn absences(&self) -> impl Iterator<Item = &Absence> {
        self.absences.values()
    }

    /// Returns a person's absence in a project at a time; one for that project alone takes precedence.
    fn absence(&self, person: &str, project: Option<&str>, at: Timestamp) -> Option<&Absence> {
        let found =
            |project: Option<&str>| self.absences.get(&(person.to_owned(), project.map(str::to_owned)));
        let covers = |absence: &&Absence| absence.covers(project, at);
        project.and_then(|name| found(Some(name)).filter(covers)).or_else(|| found(None).filter(covers))
    }

    /// Returns who acts for a person in a project at a time: that person, or the first stand-in who is not absent.
    pub fn acting(&self, person: &str, project: &str, at: Timestamp) -> String {
        self.stand_ins(person, project, at).pop().unwrap_or(person).to_owned()
    }

    /// Lists the chain of a person's stand-ins in a project at a time; each but the last is absent, too.
    pub(crate) fn stand_ins<'a>(&'a self, person: &'a str, project: &str, at: Timestamp) -> Vec<&'a str> {
        let mut row = Vec::new();
        let mut last = person;
        while let Some(absence) = self.absence(last, Some(project), at) {
            last = &absence.stand_in;
            row.push(last);
            if row.len() > LONGEST_CHAIN {
                // Longer chains and circles are refused when they are made; here they give no stand-in.
                return Vec::new();
            }
        }
        row
    }

    /// Lists the absent people for whom a person acts.
    pub(crate) fn absent_for(&self, person: &str, project: &str, at: Timestamp) -> Vec<String> {
        let away: BTreeSet<&str> = self.absences.keys().map(|(away, _)| away.as_str()).collect();
        let acts = |away: &&str| *away != person && self.acting(away, project, at) == person;
        away.into_iter().filter(acts).map(str::to_owned).collect()
    }

    /// Refuses circles and too long chains of stand-ins, at any time during an absence.
    fn check_stand_ins(&self, new: &Absence) -> Result<(), Refusal> {
        let mut contexts: BTreeSet<Option<&str>> = BTreeSet::from([new.project.as_deref()]);
        if new.project.is_none() {
            contexts.extend(self.absences.values().map(|absence| absence.project.as_deref()));
        }
        // Chains change only when an absence begins, so any circle can be found at such a time.
        let starts = self.absences.values().map(|absence| absence.from.max(new.from));
        let starts: BTreeSet<Timestamp> = starts.filter(|at| *at < new.until).collect();
        let people: BTreeSet<&str> = self.absences.keys().map(|(away, _)| away.as_str()).collect();
        for project in contexts {
            for at in &starts {
                for person in &people {
                    self.walk_stand_ins(person, project, *at)?;
                }
            }
        }
        Ok(())
    }

    fn walk_stand_ins(&self, person: &str, project: Option<&str>, at: Timestamp) -> Result<(), Refusal> {
        let mut row = vec![person];
        while let Some(absence) = row.last().and_then(|last| self.absence(last, project, at)) {
            let is_circle = row.contains(&absence.stand_in.as_str());
            row.push(&absence.stand_in);
            let way = || quote(&row.join(" > "));
            if is_circle {
                let why = format!("the stand-ins would form a circle: {}", way());
                return Err(Refusal::invalid("stand_in", why));
            }
            if row.len() > LONGEST_CHAIN + 1 {
                let why = format!(
                    "at most {LONGEST_CHAIN} people stand in for one another in a row, and this is longer: {}; \
                     name somebody who is not away",
                    way()
                );
                return Err(Refusal::invalid("stand_in", why));
            }
        }
        Ok(())
    }
}

/// Returns whether a person acts for one of the assignees who is absent.
pub fn is_stand_in(roster: &Roster, decision: &Decision, person: &str, now: Timestamp) -> bool {
    away_for(roster, decision, person, now).is_some()
}

fn away_for(roster: &Roster, decision: &Decision, person: &str, now: Timestamp) -> Option<String> {
    let acts = |who: &&String| *who != person && roster.acting(who, &decision.project, now) == person;
    decision.assignees.iter().find(acts).cloned()
}

/// Returns the absent assignee for whom a person answers a decision that they are not assigned themselves.
pub(crate) fn stands_in(state: &State, decision: &Decision, actor: &Actor, now: Timestamp) -> Option<String> {
    let is_asked = decision.is_for_anyone() || decision.assignees.contains(&actor.by);
    if is_asked || actor.role != Some(Role::Person) {
        return None;
    }
    away_for(&state.roster, decision, &actor.by, now)
}

/// Returns whether an actor is a person of this name: signed in, or with their own token.
fn is_self(actor: &Actor, person: &str) -> bool {
    let name = actor.owner.as_deref().unwrap_or(&actor.by);
    actor.role == Some(Role::Person) && name == person
}

/// Refuses an actor that is neither the person nor an admin of all projects.
pub(crate) fn may_say(actor: &Actor, projects: &[String], person: &str) -> Result<(), Refusal> {
    let is_admin = match actor.role {
        None => true,
        Some(Role::Admin) => projects.is_empty(),
        Some(Role::Person | Role::Agent) => false,
    };
    if actor.is_program() || !(is_admin || is_self(actor, person)) {
        let why = "only the person who is away, or an admin of all projects, can change this";
        return Err(Refusal::Forbidden(why.into()));
    }
    Ok(())
}

pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    person: &str,
    command: &AbsenceCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    check_person("person", person)?;
    let event = match command {
        AbsenceCommand::Add(new) => {
            let absence = check(actor, person, new, now)?;
            let key = (person.to_owned(), absence.project.clone());
            if state.roster.absences.get(&key) == Some(&absence) {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            let mut after = Roster::clone(&state.roster);
            // Absences that are over no longer matter.
            after.absences.retain(|_, absence| absence.until > now);
            after.absences.insert(key, absence.clone());
            if after.absences.len() > MOST {
                let why = format!("end some absences first: {MOST} are recorded already");
                return Err(Refusal::invalid("person", why));
            }
            after.check_stand_ins(&absence)?;
            Event::AbsenceAdded(Box::new(absence))
        }
        AbsenceCommand::End { project } => {
            if !state.roster.absences.contains_key(&(person.to_owned(), project.clone())) {
                return Err(Refusal::NotFound { what: "absence of", id: person.to_owned() });
            }
            Event::AbsenceEnded { person: person.to_owned(), project: project.clone(), by: actor.by.clone() }
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn check_person(place: &str, name: &str) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::invalid(place, format!("{} {why}", quote(name)));
    check_name(name).map_err(|why| wrong(&why))?;
    if name.starts_with(GROUP) || name.contains(':') {
        return Err(wrong("is not a person's name"));
    }
    Ok(())
}

fn check(actor: &Actor, person: &str, new: &NewAbsence, now: Timestamp) -> Result<Absence, Refusal> {
    let wrong = |place: &str, why: &str| Err(Refusal::invalid(place, why));
    check_person("stand_in", &new.stand_in)?;
    if new.stand_in == person {
        return wrong("stand_in", "must be somebody else");
    }
    if let Some(project) = &new.project {
        check_name(project)
            .map_err(|why| Refusal::invalid("project", format!("{} {why}", quote(project))))?;
    }
    let from = new.from.unwrap_or(now);
    let Some(until) = new.until else { return wrong("until", "say until when, e.g. 2w or a date") };
    if until <= now || until <= from {
        return wrong("until", "is over before it begins");
    }
    if until.since(from) > LONGEST {
        return wrong("until", "is more than a year after it begins");
    }
    Ok(Absence {
        person: person.to_owned(),
        stand_in: new.stand_in.clone(),
        from,
        until,
        project: new.project.clone(),
        by: actor.by.clone(),
    })
}
