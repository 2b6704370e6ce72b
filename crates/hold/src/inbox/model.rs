//! The state of the inbox. It changes only in `update`, and is drawn by `view`.

use std::cell::Cell;
use std::collections::BTreeSet;

use holdpoint_core::{DecisionId, Search, Span, Timestamp};

use super::arrival::ContentArrival;
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
    /// The last message.
    pub(crate) notice: Option<Notice>,
    /// The connection error, while there is one.
    pub(crate) lost: Option<String>,
    /// Whether the help is shown.
    pub(crate) help: bool,
    pub(crate) now: Timestamp,
    /// Columns and lines.
    pub(crate) size: (u16, u16),
    /// The person's name, if given.
    pub(crate) by: Option<String>,
    pub(crate) colour: Colour,
    pub(crate) arrival: ContentArrival,
    /// Where the commits of verdicts went; printed again on leaving, because a line of the screen may be too short
    /// for it.
    pub(crate) landed: Vec<String>,
    /// Answers that have not been acknowledged yet.
    pub(crate) outgoing: Outgoing,
    /// Screens that were set aside when a refused answer came back; the last one is shown again first.
    pub(crate) aside: Vec<Screen>,
    /// Whether the inbox ends once all answers are acknowledged.
    pub(crate) leaving: bool,
    /// Whether the screen is gone, so that nothing can be shown any more.
    pub(crate) ended: bool,
    /// When the last key was pressed.
    pub(crate) pressed_at: Timestamp,
}

/// Whether colour may be used; it is never the only signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Yes,
    No,
}

/// The current screen.
#[derive(Debug)]
pub(crate) enum Screen {
    /// The list of pending decisions.
    List,
    /// A decision that is being read; keys pressed meanwhile were not meant for it.
    Opening(DecisionId),
    /// A decision.
    Card(Box<Card>),
    /// The marked decisions are being read.
    Gathering,
    /// Several decisions that get one answer.
    Batch(Box<Batch>),
}

/// The list of pending decisions.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// All rows in ranked order, followed by further results of a search.
    pub(crate) rows: Vec<Row>,
    /// How many of the rows were read as the list.
    pub(crate) read: usize,
    /// The indices of the rows that match the search.
    pub(crate) found: Vec<usize>,
    pub(crate) selected: Option<DecisionId>,
    pub(crate) more: bool,
    pub(crate) loaded: bool,
    pub(crate) search: Editor,
    pub(crate) searching: bool,
    /// The name of the saved view that is shown.
    pub(crate) view: Option<String>,
    /// Decisions whose answers are under way.
    pub(crate) hidden: BTreeSet<DecisionId>,
    /// Decisions marked for a common answer.
    pub(crate) marked: BTreeSet<DecisionId>,
    /// Where the last mark was set.
    pub(crate) last_mark: Option<DecisionId>,
    /// The selected decision's card beside the list, if there is room.
    pub(crate) glance: Option<Box<Card>>,
    /// The decision that was last requested for it.
    pub(crate) glancing: Option<DecisionId>,
    /// The first line on the screen; the view keeps the selected row visible.
    pub(crate) top: Cell<usize>,
}

/// A line at the foot of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

/// The tone of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Something succeeded.
    Good,
    /// Something failed.
    Bad,
    /// Neutral.
    Plain,
}

impl Model {
    /// Creates an inbox that has not read anything yet.
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
            arrival: ContentArrival::default(),
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

    /// Returns the height of the middle of the screen.
    pub(crate) fn body_height(&self) -> usize {
        usize::from(self.size.1).saturating_sub(3 + usize::from(self.tells_outgoing())).max(1)
    }

    /// Returns whether a line shows the answers under way: there must be room for it, and time to read it.
    pub(crate) fn tells_outgoing(&self) -> bool {
        self.size.1 >= 7 && self.outgoing.entries.iter().any(|entry| entry.was_held || entry.is_back())
    }
}

impl List {
    /// Returns how many rows wait for an answer.
    pub(crate) fn waiting(&self) -> usize {
        self.rows.iter().filter(|row| !self.hidden.contains(&row.id)).count()
    }

    /// Returns how many decisions wait for an answer: a row can stand for several that ask the same.
    pub(crate) fn pending(&self) -> usize {
        self.rows.iter().filter(|row| !self.hidden.contains(&row.id)).map(|row| row.times).sum()
    }

    /// Returns the index of the selected row among those that are shown.
    pub(crate) fn selected_index(&self) -> Option<usize> {
        let selected = self.selected?;
        self.found.iter().position(|at| self.rows.get(*at).is_some_and(|row| row.id == selected))
    }

    /// Returns the selected row.
    pub(crate) fn row(&self) -> Option<&Row> {
        self.selected_index().and_then(|at| self.rows.get(*self.found.get(at)?))
    }

    /// Selects the row at an index, or the nearest there is.
    pub(crate) fn select(&mut self, place: usize) {
        let last = self.found.len().saturating_sub(1);
        self.selected = self.found.get(place.min(last)).and_then(|at| self.rows.get(*at)).map(|row| row.id);
    }

    /// Repeats the search; the selection stays if it still matches.
    pub(crate) fn find(&mut self, now: Timestamp) {
        let before = self.selected_index().unwrap_or(0);
        let sought = Search::of(self.search.text());
        let is_shown = |row: &Row| !self.hidden.contains(&row.id) && row.fits(&sought, now);
        self.found = (0..self.rows.len()).filter(|at| is_shown(&self.rows[*at])).collect();
        if self.selected_index().is_none() {
            self.select(before);
        }
    }
}
