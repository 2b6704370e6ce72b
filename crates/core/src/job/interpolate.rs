//! Puts values into a runbook's texts, and into shell commands so that no value can become part of the command.

mod scan;

use std::collections::{BTreeMap, BTreeSet};

use scan::Scanner;

use crate::text::quote;

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
        let mut scanner = Scanner::with(variables);
        let out = scanner.fill(command, known)?;
        variables = scanner.into_variables();
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
