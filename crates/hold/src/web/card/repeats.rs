//! What on a card is about the same question asked before, or by others.

use maud::{Markup, html};

use super::Card;
use crate::view_model::identical;
use crate::web::words;

impl Card<'_> {
    /// Shows which others the answer goes to, and lets the person answer this one alone.
    pub(super) fn same(&self) -> Markup {
        let Some(times) = identical::same_question_note(self.decision, self.same, self.now) else {
            return html! {};
        };
        let ids: Vec<String> = self.same.iter().map(|other| other.id.to_string()).collect();
        html! {
            input type="hidden" name="same" value=(ids.join(" "));
            p .same { bdi { (words::capital(&times)) } ". Your answer goes to all." }
            label .option.slim {
                input type="checkbox" name="alone" value="true" checked[self.filled.has("alone", "true")];
                " Answer only this one"
            }
        }
    }

    /// Shows the visitor's recent answer to the same question; the script offers to pick it again.
    pub(super) fn recent_answer(&self) -> Markup {
        let Some(again) = self.again else { return html! {} };
        let numbers: Vec<String> = again.numbers.iter().map(ToString::to_string).collect();
        html! {
            p #again .again data-numbers=(numbers.join(" ")) data-text=[again.text.as_deref()] {
                span { (again.when(self.now)) ": " strong dir="auto" { (again.what) } }
                @if !numbers.is_empty() { button type="button" { "Pick it again" kbd .number aria-hidden="true" { "0" } } }
            }
        }
    }
}
