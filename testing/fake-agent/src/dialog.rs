//! Dialogs as full-screen agents draw them.

use std::io;

use crate::{Agent, say};

const RULE: &str = "────────────────────────────────────────────────────────────";

impl Agent {
    /// Draws a dialog, waits for a choice, and removes it from the screen. The answer is the label of the choice, or
    /// `escape`; "Type something" is a text box, which receives all keys once it is selected.
    pub(crate) fn dialog(&mut self, head: &[&str], options: &[&str]) -> io::Result<()> {
        self.raw(|agent| {
            let (mut at, mut typed) = (0, String::new());
            let height = head.len() + options.len() + 3;
            loop {
                draw(head, options, at)?;
                let key = agent.read_key()?;
                if options.get(at).is_some_and(|option| option.starts_with("Type something")) {
                    typed.push_str(&key);
                    say(&format!("\x1b[{height}A\r\x1b[J"))?;
                    if let Some(text) = entered(&typed) {
                        agent.answer = text;
                        return Ok(());
                    }
                    continue;
                }
                let chosen = match key.as_str() {
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
                        let chosen = number.checked_sub(1).filter(|at| *at < options.len());
                        at = chosen.unwrap_or(at);
                        chosen.map(|at| options[at]).filter(|option| !option.starts_with("Type something"))
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

    /// Draws an input box and reads until Enter; a bracketed paste is one input, including line breaks.
    pub(crate) fn input_box(&mut self) -> io::Result<()> {
        self.raw(|agent| {
            say(&format!("{RULE}\r\n> \r\n{RULE}\r\n  ? for shortcuts\r\n\x1b[3A\r\x1b[2C"))?;
            let mut typed = String::new();
            let text = loop {
                let key = agent.read_key()?;
                say(&key.replace(['\r', '\x1b'], " "))?;
                typed.push_str(&key);
                if let Some(text) = entered(&typed) {
                    break text;
                }
            };
            agent.answer = text;
            say("\x1b[3B\r\x1b[3A\x1b[1A\r\x1b[J")
        })
    }
}

/// Returns the input once Enter was pressed, rather than pasted.
fn entered(typed: &str) -> Option<String> {
    let mut text = String::new();
    for (at, part) in typed.split("\x1b[200~").enumerate() {
        let (pasted, pressed) = if at == 0 { ("", part) } else { part.split_once("\x1b[201~")? };
        text.push_str(&pasted.replace('\r', "\n"));
        if let Some((before, _)) = pressed.split_once('\r') {
            text.push_str(before);
            return Some(text);
        }
        text.push_str(pressed);
    }
    None
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
