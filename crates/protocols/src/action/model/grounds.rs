//! Whether a value that a model gives is one that the person stated.
//!
//! The words that it points to must stand in the message. Where they, or the message, plainly say another value, the
//! person is asked which; places and addresses must stand there figure by figure, for a model knows many that nobody
//! gave it.

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

use super::super::reader::{self, Question, Reading};

/// What a value rests on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The person stated it.
    Stated(Value),
    /// They may have meant another: these.
    Other(Vec<Value>),
    /// Nothing that they said.
    None,
    /// What they said speaks against it: it is not even worth a question.
    Against,
}

/// A message that values are held against.
pub(super) struct Grounds<'a> {
    question: Question<'a>,
    /// What the built-in reader finds in the whole of it.
    own: Reading,
}

impl<'a> Grounds<'a> {
    pub(super) fn new(question: Question<'a>) -> Self {
        Self { question, own: reader::read(question) }
    }

    /// Returns whether words stand in the message.
    pub(super) fn has(&self, words: &str) -> bool {
        !words.is_empty() && contains(self.question.text, words)
    }

    /// Judges a value by the words that it is said to come from.
    pub(super) fn of(&self, known: &Field, value: Value, words: &str) -> Verdict {
        if words.is_empty() || !contains(self.question.text, words) {
            return Verdict::None;
        }
        let said = value.as_str().unwrap_or_default();
        match known.kind {
            // A person's words stay a person's words.
            Kind::Text | Kind::Multiline if contains(words, said) => Verdict::Stated(value),
            Kind::Text | Kind::Multiline => match field::check(known, &Value::from(words)) {
                Ok(words) => Verdict::Stated(words),
                Err(_) => Verdict::None,
            },
            Kind::Email | Kind::Url if !contains(self.question.text, said) => Verdict::None,
            Kind::Tel if !figures(self.question.text).contains(&figures(said)) => Verdict::None,
            Kind::Location if !is_written(&value, words) => Verdict::None,
            _ if field::has_custom_text(&value).is_some_and(|own| !contains(words, own)) => Verdict::None,
            Kind::Integer | Kind::Number
                if has_figures(words)
                    && !figures(words).contains(&whole(&value))
                    && !self.agrees(known, &value, words) =>
            {
                Verdict::None
            }
            _ if self.is_refused(known, &value, words) => Verdict::Against,
            _ if !self.is_tied(known, words) => Verdict::None,
            _ => self.compared(known, value, words),
        }
    }

    /// Returns whether the built-in reader knows better than to take a value from words: the option is only denied, the words are
    /// quoted, or what would be changed is only mentioned.
    fn is_refused(&self, known: &Field, value: &Value, words: &str) -> bool {
        let same = |own: &Value| field::same(known.kind, own, value);
        if self.own.value(&known.id).is_some_and(same) {
            return false;
        }
        let picked = field::picked(known, value);
        let denied = |id: &str| {
            // Of whatever is said elsewhere the words say nothing.
            let held = Question { text: words, ..self.question };
            reader::denies_option(held, known, id) || reader::denies_option(self.question, known, id)
        };
        if picked.iter().any(|picked| denied(&picked.option.id)) {
            return true;
        }
        if reader::is_quoted(self.question.text, words) {
            return true;
        }
        if !known.kind.picks() || !self.question.known.contains_key(&known.id) {
            return false;
        }
        let mut before = self.question.known.clone();
        before.remove(&known.id);
        let open = reader::read(Question { known: &before, asked: None, ..self.question });
        open.mentioned.iter().any(|mentioned| mentioned.field == known.id && same(&mentioned.value))
    }

    /// Compares a value with what the built-in reader finds in the words, and in all that was said.
    fn compared(&self, known: &Field, value: Value, words: &str) -> Verdict {
        let alone = self.alone(known, words);
        let found = [self.own.value(&known.id), alone.value(&known.id)];
        let other = found.into_iter().flatten().find(|other| !field::same(known.kind, other, &value));
        match other {
            Some(other) => Verdict::Other(vec![other.clone(), value]),
            None => Verdict::Stated(value),
        }
    }

    /// Returns whether the words could carry a value of this kind at all: a day needs words of time, a number one of count,
    /// and a choice more than a greeting.
    fn is_tied(&self, known: &Field, words: &str) -> bool {
        match known.kind {
            Kind::Date | Kind::Time | Kind::Datetime => {
                has_figures(words) || !self.alone(known, words).is_empty() || reader::speaks_of_time(words)
            }
            Kind::Integer | Kind::Number => {
                has_figures(words) || !self.alone(known, words).is_empty() || reader::speaks_of_count(words)
            }
            // `on Monday` names no option; yes and no are said in small words.
            Kind::Choice | Kind::Choices if known.all_options().count() > 2 => {
                reader::names_something(words) || !self.alone(known, words).is_empty()
            }
            _ => reader::says_something(words),
        }
    }

    fn agrees(&self, known: &Field, value: &Value, words: &str) -> bool {
        self.alone(known, words).value(&known.id).is_some_and(|own| field::same(known.kind, own, value))
    }

    fn alone(&self, known: &Field, words: &str) -> Reading {
        reader::read(Question { asked: Some(known), text: words, ..self.question })
    }
}

/// Returns whether a text holds some words, spaces and case aside.
fn contains(text: &str, words: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    plain(text).contains(&plain(words))
}

fn figures(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn has_figures(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

fn whole(value: &Value) -> String {
    let text = value.to_string();
    figures(text.split('.').next().unwrap_or_default())
}

/// Returns whether both coordinates begin as figures in the words do.
fn is_written(place: &Value, words: &str) -> bool {
    let numbers: Vec<&str> =
        words.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
    ["lat", "lng"].iter().all(|part| numbers.contains(&whole(&place[*part]).as_str()))
}
