//! Remarks that programs from the settings make on a decision. A remark is not part of the question and settles
//! nothing; people read it beside the question, and no agent does.

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

/// A program's remark on a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Remark {
    /// The program, by its name in the settings.
    pub by: String,
    /// The text, unchecked.
    pub text: String,
    /// When it was made.
    pub at: Timestamp,
}

/// A remark to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    /// The program, by its name in the settings.
    pub by: String,
    /// The text.
    pub text: String,
    /// The digest of the decision that the program read.
    pub digest: String,
}

/// Records a remark. A decision that was settled or revised meanwhile gets none, and each program remarks only once.
pub(crate) fn remark(
    state: &State,
    actor: &Actor,
    new: &NewRemark,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.auth != Auth::System {
        return Err(Refusal::Forbidden("only programs in the server's settings can leave remarks".into()));
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
