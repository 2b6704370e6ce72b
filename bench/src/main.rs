//! Measures Holdpoint against limits and peers that run beside it, and prints one table of ratios.
//!
//! The machine is shared and noisy, so no result is compared with a figure from another run: the measured program and
//! its peer take turns, and medians are compared. See docs/performance.md.

mod bare;
mod cold;
mod commit;
mod doors;
mod jobs;
mod list;
mod outbox;
mod parked;
mod postgres;
mod prefix;
mod process;
mod proof;
mod reader;
mod rules;
mod sample;
mod search;
mod seed;
mod server;
mod sessions;
mod table;
mod validate;
mod wake;

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use process::Setup;
use seed::Settled;
use table::Row;

/// The result type of this program.
type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything, in about five minutes.
    Full,
    /// Without the million decisions, in about a minute and a half.
    Quick,
}

#[derive(Debug)]
struct Arguments {
    bin: PathBuf,
    data: PathBuf,
    extent: Extent,
    only: Option<String>,
}

fn main() -> Result<()> {
    let arguments = read_arguments()?;
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(&arguments.data)?;
    let setup = Setup { bin: arguments.bin, folder: folder.path().to_owned() };
    let wanted =
        |name: &str| arguments.only.as_deref().is_none_or(|only| only.split(',').any(|one| one == name));
    let extent = arguments.extent;
    let mut failed: Vec<String> = Vec::new();
    // A measurement that fails or hangs does not affect the others, because a run takes minutes of a quiet machine.
    let mut measure = |name: &str, measure: &mut dyn FnMut() -> Result<Vec<Row>>| -> Result<()> {
        if !wanted(name) {
            return Ok(());
        }
        let start = Instant::now();
        match measure() {
            Ok(measured) => table::print(&measured)?,
            Err(why) => {
                failed.push(name.to_owned());
                return say(&format!("{name}: {why}"));
            }
        }
        say(&format!("{name}: measured in {:.1} s", start.elapsed().as_secs_f64()))
    };
    measure("wake", &mut || wake::measure(&setup, extent))?;
    measure("parked", &mut || parked::measure(&setup, extent))?;
    measure("commit", &mut || commit::measure(&setup, extent))?;
    measure("outbox", &mut || outbox::measure(&setup, extent))?;
    measure("proof", &mut || proof::measure(&setup, extent))?;
    measure("rules", &mut || rules::measure(&setup, extent))?;
    measure("server", &mut || server::measure(&setup, extent))?;
    measure("doors", &mut || doors::measure(&setup, extent))?;
    measure("runs", &mut || server::runs::measure(&setup, extent))?;
    measure("chats", &mut || server::chats::measure(&setup, extent))?;
    measure("channels", &mut || server::channels::measure(&setup, extent))?;
    measure("sessions", &mut || sessions::measure(&setup, extent))?;
    measure("jobs", &mut || jobs::measure(&setup, extent))?;
    measure("validate", &mut validate::measure)?;
    measure("reader", &mut || reader::measure())?;
    if ["list", "cold", "prefix", "page", "inbox", "search"].into_iter().any(wanted) {
        let stores = seed::stores(&setup, extent)?;
        measure("cold", &mut || cold::measure(&setup, &stores))?;
        measure("list", &mut || list::measure(&setup, &stores))?;
        measure("prefix", &mut || prefix::measure(&setup, &stores))?;
        measure("search", &mut || search::measure(&setup, &stores, extent))?;
        measure("page", &mut || server::page::measure(&setup, &stores))?;
        measure("inbox", &mut || server::browse::measure(&setup, &stores))?;
    }
    measure("postgres", &mut || postgres::measure(&setup, extent))?;
    if failed.is_empty() { Ok(()) } else { Err(format!("not measured: {}", failed.join(", ")).into()) }
}

/// Reports progress; only the table goes to standard output.
fn say(text: &str) -> Result<()> {
    Ok(writeln!(std::io::stderr(), "{text}")?)
}

fn read_arguments() -> Result<Arguments> {
    let mut read = Arguments {
        bin: PathBuf::from("target/release"),
        data: std::env::temp_dir(),
        extent: Extent::Full,
        only: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--bin" => read.bin = value()?.into(),
            "--data" => read.data = value()?.into(),
            "--only" => read.only = Some(value()?),
            "--quick" => read.extent = Extent::Quick,
            _ => return Err(format!("{word} is not known; use --quick or --only NAME,…").into()),
        }
    }
    Ok(read)
}

/// Returns the store with the most settled decisions.
fn largest(stores: &[Settled]) -> Result<&Settled> {
    stores.last().ok_or_else(|| "no store was made".into())
}
