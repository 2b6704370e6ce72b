//! Commands for a shell, as text or as words.

use holdpoint_core::text::shell_word;
use serde_json::{Map, Value};

use super::{Block, Content, edit, patch, unnamed};

/// Takes a command out of some members.
pub(super) fn take(members: &mut Map<String, Value>) -> Option<(&'static str, Vec<Block>)> {
    let name = ["command", "cmd"].into_iter().find(|name| is_command(members.get(*name)))?;
    if let Some(words) = with_arguments(members, name) {
        return Some(of_words(&words.iter().map(String::as_str).collect::<Vec<_>>()));
    }
    match members.remove(name)? {
        Value::String(text) if edit::is_patch(&text) => Some(("Patch", patch::blocks(text))),
        Value::String(text) => Some(("Command", vec![unnamed(Content::Command(text))])),
        Value::Array(words) => Some(of_words(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>())),
        _ => None,
    }
}

/// Takes a program and its arguments, from a member beside it. A program of more than one word may be meant for a
/// shell.
fn with_arguments(members: &mut Map<String, Value>, name: &str) -> Option<Vec<String>> {
    let program = members.get(name)?.as_str().filter(|program| shell_word(program) == *program)?.to_owned();
    let given = ["arguments", "args"].into_iter().find(|given| is_command(members.get(*given)))?;
    let words = members.get(given)?.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    let words = std::iter::once(Some(program)).chain(words).collect::<Option<Vec<_>>>()?;
    members.remove(name);
    members.remove(given);
    Some(words)
}

fn is_command(value: Option<&Value>) -> bool {
    match value {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(words)) => !words.is_empty() && words.iter().all(Value::is_string),
        _ => false,
    }
}

fn of_words(words: &[&str]) -> (&'static str, Vec<Block>) {
    match words {
        ["apply_patch", text] if edit::is_patch(text) => ("Patch", patch::blocks((*text).to_owned())),
        [shell, flag @ ("-c" | "-lc"), script] if is_shell(shell) => {
            let name = Some("shell".to_owned());
            let shell = Block { name, content: Content::Text(format!("{} {flag}", shell_word(shell))) };
            ("Command", vec![unnamed(Content::Command((*script).to_owned())), shell])
        }
        words => {
            let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
            ("Command", vec![unnamed(Content::Command(words.join(" ")))])
        }
    }
}

fn is_shell(program: &str) -> bool {
    ["sh", "bash", "zsh", "dash"].contains(&program.rsplit('/').next().unwrap_or_default())
}
