//! Settled decisions, as agents are told of them. A list may show rows as they are; here each decision is read from
//! the log.

use holdpoint_core::Decision;
use holdpoint_engine::{Client, Error, ListQuery};

/// Returns the settled decisions of a query that are wanted, each read individually. One that fails verification is
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
