//! The layout of `hold --help`: commands grouped by who needs them.

use std::fmt::Write as _;

use super::ui::STRONG;

/// Every command, in exactly one group.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Answer what agents ask",
        &[
            "inbox",
            "notify",
            "next",
            "list",
            "view",
            "show",
            "answer",
            "take",
            "snooze",
            "escalation",
            "absence",
            "rule",
            "log",
            "stats",
        ],
    ),
    ("Ask, as an agent or a script", &["ask", "wait", "check", "revise", "cancel", "consume"]),
    ("Connect and supervise agents", &["hook", "acp", "mcp", "job", "run", "item", "form"]),
    ("Commands of other tools", &["bd", "oj", "aitp"]),
    ("Prove what happened", &["receipt", "audit", "witness", "key"]),
    (
        "Run a server",
        &["serve", "token", "person", "group", "policy", "auth", "project", "channel", "outbox"],
    ),
    ("Maintain the store", &["init", "doctor", "store", "prune", "completions", "man"]),
];

/// Lists the commands in groups in the help of the whole program.
pub(super) fn in_groups(command: clap::Command) -> clap::Command {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "\n{STRONG}{heading}:{STRONG:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<12} {about}");
        }
    }
    let _ = write!(text, "\n{STRONG}Options:{STRONG:#}\n{{options}}");
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_takes_one_line() {
        let command = crate::cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        for one in command.get_subcommands() {
            let about = one.get_about().unwrap().to_string();
            assert!(about.len() <= 85, "{}: {about}", one.get_name());
        }
    }
}
