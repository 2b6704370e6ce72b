//! Where a shell command hands words to a program that reads them as a program of its own: `eval`, `sh -c`, `ssh`. No
//! quoting keeps a value from becoming part of that, so none may stand there.

mod tables;

use tables::{
    ARGUMENT, GIVES_COMMAND, LANGUAGES, QUEUES, RUNNERS, SCRIPTED, SET_UP, SETTING, SETTINGS, SHELLS,
    SSH_TAKES, STARTERS, VARIABLES,
};

const FED: &str = "in what a shell is given to run";
/// Comparisons that a shell's `[[` makes by arithmetic, which runs what stands in an index.
const COMPARES: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// The simple commands that are being read: the innermost substitution's last.
#[derive(Debug)]
pub(super) struct Commands(Vec<Command>);

/// One simple command, as far as it was read.
#[derive(Debug, Default)]
struct Command {
    words: Vec<String>,
    word: Option<String>,
    /// Whether a value stands in it, or in what is piped into it.
    value: bool,
    piped: bool,
    /// Whether a shell reads a value that was piped into it.
    fed: bool,
}

impl Default for Commands {
    fn default() -> Self {
        Self(vec![Command::default()])
    }
}

impl Commands {
    /// Brings the substitutions that are open to a number.
    pub(super) fn nest(&mut self, open: usize) {
        while self.0.len() > open + 1 {
            let fed = self.0.pop().is_some_and(|mut inner| {
                inner.end();
                inner.fed
            });
            let outer = self.current();
            outer.fed |= fed;
        }
        while self.0.len() < open + 1 {
            self.0.push(Command::default());
        }
    }

    /// Takes a character that belongs to a word.
    pub(super) fn letter(&mut self, c: char) {
        self.current().word.get_or_insert_default().push(c);
    }

    /// A quotation begins a word, if an empty one.
    pub(super) fn quote(&mut self) {
        self.current().word.get_or_insert_default();
    }

    /// Takes a character that stands outside of all quotation marks.
    pub(super) fn bare(&mut self, c: char, before: char) {
        match c {
            '|' => self.current().pipe(before == '|'),
            '&' if before == '>' => self.letter(c),
            ';' | '\n' | '&' => self.current().end(),
            // A redirection is a word of its own, however near it stands; its number belongs to it.
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

    /// Takes a value, or says what would read it as a program and what to do instead.
    pub(super) fn value(&mut self) -> Option<(&'static str, &'static str)> {
        let found = |command: &Command| {
            let word = command.word.as_deref().unwrap_or_default();
            let is_setting = SETTINGS.iter().any(|setting| word.starts_with(setting));
            let of_program = command.words.iter().any(|word| SET_UP.contains(&base(word)));
            let is_variable = word.split_once('=').is_some_and(|(name, _)| VARIABLES.contains(&name));
            let set = is_variable || is_setting && of_program;
            reader(&command.words)
                .or(set.then_some((SETTING, ARGUMENT)))
                .or(command.reads_file().then_some((FED, ARGUMENT)))
        };
        if let Some(found) = self.0.iter().find_map(found) {
            return Some(found);
        }
        for command in &mut self.0 {
            command.value = true;
            command.word.get_or_insert_default().push('x');
        }
        None
    }

    /// Says, at the end, whether a shell reads a value from its standard input.
    pub(super) fn fed(&mut self) -> Option<(&'static str, &'static str)> {
        self.nest(0);
        self.current().end();
        self.current().fed.then_some((FED, ARGUMENT))
    }

    fn current(&mut self) -> &mut Command {
        if self.0.is_empty() {
            self.0.push(Command::default());
        }
        let last = self.0.len() - 1;
        &mut self.0[last]
    }
}

impl Command {
    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn pipe(&mut self, or: bool) {
        if or {
            return self.end();
        }
        let value = self.value;
        self.finish();
        self.piped = value;
    }

    fn end(&mut self) {
        self.finish();
        (self.value, self.piped) = (false, false);
    }

    fn finish(&mut self) {
        self.end_word();
        let compares = self.words.first().is_some_and(|word| word == "[[")
            && self.words.iter().any(|word| COMPARES.contains(&word.as_str()));
        self.fed |= self.piped && reads_commands(&self.words) || self.value && compares;
        self.words.clear();
    }

    /// Returns whether what stands in `<(…)` at this place is read as commands or code.
    fn reads_file(&self) -> bool {
        let is_source = self.words.first().is_some_and(|word| matches!(word.as_str(), "." | "source"));
        self.word.as_deref() == Some("<") && (is_source || reads_commands(&self.words))
    }
}

/// Says what reads the next word as a program, if anything does.
fn reader(words: &[String]) -> Option<(&'static str, &'static str)> {
    let words: Vec<String> = words.iter().filter(|word| !is_redirection(word)).cloned().collect();
    let words = words.as_slice();
    if words.iter().any(|word| word == "eval") {
        return Some(("after eval", "leave eval away, or use a script that takes it as an argument"));
    }
    let first = words.first().map(String::as_str);
    let declares = matches!(first, Some("declare" | "typeset" | "local" | "readonly"))
        && words.iter().any(|word| has_letter(word, "i"));
    if declares || first == Some("let") {
        return Some(("in arithmetic", "put it into a variable of the shell first"));
    }
    if words.iter().any(|word| word == "trap") {
        return Some((
            "after trap",
            "put it into a variable of the shell first, and name that in single quotes",
        ));
    }
    for (at, word) in words.iter().enumerate() {
        let (name, rest) = (base(word), &words[at + 1..]);
        let after = |letters: &str| rest.last().is_some_and(|last| has_letter(last, letters));
        // What a variable names may be a shell.
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
        if name == "ssh" && names_host(rest) {
            return Some((
                "in what ssh gives to a shell",
                "put a script there that reads it from its standard input",
            ));
        }
        // After the name of a script the options are the script's.
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

/// Returns how a language is told to run code, by the name of its program: `python3.11` is Python's.
fn language(name: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    LANGUAGES.iter().find(|(language, ..)| {
        let rest = name.strip_prefix(language);
        rest.is_some_and(|rest| {
            rest == "js" || rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    })
}

/// Returns whether a command with these words reads commands or code from its standard input.
fn reads_commands(words: &[String]) -> bool {
    let redirects = |word: &String| word.contains(['<', '>']);
    if words.iter().any(|word| QUEUES.contains(&base(word))) {
        return true;
    }
    if let Some(at) = words.iter().position(|word| base(word) == "xargs") {
        return passes_on(&words[at + 1..]);
    }
    let interpreter =
        words.iter().rposition(|word| language(base(word)).is_some() || base(word) == "parallel");
    if let Some(at) = interpreter {
        let mut rest = words[at + 1..].iter().take_while(|word| !redirects(word)).peekable();
        // Whatever option is there may say where the code is; a script, or code, is a word of its own.
        if rest.all(|word| word == "-" || word.starts_with('-') && !takes_code(base(&words[at]), word)) {
            return true;
        }
    }
    let shell = words.iter().rposition(|word| SHELLS.contains(&base(word)));
    shell.is_some_and(|at| {
        let rest = words[at + 1..].iter();
        let rest: Vec<&String> = rest.take_while(|word| !redirects(word)).collect();
        rest.iter().all(|word| word.starts_with('-')) && !rest.iter().any(|word| has_letter(word, "c"))
            || rest.iter().any(|word| *word == "-s")
    })
}

/// Returns whether an option of a language is followed by code, or holds it.
fn takes_code(program: &str, option: &str) -> bool {
    language(program).is_some_and(|(_, letters, long)| {
        has_letter(option, letters) || long.iter().any(|long| option.starts_with(long)) || option == "-m"
    })
}

/// Returns whether `xargs` with these words puts what it reads where a program is read.
fn passes_on(words: &[String]) -> bool {
    let placed = words
        .iter()
        .position(|word| word.starts_with("-I") || word.starts_with("-i") || word.starts_with("--replace"));
    let Some(at) = placed else {
        return reader(words).is_some();
    };
    let own = words[at].trim_start_matches("-I").trim_start_matches("-i").trim_start_matches("--replace");
    let own = own.trim_start_matches('=');
    let (mark, rest) = match own {
        "" if words[at] == "-I" => {
            (words.get(at + 1).map_or("{}", String::as_str), words.get(at + 2..).unwrap_or_default())
        }
        "" => ("{}", &words[at + 1..]),
        own => (own, &words[at + 1..]),
    };
    let is_read = |(at, word): (usize, &String)| word.contains(mark) && reader(&rest[..at]).is_some();
    rest.iter().enumerate().any(is_read)
}

/// Returns whether the words after `ssh` name a host already.
fn names_host(words: &[String]) -> bool {
    has_operand(words, SSH_TAKES)
}

/// Returns whether the next word is the code of a program that takes it as its first operand.
fn is_code(words: &[String], takes: &str) -> bool {
    let of_option = words.last().is_some_and(|last| last.len() == 2 && has_letter(last, takes));
    !of_option && !has_operand(words, takes) && !words.iter().any(|word| has_letter(word, "f"))
}

/// Returns whether there is a word that is neither an option nor an option's value. The options that take one are
/// given.
fn has_operand(words: &[String], takes: &str) -> bool {
    let mut takes_word = false;
    words.iter().any(|word| {
        let is_operand = !std::mem::take(&mut takes_word) && !word.starts_with('-');
        takes_word = word.starts_with('-') && word.len() == 2 && has_letter(word, takes);
        is_operand
    })
}

/// Returns whether a word is a group of short options with one of some letters.
fn has_letter(word: &str, letters: &str) -> bool {
    word == "--command"
        || word
            .strip_prefix('-')
            .is_some_and(|it| !it.starts_with('-') && it.contains(|c| letters.contains(c)))
}

/// Returns whether a word says where input comes from or output goes.
fn is_redirection(word: &str) -> bool {
    word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests;
