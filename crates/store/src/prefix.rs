//! Finds decisions by the start of their ids. Ids are a permutation of row numbers, so no index is needed: the
//! permutation is run forwards over all numbers in use.

use std::ops::RangeInclusive;

use holdpoint_core::{DecisionId, Numbering};

/// The length of an id after `dcn-`.
const WHOLE: usize = 12;
/// How many bits a character encodes.
const CHARACTER: usize = 5;
/// From how many numbers threads are worthwhile, and the maximum number of threads.
const WORTH_THREADS: i64 = 50_000;
const MOST_THREADS: usize = 8;

/// Returns the number of a full id; none for a shorter prefix.
pub(crate) fn exact(numbering: Numbering, prefix: &str) -> Option<i64> {
    (prefix.len() == WHOLE).then(|| prefix.parse().ok().map(|id| numbering.number(id))).flatten()
}

/// Iterates over the numbers up to `last` whose ids start with a prefix, in the order they were asked.
pub(crate) fn candidates(numbering: Numbering, prefix: &str, last: i64) -> impl Iterator<Item = i64> {
    // The ids with a common prefix are a range of this size, from the one that continues with zeros.
    let first = format!("{prefix:0<WHOLE$}").parse().ok().map(DecisionId::bits);
    let many = 1 << (CHARACTER * WHOLE.saturating_sub(prefix.len()));
    let starts =
        move |number: &i64| first.is_some_and(|first| numbering.bits(*number).wrapping_sub(first) < many);
    (1..=last).filter(starts)
}

/// Returns, for each id, how many characters distinguish it from all other ids up to `last`.
pub(crate) fn lengths(numbering: Numbering, ids: &[DecisionId], last: i64) -> Vec<usize> {
    let mut sorted: Vec<u64> = ids.iter().map(|id| id.bits()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let shared = shared(numbering, &sorted, last);
    let length = |id: &DecisionId| {
        let found = sorted.binary_search(&id.bits());
        found.map_or(WHOLE, |at| (shared[at] + 1).min(WHOLE))
    };
    ids.iter().map(length).collect()
}

/// Returns the length of the longest prefix that each id shares with another id up to `last`. Many numbers are divided
/// among threads, because a person waits for this.
fn shared(numbering: Numbering, sorted: &[u64], last: i64) -> Vec<usize> {
    if last < WORTH_THREADS {
        return shared_within(numbering, sorted, 1..=last);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let share = last / i64::try_from(threads).unwrap_or(1) + 1;
    std::thread::scope(|scope| {
        let parts = (1..=last).step_by(usize::try_from(share).unwrap_or(usize::MAX));
        let parts = parts.map(|first| first..=last.min(first + share - 1));
        let parts: Vec<_> = parts
            .map(|part| {
                let same = part.clone();
                let work = move || shared_within(numbering, sorted, part);
                // If no thread can be started, the work is done here.
                std::thread::Builder::new().spawn_scoped(scope, work).map_err(|_| same)
            })
            .collect();
        let mut most = vec![0; sorted.len()];
        for part in parts {
            let part = match part {
                Ok(thread) => thread.join().unwrap_or_else(|_| vec![WHOLE; sorted.len()]),
                Err(part) => shared_within(numbering, sorted, part),
            };
            for (most, shared) in most.iter_mut().zip(part) {
                *most = shared.max(*most);
            }
        }
        most
    })
}

/// Does the same for some of the numbers.
fn shared_within(numbering: Numbering, sorted: &[u64], numbers: RangeInclusive<i64>) -> Vec<usize> {
    let mut shared = vec![0; sorted.len()];
    for number in numbers {
        let other = numbering.bits(number);
        let at = sorted.partition_point(|id| *id < other);
        // Only an id's neighbours in the order can share the longest prefix with it.
        let above = if sorted.get(at) == Some(&other) { at + 1 } else { at };
        for neighbour in [at.wrapping_sub(1), above] {
            if let (Some(id), Some(shared)) = (sorted.get(neighbour), shared.get_mut(neighbour)) {
                *shared = common(*id, other).max(*shared);
            }
        }
    }
    shared
}

/// Returns the length of the common prefix of two ids.
fn common(a: u64, b: u64) -> usize {
    const UNUSED: usize = 64 - CHARACTER * WHOLE;
    ((a ^ b).leading_zeros() as usize - UNUSED) / CHARACTER
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
    #[test]
    fn many_threads_find_what_one_finds() {
        let numbering = Numbering::new(4);
        let last = WORTH_THREADS + 7;
        let mut some: Vec<u64> = [1, 7, 25_003, last].map(|number| numbering.bits(number)).to_vec();
        some.sort_unstable();
        assert_eq!(shared(numbering, &some, last), shared_within(numbering, &some, 1..=last));
    }
}
