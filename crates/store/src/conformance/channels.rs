//! Messages that channels sent, their updates, and which node listens.

use holdpoint_core::decision::{New, NewRemark, Revision};
use holdpoint_core::{
    Actor, Auth, Command, DecisionId, Lane, Occasion, Owner, Person, Priority, Role, Span, Timestamp,
};

use super::scene::refusal;
use super::{Scene, StoreHarness, choose, question};
use crate::{
    ChannelNote, Claim, ClaimOrder, Delivery, Happened, OutboxEntry, OutboxState, Repair, Rotation, Route,
    Submission, Target, TrackedMessage,
};

fn message(id: i64, decision: DecisionId, to: &str) -> TrackedMessage {
    TrackedMessage {
        id,
        decision,
        channel: Lane::Telegram,
        address: to.into(),
        place: "77".into(),
        message: None,
        digest: "d".into(),
        remarks: 0,
        open: true,
        controls: "[]".into(),
        at: Timestamp::from_millis(5),
    }
}

pub async fn messages_are_kept_and_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let (one, other) = (scene.ask(question()).await.id, scene.ask(question()).await.id);
    let (first, second) = (message(10, one, "ana"), message(11, one, "bo"));
    for sent in [&first, &second, &message(12, other, "ana")] {
        scene.store.put_sent(sent).await.unwrap();
    }
    assert_eq!(scene.store.sent_about(Lane::Telegram, one).await.unwrap(), [second, first.clone()]);
    assert_eq!(scene.store.sent_about(Lane::Ntfy, one).await.unwrap(), []);
    assert_eq!(scene.store.sent_at(Lane::Telegram, "77", "4").await.unwrap(), None);
    // It arrives, and is then changed.
    let arrived = TrackedMessage {
        message: Some("4".into()),
        digest: "e".into(),
        remarks: 2,
        open: false,
        controls: "[1]".into(),
        at: Timestamp::from_millis(6),
        ..first
    };
    scene.store.put_sent(&arrived).await.unwrap();
    assert_eq!(scene.store.sent(10).await.unwrap().as_ref(), Some(&arrived));
    assert_eq!(scene.store.sent_at(Lane::Telegram, "77", "4").await.unwrap(), Some(arrived));
    assert_eq!(scene.store.sent_at(Lane::Telegram, "78", "4").await.unwrap(), None);
    // One message may stand for several decisions.
    let waiting = async || scene.store.waiting_at(Lane::Telegram, "77", "4").await.unwrap();
    assert_eq!(waiting().await, 0);
    for id in [20, 21] {
        let gathered = TrackedMessage { message: Some("4".into()), ..message(id, other, "ana") };
        scene.store.put_sent(&gathered).await.unwrap();
    }
    assert_eq!(waiting().await, 2);
    scene.store.forget_sent(10).await.unwrap();
    assert_eq!(scene.store.sent(10).await.unwrap(), None);
}

/// Returns the decisions of all rows that update the messages of a channel.
async fn followed(scene: &Scene, channel: Lane) -> Vec<DecisionId> {
    let entries = scene.store.outbox_entries(OutboxState::Queued, Some(Lane::Follow), 100).await.unwrap();
    let of_it = entries.iter().filter(|entry| entry.channel() == channel);
    of_it.map(|entry| entry.about().unwrap()).collect()
}

pub async fn what_happens_to_a_decision_follows_its_messages(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Ntfy, Target::Messages),
        Route {
            projects: vec!["red".into()],
            ..Route::new(Occasion::Create, Lane::Telegram, Target::Messages)
        },
    ]);
    let asked = scene.ask(question()).await;
    assert_eq!(followed(&scene, Lane::Ntfy).await, [], "asking changes no message");
    let mut expected = Vec::new();
    let revision = Revision { prompt: Some("Which one?".into()), ..Revision::default() };
    scene.submit(Command::Revise { id: asked.id, revision: Box::new(revision) }).await.unwrap();
    expected.push(asked.id);
    let digest = scene.decision(asked.id).await.digest;
    let remark = NewRemark { by: "guard".into(), text: "deletes".into(), digest };
    let remark = Command::Remark { id: asked.id, remark: Box::new(remark) };
    let remark = Submission { actor: Actor::system(), ..scene.submission(remark) };
    scene.store.submit(remark).await.unwrap();
    expected.push(asked.id);
    scene.answer(asked.id, "a").await.unwrap();
    expected.push(asked.id);
    // A newer decision of a job replaces the older one, and the end of the job ends it.
    let owner: Owner = "job:build".parse().unwrap();
    let of_job = || New { owner: Some(owner.clone()), ..question() };
    let older = scene.ask(of_job()).await.id;
    let newer = scene.ask(of_job()).await.id;
    expected.push(older);
    scene.submit(Command::EndOwner { project: "default".into(), owner, deleted: false }).await.unwrap();
    // The decision is removed, but its messages are still updated.
    expected.push(newer);
    assert_eq!(followed(&scene, Lane::Ntfy).await, expected);
    assert_eq!(followed(&scene, Lane::Telegram).await, [], "another project");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn what_a_person_may_no_longer_see_is_taken_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Ntfy, Target::Messages),
        Route::new(Occasion::Create, Lane::Telegram, Target::Messages),
    ]);
    let put = |projects: &[&str]| Command::PutPerson {
        name: "bo".into(),
        role: Role::Person,
        email: None,
        projects: projects.iter().map(|name| (*name).into()).collect(),
        password: None,
    };
    let link = |account: Option<&str>| Command::LinkAccount {
        name: "bo".into(),
        channel: "telegram".into(),
        account: account.map(Into::into),
    };
    scene.submit(put(&[])).await.unwrap();
    scene.submit(link(Some("5"))).await.unwrap();
    let mut ids = Vec::new();
    for at in 0..4 {
        let id = scene.ask(question()).await.id;
        let telegram = message(2 * at, id, if at == 3 { "cy" } else { "bo" });
        let ntfy = TrackedMessage { channel: Lane::Ntfy, open: at != 2, ..message(2 * at + 1, id, "bo") };
        // A second message about the same decision.
        let reminder = message(100 + at, id, &telegram.address);
        for sent in [telegram, ntfy, reminder] {
            scene.store.put_sent(&sent).await.unwrap();
        }
        ids.push(id);
    }
    let settled = ids.remove(0);
    scene.answer(settled, "a").await.unwrap();
    let claimed = async || {
        let now = scene.now();
        let pick = ClaimOrder::InTurn {
            each: 100,
            busy: std::collections::BTreeMap::new(),
            turns: Rotation::default(),
        };
        let until = now.checked_add(Span::from_secs(30)).unwrap();
        let claim = Claim { lane: Lane::Follow, pick, lease: "me".into(), until, now, limit: 100 };
        let claimed = scene.store.claim(claim).await.unwrap();
        let done = claimed.iter().map(|entry| (entry.id, Delivery::Done)).collect();
        scene.store.deliver("me", done).await.unwrap();
        claimed
    };
    assert_eq!(claimed().await.len(), 2, "those of the one that was settled");
    let about = |entries: &[OutboxEntry], channel| -> Vec<DecisionId> {
        let of_it = entries.iter().filter(|entry| entry.channel() == channel && entry.project == "default");
        of_it.filter_map(OutboxEntry::about).collect()
    };
    scene.submit(link(Some("5"))).await.unwrap();
    scene.submit(Command::SetNotify { name: "bo".into(), notify: Box::default() }).await.unwrap();
    assert_eq!(claimed().await, [], "nothing has changed for any message");
    for change in [link(None), put(&["red"]), Command::RemovePerson { name: "bo".into() }] {
        scene.submit(change).await.unwrap();
        let entries = claimed().await;
        assert_eq!(about(&entries, Lane::Telegram), [ids[1], ids[0]], "the newest first");
        assert_eq!(about(&entries, Lane::Ntfy), [ids[2], ids[0]]);
        assert_eq!(entries.len(), 4);
    }
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn the_newest_change_is_claimed_first(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.route(&[
        Route::new(Occasion::Create, Lane::Telegram, Target::EachAssigneeOr(vec!["ana".into()])),
        Route::new(Occasion::Create, Lane::Telegram, Target::Messages),
    ]);
    let mut settled = Vec::new();
    for _ in 0..4 {
        let id = scene.ask(question()).await.id;
        scene.answer(id, "a").await.unwrap();
        settled.push(id);
    }
    let claim = async |lane, limit| {
        let now = scene.now();
        let pick = ClaimOrder::InTurn {
            each: 4,
            busy: std::collections::BTreeMap::new(),
            turns: Rotation::default(),
        };
        let until = now.checked_add(Span::from_secs(30)).unwrap();
        let claim = Claim { lane, pick, lease: "me".into(), until, now, limit };
        scene.store.claim(claim).await.unwrap()
    };
    // New notices do not wait behind updates.
    assert_eq!(claim(Lane::Telegram, 10).await.len(), 4);
    let mut claimed = claim(Lane::Follow, 1).await;
    assert_eq!(claimed[0].about(), settled.pop());
    // An update that has to be retried goes behind those that were not tried.
    let failed = Delivery::Retry { not_before: scene.now(), error: "busy".into() };
    scene.store.deliver("me", vec![(claimed.remove(0).id, failed)]).await.unwrap();
    let rest = claim(Lane::Follow, 3).await;
    let about: Vec<_> = rest.iter().filter_map(OutboxEntry::about).collect();
    settled.reverse();
    assert_eq!(about, settled);
    assert_eq!(claim(Lane::Follow, 10).await[0].attempts, 1);
}

pub async fn the_urgent_is_claimed_first(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let people = || Target::EachAssigneeOr(vec!["ana".into()]);
    scene.route(&[
        Route::new(Occasion::Create, Lane::Telegram, people()),
        Route::new(Occasion::Create, Lane::Webhook, Target::Named("ops".into())),
    ]);
    let mut ids = Vec::new();
    for priority in [Priority::Normal, Priority::High, Priority::Urgent, Priority::Low, Priority::Urgent] {
        ids.push(scene.ask(New { priority: Some(priority), ..question() }).await.id);
    }
    for (lane, order) in [(Lane::Telegram, [2, 4, 0, 1, 3]), (Lane::Webhook, [0, 1, 2, 3, 4])] {
        let now = scene.now();
        let pick = ClaimOrder::InTurn {
            each: 9,
            busy: std::collections::BTreeMap::new(),
            turns: Rotation::default(),
        };
        let until = now.checked_add(Span::from_secs(30)).unwrap();
        let claim = Claim { lane, pick, lease: "me".into(), until, now, limit: 9 };
        let claimed = scene.store.claim(claim).await.unwrap();
        let about: Vec<_> = claimed.iter().filter_map(OutboxEntry::about).collect();
        assert_eq!(about, order.map(|at: usize| ids[at]), "{}", lane.name());
    }
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn people_are_told_where_nobody_is_asked(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let others = vec!["cy".to_owned(), "agent:x".to_owned()];
    scene.route(&[Route::new(Occasion::Create, Lane::Ntfy, Target::EachAssigneeOr(others))]);
    scene.ask(question()).await;
    scene.ask(New { assignees: vec!["bo".into()], ..question() }).await;
    scene.ask(New { assignees: vec!["agent:x".into()], ..question() }).await;
    let now = scene.now();
    let pick =
        ClaimOrder::InTurn { each: 4, busy: std::collections::BTreeMap::new(), turns: Rotation::default() };
    let until = now.checked_add(Span::from_secs(30)).unwrap();
    let claim = Claim { lane: Lane::Ntfy, pick, lease: "me".into(), until, now, limit: 10 };
    let mut told = scene.store.claim(claim).await.unwrap();
    told.sort_by_key(|entry: &OutboxEntry| entry.id);
    assert_eq!(told.iter().map(|entry| entry.target.as_str()).collect::<Vec<_>>(), ["cy", "bo"]);
    assert!(told[0].not_after.since(now) > Span::from_secs(1_000 * 24 * 3_600));
}

pub async fn notes_are_kept_for_a_month(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let decision = scene.ask(question()).await.id;
    let note = |id: i64, channel, day: i64| ChannelNote {
        id,
        at: Timestamp::from_millis(day * 24 * 3_600 * 1_000),
        channel,
        address: "ana".into(),
        decision: Some(decision).filter(|_| id != 3),
        what: Happened::Taken,
        words: "a".into(),
    };
    let notes = [note(1, Lane::Ntfy, 100), note(2, Lane::Telegram, 101), note(3, Lane::Ntfy, 129)];
    for one in &notes {
        scene.store.note(one).await.unwrap();
        scene.store.note(one).await.unwrap();
    }
    let [first, second, third] = notes;
    let all = scene.store.notes(None, 10).await.unwrap();
    assert_eq!(all, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(scene.store.notes(Some(Lane::Ntfy), 10).await.unwrap(), [third.clone(), first]);
    assert_eq!(scene.store.notes(None, 1).await.unwrap(), std::slice::from_ref(&third));
    let later = note(4, Lane::Ntfy, 131);
    scene.store.note(&later).await.unwrap();
    assert_eq!(scene.store.notes(None, 10).await.unwrap(), [later, third, second]);
}

pub async fn one_node_listens_at_a_time(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let listen = async |holder: &str, second: i64, position: i64| {
        let now = Timestamp::from_millis(super::T0 + second * 1_000);
        let lasts = Span::from_secs(30);
        scene.store.listen(Lane::Telegram, holder, now, lasts, position).await.unwrap()
    };
    assert_eq!(listen("one", 0, 0).await, Some(0));
    assert_eq!(listen("two", 10, 99).await, None);
    assert_eq!(listen("one", 20, 7).await, Some(7));
    assert_eq!(listen("one", 21, 3).await, Some(7), "it never goes back");
    assert_eq!(listen("two", 50, 0).await, None, "the first has said again that it is there");
    assert_eq!(listen("two", 51, 0).await, Some(7), "it died, and the next goes on where it was");
    assert_eq!(listen("one", 52, 9).await, None);
}

fn by_account(command: Command, now: Timestamp) -> Submission {
    let credential = Some(Person::credential("bo"));
    let (auth, role) = (Auth::Channel, Some(Role::Person));
    let actor = Actor { auth, role, credential, ..Actor::claimed("bo", "telegram") };
    Submission::new(command, actor, now)
}

pub async fn accounts_are_linked_and_answer(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let put = || Command::PutPerson {
        name: "bo".into(),
        role: Role::Person,
        email: Some("bo@example.org".into()),
        projects: vec!["default".into()],
        password: None,
    };
    let link = |account: Option<&str>| Command::LinkAccount {
        name: "bo".into(),
        channel: "telegram".into(),
        account: account.map(Into::into),
    };
    let account = async || {
        let person = scene.store.person("bo").await.unwrap().unwrap().person;
        assert_eq!((person.email.as_deref(), person.projects.len()), (Some("bo@example.org"), 1));
        person.accounts.get("telegram").cloned()
    };
    scene.refused(link(Some("5"))).await;
    scene.submit(put()).await.unwrap();
    assert_eq!(account().await, None);
    // The channel itself links the account, once a code was sent to it.
    let said = Submission::new(link(Some("5")), Actor::sign_in(), scene.now());
    scene.store.submit(said).await.unwrap();
    assert_eq!(account().await.as_deref(), Some("5"));
    assert!(scene.submit(put()).await.unwrap().replayed, "what else is known stays");
    let changed = Command::PutPerson {
        name: "bo".into(),
        role: Role::Person,
        email: Some("bo@example.org".into()),
        projects: vec!["red".into()],
        password: None,
    };
    scene.submit(changed).await.unwrap();
    assert_eq!(account().await.as_deref(), Some("5"));
    assert_eq!(scene.store.people().await.unwrap()[0].accounts["telegram"], "5");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    let id = scene.ask(question()).await.id;
    let answered = scene.store.submit(by_account(choose(id, "a"), scene.now())).await.unwrap();
    let answer = answered.decision.unwrap().answer.clone().unwrap();
    assert_eq!((answer.by.as_str(), answer.via.as_str(), answer.auth), ("bo", "telegram", Auth::Channel));
    scene.submit(link(None)).await.unwrap();
    assert_eq!(account().await, None);
}

pub async fn a_linked_account_does_nothing_else(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let id = scene.ask(question()).await.id;
    for command in [
        Command::Create(Box::new(question())),
        Command::Cancel { id, reason: None },
        Command::LinkAccount { name: "bo".into(), channel: "telegram".into(), account: Some("6".into()) },
    ] {
        refusal(scene.store.submit(by_account(command, scene.now())).await);
    }
}
