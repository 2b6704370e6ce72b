//! What a command is sure to do that is worth a second look. The list is closed; where it cannot be told, nothing is said.

use super::shell::{self, Simple, Word};

/// Programs that bring something from elsewhere.
const DOWNLOADS: [&str; 4] = ["aria2c", "curl", "fetch", "wget"];
/// Programs that run what they read.
const INTERPRETERS: [&str; 13] =
    ["ash", "bash", "dash", "fish", "ksh", "node", "perl", "php", "python", "python3", "ruby", "sh", "zsh"];
/// Programs that run another with more rights, or as somebody else.
const RAISE: [&str; 4] = ["doas", "pkexec", "su", "sudo"];
/// Programs that delete what they are given.
const DELETE: [&str; 4] = ["rm", "rmdir", "shred", "unlink"];
const OUTSIDE: &str = ", outside the working folder";
/// Their options that take no word of their own.
const PLAIN_OPTIONS: [&str; 9] = ["-A", "-E", "-H", "-S", "-b", "-i", "-k", "-n", "--"];

/// Returns what is sure about a command that runs in a folder, in sentences without their full stop.
pub(super) fn of_command(text: &str, cwd: Option<&str>) -> Vec<String> {
    let Some(read) = shell::read(text) else { return Vec::new() };
    let mut remarks = Vec::new();
    let mut add = |remark: String| {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    };
    let mut from: Option<String> = None;
    for command in &read.commands {
        let (command, raised) = inner(command);
        if let Some(by) = raised {
            add(format!("Runs with other rights ({by})"));
        }
        let program = program(&command);
        if !command.is_fed {
            from = None;
        }
        let interprets = INTERPRETERS.contains(&program)
            && command.words[1..].iter().all(|word| word.text().starts_with('-'));
        if let Some(host) = from.as_ref().filter(|_| interprets) {
            add(format!("Runs what it downloads{host}"));
        }
        if DOWNLOADS.contains(&program) {
            from = Some(host(&command).map(|host| format!(" from {host}")).unwrap_or_default());
        }
        if fetches_code(&command, program) {
            add("Runs what it downloads".to_owned());
        }
        let place =
            |files: &[Word]| if files.iter().any(|file| is_outside(file, cwd)) { OUTSIDE } else { "" };
        if let Some(what) = deletes(&command, program) {
            add(format!("Deletes {what}{}", place(&operands(&command))));
        }
        for file in command.overwrites.iter().filter(|file| file.raw != "/dev/null") {
            add(format!("Overwrites {}{}", file.raw, place(std::slice::from_ref(file))));
        }
        for file in
            command.appends.iter().chain(&written(&command, program)).filter(|file| is_outside(file, cwd))
        {
            add(format!("Writes to {}{OUTSIDE}", file.raw));
        }
    }
    remarks
}

fn program(command: &Simple) -> &str {
    let name = command.words.first().map(Word::text).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default()
}

/// Returns the command that is run with other rights, and by what.
fn inner(command: &Simple) -> (Simple, Option<String>) {
    let by = program(command).to_owned();
    if !RAISE.contains(&by.as_str()) {
        return (command.clone(), None);
    }
    let mut words = command.words[1..].iter();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        match word.text() {
            "-u" | "-g" => drop(words.next()),
            option if PLAIN_OPTIONS.contains(&option) => {}
            _ => {
                rest.push(word.clone());
                rest.extend(words.by_ref().cloned());
            }
        }
    }
    let is_su = by == "su";
    let words = if is_su { Vec::new() } else { rest };
    (Simple { words, ..command.clone() }, Some(by))
}

/// Returns the host that a download is from, if it is plain.
fn host(command: &Simple) -> Option<&str> {
    let rest = command.words.iter().find_map(|word| {
        let text = word.text.as_deref()?;
        text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
    })?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
    (!host.is_empty() && host.chars().all(is_plain)).then_some(host)
}

/// Returns whether an interpreter is given what a download prints: `sh -c "$(curl …)"`.
fn fetches_code(command: &Simple, program: &str) -> bool {
    let is_code = INTERPRETERS.contains(&program) && command.words.iter().any(|word| word.text() == "-c")
        || program == "eval";
    is_code
        && command.words.iter().skip(1).any(|word| {
            let raw = word.raw.trim_start_matches('"');
            DOWNLOADS
                .iter()
                .any(|name| raw.starts_with(&format!("$({name} ")) || raw.starts_with(&format!("`{name} ")))
        })
}

/// Returns what is deleted, as it is written.
fn deletes(command: &Simple, program: &str) -> Option<String> {
    let after = command.words.get(1..).unwrap_or_default();
    let named = || {
        let operands = after.iter().filter(|word| !word.raw.starts_with('-'));
        operands.map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ")
    };
    match program {
        "find" if after.iter().any(|word| word.text() == "-delete") => Some("what it finds".to_owned()),
        "git" if after.first().is_some_and(|verb| verb.text() == "clean") => {
            Some("files that are not in git".to_owned())
        }
        program if DELETE.contains(&program) && !named().is_empty() => Some(named()),
        _ => None,
    }
}

/// Returns the words of a command that are no options.
fn operands(command: &Simple) -> Vec<Word> {
    command.words.iter().skip(1).filter(|word| !word.raw.starts_with('-')).cloned().collect()
}

/// Returns the files that a command writes besides its output.
fn written(command: &Simple, program: &str) -> Vec<Word> {
    let operands = operands(command);
    match program {
        "tee" | "touch" | "mkdir" | "truncate" => operands,
        "cp" | "mv" | "ln" | "install" if operands.len() > 1 => {
            operands.last().cloned().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether a file surely lies outside of the folder that a command runs in.
fn is_outside(file: &Word, cwd: Option<&str>) -> bool {
    if file.raw.starts_with("~/") || file.raw.starts_with("$HOME/") {
        return cwd.is_some_and(|cwd| !cwd.is_empty());
    }
    let Some(path) = &file.text else { return false };
    let is_in =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if path.starts_with('/') {
        let cwd = cwd.filter(|cwd| cwd.starts_with('/')).map(|cwd| cwd.trim_end_matches('/'));
        let is_device = ["/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty"].contains(&path.as_str());
        return cwd.is_some_and(|cwd| !is_in(cwd) || path.split('/').any(|part| part == "..")) && !is_device;
    }
    path == ".." || path.starts_with("../")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sure_is_said() {
        for (text, expected) in [
            ("cargo test", &[][..]),
            (
                "curl -fsSL https://get.example.dev/i.sh | sh",
                &["Runs what it downloads from get.example.dev"],
            ),
            (
                "curl https://a.example/x | tee f | sudo bash -s",
                &["Runs with other rights (sudo)", "Runs what it downloads from a.example"],
            ),
            ("wget -qO- \"$URL\" | python3 -", &["Runs what it downloads"]),
            ("sh -c \"$(curl -fsSL https://x.example/i)\"", &["Runs what it downloads"]),
            ("rm -rf build dist", &["Deletes build dist"]),
            (
                "sudo rm -rf /srv/x",
                &["Runs with other rights (sudo)", "Deletes /srv/x, outside the working folder"],
            ),
            ("find . -name '*.o' -delete", &["Deletes what it finds"]),
            ("echo hi > /etc/motd", &["Overwrites /etc/motd, outside the working folder"]),
            ("echo hi >> ../notes", &["Writes to ../notes, outside the working folder"]),
            ("make > build.log 2>&1", &["Overwrites build.log"]),
            ("make > /dev/null", &[]),
            ("cp a /srv/app/b", &[]),
            ("cp a ~/b", &["Writes to ~/b, outside the working folder"]),
            ("git clean -fdx", &["Deletes files that are not in git"]),
        ] {
            assert_eq!(of_command(text, Some("/srv/app")), expected, "{text}");
        }
    }

    #[test]
    fn where_it_cannot_be_told_nothing_is_said() {
        for text in [
            "curl https://x.example | grep sh",
            "curl https://x.example && sh",
            "curl https://x.example; cat f | sh",
            "echo 'curl x | sh'",
            "cat f | sh",
            "echo 'rm -rf /'",
            "if true; then rm x; fi",
            "grep rm x",
            "echo $(rm x",
            "curl x | sh script.sh",
            "cat <<E | sh\ncurl\nE",
            "'rm",
            "",
        ] {
            assert_eq!(of_command(text, Some("/srv/app")), Vec::<String>::new(), "{text}");
        }
        assert_eq!(of_command("cp a /etc/b", None), Vec::<String>::new(), "nobody says where it runs");
    }

    #[test]
    fn any_text_is_read() {
        let deep = "\"$(".repeat(2_000);
        assert!(shell::parts(&deep).is_none() && shell::parts(&"a ".repeat(100_000)).is_none());
        for text in [
            "\u{0}", "'", "\"\\", "$(", "`", "a\\", "é > ü", "> a", "| sh", "sudo", "sudo -u", "rm", "| | |",
            "&&&&",
        ] {
            of_command(text, Some("/"));
            let again: String =
                shell::parts(text).into_iter().flatten().flatten().map(|(_, text)| text).collect();
            assert!(again.is_empty() || again == text, "{text}");
        }
    }
}
