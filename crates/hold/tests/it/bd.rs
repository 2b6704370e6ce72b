//! The front door for decision points on work items: the document's own examples, then its rules.

use serde_json::{Value, json};

use crate::bd_view::rows;
use crate::process::{Running, Stream};
use crate::sandbox::{Sandbox, at};
use rustix::process::Signal;

/// The keys of a decision point, as the document's table has them.
pub(crate) const COLUMNS: [&str; 14] = [
    "issue_id",
    "prompt",
    "options",
    "default_option",
    "selected_option",
    "response_text",
    "responded_at",
    "responded_by",
    "iteration",
    "max_iterations",
    "prior_id",
    "guidance",
    "requested_by",
    "created_at",
];

/// A sandbox in which `bd` is on the path.
pub(crate) fn beads() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.link("bd");
    sandbox
}

pub(crate) const CREATE: &str = r#"bd decision create bd-abc123 \
  --prompt "Which approach?" \
  --option "a:Use approach A" \
  --option "b:Use approach B" \
  --default a \
  --json"#;

#[test]
fn the_documents_examples_run_as_printed() {
    let sandbox = beads();
    let created = sandbox.shell(CREATE).exits(0).json();
    at(&created, "/issue_id", "bd-abc123");
    at(&created, "/prompt", "Which approach?");
    at(
        &created,
        "/options/0",
        json!({"id": "a", "short": "a", "label": "Use approach A", "description": null}),
    );
    at(&created, "/default_option", "a");
    at(&created, "/selected_option", Value::Null);
    at(&created, "/iteration", 1);
    at(&created, "/max_iterations", 3);
    // The default is taken after a day, as nobody said otherwise.
    let day = 24 * 60 * 60;
    assert_eq!(seconds(&created["deadline"]) - seconds(&created["created_at"]), day);
    let list = sandbox.shell("bd decision list --json").exits(0).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    for key in COLUMNS {
        assert!(list[0].as_object().unwrap().contains_key(key), "{key} is missing: {list}");
    }
    assert_eq!(list[0], created);
    assert_eq!(sandbox.shell("bd decision show bd-abc123 --json").exits(0).json(), created);

    let refined = sandbox
        .shell(r#"bd decision respond bd-abc123 --guidance "Consider memory constraints" --json"#)
        .exits(0)
        .json();
    at(&refined, "/status", "refined");
    at(&refined, "/response_text", "Consider memory constraints");
    let next_id = refined["next_id"].as_str().unwrap();
    let next = sandbox.shell("bd decision show bd-abc123 --json").exits(0).json();
    at(&next, "/iteration", 2);
    at(&next, "/guidance", "Consider memory constraints");
    assert_eq!(next["prior_id"], created["id"]);
    at(&next, "/id", next_id);
    at(&next, "/options/2/id", "_accept");
    at(&next, "/options/2/label", "Accept the proposal as it stands");
    // The chain can be walked by the ids that are printed.
    let show = |id: &str| sandbox.shell(&format!("bd decision show {id} --json")).exits(0).json();
    assert_eq!(show(next["prior_id"].as_str().unwrap()), refined);
    assert_eq!(show(next_id), next);
    let chain = sandbox.shell("bd decision chain bd-abc123 --json").exits(0).json();
    assert_eq!(chain, json!([refined, next]));
    // Whichever of them is named.
    for id in [next_id, created["id"].as_str().unwrap()] {
        let walked = sandbox.shell(&format!("bd decision chain {id} --json")).exits(0).json();
        assert_eq!(walked, chain, "{id}");
    }
    let answered = sandbox
        .shell(r#"bd decision respond bd-abc123 --text "Use a hybrid approach" --json"#)
        .exits(0)
        .json();
    at(&answered, "/response_text", "Use a hybrid approach");
    at(&answered, "/selected_option", Value::Null);
    at(&answered, "/responded_by", "ana");
    assert!(answered["responded_at"].is_string());
}

fn seconds(time: &Value) -> i64 {
    let time: holdpoint_core::Timestamp = serde_json::from_value(time.clone()).unwrap();
    time.as_millis() / 1000
}

#[test]
fn a_default_waits_as_long_as_the_settings_say() {
    let sandbox = beads();
    sandbox.settings("[bd]\ntimeout = \"2h\"\n");
    let created = sandbox.shell(CREATE).exits(0).json();
    assert_eq!(seconds(&created["deadline"]) - seconds(&created["created_at"]), 2 * 60 * 60);
    let card = sandbox.shell("bd decision show bd-abc123").exits(0).out;
    assert!(card.contains("in 2 h if nobody answers"), "{card}");
    // Without a default nothing happens by itself, and a timeout that is given counts.
    let other = sandbox.shell("bd decision create bd-2 --prompt Q --option a:A --json").exits(0).json();
    at(&other, "/deadline", Value::Null);
    let given = "bd decision create bd-3 --prompt Q --option a:A --default a --timeout 5m --json";
    let given = sandbox.shell(given).exits(0).json();
    assert_eq!(seconds(&given["deadline"]) - seconds(&given["created_at"]), 300);
}

#[test]
fn selecting_an_option_as_printed() {
    let sandbox = beads();
    let options = json!([
        {"id": "redis", "short": "Redis", "label": "Use Redis for distributed caching", "description": "## Redis\n\nPros:\n- Distributed"},
        {"id": "memory", "short": "In-memory", "label": "Use in-memory LRU cache"},
    ]);
    let script = format!(
        "bd decision create bd-abc123 --prompt 'Which caching strategy should we implement?' --options '{options}' --max-iterations 3 --requested-by agent-session-xyz --json"
    );
    let created = sandbox.shell(&script).exits(0).json();
    at(&created, "/options/0/short", "Redis");
    at(&created, "/options/0/description", "## Redis\n\nPros:\n- Distributed");
    at(&created, "/options/1/short", "In-memory");
    at(&created, "/requested_by", "agent-session-xyz");
    let answered = sandbox.shell("bd decision respond bd-abc123 --option redis --json").exits(0).json();
    at(&answered, "/selected_option", "redis");
    at(&answered, "/response_text", Value::Null);
    assert_eq!(sandbox.shell("bd decision show bd-abc123 --json").exits(0).json(), answered);
}

#[test]
fn yes_or_no_with_one_round() {
    let sandbox = beads();
    let options = r#"[{"id": "yes", "short": "Yes", "label": "Deploy now"}, {"id": "no", "short": "No", "label": "Wait for review"}]"#;
    #[rustfmt::skip]
    sandbox.ok(&[
        "bd", "decision", "create", "bd-abc123", "--prompt", "Deploy to production?", "--options", options,
        "--default", "no", "--max-iterations", "1", "--requested-by", "agent-session-xyz",
    ]);
    sandbox.refuses(&["bd", "decision", "respond", "bd-abc123", "--guidance", "later"], 4, &["round 1 of 1"]);
    let waiting = sandbox.spawn(&["bd", "decision", "await", "bd-abc123"]);
    sandbox.ok(&["bd", "decision", "respond", "bd-abc123", "--option", "no", "--by", "bo"]);
    waiting.end().exits(8).prints("no");
    let shown = sandbox.json(&["bd", "decision", "show", "bd-abc123", "--json"]);
    at(&shown, "/responded_by", "bo");
    at(&shown, "/selected_option", "no");
}

#[test]
fn the_hook_works_as_printed() {
    let sandbox = beads();
    let hook = r#"
pending=$(bd decision list --json 2>/dev/null)
if [ -n "$pending" ]; then
  echo "Pending decisions require attention"
  exit 1  # Block tool execution
fi
"#;
    sandbox.shell("bd decision list --json").exits(0).prints("[]");
    sandbox.shell(hook).exits(0).prints("");
    sandbox.shell(CREATE).exits(0);
    sandbox.shell(hook).exits(1).prints("Pending decisions require attention");
    sandbox.shell("bd decision respond bd-abc123 --option a").exits(0);
    sandbox.shell(hook).exits(0).prints("");
    sandbox.run(&["list", "--json"]).exits(0).prints("[]");
}

#[test]
fn the_poller_works_as_printed() {
    let sandbox = beads();
    sandbox.executable("notify-send", "echo \"told: $1\"");
    // One turn of its loop, whose `[` would complain of an empty word.
    let turn = r#"
  pending=$(bd decision list --json 2>/dev/null | jq length)
  if [ "$pending" -gt 0 ]; then
    # Notify user or trigger handler
    notify-send "BD: $pending decisions pending"
  fi
"#;
    for shell in ["sh", "bash"] {
        let idle = sandbox.shell(&format!("{shell} -c '{turn}' 2>&1")).exits(0);
        idle.prints("");
    }
    sandbox.shell("bd decision list --json | cat").exits(0).prints("[]");
    sandbox.settings("[hooks]\ndesktop = false\n");
    sandbox.shell(CREATE).exits(0);
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A").exits(0);
    sandbox.shell(turn).exits(0).prints("told: BD: 2 decisions pending");
}

#[test]
fn hold_bd_and_bd_are_the_same() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    assert_eq!(
        sandbox.json(&["bd", "decision", "list", "--json"]),
        sandbox.shell("bd decision list --json").json()
    );
    let ran = sandbox.run(&["bd", "decision", "list"]).exits(0);
    assert!(
        ran.out.contains("bd-abc123") && ran.out.contains("Which approach?") && ran.out.contains("1/3"),
        "{ran}"
    );
    let card = sandbox.ok(&["bd", "decision", "show", "bd-abc123"]);
    assert!(card.contains("Use approach A"), "{card}");
    sandbox.shell("bd decision create").exits(2).says("Usage: bd decision create");
    sandbox.run(&["bd", "decision", "create"]).exits(2).says("Usage: hold bd decision create");
    // What it says to do next are its own commands.
    assert!(card.contains("hold bd decision respond bd-abc123 --option ID"), "{card}");
    let card = sandbox.shell("bd decision show bd-abc123").exits(0).out;
    assert!(card.contains("\nbd decision respond bd-abc123 --option ID") && !card.contains("hold"), "{card}");
    let waited = sandbox.shell("bd decision await bd-abc123 --timeout 20ms").exits(5);
    waited.says("bd decision await dcn-");
    sandbox.shell("bd decision respond bd-abc123 --option a").exits(0);
    sandbox
        .shell("bd decision respond bd-abc123 --option b")
        .exits(4)
        .says("hint: see what was decided: bd decision show dcn-");
}

#[test]
fn create_makes_the_item_and_refuses_a_second_while_one_is_pending() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    let item = sandbox.json(&["item", "show", "bd-abc123", "--json"]);
    at(&item, "/status", "blocked");
    let arguments = ["bd", "decision", "create", "bd-abc123", "--prompt", "Again?", "--option", "x:X"];
    sandbox.refuses(&arguments, 4, &["bd-abc123", "already waits", "hint:"]);
    sandbox.ok(&["bd", "decision", "respond", "bd-abc123", "--option", "b"]);
    at(&sandbox.json(&["item", "show", "bd-abc123", "--json"]), "/status", "open");
    sandbox.ok(&arguments);
    at(&sandbox.json(&["bd", "decision", "show", "bd-abc123", "--json"]), "/prompt", "Again?");
    sandbox.run(&["item", "delete", "bd-abc123"]).exits(0).prints("Deleted bd-abc123 and 2 decisions on it");
    sandbox.run(&["bd", "decision", "show", "bd-abc123"]).exits(3).says("bd-abc123");
    sandbox.run(&["bd", "decision", "list", "--json"]).exits(0).prints("[]");
    assert_eq!(rows(&sandbox), Vec::<Value>::new());
}

#[test]
fn a_default_taken_on_timeout_shows_who_took_it() {
    let sandbox = beads();
    sandbox
        .shell("bd decision create bd-1 --prompt Q --option a:A --option b:B --default b --timeout 40ms")
        .exits(0);
    let awaited = sandbox.shell("bd decision await bd-1 --json").exits(0).json();
    at(&awaited, "/selected_option", "b");
    at(&awaited, "/responded_by", "system:timeout");
    at(&awaited, "/status", "timed_out");
    assert_eq!(sandbox.shell("bd decision show bd-1 --json").json(), awaited);
    let row = &rows(&sandbox)[0];
    at(row, "/selected_option", "b");
    at(row, "/responded_by", "system:timeout");
    // Without a default there is no answer.
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A --timeout 20ms").exits(0);
    sandbox.shell("bd decision await bd-2").exits(6).prints("");
}

#[test]
fn await_is_woken_gives_up_and_hears_ctrl_c() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    let given_up = sandbox.shell("bd decision await bd-abc123 --timeout 20ms --json").exits(5).json();
    at(&given_up, "/responded_at", Value::Null);
    for json in [None, Some("--json")] {
        let mut command = sandbox.program(sandbox.path("bin/bd"));
        let mut waiting = Running::start(command.args(["decision", "await", "bd-abc123"]).args(json));
        waiting.listening();
        waiting.signal(Signal::INT);
        waiting.end().exits(5).prints("").says("still pending");
    }
    let waiting = sandbox.spawn(&["bd", "decision", "await", "bd-abc123"]);
    sandbox.shell("bd decision respond bd-abc123 --option a").exits(0);
    waiting.end().exits(0).prints("a");
    sandbox.shell("bd decision await bd-abc123").exits(0).prints("a");
    sandbox.shell("bd decision await bd-none").exits(3);
}

#[test]
fn await_ends_with_7_on_guidance_and_6_on_cancel() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    // By its id: of the item, it might find the next round.
    let round = sandbox.shell("bd decision show bd-abc123 --json").json()["id"].as_str().unwrap().to_owned();
    let waiting = sandbox.spawn(&["bd", "decision", "await", &round]);
    sandbox.shell("bd decision respond bd-abc123 --guidance think").exits(0);
    waiting.end().exits(7).says("think");
    let waiting = sandbox.spawn(&["bd", "decision", "await", "bd-abc123", "--json"]);
    let cancelled = sandbox.shell("bd decision cancel bd-abc123 --reason 'no longer' --json").exits(0).json();
    at(&cancelled, "/status", "cancelled");
    at(&cancelled, "/reason", "no longer");
    assert!(cancelled["response_text"].is_null(), "nobody answered that: {cancelled}");
    assert!(cancelled["responded_at"].is_string());
    at(&waiting.end().exits(6).json(), "/status", "cancelled");
    sandbox.shell("bd decision list --json").exits(0).prints("[]");
    at(&sandbox.json(&["item", "show", "bd-abc123", "--json"]), "/status", "open");
}

#[test]
fn check_tells_what_was_answered() {
    let sandbox = beads();
    sandbox.shell("bd decision check").exits(1).prints("");
    sandbox.shell("bd decision check --inject").exits(0).prints("");
    sandbox
        .shell("bd decision create bd-1 --prompt 'Which?' --option a:Alpha --requested-by agent-7")
        .exits(0);
    sandbox.shell("bd decision respond bd-1 --option a").exits(0);
    let told = sandbox.shell("bd decision check --inject --requested-by agent-7").exits(0).out;
    assert!(
        told.contains("<system-reminder>")
            && told.contains("Selected: a (Alpha)")
            && told.contains("item:bd-1"),
        "{told}"
    );
    sandbox.shell("bd decision check --inject --requested-by agent-7").exits(0).prints("");
    at(&sandbox.shell("bd decision check --json").exits(0).json(), "/responses/0/issue_id", "bd-1");
}

#[test]
fn what_does_not_fit_is_refused() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    let create = ["bd", "decision", "create", "bd-9", "--prompt", "Q"];
    for (more, words) in [
        (&[][..], "at least one option is required"),
        (&["--options", "[]"], "at least one option is required"),
        (&["--options", "{"], "invalid options JSON"),
        (&["--options", r#"[{"id":"a","label":"A"},{"id":"b"}]"#], "option 1 missing 'label' field"),
        (&["--options", r#"[{"label":"A"}]"#], "option 0 missing 'id' field"),
        (&["--options", r#"[{"id":"a","label":"A","colour":"red"}]"#], "unknown key 'colour'"),
        (&["--option", "a:A", "--default", "z"], "default option 'z' not found in options: a"),
        (&["--option", "a:A", "--option", "a:B"], "a"),
        (&["--option", "_x:A"], "_x"),
        (&["--option", "a:A", "--options", "[]"], "not both"),
        (&["--option", "a:A", "--timeout", "0s"], "timeout"),
        (&["--option", "a:A", "--max-iterations", "0"], "max_iterations"),
    ] {
        sandbox.refuses(&[&create, more].concat(), 1, &[words]);
    }
    sandbox.refuses(
        &["bd", "decision", "create", "bd-9", "--prompt", " ", "--option", "a:A"],
        1,
        &["prompt"],
    );
    let as_decision = ["bd", "decision", "create", "dcn-foo", "--prompt", "Q", "--option", "a:A"];
    sandbox.refuses(&as_decision, 1, &["reads as the id of a decision"]);
    let respond = ["bd", "decision", "respond", "bd-abc123"];
    for (more, words) in [
        (&[][..], "must provide --option"),
        (&["--option", "c"], "c"),
        (&["--option", "a", "--guidance", "g"], "guidance"),
        (&["--text", " "], "must provide"),
    ] {
        sandbox.refuses(&[&respond, more].concat(), 1, &[words]);
    }
    sandbox.refuses(&["bd", "decision", "respond", "bd-none", "--option", "a"], 3, &["bd-none"]);
    sandbox.ok(&["bd", "decision", "respond", "bd-abc123", "--option", "a"]);
    sandbox.refuses(
        &["bd", "decision", "respond", "bd-abc123", "--option", "b"],
        4,
        &["already answered", "a by ana"],
    );
    // The same answer again does no harm.
    let again =
        sandbox.json(&["bd", "decision", "respond", "bd-abc123", "--option", "a", "--by", "bo", "--json"]);
    at(&again, "/responded_by", "ana");
}

#[test]
fn projects_are_kept_apart() {
    let sandbox = beads();
    sandbox.shell("bd decision create bd-1 --prompt One --option a:A --project p").exits(0);
    sandbox.shell("bd decision show bd-1").exits(3);
    at(&sandbox.shell("bd decision show bd-1 --project p --json").exits(0).json(), "/prompt", "One");
    sandbox.shell("bd decision create bd-1 --prompt Two --option a:A").exits(0);
    assert_eq!(sandbox.shell("bd decision list --json").json().as_array().unwrap().len(), 2);
    assert_eq!(sandbox.shell("bd decision list --json --project p").json().as_array().unwrap().len(), 1);
}

#[test]
fn an_agent_is_woken_by_an_answer_through_another_door() {
    let sandbox = beads();
    let mut following = sandbox.spawn(&["log", "--follow", "--json"]);
    sandbox.shell(CREATE).exits(0);
    following.until(Stream::Out, "item:created");
    let waiting = sandbox.spawn(&["bd", "decision", "await", "bd-abc123"]);
    let id = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "2"]);
    waiting.end().exits(0).prints("b");
    following.until(Stream::Out, "decision:resolved");
}
