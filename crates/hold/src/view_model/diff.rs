//! Diffs as rows: read once, shown a page at a time, in one column or two.

/// A line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) kind: RowKind,
    /// The line number before the change.
    pub(crate) old: Option<u32>,
    /// The line number after the change.
    pub(crate) new: Option<u32>,
    pub(crate) text: &'a str,
}

/// The kind of a line in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// The start of another file.
    File,
    /// What git reports about the file.
    Note,
    /// The start of another hunk.
    Place,
    Same,
    Added,
    Deleted,
}

/// Parses a diff. Whatever it contains, every line is in some row, except the bytes of binary files.
pub(crate) fn rows(diff: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let (mut old, mut new) = (0u32, 0u32);
    let (mut old_left, mut new_left) = (0u32, 0u32);
    let mut binary = false;
    for text in diff.lines() {
        let plain = |kind| Row { kind, old: None, new: None, text };
        // Inside a hunk, only its length distinguishes its lines from others that start with a dash.
        if old_left > 0 || new_left > 0 {
            let row = match text.as_bytes().first() {
                Some(b'+') => Row { kind: RowKind::Added, old: None, new: Some(new), text: &text[1..] },
                Some(b'-') => Row { kind: RowKind::Deleted, old: Some(old), new: None, text: &text[1..] },
                Some(b'\\') => plain(RowKind::Note),
                // No line of a file begins like this: it is the note that the rest was cut off.
                Some(_) if text.get(1..).is_none() => plain(RowKind::Note),
                _ => Row {
                    kind: RowKind::Same,
                    old: Some(old),
                    new: Some(new),
                    text: text.get(1..).unwrap_or(""),
                },
            };
            if row.old.is_some() {
                (old, old_left) = (old.saturating_add(1), old_left.saturating_sub(1));
            }
            if row.new.is_some() {
                (new, new_left) = (new.saturating_add(1), new_left.saturating_sub(1));
            }
            rows.push(row);
        } else if let Some(place) = text.strip_prefix("@@ ") {
            if let Some(((from, from_count), (to, to_count))) = spans(place) {
                (old, old_left, new, new_left) = (from, from_count, to, to_count);
            }
            rows.push(plain(RowKind::Place));
        } else if text.starts_with("diff --git ") {
            binary = false;
            rows.push(plain(RowKind::File));
        } else if text == "GIT binary patch" {
            binary = true;
            rows.push(Row { text: "a binary file", ..plain(RowKind::Note) });
        } else if !binary && !text.is_empty() {
            let begins = text.starts_with("--- ")
                && !matches!(rows.last(), Some(Row { kind: RowKind::Note | RowKind::File, .. }));
            rows.push(plain(if begins { RowKind::File } else { RowKind::Note }));
        }
    }
    rows
}

/// Returns where in the rows each file starts and the file's name: after the change, or before it if there is none
/// after.
pub(crate) fn files<'a>(rows: &[Row<'a>]) -> Vec<(usize, &'a str)> {
    let mut files: Vec<(usize, &'a str)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let named = match row.kind {
            RowKind::File => row.text.strip_prefix("--- a/").or(Some("")),
            RowKind::Note => {
                let text = row.text;
                let to = text.strip_prefix("+++ b/").or_else(|| text.strip_prefix("rename to "));
                let from = text.strip_prefix("--- a/");
                to.or(from)
            }
            _ => None,
        };
        if let Some(name) = named {
            // A further name of the same file, or another file.
            match files.last_mut() {
                Some((_, last)) if row.kind == RowKind::Note => {
                    *last = name.split('\t').next().unwrap_or(name);
                }
                _ => files.push((at, name.split('\t').next().unwrap_or(name))),
            }
        }
    }
    files
}

/// Returns the file that a row belongs to.
pub(crate) fn file_of<'a>(files: &[(usize, &'a str)], at: usize) -> &'a str {
    let after = files.partition_point(|(from, _)| *from <= at);
    after.checked_sub(1).map_or("", |before| files[before].1)
}

/// Returns the first line numbers of a hunk, before and after the change.
pub(crate) fn begins(place: &str) -> Option<(u32, u32)> {
    let ((old, _), (new, _)) = spans(place.strip_prefix("@@ ")?)?;
    Some((old, new))
}

/// Reads `-a,b +c,d @@ …`.
fn spans(place: &str) -> Option<((u32, u32), (u32, u32))> {
    let mut words = place.split(' ');
    let (old, new) = (words.next()?.strip_prefix('-')?, words.next()?.strip_prefix('+')?);
    let span = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((span(old)?, span(new)?))
}

/// Arranges rows side by side, each by its index: deleted lines beside the lines added in their place.
pub(crate) fn sides(rows: &[Row<'_>]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        match row.kind {
            RowKind::Deleted | RowKind::Added => {
                let run = |from: usize, kind| rows[from..].iter().take_while(|row| row.kind == kind).count();
                let deleted = run(at, RowKind::Deleted);
                let added = run(at + deleted, RowKind::Added);
                for step in 0..deleted.max(added) {
                    let left = (step < deleted).then_some(at + step);
                    let right = (step < added).then_some(at + deleted + step);
                    pairs.push((left, right));
                }
                at += deleted + added;
            }
            _ => {
                pairs.push((Some(at), Some(at)));
                at += 1;
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn\n a\n--- b\n+++ c\n d\n\
        \\ No newline at end of file\ndiff --git a/y b/y\nGIT binary patch\nliteral 3\nabc\n\nliteral 0\nz\n";

    #[test]
    fn lines_are_numbered_and_not_mistaken() {
        use RowKind::{Added, Deleted, File, Note, Place, Same};
        let rows = rows(DIFF);
        let kinds: Vec<RowKind> = rows.iter().map(|row| row.kind).collect();
        assert_eq!(kinds, [File, Note, Note, Note, Place, Same, Deleted, Added, Same, Note, File, Note]);
        assert_eq!((rows[6].text, rows[6].old, rows[6].new), ("-- b", Some(2), None));
        assert_eq!((rows[7].text, rows[7].new), ("++ c", Some(2)));
        assert_eq!((rows[8].old, rows[8].new), (Some(3), Some(3)));
    }

    #[test]
    fn every_row_knows_its_file() {
        let diff = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n\
            diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        let rows = rows(diff);
        let files = files(&rows);
        let names: Vec<&str> = (0..rows.len()).map(|at| file_of(&files, at)).collect();
        assert_eq!((names[6], names[7], names[13]), ("y", "y", "z"));
        assert_eq!(file_of(&[], 3), "");
    }

    #[test]
    fn what_was_replaced_stands_side_by_side() {
        let diff = "@@ -1,3 +1,2 @@\n-a\n-b\n+c\n d\n";
        let rows = rows(diff);
        let pairs = sides(&rows);
        let text = |at: Option<usize>| at.map(|at| rows[at].text);
        let texts: Vec<_> = pairs.iter().map(|(left, right)| (text(*left), text(*right))).collect();
        assert_eq!(texts[1..], [(Some("a"), Some("c")), (Some("b"), None), (Some("d"), Some("d"))]);
    }

    #[test]
    fn anything_can_be_read() {
        for odd in [
            "",
            "\n\n",
            "@@ -1,999999999 +1 @@\n",
            "@@ x @@\n+a",
            "é\n@@ -1 +1 @@\né\n",
            "@@ -4294967295,2 +1,1 @@\n a\n b\n",
        ] {
            let rows = rows(odd);
            assert_eq!(sides(&rows).is_empty(), rows.is_empty());
        }
    }
}
