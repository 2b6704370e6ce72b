//! Two texts compared line by line: what was removed, added and kept.

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// It is kept.
    Same,
    /// It is removed.
    Removed,
    /// It is added.
    Added,
}

impl LineChange {
    /// Returns the sign that `diff -u` puts before such a line.
    pub const fn sign(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Removed => '-',
            Self::Added => '+',
        }
    }
}

/// How many pairs of lines are compared, besides the common beginning and end. If there are more, everything in between
/// counts as replaced: agents write these texts, and must not be able to make a page slow.
const MOST_PAIRS: usize = 4_000_000;

/// Compares two texts; lines keep their breaks.
pub fn lines<'a>(before: &'a str, after: &'a str) -> Vec<(LineChange, &'a str)> {
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    within(&before, &after, MOST_PAIRS)
}

/// Compares lines, up to a number of pairs.
pub(super) fn within<'a>(
    before: &[&'a str],
    after: &[&'a str],
    most_pairs: usize,
) -> Vec<(LineChange, &'a str)> {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let ends = before[start..].iter().rev().zip(after[start..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    let same = |line: &&'a str| (LineChange::Same, *line);
    let mut compared: Vec<_> = before[..start].iter().map(same).collect();
    compared.extend(between(old, new, most_pairs));
    compared.extend(before[before.len() - end..].iter().map(same));
    compared
}

/// Compares by the longest common subsequence.
fn between<'a>(old: &[&'a str], new: &[&'a str], most_pairs: usize) -> Vec<(LineChange, &'a str)> {
    let mut compared = Vec::with_capacity(old.len() + new.len());
    let (mut x, mut y) = (0, 0);
    if old.len().saturating_mul(new.len()) <= most_pairs {
        let width = new.len() + 1;
        // How many lines the remainders of both have in common, from each place on.
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
                compared.push((LineChange::Same, old[x]));
                (x, y) = (x + 1, y + 1);
            } else if common[(x + 1) * width + y] >= common[x * width + y + 1] {
                compared.push((LineChange::Removed, old[x]));
                x += 1;
            } else {
                compared.push((LineChange::Added, new[y]));
                y += 1;
            }
        }
    }
    compared.extend(old[x..].iter().map(|line| (LineChange::Removed, *line)));
    compared.extend(new[y..].iter().map(|line| (LineChange::Added, *line)));
    compared
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a comparison with a sign before each line.
    fn signed(before: &str, after: &str) -> String {
        let sign = |change| match change {
            LineChange::Same => '=',
            LineChange::Removed => '-',
            LineChange::Added => '+',
        };
        let line = |(change, line): &(LineChange, &str)| format!("{}{}", sign(*change), line.trim_end());
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
        // For any two texts: the kept and removed lines are one, and the kept and added lines the other.
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
                assert_eq!((&side(LineChange::Added), &side(LineChange::Removed)), (before, after));
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
            (LineChange::Same, LineChange::Removed, LineChange::Added)
        );
        assert_eq!((compared.len(), compared[6_001]), (6_002, LineChange::Same));
    }
}
