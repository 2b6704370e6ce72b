//! Events: what happened, as written to the log.

mod about;
mod credential;
mod decision;
mod step;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::about::{OwnerAction, OwnerRef, Requested};
use crate::decision::number::Pick;
use crate::job::Job;
use crate::json::Values;
use crate::log::LogDigest;
use crate::people::{Absence, Policy};
use crate::run::{self, ObjectId, PatchSet, Run, RunVerdict};
use crate::thread::{Posted, Report, Thread};
use crate::{Answer, Decision, DecisionId, OnTimeout, Owner, Rule, Span, Timestamp};

pub use credential::{PersonUpdated, TokenCreated};
pub use decision::{Escalated, Remarked, Revised, Voted};
pub use step::{StepAttempted, StepMissed, StepStarted, StepWaiting};

/// An event. Its JSON, without `type`, is the body in the log.
///
/// Older events do not always name the actor; there `by` is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub enum Event {
    /// A decision was asked.
    #[serde(rename = "decision:created")]
    Created(Box<Decision>),
    /// The asker changed what it asks.
    #[serde(rename = "decision:revised")]
    Revised(Box<Revised>),
    /// A person voted, where several are needed.
    #[serde(rename = "decision:voted")]
    Voted(Box<Voted>),
    /// The votes of people who were removed no longer count.
    #[serde(rename = "decision:votes_cleared")]
    VotesCleared { id: DecisionId, project: String, cleared: Vec<String>, by: String },
    /// The decision stayed unanswered, and people were notified, reminded or added.
    #[serde(rename = "decision:escalated")]
    Escalated(Box<Escalated>),
    /// A program from the settings made a remark.
    #[serde(rename = "decision:remarked")]
    Remarked(Box<Remarked>),
    /// Values were saved, but not sent.
    #[serde(rename = "decision:drafted")]
    Drafted {
        id: DecisionId,
        project: String,
        draft: Values,
        by: String,
        /// The state that a conversation needs to continue; it is not shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        talk: Option<Value>,
    },
    /// A person took it until a time, or released it.
    #[serde(rename = "decision:taken")]
    Taken { id: DecisionId, project: String, by: String, until: Option<Timestamp> },
    /// A person snoozed it until a time, or ended the snooze.
    #[serde(rename = "decision:snoozed")]
    Snoozed { id: DecisionId, project: String, by: String, until: Option<Timestamp> },
    /// A person or an agent answered.
    #[serde(rename = "decision:resolved")]
    Resolved {
        id: DecisionId,
        project: String,
        answer: Answer,
        /// The numbers of the chosen options, as they are listed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        choices: Vec<usize>,
        /// What was chosen for each question, if several are asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chosen: Vec<Pick>,
    },
    /// A person gave guidance; the decision `next` is open.
    #[serde(rename = "decision:refined")]
    Refined { id: DecisionId, project: String, answer: Answer, next: DecisionId },
    /// The deadline passed.
    #[serde(rename = "decision:expired")]
    Expired { id: DecisionId, project: String, on_timeout: OnTimeout, answer: Option<Answer> },
    /// It was cancelled.
    #[serde(rename = "decision:cancelled")]
    Cancelled { id: DecisionId, project: String, reason: Option<String>, by: String, via: String },
    /// A newer decision replaced it.
    #[serde(rename = "decision:superseded")]
    Superseded { id: DecisionId, project: String, superseded_by: DecisionId },
    /// The approval was used.
    #[serde(rename = "decision:consumed")]
    Consumed {
        id: DecisionId,
        project: String,
        subject_digest: String,
        by: String,
        /// SHA-256 of the idempotency key that it was used under, and of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_digest: Option<String>,
    },
    /// Another party reported the outcome.
    #[serde(rename = "decision:reported")]
    Reported { id: DecisionId, project: String, report: Box<Report> },
    /// It was removed; the log keeps the hashes and erases the bodies.
    #[serde(rename = "decision:removed")]
    Removed {
        id: DecisionId,
        project: String,
        reason: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A work item was added.
    #[serde(rename = "item:created")]
    ItemCreated {
        id: String,
        project: String,
        title: Option<String>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A work item was removed, and its decisions with it.
    #[serde(rename = "item:deleted")]
    ItemDeleted {
        id: String,
        project: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A thread was opened.
    #[serde(rename = "thread:created")]
    ThreadCreated(Box<Thread>),
    /// A message was posted to a thread.
    #[serde(rename = "thread:posted")]
    ThreadPosted(Box<Posted>),
    /// The other side of a thread is asked for a decision.
    #[serde(rename = "thread:asked")]
    ThreadAsked { id: String, project: String, decision_id: DecisionId },
    /// The other side of a thread is told the outcome of a decision.
    #[serde(rename = "thread:replied")]
    ThreadReplied { id: String, project: String, decision_id: DecisionId },
    /// A thread was removed, and its decisions with it; the log erases the messages.
    #[serde(rename = "thread:removed")]
    ThreadRemoved { id: String, project: String, by: String },
    /// A project's settings changed.
    #[serde(rename = "project:updated")]
    ProjectUpdated {
        id: String,
        project: String,
        min_timeout: Span,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        verdicts: Vec<run::Judge>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A person made a rule.
    #[serde(rename = "rule:created")]
    RuleCreated(Box<Rule>),
    /// A rule was revoked.
    #[serde(rename = "rule:revoked")]
    RuleRevoked { id: String, project: String, by: String },
    /// A rule with limited uses has answered.
    #[serde(rename = "rule:used")]
    RuleUsed { id: String, project: String, decision_id: DecisionId },
    /// A rule has used up its answers.
    #[serde(rename = "rule:exhausted")]
    RuleExhausted { id: String, project: String },
    /// A rule has expired: recorded with the first question in its project after that.
    #[serde(rename = "rule:expired")]
    RuleExpired { id: String, project: String },
    /// A rule would have answered too often in too short a time; a decision asks its author whether it should continue.
    #[serde(rename = "rule:tripped")]
    RuleTripped {
        id: String,
        project: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision_id: Option<DecisionId>,
    },
    /// A rule that had tripped was resumed.
    #[serde(rename = "rule:resumed")]
    RuleResumed { id: String, project: String, by: String },
    /// A suggested rule was dismissed, and is not suggested again.
    #[serde(rename = "rule:dismissed")]
    RuleDismissed { id: String, project: String, by: String },
    /// A policy was added to a project.
    #[serde(rename = "policy:added")]
    PolicyAdded(Box<Policy>),
    /// A policy was removed from a project.
    #[serde(rename = "policy:removed")]
    PolicyRemoved { id: String, project: String, by: String },
    /// The members of a group were set.
    #[serde(rename = "group:updated")]
    GroupUpdated { id: String, members: Vec<String>, by: String },
    /// A group was removed.
    #[serde(rename = "group:removed")]
    GroupRemoved { id: String, by: String },
    /// A person is away, and another stands in.
    #[serde(rename = "absence:added")]
    AbsenceAdded(Box<Absence>),
    /// A person is back.
    #[serde(rename = "absence:ended")]
    AbsenceEnded { person: String, project: Option<String>, by: String },
    /// A token was created. `fingerprint` is the beginning of the hash of its secret.
    #[serde(rename = "token:created")]
    TokenCreated(Box<TokenCreated>),
    /// A token was revoked.
    #[serde(rename = "token:revoked")]
    TokenRevoked { id: String, by: String },
    /// A person was added, or their data changed. `fingerprint` is that of the hash of a new password.
    #[serde(rename = "person:updated")]
    PersonUpdated(Box<PersonUpdated>),
    /// A person signed in. `session` is the fingerprint of the session secret.
    #[serde(rename = "person:signed_in")]
    SignedIn { id: String, session: String },
    /// A person was removed; the log erases the address.
    #[serde(rename = "person:removed")]
    PersonRemoved { id: String, by: String },
    /// It was set whether only a server that authenticates callers may write to the store.
    #[serde(rename = "auth:updated")]
    AuthUpdated { id: String, required: bool, by: String },
    /// An admin accepted a log that does not match what was signed.
    #[serde(rename = "log:accepted")]
    LogAccepted {
        id: String,
        reason: String,
        found: String,
        /// The log that was accepted; if absent, any earlier state is accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        log: Option<LogDigest>,
        by: String,
    },
    /// A signing key was replaced by another.
    #[serde(rename = "key:rotated")]
    KeyRotated { id: String, from: String, to: String, public_key: String, by: String },
    /// A signing key was revoked: what it signs after this does not count.
    #[serde(rename = "key:revoked")]
    KeyRevoked { id: String, key: String, reason: String, by: String },
    /// A job was started.
    #[serde(rename = "job:created")]
    JobCreated(Box<Job>),
    /// An agent was started without a job.
    #[serde(rename = "crew:created")]
    CrewCreated(Box<Job>),
    /// A node took over supervising a job.
    #[serde(rename = "job:claimed")]
    JobClaimed {
        #[serde(flatten)]
        of: OwnerRef,
        node: String,
        from: Option<String>,
    },
    /// A job went to another step, or ended.
    #[serde(rename = "job:advanced")]
    JobAdvanced {
        #[serde(flatten)]
        of: OwnerRef,
        from: String,
        to: String,
        reason: Option<String>,
    },
    /// A job should be suspended.
    #[serde(rename = "job:suspend")]
    JobSuspend(Requested),
    /// Another job retries what this one tried.
    #[serde(rename = "job:retried")]
    JobRetried {
        #[serde(flatten)]
        of: OwnerRef,
        next: String,
        run: ObjectId,
        by: String,
    },
    /// A job was deleted, and its decisions with it.
    #[serde(rename = "job:deleted")]
    JobDeleted(Requested),
    /// A step was started.
    #[serde(rename = "step:started")]
    StepStarted(Box<StepStarted>),
    /// A step waits for a person's decision.
    #[serde(rename = "step:waiting")]
    StepWaiting(Box<StepWaiting>),
    /// Something was not typed to the agent, or may not have been.
    #[serde(rename = "step:missed")]
    StepMissed(Box<StepMissed>),
    /// The runbook's action on a trigger was taken, or is scheduled.
    #[serde(rename = "step:attempted")]
    StepAttempted(Box<StepAttempted>),
    /// The agent continues by itself.
    #[serde(rename = "step:resumed")]
    StepResumed {
        #[serde(flatten)]
        of: OwnerRef,
        step: String,
        reason: String,
    },
    /// A step failed.
    #[serde(rename = "step:failed")]
    StepFailed {
        #[serde(flatten)]
        of: OwnerRef,
        step: String,
        visit: u32,
        error: String,
    },
    /// A run was started.
    #[serde(rename = "run:started")]
    RunStarted(Box<Run>),
    /// A run that was made elsewhere was imported, with the objects it was read from.
    #[serde(rename = "run:imported")]
    RunImported { id: ObjectId, project: String, run: Box<Run>, objects: Vec<Value>, by: String },
    /// A run proposed a change.
    #[serde(rename = "run:patched")]
    RunPatched { id: ObjectId, project: String, patchset: Box<PatchSet> },
    /// A tool added evidence to a run.
    #[serde(rename = "run:evidenced")]
    RunEvidenced { id: ObjectId, project: String, evidence: Box<run::Evidence> },
    /// A run reported usage.
    #[serde(rename = "run:used")]
    RunUsed { id: ObjectId, project: String, usage: run::Usage, by: String },
    /// Another object was stored with a run.
    #[serde(rename = "run:recorded")]
    RunRecorded { id: ObjectId, project: String, kind: String, object: Value, by: String },
    /// A line of a patch set was commented on.
    #[serde(rename = "run:commented")]
    RunCommented { id: ObjectId, project: String, comment: Box<run::Comment> },
    /// A run's verdict was asked for, for the first time or again.
    #[serde(rename = "run:asked")]
    RunAsked {
        id: ObjectId,
        project: String,
        decision_id: DecisionId,
        reason: Option<String>,
        /// The judge that gave the verdict at once, if no person is asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judge: Option<run::Judge>,
        by: String,
    },
    /// A run's verdict was carried out.
    #[serde(rename = "run:decided")]
    RunDecided { id: ObjectId, project: String, verdict: Box<RunVerdict> },
    /// The job should continue: its agent is told so, or is started again.
    #[serde(rename = "job:resume")]
    JobResume {
        #[serde(flatten)]
        act: OwnerAction,
        restart: bool,
    },
    /// The job should end.
    #[serde(rename = "job:cancel")]
    JobCancel(OwnerAction),
    /// The job's step counts as done.
    #[serde(rename = "step:completed")]
    StepCompleted(OwnerAction),
    /// The crew should continue: its agent is told so, or is started again.
    #[serde(rename = "crew:resume")]
    CrewResume {
        #[serde(flatten)]
        act: OwnerAction,
        restart: bool,
    },
    /// The crew should end.
    #[serde(rename = "crew:cancel")]
    CrewCancel(OwnerAction),
    /// The crew ended.
    #[serde(rename = "crew:updated")]
    CrewUpdated {
        #[serde(flatten)]
        act: OwnerAction,
        status: String,
        reason: String,
    },
    /// Input for the agent's session.
    #[serde(rename = "session:input")]
    SessionInput {
        #[serde(flatten)]
        act: OwnerAction,
        owner: Owner,
        input: String,
    },
    /// The answer to a plan, for the agent's session.
    #[serde(rename = "session:respond")]
    SessionRespond {
        #[serde(flatten)]
        act: OwnerAction,
        owner: Owner,
        accept: bool,
        option: Option<u8>,
    },
}
