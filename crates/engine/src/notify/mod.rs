//! Telling people and programs what happened: one small port, one file per channel.
//!
//! A channel is given a [`Notice`] and says whether it arrived. What is to be told, to whom, how often and how long
//! is decided elsewhere: by the outbox row, which was written with the event, and by `drain`, which keeps trying.
//! A `Messenger` also keeps what it sent up to date: `follow` knows which messages there are and what each shows. An
//! answer that a messenger takes is decided like any other.

pub(crate) mod address;
#[cfg(feature = "notify")]
mod answers;
mod audience;
pub mod callback;
mod channel_log;
mod command;
#[cfg(feature = "notify")]
mod crowd;
#[cfg(feature = "notify")]
mod digest;
mod drain;
#[cfg(feature = "notify")]
mod follow;
mod gate;
mod gathering;
#[cfg(feature = "notify")]
mod http;
#[cfg(feature = "notify")]
mod inspect;
pub mod mail;
#[cfg(feature = "notify")]
mod messenger;
pub mod ntfy;
pub mod opinion;
#[cfg(feature = "notify")]
mod pace;
#[cfg(feature = "notify")]
mod post;
pub(crate) mod private;
mod probe;
#[cfg(any(feature = "notify", feature = "threads"))]
pub(crate) mod public;
#[cfg(feature = "notify")]
mod reply;
mod secret;
mod send;
pub mod slack;
pub mod telegram;
#[cfg(feature = "notify")]
#[cfg(test)]
mod tests;
#[cfg(feature = "notify")]
mod turns;
pub mod webhook;
pub mod webpush;
mod wishes;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::Callback;
use holdpoint_core::{Decision, DecisionId, Lane, Occasion, Person, Span, Timestamp};
use holdpoint_store::{OutboxEntry, Route, Target};
use serde_json::{Map, Value, json};

pub use audience::{Audience, audience};
pub use gathering::Gathering;
#[cfg(feature = "notify")]
pub use inspect::{ChannelState, ChannelTested};
#[cfg(feature = "notify")]
use messenger::Messenger;
pub use probe::Probe;
#[cfg(feature = "notify")]
use turns::Turns;
pub use wishes::NotifyView;

use crate::auth::Links;
use crate::engine::Engine;
use crate::error::Result;
use crate::settings::Settings;

/// Every kind of channel. The next one is a file, its line here, and its line in the settings.
pub(crate) const KINDS: [Kind; 9] = [
    command::KIND,
    webhook::KIND,
    callback::KIND,
    mail::KIND,
    ntfy::KIND,
    telegram::KIND,
    slack::KIND,
    webpush::KIND,
    opinion::KIND,
];

/// What one kind of channel makes of the settings.
pub(crate) struct Kind {
    /// Says what is wrong with them.
    pub(crate) check: fn(&Settings) -> std::result::Result<(), String>,
    /// Says which outbox rows are written.
    pub(crate) routes: fn(&Settings) -> Vec<Route>,
    /// Makes the channels, secrets and all; none where they are not compiled in.
    pub(crate) open: fn(&Engine) -> Result<Vec<Outlet>>,
}

/// A way to tell someone.
#[async_trait]
pub trait Channel: Send + Sync + fmt::Debug {
    /// Sends a notice. One that was sent before may come again, with the same id.
    async fn send(&self, notice: &Notice) -> std::result::Result<(), Trouble>;

    /// Sends several notices to one person together.
    async fn gather(&self, _: &Gathering) -> std::result::Result<(), Trouble> {
        Err(Trouble::never("gathers no notices"))
    }

    /// Sends a person a message that only shows that messages arrive.
    async fn test(&self, _: &Person) -> std::result::Result<(), Trouble> {
        Err(Trouble::never("has no test message"))
    }

    /// Sends a program such a message, if the settings call it by this name here.
    async fn probe(&self, _: &Probe<'_>) -> Option<std::result::Result<(), Trouble>> {
        None
    }
}

/// Why a notice did not arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It may arrive later.
    Later {
        /// What went wrong.
        why: String,
        /// How long the receiver wants to be left alone.
        after: Option<Span>,
    },
    /// It never will.
    Never {
        /// What went wrong.
        why: String,
    },
}

impl Trouble {
    fn later(why: impl Into<String>) -> Self {
        Self::Later { why: why.into(), after: None }
    }

    fn never(why: impl Into<String>) -> Self {
        Self::Never { why: why.into() }
    }

    /// Says what went wrong.
    #[cfg(feature = "notify")]
    fn why(&self) -> &str {
        match self {
            Self::Later { why, .. } | Self::Never { why } => why,
        }
    }
}

/// Something to be told to one receiver.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Stays the same however often it is sent; receivers de-duplicate on it.
    pub id: i64,
    /// To whom, in the lane's own words.
    pub target: String,
    /// On which occasion.
    pub occasion: Occasion,
    /// When it is sent.
    pub at: Timestamp,
    /// What happened.
    pub event: Map<String, Value>,
    /// The decision as it is now.
    pub decision: Decision,
    /// The first of the rounds it is one of: all are one conversation.
    pub root: DecisionId,
    /// Where its asker wants to be told.
    pub callback: Option<Box<Callback>>,
    /// Where the decision is shown to those who may see it; not known without a server.
    pub url: Option<String>,
    /// The person it goes to, if they are known and may see the decision.
    pub person: Option<Person>,
    /// Lets that person, and anyone they hand it to, answer without signing in.
    pub link: Option<SignedLink>,
    /// Each settles the decision in one way and no other, as the messenger wished.
    pub acts: Vec<SignedLink>,
}

impl Notice {
    /// Returns what programs are told. A signed link is never in it.
    pub fn body(&self) -> Value {
        json!({ "id": self.id, "event": self.event, "decision": self.decision, "url": self.url })
    }
}

/// An address that is a credential; it shows itself only when asked.
#[derive(Clone)]
pub struct SignedLink(String);

impl SignedLink {
    /// Returns the address, to send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SignedLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignedLink(…)")
    }
}

/// A channel and what it takes.
#[derive(Clone, Debug)]
pub(crate) struct Outlet {
    pub(crate) lane: Lane,
    /// Which target; any of the lane if none.
    pub(crate) target: Option<String>,
    /// How long one sending may take.
    pub(crate) timeout: Duration,
    pub(crate) way: Way,
}

/// How a channel works.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// What was sent is out of its hands.
    Once(Arc<dyn Channel>),
    /// What was sent is kept up to date.
    #[cfg(feature = "notify")]
    Followed(Arc<dyn Messenger>),
}

/// All channels of a process, and what goes into what they send.
#[derive(Debug)]
pub struct Notices {
    outlets: Vec<Outlet>,
    public_url: Option<String>,
    links: Option<Links>,
    #[cfg(feature = "notify")]
    turns: Turns,
    #[cfg(feature = "notify")]
    crowds: crowd::Crowds,
}

impl Notices {
    fn new(outlets: Vec<Outlet>, public_url: Option<&str>, links: Option<Links>) -> Self {
        Self {
            outlets,
            public_url: public_url.map(|url| url.trim_end_matches('/').to_owned()),
            links,
            #[cfg(feature = "notify")]
            turns: Turns::default(),
            #[cfg(feature = "notify")]
            crowds: crowd::Crowds::default(),
        }
    }

    fn outlet(&self, entry: &OutboxEntry) -> Option<&Outlet> {
        let fits = |target: &Option<String>| target.as_ref().is_none_or(|target| *target == entry.target);
        self.outlets.iter().find(|outlet| outlet.lane == entry.channel() && fits(&outlet.target))
    }

    /// Lists the channels that rows of a lane go by.
    fn of(&self, lane: Lane) -> impl Iterator<Item = &Outlet> {
        let goes_by =
            move |outlet: &&Outlet| outlet.lane == lane || lane == Lane::Follow && outlet.lane.follows();
        self.outlets.iter().filter(goes_by)
    }

    /// Returns the app that listens to Slack, if the settings name one.
    #[cfg(feature = "notify")]
    fn slack(&self) -> Option<Arc<slack::Slack>> {
        let outlet = self.outlets.iter().find(|outlet| outlet.lane == Lane::Slack)?;
        match &outlet.way {
            Way::Followed(messenger) => Arc::clone(messenger).slack(),
            Way::Once(_) => None,
        }
    }

    /// Returns how many channels a lane has.
    fn count(&self, lane: Lane) -> usize {
        self.of(lane).count()
    }

    /// Returns the longest that one sending in a lane may take.
    fn timeout(&self, lane: Lane) -> Duration {
        self.of(lane).map(|outlet| outlet.timeout).max().unwrap_or_default()
    }
}

impl Engine {
    /// Makes all channels that the settings name; what is missing for one, a secret above all, is said here.
    ///
    /// Without `links` nobody gets a signed one.
    pub fn notices(&self, public_url: &str, links: Option<Links>) -> Result<Notices> {
        let mut outlets = Vec::new();
        for kind in KINDS {
            outlets.extend((kind.open)(self)?);
        }
        Ok(Notices::new(outlets, Some(public_url), links))
    }

    /// Makes what a process without a server tells: commands only.
    fn own_notices(&self) -> Result<Notices> {
        let outlets = (command::KIND.open)(self)?;
        Ok(Notices::new(outlets, self.settings.server.public_url.as_deref(), None))
    }
}

/// Opens no channel of a kind that is not compiled in: what is to be sent by it stays in the outbox, for a process that can.
#[cfg(not(feature = "notify"))]
#[expect(clippy::unnecessary_wraps, reason = "channels that are compiled in may fail to open")]
fn not_here(_: &Engine) -> Result<Vec<Outlet>> {
    Ok(Vec::new())
}

/// Returns which outbox rows the settings ask for.
pub(crate) fn routes(settings: &Settings) -> Arc<[Route]> {
    KINDS.iter().flat_map(|kind| (kind.routes)(settings)).collect()
}

/// Lists the outbox rows of a messenger: each assignee is told, or those named here, and messages are followed.
fn followed_routes(lane: Lane, tell: &[String], projects: &[String]) -> Vec<Route> {
    let route = |target| Route { projects: projects.to_vec(), ..Route::new(Occasion::Create, lane, target) };
    [Target::EachAssigneeOr(tell.to_vec()), Target::Messages].map(route).into()
}

/// Checks entries of the settings that have names.
fn check_named<T>(
    what: &str,
    entries: &[T],
    name: fn(&T) -> &str,
    check: fn(&T) -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    let mut met = std::collections::HashSet::new();
    for entry in entries {
        let name = name(entry);
        check_label(what, name)?;
        if !met.insert(name) {
            return Err(format!("two {what}s are named {name:?}"));
        }
        check(entry).map_err(|why| format!("{what} {name:?}: {why}"))?;
    }
    Ok(())
}

fn check_label(what: &str, name: &str) -> std::result::Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        return Err(format!("{what}.name {name:?} must be 1 to 64 letters, digits, - _ or ."));
    }
    Ok(())
}

/// Checks what channels have in common.
fn check_common(occasions: &[Occasion], timeout: Span) -> std::result::Result<(), String> {
    if occasions.is_empty() {
        return Err("occasions names none of create, respond, timeout, escalate and vote".into());
    }
    if (1..occasions.len()).any(|at| occasions[..at].contains(&occasions[at])) {
        return Err("occasions names one of them twice".into());
    }
    check_timeout(timeout)
}

/// How long one message may take where the settings do not say.
fn ten_seconds() -> Span {
    Span::from_secs(10)
}

fn check_timeout(timeout: Span) -> std::result::Result<(), String> {
    const LONGEST: Span = Span::from_secs(60);
    if timeout.as_millis() <= 0 || timeout > LONGEST {
        return Err(format!("timeout must be longer than nothing and at most {LONGEST}"));
    }
    Ok(())
}

fn as_duration(span: Span) -> Duration {
    Duration::from_millis(span.as_millis().unsigned_abs())
}

/// Returns the start of a text from elsewhere, on one line and unable to act.
fn excerpt(text: &str, most: usize) -> String {
    holdpoint_core::text::inert_line(text).chars().take(most).collect()
}
