//! Parses the arguments. Building the tree of all verbs takes longer than most of them take to run, so the named verb
//! is parsed on its own; help, errors and rare cases use the whole tree.

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory as _, FromArgMatches as _};

use super::groups::in_groups;
use super::{Arguments, Verb};

/// Parses the command line.
pub(super) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Verb, clap::Error> {
    let arguments: Vec<OsString> = arguments.collect();
    match door(&arguments) {
        Some("bd") => return read_door("bd", arguments).map(Verb::Bd),
        Some("oj") => return read_door("oj", arguments).map(Verb::Oj),
        _ => {}
    }
    if let Some(verb) = alone(&arguments) {
        return Ok(verb);
    }
    let matches = in_groups(Arguments::command()).try_get_matches_from(arguments)?;
    Arguments::from_arg_matches(&matches).map(|arguments| arguments.verb)
}

/// Parses one of the frequent verbs, if its arguments are valid and ask for no help.
fn alone(arguments: &[OsString]) -> Option<Verb> {
    let (_, words) = arguments.split_first()?;
    match words.first()?.to_str()? {
        "ask" => read(words).map(Verb::Ask),
        "list" => read(words).map(Verb::List),
        "show" => read(words).map(Verb::Show),
        "answer" => read(words).map(Verb::Answer),
        "wait" => read(words).map(Verb::Wait),
        "log" => read(words).map(Verb::Log),
        "check" => read(words).map(Verb::Check),
        "mcp" => read(words).map(Verb::Mcp),
        "acp" => read(words).map(Verb::Acp),
        "hook" => read(words).map(Verb::Hook),
        "bd" => read(words).map(Verb::Bd),
        "oj" => read(words).map(Verb::Oj),
        "aitp" => read(words).map(Verb::Aitp),
        _ => None,
    }
}

fn read<A: clap::Args>(words: &[OsString]) -> Option<A> {
    let verb = A::augment_args(clap::Command::new("hold"));
    A::from_arg_matches(&verb.try_get_matches_from(words).ok()?).ok()
}

/// Returns the name of the other tool that we were called as, if any.
fn door(arguments: &[OsString]) -> Option<&str> {
    let name = Path::new(arguments.first()?).file_name()?.to_str()?;
    ["bd", "oj"].into_iter().find(|door| *door == name)
}

/// Parses the arguments of another tool's command under its own name, so that help and errors name it.
fn read_door<A: clap::Args>(name: &'static str, arguments: Vec<OsString>) -> Result<A, clap::Error> {
    let command = A::augment_args(clap::Command::new(name))
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    A::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_verb_alone_reads_as_in_the_whole_tree() {
        for line in [
            "hold ask Deploy? -o yes:Yes -o no:No --timeout 30m --json",
            "hold list --status all --limit 5 --json",
            "hold show dcn-0123456789ab",
            "hold answer abc yes -m fine",
            "hold wait abc --timeout 5m --expect yes",
            "hold log abc",
            "hold check --inject",
            "hold mcp --hold 5m",
            "hold hook claude PreToolUse --defer",
            "hold bd decision list --json",
            "hold oj decision list -o json",
            "hold aitp validate - --lines --json",
        ] {
            let whole = Arguments::try_parse_from(words(line)).unwrap().verb;
            assert_eq!(format!("{:?}", alone(&words(line))), format!("{:?}", Some(whole)), "{line}");
        }
    }

    #[test]
    fn help_and_mistakes_are_for_the_whole_tree() {
        for line in
            ["hold", "hold show", "hold list --help", "hold list --limit 0", "hold shw x", "hold --version"]
        {
            assert!(alone(&words(line)).is_none(), "{line}");
        }
    }

    #[test]
    fn the_name_it_is_called_by_is_a_door() {
        for (called, name) in [("/usr/bin/bd", Some("bd")), ("oj", Some("oj")), ("hold", None), ("bdx", None)]
        {
            assert_eq!(door(&[called.into(), "x".into()]), name);
        }
    }
}
