//! Many jobs while the server is killed every two seconds: no job, decision or action is lost, and none is done twice.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::JobServer;
use crate::process::TIMEOUT;

/// How often the server is killed.
const EVERY: Duration = Duration::from_secs(2);
/// How many jobs are started between two kills.
const AT_ONCE: usize = 5;
/// How often it is killed at least; a fast machine has finished few jobs before that.
const KILLS: usize = 3;

#[test]
fn jobs_survive_a_server_that_is_killed_every_two_seconds() {
    storm(6);
}

#[test]
#[ignore = "takes minutes: just jobs-long"]
fn fifty_jobs_survive_a_server_that_is_killed_every_two_seconds() {
    storm(50);
}

/// Runs jobs whose agents ask thrice, die once, are started again with words, and ask thrice again, until all are done.
fn storm(jobs: usize) {
    let mut house = JobServer::new();
    let script = "for n in 1 2 3; do printf \"Go on $n? [y/n] \"; read a; echo $HOLD_JOB:$n:$a >> answers; done; \
                  test -n \"$HOLD_MESSAGE\" && echo $HOLD_JOB:$HOLD_MESSAGE >> told || exit 3";
    let book =
        house.book(&json!({"run": script, "idle_after": "20s", "on_dead": [{"match": 0, "action": "done"}]}));
    let mut ids = Vec::new();
    let mut answered: BTreeMap<String, String> = BTreeMap::new();
    let mut kills = 0;
    let deadline = Instant::now() + TIMEOUT * 2 + TIMEOUT / 6 * u32::try_from(jobs).unwrap();
    loop {
        let end = Instant::now() + EVERY;
        let most = (ids.len() + AT_ONCE.min(jobs.div_ceil(KILLS))).min(jobs);
        while ids.len() < most {
            let ran = house.sandbox.run(&["job", "start", &book]);
            if ran.code == 0 {
                ids.push(ran.out.trim().to_owned());
            }
        }
        while Instant::now() < end {
            answer_what_waits(&house, &mut answered);
        }
        let left = house.sandbox.json(&["job", "list", "--json"]).as_array().unwrap().len();
        if left == 0 && ids.len() == jobs && kills >= KILLS {
            break;
        }
        assert!(Instant::now() < deadline, "{left} jobs are left: {}", house.sandbox.ok(&["job", "list"]));
        house.restart();
        kills += 1;
    }
    let each = |lines: &dyn Fn(&String) -> Vec<String>| {
        let mut wanted: Vec<String> = ids.iter().flat_map(lines).collect();
        wanted.sort();
        wanted
    };
    let twice = |id: &String| [1, 2, 3, 1, 2, 3].iter().map(|n| format!("{id}:{n}:y")).collect();
    assert_eq!(lines(&house, "answers"), each(&twice), "every agent heard each yes, once");
    assert_eq!(
        lines(&house, "told"),
        each(&|id| vec![format!("{id}:again")]),
        "what goes with a retry is heard"
    );
    assert_eq!(lines(&house, "after.txt"), each(&|id| vec![id.clone()]), "every job went on, once");
    for id in &ids {
        let job = house.job(id);
        let all = job["decisions"].as_array().unwrap();
        let count = |status: &str| all.iter().filter(|one| one["status"] == status).count();
        assert!(count("answered") >= 7 && count("pending") == 0, "{job:#}");
        for one in all.iter().filter(|one| one["status"] == "answered") {
            assert!(answered.contains_key(one["id"].as_str().unwrap()), "{one:#}");
        }
    }
    house.sandbox.is_well();
}

fn lines(house: &JobServer, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(house.path(file)).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn answer_what_waits(house: &JobServer, answered: &mut BTreeMap<String, String>) {
    let ran = house.sandbox.run(&["list", "--json", "--limit", "20"]);
    let Ok(Value::Array(all)) = serde_json::from_str::<Value>(&ran.out) else { return };
    for decision in all {
        let id = decision["id"].as_str().unwrap();
        let answer: &[&str] = match decision["source"].as_str() {
            Some("approval") => &["answer", id, "approve"],
            Some("dead") => &["answer", id, "retry", "-m", "again"],
            other => panic!("nothing else should be asked: {other:?} {decision:#}"),
        };
        if house.sandbox.run(answer).code == 0 {
            answered.insert(id.to_owned(), decision["source"].to_string());
        }
    }
}
