//! Lists, prefixes and counts.

use holdpoint_core::decision::{New, Revision};
use holdpoint_core::{Command, DecisionId, Search, Source, Span, Status, Values};

use super::{Scene, StoreHarness, Tampering, question};
use crate::{Detail, EventQuery, Options, Order, Query, Repair};

pub async fn pages_meet(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut asked = Vec::new();
    for _ in 0..7 {
        asked.push(scene.ask(question()).await.id);
    }
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let mut listed: Vec<DecisionId> = Vec::new();
        let mut cursor = None;
        loop {
            let query =
                Query { statuses: vec![Status::Pending], order, cursor, limit: 3, ..Query::default() };
            let page = scene.store.list(&query).await.unwrap();
            listed.extend(page.items.iter().map(|decision| decision.id));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
            assert_eq!(page.items.len(), 3);
        }
        assert_eq!(listed, asked);
        asked.reverse();
    }
    let whole = Query { limit: 7, ..Query::default() };
    assert_eq!(scene.store.list(&whole).await.unwrap().next, None);
}

pub async fn a_list_shows_what_is_pending_now(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let other = bench.open(Options::default()).await;
    let mut asked = Vec::new();
    for _ in 0..4 {
        asked.push(scene.ask(question()).await.id);
    }
    let query = Query {
        statuses: vec![Status::Pending],
        detail: Detail::Brief,
        now: Some(scene.now()),
        limit: 9,
        ..Query::default()
    };
    let check = async |expected: &[DecisionId]| {
        for store in [&scene.store, &other] {
            let listed = store.list(&query).await.unwrap().items;
            assert_eq!(listed.iter().map(|decision| decision.id).collect::<Vec<_>>(), expected);
            for decision in listed {
                assert_eq!(*decision, scene.decision(decision.id).await);
            }
        }
    };
    check(&asked).await;
    let revision = Revision { prompt: Some("Which now?".into()), ..Revision::default() };
    let revise = Command::Revise { id: asked[0], revision: Box::new(revision) };
    scene.submit(revise).await.unwrap();
    let values = Values::from_iter([("choice".to_owned(), "a".into())]);
    scene.submit(Command::Draft { id: asked[1], input: Box::new(values.into()) }).await.unwrap();
    check(&asked).await;
    scene.submit(Command::Cancel { id: asked[2], reason: None }).await.unwrap();
    other.submit(scene.submission(Command::Cancel { id: asked[1], reason: None })).await.unwrap();
    check(&[asked[0], asked[3]]).await;
}

/// Returns a question whose subject has this many KiB.
fn long(kibibytes: usize) -> New {
    let subject = Some(serde_json::Value::String("x".repeat(kibibytes << 10)));
    New { subject, source: Some(Source::Question), ..question() }
}

pub async fn pages_are_bounded_in_bytes(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut asked = vec![scene.ask(long(6 << 10)).await.id];
    for _ in 0..7 {
        asked.push(scene.ask(long(1 << 10)).await.id);
    }
    asked.push(scene.ask(question()).await.id);
    let (mut listed, mut cursor, mut pages): (Vec<DecisionId>, _, _) = (Vec::new(), None, 0);
    loop {
        let page = scene.store.list(&Query { cursor, limit: 100, ..Query::default() }).await.unwrap();
        assert!(page.items.iter().all(|decision| decision.truncated.is_empty()));
        listed.extend(page.items.iter().map(|decision| decision.id));
        (cursor, pages) = (page.next, pages + 1);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((listed.as_slice(), pages), (asked.as_slice(), 3));
    // In short form they fit on one page.
    let brief = Query { detail: Detail::Brief, limit: 100, ..Query::default() };
    let page = scene.store.list(&brief).await.unwrap();
    assert_eq!((page.items.len(), page.next), (9, None));
    for (item, id) in page.items.iter().zip(&asked) {
        let whole = scene.decision(*id).await;
        let long = whole.subject.is_some();
        assert_eq!((item.id, &item.digest, &item.prompt), (*id, &whole.digest, &whole.prompt));
        assert_eq!(item.truncated, if long { vec!["subject".to_owned()] } else { Vec::new() });
        assert_eq!((item.subject.is_none(), item.subject_digest.is_some()), (true, long));
    }
}

pub async fn a_long_decision_has_a_short_form(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let words = format!("{}needle", "hay ".repeat(800));
    let id = scene.ask(New { prompt: Some(words), ..long(100) }).await.id;
    let brief = Query { detail: Detail::Brief, limit: 10, ..Query::default() };
    let listed = async |query: &Query| scene.store.list(query).await.unwrap().items.remove(0).into_decision();
    assert_eq!(listed(&brief).await.truncated, ["prompt", "subject"]);
    assert_eq!(listed(&Query { limit: 10, ..Query::default() }).await, scene.decision(id).await);
    // It is found by a word in the part that is left out, and follows changes of the decision.
    scene.store.index(100).await.unwrap();
    let search = Some(Search::of("needle"));
    assert_eq!(listed(&Query { search, ..brief.clone() }).await.truncated, ["prompt", "subject"]);
    scene.submit(Command::Cancel { id, reason: Some("no more".into()) }).await.unwrap();
    let settled = listed(&brief).await;
    assert_eq!((settled.status, settled.reason.as_deref()), (Status::Cancelled, Some("no more")));
    // The short forms are checked against the log as well.
    for wrong in [None, Some("{}".to_owned())] {
        bench.tamper(Tampering::Brief { brief: wrong }).await;
        let findings = scene.store.inspect(Repair::No).await.unwrap().findings;
        assert!(findings[0].contains("do not match its document"), "{findings:?}");
        scene.store.inspect(Repair::Rebuild).await.unwrap();
        assert_eq!(listed(&brief).await, settled);
    }
}

pub async fn a_forged_short_form_shows_no_subject(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked = scene.ask(New { subject: Some("rm -rf /".into()), ..question() }).await;
    let mut forged = asked.clone();
    forged.subject = Some("ls".into());
    bench.tamper(Tampering::Brief { brief: Some(serde_json::to_string(&forged).unwrap()) }).await;
    scene.store.index(100).await.unwrap();
    let brief = Query { detail: Detail::Brief, limit: 10, ..Query::default() };
    for search in [None, Some(Search::of("rm"))] {
        let shown = scene
            .store
            .list(&Query { search, ..brief.clone() })
            .await
            .unwrap()
            .items
            .remove(0)
            .into_decision();
        assert_eq!((shown.id, shown.subject, shown.truncated), (asked.id, None, vec!["subject".to_owned()]));
    }
}

pub async fn pages_of_the_log_are_bounded_in_bytes(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    for _ in 0..6 {
        scene.ask(long(1 << 10)).await;
    }
    let (mut after, mut pages) = (0, Vec::new());
    loop {
        let events =
            scene.store.events(&EventQuery { after, limit: 100, ..EventQuery::default() }).await.unwrap();
        let Some(last) = events.last() else { break };
        after = last.seq;
        pages.push(events.len());
    }
    assert_eq!((after, pages), (6, vec![4, 2]));
}

pub async fn filters_by_each_key(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    scene.ask(question()).await;
    let web = scene.ask(New { project: Some("web".into()), ..question() }).await;
    let plan = scene.ask(New { source: Some(Source::Gate), ..question() }).await;
    let owned = scene.ask(New { owner: "item:bd-1".parse().ok(), ..question() }).await;
    let asked = scene.ask(New { requested_by: Some("agent-7".into()), ..question() }).await;
    let other = scene.ask(New { title: Some("Another question?".into()), ..question() }).await;
    let settled = scene.ask(question()).await;
    scene.at(50);
    scene.answer(settled.id, "a").await.unwrap();
    let none = Query::default;
    for (query, id) in [
        (Query { project: Some("web".into()), ..none() }, web.id),
        (Query { source: Some(Source::Gate), ..none() }, plan.id),
        (Query { owner: owned.owner.clone(), ..none() }, owned.id),
        (Query { requested_by: Some("agent-7".into()), ..none() }, asked.id),
        (Query { digest: Some(other.digest.clone()), ..none() }, other.id),
        (Query { statuses: vec![Status::Answered], ..none() }, settled.id),
        (Query { settled_since: Some(scene.now()), ..none() }, settled.id),
        (Query { settled_since: Some(scene.now()), now: Some(scene.now()), ..none() }, settled.id),
    ] {
        assert_eq!(scene.ids(query.clone()).await, [id], "{query:?}");
    }
    assert_eq!(scene.ids(none()).await.len(), 7);
}

pub async fn statuses_are_as_of_now(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let late = scene.ask(New { timeout: Some(Span::from_secs(10)), ..question() }).await.id;
    let open = scene.ask(question()).await.id;
    scene.at(20);
    let query = |statuses: &[Status]| Query {
        statuses: statuses.to_vec(),
        now: Some(scene.now()),
        ..Query::default()
    };
    assert_eq!(scene.ids(query(&[Status::Pending])).await, [open]);
    assert_eq!(scene.ids(query(&[Status::TimedOut])).await, [late]);
    assert_eq!(scene.ids(query(&[Status::Pending, Status::TimedOut])).await, [late, open]);
    assert_eq!(scene.ids(query(&[Status::Answered])).await, []);
    assert_eq!(scene.ids(Query { statuses: vec![Status::Pending], ..Query::default() }).await, [late, open]);
}

pub async fn prefixes_name(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(scene.ask(question()).await.id);
    }
    let lengths = scene.store.prefix_lengths(&ids).await.unwrap();
    for (id, length) in ids.iter().zip(lengths) {
        assert_eq!(scene.store.find(&id.suffix()[..length], 9).await.unwrap(), [*id]);
        if length > 1 {
            assert!(scene.store.find(&id.suffix()[..length - 1], 9).await.unwrap().len() > 1);
        }
    }
    assert_eq!(scene.store.find("", 100).await.unwrap(), ids);
    assert_eq!(scene.store.find("", 3).await.unwrap(), ids[..3]);
    scene.answer(ids[1], "a").await.unwrap();
    scene.submit(Command::Prune { id: ids[1] }).await.unwrap();
    assert_eq!(scene.store.find("", 2).await.unwrap(), [ids[0], ids[2]]);
    assert_eq!(scene.store.prefix_lengths(&[]).await.unwrap(), Vec::<usize>::new());
}

pub async fn settled_before_lists_old_ones(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut ids = Vec::new();
    for at in [30, 10, 20] {
        let id = scene.ask(New { timeout: Some(Span::from_secs(at)), ..question() }).await.id;
        ids.push(id);
    }
    scene.at(40);
    let other = scene.ask(New { project: Some("web".into()), ..question() }).await.id;
    scene.answer(other, "a").await.unwrap();
    scene.at(41);
    let before = scene.now();
    assert_eq!(scene.store.settled_before(before, None, 10).await.unwrap(), [ids[1], ids[2], ids[0], other]);
    assert_eq!(scene.store.settled_before(before, Some("web"), 10).await.unwrap(), [other]);
    assert_eq!(scene.store.settled_before(before, None, 1).await.unwrap(), [ids[1]]);
    scene.at(20);
    assert_eq!(scene.store.settled_before(scene.now(), None, 10).await.unwrap(), [ids[1]]);
}

pub async fn counts_are_kept(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let first = scene.ask(question()).await.id;
    scene.ask(New { project: Some("web".into()), ..question() }).await;
    let third = scene.ask(question()).await.id;
    scene.answer(first, "a").await.unwrap();
    scene.submit(Command::Cancel { id: third, reason: None }).await.unwrap();
    let counts = |project: Option<&'static str>| {
        let store = scene.store.clone();
        async move {
            let counts = store.counts(project).await.unwrap();
            Status::ALL
                .map(|wanted| counts.iter().find(|(status, _)| *status == wanted).map_or(0, |(_, n)| *n))
        }
    };
    assert_eq!(counts(None).await, [1, 1, 0, 0, 1, 0]);
    assert_eq!(counts(Some("web")).await, [1, 0, 0, 0, 0, 0]);
    scene.submit(Command::Prune { id: first }).await.unwrap();
    assert_eq!(counts(Some("default")).await, [0, 0, 0, 0, 1, 0]);
}
