//! Taking turns, and medians of the results.

use std::time::Duration;

use crate::Result;

/// Sorted durations, shortest first.
#[derive(Clone, Debug)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Sorts durations.
    pub(crate) fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// Returns the median.
    pub(crate) fn median(&self) -> Duration {
        self.at(50)
    }

    /// Returns the percentile.
    pub(crate) fn at(&self, percent: usize) -> Duration {
        let setup = (self.0.len() * percent / 100).min(self.0.len().saturating_sub(1));
        self.0.get(setup).copied().unwrap_or_default()
    }
}

/// Runs all sides in turn, this many times, so that a disturbance affects all of them.
pub(crate) fn in_turn<const N: usize>(
    rounds: usize,
    mut sides: [&mut dyn FnMut() -> Result<Duration>; N],
) -> Result<[Times; N]> {
    let mut times = [const { Vec::new() }; N];
    for round in 0..=rounds {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            let time = side()?;
            // The first turn is a warm-up.
            if round > 0 {
                times.push(time);
            }
        }
    }
    Ok(times.map(Times::new))
}

/// Returns the median.
pub(crate) fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}
