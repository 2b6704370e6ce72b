//! The view for issue trackers, in PostgreSQL's words.

use holdpoint_core::decision::{AnswerInput, New, OnTimeout};
use holdpoint_core::{Command, Field, Kind, Opt, Span};
use holdpoint_store::conformance::{Scene, question};
use serde_json::{Value, json};

use super::bench::Schema;
use super::cluster::cluster;

fn on_item(id: &str) -> New {
    let options = vec![
        Opt {
            short: Some("Redis".into()),
            description: Some("## Redis".into()),
            ..Opt::new("redis", "Use Redis")
        },
        Opt::new("memory", "In-memory"),
    ];
    New {
        prompt: Some("Which cache?".into()),
        fields: vec![Field {
            custom: true,
            ..Field::offering("choice", Kind::Choice, "Which cache?", options)
        }],
        owner: format!("item:{id}").parse().ok(),
        requested_by: Some("agent-7".into()),
        ..question()
    }
}

async fn points(schema: &Schema) -> Vec<Value> {
    let raw = schema.raw().await;
    let sql =
        "SELECT row_to_json(p)::text FROM (SELECT * FROM decision_points ORDER BY issue_id, iteration) AS p";
    let rows = raw.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| serde_json::from_str(row.get(0)).unwrap()).collect()
}

#[tokio::test]
async fn points_are_shown_as_in_the_embedded_store() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let scene = Scene::new(&schema).await;
    scene.ask(question()).await;
    let default = Some(serde_json::Map::from_iter([("choice".to_owned(), json!("redis"))]));
    let id =
        scene.ask(New { default, timeout: Some(Span::from_secs(5 * TEN_YEARS)), ..on_item("bd-1") }).await.id;
    let words = scene.ask(on_item("bd-2")).await.id;
    // A zero character can be kept, but not be shown.
    let zero = New { prompt: Some("a\u{0}b \\u0000 c".into()), ..on_item("bd-3") };
    let zero = scene.submit(Command::Create(Box::new(zero))).await;
    let mut open = points(&schema).await;
    assert_eq!(open.len(), 2 + usize::from(zero.is_ok()));
    let options: Value = serde_json::from_str(open[0]["options"].take().as_str().unwrap()).unwrap();
    assert_eq!(
        options,
        json!([{ "id": "redis", "short": "Redis", "label": "Use Redis", "description": "## Redis" },
               { "id": "memory", "short": "memory", "label": "In-memory", "description": null }])
    );
    assert_eq!(
        open[0],
        json!({ "issue_id": "bd-1", "prompt": "Which cache?", "options": null, "default_option": "redis",
            "selected_option": null, "response_text": null, "responded_at": null, "responded_by": null,
            "iteration": 1, "max_iterations": 3, "prior_id": null, "guidance": null, "requested_by": "agent-7",
            "created_at": "2027-01-15T08:00:00Z", "id": id })
    );
    scene.at(5);
    scene.answer(id, "memory").await.unwrap();
    let message = AnswerInput { message: Some("A bit of both".into()), ..AnswerInput::default() };
    scene.submit(Command::Answer { id: words, input: Box::new(message) }).await.unwrap();
    let done = points(&schema).await;
    assert_eq!((&done[0]["selected_option"], &done[0]["responded_by"]), (&json!("memory"), &json!("ana")));
    assert_eq!(done[0]["responded_at"], json!("2027-01-15T08:00:05Z"));
    assert_eq!(
        (&done[1]["selected_option"], &done[1]["response_text"]),
        (&Value::Null, &json!("A bit of both"))
    );
}

#[tokio::test]
async fn what_only_blocks_an_item_is_a_point_of_the_first_in_postgres() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let scene = Scene::new(&schema).await;
    let blocks = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
    scene.ask(question()).await;
    scene.ask(New { prompt: Some("What does \"blocks\": do?".into()), ..question() }).await;
    let named = New { owner: "run:7".parse().ok(), blocks: blocks(&["bd-7", "bd-8"]), ..on_item("x") };
    let named = scene.ask(named).await.id;
    let nobodys = scene.ask(New { owner: None, blocks: blocks(&["bd-6"]), ..on_item("x") }).await.id;
    let own = scene.ask(New { blocks: blocks(&["bd-9"]), ..on_item("bd-1") }).await.id;
    let rows = points(&schema).await;
    let found: Vec<_> = rows.iter().map(|row| (row["issue_id"].clone(), row["id"].clone())).collect();
    assert_eq!(
        found,
        [(json!("bd-1"), json!(own)), (json!("bd-6"), json!(nobodys)), (json!("bd-7"), json!(named))]
    );
    assert!(rows.iter().all(|row| row["responded_at"].is_null() && row["prompt"] == "Which cache?"));
    scene.answer(named, "memory").await.unwrap();
    let done = points(&schema).await.pop().unwrap();
    assert_eq!((&done["selected_option"], &done["responded_by"]), (&json!("memory"), &json!("ana")));
}

/// Ten years in seconds.
const TEN_YEARS: i64 = 315_360_000;

#[tokio::test]
async fn what_is_overdue_has_the_answer_of_silence_before_it_is_recorded() {
    let cluster = cluster();
    let bench = Schema::new(cluster);
    let scene = Scene::new(&bench).await;
    // The view goes by the database's clock.
    scene.at(-TEN_YEARS);
    let timeout = Some(Span::from_secs(60));
    let default = |key: &str, id: &str| Some(serde_json::Map::from_iter([(key.to_owned(), json!(id))]));
    let outs = vec![Opt::new("later", "Later")];
    let no = vec![Opt::new("yes", "Yes"), Opt { refuses: true, ..Opt::new("no", "No") }];
    let no = vec![Field::offering("choice", Kind::Choice, "Which cache?", no)];
    let news = [
        New { default: default("choice", "memory"), timeout, ..on_item("bd-1") },
        New { default: default("out", "later"), outs, timeout, ..on_item("bd-2") },
        New { on_timeout: Some(OnTimeout::Deny), fields: no, timeout, ..on_item("bd-3") },
        New { on_timeout: Some(OnTimeout::Expire), timeout, ..on_item("bd-4") },
    ];
    let mut ids = Vec::new();
    for new in news {
        ids.push(scene.ask(new).await.id);
    }
    let shown = points(&bench).await;
    let taken = |row: &Value| {
        [row["selected_option"].clone(), row["responded_by"].clone(), row["response_text"].clone()]
    };
    let by = "system:timeout";
    let expected = [json!("memory"), json!("later"), json!("no"), Value::Null]
        .map(|taken| [taken, json!(by), Value::Null]);
    assert_eq!(shown.iter().map(taken).collect::<Vec<_>>(), expected);
    assert!(shown.iter().all(|row| row["responded_at"].is_string()), "{shown:#?}");
    scene.at(61 - TEN_YEARS);
    for id in ids {
        scene.submit(Command::Expire { id }).await.unwrap();
    }
    assert_eq!(points(&bench).await, shown, "the rows stay as they are");
}
