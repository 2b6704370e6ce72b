//! The subject of a decision, split into parts by their meaning to a person: a command, changed lines, an address, an
//! amount.
//!
//! Every view of a decision shows these blocks, in its own way; none of them reads the subject's JSON. Every part of
//! the subject is in some block, because a yes counts for all of it.

mod arguments;
mod command;
pub mod compare;
mod data;
mod edit;
mod headline;
mod host;
mod money;
mod patch;
mod remark;
mod shell;
mod text;

use holdpoint_core::{Decision, Source};
use serde_json::{Map, Value};

pub use compare::LineChange;
pub use data::Data;
pub use edit::Line;
pub use headline::{headline, repeats};
use remark::Folder;
pub use shell::{ShellPart, Token, parts};
pub use text::shown_name;

/// The members that name the folder of a command.
const FOLDERS: [&str; 3] = ["cwd", "workdir", "working_directory"];
const INPUTS: [&str; 3] = ["input", "tool_input", "arguments"];
/// The number of members above which a subject is shown as it is.
const MANY: usize = 200;
/// The first words of SQL statements.
const SQL: [&str; 14] = [
    "alter", "call", "create", "delete", "drop", "explain", "grant", "insert", "merge", "revoke", "select",
    "truncate", "update", "with",
];

/// A subject in the form in which a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The kind of thing that it is.
    pub title: &'static str,
    /// The blocks, the most important first.
    pub blocks: Vec<Block>,
    /// Warnings about its certain effects, each a sentence without its full stop; as it was sent.
    pub remarks: Vec<String>,
}

impl Subject {
    fn of(title: &'static str, blocks: Vec<Block>) -> Self {
        Self { title, blocks, remarks: Vec::new() }
    }

    /// Describes what its asker wants to do, after "wants to".
    pub fn wants(&self) -> Option<&'static str> {
        Some(match self.title {
            "Command" => "run a command",
            "Edit" => "edit a file",
            "File" => "write a file",
            "Cell" => "change a notebook",
            "Patch" => "apply a patch",
            "SQL" => "run SQL",
            "URL" => "open a URL",
            "Payment" => "pay",
            _ => return None,
        })
    }
}

/// A part of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name, as it was sent; none if the title is enough.
    pub name: Option<String>,
    /// Its content.
    pub content: Content,
}

/// The content of a block. All text is as it was sent: the view has to make it harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A command for a shell.
    Command(String),
    /// Text that replaces other text.
    Diff(Vec<Line>),
    /// A patch, in its own format.
    Patch(String),
    /// A statement in SQL.
    Sql(String),
    /// Text for people, in Markdown.
    Prose(String),
    /// An address, with its host separated.
    Address {
        /// Scheme and, if there is one, user.
        before: String,
        /// Host and port, in unambiguous letters.
        host: String,
        /// Path and query.
        after: String,
        /// The host as it was sent, if that differs.
        sent: Option<String>,
        /// A warning about the host, in a sentence without its full stop.
        remark: Option<String>,
    },
    /// An amount of money with its currency, payee and frequency.
    Money(String),
    /// A nested value.
    Data(Data),
    /// Anything else.
    Text(String),
}

/// Splits the subject of a decision into blocks; none if it has no subject.
pub fn subject(decision: &Decision) -> Option<Subject> {
    let mut subject = of_value(decision.subject.as_ref()?);
    match decision.source {
        Source::Plan => {
            subject.title = "Plan";
            for block in &mut subject.blocks {
                if let (None, Content::Text(text)) = (&block.name, &mut block.content) {
                    block.content = Content::Prose(std::mem::take(text));
                }
            }
        }
        Source::Verdict => subject.title = "Change",
        _ => {}
    }
    Some(subject)
}

/// Splits a subject into blocks.
pub fn of_value(subject: &Value) -> Subject {
    let mut taken = apart(subject);
    for block in &taken.blocks {
        match &block.content {
            Content::Command(text) => taken.remarks.extend(remark::of_command(text, &folder(subject))),
            Content::Address { remark, .. } => taken.remarks.extend(remark.clone()),
            _ => {}
        }
    }
    taken
}

/// Returns the folder of a command: the one given for the call, or else the one in its input. If there are both, only
/// paths outside the first are certain, whatever the second is.
fn folder(subject: &Value) -> Folder {
    let named =
        |value: &Value| FOLDERS.into_iter().find_map(|name| value.get(name)?.as_str().map(str::to_owned));
    let input = INPUTS.into_iter().find_map(|name| subject.get(name));
    match (named(subject), input.and_then(named)) {
        (Some(outer), Some(inner)) if outer != inner => Folder { path: Some(outer), is_left: true },
        (outer, inner) => Folder { path: outer.or(inner), is_left: false },
    }
}

fn apart(subject: &Value) -> Subject {
    let mut members = match subject {
        Value::Object(members) if !members.is_empty() && members.len() <= MANY => members.clone(),
        Value::String(text) => {
            let address = split_address(text).map(|address| ("URL", address));
            let (title, content) = address.unwrap_or_else(|| ("Subject", plain(subject)));
            return Subject::of(title, vec![unnamed(content)]);
        }
        other => return Subject::of("Data", vec![unnamed(plain(other))]),
    };
    let tool =
        ["tool", "tool_name"].into_iter().find(|name| members.get(*name).is_some_and(Value::is_string));
    let input = tool.and_then(|_| {
        let is_input = |name: &&str| {
            matches!(members.get(*name), Some(Value::Object(input)) if !input.is_empty() && input.len() <= MANY)
        };
        INPUTS.into_iter().find(is_input)
    });
    let Some(Value::Object(mut input)) = input.and_then(|name| members.remove(name)) else {
        let (title, mut blocks) = hero(&mut members);
        blocks.extend(rest(members));
        return Subject::of(title.unwrap_or(if tool.is_some() { "Tool call" } else { "Data" }), blocks);
    };
    let (mut title, mut blocks) = hero(&mut input);
    // What an editor shows beside the input may say more, or repeat the change.
    if let Some(mut shown) = edit::shown_in_editor(&members) {
        members.remove("content");
        title = title.or(edit::changes_files(&shown).then_some("Edit"));
        shown.retain(|block| !blocks.contains(block));
        blocks.extend(shown);
    }
    let named = |(name, value): (String, Value)| {
        // Members of the input must not pass for members of the call.
        let name = if members.contains_key(&name) { format!("input {name}") } else { name };
        (name, value)
    };
    let input: Vec<Block> = rest(input.into_iter().map(named)).collect();
    if title.is_none()
        && let Some(tool) = tool.and_then(|name| members.remove(name).map(|value| (name, value)))
    {
        // Nothing else describes what would be done.
        blocks.extend(rest([(tool.0.to_owned(), tool.1)]));
    }
    blocks.extend(input);
    blocks.extend(rest(members));
    Subject::of(title.unwrap_or("Tool call"), blocks)
}

/// Takes the most important block out of some members. A command comes first, so that nothing beside it can pass for
/// the whole action.
fn hero(members: &mut Map<String, Value>) -> (Option<&'static str>, Vec<Block>) {
    type Take = fn(&mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)>;
    let known: [Take; 9] = [
        command::take,
        edit::take,
        edit::take_shown,
        plan,
        sql,
        address,
        take_patch,
        money::take,
        money::quote,
    ];
    match known.iter().find_map(|take| take(members)) {
        Some((title, blocks)) => (Some(title), blocks),
        None => (None, Vec::new()),
    }
}

fn plan(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let name = if members.len() == 1 && members.contains_key("prompt") { "prompt" } else { "plan" };
    let text = take_text(members, name)?;
    Some((if name == "plan" { "Plan" } else { "Prompt" }, vec![unnamed(Content::Prose(text))]))
}

fn sql(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let is_sql = |name: &&str| {
        let text = members.get(*name).and_then(Value::as_str).unwrap_or_default();
        let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
        SQL.contains(&first.as_str())
    };
    let name = ["sql", "query", "statement"].into_iter().find(is_sql)?;
    Some(("SQL", vec![unnamed(Content::Sql(take_text(members, name)?))]))
}

fn address(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let content = members.get("url").and_then(Value::as_str).and_then(split_address)?;
    members.remove("url");
    Some(("URL", vec![unnamed(content)]))
}

/// Separates the host of an address. None if browsers might interpret it differently.
fn split_address(url: &str) -> Option<Content> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| url.starts_with(scheme))?;
    let rest = &url[scheme.len()..];
    if url.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let start = rest[..end].rfind('@').map_or(0, |at| at + 1);
    let (before, host, after) = (&rest[..start], &rest[start..end], &rest[end..]);
    let host::Host { plain, sent, remark } = host::read(Some(host).filter(|host| !host.is_empty())?)?;
    Some(Content::Address {
        before: format!("{scheme}{before}"),
        host: plain,
        after: after.into(),
        sent,
        remark,
    })
}

fn take_patch(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let is_patch = |name: &&str| members.get(*name).and_then(Value::as_str).is_some_and(edit::is_patch);
    let name = ["patch", "diff", "input"].into_iter().find(is_patch)?;
    Some(("Patch", patch::blocks(take_text(members, name)?)))
}

/// Makes a block of each remaining member.
fn rest(members: impl IntoIterator<Item = (String, Value)>) -> impl Iterator<Item = Block> {
    members.into_iter().map(|(name, value)| {
        // A text that looks like another value is marked as text.
        let is_json = |text: &String| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let content = match &value {
            Value::String(text) if is_json(text) => Content::Text(value.to_string()),
            other => plain(other),
        };
        Block { name: Some(name), content }
    })
}

fn plain(value: &Value) -> Content {
    match value {
        Value::String(text) if edit::is_patch(text) => Content::Patch(text.clone()),
        Value::String(text) => Content::Text(text.clone()),
        other => match Data::of(other) {
            Data::Text(text) => Content::Text(text),
            data => Content::Data(data),
        },
    }
}

fn unnamed(content: Content) -> Block {
    Block { name: None, content }
}

/// Takes out a member with a text that is not empty.
fn take_text(members: &mut Map<String, Value>, name: &str) -> Option<String> {
    match members.get_mut(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => {
            let text = std::mem::take(text);
            members.remove(name);
            Some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
