//! Policies, groups, absences and escalations, as requests.

use async_trait::async_trait;
use holdpoint_core::Notify;
use holdpoint_core::people::{Absence, Group, GroupChange, NewAbsence, NewPolicy, Policy};

use super::Http;
use crate::api::ProjectParams;
use crate::api::people::{
    ADD_POLICY, CHANGE_GROUP, END_ABSENCE, GET_ESCALATION, GET_NOTIFY, LIST_ABSENCES, LIST_GROUPS,
    LIST_POLICIES, PUT_ABSENCE, REMOVE_GROUP, REMOVE_POLICY, SET_NOTIFY, SIMULATE_POLICIES,
};
use crate::client::People;
use crate::error::Result;
use crate::notify::NotifyView;
use crate::{EscalationView, Simulation, SimulationInput};

#[async_trait]
impl People for Http {
    async fn add_policy(&self, new: NewPolicy) -> Result<Policy> {
        self.send(&ADD_POLICY, &[], &new).await
    }

    async fn policies(&self, project: Option<&str>) -> Result<Vec<Policy>> {
        Ok(self.query(&LIST_POLICIES, &[], &ProjectParams::of(project)).await?.items)
    }

    async fn remove_policy(&self, id: &str) -> Result<Policy> {
        self.call(&REMOVE_POLICY, &[id]).await
    }

    async fn change_group(&self, name: &str, change: GroupChange) -> Result<Group> {
        self.send(&CHANGE_GROUP, &[name], &change).await
    }

    async fn remove_group(&self, name: &str) -> Result<()> {
        self.call(&REMOVE_GROUP, &[name]).await.map(drop)
    }

    async fn groups(&self) -> Result<Vec<Group>> {
        Ok(self.call(&LIST_GROUPS, &[]).await?.items)
    }

    async fn absences(&self) -> Result<Vec<Absence>> {
        Ok(self.call(&LIST_ABSENCES, &[]).await?.items)
    }

    async fn add_absence(&self, person: &str, new: NewAbsence) -> Result<Absence> {
        self.send(&PUT_ABSENCE, &[person], &new).await
    }

    async fn end_absence(&self, person: &str, project: Option<&str>) -> Result<()> {
        self.query(&END_ABSENCE, &[person], &ProjectParams::of(project)).await.map(drop)
    }

    async fn notify_of(&self, person: &str) -> Result<NotifyView> {
        self.call(&GET_NOTIFY, &[person]).await
    }

    async fn set_notify(&self, person: &str, notify: Notify) -> Result<NotifyView> {
        self.send(&SET_NOTIFY, &[person], &notify).await
    }

    async fn escalation(&self, id: &str) -> Result<EscalationView> {
        self.call(&GET_ESCALATION, &[id]).await
    }

    async fn simulate(&self, input: SimulationInput) -> Result<Simulation> {
        self.send(&SIMULATE_POLICIES, &[], &input).await
    }
}
