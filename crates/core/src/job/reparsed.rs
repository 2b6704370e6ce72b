//! Finds places in a shell command where a program reads words as a program: `eval`, `sh -c`, `ssh`. No quoting keeps a
//! value there from becoming part of that program, so values are refused there. What may hold a value counts like the
//! value itself: a variable of the shell, and what comes out of a pipe.

mod operand;
mod tables;

use std::collections::BTreeSet;

use tables::{
    ARGUMENT, ASSIGNS, COMPARES, FEEDS, GIVES_COMMAND, LANGUAGES, RUNNERS, SCRIPTED, SET_UP, SETTING,
    SETTINGS, SHELLS, SSH_TAKES, STARTERS, VARIABLES,
};

const FED: &str = "in what a shell is given to run";

/// The simple commands being read.
#[derive(Debug)]
pub(super) struct Commands {
    /// One for each open substitution or subshell; the innermost is last.
    open: Vec<Command>,
    /// The variables of the shell that may hold a value.
    pub(super) variables: BTreeSet<String>,
    /// Whether a program reads a value as commands or code from its standard input, or by arithmetic.
    fed: bool,
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
        Self { open: vec![Command::default()], variables: BTreeSet::new(), fed: false }
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
            .any(|(at, command)| command.begins(at == innermost) && operand::is_command(&command.words))
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
        self.fed.then_some((FED, ARGUMENT))
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
        self.fed |= fed;
        if has_value || runs(&words, &["read", "mapfile", "readarray"]) {
            self.variables.extend(words.iter().filter_map(|word| operand::variable(word)));
        }
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

    /// Returns whether the word may begin here: so far it has only a quotation mark, a pattern of `case`, or an
    /// expansion that may be empty. Around the innermost command it may only begin with its substitution.
    fn begins(&self, is_innermost: bool) -> bool {
        let word = self.word.as_deref().unwrap_or_default();
        let may_be_nothing = operand::may_be_nothing(word);
        may_be_nothing && (is_innermost || word.ends_with('$'))
            || is_innermost && (word.is_empty() || word.ends_with(')'))
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

/// Returns what reads the next word as a program, if anything does.
fn reader(words: &[String]) -> Option<(&'static str, &'static str)> {
    let words: Vec<String> = words.iter().filter(|word| !is_redirection(word)).cloned().collect();
    let words = words.as_slice();
    if words.iter().any(|word| word == "eval") {
        return Some(("after eval", "leave eval away, or use a script that takes it as an argument"));
    }
    let declares = runs(words, &ASSIGNS) && words.iter().any(|word| has_letter(word, "i"));
    if declares || runs(words, &["let"]) {
        return Some(("in arithmetic", "compare it with [ … ], or compute in another program"));
    }
    if runs(words, &["trap", "alias"]) {
        return Some(("after trap or alias", "put that into a script that takes it as an argument"));
    }
    for (at, word) in words.iter().enumerate() {
        let (name, rest) = (base(word), &words[at + 1..]);
        let after = |letters: &str| rest.last().is_some_and(|last| has_letter(last, letters));
        // A variable may name a shell.
        let is_shell = SHELLS.contains(&name) || (at == 0 && word.starts_with('$'));
        let starts = |(program, verbs): &(&str, &[&str])| {
            *program == name && (verbs.is_empty() || rest.iter().any(|word| verbs.contains(&word.as_str())))
        };
        if is_shell && is_code_of_shell(rest)
            || RUNNERS.contains(&name) && after("c")
            || STARTERS.iter().any(starts)
        {
            return Some(("in what a shell is given to run", ARGUMENT));
        }
        let gives = |(program, verb, options): &(&str, &str, &[&str])| {
            *program == name
                && (verb.is_empty() || rest.iter().any(|word| word == verb))
                && rest.last().is_some_and(|last| options.contains(&last.as_str()))
        };
        let each_module = name == "git" && rest.iter().any(|word| word == "foreach");
        if each_module || GIVES_COMMAND.iter().any(gives) {
            return Some((SETTING, ARGUMENT));
        }
        if at == 0 && matches!(name, "." | "source") && rest.is_empty() {
            return Some(("in the name of what the shell reads", "name the script itself"));
        }
        let takes = SCRIPTED.iter().find(|(program, _)| *program == name).map(|(_, takes)| *takes);
        if takes.is_some_and(|takes| is_code(rest, takes)) {
            return Some(("in a program's code", "give it to the program as an argument: awk -v x=${…}"));
        }
        if name == "ssh" && has_operand(rest, SSH_TAKES) {
            return Some((
                "in what ssh gives to a shell",
                "put a script there that reads it from its standard input",
            ));
        }
        // The options after the name of a script belong to the script.
        let options = rest.iter().all(|word| word.starts_with('-'));
        let takes_code = |(_, letters, long): &(&str, &str, &[&str])| {
            after(letters) || rest.last().is_some_and(|last| long.contains(&last.as_str()))
        };
        if options && language(name).is_some_and(takes_code)
            || name == "deno" && rest.iter().any(|word| word == "eval")
        {
            return Some(("in a program's code", "give it to the program as an argument"));
        }
    }
    None
}

/// Returns whether the next word of a shell's command line is the command that it runs.
fn is_code_of_shell(words: &[String]) -> bool {
    let mut takes_word = false;
    let options = words.iter().all(|word| {
        let fits = std::mem::take(&mut takes_word)
            || word.starts_with(['-', '+'])
            || SHELLS.contains(&word.as_str());
        takes_word = matches!(word.as_str(), "-o" | "+o" | "-O" | "+O");
        fits
    });
    options && !takes_word && words.iter().any(|word| has_letter(word, "c"))
}

/// Returns how a language is told to run code, by the name of its program: `python3.11` counts as Python.
fn language(name: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    LANGUAGES.iter().find(|(language, ..)| {
        let rest = name.strip_prefix(language);
        rest.is_some_and(|rest| {
            rest == "js" || rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    })
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
