//! Proofs about the Merkle tree (RFC 9162): that it contains an event, and that a later tree begins with an earlier
//! one.

use std::collections::BTreeMap;

use super::Vouching;
use super::tree::{leaf, parent};
use crate::chain::Hash;
use crate::{Error, Result, Store};

/// How many leaves a block has.
const BLOCK: u64 = 256;

/// Returns the path from an event to the root of the tree over the first `size` events.
pub async fn inclusion(store: &dyn Store, seq: i64, size: i64) -> Result<Vec<Hash>> {
    let (index, size) = (seq.unsigned_abs() - 1, size.unsigned_abs());
    let nodes = Nodes::load(store, size, &[index]).await?;
    let mut path = Vec::new();
    nodes.path(index, 0, size, &mut path)?;
    Ok(path)
}

/// Returns the proof that the tree over the first `to` events begins with the one over the first `from`.
pub async fn consistency(store: &dyn Store, from: i64, to: i64) -> Result<Vec<Hash>> {
    let (from, to) = (from.unsigned_abs(), to.unsigned_abs());
    let nodes = Nodes::load(store, to, &[from.saturating_sub(1)]).await?;
    let mut proof = Vec::new();
    if from > 0 && from < to {
        nodes.proof(from, 0, to, SubtreeKnown::Yes, &mut proof)?;
    }
    Ok(proof)
}

/// Returns whether a path proves that a tree with this root contains an event.
pub fn includes(root: &Hash, seq: i64, size: i64, event: &Hash, path: &[Hash]) -> bool {
    if seq < 1 || seq > size {
        return false;
    }
    let (mut at, mut last) = (seq.unsigned_abs() - 1, size.unsigned_abs() - 1);
    let mut node = leaf(event);
    for other in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            node = parent(other, &node);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            node = parent(&node, other);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && node == *root
}

/// Returns whether a later tree begins with an earlier one.
pub fn begins_with(earlier: (i64, &Hash), later: (i64, &Hash), proof: &[Hash]) -> bool {
    let ((from, first), (to, second)) = (earlier, later);
    if from == to {
        return proof.is_empty() && first == second;
    }
    if from < 1 || from > to {
        return false;
    }
    let (mut at, mut last) = (from.unsigned_abs() - 1, to.unsigned_abs() - 1);
    while at & 1 == 1 {
        at >>= 1;
        last >>= 1;
    }
    let mut rest = proof.iter();
    // A complete subtree is its own start.
    let start = if from.unsigned_abs().is_power_of_two() { Some(first) } else { rest.next() };
    let Some(start) = start else { return false };
    let (mut old, mut new) = (*start, *start);
    for other in rest {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            old = parent(other, &old);
            new = parent(other, &new);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            new = parent(&new, other);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && old == *first && new == *second
}

/// Whether a subtree is still one whose root the other side knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubtreeKnown {
    Yes,
    No,
}

/// The nodes of a tree that are needed for a proof.
struct Nodes {
    /// The roots of complete blocks.
    blocks: Vec<Hash>,
    /// The leaves of some blocks.
    leaves: BTreeMap<u64, Vec<Hash>>,
}

impl Nodes {
    /// Loads the nodes for proofs about some leaves. The process keeps the roots of blocks; whether they are right
    /// shows only when the proof is checked against a signed root.
    async fn load(store: &dyn Store, size: u64, about: &[u64]) -> Result<Self> {
        let blocks = store.vouching().blocks(store, size / BLOCK).await?;
        let mut leaves = BTreeMap::new();
        for block in about.iter().map(|index| index / BLOCK).chain([size.saturating_sub(1) / BLOCK]) {
            let hashes = hashes(store, block).await?;
            leaves.insert(block, hashes.iter().map(leaf).collect());
        }
        Ok(Self { blocks, leaves })
    }

    fn root(&self, from: u64, to: u64) -> Result<Hash> {
        let short = || Error::Corrupt("the log is shorter than what was signed".into());
        let (block, at) = (from / BLOCK, usize::try_from(from % BLOCK).unwrap_or_default());
        if to - from == BLOCK
            && at == 0
            && let Some(root) = usize::try_from(block).ok().and_then(|block| self.blocks.get(block))
        {
            return Ok(*root);
        }
        if to - from == 1 {
            return self.leaves.get(&block).and_then(|leaves| leaves.get(at)).copied().ok_or_else(short);
        }
        let middle = from + half(to - from);
        Ok(parent(&self.root(from, middle)?, &self.root(middle, to)?))
    }

    fn path(&self, index: u64, from: u64, to: u64, path: &mut Vec<Hash>) -> Result<()> {
        if to - from <= 1 {
            return Ok(());
        }
        let middle = from + half(to - from);
        if index < middle {
            self.path(index, from, middle, path)?;
            path.push(self.root(middle, to)?);
        } else {
            self.path(index, middle, to, path)?;
            path.push(self.root(from, middle)?);
        }
        Ok(())
    }

    fn proof(&self, old: u64, from: u64, to: u64, whole: SubtreeKnown, proof: &mut Vec<Hash>) -> Result<()> {
        if old == to {
            if whole == SubtreeKnown::No {
                proof.push(self.root(from, to)?);
            }
            return Ok(());
        }
        let middle = from + half(to - from);
        if old <= middle {
            self.proof(old, from, middle, whole, proof)?;
            proof.push(self.root(middle, to)?);
        } else {
            self.proof(old, middle, to, SubtreeKnown::No, proof)?;
            proof.push(self.root(from, middle)?);
        }
        Ok(())
    }
}

impl Vouching {
    /// Returns the roots of the first complete blocks, computing those that are not known yet.
    async fn blocks(&self, store: &dyn Store, count: u64) -> Result<Vec<Hash>> {
        let mut known = self.known_blocks();
        let missing = known.len() as u64..count;
        for block in missing {
            let hashes = hashes(store, block).await?;
            let mut tree = super::Tree::default();
            for hash in &hashes {
                tree.push(hash);
            }
            known.push(tree.root());
        }
        self.keep_blocks(&known);
        known.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        Ok(known)
    }
}

/// Reads the hashes of a block's events. Missing ones, which exist where a break was accepted, are replaced by zeroes.
async fn hashes(store: &dyn Store, block: u64) -> Result<Vec<Hash>> {
    let first = (block * BLOCK).cast_signed();
    let mut hashes: Vec<Hash> = Vec::with_capacity(256);
    for (seq, hash) in store.hashes(first, 256).await? {
        let at = usize::try_from(seq - 1 - first).unwrap_or(usize::MAX);
        if at < 256 {
            hashes.resize(at, crate::chain::GENESIS);
            hashes.push(hash);
        }
    }
    Ok(hashes)
}

/// Returns the largest power of two that is less than a size.
fn half(size: u64) -> u64 {
    size.next_power_of_two() / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vouch::Tree;

    /// Returns a log of this many events, with its tree.
    fn log(size: u8) -> (Nodes, Vec<Hash>) {
        let events: Vec<Hash> = (0..size).map(|number| [number; 32]).collect();
        let leaves = BTreeMap::from([(0, events.iter().map(leaf).collect())]);
        (Nodes { blocks: Vec::new(), leaves }, events)
    }

    fn root(events: &[Hash]) -> Hash {
        let mut tree = Tree::default();
        for event in events {
            tree.push(event);
        }
        tree.root()
    }

    #[test]
    fn every_event_is_proven_and_no_other() {
        for size in 1..40_u8 {
            let (nodes, events) = log(size);
            let root = root(&events);
            for (index, event) in (0_u64..).zip(&events) {
                let (mut path, seq) = (Vec::new(), index.cast_signed() + 1);
                nodes.path(index, 0, size.into(), &mut path).unwrap();
                assert!(includes(&root, seq, size.into(), event, &path), "{seq} of {size}");
                assert!(!includes(&root, seq, size.into(), &[99; 32], &path));
                assert!(!includes(&root, seq + 1, size.into(), event, &path), "{seq} of {size}");
                assert!(!includes(&[0; 32], seq, size.into(), event, &path));
            }
        }
    }

    #[test]
    fn a_longer_log_is_proven_to_begin_with_the_shorter() {
        for to in 1..40_u8 {
            let (nodes, events) = log(to);
            let later = root(&events);
            for from in 1..=to {
                let mut proof = Vec::new();
                if from < to {
                    nodes.proof(from.into(), 0, to.into(), SubtreeKnown::Yes, &mut proof).unwrap();
                }
                let earlier = root(&events[..usize::from(from)]);
                assert!(begins_with((from.into(), &earlier), (to.into(), &later), &proof), "{from} {to}");
                assert!(!begins_with((from.into(), &[7; 32]), (to.into(), &later), &proof), "{from} {to}");
                if from < to {
                    assert!(!begins_with((from.into(), &earlier), (to.into(), &[7; 32]), &proof));
                    assert!(
                        !begins_with((from.into(), &earlier), (to.into(), &later), &[]) || proof.is_empty()
                    );
                }
            }
        }
    }
}
