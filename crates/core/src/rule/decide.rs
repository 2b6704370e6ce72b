//! Making a rule, ending it, and letting it answer.

use super::glob::{self, Stars};
use super::matching::ANY;
use super::programs::{may_run_others, runs_what_follows, takes_message};
use super::{
    BY, CommandPattern, DEFAULT_LIFETIME, LONGEST_LIFETIME, MOST_ACTIVE, More, NewRule, Rule, RuleStatus,
    Ruled, Then, VIA, ValuePattern, When, WordPattern,
};
use crate::actor::{Actor, Auth, Role};
use crate::decision::{Answer, Decision, number};
use crate::event::Event;
use crate::refusal::{FieldError, Refusal};
use crate::state::{Ruling, State};
use crate::text::{MAX_MESSAGE, check_length, check_name, quote};
use crate::{Project, Span, Timestamp};

/// How many words, values or patterns a rule may name.
const MOST_NAMED: usize = 256;

/// What is asked of a project's rules.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleCommand {
    /// Make a rule.
    Create {
        /// The id it gets.
        id: String,
        /// What it says.
        new: Box<NewRule>,
    },
    /// Take a rule back.
    Revoke {
        /// The rule.
        id: String,
    },
    /// Let a rule go on that has tripped.
    Resume {
        /// The rule.
        id: String,
    },
}

impl NewRule {
    /// Returns the project it will count in.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }

    /// Returns the rule that it makes, unchecked, to be tried on what was asked before.
    pub fn as_rule(&self, id: &str, actor: &Actor, now: Timestamp) -> Rule {
        let lasts = self.lasts.unwrap_or(DEFAULT_LIFETIME);
        Rule {
            id: id.to_owned(),
            project: self.project().to_owned(),
            by: actor.by.clone(),
            auth: actor.auth,
            made_with: actor.credential.clone(),
            because: self.because.clone().filter(|text| !text.trim().is_empty()),
            when: self.when.clone(),
            then: self.then,
            option: self.option.clone(),
            until: now.checked_add(lasts).unwrap_or(now),
            uses: self.uses,
            made_from: self.made_from,
            created_at: now,
        }
    }

    /// Checks what a rule says.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn check(&self) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        let mut fault = |place: &str, why: String| faults.push(FieldError::new(place, why));
        if let Err(why) = check_name(self.project()) {
            fault("project", format!("{} {why}", quote(self.project())));
        }
        if let Err(why) = check_length(self.because.as_deref().unwrap_or_default(), MAX_MESSAGE) {
            fault("because", why);
        }
        match self.lasts {
            Some(lasts) if lasts <= Span::from_millis(0) => {
                fault("lasts", "must be longer than nothing, e.g. 8h".into());
            }
            Some(lasts) if lasts > LONGEST_LIFETIME => fault("lasts", "can be at most 90d".into()),
            _ => {}
        }
        if self.uses == Some(0) {
            fault("uses", "must be at least 1; leave it out for any number".into());
        }
        if self.option.is_some() && self.then == Then::Ask {
            fault("option", "goes with allow or refuse; ask takes none".into());
        }
        check_when(&self.when, self.then, &mut fault);
        if faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(faults)) }
    }

    /// Lists what the author should know about how far the rule reaches.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let (Then::Allow, Some(command)) = (self.then, &self.when.command)
            && let Some(WordPattern::Exact(program)) = command.words.first()
        {
            if command.more == More::Anything {
                warnings.push(format!("any arguments are allowed, options too: {}", quote(program)));
            }
            if command.more != More::Nothing && may_run_others(program) {
                warnings.push(format!("{} can be made to run other programs", quote(program)));
            }
        }
        if self.then == Then::Allow && self.when.asked_with.is_none() && self.when.asked_by.is_some() {
            warnings
                .push("it is for every credential of that name, also ones that are made later".to_owned());
        }
        if self.then == Then::Refuse && self.when.command.is_some() {
            warnings.push("it matches these words in this order; the same can be said in others".to_owned());
        }
        if self.when.path.is_some() {
            warnings.push("symbolic links are not seen: a path may lead elsewhere".to_owned());
        }
        warnings
    }
}

fn check_when(when: &When, then: Then, fault: &mut impl FnMut(&str, String)) {
    let When { asked_by, asked_with, source, owner, title, tool, command, path, input, digest } = when;
    let exact = [command.is_some(), path.is_some(), input.is_some(), digest.is_some()];
    let exact = exact.into_iter().filter(|given| *given).count();
    if exact > 1 {
        fault("when", "give one of command, path, input and digest".into());
    }
    let says_something = exact > 0
        || asked_with.is_some()
        || asked_by.is_some()
        || source.is_some()
        || owner.is_some()
        || title.is_some();
    if !says_something && tool.is_none() {
        fault(
            "when",
            "names nothing; say what is matched, e.g. {\"command\": {\"words\": [\"cargo\", \"test\"]}}"
                .into(),
        );
    }
    if then == Then::Allow {
        if asked_by.is_none() {
            fault("when.asked_by", "an allowing rule says whose asks it is for".into());
        }
        if exact != 1 {
            fault("when", "an allowing rule needs a command, a path, an input or a digest".into());
        }
        if title.is_some() {
            fault("when.title", "the agent writes it; such a rule may only refuse or ask".into());
        }
    }
    if let Some(name) = asked_by
        && let Err(why) = check_name(name)
    {
        fault("when.asked_by", format!("{} {why}", quote(name)));
    }
    if let Some(title) = title
        && let Err(why) = glob::check(title, Stars::Prose)
    {
        fault("when.title", format!("{} {why}", quote(title)));
    }
    if let Some(command) = command {
        check_command(command, then, fault);
    }
    if let Some(path) = path
        && let Err(why) = glob::check(path, Stars::Path)
    {
        fault("when.path", format!("{} {why}", quote(path)));
    }
    for (pointer, pattern) in input.iter().flatten() {
        if !pointer.starts_with('/') {
            fault("when.input", format!("{} is not a JSON pointer, e.g. /input/url", quote(pointer)));
        }
        if let ValuePattern::Like(like) = pattern
            && like.glob != ANY
            && let Err(why) = glob::check(&like.glob, Stars::Text)
        {
            fault("when.input", format!("{} {why}", quote(&like.glob)));
        }
    }
    let is_any = |pattern: &ValuePattern| matches!(pattern, ValuePattern::Like(like) if like.glob == ANY);
    if input.as_ref().is_some_and(|input| input.values().all(is_any)) {
        fault("when.input", "matches everything; name at least one value".into());
    }
    if input.as_ref().is_some_and(|input| input.is_empty() || input.len() > MOST_NAMED) {
        fault("when.input", format!("takes 1 to {MOST_NAMED} values"));
    }
    if let Some(digest) = digest
        && (digest.len() > 100 || !digest.starts_with("sha256:"))
    {
        fault("when.digest", "is a decision's digest, sha256:…".into());
    }
}

/// Returns the words that are named exactly, up to the first that is not.
fn named(words: &[WordPattern]) -> Vec<&str> {
    words
        .iter()
        .map_while(|word| match word {
            WordPattern::Exact(word) => Some(word.as_str()),
            WordPattern::Like(_) => None,
        })
        .collect()
}

/// Returns whether a word is a message for people, which may be any.
fn is_message(words: &[WordPattern], at: usize) -> bool {
    let before = words[..at].iter().map(|word| match word {
        WordPattern::Exact(word) => word.as_str(),
        WordPattern::Like(like) => like.glob.as_str(),
    });
    takes_message(&before.collect::<Vec<_>>())
}

fn check_command(command: &CommandPattern, then: Then, fault: &mut impl FnMut(&str, String)) {
    let CommandPattern { words, more, cwd } = command;
    if words.is_empty() || words.len() > MOST_NAMED {
        fault("when.command", format!("takes 1 to {MOST_NAMED} words, the program first"));
    }
    match words.first() {
        Some(WordPattern::Like(_)) => {
            fault("when.command", "the program must be named, without stars".into());
        }
        Some(WordPattern::Exact(program)) if then == Then::Allow && runs_what_follows(&named(words)) => {
            let inexact =
                *more != More::Nothing || words.iter().any(|word| matches!(word, WordPattern::Like(_)));
            if inexact {
                let why = "runs what it is given: an allowing rule names every word";
                fault("when.command", format!("{} {why}", quote(program)));
            }
        }
        _ => {}
    }
    for (at, word) in words.iter().enumerate() {
        match word {
            WordPattern::Exact(word) if word.is_empty() => fault("when.command", "has an empty word".into()),
            WordPattern::Like(like) if like.glob == ANY && is_message(words, at) => {}
            WordPattern::Like(like) => {
                if let Err(why) = glob::check(&like.glob, Stars::Word) {
                    fault("when.command", format!("{} {why}", quote(&like.glob)));
                }
            }
            WordPattern::Exact(_) => {}
        }
    }
    if let Some(cwd) = cwd
        && let Err(why) = glob::check(cwd, Stars::Path)
    {
        fault("when.command.cwd", format!("{} {why}", quote(cwd)));
    }
}

/// Refuses whoever may not see or change rules: agents, and whatever comes through a door for programs.
///
/// # Errors
/// Says who may.
pub fn may_manage(actor: &Actor) -> Result<(), Refusal> {
    if actor.is_program() {
        return Err(Refusal::Forbidden("rules are a person's: agents neither see nor change them".into()));
    }
    Ok(())
}

pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    project: &str,
    command: &RuleCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    may_manage(actor)?;
    let rules = &state.rules.rules;
    let named = |id: &str| rules.get(id).ok_or_else(|| Refusal::NotFound { what: "rule", id: id.to_owned() });
    let event = match command {
        RuleCommand::Create { id, new } => {
            new.check()?;
            if new.then == Then::Allow && matches!(actor.auth, Auth::Claimed | Auth::System) {
                return Err(Refusal::Forbidden(
                    "an allowing rule needs a server that checks who calls (hold serve); rules that refuse or ask work \
                     without one"
                        .into(),
                ));
            }
            if rules.active(now).count() >= MOST_ACTIVE {
                let why = format!("has {MOST_ACTIVE} active rules already; revoke some first");
                return Err(Refusal::invalid("project", why));
            }
            if rules.get(id).is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            Event::RuleCreated(Box::new(new.as_rule(id, actor, now)))
        }
        RuleCommand::Revoke { id } => {
            let rule = named(id)?;
            if rules.status(rule, now) == RuleStatus::Revoked {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            may_change(rule, actor)?;
            Event::RuleRevoked { id: id.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
        RuleCommand::Resume { id } => {
            let rule = named(id)?;
            may_change(rule, actor)?;
            match rules.status(rule, now) {
                RuleStatus::Tripped => {}
                RuleStatus::Active => return Ok(Ruling { replayed: true, ..Ruling::default() }),
                other => {
                    let why = format!("is {}; only one that has tripped can go on", other.name());
                    return Err(Refusal::invalid("rule", why));
                }
            }
            Event::RuleResumed { id: id.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// A person ends their own rules; an admin, everybody's.
fn may_change(rule: &Rule, actor: &Actor) -> Result<(), Refusal> {
    if actor.role == Some(Role::Person) && rule.made_with != actor.credential && rule.by != actor.by {
        return Err(Refusal::Forbidden(format!(
            "{} made this rule: only they, or an admin, change it",
            rule.by
        )));
    }
    Ok(())
}

/// Which rules may settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of them: it is asked for the first time.
    All,
    /// Only those that refuse: a person may be looking at it already.
    Refusals,
}

/// Lets the rules settle an ask: returns the events that record it, and whether it is settled by them.
pub(crate) fn settled_by(
    state: &State,
    decision: &Decision,
    now: Timestamp,
    scope: Scope,
) -> (Vec<Event>, bool) {
    match state.rules.rule_on(decision, now) {
        Some(Ruled::Answered { rule, values }) if scope == Scope::All || rule.then == Then::Refuse => {
            let answer = Answer {
                values,
                out: None,
                message: rule.because.clone(),
                written: std::collections::BTreeMap::new(),
                seen: None,
                digest: Some(decision.digest.clone()),
                by: format!("{BY}{}", rule.id),
                on_behalf_of: Some(rule.by.clone()),
                via: VIA.to_owned(),
                auth: Auth::Rule.min(rule.auth),
                at: now,
            };
            let choices = number::numbers(decision, &answer.values, None);
            let chosen = number::picks(decision, &answer.values, None);
            let project = decision.project.clone();
            let mut events =
                vec![Event::Resolved { id: decision.id, project: project.clone(), answer, choices, chosen }];
            if let Some(uses) = rule.uses {
                let id = rule.id.clone();
                let used = state.rules.used.get(&id).copied().unwrap_or_default() + 1;
                events.push(Event::RuleUsed {
                    id: id.clone(),
                    project: project.clone(),
                    decision_id: decision.id,
                });
                if used >= uses {
                    events.push(Event::RuleExhausted { id, project });
                }
            }
            (events, true)
        }
        Some(Ruled::Trips(rule)) if scope == Scope::All => {
            let (id, project) = (rule.id.clone(), rule.project.clone());
            (vec![Event::RuleTripped { id, project }], false)
        }
        _ => (Vec::new(), false),
    }
}
