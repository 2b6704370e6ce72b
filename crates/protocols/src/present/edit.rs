//! Changes of files, as coding agents ask for them: what is replaced, and by what.

use holdpoint_core::text::inert;
use serde_json::{Map, Value};

use super::{Block, Content, take_text};

/// A line of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What becomes of it.
    pub mark: Mark,
    /// The line, without its end.
    pub text: String,
}

impl Line {
    /// Returns the line, harmless. How it ends is shown only where that may be what changes.
    pub fn shown(&self) -> String {
        let text = self.text.as_str();
        inert(if self.mark == Mark::Same { text.trim_end_matches('\r') } else { text })
    }
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stays.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// Takes the change of a file out of some members: replaced text, or new content.
pub(super) fn take(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    // Nothing is taken out before it is sure that all of it is shown.
    let is_named =
        |name: &&str| members.get(*name).and_then(Value::as_str).is_some_and(|path| !path.trim().is_empty());
    let path = ["file_path", "filePath", "notebook_path", "path"].into_iter().find(is_named)?;
    let block = |name: String, content| Block { name: Some(name), content };
    let replaced = [("old_string", "new_string"), ("oldString", "newString")];
    if let Some((old, new)) =
        replaced.into_iter().find(|(old, new)| is_text(members, old) && is_text(members, new))
    {
        let (old, new) = (take_any(members, old), take_any(members, new));
        let path = take_text(members, path)?;
        return Some(("Edit", vec![block(path, Content::Diff(compare(&old, &new)))]));
    }
    if let Some(Value::Array(edits)) = members.get("edits")
        && let Some(changes) = edits.iter().map(several).collect::<Option<Vec<_>>>()
        && !changes.is_empty()
    {
        members.remove("edits");
        let path = take_text(members, path)?;
        let blocks = changes.into_iter().flatten().map(|(name, content)| match name {
            None => block(path.clone(), content),
            Some(name) => block(name, content),
        });
        return Some(("Edit", blocks.collect()));
    }
    let content = ["content", "new_source", "contents"].into_iter().find(|name| is_text(members, name))?;
    let text = take_any(members, content);
    // What was there is not known: all that is written is new.
    Some(("File", vec![block(take_text(members, path)?, Content::Diff(compare("", &text)))]))
}

/// Takes what an agent shows of a call in its editor: changed files, and words beside them.
pub(super) fn take_shown(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let items = members.get("content")?.as_array()?;
    let blocks = items.iter().map(shown).collect::<Option<Vec<_>>>()?;
    // Words alone are shown as any other member.
    blocks.iter().any(|block| matches!(block.content, Content::Diff(_))).then(|| {
        members.remove("content");
        ("Edit", blocks)
    })
}

/// Reads one thing that is shown; nothing if a part of it would be lost.
fn shown(item: &Value) -> Option<Block> {
    let item = item.as_object()?;
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let only = |known: &[&str]| item.keys().all(|key| known.contains(&key.as_str()));
    match text("type")? {
        "diff" if only(&["type", "path", "oldText", "newText"]) => {
            let old = match item.get("oldText") {
                None | Some(Value::Null) => "",
                Some(old) => old.as_str()?,
            };
            let content = Content::Diff(compare(old, text("newText")?));
            Some(Block { name: Some(text("path")?.to_owned()), content })
        }
        "content" if only(&["type", "content"]) => {
            let inner = item.get("content")?.as_object()?;
            let is_text = inner.get("type").and_then(Value::as_str) == Some("text") && inner.len() == 2;
            let words = inner.get("text").and_then(Value::as_str).filter(|_| is_text)?;
            Some(Block { name: Some("content".to_owned()), content: Content::Text(words.to_owned()) })
        }
        _ => None,
    }
}

/// Reads one of several edits, with what else it says; nothing if it is none.
fn several(edit: &Value) -> Option<Vec<(Option<String>, Content)>> {
    let mut members = edit.as_object()?.clone();
    if !is_text(&members, "old_string") || !is_text(&members, "new_string") {
        return None;
    }
    let (old, new) = (take_any(&mut members, "old_string"), take_any(&mut members, "new_string"));
    let mut blocks = vec![(None, Content::Diff(compare(&old, &new)))];
    blocks.extend(super::rest(members).map(|block| (block.name, block.content)));
    Some(blocks)
}

fn is_text(members: &Map<String, Value>, name: &str) -> bool {
    members.get(name).is_some_and(Value::is_string)
}

fn take_any(members: &mut Map<String, Value>, name: &str) -> String {
    match members.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

/// Compares two texts: the lines that both begin and end with stay, all between go and come.
fn compare(old: &str, new: &str) -> Vec<Line> {
    let lines =
        |text: &str| if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() };
    let (old, new): (Vec<String>, Vec<String>) = (lines(old), lines(new));
    let same = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = same(&mut old.iter().zip(&new));
    let end = same(&mut old[start..].iter().rev().zip(new[start..].iter().rev()));
    let marked = |mark, lines: &[String]| {
        lines.iter().map(move |text| Line { mark, text: text.clone() }).collect::<Vec<_>>()
    };
    [
        marked(Mark::Same, &old[..start]),
        marked(Mark::Removed, &old[start..old.len() - end]),
        marked(Mark::Added, &new[start..new.len() - end]),
        marked(Mark::Same, &old[old.len() - end..]),
    ]
    .concat()
}

/// Returns whether a text is a patch, as git or Codex write it.
pub(super) fn is_patch(text: &str) -> bool {
    text.starts_with("*** Begin Patch")
        || text.lines().take(40).any(|line| line.starts_with("@@ ") || line.starts_with("--- a/"))
}
