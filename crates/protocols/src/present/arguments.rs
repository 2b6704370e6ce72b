//! The words after a program: which are options, which belong to one, and which are what it works on. Only for programs whose
//! options are known; where one is not, nothing is told.

use super::shell::{Simple, Word};

/// What a program is given.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) operands: Vec<Word>,
    pub(super) options: Vec<Given>,
}

/// An option that was given: by its letter, or by its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Given {
    Short(char),
    Long(String),
}

impl Given {
    pub(super) fn is(&self, short: char, long: &str) -> bool {
        match self {
            Self::Short(letter) => *letter == short,
            Self::Long(name) => name == long,
        }
    }
}

/// Options of programs: letters that stand alone, letters that take a word, and names that stand alone. Names with `=` and a
/// value are told apart by that.
const KNOWN: [(&str, &str, &str, &[&str]); 12] = [
    (
        "cp",
        "HLPRabdfilnprsuvxTZ",
        "St",
        &["archive", "force", "no-clobber", "parents", "recursive", "verbose", "update"],
    ),
    ("install", "CDbcdpsvTZ", "Sgmot", &["compare", "directory", "verbose"]),
    ("ln", "FLPbdfinrsvT", "St", &["force", "no-dereference", "relative", "symbolic", "verbose"]),
    ("mkdir", "pvZ", "m", &["parents", "verbose"]),
    ("mv", "bfinuvTZ", "St", &["force", "no-clobber", "verbose", "update"]),
    (
        "rm",
        "IRdfirv",
        "",
        &["dir", "force", "no-preserve-root", "one-file-system", "preserve-root", "recursive", "verbose"],
    ),
    ("rmdir", "pv", "", &["ignore-fail-on-non-empty", "parents", "verbose"]),
    ("shred", "fuvxz", "ns", &["exact", "force", "remove", "verbose", "zero"]),
    ("tee", "aip", "", &["append", "ignore-interrupts"]),
    ("touch", "acfhm", "drt", &["no-create", "no-dereference"]),
    ("truncate", "co", "rs", &["io-blocks", "no-create"]),
    ("unlink", "", "", &[]),
];

/// Takes the words of a command apart; nothing where it cannot be told which is what.
pub(super) fn of(command: &Simple, program: &str) -> Option<Arguments> {
    let (_, alone, with_word, names) = KNOWN.into_iter().find(|(name, ..)| *name == program)?;
    let (mut operands, mut options) = (Vec::new(), Vec::new());
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        // What the shell makes of a word may be an option only where it does not say how it begins.
        let text = word.text.as_deref().unwrap_or(&word.raw);
        if text == "--" {
            operands.extend(words.by_ref().cloned());
        } else if let Some(name) = text.strip_prefix("--") {
            let bare = name.split('=').next().unwrap_or_default();
            if bare == name && !names.contains(&name) {
                return None;
            }
            options.push(Given::Long(bare.to_owned()));
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            for (at, letter) in letters.char_indices() {
                options.push(Given::Short(letter));
                if with_word.contains(letter) {
                    // The rest of it, or else the next word.
                    if at + letter.len_utf8() == letters.len() {
                        words.next();
                    }
                    break;
                }
                if !alone.contains(letter) {
                    return None;
                }
            }
        } else {
            operands.push(word.clone());
        }
    }
    Some(Arguments { operands, options })
}
