//! Resolves the owner in a flag: a run may be named by part of its id, as everywhere.

use holdpoint_core::run::ObjectId;
use holdpoint_core::{Owner, OwnerKind, Refusal};
use holdpoint_engine::{Client, Error};

use super::failure::Failure;

/// Returns the owner with its full id. A name that matches no visible run is left as it is: it may be another
/// caller's run.
pub(crate) async fn whole(client: &dyn Client, owner: Option<Owner>) -> Result<Option<Owner>, Failure> {
    let Some(owner) = owner else { return Ok(None) };
    if owner.kind != OwnerKind::Run || owner.id.parse::<ObjectId>().is_ok() {
        return Ok(Some(owner));
    }
    match client.run(&owner.id).await {
        Ok(found) => Ok(Some(Owner::new(OwnerKind::Run, found.run.id.to_string()))),
        Err(Error::Refused(Refusal::NotFound { .. } | Refusal::Absent(_) | Refusal::Forbidden(_))) => {
            Ok(Some(owner))
        }
        Err(Error::Remote(problem)) if matches!(problem.status, 403 | 404) => Ok(Some(owner)),
        Err(error) => Err(error.into()),
    }
}
