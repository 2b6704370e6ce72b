//! The status of a run and its task, on the run's page.

use holdpoint_core::Run;
use holdpoint_core::run::Standing;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_protocols::gitai::state::TaskState;
use maud::{Markup, html};

use crate::view_model::run;

/// Describes the status of a run in a word or two.
pub(super) fn word(standing: &Standing) -> &'static str {
    match standing {
        Standing::Running => "running",
        Standing::Waiting { trouble: None, .. } => "waiting for review",
        Standing::Waiting { trouble: Some(_), .. } => "asked again",
        Standing::Carrying { .. } => "being carried out",
        Standing::Withdrawn { .. } => "withdrawn",
        Standing::Unanswered { .. } => "unanswered",
        Standing::Committed => "commit",
        Standing::Checkpointed => "checkpoint",
        Standing::Retried => "retry",
        Standing::Abandoned => "abandon",
        Standing::RolledBack => "rollback",
    }
}

/// Renders the link to the question about a run, while it can be answered.
pub(super) fn back_to_verdict(standing: Option<&Standing>) -> Markup {
    html! {
        @if let Some(Standing::Waiting { decision, .. }) = standing {
            p .back { a href={ "/d/" (decision) } { "← Back to the verdict" } }
        }
    }
}

/// Renders the job, and a banner for a verdict that is being carried out or a question without an outcome.
pub(super) fn of_run(run: &Run, standing: Option<&Standing>, job_name: Option<&str>) -> Markup {
    html! {
        @if let Some(job) = &run.job { p .asks { "Job " a href={ "/jobs/" (job) } { (inert_line(job_name.unwrap_or(job))) } " works on it." } }
        @match standing {
            Some(Standing::Carrying { decision, verdict, by, trouble, .. }) => {
                p .banner {
                    a href={ "/d/" (decision) } { (verdict.name()) } " by " bdi { (inert_line(by)) } " is being carried out."
                    @if let Some(trouble) = trouble { " It failed so far: " span .pre { (inert(trouble)) } }
                }
            }
            Some(Standing::Withdrawn { decision, reason }) => {
                p .banner {
                    a href={ "/d/" (decision) } { "The question about it" } " was taken back"
                    @if let Some(reason) = reason { ": " bdi { (inert_line(reason)) } } "."
                }
            }
            Some(Standing::Unanswered { .. }) => p .banner { "Nobody answered. Finish the run again to ask once more." },
            _ => {}
        }
    }
}

/// Renders the state of the task: what is released, which intents are open, which plan counts.
pub(super) fn of_task(state: &TaskState) -> Markup {
    html! {
        dl .facts #task-state {
            @for (what, how) in run::state(state) { div { dt { (what) } dd dir="auto" { (how) } } }
        }
    }
}
