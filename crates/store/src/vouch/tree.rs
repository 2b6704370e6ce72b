//! The Merkle tree over the log (RFC 9162). Its leaves are the hashes of events, so proofs remain valid when bodies are
//! erased.
//!
//! The signer keeps only its edge: the roots of the complete subtrees, largest first.

use sha2::{Digest, Sha256};

use crate::chain::{Hash, hex, unhex};

/// The right edge of a tree, which suffices to add leaves and to compute the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    size: u64,
    edge: Vec<Hash>,
}

impl Tree {
    /// Reads a stored edge.
    pub fn read(size: u64, edge: &[String]) -> Option<Self> {
        let edge: Option<Vec<Hash>> = edge.iter().map(|text| unhex(text)?.try_into().ok()).collect();
        let edge = edge?;
        (edge.len() == size.count_ones() as usize).then_some(Self { size, edge })
    }

    /// Returns the edge in the form to be stored.
    pub fn edge(&self) -> Vec<String> {
        self.edge.iter().map(|hash| hex(hash)).collect()
    }

    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds the hash of the next event.
    pub fn push(&mut self, event: &Hash) {
        let mut node = leaf(event);
        let mut size = self.size;
        while size & 1 == 1 {
            if let Some(left) = self.edge.pop() {
                node = parent(&left, &node);
            }
            size >>= 1;
        }
        self.edge.push(node);
        self.size += 1;
    }

    /// Returns the root of the whole tree.
    pub fn root(&self) -> Hash {
        let mut nodes = self.edge.iter().rev();
        let Some(last) = nodes.next() else { return Sha256::digest([]).into() };
        nodes.fold(*last, |right, left| parent(left, &right))
    }
}

/// Returns the leaf hash of an event.
pub(super) fn leaf(event: &Hash) -> Hash {
    Sha256::new().chain_update([0]).chain_update(event).finalize().into()
}

/// Returns the hash of the node over two others.
pub(super) fn parent(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the root as RFC 9162 defines it, by recursion.
    fn defined(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Sha256::digest([]).into(),
            [one] => leaf(one),
            _ => {
                let half = leaves.len().next_power_of_two() / 2;
                parent(&defined(&leaves[..half]), &defined(&leaves[half..]))
            }
        }
    }

    #[test]
    fn the_root_is_the_one_that_is_defined() {
        let mut tree = Tree::default();
        let mut leaves: Vec<Hash> = Vec::new();
        for number in 0..70_u8 {
            assert_eq!(tree.root(), defined(&leaves), "{number}");
            assert_eq!(Tree::read(tree.size(), &tree.edge()), Some(tree.clone()));
            leaves.push([number; 32]);
            tree.push(&[number; 32]);
        }
        assert_eq!(Tree::read(3, &[]), None);
    }
}
