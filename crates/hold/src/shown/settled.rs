//! What was decided, as agents are told it. A list shows rows as they are; each decision by itself is what the log says.

use holdpoint_core::Decision;
use holdpoint_engine::{Client, Error, ListQuery};

/// Returns the settled decisions that a query lists and that are wanted, each read by itself. One that cannot be relied on is
/// left out.
pub(crate) async fn list(
    client: &dyn Client,
    query: &ListQuery,
    wanted: impl Fn(&Decision) -> bool,
) -> Result<Vec<Decision>, Error> {
    let listed: Vec<Decision> = client.list(query).await?.items.into_iter().filter(wanted).collect();
    let mut settled = Vec::with_capacity(listed.len());
    for decision in listed {
        match client.get(&decision.id.to_string()).await {
            Ok(decision) => settled.push(decision),
            Err(error) => tracing::warn!("The outcome of {} could not be reported: {error}", decision.id),
        }
    }
    Ok(settled)
}
