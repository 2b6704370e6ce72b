//! Dialogs as full-screen agents draw them.

use std::io;

use crate::{Agent, say};

const RULE: &str = "────────────────────────────────────────────────────────────";

impl Agent {
    /// Draws a dialog, waits for a choice, and takes it off the screen. The answer is the label of the choice, or
    /// `escape`.
    pub(crate) fn dialog(&mut self, head: &[&str], options: &[&str]) -> io::Result<()> {
        self.raw(|agent| {
            let mut at = 0;
            let height = head.len() + options.len() + 3;
            loop {
                draw(head, options, at)?;
                let chosen = match agent.read_key()?.as_str() {
                    "\x1b" => Some("escape"),
                    "\r" => options.get(at).copied(),
                    "\x1b[A" => {
                        at = at.saturating_sub(1);
                        None
                    }
                    "\x1b[B" => {
                        at = (at + 1).min(options.len().saturating_sub(1));
                        None
                    }
                    digit => {
                        let number = digit.parse::<usize>().unwrap_or(0);
                        number.checked_sub(1).and_then(|at| options.get(at)).copied()
                    }
                };
                say(&format!("\x1b[{height}A\r\x1b[J"))?;
                if let Some(chosen) = chosen {
                    agent.answer = chosen.into();
                    return Ok(());
                }
            }
        })
    }

    /// Draws an input box and reads until Enter; a paste in brackets is one input, line breaks and all.
    pub(crate) fn input_box(&mut self) -> io::Result<()> {
        self.raw(|agent| {
            say(&format!("{RULE}\r\n> \r\n{RULE}\r\n  ? for shortcuts\r\n\x1b[3A\r\x1b[2C"))?;
            let mut text = String::new();
            loop {
                let key = agent.read_key()?;
                if let Some(before) = key.strip_suffix('\r').filter(|before| !before.contains("\x1b[200~")) {
                    text.push_str(before);
                    break;
                }
                let typed = key.replace("\x1b[200~", "").replace("\x1b[201~", "").replace('\r', "\n");
                say(&typed.replace('\n', " "))?;
                text.push_str(&typed);
            }
            agent.answer = text;
            say("\x1b[3B\r\x1b[3A\x1b[1A\r\x1b[J")
        })
    }
}

fn draw(head: &[&str], options: &[&str], at: usize) -> io::Result<()> {
    say(&format!("{RULE}\r\n"))?;
    for line in head {
        say(&format!(" {line}\r\n"))?;
    }
    for (number, option) in options.iter().enumerate() {
        let mark = if number == at { "❯" } else { " " };
        say(&format!(" {mark} {}. {option}\r\n", number + 1))?;
    }
    say("\r\n Esc to cancel · Tab to amend\r\n")
}
