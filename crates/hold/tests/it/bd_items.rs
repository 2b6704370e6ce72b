//! Decision points and the work items around them: the flags that others know, lists, and what is blocked.

use serde_json::{Value, json};

use crate::bd::{CREATE, beads};
use crate::sandbox::{Sandbox, at};

#[test]
fn the_forks_flags_are_taken() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    at(
        &sandbox.shell("bd decision respond bd-abc123 --select a --json").exits(0).json(),
        "/selected_option",
        "a",
    );
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A").exits(0);
    sandbox.refuses(
        &["bd", "decision", "respond", "bd-2", "--accept-guidance"],
        1,
        &["--accept-guidance requires --text"],
    );
    sandbox.shell("bd decision respond bd-2 --guidance hm").exits(0);
    let taken = sandbox
        .shell("bd decision respond bd-2 --text 'just do it' --accept-guidance --json")
        .exits(0)
        .json();
    at(&taken, "/selected_option", Value::Null);
    at(&taken, "/response_text", "just do it");
}

#[test]
fn list_all_has_settled_ones_too() {
    let sandbox = beads();
    sandbox.shell(CREATE).exits(0);
    sandbox.shell("bd decision respond bd-abc123 --guidance hm").exits(0);
    sandbox.shell("bd decision respond bd-abc123 --option a").exits(0);
    sandbox.shell("bd decision create bd-2 --prompt Q --option a:A").exits(0);
    let all = sandbox.shell("bd decision list --all --json").exits(0).json();
    let statuses: Vec<_> =
        all.as_array().unwrap().iter().map(|one| one["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["refined", "answered", "pending"]);
    assert_eq!(sandbox.shell("bd decision list --json").exits(0).json().as_array().unwrap().len(), 1);
    let table = sandbox.shell("bd decision list -a").exits(0).out;
    assert!(table.contains("refined") && table.contains("dcn-"), "{table}");
}

#[test]
fn a_deadline_that_has_passed_blocks_nothing_before_somebody_records_it() {
    let sandbox = beads();
    let create =
        "bd decision create w1 --blocks w2 --prompt Q --option a:A --default a --timeout 100ms --json";
    let id = sandbox.shell(create).exits(0).json()["id"].as_str().unwrap().to_owned();
    crate::vouching::until(|| sandbox.json(&["show", &id, "--json"])["status"] == "timed_out");
    for item in ["w1", "w2"] {
        let shown = sandbox.json(&["item", "show", item, "--json"]);
        assert_eq!(
            (&shown["status"], &shown["pending"]),
            (&serde_json::json!("open"), &serde_json::json!(0))
        );
    }
    assert!(!sandbox.log().iter().any(|event| event["type"] == "decision:expired"), "nobody recorded it");
}

#[test]
fn a_decision_blocks_other_items_until_it_is_settled() {
    let sandbox = beads();
    let status = |item: &str| sandbox.json(&["item", "show", item, "--json"])["status"].clone();
    let created = sandbox
        .shell("bd decision create --parent bd-1 --blocks bd-7 --blocks bd-8 --prompt Q --option a:A --json")
        .exits(0)
        .json();
    at(&created, "/issue_id", "bd-1.decision-1");
    at(&created, "/parent", "bd-1");
    assert_eq!(status("bd-1"), "open", "made with it, and not blocked by it");
    let below = sandbox.json(&["item", "show", "bd-1", "--json"])["decisions"].clone();
    assert_eq!((below.as_array().unwrap().len(), &below[0]["id"]), (1, &created["id"]));
    assert!(sandbox.ok(&["bd", "decision", "show", "bd-1.decision-1"]).contains("Parent: bd-1"));
    at(&created, "/blocks", json!(["bd-7", "bd-8"]));
    assert_eq!(
        [status("bd-7"), status("bd-8"), status("bd-1.decision-1")],
        ["blocked", "blocked", "blocked"]
    );
    // Another round goes on blocking.
    sandbox.shell("bd decision respond bd-1.decision-1 --guidance hm").exits(0);
    assert_eq!([status("bd-7"), status("bd-8")], ["blocked", "blocked"]);
    sandbox.ok(&["doctor"]);
    let second =
        sandbox.shell("bd decision create --parent bd-1 --blocks bd-7 --prompt Q --option a:A --json");
    at(&second.exits(0).json(), "/issue_id", "bd-1.decision-2");
    sandbox.shell("bd decision cancel bd-1.decision-1").exits(0);
    assert_eq!([status("bd-7"), status("bd-8")], ["blocked", "open"]);
    sandbox.shell("bd decision respond bd-1.decision-2 --option a").exits(0);
    assert_eq!(status("bd-7"), "open");
    sandbox.shell("bd decision create bd-1 --parent bd-2 --prompt Q --option a:A").exits(2);
    sandbox.shell("bd decision create bd-1 --blocks '' --prompt Q --option a:A").exits(1).says("blocks");
}

#[test]
fn every_command_speaks_of_the_decision_that_an_item_waits_for() {
    let sandbox = beads();
    let asked = |prompt: &str| {
        let options = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
        let field = json!({"id": "choice", "kind": "choice", "label": prompt, "options": options});
        let document = json!({"prompt": prompt, "owner": "job:j", "blocks": ["bd-7"], "fields": [field]});
        sandbox.ask_document(&document)
    };
    let id_of = |command: &str| sandbox.shell(command).json()["id"].as_str().unwrap().to_owned();
    let status = || sandbox.json(&["item", "show", "bd-7", "--json"])["status"].clone();
    sandbox.shell("bd decision show bd-7").exits(3);
    let own = id_of("bd decision create bd-7 --prompt Own? --option a:A --json");
    let of_job = asked("Which port?");
    // The item's own comes first while it waits; then what still blocks the item.
    assert_eq!(id_of("bd decision show bd-7 --json"), own);
    assert_eq!(id_of("bd decision respond bd-7 --option a --json"), own);
    assert_eq!(status(), "blocked");
    let shown = sandbox.shell("bd decision show bd-7").exits(0).out;
    assert!(shown.contains(&format!("bd decision respond {of_job} --option ID")), "{shown}");
    assert_eq!(id_of("bd decision show bd-7 --json"), of_job);
    at(&sandbox.shell("bd decision list --json").exits(0).json(), "/0/id", of_job.as_str());
    at(&sandbox.shell("bd decision chain bd-7 --json").exits(0).json(), "/0/id", of_job.as_str());
    at(
        &sandbox.shell("bd decision await bd-7 --timeout 20ms --json").exits(5).json(),
        "/id",
        of_job.as_str(),
    );
    let told = sandbox.shell("bd decision check --id bd-7 --json").exits(0).json();
    assert_eq!((told["responses"].as_array().unwrap().len(), &told["responses"][0]["id"]), (1, &json!(own)));
    sandbox.shell("bd decision check --id bd-8").exits(1);
    // What was settled goes by its own id.
    assert_eq!(id_of(&format!("bd decision show {own} --json")), own);
    // The same command again is a replay, and never the answer to what the item waits for next.
    let again = sandbox.shell("bd decision respond bd-7 --option a").exits(0);
    again.says(&format!("bd decision respond {of_job} --option ID"));
    let other = sandbox.shell("bd decision respond bd-7 --option b").exits(4);
    other.says(&format!("bd decision respond {of_job} --option ID"));
    sandbox.shell("bd decision cancel bd-7").exits(4).says(&of_job);
    at(&sandbox.show(&of_job), "/status", "pending");
    assert_eq!(id_of(&format!("bd decision respond {of_job} --option b --json")), of_job);
    assert_eq!((status(), id_of("bd decision show bd-7 --json")), (json!("open"), own));
}

#[test]
fn a_repeated_command_settles_no_other_decision_that_blocks_the_item() {
    let sandbox = beads();
    let id_of = |command: &str| sandbox.shell(command).json()["id"].as_str().unwrap().to_owned();
    let blocks = |item: &str, blocked: &str| {
        id_of(&format!("bd decision create {item} --blocks {blocked} -p Q --option a:A --option b:B --json"))
    };
    // Of several that block it none is meant more than the others, also once one of them is answered.
    let [first, second] = [blocks("x-1", "bd-7"), blocks("x-2", "bd-7")];
    sandbox.shell("bd decision respond bd-7 --option a").exits(3).says(&first).says(&second);
    sandbox.shell(&format!("bd decision respond {second} --option a")).exits(0);
    sandbox.shell("bd decision respond bd-7 --option a").exits(3).says(&first).says(&second);
    // Neither is one that came after the first was answered.
    let [only, next] = ["x-3", "x-4"].map(|item| {
        let id = blocks(item, "bd-8");
        let code = if item == "x-3" { 0 } else { 3 };
        sandbox.shell("bd decision respond bd-8 --option a").exits(code);
        id
    });
    at(&sandbox.show(&only), "/status", "answered");
    at(&sandbox.show(&next), "/status", "pending");
    // The same holds for an end without an answer.
    let [gone, kept] = ["x-5", "x-6"].map(|item| {
        let id = blocks(item, "bd-9");
        let code = if item == "x-5" { 0 } else { 3 };
        sandbox.shell("bd decision cancel bd-9").exits(code);
        id
    });
    at(&sandbox.show(&gone), "/status", "cancelled");
    at(&sandbox.show(&kept), "/status", "pending");
    // Two on the item itself are not told apart by its name.
    let [one, two] = ["One?", "Two?"].map(|asked| sandbox.ask(&[asked, "-o", "a:A", "--owner", "item:bd-1"]));
    sandbox.shell("bd decision respond bd-1 --option a").exits(3).says(&one).says(&two);
}

#[test]
fn a_decision_goes_by_any_start_of_its_id() {
    let sandbox = beads();
    let create = |item: &str| {
        let created = sandbox.shell(&format!("bd decision create {item} --prompt Q --option a:A --json"));
        created.exits(0).json()["id"].as_str().unwrap().to_owned()
    };
    let (one, other) = (create("bd-1"), create("bd-2"));
    let start = |id: &str, length: usize| id.trim_start_matches("dcn-")[..length].to_owned();
    for name in [start(&one, 11), start(&one, 12), one[..15].to_owned()] {
        for verb in ["show", "chain", "await --timeout 20ms"] {
            let ran = sandbox.shell(&format!("bd decision {verb} {name} --json"));
            let code = if verb.starts_with("await") { 5 } else { 0 };
            assert!(ran.exits(code).out.contains(&one), "{verb} {name}");
        }
    }
    // An item that is called so comes first.
    let third = create(&start(&one, 11));
    at(&sandbox.shell(&format!("bd decision show {} --json", start(&one, 11))).json(), "/id", third.as_str());
    sandbox.shell(&format!("bd decision respond {} --option a", start(&one, 12))).exits(0);
    sandbox.shell(&format!("bd decision check --id {} --json", start(&one, 12))).exits(0);
    sandbox.shell(&format!("bd decision cancel {}", start(&other, 11))).exits(0);
    at(&sandbox.show(&one), "/status", "answered");
    at(&sandbox.show(&other), "/status", "cancelled");
}

#[test]
fn context_urgency_and_what_is_quoted() {
    let sandbox = beads();
    let created = sandbox
        .shell("bd --json decision create 'my item' -p 'Which cache?' -c 'It must be shared.' -u high --option a:A")
        .exits(0)
        .json();
    at(&created, "/prompt", "Which cache?");
    at(&created, "/context", "It must be shared.");
    at(&created, "/urgency", "high");
    at(&sandbox.show(created["id"].as_str().unwrap()), "/priority", "high");
    let shown = sandbox.shell("bd decision show 'my item'").exits(0).out;
    assert!(
        shown.contains("It must be shared.") && shown.contains("respond 'my item' --option ID"),
        "{shown}"
    );
    let listed = sandbox.shell("bd decision list --verbose").exits(0).out;
    assert!(listed.contains("It must be shared.") && listed.contains("1. a  A"), "{listed}");
    let urgent = "bd decision create bd-2 -p Q --option a:A --urgency urgent";
    sandbox.shell(urgent).exits(1).says("invalid urgency 'urgent': must be high, medium, or low");
    at(
        &sandbox.shell("bd decision create bd-3 -p Q --option a:A --json").exits(0).json(),
        "/urgency",
        "medium",
    );
}

#[test]
fn what_is_shown_of_a_jobs_decision_names_the_command_that_answers_it() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which port?", "-o", "a:A", "-o", "b:B", "--owner", "job:j"]);
    let shown = sandbox.ok(&["bd", "decision", "show", &id]);
    assert!(shown.contains(&format!("respond {id} --option ID")), "{shown}");
    sandbox.run(&["bd", "decision", "respond", &id, "--option", "a"]).exits(0);
}

#[test]
fn an_item_that_waited_for_another_decision_still_names_it_once_it_is_settled() {
    let sandbox = beads();
    sandbox
        .shell("bd decision create --parent bd-1 --blocks bd-9 --prompt Q --option a:A --option b:B")
        .exits(0);
    sandbox.shell("bd decision respond bd-9 --option a").exits(0);
    at(&sandbox.shell("bd decision show bd-9 --json").exits(0).json(), "/selected_option", "a");
    sandbox.shell("bd decision await bd-9").exits(0);
    // One that was settled on the item itself is meant before it.
    sandbox.shell("bd decision create bd-9 --prompt R --option c:C").exits(0);
    sandbox.shell("bd decision respond bd-9 --option c").exits(0);
    at(&sandbox.shell("bd decision show bd-9 --json").exits(0).json(), "/selected_option", "c");
    sandbox.shell("bd decision show bd-8").exits(3);
}

/// Returns the command that a card ends with.
fn printed(card: &str) -> String {
    card.trim_end().lines().next_back().unwrap().trim().replace("ID", "a")
}

#[test]
fn the_commands_that_are_printed_work_where_they_are_printed() {
    let sandbox = beads();
    let create = |item: &str| format!("bd decision create {item} --prompt Q --option a:A --project web");
    // With the project that was named.
    let card = sandbox.shell(&create("bd-1")).exits(0).out;
    assert_eq!(printed(&card), "bd --project web decision respond bd-1 --option a");
    sandbox.shell(&printed(&card)).exits(0);
    // Seen from another project, the decision goes by its id.
    sandbox.shell(&create("bd-2")).exits(0);
    let listed = sandbox.shell("bd decision list").exits(0).out;
    assert!(listed.starts_with("ISSUE  PROJECT  ID") && listed.contains("bd-2   web"), "{listed}");
    let id = sandbox.shell("bd decision list --json").exits(0).json()[0]["id"].as_str().unwrap().to_owned();
    let refused = sandbox.shell("bd decision show bd-2").exits(3);
    refused.says("in project \"default\", but one in \"web\"").says(&format!("bd decision show {id}"));
    let card = sandbox.shell(&format!("bd decision show {id}")).exits(0).out;
    assert_eq!(printed(&card), format!("bd decision respond {id} --option a"));
    sandbox.shell(&printed(&card)).exits(0);
    at(&sandbox.show(&id), "/status", "answered");
}

#[test]
fn words_for_an_item_that_an_idle_agent_blocks_go_to_the_agent() {
    let sandbox = beads();
    let options =
        json!([{"id": "nudge", "label": "Nudge", "effect": "resume"}, {"id": "done", "label": "Done"}]);
    let field = json!({"id": "choice", "kind": "choice", "label": "What next?", "options": options});
    let document = json!({"prompt": "It is idle.", "source": "idle", "owner": "job:j", "blocks": ["bd-7"],
        "fields": [field]});
    let id = sandbox.ask_document(&document);
    sandbox.shell("bd decision respond bd-7 --text 'Look at the log first'").exits(0);
    let shown = sandbox.show(&id);
    at(&shown, "/status", "answered");
    at(&shown, "/answer/message", "Look at the log first");
}
