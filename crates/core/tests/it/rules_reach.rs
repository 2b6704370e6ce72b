//! What an ordinary rule does not reach although its words would: deployments, further targets, what a server does beside reading,
//! secrets with ordinary names, and what cannot be undone.

use holdpoint_core::Status::{self, Answered, Pending};
use holdpoint_core::rule::{NewRule, Then, proposals};
use serde_json::{Value, json};

use crate::rules::{add, add_as, ana, ask, bash};
use crate::rules_guarded::{class, status};
use crate::world::World;

fn check_all(more: &str, expected: Status, commands: &str) {
    let mut world = class(more);
    for command in commands.lines() {
        assert_eq!(status(&mut world, command, "/srv/app"), expected, "{more}: {command}");
    }
}

/// Makes the widest rule that an ask proposes.
fn widest(subject: Value) -> World {
    let mut world = World::new();
    let asked = ask(&mut world, subject);
    let step = proposals(&asked, Then::Allow).pop().unwrap();
    add(&mut world, serde_json::to_value(&step.rule).unwrap());
    world
}

#[test]
fn a_file_that_says_what_runs_is_named_by_the_rule() {
    check_all(
        "building",
        Pending,
        "docker compose -f docker-compose.prod.yml up -d
docker compose -f docker-compose.prod.yml stop
docker compose -f docker-compose.prod.yml restart
docker compose -f docker/compose.dev.yml up -d
docker compose --file=compose.dev.yml up -d
docker compose --env-file prod.txt up -d
docker compose -p shop up -d
docker compose --profile all up -d
docker compose --profile=all restart
docker compose -f docker-compose.prod.yml logs
docker compose up --scale web=3
docker compose up -f x",
    );
    check_all(
        "building",
        Answered,
        "docker compose up -d db\ndocker compose -f docker/compose.dev.yml logs db",
    );
    // Who takes the rule that is offered names the file, and the verb.
    let mut world = World::new();
    let asked = ask(&mut world, bash("docker compose -f docker/compose.dev.yml up -d db"));
    let steps = proposals(&asked, Then::Allow);
    assert!(steps.iter().all(|step| !step.title.starts_with("any command")), "{steps:?}");
    add(&mut world, serde_json::to_value(&steps.last().unwrap().rule).unwrap());
    for (command, expected) in [
        ("docker compose -f docker/compose.dev.yml up --build web", Answered),
        ("docker compose -f docker/compose.dev.yml stop", Pending),
        ("docker compose -f docker/compose.dev.yml -f docker/compose.eu.yml up", Pending),
        ("docker compose -f docker/compose.eu.yml up", Pending),
        ("docker compose up", Pending),
        ("docker compose -f docker/compose.dev.yml up production", Pending),
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), expected, "{command}");
    }
    // Of one that names a deployment only these words are offered.
    let asked = ask(&mut World::new(), bash("docker compose -f docker-compose.prod.yml up -d"));
    let steps = proposals(&asked, Then::Allow);
    assert!(steps.iter().all(|step| !step.title.contains("other operands")), "{steps:?}");
}

#[test]
fn what_is_called_like_a_deployment_is_asked() {
    check_all(
        "committing",
        Pending,
        "docker compose up production
docker compose restart web-prod
docker compose build staging
cmake --build build --preset production
helm template charts/web -f charts/web/values-prod.yaml
make -C deploy/prod test
cd deploy/production && make test
cd staging && docker compose up -d
npm --prefix infra/live run build
pnpm --filter prod start
cargo build --profile production
terraform -chdir=environments/prod init -backend=false
npm run dev -- --production",
    );
    check_all(
        "committing",
        Answered,
        "cargo test --test product
mix test test/app_web/live/cart_test.exs
git add config/environments/production.rb
cargo build -p product
grep -n x src/live/cart.ex
git -C deploy/prod status",
    );
    // Where the agent works in such a folder, the rule names it.
    let mut world = World::new();
    let command = json!({"words": [], "more": "building", "cwd": "/srv/prod-tools/**"});
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "command": command}}));
    assert_eq!(status(&mut world, "make test", "/srv/prod-tools"), Answered);
    assert_eq!(status(&mut world, "make test", "/srv/prod-tools/live"), Pending);
}

#[test]
fn every_target_is_looked_at() {
    check_all(
        "building",
        Pending,
        "cmake --build build --target tests flash
cmake --build build -t tests flash
cmake --build build --target tests --target flash
cmake --build build --target tests -j4 flash
cmake --build build --target tests --config Release flash
cmake --build build flash
cmake --build build -j flash
cmake --build --parallel flash
cmake --build build --target check_erase",
    );
    check_all(
        "building",
        Answered,
        "cmake --build build --target parser_tests lint
cmake --build build -j 8 --target all
cmake --build build --config Release --target tests
cmake --build build --parallel 4",
    );
}

#[expect(clippy::needless_pass_by_value, reason = "inputs are made where they are asked about")]
fn mcp(tool: &str, input: Value) -> Value {
    json!({"tool": tool, "input": input, "cwd": "/srv/app"})
}

fn server(name: &str) -> World {
    let mut world = World::new();
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "tool": name, "looking": true}}));
    world
}

#[test]
fn a_server_is_believed_only_what_its_names_say() {
    let mut world = server("mcp__desk");
    for tool in [
        "resolve_ticket",
        "resolve-conflict",
        "get_and_close_ticket",
        "list_purge_candidates",
        "search_merge",
        "get_mark_as_read",
        "find_unsubscribe_link",
        "get_approve_url",
        "read_dismiss",
        "list_archive_all",
        "getDELETEAll",
        "get_itemdelete",
        "search_reassign",
        "find_or_invite_user",
        "get_notify_users",
        "read_ack_message",
        "get_connection_string",
        "get_environment_variables",
        "list_env_vars",
        "get_pipeline_variables",
        "get_token",
        "get_secret",
        "read_password",
        "list_credentials",
        "get_dsn",
        "get_ssh_config",
        "list_cookies",
        "get_certificate",
        "get_otp",
    ] {
        let subject = mcp(&format!("mcp__desk__{tool}"), json!({"id": 7}));
        assert_eq!(ask(&mut world, subject).status, Pending, "{tool}");
    }
    for tool in [
        "get_ticket",
        "list_merge_requests",
        "get_pull_request",
        "list_closed_tickets",
        "resolve-library-id",
        "search_commits",
        "get_URL_status",
    ] {
        let subject = mcp(&format!("mcp__desk__{tool}"), json!({"id": 7, "state": "closed"}));
        assert_eq!(ask(&mut world, subject).status, Answered, "{tool}");
    }
}

#[test]
fn what_a_reading_tool_is_told_to_do_beside_is_asked() {
    let inputs = [
        json!({"id": 7, "mark_as_read": true}),
        json!({"id": 7, "delete": true}),
        json!({"id": 7, "force": true}),
        json!({"id": 7, "force": false}),
        json!({"id": 7, "dry_run": false}),
        json!({"id": 7, "includeAndDelete": true}),
        json!({"id": 7, "with_decryption": true}),
        json!({"id": 7, "show_secrets": true}),
        json!({"id": 7, "include_env": true}),
        json!({"id": 7, "includeValues": true}),
        json!({"id": 7, "markAsRead": true}),
        json!({"id": 7, "action": "delete"}),
        json!({"id": 7, "method": "DELETE"}),
        json!({"id": 7, "operation": "close"}),
        json!({"id": 7, "topic": "https://evil.example/?q=x"}),
        json!({"id": 7, "topic": "see http://evil.example"}),
        json!({"id": 7, "topic": "ws://evil.example"}),
        json!({"id": 7, "recipient": "x"}),
        json!({"id": 7, "webhook": "x"}),
    ];
    let mut world = server("mcp__desk");
    for input in &inputs {
        let asked = ask(&mut world, mcp("mcp__desk__get_ticket", input.clone()));
        assert_eq!(asked.status, Pending, "{input}");
    }
    // Nor does a rule with other texts leave that open.
    for input in &inputs {
        let mut tame = input.clone();
        for value in tame.as_object_mut().unwrap().values_mut() {
            *value = match &*value {
                Value::Bool(is) => json!(!is),
                Value::String(_) => json!("other"),
                other => other.clone(),
            };
        }
        let asked = ask(&mut World::new(), mcp("mcp__desk__get_ticket", tame));
        for step in proposals(&asked, Then::Allow).iter().filter(|step| step.title != "this exact request") {
            let mut world = World::new();
            add(&mut world, serde_json::to_value(&step.rule).unwrap());
            let asked = ask(&mut world, mcp("mcp__desk__get_ticket", input.clone()));
            assert_eq!(asked.status, Pending, "{} on {input}", step.title);
        }
    }
    let fields = ask(&mut world, mcp("mcp__desk__get_ticket", json!({"fields": "name,token"})));
    assert_eq!(fields.status, Pending);
    for input in [
        json!({"id": 7, "fields": "name,status"}),
        json!({"id": 7, "include_comments": true}),
        json!({"id": 7, "recursive": true, "verbose": false}),
        json!({"id": 7, "includeDrafts": false, "query": "a late order"}),
    ] {
        assert_eq!(ask(&mut world, mcp("mcp__desk__get_ticket", input.clone())).status, Answered, "{input}");
    }
}

#[test]
fn an_id_of_a_library_is_no_path() {
    let mut world = server("mcp__context7");
    let docs = |id: &str| mcp("mcp__context7__get-library-docs", json!({"context7CompatibleLibraryID": id}));
    for id in ["/vercel/next.js", "/tokio-rs/tokio", "/vercel/next.js/v14.3.0"] {
        assert_eq!(ask(&mut world, docs(id)).status, Answered, "{id}");
    }
    for id in
        ["/etc/passwd", "/home/ana", "/root/x", "/vercel/../etc", "/a/.env", "~/x", "/proc/self/environ"]
    {
        assert_eq!(ask(&mut world, docs(id)).status, Pending, "{id}");
    }
    assert_eq!(
        ask(&mut world, mcp("mcp__context7__get-library-docs", json!({"query": "/vercel/next.js"}))).status,
        Pending
    );
}

#[test]
fn a_branch_that_is_deployed_is_not_pushed() {
    check_all(
        "pushing",
        Pending,
        "git push origin deploy
git push origin deploy/eu
git push origin deployment
git push origin production
git push origin release/1.2
git push origin live
git push origin gh-pages
git push origin eu/production
git push origin env/prod
git push origin prod-eu1
git push origin heroku
git push origin feature/production
git push origin uat
git push origin ana/live
git stash drop
git stash clear
git stash pop",
    );
    check_all(
        "pushing",
        Answered,
        "git push origin fix/release-notes
git push origin feat/live-view
git push -u origin chore/deploy-script
git push origin limiter-burst
git stash
git stash apply",
    );
    let mut world = World::new();
    let command = json!({"words": ["git", "push", "origin"], "more": "operands", "cwd": "/srv/app"});
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "command": command}}));
    let mut like = World::new();
    let command = json!({"words": ["git", "push", "origin", {"glob": "*i*"}], "cwd": "/srv/app"});
    add(&mut like, json!({"then": "allow", "when": {"asked_by": "coder", "command": command}}));
    for (branch, expected) in
        [("fix/a", Answered), ("production", Pending), ("deploy/eu", Pending), ("main", Pending)]
    {
        let command = format!("git push origin {branch}");
        assert_eq!(status(&mut world, &command, "/srv/app"), expected, "{branch}");
        let expected = if branch.contains('/') { Pending } else { expected };
        assert_eq!(status(&mut like, &command, "/srv/app"), expected, "{branch}");
    }
}

#[test]
fn secrets_with_ordinary_names_are_not_read() {
    check_all(
        "building",
        Pending,
        "cat src/main/resources/application-prod.yml
cat application-production.properties
cat config/production.json
cat appsettings.Production.json
cat .env
cat .env.production
cat token
head -1 config/token
git show HEAD:config/token
cat env
env
printenv
printenv PATH
set
export -p
declare -x
cat settings.xml
cat local.properties
cat app/google-services.json
cat GoogleService-Info.plist
cat config/database.yml
grep password config/database.yml
jq . config/production.json
cat keystore.properties
cat rclone.conf
./gradlew properties
gradle properties
./gradlew :app:properties
cat values-prod.yaml
cat docker-compose.prod.yml",
    );
    let mut world = World::new();
    add(
        &mut world,
        json!({"then": "allow", "when": {"asked_by": "coder", "path": "/srv/app/**", "looking": true}}),
    );
    let mut read = |path: &str| ask(&mut world, mcp("Read", json!({"file_path": path}))).status;
    for path in [
        "/srv/app/src/main/resources/application-prod.yml",
        "/srv/app/config/token",
        "/srv/app/env",
        "/srv/app/settings.xml",
        "/srv/app/local.properties",
        "/srv/app/google-services.json",
        "/srv/app/config/database.yml",
    ] {
        assert_eq!(read(path), Pending, "{path}");
    }
    for path in [
        "/srv/app/src/token/mod.rs",
        "/srv/app/env/alembic.py",
        "/srv/app/src/production.rb",
        "/srv/app/application.md",
    ] {
        assert_eq!(read(path), Answered, "{path}");
    }
    check_all("building", Answered, "cat src/token/mod.rs\nls token\ncargo test token\nrg x src/environment");
}

#[test]
fn a_star_makes_no_folder_narrow() {
    for cwd in ["/home/ana/*/**", "/home/ana/**", "/home/*/**", "/srv/*/**", "/root/*", "/h*/ana/src/**"] {
        let command = json!({"words": [], "more": "building", "cwd": cwd});
        let rule = json!({"then": "allow", "when": {"asked_by": "coder", "command": command}});
        add_as(&mut World::new(), &ana(), rule).expect_err(cwd);
    }
    let warnings = |when: Value| {
        let new: NewRule = serde_json::from_value(json!({"then": "allow", "when": when})).unwrap();
        new.warnings().join("; ")
    };
    for path in ["/home/ana/*/**", "/home/ana/**", "/etc/**", "/srv/*/**", "/root/.ssh/*"] {
        let path_rule = warnings(json!({"asked_by": "coder", "path": path}));
        assert!(path_rule.contains("wider than a project"), "{path}: {path_rule}");
        let command = json!({"words": ["cargo", "test"], "more": "operands", "cwd": path});
        let command_rule = warnings(json!({"asked_by": "coder", "command": command}));
        assert!(command_rule.contains("wider than a project"), "{path}: {command_rule}");
    }
    for path in ["/home/ana/src/shop/**", "/srv/app/**", "/etc/hosts"] {
        let warnings = warnings(json!({"asked_by": "coder", "path": path}));
        assert!(!warnings.contains("wider than a project"), "{path}: {warnings}");
    }
}

#[test]
fn a_rule_that_can_match_nothing_says_so() {
    let warnings = |when: Value| {
        let new: NewRule = serde_json::from_value(json!({"then": "allow", "when": when})).unwrap();
        new.warnings().join("; ")
    };
    for when in [
        json!({"command": {"words": ["cargo test && rm x"]}}),
        json!({"command": {"words": ["FOO=1", "cargo", "test"]}}),
        json!({"command": {"words": ["if", "x y", "\n"]}}),
        json!({"command": {"words": ["cat", {"glob": ".env*"}]}}),
        json!({"path": "/srv/app/.env*"}),
        json!({"path": "/srv/app/secret*/**"}),
        json!({"command": {"words": ["make", "test"], "cwd": "/srv/app/secret*/**"}}),
    ] {
        let mut asked = when.clone();
        asked["asked_by"] = json!("coder");
        assert!(warnings(asked).contains("matches nothing"), "{when}");
    }
    for when in [
        json!({"command": {"words": ["cargo", "test"], "more": "operands", "cwd": "/srv/app/**"}}),
        json!({"command": {"words": ["git", "commit", "-m", {"glob": "**"}]}}),
        json!({"command": {"words": ["ls", {"glob": "src/*"}]}}),
        json!({"command": {"words": [], "more": "looking", "cwd": "/srv/app/**"}}),
        json!({"command": {"words": ["kubectl", "--context", "dev"], "more": "looking"}}),
        json!({"command": {"words": ["curl", "http://localhost:3000"], "more": "looking"}}),
        json!({"command": {"words": ["cat", ".env"]}}),
        json!({"path": "/srv/app/.env"}),
        json!({"path": "/srv/app/**", "looking": true}),
        json!({"tool": "LS", "path": "/srv/app/**"}),
        json!({"tool": "mcp__github", "looking": true}),
        json!({"tool": "TodoWrite"}),
        json!({"tool": "run_shell_command", "command": {"words": ["make", "test"]}}),
    ] {
        let mut asked = when.clone();
        asked["asked_by"] = json!("coder");
        assert_eq!(warnings(asked.clone()).find("matches nothing"), None, "{when}: {}", warnings(asked));
    }
}

#[test]
fn a_cluster_is_named_before_it_is_looked_at() {
    let mut world = widest(bash("kubectl --context dev get pods"));
    for (command, expected) in [
        ("kubectl --context dev logs web", Answered),
        ("kubectl get pods", Pending),
        ("kubectl --context prod get pods", Pending),
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), expected, "{command}");
    }
    let asked = ask(&mut World::new(), bash("kubectl get pods"));
    let steps = proposals(&asked, Then::Allow);
    assert!(steps.iter().all(|step| !step.title.contains("any read")), "{steps:?}");
    let bare = json!({"words": ["kubectl"], "more": "looking", "cwd": "/srv/app"});
    add_as(
        &mut World::new(),
        &ana(),
        json!({"then": "allow", "when": {"asked_by": "coder", "command": bare}}),
    )
    .unwrap_err();
}

#[test]
fn what_steers_builds_is_changed_by_a_person() {
    let mut world = World::new();
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "path": "/srv/app/**"}}));
    for name in [
        "build.xml",
        "BUILD",
        "pkg/BUILD.bazel",
        "WORKSPACE",
        "ios/Podfile",
        "ios/Podfile.lock",
        "ios/App.xcodeproj/project.pbxproj",
        "Containerfile",
        "mcp.json",
        "gradle/libs.versions.toml",
        "tests/conftest.py",
        "ios/App.xcworkspace/contents.xcworkspacedata",
        "ivy.xml",
        "Cartfile",
        "stack.yaml",
        "app.cabal",
        "Cargo.lock",
        "rebar.config",
        "project.clj",
        "deps.edn",
        "build.sc",
        "build.mill",
        "SConstruct",
        "wscript",
        "xmake.lua",
        "premake5.lua",
        "Rakefile",
        "opencode.json",
        "hooks.json",
        "environment.yml",
        "index.config.mjs",
        "Directory.Packages.props",
        "app.vcxproj",
        "lib.podspec",
        "src/x.targets",
        "tools/x.proj",
        "tools/x.wixproj",
        "src/x.projitems",
        "Directory.Build.rsp",
        "Procfile.dev",
        "deploy/prod/web.yaml",
        "config/environments/production.rb",
    ] {
        let input = json!({"file_path": format!("/srv/app/{name}"), "old_string": "a", "new_string": "b"});
        assert_eq!(ask(&mut world, mcp("Edit", input)).status, Pending, "{name}");
    }
    for name in
        ["src/build.rs.md", "src/builder.rs", "src/settings.ts", "docs/podfile.md", "src/production.rs"]
    {
        let input = json!({"file_path": format!("/srv/app/{name}"), "old_string": "a", "new_string": "b"});
        assert_eq!(ask(&mut world, mcp("Edit", input)).status, Answered, "{name}");
    }
}

#[test]
fn what_only_builds_and_reads_is_known() {
    check_all(
        "building",
        Answered,
        "mvn dependency:tree
mvn -q dependency:tree -Dincludes=com.acme
mvn dependency:resolve
mvn dependency:analyze -pl core
mvn versions:display-dependency-updates
mvn versions:display-plugin-updates
mvn verify -Dit.test=OrderIT
mvn -B verify -DskipITs -pl core -am
mvn test -pl core,api -am -Dtest=OrderTest#total
./mvnw -v
mvn --version
mvn flyway:info
./gradlew flywayInfo
./gradlew :server:dependencies --configuration runtimeClasspath
docker compose ps
docker compose logs db
git diff --diff-filter=AM --name-only
git log --diff-filter=D --oneline
find . -name node_modules -prune -o -name package.json -print
find . -path ./target -prune -o -type f -name '*.rs' -print
mvn spring-boot:run",
    );
    check_all(
        "building",
        Pending,
        "mvn spring-boot:run -Dspring-boot.run.profiles=prod
mvn dependency:get -Dartifact=evil:evil:1
mvn dependency:copy-dependencies
mvn versions:set -DnewVersion=2
mvn versions:use-latest-versions
mvn flyway:migrate
mvn flyway:info -Dflyway.url=jdbc:postgresql://prod/x
mvn verify -Dit.test=x -Dexec.executable=sh
mvn dependency:tree -DoutputFile=/etc/x
./gradlew flywayMigrate
docker compose exec db psql -c 'select 1'
docker compose exec db psql -c 'drop table a'
find . -name x -prune -exec rm {} +
find . -prune -delete
find . -name x -fprint /tmp/x
git diff --diff-filter=A --output=x",
    );
}
