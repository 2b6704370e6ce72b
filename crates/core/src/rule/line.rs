//! Which commands a shell runs in a line, and what stands between them.
//!
//! Like [`command`](super::command) this errs on one side only: what it does not know for sure is no line of simple commands.

use super::command::{ENDS, NotSimple, Reading, check_text, push, word};
use super::files::is_scratch;

/// The most commands of a line that are looked at.
const MOST_COMMANDS: usize = 16;

/// Variables that may be set before a command which is known, and to which values. None of them names a file, a program, an
/// option or an address.
const SETTINGS: [(&str, &str); 30] = [
    ("APP_ENV", "test development"),
    ("CARGO_INCREMENTAL", "0 1"),
    ("CARGO_TERM_COLOR", "auto always never"),
    ("CGO_ENABLED", "0 1"),
    ("CI", "0 1 true false"),
    ("CLICOLOR", "0 1"),
    ("CTEST_OUTPUT_ON_FAILURE", "1"),
    ("FORCE_COLOR", "0 1 2 3"),
    ("GIT_EDITOR", "true"),
    ("HF_HUB_OFFLINE", "1"),
    ("LANG", "C C.UTF-8 POSIX en_US.UTF-8"),
    ("LC_ALL", "C C.UTF-8 POSIX en_US.UTF-8"),
    ("MIX_ENV", "test dev"),
    ("MPLBACKEND", "Agg agg"),
    ("NODE_ENV", "test development"),
    ("NO_COLOR", "1 true"),
    ("OMP_NUM_THREADS", "1 2 4 8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0 1"),
    ("PYTHONPATH", ". src"),
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONUTF8", "1"),
    ("RACK_ENV", "test development"),
    ("RAILS_ENV", "test development"),
    ("RUST_BACKTRACE", "0 1 full"),
    ("RUST_LOG", "error warn info debug trace off"),
    ("SQLX_OFFLINE", "true false"),
    ("TERM", "dumb xterm xterm-256color"),
    ("TOKENIZERS_PARALLELISM", "true false"),
    ("TZ", "UTC"),
];

/// What joins two commands of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    /// `&&`.
    And,
    /// `|`.
    Pipe,
    /// `;`, `||` or a new line: what follows runs also if what stands before has failed.
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
pub struct Simple {
    /// Its words.
    pub words: Vec<String>,
    /// Which of them the shell makes something else of: names for a star, the exit code for `$?`.
    pub expanded: Vec<usize>,
    /// Whether it is given what the one before it prints.
    pub is_fed: bool,
    /// Whether variables are set for it, each one that is known to do no harm.
    pub is_set: bool,
    /// Whether what it prints goes into a scratch file.
    pub is_kept: bool,
}

impl Simple {
    /// Returns a command of just these words.
    pub fn of(words: Vec<String>) -> Self {
        Self { words, ..Self::default() }
    }
}

/// Simple commands that a shell runs in one go, and the folders it goes to before the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Where `cd` leads, one after the other.
    pub folders: Vec<String>,
    /// The commands.
    pub commands: Vec<Simple>,
    /// Whether some of them run also if the shell could not go to those folders.
    pub runs_anyway: bool,
}

/// Takes simple commands apart that are joined by `&&`, `||`, `;`, `|` or a new line, and may drop what they print. A `cd` may
/// stand before the others, each joined by `&&`, or one of them by another sign.
///
/// # Errors
/// Says why it is more than that.
pub fn line(text: &str) -> Result<Line, NotSimple> {
    let Some(body) = repeated(text) else { return once(text) };
    check_text(text)?;
    // A second time the shell would be somewhere else.
    once(&body).and_then(|line| if line.folders.is_empty() { Ok(line) } else { Err(NotSimple::Composite) })
}

fn once(text: &str) -> Result<Line, NotSimple> {
    check_text(text)?;
    let mut line = Line::default();
    let mut command = Simple::default();
    let mut rest = text.trim_matches([' ', '\n']);
    // Nobody waits for its end; it does the same.
    rest = rest.strip_suffix(" &").unwrap_or(rest);
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = after_comment(rest).filter(|_| command == Simple::default()) {
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
            line.runs_anyway |= joint == Joint::Loose;
            command.is_fed = joint == Joint::Pipe;
            // After these a command may stand in the next line.
            rest = after.trim_start_matches([' ', '\n']);
            continue;
        }
        let (word, after) = word(rest, Reading::Line)?;
        if command.words.is_empty() && word.is_bare && is_setting(&word.text) {
            command.is_set = true;
        } else {
            if word.is_expanded {
                command.expanded.push(command.words.len());
            }
            push(&mut command.words, word)?;
        }
        rest = after;
    }
}

/// Returns whether a word sets a variable to a value with which nothing else is done.
fn is_setting(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    let known = SETTINGS.iter().find(|(known, _)| *known == name);
    known.is_some_and(|(_, values)| values.split_ascii_whitespace().any(|one| one == value))
}

/// Adds a command to a line.
fn add(line: &mut Line, command: Simple, joint: Joint) -> Result<(), NotSimple> {
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
        // No shell looks for a program under another name than the one that is written.
        if command.expanded.contains(&0) {
            return Err(NotSimple::Expanded);
        }
        line.commands.push(command);
        return if line.commands.len() > MOST_COMMANDS { Err(NotSimple::Long) } else { Ok(()) };
    }
    match command.words.as_slice() {
        [_, folder]
            if line.commands.is_empty()
                && (joint == Joint::And || joint == Joint::Loose && line.folders.is_empty())
                && !line.runs_anyway
                && command.expanded.is_empty()
                && !command.is_set
                && !folder.starts_with('-') =>
        {
            line.folders.push(folder.clone());
            Ok(())
        }
        _ => Err(NotSimple::Composite),
    }
}

/// Returns what a command ends with, and what stands behind that.
fn joint(rest: &str) -> Result<(Joint, &str), NotSimple> {
    let joints = [
        ("&&", Joint::And),
        ("||", Joint::Loose),
        (";", Joint::Loose),
        ("|", Joint::Pipe),
        ("\n", Joint::Loose),
    ];
    let found = joints.into_iter().find_map(|(sign, joint)| Some((joint, rest.strip_prefix(sign)?)));
    match found {
        // `;;` and `|&` are something else.
        Some((_, after)) if after.starts_with([';', '&', '|']) => Err(NotSimple::Composite),
        Some(found) => Ok(found),
        None if rest.is_empty() => Ok((Joint::Loose, rest)),
        None => Err(NotSimple::Composite),
    }
}

/// Returns what stands behind a line that is a comment, and would be no more than a word or two if some shell took it for none.
fn after_comment(rest: &str) -> Option<&str> {
    let (comment, after) = rest.strip_prefix('#')?.split_once('\n')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ,.:-_/+".contains(c);
    comment.chars().all(is_plain).then(|| after.trim_start_matches([' ', '\n']))
}

/// Returns what stands behind a redirection into a scratch file.
fn after_scratch(rest: &str) -> Option<&str> {
    let file = rest.strip_prefix('>')?.trim_start_matches(' ');
    let end = file.find([' ', ';', '|', '&', '\n']).unwrap_or(file.len());
    is_scratch(&file[..end]).then(|| &file[end..])
}

/// Returns what a shell does again and again, if a line is just that: `for i in 1 2 3; do ls; done | sort`. Each time it is the same,
/// because what it is done for is not used.
fn repeated(text: &str) -> Option<String> {
    let (name, rest) = text.trim_start().strip_prefix("for ")?.split_once(" in ")?;
    let (list, rest) = rest.split_once("; do ").or_else(|| rest.split_once("; do\n"))?;
    let (body, after) = rest.rsplit_once("; done").or_else(|| rest.rsplit_once("\ndone"))?;
    let is_plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    let counts = list.strip_prefix("$(seq ").and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let is_end = after.is_empty() || after.trim_start_matches(' ').starts_with([';', '|', '\n', '>', '2']);
    // A longer name may be one that the shell goes by, `path`.
    let is_letter = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase());
    (is_letter && counts.split(' ').all(is_plain) && is_end).then(|| format!("{body}{after}"))
}

/// Returns what stands behind a redirection that only drops or joins what is printed.
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
            assert!(line(text).unwrap().commands.iter().any(|command| command.is_set), "{text}");
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
        // Behind the program it is a word like any other.
        assert!(!line("make CI=1").unwrap().commands[0].is_set);
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
