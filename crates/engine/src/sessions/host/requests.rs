//! Requests of clients to the host.

use std::time::{Duration, Instant};

use holdpoint_core::job::detect::{Notice, Observation, Patterns, find_marked, find_prompt, without_typed};

use super::Host;
use super::peer::LastNotification;
use crate::sessions::input::{Keys, ScreenCondition, TypingStatus};
use crate::sessions::journal::EffectStage;
use crate::sessions::processes;
use crate::sessions::screen::Screen;
use crate::sessions::spec::Size;
use crate::sessions::typing::{self, KeyStroke, TerminalModes};
use crate::sessions::wire::{Frame, Reply, Request};

impl Host {
    /// Reads and answers the requests of a client.
    pub(super) fn serve(&mut self, at: usize) {
        for frame in self.peers[at].read() {
            match frame {
                Frame::Bytes(bytes) if self.peers[at].joined.is_some() => {
                    let entered = bytes.contains(&b'\r');
                    self.keys.push_raw(bytes);
                    if entered {
                        self.tell_entered();
                    }
                }
                Frame::Bytes(_) => self.refuse(at, "join the terminal first"),
                Frame::Json(text) => match serde_json::from_slice(&text) {
                    Ok(request) => self.answer(at, request),
                    Err(why) => self.refuse(at, &format!("this host does not know that request: {why}")),
                },
            }
        }
    }

    fn answer(&mut self, at: usize, request: Request) {
        match request {
            Request::Screen => {
                let screen = Screen { waiting_for_input: self.waits_for_input(), ..self.screen() };
                self.peers[at].tell(&Reply::Screen { screen: Box::new(screen) });
            }
            Request::Follow => {
                self.peers[at].follows = Some(LastNotification::default());
                let seq = self.terminal.refresh();
                // It still holds for a client that connects late, unless something has happened since.
                if let Some((notice, _)) = self.noticed.clone().filter(|(_, at)| *at == seq) {
                    self.peers[at].tell(&Reply::Noticed { notice });
                }
                if let Some(ended) = self.ending.ended {
                    self.peers[at].tell(&Reply::Exited { ended });
                }
            }
            Request::Input { effect, keys, on } => self.input(at, effect, &keys, &on),
            Request::Attach { size } => self.join(at, size),
            Request::Resize { size } => {
                if self.peers[at].joined.is_some() {
                    self.peers[at].joined = Some(size.within_limits());
                    self.resize(size);
                }
            }
            Request::Notice { notice } => {
                self.peers[at].tell(&Reply::Done);
                self.spread(notice);
            }
            Request::Stop { grace_ms } => {
                self.peers[at].waits_for_end = true;
                self.begin_end(Duration::from_millis(grace_ms), true);
            }
        }
    }

    fn input(&mut self, at: usize, effect: String, keys: &Keys, on: &ScreenCondition) {
        if self.keys.holds(&effect) {
            self.peers[at].waits_for = Some(effect);
            return;
        }
        match self.journal.mark(&effect) {
            Some(EffectStage::Typed) => {
                return self.peers[at].tell(&Reply::Typed { typed: TypingStatus::Already });
            }
            Some(EffectStage::Begun) => {
                return self.peers[at].tell(&Reply::Typed { typed: TypingStatus::Unsure });
            }
            None => {}
        }
        if let Some(ended) = self.ending.ended {
            return self.peers[at].tell(&Reply::Exited { ended });
        }
        if !self.shows(on) {
            return self.peers[at].tell(&Reply::Typed { typed: TypingStatus::Elsewhere });
        }
        match self.begin(&effect, keys) {
            Ok(strokes) => {
                self.keys.push(Some(effect.clone()), strokes);
                self.peers[at].waits_for = Some(effect);
            }
            Err(reply) => self.peers[at].tell(&reply),
        }
    }

    /// Returns whether the screen shows what the keys are for.
    fn shows(&mut self, on: &ScreenCondition) -> bool {
        let mut screen = self.terminal.text();
        let (wanted, waits) = match on {
            ScreenCondition::Anything => return true,
            // Whether it waits at this moment does not matter: the next input that it reads belongs to that prompt.
            ScreenCondition::Prompt(print) => (Some(print), Some(true)),
            ScreenCondition::Echoed { prompt, text } => match without_typed(&screen, text) {
                Some(before) if !self.agent.is_echoed() => {
                    screen = before;
                    (Some(prompt), Some(true))
                }
                _ => return false,
            },
            ScreenCondition::NoPrompt | ScreenCondition::NoQuestion | ScreenCondition::Words(_) => {
                match find_marked(&screen) {
                    Some(marked) if *on == ScreenCondition::Words(marked) => return true,
                    // Enter would choose the marked option; if whole lines are read, an old menu reads nothing.
                    Some(_) if !self.agent.takes_lines() => return false,
                    _ if *on == ScreenCondition::NoQuestion => {
                        (None, self.waits_for_input().filter(|waits| *waits))
                    }
                    _ => (None, None),
                }
            }
        };
        let seen = Observation { screen, waiting_for_input: waits, ..Observation::default() };
        let found = find_prompt(&seen, &Patterns::default()).map(|prompt| prompt.fingerprint());
        found.as_ref() == wanted
    }

    /// Records an effect. Nothing has been typed if this fails.
    fn begin(&mut self, effect: &str, keys: &Keys) -> Result<Vec<KeyStroke>, Reply> {
        let refused = |why: &str| Reply::Refused { why: why.to_owned() };
        if effect.is_empty() || effect.len() > 200 {
            return Err(refused("an effect needs an id of at most 200 bytes"));
        }
        let modes = TerminalModes {
            paste: self.terminal.takes_pastes(),
            application_cursor: self.terminal.application_cursor(),
            lines: self.agent.takes_lines(),
        };
        let strokes = typing::strokes(keys, modes).map_err(|why| refused(&why))?;
        match self.journal.begin(effect, self.clock.now()) {
            Ok(()) => Ok(strokes),
            Err(why) => {
                Err(Reply::Later { why: format!("not typed: it could not be recorded first: {why}") })
            }
        }
    }

    /// Tells the waiters of an effect its outcome.
    pub(super) fn answer_effect(&mut self, effect: &str, typed: TypingStatus) {
        for peer in self.peers.iter_mut().filter(|peer| peer.waits_for.as_deref() == Some(effect)) {
            peer.waits_for = None;
            peer.tell(&Reply::Typed { typed });
        }
    }

    fn join(&mut self, at: usize, size: Size) {
        self.resize(size);
        let picture = self.terminal.picture();
        let peer = &mut self.peers[at];
        peer.joined = Some(size.within_limits());
        peer.tell(&Reply::Done);
        peer.show_picture(&picture);
        if let Some(ended) = self.ending.ended {
            peer.tell(&Reply::Exited { ended });
        }
    }

    /// Resizes the terminal.
    pub(super) fn resize(&mut self, size: Size) {
        let size = size.within_limits();
        self.agent.resize(size);
        self.terminal.resize(size);
    }

    /// Forwards a notice of the agent's hook.
    fn spread(&mut self, notice: Notice) {
        for peer in self.peers.iter_mut().filter(|peer| peer.follows.is_some()) {
            peer.tell(&Reply::Noticed { notice: notice.clone() });
        }
        self.noticed = Some((notice, self.terminal.refresh()));
    }

    /// Reports that a person at the terminal pressed Enter. An agent that handles the input at once would otherwise
    /// never seem to have worked.
    fn tell_entered(&mut self) {
        for peer in self.peers.iter_mut().filter(|peer| peer.follows.is_some()) {
            peer.tell(&Reply::Entered);
        }
    }

    fn refuse(&mut self, at: usize, why: &str) {
        self.peers[at].tell(&Reply::Refused { why: why.to_owned() });
    }

    /// Returns the screen of the terminal, without whether a process waits for input.
    pub(super) fn screen(&mut self) -> Screen {
        Screen {
            text: self.terminal.text(),
            seq: self.terminal.refresh(),
            quiet_for: Instant::now().saturating_duration_since(self.terminal.changed()),
            waiting_for_input: None,
            reads_lines: self.agent.takes_lines(),
            pid: self.ending.ended.is_none().then_some(self.agent.pid),
            written: self.terminal.written(),
            log_lost: self.log.lost(),
        }
    }

    fn waits_for_input(&self) -> Option<bool> {
        if self.ending.ended.is_some() {
            return None;
        }
        processes::waits_for_input(self.agent.foreground()?, self.agent.terminal())
    }
}
