//! Draws the whole screen from the model, and does nothing else. Only visible lines are created.

mod batch;
mod card;
mod field;
mod help;
mod list;
mod outgoing;
pub(super) mod rounds;
mod sheet;
mod style;
#[cfg(test)]
mod tests;

use holdpoint_core::Timestamp;

use super::canvas::{Area, Canvas, Line};
use super::card::Card;
use super::model::{Colour, Model, Screen, Tone};
use crate::view_model::{wording, wrap};
pub(crate) use list::shows_subject;
use style::Style;

/// Draws everything.
pub(crate) fn draw(frame: &mut Canvas, model: &Model) {
    let area = frame.area();
    let style = Style(model.colour);
    if area.width == 0 || area.height == 0 {
        return;
    }
    let width = usize::from(area.width);
    // One line above, two below, where there is room for them.
    let (above, below) = if area.height >= 6 { (1, 2) } else { (0, 1) };
    let below = below + u16::from(model.tells_outgoing());
    let body = Area { y: area.y + above, height: area.height - above - below, ..area };
    if above > 0 {
        frame.put_bar(area, &wrap::cut(&top(model), width), style.title());
    }
    if model.help {
        help::draw(frame, body, model, style);
    } else if has_panes(model) {
        let mut left = Canvas::new(left_of(area.width), body.height);
        let mut right = Canvas::new(right_of(area.width), body.height);
        list::rows(&mut left, model, style);
        match &model.screen {
            Screen::Card(open) => {
                let area = right.area();
                card::draw(&mut right, area, model, open, style);
            }
            Screen::Opening(id) => right.draw(right.area(), format!("Opening {id} …")),
            _ => list::draw_preview(&mut right, model, style),
        }
        frame.put_beside(body, left, right, style.faint());
    } else {
        match &model.screen {
            Screen::List => list::draw(frame, body, model, style),
            Screen::Opening(id) => frame.draw(body, format!("Opening {id} …")),
            Screen::Gathering => frame.draw(body, "Reading what is marked …"),
            Screen::Batch(open) => batch::draw(frame, body, open, style),
            Screen::Card(open) => card::draw(frame, body, model, open, style),
        }
    }
    let foot = |at: u16| Area { y: area.y + area.height - below + at, height: 1, ..area };
    if model.tells_outgoing() {
        frame.draw(foot(0), outgoing::line(&model.outgoing, width, model.now, style));
    }
    frame.draw(foot(u16::from(model.tells_outgoing())), status_line(model, width, style));
    if below > 1 {
        let keys = Line::styled(wrap::cut(&help::keys(model), width), style.faint());
        frame.draw(foot(below - 1), keys);
    }
}

/// The minimum width for panes: the list beside the card.
const PANES: u16 = 120;

/// Returns whether the list is shown beside the card; a pager has the screen to itself.
pub(crate) fn has_panes(model: &Model) -> bool {
    let is_beside = match &model.screen {
        Screen::List | Screen::Opening(_) => !model.list.found.is_empty(),
        Screen::Card(card) => card.pager.is_none(),
        Screen::Gathering | Screen::Batch(_) => false,
    };
    model.size.0 >= PANES && is_beside
}

/// Returns the width of the list in the panes.
fn left_of(width: u16) -> u16 {
    width.min(200) * 2 / 5
}

fn right_of(width: u16) -> u16 {
    width.saturating_sub(left_of(width) + 2)
}

/// Describes what lies above and below the visible part; none if it is complete.
fn edge(above: usize, below: usize, more: &str) -> Option<String> {
    match (above, below) {
        (0, 0) => None,
        (0, below) => Some(format!("↓ {below}{more} more below")),
        (above, 0) => Some(format!("↑ {above} more above")),
        (above, below) => Some(format!("↑ {above} more above  ↓ {below}{more} more below")),
    }
}

/// Formats a card as plain text, for the line mode.
pub(crate) fn as_text(card: &Card, now: Timestamp) -> String {
    const LINE: usize = 78;
    const FOLD: usize = 60;
    let mut sheet = card::sheet(card, LINE, FOLD, now, Style(Colour::No));
    let all = 0..sheet.lines.len();
    sheet.fill(card, &all);
    sheet.lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Returns the top line: the current location.
fn top(model: &Model) -> String {
    let list = &model.list;
    let more = if list.more { "+" } else { "" };
    match &model.screen {
        Screen::Card(card) => {
            if let Some(pager) = &card.pager {
                return pager.title.clone();
            }
            let mut waiting = list.rows.iter().filter(|row| !list.hidden.contains(&row.id));
            let place = waiting.position(|row| row.id == card.decision.id);
            let place = place.map(|at| format!(" · {} of {}{more}", at + 1, list.waiting()));
            // The row has it already: computing it for a large subject at every drawing would take too long.
            let row = list.rows.iter().find(|row| row.id == card.decision.id);
            let title = row
                .map_or_else(|| wording::title(&card.decision, 80), |row| wording::short(&row.headline, 80));
            format!("Inbox{} · {title}", place.unwrap_or_default())
        }
        Screen::Batch(batch) => batch.pager.title.clone(),
        Screen::List if !list.marked.is_empty() => format!("Inbox · {} marked", list.marked.len()),
        Screen::List | Screen::Opening(_) | Screen::Gathering => {
            let sought = list.search.text().trim();
            match (list.loaded, list.pending(), sought.is_empty()) {
                (false, ..) => "Inbox".to_owned(),
                (true, 1, true) => "Inbox · 1 pending decision".to_owned(),
                (true, count, true) => format!("Inbox · {count}{more} pending decisions"),
                (true, ..) => {
                    format!("Inbox · {} of {}{more} match", list.found.len(), list.waiting())
                }
            }
        }
    }
}

/// Returns the message line.
fn status_line(model: &Model, width: usize, style: Style) -> Line {
    if let Some(why) = &model.lost {
        return Line::styled(wrap::cut(&format!("! {why}; trying again"), width), style.bad());
    }
    if model.leaving {
        return Line::raw("Sending … q leaves at once.");
    }
    match &model.notice {
        Some(notice) => {
            let (mark, style) = match notice.tone {
                Tone::Good => ("✓ ", style.good()),
                Tone::Bad => ("! ", style.bad()),
                Tone::Plain => ("• ", style.strong()),
            };
            Line::styled(wrap::cut(&format!("{mark}{}", notice.text), width), style)
        }
        None if model.outgoing.is_sending() => Line::raw("Sending …"),
        None => Line::default(),
    }
}
