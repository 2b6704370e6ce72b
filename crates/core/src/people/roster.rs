//! The roster: groups of people, and who stands in for whom, as computed from the events of one stream.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Absence;
use crate::actor::Actor;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};

/// The prefix of group names where people and groups are mixed.
pub const GROUP: &str = "group:";
/// How deep groups may be nested.
const DEEPEST: usize = 3;
/// The maximum number of members per group, and of groups.
const MOST: usize = 1_000;

/// A group of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Group {
    /// Its name, without `group:`.
    pub name: String,
    /// People, and other groups as `group:NAME`.
    pub members: Vec<String>,
    /// Why the command that fills it last failed, if it did; the members are then from before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A change to a group. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GroupChange {
    /// Members to add: people, and other groups as `group:NAME`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<String>,
    /// Members to remove.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// Whether to remove the group itself.
    #[serde(skip)]
    pub delete: bool,
}

/// All groups and absences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    groups: BTreeMap<String, BTreeSet<String>>,
    /// Absences by person and by the only project they apply to, if any.
    pub(super) absences: BTreeMap<(String, Option<String>), Absence>,
}

impl Roster {
    /// Applies an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::GroupUpdated { id, members, .. } => {
                self.groups.insert(id.clone(), members.iter().cloned().collect());
            }
            Event::GroupRemoved { id, .. } => {
                self.groups.remove(id);
            }
            Event::AbsenceAdded(absence) => {
                let key = (absence.person.clone(), absence.project.clone());
                self.absences.insert(key, (**absence).clone());
            }
            Event::AbsenceEnded { person, project, .. } => {
                self.absences.remove(&(person.clone(), project.clone()));
            }
            _ => {}
        }
    }

    /// Lists the groups.
    pub fn groups(&self) -> impl Iterator<Item = Group> {
        let shown = |(name, members): (&String, &BTreeSet<String>)| Group {
            name: name.clone(),
            members: members.iter().cloned().collect(),
            problem: None,
        };
        self.groups.iter().map(shown)
    }

    /// Lists the people of a group, including those of nested groups.
    pub fn people(&self, group: &str) -> BTreeSet<&str> {
        let mut people = BTreeSet::new();
        let mut open = vec![(group, 1)];
        while let Some((name, depth)) = open.pop() {
            for member in self.groups.get(name).into_iter().flatten() {
                match member.strip_prefix(GROUP) {
                    // Deeper nesting and circles are refused when groups are changed.
                    Some(inner) if depth < DEEPEST => open.push((inner, depth + 1)),
                    Some(_) => {}
                    None => {
                        people.insert(member.as_str());
                    }
                }
            }
        }
        people
    }

    /// Lists the people named, directly or by group, each once.
    pub fn named<'a>(&'a self, names: impl IntoIterator<Item = &'a String>) -> BTreeSet<&'a str> {
        let mut people = BTreeSet::new();
        for name in names {
            match name.strip_prefix(GROUP) {
                Some(group) => people.extend(self.people(group)),
                None => {
                    people.insert(name.as_str());
                }
            }
        }
        people
    }

    /// Lists the events when a person is removed: they leave their groups, and their absences and stand-ins end.
    pub(crate) fn without(&self, person: &str, by: &str) -> Vec<Event> {
        let groups = self.groups.iter().filter(|(_, members)| members.contains(person));
        let left = groups.map(|(id, members)| Event::GroupUpdated {
            id: id.clone(),
            members: members.iter().filter(|member| *member != person).cloned().collect(),
            by: by.to_owned(),
        });
        let absences = self.absences.values();
        let theirs =
            absences.filter(|absence| [absence.person.as_str(), &absence.stand_in].contains(&person));
        let ended = theirs.map(|absence| Event::AbsenceEnded {
            person: absence.person.clone(),
            project: absence.project.clone(),
            by: by.to_owned(),
        });
        left.chain(ended).collect()
    }

    /// Returns whether a person is meant by a name: their own, or a group's that they are in.
    pub(crate) fn is(&self, person: &str, named: &str) -> bool {
        named.strip_prefix(GROUP).map_or(named == person, |group| self.people(group).contains(person))
    }

    /// Refuses groups that contain each other in a circle, or too deep.
    fn check(&self, group: &str) -> Result<(), Refusal> {
        let mut path = vec![group.to_owned()];
        let mut roots: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        roots.retain(|root| *root != group);
        self.walk(group, &mut path)?;
        for root in roots {
            path = vec![root.to_owned()];
            self.walk(root, &mut path)?;
        }
        Ok(())
    }

    fn walk(&self, group: &str, path: &mut Vec<String>) -> Result<(), Refusal> {
        let inner =
            self.groups.get(group).into_iter().flatten().filter_map(|member| member.strip_prefix(GROUP));
        for inner in inner {
            let is_circle = path.iter().any(|name| name == inner);
            path.push(inner.to_owned());
            let way = || quote(&path.join(" > "));
            if is_circle {
                return Err(Refusal::invalid("members", format!("groups form a circle: {}", way())));
            }
            if path.len() > DEEPEST {
                let why = format!("groups can be nested {DEEPEST} deep, and this is deeper: {}", way());
                return Err(Refusal::invalid("members", why));
            }
            self.walk(inner, path)?;
            path.pop();
        }
        Ok(())
    }
}

pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    name: &str,
    change: &GroupChange,
) -> Result<Ruling, Refusal> {
    crate::access::administers(actor, "groups")?;
    let wrong =
        |place: &str, name: &str, why: &str| Refusal::invalid(place, format!("{} {why}", quote(name)));
    check_name(name).map_err(|why| wrong("name", name, &why))?;
    if name.contains(':') {
        return Err(wrong("name", name, "must not contain a colon: groups are written as group:NAME"));
    }
    let before = state.roster.groups.get(name);
    let event = if change.delete {
        if before.is_none() {
            return Err(Refusal::NotFound { what: "group", id: name.to_owned() });
        }
        Event::GroupRemoved { id: name.to_owned(), by: actor.by.clone() }
    } else {
        for member in change.add.iter().chain(&change.remove) {
            let plain = member.strip_prefix(GROUP).unwrap_or(member);
            check_name(plain).map_err(|why| wrong("members", member, &why))?;
            if plain.contains(':') {
                return Err(wrong("members", member, "is neither a person nor group:NAME"));
            }
        }
        let mut members = before.cloned().unwrap_or_default();
        members.extend(change.add.iter().cloned());
        members.retain(|member| !change.remove.contains(member));
        if change.add.is_empty() && change.remove.is_empty() {
            return Err(Refusal::invalid("members", "name at least one person to add or remove"));
        }
        if members.len() > MOST || (before.is_none() && state.roster.groups.len() >= MOST) {
            return Err(Refusal::invalid(
                "members",
                format!("at most {MOST} groups and members are allowed"),
            ));
        }
        if before == Some(&members) {
            return Ok(Ruling { replayed: true, ..Ruling::default() });
        }
        let mut after = Roster::clone(&state.roster);
        after.groups.insert(name.to_owned(), members.clone());
        after.check(name)?;
        Event::GroupUpdated {
            id: name.to_owned(),
            members: members.into_iter().collect(),
            by: actor.by.clone(),
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
