//! The processes that a command of ours has started.

use rustix::process::{Pid, Signal, kill_process_group};

/// Ends what a command left behind when dropped, even if nothing waits for it any more. The command leads its own
/// process group.
#[derive(Debug)]
pub(crate) struct Group(pub(crate) Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}
