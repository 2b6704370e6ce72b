//! Changes to files that a rule covers, and that need a person by what they add or remove.

use holdpoint_core::Status::{Answered, Pending};
use holdpoint_core::rule::{NewRule, Rule, Then, matches, proposals};
use serde_json::{Value, json};

use crate::rules::{add, agent, ana, approval, ask, ask_new, bash};
use crate::world::World;

fn allowing(when: Value) -> World {
    let mut when = when;
    when["asked_by"] = json!("coder");
    let mut world = World::new();
    add(&mut world, json!({"then": "allow", "when": when}));
    world
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    let input = json!({"file_path": path, "old_string": old, "new_string": new});
    json!({"tool": "Edit", "input": input, "cwd": "/srv/app"})
}

#[test]
fn a_change_that_disables_tests_is_asked_even_for_the_very_file() {
    let path = "/srv/app/src/a_test.kt";
    for pattern in ["/srv/app/**", path] {
        let mut world = allowing(json!({ "path": pattern }));
        let mut status = |subject: Value| ask(&mut world, subject).status;
        assert_eq!(status(edit(path, "@Test\nfun a() {}", "@Ignore\n@Test\nfun a() {}")), Pending);
        assert_eq!(status(edit(path, "@Test\nfun a() {}", "")), Pending);
        assert_eq!(status(edit(path, "fun a() {}", "fun b() {}")), Answered);
        assert_eq!(status(edit(path, "@Ignore\n@Test\nfun a() {}", "@Test\nfun a() {}")), Answered);
        let write = |content: &str| json!({"tool": "Write", "input": {"file_path": path, "content": content}, "cwd": "/srv/app"});
        assert_eq!(status(write("@Test\nfun a() {}")), Answered);
        assert_eq!(status(write("@Disabled\n@Test\nfun a() {}")), Pending);
        let parts = |new: &str| {
            let edits = json!([{"old_string": "b", "new_string": "@Test"}, {"old_string": "@Test", "new_string": new}]);
            json!({"tool": "MultiEdit", "input": {"file_path": path, "edits": edits}, "cwd": "/srv/app"})
        };
        assert_eq!(status(parts("c")), Answered, "a test that is moved");
        assert_eq!(status(parts("c // NOLINT")), Pending);
    }
    // A text about it disables nothing, and the exact question is what a person has seen.
    let mut world = allowing(json!({"path": "/srv/app/**"}));
    assert_eq!(ask(&mut world, edit("/srv/app/docs/a.md", "", "Use @Ignore.")).status, Answered);
    let disabling = edit(path, "", "@Ignore");
    let asked = ask(&mut world, disabling.clone());
    let exact = proposals(&asked, Then::Allow).remove(0);
    assert!(exact.rule.when.digest.is_some());
    add(&mut world, serde_json::to_value(&exact.rule).unwrap());
    assert_eq!(ask(&mut world, disabling).status, Answered);
}

#[test]
fn a_rule_for_one_file_is_for_every_tool_that_changes_it() {
    let widest = |subject: Value| proposals(&ask(&mut World::new(), subject), Then::Allow).pop().unwrap();
    let rule = widest(edit("/srv/app/tests/conftest.py", "a", "b"));
    assert_eq!(
        rule.title,
        "reading and changing /srv/app/tests/conftest.py; nothing wider is offered: changes to files that control programs need a person unless named"
    );
    let mut world = World::new();
    add(&mut world, serde_json::to_value(&rule.rule).unwrap());
    let write = |path: &str| json!({"tool": "Write", "input": {"file_path": path, "content": "a"}, "cwd": "/srv/app"});
    let parts =
        json!({"file_path": "/srv/app/tests/conftest.py", "edits": [{"old_string": "a", "new_string": "b"}]});
    for (subject, expected) in [
        (edit("/srv/app/tests/conftest.py", "c", "d"), Answered),
        (write("/srv/app/tests/conftest.py"), Answered),
        (json!({"tool": "MultiEdit", "input": parts, "cwd": "/srv/app"}), Answered),
        (write("/srv/app/conftest.py"), Pending),
        (write("/srv/app/tests/a.py"), Pending),
        (edit("/srv/app/tests/conftest.py", "c", "pytest.skip('later')"), Pending),
    ] {
        assert_eq!(ask(&mut world, subject.clone()).status, expected, "{subject}");
    }
    // Who may change a secret may not read it with any tool.
    let hidden = widest(edit("/srv/app/.env", "a", "b"));
    assert_eq!(hidden.rule.when.tool.as_deref(), Some("Edit"), "{}", hidden.title);
    assert!(hidden.title.starts_with("Edit on /srv/app/.env; nothing wider is offered: hidden files"));
}

#[test]
fn what_steers_programs_only_at_the_top_is_source_below() {
    let mut world = allowing(json!({"path": "/srv/app/**"}));
    for (path, expected) in [
        ("/srv/app/tasks.py", Pending),
        ("/srv/app/mail/tasks.py", Answered),
        ("/srv/app/infra/queue/main.tf", Answered),
        ("/srv/app/infra/envs/prod/main.tf", Pending),
        ("/srv/app/infra/queue/main.tf.json", Pending),
        ("/srv/app/infra/queue/s3.tfbackend", Pending),
        ("/srv/app/infra/queue/dev.tfvars", Pending),
        ("/srv/app/sqlc.yaml", Pending),
        ("/srv/app/mail/conftest.py", Pending),
    ] {
        assert_eq!(ask(&mut world, edit(path, "a", "b")).status, expected, "{path}");
    }
    // The top is also where the agent works.
    let mut below = edit("/srv/app/mail/tasks.py", "a", "b");
    below["cwd"] = json!("/srv/app/mail");
    assert_eq!(ask(&mut world, below).status, Pending);
    let offered = |path: &str| proposals(&ask(&mut World::new(), edit(path, "a", "b")), Then::Allow).len();
    assert!(offered("/srv/app/mail/tasks.py") > 2 && offered("/srv/app/tasks.py") == 2);
}

#[test]
fn the_reason_names_what_applies() {
    let rule = |pattern: &str| -> Rule {
        let new: NewRule =
            serde_json::from_value(json!({"then": "allow", "when": {"path": pattern}})).unwrap();
        new.as_rule("rul-1", &ana(), World::new().now)
    };
    for (path, why) in [
        ("/srv/app/.npmrc", "hidden files need a person unless named"),
        ("/srv/app/secrets.yml", "likely secrets need a person unless named"),
        ("/srv/app/Makefile", "changes to files that control programs need a person unless named"),
    ] {
        let asked = ask(&mut World::new(), edit(path, "a", "b"));
        let said = matches(&rule("/srv/app/**"), &asked).unwrap_err().to_string();
        assert!(said.starts_with(why), "{said}");
    }
}

#[test]
fn a_rule_that_could_never_answer_is_not_offered() {
    let with = |kind: &str, options: Value| {
        let mut new = serde_json::to_value(approval(&bash("cargo test"))).unwrap();
        new["fields"][0]["kind"] = json!(kind);
        new["fields"][0]["options"] = options;
        ask_new(&mut World::new(), &agent("coder"), serde_json::from_value(new).unwrap())
    };
    let no = json!({"id": "deny", "label": "Deny", "refuses": true});
    let yes = |id: &str, label: &str| json!({"id": id, "label": label, "effect": "approve"});
    let offered = |kind: &str, options: Value| {
        let steps = proposals(&with(kind, options), Then::Allow);
        steps.iter().filter(|step| step.rule.when.digest.is_none()).count()
    };
    assert_eq!(offered("choice", json!([yes("allow", "Allow"), no])), 0);
    assert_eq!(offered("confirm", json!([yes("allow", "Run it on the server"), no])), 0);
    assert!(offered("confirm", json!([yes("allow", "Allow"), no])) > 1);
    // Of several that would do, the rule names one.
    assert!(offered("confirm", json!([yes("yes", "Yes"), yes("allow", "Allow"), no])) > 1);
}

#[test]
fn a_step_that_matches_nothing_is_not_offered() {
    let said = "uv run python manage.py shell -c \"from a.models import B; print(B.all('b'))\"";
    let asked = ask(&mut World::new(), bash(said));
    let steps = proposals(&asked, Then::Allow);
    assert!(steps.len() > 1);
    for command in [said, "ls 'a'\"'\"", "FOO=1 make", "cat .env", "cat .env*", "git push"] {
        let asked = ask(&mut World::new(), bash(command));
        for step in proposals(&asked, Then::Allow) {
            let warnings = step.rule.warnings();
            assert!(!warnings.iter().any(|why| why.contains("matches nothing")), "{command}: {warnings:?}");
        }
    }
}
