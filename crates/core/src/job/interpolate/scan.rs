//! Scans a shell command: what is open at each place, and whether a value there stays data.

use std::collections::BTreeSet;

use super::super::reparsed::{Arguments, Commands, Script};
use super::{Known, Piece, Unsafe, in_double, names, pieces, value};
use crate::text::quoted;

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

const AGAIN: (&str, &str) = ("in ${!…} or ${…@P}", "use the variable itself");

/// Returns whether an expansion reads the content of its variable as the name of another, or as a prompt.
fn is_expanded_again(rest: &str) -> bool {
    let Some(inner) = rest.strip_prefix("${") else { return false };
    let name = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    inner.starts_with('!') || name.starts_with('@')
}

/// Scans a shell command as far as quoting requires.
#[derive(Default)]
pub(super) struct Scanner {
    /// What is wrong with the place of a variable that may hold a value.
    found: Found,
    /// Whether the arguments of the shell may hold a value.
    given: bool,
    open: Vec<Open>,
    before: char,
    here_document: bool,
    substituted: bool,
    commands: Commands,
}

impl Scanner {
    /// Makes a scanner for a command that has arguments, given the variables of the shell that may hold a value.
    pub(super) fn with(variables: BTreeSet<String>) -> Self {
        let mut scanner = Self { given: true, ..Self::default() };
        scanner.commands.variables = variables;
        scanner
    }

    /// Returns the variables of the shell that may hold a value.
    pub(super) fn into_variables(self) -> BTreeSet<String> {
        self.commands.variables
    }

    /// Puts values into a command, each quoted as its place requires.
    pub(super) fn fill(&mut self, command: &str, known: &Known) -> Result<String, Unsafe> {
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
        refuse(self.ending(), last)?;
        Ok(out)
    }

    /// Returns what is wrong with what the command reads from a pipe, or has a shell run.
    fn ending(&mut self) -> Found {
        self.commands.fed().or_else(|| {
            let scripts = std::mem::take(&mut self.commands.scripts);
            scripts.into_iter().find_map(|Script { text, arguments }| {
                let given = match arguments {
                    Arguments::Shared => self.given,
                    Arguments::Own => false,
                    Arguments::Value => true,
                };
                let mut inner = Self { given, ..Self::default() };
                inner.commands.variables.clone_from(&self.commands.variables);
                inner.read(&text);
                inner.found.or_else(|| inner.ending())
            })
        })
    }

    fn read(&mut self, text: &str) {
        for (at, c) in text.char_indices() {
            let within = self.open.last().copied();
            if self.found.is_none() && self.is_tainted(&text[at..]) {
                let again = is_expanded_again(&text[at..]).then_some(AGAIN);
                self.found = again.or_else(|| self.obstacle()).map(|(_, instead)| (VARIABLE, instead));
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
        is_set && self.given && rest.starts_with('$') || self.commands.variables.contains(&name[..end])
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
            // `$[`, which is no longer documented; all that follows counts as arithmetic.
            (_, '[') if self.before == '$' => self.open.push(Open::Arithmetic),
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
