//! Lines that a diff omits: where they are, and how many are shown at a time.

use holdpoint_core::Run;
use holdpoint_core::run::{Change, PatchSet, Touched};

use super::params::RunPageParams;
use crate::view_model::diff::{Row, RowKind};

/// How many lines are shown at a time.
const AT_ONCE: u32 = 20;

/// Omitted lines: their numbers before the change, and by how much the change shifts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) first: u32,
    /// The last line; none to the end of the file.
    pub(super) last: Option<u32>,
    pub(super) shift: i64,
}

impl Gap {
    /// Finds the lines omitted before a row, or after the last row of a file.
    pub(super) fn at(rows: &[Row<'_>], at: usize) -> Option<Self> {
        let before = rows[..at].iter().rev().take_while(|row| row.kind != RowKind::File);
        let numbered = before.clone().find_map(|row| Some((row.old?, row.new?)));
        // A hunk with only deleted or only added lines so far still says where it began.
        let moved = |(old, new): (u32, u32)| i64::from(new) - i64::from(old);
        let last_old = before.clone().filter_map(|row| row.old).max().unwrap_or(0);
        match rows.get(at) {
            Some(Row { kind: RowKind::Place, text, .. }) => {
                let (old, new) = crate::view_model::diff::begins(text)?;
                let last = old.checked_sub(1).filter(|last| *last > last_old)?;
                Some(Self { first: last_old + 1, last: Some(last), shift: moved((old, new)) })
            }
            None | Some(Row { kind: RowKind::File, .. }) => {
                let last_row = rows.get(at.checked_sub(1)?)?;
                // Only an unchanged line shows that the file goes on, and where.
                let is_open = last_row.kind == RowKind::Same && numbered.is_some();
                is_open.then(|| Self { first: last_old + 1, last: None, shift: numbered.map_or(0, moved) })
            }
            Some(_) => None,
        }
    }

    /// Returns how many lines it has, if its end is known.
    fn count(&self) -> Option<u32> {
        Some(self.last?.saturating_sub(self.first) + 1)
    }

    /// Describes what the link will show.
    pub(super) fn label(&self) -> String {
        match self.count() {
            Some(1) => "Show 1 hidden line".to_owned(),
            Some(count) if count <= AT_ONCE => format!("Show {count} hidden lines"),
            Some(count) => format!("Show {AT_ONCE} of {count} hidden lines"),
            None => "Show the lines below".to_owned(),
        }
    }

    pub(super) fn address(&self, run: &Run, params: &RunPageParams, path: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("patchset", &params.patchset.to_string()).append_pair("path", path);
        query.append_pair("first", &self.first.to_string()).append_pair("shift", &self.shift.to_string());
        if let Some(last) = self.last {
            query.append_pair("last", &last.to_string());
        }
        if params.split {
            query.append_pair("view", "split");
        }
        format!("/runs/{}/lines?{}", run.id, query.finish())
    }

    pub(super) fn read(query: &str) -> Option<(Self, String)> {
        let mut gap = Self { first: 0, last: None, shift: 0 };
        let mut path = None;
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "path" => path = Some(value.into_owned()),
                "first" => gap.first = value.parse().ok().filter(|first| *first > 0)?,
                "last" => gap.last = Some(value.parse().ok()?),
                "shift" => gap.shift = value.parse().ok()?,
                _ => {}
            }
        }
        Some((gap, path?)).filter(|(gap, _)| gap.first > 0)
    }

    /// Removes the lines shown at once from it, at the side of the change. Returns those lines, and what is still
    /// omitted.
    pub(super) fn next(self, known: u32) -> (std::ops::RangeInclusive<u32>, Option<Self>) {
        if let Some(last) = self.last {
            let last = last.min(known);
            let first = last.saturating_sub(AT_ONCE - 1).max(self.first);
            let rest = Self { last: Some(first - 1), ..self };
            return (first..=last, (first > self.first).then_some(rest));
        }
        let last = self.first.saturating_add(AT_ONCE - 1).min(known);
        let rest = Self { first: last.saturating_add(1), ..self };
        (self.first..=last, (last < known).then_some(rest))
    }
}

/// Returns the file of a patch set, if its lines can be read.
pub(super) fn file<'a>(patchset: &'a PatchSet, path: &str) -> Option<&'a Touched> {
    let mut touched = patchset.touched.iter();
    touched.find(|file| file.path == path && !matches!(file.change, Change::Add))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::diff::rows;

    const DIFF: &str = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -30,3 +30,4 @@ fn\n a\n+b\n c\n d\n@@ -61,2 +62,2 @@\n e\n-f\n+g\n\
        diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";

    #[test]
    fn what_is_left_out_is_found() {
        let rows = rows(DIFF);
        let places: Vec<_> = (0..=rows.len()).filter_map(|at| Some((at, Gap::at(&rows, at)?))).collect();
        let gap = |first, last, shift| Gap { first, last, shift };
        // The second hunk replaced a line: only an unchanged line would show where the file goes on.
        assert_eq!(
            places,
            [(3, gap(1, Some(29), 0)), (8, gap(33, Some(60), 1)), (rows.len(), gap(3, None, 0))]
        );
    }

    #[test]
    fn it_comes_a_part_at_a_time_and_all_of_it_once() {
        for (first, last, known) in
            [(1, Some(29), 100), (1, Some(20), 100), (5, Some(5), 100), (90, None, 100), (1, Some(90), 40)]
        {
            let mut gap = Some(Gap { first, last, shift: 0 });
            let mut seen = Vec::new();
            while let Some(now) = gap {
                let (lines, rest) = now.next(known);
                seen.extend(lines);
                gap = rest;
            }
            seen.sort_unstable();
            assert_eq!(seen, (first..=last.unwrap_or(known).min(known)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_was_not_asked_like_this_is_refused() {
        for bad in [
            "",
            "path=x",
            "path=x&first=0",
            "path=x&first=-1",
            "path=x&first=1&last=y",
            "first=1",
            "path=x&first=1&shift=z",
        ] {
            assert!(Gap::read(bad).is_none(), "{bad}");
        }
        let read = Gap::read("path=a+b&first=2&last=9&shift=-3").unwrap();
        assert_eq!(read, (Gap { first: 2, last: Some(9), shift: -3 }, "a b".to_owned()));
    }
}
