//! Tools that look up data for forms: commands from the settings, or from the person at the terminal.
//!
//! A form only names a tool. Its query goes to the command's standard input as JSON and never becomes part of the
//! command.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::group::Group;
use crate::hooks::HookCommand;

/// How long a tool may take.
const LONGEST: Duration = Duration::from_secs(10);
/// How much of its output is read, in bytes.
const MOST: u64 = 1 << 20;
/// How much of an error is shown.
const SHOWN: usize = 300;

/// Runs a tool's command, and returns its result: its JSON output, or else a list of its lines; or `{"error": …}`.
pub async fn run(command: &str, args: &Map<String, Value>) -> Value {
    match tokio::time::timeout(LONGEST, output(command, args)).await {
        Ok(Ok(found)) => found,
        Ok(Err(why)) => json!({ "error": why }),
        Err(_) => json!({ "error": format!("it took longer than {} s", LONGEST.as_secs()) }),
    }
}

async fn output(command: &str, args: &Map<String, Value>) -> Result<Value, String> {
    let found = printed(&HookCommand::Shell(command.to_owned()), &Value::Object(args.clone()), MOST).await?;
    let text = String::from_utf8(found).map_err(|_| "its output is not text".to_owned())?;
    Ok(holdpoint_core::json::parse_strict(text.trim()).unwrap_or_else(|_| {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Value::from).collect()
    }))
}

/// Runs a command with JSON on its standard input, and returns its output, up to a number of bytes. If the future is
/// dropped, the command is killed with everything that it started.
pub(crate) async fn printed(command: &HookCommand, input: &Value, most: u64) -> Result<Vec<u8>, String> {
    let (program, arguments) = match command {
        HookCommand::Shell(line) => ("sh", vec!["-c", line]),
        HookCommand::Program(words) => {
            let (program, arguments) = words.split_first().ok_or("it names no command")?;
            (program.as_str(), arguments.iter().map(String::as_str).collect())
        }
    };
    let mut program = tokio::process::Command::new(program);
    program.args(arguments).process_group(0).kill_on_drop(true);
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().map_err(|why| format!("it cannot be started: {why}"))?;
    let _group = Group(child.id());
    let asked = input.to_string();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // A tool need not read its input; all three run concurrently, so that none blocks another.
    let write = async {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(asked.as_bytes()).await;
        }
    };
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let read = async {
        match stdout {
            Some(stdout) => stdout.take(most + 1).read_to_end(&mut found).await,
            None => Ok(0),
        }
    };
    let read_wrong = async {
        match stderr {
            Some(stderr) => stderr.take(most).read_to_end(&mut wrong).await,
            None => Ok(0),
        }
    };
    let ((), read, _) = tokio::join!(write, read, read_wrong);
    read.map_err(|why| why.to_string())?;
    if found.len() as u64 > most {
        return Err(format!("it printed more than {most} bytes"));
    }
    let status = child.wait().await.map_err(|why| why.to_string())?;
    if !status.success() {
        let wrong = String::from_utf8_lossy(&wrong);
        let last = wrong.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let last: String = last.chars().take(SHOWN).collect();
        return Err(if last.is_empty() { format!("it failed ({status})") } else { last });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_tool_says_is_read() {
        let args = Map::from_iter([("a".into(), json!("x'; echo y"))]);
        for (command, found) in [
            ("echo '{\"list\": [1]}'", json!({"list": [1]})),
            ("printf 'Billing\\n\\n Shop \\n'", json!(["Billing", "Shop"])),
            ("cat", json!({"a": "x'; echo y"})),
            ("true", json!([])),
            ("echo no >&2; exit 3", json!({"error": "no"})),
            ("head -c 2000000 /dev/zero", json!({"error": "it printed more than 1048576 bytes"})),
        ] {
            assert_eq!(run(command, &args).await, found, "{command}");
        }
        assert!(run("exit 3", &args).await["error"].as_str().unwrap().contains("it failed"));
        assert!(run("/no/such/tool", &args).await["error"].is_string());
    }
}
