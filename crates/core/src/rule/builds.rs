//! Commands that build, check and test what is there, and the options with which they do nothing else.

use super::usual::Usual;

pub(super) const BUILDS: &[Usual] = &[
    (&["biome", "check"], "", "--write"),
    (&["biome", "lint"], "", "--write"),
    (&["black"], "qv", "--check --diff"),
    (&["brakeman"], "q", "--quiet --no-pager"),
    // It runs the Gemfile.
    (&["bundle", "list"], "", ""),
    // What the lock file names is fetched, as by every build: these take no other names.
    (&["bundle", "install"], "", "--quiet"),
    (&["cargo", "fetch"], "q", "--locked"),
    (&["go", "mod", "download"], "", ""),
    (&["go", "mod", "verify"], "", ""),
    (&["npm", "ci"], "", "--no-audit --no-fund"),
    (&["pnpm", "install", "--frozen-lockfile"], "", "--prefer-offline"),
    (&["poetry", "install"], "", "--no-interaction --sync"),
    (&["uv", "sync"], "q", "--all-extras --all-groups --dev --frozen --locked"),
    (&["yarn", "install", "--frozen-lockfile"], "", ""),
    (&["yarn", "install", "--immutable"], "", ""),
    (&["cargo", "build"], "jpqv", CARGO),
    (&["cargo", "check"], "jpqv", CARGO),
    (&["cargo", "clippy"], "ADWjpqv", CARGO),
    (&["cargo", "doc"], "pqv", "--no-deps --workspace --locked --offline"),
    (&["cargo", "fmt"], "pqv", "--all --check --"),
    // These look for what depends on what: on the network too, and they write down what they find.
    (&["cargo", "metadata"], "q", "--format-version --locked --no-deps --offline"),
    (&["cargo", "nextest", "run"], "Ejpqv", CARGO),
    (&["cargo", "test"], "jpqv", CARGO),
    (&["cargo", "tree"], "deipqv", "--depth --duplicates --invert --locked --offline --workspace"),
    (&["coverage", "report"], "m", "--show-missing --skip-covered"),
    (&["coverage", "run", "-m", "pytest"], "klmqsvx", PYTEST),
    (&["docker", "compose", "build"], "q", "--no-cache --pull --quiet"),
    (&["dotnet", "build"], "", "--no-restore"),
    (&["dotnet", "test"], "", "--no-build --no-restore"),
    (&["eslint"], "", "--ext --fix --quiet"),
    (&["flake8"], "qv", "--count --statistics"),
    (&["go", "build"], "v", "-race"),
    (
        &["go", "test"],
        "v",
        "-bench -benchmem -count -cover -failfast -json -parallel -race -run -short -skip -timeout",
    ),
    (&["go", "vet"], "v", ""),
    (&["gofmt"], "dlsw", ""),
    (&["golangci-lint", "run"], "v", "--fast --fix --timeout --verbose"),
    (&["isort"], "cq", "--check --check-only --diff"),
    (&["jest"], "t", "--bail --ci --coverage --silent --verbose"),
    (&["mkdir"], "pv", ""),
    (&["mocha"], "g", "--bail --grep"),
    (&["mypy"], "", "--strict"),
    (&["phpunit"], "", "--filter"),
    (&["playwright", "test"], "gx", "--grep --headed --project --reporter --retries --workers"),
    (&["pre-commit", "run"], "a", "--all-files"),
    (&["prettier"], "clw", "--check --list-different --write"),
    (&["pylint"], "", ""),
    (&["pyright"], "", ""),
    (&["pytest"], "klmnqsvx", PYTEST),
    (&["rspec"], "be", "--backtrace --fail-fast --format --next-failure --only-failures"),
    (&["rubocop"], "aAfP", "--autocorrect --format --parallel"),
    (&["ruff", "check"], "qv", "--fix"),
    (&["ruff", "format"], "qv", "--check --diff"),
    (&["standardrb"], "", "--fix"),
    (&["stylelint"], "", "--fix --quiet"),
    (&["swift", "build"], "", ""),
    (&["swift", "test"], "", ""),
    (&["touch"], "", ""),
    (&["tsc"], "bp", "--build --noEmit --pretty --project"),
    (&["unittest"], "fkqv", ""),
    (&["vitest"], "t", "--coverage --no-coverage --reporter --run"),
];

const CARGO: &str = "--all --all-features --all-targets --bins --doc --exact --frozen --ignored --keep-going --lib --locked --no-default-features \
    --no-fail-fast --no-run --nocapture --offline --package --quiet --release --test --tests --workspace --";
const PYTEST: &str =
    "--cov --exitfirst --failed-first --ff --last-failed --lf --no-cov --no-header --quiet --verbose";
