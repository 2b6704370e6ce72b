//! Data for the measurements: questions, answers, and stores full of both.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{Actor, Command, DecisionId, Field, Kind, Numbering, Opt};
use holdpoint_engine::{Clock, Home};
use holdpoint_store::{CheckpointPolicy, Store, Submission, sqlite};
use tokio::task::JoinSet;

use crate::process::Setup;
use crate::{Extent, Result, bare, say};

/// How many decisions are pending.
pub(crate) const PENDING: usize = 50;
/// How many commands are sent before waiting for the first reply: a multiple of what one commit takes.
const AHEAD: usize = 2_048;

/// Steps that take longer than this are reported.
const TOLD: Duration = Duration::from_secs(1);

/// A store with some pending decisions and many settled ones.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) count: usize,
    pub(crate) home: Home,
    /// The ids of the pending decisions.
    pub(crate) pending: Vec<DecisionId>,
    pub(crate) numbering: Numbering,
}

impl Settled {
    /// Returns the store's file.
    pub(crate) fn file(&self) -> PathBuf {
        self.home.store()
    }
}

/// Creates the stores for an extent, smallest first.
pub(crate) fn stores(setup: &Setup, extent: Extent) -> Result<Vec<Settled>> {
    let counts: &[usize] = match extent {
        Extent::Full => &[100_000, 1_000_000],
        Extent::Quick => &[100_000],
    };
    counts.iter().map(|count| settled(setup, &format!("settled-{count}"), *count)).collect()
}

/// Returns a question of typical length.
pub(crate) fn question(number: usize) -> New {
    let prompt = format!(
        "The nightly build {number} failed in `integration/payments` after the client library was updated. \
         Pin the old version, or port the three call sites to the new interface?"
    );
    let options = vec![
        Opt { recommended: true, ..Opt::new("pin", "Pin the old version for now") },
        Opt::new("port", "Port the call sites"),
        Opt::new("skip", "Leave it broken until Monday"),
    ];
    New {
        title: Some(format!("Build {number} failed")),
        prompt: Some(prompt),
        fields: vec![Field::offering("choice", Kind::Choice, "What should I do?", options)],
        requested_by: Some("agent-7".into()),
        ..New::default()
    }
}

/// Returns the command that asks it.
pub(crate) fn ask(number: usize) -> Submission {
    submission(Command::Create(Box::new(question(number))))
}

/// Returns the command that asks it in a project.
pub(crate) fn ask_in(project: &str, number: usize) -> Submission {
    submission(Command::Create(Box::new(New { project: Some(project.to_owned()), ..question(number) })))
}

/// Returns the command that answers it.
pub(crate) fn answer(id: DecisionId) -> Submission {
    let input = AnswerInput { choice: Some("pin".into()), ..AnswerInput::default() };
    submission(Command::Answer { id, input: Box::new(input) })
}

/// Opens a store like a long-running process does.
pub(crate) fn open(file: &Path) -> Result<Arc<sqlite::Sqlite>> {
    let options =
        sqlite::Options { signer: None, policy: CheckpointPolicy::ByCaller, ..sqlite::Options::default() };
    Ok(Arc::new(sqlite::open(file, options)?))
}

fn submission(command: Command) -> Submission {
    Submission::new(command, Actor::claimed("ana", "bench"), Clock::System.now())
}

/// Fills a store through its one writer, with as many commands per commit as possible.
pub(crate) fn settled(setup: &Setup, name: &str, count: usize) -> Result<Settled> {
    let start = Instant::now();
    let home = setup.home(name);
    let store = open(&home.store())?;
    // Ids are a permutation of row numbers, so an answer can follow its question into the same commit.
    let numbering = bare::numbering(&home.store())?;
    let id = |number: usize| Ok::<_, std::num::TryFromIntError>(numbering.id(i64::try_from(number)?));
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let pending = runtime.block_on(async {
        let mut sent = JoinSet::new();
        for number in 1..=count + PENDING {
            submit(&mut sent, &store, ask(number)).await?;
            if number <= count {
                submit(&mut sent, &store, answer(id(number)?)).await?;
            }
        }
        while let Some(done) = sent.join_next().await {
            done??;
        }
        (count + 1..=count + PENDING).map(id).collect::<std::result::Result<Vec<_>, _>>().map_err(Into::into)
    });
    let pending = pending.map_err(|why: Box<dyn std::error::Error + Send + Sync>| why)?;
    if start.elapsed() > TOLD {
        say(&format!("settled {count} decisions in {:.1} s", start.elapsed().as_secs_f64()))?;
    }
    Ok(Settled { count, home, pending, numbering })
}

type Sent = JoinSet<holdpoint_store::Result<()>>;

async fn submit(sent: &mut Sent, store: &Arc<sqlite::Sqlite>, submission: Submission) -> Result<()> {
    let store = Arc::clone(store);
    sent.spawn(async move { store.submit(submission).await.map(drop) });
    if sent.len() >= AHEAD
        && let Some(done) = sent.join_next().await
    {
        done??;
    }
    Ok(())
}
