//! Rules that can match nothing: each is tried on an example made from its own conditions.

use serde_json::{Value, json};

use super::matching::subject_fits;
use super::{CommandPattern, Then, When, WordPattern, tools};
use crate::text::shell_word;

/// Returns why a rule for a command or a path can match nothing, if that is so.
pub(super) fn why(when: &When, then: Then) -> Option<String> {
    let subject = match (&when.command, &when.path) {
        (Some(command), _) if command.words.is_empty() || command.names_service() => return None,
        (Some(command), _) => {
            if let Some(WordPattern::Exact(program)) = command.words.first()
                && program.contains(char::is_whitespace)
            {
                return Some("the program and each of its arguments must be separate words".to_owned());
            }
            of_command(command, when.tool.as_deref())
        }
        (None, Some(path)) => tools::on_path(when.tool.as_deref().unwrap_or("Read"), &likeness(path)),
        (None, None) => return None,
    };
    subject_fits(when, then, &subject).err().map(|why| why.to_string())
}

/// Returns the call of a shell with exactly the words of a rule.
fn of_command(command: &CommandPattern, tool: Option<&str>) -> Value {
    // A mark within quotes stands in other ones, because a command with escapes is not simple.
    let said = |word: &str| shell_word(word).replace(r"'\''", r#"'"'"'"#);
    let words = command.words.iter().map(|word| match word {
        WordPattern::Exact(word) => said(word),
        WordPattern::Like(like) => said(&likeness(&like.glob)),
    });
    let words: Vec<String> = words.collect();
    let cwd = command.cwd.as_deref().map_or_else(|| "/srv/app".to_owned(), likeness);
    json!({"tool": tool.unwrap_or("Bash"), "input": {"command": words.join(" ")}, "cwd": cwd})
}

/// Returns a text that a pattern matches: with a letter for each star.
fn likeness(pattern: &str) -> String {
    pattern.replace("**", "a").replace('*', "a")
}
