//! How a program reads a value in a separate word: as its operand, unless it looks like an option or a setting, or the
//! program runs what it is given.

use std::collections::BTreeSet;

use super::tables::ASSIGNS;
use super::{base, is_redirection, runs};

/// Shell keywords that precede a command.
const BEFORE: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];
/// Programs that run the command they are given, with the number of their own operands before it and the options that
/// take the next word.
const PREFIXES: [(&str, usize, &str); 24] = [
    ("env", 0, "uC"),
    ("sudo", 0, "ugCDhpRrTtU"),
    ("doas", 0, "uC"),
    ("exec", 0, "a"),
    ("command", 0, ""),
    ("builtin", 0, ""),
    ("nohup", 0, ""),
    ("nice", 0, "n"),
    ("ionice", 0, "cn"),
    ("time", 0, "fo"),
    ("setsid", 0, ""),
    ("stdbuf", 0, "ioe"),
    ("strace", 0, "eosPu"),
    ("unshare", 0, ""),
    ("xargs", 0, "adEILnPs"),
    ("chroot", 1, ""),
    ("timeout", 1, "ks"),
    ("flock", 1, "Ew"),
    ("setpriv", 0, ""),
    ("taskset", 1, "pc"),
    ("chrt", 1, "TPD"),
    ("nsenter", 0, "tSG"),
    ("runuser", 0, "ug"),
    ("systemd-run", 0, "pMEGdu"),
];
/// Their long options that take the next word.
const TAKE_NEXT: [&str; 22] = [
    "--unset",
    "--chdir",
    "--kill-after",
    "--signal",
    "--adjustment",
    "--max-args",
    "--max-lines",
    "--max-procs",
    "--delimiter",
    "--arg-file",
    "--output",
    "--input",
    "--error",
    "--timeout",
    "--user",
    "--group",
    "--prompt",
    "--host",
    "--chroot",
    "--class",
    "--classdata",
    "--reuid",
];
/// Programs that read a `NAME=…` operand as a setting, one of which may be a command.
const SET_BY_OPERANDS: [&str; 7] = ["make", "gmake", "bmake", "just", "env", "sudo", "doas"];
/// Programs that expand macros in the value of a setting.
const MACROS: [&str; 3] = ["make", "gmake", "bmake"];
/// Programs that read a word with a leading `+` as a command.
const READ_PLUS: [&str; 7] = ["vim", "vi", "nvim", "view", "less", "more", "emacs"];
/// Commands that an option cannot make do more harm than an operand.
const HARMLESS: [&str; 9] = ["echo", "printf", "[", "[[", "test", "case", "for", "in", ":"];

/// Returns whether the next word is the command itself, after words of the same simple command.
pub(super) fn is_command(words: &[String]) -> bool {
    // The body of a function, and a pattern of `case`, end right before a command.
    let opens = |word: &String| word == "{" || word.ends_with(')');
    let is_case = words.first().is_some_and(|word| word == "case");
    let begins = words.iter().rposition(|word| opens(word) || is_case && word == "in");
    let words: Vec<String> =
        words[begins.map_or(0, |at| at + 1)..].iter().filter(|word| !is_redirection(word)).cloned().collect();
    let mut words = words.as_slice();
    loop {
        let stands_before =
            |word: &String| sets(word) || BEFORE.contains(&word.as_str()) || may_be_nothing(word);
        while words.first().is_some_and(stands_before) {
            words = &words[1..];
        }
        let Some((first, rest)) = words.split_first() else { return true };
        let Some((_, own, takes)) = PREFIXES.iter().find(|(name, ..)| *name == base(first)) else {
            return false;
        };
        let (mut own, mut at, mut is_taken, mut options) = (*own, 0, false, true);
        while let Some(word) = rest.get(at) {
            if std::mem::take(&mut is_taken) {
                // This word is the value of the option before it.
            } else if options && word == "--" {
                options = false;
            } else if options && word.starts_with('-') {
                let is_group = !word.starts_with("--");
                is_taken =
                    is_group && word.ends_with(|c| takes.contains(c)) || TAKE_NEXT.contains(&word.as_str());
            } else if own > 0 {
                own -= 1;
            } else {
                break;
            }
            at += 1;
        }
        if is_taken || own > 0 {
            return false;
        }
        words = &rest[at..];
    }
}

/// Returns whether a program runs the command that it is given.
pub(super) fn runs_command(word: &str) -> bool {
    PREFIXES.iter().any(|(name, ..)| *name == base(word))
}

/// Returns the variable that a word names, if it does.
pub(super) fn variable(word: &str) -> Option<String> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let is_named = rest.is_empty() || rest.starts_with(['=', '+', '[']);
    is_named.then(|| word[..word.len() - rest.len()].to_owned())
}

/// Returns whether a word has begun to give a variable its value: `NAME=`, `NAME+=`, `NAME[0]=`.
pub(super) fn is_assigned(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.strip_suffix(']').and_then(|name| name.split_once('[')).map_or(name, |(name, _)| name);
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns whether a word gives a variable a text with the name of one of some variables.
pub(super) fn assigns_name(word: &str, variables: &BTreeSet<String>) -> bool {
    let text = word.split_once('=').filter(|_| is_assigned(word)).map_or("", |(_, text)| text);
    names_in(text).any(|name| variables.contains(name))
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// Returns whether the shell computes an index from one of some variables: `a[X]=…`, `unset 'a[X]'`.
pub(super) fn indexes(words: &[String], variables: &BTreeSet<String>) -> bool {
    let takes_names = runs(words, &ASSIGNS) || runs(words, &["printf", "test", "[", "[["]);
    words.iter().any(|word| {
        let index = word.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(index, _)| index);
        let mut names = index.into_iter().flat_map(names_in);
        (takes_names || is_assigned(word)) && names.any(|name| variables.contains(name))
    })
}

/// Returns whether a word is only an expansion, which may be empty.
pub(super) fn may_be_nothing(word: &str) -> bool {
    word.starts_with('$') && !word.contains(['/', '.', ' '])
}

/// Returns what a word with a value in it would be taken for instead of an operand, and how to write it. `before` is
/// the start of the word, `literal` the part of that which is literal in the runbook.
pub(super) fn misread(
    words: &[String],
    literal: &str,
    before: &str,
    value: &str,
) -> Option<(&'static str, &'static str)> {
    let is_named =
        literal.contains('=') || !literal.trim_start_matches('-').is_empty() && literal.starts_with('-');
    let whole = if may_be_nothing(before) { value.to_owned() } else { format!("{before}{value}") };
    match misread_word(words, &whole) {
        Some(("a setting", instead)) if !literal.contains('=') => Some(("a setting", instead)),
        Some((what, instead)) if what != "a setting" && !is_named => Some((what, instead)),
        _ if value.contains('$') && names(words, &MACROS) => {
            Some(("a macro that it expands", "it must not contain $"))
        }
        _ => None,
    }
}

fn names(words: &[String], programs: &[&str]) -> bool {
    let mut parts = words.iter().flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric()));
    parts.any(|part| programs.contains(&part))
}

fn misread_word(words: &[String], value: &str) -> Option<(&'static str, &'static str)> {
    if sets(value) && names(words, &SET_BY_OPERANDS) {
        return Some(("a setting", "it must not begin with NAME="));
    }
    if value.starts_with('+') && names(words, &READ_PLUS) {
        return Some(("a command", "it must not begin with +"));
    }
    let is_harmless = words.first().is_some_and(|word| HARMLESS.contains(&word.as_str()))
        && !words.iter().any(|word| word.ends_with(')'));
    (value.starts_with('-') && !is_harmless && !words.iter().any(|word| word == "--")).then_some((
        "an option",
        "in the runbook, put -- before it, or join it to the option that it belongs to: --message=${…}",
    ))
}

/// Returns whether a word begins with `NAME=`, or one of make's ways of writing that.
fn sets(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let is_named = rest.len() < word.len() && !word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let set = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
    is_named && set.trim_start_matches([':', '+', '?', '!']).starts_with('=')
}
