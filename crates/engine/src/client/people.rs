//! Policies and groups, from this process or over a wire.

use async_trait::async_trait;
use holdpoint_core::people::{Group, GroupChange, NewPolicy, Policy};
#[cfg(feature = "http-client")]
use reqwest::Method;
#[cfg(feature = "http-client")]
use serde_json::{Value, json};

use super::Embedded;
#[cfg(feature = "http-client")]
use super::Http;
#[cfg(feature = "http-client")]
use super::bodies::Items;
#[cfg(feature = "http-client")]
use super::http::segment;
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
        self.send(Method::POST, "/v1/policies", &json!(new)).await
    }

    async fn policies(&self, project: Option<&str>) -> Result<Vec<Policy>> {
        let query: Vec<_> = project.map(|project| ("project", project.to_owned())).into_iter().collect();
        Ok(self.get_json::<Items<Policy>>("/v1/policies", &query).await?.items)
    }

    async fn remove_policy(&self, id: &str) -> Result<Policy> {
        self.send(Method::DELETE, &format!("/v1/policies/{}", segment(id)), &json!({})).await
    }

    async fn change_group(&self, name: &str, change: GroupChange) -> Result<Group> {
        self.send(Method::PATCH, &format!("/v1/groups/{}", segment(name)), &json!(change)).await
    }

    async fn remove_group(&self, name: &str) -> Result<()> {
        let path = format!("/v1/groups/{}", segment(name));
        self.send::<Value>(Method::DELETE, &path, &json!({})).await.map(drop)
    }

    async fn groups(&self) -> Result<Vec<Group>> {
        Ok(self.get_json::<Items<Group>>("/v1/groups", &[]).await?.items)
    }
}
