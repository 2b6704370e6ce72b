//! The line that shows an answer under way, and how to undo it.

use holdpoint_core::Timestamp;
use unicode_width::UnicodeWidthStr as _;

use super::style::Style;
use crate::inbox::canvas::Line;
use crate::inbox::outgoing::{Outgoing, SendStage};
use crate::view_model::wrap::cut;

pub(super) fn line(outgoing: &Outgoing, width: usize, now: Timestamp, style: Style) -> Line {
    let Some(entry) = outgoing.latest() else { return Line::default() };
    let (what, rest, look) = match &entry.stage {
        SendStage::Held(until) => {
            // While it is shown the answer can still be undone, so never "in 0 s".
            let left = (until.since(now).as_millis().max(1) + 999) / 1_000;
            (
                format!("{} — {}", entry.words, entry.title),
                format!("sending in {left} s · U undoes"),
                style.strong(),
            )
        }
        SendStage::Sent => {
            (format!("{} — {}", entry.words, entry.title), "sending".to_owned(), style.strong())
        }
        SendStage::Back(why) => {
            (format!("! Not sent: {}: {}", entry.title, why.describe()), "U shows it".to_owned(), style.bad())
        }
    };
    let others = match outgoing.entries.len() - 1 {
        0 => String::new(),
        others => format!(" · {others} more"),
    };
    let rest = format!(" · {rest}{others}");
    let what = cut(&what, width.saturating_sub(rest.width()));
    Line::styled(cut(&format!("{what}{rest}"), width), look)
}
