//! Programs that read words or their standard input as commands or code, and the options by which they do.

/// Programs that run what follows `-c` as a shell command, or else their standard input.
pub(super) const SHELLS: [&str; 9] = ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"];
/// Other programs that may run what is on their standard input, or pass it to a shell.
pub(super) const FEEDS: [&str; 12] = [
    "at", "batch", "crontab", "parallel", "su", "runuser", "chroot", "unshare", "nsenter", "eval", "source",
    "stdin",
];
/// Commands of the shell that take names of variables.
pub(super) const ASSIGNS: [&str; 10] =
    ["read", "mapfile", "readarray", "getopts", "unset", "declare", "typeset", "local", "readonly", "export"];
/// Commands of the shell that take commands, or say what a command's name stands for.
pub(super) const COMMANDING: [&str; 14] = [
    "trap",
    "alias",
    "bind",
    "compgen",
    "complete",
    "compopt",
    "coproc",
    "enable",
    "fc",
    "hash",
    "history",
    "mapfile",
    "readarray",
    "shopt",
];
/// Comparisons that a shell's `[[` makes by arithmetic.
pub(super) const COMPARES: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
/// Programs that pass words to a shell, and the subcommands after which they do; always, if none is named.
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
/// Other programs that pass what follows an option to a shell.
pub(super) const RUNNERS: [&str; 6] = ["su", "runuser", "script", "flock", "npx", "npm"];
/// Programs that run what follows one of these options as code, and their standard input if no script is named.
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
/// Programs whose first operand is code, unless an option names a file of code, and their options that take a value.
pub(super) const SCRIPTED: [(&str, &str); 5] =
    [("awk", "Fv"), ("gawk", "Fv"), ("mawk", "Fv"), ("sed", ""), ("watch", "n")];
/// Prefixes of words whose rest a program takes for a command.
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
/// The programs that take words with these prefixes.
pub(super) const SET_UP: [&str; 16] = [
    "env", "make", "tar", "git", "ssh", "su", "runuser", "script", "flock", "node", "nodejs", "bun", "php",
    "npx", "npm", "rsync",
];
/// Variables whose value some programs run, or load code from.
pub(super) const VARIABLES: [&str; 33] = [
    "PATH",
    "ENV",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "GIT_EXEC_PATH",
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
/// Options whose next word a program takes for a command; some only after a certain subcommand.
pub(super) const GIVES_COMMAND: [(&str, &str, &[&str]); 16] = [
    ("env", "", &["-S", "--split-string"]),
    ("make", "", &["--eval"]),
    ("tar", "", &["--to-command", "-I", "--use-compress-program"]),
    ("rsync", "", &["-e", "--rsh", "--rsync-path"]),
    ("npx", "", &["--call"]),
    ("npm", "exec", &["--call"]),
    ("git", "rebase", &["-x", "--exec"]),
    ("git", "difftool", &["-x", "--extcmd"]),
    ("git", "bisect", &["run"]),
    ("find", "", &["-exec", "-execdir", "-ok", "-okdir"]),
    ("vim", "", &["-c", "--cmd", "-S"]),
    ("nvim", "", &["-c", "--cmd", "-S", "-l"]),
    ("vi", "", &["-c"]),
    ("emacs", "", &["--eval", "--execute", "-eval"]),
    ("gdb", "", &["-ex", "-iex", "--eval-command", "--init-eval-command"]),
    ("expect", "", &["-c"]),
];
/// Options of `ssh` that take a value.
pub(super) const SSH_TAKES: &str = "bcDEeFIiJLlmOopQRSWw";

pub(super) const ARGUMENT: &str = "give it as an argument instead: sh -c '… \"$1\" …' sh ${…}";
