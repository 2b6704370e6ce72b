//! What is known of programs: which run others, which reach far, and which of their options take no value.
//!
//! These lists only ever narrow a rule, or say where one word of a suggested rule may be another. What is not in them is taken
//! for the worse.

/// Programs that run what they are given: other words for them are another program.
const RUNS_OTHERS: [&str; 60] = [
    ".",
    "ash",
    "awk",
    "bash",
    "builtin",
    "bun",
    "busybox",
    "chroot",
    "command",
    "csh",
    "dash",
    "deno",
    "doas",
    "docker",
    "env",
    "eval",
    "exec",
    "expect",
    "fish",
    "flock",
    "gawk",
    "gdb",
    "ionice",
    "java",
    "ksh",
    "kubectl",
    "ld.so",
    "lua",
    "mksh",
    "nice",
    "node",
    "nohup",
    "npx",
    "nsenter",
    "osascript",
    "parallel",
    "perl",
    "php",
    "podman",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "ruby",
    "runuser",
    "setsid",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "time",
    "timeout",
    "uvx",
    "watch",
    "xargs",
    "zsh",
];
/// Programs that can be told to run others, by an option, a file or a name.
const MAY_RUN_OTHERS: [&str; 16] = [
    "cargo", "cmake", "find", "gh", "git", "go", "just", "make", "npm", "pip", "pnpm", "rsync", "sed", "tar",
    "vim", "yarn",
];
/// Programs that delete, overwrite, send, install or publish what they are given.
const REACHES_FAR: [&str; 44] = [
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "chgrp",
    "chmod",
    "chown",
    "cp",
    "crontab",
    "curl",
    "dd",
    "find",
    "gcloud",
    "gem",
    "gh",
    "heroku",
    "install",
    "kill",
    "killall",
    "ln",
    "mail",
    "mount",
    "mv",
    "mysql",
    "nc",
    "pip",
    "pkill",
    "psql",
    "redis-cli",
    "rm",
    "rmdir",
    "rsync",
    "scp",
    "sed",
    "service",
    "sftp",
    "shred",
    "sqlite3",
    "systemctl",
    "tar",
    "tee",
    "truncate",
    "wget",
];
/// Verbs of programs that do one or the other.
const VERBS_THAT_REACH_FAR: [(&str, &[&str]); 7] = [
    ("cargo", &["add", "install", "login", "owner", "publish", "remove", "uninstall", "yank"]),
    (
        "git",
        &[
            "am",
            "apply",
            "branch",
            "checkout",
            "clean",
            "clone",
            "config",
            "fetch",
            "filter-branch",
            "merge",
            "mv",
            "pull",
            "push",
            "rebase",
            "remote",
            "reset",
            "restore",
            "rm",
            "submodule",
            "switch",
            "update-ref",
            "worktree",
        ],
    ),
    ("go", &["get", "install", "run"]),
    (
        "npm",
        &["add", "ci", "config", "i", "install", "link", "login", "publish", "remove", "uninstall", "update"],
    ),
    ("pnpm", &["add", "config", "i", "install", "link", "login", "publish", "remove", "update"]),
    ("uv", &["add", "pip", "publish", "remove", "sync", "tool"]),
    ("yarn", &["add", "config", "install", "link", "login", "publish", "remove", "upgrade"]),
];

/// A program whose options are known.
struct Known {
    name: &'static str,
    /// Whether its first operand is a verb.
    has_verb: bool,
    /// The letters of options without a value.
    letters: &'static str,
    /// The long options without a value.
    long: &'static [&'static str],
}

const KNOWN: [Known; 16] = [
    known("cat", "AbEnsTuv", &[]),
    Known {
        name: "cargo",
        has_verb: true,
        letters: "qv",
        long: &[
            "--all",
            "--all-features",
            "--all-targets",
            "--bins",
            "--doc",
            "--frozen",
            "--lib",
            "--locked",
            "--no-default-features",
            "--no-fail-fast",
            "--no-run",
            "--offline",
            "--quiet",
            "--release",
            "--tests",
            "--workspace",
        ],
    },
    known("diff", "bqrNuwB", &[]),
    known("du", "achs", &[]),
    known("eslint", "", &["--fix", "--quiet"]),
    Known {
        name: "git",
        has_verb: true,
        letters: "Aasv",
        long: &[
            "--all",
            "--cached",
            "--graph",
            "--name-only",
            "--name-status",
            "--oneline",
            "--porcelain",
            "--short",
            "--staged",
            "--stat",
        ],
    },
    known("grep", "EFHILPRachilnoqrsvwxz", &["--recursive", "--line-number", "--ignore-case"]),
    known("head", "qv", &[]),
    known("jq", "CMRSacenrs", &[]),
    known("ls", "1AFRSadghlnrt", &[]),
    known("mkdir", "pv", &[]),
    known("pytest", "lqsvx", &["--quiet", "--verbose", "--lf", "--ff"]),
    known("rg", "FSUachilnosuvwx", &["--files-with-matches", "--hidden", "--ignore-case", "--line-number"]),
    known("tail", "qv", &[]),
    known("touch", "acm", &[]),
    known("wc", "Lclmw", &[]),
];

const fn known(name: &'static str, letters: &'static str, long: &'static [&'static str]) -> Known {
    Known { name, has_verb: false, letters, long }
}

/// Parts of names that stand for secrets.
const SECRET: [&str; 12] = [
    "credential",
    "htpasswd",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "kubeconfig",
    "netrc",
    "passw",
    "private_key",
    "privatekey",
    "secret",
];
/// How the names of keys end.
const KEY_FILES: [&str; 7] = [".jks", ".kdbx", ".key", ".keystore", ".p12", ".pem", ".pfx"];

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

/// Returns whether a program runs what it is given, so that a rule must name every word.
pub(super) fn runs_others(program: &str) -> bool {
    let name = base(program);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNS_OTHERS.contains(&name) || RUNS_OTHERS.contains(&bare)
}

/// Returns whether some words, the program first, run what follows them.
pub(super) fn runs_what_follows<T: AsRef<str>>(words: &[T]) -> bool {
    let is_verb = |word: &T| ["dlx", "exec", "run", "x"].contains(&word.as_ref());
    words.first().is_some_and(|program| runs_others(program.as_ref())) || words.get(1).is_some_and(is_verb)
}

/// Returns whether a program can be made to run others by what it is given or finds.
pub(super) fn may_run_others(program: &str) -> bool {
    runs_others(program) || MAY_RUN_OTHERS.contains(&base(program))
}

/// Returns whether a command deletes, overwrites, sends, installs or publishes, so that other words are another matter.
pub(super) fn reaches_far(words: &[String]) -> bool {
    let Some(program) = words.first().map(|program| base(program)) else { return true };
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let verbs =
        VERBS_THAT_REACH_FAR.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, verbs)| verbs);
    // An option before the verb could hide it.
    let hides_verb = !verbs.is_empty() && words.get(1).is_none_or(|word| word.starts_with('-'));
    REACHES_FAR.contains(&program)
        || REACHES_FAR.contains(&bare)
        || hides_verb
        || words.get(1).is_some_and(|word| verbs.contains(&word.as_str()))
}

/// Returns whether the first operand of a program may be a verb.
pub(super) fn may_have_verb(program: &str) -> bool {
    KNOWN.iter().find(|known| known.name == program).is_none_or(|known| known.has_verb)
}

/// Returns whether the word after an option may belong to it.
pub(super) fn may_take_value(program: &str, option: &str) -> bool {
    let letters = option.trim_start_matches('-');
    if option == "--"
        || option.contains('=')
        || (!letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return false;
    }
    let Some(known) = KNOWN.iter().find(|known| known.name == program) else { return true };
    if option.starts_with("--") {
        return !known.long.contains(&option);
    }
    letters.is_empty() || !letters.chars().all(|letter| known.letters.contains(letter))
}

/// Returns whether the word that follows these is a message for people, which does nothing.
pub(super) fn takes_message<T: AsRef<str>>(words: &[T]) -> bool {
    let mut words = words.iter().map(AsRef::as_ref);
    words.next() == Some("git")
        && matches!(words.next(), Some("commit" | "tag"))
        && matches!(words.next_back(), Some("-m" | "-am" | "--message"))
}

/// Returns whether a name looks like that of a secret. It may be none; then a person says so.
pub(super) fn looks_secret(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    SECRET.iter().any(|part| text.contains(part)) || KEY_FILES.iter().any(|end| text.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn programs_that_run_others_are_known_by_any_path_and_version() {
        for program in
            ["bash", "/bin/sh", "python3", "python3.11", "/usr/bin/python3", "env", "sudo", "xargs"]
        {
            assert!(runs_others(program), "{program}");
        }
        for program in ["cargo", "ls", "rg"] {
            assert!(!runs_others(program), "{program}");
        }
        assert!(may_run_others("git") && may_run_others("/usr/bin/make") && !may_run_others("ls"));
    }

    #[test]
    fn what_deletes_sends_or_publishes_reaches_far() {
        for text in
            ["rm a", "/bin/rm a", "git push", "git -C x push", "git", "npm i x", "pip3 install x", "curl x"]
        {
            assert!(reaches_far(&words(text)), "{text}");
        }
        for text in ["ls a", "git status", "git add a", "cargo test", "npm test", "grep x y"] {
            assert!(!reaches_far(&words(text)), "{text}");
        }
    }

    #[test]
    fn options_take_a_value_unless_it_is_known_that_they_do_not() {
        for (program, option) in
            [("grep", "-rn"), ("ls", "-la"), ("head", "-50"), ("cargo", "--lib"), ("x", "--"), ("x", "--a=b")]
        {
            assert!(!may_take_value(program, option), "{program} {option}");
        }
        for (program, option) in [
            ("grep", "-A"),
            ("grep", "-rnf"),
            ("cargo", "-p"),
            ("tail", "-n"),
            ("x", "-y"),
            ("x", "-"),
            ("git", "--long"),
        ] {
            assert!(may_take_value(program, option), "{program} {option}");
        }
    }

    #[test]
    fn names_of_secrets_are_seen_in_any_case() {
        for name in ["config/Secrets.yml", "id_rsa", "a.PEM", "CREDENTIALS", "passwords.txt"] {
            assert!(looks_secret(name), "{name}");
        }
        assert!(!looks_secret("src/token.rs") && !looks_secret("keys.md"));
    }
}
