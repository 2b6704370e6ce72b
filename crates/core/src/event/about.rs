//! What an event is about: a decision, a job or crew, a rule, a run.

use super::Event;
use crate::about::Requested;
use crate::run::ObjectId;
use crate::{DecisionId, Owner, OwnerKind};

impl Event {
    /// Returns the decision it is about, if any.
    pub fn decision(&self) -> Option<DecisionId> {
        match self {
            Self::Created(decision) => Some(decision.id),
            Self::Revised(revised) => Some(revised.id),
            Self::Voted(voted) => Some(voted.id),
            Self::Escalated(escalated) => Some(escalated.id),
            Self::Remarked(remarked) => Some(remarked.id),
            Self::VotesCleared { id, .. }
            | Self::Drafted { id, .. }
            | Self::Taken { id, .. }
            | Self::Snoozed { id, .. }
            | Self::Resolved { id, .. }
            | Self::Refined { id, .. }
            | Self::Expired { id, .. }
            | Self::Cancelled { id, .. }
            | Self::Superseded { id, .. }
            | Self::Consumed { id, .. }
            | Self::Reported { id, .. }
            | Self::Removed { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// Returns the project and the job or crew it is about, if any.
    pub fn job(&self) -> Option<(&str, Owner)> {
        match self {
            Self::JobCreated(job) | Self::CrewCreated(job) => Some((&job.project, job.owner())),
            Self::JobClaimed { of, .. }
            | Self::JobAdvanced { of, .. }
            | Self::JobRetried { of, .. }
            | Self::StepResumed { of, .. }
            | Self::StepFailed { of, .. } => Some((&of.project, of.owner.clone())),
            Self::StepStarted(started) => Some((&started.of.project, started.of.owner.clone())),
            Self::StepWaiting(waiting) => Some((&waiting.of.project, waiting.of.owner.clone())),
            Self::StepMissed(missed) => Some((&missed.of.project, missed.of.owner.clone())),
            Self::StepAttempted(attempted) => Some((&attempted.of.project, attempted.of.owner.clone())),
            Self::JobSuspend(Requested { of, .. }) | Self::JobDeleted(Requested { of, .. }) => {
                Some((&of.project, of.owner.clone()))
            }
            Self::JobResume { act, .. } | Self::JobCancel(act) | Self::StepCompleted(act) => {
                Some((&act.project, Owner::new(OwnerKind::Job, &act.id)))
            }
            Self::CrewResume { act, .. } | Self::CrewCancel(act) | Self::CrewUpdated { act, .. } => {
                Some((&act.project, Owner::new(OwnerKind::Crew, &act.id)))
            }
            Self::SessionInput { act, owner, .. } | Self::SessionRespond { act, owner, .. } => {
                Some((&act.project, owner.clone()))
            }
            _ => None,
        }
    }

    /// Returns the rule or policy it is about, and its project, if any.
    pub fn rule(&self) -> Option<(&str, &str)> {
        match self {
            Self::RuleCreated(rule) => Some((&rule.id, &rule.project)),
            Self::PolicyAdded(policy) => Some((&policy.id, &policy.project)),
            Self::PolicyRemoved { id, project, .. }
            | Self::RuleRevoked { id, project, .. }
            | Self::RuleUsed { id, project, .. }
            | Self::RuleExhausted { id, project }
            | Self::RuleExpired { id, project }
            | Self::RuleTripped { id, project, .. }
            | Self::RuleResumed { id, project, .. }
            | Self::RuleDismissed { id, project, .. } => Some((id, project)),
            _ => None,
        }
    }

    /// Returns the run it is about, and its project, if any.
    pub fn run(&self) -> Option<(ObjectId, &str)> {
        match self {
            Self::RunStarted(run) => Some((run.id, &run.project)),
            Self::RunImported { id, project, .. }
            | Self::RunPatched { id, project, .. }
            | Self::RunEvidenced { id, project, .. }
            | Self::RunUsed { id, project, .. }
            | Self::RunRecorded { id, project, .. }
            | Self::RunCommented { id, project, .. }
            | Self::RunAsked { id, project, .. }
            | Self::RunDecided { id, project, .. } => Some((*id, project)),
            _ => None,
        }
    }
}
