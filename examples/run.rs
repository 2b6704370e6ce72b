//! An attempt at a task from another program: begun on a repository, given a patch and evidence, asked about, and waited for.
//!
//! Run with `cargo run -p holdpoint-engine --example run -- REPOSITORY PATCH`, and answer in another terminal: `hold list`.

use std::path::PathBuf;

use holdpoint_engine::run::{FinishRun, NewEvidence, StartRun};
use holdpoint_engine::{Embedded, Engine, Error, Home, Result, Role, Runs as _};

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "an example shows what it found")]
async fn main() -> Result<()> {
    let mut given = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(repo), Some(patch)) = (given.next(), given.next()) else {
        return Err(Error::Settings("name a repository and a patch".into()));
    };
    let client = Embedded::new(
        Engine::open(&Home::find(|name| std::env::var_os(name))?, None, Role::Writer).await?,
        "example",
        "library",
    );

    let start = StartRun { task: "Try the library".into(), repo, ..StartRun::default() };
    let id = client.start_run(start).await?.id.to_string();
    let diff = std::fs::read(&patch).map_err(|why| Error::Settings(format!("{}: {why}", patch.display())))?;
    client.patch_run(&id, diff, Some("As an example.".into())).await?;
    let new =
        NewEvidence { kind: "lint".into(), tool: "eye".into(), exit_code: Some(0), ..NewEvidence::default() };
    client.add_evidence(&id, new, Some(b"it reads well\n".to_vec())).await?;
    let asked = client.finish_run(&id, FinishRun::default()).await?;
    println!("run {id} waits for {}", asked.decision.map(|id| id.to_string()).unwrap_or_default());

    let ended = client.wait_run(&id, None).await?;
    let commit = ended.verdict.as_ref().and_then(|verdict| verdict.commit.clone());
    println!("{} {}", ended.standing.name(), commit.unwrap_or_default());
    Ok(())
}
