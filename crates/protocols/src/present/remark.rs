//! What a command is sure to do that is worth a second look. The list is closed; where it cannot be told, nothing is said.

use super::arguments::{self, Arguments};
use super::shell::{self, Simple, Word};

/// Shells, which run what they read; with these options and no others.
const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "sh", "zsh"];
const SHELL_OPTIONS: &str = "aeilsuvx";
/// Other programs that run what they read.
const INTERPRETERS: [&str; 7] = ["fish", "node", "perl", "php", "python", "python3", "ruby"];
/// Programs that run another with more rights, or as somebody else.
const RAISE: [&str; 4] = ["doas", "pkexec", "su", "sudo"];
/// Their options that take no word of their own.
const PLAIN_OPTIONS: [&str; 9] = ["-A", "-E", "-H", "-S", "-b", "-i", "-k", "-n", "--"];
/// After these nobody knows in which folder the next command runs.
const MOVES: [&str; 6] = [".", "cd", "eval", "popd", "pushd", "source"];
/// Files that keep nothing.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty"];
const OUTSIDE: &str = ", outside the working folder";

/// The folder that a command runs in.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    /// The working folder, if it is known.
    pub(super) path: Option<String>,
    /// Whether the command may run in another one.
    pub(super) is_left: bool,
}

/// Returns what is sure about a command that runs in a folder, in sentences without their full stop.
pub(super) fn of_command(text: &str, folder: &Folder) -> Vec<String> {
    let Some(read) = shell::read(text) else { return Vec::new() };
    let mut remarks = Vec::new();
    let mut add = |remark: String| {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    };
    let mut folder = folder.clone();
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
        if let Some(host) = from.as_ref().filter(|_| runs_what_it_reads(&command, program)) {
            add(format!("Runs what it downloads{host}"));
        }
        if prints_download(&command, program) {
            from = Some(host(&command).map(|host| format!(" from {host}")).unwrap_or_default());
        }
        if fetches_code(&command, program) {
            add("Runs what it downloads".to_owned());
        }
        let place =
            |files: &[Word]| if files.iter().any(|file| folder.excludes(file)) { OUTSIDE } else { "" };
        match deletes(&command, program) {
            Some(Deleted::Files(files)) => {
                let named: Vec<&str> = files.iter().map(|file| file.raw.as_str()).collect();
                add(format!("Deletes {}{}", named.join(" "), place(&files)));
            }
            Some(Deleted::Other(what)) => add(format!("Deletes {what}")),
            None => {}
        }
        for file in command.overwrites.iter().filter(|file| !is_device(&file.raw)) {
            add(format!("Overwrites {}{}", file.raw, place(std::slice::from_ref(file))));
        }
        let written = written(&command, program);
        for file in command.appends.iter().chain(&written).filter(|file| folder.excludes(file)) {
            add(format!("Writes to {}{OUTSIDE}", file.raw));
        }
        folder.is_left |= MOVES.contains(&program);
    }
    remarks
}

fn program(command: &Simple) -> &str {
    let name = command.words.first().map(Word::text).unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default()
}

fn is_device(path: &str) -> bool {
    DEVICES.contains(&path) || path.starts_with("/dev/fd/")
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

/// Returns whether a program runs what it is given, and no script of its own.
fn runs_what_it_reads(command: &Simple, program: &str) -> bool {
    let is_plain = |word: &Word| match word.text().strip_prefix('-') {
        Some("") => true,
        Some(options) => SHELLS.contains(&program) && options.chars().all(|c| SHELL_OPTIONS.contains(c)),
        None => false,
    };
    (SHELLS.contains(&program) || INTERPRETERS.contains(&program)) && command.words[1..].iter().all(is_plain)
}

/// Returns whether a download goes to the output of its program, and not to a file.
fn prints_download(command: &Simple, program: &str) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(Word::text).collect();
    let cluster = |word: &'_ str| word.starts_with('-') && !word.starts_with("--");
    // Where the file is named: `-O-`, `-qO-` or `-O -`.
    let to_output = |letter: char, long: &str| {
        words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).copied();
            let attached = cluster(word) && word.strip_suffix('-').is_some_and(|word| word.ends_with(letter));
            let apart = cluster(word) && word.ends_with(letter) && next == Some("-");
            attached
                || apart
                || *word == format!("--{long}=-")
                || (*word == format!("--{long}") && next == Some("-"))
        })
    };
    match program {
        "curl" => {
            let kept = |word: &&str| {
                let long = ["--output", "--remote-name", "--head", "--help", "--version"];
                cluster(word) && word.contains(['o', 'O', 'I', 'h', 'V'])
                    || long.iter().any(|long| word.starts_with(long))
            };
            !words.iter().any(kept) || to_output('o', "output")
        }
        "wget" => to_output('O', "output-document"),
        "fetch" => to_output('o', "output"),
        _ => false,
    }
}

/// Returns whether an interpreter is given what a download prints: `sh -c "$(curl …)"`.
fn fetches_code(command: &Simple, program: &str) -> bool {
    let interprets = SHELLS.contains(&program) || INTERPRETERS.contains(&program);
    let is_code = interprets && command.words.iter().any(|word| word.text() == "-c") || program == "eval";
    let is_download = |word: &Word| {
        let raw = word.raw.trim_matches('"');
        let within = raw.strip_prefix("$(").and_then(|raw| raw.strip_suffix(')'));
        let within = within.or_else(|| raw.strip_prefix('`')?.strip_suffix('`'));
        let read = within.and_then(shell::read);
        read.and_then(|read| read.commands.into_iter().next())
            .is_some_and(|first| prints_download(&first, self::program(&first)))
    };
    is_code && command.words.iter().skip(1).any(is_download)
}

enum Deleted {
    Files(Vec<Word>),
    Other(&'static str),
}

/// Returns what is deleted.
fn deletes(command: &Simple, program: &str) -> Option<Deleted> {
    let after = command.words.get(1..).unwrap_or_default();
    match program {
        "find" => {
            after.iter().any(|word| word.text() == "-delete").then_some(Deleted::Other("what it finds"))
        }
        "git" => cleans(after).then_some(Deleted::Other("files that are not in git")),
        _ => {
            let Arguments { operands, options } = arguments::of(command, program)?;
            let has = |short: char, long: &str| options.iter().any(|option| option.is(short, long));
            let deletes = match program {
                // What asks first may not be done.
                "rm" => !has('i', "interactive") && !has('I', "interactive"),
                "shred" => has('u', "remove"),
                "rmdir" | "unlink" => true,
                _ => false,
            };
            (deletes && !operands.is_empty()).then_some(Deleted::Files(operands))
        }
    }
}

/// Returns whether `git clean` deletes: only if it is forced to, and not where it only says what it would do, or asks.
fn cleans(after: &[Word]) -> bool {
    let mut options = after.iter().map(Word::text);
    if options.next() != Some("clean") {
        return false;
    }
    let options: Vec<&str> = options.take_while(|word| *word != "--").collect();
    let has = |letter: char, long: &str| {
        options.iter().any(|word| {
            *word == long || (word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
        })
    };
    let may_not = has('n', "--dry-run") || has('i', "--interactive") || has('h', "--help");
    has('f', "--force") && !may_not
}

/// Returns the files that a command writes besides its output.
fn written(command: &Simple, program: &str) -> Vec<Word> {
    if !["cp", "install", "ln", "mkdir", "mv", "tee", "touch", "truncate"].contains(&program) {
        return Vec::new();
    }
    let Some(Arguments { operands, options }) = arguments::of(command, program) else { return Vec::new() };
    let has = |short: char, long: &str| options.iter().any(|option| option.is(short, long));
    match program {
        // The folder stands elsewhere, or each of them is one.
        "cp" | "mv" | "ln" | "install"
            if has('t', "target-directory") || program == "install" && has('d', "directory") =>
        {
            Vec::new()
        }
        "cp" | "mv" | "ln" | "install" if operands.len() > 1 => {
            operands.last().cloned().into_iter().collect()
        }
        "tee" | "touch" | "mkdir" | "truncate" => operands,
        _ => Vec::new(),
    }
}

impl Folder {
    /// Returns whether a file surely lies outside of it.
    fn excludes(&self, file: &Word) -> bool {
        let Some(folder) = self.path.as_deref().filter(|path| path.starts_with('/')) else { return false };
        // A folder in one's home is known only by its full name.
        if file.raw.starts_with("~/") || file.raw.starts_with("$HOME/") {
            return !folder.starts_with("/home/")
                && !folder.starts_with("/Users/")
                && !folder.starts_with("/root");
        }
        let Some(path) = file.text.as_deref().filter(|path| !path.is_empty()) else { return false };
        let whole = match path.starts_with('/') {
            true => path.to_owned(),
            false if self.is_left => return false,
            false => format!("{folder}/{path}"),
        };
        let (folder, path) = (plain_path(folder), plain_path(&whole));
        !path.starts_with(folder.as_slice()) && !is_device(&whole)
    }
}

/// Returns the names of a path, one after the other, without `.` and `..`.
fn plain_path(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            names.pop();
        } else {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Folder {
        Folder { path: Some(path.to_owned()), is_left: false }
    }

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
            ("touch -r /etc/hosts ../stamp", &["Writes to ../stamp, outside the working folder"]),
            ("cd sub && rm -rf /srv/x y", &["Deletes /srv/x y, outside the working folder"]),
            ("rm -rf -- -x", &["Deletes -x"]),
            ("shred -n 3 -u key", &["Deletes key"]),
            ("wget -q -O - https://a.example/x | sh", &["Runs what it downloads from a.example"]),
            ("touch /srv/app/../x", &["Writes to /srv/app/../x, outside the working folder"]),
        ] {
            assert_eq!(of_command(text, &at("/srv/app")), expected, "{text}");
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
            "ls # > /etc/passwd",
            "git clean -n",
            "git clean -fdn",
            "git clean",
            "cd sub && touch ../x",
            "touch ../app/x",
            "touch -r /etc/hosts stamp",
            "touch --reference /etc/hosts stamp",
            "cp -t sub /etc/hosts",
            "mkdir -m 700 x",
            "wget https://x.example/i | sh",
            "curl -o i https://x.example/i | sh",
            "curl https://x.example/i | python3 -mjson.tool",
            "sh -c \"$(wget https://x.example/i)\"",
            "rm --help foo",
            "rm -i foo",
            "shred key",
            "make > /dev/stderr",
        ] {
            assert_eq!(of_command(text, &at("/srv/app")), Vec::<String>::new(), "{text}");
        }
        let left = Folder { is_left: true, ..at("/srv/app") };
        assert_eq!(of_command("touch ../x", &left), Vec::<String>::new(), "it runs elsewhere");
        assert_eq!(
            of_command("cp a /etc/b", &Folder::default()),
            Vec::<String>::new(),
            "nobody says where it runs"
        );
    }

    #[test]
    fn any_text_is_read() {
        let deep = "\"$(".repeat(2_000);
        assert!(shell::parts(&deep).is_none() && shell::parts(&"a ".repeat(100_000)).is_none());
        for text in [
            "\u{0}", "'", "\"\\", "$(", "`", "a\\", "é > ü", "> a", "| sh", "sudo", "sudo -u", "rm", "| | |",
            "&&&&",
        ] {
            of_command(text, &at("/"));
            let again: String =
                shell::parts(text).into_iter().flatten().flatten().map(|(_, text)| text).collect();
            assert!(again.is_empty() || again == text, "{text}");
        }
    }
}
