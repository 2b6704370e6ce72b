//! The words after a program: options, their values, and operands. Only for programs whose options are known; for
//! others nothing is returned.

use super::shell::{SimpleCommand, Word};

/// The arguments of a program.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) operands: Vec<Word>,
    pub(super) options: Vec<CommandOption>,
    /// The options with a value, and the value.
    pub(super) values: Vec<(CommandOption, Word)>,
}

impl Arguments {
    /// Returns whether an option was given.
    pub(super) fn has(&self, short: char, long: &str) -> bool {
        self.options.iter().any(|option| option.is(short, long))
    }

    /// Returns the values of an option.
    pub(super) fn of(&self, short: char, long: &str) -> Vec<Word> {
        let given = self.values.iter().filter(|(option, _)| option.is(short, long));
        given.map(|(_, word)| word.clone()).collect()
    }
}

/// An option: by its letter, or by its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CommandOption {
    Short(char),
    Long(String),
}

impl CommandOption {
    pub(super) fn is(&self, short: char, long: &str) -> bool {
        match self {
            Self::Short(letter) => *letter == short,
            Self::Long(name) => name == long,
        }
    }
}

/// A program with its options.
struct ProgramOptions {
    program: &'static str,
    /// Letters without a value, and letters with one.
    alone: &'static str,
    with_word: &'static str,
    /// Letters with an optional value in the rest of their word.
    with_rest: &'static str,
    /// Names without a value, and names with one. Names with `=` and a value are recognised by that.
    names: &'static [&'static str],
    with_names: &'static [&'static str],
}

const fn known(
    program: &'static str,
    alone: &'static str,
    with_word: &'static str,
    names: &'static [&'static str],
) -> ProgramOptions {
    ProgramOptions { program, alone, with_word, with_rest: "", names, with_names: &[] }
}

const KNOWN: [ProgramOptions; 16] = [
    known(
        "cp",
        "HLPRabdfilnprsuvxTZ",
        "St",
        &["archive", "force", "no-clobber", "parents", "recursive", "verbose", "update"],
    ),
    ProgramOptions {
        with_names: &[
            "connect-timeout",
            "data",
            "header",
            "max-time",
            "output",
            "proto",
            "request",
            "retry",
            "user-agent",
        ],
        ..known(
            "curl",
            "#012346BGIJLMNORSVafgijklnpqsv",
            "ADECFHKPQTUXYbcdehmortuwxyz",
            &[
                "compressed",
                "create-dirs",
                "fail",
                "fail-with-body",
                "globoff",
                "insecure",
                "location",
                "no-progress-meter",
                "progress-bar",
                "remote-name",
                "show-error",
                "silent",
                "tlsv1.2",
                "tlsv1.3",
                "verbose",
            ],
        )
    },
    known("dd", "", "", &[]),
    known("install", "CDbcdpsvTZ", "Sgmot", &["compare", "directory", "verbose"]),
    known("ln", "FLPbdfinrsvT", "St", &["force", "no-dereference", "relative", "symbolic", "verbose"]),
    known("mkdir", "pvZ", "m", &["parents", "verbose"]),
    known("mv", "bfinuvTZ", "St", &["force", "no-clobber", "verbose", "update"]),
    known(
        "rm",
        "IRdfirv",
        "",
        &["dir", "force", "no-preserve-root", "one-file-system", "preserve-root", "recursive", "verbose"],
    ),
    known("rmdir", "pv", "", &["ignore-fail-on-non-empty", "parents", "verbose"]),
    ProgramOptions {
        with_rest: "i",
        with_names: &["expression", "file"],
        ..known(
            "sed",
            "Enrsuz",
            "efl",
            &["in-place", "null-data", "quiet", "regexp-extended", "separate", "silent", "unbuffered"],
        )
    },
    known("shred", "fuvxz", "ns", &["exact", "force", "remove", "verbose", "zero"]),
    known("tee", "aip", "", &["append", "ignore-interrupts"]),
    known("touch", "acfhm", "drt", &["no-create", "no-dereference"]),
    ProgramOptions {
        with_names: &["reference", "size"],
        ..known("truncate", "co", "rs", &["io-blocks", "no-create"])
    },
    known("unlink", "", "", &[]),
    ProgramOptions {
        with_names: &["output-document"],
        ..known(
            "wget",
            "46EHKLSbcdkmpqrvx",
            "ADIOPQRTUXaeilotw",
            &[
                "continue",
                "https-only",
                "no-check-certificate",
                "no-verbose",
                "quiet",
                "show-progress",
                "verbose",
            ],
        )
    },
];
/// Splits the arguments of a command; none if they are ambiguous.
pub(super) fn of(command: &SimpleCommand, program: &str) -> Option<Arguments> {
    let known = KNOWN.iter().find(|known| known.program == program)?;
    let (mut operands, mut options, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        // A word that the shell expands can only be an option if its beginning is unknown.
        let text = word.text.as_deref().unwrap_or(&word.raw);
        if text == "--" {
            operands.extend(words.by_ref().cloned());
        } else if let Some(name) = text.strip_prefix("--") {
            let (bare, value) =
                name.split_once('=').map_or((name, None), |(bare, value)| (bare, Some(value)));
            let option = CommandOption::Long(bare.to_owned());
            if let Some(value) = value {
                values.push((CommandOption::Long(bare.to_owned()), rest_of(word, value)));
            } else if known.with_names.contains(&bare) {
                values.push((CommandOption::Long(bare.to_owned()), words.next()?.clone()));
            } else if !known.names.contains(&bare) {
                return None;
            }
            options.push(option);
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            for (at, letter) in letters.char_indices() {
                options.push(CommandOption::Short(letter));
                let rest = &letters[at + letter.len_utf8()..];
                if known.with_rest.contains(letter) {
                    break;
                }
                if known.with_word.contains(letter) {
                    // The rest of the word, or else the next one.
                    let value =
                        if rest.is_empty() { words.next().cloned() } else { Some(rest_of(word, rest)) };
                    values.extend(value.map(|value| (CommandOption::Short(letter), value)));
                    break;
                }
                if !known.alone.contains(letter) {
                    return None;
                }
            }
        } else {
            operands.push(word.clone());
        }
    }
    Some(Arguments { operands, options, values })
}

/// Returns the end of a word as a separate word.
pub(super) fn rest_of(word: &Word, rest: &str) -> Word {
    Word { raw: rest.to_owned(), text: word.text.as_ref().map(|_| rest.to_owned()) }
}
