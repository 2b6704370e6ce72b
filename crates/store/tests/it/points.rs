//! The view for issue trackers: one row per round, in the columns they know.

use holdpoint_core::decision::{AnswerInput, New, OnTimeout};
use holdpoint_core::{Command, Field, Kind, Opt, Span};
use holdpoint_store::conformance::{Scene, question};
use serde_json::{Value, json};

use crate::bench::Folder;

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

fn points(folder: &Folder) -> Vec<Value> {
    let raw = folder.raw();
    let mut statement = raw.prepare("SELECT * FROM decision_points ORDER BY issue_id, iteration").unwrap();
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let cell = |at: usize| match row.get_ref(at).unwrap() {
            rusqlite::types::ValueRef::Integer(number) => json!(number),
            rusqlite::types::ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            _ => Value::Null,
        };
        Ok(names.iter().enumerate().map(|(at, name)| (name.clone(), cell(at))).collect::<Value>())
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn an_open_one_and_its_answer() {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    scene.ask(question()).await;
    let default = Some(serde_json::Map::from_iter([("choice".to_owned(), json!("redis"))]));
    let id =
        scene.ask(New { default, timeout: Some(Span::from_secs(5 * TEN_YEARS)), ..on_item("bd-1") }).await.id;
    let open = points(&folder);
    assert_eq!(open.len(), 1);
    assert_eq!(
        open[0],
        json!({ "issue_id": "bd-1", "prompt": "Which cache?",
            "options": "[{\"id\":\"redis\",\"short\":\"Redis\",\"label\":\"Use Redis\",\"description\":\"## Redis\"},\
                        {\"id\":\"memory\",\"short\":\"memory\",\"label\":\"In-memory\",\"description\":null}]",
            "default_option": "redis", "selected_option": null, "response_text": null, "responded_at": null,
            "responded_by": null, "iteration": 1, "max_iterations": 3, "prior_id": null, "guidance": null,
            "requested_by": "agent-7", "created_at": "2027-01-15T08:00:00Z", "id": id })
    );
    scene.at(5);
    scene.answer(id, "memory").await.unwrap();
    let done = &points(&folder)[0];
    assert_eq!((&done["selected_option"], &done["responded_by"]), (&json!("memory"), &json!("ana")));
    assert_eq!(done["responded_at"], json!("2027-01-15T08:00:05Z"));
}

#[tokio::test]
async fn silence_guidance_and_own_words() {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    let default = Some(serde_json::Map::from_iter([("choice".to_owned(), json!("redis"))]));
    scene.ask(New { default, timeout: Some(Span::from_secs(60)), ..on_item("bd-1") }).await;
    let guided = scene.ask(on_item("bd-2")).await.id;
    let worded = scene.ask(on_item("bd-3")).await.id;
    let answer = |id, input: AnswerInput| Command::Answer { id, input: Box::new(input) };
    let guidance = AnswerInput { guidance: Some("think of memory".into()), ..AnswerInput::default() };
    scene.submit(answer(guided, guidance)).await.unwrap();
    let words = AnswerInput { message: Some("A bit of both".into()), ..AnswerInput::default() };
    scene.submit(answer(worded, words)).await.unwrap();
    scene.at(61);
    scene.ask(question()).await;
    let rows = points(&folder);
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (&rows[0]["selected_option"], &rows[0]["responded_by"]),
        (&json!("redis"), &json!("system:timeout"))
    );
    assert_eq!((&rows[1]["iteration"], &rows[1]["id"]), (&json!(1), &json!(guided)));
    assert_eq!((&rows[2]["iteration"], &rows[2]["prior_id"]), (&json!(2), &json!(guided)));
    assert_eq!(
        (&rows[2]["guidance"], &rows[2]["selected_option"]),
        (&json!("think of memory"), &Value::Null)
    );
    assert_eq!(
        (&rows[3]["selected_option"], &rows[3]["response_text"]),
        (&Value::Null, &json!("A bit of both"))
    );
}

#[tokio::test]
async fn what_only_blocks_an_item_is_a_point_of_the_first() {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    let blocks = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
    scene.ask(question()).await;
    scene.ask(New { prompt: Some("What does \"blocks\": do?".into()), ..question() }).await;
    let named = New { owner: "run:7".parse().ok(), blocks: blocks(&["bd-7", "bd-8"]), ..on_item("x") };
    let named = scene.ask(named).await.id;
    let nobodys = scene.ask(New { owner: None, blocks: blocks(&["bd-6"]), ..on_item("x") }).await.id;
    let own = scene.ask(New { blocks: blocks(&["bd-9"]), ..on_item("bd-1") }).await.id;
    let rows = points(&folder);
    let found: Vec<_> = rows.iter().map(|row| (row["issue_id"].clone(), row["id"].clone())).collect();
    assert_eq!(
        found,
        [(json!("bd-1"), json!(own)), (json!("bd-6"), json!(nobodys)), (json!("bd-7"), json!(named))]
    );
    assert!(rows.iter().all(|row| row["responded_at"].is_null() && row["prompt"] == "Which cache?"));
    scene.answer(named, "memory").await.unwrap();
    let done = points(&folder).pop().unwrap();
    assert_eq!((&done["selected_option"], &done["responded_by"]), (&json!("memory"), &json!("ana")));
}

/// Ten years in seconds.
const TEN_YEARS: i64 = 315_360_000;

#[tokio::test]
async fn what_is_overdue_has_the_answer_of_silence_before_it_is_recorded() {
    let bench = Folder::new();
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
    let shown = points(&bench);
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
    assert_eq!(points(&bench), shown, "the rows stay as they are");
}
