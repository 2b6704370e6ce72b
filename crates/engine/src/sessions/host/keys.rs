//! Pending keystrokes, in order.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::agent::{Agent, IoOutcome};
use crate::sessions::typing::KeyStroke;

/// Pending keystrokes.
#[derive(Default)]
pub(super) struct KeyQueue {
    items: VecDeque<Item>,
    /// When the first stroke may be typed; none if at once.
    not_before: Option<Instant>,
    /// Whether the terminal accepts no input at the moment.
    blocked: bool,
}

struct Item {
    effect: Option<String>,
    strokes: VecDeque<KeyStroke>,
}

/// The most input that is queued for a person who types by hand, until the agent has read some.
const MOST_WAITING: usize = 64 << 10;

impl KeyQueue {
    /// Queues strokes, for an effect or by hand.
    pub(super) fn push(&mut self, effect: Option<String>, strokes: Vec<KeyStroke>) {
        self.items.push_back(Item { effect, strokes: strokes.into() });
    }

    /// Queues bytes as they are.
    pub(super) fn push_raw(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.push(None, vec![KeyStroke { after: Duration::ZERO, bytes }]);
        }
    }

    /// Returns whether an effect has not been typed completely.
    pub(super) fn holds(&self, effect: &str) -> bool {
        self.items.iter().any(|item| item.effect.as_deref() == Some(effect))
    }

    /// Returns whether no more should be read from clients that type by hand.
    pub(super) fn is_full(&self) -> bool {
        let waiting = self.items.iter().flat_map(|item| &item.strokes).map(|stroke| stroke.bytes.len());
        waiting.sum::<usize>() > MOST_WAITING
    }

    /// Returns whether the terminal must accept input before typing can continue.
    pub(super) fn waits_for_room(&self) -> bool {
        self.blocked && !self.items.is_empty()
    }

    /// Returns when the next stroke is due.
    pub(super) fn next(&self) -> Option<Instant> {
        if self.blocked { None } else { self.not_before }
    }

    /// Notes that the terminal may accept input again.
    pub(super) fn unblock(&mut self) {
        self.blocked = false;
    }

    /// Types what can be typed and returns the finished effects.
    pub(super) fn pump(&mut self, agent: &mut Agent, now: Instant) -> Vec<String> {
        let mut done = Vec::new();
        while !self.blocked && self.not_before.is_none_or(|at| at <= now) {
            let Some(item) = self.items.front_mut() else { break };
            let Some(stroke) = item.strokes.front_mut() else {
                done.extend(self.items.pop_front().and_then(|item| item.effect));
                continue;
            };
            if !stroke.after.is_zero() {
                self.not_before = Some(now + std::mem::take(&mut stroke.after));
                break;
            }
            self.not_before = None;
            match agent.write(&stroke.bytes) {
                IoOutcome::Some(count) => drop(stroke.bytes.drain(..count)),
                IoOutcome::None | IoOutcome::Closed => self.blocked = true,
            }
            if stroke.bytes.is_empty() {
                item.strokes.pop_front();
            }
        }
        done
    }

    /// Drops the rest and returns its effects: the agent is no longer there to read it.
    pub(super) fn clear(&mut self) -> Vec<String> {
        self.items.drain(..).filter_map(|item| item.effect).collect()
    }
}
