//! Finds the rules that could match a decision at all, without trying each: by a value that they name and that the
//! decision must contain.
//!
//! Each rule is indexed by its most selective value. The index only leaves out rules that cannot match; whether a rule
//! does match is up to [`matches`](super::matching::matches).

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::line::{Line, SimpleCommand, line};
use super::subject::Call;
use super::{
    CommandPattern, Rule, Then, ValuePattern, When, WordPattern, command, folder, programs, reading,
};
use super::{service, tools};
use crate::decision::Decision;

/// A value that a decision must contain for a rule to match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The whole question.
    Digest(String),
    /// The first word of a command.
    Program(String),
    /// The first two words of a command.
    Verb(String, String),
    /// The folder in which a command runs or a file lies, or that file.
    Under(String),
    /// A text at a pointer into the subject.
    Text(String, String),
    /// The beginning of an address, up to its path, at a pointer into the subject.
    Origin(String, String),
    /// The tool, or the server of the tool.
    Tool(String),
}

/// The positions of rules in a list, by the value that they name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Index {
    by: HashMap<Key, Vec<usize>>,
    /// The pointers at which rules name a text or an address.
    pointers: BTreeSet<String>,
    /// The rules that name no such value.
    others: Vec<usize>,
}

impl Index {
    /// Adds a rule at a place.
    pub(super) fn add(&mut self, rule: &Rule, at: usize) {
        let Some(key) = key(&rule.when, rule.then) else {
            self.others.push(at);
            return;
        };
        if let Key::Text(pointer, _) | Key::Origin(pointer, _) = &key {
            self.pointers.insert(pointer.clone());
        }
        self.by.entry(key).or_default().push(at);
    }

    /// Lists the places of the rules that could match a decision, in order.
    pub(super) fn candidates(&self, decision: &Decision) -> Vec<usize> {
        let mut places = self.others.clone();
        if !self.by.is_empty() {
            let named = keys(decision, &self.pointers);
            places.extend(named.iter().filter_map(|key| self.by.get(key)).flatten());
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Returns the most selective value that a rule names.
fn key(when: &When, then: Then) -> Option<Key> {
    let tool = || when.tool.clone().map(Key::Tool);
    if let Some(digest) = &when.digest {
        return Some(Key::Digest(digest.clone()));
    }
    if let Some(command) = &when.command {
        return of_command(command).or_else(tool);
    }
    if let Some(path) = &when.path {
        // A rule that refuses or asks may name a path below the folder that is searched.
        return Some(Key::Under(literal(path))).filter(|_| then == Then::Allow).or_else(tool);
    }
    if let Some(input) = &when.input {
        let texts = input.iter().filter_map(|(pointer, pattern)| match pattern {
            ValuePattern::Exact(Value::String(text)) => Some((pointer, text)),
            _ => None,
        });
        let text = texts.max_by_key(|(_, text)| text.len());
        let text = text.map(|(pointer, text)| Key::Text(pointer.clone(), text.clone()));
        let origin = || {
            input.iter().find_map(|(pointer, pattern)| match pattern {
                ValuePattern::Like(like) => {
                    let named = like.glob.split('*').next().unwrap_or_default();
                    Some(Key::Origin(pointer.clone(), origin(named)?.to_owned()))
                }
                ValuePattern::Exact(_) => None,
            })
        };
        return text.or_else(origin).or_else(tool);
    }
    tool()
}

fn of_command(command: &CommandPattern) -> Option<Key> {
    match command.words.as_slice() {
        [] => command.cwd.as_deref().map(|cwd| Key::Under(literal(cwd))),
        [WordPattern::Exact(program), WordPattern::Exact(verb), ..] => {
            Some(Key::Verb(program.clone(), verb.clone()))
        }
        [WordPattern::Exact(program), ..] => Some(Key::Program(program.clone())),
        [WordPattern::Like(_), ..] => None,
    }
}

/// Returns the path of a pattern up to its first star, without the component that the star is in.
fn literal(pattern: &str) -> String {
    match pattern.split_once('*') {
        Some((before, _)) => before.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned()),
        None => pattern.to_owned(),
    }
}

/// Returns an address up to its path, if it has one.
fn origin(address: &str) -> Option<&str> {
    let end = address.match_indices('/').nth(2)?.0;
    address.get(..end)
}

/// Lists the values of a decision that rules may name.
fn keys(decision: &Decision, pointers: &BTreeSet<String>) -> Vec<Key> {
    let mut keys = vec![Key::Digest(decision.digest.clone())];
    let Some(subject) = &decision.subject else { return keys };
    for pointer in pointers {
        if let Some(Value::String(text)) = subject.pointer(pointer) {
            keys.extend(origin(text).map(|origin| Key::Origin(pointer.clone(), origin.to_owned())));
            keys.push(Key::Text(pointer.clone(), text.clone()));
        }
    }
    let Some(call) = Call::of(subject) else { return keys };
    keys.extend(call.tool.map(|tool| Key::Tool(tool.to_owned())));
    keys.extend(call.tool.and_then(reading::server).map(|server| Key::Tool(server.to_owned())));
    let line = read(&call);
    keys.extend(line.commands.iter().flat_map(|command| of_words(&command.words)));
    let at = folder::gone_to(call.folder(), &line.folders);
    let paths = [at, tools::file(&call).map(std::borrow::Cow::into_owned), tools::read_path(&call)];
    keys.extend(paths.iter().flatten().flat_map(|path| above(path)));
    keys
}

/// Reads the command of a call, as far as it can be read.
fn read(call: &Call<'_>) -> Line {
    match call.command() {
        Some((_, Value::String(text))) => match command::simple_words(text) {
            Ok(words) => Line { commands: vec![SimpleCommand::of(words)], ..Line::default() },
            Err(_) => line(text).unwrap_or_default(),
        },
        Some((_, Value::Array(words))) => {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Line { commands: vec![SimpleCommand::of(words)], ..Line::default() }
        }
        _ => Line::default(),
    }
}

/// Lists how a command begins: as written, in the folder that it names, and as a request to a service.
fn of_words(words: &[String]) -> Vec<Key> {
    let in_folder = programs::in_folder(words).map(|(_, words)| words);
    let said = [Some(words.to_vec()), in_folder, service::named(words)];
    let begins = |words: Vec<String>| {
        let mut words = words.into_iter();
        let (program, verb) = (words.next(), words.next());
        let verb = program.clone().zip(verb).map(|(program, verb)| Key::Verb(program, verb));
        program.map(Key::Program).into_iter().chain(verb)
    };
    said.into_iter().flatten().flat_map(begins).collect()
}

/// Lists a path and the folders above it.
fn above(path: &str) -> impl Iterator<Item = Key> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| Key::Under(path[..end].to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key_of(when: Value) -> Option<Key> {
        key(&serde_json::from_value(when).unwrap(), Then::Allow)
    }

    #[test]
    fn a_rule_is_kept_by_what_says_most() {
        let under = |path: &str| Some(Key::Under(path.to_owned()));
        let text = |pointer: &str, text: &str| Some(Key::Text(pointer.to_owned(), text.to_owned()));
        for (when, expected) in [
            (json!({"path": "/srv/app/**"}), under("/srv/app")),
            (json!({"path": "/srv/app/src*/a.rs"}), under("/srv/app")),
            (json!({"path": "/srv/app/a.rs"}), under("/srv/app/a.rs")),
            (json!({"path": "/*/a.rs"}), under("")),
            (json!({"command": {"words": [], "more": "looking", "cwd": "/srv/app/**"}}), under("/srv/app")),
            (json!({"command": {"words": ["cargo"]}}), Some(Key::Program("cargo".into()))),
            (
                json!({"command": {"words": ["cargo", "test", "x"]}}),
                Some(Key::Verb("cargo".into(), "test".into())),
            ),
            (json!({"input": {"/a": "b", "/input/command": "ls; id"}}), text("/input/command", "ls; id")),
            (
                json!({"tool": "WebFetch", "input": {"/input/url": {"glob": "https://docs.rs/**"}}}),
                Some(Key::Origin("/input/url".into(), "https://docs.rs".into())),
            ),
            (json!({"tool": "T", "input": {"/n": 1}}), Some(Key::Tool("T".into()))),
            (json!({"tool": "mcp__github", "looking": true}), Some(Key::Tool("mcp__github".into()))),
            (json!({"title": "Deploy*"}), None),
        ] {
            assert_eq!(key_of(when.clone()), expected, "{when}");
        }
        let path = When { path: Some("/srv/app/**".into()), ..When::default() };
        assert_eq!(key(&path, Then::Refuse), None);
    }

    #[test]
    fn a_path_lies_in_each_folder_above_it() {
        let folders: Vec<Key> = above("/srv/app").collect();
        assert_eq!(folders, ["", "/srv", "/srv/app"].map(|folder| Key::Under(folder.to_owned())));
    }
}
