//! A day that could be the start or the end: it is kept until the person says which.

use holdpoint_core::Values;
use serde::{Deserialize, Serialize};

use super::{Talk, reader};

/// A day that could be either end of what is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Either {
    /// The field of the start.
    pub start: String,
    /// The field of the end.
    pub end: String,
    /// What was said.
    pub text: String,
    /// Whether the person was told that it is not sent before that is clear; who insists sends it.
    #[serde(default)]
    pub told: bool,
}

/// What was said before, now that it is known what it is for.
#[derive(Debug)]
pub(super) struct Again {
    /// The field.
    pub(super) field: String,
    /// What was said.
    pub(super) text: String,
    /// What is known of that field alone: the day is the one nearest to it.
    pub(super) known: Values,
}

impl Talk<'_> {
    /// Forgets the day that could be either end; returns it, if the person says which it is.
    pub(super) fn which(&mut self) -> Option<Again> {
        let either = self.state.either.take()?;
        let Either { start, end, text, .. } = either.clone();
        self.passed = Some(either);
        let field = match words(&self.turn.text)[..] {
            ["start" | "beginning" | "begin" | "first" | "former" | "from" | "1st"] => start,
            ["end" | "second" | "last" | "latter" | "until" | "to" | "2nd"] => end,
            _ => {
                let visible: Vec<_> = self.visible().into_iter().cloned().collect();
                let named = reader::named(&visible, &self.turn.text);
                let [one] = &named[..] else { return None };
                // Whoever names it with more words says something of their own.
                let bare = words(&self.turn.text).len() <= words(&self.called(&one.id)).len().max(2);
                [start, end].into_iter().find(|id| bare && *id == one.id)?
            }
        };
        let known = self.values.iter().filter(|(id, _)| **id == field);
        let known = known.map(|(id, value)| (id.clone(), value.clone())).collect();
        Some(Again { field, text, known })
    }

    /// Asks once more for which end a day was meant, where the form is to be sent before that was said. Returns whether it does.
    pub(super) fn asks_again(&mut self) -> bool {
        let Some(either) = self.passed.take().filter(|either| !either.told) else { return false };
        self.state.either = Some(Either { told: true, ..either });
        self.tell("It is not sent yet; say \"send it\" once more to leave it as it is.");
        true
    }
}

/// Lists the words that say something; those around them say nothing of which one it is.
fn words(text: &str) -> Vec<&str> {
    const SMALL: [&str; 16] = [
        "the", "it's", "its", "it", "is", "i", "mean", "meant", "please", "one", "that", "of", "sorry",
        "day", "a", "change",
    ];
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|part| !part.is_empty());
    parts.filter(|part| !SMALL.iter().any(|small| part.eq_ignore_ascii_case(small))).collect()
}
