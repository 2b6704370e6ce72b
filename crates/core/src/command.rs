//! What the outside asks for.

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

/// What the outside asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask.
    Create(Box<New>),
    /// Change what is asked.
    Revise {
        /// The decision.
        id: DecisionId,
        /// What changes.
        revision: Box<Revision>,
    },
    /// Keep values for the person who finishes the answer.
    Draft {
        /// The decision.
        id: DecisionId,
        /// The values, and what goes with them.
        input: Box<DraftInput>,
    },
    /// Take it, or snooze it.
    Attend {
        /// The decision.
        id: DecisionId,
        /// Which.
        attention: Attention,
    },
    /// Keep what a program of the settings remarks on it.
    Remark {
        /// The decision.
        id: DecisionId,
        /// What it says.
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
        /// Why.
        reason: Option<String>,
    },
    /// Use an approval.
    Consume {
        /// The decision.
        id: DecisionId,
        /// What is about to be done.
        subject: Value,
        /// What the answer must be like.
        required: Requirements,
    },
    /// Record that a deadline has passed.
    Expire {
        /// The decision.
        id: DecisionId,
    },
    /// Do what is due because nobody has answered.
    Escalate {
        /// The decision.
        id: DecisionId,
    },
    /// Take out the votes of people who are gone.
    ClearVotes {
        /// The decision.
        id: DecisionId,
        /// Whose votes.
        person: String,
    },
    /// Remove one settled decision because it is old.
    Prune {
        /// The decision.
        id: DecisionId,
    },
    /// End the questions of an owner that ended or was deleted.
    EndOwner {
        /// Where it belongs.
        project: String,
        /// The owner.
        owner: Owner,
        /// Whether it was deleted, not only ended.
        deleted: bool,
    },
    /// Add a work item.
    CreateItem {
        /// Where it belongs.
        project: String,
        /// Its name.
        id: String,
        /// What it is about.
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
        /// Where it counts.
        project: String,
        /// What.
        command: RuleCommand,
    },
    /// Make or end a policy.
    Policy {
        /// Where it counts.
        project: String,
        /// What.
        command: PolicyCommand,
    },
    /// Change a group of people, or end it.
    Group {
        /// Its name.
        name: String,
        /// What changes.
        change: GroupChange,
    },
    /// Say that somebody is away, or back.
    Absence {
        /// Who.
        person: String,
        /// What.
        command: AbsenceCommand,
    },
    /// Ask something of a job or crew.
    Job {
        /// Where it belongs.
        project: String,
        /// Which.
        owner: Owner,
        /// What.
        command: Box<JobCommand>,
    },
    /// Ask something of a run.
    Run {
        /// Where it belongs.
        project: String,
        /// Which.
        id: ObjectId,
        /// What.
        command: Box<RunCommand>,
    },
    /// Make a token.
    CreateToken {
        /// Its id.
        id: String,
        /// Under which name its holder acts.
        name: String,
        /// What it allows.
        role: Role,
        /// Where it counts; everywhere if empty.
        projects: Vec<String>,
        /// What it allows beyond its role.
        permissions: Vec<Permission>,
        /// From when on it counts no more.
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
    /// Make a person known, or change what is known.
    PutPerson {
        /// The name.
        name: String,
        /// What they may do.
        role: Role,
        /// Where notices go.
        email: Option<String>,
        /// Where they may look and answer; everywhere if empty.
        projects: Vec<String>,
        /// The hash of a new password; the old one stays if none.
        password: Option<PasswordHash>,
    },
    /// Let an account of a channel answer in a person's name, or, without one, no account any more.
    LinkAccount {
        /// The person's name.
        name: String,
        /// The channel.
        channel: String,
        /// The account, as the channel calls it.
        account: Option<String>,
    },
    /// Say how a person wants to be told.
    SetNotify {
        /// The person's name.
        name: String,
        /// All of it; what was said before counts no more.
        notify: Box<Notify>,
    },
    /// Forget a person, and end their sessions.
    RemovePerson {
        /// The name.
        name: String,
    },
    /// Let someone in whose password or link was right.
    SignIn {
        /// Their name.
        person: String,
        /// The hash of what their browser shows from now on.
        session: SecretHash,
        /// Until when that counts, unless they come back before.
        expires_at: Timestamp,
    },
    /// Say whether the store is written only by a server that checks who asks.
    SetAuth {
        /// Whether it is.
        required: bool,
    },
    /// Do something about the log itself or its keys.
    Log(LogCommand),
}
