//! Changes of files, as coding agents request them: the old text and the new.

use holdpoint_core::text::inert;
use serde_json::{Map, Value};

use super::compare::{self, LineChange};
use super::{Block, Content, take_text};

/// How many pairs of lines are compared in a subject, over all of its changes: a row of a list must not be slow.
const MOST_PAIRS: usize = 1_000_000;

/// A line of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What happens to it.
    pub mark: LineChange,
    /// The line, without its end.
    pub text: String,
}

impl Line {
    /// Returns the line with control characters made harmless. Its line ending is shown only if that may be what
    /// changes.
    pub fn shown(&self) -> String {
        let text = self.text.as_str();
        inert(if self.mark == LineChange::Same { text.trim_end_matches('\r') } else { text })
    }
}

/// Takes the change of a file out of some members: replaced text, or new content.
pub(super) fn take(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    // Nothing is taken out before it is certain that all of it is shown.
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
        return Some(("Edit", vec![block(path, Content::Diff(compare(&old, &new, MOST_PAIRS)))]));
    }
    if let Some(Value::Array(edits)) = members.get("edits")
        && let Some(changes) =
            edits.iter().map(|edit| several(edit, MOST_PAIRS / edits.len())).collect::<Option<Vec<_>>>()
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
    if path == "notebook_path" {
        let name = cell(members)?;
        return Some(("Cell", vec![block(name, Content::Diff(compare("", &text, 0)))]));
    }
    // What was there is not known: all that is written is new.
    Some(("File", vec![block(take_text(members, path)?, Content::Diff(compare("", &text, 0)))]))
}

/// Names the notebook's cell that is written: by its id, as far as one is given.
fn cell(members: &mut Map<String, Value>) -> Option<String> {
    let path = take_text(members, "notebook_path")?;
    let given = |members: &Map<String, Value>, name: &str| {
        members.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let act = match given(members, "edit_mode").as_deref() {
        Some("insert") => "insert a cell",
        Some("replace") | None => "replace cell",
        Some(_) => return Some(path),
    };
    members.remove("edit_mode");
    let Some(id) = given(members, "cell_id") else { return Some(format!("{path}, {act}")) };
    members.remove("cell_id");
    let after = if act == "insert a cell" { " after" } else { "" };
    Some(format!("{path}, {act}{after} {id}"))
}

/// Takes the changed files that an agent shows of a call in its editor, and the words beside them.
pub(super) fn take_shown(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let blocks = shown_in_editor(members)?;
    // Text alone is shown like any other member.
    changes_files(&blocks).then(|| {
        members.remove("content");
        ("Edit", blocks)
    })
}

/// Reads what an agent shows of a call in its editor; none if a part of it would be lost.
pub(super) fn shown_in_editor(members: &Map<String, Value>) -> Option<Vec<Block>> {
    let items = members.get("content")?.as_array()?;
    items.iter().map(|item| shown(item, MOST_PAIRS / items.len())).collect()
}

pub(super) fn changes_files(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| matches!(block.content, Content::Diff(_)))
}

/// Reads one shown item; none if a part of it would be lost.
fn shown(item: &Value, most_pairs: usize) -> Option<Block> {
    let item = item.as_object()?;
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let only = |known: &[&str]| item.keys().all(|key| known.contains(&key.as_str()));
    match text("type")? {
        "diff" if only(&["type", "path", "oldText", "newText"]) => {
            let old = match item.get("oldText") {
                None | Some(Value::Null) => "",
                Some(old) => old.as_str()?,
            };
            let content = Content::Diff(compare(old, text("newText")?, most_pairs));
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

/// Reads one of several edits, with its other members; none if it is not one.
fn several(edit: &Value, most_pairs: usize) -> Option<Vec<(Option<String>, Content)>> {
    let mut members = edit.as_object()?.clone();
    if !is_text(&members, "old_string") || !is_text(&members, "new_string") {
        return None;
    }
    let (old, new) = (take_any(&mut members, "old_string"), take_any(&mut members, "new_string"));
    let mut blocks = vec![(None, Content::Diff(compare(&old, &new, most_pairs)))];
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

/// Compares two texts line by line, up to a number of pairs. If both end with a line break, or one is empty, there is
/// no empty last line.
fn compare(old: &str, new: &str, most_pairs: usize) -> Vec<Line> {
    let ends = |text: &str| text.is_empty() || text.ends_with('\n');
    let are_whole = ends(old) && ends(new);
    let (old, new) = (split(old, are_whole), split(new, are_whole));
    let line = |(mark, text): (LineChange, &str)| Line { mark, text: text.to_owned() };
    compare::within(&old, &new, most_pairs).into_iter().map(line).collect()
}

fn split(text: &str, is_whole: bool) -> Vec<&str> {
    let text = if is_whole { text.strip_suffix('\n') } else { Some(text).filter(|text| !text.is_empty()) };
    text.map(|text| text.split('\n').collect()).unwrap_or_default()
}

/// Returns whether a text is a patch in the format of git or Codex.
pub(super) fn is_patch(text: &str) -> bool {
    text.starts_with("*** Begin Patch")
        || text.lines().take(40).any(|line| line.starts_with("@@ ") || line.starts_with("--- a/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(old: &str, new: &str) -> String {
        let sign = |line: &Line| match line.mark {
            LineChange::Same => format!("={}", line.text),
            LineChange::Removed => format!("-{}", line.text),
            LineChange::Added => format!("+{}", line.text),
        };
        compare(old, new, MOST_PAIRS).iter().map(sign).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn only_what_changes_is_marked() {
        for (old, new, expected) in [
            ("a\nb\nc\nd\ne", "a\nB\nc\nD\ne", "=a|-b|+B|=c|-d|+D|=e"),
            ("", "a\n\nb\n", "+a|+|+b"),
            ("a\n\n\nb\n", "a\nb\n", "=a|-|-|=b"),
            ("a\n", "", "-a"),
            ("a\n", "a", "=a|-"),
            ("a", "a\n", "=a|+"),
            ("", "\n", "+"),
            ("", "", ""),
        ] {
            assert_eq!(signed(old, new), expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_is_too_much_to_compare_is_replaced() {
        let text = |middle: &str| {
            let lines: Vec<String> = (0..4_000).map(|at| format!("{middle}{at}\n=\n")).collect();
            lines.concat()
        };
        let lines = compare(&text("a"), &text("b"), MOST_PAIRS);
        assert_eq!(lines.iter().filter(|line| line.mark == LineChange::Same).count(), 1);
        assert_eq!(lines.len(), 15_999);
    }
}
