//! Policies, groups, absences and escalations, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_core::Notify;
use holdpoint_core::people::{Absence, Group, GroupChange, NewAbsence, NewPolicy, Policy};

use super::Embedded;
use crate::error::Result;
use crate::notify::NotifyView;
use crate::{EscalationView, Simulation, SimulationInput};

/// The operations on policies, groups, absences and escalations.
#[async_trait]
pub trait People: Send + Sync {
    /// Makes a policy.
    async fn add_policy(&self, new: NewPolicy) -> Result<Policy>;

    /// Lists policies, the oldest first.
    async fn policies(&self, project: Option<&str>) -> Result<Vec<Policy>>;

    /// Ends the policy that an id or a unique start of one names, and returns it.
    async fn remove_policy(&self, id: &str) -> Result<Policy>;

    /// Adds people to a group or takes them out.
    async fn change_group(&self, name: &str, change: GroupChange) -> Result<Group>;

    /// Ends a group.
    async fn remove_group(&self, name: &str) -> Result<()>;

    /// Lists the groups by name.
    async fn groups(&self) -> Result<Vec<Group>>;

    /// Lists who is away, or will be, by name.
    async fn absences(&self) -> Result<Vec<Absence>>;

    /// Records that a person is away, and who stands in.
    async fn add_absence(&self, person: &str, new: NewAbsence) -> Result<Absence>;

    /// Ends an absence of a person.
    async fn end_absence(&self, person: &str, project: Option<&str>) -> Result<()>;

    /// Returns how a person is notified.
    async fn notify_of(&self, person: &str) -> Result<NotifyView>;

    /// Replaces all settings of how a person is notified.
    async fn set_notify(&self, person: &str, notify: Notify) -> Result<NotifyView>;

    /// Returns what has happened, and what will, as long as a decision is not answered.
    async fn escalation(&self, id: &str) -> Result<EscalationView>;

    /// Replays recent questions with further rules and policies. Writes nothing.
    async fn simulate(&self, input: SimulationInput) -> Result<Simulation>;
}

#[async_trait]
impl People for Embedded {
    async fn add_policy(&self, new: NewPolicy) -> Result<Policy> {
        self.engine().add_policy(self.caller(), new).await
    }

    async fn policies(&self, project: Option<&str>) -> Result<Vec<Policy>> {
        self.engine().policies(self.caller(), project).await
    }

    async fn remove_policy(&self, id: &str) -> Result<Policy> {
        self.engine().remove_policy(self.caller(), id).await
    }

    async fn change_group(&self, name: &str, change: GroupChange) -> Result<Group> {
        self.engine().change_group(self.caller(), name, change).await
    }

    async fn remove_group(&self, name: &str) -> Result<()> {
        self.engine().remove_group(self.caller(), name).await
    }

    async fn groups(&self) -> Result<Vec<Group>> {
        self.engine().groups(self.caller()).await
    }

    async fn absences(&self) -> Result<Vec<Absence>> {
        self.engine().absences(self.caller()).await
    }

    async fn add_absence(&self, person: &str, new: NewAbsence) -> Result<Absence> {
        self.engine().add_absence(self.caller(), person, new).await
    }

    async fn end_absence(&self, person: &str, project: Option<&str>) -> Result<()> {
        self.engine().end_absence(self.caller(), person, project).await
    }

    async fn notify_of(&self, person: &str) -> Result<NotifyView> {
        self.engine().notify_of(self.caller(), person).await
    }

    async fn set_notify(&self, person: &str, notify: Notify) -> Result<NotifyView> {
        self.engine().set_notify(self.caller(), person, notify).await
    }

    async fn escalation(&self, id: &str) -> Result<EscalationView> {
        self.engine().escalation(self.caller(), id).await
    }

    async fn simulate(&self, input: SimulationInput) -> Result<Simulation> {
        self.engine().simulate(self.caller(), input).await
    }
}
