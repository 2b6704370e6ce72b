//! Rules that a decision suggests, from the narrowest on: each step takes one restriction away, and says which.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::matching::is_operand;
use super::subject::Call;
use super::{CommandPattern, More, NewRule, Then, When, WordPattern, command, glob};
use crate::decision::{Decision, Priority, Source};
use crate::json;

/// A rule that could be made of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// What it would answer from now on, in words.
    pub title: String,
    /// The rule.
    pub rule: NewRule,
    /// What names just this rule: it is another one once the decision has changed.
    pub code: String,
}

/// Lists the rules that a decision suggests, the narrowest first. None where every such ask needs a person.
pub fn proposals(decision: &Decision, then: Then) -> Vec<Proposal> {
    let Some(asked_by) = &decision.asked_by else { return Vec::new() };
    let is_askable = matches!(decision.source, Source::Approval | Source::Question);
    if then == Then::Allow && (!is_askable || decision.priority == Priority::Urgent) {
        return Vec::new();
    }
    let propose = |title: String, when: When| {
        let when = When {
            asked_by: Some(asked_by.clone()),
            asked_with: decision.asked_with.clone(),
            source: Some(decision.source),
            ..when
        };
        let code = json::code(&(&when, then)).unwrap_or_default();
        Proposal {
            title,
            rule: NewRule {
                project: Some(decision.project.clone()),
                when,
                then,
                made_from: Some(decision.id),
                ..NewRule::default()
            },
            code,
        }
    };
    let digest = When { digest: Some(decision.digest.clone()), ..When::default() };
    let mut steps = vec![propose("this very question".to_owned(), digest)];
    let call = decision.subject.as_ref().and_then(Call::of);
    let Some(call) = call else { return steps };
    let tool = call.tool.map(str::to_owned);
    // A star in what an agent sends is no pattern.
    let is_literal = |text: &str| glob::is_normal(text) && !text.contains('*');
    if call.folder().is_some_and(|folder| !is_literal(folder)) {
        return steps;
    }
    if let Some(words) = simple_words(&call) {
        let pattern = |count: usize, more, cwd: Option<String>| When {
            tool: tool.clone(),
            command: Some(CommandPattern {
                words: words.iter().take(count).cloned().map(WordPattern::Exact).collect(),
                more,
                cwd,
            }),
            ..When::default()
        };
        let folder = call.folder().map(str::to_owned);
        let all = words.len();
        let here = |folder: &Option<String>| match folder {
            Some(folder) => format!("in {folder}"),
            None => "in any folder".to_owned(),
        };
        let shown = |count: usize| {
            words.iter().take(count).map(|word| crate::text::shell_word(word)).collect::<Vec<_>>().join(" ")
        };
        steps.push(propose(
            format!("`{}` {}", shown(all), here(&folder)),
            pattern(all, More::Nothing, folder.clone()),
        ));
        let named = named_words(&words);
        let widens =
            !command::runs_what_follows(&words) && words[named..].iter().all(|word| is_operand(word));
        if widens {
            let title = format!("`{}` with other operands {}", shown(named), here(&folder));
            steps.push(propose(title, pattern(named, More::Operands, folder.clone())));
        }
        if folder.is_some() {
            let (more, count, with) = if widens {
                (More::Operands, named, " with other operands")
            } else {
                (More::Nothing, all, "")
            };
            steps
                .push(propose(format!("`{}`{with} in any folder", shown(count)), pattern(count, more, None)));
        }
        return steps;
    }
    if let Some(path) =
        ["file_path", "notebook_path"].iter().find_map(|name| call.input.get(*name)).and_then(Value::as_str)
        && let Some(tool) = &tool
        && is_literal(path)
    {
        let on = |path: String| When { tool: Some(tool.clone()), path: Some(path), ..When::default() };
        steps.push(propose(format!("{tool} on {path}"), on(path.to_owned())));
        let folder = path.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !folder.is_empty());
        if let Some(folder) = folder.filter(|folder| folder.matches('/').count() >= 2) {
            steps.push(propose(format!("{tool} on files in {folder}"), on(format!("{folder}/*"))));
            steps.push(propose(format!("{tool} on files under {folder}"), on(format!("{folder}/**"))));
        }
    }
    steps
}

/// Returns the words of a call whose command is simple and that gives nothing else.
fn simple_words(call: &Call<'_>) -> Option<Vec<String>> {
    let (name, value) = call.command()?;
    if call.other_than(&[name]).is_some() {
        return None;
    }
    match value {
        Value::String(text) => command::words(text).ok(),
        Value::Array(words) => words.iter().map(|word| word.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
    .filter(|words: &Vec<String>| !words.is_empty())
}

/// Returns how many of a command's words stay where its operands may be others: the program, the verb after it, and all up to
/// the last option and the word after it, which may be its value.
fn named_words(words: &[String]) -> usize {
    let last_option = words.iter().rposition(|word| word.starts_with('-')).map_or(0, |at| at + 2);
    let is_verb =
        |word: &String| word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-');
    let verb = if words.len() > 1 && is_verb(&words[1]) { 2 } else { 1 };
    last_option.max(verb).min(words.len())
}
