//! Formats rules, and what they would have done, for people.

use std::fmt::Write as _;

use holdpoint_core::Timestamp;
use holdpoint_core::rule::Then;
use holdpoint_core::text::inert_line;
use holdpoint_engine::rules::{
    BackTest, Explanation, RuleRecord, ShownRule, SuggestedRule, TestedRule, TriedAsk, TriedProposal,
};

use crate::cli::table;
use crate::view_model::{span, wording};

/// Formats a list of rules.
pub(super) fn table(rules: &[ShownRule]) -> String {
    let rows = rules.iter().map(|shown| {
        let rule = &shown.rule;
        let status = wording::rule_status(shown.status).to_owned();
        vec![
            rule.id.clone(),
            rule.then.name().to_owned(),
            rule.when.to_string(),
            inert_line(&rule.by),
            status,
        ]
    });
    table::render(&["RULE", "THEN", "WHEN", "BY", "STATUS"], rows.collect())
}

/// Formats a rule.
pub(super) fn rule(shown: &ShownRule, now: Timestamp) -> String {
    let ShownRule { rule, status, used } = shown;
    let mut text = format!(
        "{} is {} in project {}\n",
        rule.id,
        wording::rule_status(*status),
        inert_line(&rule.project)
    );
    let _ = writeln!(text, "  {}: {}", rule.then.name(), rule.when);
    let left = rule.until.since(now).as_millis();
    let ends = if left > 0 { format!("ends in {}", span::spelled_out(left)) } else { "has ended".to_owned() };
    let _ = writeln!(text, "  by {}, {ends}", inert_line(&rule.by));
    if let (Some(uses), Some(used)) = (rule.uses, used) {
        let _ = writeln!(text, "  used {used} of {uses} times");
    }
    if let Some(because) = &rule.because {
        let _ = writeln!(text, "  because {}", inert_line(because));
    }
    let _ = write!(text, "  end it with: hold rule revoke {}", rule.id);
    text
}

/// Formats a rule and what it has answered.
pub(super) fn record(record: &RuleRecord, now: Timestamp) -> String {
    let mut text = rule(&record.rule, now);
    let _ = match record.answered {
        0 => write!(text, "\n  it has answered nothing"),
        1 => write!(text, "\n  it answered 1 request:"),
        many => write!(text, "\n  it answered {many} requests, the latest:"),
    };
    for TriedAsk { id, summary, .. } in &record.last_answered {
        let _ = write!(text, "\n    {id}  {}", inert_line(summary));
    }
    text
}

/// Describes what a rule would have done, and how far it reaches.
pub(super) fn tested(tested: &TestedRule) -> String {
    let TestedRule { test, warnings } = tested;
    let BackTest { tried, matched, consented, refused, examples, near } = test;
    let mut said = format!("Matches {matched} of the last {tried} requests");
    if *matched > 0 {
        let _ = write!(said, ": {consented} allowed, {refused} denied");
    }
    said.push('.');
    for (heading, asks) in [("It matches", examples), ("It does not match", near)] {
        if !asks.is_empty() {
            let _ = write!(said, "\n{heading}:");
        }
        for TriedAsk { id, summary, outcome, why } in asks {
            let _ = write!(said, "\n  {id}  {}  ({})", inert_line(summary), inert_line(outcome));
            if let Some(why) = why {
                let _ = write!(said, "\n      {}", inert_line(why));
            }
        }
    }
    for warning in warnings {
        let _ = write!(said, "\nWarning: {}", inert_line(warning));
    }
    said
}

/// Formats the rules that a decision suggests.
pub(super) fn proposals(decision: &str, then: Then, proposals: &[TriedProposal]) -> String {
    if proposals.is_empty() {
        return "No rule possible: this always needs a person, or the agent is not verified.".to_owned();
    }
    let mut text = format!("Rules to {}:", then.name());
    for TriedProposal { proposal, test, warnings } in proposals {
        let _ = write!(text, "\n  {}  {}", proposal.code, inert_line(&proposal.title));
        let BackTest { matched, consented, refused, .. } = test;
        let requests = if *matched == 1 { "request" } else { "requests" };
        let _ = write!(
            text,
            "\n            matches {matched} {requests} from the last 30 days: {consented} allowed, {refused} denied"
        );
        for warning in warnings {
            let _ = write!(text, "\n            Warning: {}", inert_line(warning));
        }
    }
    let _ = write!(
        text,
        "\nCreate one with: hold rule add --{} --from {} --step CODE",
        then.name(),
        inert_line(decision)
    );
    text
}

/// Formats the rules that a person's own answers suggest.
pub(super) fn suggested(suggested: &[SuggestedRule]) -> String {
    let said = suggested.iter().map(|SuggestedRule { tried, times, decision }| {
        let (code, title) = (&tried.proposal.code, inert_line(&tried.proposal.title));
        format!(
            "Allow {title}: you allowed it {times} times in the last 7 days, and nobody denied it.\n  \
             hold rule add --from {decision} --step {code}\n  hold rule dismiss {code}"
        )
    });
    said.collect::<Vec<_>>().join("\n")
}

/// Explains why no rule answered, or which one did.
pub(super) fn explanation(said: &Explanation) -> String {
    let mut text = inert_line(&said.summary);
    for one in &said.rules {
        let _ = write!(text, "\n  {}  {}", one.id, inert_line(&one.rule));
        let why = one.why.as_deref().unwrap_or("matches");
        let _ = write!(text, "\n      {}", inert_line(why));
    }
    text
}
