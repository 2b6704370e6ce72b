//! What a decision is about, taken apart by what it means to a person: a command, changed lines, an address, an amount.
//!
//! Whoever shows a decision shows these blocks, each in its way; nobody else reads the subject's JSON. Everything that
//! the subject says stands in some block, because a yes counts for all of it.

mod arguments;
mod command;
mod data;
mod edit;
mod patch;
mod remark;
mod shell;
mod text;

use holdpoint_core::{Decision, Source};
use serde_json::{Map, Value};

pub use data::Data;
pub use edit::{Line, Mark};
use remark::Folder;
pub use shell::{Part, Token, parts};
pub use text::shown_name;

/// What members are called that say where a command runs, and what a tool is given.
const FOLDERS: [&str; 3] = ["cwd", "workdir", "working_directory"];
const INPUTS: [&str; 3] = ["input", "tool_input", "arguments"];
/// A subject with more members than this is shown as it is.
const MANY: usize = 200;
/// Words that a statement in SQL begins with.
const SQL: [&str; 14] = [
    "alter", "call", "create", "delete", "drop", "explain", "grant", "insert", "merge", "revoke", "select",
    "truncate", "update", "with",
];

/// A subject as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What kind of thing it is.
    pub title: &'static str,
    /// What matters most comes first.
    pub blocks: Vec<Block>,
    /// What it is sure to do that is worth a second look, each a sentence without its full stop; as it was sent.
    pub remarks: Vec<String>,
}

impl Subject {
    fn of(title: &'static str, blocks: Vec<Block>) -> Self {
        Self { title, blocks, remarks: Vec::new() }
    }

    /// Says what its asker wants to do, after "wants to".
    pub fn wants(&self) -> Option<&'static str> {
        Some(match self.title {
            "Command" => "run a command",
            "Edit" => "edit a file",
            "File" => "write a file",
            "Patch" => "apply a patch",
            "SQL" => "run SQL",
            "Address" => "open an address",
            "Payment" => "pay",
            _ => return None,
        })
    }
}

/// A part of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is called, as it was sent; nothing where the title says it all.
    pub name: Option<String>,
    /// What it says.
    pub content: Content,
}

/// What a block says. All text is as it was sent: it is for the painter to make it harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A command for a shell.
    Command(String),
    /// Text that replaces other text.
    Diff(Vec<Line>),
    /// A patch, in a form of its own.
    Patch(String),
    /// A statement in SQL.
    Sql(String),
    /// Text for people, in Markdown.
    Prose(String),
    /// An address, with its host apart.
    Address {
        /// Scheme and, if there is one, user.
        before: String,
        /// Host and port.
        host: String,
        /// Path and query.
        after: String,
    },
    /// An amount of money with its currency.
    Money(String),
    /// A value with others in it.
    Data(Data),
    /// Anything else.
    Text(String),
}

/// Takes the subject of a decision apart; nothing if it has none.
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

/// Takes a subject apart.
pub fn of_value(subject: &Value) -> Subject {
    let mut taken = apart(subject);
    for block in &taken.blocks {
        if let Content::Command(text) = &block.content {
            taken.remarks.extend(remark::of_command(text, &folder(subject)));
        }
    }
    taken
}

/// Returns where a command runs: as is said of the call, or else as the call itself says. Where both do, only what lies outside
/// of the first whatever the second is can be told.
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
        other => return Subject::of("Subject", vec![unnamed(plain(other))]),
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
        return Subject::of(title.unwrap_or(if tool.is_some() { "Tool call" } else { "Subject" }), blocks);
    };
    let (title, mut blocks) = hero(&mut input);
    let named = |(name, value): (String, Value)| {
        // What the tool is given must not pass for what is said of it.
        let name = if members.contains_key(&name) { format!("input {name}") } else { name };
        (name, value)
    };
    let input: Vec<Block> = rest(input.into_iter().map(named)).collect();
    if title.is_none()
        && let Some(tool) = tool.and_then(|name| members.remove(name).map(|value| (name, value)))
    {
        // Nothing else says what would be done.
        blocks.extend(rest([(tool.0.to_owned(), tool.1)]));
    }
    blocks.extend(input);
    blocks.extend(rest(members));
    Subject::of(title.unwrap_or("Tool call"), blocks)
}

/// Takes out of some members what says most about them. What is run comes first: nothing beside it may pass for all that is done.
fn hero(members: &mut Map<String, Value>) -> (Option<&'static str>, Vec<Block>) {
    type Take = fn(&mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)>;
    let known: [Take; 8] =
        [command::take, edit::take, edit::take_shown, plan, sql, address, take_patch, money];
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
    Some(("Address", vec![unnamed(content)]))
}

/// Sets the host of an address apart. Nothing where browsers and we might disagree about which part that is.
fn split_address(url: &str) -> Option<Content> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| url.starts_with(scheme))?;
    let rest = &url[scheme.len()..];
    if url.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let start = rest[..end].rfind('@').map_or(0, |at| at + 1);
    let (before, host, after) = (&rest[..start], &rest[start..end], &rest[end..]);
    (!host.is_empty()).then(|| Content::Address {
        before: format!("{scheme}{before}"),
        host: host.into(),
        after: after.into(),
    })
}

fn take_patch(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let is_patch = |name: &&str| members.get(*name).and_then(Value::as_str).is_some_and(edit::is_patch);
    let name = ["patch", "diff", "input"].into_iter().find(is_patch)?;
    Some(("Patch", patch::blocks(take_text(members, name)?)))
}

fn money(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let amount = members.get("amount").and_then(|amount| match amount {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if text.chars().all(|c| c.is_ascii_digit() || ".,' -".contains(c)) => {
            Some(text.clone())
        }
        _ => None,
    })?;
    let currency = members.get("currency").and_then(Value::as_str).filter(|name| name.len() <= 8)?.to_owned();
    members.retain(|name, _| !["amount", "currency"].contains(&name.as_str()));
    let mut blocks = vec![unnamed(Content::Money(format!("{amount} {currency}")))];
    // To whom, and how often, matters more than for what.
    let first = ["payee", "recipient", "recurring"]
        .map(|name| members.remove(name).map(|value| (name.to_owned(), value)));
    blocks.extend(rest(first.into_iter().flatten()));
    Some(("Payment", blocks))
}

/// Makes a block of each member that is left.
fn rest(members: impl IntoIterator<Item = (String, Value)>) -> impl Iterator<Item = Block> {
    members.into_iter().map(|(name, value)| {
        // A text that reads like another value is told from it.
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

/// Takes out a member that is text and says something.
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
