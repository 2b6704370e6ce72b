//! The keys: all of them when asked for, the ones that matter here at the foot.

use super::style::Style;
use crate::inbox::canvas::{Area, Canvas, Line};
use crate::inbox::card::{Card, Lines, Target};
use crate::inbox::model::{Model, Screen};
use crate::shown::guide::{self, Guide};
use crate::shown::wrap;

/// Shown in place of the keys as long as none of them answers.
const JUST_APPEARED: &str = "just appeared …";

const ALL: &str = "\
j k ↓ ↑     move; Tab goes from field to field
Enter       opens; on a card picks, types, or sends what is picked
1 … 9       pick an option; from the list, open with it picked
Space 0     picks or takes back; picks what you answered to the same before
x X * t z   mark, to here, all: Enter answers them; I'm on it; snooze
g           request changes
m           write a message to go with the answer
s p i       in full: the subject, what the agent says; ids and raw data
a           rules that the card suggests: from now on …
C           consent unread: the answer says so
U           undo the last answer, while it is not sent yet
] [         the next file of a change, the one before
d           earlier rounds and what changed
+ - ← → &   how many of a product, which kind of it, another kind as well
/ v         search; the next of your saved views
u Esc       go back; in a text box: leave it, keeping the text
Ctrl-S      sends from a text box (also Alt-Enter)
PgUp PgDn   turn pages
r           show what is asked now, if it changed
q           quit (from the list)
?           these keys; any key closes them";

pub(super) fn draw(frame: &mut Canvas, area: Area, _: &Model, style: Style) {
    let lines = wrap::wrap(ALL, usize::from(area.width), usize::from(area.height)).lines;
    frame.put(area, lines.into_iter().map(|line| Line::styled(line, style.strong())).collect::<Vec<_>>());
}

/// Returns the keys that matter here.
pub(super) fn keys(model: &Model) -> String {
    if model.help {
        return "any key to go back".into();
    }
    if model.arrival.quiet {
        return JUST_APPEARED.into();
    }
    match &model.screen {
        Screen::List if model.list.searching => "Enter keeps the search  Esc clears it".into(),
        Screen::List if !model.list.marked.is_empty() => {
            "x mark  X to here  * all  Enter answers what is marked  u none".into()
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
            Target::Control(_, Lines::One) => "Enter next  Esc leaves  Ctrl-S sends".into(),
            Target::Search(_) => "Enter to the options  Esc leaves".into(),
            Target::Guidance => "Ctrl-S requests changes  Esc leaves, keeping the text".into(),
            _ => "Ctrl-S sends  Esc leaves, keeping the text".into(),
        };
    }
    if card.blocked.is_some() {
        let fresh = if card.fresh.is_some() { "r what is asked now  " } else { "" };
        return format!("{fresh}u back  ? keys");
    }
    let left = card.reading.left();
    let unread = match left {
        0 => "PgDn reads to the end before you consent".to_owned(),
        left => format!("{left} lines left to read before you consent (PgDn; C unread)"),
    };
    let mut keys = if card.is_unread() { vec![unread.as_str()] } else { vec!["1-9 pick", "Enter sends"] };
    if matches!(guide::of(&card.decision), Guide::Takes(_)) {
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
