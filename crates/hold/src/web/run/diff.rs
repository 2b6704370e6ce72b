//! The change itself: a page of its lines, coloured, with their comments.

use holdpoint_core::run::{Comment, PatchSet};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Run};
use maud::{Markup, html};

use super::files::{self, FileOfChange};
use super::gap::{self, Gap};
use super::params::RunPageParams;
use crate::view_model::diff::{self, Row, RowKind};
use crate::view_model::syntax::{self, Language, Token};
use crate::web::visitor::Visitor;

/// How many lines the first page has, which is rendered at once: a screenful and some to scroll.
const FIRST: usize = 60;
/// How many lines each further page has; these load while scrolling.
const LINES: usize = 500;

/// The input for rendering lines.
pub(super) struct DiffView<'a> {
    run: &'a Run,
    /// None if a commit is reverted.
    patchset: Option<&'a PatchSet>,
    params: &'a RunPageParams,
    visitor: &'a Visitor,
    /// The decision that asks for the verdict, if there is one.
    pending: Option<&'a Decision>,
    /// All rows of the change.
    rows: &'a [Row<'a>],
    pub(super) files: Vec<FileOfChange<'a>>,
    /// Whether comments are possible: a comparison of two patch sets has no lines of its own.
    open: bool,
}

/// A row with its index among all rows.
type IndexedRow<'a> = (usize, Row<'a>);

pub(super) fn changes(
    text: &str,
    run: &Run,
    patchset: Option<&PatchSet>,
    params: &RunPageParams,
    visitor: &Visitor,
    pending: Option<&Decision>,
) -> Markup {
    let rows = diff::rows(text);
    let pages = pages(rows.len());
    let page = params.page.min(pages);
    let (first, end) = page_bounds(page, rows.len());
    let shown = &rows[first..end];
    let open = params.against.is_none() && run.verdict.is_none() && patchset.is_some();
    let files = files::of(&rows, &diff::files(&rows), patchset);
    let sheet = DiffView { run, patchset, params, visitor, pending, rows: &rows, files, open };
    let digest = patchset.map(|patchset| patchset.artifact.sha256.as_str());
    let link = |to: usize| RunPageParams { page: to, say: None, ..*params }.address(run);
    let at = |place: usize| (first + place, shown[place]);
    html! {
        @if shown.is_empty() { p .hint { "No differences." } }
        @if !sheet.files.is_empty() { (sheet.list()) }
        div .diff tabindex="0" role="region" aria-label="The change" data-digest=[digest] {
            table {
                (columns(params.split))
                tbody {
                @if params.split {
                    @for (left, right) in diff::sides(shown) { (sheet.side_by_side(left.map(at), right.map(at))) }
                } @else {
                    @for place in 0..shown.len() { (sheet.below(at(place))) }
                }
                }
            }
            @if page < pages { p .more { a href=(link(page + 1)) data-more data-left=(rows.len() - end) { "More: page " (page + 1) " of " (pages) } } }
        }
        @if pages > 1 {
            nav aria-label="Pages of the change" {
                p { @if page > 1 { a href=(link(page - 1)) { "← Before" } " " }
                    "Page " (page) " of " (pages)
                    @if page < pages { " " a href=(link(page + 1)) { "On →" } } }
            }
        }
    }
}

/// Renders the columns of a change.
pub(super) fn columns(split: bool) -> Markup {
    html! { colgroup { col .n; @if split { col; col .n; } @else { col .n; } col; } }
}

/// Returns the number of pages for this many lines.
fn pages(lines: usize) -> usize {
    1 + lines.saturating_sub(FIRST).div_ceil(LINES)
}

/// Returns the range of lines on a page.
fn page_bounds(page: usize, lines: usize) -> (usize, usize) {
    let end = |page: usize| match page {
        0 => 0,
        page => (FIRST + (page - 1) * LINES).min(lines),
    };
    (end(page.saturating_sub(1)), end(page))
}

impl<'a> DiffView<'a> {
    /// Creates the input for rendering lines around a change; these cannot be commented on.
    pub(super) fn of_context(
        run: &'a Run,
        patchset: &'a PatchSet,
        params: &'a RunPageParams,
        visitor: &'a Visitor,
        path: &'a str,
    ) -> Self {
        let files = files::of(&[], &[(0, path)], Some(patchset));
        Self { run, patchset: Some(patchset), params, visitor, pending: None, rows: &[], files, open: false }
    }
}

impl DiffView<'_> {
    /// Renders an unchanged line, in the current view.
    pub(super) fn line(&self, row: Row<'_>) -> Markup {
        if self.params.split {
            self.side_by_side(Some((0, row)), Some((0, row)))
        } else {
            self.below((0, row))
        }
    }

    /// Returns the address of a file's first line, on this page or another.
    pub(super) fn address_of(&self, number: usize, at: usize) -> String {
        let (first, end) = page_bounds(self.params.page, self.rows.len());
        if (first..end).contains(&at) {
            return format!("#file-{number}");
        }
        let page = (1..=pages(self.rows.len())).find(|page| page_bounds(*page, self.rows.len()).1 > at);
        let there = RunPageParams { page: page.unwrap_or(1), say: None, ..*self.params };
        format!("{}#file-{number}", there.page_of(self.run))
    }

    /// Renders the link to omitted lines.
    pub(super) fn gap(&self, gap: Gap, path: &str) -> Markup {
        html! {
            tr .context { td colspan=(self.width()) {
                a href=(gap.address(self.run, self.params, path)) rel="nofollow" data-context { (gap.label()) }
            } }
        }
    }

    fn gap_at(&self, at: usize) -> Markup {
        let path = at.checked_sub(1).map_or("", |before| self.path(before));
        let readable = self.params.against.is_none()
            && self.patchset.is_some_and(|patchset| gap::file(patchset, path).is_some());
        html! { @if let Some(gap) = Gap::at(self.rows, at).filter(|_| readable) { (self.gap(gap, path)) } }
    }

    /// Returns the number of columns.
    fn width(&self) -> u8 {
        if self.params.split { 4 } else { 3 }
    }

    /// Returns the file that a row belongs to.
    fn path(&self, at: usize) -> &str {
        let number = self.files.partition_point(|file| file.at <= at);
        number.checked_sub(1).map_or("", |number| self.files[number].path)
    }

    /// Renders a row that is not a line of a file.
    fn heading(&self, (at, row): IndexedRow<'_>) -> Markup {
        match row.kind {
            RowKind::File => self.head(at, &row, self.width()),
            _ if self.repeats_head(at, &row) => html! {},
            _ => html! {
                @if row.kind == RowKind::Place { (self.gap_at(at)) }
                tr class=(class(row.kind)) { td colspan=(self.width()) dir="ltr" { (inert_line(row.text)) } }
            },
        }
    }

    /// Renders what follows the last row of a file.
    fn end(&self, at: usize) -> Markup {
        let is_last = self.rows.get(at + 1).is_none_or(|next| next.kind == RowKind::File);
        html! { @if is_last && !self.rows.is_empty() { (self.gap_at(at + 1)) } }
    }

    fn below(&self, (at, row): IndexedRow<'_>) -> Markup {
        if is_heading(row.kind) {
            return self.heading((at, row));
        }
        let path = self.path(at);
        html! {
            tr class=(class(row.kind)) data-at=[self.open.then_some(at)] {
                td .n { (self.number(at, path, row.old.filter(|_| row.new.is_none()), row.old)) }
                td .n { (self.number(at, path, row.new, row.new)) }
                td dir="ltr" { (sign(row.kind)) (coloured(syntax::language(path), row.text)) }
            }
            (self.line_comments(at, path, &row, 3))
            (self.end(at))
        }
    }

    fn side_by_side(&self, left: Option<IndexedRow<'_>>, right: Option<IndexedRow<'_>>) -> Markup {
        if let Some(heading) = left.filter(|(_, row)| is_heading(row.kind)) {
            return self.heading(heading);
        }
        let side = |it: Option<IndexedRow<'_>>, old: bool| {
            let Some((at, row)) = it else { return html! { td .n {} td .none {} } };
            let path = self.path(at);
            let number = if old { row.old } else { row.new };
            // Comments on an unchanged line use its number after the change.
            let spoken = number.filter(|_| !old || row.new.is_none());
            html! {
                td .n { (self.number(at, path, spoken, number)) }
                td class=(class(row.kind)) dir="ltr" { (sign(row.kind)) (coloured(syntax::language(path), row.text)) }
            }
        };
        let said = |it: Option<IndexedRow<'_>>| {
            html! { @if let Some((at, row)) = it { (self.line_comments(at, self.path(at), &row, 4)) } }
        };
        let same = left.zip(right).is_some_and(|((one, _), (other, _))| one == other);
        html! {
            tr data-at=[right.or(left).filter(|_| self.open).map(|(at, _)| at)] { (side(left, true)) (side(right, false)) }
            @if !same { (said(left)) }
            (said(right))
            @if let Some((at, _)) = left.into_iter().chain(right).max_by_key(|(at, _)| *at) { (self.end(at)) }
        }
    }

    /// Renders the number of a line, as a link if the line can be commented on.
    fn number(&self, at: usize, path: &str, spoken: Option<u32>, number: Option<u32>) -> Markup {
        let Some(n) = number else { return html! {} };
        if !self.open || spoken.is_none() || path.is_empty() {
            return html! { (n) };
        }
        let address = RunPageParams { say: Some(at), ..*self.params }.address(self.run);
        html! { a href=(address) rel="nofollow" aria-label={ "Comment on line " (n) } { (n) } }
    }

    /// Renders the comments on a line, and the form for a new one if requested.
    fn line_comments(&self, at: usize, path: &str, row: &Row<'_>, columns: u8) -> Markup {
        let (line, before) = match (row.new, row.old) {
            (Some(line), _) => (line, false),
            (None, Some(line)) => (line, true),
            (None, None) => return html! {},
        };
        let fits = |it: &&Comment| {
            Some(it.patchset) == self.patchset.map(|patchset| patchset.id)
                && it.path == path
                && it.line == line
                && it.before == before
        };
        let here = if self.params.against.is_none() { self.run.comments.as_slice() } else { &[] };
        html! {
            @for comment in here.iter().filter(fits) {
                tr .remark { td colspan=(columns) { strong { bdi { (inert_line(&comment.created_by)) } } ": " span .pre dir="auto" { (inert(&comment.text)) } } }
            }
            @if self.open && self.params.say == Some(at) && !path.is_empty() {
                tr .remark #say-here { td colspan=(columns) {
                    form method="post" action={ "/runs/" (self.run.id) "/comments" } {
                        (self.visitor.token())
                        input type="hidden" name="patchset" value=(self.patchset.map_or(0, PatchSet::number));
                        input type="hidden" name="path" value=(path);
                        input type="hidden" name="line" value=(line);
                        @if before { input type="hidden" name="before" value="1"; }
                        input type="hidden" name="back" value=(RunPageParams { say: None, ..*self.params }.address(self.run));
                        label for="remark" { "About line " (line) " of " bdi { (inert_line(path)) } }
                        textarea #remark name="text" rows="3" required autofocus {}
                        @if let Some(decision) = self.pending { input type="hidden" name="digest" value=(decision.digest); }
                        p { button type="submit" data-send-here { "Save comment" } " "
                            @if self.pending.is_some() {
                                button .plain type="submit" formaction={ "/runs/" (self.run.id) "/retry" } { "Save and retry" } " "
                            }
                            a .button.plain href=(RunPageParams { say: None, ..*self.params }.address(self.run)) { "Cancel" } }
                    }
                } }
            }
        }
    }
}

fn is_heading(kind: RowKind) -> bool {
    matches!(kind, RowKind::File | RowKind::Note | RowKind::Place)
}

fn class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::File => "file",
        RowKind::Note => "note",
        RowKind::Place => "place",
        RowKind::Same => "same",
        RowKind::Added => "added",
        RowKind::Deleted => "deleted",
    }
}

/// Returns the sign of a line, so that its kind is visible without colours.
fn sign(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Added => "+",
        RowKind::Deleted => "−",
        _ => " ",
    }
}

fn coloured(language: Option<&Language>, line: &str) -> Markup {
    html! {
        @for (token, text) in syntax::tokens(language, line) {
            @match token {
                Token::Plain => (inert(text)),
                Token::Word => span .tw { (inert(text)) },
                Token::Text => span .tt { (inert(text)) },
                Token::Note => span .tn { (inert(text)) },
                Token::Number => span .td { (inert(text)) },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_on_one_page() {
        for lines in [0, 1, FIRST - 1, FIRST, FIRST + 1, FIRST + LINES, FIRST + LINES + 1, 20_000] {
            let mut next = 0;
            for page in 1..=pages(lines) {
                let (first, end) = page_bounds(page, lines);
                assert_eq!(first, next, "page {page} of {lines} lines");
                assert!(end > first || lines == 0, "page {page} of {lines} lines");
                next = end;
            }
            assert_eq!(next, lines);
        }
    }
}
