//! The smallest program that runs agents in terminals of their own: `host start DIR COMMAND` starts one and leaves it
//! running, `host screen DIR` shows it, `host type DIR TEXT` types a line, `host stop DIR` ends it. The host process of
//! an agent is this program again, by the verb `session-host`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it found")]

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use holdpoint_engine::sessions::{self, Keys, Session, Spec};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["session-host", dir] = arguments[..] {
        return sessions::host::run(Path::new(dir));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let done = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(run(&arguments)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    match *arguments {
        ["start", dir, command] => {
            let spec = Spec::new(dir, command, std::env::current_dir()?);
            let session = sessions::start(Path::new(dir), &spec).await?;
            println!("{:?}", session.state().await?);
        }
        ["screen", dir] => {
            let screen = Session::open(Path::new(dir))?.screen().await?;
            println!("{}", screen.text.rows.join("\n"));
        }
        ["type", dir, text] => {
            // Under one id keys are typed once, however often this is run.
            let typed = Session::open(Path::new(dir))?.input(text, &Keys::Line(text.into())).await?;
            println!("{typed:?}");
        }
        ["stop", dir] => {
            let stopped = Session::open(Path::new(dir))?.stop(Duration::from_secs(5)).await?;
            println!("{stopped:?}");
        }
        _ => return Err("host start DIR COMMAND | screen DIR | type DIR TEXT | stop DIR".into()),
    }
    Ok(())
}
