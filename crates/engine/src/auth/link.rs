//! Signed links: bearer credentials sent by mail. Each is for one purpose and one person, works once, and expires soon.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Lane, Person, Refusal, Role, Span, Status, Timestamp,
};
use holdpoint_protocols::channel::TapAction;
use holdpoint_store::{LinkUse, Outcome};
use serde::{Deserialize, Serialize};

use super::Caller;
use super::link_error::LinkError;
use super::mac::{load_or_make, mac};
use super::secret::random;
use super::sent_to::SentTo;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::home::Home;

/// The longest a link to a decision lasts.
const LONGEST: Span = Span::from_secs(24 * 60 * 60);
/// How long a link to sign in lasts.
const SIGN_IN: Span = Span::from_secs(15 * 60);
/// How long an unsubscribe link in a digest lasts: mail is read late.
const UNSUBSCRIBE: Span = Span::from_secs(60 * 24 * 60 * 60);
/// The length of the longest text that can be one of our links.
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

/// The content of a link to a decision, after its signature was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The decision it opens, and no other.
    pub decision: DecisionId,
    /// The question at the time when it was sent.
    pub digest: String,
    /// The person it was sent to.
    pub addressee: String,
    /// The account or address that it was sent to, if there was one.
    sent_to: Option<SentTo>,
    /// When it was made.
    pub issued: Timestamp,
    /// When it expires.
    pub expires: Timestamp,
    nonce: String,
}

/// The content of a link to sign in.
pub(super) struct SignIn {
    pub(super) addressee: String,
    pub(super) issued: Timestamp,
    nonce: String,
    expires: Timestamp,
}

/// What is signed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkClaims {
    /// The purpose: a link to sign in must not open a decision, or the reverse.
    purpose: Purpose,
    to: String,
    nonce: String,
    /// When it was made: a later person of the same name is someone else.
    issued: i64,
    expires: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    /// The one answer that it gives, if it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    act: Option<TapAction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent_to: Option<SentTo>,
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
    /// Reads the key of a data folder, or makes one; if several processes make one, one wins.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        Ok(Self { key: load_or_make(home, "link.key", "and links sent so far stop working")? })
    }

    /// Makes a link with which one person may answer one decision in its current form, wherever they got the link.
    pub fn issue(&self, decision: &Decision, addressee: &str, now: Timestamp) -> Result<String> {
        self.issue_for(decision, addressee, None, None, now)
    }

    /// Makes a link that is sent by a channel: it is valid only as long as that channel reaches the person at the same
    /// address.
    pub fn issue_by(
        &self,
        decision: &Decision,
        person: &Person,
        channel: Lane,
        now: Timestamp,
    ) -> Result<String> {
        self.issue_for(decision, &person.name, SentTo::of(person, channel), None, now)
    }

    /// Makes a link with which one person may give one answer to one decision in its current form, and no other.
    pub fn issue_act(
        &self,
        decision: &Decision,
        addressee: &str,
        act: &TapAction,
        now: Timestamp,
    ) -> Result<String> {
        self.issue_for(decision, addressee, None, Some(act.clone()), now)
    }

    fn issue_for(
        &self,
        decision: &Decision,
        addressee: &str,
        sent_to: Option<SentTo>,
        act: Option<TapAction>,
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
        self.seal(&LinkClaims {
            purpose: if act.is_some() { Purpose::Act } else { Purpose::Decide },
            to: addressee.to_owned(),
            nonce: nonce()?,
            issued: now.as_millis(),
            expires: expires.as_millis(),
            decision: Some(decision.id),
            digest: Some(decision.digest.clone()),
            act,
            sent_to,
        })
    }

    /// Makes a link with which a person may sign in once.
    pub fn issue_sign_in(&self, person: &str, now: Timestamp) -> Result<String> {
        self.issue_to(person, Purpose::SignIn, SIGN_IN, now)
    }

    /// Makes a link with which a person unsubscribes from digests. It may be followed any number of times.
    pub fn issue_unsubscribe(&self, person: &str, now: Timestamp) -> Result<String> {
        self.issue_to(person, Purpose::Unsubscribe, UNSUBSCRIBE, now)
    }

    /// Makes a link that is about a person, not about a decision.
    fn issue_to(&self, person: &str, purpose: Purpose, lasts: Span, now: Timestamp) -> Result<String> {
        self.seal(&LinkClaims {
            purpose,
            to: person.to_owned(),
            nonce: nonce()?,
            issued: now.as_millis(),
            expires: now.checked_add(lasts).unwrap_or(now).as_millis(),
            decision: None,
            digest: None,
            act: None,
            sent_to: None,
        })
    }

    /// Reads the unsubscribe link of a digest, and returns whose it is and when it was made.
    pub(crate) fn read_unsubscribe(
        &self,
        text: &str,
        now: Timestamp,
    ) -> std::result::Result<(String, Timestamp), LinkError> {
        let content = self.open(text, Purpose::Unsubscribe, now)?;
        Ok((content.to, Timestamp::from_millis(content.issued)))
    }

    /// Reads a link to a decision: checks its signature and expiry, but not whether it was used.
    pub fn read(&self, text: &str, now: Timestamp) -> std::result::Result<Link, LinkError> {
        self.open(text, Purpose::Decide, now)?.link()
    }

    /// Reads a link that gives one answer.
    pub(super) fn read_act(
        &self,
        text: &str,
        now: Timestamp,
    ) -> std::result::Result<(Link, TapAction), LinkError> {
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

    fn seal(&self, content: &LinkClaims) -> Result<String> {
        let failed = |why: serde_json::Error| Error::Settings(format!("the link cannot be written: {why}"));
        let body = serde_json::to_vec(content).map_err(failed)?;
        let mac = self.mac(&body).finalize().into_bytes();
        Ok(format!("{}.{}", URL_SAFE_NO_PAD.encode(&body), URL_SAFE_NO_PAD.encode(mac)))
    }

    fn open(
        &self,
        text: &str,
        purpose: Purpose,
        now: Timestamp,
    ) -> std::result::Result<LinkClaims, LinkError> {
        if text.len() > MAX_TEXT {
            return Err(LinkError::Invalid);
        }
        let (body, mac) = text.split_once('.').ok_or(LinkError::Invalid)?;
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| LinkError::Invalid);
        let (body, mac) = (decode(body)?, decode(mac)?);
        self.mac(&body).verify_slice(&mac).map_err(|_| LinkError::Invalid)?;
        let content: LinkClaims = serde_json::from_slice(&body).map_err(|_| LinkError::Invalid)?;
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

    /// Returns the keyed hash that proves that something was made here, for a named use.
    pub(super) fn keyed(&self, purpose: &str, body: &[u8]) -> impl hmac::Mac + use<> {
        mac(&self.key, purpose, body)
    }
}

impl LinkClaims {
    fn link(self) -> std::result::Result<Link, LinkError> {
        Ok(Link {
            decision: self.decision.ok_or(LinkError::Invalid)?,
            digest: self.digest.ok_or(LinkError::Invalid)?,
            addressee: self.to,
            sent_to: self.sent_to,
            issued: Timestamp::from_millis(self.issued),
            expires: Timestamp::from_millis(self.expires),
            nonce: self.nonce,
        })
    }
}

impl Link {
    /// Returns the use that the answer consumes.
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
pub struct OpenedLink {
    /// The person who followed it. They can answer with the link and do nothing else.
    pub caller: Caller,
    /// The decision, as they may see it.
    pub decision: Decision,
    /// The link itself.
    pub link: Link,
}

impl Engine {
    /// Returns the person that a link was sent to, not a later one of the same name.
    pub(crate) async fn addressee(&self, name: &str, issued: Timestamp) -> Result<Person> {
        let known = self.store.person(name).await?.map(|known| known.person);
        Ok(known.filter(|person| person.created_at <= issued).ok_or(LinkError::Unknown)?)
    }

    /// Returns the person that a link was sent to, if they can still be reached at that address.
    async fn reader_of(&self, link: &Link) -> Result<Person> {
        let person = self.addressee(&link.addressee, link.issued).await?;
        let is_theirs = |sent_to: &SentTo| SentTo::of(&person, sent_to.channel).as_ref() == Some(sent_to);
        if link.sent_to.as_ref().is_none_or(is_theirs) { Ok(person) } else { Err(LinkError::Unlinked.into()) }
    }

    /// Shows what a link opens, without using it up or writing anything.
    pub async fn open_link(&self, links: &Links, text: &str, via: &str) -> Result<OpenedLink> {
        let now = self.now().await?;
        let link = links.read(text, now)?;
        if self.store.is_link_used(&link.nonce).await? {
            return Err(LinkError::Used.into());
        }
        let person = self.reader_of(&link).await?;
        let caller = follower(&person, via);
        let decision = self.decision(link.decision).await?.filter(|decision| caller.may_read(decision));
        let decision = decision.ok_or(LinkError::Unknown)?;
        if decision.digest != link.digest {
            return Err(LinkError::Changed.into());
        }
        let decision = caller.visible(decision);
        Ok(OpenedLink { caller, decision, link })
    }

    /// Answers the decision of a link. Only this uses the link up, and only if it settles the decision.
    pub async fn answer_by_link(
        &self,
        links: &Links,
        text: &str,
        input: AnswerInput,
        via: &str,
    ) -> Result<Outcome> {
        let link = links.read(text, self.now().await?)?;
        let person = self.reader_of(&link).await?;
        // The decision and the digest come from the link, whatever was sent along.
        let input = AnswerInput { digest: Some(link.digest.clone()), by: None, ..input };
        let command = Command::Answer { id: link.decision, input: Box::new(input) };
        self.submit_with(&follower(&person, via), command, None, Some(link.as_use())).await
    }
}

/// Returns the caller for a person who follows a link: a person, even if they are an admin, because the link was sent
/// by mail.
pub(super) fn follower(person: &Person, via: &str) -> Caller {
    let credential = Some(Person::credential(&person.name));
    let (auth, role) = (Auth::Link, Some(Role::Person));
    let actor = Actor { auth, role, credential, ..Actor::claimed(&person.name, via) };
    Caller { actor, projects: person.projects.clone() }
}
