//! What admins manage, as requests.

use async_trait::async_trait;
use holdpoint_core::{Person, Token};
use holdpoint_store::OutboxState;

use super::Http;
use crate::api::admin::{
    Authentication, CREATE_TOKEN, GET_AUTH, LIST_OUTBOX, LIST_TOKENS, OutboxParams, RESEND, REVOKE_TOKEN,
    SET_AUTH,
};
use crate::api::people::{CREATE_SIGN_IN_LINK, LIST_PEOPLE, PUT_PERSON, REMOVE_PERSON};
use crate::auth::{CreatedToken, NewPerson, NewToken};
use crate::client::Admin;
use crate::error::Result;
use crate::outbox::Undelivered;

#[async_trait]
impl Admin for Http {
    async fn create_token(&self, new: NewToken) -> Result<CreatedToken> {
        // A second token whose secret is lost would be worse than none.
        self.send_once(&CREATE_TOKEN, &[], &new).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self.call(&LIST_TOKENS, &[]).await?.items)
    }

    async fn revoke_token(&self, id: &str) -> Result<Token> {
        self.call(&REVOKE_TOKEN, &[id]).await
    }

    async fn put_person(&self, new: NewPerson) -> Result<Person> {
        self.send(&PUT_PERSON, &[&new.name], &new).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        Ok(self.call(&LIST_PEOPLE, &[]).await?.items)
    }

    async fn remove_person(&self, name: &str) -> Result<()> {
        self.call(&REMOVE_PERSON, &[name]).await
    }

    async fn sign_in_link(&self, name: &str) -> Result<String> {
        Ok(self.call(&CREATE_SIGN_IN_LINK, &[name]).await?.url)
    }

    async fn auth_required(&self) -> Result<bool> {
        Ok(self.call(&GET_AUTH, &[]).await?.required)
    }

    async fn whoami(&self) -> Result<Option<String>> {
        Ok(self.call(&GET_AUTH, &[]).await?.by)
    }

    async fn set_auth(&self, required: bool) -> Result<()> {
        self.send(&SET_AUTH, &[], &Authentication { required }).await.map(drop)
    }

    async fn outbox(&self, state: Option<OutboxState>, limit: usize) -> Result<Vec<Undelivered>> {
        let query = OutboxParams { state, limit: Some(limit.min(1000)) };
        Ok(self.query(&LIST_OUTBOX, &[], &query).await?.items)
    }

    async fn resend(&self, id: i64) -> Result<()> {
        self.call(&RESEND, &[&id.to_string()]).await.map(drop)
    }
}
