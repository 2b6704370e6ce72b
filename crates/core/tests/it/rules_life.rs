//! The life of a standing rule: who makes it, and how it ends.

use holdpoint_core::decision::{AnswerInput, Revision};
use holdpoint_core::rule::{RuleCommand, RuleStatus, Then, matches, proposals};
use holdpoint_core::{
    Actor, Command, Decision, NewRule, Permission, Refusal, Role, Source, Span, Status, access,
};
use serde_json::{Value, json};

use crate::rules::{add, add_as, agent, ana, ask, bash, cargo_test};
use crate::world::World;

#[test]
fn a_rule_ends_by_time_use_revocation_and_its_author() {
    let mut world = World::new();
    let once = json!({"then": "allow", "uses": 2, "when": {"asked_by": "coder", "tool": "Bash",
        "command": {"words": ["ls"]}}});
    let id = add(&mut world, once);
    assert_eq!(ask(&mut world, bash("ls")).status, Status::Answered);
    assert_eq!(ask(&mut world, bash("ls")).status, Status::Answered);
    assert_eq!(ask(&mut world, bash("ls")).status, Status::Pending);
    let status = |world: &World, id: &str| {
        let rules = &world.rules["default"];
        rules.status(rules.get(id).unwrap(), world.now)
    };
    assert_eq!(status(&world, &id), RuleStatus::Exhausted);

    let id = add(&mut world, cargo_test());
    world.wait(Span::from_secs(8 * 3600));
    assert_eq!(status(&world, &id), RuleStatus::Expired);
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending);

    let id = add(&mut world, cargo_test());
    let since = world.authors.remove("person:ana").unwrap();
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending);
    // Somebody who comes back under the name is somebody else.
    let later = world.now.checked_add(Span::from_secs(1)).unwrap();
    world.authors.insert("person:ana".into(), later);
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending);
    world.authors.insert("person:ana".into(), since);
    let settled = ask(&mut world, bash("cargo test"));
    let revoke = Command::Rule { project: "default".into(), command: RuleCommand::Revoke { id: id.clone() } };
    world.submit(&ana(), &revoke).unwrap();
    assert_eq!(status(&world, &id), RuleStatus::Revoked);
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending);
    assert_eq!(world.decisions[&settled.id].status, Status::Answered, "what it answered stays answered");
}

#[test]
fn a_rule_that_runs_away_trips_and_goes_on_when_its_author_says_so() {
    let mut world = World::new();
    let id = add(&mut world, cargo_test());
    for _ in 0..30 {
        assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Answered);
    }
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending);
    world.wait(Span::from_secs(120));
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Pending, "it stays so");
    let resume = Command::Rule { project: "default".into(), command: RuleCommand::Resume { id } };
    world.submit(&ana(), &resume).unwrap();
    assert_eq!(ask(&mut world, bash("cargo test")).status, Status::Answered);
}

#[test]
fn who_made_a_rule_that_trips_is_asked_whether_it_goes_on() {
    for (choice, expected) in [("resume", RuleStatus::Active), ("revoke", RuleStatus::Revoked)] {
        let mut world = World::new();
        let id = add(&mut world, cargo_test());
        for _ in 0..33 {
            ask(&mut world, bash("cargo test"));
        }
        let asked: Vec<Decision> =
            world.decisions.values().filter(|asked| asked.rule.is_some()).cloned().collect();
        let [question] = asked.as_slice() else { panic!("it is asked once: {asked:?}") };
        assert_eq!((question.rule.as_ref(), question.status), (Some(&id), Status::Pending));
        assert_eq!(
            (question.assignees.as_slice(), question.source),
            (&["ana".to_owned()][..], Source::Approval)
        );
        assert_eq!(world.rules["default"].asked_whether(&id), Some(question.id));
        let answer = |choice: &str| {
            let (choice, digest) = (Some(choice.into()), Some(question.digest.clone()));
            let input = AnswerInput { choice, digest, ..AnswerInput::default() };
            Command::Answer { id: question.id, input: Box::new(input) }
        };
        // Neither the agent that asked so often nor one that may answer says whether it goes on.
        let mut other = agent("other");
        other.permissions = vec![Permission::Answer];
        for program in [agent("coder"), other] {
            let refused = world.submit(&program, &answer("resume")).unwrap_err();
            assert!(matches!(refused, Refusal::Forbidden(_)), "{refused}");
            assert_eq!(access::visible_to(question.clone(), &program).subject, None, "agents see no rules");
        }
        let revision = Revision { title: Some("May I?".into()), ..Revision::default() };
        let revise = Command::Revise { id: question.id, revision: Box::new(revision) };
        assert!(world.submit(&Actor::claimed("coder", "cli"), &revise).is_err());
        assert_eq!(proposals(question, Then::Refuse), []);
        world.wait(Span::from_secs(120));
        world.submit(&ana(), &answer(choice)).unwrap();
        let rules = &world.rules["default"];
        assert_eq!(rules.status(rules.get(&id).unwrap(), world.now), expected);
        let goes_on = ask(&mut world, bash("cargo test")).status == Status::Answered;
        assert_eq!(goes_on, expected == RuleStatus::Active);
        world.check_replay();
    }
}

#[test]
fn silence_and_words_let_no_rule_go_on() {
    let tripped = || {
        let mut world = World::new();
        let id = add(&mut world, cargo_test());
        for _ in 0..31 {
            ask(&mut world, bash("cargo test"));
        }
        let question = world.decisions.values().find(|asked| asked.rule.is_some()).unwrap().clone();
        (world, id, question)
    };
    let status = |world: &World, id: &str| {
        let rules = &world.rules["default"];
        rules.status(rules.get(id).unwrap(), world.now)
    };
    let (mut world, id, question) = tripped();
    assert_eq!(question.deadline, Some(world.rules["default"].get(&id).unwrap().until));
    let digest = Some(question.digest.clone());
    let words =
        AnswerInput { message: Some("let me look".into()), digest: digest.clone(), ..AnswerInput::default() };
    world.submit(&ana(), &Command::Answer { id: question.id, input: Box::new(words) }).unwrap();
    assert_eq!(status(&world, &id), RuleStatus::Revoked, "words alone are a no to every approval");

    // What somebody did meanwhile stays done.
    let (mut world, id, question) = tripped();
    let revoke = Command::Rule { project: "default".into(), command: RuleCommand::Revoke { id: id.clone() } };
    world.submit(&ana(), &revoke).unwrap();
    let resume = AnswerInput { choice: Some("resume".into()), digest, ..AnswerInput::default() };
    world.submit(&ana(), &Command::Answer { id: question.id, input: Box::new(resume) }).unwrap();
    assert_eq!(status(&world, &id), RuleStatus::Revoked);

    let (mut world, id, question) = tripped();
    world.wait(Span::from_secs(8 * 3600));
    world.submit(&Actor::system(), &Command::Expire { id: question.id }).unwrap();
    assert_eq!(world.decisions[&question.id].status, Status::TimedOut);
    assert_eq!(status(&world, &id), RuleStatus::Tripped);
}

#[test]
fn rules_that_reach_too_far_or_nowhere_are_refused() {
    let by = |when: Value| json!({"then": "allow", "when": when});
    let words =
        |words: Value, more: &str| json!({"asked_by": "coder", "command": {"words": words, "more": more}});
    let values = |input: Value| json!({"asked_by": "coder", "input": input});
    let table = [
        (json!({"then": "refuse"}), "names nothing"),
        (by(json!({"command": {"words": ["ls"]}})), "must name who asks"),
        (by(json!({"asked_by": "coder"})), "needs a command"),
        (by(json!({"asked_by": "coder", "title": "*x", "digest": "sha256:1"})), "the agent writes it"),
        (by(json!({"asked_by": "coder", "digest": "sha256:1", "command": {"words": ["ls"]}})), "give one of"),
        (by(words(json!([]), "nothing")), "the program first"),
        (by(words(json!([{"glob": "l*"}]), "nothing")), "must be named"),
        (by(words(json!(["ls", {"glob": "**"}]), "nothing")), "matches everything"),
        (by(words(json!(["bash"]), "operands")), "runs its arguments"),
        (by(words(json!(["sudo", {"glob": "a*"}]), "nothing")), "runs its arguments"),
        (by(words(json!(["uv"]), "operands")), "by its next word"),
        (by(words(json!(["npm", {"glob": "t*"}]), "nothing")), "by its next word"),
        (by(words(json!(["git"]), "looking")), "by its next word"),
        (by(words(json!(["unheard-of"]), "looking")), "has no known options"),
        (by(values(json!({"/input/command": {"glob": "**"}, "/input/description": "x"}))), "is a command"),
        (by(values(json!({"/input/command": {"glob": "cargo *"}}))), "is a command"),
        (by(values(json!({"/input/file_path": {"glob": "/srv/**"}, "/tool": "Write"}))), "is a path"),
        (by(values(json!({"/input/url": {"glob": "**"}, "/tool": "WebFetch"}))), "name its host"),
        (by(values(json!({"/input/url": {"glob": "https://docs.rs*"}}))), "name its host"),
        (
            by(values(json!({"/tool": "Bash", "/cwd": "/srv", "/input/x": {"glob": "**"}}))),
            "matches everything",
        ),
        (by(words(json!(["python3.11", "-c"]), "anything")), "runs its arguments"),
        (by(json!({"asked_by": "coder", "tool": "Edit", "path": "/**"})), "matches everything"),
        (by(json!({"asked_by": "coder", "tool": "Edit", "path": "src/**"})), "absolute"),
        (by(json!({"asked_by": "coder", "input": {"url": "x"}})), "JSON pointer"),
        (json!({"then": "refuse", "when": {"title": "**"}}), "matches everything"),
        (json!({"then": "refuse", "lasts": "91d", "when": {"asked_by": "x"}}), "at most 90d"),
        (json!({"then": "refuse", "lasts": "0s", "when": {"asked_by": "x"}}), "longer than zero"),
        (json!({"then": "refuse", "uses": 0, "when": {"asked_by": "x"}}), "at least 1"),
        (json!({"then": "ask", "option": "a", "when": {"asked_by": "x"}}), "goes with allow"),
    ];
    for (rule, why) in table {
        let refusal = add_as(&mut World::new(), &ana(), rule.clone()).unwrap_err();
        assert!(refusal.to_string().contains(why), "{rule}: {refusal}");
    }
}

#[test]
fn how_far_a_rule_reaches_is_said_in_plain_words() {
    let command = |words: Value, more: &str| json!({"words": words, "more": more, "cwd": "/srv/app/**"});
    let table = [
        (
            json!({"command": command(json!(["git"]), "anything")}),
            Some("any arguments: `git push --force` too"),
        ),
        (json!({"command": command(json!(["/usr/bin/find"]), "anything")}), Some("`find / -delete`")),
        (
            json!({"command": command(json!(["git", "log"]), "anything")}),
            Some("\"git log\" with any arguments"),
        ),
        (json!({"command": command(json!(["rotate"]), "anything")}), Some("any option, file and URL")),
        (json!({"command": command(json!(["make"]), "nothing")}), Some("what the files in its folder say")),
        (json!({"command": command(json!(["cargo", "test"]), "operands")}), Some("run other programs")),
        (json!({"command": command(json!([]), "building")}), Some("can run any program")),
        (json!({"command": command(json!([]), "committing")}), Some("can run any program")),
        (json!({"command": {"words": ["ls"], "more": "looking"}}), Some("in every folder")),
        (json!({"path": "/srv/app/**"}), Some("what the next build or test runs")),
        (
            json!({"tool": "mcp__github__get_issue", "input": {"/input/number": {"glob": "**"}}}),
            Some("according to its server"),
        ),
        (json!({"command": command(json!(["ls"]), "looking")}), None),
        (json!({"command": command(json!(["ls", "-l"]), "nothing")}), None),
        (json!({"command": {"words": ["ls"]}}), None),
        (json!({"command": {"words": ["rm", "-rf", "build"]}}), Some("in every folder")),
        (json!({"command": command(json!([]), "looking")}), Some("may read every file there")),
        (json!({"path": "/srv/app/**", "looking": true}), Some("may read every file there")),
        (json!({"tool": "Edit", "path": "/srv/app/**"}), Some("what the next build or test runs")),
        (json!({"tool": "WebSearch"}), Some("can carry out what it has read")),
        (
            json!({"tool": "WebFetch", "input": {"/input/url": {"glob": "https://docs.rs/**"}, "/input/prompt": {"glob": "**"}}}),
            Some("can carry out what it has read"),
        ),
        (json!({"digest": "sha256:1"}), None),
    ];
    for (when, expected) in table {
        let mut when = when;
        (when["asked_by"], when["asked_with"]) = (json!("coder"), json!("tok-1"));
        let new: NewRule = serde_json::from_value(json!({"then": "allow", "when": when})).unwrap();
        new.check().unwrap();
        let warnings = new.warnings().join("; ");
        match expected {
            Some(words) => assert!(warnings.contains(words), "{when}: {warnings}"),
            None => assert_eq!(warnings, "", "{when}"),
        }
    }
}

#[test]
fn of_rules_that_come_as_near_the_one_that_fails_last_is_nearest() {
    let mut world = World::new();
    let table = [
        ("git push upstream", json!(["git", "commit"]), json!(["git", "push", "origin"])),
        ("git push", json!(["git", "diff", "--stat"]), json!([])),
        ("pnpm --filter web add x", json!(["pnpm", "--filter", "web", "test", "--", "x"]), json!([])),
        ("ls && cargo test && cargo publish", json!(["cargo", "fmt"]), json!(["cargo", "test"])),
    ];
    for (text, farther, nearer) in table {
        let asked = ask(&mut world, bash(text));
        let near = |words: &Value| {
            let more = if *words == json!([]) { "committing" } else { "nothing" };
            let command = json!({"words": words, "more": more, "cwd": "/srv/app/**", "composite": true});
            let when = json!({"asked_by": "coder", "command": command});
            let new: NewRule = serde_json::from_value(json!({"then": "allow", "when": when})).unwrap();
            let why = matches(&new.as_rule("rul-x", &ana(), asked.created_at), &asked).unwrap_err();
            (why.nearness, why.fitted)
        };
        assert!(near(&farther) < near(&nearer), "{text}: {:?} {:?}", near(&farther), near(&nearer));
    }
}

#[test]
fn what_a_rule_seems_to_cover_but_does_not_mean_is_asked() {
    let command = |words: Value, more: &str| json!({"then": "allow", "when": {"asked_by": "coder", "command": {"words": words, "more": more}}});
    let looking = json!({"then": "allow", "when": {"asked_by": "coder",
        "command": {"words": [], "more": "looking", "cwd": "/srv/app"}}});
    let table = [
        (
            command(json!(["grep"]), "looking"),
            "grep -rn --include='*.rs' TODO src",
            &[
                "grep -r . .",
                "grep -rn TOKEN",
                "grep --include=.env -rn . src",
                "grep x .env",
                "grep -rn --include=*.go --include=* x .",
            ][..],
        ),
        (
            command(json!(["diff"]), "looking"),
            "diff -u a.rs b.rs",
            &["diff -rN . src", "diff -N src .", "diff web api"],
        ),
        (
            looking,
            "git log --oneline -5",
            &[
                "git push",
                "make x",
                "find . -delete",
                "cat .env",
                "cat prod.env",
                "sed -i x y",
                "pytest",
                "ls; rm a",
            ],
        ),
        (
            command(json!(["pytest"]), "looking"),
            "pytest -x tests/a.py -k name",
            &["pytest -p evil", "pytest -c x.ini", "pytest $(id)", "pytest ../x"],
        ),
        (
            command(json!(["git", "push", "-u", "origin", {"glob": "fix/*"}]), "nothing"),
            "git push -u origin fix/x",
            &["git push -u origin fix/x:main", "git push -u origin fix/.git"],
        ),
        (
            command(json!(["cat", {"glob": "src/*"}]), "nothing"),
            "cat src/main.rs",
            &["cat src/secrets.yml", "cat src/id_rsa", "cat src/server.key"],
        ),
        (
            command(json!(["touch"]), "operands"),
            "touch src/a.rs",
            &["touch Makefile", "touch pyproject.toml", "touch src/vite.config.ts"],
        ),
    ];
    for (rule, taken, asked) in table {
        let mut world = World::new();
        add(&mut world, rule.clone());
        assert_eq!(ask(&mut world, bash(taken)).status, Status::Answered, "{rule}: {taken}");
        for command in asked {
            assert_eq!(ask(&mut world, bash(command)).status, Status::Pending, "{rule}: {command}");
        }
    }
}

#[test]
fn a_yes_with_an_id_that_says_more_is_asked() {
    let mut world = World::new();
    add(&mut world, cargo_test());
    let with = |id: &str| {
        let options = json!([{"id": id, "label": "Yes"}, {"id": "no", "label": "No", "refuses": true}]);
        let mut new = crate::rules::approval(&bash("cargo test"));
        new.fields =
            serde_json::from_value(json!([{"id": "go", "kind": "confirm", "options": options}])).unwrap();
        new
    };
    for (id, status) in
        [("yes", Status::Answered), ("1", Status::Answered), ("drop_prod_db", Status::Pending)]
    {
        assert_eq!(crate::rules::ask_new(&mut world, &agent("coder"), with(id)).status, status, "{id}");
    }
}

#[test]
fn rules_are_for_people_and_allowing_ones_for_those_who_are_known() {
    let refuse = json!({"then": "refuse", "when": {"asked_by": "coder"}});
    let mcp = Actor { via: "mcp".into(), ..ana() };
    for actor in [agent("coder"), mcp] {
        let refusal = add_as(&mut World::new(), &actor, refuse.clone()).unwrap_err();
        assert!(refusal.to_string().contains("agents can neither see nor change rules"), "{refusal}");
    }
    let nobody = Actor::claimed("ana", "cli");
    let refusal = add_as(&mut World::new(), &nobody, cargo_test()).unwrap_err();
    assert!(refusal.to_string().contains("checks who calls"), "{refusal}");
    add_as(&mut World::new(), &nobody, refuse).unwrap();

    let mut world = World::new();
    let id = add(&mut world, cargo_test());
    let ben = Actor { credential: Some("person:ben".into()), by: "ben".into(), ..ana() };
    let revoke = Command::Rule { project: "default".into(), command: RuleCommand::Revoke { id } };
    assert!(matches!(world.submit(&ben, &revoke), Err(Refusal::Forbidden(_))));
    world.submit(&Actor { role: Some(Role::Admin), ..ben }, &revoke).unwrap();
}
