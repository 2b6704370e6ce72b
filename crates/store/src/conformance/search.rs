//! Searching: every driver finds the same, before and after indexing.

use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::{Actor, Command, DecisionId, Field, Kind, Opt, Search, Source, Span, Status};
use serde_json::json;

use super::jobs::{new_job, on, owner};
use super::{Scene, StoreHarness, Tampering, question, runs};
use crate::{Order, Query, Repair, SeenBy, Submission};

/// Searches decisions of all statuses.
async fn found(scene: &Scene, text: &str) -> Vec<DecisionId> {
    let search = Some(Search::of(text));
    scene.ids(Query { search, now: Some(scene.now()), ..Query::default() }).await
}

async fn index_all(scene: &Scene) {
    while scene.store.index(2).await.unwrap() > 0 {}
}

/// Checks which of some decisions are found, first without the index and then with it.
async fn check(scene: &Scene, asked: &[DecisionId], cases: &[(&str, &[usize])]) {
    for indexed in [false, true] {
        if indexed {
            index_all(scene).await;
        }
        for (text, right) in cases {
            let right: Vec<DecisionId> = right.iter().map(|at| asked[*at]).collect();
            assert_eq!(found(scene, text).await, right, "{text:?}, indexed: {indexed}");
        }
    }
}

fn asks(prompt: &str) -> New {
    New { prompt: Some(prompt.into()), ..question() }
}

async fn ask_all(scene: &Scene, all: Vec<New>) -> Vec<DecisionId> {
    let mut asked = Vec::new();
    for new in all {
        asked.push(scene.ask(new).await.id);
    }
    asked
}

pub async fn words_are_found_wherever_they_stand(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let options = vec![Opt::new("pin", "Pin the old version"), Opt::new("port", "Port the call sites")];
    let fields = vec![Field::offering("choice", Kind::Choice, "What now?", options)];
    let asked = ask_all(
        &scene,
        vec![
            New { title: Some("Deploy the shop".into()), ..asks("Roll out build 4711 to staging?") },
            New { fields, ..asks("The build failed") },
            New {
                subject: Some(
                    json!({"tool_name": "Bash", "input": {"command": "rm -rf src/main.rs", "port": 8080}}),
                ),
                source: Some(Source::Approval),
                fields: vec![Field::offering(
                    "choice",
                    Kind::Choice,
                    "Run it?",
                    vec![Opt::new("yes", "Yes"), Opt::new("no", "No")],
                )],
                ..asks("Run it?")
            },
            New {
                requested_by: Some("deploy-bot".into()),
                assignees: vec!["Ana María".into()],
                ..question()
            },
            New {
                owner: "item:bd-x7".parse().ok(),
                metadata: [("team".to_owned(), "payments".to_owned())].into(),
                ..question()
            },
            New { project: Some("web".into()), ..question() },
        ],
    )
    .await;
    let id = asked[1].to_string();
    let start = &id[..8];
    check(
        &scene,
        &asked,
        &[
            ("deploy", &[0, 3]),
            ("staging deploy", &[0]),
            ("DEPLOY stag", &[0]),
            ("eploy", &[]),
            ("call sites pin", &[1]),
            ("main.rs", &[2]),
            ("rs main", &[2]),
            ("rs.main", &[]),
            ("\"rm rf src\"", &[2]),
            ("8080 command", &[2]),
            ("deploy-bot", &[3]),
            ("bot-deploy", &[]),
            ("ana maria", &[3]),
            ("bd-x7", &[4]),
            ("payments", &[4]),
            ("tool=bash", &[2]),
            ("tool=bas", &[]),
            ("project=web", &[5]),
            ("assignee=\"ana maría\"", &[3]),
            ("owner=bd-x7 team", &[4]),
            ("nothing of that", &[]),
            (start, &[1]),
            (&id[4..], &[1]),
            ("older=1h", &[]),
        ],
    )
    .await;
    scene.at(7_200);
    assert_eq!(found(&scene, "older=1h deploy").await, [asked[0], asked[3]]);
}

pub async fn what_is_typed_means_nothing_but_its_words(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked =
        ask_all(&scene, vec![asks("near the end"), asks("not or and"), asks("100 % of 'it' \\ \"here\"")])
            .await;
    let many = "near ".repeat(10_000);
    check(
        &scene,
        &asked,
        &[
            ("NEAR(the end)", &[0]),
            ("near NOT end", &[]),
            ("NOT", &[1]),
            ("near OR nothing", &[]),
            ("or AND not", &[1]),
            ("ne*", &[0]),
            ("^near", &[0]),
            ("-near", &[0]),
            ("words:near", &[]),
            ("{words}:near", &[]),
            ("near + end", &[0]),
            ("'near' & 'end' | !x <-> y", &[]),
            ("'near':*", &[0]),
            ("\"near", &[0]),
            ("\"\"\"near\"\"\"", &[0]),
            ("it' OR '1'='1", &[]),
            ("here\\", &[2]),
            ("near\0end", &[]),
            ("\u{E000}", &[0, 1, 2]),
            ("%", &[0, 1, 2]),
            ("\"", &[0, 1, 2]),
            ("", &[0, 1, 2]),
            (&many, &[0]),
            (&"x".repeat(5_000), &[]),
        ],
    )
    .await;
}

pub async fn every_alphabet_is_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked = ask_all(
        &scene,
        vec![
            asks("Café in Zürich schließen?"),
            asks("東京都のサーバーを再起動しますか"),
            asks("להפעיל מחדש את השרת?"),
            asks("هل نُعيد تشغيل الخادم؟"),
            asks("Ship it 🚀🚀 or wait 👩‍🚀?"),
            asks("сервер перезапустить"),
            asks("เริ่มเซิร์ฟเวอร์ใหม่"),
            asks("서버를 다시 시작할까요"),
        ],
    )
    .await;
    check(
        &scene,
        &asked,
        &[
            ("cafe zurich", &[0]),
            ("CAFÉ", &[0]),
            ("Cafe\u{301} schliessen", &[0]),
            ("京都", &[1]),
            ("東京 サーバー", &[1]),
            ("京東", &[]),
            ("サーハー", &[]),
            ("השרת", &[2]),
            ("نعيد", &[3]),
            ("🚀 ship", &[4]),
            ("👩", &[4]),
            ("СЕРВЕР", &[5]),
            ("เซิร์ฟ", &[6]),
            ("서버", &[7]),
        ],
    )
    .await;
}

pub async fn answers_and_changes_are_found_before_they_are_indexed(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let text = || New { fields: vec![Field::new("why", Kind::Text, "Why?")], ..asks("Why?") };
    let first = scene.ask(text()).await.id;
    let second = scene.ask(asks("To be revised")).await.id;
    index_all(&scene).await;
    let input = AnswerInput {
        values: [("why".to_owned(), json!("because of the quarter"))].into_iter().collect(),
        message: Some("talk to finance".into()),
        ..AnswerInput::default()
    };
    scene.submit(Command::Answer { id: first, input: Box::new(input) }).await.unwrap();
    let revision = Revision { prompt: Some("Entirely different".into()), ..Revision::default() };
    scene.submit(Command::Revise { id: second, revision: Box::new(revision) }).await.unwrap();
    check(
        &scene,
        &[first, second],
        &[("quarter finance", &[0]), ("ana", &[0]), ("different", &[1]), ("revised", &[])],
    )
    .await;
    let settled =
        Query { search: Some(Search::of("quarter")), statuses: vec![Status::Pending], ..Query::default() };
    assert_eq!(scene.ids(settled).await, []);
}

pub async fn what_is_erased_is_not_in_the_index(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let gone = scene.ask(asks("a secret word")).await.id;
    let stays = scene.ask(asks("another word")).await.id;
    scene.answer(gone, "a").await.unwrap();
    index_all(&scene).await;
    assert_eq!(found(&scene, "word").await, [gone, stays]);
    scene.submit(Command::Prune { id: gone }).await.unwrap();
    assert_eq!(found(&scene, "secret").await, []);
    // Nothing is left for the next indexing to remove.
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    index_all(&scene).await;
    assert_eq!(found(&scene, "word").await, [stays]);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn only_what_one_may_see_is_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let web = scene.ask(New { project: Some("web".into()), ..asks("the same words") }).await.id;
    let own = New { assignees: vec!["agent:a1".into()], ..asks("the same words") };
    let own = scene.ask(own).await.id;
    for _ in 0..2 {
        let query = |text| Query { search: Some(Search::of(text)), ..Query::default() };
        assert_eq!(scene.ids(Query { projects: vec!["web".into()], ..query("same") }).await, [web]);
        assert_eq!(scene.ids(Query { projects: vec!["app".into()], ..query("same") }).await, []);
        let seen_by = Some(SeenBy { credential: "tok-1".into(), assignee: "agent:a1".into() });
        assert_eq!(scene.ids(Query { seen_by, ..query("same") }).await, [own]);
        let elsewhere = Query { projects: vec!["web".into()], ..query("project=default") };
        assert_eq!(scene.ids(elsewhere).await, [], "what is looked for does not widen what is allowed");
        index_all(&scene).await;
    }
}

pub async fn pages_of_a_search_meet(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let mut right = Vec::new();
    for number in 0..20 {
        let asked = scene.ask(asks(if number % 3 == 0 { "wanted" } else { "other" })).await.id;
        if number % 3 == 0 {
            right.push(asked);
        }
        if number == 9 {
            index_all(&scene).await;
        }
    }
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let (mut listed, mut cursor): (Vec<DecisionId>, _) = (Vec::new(), None);
        loop {
            let search = Some(Search::of("want"));
            let query = Query { search, order, cursor, limit: 2, ..Query::default() };
            let page = scene.store.list(&query).await.unwrap();
            listed.extend(page.items.iter().map(|decision| decision.id));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
            assert!(page.items.len() <= 2);
        }
        assert_eq!(listed, right);
        right.reverse();
    }
}

pub async fn a_damaged_index_is_found_and_mended(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let asked = scene.ask(asks("some words")).await.id;
    scene.ask(question()).await;
    index_all(&scene).await;
    bench.tamper(Tampering::Index).await;
    assert_eq!(found(&scene, "some").await, []);
    let wrong = "1 decisions differ from their entries in the search index";
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, [wrong]);
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert_eq!(found(&scene, "some").await, [asked]);
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

/// A database's JSON functions may reject this character, so nothing that all callers use may depend on them.
pub async fn a_zero_character_is_in_nobodys_way(bench: &dyn StoreHarness) {
    const ZERO: &str = "a\u{0}b \\u0000";
    let scene = Scene::new(bench).await;
    let job = holdpoint_core::job::NewJob { name: Some("Nightly".into()), cwd: ZERO.into(), ..new_job() };
    scene.submit(on("j-1", holdpoint_core::JobCommand::Start(Box::new(job)))).await.unwrap();
    let asked = New {
        owner: Some(owner("j-1")),
        timeout: Some(Span::from_secs(600)),
        blocks: vec!["bd-1".into()],
        ..asks(&format!("findme {ZERO}"))
    };
    let agent = Actor { credential: Some("tok-1".into()), ..Actor::claimed("bot", "http") };
    let submission = Submission { actor: agent, ..scene.submission(Command::Create(Box::new(asked))) };
    let of_job = scene.store.submit(submission).await.unwrap().decision.unwrap().id;
    runs::asked_for(&scene, ZERO).await;
    check(&scene, &[of_job], &[("nightly findme", &[0]), ("findme", &[0])]).await;
    for repair in [Repair::No, Repair::Rebuild, Repair::No] {
        assert_eq!(scene.store.inspect(repair).await.unwrap().findings, Vec::<String>::new());
    }
}

pub async fn names_of_jobs_are_found(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let job = holdpoint_core::job::NewJob { name: Some("Nightly release".into()), ..new_job() };
    scene.submit(on("j-1", holdpoint_core::JobCommand::Start(Box::new(job)))).await.unwrap();
    let timeout = Some(Span::from_secs(600));
    let asked = scene.ask(New { owner: Some(owner("j-1")), timeout, ..question() }).await.id;
    check(&scene, &[asked], &[("nightly", &[0]), ("owner=\"nightly release\"", &[0]), ("weekly", &[])]).await;
}

/// Asks about some texts, half of which are indexed, and checks that each search finds exactly the matches; then again
/// with all indexed.
pub async fn any_search_finds_what_fits(bench: &dyn StoreHarness, texts: &[String], searches: &[String]) {
    let scene = Scene::new(bench).await;
    let mut asked = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        // Some texts are refused, such as an empty one.
        let outcome = scene.submit(Command::Create(Box::new(asks(text)))).await;
        asked.extend(outcome.ok().and_then(|outcome| outcome.decision));
        if at == texts.len() / 2 {
            index_all(&scene).await;
        }
    }
    for indexed in [false, true] {
        if indexed {
            index_all(&scene).await;
        }
        for text in searches {
            let search = Search::of(text);
            let fitting = asked.iter().filter(|decision| search.fits(decision, None, scene.now()));
            let right: Vec<DecisionId> = fitting.map(|decision| decision.id).collect();
            assert_eq!(found(&scene, text).await, right, "{text:?}, indexed: {indexed}");
        }
    }
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
