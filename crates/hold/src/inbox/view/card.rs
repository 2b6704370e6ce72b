//! A card: all that is needed to decide, and the form to answer with.

use std::ops::Range;

use holdpoint_core::decision::number;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::thread::sender;

use super::sheet::Sheet;
use super::style::Style;
use super::{field, rounds};
use crate::inbox::canvas::{Area, Canvas, Line};
use crate::inbox::card::{Card, EditTarget, FocusItem, LongText};
use crate::inbox::model::Model;
use crate::inbox::pager::Pager;
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::{identical, rank, read_form, remarks, span, vote_progress, warnings, wording};

/// How high a card must be to spend a line on what lies beyond its edges.
const EDGES: usize = 6;

pub(super) fn draw(frame: &mut Canvas, area: Area, model: &Model, card: &Card, style: Style) {
    if let Some(pager) = &card.pager {
        let (shown, count) = in_full(frame, area, pager, style);
        if card.subject.as_ref().is_some_and(|subject| subject.title == pager.title) {
            card.reading.show(shown, count);
        }
        return;
    }
    let mut area = area;
    if let Some(why) = &card.blocked {
        let banner = crate::view_model::wrap::wrap(&format!("! {why}"), usize::from(area.width), 4).lines;
        let height = u16::try_from(banner.len()).unwrap_or(1).min(area.height);
        let lines: Vec<Line> = banner.into_iter().map(|line| Line::styled(line, style.bad())).collect();
        frame.draw(Area { height, ..area }, lines);
        area = Area { y: area.y + height, height: area.height - height, ..area };
    }
    let mut height = usize::from(area.height);
    let mut sheet = sheet(card, usize::from(area.width), height, model.now, style);
    // If not all of it fits, the last line shows how much is missing.
    let has_edges = height >= EDGES && sheet.lines.len() > height;
    height -= usize::from(has_edges);
    let top = scroll_offset(card, &sheet, height);
    sheet.fill(card, &(top..top + height));
    note_reading(card, &sheet, top, height);
    let below = sheet.lines.len().saturating_sub(top + height);
    let mut seen: Vec<Line> = sheet.lines.into_iter().skip(top).take(height).collect();
    if has_edges && let Some(edge) = super::edge(top, below, "") {
        seen.push(Line::styled(edge, style.faint()));
    }
    frame.draw(area, seen);
    if let Some((line, column)) = sheet.cursor
        && (top..top + height).contains(&line)
    {
        let column = u16::try_from(column).unwrap_or(u16::MAX).min(area.width.saturating_sub(1));
        let line = u16::try_from(line - top).unwrap_or_default();
        frame.set_cursor(column, area.y + line);
    }
}

/// Returns the first line on the screen: as scrolled, or such that the focus is visible.
fn scroll_offset(card: &Card, sheet: &Sheet, height: usize) -> usize {
    let most = sheet.lines.len().saturating_sub(height);
    let mut top = card.top.get();
    let focus = sheet.cursor.map(|(line, _)| (line, line)).or(sheet.focus);
    if let Some((first, last)) = focus.filter(|_| card.follows) {
        // A long item is shown from its start.
        top = top.max((last + 2).saturating_sub(height)).min(first.saturating_sub(usize::from(first > 0)));
    }
    let top = top.min(most);
    card.top.set(top);
    card.height.set(sheet.lines.len());
    card.focus_seen.set(focus.is_some_and(|(first, _)| (top..top + height).contains(&first)));
    top
}

/// Notes how much of the subject has been on the screen. Moving to a control scrolls, but is not reading.
fn note_reading(card: &Card, sheet: &Sheet, top: usize, height: usize) {
    let Some(placed) = sheet.long.iter().find(|placed| placed.which == LongText::Subject) else { return };
    card.subject_at.set(placed.range.start);
    let (start, count) = (placed.range.start, placed.range.len());
    let shown = top.saturating_sub(start)..(top + height).saturating_sub(start).min(count);
    let is_whole = top <= start && shown.end == count;
    if is_whole || !card.follows || shown.end < count {
        card.reading.show(shown, count);
    }
}

/// Draws a pager; returns which lines it shows, of how many.
fn in_full(frame: &mut Canvas, area: Area, pager: &Pager, style: Style) -> (Range<usize>, usize) {
    let (height, width) = (usize::from(area.height).saturating_sub(1), usize::from(area.width));
    let (lines, top, count) = pager.page(width, height.max(1));
    let last = top + lines.len();
    let mut shown: Vec<Line> = lines
        .into_iter()
        .map(|line| {
            let look = style.of_change(&line);
            Line::styled(line, look)
        })
        .collect();
    shown.truncate(height);
    frame.draw(area, shown);
    let foot = Line::styled(format!("lines {}–{last} of {count}", top + 1), style.faint());
    let at = Area { y: area.y + area.height.saturating_sub(1), height: 1, ..area };
    frame.draw(at, foot);
    (top..last, count)
}

/// Puts a card on a sheet.
pub(super) fn sheet(card: &Card, width: usize, height: usize, now: Timestamp, style: Style) -> Sheet {
    let decision = &card.decision;
    let mut sheet = Sheet::new(width, style);
    head(&mut sheet, card, now);
    if let Some(guidance) = &decision.guidance {
        let rounds = format!("Round {} of {}. ", decision.iteration, decision.max_iterations);
        sheet.gap();
        sheet.agent(0, &format!("{rounds}Changes requested: {guidance}"), 4, "d shows all of it");
    }
    if let Some(subject) = &card.subject {
        sheet.gap();
        sheet.push_text(0, &subject.title, style.strong());
        sheet.long(2, LongText::Subject, subject);
    }
    if let Some(prompt) = &card.prompt {
        sheet.gap();
        // Indented, so that none of its lines can be taken for one of ours.
        sheet.long(2, LongText::Prompt, prompt);
    }
    for warning in warnings::all(decision) {
        sheet.gap();
        sheet.agent(0, &format!("Warning: {warning}"), 4, "hold show has all of it");
    }
    for (by, remark) in remarks::lines(decision) {
        sheet.gap();
        let said = format!("{by} remarks: {remark} ({})", remarks::UNCHECKED);
        sheet.agent(0, &said, 6, "hold show has all of it");
    }
    reports(&mut sheet, decision, now);
    rounds::draw_rounds(&mut sheet, card, (height / 4).max(3));
    if decision.status == Status::Pending {
        form(&mut sheet, card, now);
    }
    sheet
}

/// Puts the newest reports of other parties on a sheet; `hold show` has them in full.
fn reports(sheet: &mut Sheet, decision: &Decision, now: Timestamp) {
    const SHOWN: usize = 3;
    let (style, first) = (sheet.style, decision.reports.len().saturating_sub(SHOWN));
    if !decision.reports.is_empty() {
        sheet.gap();
    }
    for report in &decision.reports[first..] {
        let result = report.content.get(&report.message).and_then(|body| body.get("result"));
        let result = result
            .and_then(|result| result.as_str())
            .map(|result| format!(": {}", wording::short(result, 80)));
        let (by, ago) = (
            sender(&report.by, report.actor.as_deref()),
            span::spelled_out(now.since(report.at).as_millis()),
        );
        let what = format!("{}{}", wording::short(&report.message, 80), result.unwrap_or_default());
        sheet.push_text(
            0,
            &format!("{what}, says {by} {ago} ago. Nobody here has checked it."),
            style.warn(),
        );
        if report.approved == Some(false) {
            sheet.push_text(0, "! Done without approval.", style.bad());
        }
    }
}

fn head(sheet: &mut Sheet, card: &Card, now: Timestamp) {
    let (decision, style) = (&card.decision, sheet.style);
    let shown = crate::view_model::wrap::wrap(&wording::title(decision, 300), sheet.width, 3);
    // The subject below says as much as a title like `Bash`.
    let repeats = wording::repeats_subject(decision);
    let title = shown.lines.into_iter().filter(|_| !repeats);
    sheet.lines.extend(title.map(|line| Line::styled(line, style.strong())));
    if shown.more || decision.title.as_deref().is_some_and(|title| title.chars().nth(300).is_some()) {
        sheet.push_text(0, "… p shows the whole title", style.faint());
    }
    let mut tags = vec![wording::source(decision.source).to_owned()];
    tags.extend(wording::priority(decision.priority).map(str::to_owned));
    if decision.iteration > 1 {
        tags.push(format!("Round {} of {}", decision.iteration, decision.max_iterations));
    }
    let age = span::spelled_out(now.since(decision.created_at).as_millis());
    let of = if decision.assignees.is_empty() {
        String::new()
    } else {
        format!(", of {}", wording::short(&decision.assignees.join(", "), 200))
    };
    sheet.push_text(
        0,
        &format!(
            "{}: {} Asked {age} ago{of}.",
            tags.join(", "),
            wording::about(decision, card.owner_name.as_deref())
        ),
        style.accent(),
    );
    if let Some(times) = identical::same_question_note(decision, &card.same, now) {
        sheet.push_text(0, &format!("{}. Your answer goes to all.", wording::capital(&times)), style.warn());
    }
    if let Some(again) = &card.again {
        let key = match &card.edit {
            _ if again.numbers.is_empty() => "",
            Some(_) => " Esc, then 0 picks it again.",
            None => " 0 picks it again.",
        };
        sheet.push_text(0, &format!("{}: {}.{key}", again.when(now), again.what), style.warn());
    }
    if let Some(votes) = vote_progress::on_card(decision, now) {
        sheet.push_text(0, &votes, style.warn());
    }
    if let Some(warning) = warnings::no_way_to_refuse(decision) {
        sheet.push_text(0, warning, style.warn());
    }
    if let Some(deadline) = decision.deadline.filter(|_| decision.status == Status::Pending) {
        let left = deadline.since(now).as_millis();
        let (mark, look) =
            if rank::is_due_soon(decision, now) { ("! ", style.bad()) } else { ("", style.warn()) };
        let words = format!("{mark}{}.", card.at_deadline.sentence(left));
        sheet.push_text(0, &words, look);
    }
}

fn form(sheet: &mut Sheet, card: &Card, now: Timestamp) {
    let (decision, style) = (&card.decision, sheet.style);
    for asked in read_form::asked(decision, &card.filled, now) {
        field::draw_field(sheet, card, asked, now);
    }
    sheet.gap();
    let here = |item: &FocusItem| card.focus.as_ref() == Some(item);
    let editor =
        |target: &EditTarget| card.edit.as_ref().filter(|(at, _)| at == target).map(|(_, editor)| editor);
    sheet.input(here(&FocusItem::Message), "Message (m):", &card.message, editor(&EditTarget::Message), 4);
    if !read_form::sends(decision) {
        let name = "[ Send answer ]";
        sheet.item(here(&FocusItem::Send), name, "");
    }
    match guide::of(decision) {
        ChangeRequest::No => {}
        ChangeRequest::LastRound => sheet.push_text(2, guide::LAST_ROUND, style.faint()),
        ChangeRequest::Takes(note) => {
            let label = "Request changes (g):";
            sheet.input(here(&FocusItem::Guidance), label, &card.guidance, editor(&EditTarget::Guidance), 6);
            sheet.fault(card.fault("guidance"));
            sheet.push_text(4, &note, style.faint());
            if !card.guidance.is_empty() {
                sheet.item(here(&FocusItem::Guide), "[ Request changes ]", "");
            }
        }
    }
    outs(sheet, card);
}

fn outs(sheet: &mut Sheet, card: &Card) {
    let (decision, style) = (&card.decision, sheet.style);
    if decision.outs.is_empty() {
        return;
    }
    sheet.gap();
    sheet.push_text(0, "Instead of answering:", style.strong());
    for (at, out) in decision.outs.iter().enumerate() {
        let name = format!("{}{}", field::number(number::of_out(decision, at)), inert_line(&out.label));
        sheet.item(card.focus == Some(FocusItem::Out(at)), &name, "");
        if let Some(effect) = wording::explained(decision, out) {
            sheet.push_text(6, effect, style.faint());
        }
        if let Some(description) = &out.description {
            sheet.agent(6, description, 2, "");
        }
    }
}
