//! What happened, as it is written to the log.

mod about;
mod credential;
mod decision;
mod step;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::about::{Act, Of, Requested};
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
pub use step::{StepAttempted, StepStarted, StepWaiting};

/// Something that happened. Its JSON, without `type`, is the body in the log.
///
/// Who caused it was not always written; where it was not, `by` is empty.
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
    /// The votes of people who are gone do not count any more.
    #[serde(rename = "decision:votes_cleared")]
    VotesCleared { id: DecisionId, project: String, cleared: Vec<String>, by: String },
    /// Nobody has answered, and somebody is told, reminded or asked too.
    #[serde(rename = "decision:escalated")]
    Escalated(Box<Escalated>),
    /// A program of the settings remarked on it.
    #[serde(rename = "decision:remarked")]
    Remarked(Box<Remarked>),
    /// Values were given, but not sent.
    #[serde(rename = "decision:drafted")]
    Drafted {
        id: DecisionId,
        project: String,
        draft: Values,
        by: String,
        /// What a conversation must know to go on from here; nobody is shown it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        talk: Option<Value>,
    },
    /// A person is on it, until then; or no longer.
    #[serde(rename = "decision:taken")]
    Taken { id: DecisionId, project: String, by: String, until: Option<Timestamp> },
    /// A person snoozed it, until then; or ended that.
    #[serde(rename = "decision:snoozed")]
    Snoozed { id: DecisionId, project: String, by: String, until: Option<Timestamp> },
    /// A person or an agent answered.
    #[serde(rename = "decision:resolved")]
    Resolved {
        id: DecisionId,
        project: String,
        answer: Answer,
        /// The numbers of what was chosen, as the options are numbered where they are listed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        choices: Vec<usize>,
        /// What was chosen for each question, where several are asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chosen: Vec<Pick>,
    },
    /// A person gave guidance; `next` is open.
    #[serde(rename = "decision:refined")]
    Refined { id: DecisionId, project: String, answer: Answer, next: DecisionId },
    /// The deadline passed.
    #[serde(rename = "decision:expired")]
    Expired { id: DecisionId, project: String, on_timeout: OnTimeout, answer: Option<Answer> },
    /// It was taken back.
    #[serde(rename = "decision:cancelled")]
    Cancelled { id: DecisionId, project: String, reason: Option<String>, by: String, via: String },
    /// A newer one took its place.
    #[serde(rename = "decision:superseded")]
    Superseded { id: DecisionId, project: String, superseded_by: DecisionId },
    /// The approval was used.
    #[serde(rename = "decision:consumed")]
    Consumed {
        id: DecisionId,
        project: String,
        subject_digest: String,
        by: String,
        /// SHA-256 of the idempotency key that it was used under, and of what was sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_digest: Option<String>,
    },
    /// Another party reported the outcome.
    #[serde(rename = "decision:reported")]
    Reported { id: DecisionId, project: String, report: Box<Report> },
    /// It is gone; the log keeps its hashes and forgets its bodies.
    #[serde(rename = "decision:removed")]
    Removed {
        id: DecisionId,
        project: String,
        reason: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A work item became known.
    #[serde(rename = "item:created")]
    ItemCreated {
        id: String,
        project: String,
        title: Option<String>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// A work item is gone, and its decisions with it.
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
    /// Someone said something in a thread.
    #[serde(rename = "thread:posted")]
    ThreadPosted(Box<Posted>),
    /// The other side of a thread is asked for a decision.
    #[serde(rename = "thread:asked")]
    ThreadAsked { id: String, project: String, decision_id: DecisionId },
    /// The other side of a thread is told the outcome of a decision.
    #[serde(rename = "thread:replied")]
    ThreadReplied { id: String, project: String, decision_id: DecisionId },
    /// A thread is gone, and its decisions with it; the log forgets what was said.
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
    /// A rule was taken back.
    #[serde(rename = "rule:revoked")]
    RuleRevoked { id: String, project: String, by: String },
    /// A rule that may answer only so often has answered.
    #[serde(rename = "rule:used")]
    RuleUsed { id: String, project: String, decision_id: DecisionId },
    /// A rule has answered as often as it may.
    #[serde(rename = "rule:exhausted")]
    RuleExhausted { id: String, project: String },
    /// A rule's time is over: recorded with the first ask in its project after that.
    #[serde(rename = "rule:expired")]
    RuleExpired { id: String, project: String },
    /// A rule would have answered too often in too short a time; its author is asked in a decision whether it goes on.
    #[serde(rename = "rule:tripped")]
    RuleTripped {
        id: String,
        project: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision_id: Option<DecisionId>,
    },
    /// A rule that had tripped goes on.
    #[serde(rename = "rule:resumed")]
    RuleResumed { id: String, project: String, by: String },
    /// A rule that was suggested is not to be suggested again.
    #[serde(rename = "rule:dismissed")]
    RuleDismissed { id: String, project: String, by: String },
    /// A project demands something of its decisions.
    #[serde(rename = "policy:added")]
    PolicyAdded(Box<Policy>),
    /// A project does not demand it any more.
    #[serde(rename = "policy:removed")]
    PolicyRemoved { id: String, project: String, by: String },
    /// A group has these members.
    #[serde(rename = "group:updated")]
    GroupUpdated { id: String, members: Vec<String>, by: String },
    /// A group is gone.
    #[serde(rename = "group:removed")]
    GroupRemoved { id: String, by: String },
    /// Somebody is away, and somebody else stands in.
    #[serde(rename = "absence:added")]
    AbsenceAdded(Box<Absence>),
    /// They are back.
    #[serde(rename = "absence:ended")]
    AbsenceEnded { person: String, project: Option<String>, by: String },
    /// A token was made. `fingerprint` is the beginning of the hash of its secret.
    #[serde(rename = "token:created")]
    TokenCreated(Box<TokenCreated>),
    /// A token counts no more.
    #[serde(rename = "token:revoked")]
    TokenRevoked { id: String, by: String },
    /// A person became known, or what is known changed. `fingerprint` is that of the hash of a new password.
    #[serde(rename = "person:updated")]
    PersonUpdated(Box<PersonUpdated>),
    /// A person signed in. `session` is the fingerprint of what their browser shows.
    #[serde(rename = "person:signed_in")]
    SignedIn { id: String, session: String },
    /// A person is gone; the log forgets the address.
    #[serde(rename = "person:removed")]
    PersonRemoved { id: String, by: String },
    /// It was said whether the store is written only by a server that checks who asks.
    #[serde(rename = "auth:updated")]
    AuthUpdated { id: String, required: bool, by: String },
    /// An admin went on from a log that does not run through what was signed.
    #[serde(rename = "log:accepted")]
    LogAccepted {
        id: String,
        reason: String,
        found: String,
        /// What was accepted; without it, whatever stood before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        log: Option<LogDigest>,
        by: String,
    },
    /// One signing key takes the place of another.
    #[serde(rename = "key:rotated")]
    KeyRotated { id: String, from: String, to: String, public_key: String, by: String },
    /// What a signing key writes after this does not count.
    #[serde(rename = "key:revoked")]
    KeyRevoked { id: String, key: String, reason: String, by: String },
    /// A job was started.
    #[serde(rename = "job:created")]
    JobCreated(Box<Job>),
    /// An agent was started without a job.
    #[serde(rename = "crew:created")]
    CrewCreated(Box<Job>),
    /// A node took over supervising it.
    #[serde(rename = "job:claimed")]
    JobClaimed {
        #[serde(flatten)]
        of: Of,
        node: String,
        from: Option<String>,
    },
    /// It went to another step, or ended.
    #[serde(rename = "job:advanced")]
    JobAdvanced {
        #[serde(flatten)]
        of: Of,
        from: String,
        to: String,
        reason: Option<String>,
    },
    /// It is to be suspended.
    #[serde(rename = "job:suspend")]
    JobSuspend(Requested),
    /// Another job tries again what it tried.
    #[serde(rename = "job:retried")]
    JobRetried {
        #[serde(flatten)]
        of: Of,
        next: String,
        run: ObjectId,
        by: String,
    },
    /// It is gone, and its decisions with it.
    #[serde(rename = "job:deleted")]
    JobDeleted(Requested),
    /// A step was begun.
    #[serde(rename = "step:started")]
    StepStarted(Box<StepStarted>),
    /// A person is to decide before the step goes on.
    #[serde(rename = "step:waiting")]
    StepWaiting(Box<StepWaiting>),
    /// What the runbook says was done about something that happened, or will be at a time.
    #[serde(rename = "step:attempted")]
    StepAttempted(Box<StepAttempted>),
    /// The agent goes on by itself.
    #[serde(rename = "step:resumed")]
    StepResumed {
        #[serde(flatten)]
        of: Of,
        step: String,
        reason: String,
    },
    /// The step did not do what it should.
    #[serde(rename = "step:failed")]
    StepFailed {
        #[serde(flatten)]
        of: Of,
        step: String,
        visit: u32,
        error: String,
    },
    /// A run was begun.
    #[serde(rename = "run:started")]
    RunStarted(Box<Run>),
    /// A run that was made elsewhere was brought here, with everything it was read from.
    #[serde(rename = "run:imported")]
    RunImported { id: ObjectId, project: String, run: Box<Run>, objects: Vec<Value>, by: String },
    /// A run proposed a change.
    #[serde(rename = "run:patched")]
    RunPatched { id: ObjectId, project: String, patchset: Box<PatchSet> },
    /// A tool found something about a run.
    #[serde(rename = "run:evidenced")]
    RunEvidenced { id: ObjectId, project: String, evidence: Box<run::Evidence> },
    /// A run used something up.
    #[serde(rename = "run:used")]
    RunUsed { id: ObjectId, project: String, usage: run::Usage, by: String },
    /// Another object was kept with a run.
    #[serde(rename = "run:recorded")]
    RunRecorded { id: ObjectId, project: String, kind: String, object: Value, by: String },
    /// Somebody said something about a line of a patch set.
    #[serde(rename = "run:commented")]
    RunCommented { id: ObjectId, project: String, comment: Box<run::Comment> },
    /// A run's verdict was asked for, for the first time or again.
    #[serde(rename = "run:asked")]
    RunAsked {
        id: ObjectId,
        project: String,
        decision_id: DecisionId,
        reason: Option<String>,
        /// Who gave the verdict at once, where no person is asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judge: Option<run::Judge>,
        by: String,
    },
    /// A run's verdict was carried out.
    #[serde(rename = "run:decided")]
    RunDecided { id: ObjectId, project: String, verdict: Box<RunVerdict> },
    /// The job goes on, its agent told so or started again.
    #[serde(rename = "job:resume")]
    JobResume {
        #[serde(flatten)]
        act: Act,
        restart: bool,
    },
    /// The job is to end.
    #[serde(rename = "job:cancel")]
    JobCancel(Act),
    /// The job's step counts as done.
    #[serde(rename = "step:completed")]
    StepCompleted(Act),
    /// The crew goes on, its agent told so or started again.
    #[serde(rename = "crew:resume")]
    CrewResume {
        #[serde(flatten)]
        act: Act,
        restart: bool,
    },
    /// The crew is to end.
    #[serde(rename = "crew:cancel")]
    CrewCancel(Act),
    /// The crew ended.
    #[serde(rename = "crew:updated")]
    CrewUpdated {
        #[serde(flatten)]
        act: Act,
        status: String,
        reason: String,
    },
    /// Keys for the agent's session.
    #[serde(rename = "session:input")]
    SessionInput {
        #[serde(flatten)]
        act: Act,
        owner: Owner,
        input: String,
    },
    /// The answer to a plan, for the agent's session.
    #[serde(rename = "session:respond")]
    SessionRespond {
        #[serde(flatten)]
        act: Act,
        owner: Owner,
        accept: bool,
        option: Option<u8>,
    },
}
