//! The files of a change: a list with links, and the header of each file above its lines.

use holdpoint_core::run::{PatchSet, Touched};
use holdpoint_core::text::inert_line;
use maud::{Markup, html};

use super::diff::DiffView;
use crate::view_model::diff::{Row, RowKind};
use crate::view_model::run::{file_name, file_words};

/// More files than this are folded.
const OPEN: usize = 20;
/// How many are listed.
const LISTED: usize = 1_000;

/// One file of a change.
pub(super) struct FileOfChange<'a> {
    /// The index of its first row.
    pub(super) at: usize,
    pub(super) path: &'a str,
    added: usize,
    deleted: usize,
    touched: Option<&'a Touched>,
}

/// Splits rows into files.
pub(super) fn of<'a>(
    rows: &[Row<'a>],
    starts: &[(usize, &'a str)],
    patchset: Option<&'a PatchSet>,
) -> Vec<FileOfChange<'a>> {
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([rows.len()]);
    let file = |(&(at, path), end): (&(usize, &'a str), usize)| {
        let count = |kind| rows[at..end].iter().filter(|row| row.kind == kind).count();
        let touched = patchset.and_then(|it| it.touched.iter().find(|file| file.path == path));
        FileOfChange { at, path, added: count(RowKind::Added), deleted: count(RowKind::Deleted), touched }
    };
    starts.iter().zip(ends).map(file).collect()
}

impl FileOfChange<'_> {
    fn name(&self) -> String {
        self.touched.map_or_else(|| file_name(self.path), file_words)
    }

    /// Returns the file's folder, with a slash; empty at the top level, and if the file's title is more than its
    /// path.
    fn folder(&self) -> &str {
        let is_plain = self.name() == self.path;
        self.path.rfind('/').filter(|_| is_plain).map_or("", |at| &self.path[..=at])
    }

    fn name_in_folder(&self) -> String {
        let name = self.name();
        name.strip_prefix(self.folder()).map_or_else(|| name.clone(), str::to_owned)
    }

    fn counts(&self) -> Markup {
        html! {
            span .counts {
                @if self.added > 0 { span .plus { "+" (self.added) } }
                @if self.deleted > 0 { " " span .minus { "−" (self.deleted) } }
            }
        }
    }
}

impl DiffView<'_> {
    /// Renders the list of files, with a link to each.
    pub(super) fn list(&self) -> Markup {
        let files = &self.files;
        let (added, deleted) =
            files.iter().fold((0, 0), |(added, deleted), file| (added + file.added, deleted + file.deleted));
        html! {
            details .fold.files open[files.len() <= OPEN] {
                summary {
                    (files.len()) @if files.len() == 1 { " file" } @else { " files" } ", +" (added) " −" (deleted)
                    span .hint data-seen-count {}
                }
                ol {
                    @for (number, file) in files.iter().take(LISTED).enumerate() {
                        @let before = number.checked_sub(1).map_or("", |before| files[before].folder());
                        @if !file.folder().is_empty() && file.folder() != before { li .folder dir="ltr" { bdi .pre { (inert_line(file.folder())) } } }
                        li .inside[!file.folder().is_empty()] {
                            a href=(self.address_of(number, file.at)) data-file=(number) data-path=(file.path) { bdi .pre { (file.name_in_folder()) } } " " (file.counts())
                        }
                    }
                }
                @if files.len() > LISTED { p .hint { (files.len() - LISTED) " more" } }
            }
        }
    }

    /// Renders the header of a file, above its lines.
    pub(super) fn head(&self, at: usize, row: &Row<'_>, columns: u8) -> Markup {
        let number = self.files.partition_point(|file| file.at <= at).saturating_sub(1);
        let file = self.files.get(number).filter(|file| file.at == at && !file.path.is_empty());
        html! {
            tr .file id={ "file-" (number) } {
                td colspan=(columns) dir="ltr" {
                    @if let Some(file) = file {
                        bdi .pre { (file.name()) } " " (file.counts())
                        label .seen { input type="checkbox" data-seen=(file.path) autocomplete="off"; " Seen" }
                    } @else { (inert_line(row.text)) }
                }
            }
            // A line that names two files, or the file differently, is shown as it is.
            @if file.is_some_and(|file| row.text != format!("diff --git a/{0} b/{0}", file.path)) {
                tr .note { td colspan=(columns) dir="ltr" { (inert_line(row.text)) } }
            }
        }
    }

    /// Returns whether git's line about a file only repeats its header.
    pub(super) fn repeats_head(&self, at: usize, row: &Row<'_>) -> bool {
        let number = self.files.partition_point(|file| file.at <= at).saturating_sub(1);
        let path = self.files.get(number).map_or("", |file| file.path);
        let names = ["--- a/", "+++ b/"].iter().filter_map(|side| row.text.strip_prefix(side));
        row.kind == RowKind::Note
            && !path.is_empty()
            && (row.text.starts_with("index ")
                || matches!(row.text, "--- /dev/null" | "+++ /dev/null")
                || names.into_iter().any(|name| name.split('\t').next() == Some(path)))
    }
}
