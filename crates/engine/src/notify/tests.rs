//! Days of questions, answers, failures and changed settings, on a simulated clock: every pending question is sent
//! once, only urgent ones during quiet hours, and none that was settled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::New;
use holdpoint_core::notify::{Digest, Notify};
use holdpoint_core::{Command, DecisionId, Field, Kind, Lane, Opt, Priority, Role, Span, Status, Timestamp};
use holdpoint_store::{Claim, ClaimOrder, Options, sqlite};

use super::channel::{Channel, DeliveryError};
use super::gathering::GatheredNotices;
use super::notice::Notice;
use super::notices::OpenChannels;
use super::outlet::{ChannelKind, Outlet};
use crate::auth::{Caller, NewPerson};
use crate::clock::Clock;
use crate::engine::Engine;
use crate::settings::Settings;

/// Records what arrives, and fails now and then.
#[derive(Debug, Default)]
struct Mailbox {
    told: Mutex<Vec<(DecisionId, Timestamp)>>,
    mails: Mutex<usize>,
    chance: Mutex<u64>,
}

impl Mailbox {
    fn take(&self, ids: impl Iterator<Item = DecisionId>, at: Timestamp) -> Result<(), DeliveryError> {
        if next(&mut self.chance.lock().unwrap()).is_multiple_of(5) {
            return Err(DeliveryError::later("busy"));
        }
        *self.mails.lock().unwrap() += 1;
        self.told.lock().unwrap().extend(ids.map(|id| (id, at)));
        Ok(())
    }
}

#[async_trait]
impl Channel for Mailbox {
    async fn send(&self, notice: &Notice) -> Result<(), DeliveryError> {
        self.take([notice.decision.id].into_iter(), notice.at)
    }

    async fn gather(&self, gathering: &GatheredNotices) -> Result<(), DeliveryError> {
        assert!(gathering.notices.iter().all(|notice| notice.decision.status == Status::Pending));
        self.take(gathering.notices.iter().map(|notice| notice.decision.id), gathering.at)
    }
}

/// Returns the next pseudo-random number.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

struct World {
    engine: Engine,
    clock: Clock,
    notices: OpenChannels,
    mailbox: Arc<Mailbox>,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = sqlite::open(&folder.path().join("hold.db"), Options::default()).unwrap();
        // A few days before summer time ends in Europe.
        let clock = Clock::fixed("2026-10-23T12:00:00Z".parse().unwrap());
        let settings: Settings = toml::from_str(
            "[hooks]\ndesktop = false\n[mail]\nserver = \"smtp://127.0.0.1:1\"\nfrom = \"a@example.org\"\n",
        )
        .unwrap();
        let engine = Engine::new(Arc::new(store), clock.clone(), settings);
        let email = Some("ana@example.org".into());
        let ana =
            NewPerson { name: "ana".into(), role: Role::Person, email, projects: vec![], password: None };
        engine.put_person(&root(), ana).await.unwrap();
        let mailbox = Arc::new(Mailbox { chance: Mutex::new(seed), ..Mailbox::default() });
        let way = ChannelKind::Once(Arc::clone(&mailbox) as Arc<dyn Channel>);
        let outlet = Outlet { lane: Lane::Mail, target: None, timeout: Duration::from_secs(5), way };
        let notices = OpenChannels::new(vec![outlet], None, None);
        Self { engine, clock, notices, mailbox, _folder: folder }
    }

    async fn ask(&self, priority: Priority, deadline: Option<Span>) -> DecisionId {
        let options = vec![Opt::new("yes", "Yes"), Opt::new("no", "No")];
        let new = New {
            prompt: Some("Go?".into()),
            fields: vec![Field::offering("choice", Kind::Choice, "Go?", options)],
            assignees: vec!["ana".into()],
            priority: Some(priority),
            deadline: deadline.map(|span| self.clock.now().checked_add(span).unwrap()),
            ..New::default()
        };
        let asked = self.engine.submit_for(&root(), Command::Create(Box::new(new)), None).await.unwrap();
        asked.decision.unwrap().id
    }

    async fn cancel(&self, id: DecisionId) {
        let cancel = Command::Cancel { id, reason: None };
        self.engine.submit_for(&root(), cancel, None).await.unwrap();
    }

    /// Sends what is due, like a server.
    async fn send(&self) {
        loop {
            let now = self.clock.now();
            let until = now.checked_add(Span::from_secs(30)).unwrap();
            let pick = ClaimOrder::Oldest { only: vec![], but: vec![] };
            let claim = Claim { lane: Lane::Mail, pick, lease: "me".into(), until, now, limit: 10 };
            let entries = self.engine.store.claim(claim).await.unwrap();
            if entries.is_empty() {
                break;
            }
            for entry in entries {
                let sent = self.engine.send(&self.notices, &entry).await.unwrap();
                self.engine.store.deliver("me", vec![(entry.id, sent.delivery)]).await.unwrap();
            }
        }
        while self.engine.send_digest(&self.notices, "me").await.unwrap() {}
    }
}

fn root() -> Caller {
    Caller::claimed("root", "cli")
}

fn wish(chance: &mut u64) -> Notify {
    let zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"];
    let hours = ["22:00-07:00", "12:00-13:30", "02:30-00:30", "00:00-06:00"];
    let digests = ["at_once", "hourly", "daily 08:30", "daily 02:30"];
    let mut pick = |from: &[&str]| from[usize::try_from(next(chance)).unwrap() % from.len()].to_owned();
    let (zone, quiet, digest) = (pick(&zones), pick(&hours), pick(&digests));
    let quiet = if next(chance).is_multiple_of(3) { None } else { Some(quiet.parse().unwrap()) };
    let urgent_from = if next(chance).is_multiple_of(2) { vec!["*".to_owned()] } else { Vec::new() };
    Notify { zone: Some(zone), quiet, urgent_from, digest: digest.parse().unwrap(), rules: Vec::new() }
}

#[tokio::test]
async fn all_that_waits_is_told_once_and_nothing_too_early() {
    for seed in 0..8_u64 {
        let world = World::new(seed).await;
        let mut chance = seed.wrapping_mul(977) + 1;
        let mut wishes = vec![(world.clock.now(), Notify::default())];
        let mut asked: HashMap<DecisionId, (Priority, Timestamp)> = HashMap::new();
        let mut cancelled: HashMap<DecisionId, Timestamp> = HashMap::new();
        for step in 0..120 {
            match next(&mut chance) % 6 {
                // After four days there are no more questions and no changes of settings.
                _ if step >= 80 => {}
                0 => {
                    let notify = wish(&mut chance);
                    wishes.push((world.clock.now(), notify.clone()));
                    world.engine.set_notify(&root(), "ana", notify).await.unwrap();
                }
                1 => {
                    let waits = asked.keys().find(|id| !cancelled.contains_key(id)).copied();
                    if let Some(id) = waits {
                        world.cancel(id).await;
                        cancelled.insert(id, world.clock.now());
                    }
                }
                _ => {
                    let priority = [Priority::Low, Priority::Normal, Priority::High, Priority::Urgent];
                    let priority = priority[usize::try_from(next(&mut chance) % 4).unwrap()];
                    let deadline =
                        next(&mut chance).is_multiple_of(4).then(|| Span::from_secs(90 * 24 * 3_600));
                    asked.insert(world.ask(priority, deadline).await, (priority, world.clock.now()));
                }
            }
            world.send().await;
            world.clock.advance(Span::from_secs(i64::try_from(next(&mut chance) % 5_400).unwrap() + 60));
        }
        let end = if wishes.last().unwrap().1.digest == Digest::AtOnce { 48 } else { 72 };
        for _ in 0..end {
            world.clock.advance(Span::from_secs(3_600));
            world.send().await;
        }
        let told = world.mailbox.told.lock().unwrap().clone();
        for (id, (priority, since)) in &asked {
            let times: Vec<Timestamp> = told.iter().filter(|(one, _)| one == id).map(|(_, at)| *at).collect();
            let over = cancelled.get(id);
            match (times.as_slice(), over) {
                ([], Some(_)) => {}
                ([at], _) => {
                    assert!(over.is_none_or(|over| at <= over), "seed {seed}: {id} was settled before");
                    // Settings may have changed several times at once.
                    let wanted =
                        wishes.iter().rfind(|(from, _)| from <= at).map(|(_, notify)| notify).unwrap();
                    let quiet = wanted.quiet_until(*at);
                    assert!(
                        *priority == Priority::Urgent && !wanted.urgent_from.is_empty() || quiet.is_none(),
                        "seed {seed}: {id} at {at}, {wanted:?}"
                    );
                    assert!(at >= since);
                }
                (times, over) => {
                    panic!("seed {seed}: {id} of {priority:?} was told at {times:?}, settled {over:?}")
                }
            }
        }
        assert!(told.len() > 10, "seed {seed}: nothing happened");
    }
}

#[tokio::test]
async fn what_is_gathered_goes_in_one_mail() {
    let world = World::new(3).await;
    let notify = Notify { digest: "daily 08:30".parse().unwrap(), ..Notify::default() };
    world.engine.set_notify(&root(), "ana", notify).await.unwrap();
    for _ in 0..30 {
        world.ask(Priority::Normal, None).await;
        world.clock.advance(Span::from_secs(600));
        world.send().await;
    }
    let soon = world.ask(Priority::Normal, Some(Span::from_secs(1_800))).await;
    world.send().await;
    for _ in 0..20 {
        world.clock.advance(Span::from_secs(20));
        world.send().await;
    }
    assert_eq!(world.mailbox.told.lock().unwrap().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [soon]);
    for _ in 0..200 {
        world.clock.advance(Span::from_secs(600));
        world.send().await;
    }
    assert_eq!(world.mailbox.told.lock().unwrap().len(), 31);
    assert_eq!(*world.mailbox.mails.lock().unwrap(), 2, "one that could not wait, and the digest");
}
