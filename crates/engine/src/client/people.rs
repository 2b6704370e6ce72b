//! Policies and groups, from this process or over a wire.

use async_trait::async_trait;
use holdpoint_core::people::{Group, GroupChange, NewPolicy, Policy};

use super::Embedded;
#[cfg(feature = "http-client")]
use super::Http;
#[cfg(feature = "http-client")]
use crate::api::ProjectParams;
#[cfg(feature = "http-client")]
use crate::api::people::{ADD_POLICY, CHANGE_GROUP, LIST_GROUPS, LIST_POLICIES, REMOVE_GROUP, REMOVE_POLICY};
use crate::error::Result;

/// All that can be done with policies and groups.
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
}

#[cfg(feature = "http-client")]
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
}
