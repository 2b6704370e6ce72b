//! The controls of a form, by kind of field.

mod choice;
mod plain;
pub(super) mod products;

use std::collections::BTreeMap;

use holdpoint_core::decision::number;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, FieldError, Kind, Timestamp};
use maud::{Markup, html};

use super::form_values::{FormValues, value_name};
use super::{markdown, words};
use crate::view_model::read_form::{self, FEW};
use crate::view_model::wording::is_label_in_prompt;

/// The question of every call that awaits permission. The buttons and the card say as much.
const PLAIN: &str = "Allow it?";

/// The input for drawing a control.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlInput<'a> {
    pub(super) decision: &'a Decision,
    pub(super) field: &'a Field,
    /// The index that identifies the control on the page.
    pub(super) at: usize,
    pub(super) filled: &'a FormValues,
    pub(super) fault: Option<&'a str>,
    pub(super) now: Timestamp,
    /// Whether its options are buttons that send.
    pub(super) sends: bool,
    /// Whether number keys pick its options.
    pub(super) numbered: bool,
}

impl ControlInput<'_> {
    /// Returns the number of an option by its index, as a person picks it.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
        self.numbered.then(|| number::of_option(self.decision, self.field, at)).flatten()
    }

    /// Returns whether the field is folded: a box that few fill in, below buttons that send.
    fn is_aside(&self) -> bool {
        !self.field.required && sending(self.decision).is_some()
    }

    /// Returns the number of a yes, a no or a blank by its index. They come after all options that other interfaces
    /// number, because those have no numbers for them.
    pub(super) fn yes_number(&self, at: usize) -> Option<usize> {
        let others = self.decision.fields.iter().take_while(|other| other.id != self.field.id);
        let before: usize = others
            .filter(|other| other.kind == Kind::Boolean)
            .map(|other| if other.required { 2 } else { 3 })
            .sum();
        self.numbered.then(|| number::entries(self.decision).len() + before + at + 1)
    }
}

/// Renders the fields that are asked, given the values so far.
pub(super) fn fields(
    decision: &Decision,
    filled: &FormValues,
    faults: &[FieldError],
    now: Timestamp,
) -> Markup {
    let pick = sending(decision);
    let open = pick.map_or_else(
        || read_form::asked(decision, filled, now),
        |pick| asked_with_any(decision, pick, filled, now),
    );
    let shown = open.into_iter().map(|asked| {
        let read_form::OpenField { field, at } = asked;
        let fault = faults.iter().find(|fault| fault.field == field.id).map(|fault| fault.message.as_str());
        let sends = pick.is_some_and(|pick| pick.id == field.id);
        one(&ControlInput { decision, field, at, filled, fault, now, sends, numbered: true })
    });
    html! { @for field in shown { (field) } }
}

/// Renders the options that are buttons which send.
pub(super) fn buttons(decision: &Decision) -> Markup {
    sending(decision).map_or_else(|| html! {}, |field| choice::buttons(decision, field))
}

/// Describes what buttons do whose labels leave that open.
pub(super) fn meanings(decision: &Decision) -> Markup {
    let options = sending(decision).into_iter().flat_map(|field| &field.options).chain(&decision.outs);
    let told = options.filter(|option| choice::needs_details(decision, option)).collect::<Vec<_>>();
    html! {
        @if !told.is_empty() {
            dl .meanings { @for option in told { dt dir="auto" { (inert_line(&option.label)) } dd { (choice::details(decision, option)) } } }
        }
    }
}

/// Returns the field whose options are buttons that send: nothing else must be filled in.
pub(super) fn sending(decision: &Decision) -> Option<&Field> {
    let mut needed = decision.fields.iter().filter(|field| field.required || decision.fields.len() == 1);
    let only = needed.next().filter(|_| needed.next().is_none())?;
    let is_plain = only.kind == Kind::Confirm && only.visible_if.is_none() && only.options.len() <= FEW;
    is_plain.then_some(only)
}

/// Lists the fields that are asked with at least one option of the field that sends: after a pick that sends, no
/// further fields could appear.
fn asked_with_any<'a>(
    decision: &'a Decision,
    pick: &Field,
    filled: &FormValues,
    now: Timestamp,
) -> Vec<read_form::OpenField<'a>> {
    let mut open: BTreeMap<usize, read_form::OpenField<'a>> = BTreeMap::new();
    for option in &pick.options {
        let mut filled = filled.clone();
        filled.set(value_name(pick), &option.id);
        open.extend(read_form::asked(decision, &filled, now).into_iter().map(|field| (field.at, field)));
    }
    open.into_values().collect()
}

/// Renders a control with its label.
pub(super) fn one(drawn: &ControlInput<'_>) -> Markup {
    let field = drawn.field;
    let grouped = field.kind.picks() || matches!(field.kind, Kind::Boolean | Kind::Location);
    html! {
        @if grouped {
            fieldset .field data-field=(field.id) data-kind=(field.kind.name()) data-optional[!field.required] data-follows[field.visible_if.is_some()] aria-describedby=[described(drawn)] {
                legend .quiet[drawn.sends && inert_line(&field.label) == PLAIN] { (label(drawn)) }
                (about(drawn))
                @match field.kind {
                    // Its buttons are in the answer bar.
                    _ if drawn.sends => {},
                    Kind::Products => (products::cards(drawn)),
                    Kind::Boolean | Kind::Location => (plain::parts(drawn)),
                    _ => (choice::options(drawn)),
                }
            }
        } @else if drawn.is_aside() {
            details .field.aside data-field=(field.id) data-kind=(field.kind.name()) data-optional data-follows[field.visible_if.is_some()]
                open[drawn.fault.is_some() || !drawn.filled.one(&value_name(field)).is_empty()] {
                summary { (label(drawn)) }
                label .quiet for={ "f" (drawn.at) } { (inert_line(&field.label)) }
                (about(drawn))
                (plain::input(drawn))
            }
        } @else {
            div .field data-field=(field.id) data-kind=(field.kind.name()) data-optional[!field.required] data-follows[field.visible_if.is_some()] {
                label for={ "f" (drawn.at) } { (label(drawn)) }
                (about(drawn))
                (plain::input(drawn))
            }
        }
    }
}

/// If a card has a single question, its heading already shows it; repeating it would only take room.
fn label(drawn: &ControlInput<'_>) -> Markup {
    let (decision, field) = (drawn.decision, drawn.field);
    let said = decision.fields.len() == 1 && is_label_in_prompt(decision, field);
    let bare = decision.fields.len() == 1 && field.label == field.id;
    html! {
        @if said || bare { span .quiet { "Your answer" } }
        @else { span dir="auto" { (inert_line(&field.label)) } }
        @if !field.required { span .hint { " (optional)" } }
    }
}

fn about(drawn: &ControlInput<'_>) -> Markup {
    html! {
        @if let Some(description) = &drawn.field.description { (markdown::shown(description)) }
        @if let Some(limits) = words::limits(drawn.field) { p .hint id={ "f" (drawn.at) "-hint" } { (limits) } }
        @if let Some(fault) = drawn.fault {
            p .fault id={ "f" (drawn.at) "-fault" } { (words::capital(&inert_line(fault))) "." }
        }
    }
}

/// Returns the ids of the elements that describe a control, for screen readers.
fn described(drawn: &ControlInput<'_>) -> Option<String> {
    let at = drawn.at;
    let hint = words::limits(drawn.field).map(|_| format!("f{at}-hint"));
    let fault = drawn.fault.map(|_| format!("f{at}-fault"));
    let all: Vec<String> = hint.into_iter().chain(fault).collect();
    (!all.is_empty()).then(|| all.join(" "))
}
