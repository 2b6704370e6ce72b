//! Plays an agent in a terminal from a script: `fake-agent [--keys FILE] STEP…`, each step a verb and an argument. A
//! step `@FILE` stands for the lines of a file. Input is written to the `--keys` file as it comes, byte for byte.
//!
//! | step | what it does |
//! |---|---|
//! | `print TEXT` | prints it, without a line break; `\n`, `\e`, `\t`, `\\` and `\xNN` are the usual escapes |
//! | `line TEXT` | the same with a line break |
//! | `ask TEXT` | prints it and reads a line, as a plain program does |
//! | `want TEXT` | ends with code 9 unless the last answer was that |
//! | `got` | prints the last answer |
//! | `key TEXT` | prints it and reads one key, without waiting for Enter |
//! | `permission TEXT` | a dialog with Yes, Yes for all, No |
//! | `plan TEXT` | a dialog that asks to accept a plan |
//! | `question TEXT\|A\|B…` | a dialog with those options |
//! | `box` | an input box at the bottom; reads until Enter |
//! | `paste on` | enables bracketed paste |
//! | `echo off` | stops echoing keys |
//! | `idle` | reads input and ignores it, for ever |
//! | `deaf` | does not read, and waits for ever |
//! | `work MS` | a spinner for this many milliseconds |
//! | `tick MS` | counts in the first line of the screen from here on, at this interval |
//! | `delay MS` | does nothing for this many milliseconds |
//! | `flood MIB` | prints this many mebibytes of lines |
//! | `fork FILE` | leaves a child process behind, which writes its process id to the file |
//! | `detach FILE` | the same, in a separate session and ignoring SIGTERM and SIGHUP |
//! | `hang` | ignores SIGTERM and SIGHUP, and waits for ever |
//! | `die SIGNAL` | kills itself with that signal |
//! | `exit CODE` | ends with that code |

mod dialog;
mod misbehave;
mod text;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

/// The state kept between steps.
struct Agent {
    keys: Option<File>,
    answer: String,
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut agent = Agent { keys: None, answer: String::new() };
    if arguments.first().is_some_and(|argument| argument == "--keys") && arguments.len() > 1 {
        agent.keys = File::options().create(true).append(true).open(&arguments[1]).ok();
        arguments.drain(..2);
    }
    match agent.play(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            let _ = writeln!(io::stderr(), "fake-agent: {why}");
            ExitCode::from(70)
        }
    }
}

impl Agent {
    /// Plays steps until one of them ends it, and returns the exit code.
    fn play(&mut self, steps: &[String]) -> io::Result<u8> {
        for step in steps {
            let (verb, about) = step.split_once(' ').unwrap_or((step, ""));
            if let Some(path) = verb.strip_prefix('@') {
                let lines: Vec<String> = std::fs::read_to_string(path)?.lines().map(str::to_owned).collect();
                let code = self.play(&lines)?;
                if code != 0 {
                    return Ok(code);
                }
                continue;
            }
            match verb {
                "exit" => return Ok(about.parse().unwrap_or(1)),
                "want" if self.answer != about => {
                    say(&format!("\r\nwanted {about:?}, got {:?}\r\n", self.answer))?;
                    return Ok(9);
                }
                "want" => {}
                _ => self.step(verb, about)?,
            }
        }
        Ok(0)
    }

    fn step(&mut self, verb: &str, about: &str) -> io::Result<()> {
        match verb {
            "print" => say(&text::unescape(about)),
            "line" => say(&format!("{}\r\n", text::unescape(about))),
            "got" => say(&format!("got {:?}\r\n", self.answer)),
            "ask" => {
                say(&text::unescape(about))?;
                self.answer = self.read_line()?;
                Ok(())
            }
            "key" => {
                say(&text::unescape(about))?;
                self.answer = self.raw(Self::read_key)?;
                say("\r\n")
            }
            "permission" => {
                let options =
                    ["Yes", "Yes, and don't ask again this session", "No, and tell me what to do (esc)"];
                self.dialog(&[about, "", "Do you want to proceed?"], &options)
            }
            "plan" => {
                let options = [
                    "Yes, clear context and auto-accept edits",
                    "Yes, auto-accept edits",
                    "Yes, manually approve edits",
                    "No, keep planning",
                ];
                self.dialog(
                    &["Ready to code?", "", "Here is the plan:", about, "", "Would you like to proceed?"],
                    &options,
                )
            }
            "question" => {
                let mut parts = about.split('|');
                let title = parts.next().unwrap_or_default();
                self.dialog(&[title], &parts.collect::<Vec<_>>())
            }
            "box" => self.input_box(),
            "paste" => say(if about == "on" { "\x1b[?2004h" } else { "\x1b[?2004l" }),
            "echo" => stty(if about == "on" { &["echo"] } else { &["-echo"] }),
            "work" => work(millis(about)),
            "tick" => {
                let pause = millis(about);
                std::thread::spawn(move || {
                    for count in 1_u32.. {
                        std::thread::sleep(pause);
                        if say(&format!("\x1b7\x1b[1;1H{count} ticks\x1b8")).is_err() {
                            return;
                        }
                    }
                });
                Ok(())
            }
            "delay" => {
                std::thread::sleep(millis(about));
                Ok(())
            }
            "idle" => loop {
                if self.read_line()?.is_empty() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            },
            _ => misbehave::step(verb, about),
        }
    }

    /// Reads a line in the terminal's line mode.
    fn read_line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        let mut byte = [0];
        while io::stdin().read(&mut byte)? == 1 {
            self.note(&byte)?;
            if byte[0] == b'\n' {
                break;
            }
            line.push(byte[0]);
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// Reads the bytes of one key.
    fn read_key(&mut self) -> io::Result<String> {
        let mut buffer = [0; 64];
        let count = io::stdin().read(&mut buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.note(&buffer[..count])?;
        Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
    }

    /// Writes input to the `--keys` file.
    fn note(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.keys.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }

    /// Runs an action with the terminal in raw mode.
    fn raw<T>(&mut self, act: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        stty(&["raw", "-echo"])?;
        let done = act(self);
        stty(&["sane"])?;
        done
    }
}

/// Writes to the terminal at once.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Sets terminal modes with the `stty` program: the standard library has no safe way.
fn stty(arguments: &[&str]) -> io::Result<()> {
    std::process::Command::new("stty").args(arguments).status().map(drop)
}

fn millis(text: &str) -> Duration {
    Duration::from_millis(text.trim().parse().unwrap_or(0))
}

fn work(time: Duration) -> io::Result<()> {
    let start = std::time::Instant::now();
    for frame in "✻✽✶✳✢·".chars().cycle() {
        if start.elapsed() >= time {
            break;
        }
        say(&format!("\r{frame} Working… ({}s · esc to interrupt)", start.elapsed().as_secs()))?;
        std::thread::sleep(Duration::from_millis(100));
    }
    say("\r\x1b[K")
}
