//! `hold job check`, and the examples.

use super::JobServer;
use crate::sandbox::Sandbox;

fn example(name: &str) -> String {
    format!("{}/../../examples/runbooks/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn check_says_every_mistake_with_its_place() {
    let sandbox = Sandbox::new();
    let text = "job \"b\" {\n  step \"a\" { run = { agent = \"nobody\" } }\n  stp \"c\" {}\n}\n";
    let file = sandbox.file("bad.hcl", text);
    let ran = sandbox.run(&["job", "check", &file]).exits(1);
    for line in [
        "bad.hcl:2:30: there is no agent \"nobody\"",
        "bad.hcl:3:3: a job has no \"stp\"; did you mean \"step\"?",
    ] {
        assert!(ran.err.contains(line), "{ran}");
    }
    sandbox.run(&["job", "check", &sandbox.file("x.yaml", "")]).exits(1);
    let folder = std::path::Path::new(&file).parent().unwrap().to_str().unwrap();
    let there = std::path::Path::new(&file).file_name().unwrap().to_str().unwrap();
    let ran_there = sandbox.run(&["oj", "-C", folder, "job", "check", there]).exits(1);
    assert_eq!(ran_there.out.lines().count(), ran.out.lines().count(), "{ran_there}");
    sandbox.refuses(&["oj", "-C", "/nowhere/at/all", "status"], 1, &["cannot work in /nowhere/at/all"]);
    for run in ["eval ${var.x}", "sh -c \\\"make ${var.x}\\\""] {
        let text = format!("job \"b\" {{\n  vars = [\"x\"]\n  step \"a\" {{ run = \"{run}\" }}\n}}\n");
        let ran = sandbox.run(&["job", "check", &sandbox.file("eval.hcl", text.as_bytes())]).exits(1);
        assert!(ran.err.contains("eval.hcl:3:") && ran.err.contains("argument"), "{ran}");
    }
    for name in ["build-and-fix.hcl", "claude.hcl"] {
        let out = sandbox.ok(&["job", "check", &example(name)]);
        assert!(out.contains("job ") && out.contains("agent "), "{out}");
    }
    let document = std::fs::read_to_string(example("../../docs/jobs.md")).unwrap();
    let printed = document.split("```hcl\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    sandbox.ok(&["job", "check", &sandbox.file("printed.hcl", printed)]);
}

#[test]
fn a_value_that_would_be_an_option_starts_no_job() {
    let house = JobServer::new();
    let text = "job \"b\" {\n  vars = [\"x\"]\n  step \"a\" { run = \"make ${var.x}\" }\n}\n";
    let book = house.sandbox.file("book.hcl", text);
    let touched = house.path("touched").display().to_string();
    for value in [format!("--eval=$(shell touch {touched})"), "SHELL=/bin/false".to_owned()] {
        let given = format!("x={value}");
        let ran = house.sandbox.run(&["job", "start", &book, "--var", &given]).exits(1);
        assert!(ran.err.contains("${var.x} is") && ran.err.contains("take for"), "{ran}");
    }
    assert!(!house.path("touched").exists());
    let none = house.sandbox.json(&["job", "list", "--json"]);
    assert!(none["jobs"].as_array().is_none_or(Vec::is_empty), "{none}");
    house.sandbox.ok(&["job", "start", &book, "--var", "x=main"]);
}

#[test]
fn the_example_builds_after_a_person_said_yes() {
    let house = JobServer::new();
    let text = std::fs::read_to_string(example("build-and-fix.hcl")).unwrap();
    // As its comment says, from the folder that the comment starts from.
    let root = format!("{}/../..", env!("CARGO_MANIFEST_DIR"));
    let written = text.lines().find_map(|line| line.strip_prefix("#   hold job start ")).unwrap();
    let made = house.path("made").display().to_string();
    let written = written.replace("/tmp/greeting", &made);
    house.sandbox.link("hold");
    let started = house.sandbox.shell(&format!("cd '{root}' && hold job start {written}"));
    let id = started.exits(0).out.trim().to_owned();
    let decision = house.asked_for(&id, "approval");
    assert!(decision["subject"]["prompt"].as_str().unwrap().contains("greeting.txt"), "{decision:#}");
    house.answer(&decision, "approve", &[]);
    house.until_status(&id, "done");
    assert_eq!(std::fs::read_to_string(house.path("made/built.txt")).unwrap(), "> hello\n");
}
