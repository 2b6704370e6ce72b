//! `hold doctor`

use std::path::PathBuf;

use holdpoint_core::text::inert_line;
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
    /// Back up the whole store to this new file, while it is in use
    #[arg(long, value_name = "FILE", conflicts_with = "rebuild")]
    backup: Option<PathBuf>,
    /// Rebuild the projections from the log
    #[arg(long)]
    rebuild: bool,
}

/// Returns a warning if the end of the log is ahead of the clock: the clock was wrong when it was written, or is now.
async fn from_the_future(engine: &Engine) -> Result<Option<String>, Failure> {
    const LITTLE: Span = Span::from_secs(60);
    let store = engine.store();
    let head = store.head().await?;
    let clock = head.clock.unwrap_or_else(|| engine.clock());
    let ahead = |at: Timestamp| at.since(clock) > LITTLE;
    let Some(last) = head.at.filter(|at| ahead(*at)) else { return Ok(None) };
    // Times never decrease, so the first one is found by bisection.
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
         correct the clock if it is wrong now; if it was wrong then, this is reported until the clock has passed \
         these times"
    )))
}

/// Returns a note if nobody is notified of questions. That is not an error: people may look on their own.
fn notice_warning(audience: Audience) -> Option<&'static str> {
    match audience {
        Audience::Always => None,
        Audience::Assignees => Some(
            "no notifications configured for decisions without assignees, which only appear in the inbox; name people in \
             the `tell` of a channel (docs/notices.md)",
        ),
        Audience::Nobody => Some(
            "no notifications configured; new decisions only appear in the inbox. Set up a hook or a channel \
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
            remarks.extend(notice_warning(audience(&settings)).map(str::to_owned));
            if let Some(model) = &settings.forms.model {
                match llm::probe(model, &[Field::new("note", Kind::Text, "Note")]).await {
                    Ok(probe) if probe.answers() => ui.line(format!("model        {probe}"))?,
                    Ok(probe) => findings.push(format!("model {probe}; the built-in reader is used instead")),
                    Err(error) => findings.push(error.to_string()),
                }
            }
        }
    }
    let location = context.store_location()?;
    if let Some(file) = location
        .missing()
        .filter(|_| !arguments.rebuild && !context.has_server() && !context.has_named_store())
    {
        ui.line(format!("data folder  {}", context.home.path().display()))?;
        match Key::last_seen_at(&context.home, file) {
            None => ui.line("store        none yet; the first question makes it")?,
            Some(last) => findings.push(format!(
                "the store is gone: {} had {last} events when it was last seen; restore a backup before anything is asked",
                file.display()
            )),
        }
        return say(&remarks, &findings, ui);
    }
    let schema = location.schema();
    let engine = context.own_store("doctor", Role::Reader).await?;
    let signer = Key::load(&context.home).ok();
    let signer = signer.as_ref().map(|key| key as &dyn Signer);
    let report = audit::verify(engine.store().as_ref(), &Key::trusted(&context.home), signer).await?;
    if let (true, Some(fault)) = (arguments.rebuild, report.faults.first()) {
        // The projections may be the last place that still shows what was really decided.
        return Err(Failure::error(format!("the log was changed, so nothing is rebuilt from it: {fault}"))
            .hint("restore a backup; hold audit verify names everything that was changed"));
    }
    let repair = if arguments.rebuild { Repair::Rebuild } else { Repair::No };
    let mut inspection = engine.store().inspect(repair).await?;
    ui.line(format!("data folder  {}", context.home.path().display()))?;
    ui.line(inert_line(&format!("store        {}", engine.store().identity().await?.place)))?;
    if let Some((before, now)) = schema.filter(|(before, now)| before < now) {
        ui.line(format!("schema       the store was brought from version {before} to {now}"))?;
    }
    ui.line(format!("log          {} events, {} decisions", inspection.events, inspection.decisions))?;
    let is_rebuildable = !inspection.findings.is_empty();
    if inspection.rebuilt {
        for finding in inspection.findings.drain(..) {
            ui.line(format!("repaired     {}", inert_line(&finding)))?;
        }
    }
    findings.append(&mut inspection.findings);
    ui.line(format!("signed       up to event {} of {}", report.vouched_to, report.head))?;
    findings.extend(report.faults.iter().map(ToString::to_string));
    findings.extend(engine.cut_off_rotation().await?);
    findings.extend(from_the_future(&engine).await?);
    let dead = engine.store().outbox_entries(OutboxState::Dead, None, 100).await?;
    for entry in &dead {
        let why = entry.last_error.as_deref().unwrap_or("it was too late");
        ui.line(inert_line(&format!("undelivered  {} for event {}: {why}", entry.target, entry.seq)))?;
    }
    if inspection.rebuilt {
        ui.line("projections  rebuilt from the log")?;
    }
    remarks.append(&mut inspection.remarks);
    let exit = say(&remarks, &findings, ui)?;
    if is_rebuildable && !arguments.rebuild {
        ui.note("hint: hold doctor --rebuild rebuilds the projections; it does not repair a changed log");
    }
    Ok(exit)
}

fn say(remarks: &[String], findings: &[String], ui: &mut Ui) -> Result<Exit, Failure> {
    for remark in remarks {
        ui.line(format!("warning      {}", inert_line(remark)))?;
    }
    for finding in findings {
        ui.line(format!("finding      {}", inert_line(finding)))?;
    }
    if !findings.is_empty() {
        return Ok(Exit::Error);
    }
    ui.line("OK")?;
    Ok(Exit::Done)
}
