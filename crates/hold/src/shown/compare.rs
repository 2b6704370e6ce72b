//! Two texts compared line by line: what was removed, added and kept.

use std::fmt::Write as _;
use std::ops::Range;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Equal,
    Delete,
    Insert,
}

/// How many pairs of lines are compared, past what both texts begin and end with. Where there are more, all between counts
/// as replaced: agents write these texts, and one must not keep a page waiting.
const MOST_PAIRS: usize = 4_000_000;

/// Compares two texts; lines keep their breaks.
pub(crate) fn lines<'a>(before: &'a str, after: &'a str) -> Vec<(Change, &'a str)> {
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let ends = before[start..].iter().rev().zip(after[start..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    let same = |line: &&'a str| (Change::Equal, *line);
    let mut compared: Vec<_> = before[..start].iter().map(same).collect();
    compared.extend(between(old, new));
    compared.extend(before[before.len() - end..].iter().map(same));
    compared
}

/// Compares by the longest common subsequence.
fn between<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Change, &'a str)> {
    let mut compared = Vec::with_capacity(old.len() + new.len());
    let (mut x, mut y) = (0, 0);
    if old.len().saturating_mul(new.len()) <= MOST_PAIRS {
        let width = new.len() + 1;
        // How many lines the rests of both have in common, from each place on.
        let mut common = vec![0_u16; (old.len() + 1) * width];
        for x in (0..old.len()).rev() {
            for y in (0..new.len()).rev() {
                common[x * width + y] = if old[x] == new[y] {
                    common[(x + 1) * width + y + 1].saturating_add(1)
                } else {
                    common[(x + 1) * width + y].max(common[x * width + y + 1])
                };
            }
        }
        while x < old.len() && y < new.len() {
            if old[x] == new[y] {
                compared.push((Change::Equal, old[x]));
                (x, y) = (x + 1, y + 1);
            } else if common[(x + 1) * width + y] >= common[x * width + y + 1] {
                compared.push((Change::Delete, old[x]));
                x += 1;
            } else {
                compared.push((Change::Insert, new[y]));
                y += 1;
            }
        }
    }
    compared.extend(old[x..].iter().map(|line| (Change::Delete, *line)));
    compared.extend(new[y..].iter().map(|line| (Change::Insert, *line)));
    compared
}

/// Returns where the changes are, each with so many lines around it; those that would touch are one.
pub(crate) fn hunks(compared: &[(Change, &str)], near: usize) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    let changed = compared.iter().enumerate().filter(|(_, (change, _))| *change != Change::Equal);
    for (at, _) in changed {
        let (start, end) = (at.saturating_sub(near), (at + near + 1).min(compared.len()));
        match hunks.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

/// Writes what changed as `diff -u` does.
pub(crate) fn unified(from: &str, to: &str, before: &str, after: &str) -> String {
    const NEAR: usize = 3;
    let compared = lines(before, after);
    let mut text = format!("--- {from}\n+++ {to}\n");
    for hunk in hunks(&compared, NEAR) {
        let count = |range: &Range<usize>, other: Change| {
            compared[range.clone()].iter().filter(|(change, _)| *change != other).count()
        };
        let place = |other: Change| {
            let (first, lines) = (count(&(0..hunk.start), other), count(&hunk, other));
            // A side without lines is named by the line before it.
            let first = if lines == 0 { first } else { first + 1 };
            if lines == 1 { first.to_string() } else { format!("{first},{lines}") }
        };
        let _ = writeln!(text, "@@ -{} +{} @@", place(Change::Insert), place(Change::Delete));
        for (change, line) in &compared[hunk] {
            let sign = match change {
                Change::Equal => ' ',
                Change::Delete => '-',
                Change::Insert => '+',
            };
            text.push(sign);
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a comparison with a sign before each line.
    fn signed(before: &str, after: &str) -> String {
        let sign = |change| match change {
            Change::Equal => '=',
            Change::Delete => '-',
            Change::Insert => '+',
        };
        let line = |(change, line): &(Change, &str)| format!("{}{}", sign(*change), line.trim_end());
        lines(before, after).iter().map(line).collect::<Vec<_>>().concat()
    }

    #[test]
    fn lines_are_kept_removed_or_added() {
        for (before, after, compared) in [
            ("", "", ""),
            ("a\n", "a\n", "=a"),
            ("", "a\n", "+a"),
            ("a\n", "", "-a"),
            ("a\nb\nc\n", "a\nc\n", "=a-b=c"),
            ("a\nb\nc\n", "a\nx\nc\n", "=a-b+x=c"),
            ("a\nb\n", "b\na\n", "-a=b+a"),
            ("a", "a\n", "-a+a"),
            ("x\na\nb\ny\n", "a\nz\nb\n", "-x=a+z=b-y"),
        ] {
            assert_eq!(signed(before, after), compared, "{before:?} {after:?}");
        }
    }

    #[test]
    fn either_text_is_in_the_comparison() {
        // Whatever is compared, what was kept and removed is the one, and what was kept and added is the other.
        let texts: Vec<String> = (0..64_u32)
            .map(|seed| {
                (0..seed % 13)
                    .map(|at| format!("{}\n", (seed * 7 + at * at * 5) % 4))
                    .collect::<Vec<_>>()
                    .concat()
            })
            .collect();
        for before in &texts {
            for after in &texts {
                let compared = lines(before, after);
                let side = |other| -> String {
                    compared.iter().filter(|(change, _)| *change != other).map(|(_, line)| *line).collect()
                };
                assert_eq!((&side(Change::Insert), &side(Change::Delete)), (before, after));
            }
        }
    }

    #[test]
    fn what_is_too_much_to_compare_is_replaced() {
        let text = |letter: char| format!("first\n{}last\n", format!("{letter}\n").repeat(3_000));
        let compared =
            lines(&text('a'), &text('b')).into_iter().map(|(change, _)| change).collect::<Vec<_>>();
        assert_eq!(
            (compared[0], compared[1], compared[3_001]),
            (Change::Equal, Change::Delete, Change::Insert)
        );
        assert_eq!((compared.len(), compared[6_001]), (6_002, Change::Equal));
    }

    #[test]
    fn changes_are_written_as_diff_does() {
        let before = (1..=20).map(|at| format!("{at}\n")).collect::<Vec<_>>().concat();
        let after = before.replace("\n5\n", "\nfive\n").replace("20\n", "20");
        let diff = "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n\
                    +20\n\\ No newline at end of file\n";
        assert_eq!(unified("a", "b", &before, &after), diff);
        assert_eq!(unified("/dev/null", "b", "", "x\n"), "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(unified("a", "b", "x\n", "x\n"), "--- a\n+++ b\n");
    }
}
