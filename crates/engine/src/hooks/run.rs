//! Runs one hook: JSON in, no output, with a time limit.

use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::notice;
use super::settings::HookCommand;
use crate::group::Group;

/// What is run.
#[derive(Clone, Debug)]
pub enum Run {
    /// A command from the settings.
    Command(HookCommand),
    /// The desktop notification.
    Notice(PathBuf),
}

/// Runs a hook to its end, or kills it with everything it started when its time is up.
pub fn run(what: &Run, payload: &Value, timeout: Duration) -> Result<(), String> {
    let mut command = match what {
        Run::Command(HookCommand::Shell(line)) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            shell
        }
        Run::Command(HookCommand::Program(words)) => {
            let (program, arguments) = words.split_first().ok_or("names no command")?;
            let mut program = Command::new(program);
            program.args(arguments);
            program
        }
        Run::Notice(program) => {
            let mut notice = Command::new(program);
            notice.args(notice::arguments(payload));
            notice
        }
    };
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(|why| format!("cannot be started: {why}"))?;
    let feeder = feed(&mut child, payload.to_string());
    let reader = read_errors(&mut child);
    let ended = wait(&mut child, timeout);
    if ended.is_none() {
        end_group(&mut child);
    }
    // A process that the hook left behind may keep the pipes open, so only the output of an ended one is read.
    let errors = if ended.is_some_and(|status| !status.success()) {
        reader.as_ref().map(join_errors).unwrap_or_default()
    } else {
        String::new()
    };
    drop(feeder);
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(status) if errors.is_empty() => Err(format!("ended with {status}")),
        Some(status) => Err(format!("ended with {status}: {errors}")),
        None => Err(format!("took longer than {} s and was ended", timeout.as_secs_f32())),
    }
}

fn feed(child: &mut Child, payload: String) -> Option<std::thread::JoinHandle<()>> {
    let mut stdin = child.stdin.take()?;
    // A hook need not read its input.
    Some(std::thread::spawn(move || drop(stdin.write_all(payload.as_bytes()))))
}

fn read_errors(child: &mut Child) -> Option<std::sync::mpsc::Receiver<String>> {
    let mut stderr = child.stderr.take()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = (&mut stderr).take(2_000).read_to_end(&mut text);
        let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    });
    Some(receiver)
}

fn join_errors(receiver: &std::sync::mpsc::Receiver<String>) -> String {
    let text = receiver.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
    holdpoint_core::text::inert_line(&text)
}

fn wait(child: &mut Child, timeout: Duration) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    let mut nap = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < timeout => {}
            Ok(None) | Err(_) => return None,
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(50));
    }
}

fn end_group(child: &mut Child) {
    drop(Group(Some(child.id())));
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shell(line: &str, timeout: Duration) -> Result<(), String> {
        run(&Run::Command(HookCommand::Shell(line.into())), &json!({"n": "x".repeat(200_000)}), timeout)
    }

    #[test]
    fn hooks_end_one_way_or_another() {
        let long = Duration::from_secs(20);
        assert_eq!(shell("cat > /dev/null", long), Ok(()));
        assert_eq!(shell("exit 0", long), Ok(()));
        assert!(shell("echo nope >&2; exit 3", long).unwrap_err().contains("nope"));
        assert!(shell("sleep 1000 & sleep 1000", Duration::from_millis(100)).unwrap_err().contains("longer"));
        let missing = Run::Command(HookCommand::Program(vec!["/no/such/program".into()]));
        assert!(run(&missing, &json!({}), long).unwrap_err().contains("cannot be started"));
    }
}
