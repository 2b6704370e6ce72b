//! Finds places in a shell command where a program reads words as a program: `eval`, `sh -c`, `ssh`. No quoting keeps a
//! value there from becoming part of that program, so values are refused there. What may hold a value counts like the
//! value itself: a variable of the shell, and what comes out of a pipe.

mod operand;
mod reader;
mod tables;

use std::collections::BTreeSet;

use reader::{language, reader};
use tables::{ARGUMENT, ASSIGNS, COMPARES, FEEDS, SET_UP, SETTING, SETTINGS, SHELLS, SSH_TAKES, VARIABLES};

const DECLARED: (&str, &str) = ("in a command with declare -i or -n", "leave that attribute away");
const INDEX: (&str, &str) = ("in the index of an array", "compute the index in another program");
const FED: &str = "in what a shell is given to run";

/// The simple commands being read.
#[derive(Debug)]
pub(super) struct Commands {
    /// One for each open substitution or subshell; the innermost is last.
    open: Vec<Command>,
    /// The variables of the shell that may hold a value.
    pub(super) variables: BTreeSet<String>,
    /// What reads a value as commands or code from its standard input, or by arithmetic.
    fed: Option<(&'static str, &'static str)>,
    /// The texts that a shell is given to run.
    pub(super) scripts: Vec<Script>,
}

/// A text that a shell is given to run.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) text: String,
    pub(super) arguments: Arguments,
}

/// What a shell that is given a text has for arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    /// Those of the shell that gives it.
    Shared,
    /// Its own, without a value.
    Own,
    /// Its own, and one may hold a value.
    Value,
}

/// One simple command, as far as it has been read.
#[derive(Debug, Default)]
struct Command {
    words: Vec<String>,
    word: Option<String>,
    /// Whether its pipeline contains a value.
    value: bool,
    /// Whether a value may be piped into it.
    piped: bool,
    /// Whether a value may be piped into the compound commands that it is part of, the innermost last; a subshell that
    /// reads one counts as the outermost.
    compounds: Vec<bool>,
    /// Whether the pipeline goes on after a newline.
    goes_on: bool,
    /// The start of the word: as the runbook has it, and with values filled in.
    literal: String,
    filled: String,
}

impl Default for Commands {
    fn default() -> Self {
        Self { open: vec![Command::default()], variables: BTreeSet::new(), fed: None, scripts: Vec::new() }
    }
}

impl Commands {
    /// Adjusts the number of open substitutions.
    pub(super) fn nest(&mut self, open: usize) {
        while self.open.len() > open + 1 {
            self.end();
            self.open.pop();
        }
        while self.open.len() < open + 1 {
            let outer = self.current();
            outer.goes_on = false;
            let piped = outer.piped;
            self.open.push(Command {
                compounds: vec![true; usize::from(piped)],
                value: piped,
                piped,
                ..Command::default()
            });
        }
    }

    /// Adds a character to the current word.
    pub(super) fn letter(&mut self, c: char) {
        let command = self.current();
        command.literal.push(c);
        command.filled.push(c);
        command.word.get_or_insert_default().push(c);
    }

    /// Begins a word with a quotation, which may be empty.
    pub(super) fn quote(&mut self) {
        self.current().word.get_or_insert_default();
    }

    /// Handles a character outside of all quotation marks.
    pub(super) fn bare(&mut self, c: char, before: char) {
        match c {
            '|' => self.pipe(before == '|'),
            '&' if before == '>' => self.letter(c),
            // `|&` is a pipe too.
            '&' if before == '|' => {}
            '\n' if self.current().goes_on => {}
            ';' | '\n' | '&' => self.end(),
            // A redirection is a separate word even without spaces around it; its number belongs to it.
            '<' | '>' => {
                let command = self.current();
                if !command
                    .word
                    .as_deref()
                    .unwrap_or_default()
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'>' || byte == b'<')
                {
                    command.end_word();
                }
                self.letter(c);
            }
            c if c.is_whitespace()
                && self.current().word.as_deref().is_some_and(|word| word.ends_with(['<', '>'])) => {}
            c if c.is_whitespace() => self.current().end_word(),
            c => self.letter(c),
        }
    }

    /// Returns what the next value would be taken for instead of an operand, and how to write it.
    pub(super) fn misread(&mut self, value: &str) -> Option<(&'static str, &'static str)> {
        let command = self.current();
        let found = operand::misread(&command.words, &command.literal, &command.filled, value);
        command.filled.push_str(value);
        found.filter(|_| !value.is_empty() && !is_redirection(&command.literal))
    }

    /// Adds a value, or returns what would read it as a program and what to do instead.
    pub(super) fn value(&mut self) -> Option<(&'static str, &'static str)> {
        let found = |command: &Command| {
            let word = command.word.as_deref().unwrap_or_default();
            let is_setting = SETTINGS.iter().any(|setting| word.starts_with(setting));
            let of_program = command.words.iter().any(|word| SET_UP.contains(&base(word)));
            let is_variable = word.split_once('=').is_some_and(|(name, _)| VARIABLES.contains(&name));
            let set = is_variable || is_setting && of_program;
            reader(&command.words)
                .or(set.then_some((SETTING, ARGUMENT)))
                .or(command
                    .names_variable()
                    .then_some(("in the name of a variable", "name it in the runbook")))
                .or(command.reads_file().then_some((FED, ARGUMENT)))
        };
        if let Some(found) = self.open.iter().find_map(found) {
            return Some(found);
        }
        let innermost = self.open.len() - 1;
        let mut commands = self.open.iter().enumerate();
        if commands
            .any(|(at, command)| command.takes_name(at == innermost) && operand::is_command(&command.words))
        {
            return Some(("where the command itself stands", "name the command in the runbook"));
        }
        for command in &mut self.open {
            command.value = true;
            command.word.get_or_insert_default().push('x');
        }
        None
    }

    /// Returns, at the end of the command, whether a shell reads a value from its standard input.
    pub(super) fn fed(&mut self) -> Option<(&'static str, &'static str)> {
        self.nest(0);
        self.end();
        self.fed
    }

    fn pipe(&mut self, or: bool) {
        if or {
            return self.end();
        }
        self.finish();
        let command = self.current();
        (command.piped, command.goes_on) = (command.value, true);
    }

    fn end(&mut self) {
        self.finish();
        let command = self.current();
        command.piped = command.compounds.last().is_some_and(|piped| *piped);
        command.value &= !command.compounds.is_empty();
    }

    /// Ends a simple command.
    fn finish(&mut self) {
        let command = self.current();
        command.end_word();
        command.goes_on = false;
        let words = std::mem::take(&mut command.words);
        let has_value = command.value || command.piped;
        let fed = command.piped && feeds(&words) || command.value && computes(&words);
        for word in &words {
            match word.as_str() {
                "{" | "if" | "while" | "until" | "for" | "case" | "select" => {
                    command.compounds.push(command.piped);
                }
                "}" | "fi" | "done" | "esac" => _ = command.compounds.pop(),
                "then" | "else" | "elif" | "do" | "!" => {}
                _ => break,
            }
        }
        let index = operand::indexes(&words, &self.variables).then_some(INDEX);
        // What is assigned to an integer is computed, and to a reference it is a name.
        let attributes =
            runs(&words, &["declare", "typeset", "local"]) && words.iter().any(|word| has_letter(word, "in"));
        let declared = attributes.then_some(DECLARED);
        self.fed = self.fed.or(fed.then_some((FED, ARGUMENT))).or(index).or(declared);
        let scripts = reader::scripts(&words).into_iter();
        self.scripts.extend(scripts.map(|(text, arguments)| match arguments {
            Arguments::Own if has_value => Script { text, arguments: Arguments::Value },
            arguments => Script { text, arguments },
        }));
        if has_value || runs(&words, &["read", "mapfile", "readarray"]) {
            self.variables.extend(words.iter().filter_map(|word| operand::variable(word)));
        }
        // Arithmetic reads the name of a variable like the variable itself.
        let names = words.iter().filter(|word| operand::assigns_name(word, &self.variables));
        let names: Vec<String> = names.filter_map(|word| operand::variable(word)).collect();
        self.variables.extend(names);
    }

    fn current(&mut self) -> &mut Command {
        if self.open.is_empty() {
            self.open.push(Command::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }
}

impl Command {
    fn end_word(&mut self) {
        self.words.extend(self.word.take());
        self.literal.clear();
        self.filled.clear();
    }

    /// Returns whether a value here would be in the command's name, if that is the word: anywhere in it, unless it is an
    /// assignment, a redirection or an option of what stands before the name. Around the innermost command only its
    /// substitution is in the word.
    fn takes_name(&self, is_innermost: bool) -> bool {
        let word = self.word.as_deref().unwrap_or_default();
        let is_data = operand::is_assigned(word) || is_redirection(word) || word.starts_with('-');
        !is_data && (is_innermost || word.ends_with('$'))
    }

    /// Returns whether the shell reads the word as the name of a variable, whose index it would compute.
    fn names_variable(&self) -> bool {
        let is_assigned = self.word.as_deref().is_some_and(|word| word.contains('='));
        let last = self.words.last().map(String::as_str);
        runs(&self.words, &ASSIGNS) && !is_assigned
            || runs(&self.words, &["printf"]) && last == Some("-v")
            || matches!(last, Some("for" | "select"))
    }

    /// Returns whether the `<(…)` at this place is read as commands or code.
    fn reads_file(&self) -> bool {
        self.word.as_deref().is_some_and(|word| word.ends_with('<')) && feeds(&self.words)
    }
}

/// Returns whether a command with these words may read commands or code from its standard input: if a shell or a
/// language is anywhere in it, or `xargs` puts the input where one would read it.
fn feeds(words: &[String]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let (name, rest) = (base(word), &words[at + 1..]);
        match name {
            "sudo" | "doas" => {
                rest.iter().any(|word| matches!(word.as_str(), "-i" | "-s" | "--login" | "--shell"))
            }
            "ssh" => !has_operand(&rest[..rest.len().saturating_sub(1)], SSH_TAKES),
            "xargs" => {
                rest.iter().any(|word| operand::runs_command(word))
                    || (0..=rest.len()).any(|end| reader(&rest[..end]).is_some())
            }
            // A variable, or what stands for the input, may name a shell.
            _ if name == "." || name == "{}" || word.starts_with('$') => operand::is_command(&words[..at]),
            _ => SHELLS.contains(&name) || FEEDS.contains(&name) || language(name).is_some(),
        }
    })
}

/// Returns whether the words run one of some commands.
fn runs(words: &[String], names: &[&str]) -> bool {
    let is_run =
        |(at, word): (usize, &String)| names.contains(&word.as_str()) && operand::is_command(&words[..at]);
    words.iter().enumerate().any(is_run)
}

/// Returns whether the shell computes with a word, which runs the commands in an index.
fn computes(words: &[String]) -> bool {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    has(&["[[", "]]"]) && has(&COMPARES) || has(&["[[", "]]", "[", "test"]) && has(&["-v", "-R"])
}

/// Returns whether the next word is the code of a program that takes it as its first operand.
fn is_code(words: &[String], takes: &str) -> bool {
    let of_option = words.last().is_some_and(|last| last.len() == 2 && has_letter(last, takes));
    !of_option && !has_operand(words, takes) && !words.iter().any(|word| has_letter(word, "f"))
}

/// Returns whether there is a word that is neither an option nor an option's value. `takes` lists the options that have
/// a value.
fn has_operand(words: &[String], takes: &str) -> bool {
    let mut takes_word = false;
    words.iter().any(|word| {
        let is_operand = !std::mem::take(&mut takes_word) && !word.starts_with('-');
        takes_word = word.starts_with('-') && word.len() == 2 && has_letter(word, takes);
        is_operand
    })
}

/// Returns whether a word is a group of short options that contains one of some letters.
fn has_letter(word: &str, letters: &str) -> bool {
    word == "--command"
        || word
            .strip_prefix('-')
            .is_some_and(|it| !it.starts_with('-') && it.contains(|c| letters.contains(c)))
}

/// Returns whether a word redirects input or output.
fn is_redirection(word: &str) -> bool {
    word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_data;
