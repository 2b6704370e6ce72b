//! Bytes in flight: for each caller, what it has sent and we have not read, and what it requested and has not read.
//!
//! A caller that requests much and reads nothing holds memory, so each caller has a budget.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Extensions;
use hyper::body::{Frame, SizeHint};

/// Bodies up to this size are not counted.
pub(crate) const SMALL: usize = 64 << 10;

/// Whose budget is used: a credential's, or an address's if there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BudgetOwner {
    Credential(String),
    Address(IpAddr),
}

/// Holds the credential of a request, once the caller is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identified(Arc<OnceLock<String>>);

impl Identified {
    /// Notes the credential of a request.
    pub(crate) fn note(extensions: &Extensions, credential: Option<&str>) {
        if let (Some(identified), Some(credential)) = (extensions.get::<Self>(), credential) {
            let _ = identified.0.set(credential.to_owned());
        }
    }

    /// Returns whose budget a request uses.
    pub(crate) fn payer(&self, from: IpAddr) -> BudgetOwner {
        self.0
            .get()
            .map_or(BudgetOwner::Address(from), |credential| BudgetOwner::Credential(credential.clone()))
    }
}

/// How many bytes each caller has in flight.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    most: usize,
    used: Arc<Mutex<HashMap<BudgetOwner, usize>>>,
}

impl InFlight {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, used: Arc::default() }
    }

    /// Takes bytes out of a budget until the share is dropped; none if they would exceed it. One body is always let
    /// through, however large.
    pub(crate) fn take(&self, payer: BudgetOwner, bytes: usize) -> Option<BudgetShare> {
        let mut used = self.lock();
        let by_payer = used.get(&payer).copied().unwrap_or_default();
        if by_payer > 0 && by_payer.saturating_add(bytes) > self.most {
            return None;
        }
        used.insert(payer.clone(), by_payer.saturating_add(bytes));
        Some(BudgetShare { of: self.clone(), payer, bytes })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<BudgetOwner, usize>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes taken out of a budget.
#[derive(Debug)]
pub(crate) struct BudgetShare {
    of: InFlight,
    payer: BudgetOwner,
    bytes: usize,
}

impl Drop for BudgetShare {
    fn drop(&mut self) {
        let mut used = self.of.lock();
        if let Some(by_payer) = used.get_mut(&self.payer) {
            *by_payer = by_payer.saturating_sub(self.bytes);
            if *by_payer == 0 {
                used.remove(&self.payer);
            }
        }
    }
}

/// A body that is sent piece by piece, and counts until its last piece is taken.
pub(crate) struct CountedBody {
    left: Bytes,
    share: Option<BudgetShare>,
}

impl CountedBody {
    pub(crate) fn body(bytes: Bytes, share: BudgetShare) -> Body {
        Body::new(Self { left: bytes, share: Some(share) })
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.left.is_empty() {
            self.share = None;
            return Poll::Ready(None);
        }
        let length = self.left.len().min(SMALL);
        Poll::Ready(Some(Ok(Frame::data(self.left.split_to(length)))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_budget_of_its_own_and_gets_it_back() {
        let all = InFlight::new(100);
        let (ana, bo) =
            (BudgetOwner::Credential("ana".into()), BudgetOwner::Address(IpAddr::from([192, 0, 2, 1])));
        let first = all.take(ana.clone(), 80).unwrap();
        assert!(all.take(ana.clone(), 30).is_none());
        let second = all.take(ana.clone(), 20).unwrap();
        let large = all.take(bo.clone(), 1000).unwrap();
        assert!(all.take(bo, 1).is_none());
        drop((first, large));
        assert!(all.take(ana.clone(), 80).is_some());
        drop(second);
        assert!(all.lock().is_empty());
    }
}
