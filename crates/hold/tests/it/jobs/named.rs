//! People know a job by its name: in lists, on cards and pages; its verdict holds up its item, and goes with it.

use serde_json::{Value, json};

use super::attempts::{start, until};
use super::{JobServer, agent};
use crate::browser::Served;
use crate::sandbox::Sandbox;

/// A job with a verdict, on an item.
fn book() -> Value {
    json!({"job": {"shopkeeper": {"worktree": true, "item": "bd-77", "steps": [
        {"name": "make", "run": "echo two >> a.txt"}]}}})
}

#[test]
fn lists_cards_and_pages_name_the_job() {
    let house = JobServer::new();
    let asks = agent(&["ask Which port? ", "idle"], json!({}));
    let book = json!({"job": {"shopkeeper": {"steps": [{"name": "work", "run": {"agent": "w"}}]}}, "agent": {"w": asks}});
    let file = house.sandbox.file("b.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &file]);
    let asked = house.asked_for(&id, "question");
    let decision = asked["id"].as_str().unwrap();
    let inbox = house.sandbox.run_with(&["inbox", "--plain"], "1\nq\nq\n").exits(0).out;
    assert!(inbox.contains("From shopkeeper.") && inbox.contains("shopkeeper has a question"), "{inbox}");
    let card = house.sandbox.ok(&["show", decision]);
    assert!(card.contains("by shopkeeper"), "{card}");
    for text in [&inbox, &card, &house.sandbox.ok(&["list"])] {
        assert!(!text.contains(&id) && !text.contains("agt-"), "{text}");
    }
    assert_eq!(house.sandbox.json(&["list", "--json"])[0]["owner_name"], "shopkeeper");
    assert_eq!(house.sandbox.json(&["show", decision, "--json"])["owner_name"], "shopkeeper");
    let entry = &house.sandbox.json(&["oj", "decision", "show", decision, "-o", "json"])["options"][0];
    assert!(entry["number"] == 1 && !entry["id"].is_null() || entry["label"] == "Other", "{entry}");
}

/// It is not a question of the job's own, which a later one would replace: an agent may ask several things at once.
#[test]
fn what_its_agent_asks_holds_up_its_item_and_is_found_with_it() {
    let house = JobServer::new();
    let hold = env!("CARGO_BIN_EXE_hold");
    let run =
        format!("{hold} ask 'Deploy?' -o yes:Yes -o no:No & {hold} ask 'Which port?' -o a:80 -o b:81; wait");
    let book = json!({"job": {"shopkeeper": {"item": "bd-78", "steps": [{"name": "work", "run": {"agent": "w"}}]}},
        "agent": {"w": {"run": run, "on_dead": "done"}}});
    let file = house.sandbox.file("b.json", book.to_string());
    let id = house.sandbox.ok(&["job", "start", &file]);
    let is_asked = |job: &Value| job["decisions"].as_array().is_some_and(|asked| asked.len() == 2);
    let job = house.until(&id, "that both are asked", is_asked);
    let asked = job["decisions"].as_array().unwrap();
    for one in asked {
        assert_eq!((&one["status"], &one["blocks"]), (&json!("pending"), &json!(["bd-78"])), "{one:#}");
        assert!(one["asked_by"] == id.as_str() && one["requested_by"] == id.as_str(), "{one:#}");
    }
    let item = house.sandbox.ok(&["item", "show", "bd-78"]);
    assert!(item.contains("blocked") && item.contains("Deploy?") && item.contains("Which port?"), "{item}");
    let list = house.sandbox.ok(&["list"]);
    assert!(list.contains("shopkeeper") && !list.contains(&id), "{list}");
    for one in asked {
        house.sandbox.ok(&["answer", one["id"].as_str().unwrap(), "1"]);
    }
    house.until_status(&id, "done");
    assert_eq!(house.sandbox.json(&["item", "show", "bd-78", "--json"])["status"], "open");
}

#[test]
fn a_verdict_names_its_job_blocks_its_item_and_goes_with_it() {
    let house = JobServer::new();
    let id = start(&house, &book());
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "finished");
    let decision = run["decision"].as_str().unwrap();
    let list = house.sandbox.ok(&["list"]);
    assert!(list.contains("shopkeeper") && !list.contains(&id), "{list}");
    let card = house.sandbox.ok(&["show", decision]);
    assert!(card.contains("by shopkeeper") && card.contains("blocks bd-77"), "{card}");
    assert!(card.contains("Job shopkeeper is done.") && !card.contains(&id), "{card}");
    assert_eq!(house.sandbox.show(decision)["requested_by"], id.as_str());
    assert_eq!(house.sandbox.json(&["item", "show", "bd-77", "--json"])["status"], "blocked");
    let item = house.sandbox.ok(&["item", "show", "bd-77"]);
    assert!(item.contains(decision) && item.contains("(job shopkeeper)"), "{item}");
    let logged = house.sandbox.ok(&["bd", "decision", "show", "bd-77"]);
    assert!(logged.contains(decision), "{logged}");
    house.sandbox.ok(&["job", "delete", &id]);
    assert_eq!(house.sandbox.json(&["list", "--json"]), json!([]));
    assert_eq!(house.sandbox.json(&["item", "show", "bd-77", "--json"])["status"], "open");
    let stands =
        house.sandbox.json(&["run", "show", run["id"].as_str().unwrap(), "--json"])["standing"].clone();
    assert_eq!(stands["is"], "unanswered", "the run stays, and can be asked about again");
    house.sandbox.is_well();
}

#[test]
fn a_complete_name_is_meant_before_the_start_of_an_id() {
    let house = JobServer::new();
    let book = json!({"job": {"make": {"steps": [{"name": "make", "run": "true"}]}}});
    let file = house.sandbox.file("b.json", book.to_string());
    let other = house.sandbox.ok(&["job", "start", &file]);
    let name = &other["job-".len()..][..2];
    let named = house.sandbox.ok(&["job", "start", &file, "--name", name]);
    house.until_status(&other, "done");
    house.until_status(&named, "done");
    let shown = |typed: &str| house.sandbox.json(&["job", "show", typed, "--json"])["id"].clone();
    assert_eq!((shown(name), shown(&other[..7])), (json!(named), json!(other)));
    house.sandbox.ok(&["job", "delete", name]);
    assert_eq!(shown(&other), other.as_str(), "the other one stays");
}

#[test]
fn a_yes_or_no_prompt_is_named_by_its_question_and_an_idle_agent_by_its_last_words() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line hello", "ask Continue? [y/n] ", "idle"], json!({})));
    assert_eq!(house.asked_for(&id, "approval")["title"], "Permission: Continue?");
    let idle =
        ["line I have done what I can.", "line ────────────", "line > ", "line   ? for shortcuts", "idle"];
    let id = house.start_crew(&agent(&idle, json!({})));
    let title = house.asked_for(&id, "idle")["title"].clone();
    assert_eq!(title, "What next? Last said: I have done what I can.");
    let id = house.start_crew(&agent(&["line Shall I push it?", "line", "line Done.", "idle"], json!({})));
    assert_eq!(house.asked_for(&id, "idle")["title"], "What next? Last said: Done.");
    let id = house.start_crew(&agent(&["line Shall I push it?", "line > ", "idle"], json!({})));
    assert_eq!(house.asked_for(&id, "idle")["title"], "Shall I push it?");
    let menu = ["line Shall I push it?", "line 1. Yes", "line 2) Not yet", "line > ", "idle"];
    let id = house.start_crew(&agent(&menu, json!({})));
    assert_eq!(house.asked_for(&id, "idle")["title"], "Shall I push it?");
    let id = house.start_crew(&agent(&["line I did:", "line 1. all of it", "line > ", "idle"], json!({})));
    assert_eq!(house.asked_for(&id, "idle")["title"], "What next? Last said: 1. all of it");
}

#[test]
fn the_pages_name_the_job() {
    let sandbox = Sandbox::new().looking();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let served = Served::start(&sandbox, &["--no-auth"]);
    let house = JobServer { sandbox, server: None };
    let asks = agent(&["ask Which port? ", "idle"], json!({}));
    let book = json!({"job": {"shopkeeper": {"steps": [{"name": "work", "run": {"agent": "w"}}]}}, "agent": {"w": asks}});
    let id = house.sandbox.ok(&["job", "start", &house.sandbox.file("b.json", book.to_string())]);
    let asked = house.asked_for(&id, "question");
    let mut browser = served.browser();
    let rows = browser.get("/").is(200).text;
    assert!(rows.contains(">shopkeeper</span>") && !rows.contains("agt-"), "{rows}");
    let card = browser.get(&format!("/d/{}", asked["id"].as_str().unwrap())).is(200).text;
    assert!(card.contains("<bdi>shopkeeper</bdi></strong> has a question"), "{card}");
    house.sandbox.ok(&["job", "cancel", &id]);
    start(&house, &self::book());
    let run = until(&house, |run| run["status"] == "finished");
    let page = browser.get(&format!("/runs/{}", run["id"].as_str().unwrap())).is(200).text;
    assert!(page.contains(">shopkeeper</a> works on it."), "{page}");
}

#[test]
fn a_decision_raised_by_hand_is_the_running_jobs_own() {
    let house = JobServer::new();
    let id = house.start(&agent(&["line Ready", "idle"], json!({"on_idle": {"action": "auto"}})));
    house.until_status(&id, "running");
    let raise = |job: &str| {
        let create = ["oj", "decision", "create", "--source", "idle", "--job", job, "--context", "Idle?"];
        house.sandbox.show(house.sandbox.ok(&create).trim())["owner"].clone()
    };
    assert_eq!(raise("build"), format!("job:{id}"));
    assert_eq!(raise(&id), format!("job:{id}"));
    assert_eq!(raise("job"), "job:job", "a part of a name is another name");
}

#[test]
fn a_project_that_oj_is_given_holds_for_what_it_does_to_jobs() {
    let house = JobServer::new();
    let book = json!({"job": {"k": {"steps": [{"name": "work", "run": {"agent": "w"}}]}},
        "agent": {"w": agent(&["ask Which port? ", "idle"], json!({}))}});
    let file = house.sandbox.file("b.json", book.to_string());
    let start =
        |project: &str| house.sandbox.ok(&["job", "start", &file, "--name", "same", "--project", project]);
    let (web, shop) = (start("web"), start("shop"));
    house.asked_for(&web, "question");
    house.asked_for(&shop, "question");
    for verb in ["show", "cancel", "suspend", "logs"] {
        house.sandbox.refuses(&["oj", "--project", "other", "job", verb, "same"], 3, &["there is no job"]);
        house.sandbox.refuses(&["oj", "--project", "other", "job", verb, &web], 3, &["there is no job"]);
    }
    // One name in two projects is one job in each.
    let shown = house.sandbox.json(&["oj", "--project", "web", "-o", "json", "job", "show", "same"]);
    assert_eq!(shown["id"], json!(web));
    house.sandbox.ok(&["oj", "--project", "web", "job", "cancel", "same"]);
    house.sandbox.ok(&["oj", "--project", "other", "job", "resume", "--all"]);
    assert_eq!(house.sandbox.json(&["job", "show", &shop, "--json"])["status"], "waiting");
}
