//! `hold store`

use holdpoint_engine::StoreLocation;
use holdpoint_engine::keys::Key;
use holdpoint_store::{Options, Repair, Signer, audit, transfer};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Copy everything from one store to another
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Copy a whole store to a new one, and verify the copy
    ///
    /// Copies the log with its chain, checkpoints, keys, credentials and everything else in one transaction; ids
    /// stay the same. First stop everything that writes to the old store: later writes are not copied.
    Copy {
        /// The source: sqlite:PATH, postgres://…, or - for the store that the environment names
        #[arg(value_parser = name)]
        from: Name,
        /// The target, in the same form; it must be empty
        #[arg(value_parser = name)]
        to: Name,
    },
}

/// The name of a store. Must not be printed: it may contain a password.
#[derive(Clone)]
struct Name(String);

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is what the parser of arguments calls")]
fn name(text: &str) -> Result<Name, std::convert::Infallible> {
    Ok(Name(text.to_owned()))
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Verb::Copy { from, to } = arguments.verb;
    let (from, to) = (store_location(context, &from)?, store_location(context, &to)?);
    if let StoreLocation::Sqlite(path) = &from
        && !path.exists()
    {
        return Err(Failure::error(format!("there is no store at {}", path.display())));
    }
    let source = from.open(Options::default()).await?;
    let rows = transfer::copy(source.as_ref(), to.open(Options::default()).await?.as_ref()).await?;
    drop(source);
    // Reopen it: ids are generated with the key that has just been copied.
    let copy = to.open(Options::default()).await?;
    let inspection = copy.inspect(Repair::No).await?;
    let signer = Key::load(&context.home).ok();
    let signer = signer.as_ref().map(|key| key as &dyn Signer);
    let report = audit::verify(copy.as_ref(), &Key::trusted(&context.home), signer).await?;
    ui.line(format!("copied       {rows} rows"))?;
    ui.line(format!("log          {} events, {} decisions", inspection.events, inspection.decisions))?;
    ui.line(format!("signed       up to event {} of {}", report.vouched_to, report.head))?;
    let faults = report.faults.iter().map(ToString::to_string);
    let findings: Vec<String> = inspection.findings.into_iter().chain(faults).collect();
    for finding in &findings {
        ui.line(format!("finding      {}", holdpoint_core::text::inert_line(finding)))?;
    }
    if findings.is_empty() {
        ui.line("OK")?;
        return Ok(Exit::Done);
    }
    ui.note("hint: hold doctor on the old store says whether it was so before");
    Ok(Exit::Error)
}

fn store_location(context: &Context, name: &Name) -> Result<StoreLocation, Failure> {
    match name.0.as_str() {
        "-" => context.store_location(),
        named => {
            StoreLocation::parse(named).map_err(|why| Failure::error(format!("the name of a store {why}")))
        }
    }
}
