//! The pattern of a rule on the command line.

use std::collections::BTreeMap;

use holdpoint_core::rule::{CommandPattern, Glob, More, Then, ValuePattern, When, WordPattern, command};
use holdpoint_core::text::quote;
use holdpoint_core::{NewRule, Source};
use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::failure::Failure;

/// What a rule matches and does.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Pattern {
    /// Answer yes to what it matches
    #[arg(long, group = "then")]
    allow: bool,
    /// Answer no to what it matches
    #[arg(long, group = "then")]
    refuse: bool,
    /// Ask a person, even if another rule allows it
    #[arg(long, group = "then")]
    ask: bool,
    /// The name of the asking credential
    #[arg(long, value_name = "NAME")]
    asked_by: Option<String>,
    /// The id of the asking credential; several can share a name
    #[arg(long, value_name = "ID")]
    asked_with: Option<String>,
    /// A simple shell command, e.g. 'cargo test'; words may have stars
    #[arg(long, value_name = "COMMAND", group = "what")]
    command: Option<String>,
    /// Allow further words, but no options, addresses, or paths out of the folder
    #[arg(long, requires = "command")]
    operands: bool,
    /// Allow further words and the usual options of known commands (ls, grep, git diff, pytest, cargo test);
    /// without --command, any command that only reads; with --path, any tool that only reads (Read, Grep, Glob, LS)
    #[arg(long, conflicts_with_all = ["operands", "input", "digest"])]
    looking: bool,
    /// Any command that reads, builds, checks or tests, with its usual options
    #[arg(long, conflicts_with_all = ["command", "operands", "looking", "path", "input", "digest"])]
    building: bool,
    /// Any command that reads, builds, checks, tests, stages, commits, changes the branch or stashes
    #[arg(long, conflicts_with_all = ["command", "operands", "looking", "building", "path", "input", "digest"])]
    committing: bool,
    /// As --committing, and any that pushes a branch by name (not main, no force) or opens a pull request
    #[arg(long, conflicts_with_all = ["command", "operands", "looking", "building", "committing", "path", "input", "digest"])]
    pushing: bool,
    /// Also match it in a line with commands that only read, e.g. cd src && cargo test 2>&1 | tail -5
    #[arg(long, conflicts_with_all = ["path", "input", "digest"])]
    composite: bool,
    /// Allow any further words
    #[arg(long, requires = "command", conflicts_with_all = ["operands", "looking"])]
    any_arguments: bool,
    /// The folder the command runs in; any by default
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["path", "input", "digest"])]
    cwd: Option<String>,
    /// The tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// The absolute path of the file that the tool reads or changes, or of the folder that it searches, e.g.
    /// '/srv/app/src/**'
    #[arg(long, value_name = "PATTERN", group = "what")]
    path: Option<String>,
    /// A value in the subject, e.g. /input/project=web; may have stars; repeatable
    #[arg(long, value_name = "POINTER=VALUE", group = "what")]
    input: Vec<String>,
    /// The digest of the exact question
    #[arg(long, value_name = "DIGEST", group = "what")]
    digest: Option<String>,
    /// A pattern for the title; only with --refuse or --ask
    #[arg(long, value_name = "PATTERN")]
    title: Option<String>,
    /// Why it is asked, e.g. approval
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// The option to choose, if several would do
    #[arg(long, value_name = "OPTION")]
    option: Option<String>,
    /// The project
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
}

impl Pattern {
    /// Returns the rule's effect, if exactly one was given.
    pub(super) fn then(&self) -> Option<Then> {
        let said = [(self.allow, Then::Allow), (self.refuse, Then::Refuse), (self.ask, Then::Ask)];
        said.into_iter().find_map(|(is_said, then)| is_said.then_some(then))
    }

    /// Builds the rule.
    pub(super) fn rule(self, context: &Context) -> Result<NewRule, Failure> {
        let then = self.then().ok_or_else(|| Failure::usage("say --allow, --refuse or --ask"))?;
        let said = [
            (self.operands, More::Operands),
            (self.looking, More::Looking),
            (self.building, More::Building),
            (self.committing, More::Committing),
            (self.pushing, More::Pushing),
            (self.any_arguments, More::Anything),
        ];
        let more = said.into_iter().find_map(|(is_said, more)| is_said.then_some(more)).unwrap_or_default();
        let named = self.command.as_deref().map(word_patterns).transpose()?;
        let is_of_server = self.looking
            && named.is_none()
            && self.tool.as_deref().is_some_and(|tool| tool.starts_with("mcp__"));
        let is_class = self.path.is_none() && !is_of_server && more.is_class();
        let (cwd, composite) = (self.cwd, self.composite);
        let command = match named {
            Some(words) => Some(CommandPattern { words, more, cwd, composite }),
            None if is_class => Some(CommandPattern { words: Vec::new(), more, cwd, composite }),
            None if cwd.is_some() || composite => {
                let why = "--cwd and --composite go with --command, --looking, --building, --committing or --pushing";
                return Err(Failure::usage(why));
            }
            None => None,
        };
        let source = match &self.source {
            Some(name) => {
                let unknown = || Failure::usage(format!("--source: {} is not known", quote(name)));
                Some(Source::from_name(name).ok_or_else(unknown)?)
            }
            None => None,
        };
        let input = (!self.input.is_empty()).then(|| values(&self.input)).transpose()?;
        let when = When {
            asked_by: self.asked_by,
            asked_with: self.asked_with,
            source,
            owner: None,
            title: self.title,
            tool: self.tool,
            command,
            looking: self.looking && (self.path.is_some() || is_of_server),
            path: self.path,
            input,
            digest: self.digest,
        };
        let project = Some(context.project(self.project.as_deref()));
        Ok(NewRule { project, when, then, option: self.option, ..NewRule::default() })
    }
}

/// Parses the words of a command; a word with stars is a pattern, unless it is quoted.
fn word_patterns(text: &str) -> Result<Vec<WordPattern>, Failure> {
    let no = |why: String| Err(Failure::usage(format!("--command {}: {why}", quote(text))));
    if text.contains(['\'', '"']) {
        return match command::simple_words(text) {
            Ok(words) => Ok(words.into_iter().map(WordPattern::Exact).collect()),
            Err(why) => no(why.to_string()),
        };
    }
    let mut words = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if word.contains('*') {
            words.push(WordPattern::Like(Glob { glob: word.to_owned() }));
            continue;
        }
        match command::simple_words(word) {
            Ok(_) => words.push(WordPattern::Exact(word.to_owned())),
            // After the program, an assignment is an ordinary word.
            Err(command::NotSimple::Assignment) if !words.is_empty() => {
                words.push(WordPattern::Exact(word.to_owned()));
            }
            Err(why) => return no(why.to_string()),
        }
    }
    Ok(words)
}

/// Parses values by pointer: JSON is taken as it is, a text with stars as a pattern, any other text literally.
fn values(given: &[String]) -> Result<BTreeMap<String, ValuePattern>, Failure> {
    let mut values = BTreeMap::new();
    for one in given {
        let Some((pointer, value)) = one.split_once('=') else {
            return Err(Failure::usage(format!("--input {}: give POINTER=VALUE", quote(one))));
        };
        let pattern = match serde_json::from_str::<Value>(value) {
            Ok(value) => ValuePattern::Exact(value),
            Err(_) if value.contains('*') => ValuePattern::Like(Glob { glob: value.to_owned() }),
            Err(_) => ValuePattern::Exact(Value::from(value)),
        };
        values.insert(pointer.to_owned(), pattern);
    }
    Ok(values)
}
