//! A store that moves keeps everything: its log, its chain, its numbers, its keys and who may come in.

use holdpoint_core::decision::New;
use holdpoint_core::run::Judge;
use holdpoint_core::{Command, PasswordHash, ProjectChange, Role, SecretHash, Span};
use holdpoint_store::conformance::{Scene, StoreHarness, question, signer};
use holdpoint_store::{Options, Query, Repair, Store, Submission, audit, transfer};

use crate::bench::Folder;
use crate::postgres::{Schema, cluster};

/// Fills a store with something in every table.
async fn fill(bench: &dyn StoreHarness) -> Scene {
    let scene = Scene::with(bench, Options { signer: Some(signer(1)), ..Options::default() }).await;
    scene.route(&[holdpoint_store::Route::new(
        holdpoint_core::Occasion::Create,
        holdpoint_core::Lane::Hook,
        "run-me",
    )]);
    let first = scene.ask_with_key(question(), "k").await.unwrap().decision.unwrap().id;
    for _ in 0..30 {
        scene.ask(New { owner: "item:bd-1".parse().ok(), ..question() }).await;
    }
    scene.answer(first, "a").await.unwrap();
    let pruned = scene.ask(question()).await.id;
    scene.answer(pruned, "b").await.unwrap();
    scene.submit(Command::Prune { id: pruned }).await.unwrap();
    let project = Command::UpdateProject {
        name: "web".into(),
        change: ProjectChange { min_timeout: Some(Span::from_secs(5)), verdicts: Some(vec![Judge::Agent]) },
    };
    scene.submit(project).await.unwrap();
    let token = Command::CreateToken {
        id: "tok-1".into(),
        name: "builder".into(),
        role: Role::Agent,
        projects: vec!["web".into()],
        permissions: Vec::new(),
        expires_at: None,
        owner: None,
        hash: SecretHash([7; 32]),
    };
    scene.submit(token).await.unwrap();
    let person = Command::PutPerson {
        name: "bo".into(),
        role: Role::Person,
        email: None,
        projects: Vec::new(),
        password: Some(PasswordHash::new("slow-hash")),
    };
    scene.submit(person).await.unwrap();
    scene
}

/// Says whether two stores hold the same.
async fn compare(from: &dyn Store, to: &dyn Store, now: holdpoint_core::Timestamp) {
    let all = Query { limit: 100, ..Query::default() };
    assert_eq!(from.list(&all).await.unwrap().items, to.list(&all).await.unwrap().items);
    assert_eq!(from.links(0, 1_000).await.unwrap(), to.links(0, 1_000).await.unwrap());
    assert_eq!(from.checkpoints().await.unwrap(), to.checkpoints().await.unwrap());
    assert_eq!(from.items(None).await.unwrap(), to.items(None).await.unwrap());
    assert_eq!(from.projects().await.unwrap(), to.projects().await.unwrap());
    assert_eq!(from.counts(None).await.unwrap(), to.counts(None).await.unwrap());
    let queued = holdpoint_store::OutboxState::Queued;
    assert_eq!(
        from.outbox_entries(queued, None, 100).await.unwrap(),
        to.outbox_entries(queued, None, 100).await.unwrap()
    );
    assert!(to.token_by_hash(&SecretHash([7; 32])).await.unwrap().is_some());
    assert_eq!(to.person("bo").await.unwrap().unwrap().password, Some(PasswordHash::new("slow-hash")));
    let report = audit::verify(to, &[signer(1).public_key()], None).await.unwrap();
    assert_eq!((report.faults, report.vouched_to), (vec![], report.head));
    assert_eq!(to.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(from.head().await.unwrap().at, to.head().await.unwrap().at);
    assert!(now >= to.head().await.unwrap().at.unwrap());
}

async fn moves(from: &dyn StoreHarness, to: &dyn StoreHarness, back: &dyn StoreHarness) {
    let scene = fill(from).await;
    let now = scene.now();
    transfer::copy(&*scene.store, &*to.open(Options::default()).await).await.unwrap();
    // The process that goes on there has the key.
    let with_key = || Options { signer: Some(signer(1)), ..Options::default() };
    let there = to.open(with_key()).await;
    compare(scene.store.as_ref(), there.as_ref(), now).await;
    // Once more: what is there stays.
    let error = transfer::copy(&*scene.store, &*there).await.unwrap_err();
    assert!(error.to_string().contains("not empty"), "{error}");
    transfer::copy(&*there, &*back.open(Options::default()).await).await.unwrap();
    let home = back.open(with_key()).await;
    compare(scene.store.as_ref(), home.as_ref(), now).await;
    // It lives on: a known key gives the same decision, and a new number is new.
    for store in [&there, &home] {
        let again =
            Submission { key: Some("k".into()), ..scene.submission(Command::Create(Box::new(question()))) };
        assert!(store.submit(again).await.unwrap().replayed);
        let fresh = store.submit(scene.submission(Command::Create(Box::new(question())))).await.unwrap();
        assert_eq!(fresh.seq, scene.store.head().await.unwrap().seq + 1);
        assert_eq!(audit::verify(store.as_ref(), &[], None).await.unwrap().faults, vec![]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_file_to_file() {
    moves(&Folder::new(), &Folder::new(), &Folder::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_a_file_to_postgres_and_back() {
    let cluster = cluster();
    moves(&Folder::new(), &Schema::new(cluster), &Folder::new()).await;
}
