//! Programs that read words or their standard input as commands or code, and how they are told to.

/// Programs that run what follows `-c` as a shell command, or their standard input if nothing does.
pub(super) const SHELLS: [&str; 9] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"];
/// Programs that give the commands on their standard input to a shell later, whatever their operands are.
pub(super) const QUEUES: [&str; 2] = ["at", "batch"];
/// Programs that give words of theirs to a shell, and after which of their own words; where none is named, all of them.
pub(super) const STARTERS: [(&str, &[&str]); 3] = [
    ("parallel", &[]),
    (
        "tmux",
        &[
            "new",
            "new-session",
            "neww",
            "new-window",
            "splitw",
            "split-window",
            "respawn-pane",
            "respawn-window",
            "run",
            "run-shell",
            "if",
            "if-shell",
            "popup",
            "display-popup",
            "pipe-pane",
        ],
    ),
    ("screen", &["-X", "-dm", "-dmS", "-S"]),
];
/// Other programs that give what follows an option to a shell.
pub(super) const RUNNERS: [&str; 6] = ["su", "runuser", "script", "flock", "npx", "npm"];
/// Programs that run what follows one of these options as code of their own, and their standard input if no script is named.
pub(super) const LANGUAGES: [(&str, &str, &[&str]); 10] = [
    ("python", "c", &[]),
    ("perl", "eE", &[]),
    ("ruby", "e", &[]),
    ("node", "ep", &["--eval", "--print"]),
    ("bun", "ep", &["--eval", "--print"]),
    ("php", "r", &["--run"]),
    ("lua", "e", &[]),
    ("osascript", "e", &[]),
    ("Rscript", "e", &[]),
    ("pwsh", "c", &["-Command", "--command", "-EncodedCommand"]),
];
/// Programs whose first word that is not an option is code, unless an option names a file of it, and their options that
/// take a word of their own.
pub(super) const SCRIPTED: [(&str, &str); 5] =
    [("awk", "Fv"), ("gawk", "Fv"), ("mawk", "Fv"), ("sed", ""), ("watch", "n")];
/// Beginnings of words whose rest a program takes for a command.
pub(super) const SETTINGS: [&str; 25] = [
    "--command=",
    "--session-command=",
    "-S",
    "--split-string=",
    "SHELL=",
    "--eval=",
    "--print=",
    "--run=",
    "--call=",
    "--exec=",
    "--extcmd=",
    "--rsh=",
    "--rsync-path=",
    "--to-command=",
    "--use-compress-program=",
    "--checkpoint-action=",
    "core.sshCommand=",
    "core.pager=",
    "core.editor=",
    "core.fsmonitor=",
    "core.hooksPath=",
    "diff.external=",
    "sequence.editor=",
    "alias.",
    "ProxyCommand=",
];
/// The programs that take such words.
pub(super) const SET_UP: [&str; 16] = [
    "env", "make", "tar", "git", "ssh", "su", "runuser", "script", "flock", "node", "nodejs", "bun", "php",
    "npx", "npm", "rsync",
];
/// Variables whose value some program runs, or reads as what to load first.
pub(super) const VARIABLES: [&str; 22] = [
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_EXTERNAL_DIFF",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "SSH_ASKPASS",
    "RSYNC_RSH",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "LESSOPEN",
    "BASH_ENV",
    "PROMPT_COMMAND",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PERL5OPT",
    "RUBYOPT",
    "MAKEFLAGS",
];
pub(super) const SETTING: &str = "in a setting that is run as a command";
/// Options whose next word a program takes for a command; some only after a word of its own.
pub(super) const GIVES_COMMAND: [(&str, &str, &[&str]); 8] = [
    ("env", "", &["-S", "--split-string"]),
    ("make", "", &["--eval"]),
    ("tar", "", &["--to-command", "-I", "--use-compress-program"]),
    ("rsync", "", &["-e", "--rsh", "--rsync-path"]),
    ("npx", "", &["--call"]),
    ("npm", "exec", &["--call"]),
    ("git", "rebase", &["-x", "--exec"]),
    ("git", "difftool", &["-x", "--extcmd"]),
];
/// Options of `ssh` that take a word of their own.
pub(super) const SSH_TAKES: &str = "bcDEeFIiJLlmOopQRSWw";

pub(super) const ARGUMENT: &str = "give it as an argument instead: sh -c '… \"$1\" …' sh ${…}";
