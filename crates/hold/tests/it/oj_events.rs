//! What an answer does to the job or crew that waits: for every source and option, one event that carries the message.

use serde_json::{Value, json};

use crate::oj::escalate;
use crate::sandbox::{Sandbox, at};

const GO_ON: &str = "Please continue with the task.";

/// A source, what is typed, and the events that must follow for a job and for a crew.
struct Case {
    source: &'static str,
    typed: &'static [&'static str],
    job: Vec<Value>,
    crew: Vec<Value>,
}

fn case(source: &'static str, typed: &'static [&'static str], job: Vec<Value>, crew: Vec<Value>) -> Case {
    Case { source, typed, job, crew }
}

fn both(source: &'static str, typed: &'static [&'static str], events: Vec<Value>) -> Case {
    case(source, typed, events.clone(), events)
}

fn resume(restart: bool, message: &str) -> (Vec<Value>, Vec<Value>) {
    let of = |tag: &str| vec![json!({"type": tag, "restart": restart, "message": message})];
    (of("job:resume"), of("crew:resume"))
}

fn advance(reason: &str) -> (Vec<Value>, Vec<Value>) {
    (
        vec![json!({"type": "step:completed"})],
        vec![json!({"type": "crew:updated", "status": "completed", "reason": reason})],
    )
}

fn cancel() -> (Vec<Value>, Vec<Value>) {
    (vec![json!({"type": "job:cancel"})], vec![json!({"type": "crew:updated", "status": "failed"})])
}

fn input(text: &str) -> Vec<Value> {
    vec![json!({"type": "session:input", "input": text})]
}

fn accept(option: u8) -> Vec<Value> {
    vec![json!({"type": "session:respond", "accept": true, "option": option})]
}

fn cases() -> Vec<Case> {
    let pair = |source, typed, (job, crew): (Vec<Value>, Vec<Value>)| case(source, typed, job, crew);
    let rejected = json!({"type": "session:respond", "accept": false});
    let (job_end, crew_end) = cancel();
    let mut cases = vec![
        pair("idle", &["1"], resume(false, GO_ON)),
        pair("idle", &["1", "-m", "hurry"], resume(false, "hurry")),
        pair("idle", &["2"], advance("done")),
        pair("idle", &["-m", "look again"], resume(false, "look again")),
        both("approval", &["1"], input("y")),
        both("approval", &["2"], input("n")),
        both("question", &["1"], input("1")),
        both("question", &["2"], input("2")),
        both("question", &["3", "-m", "Water"], input("Water")),
        both("question", &["-m", "Water"], input("Water")),
        pair("question", &["4"], cancel()),
        both("question", &["5"], vec![]),
        both("plan", &["1"], accept(1)),
        both("plan", &["2"], accept(2)),
        both("plan", &["3"], accept(3)),
        both(
            "plan",
            &["4", "-m", "add tests"],
            vec![json!({"type": "session:respond", "accept": false, "message": "add tests"})],
        ),
        both(
            "plan",
            &["-m", "add tests"],
            vec![json!({"type": "session:respond", "accept": false, "message": "add tests"})],
        ),
        case("plan", &["5"], [vec![rejected.clone()], job_end].concat(), [vec![rejected], crew_end].concat()),
    ];
    for source in ["dead", "error", "gate"] {
        cases.push(pair(source, &["1"], resume(true, GO_ON)));
        cases.push(pair(source, &["1", "-m", "with care"], resume(true, "with care")));
        cases.push(pair(source, &["2"], advance("skipped")));
    }
    for source in ["idle", "dead", "error", "gate", "approval"] {
        cases.push(pair(source, &["3"], cancel()));
    }
    for source in ["idle", "dead", "error", "approval"] {
        cases.push(both(source, &["4"], vec![]));
    }
    cases
}

#[test]
fn every_option_of_every_source_has_its_action() {
    let sandbox = Sandbox::new();
    for (number, case) in cases().iter().enumerate() {
        for (kind, expected) in [("job", &case.job), ("crew", &case.crew)] {
            let name = format!("{}-{number}", case.source);
            let options: &[&str] =
                if case.source == "question" { &["--option", "Tea", "--option", "Coffee"] } else { &[] };
            let id = escalate(
                &sandbox,
                case.source,
                [&format!("--{kind}"), &name],
                &[&["--agent", "agt-9"], options].concat(),
            );
            sandbox.ok(&[&["oj", "decision", "resolve", &id], case.typed].concat());
            let all = sandbox.log();
            let what = format!("{} {:?} of a {kind}", case.source, case.typed);
            let resolved = all.iter().rposition(|event| event["type"] == "decision:resolved").unwrap();
            assert_eq!(all[resolved]["id"], id.as_str(), "{what}");
            let acts = &all[resolved + 1..];
            assert_eq!(acts.len(), expected.len(), "{what}: {acts:?}");
            for (act, expected) in acts.iter().zip(expected) {
                for (key, value) in expected.as_object().unwrap() {
                    assert_eq!(&act[key], value, "{key} of {what}: {act}");
                }
                at(act, "/id", name.as_str());
                at(act, "/decision_id", id.as_str());
                at(act, "/agent_id", "agt-9");
                at(act, "/project", "default");
            }
        }
    }
}

#[test]
fn the_message_goes_with_every_action() {
    let sandbox = Sandbox::new();
    for (source, number) in [
        ("idle", "2"),
        ("idle", "3"),
        ("dead", "2"),
        ("gate", "3"),
        ("approval", "1"),
        ("approval", "2"),
        ("question", "1"),
        ("plan", "1"),
        ("plan", "5"),
    ] {
        for owner in ["--job", "--crew"] {
            let options: &[&str] = if source == "question" { &["--option", "Tea"] } else { &[] };
            let id = escalate(&sandbox, source, [owner, source], options);
            sandbox.ok(&["oj", "decision", "resolve", &id, number, "-m", "mind the gap"]);
            at(sandbox.log().last().unwrap(), "/message", "mind the gap");
        }
    }
}

#[test]
fn several_questions_give_one_input_each_in_order() {
    let sandbox = Sandbox::new();
    let questions = r#"[{"question":"A?","options":["x","y"]},{"question":"B?","options":["u","v"],"multiSelect":true},{"question":"C?"}]"#;
    let id = escalate(&sandbox, "question", ["--crew", "c"], &["--questions", questions]);
    sandbox.ok(&["answer", &id, "--set", "q1=y", "--set", "q2=u,v", "--set", "q3=words of mine"]);
    let log = sandbox.log();
    let inputs: Vec<&str> = log
        .iter()
        .filter(|event| event["type"] == "session:input")
        .map(|event| event["input"].as_str().unwrap())
        .collect();
    assert_eq!(inputs, ["2", "1,2", "words of mine"]);
}

#[test]
fn owners_supersede_only_their_own() {
    let sandbox = Sandbox::new();
    let status = |id: &str| sandbox.show(id)["status"].as_str().unwrap().to_owned();
    let idle = escalate(&sandbox, "idle", ["--job", "a"], &[]);
    let other = escalate(&sandbox, "idle", ["--job", "b"], &[]);
    let crew = escalate(&sandbox, "idle", ["--crew", "a"], &[]);
    let dead = escalate(&sandbox, "dead", ["--job", "a"], &[]);
    assert_eq!(
        [status(&idle), status(&other), status(&crew), status(&dead)],
        ["superseded", "pending", "pending", "pending"]
    );
    at(&sandbox.show(&idle), "/superseded_by", dead.as_str());
    sandbox.refuses(&["oj", "decision", "resolve", &idle, "1"], 4, &["already resolved", &dead]);
    // An approval stands beside a question; a question takes the place of an approval.
    let question = escalate(&sandbox, "question", ["--job", "q"], &["--option", "A"]);
    let approval = escalate(&sandbox, "approval", ["--job", "q"], &[]);
    assert_eq!([status(&question), status(&approval)], ["pending", "pending"]);
    let newer = escalate(&sandbox, "question", ["--job", "q"], &["--option", "B"]);
    assert_eq!(
        [status(&question), status(&approval), status(&newer)],
        ["superseded", "superseded", "pending"]
    );
}

#[test]
fn what_is_refused_names_commands_as_they_are_called() {
    let sandbox = crate::oj::oddjobs();
    for (noun, named) in [
        ("crew list", &["job start RUNBOOK --agent NAME", "decision list"][..]),
        ("run x", &["job start RUNBOOK"]),
        ("agent list", &["job list", "job attach JOB"]),
        ("project list", &["status"]),
    ] {
        let refused = sandbox.shell(&format!("oj {noun}")).exits(2).err;
        for command in named {
            assert!(refused.contains(&format!(" oj {command}")), "{refused}");
            assert!(!refused.contains(&format!("hold oj {command}")), "{refused}");
        }
        let words: Vec<&str> = ["oj"].into_iter().chain(noun.split(' ')).collect();
        let refused = sandbox.run(&words).exits(2).err;
        assert!(named.iter().all(|command| refused.contains(&format!("hold oj {command}"))), "{refused}");
    }
}
