//! Puts values into a runbook's texts, and into shell commands so that no value can become part of the command.

use std::collections::{BTreeMap, BTreeSet};

use super::reparsed::Commands;
use crate::text::{quote, quoted};

/// The name of the prompt that an agent is given.
pub const PROMPT: &str = "agent.prompt";

/// Values by full name: `var.branch`, `job.id`, `agent.prompt`, …
pub type Known = BTreeMap<String, String>;

/// Why a value cannot be put into a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// A name is not known.
    #[error("${{{name}}} is not known here")]
    Unknown {
        /// The name.
        name: String,
        /// Its position, in bytes.
        at: usize,
    },
    /// No quoting keeps a value at this place from becoming part of the command.
    #[error("${{{name}}} stands {place}, where no value can be made safe; {instead}")]
    Place {
        /// The name.
        name: String,
        /// Its position, in bytes.
        at: usize,
        /// What the place is in.
        place: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// The command would not read the value as an operand.
    #[error("${{{name}}} is {}, which the command would take for {what}; {instead}", quote(value))]
    Misread {
        /// The name.
        name: String,
        /// Its position, in bytes.
        at: usize,
        /// Its value.
        value: String,
        /// What the command would take it for.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
}

/// Finds the names in a text: those with a dot are runbook values, all others belong to the shell. `$${` stands for
/// `${`.
pub fn names(text: &str) -> Vec<(usize, &str)> {
    pieces(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Name(at, name) => Some((at, name)),
            Piece::Text(_) => None,
        })
        .collect()
}

/// Returns the command that starts an agent; if it does not place the prompt, the prompt becomes its last argument.
pub fn with_prompt(run: &str) -> String {
    let named = names(run).iter().any(|(_, name)| *name == PROMPT);
    if named { run.to_owned() } else { format!("{run} ${{{PROMPT}}}") }
}

/// Puts values into a text for people or agents.
pub fn plain(text: &str, known: &Known) -> Result<String, Unsafe> {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Name(at, name) => out.push_str(value(known, name, at)?),
        }
    }
    Ok(out)
}

/// Puts values into a shell command, each quoted as its place requires.
pub fn shell(command: &str, known: &Known) -> Result<String, Unsafe> {
    if names(command).is_empty() {
        return plain(command, known);
    }
    // A variable may be given a value after the place where it is used, as in a loop.
    let mut variables = BTreeSet::from(["_", "REPLY", "MAPFILE"].map(str::to_owned));
    loop {
        let before = variables.len();
        let mut scanner = Scanner::default();
        scanner.commands.variables = variables;
        let out = scanner.fill(command, known)?;
        variables = scanner.commands.variables;
        if variables.len() == before {
            return Ok(out);
        }
    }
}

fn in_double(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars().filter(|c| *c != '\0') {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn value<'a>(known: &'a Known, name: &str, at: usize) -> Result<&'a str, Unsafe> {
    known.get(name).map(String::as_str).ok_or_else(|| Unsafe::Unknown { name: name.to_owned(), at })
}

enum Piece<'a> {
    Text(&'a str),
    Name(usize, &'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = text[at..].find("${") {
        let here = at + found;
        at = here + 2;
        if here > from && text.as_bytes()[here - 1] == b'$' {
            out.push(Piece::Text(&text[from..here - 1]));
            from = here;
            continue;
        }
        let Some((inner, _)) = text[at..].split_once('}') else { break };
        if is_ours(inner) {
            out.push(Piece::Text(&text[from..here]));
            out.push(Piece::Name(here, inner));
            at += inner.len() + 1;
            from = at;
        }
    }
    out.push(Piece::Text(&text[from..]));
    out
}

fn is_ours(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.contains('.') && name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The constructs that can be open at a place in a shell command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Single,
    /// `$'`, which some shells know.
    Ansi,
    Double,
    Substitution,
    Arithmetic,
    /// `${`.
    Parameter,
    Backtick,
    Comment,
    Escape,
}

/// What is wrong with a place, and what to do instead.
type Found = Option<(&'static str, &'static str)>;

const VARIABLE: &str = "in a variable that is read as a command or as code";
const UNCLEAR: Found =
    Some(("in a command with $( … ) and case", "put it into a variable of the shell first"));

/// Scans a shell command as far as quoting requires.
#[derive(Default)]
struct Scanner {
    /// What is wrong with the place of a variable that may hold a value.
    found: Found,
    open: Vec<Open>,
    before: char,
    here_document: bool,
    substituted: bool,
    commands: Commands,
}

impl Scanner {
    /// Puts values into a command, each quoted as its place requires.
    fn fill(&mut self, command: &str, known: &Known) -> Result<String, Unsafe> {
        let mut out = String::with_capacity(command.len());
        let mut last = names(command).first().copied().unwrap_or_default();
        let refuse = |found: Found, (at, name): (usize, &str)| match found {
            Some((place, instead)) => Err(Unsafe::Place { name: name.to_owned(), at, place, instead }),
            None => Ok(()),
        };
        for piece in pieces(command) {
            match piece {
                Piece::Text(text) => {
                    self.read(text);
                    refuse(self.found, last)?;
                    out.push_str(text);
                }
                Piece::Name(at, name) => {
                    last = (at, name);
                    let value = value(known, name, at)?;
                    let misread = self.commands.misread(value);
                    // The closing brackets of the patterns of `case` have no opening ones.
                    let unclear = UNCLEAR.filter(|_| self.substituted && command.contains("esac"));
                    refuse(unclear.or(self.obstacle()), last)?;
                    let is_operand = self.open.last() != Some(&Open::Comment);
                    if let Some((what, instead)) = misread.filter(|_| is_operand) {
                        let (name, value) = (name.to_owned(), value.to_owned());
                        return Err(Unsafe::Misread { name, at, value, what, instead });
                    }
                    match self.open.last() {
                        None | Some(Open::Substitution) => out.push_str(&quoted(value)),
                        Some(Open::Double) => out.push_str(&in_double(value)),
                        Some(Open::Single) => out.push_str(&value.replace('\0', "").replace('\'', r"'\''")),
                        // Values in comments are ignored; all other places are obstacles.
                        Some(_) => {}
                    }
                    self.before = 'x';
                }
            }
        }
        refuse(self.commands.fed(), last)?;
        Ok(out)
    }

    fn read(&mut self, text: &str) {
        for (at, c) in text.char_indices() {
            let within = self.open.last().copied();
            if self.found.is_none() && self.is_tainted(&text[at..]) {
                self.found = self.obstacle().map(|(_, instead)| (VARIABLE, instead));
            }
            self.step(c);
            self.word(within, c);
            self.before = c;
        }
    }

    /// Returns whether a variable that may hold a value is expanded here.
    fn is_tainted(&self, rest: &str) -> bool {
        let name = match (self.open.last(), rest.strip_prefix('$')) {
            (Some(Open::Single | Open::Ansi | Open::Comment | Open::Escape), _) => return false,
            (_, Some(rest)) => rest.trim_start_matches(['{', '!', '#']),
            // Arithmetic names variables without a dollar sign.
            (Some(Open::Arithmetic | Open::Parameter), None) => {
                let is_inside = self.before.is_ascii_alphanumeric() || "_${!#".contains(self.before);
                if is_inside { "" } else { rest }
            }
            _ => return false,
        };
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        // Functions and `set` give the shell other arguments.
        let is_set = name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '@' | '*'));
        is_set && rest.starts_with('$') || self.commands.variables.contains(&name[..end])
    }

    fn step(&mut self, c: char) {
        let now = self.open.last().copied();
        match (now, c) {
            (Some(Open::Escape), _)
            | (Some(Open::Single | Open::Ansi), '\'')
            | (Some(Open::Double), '"')
            | (Some(Open::Backtick), '`')
            | (Some(Open::Comment), '\n')
            | (Some(Open::Parameter), '}')
            | (Some(Open::Substitution | Open::Arithmetic), ')') => {
                self.open.pop();
            }
            (Some(Open::Single | Open::Comment), _) => {}
            (_, '\\') => self.open.push(Open::Escape),
            (Some(Open::Ansi), _) => {}
            (_, '`') => self.open.push(Open::Backtick),
            (_, '{') if self.before == '$' => self.open.push(Open::Parameter),
            // `$((` and `((`.
            (Some(Open::Substitution), '(') if self.before == '(' => {
                self.open.pop();
                self.open.extend([Open::Arithmetic, Open::Arithmetic]);
            }
            (_, '(') if self.before == '$' => {
                self.substituted = true;
                self.open.push(Open::Substitution);
            }
            (Some(Open::Double), _) => {}
            (Some(Open::Parameter), '\'') if self.open.contains(&Open::Double) => {}
            (Some(Open::Arithmetic), '(') => self.open.push(Open::Arithmetic),
            (_, '(') => self.open.push(Open::Substitution),
            (_, '\'') if self.before == '$' => self.open.push(Open::Ansi),
            (_, '\'') => self.open.push(Open::Single),
            (_, '"') => self.open.push(Open::Double),
            (_, '#')
                if self.before == '\0'
                    || self.before.is_whitespace()
                    || matches!(self.before, ';' | '(' | '&' | '|') =>
            {
                self.open.push(Open::Comment);
            }
            (_, '<') if self.before == '<' => self.here_document = true,
            _ => {}
        }
    }

    /// Adds a character to the words of its simple command; `within` is what was open before it.
    fn word(&mut self, within: Option<Open>, c: char) {
        let is_open = |open: &Open| matches!(open, Open::Backtick | Open::Arithmetic);
        let quotes = self.open.last().copied() != within;
        self.commands.nest(self.open.iter().filter(|open| **open == Open::Substitution).count());
        match within {
            _ if self.open.iter().any(is_open) => self.commands.quote(),
            Some(Open::Escape) if c == '\n' => {}
            Some(Open::Escape) => self.commands.letter(c),
            Some(Open::Comment) if quotes => self.commands.bare(c, self.before),
            Some(Open::Comment) => {}
            _ if quotes && matches!(c, '\'' | '"') => self.commands.quote(),
            _ if quotes => {}
            Some(Open::Single | Open::Ansi | Open::Double | Open::Parameter) => self.commands.letter(c),
            _ => self.commands.bare(c, self.before),
        }
    }

    /// Returns why no value can be put here, and what to do instead.
    fn obstacle(&mut self) -> Found {
        let within = |open| self.open.contains(&open);
        let argument = "give it to the command as an argument before that";
        if self.here_document {
            Some(("after a here-document's <<", argument))
        } else if within(Open::Backtick) {
            Some(("between backticks", "write $( … )"))
        } else if within(Open::Arithmetic) {
            Some(("in (( … ))", "compare it with [ … ], or compute in another program"))
        } else if within(Open::Parameter) {
            Some(("in ${ … }", "give it to the command as an argument of its own"))
        } else if within(Open::Ansi) {
            Some(("between $' and '", "use plain quotation marks"))
        } else if within(Open::Escape) {
            Some(("after a backslash", "leave the backslash away"))
        } else if within(Open::Comment) {
            None
        } else {
            self.commands.value()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(value: &str) -> Known {
        Known::from([("var.x".to_owned(), value.to_owned())])
    }

    #[test]
    fn values_are_quoted_as_their_place_demands() {
        let cases = [
            ("echo ${var.x}", "echo 'a'\\''b'"),
            ("echo \"${var.x}\"", "echo \"a'b\""),
            ("echo '${var.x}'", "echo 'a'\\''b'"),
            ("echo \"$(cat ${var.x})\"", "echo \"$(cat 'a'\\''b')\""),
            ("echo ${HOME} $${var.x}", "echo ${HOME} ${var.x}"),
            ("true # ${var.x}", "true # "),
        ];
        for (command, right) in cases {
            assert_eq!(shell(command, &known("a'b")).unwrap(), right, "{command}");
        }
    }

    #[test]
    fn where_nothing_is_safe_nothing_is_put() {
        for command in [
            "echo `cat ${var.x}`",
            "cat <<E\n${var.x}\nE",
            "echo $(( ${var.x} + 1 ))",
            "echo \\${var.x}",
            "echo \"$(case a in a) echo ${var.x};; esac)\"",
            "echo $'${var.x}'",
        ] {
            assert!(matches!(shell(command, &known("1")), Err(Unsafe::Place { .. })), "{command}");
        }
        assert!(matches!(shell("echo ${var.y}", &known("1")), Err(Unsafe::Unknown { .. })));
    }

    proptest::proptest! {
        #[test]
        fn a_shell_reads_a_value_as_it_was(value in "[ -~]{0,12}", form in 0..4usize) {
            let command = ["printf %s ${var.x}", "printf %s \"${var.x}\"", "printf %s '${var.x}'",
                "printf %s \"$(printf %s \"${var.x}\")\""][form];
            let run = shell(command, &known(&value)).unwrap();
            let out = std::process::Command::new("sh").args(["-c", &run]).output().unwrap();
            proptest::prop_assert_eq!(String::from_utf8_lossy(&out.stdout), value);
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = shell(&text, &known("1"));
            let _ = plain(&text, &known("1"));
        }
    }
}
