//! What a program of the settings remarks on a decision. It is part of nothing that is asked, settles nothing, and is that program's
//! words: a person reads them beside the question, and no agent does.

use serde::{Deserialize, Serialize};

use super::Status;
use crate::Timestamp;
use crate::actor::{Actor, Auth};
use crate::event::{Event, Remarked};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{check_name, quote};

/// How many characters a remark may have.
pub const LONGEST_REMARK: usize = 500;
/// How many remarks a decision may have.
const MOST: usize = 8;

/// What a program says about a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Remark {
    /// Which program, by its name in the settings.
    pub by: String,
    /// What it says; nobody has checked it.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// A remark that is to be left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    /// Which program, by its name in the settings.
    pub by: String,
    /// What it says.
    pub text: String,
    /// The digest of what it looked at.
    pub digest: String,
}

/// Keeps a remark. What was settled or revised meanwhile gets none, and a program remarks once.
pub(crate) fn remark(
    state: &State,
    actor: &Actor,
    new: &NewRemark,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("remarks are left by programs of the server's settings".into()));
    }
    check_name(&new.by).map_err(|why| Refusal::invalid("by", format!("{} {why}", quote(&new.by))))?;
    if new.text.trim().is_empty() || new.text.chars().count() > LONGEST_REMARK {
        return Err(Refusal::invalid("text", format!("takes 1 to {LONGEST_REMARK} characters")));
    }
    let is_known = decision.remarks.iter().any(|known| known.by == new.by);
    let is_late = decision.status != Status::Pending || decision.digest != new.digest;
    if is_late || is_known || decision.remarks.len() >= MOST {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let remark = Remark { by: new.by.clone(), text: new.text.clone(), at: now };
    let (id, project, digest) = (decision.id, decision.project.clone(), new.digest.clone());
    let event = Event::Remarked(Box::new(Remarked { id, project, digest, remark }));
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
