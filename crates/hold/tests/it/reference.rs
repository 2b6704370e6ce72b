//! The reference of all commands is what `--help` says; a change of one without the other fails here.

use std::fmt::Write as _;
use std::path::Path;

use crate::sandbox::Sandbox;

const HEAD: &str = "\
# Reference of all commands

What `hold COMMAND --help` prints, for every command. [The command line](cli.md) explains them in the order one meets
them. This file is written by the tests: `UPDATE=1 cargo test -p holdpoint --test it reference`.
";

/// Returns the path of every command, the whole program itself left out.
pub(crate) fn commands() -> Vec<Vec<String>> {
    let sandbox = Sandbox::new();
    let mut found = Vec::new();
    below(&sandbox, &[], &mut found);
    found
}

fn below(sandbox: &Sandbox, path: &[String], found: &mut Vec<Vec<String>>) {
    let help = help(sandbox, path);
    // The complete program lists its commands in groups.
    let begins = |line: &&str| !path.is_empty() && *line != "Commands:";
    let listed = help.lines().skip_while(begins).skip(1).take_while(|line| *line != "Options:");
    let is_command =
        |line: &&str| line.starts_with("  ") && line[2..].starts_with(|c: char| c.is_ascii_lowercase());
    let names = listed.take_while(|line| path.is_empty() || !line.is_empty()).filter(is_command);
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let path = [path, &[name.to_owned()]].concat();
        found.push(path.clone());
        below(sandbox, &path, found);
    }
}

fn help(sandbox: &Sandbox, path: &[String]) -> String {
    let mut arguments: Vec<&str> = path.iter().map(String::as_str).collect();
    arguments.push("--help");
    sandbox.ok(&arguments)
}

#[test]
fn the_reference_is_what_help_says() {
    let sandbox = Sandbox::new();
    let mut text = HEAD.to_owned();
    for path in std::iter::once(Vec::new()).chain(commands()) {
        let name = [&["hold".to_owned()], &path[..]].concat().join(" ");
        let help: Vec<String> =
            help(&sandbox, &path).lines().map(|line| line.trim_end().to_owned()).collect();
        write!(text, "\n## `{name}`\n\n```text\n{}\n```\n", help.join("\n")).unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).find(|(kept, now)| kept != now);
    assert!(
        kept == text,
        "docs/reference.md is not what --help says; UPDATE=1 rewrites it. First: {differs:?}"
    );
}

#[test]
fn every_command_and_flag_says_what_it_does() {
    let sandbox = Sandbox::new();
    for path in commands() {
        let help = help(&sandbox, &path);
        let first = help.lines().next().unwrap();
        assert!(
            !first.is_empty() && !first.starts_with("Usage") && !first.ends_with('.'),
            "{path:?}: {first:?}"
        );
        // A flag's line goes on with words, or the next line does.
        let lines: Vec<&str> = help.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with("--")) {
            let spoken = line.trim().contains("  ")
                || lines.get(at + 1).is_some_and(|next| next.starts_with("      "));
            assert!(spoken, "{path:?}: {line:?} is not explained");
        }
    }
}
