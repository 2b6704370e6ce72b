//! Lines around a change that the diff omits, read from its base on request.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use holdpoint_core::Refusal;
use maud::html;

use super::diff::{DiffView, columns};
use super::gap::{Gap, file};
use super::params::RunPageParams;
use crate::http::app::App;
use crate::view_model::diff::{Row, RowKind};
use crate::web::error::Reply;
use crate::web::page::{NavItem, Page};
use crate::web::visitor::Visitor;

pub(in crate::web) async fn lines(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    uri: Uri,
) -> Reply {
    let run = app.engine.find_run(&visitor.caller, &id).await?;
    let query = uri.query().unwrap_or_default();
    let params = RunPageParams::read(query, &run);
    let absent = || Refusal::Absent("this run has no such lines".to_owned());
    let (gap, path) = Gap::read(query).ok_or_else(absent)?;
    let patchset = params.patchset.checked_sub(1).and_then(|at| run.patchsets.get(at)).ok_or_else(absent)?;
    let touched = file(patchset, &path).ok_or_else(absent)?;
    let before = touched.from.as_deref().unwrap_or(&touched.path);
    let text = app.engine.file_before(&run, patchset, before).await?;
    let all: Vec<&str> = text.lines().collect();
    let (shown, rest) = gap.next(u32::try_from(all.len()).unwrap_or(u32::MAX));
    let row = |old: u32| {
        let new = u32::try_from(i64::from(old) + gap.shift).ok()?;
        let text = *all.get(usize::try_from(old).ok()?.checked_sub(1)?)?;
        Some(Row { kind: RowKind::Same, old: Some(old), new: Some(new), text })
    };
    let rows: Vec<Row<'_>> = shown.filter_map(row).collect();
    let sheet = DiffView::of_context(&run, patchset, &params, &visitor, &path);
    let more = rest.map(|rest| sheet.gap(rest, &path));
    let main = html! {
        p { a href=(params.address(&run)) { "← The change" } }
        div .diff {
            table {
                (columns(params.split))
                tbody {
                    @if gap.last.is_some() { @if let Some(more) = &more { (more) } }
                    @for row in &rows { (sheet.line(*row)) }
                    @if gap.last.is_none() { @if let Some(more) = &more { (more) } }
                }
            }
        }
    };
    let page = Page { title: &path, nav: NavItem::Elsewhere, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}
