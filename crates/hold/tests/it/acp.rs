//! `hold acp` between an editor, which the test plays, and agents that are small scripts. An agent says back what it is told, as
//! lines that are no JSON, so that the test sees both ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};

use serde_json::{Value, json};

use crate::hook_claude::pending;
use crate::process::TIMEOUT;
use crate::sandbox::{HOLD, Sandbox, at};
use crate::vouching::until;

/// Asks at once, and says back whatever it hears.
const ASKS: &str = "cat \"$1\"\nwhile IFS= read -r line; do printf 'got %s\\n' \"$line\"; done\necho bye";

struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Editor {
    /// Starts an agent that is a script, behind the proxy; `said` is in the file that is its argument.
    fn start(sandbox: &Sandbox, script: &str, said: &[Value], flags: &[&str]) -> Self {
        let lines: Vec<String> = said.iter().map(Value::to_string).collect();
        let file = sandbox.file("said", lines.join("\n") + "\n");
        let mut command = sandbox.program(HOLD);
        command.arg("acp").args(flags).args(["--", "sh", "-c", script, "agent", &file]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    #[track_caller]
    fn next(&self) -> String {
        self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|why| panic!("nothing came: {why}"))
    }

    /// Returns the next line, which must be JSON.
    #[track_caller]
    fn message(&self) -> Value {
        let line = self.next();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))
    }

    /// Returns what the agent has heard next.
    #[track_caller]
    fn got(&self) -> String {
        let line = self.next();
        line.strip_prefix("got ").unwrap_or_else(|| panic!("{line}")).to_owned()
    }

    /// Ends the editor's side and returns how the proxy ended.
    #[track_caller]
    fn ends(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

fn permission(id: u64, options: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": "s1",
        "toolCall": {"toolCallId": "call-1", "title": "Run the migration", "kind": "execute",
            "rawInput": {"command": "make migrate"}},
        "options": options}})
}

/// Options whose ids and names say the opposite of what they are.
fn options() -> Value {
    json!([
        {"optionId": "no-thanks", "name": "Deny", "kind": "allow_once"},
        {"optionId": "yes-please", "name": "Approve", "kind": "reject_once"},
        {"optionId": "always", "name": "Always", "kind": "allow_always"},
        {"optionId": "odd", "name": "Odd", "kind": "something_new"},
    ])
}

fn selected(id: u64, option: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "selected", "optionId": option}}})
}

const MARK: &str = r#"{"jsonrpc":"2.0","method":"mark"}"#;

#[test]
fn an_answer_here_reaches_the_agent_by_kind_and_the_editor_comes_too_late() {
    let sandbox = Sandbox::new().looking();
    let mut editor = Editor::start(&sandbox, ASKS, &[permission(7, &options())], &[]);
    assert_eq!(editor.message(), permission(7, &options()), "the editor is asked as ever");
    let id = pending(&sandbox);
    let shown = sandbox.show(&id);
    at(&shown, "/title", "Run the migration");
    at(&shown, "/requested_by", "acp:s1");
    at(&shown, "/owner", "thread:s1");
    let subject =
        json!({"tool": "execute", "title": "Run the migration", "input": {"command": "make migrate"}});
    at(&shown, "/subject", subject);
    let labels: Vec<&str> = shown["fields"][0]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["Approve", "Deny", "Always allow"], "the words are ours");
    sandbox.ok(&["answer", &id, "approve"]);
    let cancelled = json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}});
    let both = [editor.next(), editor.next()];
    assert!(
        both.iter().any(|line| serde_json::from_str::<Value>(line).is_ok_and(|said| said == cancelled)),
        "{both:?}"
    );
    let got = both.iter().find_map(|line| line.strip_prefix("got ")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(got).unwrap(), selected(7, "no-thanks"));
    assert!(sandbox.show(&id)["consumed_at"].is_string(), "a yes is used up");
    // The editor's own answer comes too late, however often.
    editor.say(&selected(7, "yes-please").to_string());
    editor.say(&selected(7, "yes-please").to_string());
    editor.say(MARK);
    assert_eq!(editor.got(), MARK);
    assert_eq!(editor.ends(), 0);
    sandbox.is_well();
}

#[test]
fn the_card_shows_the_diff_and_the_words_that_the_editor_shows() {
    let sandbox = Sandbox::new().looking();
    let mut asked = permission(7, &options());
    asked["params"]["toolCall"]["rawInput"] = json!({"path": "schema.sql"});
    asked["params"]["toolCall"]["content"] = json!([
        {"type": "diff", "path": "schema.sql", "oldText": "keep", "newText": "drop table users"},
        {"type": "content", "content": {"type": "text", "text": "This also drops table users"}}]);
    let editor = Editor::start(&sandbox, ASKS, &[asked], &[]);
    editor.message();
    let card = sandbox.ok(&["show", &pending(&sandbox)]);
    for words in ["- keep", "+ drop table users", "This also drops table users"] {
        assert!(card.contains(words), "{card}");
    }
    assert_eq!(editor.ends(), 0);
}

#[test]
fn an_answer_in_the_editor_passes_as_it_is_and_settles_ours() {
    let sandbox = Sandbox::new().looking();
    let mut editor = Editor::start(&sandbox, ASKS, &[permission(7, &options())], &[]);
    editor.message();
    let id = pending(&sandbox);
    let odd =
        r#"{ "id":7 ,"result":{"outcome":{"outcome":"selected","optionId":"always"} } , "jsonrpc":"2.0"}"#;
    editor.say(odd);
    assert_eq!(editor.got(), odd);
    let shown = sandbox.show(&id);
    at(&shown, "/status", "cancelled");
    at(&shown, "/reason", "answered in the editor");
    at(&shown, "/answer", Value::Null);
    sandbox.run(&["answer", &id, "approve"]).exits(4);
    // A second answer is the editor's own affair.
    editor.say(odd);
    assert_eq!(editor.got(), odd);
    assert_eq!(editor.ends(), 0);
}

#[test]
fn whoever_is_first_is_the_only_one_that_the_agent_hears() {
    let sandbox = Sandbox::new().looking();
    for _ in 0..8 {
        let mut editor = Editor::start(&sandbox, ASKS, &[permission(7, &options())], &[]);
        editor.message();
        let id = pending(&sandbox);
        let here = sandbox.spawn(&["answer", &id, "approve"]);
        editor.say(&selected(7, "yes-please").to_string());
        here.end();
        editor.say(MARK);
        let mut heard = Vec::new();
        loop {
            let line = editor.next();
            match line.strip_prefix("got ") {
                Some(MARK) => break,
                Some(line) => heard.push(serde_json::from_str::<Value>(line).unwrap()),
                None => {}
            }
        }
        let wanted = match sandbox.show(&id)["status"].as_str().unwrap() {
            "answered" => selected(7, "no-thanks"),
            "cancelled" => selected(7, "yes-please"),
            other => panic!("{other}"),
        };
        assert_eq!(heard, [wanted]);
        assert_eq!(editor.ends(), 0);
    }
}

#[test]
fn the_reason_of_a_no_follows_as_a_prompt_within_the_editors_turn() {
    // The turn ends with the permission; what is prompted after that is answered at once.
    let script = "while IFS= read -r line; do printf 'got %s\\n' \"$line\"; case \"$line\" in\n\
        *holdpoint:1*) echo '{\"jsonrpc\":\"2.0\",\"method\":\"session/update\"}'; echo '{\"id\":\"holdpoint:1\",\"result\":{}}';;\n\
        *session/prompt*) cat \"$1\";;\n\
        *yes-please*) echo '{\"id\":1,\"result\":{\"stopReason\":\"end_turn\"}}';;\n\
        esac; done";
    let sandbox = Sandbox::new().looking();
    let mut editor = Editor::start(&sandbox, script, &[permission(7, &options())], &[]);
    let prompt =
        r#"{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}"#;
    editor.say(prompt);
    assert_eq!(editor.got(), prompt);
    editor.message();
    sandbox.ok(&["answer", &pending(&sandbox), "deny", "-m", "use the copy"]);
    let mut seen = Vec::new();
    while seen.last().is_none_or(|line: &String| !line.contains("end_turn")) {
        seen.push(editor.next());
    }
    let told: Vec<Value> = seen
        .iter()
        .filter_map(|line| line.strip_prefix("got "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(told[0], selected(7, "yes-please"), "an option that rejects");
    at(&told[1], "/method", "session/prompt");
    at(&told[1], "/params/sessionId", "s1");
    let words = told[1]["params"]["prompt"][0]["text"].as_str().unwrap();
    assert!(words.contains("use the copy") && words.contains("Run the migration"), "{words}");
    let place = |word: &str| seen.iter().position(|line| line.contains(word));
    assert!(place("session/update") < place("end_turn"), "the turn ends after it: {seen:?}");
    assert!(
        !seen.iter().any(|line| line.starts_with('{') && line.contains("holdpoint:1")),
        "ours stays ours: {seen:?}"
    );
    assert_eq!(editor.ends(), 0);
}

#[test]
fn silence_is_a_no_and_without_an_option_that_rejects_it_is_cancelled() {
    let sandbox = Sandbox::new().looking();
    let only = json!([{"optionId": "go", "name": "Go", "kind": "allow_always"}]);
    let editor = Editor::start(&sandbox, ASKS, &[permission(7, &only)], &["--timeout", "50ms"]);
    editor.message();
    let told = loop {
        let line = editor.next();
        if let Some(line) = line.strip_prefix("got ") {
            break serde_json::from_str::<Value>(line).unwrap();
        }
    };
    assert_eq!(told, json!({"jsonrpc": "2.0", "id": 7, "result": {"outcome": {"outcome": "cancelled"}}}));
    assert_eq!(editor.ends(), 0);
}

#[test]
fn a_form_is_filled_in_here_or_declined() {
    let sandbox = Sandbox::new().looking();
    let form = |id: u64| {
        json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": {
            "mode": "form", "sessionId": "s1", "message": "Which database?", "requestedSchema": {"type": "object",
                "properties": {
                    "engine": {"type": "string", "title": "Engine", "oneOf": [{"const": "pg", "title": "PostgreSQL"}, {"const": "lite", "title": "SQLite"}]},
                    "size": {"type": "integer", "minimum": 1, "maximum": 9},
                    "parts": {"type": "array", "items": {"type": "string", "enum": ["api", "web"]}},
                    "backup": {"type": "boolean", "default": true}},
                "required": ["engine", "size"]}}})
    };
    let link = json!({"jsonrpc": "2.0", "id": 9, "method": "elicitation/create",
        "params": {"mode": "url", "sessionId": "s1", "message": "Sign in", "url": "https://example.org", "elicitationId": "e"}});
    let editor = Editor::start(&sandbox, ASKS, &[link.clone(), form(8)], &[]);
    assert_eq!((editor.message(), editor.message()), (link, form(8)));
    let id = pending(&sandbox);
    at(&sandbox.show(&id), "/prompt", "Which database?");
    sandbox.run(&["answer", &id, "--set", "engine=pg", "--set", "size=10"]).exits(1);
    sandbox.ok(&["answer", &id, "--set", "engine=pg", "--set", "size=3", "--set", "parts=web"]);
    let mut told = editor.next();
    if !told.starts_with("got ") {
        told = editor.next();
    }
    let told: Value = serde_json::from_str(told.strip_prefix("got ").unwrap()).unwrap();
    at(&told, "/id", 8);
    at(&told, "/result/action", "accept");
    at(&told, "/result/content/engine", "pg");
    at(&told, "/result/content/size", 3);
    at(&told, "/result/content/parts", json!(["web"]));
    editor.ends();

    let editor = Editor::start(&sandbox, ASKS, &[form(8)], &[]);
    editor.message();
    sandbox.ok(&["answer", &pending(&sandbox), "decline"]);
    let mut told = editor.next();
    if !told.starts_with("got ") {
        told = editor.next();
    }
    assert!(told.contains(r#""action":"decline""#), "{told}");
    editor.ends();
}

#[test]
fn what_is_no_message_passes_and_an_agent_that_dies_takes_its_question_back() {
    let sandbox = Sandbox::new().looking();
    let script = "echo 'Loading…'; printf '\\377\\376 {\"id\":\\n' | tr -d '\\377\\376'; cat \"$1\"; cat \"$1\"; read -r line; exit 3";
    let mut editor = Editor::start(&sandbox, script, &[permission(7, &options())], &[]);
    assert_eq!(editor.next(), "Loading…");
    assert_eq!(editor.next(), " {\"id\":");
    // Asked twice under one id, it is one decision.
    assert_eq!((editor.message(), editor.message()), (permission(7, &options()), permission(7, &options())));
    let id = pending(&sandbox);
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
    editor.say("not json");
    assert_eq!(editor.child.wait().unwrap().code(), Some(3), "it ends as the agent does");
    at(&sandbox.show(&id), "/status", "cancelled");
    at(&sandbox.show(&id), "/reason", "the agent stopped waiting");
    sandbox.run(&["acp", "--", "/no/such/agent"]).exits(1).says("cannot start");
    sandbox.is_well();
}

#[test]
fn a_turn_that_is_ended_in_the_editor_and_an_editor_that_goes_take_questions_back() {
    let sandbox = Sandbox::new().looking();
    let mut editor = Editor::start(&sandbox, ASKS, &[permission(7, &options())], &[]);
    editor.message();
    let id = pending(&sandbox);
    let cancel = r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}"#;
    editor.say(cancel);
    assert_eq!(editor.got(), cancel);
    at(&sandbox.show(&id), "/reason", "the turn was ended in the editor");
    let outcome = r#"{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}"#;
    editor.say(outcome);
    assert_eq!(editor.got(), outcome);
    assert_eq!(editor.ends(), 0);

    // So does the agent itself.
    let withdrawn_as =
        |id: u64| json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}});
    let withdrawn = withdrawn_as(7);
    let script = "head -n 1 \"$1\"; read -r line; tail -n 1 \"$1\"; while read -r line; do :; done";
    let mut editor = Editor::start(&sandbox, script, &[permission(7, &options()), withdrawn.clone()], &[]);
    editor.message();
    let id = pending(&sandbox);
    editor.say(MARK);
    assert_eq!(editor.message(), withdrawn);
    sandbox.run(&["wait", &id]).exits(6);
    at(&sandbox.show(&id), "/reason", "the agent took it back");
    assert_eq!(editor.ends(), 0);

    // Taken back in the same breath, while it is still being asked, it says so too.
    let script = "cat \"$1\"; while read -r line; do :; done";
    let editor = Editor::start(&sandbox, script, &[permission(8, &options()), withdrawn_as(8)], &[]);
    until(|| sandbox.json(&["list", "--status", "cancelled", "--json"]).as_array().unwrap().len() == 3);
    let last = sandbox.json(&["list", "--status", "cancelled", "--json"]);
    at(&last, "/2/reason", "the agent took it back");
    assert_eq!(editor.ends(), 0);

    let editor = Editor::start(&sandbox, ASKS, &[permission(7, &options())], &[]);
    editor.message();
    let id = pending(&sandbox);
    assert_eq!(editor.ends(), 0);
    at(&sandbox.show(&id), "/status", "cancelled");
}
