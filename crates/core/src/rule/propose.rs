//! Rules that a decision suggests, narrowest first: each step removes one restriction, and says which.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::glob::ANY;
use super::guarded::guard;
use super::line::{Line, line};
use super::matching::what_is_asked;
use super::propose_input::ProposalStep;
use super::set::can_answer;
use super::subject::Call;
use super::tools::{self, SHELL_TOOLS};
use super::{
    CommandPattern, Glob, More, NewRule, Then, ValuePattern, When, WordPattern, command, deployed, files,
    folder, glob, places, programs, propose_input, reading, service, shell, useless, usual,
};
use crate::actor::Actor;
use crate::decision::{Decision, Priority, Source};
use crate::{json, text};

/// A rule that could be made of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// A description of what it would answer from now on.
    pub title: String,
    /// The rule.
    pub rule: NewRule,
    /// A code that identifies this very rule: it changes when the decision does.
    pub code: String,
}

/// Lists the rules that a decision suggests, narrowest first. Empty if every such ask needs a person.
pub fn proposals(decision: &Decision, then: Then) -> Vec<Proposal> {
    let Some(asked_by) = &decision.asked_by else { return Vec::new() };
    let is_askable = matches!(decision.source, Source::Approval | Source::Question);
    if decision.rule.is_some() {
        return Vec::new();
    }
    if then == Then::Allow
        && (!is_askable || decision.priority == Priority::Urgent || decision.needs.is_some())
    {
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
    let author = Actor::claimed("", "");
    let covers = |when: &When| {
        let new = NewRule {
            project: Some(decision.project.clone()),
            when: when.clone(),
            then,
            ..NewRule::default()
        };
        let rule = new.as_rule("", &author, decision.created_at);
        what_is_asked(&rule, decision).is_ok() && can_answer(&rule, decision)
    };
    let digest = When { digest: Some(decision.digest.clone()), ..When::default() };
    let mut steps = vec![("this exact request".to_owned(), digest)];
    if let Some(call) = decision.subject.as_ref().and_then(Call::of)
        && call.folder().is_none_or(is_literal)
    {
        steps.extend(steps_for(&call, &covers));
    }
    let proposals = steps.into_iter().map(|(title, when)| propose(title, when));
    // A rule that would not have answered this very ask is of no use here.
    let is_useful = |when: &When| covers(when) && useless::why(when, then).is_none();
    proposals.filter(|proposal| is_useful(&proposal.rule.when)).collect()
}

/// Returns whether a path has no stars: a star in what an agent sends is not a pattern.
fn is_literal(path: &str) -> bool {
    glob::is_normal(path) && !path.contains('*')
}

fn steps_for(call: &Call<'_>, covers: &dyn Fn(&When) -> bool) -> Vec<ProposalStep> {
    match call.command() {
        Some((name, _)) if call.other_than(&[name]).is_some() => Vec::new(),
        Some((name, value)) => {
            if let Some(words) = simple_words(value) {
                return for_command(call, &words, covers);
            }
            let line = value.as_str().and_then(|text| line(text).ok());
            let line = line.map(|line| for_line(call, &line, covers)).unwrap_or_default();
            for_text(call, name, value).into_iter().chain(line).collect()
        }
        None if call.input.contains_key("url") => propose_input::for_address(call),
        None if call.tool.is_some_and(reading::takes_other_values) => propose_input::for_reading(call),
        None if call.tool.is_some_and(tools::is_own) => for_own(call),
        None if call.tool.is_some_and(tools::looks_through) => for_folder(call),
        None => for_path(call),
    }
}

/// The words of a command that stay, a description of the wider rule, and the words that may follow.
type WiderRule = (Vec<WordPattern>, &'static str, More);

/// Returns the step to a command that runs somewhere, and its description.
fn command_step(
    call: &Call<'_>,
    (words, with, more): WiderRule,
    composite: bool,
    (cwd, place): &(Option<String>, String),
) -> ProposalStep {
    let pattern = CommandPattern { words, more, cwd: cwd.clone(), composite };
    let what = if pattern.words.is_empty() {
        format!("any command that {}", more.does())
    } else {
        format!("`{}`{with}", pattern.words_shown())
    };
    let line = match (composite, pattern.words.is_empty()) {
        (false, _) => "",
        (true, true) => ", also combined,",
        (true, false) if pattern.words_shown().starts_with("git commit ") => {
            ", also combined with `git add` and read-only commands,"
        }
        (true, false) => ", also combined with read-only commands,",
    };
    let when = When { tool: call.tool.map(str::to_owned), command: Some(pattern), ..When::default() };
    (format!("{what}{line} {place}"), when)
}

/// Returns a folder, and how a description refers to it.
fn here(folder: Option<&str>) -> (Option<String>, String) {
    let place = folder.map_or("in any folder".to_owned(), |folder| format!("in {folder}"));
    (folder.map(str::to_owned), place)
}

/// Returns a pattern for a folder and those below it, if it is deep enough.
fn below(folder: Option<&str>) -> Option<(Option<String>, String)> {
    let folder = folder.filter(|folder| is_workplace(folder))?;
    Some((Some(format!("{folder}/**")), format!("in {folder} and below")))
}

fn exactly(words: &[String]) -> Vec<WordPattern> {
    words.iter().cloned().map(WordPattern::Exact).collect()
}

/// Lists the ways in which a rule could allow a command with other words.
fn wider(words: &[String]) -> impl Iterator<Item = WiderRule> {
    let free = with_free_messages(words).map(|free| (free, " with any message", More::Nothing));
    let service =
        service::named(words).map(|named| (exactly(&named), service::left_open(&words[0]), More::Looking));
    // A rule that involves something deployed must not be wider than the command.
    let names_deployed = words.iter().any(|word| deployed::names_environment(word));
    let is_narrow = names_deployed && !places::is_git(words) && usual::looks_by(words).is_none();
    let known = usual::usual_by(words).filter(|_| !is_narrow);
    let known = known
        .map(|named| (exactly(&words[..named]), " with other arguments and common options", More::Looking));
    let names = usual::takes_names(words).filter(|_| !is_narrow && !programs::reaches_far(words));
    let names = names.map(|least| least.max(named_words(words)));
    let names = names.map(|named| (exactly(&words[..named]), " with other arguments", More::Operands));
    [free, service, known, names].into_iter().flatten()
}

/// Lists the steps for a command: these words; with other messages or operands; in the folders below; in a line with
/// others; any command that reads or builds.
fn for_command(call: &Call<'_>, words: &[String], covers: &dyn Fn(&When) -> bool) -> Vec<ProposalStep> {
    let here = here(call.folder());
    let same = || (exactly(words), "", More::Nothing);
    let mut steps = vec![command_step(call, same(), false, &here)];
    let widest = wider(words).find(|wider| covers(&command_step(call, wider.clone(), false, &here).1));
    // If the folder is unknown, other operands could be anything.
    let widest = widest.filter(|_| call.folder().is_some());
    if let Some(widest) = &widest {
        steps.push(command_step(call, widest.clone(), false, &here));
    }
    if let Some(below) = below(call.folder()) {
        let widest = widest.unwrap_or_else(same);
        steps.push(command_step(call, widest.clone(), false, &below));
        steps.push(command_step(call, widest, true, &below));
        steps.extend(any_such(call, &below, covers));
    }
    steps
}

/// Lists the steps for a line in which one command does more than read: that one with other words, and any command that
/// reads or builds.
fn for_line(call: &Call<'_>, line: &Line, covers: &dyn Fn(&When) -> bool) -> Vec<ProposalStep> {
    let is_here = |at: &String| is_literal(at) && (call.folder().is_none() || is_within(call, at));
    let Some(at) = folder::gone_to(call.folder(), &line.folders).filter(is_here) else {
        return Vec::new();
    };
    let top = call.folder().unwrap_or(&at);
    let (here, below) = (here(Some(&at)), below(Some(top)));
    let mut steps = Vec::new();
    // Staging comes before the commit, so the last command is the one that counts.
    let acting = line.commands.iter().rfind(|command| !shell::only_looks(command, here.0.as_deref()));
    if let Some(acting) = acting.map(|command| &command.words) {
        let same = (exactly(acting), "", More::Nothing);
        let mut wider = wider(acting).chain([same]);
        let widest = wider.find(|wider| covers(&command_step(call, wider.clone(), true, &here).1));
        let places = [Some(&here), below.as_ref()].into_iter().flatten();
        steps.extend(places.filter_map(|place| Some(command_step(call, widest.clone()?, true, place))));
    }
    steps.extend(below.iter().flat_map(|below| any_such(call, below, covers)));
    steps
}

/// Lists the classes of commands that cover the call: reading; building and testing too; committing too; and, if this
/// call pushes, pushing too.
fn any_such(
    call: &Call<'_>,
    place: &(Option<String>, String),
    covers: &dyn Fn(&When) -> bool,
) -> Vec<ProposalStep> {
    let step = |more: More| command_step(call, (Vec::new(), "", more), true, place);
    let classes = [More::Looking, More::Building, More::Committing].into_iter().map(step);
    let steps: Vec<ProposalStep> = classes.filter(|(_, when)| covers(when)).collect();
    if steps.is_empty() { vec![step(More::Pushing)] } else { steps }
}

/// Lists the step for a command that is not simple: its exact text, whatever the tool says about it.
fn for_text(call: &Call<'_>, name: &str, value: &Value) -> Vec<ProposalStep> {
    let (Some(text), Some(tool)) = (value.as_str(), call.tool) else { return Vec::new() };
    if !SHELL_TOOLS.contains(&tool) {
        return Vec::new();
    }
    let folders = call.folders().map(|(pointer, value)| (pointer, ValuePattern::Exact(value.clone())));
    let input = folders.chain([(call.pointer(name), ValuePattern::Exact(value.clone()))]).collect();
    let here = call.folder().map(|folder| format!(" in {folder}")).unwrap_or_default();
    let when = When { tool: Some(tool.to_owned()), input: Some(input), ..When::default() };
    vec![(format!("exactly `{}`{here}", text::inert_line(text)), when)]
}

/// Lists the step for a tool that touches no file and runs nothing: any input.
fn for_own(call: &Call<'_>) -> Vec<ProposalStep> {
    let tool = call.tool.unwrap_or_default();
    let title = match tool {
        tools::WEB_SEARCH => "WebSearch for anything; queries leave this machine".to_owned(),
        other => format!("{other} with any input"),
    };
    vec![(title, When { tool: Some(tool.to_owned()), ..When::default() })]
}

/// Lists the steps for a search: the place; folders up to the one where the agent works; reading there with any tool.
fn for_folder(call: &Call<'_>) -> Vec<ProposalStep> {
    let place = tools::read_path(call).filter(|place| is_literal(place) && is_within(call, place));
    let (Some(tool), Some(place)) = (call.tool, place) else { return Vec::new() };
    let mut steps = Vec::new();
    let mut folder = place.as_str();
    if tool == "Grep" && tools::is_file(&place) {
        let when = When { tool: Some(tool.to_owned()), path: Some(place.clone()), ..When::default() };
        steps.push((format!("{tool} in {place}"), when));
        folder = place.rsplit_once('/').map(|(folder, _)| folder).unwrap_or_default();
    }
    if !is_workplace(folder) {
        return steps;
    }
    let folders: Vec<String> = std::iter::once(folder.to_owned()).chain(up_to_cwd(call, folder)).collect();
    for folder in &folders {
        let path = Some(format!("{folder}/**"));
        let when = When { tool: Some(tool.to_owned()), path, ..When::default() };
        steps.push((format!("{tool} in {folder} and below"), when));
    }
    steps.extend(folders.last().map(|widest| looking(tool, widest)));
    let is_whole = tool == "Grep"
        && folder == place
        && !tools::is_narrowed(call)
        && Some(place.as_str()) != call.folder();
    steps.extend(is_whole.then(|| propose_input::for_search(call, &place)).flatten());
    steps
}

/// Returns the step to any tool that reads below a folder.
fn looking(tool: &str, folder: &str) -> ProposalStep {
    let when = When { path: Some(format!("{folder}/**")), looking: true, ..When::default() };
    // The tools of other agents have other names.
    let tools = if tool.starts_with(char::is_uppercase) { " (Read, Grep, Glob, LS)" } else { "" };
    (format!("reading files under {folder}{tools}"), when)
}

/// Lists the folders above one, up to the one that the agent works in: the one directly below that, and that one.
fn up_to_cwd(call: &Call<'_>, folder: &str) -> Vec<String> {
    let above = call.folder().filter(|cwd| is_workplace(cwd));
    let within = above.and_then(|cwd| Some((cwd, folder.strip_prefix(cwd)?.strip_prefix('/')?)));
    let Some((cwd, rest)) = within else { return Vec::new() };
    let top = rest.split_once('/').map(|(top, _)| format!("{cwd}/{top}"));
    top.into_iter().chain([cwd.to_owned()]).collect()
}

/// Lists the steps for a file: the file; the files beside it; below its folder; below the folder where the agent works.
fn for_path(call: &Call<'_>) -> Vec<ProposalStep> {
    let path = tools::file(call).filter(|path| is_literal(path) && is_within(call, path));
    let (Some(tool), Some(path)) = (call.tool, path) else { return Vec::new() };
    let (within, changes) = (call.within(&path), !tools::only_looks(tool));
    // An agent that may change a file may also read it, with any tool; the reverse does not hold.
    let any_tool = changes && guard(within, "", false).is_none();
    let done = if any_tool { "reading and changing".to_owned() } else { format!("{tool} on") };
    let on = |what: String, path: String| {
        let tool = Some(tool.to_owned()).filter(|_| !any_tool);
        (format!("{done} {what}"), When { tool, path: Some(path), ..When::default() })
    };
    // Next to a file that is hidden or steers programs there are probably more of that kind.
    if let Some(why) = guard(within, "", changes) {
        return vec![on(format!("{path}; nothing wider is offered: {why}"), path.to_string())];
    }
    let mut steps = vec![on(path.to_string(), path.to_string())];
    let Some((folder, _)) = path.rsplit_once('/').filter(|(folder, _)| is_workplace(folder)) else {
        return steps;
    };
    steps.push(on(format!("files in {folder}"), format!("{folder}/*")));
    let folders: Vec<String> = std::iter::once(folder.to_owned()).chain(up_to_cwd(call, folder)).collect();
    steps.extend(folders.iter().map(|folder| on(format!("files under {folder}"), format!("{folder}/**"))));
    steps.extend(folders.last().filter(|_| !changes).map(|widest| looking(tool, widest)));
    steps
}

/// The usual folders of a project in a container.
const CONTAINED: [&str; 7] = ["/app", "/code", "/project", "/repo", "/src", "/work", "/workspace"];

/// Returns whether a folder is one that people work in: deep enough not to cover half the machine, not the system's,
/// and not one that looks like a secret.
fn is_workplace(folder: &str) -> bool {
    (folder.matches('/').count() >= 2 || CONTAINED.contains(&folder))
        && !files::is_system(folder)
        && !folder.split('/').any(files::looks_secret)
}

/// Returns whether a place lies in the folder where the agent works. Requests for other places are asked each time.
fn is_within(call: &Call<'_>, place: &str) -> bool {
    let rest = call.folder().and_then(|cwd| place.strip_prefix(cwd));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the words of a command that is simple.
fn simple_words(command: &Value) -> Option<Vec<String>> {
    match command {
        Value::String(text) => command::simple_words(text).ok(),
        Value::Array(words) => words.iter().map(|word| word.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
    .filter(|words: &Vec<String>| !words.is_empty())
}

/// Returns a command with its message replaced by a pattern for any message, if it has one.
fn with_free_messages(words: &[String]) -> Option<Vec<WordPattern>> {
    let any = || WordPattern::Like(Glob { glob: ANY.to_owned() });
    let is_message = |at: usize| programs::takes_message(&words[..at]);
    let free = words.iter().enumerate();
    let free = free.map(|(at, word)| if is_message(at) { any() } else { WordPattern::Exact(word.clone()) });
    (0..words.len()).any(is_message).then(|| free.collect())
}

/// Returns how many leading words of a command stay when its operands may vary: the program, its verb, and everything
/// up to
/// the last option and the word after it, which may be its value.
fn named_words(words: &[String]) -> usize {
    let before = programs::before_tool(words);
    let Some((program, after)) = words[before..].split_first() else { return words.len() };
    let last = after.iter().rposition(|word| word.starts_with('-'));
    let options = last.map_or(0, |at| at + 1 + usize::from(programs::may_take_value(program, &after[at])));
    let is_verb = |word: &String| {
        word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && programs::may_have_verb(program)
    };
    let verb = usize::from(after.first().is_some_and(is_verb));
    (before + 1 + options.max(verb)).min(words.len())
}
