//! Lists say what is asked, and whose job it is; what stood on the screen before a question is its context.

use serde_json::json;

use super::{JobServer, agent};
use crate::terminal::Terminal;

/// Starts the agent's job under a name.
fn named(house: &JobServer, name: &str, steps: &[&str]) -> String {
    let book = house.book(&agent(steps, json!({})));
    house.sandbox.ok(&["job", "start", &book, "--name", name])
}

#[test]
fn lists_say_the_question_and_the_name_of_the_job() {
    let house = JobServer::new();
    let steps = ["line Reading the settings", "line Two servers were found", "ask Which port? ", "idle"];
    let id = named(&house, "q4", &steps);
    let decision = house.asked_for(&id, "question");
    assert_eq!(decision["title"], "Which port?");
    assert_eq!(decision["fields"][0]["label"], "Which port?");
    let prompt = decision["prompt"].as_str().unwrap();
    let (asks, context) = prompt.split_once("--- Agent Context ---").unwrap();
    assert!(asks.contains("[Question] Which port?") && !asks.contains("servers"), "{prompt}");
    assert_eq!(context, "\nReading the settings\nTwo servers were found");
    // Programs need not take the prompt apart.
    let shown = house.sandbox.show(decision["id"].as_str().unwrap());
    assert_eq!(shown["context"], "Reading the settings\nTwo servers were found");
    let list = house.sandbox.ok(&["list"]);
    assert!(list.contains("Which port?") && list.contains("q4") && !list.contains("Agent in job"), "{list}");
    let listed = house.sandbox.json(&["oj", "decision", "list", "-o", "json"]);
    let named = (&listed[0]["owner_name"], &listed[0]["owner_id"], &listed[0]["summary"]);
    assert_eq!(named, (&json!("q4"), &json!(id), &json!("Which port?")));
    let table = house.sandbox.ok(&["oj", "decision", "list"]);
    assert!(table.contains("q4") && table.contains("Which port?"), "{table}");
    let shown = house.sandbox.ok(&["oj", "decision", "show", decision["id"].as_str().unwrap()]);
    assert!(shown.contains(&format!("q4 ({})\n", &id[..12])), "{shown}");
}

#[test]
fn a_question_that_runs_over_lines_stays_whole() {
    let house = JobServer::new();
    let steps = [
        "line I looked at both of them.",
        "line Which of the two databases should hold the sessions of the",
        "line shop, and",
        "ask which one the carts? ",
        "idle",
    ];
    let id = house.start(&agent(&steps, json!({})));
    let label = house.asked_for(&id, "question")["fields"][0]["label"].clone();
    let label = label.as_str().unwrap();
    assert!(label.starts_with("Which of the two") && label.ends_with("the carts?"), "{label}");
}

#[test]
fn permissions_and_plans_say_what_for() {
    let house = JobServer::new();
    named(&house, "p1", &["permission rm -rf build", "idle"]);
    let id = named(&house, "p2", &["plan First this, then that", "idle"]);
    house.asked_for(&id, "plan");
    let first = house.sandbox.json(&["job", "show", "p1", "--json"])["id"].as_str().unwrap().to_owned();
    house.asked_for(&first, "approval");
    let list = house.sandbox.ok(&["list"]);
    assert!(list.contains("Permission: rm -rf build"), "{list}");
    assert!(list.contains("Plan: First this, then that") && !list.contains("proceed"), "{list}");
    let menu = r"Reading files\nDo you want to run make?\n❯ 1. Yes\n  2. No\n";
    let other = house.start(&json!({"run": format!("printf '{menu}'; read a"), "idle_after": "1s"}));
    assert_eq!(house.asked_for(&other, "approval")["title"], "Permission: Do you want to run make?");
    let plan = house.asked_for(&id, "plan");
    let named = plan["id"].as_str().unwrap();
    let mut resolving =
        Terminal::start(&house.sandbox, &["oj", "decision", "resolve", named, "4", "-m", "No."]);
    resolving.until(&format!("Owner:    p2 ({})", &id[..12]));
    resolving.until("Send? [y/N]");
    resolving.press("\r");
    assert_eq!(resolving.end(), 5);
    let shown = resolving.text();
    assert!(!shown.contains("for job:") && !shown.contains("by agt-"), "{shown}");
    for shown in [house.sandbox.ok(&["show", named]), house.sandbox.ok(&["oj", "decision", "show", named])] {
        assert!(!shown.contains("\\n") && shown.contains("  First this, then that"), "{shown}");
    }
}

#[test]
fn what_stood_on_the_screen_before_a_permission_is_its_context() {
    let house = JobServer::new();
    let stale = "The build folder is 4 GB of stale files.";
    let steps =
        [&format!("line {stale}"), "line Cleaning up.", "permission Bash(rm -rf build)", "got", "idle"];
    let id = house.start(&agent(&steps, json!({})));
    let asked = house.asked_for(&id, "approval");
    let context = format!("{stale}\nCleaning up.");
    let said = "Agent in job \"build\" is showing a permission prompt.";
    assert_eq!(asked["prompt"], format!("{said}\n\n--- Agent Context ---\n{context}"));
    assert_eq!(asked["subject"]["prompt"], "Bash(rm -rf build)\n\nDo you want to proceed?");
    let named = asked["id"].as_str().unwrap();
    assert_eq!(house.sandbox.show(named)["context"], context);
    for shown in [house.sandbox.ok(&["show", named]), house.sandbox.ok(&["oj", "decision", "show", named])] {
        let times = |words: &str| shown.matches(words).count();
        assert_eq!(
            (times("is showing a permission prompt."), times("4 GB of stale files.")),
            (1, 1),
            "{shown}"
        );
    }
}

#[test]
fn what_holdpoint_typed_is_not_what_the_agent_said_last() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line Ready for the next one", "idle"], json!({})));
    let first = house.asked_for(&id, "idle");
    assert_eq!(first["title"], "What next? Last said: Ready for the next one");
    house.answer(&first, "nudge", &[]);
    house.until_typed("Please continue with the task.\n");
    assert_eq!(house.asked_for(&id, "idle")["title"], "What next? Last said: Ready for the next one");
    let words =
        "wake up, and look at all of the files in the folder again, for one of them is not what it was";
    house.sandbox.ok(&["job", "resume", &id, "-m", words]);
    house.until_typed(words);
    assert_eq!(house.asked_for(&id, "idle")["title"], "What next? Last said: Ready for the next one");
}

#[test]
fn the_warning_about_accounts_is_ours_alone() {
    let house = JobServer::new();
    let cases: [(&str, &[&str]); 2] = [
        ("approval", &["line Warning: none", "permission Do you want to run make?", "idle"]),
        ("plan", &["line Warning: none", "plan First this, then that", "idle"]),
    ];
    for (source, steps) in cases {
        let id = house.start(&agent(steps, json!({})));
        let asked = house.asked_for(&id, source);
        assert_eq!(asked["same_account"], true, "{asked}");
        assert!(!asked["prompt"].as_str().unwrap().contains("answer for you"), "{asked}");
        let shown = house.sandbox.ok(&["show", asked["id"].as_str().unwrap()]);
        // What an agent writes is set in further than what Holdpoint says.
        let warnings: Vec<&str> = shown.lines().filter(|line| line.starts_with("Warning:")).collect();
        assert_eq!(warnings.len(), 1, "{shown}");
        assert!(warnings[0].contains("as the server's user and could answer for you"), "{shown}");
    }
}
