//! A long decision as lists show it.

use serde::Serialize;

use super::Decision;
use crate::json;
use crate::text::start;

/// Decisions up to this size are listed in full.
pub const LISTED_WHOLE: usize = 64 << 10;
/// How much of each member of a longer one is shown.
const MEMBER: usize = 2 << 10;

impl Decision {
    /// Returns a long decision as lists show it: long texts are cut short, other long members are empty, and
    /// `truncated` names both. Everything that says what it is, where it stands and whom it concerns stays.
    #[must_use]
    pub fn brief(mut self) -> Self {
        let mut truncated = std::mem::take(&mut self.truncated);
        let mut note = |name: &str| truncated.push(name.to_owned());
        for (name, text) in [
            ("title", &mut self.title),
            ("prompt", &mut self.prompt),
            ("guidance", &mut self.guidance),
            ("reason", &mut self.reason),
        ] {
            if text.as_mut().is_some_and(cut) {
                note(name);
            }
        }
        clear("fields", &mut self.fields, &mut note);
        clear("outs", &mut self.outs, &mut note);
        clear("default", &mut self.default, &mut note);
        clear("draft", &mut self.draft, &mut note);
        clear("subject", &mut self.subject, &mut note);
        clear("origin", &mut self.origin, &mut note);
        clear("reports", &mut self.reports, &mut note);
        if let Some(answer) = &mut self.answer {
            let mut short = answer.message.as_mut().is_some_and(cut);
            let mut note = |_: &str| short = true;
            clear("values", &mut answer.values, &mut note);
            clear("written", &mut answer.written, &mut note);
            if short {
                truncated.push("answer".to_owned());
            }
        }
        self.truncated = truncated;
        self
    }
}

fn is_long<T: Serialize>(member: &T) -> bool {
    json::size(member).unwrap_or(usize::MAX) > MEMBER
}

fn clear<T: Serialize + Default>(name: &str, member: &mut T, note: &mut impl FnMut(&str)) {
    if is_long(member) {
        *member = T::default();
        note(name);
    }
}

/// Cuts a long text short; returns whether it was long.
fn cut(text: &mut String) -> bool {
    if text.len() <= MEMBER {
        return false;
    }
    text.truncate(start(text, MEMBER).len());
    text.push('…');
    true
}
