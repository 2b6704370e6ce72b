//! The policies of projects, and the groups of people who vote.

use std::collections::BTreeSet;

use holdpoint_core::people::{
    self, Absence, AbsenceCommand, EscalationStep, GROUP, Group, GroupChange, NewAbsence, NewPolicy, Policy,
    PolicyCommand, Vote,
};
use holdpoint_core::{Actor, Command, Decision, Refusal, Role, Status, access, text};
use holdpoint_store::Query;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How many decisions are read at a time.
const PAGE: usize = 500;

fn absence(person: &str, command: AbsenceCommand) -> Command {
    Command::Absence { person: person.to_owned(), command }
}

impl Engine {
    /// Makes a policy.
    pub async fn add_policy(&self, caller: &Caller, new: NewPolicy) -> Result<Policy> {
        self.check_named(&new).await?;
        let id = people::fresh_id(u64::from_le_bytes(crate::auth::random()?));
        let project = new.project().to_owned();
        let command = PolicyCommand::Add { id: id.clone(), new: Box::new(new) };
        self.submit_for(caller, Command::Policy { project: project.clone(), command }, None).await?;
        let rules = holdpoint_store::rules(&*self.store, &project).await?;
        let made = rules.policies().iter().find(|policy| policy.id == id).cloned();
        Ok(made.ok_or(Refusal::NotFound { what: "policy", id })?)
    }

    /// Lists the policies of a project, or of all that the caller may use, the oldest first.
    pub async fn policies(&self, caller: &Caller, project: Option<&str>) -> Result<Vec<Policy>> {
        if caller.actor.is_program() {
            let why = "only people can see policies; what they require of a question is in its needs";
            return Err(Refusal::Forbidden(why.into()).into());
        }
        let mut policies = Vec::new();
        for project in self.projects_with_rules(caller, project).await? {
            policies.extend_from_slice(holdpoint_store::rules(&*self.store, &project).await?.policies());
        }
        policies.sort_by_key(|policy| policy.created_at);
        Ok(policies)
    }

    /// Ends a policy, named by its id or a unique prefix of it, and returns it. Earlier questions keep their needs.
    pub async fn remove_policy(&self, caller: &Caller, id: &str) -> Result<Policy> {
        let bare = |id: &str| id.trim().to_ascii_lowercase().trim_start_matches("pol-").to_owned();
        let wanted = bare(id);
        let policies = self.policies(caller, None).await?.into_iter();
        let mut fitting =
            policies.filter(|policy| !wanted.is_empty() && bare(&policy.id).starts_with(&wanted));
        let found = match (fitting.next(), fitting.next()) {
            (Some(found), None) => found,
            (None, _) => return Err(Refusal::NotFound { what: "policy", id: text::inert_line(id) }.into()),
            (Some(_), Some(_)) => {
                return Err(
                    Refusal::invalid("id", "several policies start with this; give more of the id").into()
                );
            }
        };
        let command = PolicyCommand::Remove { id: found.id.clone() };
        self.submit_for(caller, Command::Policy { project: found.project.clone(), command }, None).await?;
        Ok(found)
    }

    /// Adds people to a group or takes them out; a group begins with its first member.
    pub async fn change_group(&self, caller: &Caller, name: &str, change: GroupChange) -> Result<Group> {
        let name = name.strip_prefix(GROUP).unwrap_or(name).to_owned();
        access::administers(&caller.actor, "groups")?;
        self.check_members("members", &change.add).await?;
        self.submit_for(caller, Command::Group { name: name.clone(), change }, None).await?;
        let found = self.groups(caller).await?.into_iter().find(|group| group.name == name);
        Ok(found.ok_or(Refusal::NotFound { what: "group", id: name })?)
    }

    /// Ends a group. Votes that counted for it still do.
    pub async fn remove_group(&self, caller: &Caller, name: &str) -> Result<()> {
        let name = name.strip_prefix(GROUP).unwrap_or(name).to_owned();
        let change = GroupChange { delete: true, ..GroupChange::default() };
        self.submit_for(caller, Command::Group { name, change }, None).await.map(drop)
    }

    /// Lists the groups by name.
    pub async fn groups(&self, caller: &Caller) -> Result<Vec<Group>> {
        if caller.actor.is_program() {
            return Err(Refusal::Forbidden("only people can see groups".into()).into());
        }
        let mut groups: Vec<Group> = holdpoint_store::roster(&*self.store).await?.groups().collect();
        if let Some(problem) = self.on_call.problem() {
            let name = crate::on_call::GROUP;
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.problem = Some(problem),
                None => groups.push(Group { name: name.into(), members: Vec::new(), problem: Some(problem) }),
            }
        }
        Ok(groups)
    }

    /// Lists who is away, or will be, by name.
    pub async fn absences(&self, caller: &Caller) -> Result<Vec<Absence>> {
        if caller.actor.is_program() {
            return Err(Refusal::Forbidden("only people can see who is away".into()).into());
        }
        let now = self.now().await?;
        let roster = holdpoint_store::roster(&*self.store).await?;
        Ok(roster.absences().filter(|absence| absence.until > now).cloned().collect())
    }

    /// Returns whether a caller stands in for an assignee who is away.
    pub async fn stands_in(&self, caller: &Caller, decision: &Decision) -> Result<bool> {
        if caller.actor.role != Some(Role::Person) || decision.is_for_anyone() {
            return Ok(false);
        }
        let roster = holdpoint_store::roster(&*self.store).await?;
        Ok(people::is_stand_in(&roster, decision, &caller.actor.by, self.now().await?))
    }

    /// Records that a person is away, and who stands in.
    pub async fn add_absence(&self, caller: &Caller, person: &str, new: NewAbsence) -> Result<Absence> {
        access::admit(
            &caller.actor,
            &caller.projects,
            &absence(person, AbsenceCommand::Add(new.clone())),
            None,
        )?;
        self.check_members("members", &[person.to_owned(), new.stand_in.clone()]).await?;
        let project = new.project.clone();
        self.submit_for(caller, absence(person, AbsenceCommand::Add(new)), None).await?;
        let roster = holdpoint_store::roster(&*self.store).await?;
        let made =
            roster.absences().find(|absence| absence.person == person && absence.project == project).cloned();
        Ok(made.ok_or(Refusal::NotFound { what: "absence of", id: person.to_owned() })?)
    }

    /// Ends an absence of a person.
    pub async fn end_absence(&self, caller: &Caller, person: &str, project: Option<&str>) -> Result<()> {
        let end = AbsenceCommand::End { project: project.map(str::to_owned) };
        self.submit_for(caller, absence(person, end), None).await.map(drop)
    }

    /// Removes the votes of a former person from open decisions. They no longer count anyway: this is for people to
    /// see.
    pub(crate) async fn clear_votes_of(&self, person: &str) -> Result<()> {
        let is_theirs = |vote: &Vote| vote.by == person || vote.voter() == person;
        let mut query = Query { statuses: vec![Status::Pending], limit: PAGE, ..Query::default() };
        loop {
            let page = self.store.list(&query).await?;
            for decision in page.items.iter().filter(|decision| decision.votes.iter().any(is_theirs)) {
                let command = Command::ClearVotes { id: decision.id, person: person.to_owned() };
                if let Err(error) = self.submit(Actor::system(), command).await {
                    tracing::warn!(decision.id = %decision.id, "Could not take out the vote of {person}: {error}");
                }
            }
            match page.next {
                Some(next) => query.cursor = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Refuses a policy that names unknown people or groups.
    pub(crate) async fn check_named(&self, new: &NewPolicy) -> Result<()> {
        let needs = new.needs.iter().flat_map(|needs| needs.from.iter().chain(needs.each.keys()));
        let steps = new.escalation.iter().flat_map(|step| step.tell.iter().chain(&step.assign));
        // The group filled by the command may still be empty.
        let on_call = format!("{GROUP}{}", crate::on_call::GROUP);
        let is_filled = |name: &&String| **name != on_call || self.settings.people.on_call.is_none();
        let named: Vec<String> = needs.chain(steps).filter(is_filled).cloned().collect();
        self.check_members("members", &named).await
    }

    /// Refuses escalation steps for unknown people or groups, which would notify no one.
    pub(crate) async fn check_steps(&self, steps: &[EscalationStep]) -> Result<()> {
        let on_call = format!("{GROUP}{}", crate::on_call::GROUP);
        // The group filled by the command may still be empty.
        let is_filled = |name: &&String| **name != on_call || self.settings.people.on_call.is_none();
        let named = steps.iter().flat_map(|step| step.tell.iter().chain(&step.assign));
        let named: Vec<String> = named.filter(is_filled).cloned().collect();
        if named.is_empty() { Ok(()) } else { self.check_members("escalation", &named).await }
    }

    /// Refuses unknown members: their votes would never come.
    async fn check_members(&self, place: &str, members: &[String]) -> Result<()> {
        let known: BTreeSet<String> =
            self.store.people().await?.into_iter().map(|person| person.name).collect();
        let groups = holdpoint_store::roster(&*self.store).await?;
        let groups: BTreeSet<String> = groups.groups().map(|group| group.name).collect();
        for member in members {
            let (is_known, way) = match member.strip_prefix(GROUP) {
                Some(group) => (groups.contains(group), "hold group add NAME …"),
                None => (known.contains(member), "hold person add NAME"),
            };
            if !is_known {
                let why = format!("{} is not known; add it first: {way}", text::quote(member));
                return Err(Refusal::invalid(place, why).into());
            }
        }
        Ok(())
    }
}
