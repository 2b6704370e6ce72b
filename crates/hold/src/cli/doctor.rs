//! `hold doctor`

use std::path::PathBuf;

use holdpoint_core::{Field, Kind, Span, Timestamp};
use holdpoint_engine::keys::Key;
use holdpoint_engine::notify::{Audience, audience};
use holdpoint_engine::{Engine, Role, Settings, llm};
use holdpoint_store::{OutboxState, Repair, Signer, audit};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Check the store, the log and the settings; repair or back up
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Copy the whole store to this new file, while it is in use
    #[arg(long, value_name = "FILE", conflicts_with = "rebuild")]
    backup: Option<PathBuf>,
    /// Rebuild the projections from the log
    #[arg(long)]
    rebuild: bool,
}

/// Says from where on the log is ahead of the clock, which was then wrong when it was written, or is now.
async fn from_the_future(engine: &Engine) -> Result<Option<String>, Failure> {
    const LITTLE: Span = Span::from_secs(60);
    let store = engine.store();
    let head = store.head().await?;
    let clock = head.clock.unwrap_or_else(|| engine.clock());
    let ahead = |at: Timestamp| at.since(clock) > LITTLE;
    let Some(last) = head.at.filter(|at| ahead(*at)) else { return Ok(None) };
    // Times never run back, so the first one is found by halving.
    let (mut before, mut from) = (0, head.seq);
    while from - before > 1 {
        let middle = before + (from - before) / 2;
        let link = store.links(middle - 1, 1).await?.into_iter().next();
        match link {
            Some(link) if !ahead(Timestamp::from_millis(link.at)) => before = middle,
            _ => from = middle,
        }
    }
    Ok(Some(format!(
        "events from {from} on are dated in the future, the last one {last}, but the clock says {clock}; \
         set the clock right if it is wrong now; if it was wrong then, these times stay as they are, and this is \
         said until the clock has passed them"
    )))
}

/// Says that nobody hears of what is asked, if so. That is no mistake: people may look by themselves.
fn untold(audience: Audience) -> Option<&'static str> {
    match audience {
        Audience::Always => None,
        Audience::Assignees => Some(
            "what is assigned to nobody is told to nobody, and stands in the inbox alone; name people in the \
             `tell` of a channel (docs/notices.md)",
        ),
        Audience::Nobody => Some(
            "nobody is told of what is asked: it stands in the inbox alone; set up a hook or a channel \
             (docs/notices.md)",
        ),
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(file) = &arguments.backup {
        context.own_store("doctor", Role::Reader).await?.store().backup(file).await?;
        ui.line(format!("Backed up to {}", file.display()))?;
        return Ok(Exit::Done);
    }
    let mut findings = Vec::new();
    let mut remarks = Vec::new();
    match Settings::load(&context.home.config()) {
        Err(error) => findings.push(error.to_string()),
        Ok(settings) => {
            remarks.extend(untold(audience(&settings)).map(str::to_owned));
            if let Some(model) = &settings.forms.model {
                match llm::probe(model, &[Field::new("note", Kind::Text, "Note")]).await {
                    Ok(probe) if probe.answers() => ui.line(format!("model        {probe}"))?,
                    Ok(probe) => findings.push(format!("model {probe}; the built-in reader reads instead")),
                    Err(error) => findings.push(error.to_string()),
                }
            }
        }
    }
    let schema = context.store_location()?.schema();
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
    if let Some((before, now)) = schema.filter(|(before, now)| before < now) {
        ui.line(format!("schema       the store was brought from version {before} to {now}"))?;
    }
    ui.line(format!("log          {} events, {} decisions", inspection.events, inspection.decisions))?;
    let is_rebuildable = !inspection.findings.is_empty();
    findings.append(&mut inspection.findings);
    ui.line(format!("signed       up to event {} of {}", report.vouched_to, report.head))?;
    findings.extend(report.faults.iter().map(ToString::to_string));
    findings.extend(from_the_future(&engine).await?);
    let dead = engine.store().outbox_entries(OutboxState::Dead, None, 100).await?;
    for entry in &dead {
        let why = entry.last_error.as_deref().unwrap_or("it was too late");
        ui.line(holdpoint_core::text::inert_line(&format!(
            "undelivered  {} for event {}: {why}",
            entry.target, entry.seq
        )))?;
    }
    if inspection.rebuilt {
        ui.line("projections  rebuilt from the log")?;
    }
    remarks.append(&mut inspection.remarks);
    for remark in &remarks {
        ui.line(format!("remark       {}", holdpoint_core::text::inert_line(remark)))?;
    }
    for finding in &findings {
        ui.line(format!("finding      {}", holdpoint_core::text::inert_line(finding)))?;
    }
    if findings.is_empty() {
        ui.line("all is well")?;
        return Ok(Exit::Done);
    }
    if is_rebuildable && !arguments.rebuild {
        ui.note("hint: hold doctor --rebuild rebuilds the projections; a touched log stays touched");
    }
    Ok(Exit::Error)
}
