//! What projects demand of their decisions, and the groups of people who vote on them.

use std::collections::BTreeSet;

use holdpoint_core::people::{self, GROUP, Group, GroupChange, NewPolicy, Policy, PolicyCommand};
use holdpoint_core::{Command, Refusal, access, text};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

impl Engine {
    /// Makes a policy.
    pub async fn add_policy(&self, caller: &Caller, new: NewPolicy) -> Result<Policy> {
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
            let why = "policies are for people to see; what they demand of an ask stands in its needs";
            return Err(Refusal::Forbidden(why.into()).into());
        }
        let mut policies = Vec::new();
        for project in self.projects_with_rules(caller, project).await? {
            policies.extend_from_slice(holdpoint_store::rules(&*self.store, &project).await?.policies());
        }
        policies.sort_by_key(|policy| policy.created_at);
        Ok(policies)
    }

    /// Ends a policy, named by its id or a unique start of it, and returns it. What was asked under it keeps its needs.
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
                return Err(Refusal::invalid("id", "several policies start so; give more of the id").into());
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
        self.check_members(&change.add).await?;
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
            return Err(Refusal::Forbidden("groups are for people to see".into()).into());
        }
        Ok(holdpoint_store::roster(&*self.store).await?.groups().collect())
    }

    /// Refuses members that nobody knows: a vote would be waited for that never comes.
    async fn check_members(&self, members: &[String]) -> Result<()> {
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
                let why = format!("{} is not known; make it so first: {way}", text::quote(member));
                return Err(Refusal::invalid("members", why).into());
            }
        }
        Ok(())
    }
}
