//! Misbehaviour of agents.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// Plays a step of misbehaviour.
pub(crate) fn step(verb: &str, about: &str) -> io::Result<()> {
    match verb {
        "deaf" => loop {
            std::thread::park();
        },
        "flood" => flood(about.parse().unwrap_or(1)),
        "fork" => leave("sh", &[], about),
        "detach" => leave("setsid", &["sh"], about),
        "hang" => {
            Err(Command::new("sh").args(["-c", "trap '' TERM HUP INT; while :; do sleep 1; done"]).exec())
        }
        "die" => {
            let pid = std::process::id().to_string();
            Command::new("kill").args(["-s", about, &pid]).status()?;
            // The signal arrives soon.
            loop {
                std::thread::park();
            }
        }
        other => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("no step is called {other:?}"))),
    }
}

fn flood(mebibytes: usize) -> io::Result<()> {
    let line = format!("{}\r\n", "flood ".repeat(13));
    let chunk = line.repeat((1 << 20) / line.len() + 1);
    let mut out = io::stdout().lock();
    for _ in 0..mebibytes {
        out.write_all(&chunk.as_bytes()[..1 << 20])?;
    }
    out.flush()
}

/// Leaves a process behind, and waits until it has written its id.
fn leave(program: &str, before: &[&str], file: &str) -> io::Result<()> {
    let script = "trap '' TERM HUP; echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; while :; do sleep 1; done";
    Command::new(program)
        .args(before)
        .args(["-c", script, "left", file])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    while !std::path::Path::new(file).exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(())
}
