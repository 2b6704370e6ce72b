//! What standing rules keep asking about although they cover where it lies: secrets, other folders, and members that nobody looked at.

use holdpoint_core::Span;
use holdpoint_core::Status::{self, Answered, Pending};
use holdpoint_core::rule::{Then, proposals};
use serde_json::{Value, json};

use crate::rules::{add, add_as, ana, ask};
use crate::world::World;

pub(crate) fn with_command(command: &Value) -> World {
    let mut world = World::new();
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "command": command}}));
    world
}

pub(crate) fn class(more: &str) -> World {
    with_command(&json!({"words": [], "more": more, "cwd": "/srv/app/**", "composite": true}))
}

pub(crate) fn status(world: &mut World, command: &str, cwd: &str) -> Status {
    // A rule that answers often trips.
    world.wait(Span::from_secs(180));
    ask(world, json!({"tool": "Bash", "input": {"command": command}, "cwd": cwd})).status
}

#[test]
fn a_folder_that_looks_like_a_secret_is_asked_also_as_the_one_that_a_command_runs_in() {
    let mut world = class("looking");
    for (command, cwd, expected) in [
        ("cat prod.txt", "/srv/app/secrets", Pending),
        ("cat prod.txt", "/srv/app/config/credentials", Pending),
        ("ls && cat prod.txt | head", "/srv/app/secrets/eu", Pending),
        ("cat prod.txt", "/srv/app/.aws", Pending),
        ("cat prod.txt", "/srv/app/config", Answered),
    ] {
        assert_eq!(status(&mut world, command, cwd), expected, "{command} in {cwd}");
    }
    // A rule that names the folder allows it; one that names none stands for no such folder.
    let named = json!({"words": [], "more": "looking", "cwd": "/srv/app/secrets/**"});
    assert_eq!(status(&mut with_command(&named), "cat prod.txt", "/srv/app/secrets"), Answered);
    let anywhere = json!({"words": ["cat"], "more": "looking"});
    for (cwd, expected) in [("/srv/app", Answered), ("/root/.ssh", Pending), ("/srv/secrets", Pending)] {
        assert_eq!(status(&mut with_command(&anywhere), "cat known_hosts", cwd), expected, "{cwd}");
    }
    for (command, cwd) in [("cat etc/shadow", "/"), ("cat environ", "/proc/1"), ("cat x", "/etc/ssl")] {
        assert_eq!(status(&mut with_command(&anywhere), command, cwd), Pending, "{cwd}");
    }
    // What is refused is refused there as well.
    let mut world = World::new();
    add(
        &mut world,
        json!({"then": "refuse", "when": {"command": {"words": ["git", "push"], "more": "anything"}}}),
    );
    assert_eq!(status(&mut world, "cd secrets && git push", "/srv/app"), Answered);
    assert_eq!(status(&mut world, "git -C secrets push", "/srv/app"), Answered);
}

#[test]
fn a_pattern_that_could_stand_for_a_secret_is_asked() {
    let mut world = class("committing");
    for command in [
        "cat src/*.py",
        "head -5 src/*.rs",
        "sed -n 1,20p app/*.rb",
        "git add '?env'",
        "git add '*'",
        "git add '[.]env'",
        "git add 'config/*' && git commit -m x",
        "git commit -m x '*env'",
        "git restore --staged '?env'",
        "git diff -- '*env'",
        "git diff HEAD -- '*.ym?'",
        "git show HEAD -- '*env'",
        "git log -p -- '?env'",
        "prettier '*.yml'",
        "grep -n key 'config/*'",
        "wc -l '?env' && git diff -- '*env'",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
    for command in [
        "wc -l src/*.py",
        "ls data/*",
        "find . -name '*.toml'",
        "git ls-files '*.yml'",
        "git tag -l 'v1.*'",
        "git diff -- '*.rs'",
        "grep -n 'a.*b' src/*.py",
        "grep -rn --include='*.py' --exclude-dir='node_*' x .",
        "git log --grep='a.*b' --author='A*'",
        "eslint 'src/**/*.ts'",
        "pytest 'tests/test_a.py::test_b[1-x]'",
        "go test -run 'Test.*Retry' ./...",
        "git add -A && git commit -m 'a*'",
    ] {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    let like = json!({"words": ["git", "add", {"glob": "src/*"}]});
    assert_eq!(status(&mut with_command(&like), "git add 'src/?env'", "/srv/app"), Pending);
    assert_eq!(status(&mut with_command(&like), "git add src/a.rs", "/srv/app"), Answered);
}

#[test]
fn nothing_but_the_very_question_is_proposed_outside_the_folder_that_the_agent_works_in() {
    let widest = |subject: Value| {
        let asked = ask(&mut World::new(), subject);
        proposals(&asked, Then::Allow).pop().unwrap().title
    };
    let call = |tool: &str, input: Value, cwd: &str| json!({"tool": tool, "input": input, "cwd": cwd});
    for path in [
        "/root/.ssh/authorized_keys",
        "/etc/cron.d/x",
        "/etc/hosts",
        "/usr/local/bin/x",
        "/srv/other/src/a.rs",
        "/srv/application/a.rs",
    ] {
        let write = call("Write", json!({"file_path": path, "content": ""}), "/srv/app");
        assert_eq!(widest(write), "this exact request", "{path}");
        let read = call("Read", json!({"file_path": path}), "/srv/app");
        assert_eq!(widest(read), "this exact request", "{path}");
    }
    for (tool, input) in [
        ("Grep", json!({"pattern": "a", "path": "/srv/other/src", "glob": "*.rs"})),
        ("Glob", json!({"pattern": "*", "path": "/etc/ssl/private"})),
        ("LS", json!({"path": "/root/.ssh"})),
    ] {
        assert_eq!(widest(call(tool, input.clone(), "/srv/app")), "this exact request", "{input}");
    }
    // An agent that works in such a folder is given no rule for all of it.
    for cwd in ["/root/.ssh", "/etc/cron.d", "/srv/app/secrets", "/proc/1", "/home/ana/.config/gh"] {
        let titles = |subject: Value| {
            let asked = ask(&mut World::new(), subject);
            proposals(&asked, Then::Allow).into_iter().map(|step| step.title).collect::<Vec<_>>()
        };
        let write = call("Write", json!({"file_path": format!("{cwd}/x"), "content": ""}), cwd);
        let cat = call("Bash", json!({"command": "cat x"}), cwd);
        for title in [titles(write), titles(cat)].concat() {
            assert!(!title.contains("below") && !title.contains("under"), "{title}");
        }
    }
    let nowhere = json!({"tool": "Bash", "input": {"command": "cat x"}});
    assert_eq!(widest(nowhere), "`cat x` in any folder");
    let elsewhere = call("Bash", json!({"command": "cd /srv/other && cargo test"}), "/srv/app");
    assert_eq!(widest(elsewhere), "exactly `cd /srv/other && cargo test` in /srv/app");
}

#[test]
fn a_rule_for_commands_of_any_name_says_where() {
    let refused = |command: Value| {
        let rule = json!({"then": "allow", "when": {"asked_by": "coder", "command": command}});
        add_as(&mut World::new(), &ana(), rule).is_err()
    };
    for more in ["looking", "building", "committing"] {
        assert!(refused(json!({"words": [], "more": more})), "{more}");
        for cwd in [
            "/etc/**",
            "/proc/1",
            "/sys/**",
            "/root",
            "/root/.ssh/**",
            "/home/ana/.aws",
            "/*/x/**",
            "/usr/**",
        ] {
            assert!(refused(json!({"words": [], "more": more, "cwd": cwd})), "{more} in {cwd}");
        }
        for cwd in ["/app/**", "/root/shop/**", "/home/ana/src/x", "/var/www/shop/**"] {
            assert!(!refused(json!({"words": [], "more": more, "cwd": cwd})), "{more} in {cwd}");
        }
    }
}

#[test]
fn every_member_of_an_edit_is_looked_at() {
    let mut world = World::new();
    add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "path": "/srv/app/**"}}));
    let mut edits = |edits: Value| {
        let input = json!({"file_path": "/srv/app/a.rs", "edits": edits});
        ask(&mut world, json!({"tool": "MultiEdit", "input": input, "cwd": "/srv/app"})).status
    };
    assert_eq!(edits(json!([{"old_string": "a", "new_string": "b", "replace_all": true}])), Answered);
    for other in [
        json!([{"file_path": "/etc/passwd", "old_string": "a", "new_string": "b"}]),
        json!([{"old_string": "a", "new_string": "b"}, {"old_string": "a", "new_string": "b", "path": "/etc/x"}]),
        json!([{"old_string": {"file_path": "/etc/passwd"}, "new_string": "b"}]),
        json!(["/etc/passwd"]),
        json!([[{"old_string": "a", "new_string": "b"}]]),
        json!({"file_path": "/etc/passwd"}),
    ] {
        assert_eq!(edits(other.clone()), Pending, "{other}");
    }
}

#[test]
fn a_path_goes_with_tools_that_are_known_to_work_on_files() {
    let mut world = World::new();
    for then in ["allow", "refuse", "ask"] {
        for tool in ["mcp__fs__write_file", "Bash", "WebFetch", "apply_patch"] {
            let when = json!({"asked_by": "coder", "tool": tool, "path": "/srv/app/**"});
            let refused = add_as(&mut world, &ana(), json!({"then": then, "when": when})).unwrap_err();
            assert!(format!("{refused:?}").contains("input"), "{refused:?}");
        }
    }
}

const BUILDS: &str = "cd lib
npm --prefix assets run build
npm --prefix=assets run lint
pnpm -C web test
yarn --cwd web lint
make -C services/api test
git -C /srv/app/web status
git -C web log --oneline -5
git --no-pager diff --stat
go -C tools test ./...
terraform -chdir=infra fmt -check
terraform -chdir=infra init -backend=false -lockfile=readonly
terraform validate
mix deps.get
mix compile --warnings-as-errors
mix format --check-formatted
mix test test/a_test.exs:42 --seed 0 --trace
mix credo --strict lib/a.ex
mix dialyzer --format short
mix assets.build
php artisan test --filter=ReminderTest --parallel
php artisan route:list --path=invoices
php artisan migrate:status
vendor/bin/phpunit tests/Feature/ATest.php --stop-on-failure
./vendor/bin/phpstan analyse app --level=8
vendor/bin/pint --test
composer install --no-interaction
composer validate && composer test
go build -o bin/server ./cmd/server
go test ./internal/store -tags integration
go doc context.WithCancelCause
go list -m -u all
go mod tidy
python manage.py test shop.tests.test_models --keepdb
uv run python manage.py check --deploy
.venv/bin/pytest -ra tests
.venv/bin/python -m pytest tests/test_a.py
ruff check --select=E,F src
./gradlew clean test --tests '*OrderTest' --info
mvn -B clean verify -DskipTests -pl core
dotnet test -c Release --no-build --filter OrderTests
swift test --filter OrderTests
npx eslint src --max-warnings=0
prettier --check 'src/**/*.{ts,tsx}'
npx --no-install tsc --noEmit
bundle exec rake test
bin/rails test test/models/a_test.rb:12
cargo test --features tls -- --nocapture";

#[test]
fn what_builds_and_tests_in_other_languages_is_known() {
    let mut world = class("building");
    for command in BUILDS.lines() {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    let quiet = json!({"command": "ls", "run_in_background": true, "dangerouslyDisableSandbox": false});
    let loud = [
        json!({"command": "ls", "run_in_background": "sh"}),
        json!({"command": "ls", "dangerouslyDisableSandbox": true}),
    ];
    assert_eq!(ask(&mut world, json!({"tool": "Bash", "input": quiet, "cwd": "/srv/app"})).status, Answered);
    for input in loud {
        assert_eq!(
            ask(&mut world, json!({"tool": "Bash", "input": input, "cwd": "/srv/app"})).status,
            Pending
        );
    }
}

/// What runs programs, loads files, writes elsewhere, deploys, migrates, or leaves the folder.
const ASKED: &str = "cd
cd ..
cd /etc
cd .git
cd secrets
cd a b
cd -P x
npm --prefix .. run build
npm --prefix /etc run build
npm --prefix node_modules/x run build
npm --prefix assets run deploy
npm --prefix assets install
pnpm -C .. test
make -C ../x test
make -C web deploy
git -C .. status
git -C .git log
git -C secrets log -p
git -C web push
git -C web -c core.pager=x log
git --no-pager push
git --no-pager -c core.pager=x log
git fetch ext::sh
git fetch ../evil
go -C .. test
terraform plan
terraform apply
terraform init
terraform output
terraform -chdir=.. fmt
terraform -chdir=infra apply
php artisan
php artisan migrate
php artisan migrate:fresh
php artisan db:wipe
php artisan tinker
php artisan config:show app
php artisan test --configuration=x
php artisan test scripts/deploy.php
php artisan test --env=production
php artisan.php test
php x.php
php -r x
vendor/bin/evil
vendor/bin/phpunit --bootstrap x
vendor/bin/phpunit -c x
vendor/bin/phpunit scripts/deploy.php
vendor/bin/phpstan analyse -a x.php
../vendor/bin/phpunit
/tmp/vendor/bin/phpunit
bin/evil
bin/deploy test
composer require a/b
composer update
composer install evil
composer exec x
composer run deploy
composer -d .. install
composer config -l
mix ecto.drop
mix ecto.migrate
mix run x.exs
mix test lib/evil.exs
mix test --formatter Evil
mix test ../x
mix do test + ecto.drop
mix release
mix hex.publish
mix deps.get evil
python manage.py migrate
python manage.py flush
python manage.py shell
python manage.py diffsettings
python manage.py dumpdata
python manage.py test --settings=prod
python manage.py test scripts/deploy.py
python x.py test
python evil/manage.py test
uv run evil
.venv/bin/evil
.venv/bin/python x.py
go test -exec sh ./...
go test -exec=sh ./...
go test -toolexec sh ./...
go build -o /usr/local/bin/x .
go build -o ../x .
go build -o .git/hooks/pre-commit .
go build -o hooks/pre-commit .
go build -o Makefile .
go build -ldflags=-extld=x .
go vet -vettool=x ./...
go list -toolexec=x
go generate ./...
go run .
go get x
go install x
go mod edit -replace a=b
./gradlew -I x test
./gradlew test --init-script x
./gradlew test -Dx=y
./gradlew test -p ../x
./gradlew clean publish
mvn -f x test
mvn verify -Dexec.executable=x
mvn test -s x.xml
mvn exec:java
mvn clean deploy
dotnet run
dotnet test --logger x
dotnet test --settings x
dotnet ef database update
dotnet nuget push x
npx evil
npx tsc --noEmit
npx --yes eslint src
npx -p evil eslint
npx eslint@evil src
npx eslint --config x
npx prettier --plugin x a.ts
npm install
ruff check --config x
mypy --config-file x
cargo test --config x
cargo bench --manifest-path ../x/Cargo.toml
bundle exec rake db:drop
bundle exec rails runner x
bin/rails db:migrate
rustfmt --config-path x a.rs";

#[test]
fn what_does_more_than_build_is_asked_in_other_languages_too() {
    let mut world = class("committing");
    for command in ASKED.lines() {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
    // What takes a task by its next word is not allowed with any.
    for words in
        [json!(["php", "artisan"]), json!(["python", "manage.py"]), json!(["bundle", "exec", "rake"])]
    {
        for more in ["operands", "looking", "anything"] {
            let command = json!({"words": words, "more": more, "cwd": "/srv/app"});
            let rule = json!({"then": "allow", "when": {"asked_by": "coder", "command": command}});
            add_as(&mut World::new(), &ana(), rule).unwrap_err();
        }
    }
}

#[test]
fn what_later_runs_with_more_rights_is_asked_about_unless_the_rule_names_it() {
    let by = |pattern: &str| {
        let mut world = World::new();
        add(&mut world, json!({"then": "allow", "when": {"asked_by": "coder", "path": pattern}}));
        world
    };
    let write = |world: &mut World, path: &str| {
        ask(world, json!({"tool": "Write", "input": {"file_path": path, "content": "a"}, "cwd": "/srv/app"}))
            .status
    };
    let mut world = by("/srv/app/**");
    for path in
        ["deploy.yml", "publish.sh", "scripts/release.py", "bin/publish", "ci/test.sh", "pipeline.yml"]
    {
        let path = format!("/srv/app/{path}");
        assert_eq!(write(&mut world, &path), Pending, "{path}");
        assert_eq!(write(&mut by(&path), &path), Answered, "{path}");
    }
    for path in ["src/deploy.rs", "docs/deploy.md", "scripts/lint.sh", "src/a.rs"] {
        assert_eq!(write(&mut world, &format!("/srv/app/{path}")), Answered, "{path}");
    }
    // A path must read the way it is.
    for path in ["src/a\u{200b}.rs", "src/a\u{fe0f}.rs", "src/a\u{fe0e}.rs", "src/\u{ad}a.rs"] {
        assert_eq!(write(&mut world, &format!("/srv/app/{path}")), Pending, "{path:?}");
    }
}
