//! Signed links: bearer credentials in the post. Each is for one thing, one person, once, and not for long.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Person, Refusal, Role, Span, Status, Timestamp,
};
use holdpoint_protocols::channel::Act;
use holdpoint_store::{LinkUse, Outcome};
use serde::{Deserialize, Serialize};

use super::Caller;
use super::mac::{load_or_make, mac};
use super::secret::random;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::home::Home;

/// The longest a link to a decision lasts.
const LONGEST: Span = Span::from_secs(24 * 60 * 60);
/// How long a link to sign in lasts.
const SIGN_IN: Span = Span::from_secs(15 * 60);
/// How long a link out of a digest lasts: mail is read late.
const UNSUBSCRIBE: Span = Span::from_secs(60 * 24 * 60 * 60);
/// Nothing longer can be a link of ours.
const MAX_TEXT: usize = 2048;

/// The key that signs links, from `HOLD_HOME/keys/link.key`.
pub struct Links {
    key: [u8; 32],
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Links(…)")
    }
}

/// What a link to a decision says, once its signature was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The decision it opens, and no other.
    pub decision: DecisionId,
    /// What was asked when it was sent.
    pub digest: String,
    /// The person it was sent to.
    pub addressee: String,
    /// When it was made.
    pub issued: Timestamp,
    /// Until when it counts.
    pub expires: Timestamp,
    nonce: String,
}

/// What a link to sign in says.
pub(super) struct SignIn {
    pub(super) addressee: String,
    pub(super) issued: Timestamp,
    nonce: String,
    expires: Timestamp,
}

/// Why a link does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It was not made here, or was changed, or is for something else.
    #[error("this is not a link that was sent from here")]
    Invalid,
    /// Its time is over.
    #[error("the link is too old")]
    Expired,
    /// It was used before.
    #[error("the link was used before")]
    Used,
    /// The question is another one now.
    #[error("what is asked has changed since the link was sent")]
    Changed,
    /// The person or the decision is gone.
    #[error("the link is for a person or decision that no longer exists")]
    Unknown,
}

impl LinkError {
    /// Returns the stable code that programs match on.
    pub fn code(self) -> &'static str {
        match self {
            Self::Invalid => "link_invalid",
            Self::Expired => "link_expired",
            Self::Used => "link_used",
            Self::Changed => "link_changed",
            Self::Unknown => "link_unknown",
        }
    }
}

/// What is signed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    /// For what: a link to sign in must not open a decision, nor the other way.
    purpose: Purpose,
    to: String,
    nonce: String,
    /// Whoever got the name later is somebody else.
    issued: i64,
    expires: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// The one answer that it gives, where it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    act: Option<Act>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Purpose {
    Decide,
    Act,
    SignIn,
    Unsubscribe,
}

impl Links {
    /// Reads the key of a data folder, or makes one; of several processes that make one, one wins.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        Ok(Self { key: load_or_make(home, "link.key", "and links sent so far die")? })
    }

    /// Makes a link by which one person may answer one decision as it stands.
    pub fn issue(&self, decision: &Decision, addressee: &str, now: Timestamp) -> Result<String> {
        self.issue_for(decision, addressee, None, now)
    }

    /// Makes a link by which one person may give one answer to one decision as it stands, and no other.
    pub fn issue_act(
        &self,
        decision: &Decision,
        addressee: &str,
        act: &Act,
        now: Timestamp,
    ) -> Result<String> {
        self.issue_for(decision, addressee, Some(act.clone()), now)
    }

    fn issue_for(
        &self,
        decision: &Decision,
        addressee: &str,
        act: Option<Act>,
        now: Timestamp,
    ) -> Result<String> {
        if addressee.starts_with("agent:") {
            return Err(Refusal::Forbidden("only a named person gets a link".into()).into());
        }
        if decision.status != Status::Pending || decision.is_due(now) {
            return Err(Refusal::Settled(Box::new(decision.clone())).into());
        }
        let latest = now.checked_add(LONGEST).unwrap_or(now);
        let expires = decision.deadline.map_or(latest, |deadline| deadline.min(latest));
        self.seal(&Content {
            purpose: if act.is_some() { Purpose::Act } else { Purpose::Decide },
            to: addressee.to_owned(),
            nonce: nonce()?,
            issued: now.as_millis(),
            expires: expires.as_millis(),
            decision: Some(decision.id),
            digest: Some(decision.digest.clone()),
            act,
        })
    }

    /// Makes a link by which a person may sign in once.
    pub fn issue_sign_in(&self, person: &str, now: Timestamp) -> Result<String> {
        let expires = now.checked_add(SIGN_IN).unwrap_or(now).as_millis();
        let (purpose, to, nonce, issued) = (Purpose::SignIn, person.to_owned(), nonce()?, now.as_millis());
        self.seal(&Content { purpose, to, nonce, issued, expires, decision: None, digest: None, act: None })
    }

    /// Makes a link by which a person gets no more digests. It may be followed any number of times.
    pub fn issue_unsubscribe(&self, person: &str, now: Timestamp) -> Result<String> {
        let expires = now.checked_add(UNSUBSCRIBE).unwrap_or(now).as_millis();
        let (purpose, to, nonce, issued) =
            (Purpose::Unsubscribe, person.to_owned(), nonce()?, now.as_millis());
        self.seal(&Content { purpose, to, nonce, issued, expires, decision: None, digest: None, act: None })
    }

    /// Reads a link out of a digest, and returns whose it is and when it was made.
    pub(crate) fn read_unsubscribe(
        &self,
        text: &str,
        now: Timestamp,
    ) -> std::result::Result<(String, Timestamp), LinkError> {
        let content = self.open(text, Purpose::Unsubscribe, now)?;
        Ok((content.to, Timestamp::from_millis(content.issued)))
    }

    /// Reads a link to a decision: who signed it and until when is checked, not yet whether it was used.
    pub fn read(&self, text: &str, now: Timestamp) -> std::result::Result<Link, LinkError> {
        self.open(text, Purpose::Decide, now)?.link()
    }

    /// Reads a link that gives one answer.
    pub(super) fn read_act(&self, text: &str, now: Timestamp) -> std::result::Result<(Link, Act), LinkError> {
        let mut content = self.open(text, Purpose::Act, now)?;
        let act = content.act.take().ok_or(LinkError::Invalid)?;
        Ok((content.link()?, act))
    }

    pub(super) fn read_sign_in(&self, text: &str, now: Timestamp) -> std::result::Result<SignIn, LinkError> {
        let content = self.open(text, Purpose::SignIn, now)?;
        let (issued, expires) =
            (Timestamp::from_millis(content.issued), Timestamp::from_millis(content.expires));
        Ok(SignIn { addressee: content.to, issued, nonce: content.nonce, expires })
    }

    fn seal(&self, content: &Content) -> Result<String> {
        let failed = |why: serde_json::Error| Error::Settings(format!("the link cannot be written: {why}"));
        let body = serde_json::to_vec(content).map_err(failed)?;
        let mac = self.mac(&body).finalize().into_bytes();
        Ok(format!("{}.{}", URL_SAFE_NO_PAD.encode(&body), URL_SAFE_NO_PAD.encode(mac)))
    }

    fn open(&self, text: &str, purpose: Purpose, now: Timestamp) -> std::result::Result<Content, LinkError> {
        if text.len() > MAX_TEXT {
            return Err(LinkError::Invalid);
        }
        let (body, mac) = text.split_once('.').ok_or(LinkError::Invalid)?;
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| LinkError::Invalid);
        let (body, mac) = (decode(body)?, decode(mac)?);
        self.mac(&body).verify_slice(&mac).map_err(|_| LinkError::Invalid)?;
        let content: Content = serde_json::from_slice(&body).map_err(|_| LinkError::Invalid)?;
        if content.purpose != purpose {
            return Err(LinkError::Invalid);
        }
        if Timestamp::from_millis(content.expires) <= now {
            return Err(LinkError::Expired);
        }
        Ok(content)
    }

    fn mac(&self, body: &[u8]) -> impl hmac::Mac + use<> {
        self.keyed("holdpoint link v1\n", body)
    }

    /// Returns what proves that something was made here, for a use that is named.
    pub(super) fn keyed(&self, purpose: &str, body: &[u8]) -> impl hmac::Mac + use<> {
        mac(&self.key, purpose, body)
    }
}

impl Content {
    fn link(self) -> std::result::Result<Link, LinkError> {
        Ok(Link {
            decision: self.decision.ok_or(LinkError::Invalid)?,
            digest: self.digest.ok_or(LinkError::Invalid)?,
            addressee: self.to,
            issued: Timestamp::from_millis(self.issued),
            expires: Timestamp::from_millis(self.expires),
            nonce: self.nonce,
        })
    }
}

impl Link {
    /// Returns what is used up with the answer.
    pub(super) fn as_use(&self) -> LinkUse {
        LinkUse { nonce: self.nonce.clone(), expires: self.expires }
    }
}

impl SignIn {
    pub(super) fn as_use(&self) -> LinkUse {
        LinkUse { nonce: self.nonce.clone(), expires: self.expires }
    }
}

fn nonce() -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(random::<16>()?))
}

/// What a link opens.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The person who followed it. They can answer with the link and do nothing else.
    pub caller: Caller,
    /// The decision, as they may see it.
    pub decision: Decision,
    /// The link itself.
    pub link: Link,
}

impl Engine {
    /// Returns the person that a link was sent to; nobody who got the name after that.
    pub(crate) async fn addressee(&self, name: &str, issued: Timestamp) -> Result<Person> {
        let known = self.store.person(name).await?.map(|known| known.person);
        Ok(known.filter(|person| person.created_at <= issued).ok_or(LinkError::Unknown)?)
    }

    /// Shows what a link opens; uses nothing up and writes nothing.
    pub async fn open_link(&self, links: &Links, text: &str, via: &str) -> Result<Opened> {
        let now = self.now().await?;
        let link = links.read(text, now)?;
        if self.store.is_link_used(&link.nonce).await? {
            return Err(LinkError::Used.into());
        }
        let person = self.addressee(&link.addressee, link.issued).await?;
        let caller = follower(&person, via);
        let decision = self.decision(link.decision).await?.filter(|decision| caller.may_read(decision));
        let decision = decision.ok_or(LinkError::Unknown)?;
        if decision.digest != link.digest {
            return Err(LinkError::Changed.into());
        }
        let decision = caller.visible(decision);
        Ok(Opened { caller, decision, link })
    }

    /// Answers what a link opens. Only this uses the link up, and only if it settles the decision.
    pub async fn answer_by_link(
        &self,
        links: &Links,
        text: &str,
        input: AnswerInput,
        via: &str,
    ) -> Result<Outcome> {
        let link = links.read(text, self.now().await?)?;
        let person = self.addressee(&link.addressee, link.issued).await?;
        // The decision and what was seen are the link's, whatever was sent along.
        let input = AnswerInput { digest: Some(link.digest.clone()), by: None, ..input };
        let command = Command::Answer { id: link.decision, input: Box::new(input) };
        self.submit_with(&follower(&person, via), command, None, Some(link.as_use())).await
    }
}

/// A person who follows a link answers as a person, even if they are an admin: the link was in the post.
pub(super) fn follower(person: &Person, via: &str) -> Caller {
    let credential = Some(Person::credential(&person.name));
    let (auth, role) = (Auth::Link, Some(Role::Person));
    let actor = Actor { auth, role, credential, ..Actor::claimed(&person.name, via) };
    Caller { actor, projects: person.projects.clone() }
}
