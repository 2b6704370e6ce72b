//! What the author of a rule should know about how far it reaches, in plain words.

use super::glob::ANY;
use super::programs::{self, has, may_run_others};
use super::{
    CommandPattern, More, NewRule, Rule, Then, ValuePattern, When, WordPattern, files, reading, tools,
    useless, usual,
};
use crate::text::quote;

/// What some programs can do with arbitrary arguments.
const WITH_ANY_ARGUMENTS: [(&str, &str); 18] = [
    ("cargo", "`cargo publish` and `cargo run` too"),
    ("cmake", "`cmake -P FILE` too, which runs other programs"),
    ("cp", "overwriting any file too"),
    ("curl", "sending any file to any address too"),
    ("find", "`find / -delete` and `find -exec` too, which runs other programs"),
    ("gh", "`gh repo delete` and `gh api` with your login too"),
    ("git", "`git push --force` too, and `git -c`, which runs other programs"),
    ("go", "`go run` too, which runs other programs"),
    ("just", "every recipe too, `just deploy` among them"),
    ("make", "every target too, `make deploy` among them, and `make SHELL=…`, which runs other programs"),
    ("npm", "`npm publish` and `npm exec` too, which runs other programs"),
    ("pip", "`pip install` too, which runs other programs"),
    ("pnpm", "`pnpm publish` and `pnpm exec` too, which runs other programs"),
    ("rm", "deleting any file too"),
    ("rsync", "copying any file to any host too"),
    ("sed", "`sed -i` on any file too, and the command `e`, which runs other programs"),
    ("tar", "`tar --to-command` too, which runs other programs"),
    ("yarn", "`yarn npm publish` and `yarn exec` too, which runs other programs"),
];

/// What it means to allow changes to files.
const CHANGES: &str = "an agent that changes code there decides what the next build or test runs";
/// What it means to allow reading files.
const READS: &str = "the agent may read every file there, except hidden ones and likely secrets";

impl NewRule {
    /// Lists what the author should know about how far the rule reaches.
    pub fn warnings(&self) -> Vec<String> {
        warnings(&self.when, self.then)
    }
}

impl Rule {
    /// Lists what the author should know about how far the rule reaches.
    pub fn warnings(&self) -> Vec<String> {
        warnings(&self.when, self.then)
    }
}

fn warnings(when: &When, then: Then) -> Vec<String> {
    let mut warnings = Vec::new();
    if let (Then::Allow, Some(command)) = (then, &when.command) {
        warnings.extend(of_command(command));
    }
    if then == Then::Allow {
        warnings.extend(of_files(when));
        warnings.extend(of_what_leaves(when));
    }
    let is_any = |pattern: &ValuePattern| matches!(pattern, ValuePattern::Like(like) if like.glob == ANY);
    if let (Then::Allow, Some(tool)) = (then, &when.tool)
        && reading::takes_other_values(tool)
        && when.input.iter().flatten().any(|(_, pattern)| is_any(pattern))
    {
        warnings.push(if reading::visits(tool) {
            "it covers whatever page is open, and input there may be submitted".to_owned()
        } else {
            format!("{} is read-only according to its server", quote(tool))
        });
    }
    if let (Then::Allow, true, Some(server), None) = (then, when.looking, &when.tool, &when.path) {
        warnings.push(format!("its tools are read-only according to {}", quote(server)));
    }
    if then == Then::Allow && when.asked_with.is_none() && when.asked_by.is_some() {
        warnings.push("it covers every credential of that name, future ones too".to_owned());
    }
    warnings.extend(useless::why(when, then).map(|why| format!("it matches nothing: {why}")));
    let folder = when.path.as_ref().or_else(|| when.command.as_ref()?.cwd.as_ref());
    if let (Then::Allow, Some(folder)) = (then, folder)
        && folder.contains('*')
        && files::reaches_wide(folder)
    {
        warnings.push(format!("{} is wider than a project: name a project's folder", quote(folder)));
    }
    if then == Then::Refuse && when.command.is_some() {
        warnings.push(
            "it matches these words in this order; the same command can be written differently".to_owned(),
        );
    }
    if when.path.is_some() {
        warnings.push("symbolic links are not resolved: a path may lead elsewhere".to_owned());
    }
    warnings
}

/// Says what it means to allow any file of a folder.
fn of_files(when: &When) -> Option<String> {
    let path = when.path.as_deref()?;
    let changes = !when.looking && when.tool.as_deref().is_none_or(|tool| !tools::only_looks(tool));
    let is_wide = path.contains('*');
    match (changes, when.tool.is_some()) {
        (true, false) => Some(CHANGES),
        (true, true) => Some(CHANGES).filter(|_| is_wide),
        (false, _) => Some(READS).filter(|_| is_wide),
    }
    .map(str::to_owned)
}

/// Says what may leave the machine by a rule that leaves an address or a query open.
fn of_what_leaves(when: &When) -> Option<String> {
    let inputs = || when.input.iter().flatten();
    let leaves_open =
        |pattern: &ValuePattern| matches!(pattern, ValuePattern::Like(like) if like.glob.contains("://"));
    if when.tool.as_deref() == Some(tools::WEB_SEARCH) && when.input.is_none() {
        return Some("the agent words the query, which can carry out what it has read".to_owned());
    }
    let is_open = inputs().any(|(_, pattern)| leaves_open(pattern));
    is_open.then(|| "the agent words the rest of the URL, which can carry out what it has read".to_owned())
}

/// Lists what an allowing rule for a command allows beyond its words.
fn of_command(command: &CommandPattern) -> Vec<String> {
    let mut warnings = Vec::new();
    match (command.words.first(), command.more) {
        (Some(WordPattern::Exact(program)), More::Anything) => {
            warnings.push(with_any_arguments(command, program));
        }
        // What it does is defined by files, not by the rule.
        (Some(WordPattern::Exact(program)), More::Nothing)
            if command.words.len() == 1 && may_run_others(program) =>
        {
            warnings.push(format!("{} alone runs what the files in its folder say", quote(program)));
        }
        (_, More::Nothing) => {}
        (Some(WordPattern::Exact(program)), More::Looking) if has("curl helm kubectl", program) => {
            warnings.push(service_warning(program).to_owned());
        }
        (Some(WordPattern::Exact(program)), _) if may_run_others(program) => {
            warnings.push(format!("{} can run other programs", quote(program)));
        }
        (None, More::Looking) => warnings.push(READS.to_owned()),
        (None, More::Building | More::Committing | More::Pushing) => {
            warnings.push(
                "this can run any program: an agent that edits a test or build script runs it as you"
                    .to_owned(),
            );
        }
        _ => {}
    }
    if command.words.is_empty() && command.more == More::Committing {
        warnings.push("commits run the repository's hooks and go out with your next push".to_owned());
    }
    if command.words.is_empty() && command.more == More::Pushing {
        warnings
            .push("a push publishes all commits and may start what the repository runs on a push".to_owned());
    }
    if command.words_shown() == "git push" {
        warnings.push("it pushes the checked-out branch, even main".to_owned());
    }
    if command.cwd.is_none() && !only_reads(command) {
        warnings.push("it applies in every folder, not just one project's".to_owned());
    }
    warnings
}

/// Returns whether a rule names a command that only reads, in full.
fn only_reads(command: &CommandPattern) -> bool {
    let exact = |word: &WordPattern| match word {
        WordPattern::Exact(word) => Some(word.clone()),
        WordPattern::Like(_) => None,
    };
    let words: Option<Vec<String>> = command.words.iter().map(exact).collect();
    command.more == More::Nothing && words.is_some_and(|words| usual::looks_by(&words).is_some())
}

fn service_warning(program: &str) -> &'static str {
    if program == "curl" {
        "it sends any request there, also ones that change or delete data"
    } else {
        "cluster settings and logs may contain secrets under other names"
    }
}

fn with_any_arguments(command: &CommandPattern, program: &str) -> String {
    let named = quote(&command.words_shown());
    let known = WITH_ANY_ARGUMENTS.iter().find(|(name, _)| *name == programs::base(program));
    // The notes are about programs without a verb; a verb may not allow as much.
    match known.filter(|_| command.words.len() == 1) {
        Some((_, too)) => format!("it allows {named} with any arguments: {too}"),
        None if may_run_others(program) => {
            format!("it allows {named} with any arguments, which can run other programs")
        }
        None => format!("it allows {named} with any arguments, including any option, file and URL"),
    }
}
