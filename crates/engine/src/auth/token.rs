//! Tokens: made, listed, revoked, and distinguished from what is not a token.

use holdpoint_core::{Command, Permission, Refusal, Role, SecretHash, Span, Token, credential};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Caller;
use super::secret::{Secret, random};
use super::token_cache::TOKEN_TTL;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// What is sent to make a token. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// Under which name its holder acts; for an agent the NAME in `agent:NAME`.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// The projects where it is valid; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// What it allows beyond its role.
    #[serde(default)]
    pub permissions: Vec<Permission>,
    /// How long it is valid; until it is revoked if not given.
    #[serde(default)]
    pub lasts: Option<Span>,
    /// The person it belongs to: what it asks, it asks on their behalf.
    #[serde(default)]
    pub owner: Option<String>,
}

/// A new token. As JSON it is the token with its `secret`: the only time that is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatedToken {
    /// The token.
    #[serde(flatten)]
    pub token: Token,
    /// Its secret.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    #[serde(serialize_with = "show", deserialize_with = "read")]
    pub secret: Secret,
}

impl Engine {
    /// Makes a token; its secret is never shown again.
    pub async fn create_token(&self, caller: &Caller, new: NewToken) -> Result<CreatedToken> {
        let secret = Secret::random()?;
        let id = credential::token_id(u64::from_le_bytes(random()?));
        let expires_at = match new.lasts {
            Some(lasts) => {
                let too_long = || Refusal::invalid("lasts", "is too long");
                Some(self.clock.now().checked_add(lasts).ok_or_else(too_long)?)
            }
            None => None,
        };
        let command = Command::CreateToken {
            id: id.clone(),
            name: new.name,
            role: new.role,
            projects: new.projects,
            permissions: new.permissions,
            expires_at,
            owner: new.owner,
            hash: secret.hash(),
        };
        self.submit_for(caller, command, None).await?;
        let token = self.store.token_by_hash(&secret.hash()).await?;
        let token = token.ok_or(Error::Refused(Refusal::NotFound { what: "token", id }))?;
        Ok(CreatedToken { token, secret })
    }

    /// Lists tokens, revoked ones included, oldest first, without their secrets.
    pub async fn tokens(&self, caller: &Caller) -> Result<Vec<Token>> {
        caller.administers()?;
        Ok(self.store.tokens().await?)
    }

    /// Ends a token, named by its id or a unique start of it. When this returns, no node accepts it any more.
    pub async fn revoke_token(&self, caller: &Caller, id: &str) -> Result<Token> {
        let tokens = self.tokens(caller).await?;
        let bare = |id: &str| id.trim().to_ascii_lowercase().trim_start_matches("tok-").to_owned();
        let wanted = bare(id);
        let mut fitting =
            tokens.iter().filter(|token| !wanted.is_empty() && bare(&token.id).starts_with(&wanted));
        let missing = || Refusal::NotFound { what: "token", id: holdpoint_core::text::inert_line(id) };
        let found = match (fitting.next(), fitting.next()) {
            (Some(token), None) => token.id.clone(),
            (None, _) => return Err(missing().into()),
            (Some(_), Some(_)) => {
                return Err(
                    Refusal::invalid("id", "several tokens start with this; give more of the id").into()
                );
            }
        };
        self.submit_for(caller, Command::RevokeToken { id: found.clone() }, None).await?;
        // Other nodes learn of it within milliseconds; one that does not trusts the token for at most this long.
        tokio::time::sleep(TOKEN_TTL).await;
        let token = self.store.tokens().await?.into_iter().find(|token| token.id == found);
        Ok(token.ok_or_else(missing)?)
    }

    /// Returns the holder of a token; none if the text is not a token, or the token is no longer valid.
    pub async fn authenticate_token(&self, text: &str, via: &str) -> Result<Option<Caller>> {
        let Some(secret) = Secret::read(text) else { return Ok(None) };
        self.authenticate_hash(secret.hash(), via).await
    }

    /// Returns the holder of the token whose secret has this hash; none if there is no valid one.
    pub async fn authenticate_hash(&self, hash: SecretHash, via: &str) -> Result<Option<Caller>> {
        let token = self.token(hash).await?;
        Ok(token.map(|token| Caller::of_token(&token, via)))
    }
}

fn show<S: Serializer>(secret: &Secret, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&secret.reveal())
}

fn read<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Secret, D::Error> {
    let text = String::deserialize(from)?;
    // The text itself must not end up in an error.
    Secret::read(&text).ok_or_else(|| de::Error::custom("this is not a secret"))
}
