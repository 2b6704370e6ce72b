//! The commands that a shell runs in one line, and how they are joined.
//!
//! Like [`command`](super::command) this errs on one side only: a line that is not fully understood is not a line of
//! simple commands.

use super::command::{ENDS, NotSimple, ParseMode, check_text, push, word};
use super::files::is_scratch;
use super::settings::VariableEffect;

/// The most commands of a line that are read.
const MOST_COMMANDS: usize = 16;

/// What joins two commands of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// `&&`.
    And,
    /// `|`.
    Pipe,
    /// `;`, `||` or a newline: what follows may run even if what stands before has failed.
    Loose,
}

/// Redirections that only drop or join what a command prints.
const QUIET: [&str; 10] = [
    "2>&1",
    ">&2",
    "1>&2",
    "2>/dev/null",
    "2> /dev/null",
    ">/dev/null",
    "> /dev/null",
    "1>/dev/null",
    "&>/dev/null",
    "&> /dev/null",
];

/// A command of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words.
    pub words: Vec<String>,
    /// The positions of words that the shell expands: a glob, or `$?`.
    pub expanded: Vec<usize>,
    /// Whether the output of the previous command is piped into it.
    pub is_fed: bool,
    /// What the variables set for it mean.
    pub settings: VariableEffect,
    /// Whether its output goes into a scratch file.
    pub is_kept: bool,
}

impl SimpleCommand {
    /// Returns a command of just these words.
    pub fn of(words: Vec<String>) -> Self {
        Self { words, ..Self::default() }
    }
}

/// Simple commands that a shell runs together, and the folders it changes to before the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The arguments of `cd`, in order.
    pub folders: Vec<String>,
    /// The commands.
    pub commands: Vec<SimpleCommand>,
    /// Whether some of them run even if the shell could not change to those folders.
    pub runs_anyway: bool,
}

/// Splits a line into simple commands joined by `&&`, `||`, `;`, `|` or a newline; their output may be dropped. A `cd`
/// may
/// stand before the others, each joined by `&&`, or one of them by another sign.
///
/// # Errors
/// If it is not such a line, with the reason.
pub fn line(text: &str) -> Result<Line, NotSimple> {
    let Some(body) = repeated(text) else { return parse_once(text) };
    check_text(text)?;
    // The second time, the shell would start in another folder.
    parse_once(&body)
        .and_then(|line| if line.folders.is_empty() { Ok(line) } else { Err(NotSimple::Composite) })
}

fn parse_once(text: &str) -> Result<Line, NotSimple> {
    check_text(text)?;
    let mut line = Line::default();
    let mut command = SimpleCommand::default();
    let mut rest = text.trim_matches([' ', '\n']);
    // A trailing `&` only means that the shell does not wait for the end.
    rest = rest.strip_suffix(" &").unwrap_or(rest);
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = after_comment(rest).filter(|_| command == SimpleCommand::default()) {
            rest = after;
            continue;
        }
        if let Some(after) = after_quiet(rest).filter(|_| !command.words.is_empty()) {
            rest = after;
            continue;
        }
        if let Some(after) = after_scratch(rest).filter(|_| !command.words.is_empty()) {
            command.is_kept = true;
            rest = after;
            continue;
        }
        if rest.is_empty() || rest.starts_with(ENDS) {
            let (joint, after) = joint(rest)?;
            add(&mut line, std::mem::take(&mut command), joint)?;
            if rest.is_empty() {
                return Ok(line);
            }
            line.runs_anyway |= joint == Separator::Loose;
            command.is_fed = joint == Separator::Pipe;
            // After these a command may stand in the next line.
            rest = after.trim_start_matches([' ', '\n']);
            continue;
        }
        let (word, after) = word(rest, ParseMode::Line)?;
        let setting = VariableEffect::of(&word.text).filter(|_| command.words.is_empty() && word.is_bare);
        if let Some(setting) = setting {
            command.settings = command.settings.max(setting);
        } else {
            if word.is_expanded {
                command.expanded.push(command.words.len());
            }
            push(&mut command.words, word)?;
        }
        rest = after;
    }
}

/// Adds a command to a line.
fn add(line: &mut Line, command: SimpleCommand, joint: Separator) -> Result<(), NotSimple> {
    let Some(program) = command.words.first() else { return Err(NotSimple::Empty) };
    if let ([_, file], Some(before)) = (command.words.as_slice(), line.commands.last_mut())
        && program == "tee"
        && command.is_fed
        && command.expanded.is_empty()
        && is_scratch(file)
    {
        before.is_kept = true;
        return Ok(());
    }
    if program != "cd" {
        // No shell expands the name of the program to another one.
        if command.expanded.contains(&0) {
            return Err(NotSimple::Expanded);
        }
        line.commands.push(command);
        return if line.commands.len() > MOST_COMMANDS { Err(NotSimple::Long) } else { Ok(()) };
    }
    match command.words.as_slice() {
        [_, folder]
            if line.commands.is_empty()
                && (joint == Separator::And || joint == Separator::Loose && line.folders.is_empty())
                && !line.runs_anyway
                && command.expanded.is_empty()
                && command.settings == VariableEffect::None
                && !folder.starts_with('-') =>
        {
            line.folders.push(folder.clone());
            Ok(())
        }
        _ => Err(NotSimple::Composite),
    }
}

/// Returns what a command ends with, and what stands behind that.
fn joint(rest: &str) -> Result<(Separator, &str), NotSimple> {
    let joints = [
        ("&&", Separator::And),
        ("||", Separator::Loose),
        (";", Separator::Loose),
        ("|", Separator::Pipe),
        ("\n", Separator::Loose),
    ];
    let found = joints.into_iter().find_map(|(sign, joint)| Some((joint, rest.strip_prefix(sign)?)));
    match found {
        // `;;` and `|&` mean something else.
        Some((_, after)) if after.starts_with([';', '&', '|']) => Err(NotSimple::Composite),
        Some(found) => Ok(found),
        None if rest.is_empty() => Ok((Separator::Loose, rest)),
        None => Err(NotSimple::Composite),
    }
}

/// Returns the rest after a comment line that would be only a word or two if a shell did not take it for a comment.
fn after_comment(rest: &str) -> Option<&str> {
    let (comment, after) = rest.strip_prefix('#')?.split_once('\n')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ,.:-_/+".contains(c);
    comment.chars().all(is_plain).then(|| after.trim_start_matches([' ', '\n']))
}

/// Returns the rest after a redirection into a scratch file.
fn after_scratch(rest: &str) -> Option<&str> {
    let file = rest.strip_prefix('>')?.trim_start_matches(' ');
    let end = file.find([' ', ';', '|', '&', '\n']).unwrap_or(file.len());
    is_scratch(&file[..end]).then(|| &file[end..])
}

/// Returns what a shell repeats, if a line is just a loop: `for i in 1 2 3; do ls; done | sort`. Every pass is the
/// same, because the variable is not used.
fn repeated(text: &str) -> Option<String> {
    let (name, rest) = text.trim_start().strip_prefix("for ")?.split_once(" in ")?;
    let (list, rest) = rest.split_once("; do ").or_else(|| rest.split_once("; do\n"))?;
    let (body, after) = rest.rsplit_once("; done").or_else(|| rest.rsplit_once("\ndone"))?;
    let is_plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    let counts = list.strip_prefix("$(seq ").and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let is_end = after.is_empty() || after.trim_start_matches(' ').starts_with([';', '|', '\n', '>', '2']);
    // A longer name may be a variable that the shell uses, such as `path`.
    let is_letter = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase());
    (is_letter && counts.split(' ').all(is_plain) && is_end).then(|| format!("{body}{after}"))
}

/// Returns the rest after a redirection that only drops or joins output.
fn after_quiet(rest: &str) -> Option<&str> {
    let after = QUIET.iter().find_map(|quiet| rest.strip_prefix(quiet))?;
    (after.is_empty() || after.starts_with([' ', ';', '|', '\n']) || after.starts_with("&&")).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_folders_may_stand_before_a_command() {
        for (text, folders, commands) in [
            ("# look around\nls", 0, 1),
            ("ls\n# a, b: c-d\nls", 0, 2),
            ("cd src; ls", 1, 1),
            ("ls >&2", 0, 1),
            ("make -j$(nproc)", 0, 1),
            ("npm run dev > /tmp/dev.log 2>&1 &", 0, 1),
        ] {
            let read = line(text);
            let found = read.as_ref().map(|line| (line.folders.len(), line.commands.len()));
            assert_eq!(found, Ok((folders, commands)), "{text}");
        }
        for text in [
            "# it's\nls",
            "# $(id)\nls",
            "# a; rm x\nls",
            "# a",
            "ls # a\nls",
            "cd a; cd b; ls",
            "cd a && cd b; ls",
            "cd a; cd b && ls",
            "cd a | ls",
            "make -j$(nproc --all)",
            "ls >&3",
            "ls & ls",
            "ls && &",
            "ls & &",
            "&",
        ] {
            assert!(line(text).is_err(), "{text}");
        }
        assert!(line("cd src; ls").unwrap().runs_anyway);
    }

    #[test]
    fn what_is_done_again_and_again_is_read_once() {
        for (text, commands) in [
            ("for i in 1 2 3; do ls; done", 1),
            ("for i in $(seq 1 30); do ls src; done | sort | uniq -c", 3),
            ("for i in a b; do\nls\ndone", 1),
            ("ls > /tmp/a.txt", 1),
            ("ls >/tmp/a.log 2>&1", 1),
            ("ls | tee /tmp/a.log", 1),
            ("ls | tee /tmp/a.log | tail", 2),
            ("ls | tee a.log", 2),
        ] {
            assert_eq!(line(text).map(|line| line.commands.len()), Ok(commands), "{text}");
        }
        for text in [
            "for i in 1 2; do ls $i; done",
            "for i in 1 2; do cd src && ls; done",
            "for i in $(id); do ls; done",
            "for i in $(seq 1 $(id)); do ls; done",
            "for i in *; do ls; done",
            "for i in 1; do ls; done; for j in 2; do ls; done",
            "for i in 1; do for j in 2; do ls; done; done",
            "for i in 1; do ls; done; echo '; done'",
            "for i in 1; do ls; done rm x",
            "for i in 1; do ls; done & rm x",
            "for i in 1; do ls; donerm x",
            "for PATH in 1; do ls; done",
            "for path in 1; do ls; done",
            "for i in 1; do ls; done > /etc/x",
            "ls > /tmp/../etc/x.txt",
            "ls > /tmp/.bashrc.txt",
            "ls > /tmp/x.sh",
            "ls >> /tmp/a/b.txt",
            "ls > a.txt",
        ] {
            assert!(line(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_settings_that_are_known_may_stand_before_a_command() {
        for text in ["CI=1 npm test", "RAILS_ENV=test NO_COLOR=1 rspec", "ls && TZ=UTC date"] {
            assert!(
                line(text).unwrap().commands.iter().any(|command| command.settings != VariableEffect::None),
                "{text}"
            );
        }
        for text in [
            "CI=2 npm test",
            "CI= npm test",
            "CI='1' npm test",
            "'CI'=1 npm test",
            "CI=1",
            "ls; CI=1",
            "CI=1 cd src && ls",
            "PATH=. ls",
            "LD_PRELOAD=x.so ls",
            "NODE_OPTIONS=--require=./x node",
            "GIT_PAGER=sh git log",
            "RAILS_ENV=production rspec",
            "RUST_LOG=a=b cargo test",
            "CI=1 PATH=. npm test",
            "CI=1 if ls",
        ] {
            assert!(line(text).is_err(), "{text}");
        }
        for (text, settings) in [
            ("RAILS_ENV=development rspec", VariableEffect::Developing),
            ("CI=1 MIX_ENV=dev mix test", VariableEffect::Developing),
            ("MIX_ENV=dev CI=1 mix test", VariableEffect::Developing),
            ("RAILS_ENV=test rspec", VariableEffect::Harmless),
            ("rspec", VariableEffect::None),
        ] {
            assert_eq!(line(text).unwrap().commands[0].settings, settings, "{text}");
        }
        // After the program it is a word like any other.
        assert_eq!(line("make CI=1").unwrap().commands[0].settings, VariableEffect::None);
    }

    #[test]
    fn what_is_fed_and_what_is_expanded_is_marked() {
        let line = line("ls src/*.rs | sort && echo \"exit: $?\"; sh").unwrap();
        let fed: Vec<bool> = line.commands.iter().map(|command| command.is_fed).collect();
        assert_eq!(fed, [false, true, false, false]);
        let expanded: Vec<&[usize]> = line.commands.iter().map(|command| &*command.expanded).collect();
        assert_eq!(expanded, [&[1][..], &[], &[1], &[]]);
    }

    #[test]
    fn what_is_expanded_to_more_than_names_or_a_number_is_no_line() {
        for text in [
            "l* x",
            "$? x",
            "echo $x",
            "echo \"$HOME\"",
            "echo \"$?$(id)\"",
            "echo ${PIPESTATUS[0]}",
            "echo \"${PIPESTATUS[1]}\"",
            "ls a?",
            "ls [ab]*",
            "ls {a,b}*",
            "cd s* && ls",
            "ls ~/*",
        ] {
            assert!(line(text).is_err(), "{text}");
        }
    }
}
