//! Looks up where a request goes, and refuses what is not public.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::private;

/// Looks names up, and refuses those that lead to a private address, even among others. What it returns is what
/// is connected to: a name that leads elsewhere a moment later changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            private::check_all(found.iter().map(SocketAddr::ip))?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
