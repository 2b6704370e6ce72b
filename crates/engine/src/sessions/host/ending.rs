//! How an agent and everything that it started are ended.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions, wait};

use super::Host;
use super::agent::IoOutcome;
use crate::sessions::ended::Ended;
use crate::sessions::files;
use crate::sessions::input::TypingStatus;
use crate::sessions::processes::{self, SessionProcesses};
use crate::sessions::wire::Reply;

/// The progress of the end.
#[derive(Default)]
pub(super) struct Ending {
    /// How the agent ended.
    pub(super) ended: Option<Ended>,
    /// Whether it was requested.
    asked: bool,
    /// The current step in ending the rest.
    course: Option<KillSchedule>,
    /// Whether everything possible has been done.
    pub(super) over: bool,
}

struct KillSchedule {
    kill_at: Instant,
    killed_at: Option<Instant>,
    look_at: Instant,
    told: BTreeSet<u32>,
}

/// How often to check whether all have ended.
const LOOK: Duration = Duration::from_millis(100);
/// How long after killing to give up on the remaining processes.
const GIVE_UP: Duration = Duration::from_secs(5);
/// How much of the final output of an ended agent is read.
const LAST_WORDS: usize = 4 << 20;

impl Ending {
    /// Returns when the next action is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.course.as_ref().map(|course| course.look_at)
    }
}

impl Host {
    /// Begins to end everything: processes are asked to end, and killed after the grace period.
    pub(super) fn begin_end(&mut self, grace: Duration, asked: bool) {
        let now = Instant::now();
        if self.ending.ended.is_none() {
            self.ending.asked |= asked;
        }
        let kill_at = now + grace;
        let course = self.ending.course.get_or_insert_with(|| KillSchedule {
            kill_at,
            killed_at: None,
            look_at: now,
            told: BTreeSet::new(),
        });
        course.kill_at = course.kill_at.min(kill_at);
        course.look_at = now;
    }

    /// Takes the next step of the end, if it is time.
    pub(super) fn go_on_ending(&mut self, now: Instant) {
        let Some(course) = &mut self.ending.course else { return };
        if course.look_at > now {
            return;
        }
        let leader = self.ending.ended.is_none().then_some(self.agent.pid);
        let family = SessionProcesses { dir: &self.dir, host: Some(self.about.host.pid), leader };
        let members = processes::members(&family);
        course.look_at = now + LOOK;
        if members.is_empty() && self.ending.ended.is_some() {
            self.end_is_over(&[]);
        } else if course.kill_at <= now {
            let killed_at = *course.killed_at.get_or_insert(now);
            processes::signal(&members, leader, Signal::KILL);
            processes::signal_under(&self.spec.account, &members, Signal::KILL);
            if now.duration_since(killed_at) > GIVE_UP {
                self.end_is_over(&members.into_iter().collect::<Vec<_>>());
            }
        } else {
            let new: BTreeSet<u32> = members.difference(&course.told).copied().collect();
            processes::ask_to_end(&new, leader.filter(|leader| new.contains(leader)));
            processes::signal_under(&self.spec.account, &new, Signal::TERM);
            course.told.extend(new);
        }
    }

    fn end_is_over(&mut self, left: &[u32]) {
        self.ending.course = None;
        for peer in self.peers.iter_mut().filter(|peer| peer.waits_for_end) {
            peer.waits_for_end = false;
            peer.tell(&Reply::Stopped { left: left.to_vec() });
        }
        self.ending.over = self.ending.ended.is_some();
    }

    /// Reaps ended processes: the agent, and orphans adopted by this one.
    pub(super) fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if u32::try_from(pid.as_raw_nonzero().get()) == Ok(self.agent.pid) && self.ending.ended.is_none()
            {
                self.agent_ended(status.exit_status(), status.terminating_signal());
            }
        }
        if let Some(course) = &mut self.ending.course {
            course.look_at = Instant::now();
        }
    }

    fn agent_ended(&mut self, code: Option<i32>, signal: Option<i32>) {
        let mut read = 0;
        let mut buffer = vec![0; 64 << 10];
        while read < LAST_WORDS {
            let IoOutcome::Some(count) = self.agent.read(&mut buffer) else { break };
            read += count;
            self.log.write(&buffer[..count]);
            self.terminal.take(&buffer[..count]);
            self.show(&buffer[..count]);
        }
        let ended = Ended { code, signal, at: self.clock.now(), stopped: self.ending.asked };
        self.ending.ended = Some(ended);
        let screen = self.screen();
        let _ = files::write(&files::last(&self.dir), &screen);
        // The space for this was allocated at the start; if it fails all the same, followers are still notified.
        let _ = self.exit.write(&ended);
        for effect in self.keys.clear() {
            self.answer_effect(&effect, TypingStatus::Unsure);
        }
        for peer in self.peers.iter_mut().filter(|peer| peer.follows.is_some() || peer.joined.is_some()) {
            peer.tell(&Reply::Exited { ended });
        }
        self.begin_end(self.spec.grace, false);
    }
}
