//! The table of results: the figure, what it is compared with, and whether it is good enough.

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use crate::Result;

/// A measured quantity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    /// A duration.
    Time(Duration),
    /// A rate per second.
    Rate(f64),
    /// An amount of memory, in KiB.
    Memory(f64),
    /// A count.
    Count(f64),
}

/// The criterion for a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// The figure itself is below this.
    Under(Quantity),
    /// At most this many times the peer.
    AtMost(f64),
    /// At least this many times the peer.
    AtLeast(f64),
    /// No criterion; shown for information.
    None,
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) measured: Quantity,
    pub(crate) peer: Option<(Quantity, &'static str)>,
    pub(crate) target: Target,
}

impl Quantity {
    fn value(self) -> f64 {
        match self {
            Self::Time(time) => time.as_secs_f64(),
            Self::Rate(value) | Self::Memory(value) | Self::Count(value) => value,
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) if time.as_micros() < 1_000 => write!(f, "{} µs", time.as_micros()),
            Self::Time(time) => write!(f, "{:.2} ms", time.as_secs_f64() * 1e3),
            Self::Rate(rate) => write!(f, "{rate:.0} /s"),
            Self::Memory(kib) => write!(f, "{kib:.0} KiB"),
            Self::Count(count) => write!(f, "{count:.0}"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Under(most) => write!(f, "under {most}"),
            Self::AtMost(most) => write!(f, "≤ {most} ×"),
            Self::AtLeast(least) => write!(f, "≥ {least} ×"),
            Self::None => f.write_str("-"),
        }
    }
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        self.peer.map(|(peer, _)| self.measured.value() / peer.value()).filter(|ratio| ratio.is_finite())
    }

    fn met(&self) -> Option<bool> {
        match self.target {
            Target::Under(most) => Some(self.measured.value() < most.value()),
            Target::AtMost(most) => self.ratio().map(|ratio| ratio <= most),
            Target::AtLeast(least) => self.ratio().map(|ratio| ratio >= least),
            Target::None => None,
        }
    }

    fn cells(&self) -> [String; 6] {
        let dash = || "-".to_owned();
        [
            self.what.clone(),
            self.measured.to_string(),
            self.peer.map_or_else(dash, |(peer, name)| format!("{peer} {name}")),
            self.ratio().map_or_else(dash, |ratio| format!("{ratio:.2} ×")),
            self.target.to_string(),
            self.met().map_or_else(dash, |met| if met { "yes" } else { "NO" }.to_owned()),
        ]
    }
}

/// Prints the table, as Markdown that is also aligned in a terminal.
pub(crate) fn print(rows: &[Row]) -> Result<()> {
    let head = ["what", "measured", "limit or peer in the same run", "ratio", "target", "met"];
    let lines: Vec<[String; 6]> = rows.iter().map(Row::cells).collect();
    let widths: [usize; 6] = std::array::from_fn(|at| {
        let cells = lines.iter().map(|line| line[at].chars().count());
        cells.chain([head[at].chars().count()]).max().unwrap_or_default()
    });
    let mut out = std::io::stdout().lock();
    let mut print = |cells: [&str; 6]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "| {} |", padded.collect::<Vec<_>>().join(" | "))
    };
    print(head)?;
    let rules = widths.map(|width| "-".repeat(width));
    print(std::array::from_fn(|at| rules[at].as_str()))?;
    for line in &lines {
        print(std::array::from_fn(|at| line[at].as_str()))?;
    }
    Ok(())
}
