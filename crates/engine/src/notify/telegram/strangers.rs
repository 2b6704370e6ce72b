//! Unlinked accounts: anyone who finds the bot can write to it, and must not keep it from its users.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How many actions of one stranger are handled within this time, and how many strangers are remembered.
const EACH: usize = 3;
const WHILE: Duration = Duration::from_secs(60);
const REMEMBERED: usize = 1_000;

/// The recent actions of strangers.
#[derive(Debug, Default)]
pub(super) struct UnlinkedAccounts(HashMap<String, (Instant, usize)>);

/// How to treat an action of a stranger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnlinkedAction {
    /// Handle it and note it: it is the first one recently.
    First,
    /// Handle it.
    Again,
    /// Ignore it.
    Enough,
}

impl UnlinkedAccounts {
    /// Counts an action of an unlinked account.
    pub(super) fn record(&mut self, account: &str, now: Instant) -> UnlinkedAction {
        if let Some((_, count)) =
            self.0.get_mut(account).filter(|(since, _)| now.duration_since(*since) < WHILE)
        {
            *count += 1;
            return if *count <= EACH { UnlinkedAction::Again } else { UnlinkedAction::Enough };
        }
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, (since, _)| now.duration_since(*since) < WHILE);
        }
        if self.0.len() >= REMEMBERED {
            return UnlinkedAction::Enough;
        }
        self.0.insert(account.to_owned(), (now, 1));
        UnlinkedAction::First
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_heard_now_and_then_and_only_so_many_are_remembered() {
        let (mut strangers, now) = (UnlinkedAccounts::default(), Instant::now());
        let heard: Vec<UnlinkedAction> = (0..5).map(|_| strangers.record("888", now)).collect();
        assert_eq!(
            heard,
            [
                UnlinkedAction::First,
                UnlinkedAction::Again,
                UnlinkedAction::Again,
                UnlinkedAction::Enough,
                UnlinkedAction::Enough
            ]
        );
        assert_eq!(strangers.record("889", now), UnlinkedAction::First);
        assert_eq!(strangers.record("888", now + WHILE), UnlinkedAction::First);
        for at in 0..REMEMBERED {
            strangers.record(&format!("many {at}"), now);
        }
        assert_eq!(strangers.record("one more", now), UnlinkedAction::Enough);
        assert!(strangers.0.len() <= REMEMBERED);
        assert_eq!(
            strangers.record("one more", now + WHILE),
            UnlinkedAction::First,
            "those of before are forgotten"
        );
    }
}
