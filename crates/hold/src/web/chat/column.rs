//! The lines of a conversation, and the control for the current question.

use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Field, Kind, Status, Timestamp};
use holdpoint_protocols::action::Action;
use maud::{Markup, html};

use super::super::answer_form::chat_address;
use super::super::controls;
use super::super::form_values::FormValues;
use super::super::visitor::Visitor;
use super::super::words;
use crate::api::chat::{LineAuthor, TranscriptLine};

/// Offsets the names of these controls from those of the form beside them.
const APART: usize = 10_000;

/// The column of a conversation.
pub(super) struct Column<'a> {
    pub(super) decision: &'a Decision,
    pub(super) lines: &'a [TranscriptLine],
    pub(super) action: &'a Action,
    pub(super) visitor: &'a Visitor,
    pub(super) now: Timestamp,
    /// Whether the visitor may not answer.
    pub(super) barred: bool,
}

impl Column<'_> {
    pub(super) fn markup(&self) -> Markup {
        let open = self.decision.status == Status::Pending && !self.barred;
        let last = self.lines.last().is_some_and(|line| line.by == LineAuthor::Form);
        if !open && self.lines.is_empty() {
            return html! { p .quiet { "The conversation is over; it has no messages." } };
        }
        html! {
            div role="log" aria-label="What was said" {
                ol .talk tabindex="0" {
                    @for line in self.lines { (line_markup(line.by, &line.text)) }
                    // If nothing has been said yet, show the opening question.
                    @if open && !last { (line_markup(LineAuthor::Form, self.action.said())) }
                }
            }
            @if open { div #now .now { (self.now()) } }
        }
    }

    fn now(&self) -> Markup {
        match self.action {
            Action::FormComplete { .. } => {
                html! { (self.complete()) (self.text_input("Change or add something", false)) }
            }
            Action::Message { .. } | Action::ToolCall { .. } => self.text_input("Your message", true),
            asking => match asking.field_id().and_then(|id| self.decision.field(id)) {
                Some(field) if matches!(field.kind, Kind::Text | Kind::Multiline) => html! {
                    (self.text_input(&words::short(&field.label, 2_000), true))
                    @if !field.required { (self.skip()) }
                },
                Some(field) => html! {
                    (self.control(field))
                    (self.text_input("Or in your own words", false))
                },
                None => self.text_input("Your message", true),
            },
        }
    }

    /// Renders the control of a field, as in the form beside it.
    fn control(&self, field: &Field) -> Markup {
        let at = APART + self.decision.fields.iter().position(|known| known.id == field.id).unwrap_or(0);
        let (decision, now) = (self.decision, self.now);
        let filled = FormValues::default();
        let control = controls::ControlInput {
            decision,
            field,
            at,
            numbered: false,
            filled: &filled,
            fault: None,
            now,
            sends: false,
        };
        html! {
            form method="post" action=(chat_address(decision)) novalidate autocomplete="off" data-talk aria-label="Answer" {
                (self.hidden())
                input type="hidden" name="asked" value=(field.id);
                (controls::one(&control))
                p .acts {
                    button .primary name="verb" value="pick" { "Answer" }
                    @if !field.required { button name="verb" value="skip" { "Leave blank" } }
                }
            }
        }
    }

    /// Renders a text box.
    fn text_input(&self, label: &str, first: bool) -> Markup {
        html! {
            form .words method="post" action=(chat_address(self.decision)) autocomplete="off" data-talk aria-label="Say something" {
                (self.hidden())
                (self.seen())
                label for="say-it" dir="auto" { (label) }
                textarea #say-it name="text" rows="2" dir="auto" autofocus[first] {}
                p .acts { button .primary[first] name="verb" value="say" { "Reply" } }
            }
        }
    }

    fn skip(&self) -> Markup {
        html! {
            form method="post" action=(chat_address(self.decision)) data-talk {
                (self.hidden())
                button name="verb" value="skip" { "Leave blank" }
            }
        }
    }

    /// Renders what would be sent, and the button that sends exactly that.
    fn complete(&self) -> Markup {
        let decision = self.decision;
        html! {
            form method="post" action=(chat_address(decision)) data-talk aria-label="Send" {
                (self.hidden())
                (self.seen())
                dl .summary {
                    @for (label, value) in words::given(decision, &decision.draft, None) {
                        dt dir="auto" { (words::short(&label, 200)) }
                        dd .pre dir="auto" { (value) }
                    }
                }
                p .acts { button .primary name="verb" value="send" { "Send" } }
            }
        }
    }

    /// Carries the values that are shown, so that exactly these are sent.
    fn seen(&self) -> Markup {
        let draft = serde_json::Value::Object(self.decision.draft.clone()).to_string();
        html! {
            input type="hidden" name="digest" value=(self.decision.digest);
            input type="hidden" name="draft" value=(draft);
        }
    }

    fn hidden(&self) -> Markup {
        html! {
            (self.visitor.token())
            input type="hidden" name="zone" value="";
        }
    }
}

fn line_markup(by: LineAuthor, text: &str) -> Markup {
    let (class, who) = match by {
        LineAuthor::Person => ("me", "You"),
        LineAuthor::Form => ("it", "Holdpoint"),
    };
    html! {
        li class=(class) {
            span .quiet { (who) ": " }
            span .pre dir="auto" { (inert(text)) }
        }
    }
}
