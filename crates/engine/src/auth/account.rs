//! Links accounts of channels to people: with a one-time code that is shown here and sent to the bot.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use holdpoint_core::{
    Actor, Auth, ChannelMessage, Command, Decision, Lane, Person, Refusal, Role, Timestamp, json,
};
use holdpoint_protocols::channel::{Controls, FirstTap};
use holdpoint_store::{Happened, LinkUse, TrackedMessage};
use serde::{Deserialize, Serialize};

use super::Caller;
use super::link::Links;
use super::link_error::LinkError;
use super::secret::random;
use crate::engine::Engine;
use crate::error::Result;

/// How long a code counts, in minutes.
const MINUTES: i64 = 15;
const MINUTE: i64 = 60_000;
const SECOND: i64 = 1_000;
/// The parts of a code: its expiry, an identifier, and the proof.
const UNTIL: usize = 4;
const NONCE: usize = 8;
const PROOF: usize = 12;

/// A code by which a person links an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountCode {
    /// The code to send to the bot.
    pub code: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl Links {
    /// Makes a code by which a person links an account of a channel.
    pub fn issue_code(&self, person: &Person, channel: Lane, now: Timestamp) -> Result<AccountCode> {
        let until = u32::try_from(now.as_millis() / MINUTE + MINUTES).unwrap_or(u32::MAX);
        let mut code = until.to_be_bytes().to_vec();
        code.extend(random::<NONCE>()?);
        let proof = self.code_proof(&code, person, channel);
        code.extend(proof);
        let expires_at = Timestamp::from_millis(i64::from(until) * MINUTE);
        Ok(AccountCode { code: URL_SAFE_NO_PAD.encode(code), expires_at })
    }

    /// Returns the person of a code, and the use that it consumes.
    fn read_code(
        &self,
        text: &str,
        channel: Lane,
        people: &[Person],
        now: Timestamp,
    ) -> std::result::Result<(String, LinkUse), LinkError> {
        let code = URL_SAFE_NO_PAD.decode(text).map_err(|_| LinkError::Invalid)?;
        if code.len() != UNTIL + NONCE + PROOF {
            return Err(LinkError::Invalid);
        }
        let (head, proof) = code.split_at(UNTIL + NONCE);
        let mut person = None;
        for known in people {
            // All are compared, so that timing reveals nothing.
            let expected = self.code_proof(head, known, channel);
            let differs = expected.iter().zip(proof).fold(0, |sum, (one, other)| sum | (one ^ other));
            if differs == 0 {
                person = Some(known.name.clone());
            }
        }
        let person = person.ok_or(LinkError::Invalid)?;
        let until: [u8; UNTIL] = head[..UNTIL].try_into().map_err(|_| LinkError::Invalid)?;
        let expires = Timestamp::from_millis(i64::from(u32::from_be_bytes(until)) * MINUTE);
        if expires <= now {
            return Err(LinkError::Expired);
        }
        Ok((person, LinkUse { nonce: text.to_owned(), expires }))
    }

    fn code_proof(&self, head: &[u8], person: &Person, channel: Lane) -> [u8; PROOF] {
        // A later person of the same name is someone else.
        let since = person.created_at.as_millis().to_be_bytes();
        let body = [head, &since, channel.name().as_bytes(), b"\0", person.name.as_bytes()].concat();
        let mac = self.keyed("holdpoint account code v1\n", &body).finalize().into_bytes();
        std::array::from_fn(|at| mac[at])
    }
}

impl Links {
    /// Returns a proof that a message showed a decision to a person with these buttons.
    pub(crate) fn prove_controls(
        &self,
        decision: &Decision,
        person: &str,
        controls: &Controls,
    ) -> Result<String> {
        let body = json::canonical(&(decision.id, &decision.digest, person, &controls.buttons));
        let body = body.map_err(|why| Refusal::invalid("controls", why.to_string()))?;
        let mac = self.keyed("holdpoint message controls v1\n", body.as_bytes()).finalize().into_bytes();
        Ok(json::hex(&mac[..8]))
    }

    /// Returns a proof that an account tapped a button of a message; the nonce stands for decision, digest and buttons.
    pub(crate) fn prove_tap(&self, nonce: &str, account: &str, at: usize, until: Timestamp) -> FirstTap {
        let until = u32::try_from(until.as_millis() / SECOND).unwrap_or(u32::MAX);
        FirstTap { until, proof: self.tap_proof(nonce, account, at, until) }
    }

    /// Returns whether a proof is one of ours, however old.
    pub(crate) fn has_tapped(&self, nonce: &str, account: &str, at: usize, first: FirstTap) -> bool {
        self.tap_proof(nonce, account, at, first.until) ^ first.proof == 0
    }

    fn tap_proof(&self, nonce: &str, account: &str, at: usize, until: u32) -> u64 {
        let body = format!("{nonce}\n{at}\n{until}\n{account}");
        let mac = self.keyed("holdpoint first tap v1\n", body.as_bytes()).finalize().into_bytes();
        mac.iter().take(7).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }
}

impl Engine {
    /// Makes a code by which a person links an account.
    pub async fn account_code(
        &self,
        caller: &Caller,
        links: &Links,
        name: &str,
        channel: &str,
    ) -> Result<AccountCode> {
        caller.administers()?;
        let channel = linkable(channel)?;
        let missing = || Refusal::NotFound { what: "person", id: name.to_owned() };
        let person = self.store.person(name).await?.ok_or_else(missing)?.person;
        links.issue_code(&person, channel, self.now().await?)
    }

    /// Unlinks a person's account of a channel, so that it can no longer answer for them.
    pub async fn unlink_account(&self, caller: &Caller, name: &str, channel: &str) -> Result<()> {
        if channel == Lane::Webpush.name() {
            caller.administers()?;
            let missing = || Refusal::NotFound { what: "person", id: name.to_owned() };
            self.store.person(name).await?.ok_or_else(missing)?;
            return self.forget_browsers_of(name).await;
        }
        let lane = linkable(channel)?;
        let (name, channel) = (name.to_owned(), lane.name().to_owned());
        let command = Command::LinkAccount { name: name.clone(), channel, account: None };
        if !self.submit_for(caller, command, None).await?.replayed {
            self.log_channel(lane, &name, None, Happened::Unlinked, "").await;
        }
        Ok(())
    }

    /// Links an account to the person whose code was sent, and returns that person.
    pub(crate) async fn link_account(
        &self,
        links: &Links,
        channel: Lane,
        account: &str,
        code: &str,
    ) -> Result<String> {
        let now = self.now().await?;
        let people = self.store.people().await?;
        let (name, code) = links.read_code(code, channel, &people, now)?;
        let taken = |person: &&Person| person.name != name && has(person, channel, account);
        if let Some(other) = people.iter().find(taken) {
            let why = format!("this account answers for {}; unlink it there first", other.name);
            return Err(Refusal::Forbidden(why).into());
        }
        if !self.store.use_link(&code, now).await? {
            return Err(LinkError::Used.into());
        }
        self.set_account(&name, channel, Some(account)).await?;
        Ok(name)
    }

    /// Sets which account answers for a person, as told by the channel itself.
    pub(crate) async fn set_account(&self, name: &str, channel: Lane, account: Option<&str>) -> Result<()> {
        let (name, channel) = (name.to_owned(), channel.name().to_owned());
        let command = Command::LinkAccount { name, channel, account: account.map(Into::into) };
        let caller = Caller { actor: Actor::sign_in(), projects: Vec::new() };
        self.submit_for(&caller, command, None).await.map(drop)
    }

    /// Returns the person who answers with an account: one vouched for by the log, and the only one with that account.
    pub(crate) async fn person_of(&self, channel: Lane, account: &str) -> Result<Option<Person>> {
        let people = self.store.people().await?;
        let mut with = people.iter().filter(|person| has(person, channel, account));
        let (Some(person), None) = (with.next(), with.next()) else { return Ok(None) };
        let known = self.store.person(&person.name).await?.map(|known| known.person);
        Ok(known.filter(|person| has(person, channel, account)))
    }
}

/// Returns a caller who answers a message with their linked account: as a person, even if they are an admin.
pub(crate) fn account_holder(person: &Person, sent: &TrackedMessage) -> Caller {
    let credential = Some(Person::credential(&person.name));
    let (auth, role) = (Auth::Channel, Some(Role::Person));
    let channel = ChannelMessage { account: sent.place.clone(), message: sent.message.clone() };
    let actor = Actor {
        auth,
        role,
        credential,
        channel: Some(Box::new(channel)),
        ..Actor::claimed(&person.name, sent.channel.name())
    };
    Caller { actor, projects: person.projects.clone() }
}

fn has(person: &Person, channel: Lane, account: &str) -> bool {
    person.accounts.get(channel.name()).is_some_and(|known| known == account)
}

fn linkable(channel: &str) -> Result<Lane> {
    let lane = Lane::from_name(channel).filter(|lane| lane.has_accounts());
    let wrong = || Refusal::invalid("channel", "only telegram and slack have accounts to link");
    Ok(lane.ok_or_else(wrong)?)
}
