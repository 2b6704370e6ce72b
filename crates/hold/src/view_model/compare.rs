//! Text comparisons for people: the changes with the lines around them.

use std::fmt::Write as _;
use std::ops::Range;

pub(crate) use holdpoint_protocols::present::compare::{LineChange, lines};

/// Returns the ranges of changes, each with `near` lines around it; ranges that would touch are merged.
pub(crate) fn hunks(compared: &[(LineChange, &str)], near: usize) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    let changed = compared.iter().enumerate().filter(|(_, (change, _))| *change != LineChange::Same);
    for (at, _) in changed {
        let (start, end) = (at.saturating_sub(near), (at + near + 1).min(compared.len()));
        match hunks.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

/// Formats the changes as `diff -u` does.
pub(crate) fn unified(from: &str, to: &str, before: &str, after: &str) -> String {
    const NEAR: usize = 3;
    let compared = lines(before, after);
    let mut text = format!("--- {from}\n+++ {to}\n");
    for hunk in hunks(&compared, NEAR) {
        let count = |range: &Range<usize>, other: LineChange| {
            compared[range.clone()].iter().filter(|(change, _)| *change != other).count()
        };
        let place = |other: LineChange| {
            let (first, lines) = (count(&(0..hunk.start), other), count(&hunk, other));
            // An empty side is given the number of the line before it.
            let first = if lines == 0 { first } else { first + 1 };
            if lines == 1 { first.to_string() } else { format!("{first},{lines}") }
        };
        let _ = writeln!(text, "@@ -{} +{} @@", place(LineChange::Added), place(LineChange::Removed));
        for (change, line) in &compared[hunk] {
            text.push(change.sign());
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
