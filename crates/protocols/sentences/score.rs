//! Reads the labelled sentences and counts what the reader finds in them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use holdpoint_core::{Field, Kind, Values, field, form as together};
use holdpoint_protocols::action::form::{self, Form};
use holdpoint_protocols::action::reader::{self, Question, Reading};
use jiff::civil::DateTime;
use serde_json::Value;

/// All sets. The reader was put right by each of them after its first reading.
pub(crate) const SETS: [&str; 42] = [
    "known.txt",
    "unseen.txt",
    "fresh.txt",
    "later.txt",
    "held_out.txt",
    "last.txt",
    "wide.txt",
    "after.txt",
    "final.txt",
    "terse.txt",
    "polite.txt",
    "learner.txt",
    "ward.txt",
    "warehouse.txt",
    "intern.txt",
    "trial.txt",
    "dictating.txt",
    "careful.txt",
    "volunteer.txt",
    "support.txt",
    "teacher.txt",
    "parent.txt",
    "assistant.txt",
    "site.txt",
    "market.txt",
    "kitchen.txt",
    "depot.txt",
    "night.txt",
    "staff.txt",
    "nurse.txt",
    "office.txt",
    "commuter.txt",
    "scots.txt",
    "registrar.txt",
    "retired.txt",
    "temp.txt",
    "sales.txt",
    "chatty.txt",
    "neighbours.txt",
    "driver.txt",
    "laboratory.txt",
    "front_desk.txt",
];

/// A sentence with the values that it states.
pub(crate) struct Entry {
    pub(crate) form: String,
    now: DateTime,
    asked: Option<String>,
    pub(crate) text: String,
    known: Values,
    states: Values,
}

/// How the reader did on a form's sentences.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) sentences: usize,
    pub(crate) stated: usize,
    pub(crate) extracted: usize,
    pub(crate) invented: usize,
    pub(crate) slowest: Duration,
}

impl Score {
    pub(crate) fn add(&mut self, other: Self) {
        self.sentences += other.sentences;
        self.stated += other.stated;
        self.extracted += other.extracted;
        self.invented += other.invented;
        self.slowest = self.slowest.max(other.slowest);
    }
}

/// Reads one file of sentences.
pub(crate) fn entries(name: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sentences").join(name);
    let text = std::fs::read_to_string(path).expect("the sentences are there");
    let (mut form, mut now, mut asked, mut known) = (String::new(), None, None, Values::new());
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(text) = line.strip_prefix("> ") {
            let now = now.expect("now stands before the first sentence");
            let (form, asked, text) = (form.clone(), asked.take(), text.to_owned());
            let known = std::mem::take(&mut known);
            entries.push(Entry { form, now, asked, text, known, states: Values::new() });
        } else if let Some(name) = line.strip_prefix("form ") {
            name.clone_into(&mut form);
        } else if let Some(time) = line.strip_prefix("now ") {
            now = Some(time.parse().expect("now is a date and time"));
        } else if let Some(field) = line.strip_prefix("asked ") {
            asked = Some(field.to_owned());
        } else if let Some(values) = line.strip_prefix("known ") {
            known = serde_json::from_str(values).expect("what is known is JSON");
        } else {
            let (field, value) = line.split_once(": ").expect("field: value");
            let value = serde_json::from_str(value).expect("the value is JSON");
            entries
                .last_mut()
                .expect("a sentence stands before its values")
                .states
                .insert(field.to_owned(), value);
        }
    }
    entries
}

/// Reads all sentences of a file; what went wrong goes to `wrong`, a line each.
pub(crate) fn score(name: &str, wrong: &mut Vec<String>) -> BTreeMap<String, Score> {
    let mut forms: BTreeMap<String, Form> = BTreeMap::new();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for entry in entries(name) {
        let form = forms.entry(entry.form.clone()).or_insert_with_key(|name| read_form(name));
        let score = scores.entry(entry.form.clone()).or_default();
        score.add(judge(form, &entry, wrong));
    }
    scores
}

fn read_form(name: &str) -> Form {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = folder.join("sentences/forms").join(name);
    let path = if own.exists() { own } else { folder.join("../../examples/forms").join(name) };
    form::read(&std::fs::read_to_string(path).expect("the form is there")).expect("the form is sound")
}

fn judge(form: &Form, entry: &Entry, wrong: &mut Vec<String>) -> Score {
    let asked =
        entry.asked.as_deref().map(|id| form.fields.iter().find(|field| field.id == id).expect("a field"));
    let begun = Instant::now();
    let question =
        Question { fields: &form.fields, asked, text: &entry.text, now: entry.now, known: &entry.known };
    let reading = reader::read(question);
    let slowest = begun.elapsed();
    let found = kept(form, entry, &reading);
    let mut score = Score { sentences: 1, stated: entry.states.len(), slowest, ..Score::default() };
    for (id, value) in &entry.states {
        let field = form.fields.iter().find(|field| field.id == *id).expect("a field of the form");
        match found.get(id) {
            Some(read) if same(field, read, value) => score.extracted += 1,
            other => wrong.push(format!("missed   {id} = {value}, read {other:?}: {}", entry.text)),
        }
    }
    for (id, value) in &found {
        let field = form.fields.iter().find(|field| field.id == *id).expect("a field of the form");
        if !entry.states.get(id).is_some_and(|stated| same(field, value, stated)) {
            score.invented += 1;
            wrong.push(format!("invented {id} = {value}: {}", entry.text));
        }
    }
    score
}

/// Returns what is kept of a reading: hidden fields count as little as in a conversation, where what is known may show them. A
/// field that was asked is visible.
fn kept(form: &Form, entry: &Entry, reading: &Reading) -> Values {
    let given: Values =
        reading.taken.iter().map(|taken| (taken.field.clone(), taken.value.clone())).collect();
    let mut draft = entry.known.clone();
    draft.extend(given.clone());
    let mut kept = together::accept_draft(&form.fields, &draft).values;
    kept.retain(|id, _| given.contains_key(id));
    if let Some((id, value)) = entry.asked.as_ref().and_then(|id| given.get_key_value(id)) {
        kept.insert(id.clone(), value.clone());
    }
    kept
}

fn same(field: &Field, left: &Value, right: &Value) -> bool {
    if matches!(field.kind, Kind::Text | Kind::Multiline) {
        let plain = |value: &Value| {
            let text = value.as_str().unwrap_or_default().to_lowercase();
            text.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).to_owned()
        };
        return plain(left) == plain(right);
    }
    field::same(field.kind, left, right)
}
