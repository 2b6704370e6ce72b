//! Several decisions that get one answer: all of them, and the possible answers.

use super::style::Style;
use crate::inbox::batch::{Batch, Stage};
use crate::inbox::canvas::{Area, Canvas, Line};
use crate::view_model::wrap::cut;

pub(super) fn draw(frame: &mut Canvas, area: Area, batch: &Batch, style: Style) {
    let width = usize::from(area.width);
    let offers = if batch.stage == Stage::Done { Vec::new() } else { offers(batch, width, style) };
    let below = u16::try_from(offers.len() + 1).unwrap_or(area.height).min(area.height / 2);
    let text = Area { height: area.height - below, ..area };
    let (lines, top, count) = batch.pager.page(width, usize::from(text.height));
    let shown = lines.len();
    batch.drawn(top, shown, count);
    frame.draw(text, lines.join("\n"));
    let left = count - top - shown;
    let rule = match left {
        0 => "─".repeat(width),
        left => cut(&format!("── {left} more lines (PgDn) {}", "─".repeat(width)), width),
    };
    let mut foot = vec![Line::styled(rule, style.faint())];
    foot.extend(offers);
    frame.draw(Area { y: area.y + text.height, height: below, ..area }, foot);
}

fn offers(batch: &Batch, width: usize, style: Style) -> Vec<Line> {
    let all = batch.marked.len();
    let line = |(at, (offer, count)): (usize, &(crate::view_model::bulk_answer::AnswerChoice, usize))| {
        let here = if batch.picked == Some(at) { ">" } else { " " };
        let refuses = if offer.refuses { " (refuses)" } else { "" };
        let some = if *count < all { format!("  {count} of {all}") } else { String::new() };
        let label = holdpoint_core::text::inert_line(&offer.label);
        let words = cut(&format!("{here} {} {label}{refuses}{some}", at + 1), width);
        Line::styled(words, if batch.picked == Some(at) { style.focus() } else { style.accent() })
    };
    batch.offers.iter().enumerate().map(line).collect()
}
