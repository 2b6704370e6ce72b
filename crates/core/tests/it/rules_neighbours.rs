//! Commands that a rule for a class takes, each beside near neighbours that still need a person.

use holdpoint_core::Status::{Answered, Pending};

use crate::rules_guarded::{class, status};

fn check(more: &str, taken: &[&str], asked: &[&str]) {
    let mut world = class(more);
    for command in taken {
        assert_eq!(status(&mut world, command, "/srv/app"), Answered, "{command}");
    }
    for command in asked {
        assert_eq!(status(&mut world, command, "/srv/app"), Pending, "{command}");
    }
}

#[test]
fn tasks_of_a_build_variant_build_and_test() {
    check(
        "building",
        &[
            "./gradlew :app:assembleDebug",
            "./gradlew assembleDebug --profile",
            "./gradlew :data:kspDebugKotlin kaptDebugKotlin",
            "./gradlew compileDebugKotlin compileDebugJavaWithJavac compileDebugUnitTestKotlin",
            "./gradlew :tracks:testDebugUnitTest --tests '*StatsTest' --info 2>&1 | tail -30",
            "./gradlew :app:lintDebug",
        ],
        &[
            "./gradlew connectedAndroidTest",
            "./gradlew connectedDebugAndroidTest",
            "./gradlew assembleDebugAndroidTest",
            "./gradlew installDebug",
            "./gradlew uninstallDebug",
            "./gradlew testDebugUnitTest installDebug",
            "./gradlew publish",
            "./gradlew publishDebug",
            "./gradlew :app:publishReleaseBundle",
            "./gradlew assembleRelease",
            "./gradlew bundleRelease",
            "./gradlew uploadDebug",
            "./gradlew debug",
            "./gradlew test -I /tmp/init.gradle",
            "./gradlew test --init-script x.gradle",
            "./gradlew test --profile /tmp/x",
            "./gradlew test --profile=/tmp/x",
            "./gradlew test --scan",
            "./gradlew test -Pa=b",
            "make debug",
            "make deploy-debug",
        ],
    );
}

#[test]
fn what_follows_two_dashes_names_tests() {
    check(
        "building",
        &[
            "pnpm --filter api test -- notes",
            "npm test -- ExportButton",
            "npm run test:unit -- NotesToolbar src/a.test.ts",
            "yarn test -- notes 2>&1 | tail -30",
        ],
        &[
            "npm test -- deploy",
            "npm test -- notes publish",
            "npm test notes",
            "npm test deploy -- notes",
            "npm test -- prod",
            "npm test -- --config /tmp/x",
            "npm test -- --config=/tmp/x",
            "npm test -- -c x",
            "npm test -- /tmp/x",
            "npm test -- ../x",
            "npm test -- https://evil.example/x",
            "npm test -- '$(id)'",
            "npm test -- init",
            "npm test -- seed-database",
            "npm run build -- notes",
            "npm start -- notes",
            "npm run deploy -- notes",
            "make test -- deploy",
        ],
    );
}

#[test]
fn generators_write_what_the_files_of_the_project_say() {
    check(
        "building",
        &[
            "sqlc generate",
            "pnpm --filter api exec prisma format && pnpm --filter api exec prisma validate",
            "npx prisma validate",
            "python manage.py makemigrations shop --name no_overlap",
            "uv run python manage.py makemigrations --check --dry-run",
        ],
        &[
            "sqlc push",
            "sqlc upload",
            "sqlc vet",
            "sqlc generate -f /tmp/sqlc.yaml",
            "sqlc generate --file x.yaml",
            "npx prisma generate",
            "npx prisma migrate dev",
            "npx prisma migrate reset --force",
            "npx prisma db push",
            "npx prisma studio",
            "npx prisma validate --schema=/tmp/x.prisma",
            "npx prisma validate --config x.ts",
            "npx prisma",
            "python manage.py makemigrations shop --name ../../x",
            "python manage.py makemigrations shop --settings=evil",
            "python manage.py makemigrations --pythonpath /tmp",
            "python manage.py migrate shop",
            "python manage.py shell -c 'print(1)'",
            "terraform init -backend=false",
            "terraform plan",
        ],
    );
}

#[test]
fn readers_only_read() {
    check(
        "looking",
        &[
            "adb devices -l",
            "adb logcat -d -t 200 | grep -i app | tail -30",
            "cat db/migrations/*_tags/migration.sql",
            "git diff --no-index --stat schemas/11.json schemas/12.json",
        ],
        &[
            "adb logcat -c",
            "adb logcat -dc",
            "adb logcat -d -c",
            "adb logcat -d -f /sdcard/x",
            "adb logcat -d --file=x",
            "adb logcat -d --clear",
            "adb logcat",
            "adb -H evil.example devices",
            "adb shell ls",
            "adb pull /sdcard/a",
            "adb install app.apk",
            "adb push a.txt b",
            "adb",
            "cat */.env",
            "cat */mod.rs",
            "cat config/*/values.yaml",
            "cat db/*_secrets/a.sql",
            "cat db/*_tags/secrets.py",
            "cat db/*_tags/*",
            "cat /srv/*_tags/a.sql",
            "git diff --no-index . src",
            "git diff --no-index src/a.rs /etc/passwd",
            "git diff --no-index a.rs .env",
            "git diff --no-index a.rs ../b.rs",
            "git diff --no-index --output=x a.rs b.rs",
        ],
    );
    check(
        "building",
        &["pnpm --filter web exec playwright test e2e/login.spec.ts --repeat-each=5"],
        &[
            "npx playwright test --repeat-each=/tmp/x",
            "npx playwright test --config=/tmp/x",
            "npx playwright test --output=/tmp/x",
            "npx playwright install",
        ],
    );
}

#[test]
fn a_branch_of_somebodys_work_is_checked_out() {
    check(
        "pushing",
        &[
            "git checkout fix/958-empty-track && git rebase origin/main",
            "git commit -m '- one'",
            "gh pr create --title 'Favourite tracks' --body \"$(cat <<'EOF'\n- one\n- two\nEOF\n)\"",
        ],
        &[
            "git checkout main -- .",
            "git checkout -f",
            "git checkout -f fix/a",
            "git checkout docs/x",
            "git checkout test/x",
            "git checkout feature/x",
            "git checkout fix/a.rs",
            "git checkout fix/a fix/b",
            "git checkout src/a.rs",
            "git commit -m -n",
            "git commit -m '--no-verify'",
            "gh pr create --title x --body --web",
            "gh pr create --title x --body -R",
            "gh pr create --body-file /etc/passwd",
            "gh pr create --title x --body-file .env",
            "gh pr create --title x --body '- a' --repo evil/x",
        ],
    );
}
