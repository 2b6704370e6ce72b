//! The list: a line per decision, and a preview of the selected one.

use holdpoint_core::Timestamp;
use unicode_width::UnicodeWidthStr as _;

use super::style::Style;
use crate::inbox::canvas::{Area, Canvas, Line, Span, TextStyle};
use crate::inbox::card::Card;
use crate::inbox::model::{List, Model};
use crate::inbox::row::Row;
use crate::view_model::wrap::{cut, wrap};
use crate::view_model::{span, wording};

/// The height of a preview, and of the screen that has room for one.
const PREVIEW: u16 = 7;
const ROOM: u16 = 15;
/// How many of its lines a subject may take.
const SUBJECT: usize = 2;

/// How high the list must be to spend a line on what lies beyond its edges.
const EDGES: usize = 4;

/// The width from which a row has room for the asker, and for the kind of decision as well.
const BESIDE: usize = 60;
const WIDE: usize = 72;

/// Draws the list, with a preview of the selected decision below it if there is room.
pub(super) fn draw(frame: &mut Canvas, area: Area, model: &Model, style: Style) {
    let list = &model.list;
    let area = search(frame, area, list);
    if list.found.is_empty() {
        frame.draw(area, nothing(list));
        return;
    }
    let preview = if area.height >= ROOM { PREVIEW } else { 0 };
    lines(frame, Area { height: area.height - preview, ..area }, model, style);
    if preview > 0
        && let Some(row) = list.row()
    {
        let area = Area { y: area.y + area.height - preview, height: preview, ..area };
        let width = usize::from(area.width);
        let mut shown = vec![Line::styled("─".repeat(width), style.faint())];
        shown.extend(about(row, width, usize::from(PREVIEW) - 1, model.now, style));
        frame.draw(area, shown);
    }
}

/// Draws the list alone, beside a card.
pub(super) fn rows(frame: &mut Canvas, model: &Model, style: Style) {
    let area = search(frame, frame.area(), &model.list);
    if model.list.found.is_empty() {
        frame.draw(area, nothing(&model.list));
    } else {
        lines(frame, area, model, style);
    }
}

/// Draws the selected decision beside the list.
pub(super) fn draw_preview(frame: &mut Canvas, model: &Model, style: Style) {
    let area = frame.area();
    if let Some(card) = glance(model) {
        super::card::draw(frame, area, model, card, style);
    } else if let Some(row) = model.list.row() {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        frame.draw(area, about(row, width, height, model.now, style));
    }
}

/// Returns the card beside the list, once the selected decision was read.
fn glance(model: &Model) -> Option<&Card> {
    model.list.glance.as_deref().filter(|card| Some(card.decision.id) == model.list.selected)
}

/// Draws the rows that fit, including the selected one, and shows how many do not.
fn lines(frame: &mut Canvas, area: Area, model: &Model, style: Style) {
    let list = &model.list;
    let (mut height, width) = (usize::from(area.height), usize::from(area.width));
    let has_edges = height >= EDGES && list.found.len() > height;
    height -= usize::from(has_edges);
    let place = list.selected_index().unwrap_or(0);
    let top = list.top.get().min(place).max((place + 1).saturating_sub(height));
    let top = top.min(list.found.len().saturating_sub(height));
    list.top.set(top);
    let shown: Vec<(usize, &Row)> = list
        .found
        .iter()
        .enumerate()
        .skip(top)
        .take(height)
        .filter_map(|(at, row)| Some((at, list.rows.get(*row)?)))
        .collect();
    let due = shown.iter().map(|(_, row)| due(row, model.now).width()).max().unwrap_or(0);
    let mut lines: Vec<Line> = shown
        .into_iter()
        .map(|(at, row)| line(list, row, at == place, (width, due), model.now, style))
        .collect();
    let more = if list.more { "+" } else { "" };
    if has_edges && let Some(edge) = super::edge(top, list.found.len().saturating_sub(top + height), more) {
        lines.push(Line::styled(edge, style.faint()));
    }
    frame.draw(area, lines);
}

/// Returns whether the preview shows the selected decision's whole subject.
pub(crate) fn shows_subject(model: &Model, row: &Row) -> bool {
    if super::has_panes(model)
        && let Some(card) = glance(model)
    {
        return card.reading.seen.get();
    }
    let search = usize::from(is_searched(&model.list));
    let (has_look, width) = if super::has_panes(model) {
        (model.body_height() >= usize::from(PREVIEW), super::right_of(model.size.0))
    } else {
        (model.body_height().saturating_sub(search) >= usize::from(ROOM), model.size.0)
    };
    let fits = |subject: &String| !wrap(subject, usize::from(width), SUBJECT).more;
    has_look && row.subject.as_ref().is_some_and(fits)
}

fn nothing(list: &List) -> String {
    match (list.loaded, list.waiting() == 0) {
        (false, _) => "Looking …".into(),
        (true, true) => "Nothing is waiting for you.\nNew decisions appear here automatically.".into(),
        (true, false) => "No matches. Esc clears the search.".into(),
    }
}

fn is_searched(list: &List) -> bool {
    list.searching || !list.search.text().is_empty()
}

/// Draws the search if there is one; returns the rest of the area.
fn search(frame: &mut Canvas, area: Area, list: &List) -> Area {
    if !is_searched(list) {
        return area;
    }
    let width = usize::from(area.width);
    let words = format!("/ {}", list.search.text());
    frame.draw(area, cut(&words, width));
    if list.searching {
        let column = 2 + list.search.before().width();
        let column = u16::try_from(column).unwrap_or(u16::MAX).min(area.width.saturating_sub(1));
        frame.set_cursor(column, area.y);
    }
    Area { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}

/// Formats the time left.
fn due(row: &Row, now: Timestamp) -> String {
    let left = row.deadline.map(|at| format!(" due {}", span::remaining(at.since(now).as_millis())));
    left.unwrap_or_default()
}

/// Formats a row: its kind, headline and asker, how long it has waited, and the time left.
fn line(
    list: &List,
    row: &Row,
    selected: bool,
    (width, due_width): (usize, usize),
    now: Timestamp,
    style: Style,
) -> Line {
    let age = format!("{:>4}", span::brief(now.since(row.created_at).as_millis().max(0)));
    let mark = match (selected, list.marked.contains(&row.id)) {
        (true, true) => ">x",
        (true, false) => "> ",
        (false, true) => " x",
        (false, false) => "  ",
    };
    // Beside a card, which shows the rest, who asks says more than the kind.
    let source = if width >= WIDE { format!("{:<12}", wording::source(row.source)) } else { String::new() };
    let tags = if row.tags.is_empty() { String::new() } else { format!("[{}] ", row.tags.join(", ")) };
    let asker = if width >= BESIDE { format!(" {:<14}", cut(&row.asker, 14)) } else { String::new() };
    let due = if width >= 40 { format!("{:<due_width$}", due(row, now)) } else { String::new() };
    let votes = row.votes.as_ref().map(|votes| format!(" {votes}")).unwrap_or_default();
    let taken = mark.len() + source.width() + tags.width() + asker.width() + age.width() + due.width() + 1;
    let room = width.saturating_sub(taken + votes.width());
    let title = cut(row.what.as_ref().unwrap_or(&row.title), room);
    let pad = " ".repeat(room.saturating_sub(title.width()));
    let soon = row.deadline.is_some_and(|at| at.since(now).as_millis() < 600_000);
    let look = if selected { style.focus() } else { TextStyle::new() };
    let tag_look = if row.tags.iter().any(|tag| tag == "urgent") { style.bad() } else { style.accent() };
    Line::from(vec![
        Span::styled(mark, style.strong()),
        Span::styled(source, style.accent()),
        Span::styled(tags, tag_look),
        Span::styled(title, look),
        Span::styled(votes, style.accent()),
        Span::raw(pad),
        Span::styled(asker, style.faint()),
        Span::raw(format!(" {age}")),
        Span::styled(due, if soon { style.bad() } else { style.faint() }),
    ])
}

/// Formats a preview: who asks and why, what happens at the deadline, and the options.
fn about(row: &Row, width: usize, height: usize, now: Timestamp, style: Style) -> Vec<Line> {
    let is_said = row.repeats && row.subject.is_some();
    let title = wrap(&row.title, width, 2).lines.into_iter().filter(|_| !is_said);
    let mut lines: Vec<Line> = title.map(|line| Line::styled(line, style.strong())).collect();
    let age = span::spelled_out(now.since(row.created_at).as_millis());
    let same = row.same.as_ref().map(|times| format!(" {}.", wording::capital(times))).unwrap_or_default();
    let mut about = format!("{} Asked {age} ago.{same}", row.about);
    if let Some(at) = row.deadline {
        about = format!("{about} {}.", row.at_deadline.sentence(at.since(now).as_millis()));
    }
    if let Some(progress) = &row.progress {
        about = format!("{about} Votes: {progress}.");
    }
    if let Some(subject) = &row.subject {
        lines.extend(
            wrap(subject, width, SUBJECT).lines.into_iter().map(|line| Line::styled(line, style.accent())),
        );
    }
    let room = height.saturating_sub(lines.len() + 1);
    lines.extend(wrap(&about, width, room).lines.into_iter().map(Line::raw));
    let options: Vec<String> =
        row.options.iter().enumerate().map(|(at, option)| format!("{} {option}", at + 1)).collect();
    let more = if row.option_count > row.options.len() { "   …" } else { "" };
    lines.push(Line::styled(cut(&format!("{}{more}", options.join("   ")), width), style.accent()));
    lines
}
