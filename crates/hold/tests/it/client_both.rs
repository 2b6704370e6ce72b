//! One suite over both clients: whether the store is in this process or behind a server makes no difference.

use std::time::Duration;

use holdpoint_core::decision::{AnswerInput, New, Requirements, Revision};
use holdpoint_core::{DecisionId, ProjectChange, Span, Status};
use holdpoint_engine::auth::NewToken;
use holdpoint_engine::{Client, Embedded, Engine, Error, Home, Http, ListQuery, Problem, Role};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Server, question, question_with};

/// What a call came to, with what differs between any two stores taken out.
fn outcome<T: std::fmt::Debug>(result: Result<T, Error>, show: impl Fn(T) -> Value) -> Value {
    match result {
        Ok(value) => show(value),
        Err(error) => {
            let removed = matches!(error, Error::Removed(_));
            let problem = Problem::from(error);
            json!({"status": problem.status, "code": problem.code, "removed": removed})
        }
    }
}

fn new(value: Value) -> New {
    serde_json::from_value(value).unwrap()
}

fn input(value: Value) -> AnswerInput {
    serde_json::from_value(value).unwrap()
}

/// Says what of a decision is the same in any store.
fn brief(decision: &holdpoint_core::Decision) -> Value {
    let answer =
        decision.answer.as_ref().map(|answer| json!([answer.values, answer.out, answer.message, answer.by]));
    json!({
        "status": decision.status, "prompt": decision.prompt, "iteration": decision.iteration, "answer": answer,
        "draft": decision.draft, "reason": decision.reason, "project": decision.project, "consumed": decision.consumed_at.is_some(),
        "asked_with": decision.asked_with,
    })
}

/// Does all that a client can, and returns the outcome of each step.
async fn scenario(client: &dyn Client) -> Vec<Value> {
    let mut said = Vec::new();
    let show = |decision: holdpoint_core::Decision| brief(&decision);
    let nobody: DecisionId = "dcn-000000000000".parse().unwrap();
    let made = client.create(new(question()), Some("key".into())).await.unwrap();
    let id = made.decision.id;
    said.push(json!([made.replayed, brief(&made.decision)]));
    let again = client.create(new(question()), Some("key".into())).await.unwrap();
    said.push(json!([again.replayed, again.decision.id == id]));
    let other = new(question_with(&json!({"prompt": "Other?"})));
    said.push(outcome(client.create(other, Some("key".into())).await, |made| brief(&made.decision)));
    said.push(outcome(client.create(New::default(), None).await, |made| brief(&made.decision)));
    said.push(outcome(client.get(&id.to_string()[..9]).await, show));
    for wrong in ["nope", "dcn-000000000000", "", "../x", "a/b?c#d", "%00", "é"] {
        said.push(outcome(client.get(wrong).await, show));
    }
    said.push(outcome(client.draft(id, json!({"choice": "a"}).as_object().unwrap().clone()).await, show));
    said.push(outcome(client.draft(nobody, serde_json::Map::new()).await, show));
    let revision = Revision { prompt: Some("Which one?".into()), ..Revision::default() };
    said.push(outcome(client.revise(id, revision).await, show));
    said.push(outcome(client.revise(id, Revision::default()).await, show));
    said.push(outcome(client.wait(id, Some(Duration::from_millis(1))).await, show));
    said.push(outcome(client.wait(nobody, Some(Duration::from_millis(1))).await, show));
    said.push(outcome(client.receipt(id).await, |receipt| json!(receipt.status)));
    let answered = |answered: holdpoint_engine::Answered| {
        json!([brief(&answered.decision), answered.next.as_ref().map(brief), answered.replayed])
    };
    for wrong in [json!({"choice": "z"}), json!({}), json!({"choice": "a", "digest": "sha256:0"})] {
        said.push(outcome(client.answer(id, input(wrong)).await, answered));
    }
    for right in [json!({"guidance": "think"}), json!({"guidance": "think"}), json!({"choice": "a"})] {
        said.push(outcome(client.answer(id, input(right)).await, answered));
    }
    let next = client.get(&id.to_string()).await.unwrap().next.unwrap();
    for right in [
        json!({"choice": "b", "message": "m"}),
        json!({"choice": "b", "message": "m"}),
        json!({"choice": "a"}),
    ] {
        said.push(outcome(client.answer(next, input(right)).await, answered));
    }
    said.push(outcome(client.wait(next, None).await, show));
    said.push(outcome(client.cancel(next, None).await, show));
    said.push(outcome(client.receipt(next).await, |receipt| {
        json!([receipt.status, receipt.answer.map(|answer| answer.values)])
    }));
    let ask = new(question_with(
        &json!({"subject": {"tool": "sh"}, "fields": [{"id": "ok", "kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}]}]}),
    ));
    let made = client.create(ask, None).await.unwrap().decision;
    let (approval, digest) = (made.id, made.digest);
    let consume = async |tool: &str| {
        let used = client.consume(approval, json!({ "tool": tool }), Requirements::default(), None).await;
        used.map(|used| used.decision)
    };
    said.push(outcome(consume("sh").await, show));
    said.push(outcome(client.answer(approval, input(json!({"choice": "yes"}))).await, answered));
    let seen = json!({"choice": "yes", "digest": digest});
    said.push(outcome(client.answer(approval, input(seen)).await, answered));
    said.push(outcome(consume("rm").await, show));
    said.push(outcome(consume("sh").await, show));
    said.push(outcome(consume("sh").await, show));
    let doomed = client
        .create(new(question_with(&json!({"owner": "item:x/y z", "project": "web"}))), None)
        .await
        .unwrap()
        .decision
        .id;
    let items = |items: Vec<holdpoint_core::Item>| {
        json!(items.iter().map(|item| json!([item.id, item.pending, item.title])).collect::<Vec<_>>())
    };
    said.push(outcome(client.items(Some("web")).await, items));
    let removed = client.delete_item("web", "x/y z").await;
    said.push(outcome(client.wait(doomed, None).await, show));
    said.push(outcome(removed, |count| json!(count)));
    said.push(outcome(client.delete_item("web", "x/y z").await, |count| json!(count)));
    said.push(outcome(client.create_item("web", "i", Some("Title".into())).await, |item| {
        json!([item.id, item.project, item.title])
    }));
    said.push(outcome(client.create_item("web", "", None).await, |item| json!(item.id)));
    said.push(outcome(
        client
            .update_project("web", ProjectChange { min_timeout: Some(Span::from_secs(5)), verdicts: None })
            .await,
        |project| json!(project),
    ));
    said.push(outcome(client.projects().await, |projects| json!(projects)));
    for _ in 0..3 {
        client.create(new(question()), None).await.unwrap();
    }
    let query = ListQuery { statuses: vec![Status::Pending], limit: 2, ..ListQuery::default() };
    let page = client.list(&query).await.unwrap();
    said.push(json!([page.items.len(), page.next.is_some()]));
    let page = client.list(&ListQuery { cursor: page.next, ..query.clone() }).await.unwrap();
    said.push(json!([page.items.len(), page.next]));
    said.push(json!(
        client.list(&ListQuery { limit: 5000, ..ListQuery::default() }).await.unwrap().items.len()
    ));
    said.push(outcome(client.list(&ListQuery { cursor: Some("zz".into()), ..query }).await, |page| {
        json!(page.items.len())
    }));
    let ids: Vec<_> = page.items.iter().map(|decision| decision.id).collect();
    said.push(json!(client.prefix_lengths(&ids).await.unwrap().len()));
    let events = client.events(0, None, None, Duration::ZERO).await.unwrap();
    said.push(json!(events.events.iter().map(|event| event["type"].clone()).collect::<Vec<_>>()));
    said.push(json!(client.events(0, Some(next), None, Duration::ZERO).await.unwrap().events.len()));
    said.push(outcome(client.events(9999, None, None, Duration::ZERO).await, |page| {
        json!(page.events.len())
    }));
    let (coming, _) = tokio::join!(client.events(events.last, None, None, Duration::from_secs(30)), async {
        client.create(new(question()), None).await.unwrap()
    });
    said.push(json!(coming.unwrap().events.len()));
    let token = client
        .create_token(NewToken {
            name: "bot".into(),
            role: holdpoint_core::Role::Agent,
            projects: vec![],
            permissions: vec![],
            lasts: None,
            owner: None,
        })
        .await
        .unwrap();
    said.push(json!(client.tokens().await.unwrap().len()));
    said.push(outcome(client.revoke_token(&token.token.id).await, |token| json!(token.revoked_at.is_some())));
    said.push(outcome(client.revoke_token("nope").await, |token| json!(token.id)));
    let person = serde_json::from_value(json!({"name": "ana b/c", "role": "person"})).unwrap();
    said.push(outcome(client.put_person(person).await, |person| json!(person.name)));
    said.push(json!(client.people().await.unwrap().len()));
    said.push(outcome(client.remove_person("ana b/c").await, |()| json!("gone")));
    said.push(outcome(client.remove_person("ana b/c").await, |()| json!("gone")));
    said.push(json!(client.auth_required().await.unwrap()));
    said
}

#[test]
fn both_clients_do_the_same() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::TempDir::new().unwrap();
    let home = Home::at(folder.path().join("home"));
    let engine = runtime.block_on(Engine::open(&home, None, Role::Writer)).unwrap();
    let here = runtime.block_on(scenario(&Embedded::new(engine, "ana", "cli")));
    let server = Server::open();
    let there = runtime
        .block_on(async { scenario(&Http::new(&server.url(), None).unwrap().answering_as("ana")).await });
    for (step, (here, there)) in here.iter().zip(&there).enumerate() {
        assert_eq!(here, there, "step {step}: embedded on the left, over HTTP on the right");
    }
    assert_eq!(here.len(), there.len());
}

/// Runs a table of commands; `{n}` stands for the id that the nth `ask` printed.
fn table(sandbox: &Sandbox) -> Vec<(String, i32, String)> {
    let subject = sandbox.file("subject", "make");
    let form = sandbox.file("form.json", json!({
        "prompt": "A form", "outs": [{"id": "cancel", "label": "Cancel"}],
        "fields": [{"id": "name", "kind": "text"}, {"id": "many", "kind": "choices", "options": [{"id": "x"}, {"id": "y"}], "required": false}],
    }).to_string());
    let lines = [
        "list",
        "list --json",
        "ask Which? -o a:First -o b:Second --no-wait",
        "ask Which? -o a:First -o b:Second --no-wait --key k",
        "ask Which? -o a:First -o b:Second --no-wait --key k",
        "ask Other? --no-wait --key k",
        "show {0}",
        "show nope",
        "wait {0} --timeout 1ms",
        "answer {0} c",
        "answer {0} 2 -m fine",
        "answer {0} b -m fine",
        "answer {0} a",
        "wait {0}",
        "wait {0} --expect a",
        "show {0}",
        "cancel {0}",
        "ask Again? -o a:A --no-wait",
        "answer {3} --guidance more",
        "wait {3}",
        "answer {3} a",
        "cancel {3}",
        "ask May? --subject {subject} --no-wait",
        "consume {4} --subject {subject}",
        "answer {4} yes",
        "answer {3} yes --digest {seen}",
        "consume {3} --subject {subject}",
        "consume {4} --subject {subject}",
        "consume {4} --subject {subject}",
        "ask --file {form} --no-wait",
        "answer {5} --set name=Ana --set many=[\"x\"]",
        "wait {5}",
        "ask --file {form} --no-wait",
        "answer {6} cancel",
        "wait {6}",
        "ask x --no-wait --timeout nonsense",
        "ask --no-wait",
        "ask Soon? -o a:A --default a --timeout 1ms",
        "ask Soon? -o a:A --timeout 1ms",
        "item add bd-1 --title Work",
        "item add bd-1",
        "ask Work? --owner item:bd-1 --no-wait",
        "item list --json",
        "item show bd-1",
        "item show nope",
        "item delete bd-1",
        "item delete bd-1",
        "revise {0} -o z:Z",
        "ask R? -o a:A --no-wait",
        "revise {8} -o z:Z",
        "answer {8} z --digest sha256:0",
        "answer {8} z --by someone",
        "show {8}",
        "project list",
        "project set web --min-timeout 5m",
        "project set web --min-timeout x",
        "log nope",
        "log --after 99999",
        "check",
        "receipt nope",
        "list --status all --limit 3",
        "list --status nonsense",
        "audit verify --key",
    ];
    let mut ids: Vec<String> = Vec::new();
    let mut told = Vec::new();
    for line in lines {
        let mut arguments: Vec<String> = line
            .split(' ')
            .map(|word| word.replace("{subject}", &subject).replace("{form}", &form))
            .collect();
        for argument in &mut arguments {
            for (n, id) in ids.iter().enumerate() {
                *argument = argument.replace(&format!("{{{n}}}"), id);
            }
        }
        if line.contains("{seen}") {
            let seen = sandbox.show(&ids[3])["digest"].as_str().unwrap().to_owned();
            for argument in &mut arguments {
                *argument = argument.replace("{seen}", &seen);
            }
        }
        let ran = sandbox.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let out = ran.out.trim().to_owned();
        if line.starts_with("ask") && line.contains("--no-wait") && ran.code == 0 && !ids.contains(&out) {
            ids.push(out);
        }
        let folder = sandbox.path("").display().to_string();
        told.push((line.to_owned(), ran.code, same(&ran.out, &ids, &folder)));
    }
    told
}

/// Takes out what differs between any two runs: ids, times, ages, folders.
fn same(text: &str, ids: &[String], folder: &str) -> String {
    // Through which door an answer came is told truly, and is the one thing that may differ.
    let mut text = text.replace(folder, "FOLDER/").replace("over HTTP", "on the command line");
    for seconds in 0..60 {
        text = text.replace(&format!(" {seconds} s ago"), " AGE");
    }
    for (n, id) in ids.iter().enumerate() {
        text = text.replace(id, &format!("ID{n}")).replace(&id[4..], &format!("ID{n}"));
    }
    let word = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let time = bare.len() > 15 && bare.starts_with("20") && bare.contains('T') && bare.ends_with('Z');
        let age = bare.len() > 1
            && bare.ends_with(['s', 'm'])
            && bare[..bare.len() - 1].bytes().all(|b| b.is_ascii_digit());
        let other = bare.starts_with("dcn-") || bare.starts_with("sha256:");
        if time {
            "TIME".to_owned()
        } else if age {
            "AGE".to_owned()
        } else if other {
            "ID".to_owned()
        } else {
            word.to_owned()
        }
    };
    let line = |line: &str| {
        line.split(|c: char| c.is_whitespace() || c == '"')
            .filter(|part| !part.is_empty())
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_same_commands_print_the_same() {
    let here = table(&Sandbox::new());
    let server = Server::open();
    let there = table(&Sandbox::new().with("HOLD_URL", &server.url()));
    assert!(here.len() > 40);
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(here, there, "embedded on the left, over HTTP on the right");
    }
}
