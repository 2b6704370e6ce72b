//! The commands that callers send.

use serde_json::Value;

use crate::credential::{PasswordHash, SecretHash};
use crate::decision::{AnswerInput, Attention, DraftInput, New, NewRemark, Requirements, Revision};
use crate::job::JobCommand;
use crate::log::LogCommand;
use crate::people::{AbsenceCommand, GroupChange, PolicyCommand};
use crate::rule::RuleCommand;
use crate::run::{ObjectId, RunCommand};
use crate::thread::{NewThread, Post};
use crate::{DecisionId, Notify, Owner, Permission, ProjectChange, Role, Timestamp};

/// A request to change something.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask a decision.
    Create(Box<New>),
    /// Change what is asked.
    Revise {
        /// The decision.
        id: DecisionId,
        /// What changes.
        revision: Box<Revision>,
    },
    /// Keep values for the person who will finish the answer.
    Draft {
        /// The decision.
        id: DecisionId,
        /// The values, and what goes with them.
        input: Box<DraftInput>,
    },
    /// Take a decision, or snooze it.
    Attend {
        /// The decision.
        id: DecisionId,
        /// The change.
        attention: Attention,
    },
    /// Store a remark that a program from the settings makes on a decision.
    Remark {
        /// The decision.
        id: DecisionId,
        /// The remark.
        remark: Box<NewRemark>,
    },
    /// Answer, or give guidance.
    Answer {
        /// The decision.
        id: DecisionId,
        /// The answer.
        input: Box<AnswerInput>,
    },
    /// Cancel a pending decision.
    Cancel {
        /// The decision.
        id: DecisionId,
        /// The reason.
        reason: Option<String>,
    },
    /// Use an approval.
    Consume {
        /// The decision.
        id: DecisionId,
        /// What the caller is about to do.
        subject: Value,
        /// What the answer must satisfy.
        required: Requirements,
    },
    /// Record that a deadline has passed.
    Expire {
        /// The decision.
        id: DecisionId,
    },
    /// Take the escalation steps that are due because the decision is unanswered.
    Escalate {
        /// The decision.
        id: DecisionId,
    },
    /// Remove the votes of a person who has left.
    ClearVotes {
        /// The decision.
        id: DecisionId,
        /// The person whose votes are removed.
        person: String,
    },
    /// Remove one settled decision because it is old.
    Prune {
        /// The decision.
        id: DecisionId,
    },
    /// End the questions of an owner that ended or was deleted.
    EndOwner {
        /// The project it belongs to.
        project: String,
        /// The owner.
        owner: Owner,
        /// Whether it was deleted, rather than ended.
        deleted: bool,
    },
    /// Add a work item.
    CreateItem {
        /// The project it belongs to.
        project: String,
        /// Its id.
        id: String,
        /// Its title.
        title: Option<String>,
    },
    /// Open a thread.
    CreateThread(Box<NewThread>),
    /// Post a message to a thread.
    Post(Box<Post>),
    /// Change a project's settings.
    UpdateProject {
        /// Its name.
        name: String,
        /// What changes.
        change: ProjectChange,
    },
    /// Make, end or resume a standing rule.
    Rule {
        /// The project it applies to.
        project: String,
        /// The change.
        command: RuleCommand,
    },
    /// Make or end a policy.
    Policy {
        /// The project it applies to.
        project: String,
        /// The change.
        command: PolicyCommand,
    },
    /// Change a group of people, or end it.
    Group {
        /// Its name.
        name: String,
        /// What changes.
        change: GroupChange,
    },
    /// Record that a person is away, or back.
    Absence {
        /// The person.
        person: String,
        /// The change.
        command: AbsenceCommand,
    },
    /// Send a command to a job or crew.
    Job {
        /// The project it belongs to.
        project: String,
        /// The job or crew.
        owner: Owner,
        /// The command.
        command: Box<JobCommand>,
    },
    /// Send a command to a run.
    Run {
        /// The project it belongs to.
        project: String,
        /// The run.
        id: ObjectId,
        /// The command.
        command: Box<RunCommand>,
    },
    /// Make a token.
    CreateToken {
        /// Its id.
        id: String,
        /// The name under which its holder acts.
        name: String,
        /// What it allows.
        role: Role,
        /// The projects it is valid for; all if empty.
        projects: Vec<String>,
        /// What it allows beyond its role.
        permissions: Vec<Permission>,
        /// When it expires.
        expires_at: Option<Timestamp>,
        /// The person it belongs to.
        owner: Option<String>,
        /// The hash of its secret.
        hash: SecretHash,
    },
    /// Revoke a token.
    RevokeToken {
        /// The token.
        id: String,
    },
    /// Add a person, or change what is known about them.
    PutPerson {
        /// The name.
        name: String,
        /// What they may do.
        role: Role,
        /// Where notices go.
        email: Option<String>,
        /// The projects they may see and answer in; all if empty.
        projects: Vec<String>,
        /// The hash of a new password; none keeps the old one.
        password: Option<PasswordHash>,
    },
    /// Let a channel account answer in a person's name, or, without an account, remove the link.
    LinkAccount {
        /// The person's name.
        name: String,
        /// The channel.
        channel: String,
        /// The account, as the channel calls it.
        account: Option<String>,
    },
    /// Set how a person wants to be notified.
    SetNotify {
        /// The person's name.
        name: String,
        /// All preferences; they replace the earlier ones.
        notify: Box<Notify>,
    },
    /// Remove a person, and end their sessions.
    RemovePerson {
        /// The name.
        name: String,
    },
    /// Sign in a person whose password or link was right.
    SignIn {
        /// Their name.
        person: String,
        /// The hash of the session secret that their browser will send.
        session: SecretHash,
        /// When the session ends, unless it is renewed before.
        expires_at: Timestamp,
    },
    /// Set whether only a server that authenticates callers may write to the store.
    SetAuth {
        /// Whether it is required.
        required: bool,
    },
    /// Act on the log itself or its keys.
    Log(LogCommand),
}
