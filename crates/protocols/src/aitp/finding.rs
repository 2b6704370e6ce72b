//! What is wrong with a message, and where.

use serde::Serialize;

/// The layer of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The message does not match its capability's schema.
    Schema,
    /// The message matches its schema, but means something impossible or undesirable.
    Semantic,
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The layer.
    pub layer: Layer,
    /// The place, as a JSON pointer; empty for the whole message.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// The most findings: more are of no use to a person, and a hostile message should not lead to a long answer.
const MOST: usize = 100;

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) errors: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    /// Whether the message is not accepted, even if it is well-formed.
    pub(super) unreadable: bool,
}

impl Findings {
    /// Returns whether no more findings are accepted.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MOST
    }

    pub(super) fn schema(&mut self, path: &Path<'_>, message: String) {
        push(&mut self.errors, Layer::Schema, path, message);
    }

    pub(super) fn semantic(&mut self, path: &Path<'_>, message: String) {
        push(&mut self.errors, Layer::Semantic, path, message);
    }

    /// Adds the reason why a well-formed message is not accepted.
    pub(super) fn unreadable(&mut self, way: &[String], message: String) {
        let pointer = way.iter().flat_map(|step| ["/".to_owned(), escaped(step)]).collect();
        self.errors.push(Finding { layer: Layer::Semantic, pointer, message });
        self.unreadable = true;
    }

    pub(super) fn warn(&mut self, path: &Path<'_>, message: String) {
        push(&mut self.warnings, Layer::Semantic, path, message);
    }
}

fn push(list: &mut Vec<Finding>, layer: Layer, path: &Path<'_>, message: String) {
    if list.len() < MOST {
        list.push(Finding { layer, pointer: path.pointer(), message });
    }
}

/// The way to a place in a message; formatted only if something is wrong there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path<'p> {
    step: Option<(&'p Path<'p>, Step<'p>)>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Member(&'p str),
    Item(usize),
}

impl<'p> Path<'p> {
    pub(super) fn member(&'p self, name: &'p str) -> Path<'p> {
        Path { step: Some((self, Step::Member(name))) }
    }

    pub(super) fn item(&'p self, place: usize) -> Path<'p> {
        Path { step: Some((self, Step::Item(place))) }
    }

    fn pointer(&self) -> String {
        let Some((before, step)) = &self.step else { return String::new() };
        let mut pointer = before.pointer();
        pointer.push('/');
        match step {
            Step::Member(name) => pointer.push_str(&escaped(name)),
            Step::Item(place) => pointer.push_str(&place.to_string()),
        }
        pointer
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
