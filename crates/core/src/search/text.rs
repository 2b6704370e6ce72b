//! The text of a decision that searches are matched against, folded.

use serde_json::Value;

use super::fold::fold;
use super::{NOBODY, member_term};
use crate::text::start;
use crate::{Decision, Opt, Timestamp};

/// How much of a decision is searched, in bytes.
pub const DEPTH: usize = 16 << 10;
/// The maximum for each of its short members, so that a long one does not crowd out the others.
const MEMBER: usize = 1 << 10;
/// The maximum for all options together.
const OPTIONS: usize = 4 << 10;
/// The shortest word that is matched against ids. Ids are random, so a shorter word would match by chance.
const ID_START: usize = 3;

/// The searchable text of a decision.
#[derive(Clone, Debug)]
pub struct Text {
    /// Title, names, answer, options, question and subject, with two spaces between them so that no phrase spans two.
    words: String,
    /// The decision's id and its owner.
    ids: String,
    /// The values that can be named.
    pub(super) members: Vec<(&'static str, String)>,
    pub(super) created_at: Timestamp,
}

impl Text {
    /// Builds the text of a decision, whose owner may have a name besides its id.
    pub fn of(decision: &Decision, owner_name: Option<&str>) -> Self {
        let mut ids = LimitedText::new(DEPTH);
        ids.add(&decision.id.to_string());
        ids.add(decision.id.suffix());
        if let Some(owner) = &decision.owner {
            ids.add(&owner.to_string());
        }
        let members = members(decision, owner_name);
        Self {
            words: searchable_text(decision, owner_name),
            ids: ids.out,
            members,
            created_at: decision.created_at,
        }
    }

    /// Returns the text for an index: words separated by spaces.
    pub fn indexed(&self) -> String {
        let mut out = format!("{}{}", self.words, self.ids);
        for (key, value) in &self.members {
            out.push(' ');
            out.push_str(&member_term(key, value));
        }
        out
    }

    /// Returns whether it has a named value, or one of several separated by commas. A name may itself contain a comma.
    pub(super) fn has(&self, key: &str, wanted: &str) -> bool {
        let mut values =
            self.members.iter().filter(|(known, _)| *known == key).map(|(_, value)| value).peekable();
        let among = |value: &str| format!(",{wanted},").contains(&format!(",{value},"));
        if key == "assignee" && values.peek().is_none() {
            return among(NOBODY);
        }
        values.any(|value| among(value))
    }

    /// Returns whether a word begins with the search word, which is given with a space before it.
    pub(super) fn holds(&self, word: &str) -> bool {
        self.words.contains(word) || (word.chars().count() > ID_START && self.ids.contains(word))
    }
}

fn searchable_text(decision: &Decision, owner_name: Option<&str>) -> String {
    let mut room = LimitedText::new(DEPTH);
    let mut short = |text: &str| room.add(start(text, MEMBER));
    let named =
        [&decision.title, &decision.asked_by, &decision.requested_by, &decision.reason, &decision.guidance];
    named.into_iter().flatten().for_each(|text| short(text));
    decision.assignees.iter().take(32).for_each(|name| short(name));
    owner_name.into_iter().for_each(&mut short);
    if let Some(answer) = &decision.answer {
        short(&answer.by);
        let given = [&answer.on_behalf_of, &answer.out, &answer.message];
        given.into_iter().flatten().for_each(|text| short(text));
        answer.values.values().for_each(|value| room.add_value(value));
    }
    let mut options = LimitedText::new(OPTIONS);
    for field in &decision.fields {
        options.add(&field.label);
        field.options.iter().for_each(|option| add_option(option, &mut options));
    }
    decision.outs.iter().for_each(|out| add_option(out, &mut options));
    for (name, value) in &decision.metadata {
        options.add(name);
        options.add(value);
    }
    room.append(&options);
    if let Some(prompt) = &decision.prompt {
        // A long question leaves half of the remaining room to the subject.
        room.add(if decision.subject.is_some() { start(prompt, room.left / 2) } else { prompt.as_str() });
    }
    decision.subject.iter().for_each(|subject| room.add_value(subject));
    room.out
}

fn add_option(option: &Opt, room: &mut LimitedText) {
    room.add(&option.id);
    room.add(&option.label);
}

/// Folded texts, up to a limit.
struct LimitedText {
    out: String,
    /// How many more bytes of text are accepted.
    left: usize,
}

impl LimitedText {
    fn new(left: usize) -> Self {
        Self { out: String::new(), left }
    }

    fn add(&mut self, text: &str) {
        let text = start(text, self.left);
        self.left -= text.len();
        fold(text, &mut self.out);
        self.out.push(' ');
    }

    /// Adds all texts in a value, with the names of its members, because people see both.
    fn add_value(&mut self, value: &Value) {
        if self.left == 0 {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.add(&number.to_string()),
            Value::String(text) => self.add(text),
            Value::Array(items) => items.iter().for_each(|item| self.add_value(item)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.add(name);
                    self.add_value(value);
                }
            }
        }
    }

    fn append(&mut self, other: &Self) {
        self.left = self.left.saturating_sub(OPTIONS - other.left);
        self.out.push_str(&other.out);
    }
}

fn members(decision: &Decision, owner_name: Option<&str>) -> Vec<(&'static str, String)> {
    let tool = decision.subject.as_ref().and_then(|subject| {
        let tool = ["tool", "tool_name"].into_iter().find_map(|name| subject.get(name));
        tool.and_then(Value::as_str)
    });
    let mut members = vec![
        ("project", decision.project.clone()),
        ("source", decision.source.name().to_owned()),
        ("priority", decision.priority.name().to_owned()),
    ];
    members.extend(decision.owner.iter().map(|owner| ("owner", owner.to_string())));
    members.extend(decision.owner.iter().map(|owner| ("owner", owner.id.clone())));
    members.extend(owner_name.map(|name| ("owner", name.to_owned())));
    members.extend(decision.asked_by.iter().map(|name| ("asked_by", name.clone())));
    members.extend(decision.assignees.iter().map(|name| ("assignee", name.clone())));
    members.extend(tool.map(|tool| ("tool", tool.to_owned())));
    members.into_iter().map(|(key, value)| (key, value.to_lowercase())).collect()
}
