//! Decisions over HTTP: one file per verb.

mod answer;
mod cancel;
mod consume;
mod create;
mod draft;
mod get;
mod list;
mod revise;
mod wait;

pub(super) use answer::answer;
pub(super) use cancel::cancel;
pub(super) use consume::consume;
pub(super) use create::create;
pub(super) use draft::draft;
pub(super) use get::get;
pub(super) use list::list;
pub(super) use revise::revise;
pub(super) use wait::wait;

use holdpoint_core::Decision;
use holdpoint_engine::Error;

use super::App;
use super::caller::Caller;
use super::problem::Answer;

/// Finds the decision that a path names, if the caller may see it. What they may not see is not there.
async fn find(app: &App, caller: &Caller, typed: &str) -> Answer<Decision> {
    let missing = || Error::NotFound(holdpoint_core::text::inert_line(typed));
    let id = match app.engine.find(typed).await {
        Ok(id) => id,
        // Which ids others have is not for this caller: only what they see makes a prefix ambiguous.
        Err(Error::Ambiguous { prefix, candidates, more }) => {
            let mut seen: Vec<Decision> = candidates.into_iter().filter(|decision| caller.sees(decision)).collect();
            match (seen.len(), more) {
                (1, false) => return Ok(seen.remove(0)),
                (0, _) => return Err(missing().into()),
                _ => return Err(Error::Ambiguous { prefix, candidates: seen, more }.into()),
            }
        }
        Err(error) => return Err(error.into()),
    };
    let decision = app.engine.decision(id).await?;
    Ok(decision.filter(|decision| caller.sees(decision)).ok_or_else(missing)?)
}
