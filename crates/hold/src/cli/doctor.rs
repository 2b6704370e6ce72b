//! `hold doctor`

use std::path::PathBuf;

use holdpoint_engine::keys::Key;
use holdpoint_engine::{Role, Settings};
use holdpoint_store::{ParcelState, Repair, Signer, audit};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Check the store, the log and the settings; mend or back up
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Copy the whole store to this new file, while it is in use
    #[arg(long, value_name = "FILE", conflicts_with = "rebuild")]
    backup: Option<PathBuf>,
    /// Write the projections anew from the log
    #[arg(long)]
    rebuild: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(file) = &arguments.backup {
        context.own_store("doctor", Role::Reader).await?.store().backup(file).await?;
        ui.line(format!("Backed up to {}", file.display()))?;
        return Ok(Exit::Done);
    }
    let mut findings = Vec::new();
    if let Err(error) = Settings::load(&context.home.config()) {
        findings.push(error.to_string());
    }
    let engine = context.own_store("doctor", Role::Reader).await?;
    let signer = Key::load(&context.home).ok();
    let signer = signer.as_ref().map(|key| key as &dyn Signer);
    let report = audit::verify(engine.store().as_ref(), &Key::trusted(&context.home), signer).await?;
    if let (true, Some(fault)) = (arguments.rebuild, report.faults.first()) {
        // The projections may be the last place where it still stands as it was decided.
        return Err(Failure::error(format!("the log was touched, so nothing is made from it: {fault}"))
            .hint("hold audit verify names all that was touched; restore a backup"));
    }
    let repair = if arguments.rebuild { Repair::Rebuild } else { Repair::No };
    let mut inspection = engine.store().inspect(repair).await?;
    ui.line(format!("data folder  {}", context.home.path().display()))?;
    ui.line(format!("log          {} events, {} decisions", inspection.events, inspection.decisions))?;
    findings.append(&mut inspection.findings);
    ui.line(format!("vouched for  up to event {} of {}", report.vouched_to, report.head))?;
    findings.extend(report.faults.iter().map(ToString::to_string));
    let dead = engine.store().parcels(ParcelState::Dead, 100).await?;
    for parcel in &dead {
        let why = parcel.last_error.as_deref().unwrap_or("it was too late");
        ui.line(holdpoint_core::text::inert_line(&format!(
            "undelivered  {} for event {}: {why}",
            parcel.target, parcel.seq
        )))?;
    }
    if inspection.rebuilt {
        ui.line("projections  written anew from the log")?;
    }
    for remark in &inspection.remarks {
        ui.line(format!("remark       {}", holdpoint_core::text::inert_line(remark)))?;
    }
    for finding in &findings {
        ui.line(format!("finding      {}", holdpoint_core::text::inert_line(finding)))?;
    }
    if findings.is_empty() {
        ui.line("all is well")?;
        return Ok(Exit::Done);
    }
    if !arguments.rebuild {
        ui.note("hint: hold doctor --rebuild writes the projections anew; a touched log stays touched");
    }
    Ok(Exit::Error)
}
