//! An open decision: what it asks, the values so far, and the focus.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use holdpoint_core::decision::number::{self, NumberMeaning};
use holdpoint_core::field::definition::ACCEPT;
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Field, FieldError, Kind, Timestamp};

use super::editor::Editor;
use super::events::OpenedDecision;
use super::pager::Pager;
use super::proposed::ProposedRules;
use crate::view_model::deadline::AtDeadline;
use crate::view_model::form_values::{CUSTOM, FormValues, NONE, value_name};
use crate::view_model::guide::{self, ChangeRequest};
use crate::view_model::recent_answer::Again;
use crate::view_model::rounds::Round;
use crate::view_model::{change, read_before_consent, read_form, wording};

/// An open decision.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) decision: Decision,
    /// The name of its owner.
    pub(crate) owner_name: Option<String>,
    pub(crate) rounds: Vec<Round>,
    /// Others that ask the same, and will get the same answer.
    pub(crate) same: Vec<Decision>,
    /// The person's recent answer to the same question.
    pub(crate) again: Option<Again>,
    /// What the deadline does.
    pub(crate) at_deadline: AtDeadline,
    /// What the agent says, and the subject, in full.
    pub(crate) prompt: Option<Pager>,
    pub(crate) subject: Option<Pager>,
    /// The diff that is part of the subject.
    pub(crate) diff: Option<String>,
    /// The patch set that the diff belongs to; the last if empty.
    pub(crate) patchset: String,
    /// The line on which the subject began when last drawn.
    pub(crate) subject_at: Cell<usize>,
    /// How much of the subject has been read.
    pub(crate) reading: ReadingProgress,
    pub(crate) filled: FormValues,
    pub(crate) message: String,
    pub(crate) guidance: String,
    pub(crate) faults: Vec<FieldError>,
    /// The focused item; none at first, unless a careless yes could do harm.
    pub(crate) focus: Option<FocusItem>,
    /// The item that had the focus before the message was written.
    pub(crate) back: Option<FocusItem>,
    /// The box that is being edited.
    pub(crate) edit: Option<(EditTarget, Editor)>,
    /// Why nothing can be sent, if so.
    pub(crate) blocked: Option<String>,
    /// The current question, if it has changed.
    pub(crate) fresh: Option<Box<Decision>>,
    /// A text that is shown in full.
    pub(crate) pager: Option<Pager>,
    /// The proposed rules, while the pager shows them.
    pub(crate) proposed: Option<ProposedRules>,
    /// The options that match the search in a long list, by index of the field.
    pub(crate) found: HashMap<usize, Vec<usize>>,
    /// The search text, by index of the field.
    pub(crate) sought: HashMap<usize, String>,
    /// The first line on the screen.
    pub(crate) top: Cell<usize>,
    /// Whether the view follows the focus, rather than the person's scrolling.
    pub(crate) follows: bool,
    /// Whether the focus was on the screen when last drawn.
    pub(crate) focus_seen: Cell<bool>,
    /// The number of lines when last drawn.
    pub(crate) height: Cell<usize>,
}

/// How much of a subject has been read.
#[derive(Debug, Default)]
pub(crate) struct ReadingProgress {
    /// Whether all of it was on the screen.
    pub(crate) seen: Cell<bool>,
    /// How many of its lines were on the screen, from the first without a gap, and how many there are.
    progress: Cell<(usize, usize)>,
    /// Whether the person said that they consent unread.
    pub(crate) unread: bool,
    /// Whether a yes was refused because the subject was unread: until something is picked, Enter continues reading
    /// and sends nothing.
    pub(crate) refused: bool,
}

impl ReadingProgress {
    /// Notes which lines are on the screen, of how many; lines that were jumped over do not count as read.
    pub(crate) fn show(&self, shown: Range<usize>, count: usize) {
        let (read, before) = self.progress.get();
        // Another width breaks the text into another number of lines.
        let read = if before == count { read } else { read * count / before.max(1) };
        let read = if shown.start <= read { read.max(shown.end) } else { read };
        self.progress.set((read, count));
        if read >= count {
            self.seen.set(true);
        }
    }

    /// Returns how many lines are still unread.
    pub(crate) fn left(&self) -> usize {
        let (read, count) = self.progress.get();
        count.saturating_sub(read)
    }
}

/// A long text on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LongText {
    Prompt,
    Subject,
}

/// A focusable item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FocusItem {
    /// The search box for the options of a field.
    Search(usize),
    /// An option of a field.
    Option(usize, usize),
    /// A fixed answer: yes, no, neither, or leaving a choice out.
    Fixed(usize, &'static str),
    /// A written answer instead of an option.
    Own(usize),
    /// A text box.
    Text(usize),
    /// A part of a location.
    Place(usize, &'static str),
    /// The message that goes with any answer.
    Message,
    /// The button that sends the answer.
    Send,
    /// The box for what should be different.
    Guidance,
    /// The button that requests changes.
    Guide,
    /// An out.
    Out(usize),
}

/// A box that can be edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditTarget {
    /// The control of a field, by its name in the form.
    Control(String, BoxHeight),
    /// The search in a field's options.
    Search(usize),
    Message,
    Guidance,
}

/// Whether a box has one line or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxHeight {
    One,
    Several,
}

impl Card {
    /// Creates the card of a decision that was read.
    pub(crate) fn of(opened: OpenedDecision) -> Self {
        let OpenedDecision { decision, rounds, diff, owner_name, same, again, pick: _ } = opened;
        Self { same, again, ..Self::new(decision, rounds, diff, owner_name) }
    }

    /// Creates the card with the draft's values, and with nothing chosen.
    pub(crate) fn new(
        decision: Decision,
        rounds: Vec<Round>,
        diff: Option<String>,
        owner_name: Option<String>,
    ) -> Self {
        let filled = FormValues::of_decision(&decision);
        let focus = wording::is_dangerous(&decision).then(|| refusing(&decision)).flatten();
        let subject = subject(&decision, diff.as_deref(), "");
        let prompt =
            wording::prompt(&decision).map(|prompt| Pager::of_prose("What the agent says", inert(prompt)));
        Self {
            same: Vec::new(),
            again: None,
            at_deadline: AtDeadline::of(&decision),
            owner_name,
            prompt,
            subject,
            diff,
            patchset: String::new(),
            subject_at: Cell::new(0),
            reading: ReadingProgress::default(),
            decision,
            rounds,
            filled,
            message: String::new(),
            guidance: String::new(),
            faults: Vec::new(),
            focus,
            back: None,
            edit: None,
            blocked: None,
            fresh: None,
            pager: None,
            proposed: None,
            found: HashMap::new(),
            sought: HashMap::new(),
            top: Cell::new(0),
            follows: false,
            focus_seen: Cell::new(false),
            height: Cell::new(0),
        }
    }

    /// Shows the diff of another patch set, which must be read from its start.
    pub(crate) fn show_patchset(&mut self, number: String, diff: String) {
        self.subject = subject(&self.decision, Some(&diff), &number);
        self.diff = Some(diff);
        self.patchset = number;
        self.reading = ReadingProgress::default();
        self.follows = false;
        self.top.set(self.subject_at.get());
    }

    /// Returns a long text.
    pub(crate) fn long(&self, which: LongText) -> Option<&Pager> {
        match which {
            LongText::Prompt => self.prompt.as_ref(),
            LongText::Subject => self.subject.as_ref(),
        }
    }

    /// Returns whether consent must wait until the subject has been read.
    pub(crate) fn is_unread(&self) -> bool {
        self.subject.is_some() && !self.reading.seen.get() && !self.reading.unread
    }

    /// Lists all items, from top to bottom.
    pub(crate) fn items(&self, now: Timestamp) -> Vec<FocusItem> {
        let decision = &self.decision;
        let mut items = Vec::new();
        for asked in read_form::asked(decision, &self.filled, now) {
            self.items_of(asked.field, asked.at, &mut items);
        }
        items.push(FocusItem::Message);
        if !read_form::sends(decision) {
            items.push(FocusItem::Send);
        }
        if matches!(guide::of(decision), ChangeRequest::Takes(_)) {
            items.push(FocusItem::Guidance);
            if !self.guidance.is_empty() {
                items.push(FocusItem::Guide);
            }
        }
        items.extend((0..decision.outs.len()).map(FocusItem::Out));
        items
    }

    /// Returns the indices of the options listed, and of the one that accepts the proposal: it comes after the
    /// written answer, as its number does.
    pub(crate) fn listed(&self, field: &Field, at: usize) -> (Vec<usize>, Vec<usize>) {
        let all = self.found.get(&at).cloned().unwrap_or_else(|| (0..field.options.len()).collect());
        all.into_iter().partition(|at| field.options.get(*at).is_none_or(|option| option.id != ACCEPT))
    }

    fn items_of(&self, field: &Field, at: usize, items: &mut Vec<FocusItem>) {
        match field.kind {
            kind if kind.picks() => {
                if field.options.len() > read_form::FEW {
                    items.push(FocusItem::Search(at));
                }
                let (options, accept) = self.listed(field, at);
                items.extend(options.into_iter().map(|option| FocusItem::Option(at, option)));
                if field.custom {
                    items.push(FocusItem::Own(at));
                }
                items.extend(accept.into_iter().map(|option| FocusItem::Option(at, option)));
                if !field.required && matches!(kind, Kind::Choice | Kind::Confirm) {
                    items.push(FocusItem::Fixed(at, NONE));
                }
            }
            Kind::Boolean => {
                items.extend(["true", "false"].map(|value| FocusItem::Fixed(at, value)));
                if !field.required {
                    items.push(FocusItem::Fixed(at, NONE));
                }
            }
            Kind::Location => items.extend(["lat", "lng"].map(|part| FocusItem::Place(at, part))),
            _ => items.push(FocusItem::Text(at)),
        }
    }

    /// Returns the focused field if the card's numbers do not apply to it: its options have their own, or it has
    /// none.
    pub(crate) fn apart(&self) -> Option<(usize, &Field)> {
        let at = self.focus.as_ref()?.field()?;
        let field = self.decision.fields.get(at)?;
        (number::goes_by_ids(field) || !field.kind.picks()).then_some((at, field))
    }

    /// Returns the item that a number stands for, depending on the focus.
    pub(crate) fn numbered(&self, number: usize) -> Option<FocusItem> {
        if let Some((at, field)) = self.apart() {
            let id = number.to_string();
            let option = field.options.iter().position(|option| option.id == id)?;
            return Some(FocusItem::Option(at, option));
        }
        let place = |id: &str| self.decision.fields.iter().position(|field| field.id == id);
        let entries = number::entries(&self.decision);
        match entries.get(number.checked_sub(1)?)?.means {
            NumberMeaning::Option(field, option) | NumberMeaning::Accept(field, option) => {
                let at = field.options.iter().position(|one| one.id == option.id)?;
                Some(FocusItem::Option(place(&field.id)?, at))
            }
            NumberMeaning::Out(out) => {
                self.decision.outs.iter().position(|one| one.id == out.id).map(FocusItem::Out)
            }
            NumberMeaning::Other => {
                let field = self.decision.fields.iter().find(|field| number::takes_words(field))?;
                let at = place(&field.id)?;
                Some(if field.kind.picks() { FocusItem::Own(at) } else { FocusItem::Text(at) })
            }
        }
    }

    /// Returns whether an option or a fixed answer is chosen.
    pub(crate) fn is_chosen(&self, item: &FocusItem) -> bool {
        let has = |at: usize, value: &str| {
            let field = self.decision.fields.get(at);
            field.is_some_and(|field| self.filled.has(&value_name(field), value))
        };
        match item {
            FocusItem::Option(at, option) => {
                let option = self.decision.fields.get(*at).and_then(|field| field.options.get(*option));
                option.is_some_and(|option| has(*at, &option.id))
            }
            FocusItem::Fixed(at, value) => has(*at, value),
            FocusItem::Own(at) => has(*at, CUSTOM),
            _ => false,
        }
    }

    /// Returns the error of a field.
    pub(crate) fn fault(&self, field: &str) -> Option<&str> {
        self.faults.iter().find(|fault| fault.field == field).map(|fault| fault.message.as_str())
    }
}

/// Returns the subject, including the diff of this patch set, or else of the last.
fn subject(decision: &Decision, diff: Option<&str>, patchset: &str) -> Option<Pager> {
    let title = read_before_consent::title(decision);
    change::subject(decision).map(|subject| match diff {
        Some(diff) => {
            let heading = change::heading(decision, patchset).map(|heading| format!("{heading}\n"));
            Pager::new(title, format!("{subject}\n\n{}{}", heading.unwrap_or_default(), inert(diff)))
        }
        None if read_before_consent::is_prose(decision) => Pager::of_prose(title, subject),
        None => Pager::new(title, subject),
    })
}

/// Returns the item that refuses: the first refusing option, or else the first out.
fn refusing(decision: &Decision) -> Option<FocusItem> {
    let fields = decision.fields.iter().enumerate();
    let mut options = fields.flat_map(|(at, field)| {
        field.options.iter().enumerate().map(move |(option, it)| (at, option, it.refuses))
    });
    let option =
        options.find(|(_, _, refuses)| *refuses).map(|(at, option, _)| FocusItem::Option(at, option));
    option.or_else(|| (!decision.outs.is_empty()).then_some(FocusItem::Out(0)))
}

impl FocusItem {
    /// Returns the index of the field that the item belongs to.
    pub(crate) fn field(&self) -> Option<usize> {
        match self {
            Self::Search(at)
            | Self::Option(at, _)
            | Self::Fixed(at, _)
            | Self::Own(at)
            | Self::Text(at)
            | Self::Place(at, _) => Some(*at),
            _ => None,
        }
    }
}
