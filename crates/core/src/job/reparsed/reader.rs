//! Which program reads the next word of a command as a program.

use super::tables::{
    ARGUMENT, ASSIGNS, COMMANDING, GIVES_COMMAND, LANGUAGES, RUNNERS, SCRIPTED, SETTING, SHELLS, SSH_TAKES,
    STARTERS,
};
use super::{Arguments, FED, base, has_letter, has_operand, is_code, is_redirection, runs};

/// Among how many words of a command the texts that a shell runs are looked for.
const MOST_WORDS: usize = 64;
const EVAL: &str = "after eval";
const COMMANDED: &str = "after a command of the shell that takes commands";

/// Returns the texts in a command that a shell reads as commands, each with its arguments. They are read like the command
/// itself: what may hold a value there counts like one here.
pub(super) fn scripts(words: &[String]) -> Vec<(String, Arguments)> {
    let read_as = |at: usize| match reader(&words[..at]) {
        Some((FED, _)) => Some((words[at].clone(), Arguments::Own)),
        Some((EVAL | COMMANDED, _)) => Some((words[at].clone(), Arguments::Shared)),
        _ => None,
    };
    let eval = words.iter().position(|word| word == "eval");
    let joined = eval.map(|at| (words[at + 1..].join(" "), Arguments::Shared));
    (0..words.len().min(MOST_WORDS)).filter_map(read_as).chain(joined).collect()
}

/// Returns what reads the next word as a program, if anything does.
pub(super) fn reader(words: &[String]) -> Option<(&'static str, &'static str)> {
    let words: Vec<String> = words.iter().filter(|word| !is_redirection(word)).cloned().collect();
    let words = words.as_slice();
    if words.iter().any(|word| word == "eval") {
        return Some((EVAL, "leave eval away, or use a script that takes it as an argument"));
    }
    // `declare -n` makes a value the name of a variable.
    let declares = runs(words, &ASSIGNS) && words.iter().any(|word| has_letter(word, "in"));
    if declares || runs(words, &["let"]) {
        return Some(("in arithmetic", "compare it with [ … ], or compute in another program"));
    }
    if runs(words, &COMMANDING) {
        return Some((COMMANDED, "put that into a script that takes it as an argument"));
    }
    for (at, word) in words.iter().enumerate() {
        let (name, rest) = (base(word), &words[at + 1..]);
        let after = |letters: &str| rest.last().is_some_and(|last| has_letter(last, letters));
        // A variable may name a shell.
        let is_shell = SHELLS.contains(&name) || (at == 0 && word.starts_with('$'));
        let starts = |(program, verbs): &(&str, &[&str])| {
            *program == name && (verbs.is_empty() || rest.iter().any(|word| verbs.contains(&word.as_str())))
        };
        if is_shell && is_code_of_shell(rest)
            || RUNNERS.contains(&name) && after("c")
            || STARTERS.iter().any(starts)
        {
            return Some((FED, ARGUMENT));
        }
        let gives = |(program, verb, options): &(&str, &str, &[&str])| {
            *program == name
                && (verb.is_empty() || rest.iter().any(|word| word == verb))
                && rest.last().is_some_and(|last| options.contains(&last.as_str()))
        };
        let each_module = name == "git" && rest.iter().any(|word| word == "foreach");
        if each_module || GIVES_COMMAND.iter().any(gives) {
            return Some((SETTING, ARGUMENT));
        }
        if at == 0 && matches!(name, "." | "source") && rest.is_empty() {
            return Some(("in the name of what the shell reads", "name the script itself"));
        }
        let takes = SCRIPTED.iter().find(|(program, _)| *program == name).map(|(_, takes)| *takes);
        if takes.is_some_and(|takes| is_code(rest, takes)) {
            return Some(("in a program's code", "give it to the program as an argument: awk -v x=${…}"));
        }
        if name == "ssh" && has_operand(rest, SSH_TAKES) {
            return Some((
                "in what ssh gives to a shell",
                "put a script there that reads it from its standard input",
            ));
        }
        // The options after the name of a script belong to the script.
        let options = rest.iter().all(|word| word.starts_with('-'));
        let takes_code = |(_, letters, long): &(&str, &str, &[&str])| {
            after(letters) || rest.last().is_some_and(|last| long.contains(&last.as_str()))
        };
        if options && language(name).is_some_and(takes_code)
            || name == "deno" && rest.iter().any(|word| word == "eval")
        {
            return Some(("in a program's code", "give it to the program as an argument"));
        }
    }
    None
}

/// Returns whether the next word of a shell's command line is the command that it runs.
fn is_code_of_shell(words: &[String]) -> bool {
    let mut takes_word = false;
    let options = words.iter().all(|word| {
        let fits = std::mem::take(&mut takes_word)
            || word.starts_with(['-', '+'])
            || SHELLS.contains(&word.as_str());
        takes_word = matches!(word.as_str(), "-o" | "+o" | "-O" | "+O");
        fits
    });
    options && !takes_word && words.iter().any(|word| has_letter(word, "c"))
}

/// Returns how a language is told to run code, by the name of its program: `python3.11` counts as Python.
pub(super) fn language(name: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    LANGUAGES.iter().find(|(language, ..)| {
        let rest = name.strip_prefix(language);
        rest.is_some_and(|rest| {
            rest == "js" || rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    })
}
