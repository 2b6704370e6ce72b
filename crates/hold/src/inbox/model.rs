//! All that the inbox knows at a moment. It changes only in `update`, and is drawn by `view`.

use std::cell::Cell;
use std::collections::BTreeSet;

use holdpoint_core::{DecisionId, Search, Span, Timestamp};

use super::arrival::Arrival;
use super::batch::Batch;
use super::card::Card;
use super::editor::Editor;
use super::outgoing::Outgoing;
use super::row::Row;

/// The inbox.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) list: List,
    pub(crate) screen: Screen,
    /// The last thing that is worth a line.
    pub(crate) notice: Option<Notice>,
    /// What cannot be reached, while it cannot.
    pub(crate) lost: Option<String>,
    /// Whether the keys are shown.
    pub(crate) help: bool,
    pub(crate) now: Timestamp,
    /// Columns and lines.
    pub(crate) size: (u16, u16),
    /// What the person calls themselves, if they said so.
    pub(crate) by: Option<String>,
    pub(crate) colour: Colour,
    pub(crate) arrival: Arrival,
    /// Where the commits of verdicts went; said again on leaving, for a line of the screen may be too short for it.
    pub(crate) landed: Vec<String>,
    /// Answers that are not acknowledged yet.
    pub(crate) outgoing: Outgoing,
    /// What was on the screen when something else came back; the last is shown again first.
    pub(crate) aside: Vec<Screen>,
    /// Whether the inbox ends once what is under way was acknowledged.
    pub(crate) leaving: bool,
    /// Whether the screen is gone, so that nothing can be shown any more.
    pub(crate) ended: bool,
    /// When the last key was pressed.
    pub(crate) pressed_at: Timestamp,
}

/// Whether colour may be used; it never says anything alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Yes,
    No,
}

/// What fills the screen.
#[derive(Debug)]
pub(crate) enum Screen {
    /// What waits.
    List,
    /// A decision that is being read; keys pressed meanwhile were not meant for it.
    Opening(DecisionId),
    /// A decision.
    Card(Box<Card>),
    /// What was marked is being read.
    Gathering,
    /// Several decisions that get one answer.
    Batch(Box<Batch>),
}

/// What waits.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Everything, ranked; behind what was read, what a search found beyond it.
    pub(crate) rows: Vec<Row>,
    /// How many of these were read.
    pub(crate) read: usize,
    /// Which of these fit what is sought.
    pub(crate) found: Vec<usize>,
    pub(crate) selected: Option<DecisionId>,
    pub(crate) more: bool,
    pub(crate) loaded: bool,
    pub(crate) search: Editor,
    pub(crate) searching: bool,
    /// The saved view that is shown, by its name.
    pub(crate) view: Option<String>,
    /// What has an answer that is under way.
    pub(crate) hidden: BTreeSet<DecisionId>,
    /// What gets one answer together.
    pub(crate) marked: BTreeSet<DecisionId>,
    /// Where the last mark was set.
    pub(crate) last_mark: Option<DecisionId>,
    /// The selected decision as it stands beside the list, where there is room for that.
    pub(crate) glance: Option<Box<Card>>,
    /// Which decision was read for that.
    pub(crate) glancing: Option<DecisionId>,
    /// The first line on the screen; the view keeps the selected one in sight.
    pub(crate) top: Cell<usize>,
}

/// A line at the foot of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

/// How something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// Neither.
    Plain,
}

impl Model {
    /// Makes an inbox that has read nothing yet.
    pub(crate) fn new(
        now: Timestamp,
        size: (u16, u16),
        by: Option<String>,
        colour: Colour,
        undo: Span,
    ) -> Self {
        Self {
            list: List::default(),
            screen: Screen::List,
            notice: None,
            lost: None,
            help: false,
            now,
            size,
            by,
            colour,
            arrival: Arrival::default(),
            landed: Vec::new(),
            outgoing: Outgoing::new(undo),
            aside: Vec::new(),
            leaving: false,
            ended: false,
            pressed_at: now,
        }
    }

    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), tone });
    }

    /// Returns how many lines the middle of the screen has.
    pub(crate) fn body_height(&self) -> usize {
        usize::from(self.size.1).saturating_sub(3 + usize::from(self.tells_outgoing())).max(1)
    }

    /// Returns whether a line says what is under way: where there is room for it, and time to read it.
    pub(crate) fn tells_outgoing(&self) -> bool {
        self.size.1 >= 7 && self.outgoing.entries.iter().any(|entry| entry.was_held || entry.is_back())
    }
}

impl List {
    /// Returns how many rows wait for an answer.
    pub(crate) fn waiting(&self) -> usize {
        self.rows.iter().filter(|row| !self.hidden.contains(&row.id)).count()
    }

    /// Returns the place of the selected row among those that are shown.
    pub(crate) fn place(&self) -> Option<usize> {
        let selected = self.selected?;
        self.found.iter().position(|at| self.rows.get(*at).is_some_and(|row| row.id == selected))
    }

    /// Returns the selected row.
    pub(crate) fn row(&self) -> Option<&Row> {
        self.place().and_then(|at| self.rows.get(*self.found.get(at)?))
    }

    /// Selects the row at a place, or the nearest there is.
    pub(crate) fn select(&mut self, place: usize) {
        let last = self.found.len().saturating_sub(1);
        self.selected = self.found.get(place.min(last)).and_then(|at| self.rows.get(*at)).map(|row| row.id);
    }

    /// Searches again for what is sought; what was selected stays so if it still fits.
    pub(crate) fn find(&mut self, now: Timestamp) {
        let before = self.place().unwrap_or(0);
        let sought = Search::of(self.search.text());
        let is_shown = |row: &Row| !self.hidden.contains(&row.id) && row.fits(&sought, now);
        self.found = (0..self.rows.len()).filter(|at| is_shown(&self.rows[*at])).collect();
        if self.place().is_none() {
            self.select(before);
        }
    }
}
