//! What must be loaded before a command can be decided.

use holdpoint_core::job::Report;
use holdpoint_core::run::{self, ObjectId, RunCommand};
use holdpoint_core::thread::ThreadAction;
use holdpoint_core::{Command, Decision, DecisionId, JobCommand, Numbering, Owner, OwnerKind, Role, json};

use super::credential::{self, NamedCredential};
use super::rules::VotedOn;
use super::stream;
use crate::Submission;

/// What must be loaded before a command can be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says that something more is to be loaded")]
pub(crate) struct Needs {
    /// The named decision.
    pub(crate) decision: Option<DecisionId>,
    /// The decisions of an owner in a project.
    pub(crate) siblings: Option<(String, Owner, OwnerScope)>,
    /// Work items, by project and id.
    pub(crate) items: Vec<(String, String)>,
    /// A job or crew, by its stream.
    pub(crate) job: Option<String>,
    /// Runs, by their ids.
    pub(crate) runs: Vec<ObjectId>,
    /// A task, by its id.
    pub(crate) task: Option<ObjectId>,
    /// A thread, by its id.
    pub(crate) thread: Option<String>,
    /// Further named decisions.
    pub(crate) also: Vec<DecisionId>,
    /// A project's settings.
    pub(crate) project: Option<String>,
    /// The project whose standing rules apply.
    pub(crate) rules: Option<String>,
    /// Whether the rules of the named decision's project apply.
    pub(crate) rules_of: RulesOf,
    /// Whether the rules are needed only for policies.
    pub(crate) policies_alone: bool,
    /// Whether the groups of people are needed in any case.
    pub(crate) roster: bool,
    /// Whether the named decisions may get votes.
    pub(crate) votes: bool,
    /// The person who answers or attends to the named decision, and may stand in for another person.
    pub(crate) person: Option<String>,
    /// Whether an escalation step of the named decision is taken.
    pub(crate) escalates: bool,
    /// The idempotency key, to find out whether it was used before, and for which decision.
    pub(crate) key: Option<KeyScope>,
    /// The named token or person.
    pub(crate) credential: Option<NamedCredential>,
    /// The link that is used up.
    pub(crate) link: Option<String>,
    /// The credential whose usage is checked against its quota.
    pub(crate) usage: Option<String>,
    /// Streams other than those of decisions that may get an event.
    pub(crate) streams: Vec<String>,
}

/// Whether the rules of a decision's project are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RulesOf {
    /// They are not needed.
    #[default]
    None,
    /// They are needed for any decision.
    Any,
    /// They are needed if the decision asks whether a rule should continue.
    AboutRule,
}

impl RulesOf {
    /// Returns the project whose rules are needed with a decision.
    pub(crate) fn project(self, decision: &Decision) -> Option<&str> {
        let is_needed = match self {
            Self::None => false,
            Self::Any => true,
            Self::AboutRule => decision.rule.is_some(),
        };
        is_needed.then_some(&decision.project)
    }
}

/// How many of an owner's decisions are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnerScope {
    /// The pending ones.
    Pending,
    /// All of them.
    All,
}

/// The scope of an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KeyScope {
    /// The project.
    pub(crate) project: String,
    /// The credential; empty if there is none.
    pub(crate) credential: String,
    /// The key.
    pub(crate) key: String,
}

impl KeyScope {
    /// Returns the digest of a request that is stored with its decision, so that the table of keys alone cannot point
    /// to another decision.
    pub(super) fn request_digest(&self, digest: &str) -> Option<String> {
        json::digest(&[&self.project, &self.credential, &self.key, digest]).ok()
    }
}

/// Returns whether changes of a decision may also be recorded in its owner's stream.
pub(crate) fn is_told(owner: &Owner) -> bool {
    owner.supersedes() || owner.kind == OwnerKind::Thread
}

/// Lists what a command needs.
pub(crate) fn needs(submission: &Submission) -> Needs {
    let mut needs = Needs {
        decision: target(&submission.command),
        credential: credential::named(submission),
        link: submission.link.as_ref().map(|link| link.nonce.clone()),
        usage: submission.quota.and_then(|_| submission.actor.credential.clone()),
        ..Needs::default()
    };
    match &*submission.command {
        Command::Create(new) => {
            let project = new.project();
            if let Some(owner) = &new.owner {
                if owner.supersedes() {
                    let stream = stream::of_owner(project, owner);
                    needs.streams.push(stream.clone());
                    needs.job = Some(stream);
                }
                if owner.supersedes() || new.exclusive {
                    needs.siblings = Some((project.to_owned(), owner.clone(), OwnerScope::Pending));
                }
                if owner.kind == OwnerKind::Item {
                    needs.of_item(project, &owner.id);
                }
                needs.of_thread(project, owner);
            }
            for item in &new.blocks {
                needs.of_item(project, item);
            }
            needs.key = submission.key.as_ref().map(|key| KeyScope {
                project: project.to_owned(),
                credential: submission.actor.credential.clone().unwrap_or_default(),
                key: key.clone(),
            });
            needs.project = Some(project.to_owned());
            needs.rules = Some(project.to_owned());
            needs.roster = new.needs.is_some();
        }
        Command::EndOwner { project, owner, .. } => {
            needs.siblings = Some((project.clone(), owner.clone(), OwnerScope::All));
            if owner.kind == OwnerKind::Item {
                needs.of_item(project, &owner.id);
            }
            needs.of_thread(project, owner);
        }
        Command::CreateThread(new) => {
            needs.of_thread(new.project(), &Owner::new(OwnerKind::Thread, &new.id));
        }
        Command::Post(post) => {
            let owner = Owner::new(OwnerKind::Thread, &post.thread);
            needs.of_thread(&post.project, &owner);
            needs.siblings = Some((post.project.clone(), owner, OwnerScope::Pending));
            needs.also = post.actions.iter().filter_map(named).collect();
            needs.project = Some(post.project.clone());
            (needs.rules, needs.policies_alone) = (Some(post.project.clone()), true);
            needs.votes = true;
            let names_people =
                |action: &ThreadAction| matches!(action, ThreadAction::Ask(new) if new.needs.is_some());
            needs.roster = post.actions.iter().any(names_people);
            // Keys of callers cannot start like this, so this key cannot equal one that was used for asking.
            needs.key = submission.key.as_ref().map(|key| KeyScope {
                project: post.project.clone(),
                credential: submission.actor.credential.clone().unwrap_or_default(),
                key: format!("\u{1f}{}/{key}", post.thread),
            });
        }
        // The project is known only after the decision is loaded; its id identifies it as well.
        Command::Consume { id, .. } => {
            needs.key = submission.key.as_ref().map(|key| KeyScope {
                project: String::new(),
                credential: submission.actor.credential.clone().unwrap_or_default(),
                key: format!("\u{1f}{id}/{key}"),
            });
        }
        Command::CreateItem { project, id, .. } => {
            needs.of_item(project, id);
        }
        Command::UpdateProject { name, .. } => {
            needs.streams.push(stream::of_project(name));
            needs.project = Some(name.clone());
        }
        Command::Group { .. } | Command::Absence { .. } => {
            needs.streams.push(stream::ROSTER.to_owned());
            needs.roster = true;
        }
        Command::Rule { project, .. } | Command::Policy { project, .. } => {
            needs.streams.push(stream::of_rules(project));
            needs.rules = Some(project.clone());
            needs.roster = matches!(*submission.command, Command::Policy { .. });
        }
        Command::Job { project, owner, command } => {
            let stream = stream::of_owner(project, owner);
            needs.streams.push(stream.clone());
            needs.job = Some(stream);
            needs.siblings = Some((project.clone(), owner.clone(), reach(command)));
            needs.project = Some(project.clone());
            if let JobCommand::Start(new) = &**command
                && let Some(item) = new.item()
            {
                needs.of_item(project, &item);
            }
        }
        Command::Run { project, id, command } => of_run(&mut needs, project, *id, command),
        Command::CreateToken { id, .. } | Command::RevokeToken { id } => {
            needs.streams.push(stream::of_token(id));
        }
        Command::PutPerson { name, .. }
        | Command::LinkAccount { name, .. }
        | Command::SetNotify { name, .. }
        | Command::RemovePerson { name }
        | Command::SignIn { person: name, .. } => {
            needs.streams.push(stream::of_person(name));
            if matches!(*submission.command, Command::RemovePerson { .. }) {
                needs.streams.push(stream::ROSTER.to_owned());
                needs.roster = true;
            }
        }
        Command::SetAuth { .. } => needs.streams.push(stream::AUTH.to_owned()),
        Command::Log(_) => needs.streams.push(stream::LOG.to_owned()),
        Command::Revise { .. } => needs.rules_of = RulesOf::Any,
        Command::Answer { .. } => (needs.votes, needs.rules_of) = (true, RulesOf::AboutRule),
        Command::Escalate { .. } => needs.escalates = true,
        Command::Attend { .. }
        | Command::Remark { .. }
        | Command::Draft { .. }
        | Command::Cancel { .. }
        | Command::Expire { .. }
        | Command::ClearVotes { .. }
        | Command::Prune { .. } => {}
    }
    let is_for_people = matches!(
        *submission.command,
        Command::Answer { .. } | Command::Attend { .. } | Command::Draft { .. } | Command::Cancel { .. }
    );
    if is_for_people && submission.actor.role == Some(Role::Person) {
        needs.person = Some(submission.actor.by.clone());
    }
    needs
}

/// Returns which decisions of a job a command needs.
fn reach(command: &JobCommand) -> OwnerScope {
    match command {
        // What the agent shows again may have been dismissed before.
        JobCommand::Delete | JobCommand::Report { report: Report::Happened { .. }, .. } => OwnerScope::All,
        _ => OwnerScope::Pending,
    }
}

fn of_run(needs: &mut Needs, project: &str, id: ObjectId, command: &RunCommand) {
    let mut add = |id: ObjectId| {
        needs.runs.push(id);
        needs.streams.push(stream::of_owner(project, &run::owner(id)));
    };
    add(id);
    match command {
        RunCommand::Start(new) => needs.task = Some(new.task.id),
        RunCommand::Import(runs) => runs.iter().for_each(|imported| add(imported.run.id)),
        RunCommand::Conclude(conclusion) => {
            if let Some((next, _)) = conclusion.next {
                add(next);
                // A retry restarts the job that worked on the run.
                if let Some(job) = &conclusion.job {
                    let of_job = |id: &str| stream::of_owner(project, &Owner::new(OwnerKind::Job, id));
                    needs.streams.extend([of_job(job), of_job(&run::job_of(next))]);
                    needs.job = Some(of_job(job));
                }
            }
        }
        // Needed to see whether the verdict was asked for before, and with what outcome.
        RunCommand::Finish { blocks, .. } => {
            needs.siblings = Some((project.to_owned(), run::owner(id), OwnerScope::All));
            for item in blocks {
                needs.of_item(project, item);
            }
        }
        RunCommand::Judge(_) => {
            needs.siblings = Some((project.to_owned(), run::owner(id), OwnerScope::All));
        }
        RunCommand::Fail { blocks, .. } => {
            for item in blocks {
                needs.of_item(project, item);
            }
        }
        _ => {}
    }
    needs.project = Some(project.to_owned());
}

impl Needs {
    /// Returns the project whose standing rules apply.
    pub(crate) fn rules_with<'a>(&'a self, decision: Option<&'a Decision>) -> Option<&'a str> {
        self.rules.as_deref().or_else(|| decision.and_then(|decision| self.rules_of.project(decision)))
    }

    /// Lists the decisions for which group membership or absences may matter.
    pub(crate) fn voted(&self, numbering: Numbering) -> Vec<VotedOn> {
        let is_wanted = self.votes || self.escalates || self.person.is_some();
        let ids = self.decision.iter().chain(self.also.iter().filter(|_| self.votes)).filter(|_| is_wanted);
        let voted = |id: &DecisionId| VotedOn {
            number: numbering.number(*id),
            by: self.person.clone(),
            escalates: self.escalates,
        };
        ids.map(voted).collect()
    }

    /// Adds a work item, and its stream.
    fn of_item(&mut self, project: &str, id: &str) {
        self.streams.push(stream::of_item(project, id));
        self.items.push((project.to_owned(), id.to_owned()));
    }

    /// Adds the thread of an owner, and its stream.
    fn of_thread(&mut self, project: &str, owner: &Owner) {
        if owner.kind == OwnerKind::Thread {
            self.streams.push(stream::of_owner(project, owner));
            self.thread = Some(owner.id.clone());
        }
    }
}

fn named(action: &ThreadAction) -> Option<DecisionId> {
    match action {
        ThreadAction::Answer { id, .. } | ThreadAction::Report { id, .. } => Some(*id),
        ThreadAction::Ask(_) | ThreadAction::Say(_) => None,
    }
}

/// Returns the decision that a command names.
pub(super) fn target(command: &Command) -> Option<DecisionId> {
    match command {
        Command::Revise { id, .. }
        | Command::Attend { id, .. }
        | Command::Remark { id, .. }
        | Command::Draft { id, .. }
        | Command::Answer { id, .. }
        | Command::Cancel { id, .. }
        | Command::Consume { id, .. }
        | Command::Expire { id }
        | Command::Escalate { id }
        | Command::ClearVotes { id, .. }
        | Command::Prune { id } => Some(*id),
        Command::Run { command, .. } => match command.as_ref() {
            RunCommand::Conclude(conclusion) => Some(conclusion.decision),
            RunCommand::Fail { decision, .. } => Some(*decision),
            _ => None,
        },
        Command::Create(_)
        | Command::EndOwner { .. }
        | Command::CreateItem { .. }
        | Command::CreateThread(_)
        | Command::Post(_)
        | Command::UpdateProject { .. }
        | Command::Rule { .. }
        | Command::Policy { .. }
        | Command::Group { .. }
        | Command::Absence { .. }
        | Command::Job { .. }
        | Command::CreateToken { .. }
        | Command::RevokeToken { .. }
        | Command::PutPerson { .. }
        | Command::LinkAccount { .. }
        | Command::SetNotify { .. }
        | Command::RemovePerson { .. }
        | Command::SignIn { .. }
        | Command::SetAuth { .. }
        | Command::Log(_) => None,
    }
}
