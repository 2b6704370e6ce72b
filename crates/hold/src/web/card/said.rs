//! The agent's own words on a card, marked as theirs.

use holdpoint_core::Source;
use holdpoint_core::text::inert_line;
use maud::{Markup, html};

use super::Card;
use crate::view_model::wants;
use crate::web::{markdown, words};

impl Card<'_> {
    /// Renders the agent's own words. Below a subject that is approved, the title is part of them.
    pub(super) fn said(&self) -> Markup {
        let decision = self.decision;
        let title = self.title_is_said().then(|| inert_line(decision.summary()));
        // A description that the subject contains is not repeated.
        let prompt = words::prompt(decision).filter(|prompt| !words::is_described(decision, prompt));
        html! {
            @if title.is_some() || prompt.is_some() {
                section .agent aria-label="What the agent says" data-by=[self.speaker()] {
                    @if let Some(title) = title { p dir="auto" { (title) } }
                    @if let Some(prompt) = prompt { (markdown::shown(prompt)) }
                }
            }
        }
    }

    /// Returns whether the title stands among the agent's words: it only explains the subject, and says more than it.
    pub(super) fn title_is_said(&self) -> bool {
        let decision = self.decision;
        decision.subject.is_some()
            && decision.source == Source::Approval
            && decision.title.is_some()
            && !words::repeats_subject(decision)
            && !wants::request_sentence(decision)
                .to_lowercase()
                .ends_with(&words::title(decision, 80).to_lowercase())
    }

    /// Returns whose text is below a subject; none without a subject, where the text needs no attribution.
    fn speaker(&self) -> Option<String> {
        self.decision.subject.as_ref()?;
        let asker = self.decision.asker();
        // The head says whether the name was checked.
        let name = asker.and_then(|asker| match asker.checked {
            Some(_) => Some(words::short(&asker.brief(), 60)),
            None => asker.claimed.map(|claimed| words::short(claimed, 60)),
        });
        Some(name.unwrap_or_else(|| "The agent".to_owned()))
    }
}
