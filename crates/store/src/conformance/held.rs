//! How people want to be notified, and what is held back from them until then.

use holdpoint_core::decision::New;
use holdpoint_core::notify::{Digest, Notify};
use holdpoint_core::{Actor, Auth, Command, Lane, Occasion, Person, Role, Span, Timestamp};

use super::scene::refusal;
use super::{Scene, StoreHarness, question};
use crate::{Claim, ClaimOrder, Delivery, OutboxEntry, OutboxState, Repair, Route, Submission, Target};

/// How long a claim lasts in these cases.
const LEASE: Span = Span::from_secs(30);

async fn claim(scene: &Scene, lane: Lane, pick: ClaimOrder, lease: &str) -> Vec<OutboxEntry> {
    let now = scene.now();
    let until = now.checked_add(LEASE).unwrap();
    let claim = Claim { lane, pick, lease: lease.into(), until, now, limit: 100 };
    scene.store.claim(claim).await.unwrap()
}

async fn oldest(scene: &Scene, lane: Lane) -> Vec<OutboxEntry> {
    claim(scene, lane, ClaimOrder::Oldest { only: Vec::new(), but: Vec::new() }, "me").await
}

async fn hold(scene: &Scene, entry: &OutboxEntry, seconds: i64, lane: Lane) {
    let until = scene.now().checked_add(Span::from_secs(seconds)).unwrap();
    let held = Delivery::Held { until, lane, why: "quiet until 07:00".into() };
    scene.store.deliver("me", vec![(entry.id, held)]).await.unwrap();
}

/// Asks ana and bo two decisions each, with notices by mail.
async fn mailing(bench: &dyn StoreHarness) -> Scene {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee),
        Route::new(Occasion::Respond, Lane::Mail, Target::EachAssignee),
    ]);
    for who in ["ana", "bo", "ana", "bo"] {
        scene.ask(New { assignees: vec![who.into()], ..question() }).await;
    }
    scene
}

pub async fn what_is_held_back_waits_until_it_is_due(bench: &dyn StoreHarness) {
    let scene = mailing(bench).await;
    let entry = oldest(&scene, Lane::Mail).await.remove(0);
    hold(&scene, &entry, 9 * 3_600, Lane::Mail).await;
    scene.at(9 * 3_600 - 1);
    assert!(oldest(&scene, Lane::Mail).await.iter().all(|other| other.id != entry.id), "too early");
    let waiting = scene.store.outbox_entries(OutboxState::Queued, Some(Lane::Mail), 10).await.unwrap();
    let shown = waiting.iter().find(|other| other.id == entry.id).unwrap();
    assert_eq!((shown.held.as_deref(), shown.attempts), (Some("quiet until 07:00"), 0));
    assert_eq!(shown.last_error, None, "nothing went wrong");
    scene.at(9 * 3_600);
    let due = oldest(&scene, Lane::Mail).await.into_iter().find(|other| other.id == entry.id).unwrap();
    assert_eq!(due.held.as_deref(), Some("quiet until 07:00"));
    // A lease that was lost no longer counts.
    let until = scene.now().checked_add(Span::from_secs(1)).unwrap();
    let stolen = Delivery::Held { until, lane: Lane::Digest, why: "?".into() };
    scene.store.deliver("other", vec![(entry.id, stolen)]).await.unwrap();
    assert!(oldest(&scene, Lane::Digest).await.is_empty());
    // A notice that then fails is no longer held.
    let not_before = scene.now().checked_add(Span::from_secs(60)).unwrap();
    let retry = Delivery::Retry { not_before, error: "busy".into() };
    scene.store.deliver("me", vec![(entry.id, retry)]).await.unwrap();
    scene.at(9 * 3_600 + 60);
    let again = oldest(&scene, Lane::Mail).await.into_iter().find(|other| other.id == entry.id).unwrap();
    assert_eq!((again.held, again.attempts), (None, 1));
}

pub async fn what_is_held_back_is_still_worth_sending_when_it_is_due(bench: &dyn StoreHarness) {
    let scene = mailing(bench).await;
    let asked = oldest(&scene, Lane::Mail).await;
    scene.answer(asked[0].decision.unwrap(), "a").await.unwrap();
    for entry in asked {
        scene.store.deliver("me", vec![(entry.id, Delivery::Done)]).await.unwrap();
    }
    // That a decision was settled is reported for three days.
    let told = oldest(&scene, Lane::Mail).await.remove(0);
    let days = told.not_after.since(scene.now()).as_millis() / (24 * 3_600 * 1_000);
    assert_eq!(days, 3);
    hold(&scene, &told, 5 * 24 * 3_600, Lane::Mail).await;
    scene.at(5 * 24 * 3_600 + 3_600);
    assert_eq!(oldest(&scene, Lane::Mail).await.len(), 1);
}

pub async fn a_change_of_mind_releases_what_is_held(bench: &dyn StoreHarness) {
    let scene = mailing(bench).await;
    let entries = oldest(&scene, Lane::Mail).await;
    let leased = entries.iter().rfind(|entry| entry.target == "ana").unwrap().id;
    for entry in entries.iter().filter(|entry| entry.id != leased) {
        hold(&scene, entry, 3_600, Lane::Mail).await;
    }
    scene.store.release("ana").await.unwrap();
    let released = oldest(&scene, Lane::Mail).await;
    assert_eq!(released.len(), 1, "bo's are held, and one is under way: {released:?}");
    assert_eq!(released[0].target, "ana");
    assert_ne!(released[0].id, leased);
    scene.store.release("nobody").await.unwrap();
    assert!(oldest(&scene, Lane::Mail).await.is_empty());
}

pub async fn what_is_gathered_is_taken_together(bench: &dyn StoreHarness) {
    let scene = mailing(bench).await;
    let entries = oldest(&scene, Lane::Mail).await;
    for (at, entry) in entries.iter().enumerate() {
        hold(&scene, entry, 3_600 + i64::try_from(at).unwrap(), Lane::Digest).await;
    }
    assert!(oldest(&scene, Lane::Mail).await.is_empty(), "they go by another lane now");
    assert!(claim(&scene, Lane::Digest, ClaimOrder::Together, "one").await.is_empty(), "too early");
    scene.at(3_600 + 10);
    let first = claim(&scene, Lane::Digest, ClaimOrder::Together, "one").await;
    assert_eq!(first.iter().map(|entry| entry.target.as_str()).collect::<Vec<_>>(), ["ana", "ana"]);
    let second = claim(&scene, Lane::Digest, ClaimOrder::Together, "two").await;
    assert_eq!(second.iter().map(|entry| entry.target.as_str()).collect::<Vec<_>>(), ["bo", "bo"]);
    assert!(claim(&scene, Lane::Digest, ClaimOrder::Together, "three").await.is_empty());
}

pub async fn of_several_who_gather_one_gets_all(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[Route::new(Occasion::Create, Lane::Mail, Target::EachAssignee)]);
    for _ in 0..20 {
        scene.ask(New { assignees: vec!["ana".into()], ..question() }).await;
    }
    for entry in oldest(&scene, Lane::Mail).await {
        hold(&scene, &entry, 0, Lane::Digest).await;
    }
    let claims = ["a", "b", "c", "d"].map(|who| claim(&scene, Lane::Digest, ClaimOrder::Together, who));
    let [a, b, c, d] = claims;
    let taken = tokio::join!(a, b, c, d);
    let mut counts = [taken.0.len(), taken.1.len(), taken.2.len(), taken.3.len()];
    counts.sort_unstable();
    assert_eq!(counts, [0, 0, 0, 20]);
}

pub async fn how_a_person_is_told_is_kept(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let put = |projects: &[&str]| Command::PutPerson {
        name: "bo".into(),
        role: Role::Person,
        email: Some("bo@example.org".into()),
        projects: projects.iter().map(|name| (*name).to_owned()).collect(),
        password: None,
    };
    let set = |notify: &Notify| Command::SetNotify { name: "bo".into(), notify: Box::new(notify.clone()) };
    let person = async || scene.store.person("bo").await.unwrap().unwrap().person;
    let wanted: Notify = serde_json::from_value(serde_json::json!({
        "zone": "europe/berlin", "quiet": {"from": "22:00", "until": "07:00"}, "digest": "daily 08:30",
        "rules": [{"project": "web", "channels": ["slack", "mail", "slack"]}],
    }))
    .unwrap();
    scene.refused(set(&wanted)).await;
    scene.submit(put(&[])).await.unwrap();
    assert!(person().await.notify.is_default());
    assert!(!scene.submit(set(&wanted)).await.unwrap().replayed);
    let kept = person().await.notify;
    assert_eq!(kept.zone.as_deref(), Some("Europe/Berlin"));
    assert_eq!(kept, wanted.checked().unwrap());
    assert!(scene.submit(set(&wanted)).await.unwrap().replayed, "the same again");
    // Other changes to the person leave the preferences as they are, and the other way round.
    scene.submit(put(&["red"])).await.unwrap();
    let link =
        Command::LinkAccount { name: "bo".into(), channel: "slack".into(), account: Some("U1".into()) };
    scene.submit(link).await.unwrap();
    scene.submit(set(&Notify { digest: Digest::Hourly, ..kept.clone() })).await.unwrap();
    let now = person().await;
    assert_eq!((now.projects.as_slice(), now.accounts.len()), (["red".to_owned()].as_slice(), 1));
    assert_eq!(now.notify, Notify { digest: Digest::Hourly, ..kept });
    assert_eq!(scene.store.people().await.unwrap()[0].notify, now.notify);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    // People may change their own preferences, but not those of others.
    let by = |name: &str, role: Role| {
        let credential = Some(Person::credential(name));
        Actor { auth: Auth::Session, role: Some(role), credential, ..Actor::claimed(name, "web") }
    };
    let submit = async |actor: Actor, at: Timestamp| {
        scene.store.submit(Submission::new(set(&Notify::default()), actor, at)).await
    };
    refusal(submit(by("ana", Role::Person), scene.now()).await);
    refusal(submit(by("bo", Role::Agent), scene.now()).await);
    submit(by("bo", Role::Person), scene.now()).await.unwrap();
    assert!(person().await.notify.is_default());
}
