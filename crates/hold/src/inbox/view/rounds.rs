//! Earlier rounds: what was asked for, and what changed.

use std::fmt::Write as _;

use holdpoint_core::text::{inert, inert_line};

use super::sheet::Sheet;
use crate::inbox::canvas::Line;
use crate::inbox::card::Card;
use crate::inbox::pager::Pager;
use crate::view_model::compare::LineChange;
use crate::view_model::rounds::{LINES, Round};
use crate::view_model::wording;
use crate::view_model::wrap::cut;

/// Puts the last round on a sheet: the request, and the first of the changes.
pub(super) fn draw_rounds(sheet: &mut Sheet, card: &Card, most: usize) {
    let Some(round) = card.rounds.first() else { return };
    sheet.gap();
    let look = sheet.style.strong();
    sheet.push_text(0, &format!("Changes since round {} (d shows all)", round.iteration), look);
    let by = wording::short(&round.by, 40);
    sheet.agent(2, &format!("{by} asked for: {}", round.guidance), 3, "d shows all of it");
    if is_unchanged(round) {
        let look = sheet.style.faint();
        sheet.push_text(2, "Nothing was changed yet.", look);
        return;
    }
    let changes = round.changes.iter().filter(|(tag, _)| *tag != LineChange::Same);
    for (tag, line) in changes.take(most) {
        let look = if *tag == LineChange::Added { sheet.style.good() } else { sheet.style.bad() };
        let room = sheet.width.saturating_sub(4);
        let line = format!("  {} {}", tag.sign(), cut(&inert_line(line), room));
        sheet.lines.push(Line::styled(line, look));
    }
}

/// Returns all earlier rounds as a text.
pub(crate) fn in_full(card: &Card) -> Option<Pager> {
    if card.rounds.is_empty() {
        return None;
    }
    let mut text = String::new();
    for round in &card.rounds {
        let by = inert_line(&round.by);
        let _ = writeln!(text, "Round {} ({})\n{by} asked for:", round.iteration, round.id);
        let _ = writeln!(text, "{}\n", inert(&round.guidance));
        if is_unchanged(round) {
            let _ = writeln!(text, "Nothing was changed yet.\n");
            continue;
        }
        let _ = writeln!(text, "What changed after it:");
        for (tag, line) in round.changes.iter().take(LINES) {
            let _ = writeln!(text, "{} {line}", tag.sign());
        }
        let more = if round.changes.len() > LINES { "…\n" } else { "" };
        let _ = writeln!(text, "{more}");
    }
    Some(Pager::new("Earlier rounds", text))
}

fn is_unchanged(round: &Round) -> bool {
    round.changes.iter().all(|(tag, _)| *tag == LineChange::Same)
}
