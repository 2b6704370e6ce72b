//! Where a shell command hands words to a program that reads them as a program of its own: `eval`, `sh -c`, `ssh`. No
//! quoting keeps a value from becoming part of that, so none may stand there.

/// Programs that run what follows `-c` as a shell command, or their standard input if nothing does.
const SHELLS: [&str; 9] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"];
/// Programs that give the commands on their standard input to a shell later, whatever their operands are.
const QUEUES: [&str; 2] = ["at", "batch"];
/// Programs that give words of theirs to a shell, and after which of their own words; where none is named, all of them.
const STARTERS: [(&str, &[&str]); 3] = [
    ("parallel", &[]),
    (
        "tmux",
        &[
            "new",
            "new-session",
            "neww",
            "new-window",
            "splitw",
            "split-window",
            "respawn-pane",
            "respawn-window",
            "run",
            "run-shell",
            "if",
            "if-shell",
            "popup",
            "display-popup",
            "pipe-pane",
        ],
    ),
    ("screen", &["-X", "-dm", "-dmS", "-S"]),
];
/// Other programs that give what follows an option to a shell.
const RUNNERS: [&str; 4] = ["su", "runuser", "script", "flock"];
/// Programs that run what follows one of these options as code of their own.
const LANGUAGES: [(&str, &str); 7] = [
    ("python", "c"),
    ("perl", "eE"),
    ("ruby", "e"),
    ("node", "ep"),
    ("php", "r"),
    ("lua", "e"),
    ("osascript", "e"),
];
/// Programs whose first word that is not an option is code, unless an option names a file of it, and their options that
/// take a word of their own.
const SCRIPTED: [(&str, &str); 5] =
    [("awk", "Fv"), ("gawk", "Fv"), ("mawk", "Fv"), ("sed", ""), ("watch", "n")];
/// Beginnings of words whose rest a program takes for a command.
const SETTINGS: [&str; 16] = [
    "--command=",
    "--session-command=",
    "-S",
    "--split-string=",
    "SHELL=",
    "--eval=",
    "--to-command=",
    "--use-compress-program=",
    "--checkpoint-action=",
    "core.sshCommand=",
    "core.pager=",
    "core.editor=",
    "core.fsmonitor=",
    "core.hooksPath=",
    "alias.",
    "ProxyCommand=",
];
/// The programs that take such words.
const SET_UP: [&str; 9] = ["env", "make", "tar", "git", "ssh", "su", "runuser", "script", "flock"];
const SETTING: &str = "in a setting that is run as a command";
/// Options whose next word a program takes for a command.
const GIVES_COMMAND: [(&str, &str); 5] =
    [("env", "-S"), ("env", "--split-string"), ("make", "--eval"), ("tar", "--to-command"), ("tar", "-I")];
/// Options of `ssh` that take a word of their own.
const SSH_TAKES: &str = "bcDEeFIiJLlmOopQRSWw";

const ARGUMENT: &str = "give it as an argument instead: sh -c '… \"$1\" …' sh ${…}";

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
            reader(&command.words).or((is_setting && of_program).then_some((SETTING, ARGUMENT)))
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
        let place = "in what a shell is given to run";
        self.current().fed.then_some((place, ARGUMENT))
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
        self.fed |= self.piped && reads_commands(&self.words);
        self.words.clear();
    }
}

/// Says what reads the next word as a program, if anything does.
fn reader(words: &[String]) -> Option<(&'static str, &'static str)> {
    let words: Vec<String> = words.iter().filter(|word| !is_redirection(word)).cloned().collect();
    let words = words.as_slice();
    if words.iter().any(|word| word == "eval") {
        return Some(("after eval", "leave eval away, or use a script that takes it as an argument"));
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
        if GIVES_COMMAND
            .iter()
            .any(|(program, option)| *program == name && rest.last().is_some_and(|last| last == option))
        {
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
        let letters = LANGUAGES.iter().find(|(language, _)| name.starts_with(language)).map(|(_, it)| *it);
        // After the name of a script the options are the script's.
        let options = rest.iter().all(|word| word.starts_with('-'));
        if options && letters.is_some_and(after) {
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

/// Returns whether a shell with these words reads commands from its standard input.
fn reads_commands(words: &[String]) -> bool {
    let redirects = |word: &String| word.contains(['<', '>']);
    if words.iter().any(|word| QUEUES.contains(&base(word))) {
        return true;
    }
    let shell = words.iter().rposition(|word| SHELLS.contains(&base(word)));
    shell.is_some_and(|at| {
        let rest = words[at + 1..].iter();
        let rest: Vec<&String> = rest.take_while(|word| !redirects(word)).collect();
        rest.iter().all(|word| word.starts_with('-')) && !rest.iter().any(|word| has_letter(word, "c"))
            || rest.iter().any(|word| *word == "-s")
    })
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
