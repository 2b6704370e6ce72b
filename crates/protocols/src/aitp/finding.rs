//! What is wrong with a message, and where.

use serde::Serialize;

/// Which layer speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The message does not look as its capability's schema says.
    Schema,
    /// The message looks right and means something that cannot be, or should not.
    Semantic,
}

/// One thing that is wrong or odd.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which layer speaks.
    pub layer: Layer,
    /// Where, as a JSON pointer; empty for the whole message.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// After this many a person has seen enough, and a hostile message should not become a long answer.
const MOST: usize = 100;

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) errors: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    /// Whether the message is not read as one, right as it may look.
    pub(super) unreadable: bool,
}

impl Findings {
    /// Returns whether nothing more is taken down.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MOST
    }

    pub(super) fn schema(&mut self, path: &Path<'_>, message: String) {
        push(&mut self.errors, Layer::Schema, path, message);
    }

    pub(super) fn semantic(&mut self, path: &Path<'_>, message: String) {
        push(&mut self.errors, Layer::Semantic, path, message);
    }

    /// Takes down why a message that looks right is not read.
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

/// The way to a place in a message; written out only where something is wrong.
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
