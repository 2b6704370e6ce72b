//! Errors, in words that a model can act on.

use holdpoint_engine::Error;
use holdpoint_protocols::mcp::result;
use serde_json::{Map, Value};

/// Returns the result of a call that failed.
pub(super) fn failed(error: &Error) -> Map<String, Value> {
    match error {
        Error::Refused(refusal) => result::refusal(refusal),
        Error::Remote(problem) => {
            let faults: Vec<String> = problem.errors.iter().map(ToString::to_string).collect();
            let detail = if faults.is_empty() { problem.detail.clone() } else { faults.join("\n") };
            let hint = problem.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            result::failure(&format!("{}: {detail}{hint}", problem.code))
        }
        Error::NotFound(_) => result::failure(&format!("not_found: {error}")),
        Error::Ambiguous { .. } | Error::SeveralRuns { .. } => {
            result::failure(&format!("ambiguous: {error}; give more of the id"))
        }
        Error::SeveralJobs(_) => result::failure(&format!("ambiguous: {error}")),
        Error::Unreachable(_) => result::failure(&format!(
            "unreachable: {error}\nNothing was decided. Is the server running? `hold serve` starts one."
        )),
        Error::Removed(_) => result::failure(&format!("removed: {error}; there is no answer")),
        Error::Link(_)
        | Error::Session(_)
        | Error::Store(_)
        | Error::Settings(_)
        | Error::Git(_)
        | Error::Io { .. } => result::failure(&format!("failed: {error}\nNothing was decided.")),
    }
}
