//! Standing rules: answers that a person gives in advance. Narrow, explained, limited in time, revocable, and on record.
//!
//! The rules of a project follow from the events of one stream ([`RuleSet`]); no table holds them. A rule is looked up
//! in the transaction that creates a decision ([`InForce::rule_on`]), so no question can slip in between its making and
//! its end.

mod addresses;
mod changes;
mod check;
pub mod command;
mod commits;
mod decide;
mod deployed;
mod disabling;
mod files;
mod filters;
mod folder;
pub mod glob;
mod guarded;
mod index;
mod known;
pub mod line;
mod matching;
mod mismatch;
mod operand;
mod patterns;
mod places;
mod programs;
mod propose;
mod propose_input;
mod reading;
mod scripts;
mod searches;
mod service;
mod set;
mod settings;
mod shell;
mod shown;
mod subject;
mod tasks;
mod telling;
mod testing;
mod tools;
mod trip;
mod useless;
mod usual;
mod values;
mod warn;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use decide::{RuleCommand, may_manage};
pub use matching::{is_about, matches};
pub use mismatch::Mismatch;
pub use propose::{Proposal, proposals};
pub use set::{InForce, RuleEffect, RuleSet};

pub(crate) use decide::{Scope, decide, settled_by};
pub(crate) use subject::is_about_tool;
pub(crate) use trip::after as after_trip;

use crate::decision::{OwnerKind, Source};
use crate::{Auth, DecisionId, Span, Timestamp};

/// How long a rule lasts by default.
pub const DEFAULT_LIFETIME: Span = Span::from_secs(8 * 60 * 60);
/// How long a rule may last.
pub const LONGEST_LIFETIME: Span = Span::from_secs(90 * 24 * 60 * 60);
/// How many rules of a project may be active at once.
pub const MOST_ACTIVE: usize = 5_000;
/// How often an allowing rule may answer in [`TRIP_WINDOW`] before it trips.
pub const TRIP_LIMIT: usize = 30;
/// The time in which the uses of an allowing rule are counted.
pub const TRIP_WINDOW: Span = Span::from_secs(60);
/// How the name of a rule as an answerer begins.
pub const BY: &str = "rule:";
/// The value of `via` for an answer by a rule.
pub const VIA: &str = "rule";

/// Returns the id of a new rule.
pub fn fresh_id(random: u64) -> String {
    format!("rul-{}", DecisionId::from_bits(random).suffix())
}

/// An answer that a person gave in advance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rule {
    /// Names it: `rul-` and twelve base-32 characters.
    pub id: String,
    /// The project where it applies.
    pub project: String,
    /// Who made it.
    pub by: String,
    /// How surely that is known.
    pub auth: Auth,
    /// The credential it was made with; it counts only as long as that does. None for the person at the server's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_with: Option<String>,
    /// Why there is this rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What is matched.
    pub when: When,
    /// What then happens.
    pub then: Then,
    /// The option that is taken, where several would do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// When it ends.
    pub until: Timestamp,
    /// How often it may answer; any number of times if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u64>,
    /// The decision it was proposed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<DecisionId>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What is sent to make a rule. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct NewRule {
    /// The project where it applies; `default` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Why there is this rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What is matched.
    pub when: When,
    /// What then happens; `ask` if not given.
    pub then: Then,
    /// The option that is taken, where several would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// How long it lasts; 8 hours if not given, at most 90 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasts: Option<Span>,
    /// How often it may answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u64>,
    /// The decision it was proposed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_from: Option<DecisionId>,
    /// Make it although people refused some of what it would allow.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub despite_refusals: bool,
}

/// What happens to an ask that a rule matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// It is answered with the consenting option.
    Allow,
    /// It is answered with the refusing option.
    Refuse,
    /// A person is asked, even where an allowing rule matches.
    #[default]
    Ask,
}

impl Then {
    /// Returns the name used in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
            Self::Ask => "ask",
        }
    }
}

/// What a rule matches: everything that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// The name of the credential that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<String>,
    /// The id of the credential that asks. Several credentials may have one name; of an id there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_with: Option<String>,
    /// Why it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// What kind of owner waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<OwnerKind>,
    /// A pattern for the title. The agent writes it, so it may only refuse or ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool that is to be used. For a path it may be left out: then it is any that is known to look at files or change them.
    /// A tool that is known to touch no file and to run nothing can be allowed by its name alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// A shell command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandPattern>,
    /// A pattern for the absolute path of the file that a tool reads or changes, or of the folder that it looks through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// With a path: only for tools that look. With a server as the tool (`mcp__github`): whatever its tools only read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub looking: bool,
    /// Values by JSON pointer into the subject. Every member of the subject must be matched, or be harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<BTreeMap<String, ValuePattern>>,
    /// This very question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A shell command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CommandPattern {
    /// The program and its words.
    pub words: Vec<WordPattern>,
    /// What may follow them.
    #[serde(default, skip_serializing_if = "More::is_nothing")]
    pub more: More,
    /// A pattern for the folder it runs in; any if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Whether it may stand in a line with other commands that only look, after `cd`, with what it prints joined or dropped, and
    /// after settings that are known to do no harm: `cd src && CI=1 cargo test 2>&1 | tail -5`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub composite: bool,
}

impl CommandPattern {
    /// Returns whether exactly these words are named, and no others may follow.
    fn is_exactly(&self, words: &[String]) -> bool {
        self.more == More::Nothing && self.names(words)
    }

    /// Returns whether it names a service, and leaves the request to it open.
    fn names_service(&self) -> bool {
        let named = self.words.iter().map(|word| match word {
            WordPattern::Exact(word) => Some(word.as_str()),
            WordPattern::Like(_) => None,
        });
        let words: Option<Vec<&str>> = named.collect();
        self.more == More::Looking && words.is_some_and(|words| service::is_named(&words))
    }

    /// Returns whether exactly these words are named.
    fn names(&self, words: &[String]) -> bool {
        let same = |(one, word): (&WordPattern, &String)| *one == WordPattern::Exact(word.clone());
        self.words.len() == words.len() && self.words.iter().zip(words).all(same)
    }
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum WordPattern {
    /// This word.
    Exact(String),
    /// A word like this.
    Like(Glob),
}

/// A value in the subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ValuePattern {
    /// A text like this.
    Like(Glob),
    /// This value.
    Exact(Value),
}

/// A pattern with `*` and `**`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Glob {
    /// The pattern.
    pub glob: String,
}

/// Which further words a rule allows after the named ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum More {
    /// None.
    #[default]
    Nothing,
    /// Words that do not begin with `-`.
    Operands,
    /// Those, and options with which a command that is known does nothing else; for a service that is named, what is asked of it.
    /// Without any word: every command that only looks.
    Looking,
    /// Without any word: every command that looks, builds, checks or tests, with its usual options.
    Building,
    /// Without any word: every one of those, and every one that stages, commits, changes the branch or puts changes aside.
    Committing,
    /// Without any word: every one of those, and every one that pushes a branch it names or opens a pull request.
    Pushing,
    /// Any words.
    Anything,
}

impl More {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// Returns whether it covers commands of any name that do no more than this.
    pub fn is_class(self) -> bool {
        matches!(self, Self::Looking | Self::Building | Self::Committing | Self::Pushing)
    }

    /// Describes what such commands do.
    fn does(self) -> &'static str {
        match self {
            Self::Pushing => "reads, builds, checks, tests, commits or pushes a branch",
            Self::Committing => "reads, builds, checks, tests or commits",
            Self::Building => "reads, builds, checks or tests",
            _ => "only reads",
        }
    }

    /// The same, after "only".
    fn verbs(self) -> &'static str {
        match self {
            Self::Pushing => "read, build, check, test, commit or push a branch",
            Self::Committing => "read, build, check, test or commit",
            Self::Building => "read, build, check or test",
            _ => "read",
        }
    }
}

/// Where a rule stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleStatus {
    /// It answers.
    Active,
    /// It has expired.
    Expired,
    /// Somebody took it back.
    Revoked,
    /// It has answered as often as it may.
    Exhausted,
    /// It answered too often in too short a time; its author may resume it.
    Tripped,
    /// Its author may no longer answer here, or the credential that it was made with no longer exists.
    Lapsed,
}

impl RuleStatus {
    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::Exhausted => "exhausted",
            Self::Tripped => "tripped",
            Self::Lapsed => "lapsed",
        }
    }
}
