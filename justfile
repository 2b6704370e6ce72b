# What CI runs: everything below but `bench`
check:
    scripts/test

# Format the code
fmt:
    cargo fmt --all

# Look for mistakes
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# Run the tests; arguments go to the runner
test *args:
    if cargo nextest --version >/dev/null 2>&1; then cargo nextest run --workspace {{ args }}; else cargo test --workspace {{ args }}; fi
    cargo test --workspace --doc

# Build the documentation
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Check licences and banned crates
deny:
    cargo deny check bans licenses sources

# Measure, and print a table of ratios
bench:
    bench/run

# Drive nodes on one PostgreSQL for so many minutes while they, the database and their connections are killed
soak minutes="5" seed="0":
    HOLD_SOAK_MINUTES={{ minutes }} HOLD_SOAK_SEED={{ seed }} cargo test -p holdpoint --test it checker::soak -- --ignored --nocapture

# Send the server whatever its OpenAPI document allows and forbids
schemathesis:
    scripts/test-schemathesis

# Hold the doors for agents against published clients, and our clients against published frameworks, installed on demand
interop *args:
    scripts/interop/run {{ args }}

# Attack the server for longer than the tests do: forged rights, fuzzed requests, kills
attack:
    scripts/attack

# Make a release archive and a Debian package in target/dist
dist *args:
    scripts/dist {{ args }}

# Ask, answer and wake once, in a temporary folder
demo:
    scripts/demo

# Drive the web inbox with a real browser
test-web *args:
    scripts/test-web {{ args }}

# Run fifty jobs while the server is killed every two seconds: no job, decision or action may be lost
jobs-long:
    cargo test -p holdpoint --test it jobs::storm::fifty_jobs_survive_a_server_that_is_killed_every_two_seconds -- --ignored --nocapture
