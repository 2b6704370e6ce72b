//! Ends an agent and all that it started.

/// What came of stopping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// Processes that could not be ended, by id: another user's, or stuck in the kernel. Empty as a rule.
    pub left: Vec<u32>,
}
