//! Turns observations into signals, each reported once.

use std::time::Duration;

use super::fault::{LineContext, find_error, find_last_error};
use super::patterns::{Pattern, Patterns};
use super::prompt::find_prompt;
use super::signal::{ErrorKind, Notice, Observation, Prompt, Signal};
use super::still::is_still;

/// How long something must last before it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long a prompt must stay unchanged.
    pub prompt: Duration,
    /// How long an error must stay unchanged.
    pub error: Duration,
    /// How long an error must be the last line if the agent does not wait for input.
    pub error_busy: Duration,
    /// How long the agent must be quiet if a process is known to wait for terminal input.
    pub idle_waiting: Duration,
    /// How long it must be quiet if that is unknown.
    pub idle_quiet: Duration,
    /// After how long a first sign of idleness is checked again.
    pub recheck: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            prompt: Duration::from_millis(150),
            error: Duration::from_secs(2),
            error_busy: Duration::from_secs(40),
            idle_waiting: Duration::from_secs(2),
            idle_quiet: Duration::from_secs(60),
            recheck: Duration::from_secs(1),
        }
    }
}

/// How long a "working" text counts while the screen stands still and the agent takes input.
const WORKS_QUIETLY: Duration = Duration::from_secs(60);

/// The result of one observation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// The new signal; none if nothing has changed.
    pub signal: Option<Signal>,
    /// When to observe again even if nothing changes; none if only a change can tell more.
    pub look_again: Option<Duration>,
}

/// Watches one agent through observations.
#[derive(Clone, Debug)]
pub struct Detector {
    patterns: Patterns,
    timing: Timing,
    said: Option<Signal>,
    /// The screen at the last signal.
    said_on: Vec<String>,
    /// When the screen began to contradict the last signal, or to suggest the next one.
    doubt_since: Option<Duration>,
    /// The screen at that time.
    doubt_on: Vec<String>,
    /// The screen at the first observation since the last signal was forgotten.
    first_on: Option<Vec<String>>,
    /// The last error that was said, and where it stood.
    told: Option<(String, LineContext)>,
    /// How long to wait before looking again at an agent that is quiet and busy.
    pause: Duration,
    /// Whether hooks report for this agent.
    hooked: bool,
    /// Whether they also report that it is idle.
    says_idle: bool,
}

/// The shortest and the longest pause between observations of a quiet, busy agent.
const MIN_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// How many lines from the bottom are searched for what an agent is doing.
const DEPTH: usize = 12;

impl Detector {
    /// Makes a detector without observations.
    pub fn new(patterns: Patterns, timing: Timing) -> Self {
        Self {
            patterns,
            timing,
            said: None,
            said_on: Vec::new(),
            doubt_since: None,
            doubt_on: Vec::new(),
            first_on: None,
            told: None,
            pause: MIN_PAUSE,
            hooked: false,
            says_idle: false,
        }
    }

    /// Processes one observation. A signal is returned when it first holds, and again only after another one.
    pub fn observe(&mut self, seen: &Observation) -> Detection {
        if let Some((code, signal)) = seen.exit {
            return self.say(Signal::Dead { code, signal }, seen);
        }
        match seen.notices.last() {
            Some(notice) => self.heed(notice, seen),
            None => self.inspect(seen),
        }
    }

    /// Returns the last signal.
    pub fn last_signal(&self) -> Option<&Signal> {
        self.said.as_ref()
    }

    /// Forgets the last signal, so that it is reported again if it still holds: after keys were typed, or a restart.
    pub fn forget(&mut self) {
        self.said = None;
        self.doubt_since = None;
        self.first_on = None;
    }

    fn heed(&mut self, notice: &Notice, seen: &Observation) -> Detection {
        self.hooked = true;
        self.says_idle |= *notice == Notice::Idle;
        let signal = match notice.clone() {
            Notice::Working => Signal::Working,
            Notice::Idle => Signal::Idle,
            Notice::Prompt { prompt } => Signal::Prompt { prompt },
            Notice::Error { kind, text } => Signal::Error { kind, text },
        };
        self.say(signal, seen)
    }

    /// Judges by the screen, by how long it has been quiet, and by whether a process waits for input.
    fn inspect(&mut self, seen: &Observation) -> Detection {
        if self.first_on.is_none() {
            self.first_on = Some(seen.screen.rows.clone());
        }
        // An agent that works keeps changing its screen; an old "working" text may be left above an input line.
        let takes_input = seen.waiting_for_input == Some(true) || shows(seen, &self.patterns.ready);
        let stands_still = takes_input && seen.quiet_for >= WORKS_QUIETLY;
        if !stands_still && shows(seen, &self.patterns.working) {
            return self.say(Signal::Working, seen).recheck_after(MAX_PAUSE);
        }
        if let Some(prompt) = find_prompt(seen, &self.patterns) {
            let left = self.timing.prompt.saturating_sub(seen.quiet_for);
            return if left.is_zero() {
                self.say_prompt(prompt, seen)
            } else {
                Detection::default().recheck_after(left)
            };
        }
        match self.said {
            Some(Signal::Prompt { .. }) => return self.look_whether_gone(seen),
            Some(Signal::Idle | Signal::Error { .. }) => return self.look_whether_it_goes_on(seen),
            Some(Signal::Working | Signal::Dead { .. }) | None => {}
        }
        if seen.waiting_for_input == Some(false) {
            // It works or sleeps without output. At some point it may wait without showing it.
            self.pause = (self.pause * 2).min(MAX_PAUSE);
            // An error in the last line counts if nothing follows for long: an agent that sleeps after it is stuck.
            let Some((kind, text)) = find_last_error(&seen.screen, &self.patterns) else {
                return self.say(Signal::Working, seen).recheck_after(self.pause);
            };
            let left = self.timing.error_busy.saturating_sub(seen.quiet_for);
            if left.is_zero() {
                return self.say(Signal::Error { kind, text }, seen);
            }
            return self.say(Signal::Working, seen).recheck_after(left.min(self.pause));
        }
        match self.find_new_error(seen) {
            Some((kind, text)) if seen.quiet_for >= self.timing.error => {
                self.say(Signal::Error { kind, text }, seen)
            }
            Some(_) => self
                .say_working_if_changed(seen)
                .recheck_after(self.timing.error.saturating_sub(seen.quiet_for)),
            None => self.look_whether_idle(seen),
        }
    }

    /// Returns the error on the screen, unless it was reported before and the agent has gone on below it.
    fn find_new_error(&self, seen: &Observation) -> Option<(ErrorKind, String)> {
        let (kind, text) = find_error(&seen.screen, &self.patterns)?;
        let told = self.told.as_ref().filter(|(told, _)| *told == text);
        let around = told.and_then(|_| LineContext::of(&text, &seen.screen));
        let is_old = told.zip(around).is_some_and(|((_, before), around)| around.is_left_behind(before));
        (!is_old).then_some((kind, text))
    }

    fn look_whether_idle(&mut self, seen: &Observation) -> Detection {
        let needed = match seen.waiting_for_input {
            Some(true) => self.timing.idle_waiting,
            // Unknown or not checked. Where hooks report idleness, it takes longer to conclude it without them.
            _ if self.says_idle => self.timing.idle_quiet * 5,
            _ if shows(seen, &self.patterns.ready) => self.timing.idle_waiting,
            _ => self.timing.idle_quiet,
        };
        if seen.quiet_for < needed {
            self.doubt_since = None;
            let first = self.timing.idle_waiting.saturating_sub(seen.quiet_for);
            let rest = needed.saturating_sub(seen.quiet_for).min(MAX_PAUSE);
            return self.say_working_if_changed(seen).recheck_after(if first.is_zero() {
                rest
            } else {
                first
            });
        }
        // One observation is no proof: the screen must look the same a while later.
        if self.doubted_for(seen).is_some_and(|time| time >= self.timing.recheck)
            && is_still(&self.doubt_on, &seen.screen.rows)
        {
            return self.say(Signal::Idle, seen);
        }
        self.doubt(seen);
        Detection::default().recheck_after(self.timing.recheck)
    }

    /// Handles an agent that has not been quiet long enough to be idle. That alone does not mean that it works: its
    /// last output may be older than this detector, and older than a question that a person was asked since. Only an
    /// observed change is work.
    fn say_working_if_changed(&mut self, seen: &Observation) -> Detection {
        let changed = self.first_on.as_ref().is_some_and(|first| !is_still(first, &seen.screen.rows));
        if changed || self.said.is_some() { self.say(Signal::Working, seen) } else { Detection::default() }
    }

    /// After a prompt: a prompt that is being redrawn disappears for a moment only.
    fn look_whether_gone(&mut self, seen: &Observation) -> Detection {
        let gone_for = self.doubt(seen);
        // As long as the prompt is still on the screen, one sign that nothing waits for input is little proof.
        let stands = is_still(&self.said_on, &seen.screen.rows);
        let needed = if stands { self.timing.recheck * 2 } else { self.timing.prompt * 2 };
        if gone_for >= needed {
            return self.say(Signal::Working, seen).recheck_after(MIN_PAUSE);
        }
        Detection::default().recheck_after(needed.saturating_sub(gone_for))
    }

    /// After idle or an error: one burst of output is an echo or a clock; continued change is work.
    fn look_whether_it_goes_on(&mut self, seen: &Observation) -> Detection {
        if is_still(&self.said_on, &seen.screen.rows) {
            self.doubt_since = None;
            return Detection::default();
        }
        let changing_for = self.doubt(seen);
        if seen.quiet_for >= self.timing.recheck {
            let second_burst_after = changing_for.saturating_sub(seen.quiet_for);
            if second_burst_after >= self.timing.prompt * 2 && !is_still(&self.doubt_on, &seen.screen.rows) {
                // This is not an echo, but the agent's reaction to what was typed.
                return self.say(Signal::Working, seen).recheck_after(MIN_PAUSE);
            }
            // It fell silent again at once. A different error is still reported.
            self.doubt_since = None;
            self.said_on.clone_from(&seen.screen.rows);
            let error = self.find_new_error(seen).map(|(kind, text)| Signal::Error { kind, text });
            return error.map_or_else(Detection::default, |error| self.say(error, seen));
        }
        if changing_for >= self.timing.recheck && seen.quiet_for < self.timing.recheck / 2 {
            return self.say(Signal::Working, seen).recheck_after(MIN_PAUSE);
        }
        Detection::default().recheck_after(self.timing.recheck)
    }

    /// Starts a doubt if there is none, and returns how long it has lasted.
    fn doubt(&mut self, seen: &Observation) -> Duration {
        if self.doubt_since.is_none() {
            self.doubt_since = Some(seen.at);
            self.doubt_on.clone_from(&seen.screen.rows);
        }
        self.doubted_for(seen).unwrap_or_default()
    }

    fn doubted_for(&self, seen: &Observation) -> Option<Duration> {
        self.doubt_since.map(|since| seen.at.saturating_sub(since))
    }

    /// Reports a prompt. If a hook has reported the same kind of prompt, that one is kept, because hooks are more
    /// precise.
    fn say_prompt(&mut self, prompt: Prompt, seen: &Observation) -> Detection {
        let told = match &self.said {
            Some(Signal::Prompt { prompt: told }) if self.hooked => Some(std::mem::discriminant(told)),
            _ => None,
        };
        if told == Some(std::mem::discriminant(&prompt)) {
            self.said_on.clone_from(&seen.screen.rows);
            self.doubt_since = None;
            return Detection::default();
        }
        self.say(Signal::Prompt { prompt }, seen)
    }

    fn say(&mut self, signal: Signal, seen: &Observation) -> Detection {
        if signal != Signal::Working {
            self.pause = MIN_PAUSE;
        }
        self.doubt_since = None;
        self.said_on.clone_from(&seen.screen.rows);
        let new = self.said.as_ref() != Some(&signal);
        if let (true, Signal::Error { text, .. }) = (new, &signal) {
            self.told = LineContext::of(text, &seen.screen).map(|around| (text.clone(), around));
        }
        if new {
            self.said = Some(signal.clone());
        }
        Detection { signal: new.then_some(signal), look_again: None }
    }
}

impl Detection {
    fn recheck_after(self, wait: Duration) -> Self {
        Self { look_again: Some(wait.max(Duration::from_millis(10))), ..self }
    }
}

/// Returns whether one of the lowest lines matches one of the patterns.
fn shows(seen: &Observation, patterns: &[Pattern]) -> bool {
    let mut rows = seen.screen.rows.iter().rev().filter(|row| !row.trim().is_empty()).take(DEPTH);
    rows.any(|row| patterns.iter().any(|pattern| pattern.matches(row)))
}
