//! The host's loop: waits for events, and handles them.

use std::io::Read as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Host;
use super::agent::IoOutcome;
use super::peer::Peer;
use crate::sessions::input::TypingStatus;
use crate::sessions::wire::Reply;

/// How many clients there may be at once; further ones are rejected.
const MOST_PEERS: usize = 256;
/// How much an agent may write in a [`WINDOW`]; then it has to wait, so that clients get their turn.
const MOST_WRITTEN: usize = 4 << 20;
const WINDOW: Duration = Duration::from_millis(250);
/// How long to stop polling a terminal that no process has open.
const CLOSED: Duration = Duration::from_secs(2);
/// How long waiting clients get to read a last answer.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// The state of the loop between turns.
#[derive(Default)]
struct LoopState {
    /// When the agent may be read again, if it has written too much or closed its terminal.
    not_before: Option<Instant>,
    window: Option<Instant>,
    written: usize,
    /// Since when there is a change of which no follower was notified.
    fresh_since: Option<Instant>,
}

/// The events of one turn.
struct LoopEvents {
    child: bool,
    asked_to_end: bool,
    caller: bool,
    agent: Readiness,
    /// For each client, in their order.
    peers: Vec<Readiness>,
}

/// What a polled descriptor is ready for.
#[derive(Clone, Copy, Default)]
struct Readiness {
    read: bool,
    write: bool,
}

impl Host {
    /// Runs until the agent and everything that it started have ended.
    pub(super) fn run(&mut self) {
        let mut turn = LoopState::default();
        let mut buffer = vec![0; 64 << 10];
        while !self.ending.over {
            let happened = self.wait(&turn);
            let now = Instant::now();
            if happened.child {
                drain(&mut self.children);
                self.reap();
            }
            if happened.asked_to_end {
                drain(&mut self.asked_to_end);
                self.begin_end(self.spec.grace, false);
            }
            if happened.agent.write {
                self.keys.unblock();
            }
            if happened.agent.read {
                self.read_agent(&mut turn, &mut buffer, now);
            }
            for (at, ready) in happened.peers.iter().enumerate() {
                if ready.write {
                    self.peers[at].flush();
                }
                if ready.read {
                    self.serve(at);
                }
            }
            self.drop_gone();
            if happened.caller {
                self.welcome();
            }
            for effect in self.keys.pump(&mut self.agent, now) {
                self.journal.done(&effect, self.clock.now());
                self.answer_effect(&effect, TypingStatus::Now);
            }
            self.tell_followers(&mut turn, Instant::now());
            self.repeat_screen();
            self.go_on_ending(Instant::now());
        }
        self.send_ending();
    }

    fn wait(&self, turn: &LoopState) -> LoopEvents {
        let now = Instant::now();
        let readable = |wanted: bool| if wanted { PollFlags::IN } else { PollFlags::empty() };
        let writable = |wanted: bool| if wanted { PollFlags::OUT } else { PollFlags::empty() };
        let reads = self.ending.ended.is_none() && turn.not_before.is_none_or(|at| at <= now);
        let room = self.ending.ended.is_none() && self.keys.waits_for_room();
        let full = self.keys.is_full();
        let mut fds = vec![
            PollFd::new(&self.children, PollFlags::IN),
            PollFd::new(&self.asked_to_end, PollFlags::IN),
            PollFd::new(&self.listener, PollFlags::IN),
        ];
        // If it is closed at the other end, it would be reported again and again even if nothing is requested for it.
        let agent_at = fds.len();
        let asks_agent = reads || room;
        if asks_agent {
            fds.push(PollFd::new(&self.agent, readable(reads) | writable(room)));
        }
        let peers_at = fds.len();
        for peer in &self.peers {
            let wanted = readable(!(full && peer.joined.is_some())) | writable(peer.has_unread());
            fds.push(PollFd::new(peer, wanted));
        }
        let timeout = self.next(turn, now).map(|wait| Timespec {
            tv_sec: wait.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        });
        let polled = poll(&mut fds, timeout.as_ref()).is_ok();
        let seen = |at: usize| if polled { fds[at].revents() } else { PollFlags::empty() };
        let ended = PollFlags::HUP | PollFlags::ERR;
        let agent = if asks_agent { seen(agent_at) } else { PollFlags::empty() };
        LoopEvents {
            child: !seen(0).is_empty(),
            asked_to_end: !seen(1).is_empty(),
            caller: !seen(2).is_empty(),
            agent: Readiness {
                read: reads && agent.intersects(PollFlags::IN | ended),
                write: agent.intersects(PollFlags::OUT | ended),
            },
            peers: (0..self.peers.len())
                .map(|at| seen(peers_at + at))
                .map(|seen| Readiness {
                    read: seen.intersects(PollFlags::IN | ended),
                    write: seen.contains(PollFlags::OUT),
                })
                .collect(),
        }
    }

    /// Returns how long to wait if nothing happens; none means forever.
    fn next(&self, turn: &LoopState, now: Instant) -> Option<Duration> {
        let seq = self.terminal.seq();
        let followers = self.peers.iter().filter_map(|peer| peer.due(now, seq, turn.fresh_since));
        let times =
            [self.keys.next(), self.ending.next(), turn.not_before.filter(|_| self.ending.ended.is_none())];
        let times = times.into_iter().flatten().map(|at| at.saturating_duration_since(now));
        followers.chain(times).min()
    }

    fn read_agent(&mut self, turn: &mut LoopState, buffer: &mut [u8], now: Instant) {
        turn.not_before = None;
        match self.agent.read(buffer) {
            IoOutcome::None => {}
            IoOutcome::Closed => turn.not_before = Some(now + CLOSED),
            IoOutcome::Some(count) => {
                let bytes = &buffer[..count];
                self.log.write(bytes);
                let answers = self.terminal.take(bytes);
                // The terminal of an attached client gets the query too, and answers it.
                if self.peers.iter().all(|peer| peer.joined.is_none()) {
                    self.keys.push_raw(answers);
                }
                self.show(bytes);
                turn.fresh_since.get_or_insert(now);
                let window = *turn.window.get_or_insert(now);
                if now.duration_since(window) > WINDOW {
                    (turn.window, turn.written) = (Some(now), 0);
                }
                turn.written += count;
                if turn.written > MOST_WRITTEN {
                    turn.not_before = turn.window.map(|window| window + WINDOW);
                    (turn.window, turn.written) = (None, 0);
                }
            }
        }
    }

    /// Sends bytes to attached clients.
    pub(super) fn show(&mut self, bytes: &[u8]) {
        for peer in self.peers.iter_mut().filter(|peer| peer.joined.is_some()) {
            peer.show(bytes);
        }
    }

    fn tell_followers(&mut self, turn: &mut LoopState, now: Instant) {
        let seq = self.terminal.seq();
        let due: Vec<usize> = (0..self.peers.len())
            .filter(|at| self.peers[*at].due(now, seq, turn.fresh_since).is_some_and(|wait| wait.is_zero()))
            .collect();
        if due.is_empty() {
            return;
        }
        let screen = self.screen();
        turn.fresh_since = None;
        for at in due {
            if self.peers[at].is_news(screen.seq, now) {
                self.peers[at].tell(&Reply::Changed { screen: Box::new(screen.clone()) });
            }
        }
    }

    /// Redraws the screen for clients that joined and were too slow.
    fn repeat_screen(&mut self) {
        for peer in self.peers.iter_mut().filter(|peer| peer.gap && !peer.has_unread()) {
            peer.show_picture(&self.terminal.picture());
        }
    }

    fn welcome(&mut self) {
        while let Ok((stream, _)) = self.listener.accept() {
            let Ok(mut peer) = Peer::new(stream) else { continue };
            if self.peers.len() < MOST_PEERS {
                self.peers.push(peer);
            } else {
                peer.tell(&Reply::Refused { why: format!("{MOST_PEERS} others are connected already") });
            }
        }
    }

    fn drop_gone(&mut self) {
        let joined = self.peers.iter().any(|peer| peer.joined.is_some());
        self.peers.retain(|peer| !peer.is_gone());
        if joined && self.peers.iter().all(|peer| peer.joined.is_none()) {
            self.resize(self.spec.size);
        }
    }

    /// Gives those who still wait their last answer, and leaves.
    fn send_ending(&mut self) {
        let until = Instant::now() + LAST_ANSWER;
        let _ = std::fs::remove_file(self.dir.join("host.sock"));
        while self.peers.iter().any(Peer::has_unread) && Instant::now() < until {
            let mut fds: Vec<PollFd<'_>> = self
                .peers
                .iter()
                .filter(|peer| peer.has_unread())
                .map(|peer| PollFd::new(peer, PollFlags::OUT))
                .collect();
            let tenth = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            let _ = poll(&mut fds, Some(&tenth));
            self.peers.iter_mut().for_each(Peer::flush);
        }
    }
}

fn drain(stream: &mut std::os::unix::net::UnixStream) {
    let mut buffer = [0; 64];
    while matches!(stream.read(&mut buffer), Ok(1..)) {}
}
