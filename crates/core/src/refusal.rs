//! Refusals: why a command was refused, in words that the caller can act on.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::quote;
use crate::{Decision, DecisionId, Status};

/// One error in a request, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// The field, option list or key that is wrong.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl FieldError {
    /// Makes an error at a place.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut field = field.into();
        // The error may be the name's length, so an overlong name is cut in the message.
        if let Some((cut, _)) = field.char_indices().nth(crate::text::MAX_NAME) {
            field.truncate(cut);
            field.push('…');
        }
        Self { field, message: message.into() }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", crate::text::inert_line(&self.field), self.message)
    }
}

/// Why a command was refused. Nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// What was sent is not valid.
    #[error("{}", list(.0))]
    Invalid(Vec<FieldError>),
    /// The named thing does not exist.
    #[error("{what} {} was not found", quote(.id))]
    NotFound {
        /// The kind of thing.
        what: &'static str,
        /// The name that was given.
        id: String,
    },
    /// The decision was settled before.
    #[error("decision {} is already {}", .0.id, outcome(.0))]
    Settled(Box<Decision>),
    /// The decision has changed since the person saw it.
    #[error("decision {id} has changed since it was shown")]
    Stale {
        /// The decision.
        id: DecisionId,
        /// Its digest now.
        digest: String,
    },
    /// The answer does not state what the person saw.
    #[error("decision {id} has a subject, and the answer does not carry the digest of what was seen")]
    DigestRequired {
        /// The decision.
        id: DecisionId,
    },
    /// The idempotency key was used for something else.
    #[error("key {} was used before with another request", quote(.key))]
    KeyReused {
        /// The key.
        key: String,
    },
    /// The idempotency key was used for a decision that has been removed.
    #[error("key {} was used for decision {id}, which has been removed since", quote(.key))]
    KeySpent {
        /// The key.
        key: String,
        /// The decision that was asked with it.
        id: DecisionId,
    },
    /// The approval cannot be used.
    #[error("decision {id} cannot be consumed: {why}")]
    NotConsumable {
        /// The decision.
        id: DecisionId,
        /// Why not.
        why: String,
    },
    /// What would be shown does not match the vouched log.
    #[error("{what} cannot be relied on: {why}")]
    Unproven {
        /// The thing in question.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// The decision has no answer yet.
    #[error("decision {id} is still pending")]
    StillPending {
        /// The decision.
        id: DecisionId,
    },
    /// No further round of guidance is open.
    #[error("decision {id} is in round {round} of {round}: no further guidance is accepted")]
    LastRound {
        /// The decision.
        id: DecisionId,
        /// The last round.
        round: u32,
    },
    /// The item already has a pending decision.
    #[error("item {} already waits for decision {id}", quote(.item))]
    ItemBusy {
        /// The item.
        item: String,
        /// Its pending decision.
        id: DecisionId,
    },
    /// The job is not in a state for this.
    #[error("{why}")]
    JobBusy {
        /// The job.
        id: String,
        /// Why not.
        why: String,
    },
    /// The agent of a job shows a prompt, so anything typed would be taken for the answer.
    #[error("the agent of job {job} waits for the answer to {decision}, and would take other words for it")]
    JobAsks {
        /// The job.
        job: String,
        /// The decision about the prompt.
        decision: DecisionId,
    },
    /// A part of something is missing.
    #[error("{0}")]
    Absent(String),
    /// The run no longer accepts this.
    #[error("run {id} {why}")]
    RunOver {
        /// The run.
        id: String,
        /// Why not.
        why: String,
    },
    /// The signed link was used, or has expired.
    #[error("the link {why}")]
    LinkUsed {
        /// What happened to it.
        why: &'static str,
    },
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// The rule would allow what people refused, and its author has not confirmed it.
    #[error("it would allow {}", refused_asks(*.count))]
    RefusedBefore {
        /// How many such questions of the last 30 days they refused.
        count: usize,
    },
    /// The credential has as much pending as allowed.
    #[error("this credential may have at most {most} {what} pending")]
    Quota {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: u64,
    },
}

/// The class of a refusal; the interfaces map it to exit codes and HTTP statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The request is invalid.
    Invalid,
    /// The named thing does not exist.
    NotFound,
    /// The current state does not allow it.
    Conflict,
    /// The request must state which version it is about.
    Unconditional,
    /// The caller is not allowed to.
    Forbidden,
    /// The caller has too much pending; it may retry later.
    TooMany,
}

impl Refusal {
    /// Makes a refusal with one error.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldError::new(field, message)])
    }

    /// Makes a refusal of a decision that cannot be relied on.
    pub fn unproven(id: DecisionId, why: impl Into<String>) -> Self {
        Self::Unproven { what: format!("decision {id}"), why: why.into() }
    }

    /// Returns the stable code that programs match on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::NotFound { .. } | Self::Absent(_) => "not_found",
            Self::Settled(_) => "already_settled",
            Self::Stale { .. } => "stale",
            Self::DigestRequired { .. } => "digest_required",
            Self::KeyReused { .. } => "key_reused",
            Self::KeySpent { .. } => "key_spent",
            Self::NotConsumable { .. } => "not_consumable",
            Self::Unproven { .. } => "unproven",
            Self::StillPending { .. } => "still_pending",
            Self::LastRound { .. } => "last_round",
            Self::ItemBusy { .. } => "item_busy",
            Self::JobBusy { .. } | Self::JobAsks { .. } => "job_state",
            Self::RunOver { .. } => "run_over",
            Self::LinkUsed { .. } => "link_used",
            Self::Forbidden(_) => "forbidden",
            Self::RefusedBefore { .. } => "refused_before",
            Self::Quota { .. } => "quota",
        }
    }

    /// Returns its class.
    pub fn class(&self) -> Class {
        match self {
            Self::Invalid(_) => Class::Invalid,
            Self::NotFound { .. } | Self::Absent(_) => Class::NotFound,
            Self::Settled(_)
            | Self::Stale { .. }
            | Self::KeyReused { .. }
            | Self::KeySpent { .. }
            | Self::NotConsumable { .. }
            | Self::Unproven { .. }
            | Self::StillPending { .. }
            | Self::LastRound { .. }
            | Self::ItemBusy { .. }
            | Self::JobBusy { .. }
            | Self::JobAsks { .. }
            | Self::RunOver { .. }
            | Self::LinkUsed { .. }
            | Self::RefusedBefore { .. } => Class::Conflict,
            Self::DigestRequired { .. } => Class::Unconditional,
            Self::Forbidden(_) => Class::Forbidden,
            Self::Quota { .. } => Class::TooMany,
        }
    }

    /// Returns what to do about it, if the message does not say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Settled(decision) => Some(format!("see what was decided: hold show {}", decision.id)),
            Self::Stale { id, .. } => Some(format!("look at it again before you answer: hold show {id}")),
            Self::DigestRequired { id } => Some(format!(
                "look at it, then send its digest: hold show {id} --json, hold answer {id} --digest DIGEST"
            )),
            Self::KeyReused { .. } => {
                Some("send the first request again unchanged, or use another key".into())
            }
            Self::KeySpent { .. } => Some("use another key to ask again".into()),
            Self::Unproven { .. } => {
                Some(
                    "hold audit verify and hold doctor say what was changed; if another user or node of this store \
                     wrote it, have their key trusted here: hold key trust"
                        .into(),
                )
            }
            Self::StillPending { id } => Some(format!("hold until it is settled: hold wait {id}")),
            Self::LastRound { id, .. } => {
                Some(format!("answer it as it stands or cancel it: hold answer {id}"))
            }
            Self::ItemBusy { id, .. } => Some(format!("answer or cancel that one first: hold show {id}")),
            Self::JobBusy { id, .. } => Some(format!("see its status: hold job show {id}")),
            Self::JobAsks { job, decision } => Some(format!(
                "answer it: hold answer {decision}; or begin the step again with your words: hold job resume {job} --restart -m …"
            )),
            Self::RunOver { id, .. } => Some(format!("see its status: hold run show {id}")),
            Self::LinkUsed { .. } => Some("sign in, or ask for a new link".into()),
            Self::RefusedBefore { .. } => Some(
                "look at them first: hold rule test; to create it anyway: --despite-refusals, over HTTP \
                 \"despite_refusals\": true"
                    .into(),
            ),
            Self::Quota { .. } => Some("wait for answers, or cancel what is no longer needed".into()),
            Self::Invalid(_)
            | Self::NotFound { .. }
            | Self::Absent(_)
            | Self::NotConsumable { .. }
            | Self::Forbidden(_) => None,
        }
    }
}

fn list(faults: &[FieldError]) -> String {
    faults.iter().map(FieldError::to_string).collect::<Vec<_>>().join("\n")
}

fn refused_asks(count: usize) -> String {
    match count {
        1 => "a question of the last 30 days that a person refused".to_owned(),
        many => format!("{many} questions of the last 30 days that people refused"),
    }
}

fn outcome(decision: &Decision) -> String {
    let what = match decision.status {
        Status::TimedOut => "timed out".to_owned(),
        other => other.name().to_owned(),
    };
    let answer = decision.answer.as_ref();
    let answer =
        answer.map(|answer| format!(": {} by {}", answer.brief(), crate::text::inert_line(&answer.by)));
    let reason = decision.reason.as_deref().map(|reason| format!(": {}", quote(reason)));
    let now = decision.next.or(decision.superseded_by).map(|next| format!(", now {next}"));
    [Some(what), answer, reason, now].into_iter().flatten().collect()
}
