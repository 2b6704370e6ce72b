//! Accounts that nobody linked: whoever finds the bot can write to it, and must not keep it from those whom it is for.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How much of one stranger is looked at within this time, and how many are remembered.
const EACH: usize = 3;
const WHILE: Duration = Duration::from_secs(60);
const REMEMBERED: usize = 1_000;

/// What strangers did of late.
#[derive(Debug, Default)]
pub(super) struct Strangers(HashMap<String, (Instant, usize)>);

/// What is done about something that a stranger did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heed {
    /// It is looked at; it is the first of late, and noted.
    First,
    /// It is looked at.
    Again,
    /// It is passed over.
    Enough,
}

impl Strangers {
    /// Counts something that a stranger did now.
    pub(super) fn heed(&mut self, account: &str, now: Instant) -> Heed {
        if let Some((_, count)) =
            self.0.get_mut(account).filter(|(since, _)| now.duration_since(*since) < WHILE)
        {
            *count += 1;
            return if *count <= EACH { Heed::Again } else { Heed::Enough };
        }
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, (since, _)| now.duration_since(*since) < WHILE);
        }
        if self.0.len() >= REMEMBERED {
            return Heed::Enough;
        }
        self.0.insert(account.to_owned(), (now, 1));
        Heed::First
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_heard_now_and_then_and_only_so_many_are_remembered() {
        let (mut strangers, now) = (Strangers::default(), Instant::now());
        let heard: Vec<Heed> = (0..5).map(|_| strangers.heed("888", now)).collect();
        assert_eq!(heard, [Heed::First, Heed::Again, Heed::Again, Heed::Enough, Heed::Enough]);
        assert_eq!(strangers.heed("889", now), Heed::First);
        assert_eq!(strangers.heed("888", now + WHILE), Heed::First);
        for at in 0..REMEMBERED {
            strangers.heed(&format!("many {at}"), now);
        }
        assert_eq!(strangers.heed("one more", now), Heed::Enough);
        assert!(strangers.0.len() <= REMEMBERED);
        assert_eq!(strangers.heed("one more", now + WHILE), Heed::First, "those of before are forgotten");
    }
}
