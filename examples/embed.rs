//! Holdpoint inside another program: ask on a work item, find it again, revise it, list what is pending, hold for the answer.
//!
//! It needs the bare engine only: `holdpoint-engine = { version = "0.1", default-features = false }`.
//! Run with `cargo run -p holdpoint-engine --no-default-features --example embed`.

use std::time::Duration;

use holdpoint_engine::core::decision::{New, Revision};
use holdpoint_engine::core::{Field, Kind, Opt, Status};
use holdpoint_engine::{Client, Embedded, Engine, Home, ListQuery, Result, Role};

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "an example shows what it found")]
async fn main() -> Result<()> {
    let home = Home::at(std::env::temp_dir().join(format!("holdpoint-example-{}", std::process::id())));
    let client = Embedded::new(Engine::open(&home, None, Role::Writer).await?, "example", "library");

    let caches = vec![Opt::new("redis", "Use Redis"), Opt::new("memory", "In-memory LRU")];
    let new = New {
        prompt: Some("Which cache?".into()),
        fields: vec![Field::offering("choice", Kind::Choice, "Which cache?", caches)],
        owner: "item:bd-abc123".parse().ok(),
        requested_by: Some("agent-7".into()),
        ..New::default()
    };
    let asked = client.create(new, None).await?.decision;

    let on_item =
        ListQuery { owner: asked.owner.clone(), newest_first: true, limit: 1, ..ListQuery::default() };
    let found = client.list(&on_item).await?.items;
    assert_eq!(found.first().map(|decision| decision.id), Some(asked.id));

    let revision = Revision { prompt: Some("Which cache, given 512 MiB?".into()), ..Revision::default() };
    client.revise(asked.id, revision).await?;

    let pending = ListQuery { statuses: vec![Status::Pending], limit: 50, ..ListQuery::default() };
    for decision in client.list(&pending).await?.items {
        println!("{}  {}", decision.id, decision.summary());
    }

    // People answer with `hold inbox` or `hold answer` under the same HOLD_HOME. Without a limit this holds until they do.
    let held = client.wait(asked.id, Some(Duration::from_millis(100))).await?;
    println!("{} is {}", held.id, held.status);
    Ok(())
}
