//! Puts values into a runbook's texts: into a shell command so that no value can become part of the command.

use std::collections::BTreeMap;

use super::reparsed::Commands;

/// The name of what an agent is told.
pub const PROMPT: &str = "agent.prompt";

/// Values by their full name: `var.branch`, `job.id`, `agent.prompt`, …
pub type Known = BTreeMap<String, String>;

/// Why values cannot be put into a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// A name is not known.
    #[error("${{{name}}} is not known here")]
    Unknown {
        /// The name.
        name: String,
        /// Where it stands, in bytes.
        at: usize,
    },
    /// A value cannot be kept from becoming part of the command.
    #[error("${{{name}}} stands {place}, where no value can be made safe; {instead}")]
    Place {
        /// The name.
        name: String,
        /// Where it stands, in bytes.
        at: usize,
        /// In what.
        place: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
}

/// Finds the names in a text: those with a dot are ours, all else is the shell's. `$${` stands for `${`.
pub fn names(text: &str) -> Vec<(usize, &str)> {
    pieces(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Name(at, name) => Some((at, name)),
            Piece::Text(_) => None,
        })
        .collect()
}

/// Returns the command that starts an agent: one that does not say where its prompt goes gets it as its last argument.
pub fn with_prompt(run: &str) -> String {
    let named = names(run).iter().any(|(_, name)| *name == PROMPT);
    if named { run.to_owned() } else { format!("{run} ${{{PROMPT}}}") }
}

/// Puts values into words for people and agents.
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

/// Puts values into a shell command, each quoted as the place where it stands demands.
pub fn shell(command: &str, known: &Known) -> Result<String, Unsafe> {
    let mut out = String::with_capacity(command.len());
    let mut scanner = Scanner::default();
    let mut last = None;
    for piece in pieces(command) {
        match piece {
            Piece::Text(text) => {
                scanner.read(text);
                out.push_str(text);
            }
            Piece::Name(at, name) => {
                if let Some((place, instead)) = scanner.obstacle(command) {
                    return Err(Unsafe::Place { name: name.to_owned(), at, place, instead });
                }
                last = Some((at, name));
                let value = value(known, name, at)?;
                match scanner.open.last() {
                    None | Some(Open::Substitution) => out.push_str(&quoted(value)),
                    Some(Open::Double) => out.push_str(&in_double(value)),
                    Some(Open::Single) => out.push_str(&value.replace('\0', "").replace('\'', r"'\''")),
                    // What is in a comment is ignored; all else is an obstacle.
                    Some(_) => {}
                }
                scanner.before = 'x';
            }
        }
    }
    if let (Some((place, instead)), Some((at, name))) = (scanner.commands.fed(), last) {
        return Err(Unsafe::Place { name: name.to_owned(), at, place, instead });
    }
    Ok(out)
}

/// Returns a value as one word of a shell command.
pub fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\0', "").replace('\'', r"'\''"))
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

/// What is open at a place in a shell command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Single,
    /// `$'`, which some shells know.
    Ansi,
    Double,
    Substitution,
    Arithmetic,
    Backtick,
    Comment,
    Escape,
}

/// Reads a shell command as far as quoting goes.
#[derive(Default)]
struct Scanner {
    open: Vec<Open>,
    before: char,
    before_that: char,
    here_document: bool,
    substituted: bool,
    commands: Commands,
}

impl Scanner {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            let within = self.open.last().copied();
            self.step(c);
            self.word(within, c);
            (self.before_that, self.before) = (self.before, c);
        }
    }

    fn step(&mut self, c: char) {
        let now = self.open.last().copied();
        match (now, c) {
            (Some(Open::Escape), _)
            | (Some(Open::Single | Open::Ansi), '\'')
            | (Some(Open::Double), '"')
            | (Some(Open::Backtick), '`')
            | (Some(Open::Comment), '\n')
            | (Some(Open::Substitution | Open::Arithmetic), ')') => {
                self.open.pop();
            }
            (Some(Open::Single | Open::Comment), _) => {}
            (_, '\\') => self.open.push(Open::Escape),
            (Some(Open::Ansi), _) => {}
            (_, '`') => self.open.push(Open::Backtick),
            (Some(Open::Substitution), '(') if self.before == '(' && self.before_that == '$' => {
                self.open.pop();
                self.open.extend([Open::Arithmetic, Open::Arithmetic]);
            }
            (_, '(') if self.before == '$' => {
                self.substituted = true;
                self.open.push(Open::Substitution);
            }
            (Some(Open::Double), _) => {}
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

    /// Takes a character into the words of the simple command it belongs to; `within` is what was open before it.
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
            Some(Open::Single | Open::Ansi | Open::Double) => self.commands.letter(c),
            _ => self.commands.bare(c, self.before),
        }
    }

    /// Says why no value can be put here, and what to do instead.
    fn obstacle(&mut self, command: &str) -> Option<(&'static str, &'static str)> {
        let within = |open| self.open.contains(&open);
        let argument = "give it to the command as an argument before that";
        if self.here_document {
            Some(("after a here-document's <<", argument))
        } else if within(Open::Backtick) {
            Some(("between backticks", "write $( … )"))
        } else if within(Open::Arithmetic) {
            Some(("in $(( … ))", "put it into a variable of the shell first"))
        } else if within(Open::Ansi) {
            Some(("between $' and '", "use plain quotation marks"))
        } else if within(Open::Escape) {
            Some(("after a backslash", "leave the backslash away"))
        } else if self.substituted && command.contains("esac") {
            // Its closing brackets have no opening ones.
            Some(("in a command with $( … ) and case", "put it into a variable of the shell first"))
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
