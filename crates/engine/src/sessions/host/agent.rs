//! The agent's process in its pseudo-terminal.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use filedescriptor::FileDescriptor;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcgetpgrp, tcsetwinsize};

use crate::sessions::processes::MARKER;
use crate::sessions::spec::{Size, Spec};

/// The agent's process and the host's side of its terminal.
pub(super) struct Agent {
    /// Its process id.
    pub(super) pid: u32,
    pty: FileDescriptor,
    name: PathBuf,
}

/// The result of reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IoOutcome {
    /// This many bytes.
    Some(usize),
    /// It would block.
    None,
    /// The other end is closed.
    Closed,
}

impl Agent {
    /// Opens a terminal and starts the agent in it.
    pub(super) fn start(spec: &Spec, dir: &Path) -> Result<Self, String> {
        // Otherwise it would be started in the home folder.
        if !spec.cwd.is_dir() {
            return Err(format!("the folder {} does not exist", spec.cwd.display()));
        }
        let size = spec.size.within_limits();
        let size = PtySize { rows: size.rows, cols: size.cols, pixel_width: 0, pixel_height: 0 };
        let pair =
            native_pty_system().openpty(size).map_err(|why| format!("no terminal available: {why}"))?;
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", &spec.run]);
        command.cwd(&spec.cwd);
        command.env("PWD", &spec.cwd);
        command.env("TERM", "xterm-256color");
        for name in ["COLUMNS", "LINES", "TERMCAP", "TMUX", "TMUX_PANE", "STY"] {
            command.env_remove(name);
        }
        for (name, value) in &spec.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        command.env("HOLD_SESSION", &spec.id);
        command.env(MARKER, dir);
        let child = pair.slave.spawn_command(command).map_err(|why| format!("{why:#}"))?;
        // As long as this side is open here, the end of the terminal would never be seen.
        drop(pair.slave);
        let raw = pair.master.as_raw_fd().ok_or("the terminal has no descriptor")?;
        let mut pty = FileDescriptor::dup(&raw).map_err(|why| why.to_string())?;
        pty.set_non_blocking(true).map_err(|why| why.to_string())?;
        let name = pair.master.tty_name().unwrap_or_default();
        let pid = child.process_id().ok_or("the agent has no process id")?;
        Ok(Self { pid, pty, name })
    }

    /// Reads the agent's output.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> IoOutcome {
        moved(self.pty.read(buffer))
    }

    /// Writes to the agent's input.
    pub(super) fn write(&mut self, bytes: &[u8]) -> IoOutcome {
        moved(self.pty.write(bytes))
    }

    /// Resizes the terminal; the agent is notified.
    pub(super) fn resize(&self, size: Size) {
        let size = Winsize { ws_row: size.rows, ws_col: size.cols, ws_xpixel: 0, ws_ypixel: 0 };
        let _ = tcsetwinsize(&self.pty, size);
    }

    /// Returns whether the terminal is in line mode.
    pub(super) fn takes_lines(&self) -> bool {
        tcgetattr(&self.pty).is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON))
    }

    /// Returns whether the terminal itself echoes input, before the agent has read it.
    pub(super) fn is_echoed(&self) -> bool {
        tcgetattr(&self.pty).is_ok_and(|modes| modes.local_modes.contains(LocalModes::ECHO))
    }

    /// Returns the process group in the foreground.
    pub(super) fn foreground(&self) -> Option<u32> {
        tcgetpgrp(&self.pty).ok().and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok())
    }

    /// Returns the name of the terminal as the agent sees it.
    pub(super) fn terminal(&self) -> &Path {
        &self.name
    }
}

impl AsFd for Agent {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pty.as_fd()
    }
}

fn moved(result: io::Result<usize>) -> IoOutcome {
    match result {
        Ok(0) => IoOutcome::Closed,
        Ok(count) => IoOutcome::Some(count),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            IoOutcome::None
        }
        Err(_) => IoOutcome::Closed,
    }
}

/// Closes all files that were inherited by mistake, and starts a new session without a terminal.
pub(super) fn leave_home() {
    let entries = std::fs::read_dir("/dev/fd").into_iter().flatten().flatten();
    let inherited: Vec<i32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|fd| *fd > 2).collect();
    for fd in inherited {
        // Dropping it closes it. The descriptor used for reading the list is already closed.
        drop(FileDescriptor::new(fd));
    }
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
    // Orphans of the agent become children of this process, so that they can be found and ended.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Closes the pipes to the process that started this one.
pub(super) fn let_go() {
    let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") else { return };
    let _ = rustix::stdio::dup2_stdin(&nowhere);
    let _ = rustix::stdio::dup2_stdout(&nowhere);
}
