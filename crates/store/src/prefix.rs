//! Naming decisions by the start of their ids. Ids are a permutation of row numbers, so no index is needed:
//! the permutation is run forwards over all numbers in use.

use holdpoint_core::{DecisionId, Numbering};

/// How many characters a whole id has after `dcn-`.
const WHOLE: usize = 12;

/// Returns the number of a whole id; nothing for a mere prefix.
pub(crate) fn exact(numbering: Numbering, prefix: &str) -> Option<i64> {
    (prefix.len() == WHOLE).then(|| prefix.parse().ok().map(|id| numbering.number(id))).flatten()
}

/// Walks the numbers up to `last` whose ids start with a prefix, in the order they were asked.
pub(crate) fn candidates(numbering: Numbering, prefix: &str, last: i64) -> impl Iterator<Item = i64> {
    (1..=last).filter(move |number| numbering.id(*number).suffix().starts_with(prefix))
}

/// Returns, for each id, how many characters tell it from all other ids up to `last`.
pub(crate) fn lengths(numbering: Numbering, ids: &[DecisionId], last: i64) -> Vec<usize> {
    let mut sorted: Vec<(DecisionId, usize)> = ids.iter().map(|id| (*id, 0)).collect();
    sorted.sort_unstable();
    sorted.dedup();
    for number in 1..=last {
        let other = numbering.id(number);
        let at = sorted.partition_point(|(id, _)| *id < other);
        // Only its neighbours in the order can share the longest start with it.
        let below = at.checked_sub(1);
        let above = sorted.get(at).map(|(id, _)| if *id == other { at + 1 } else { at });
        for neighbour in below.into_iter().chain(above) {
            if let Some((id, shared)) = sorted.get_mut(neighbour) {
                *shared = (*shared).max(common(*id, other));
            }
        }
    }
    let length = |id: &DecisionId| {
        let found = sorted.binary_search_by_key(id, |(known, _)| *known);
        found.map_or(WHOLE, |at| (sorted[at].1 + 1).min(WHOLE))
    };
    ids.iter().map(length).collect()
}

fn common(a: DecisionId, b: DecisionId) -> usize {
    a.suffix().bytes().zip(b.suffix().bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_of_the_length_told_names_one_alone() {
        let numbering = Numbering::new(3);
        let ids: Vec<DecisionId> = (1..=2_000).map(|number| numbering.id(number)).collect();
        let some = [ids[0], ids[700], ids[1_999], ids[0]];
        for (id, length) in some.iter().zip(lengths(numbering, &some, 2_000)) {
            let named = |length: usize| candidates(numbering, &id.suffix()[..length], 2_000).count();
            assert_eq!(named(length), 1, "{id} by {length}");
            assert!(length == 1 || named(length - 1) > 1, "{id} needs no {length}");
        }
        assert_eq!(exact(numbering, ids[4].suffix()), Some(5));
        assert_eq!(exact(numbering, "abc"), None);
    }
}
