//! Warnings about certain effects of a command. The list is closed; if an effect is uncertain, there is no warning.

use super::arguments::{self, Arguments};
use super::shell::{self, SimpleCommand, Word};

/// Shells, which run their input; with these options and no others.
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];
const SHELL_OPTIONS: &str = "aeilsuvx";
/// Other programs that run their input.
const INTERPRETERS: [&str; 7] = ["fish", "node", "perl", "php", "python", "python3", "ruby"];
/// Programs that run another with more privileges, or as another user.
const RAISE: [&str; 4] = ["doas", "pkexec", "su", "sudo"];
/// Their options without a value.
const PLAIN_OPTIONS: [&str; 9] = ["-A", "-E", "-H", "-S", "-b", "-i", "-k", "-n", "--"];
/// After these, the folder of the next command is unknown.
const MOVES: [&str; 6] = [".", "cd", "eval", "popd", "pushd", "source"];
/// Files that store nothing.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty"];
const OUTSIDE: &str = ", outside the working folder";

/// The folder that a command runs in.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    /// The working folder, if it is known.
    pub(super) path: Option<String>,
    /// Whether the command may run in another one.
    pub(super) is_left: bool,
}

/// Returns the warnings about a command in a folder, in sentences without their full stop.
pub(super) fn of_command(text: &str, folder: &Folder) -> Vec<String> {
    let Some(read) = shell::read(text) else { return Vec::new() };
    let mut remarks = Vec::new();
    let mut add = |remark: String| {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    };
    let mut folder = folder.clone();
    let mut from: Option<String> = None;
    for command in &read.commands {
        let (command, raised) = inner(command);
        if let Some(by) = raised {
            add(format!("Runs as another user ({by})"));
        }
        let program = program(&command);
        if !command.is_fed {
            from = None;
        }
        if let Some(host) = from.as_ref().filter(|_| runs_what_it_reads(&command, program)) {
            let what = if host.is_empty() { "downloaded script" } else { "script downloaded" };
            add(format!("Runs a {what}{host}"));
        }
        if prints_download(&command, program) {
            from = Some(host(&command).map(|host| format!(" from {host}")).unwrap_or_default());
        }
        if fetches_code(&command, program) {
            add("Runs a downloaded script".to_owned());
        }
        let place =
            |files: &[Word]| if files.iter().any(|file| folder.excludes(file)) { OUTSIDE } else { "" };
        match deletes(&command, program) {
            Some(Deleted::Files(files)) => {
                let named: Vec<&str> = files.iter().map(|file| file.raw.as_str()).collect();
                add(format!("Deletes {}{}", listed(&named), place(&files)));
            }
            Some(Deleted::Other(what)) => add(format!("Deletes {what}")),
            None => {}
        }
        let (overwritten, emptied) = (overwritten(&command, program), emptied(&command, program));
        for file in emptied.iter().filter(|file| !is_device(&file.raw)) {
            add(format!("Empties {}{}", file.raw, place(std::slice::from_ref(file))));
        }
        for file in command.overwrites.iter().chain(&overwritten).filter(|file| !is_device(&file.raw)) {
            add(format!("Overwrites {}{}", file.raw, place(std::slice::from_ref(file))));
        }
        let written = written(&command, program);
        for file in command.appends.iter().chain(&written).filter(|file| folder.excludes(file)) {
            add(format!("Writes to {}{OUTSIDE}", file.raw));
        }
        folder.is_left |= MOVES.contains(&program);
    }
    remarks
}

/// Joins names as in a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [one @ .., last] if !one.is_empty() => format!("{} and {last}", one.join(", ")),
        names => names.concat(),
    }
}

fn program(command: &SimpleCommand) -> &str {
    let name = command.words.first().map(Word::text).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default()
}

fn is_device(path: &str) -> bool {
    DEVICES.contains(&path) || path.starts_with("/dev/fd/")
}

/// Returns the command that is run with other privileges, and the program that does so.
fn inner(command: &SimpleCommand) -> (SimpleCommand, Option<String>) {
    let by = program(command).to_owned();
    if !RAISE.contains(&by.as_str()) {
        return (command.clone(), None);
    }
    let mut words = command.words[1..].iter();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        match word.text() {
            "-u" | "-g" => drop(words.next()),
            option if PLAIN_OPTIONS.contains(&option) => {}
            _ => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
            }
        }
    }
    let is_su = by == "su";
    let words = if is_su { Vec::new() } else { rest };
    (SimpleCommand { words, ..command.clone() }, Some(by))
}

/// Returns the host of a download, if it is plain.
fn host(command: &SimpleCommand) -> Option<&str> {
    let rest = command.words.iter().find_map(|word| {
        let text = word.text.as_deref()?;
        text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
    })?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    (!host.is_empty() && host.chars().all(is_plain)).then_some(host)
}

/// Returns whether a program runs its input rather than a script. Words after `-s` or `-` are arguments of that input.
fn runs_what_it_reads(command: &SimpleCommand, program: &str) -> bool {
    let is_shell = SHELLS.contains(&program);
    let (mut is_told, mut is_read) = (false, is_shell || INTERPRETERS.contains(&program));
    for word in command.words.iter().skip(1) {
        let Some(text) = word.text.as_deref() else { return is_read && is_told };
        match text.strip_prefix('-') {
            // For a shell, `-` ends the options; for others it stands for their input.
            Some("") => {
                return is_read
                    && (is_told
                        || !is_shell
                        || command.words.last().is_some_and(|last| last.raw == word.raw));
            }
            Some("-") if is_shell => {
                return is_read && (is_told || command.words.last().is_some_and(|last| last.raw == word.raw));
            }
            Some(options) if is_shell && options.chars().all(|c| SHELL_OPTIONS.contains(c)) => {
                is_told |= options.contains('s');
            }
            Some(_) => return false,
            None => {
                is_read &= is_told;
                return is_read;
            }
        }
    }
    is_read
}

/// Returns whether a download is printed rather than written to a file.
fn prints_download(command: &SimpleCommand, program: &str) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(Word::text).collect();
    let cluster = |word: &'_ str| word.starts_with('-') && !word.starts_with("--");
    // Options that name the file: `-O-`, `-qO-` or `-O -`.
    let to_output = |letter: char, long: &str| {
        words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).copied();
            let attached = cluster(word) && word.strip_suffix('-').is_some_and(|word| word.ends_with(letter));
            let apart = cluster(word) && word.ends_with(letter) && next == Some("-");
            attached
                || apart
                || *word == format!("--{long}=-")
                || (*word == format!("--{long}") && next == Some("-"))
        })
    };
    match program {
        "curl" => {
            let kept = |word: &&str| {
                let long = ["--output", "--remote-name", "--head", "--help", "--version"];
                cluster(word) && word.contains(['o', 'O', 'I', 'h', 'V'])
                    || long.iter().any(|long| word.starts_with(long))
            };
            !words.iter().any(kept) || to_output('o', "output")
        }
        "wget" => to_output('O', "output-document"),
        "fetch" => to_output('o', "output"),
        _ => false,
    }
}

/// Returns whether an interpreter is given the output of a download as code: `sh -c "$(curl …)"`, `bash <(curl …)`.
fn fetches_code(command: &SimpleCommand, program: &str) -> bool {
    let interprets = SHELLS.contains(&program) || INTERPRETERS.contains(&program);
    let is_code = interprets && command.words.iter().any(|word| word.text() == "-c") || program == "eval";
    let is_printed = |word: &Word| {
        let raw = word.raw.trim_matches('"');
        let within = raw.strip_prefix("$(").and_then(|raw| raw.strip_suffix(')'));
        downloads(within.or_else(|| raw.strip_prefix('`')?.strip_suffix('`')))
    };
    let is_file = |word: &Word| downloads(word.raw.strip_prefix("<(").and_then(|raw| raw.strip_suffix(')')));
    // The script is the first word that is not an option.
    let is_plain = |word: &&Word| {
        word.text().strip_prefix('-').is_some_and(|options| {
            SHELLS.contains(&program) && options.chars().all(|c| SHELL_OPTIONS.contains(c) && c != 's')
        })
    };
    let script = command.words.iter().skip(1).find(|word| !is_plain(word));
    let reads_script = interprets || program == "." || program == "source";
    is_code && command.words.iter().skip(1).any(is_printed) || reads_script && script.is_some_and(is_file)
}

/// Returns whether the first command of a text prints a download.
fn downloads(text: Option<&str>) -> bool {
    let read = text.and_then(shell::read);
    let first = read.and_then(|read| read.commands.into_iter().next());
    first.is_some_and(|first| prints_download(&first, program(&first)))
}

enum Deleted {
    Files(Vec<Word>),
    Other(&'static str),
}

/// Returns what a command deletes.
fn deletes(command: &SimpleCommand, program: &str) -> Option<Deleted> {
    let after = command.words.get(1..).unwrap_or_default();
    match program {
        "find" => {
            after.iter().any(|word| word.text() == "-delete").then_some(Deleted::Other("every file it finds"))
        }
        "git" => cleans(after).then_some(Deleted::Other("files that are not in git")),
        _ => {
            let given = arguments::of(command, program)?;
            let deletes = match program {
                // With these options it asks first, so it is not certain to delete.
                "rm" => !given.has('i', "interactive") && !given.has('I', "interactive"),
                "shred" => given.has('u', "remove"),
                "rmdir" | "unlink" => true,
                _ => false,
            };
            (deletes && !given.operands.is_empty()).then_some(Deleted::Files(given.operands))
        }
    }
}

/// Returns whether `git clean` deletes: only if it is forced to, and neither a dry run nor interactive.
fn cleans(after: &[Word]) -> bool {
    let mut options = after.iter().map(Word::text);
    if options.next() != Some("clean") {
        return false;
    }
    let options: Vec<&str> = options.take_while(|word| *word != "--").collect();
    let has = |letter: char, long: &str| {
        options.iter().any(|word| {
            *word == long || (word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
        })
    };
    let may_not = has('n', "--dry-run") || has('i', "--interactive") || has('h', "--help");
    has('f', "--force") && !may_not
}

/// Returns the files whose content a command replaces, besides its output.
fn overwritten(command: &SimpleCommand, program: &str) -> Vec<Word> {
    if program != "dd" {
        return Vec::new();
    }
    let words = command.words.iter().skip(1);
    let out = words.filter_map(|word| Some(arguments::rest_of(word, word.raw.strip_prefix("of=")?)));
    out.filter(|file| file.text.is_some()).collect()
}

/// Returns the files that are truncated.
fn emptied(command: &SimpleCommand, program: &str) -> Vec<Word> {
    let given = if program == "truncate" { arguments::of(command, program) } else { None };
    let is_empty = |given: &Arguments| given.of('s', "size").last().is_some_and(|size| size.text() == "0");
    given.filter(is_empty).map(|given| given.operands).unwrap_or_default()
}

/// Returns the files that a command writes besides its output.
fn written(command: &SimpleCommand, program: &str) -> Vec<Word> {
    let Some(given) = arguments::of(command, program) else { return Vec::new() };
    match program {
        // The target folder is given by an option, or each operand is a folder.
        "cp" | "mv" | "ln" | "install"
            if given.has('t', "target-directory") || program == "install" && given.has('d', "directory") =>
        {
            Vec::new()
        }
        "cp" | "mv" | "ln" | "install" if given.operands.len() > 1 => {
            given.operands.last().cloned().into_iter().collect()
        }
        "truncate" if !emptied(command, program).is_empty() => Vec::new(),
        "tee" | "touch" | "mkdir" | "truncate" => given.operands,
        "curl" => given.of('o', "output"),
        "wget" => given.of('O', "output-document"),
        "sed" if given.has('i', "in-place") => {
            let has_script = !given.of('e', "expression").is_empty() || !given.of('f', "file").is_empty();
            // On some systems `-i` is followed by the suffix of a backup: then the first word is not the script yet.
            let words = given.operands.iter().skip_while(|word| word.text.as_deref() == Some(""));
            words.skip(usize::from(!has_script)).cloned().collect()
        }
        _ => Vec::new(),
    }
}

impl Folder {
    /// Returns whether a file is certainly outside of it.
    fn excludes(&self, file: &Word) -> bool {
        let Some(folder) = self.path.as_deref().filter(|path| path.starts_with('/')) else { return false };
        // A path in a home folder can only be compared by its full name.
        if file.raw.starts_with("~/") || file.raw.starts_with("$HOME/") {
            return !folder.starts_with("/home/")
                && !folder.starts_with("/Users/")
                && !folder.starts_with("/root");
        }
        let Some(path) = file.text.as_deref().filter(|path| !path.is_empty()) else { return false };
        let whole = match path.starts_with('/') {
            true => path.to_owned(),
            false if self.is_left => return false,
            false => format!("{folder}/{path}"),
        };
        let (folder, path) = (plain_path(folder), plain_path(&whole));
        !path.starts_with(folder.as_slice()) && !is_device(&whole)
    }
}

/// Returns the components of a path, without `.` and `..`.
fn plain_path(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            names.pop();
        } else {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests;
