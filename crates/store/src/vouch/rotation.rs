//! Rotations of the signer's key, as the log records them: how far one has come, and what one left undone.

use holdpoint_core::Event;

use crate::plan::stream::LOG;
use crate::{Result, Signer, Store, body, history};

/// What the log says about the keys that the signer has had. Only what a trusted key wrote counts.
#[derive(Debug, Default)]
pub struct Rotations {
    /// Each key with the one that replaces it, oldest first.
    replaced: Vec<(String, String)>,
    revoked: Vec<String>,
}

impl Rotations {
    /// Reads them from the log.
    pub async fn read(store: &dyn Store, signer: &dyn Signer) -> Result<Self> {
        let remembered = signer.remembered(&store.identity().await?)?;
        let revoked = remembered.map(|remembered| remembered.revoked).unwrap_or_default();
        let mut rotations = Self { revoked, ..Self::default() };
        for link in store.stream(LOG, 0).await? {
            let event = link.body.as_ref().and_then(|text| body::decode(&link.tag, text).ok());
            let Some(event @ (Event::KeyRotated { .. } | Event::KeyRevoked { .. })) = event else { continue };
            if !history::is_by_known_key(store, signer, &link).await? {
                continue;
            }
            match event {
                Event::KeyRotated { from, to, .. } => rotations.replaced.push((from, to)),
                Event::KeyRevoked { key, .. } => rotations.revoked.push(key),
                _ => {}
            }
        }
        Ok(rotations)
    }

    /// Returns whether the log says that one key replaces another.
    pub fn has(&self, from: &str, to: &str) -> bool {
        self.replaced.iter().any(|(one, other)| one == from && other == to)
    }

    /// Returns the keys that a key has replaced, one after the other, and that were never revoked; the latest first.
    pub fn left(&self, key: &str) -> Vec<String> {
        let mut chain = vec![key];
        for (from, to) in self.replaced.iter().rev() {
            if chain.contains(&to.as_str()) && !chain.contains(&from.as_str()) {
                chain.push(from);
            }
        }
        let left = chain.into_iter().skip(1).filter(|key| !self.revoked.iter().any(|gone| gone == key));
        left.map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_was_replaced_and_not_revoked_is_left() {
        let pair = |(from, to): &(&str, &str)| ((*from).to_owned(), (*to).to_owned());
        let left = |replaced: &[(&str, &str)], revoked: &[&str], key: &str| {
            let revoked = revoked.iter().map(|key| (*key).to_owned()).collect();
            Rotations { replaced: replaced.iter().map(pair).collect(), revoked }.left(key)
        };
        assert_eq!(left(&[], &[], "a"), [""; 0]);
        assert_eq!(left(&[("a", "b")], &[], "b"), ["a"]);
        assert_eq!(left(&[("a", "b")], &["a"], "b"), [""; 0]);
        assert_eq!(left(&[("a", "b"), ("b", "c")], &["b"], "c"), ["a"], "an earlier one, too");
        assert_eq!(left(&[("a", "b")], &[], "a"), [""; 0], "the key that still signs");
        assert_eq!(left(&[("x", "y")], &[], "b"), [""; 0], "another node's");
        assert_eq!(left(&[("b", "a"), ("a", "b")], &[], "b"), ["a"], "never the key itself");
    }
}
