//! The keys: all of them in the help, the useful ones at the foot of the screen.

use super::style::Style;
use crate::inbox::canvas::{Area, Canvas, Line};
use crate::inbox::card::{BoxHeight, Card, EditTarget};
use crate::inbox::model::{Model, Screen};
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::wrap;

/// Shown instead of the keys while none of them acts.
const JUST_APPEARED: &str = "just appeared …";

const ALL: &str = "\
j k ↓ ↑     move; Tab goes from field to field
Enter       opens; on a card picks, types, or sends what is picked
1 … 9       pick an option; from the list, open with it picked
Space 0     pick or unpick; 0: repeat your last answer
x X * t z   mark / to here / all; take; snooze
g           request changes
m           write a message to go with the answer
s p i       in full: the subject, what the agent says; ids and raw data
a           suggested rules
C           approve unread (recorded)
U           undo the last answer
] [         next / previous file
d           earlier rounds and what changed
+ - ← → &   quantity, variant, add variant
/ v         search; the next of your saved views
u Esc       go back; in a text box: leave it, keeping the text
Ctrl-S      sends from a text box (also Alt-Enter)
PgUp PgDn   turn pages
r           show the new version
q           quit (from the list)
?           this help";

pub(super) fn draw(frame: &mut Canvas, area: Area, _: &Model, style: Style) {
    let lines = wrap::wrap(ALL, usize::from(area.width), usize::from(area.height)).lines;
    frame.draw(area, lines.into_iter().map(|line| Line::styled(line, style.strong())).collect::<Vec<_>>());
}

/// Returns the keys that are useful here.
pub(super) fn keys(model: &Model) -> String {
    if model.help {
        return "press any key".into();
    }
    if model.arrival.quiet {
        return JUST_APPEARED.into();
    }
    match &model.screen {
        Screen::List if model.list.searching => "Enter keeps the search  Esc clears it".into(),
        Screen::List if !model.list.marked.is_empty() => {
            "x mark  X to here  * all  Enter answers marked  u unmark all".into()
        }
        Screen::List => "j k move  Enter opens  1-9 pick  x mark  / search  ? keys  q quit".into(),
        Screen::Opening(_) | Screen::Gathering => "u back".into(),
        Screen::Batch(batch) => batch.keys(),
        Screen::Card(card) => on_card(card),
    }
}

fn on_card(card: &Card) -> String {
    if card.proposed.is_some() {
        return "1-9 pick a rule  Enter makes it  j k scroll  u back".into();
    }
    if card.pager.is_some() {
        let files = if card.diff.is_some() { "] [ files  " } else { "" };
        return format!("j k scroll  Space b turn pages  {files}g G ends  u back");
    }
    if let Some((target, _)) = &card.edit {
        return match target {
            EditTarget::Control(_, BoxHeight::One) => "Enter next  Esc leaves  Ctrl-S sends".into(),
            EditTarget::Search(_) => "Enter to the options  Esc leaves".into(),
            EditTarget::Guidance => "Ctrl-S requests changes  Esc leaves, keeping the text".into(),
            _ => "Ctrl-S sends  Esc leaves, keeping the text".into(),
        };
    }
    if card.blocked.is_some() {
        let fresh = if card.fresh.is_some() { "r new version  " } else { "" };
        return format!("{fresh}u back  ? keys");
    }
    let left = card.reading.left();
    let unread = match left {
        0 => "PgDn reads to the end first".to_owned(),
        1 => "1 line left · PgDn · C approve unread".to_owned(),
        left => format!("{left} lines left · PgDn · C approve unread"),
    };
    let mut keys = if card.is_unread() { vec![unread.as_str()] } else { vec!["1-9 pick", "Enter sends"] };
    if matches!(guide::of(&card.decision), ChangeRequest::Takes(_)) {
        keys.push("g changes");
    }
    keys.push("m message");
    if card.decision.subject.is_some() {
        keys.push("s subject");
    }
    if card.diff.is_some() {
        keys.push("] [ files");
    }
    if !card.rounds.is_empty() {
        keys.push("d rounds");
    }
    keys.extend(["u back", "? keys"]);
    keys.join("  ")
}
