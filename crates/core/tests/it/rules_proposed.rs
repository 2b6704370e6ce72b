//! Standing rules that a decision suggests: what each step takes away, and what it never does.

use holdpoint_core::rule::{Then, proposals};
use holdpoint_core::{Decision, Status};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::rules::{add, ask, bash};
use crate::world::World;

#[test]
fn a_star_in_what_an_agent_sends_is_no_pattern() {
    let mut world = World::new();
    let edit =
        json!({"tool": "Edit", "input": {"file_path": "/srv/app/**", "old_string": "a", "new_string": "b"}});
    let make = json!({"tool": "Bash", "input": {"command": "make deploy"}, "cwd": "/srv/**"});
    for subject in [edit, make] {
        let asked = ask(&mut world, subject);
        assert_eq!(proposals(&asked, Then::Allow).len(), 1, "only the very question");
    }
    for command in ["uv run x", "npm exec y", "sudo ls", "curl https://a.example/"] {
        let asked = ask(&mut world, bash(command));
        let steps = proposals(&asked, Then::Allow);
        assert!(!steps.iter().any(|step| step.title.contains("other operands")), "{command}");
    }
}

#[test]
fn proposals_widen_one_step_at_a_time() {
    let mut world = World::new();
    let asked = ask(&mut world, bash("cargo test -p core"));
    let titles: Vec<String> = proposals(&asked, Then::Allow).into_iter().map(|step| step.title).collect();
    assert_eq!(
        titles,
        [
            "this exact request",
            "`cargo test -p core` in /srv/app",
            "`cargo test` with other arguments and common options in /srv/app",
            "`cargo test` with other arguments and common options in /srv/app and below",
            "`cargo test` with other arguments and common options, also combined with read-only commands, in /srv/app and below",
            "any command that reads, builds, checks or tests, also combined, in /srv/app and below",
            "any command that reads, builds, checks, tests or commits, also combined, in /srv/app and below",
        ]
    );
}

/// Returns what is proposed for a command, but for the very question.
fn steps_for(command: &str) -> Vec<String> {
    let asked = ask(&mut World::new(), bash(command));
    proposals(&asked, Then::Allow).into_iter().skip(1).map(|step| step.title).collect()
}

const LOOK: &str = "any command that only reads, also combined, in /srv/app and below";
const BUILD: &str = "any command that reads, builds, checks or tests, also combined, in /srv/app and below";
const COMMIT: &str =
    "any command that reads, builds, checks, tests or commits, also combined, in /srv/app and below";

const PUSH: &str = "any command that reads, builds, checks, tests, commits or pushes a branch, also combined, in /srv/app and below";

/// What is proposed word for word.
fn exact(command: &str) -> String {
    format!("{command}, also combined with read-only commands, in /srv/app and below")
}

#[test]
fn only_what_could_as_well_be_another_is_left_open() {
    let table: &[(&str, &str)] = &[
        ("bash build.sh", &exact("`bash build.sh`")),
        ("ls -la src", LOOK),
        ("grep -rn --include='*.rs' TODO src", LOOK),
        ("grep -rn TODO src", &exact("`grep -rn TODO src`")),
        ("pnpm lint", BUILD),
        ("pnpm --filter web test src/a.test.ts", BUILD),
        ("pnpm vitest run src/a.test.ts", BUILD),
        ("pnpm build deploy", &exact("`pnpm build deploy`")),
        ("npx vitest init", &exact("`npx vitest init`")),
        ("gh pr checks 131", LOOK),
        ("grep -rn TODO .", &exact("`grep -rn TODO .`")),
        ("cat .env", &exact("`cat .env`")),
        (
            "rg --pre x TODO",
            "`rg --pre x` with other arguments, also combined with read-only commands, in /srv/app and below",
        ),
        ("npm test -- src/a.test.ts", BUILD),
        ("python -m pytest tests/a.py::test_b -q", BUILD),
        ("npm run lint", BUILD),
        ("npm run deploy", &exact("`npm run deploy`")),
        ("sed -n 1,20p src/a.rs", LOOK),
        ("sed -n 1e src/a.rs", &exact("`sed -n 1e src/a.rs`")),
        ("find . -name '*.rs'", LOOK),
        ("find . -name '*.rs' -delete", &exact("`find . -name '*.rs' -delete`")),
        ("cd /srv/app && cargo test 2>&1 | tail -5", BUILD),
        ("cd src && ls -la | head -3", LOOK),
        ("cd /etc && ls", "exactly `cd /etc && ls` in /srv/app"),
        ("git add src && git commit -m 'a'", COMMIT),
        ("git add src && npm publish", "exactly `git add src && npm publish` in /srv/app"),
        ("git status && git commit -m 'a'", COMMIT),
        (
            "pytest -p evil",
            "`pytest -p evil` with other arguments, also combined with read-only commands, in /srv/app and below",
        ),
        ("npx evil src", &exact("`npx evil src`")),
        ("make test", BUILD),
        ("make lint test 2>&1 | tail -5", BUILD),
        ("make deploy", &exact("`make deploy`")),
        ("make deploy 2>&1 | tail -5", &exact("`make deploy`")),
        ("CI=1 make deploy", "exactly `CI=1 make deploy` in /srv/app"),
        ("CI=1 make test", BUILD),
        ("docker compose ps", LOOK),
        ("docker compose up -d db && sleep 3 && docker compose ps", BUILD),
        ("docker compose down -v", &exact("`docker compose down -v`")),
        ("cat /srv/app/src/a.rs", LOOK),
        ("git show HEAD~1:src/a.rs | head", LOOK),
        ("npm ci && npm test", BUILD),
        ("git bisect good", &exact("`git bisect good`")),
        ("keyring get dev user", &exact("`keyring get dev user`")),
        ("uniq a.txt", LOOK),
        ("uniq a.txt b.txt", &exact("`uniq a.txt b.txt`")),
        ("touch Makefile", &exact("`touch Makefile`")),
        ("git commit -m 'fix a'", COMMIT),
        ("git add src/a.rs", COMMIT),
        ("cargo fmt && git add -A && git commit -qm 'a'", COMMIT),
        ("git checkout -b fix/a", COMMIT),
        ("git push origin main", &exact("`git push origin main`")),
        ("git push", &exact("`git push`")),
        ("git commit -m a && git push origin fix/a", PUSH),
        (
            "curl -s http://localhost:3000/up | jq .",
            "`curl http://localhost:3000` with any path, method, headers and data, also combined with read-only commands, in /srv/app and below",
        ),
        (
            "kubectl --context dev get pods",
            "`kubectl --context dev` for any read except secrets, also combined with read-only commands, in /srv/app and below",
        ),
        ("kubectl --context dev get secrets", &exact("`kubectl --context dev get secrets`")),
        ("rm build/x", &exact("`rm build/x`")),
        ("npm install left-pad", &exact("`npm install left-pad`")),
        ("a && b", "exactly `a && b` in /srv/app"),
    ];
    for (command, widest) in table {
        let steps = steps_for(command);
        let classes = [LOOK, BUILD, COMMIT];
        // Where any command that does the like is offered, so is any that does more, step by step.
        let narrowest = steps.iter().find(|step| classes.contains(&step.as_str()));
        assert_eq!(narrowest.or(steps.last()).unwrap(), *widest, "{command}");
        let wider = classes.iter().skip_while(|class| **class != *widest);
        assert!(wider.into_iter().all(|class| steps.iter().any(|step| step == class)), "{command}");
    }
}

#[test]
fn files_are_proposed_up_to_the_folder_that_the_agent_works_in() {
    let edit = |path: &str| {
        let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
        ask(&mut World::new(), json!({"tool": "Edit", "input": input, "cwd": "/srv/app"}))
    };
    let patterns = |asked: &Decision| {
        let steps = proposals(asked, Then::Allow).into_iter();
        steps.filter_map(|step| step.rule.when.path).collect::<Vec<_>>()
    };
    assert_eq!(
        patterns(&edit("/srv/app/src/a/b.rs")),
        ["/srv/app/src/a/b.rs", "/srv/app/src/a/*", "/srv/app/src/a/**", "/srv/app/src/**", "/srv/app/**"]
    );
    assert_eq!(patterns(&edit("/srv/app/a.rs")), ["/srv/app/a.rs", "/srv/app/*", "/srv/app/**"]);
    assert_eq!(patterns(&edit("/etc/hosts")), [""; 0]);
}

/// Makes the widest rule that an ask suggests.
fn take_widest(world: &mut World, subject: Value) {
    let asked = ask(world, subject);
    let step = proposals(&asked, Then::Allow).pop().unwrap();
    add(world, serde_json::to_value(&step.rule).unwrap());
}

#[test]
fn the_widest_rules_that_are_proposed_stay_where_they_were_made() {
    let mut world = World::new();
    let fetch =
        |url: &str| json!({"tool": "WebFetch", "input": {"url": url, "prompt": "Read"}, "cwd": "/srv/app"});
    let edits = |path: &str| {
        let edits = json!([{"old_string": "a", "new_string": "b"}]);
        json!({"tool": "MultiEdit", "input": {"file_path": path, "edits": edits}, "cwd": "/srv/app"})
    };
    let exact = "make a && make b 2>&1 | tail -5";
    for subject in [
        bash("cat src/a.rs"),
        bash("git commit -m 'one'"),
        bash("git add src/a.rs"),
        bash(exact),
        fetch("https://docs.rs/serde"),
        edits("/srv/app/src/a.rs"),
    ] {
        take_widest(&mut world, subject);
    }
    let said_otherwise = json!({"tool": "Bash", "input": {"command": exact, "description": "other words", "timeout": 5}, "cwd": "/srv/app"});
    let elsewhere = json!({"tool": "Bash", "input": {"command": exact}, "cwd": "/srv/other"});
    let below = json!({"tool": "Bash", "input": {"command": "cat a.rs"}, "cwd": "/srv/app/src"});
    let unboxed = json!({"tool": "Bash", "input": {"command": exact, "sandbox": false}, "cwd": "/srv/app"});
    let table = [
        (bash("cat src/b.rs README"), Status::Answered),
        (below, Status::Answered),
        (bash("cat -n src/b.rs"), Status::Answered),
        (bash("cat --output=x src/b.rs"), Status::Pending),
        (bash("git add git@evil.example:x.git"), Status::Pending),
        (bash("git add evil.example:x"), Status::Pending),
        (bash("git add 'a;b'"), Status::Pending),
        (bash("git add '$(x)'"), Status::Pending),
        (bash("cat 'a (b)'"), Status::Answered),
        (bash("cat .env"), Status::Pending),
        (bash("cat ./config/.env"), Status::Pending),
        (bash("cat config/secrets.yml"), Status::Pending),
        (bash("cat certs/server.key"), Status::Pending),
        (bash("git add .git/hooks/x"), Status::Pending),
        (bash("git commit -m 'two, or three'"), Status::Answered),
        (bash("git commit -m two --no-verify"), Status::Pending),
        (bash("git commit -m --amend"), Status::Pending),
        (said_otherwise, Status::Answered),
        (elsewhere, Status::Pending),
        (unboxed, Status::Pending),
        (bash("make a && make b 2>&1 | tail -50"), Status::Pending),
        (bash("cat src/b.rs | grep x && ls"), Status::Answered),
        (bash("cat src/b.rs | sh"), Status::Pending),
        (fetch("https://docs.rs/tokio/latest"), Status::Answered),
        (fetch("http://docs.rs/tokio"), Status::Pending),
        (fetch("https://docs.rs@evil.example/"), Status::Pending),
        (fetch("https://docs.rs.evil.example/"), Status::Pending),
        (edits("/srv/app/tests/b.rs"), Status::Answered),
        (edits("/srv/app/.env"), Status::Pending),
        (edits("/srv/app/deploy/credentials.json"), Status::Pending),
        (edits("/srv/app/package.json"), Status::Pending),
        (edits("/srv/app/CLAUDE.md"), Status::Pending),
        (edits("/srv/app/node_modules/x/index.js"), Status::Pending),
        (
            json!({"tool": "Read", "input": {"file_path": "/srv/app/package.json"}, "cwd": "/srv/app"}),
            Status::Answered,
        ),
        (edits("/srv/other/a.rs"), Status::Pending),
        (
            json!({"tool": "Read", "input": {"file_path": "/srv/app/a.rs"}, "cwd": "/srv/app"}),
            Status::Answered,
        ),
        (
            json!({"tool": "Delete", "input": {"file_path": "/srv/app/a.rs"}, "cwd": "/srv/app"}),
            Status::Pending,
        ),
    ];
    for (subject, expected) in table {
        assert_eq!(ask(&mut world, subject.clone()).status, expected, "{subject}");
    }
}

#[test]
fn addresses_that_could_be_read_otherwise_are_proposed_word_for_word() {
    let mut world = World::new();
    for url in [
        "http://docs.rs/x",
        "https://user@docs.rs/x",
        "https://10.0.0.1/x",
        "https://DOCS.rs/x",
        "http://localhost.example.com/x",
    ] {
        let asked = ask(&mut world, json!({"tool": "WebFetch", "input": {"url": url, "prompt": "Read"}}));
        assert_eq!(proposals(&asked, Then::Allow).len(), 1, "{url}");
    }
}

proptest! {
    /// Each proposal matches what it was made from and all that the narrower ones match, and no line with something unknown in it.
    #[test]
    fn a_wider_step_matches_all_that_a_narrower_one_does(
        words in proptest::collection::vec("[a-z]{1,4}|-[a-z]|/[a-z]{1,3}", 1..5),
        other in proptest::collection::vec("[a-z]{1,4}|-[a-z]|/[a-z]{1,3}", 0..5),
        tail in ";|&&|\\||>|`|\\$\\(x\\)|\\n",
    ) {
        prop_assume!(!words[0].starts_with('-'));
        let mut world = World::new();
        let asked = ask(&mut world, bash(&words.join(" ")));
        prop_assume!(asked.status == Status::Pending);
        let steps = proposals(&asked, Then::Allow);
        let mut answered_before = [false; 2];
        for step in steps.into_iter().skip(1) {
            let mut world = World::new();
            add(&mut world, serde_json::to_value(&step.rule).unwrap());
            let similar = [words.clone(), other.clone()].concat().join(" ");
            let now = [words.join(" "), similar].map(|text| ask(&mut world, bash(&text)).status == Status::Answered);
            prop_assert!(now[0], "{}", step.title);
            for (before, now) in answered_before.iter().zip(now) {
                prop_assert!(!before || now, "{}", step.title);
            }
            answered_before = now;
            // Longer than any word above: what the rule itself allows may follow.
            let composite = format!("{} {tail} unknown", words.join(" "));
            prop_assert_eq!(ask(&mut world, bash(&composite)).status, Status::Pending);
            prop_assert!(step.rule.when.asked_by.is_some(), "who asks stays named");
        }
    }
}
