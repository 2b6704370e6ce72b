//! Standing rules: existing ones, and those that a decision suggests.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::rule::Then;
use holdpoint_core::text::inert_line;
use holdpoint_core::{NewRule, Refusal, RuleStatus, Timestamp};
use holdpoint_engine::rules::{
    BackTest, RuleChange, ShownRule, SuggestedRule, TriedAsk, TriedProposal, rule_line,
};
use holdpoint_engine::{Error, Rules as _};
use maud::{Markup, html};

use super::error::Reply;
use super::form::{Form, Posted};
use super::page::{NavItem, Page, see_other};
use super::visitor::Visitor;
use super::{bulk_answer, words};
use crate::http::app::App;
use crate::http::path::Path;
use crate::view_model::span;

/// The lifetimes offered for a new rule, with their labels.
const LIFETIMES: [(&str, &str); 4] =
    [("1h", "1 hour"), ("8h", "8 hours"), ("7d", "7 days"), ("30d", "30 days")];

/// Lists the rules.
pub(super) async fn list(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let all = Form::parse(uri.query().unwrap_or_default()).get("all") == "1";
    let client = visitor.client(&app);
    let mut rules = client.rules(None).await?;
    let suggested = client.suggested_rules(None).await?;
    rules.retain(|shown| all || matches!(shown.status, RuleStatus::Active | RuleStatus::Tripped));
    let now = app.engine.now().await?;
    let main = html! {
        div .bar {
            h1 { "Rules" }
            @if all { a .button href="/rules" { "Active only" } } @else { a .button href="/rules?all=1" { "Include ended" } }
        }
        @for (at, one) in suggested.iter().enumerate() { (suggestion(at, one, &visitor)) }
        @if rules.is_empty() && suggested.is_empty() {
            div .empty { p .big { "No rules." } p { "Create one from any decision: “Create a rule”." } }
        } @else {
            ol .rows { @for shown in &rules { (row(shown, &visitor, now)) } }
        }
    };
    let page = Page { title: "Rules", nav: NavItem::Rules, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

fn row(shown: &ShownRule, visitor: &Visitor, now: Timestamp) -> Markup {
    let ShownRule { rule, status, used } = shown;
    let left = rule.until.since(now).as_millis();
    let change = match status {
        RuleStatus::Active => Some(("revoke", "Revoke")),
        RuleStatus::Tripped => Some(("resume", "Resume")),
        _ => None,
    };
    html! {
        li data-id=(rule.id) {
            div .row {
                span .title dir="auto" { (words::capital(rule.then.name())) ": " (with_code(&words::short(&rule.when.to_string(), 400))) }
                span .meta {
                    span .tag { (words::rule_status(*status)) }
                    span dir="auto" { "by " (words::short(&rule.by, 40)) }
                    @if left > 0 { span { "ends in " (span::spelled_out(left)) } }
                    @if let (Some(uses), Some(used)) = (rule.uses, used) { span { "used " (used) " of " (uses) " times" } }
                    @if let Some(because) = &rule.because { span dir="auto" { (words::short(because, 120)) } }
                    span { (rule.id) }
                }
                @let warnings = rule.warnings();
                @if !warnings.is_empty() {
                    details {
                        summary { "Scope" }
                        ul { @for warning in &warnings { li dir="auto" { (with_code(&words::capital(warning))) } } }
                    }
                }
                @if let Some((action, label)) = change {
                    form method="post" action={ "/rules/" (rule.id) "/" (action) } {
                        (visitor.token())
                        button aria-label={ (label) " " (rule.id) } { (label) }
                    }
                }
            }
        }
    }
}

/// Renders a rule for what the visitor has allowed repeatedly.
fn suggestion(at: usize, suggested: &SuggestedRule, visitor: &Visitor) -> Markup {
    let SuggestedRule { tried, times, decision } = suggested;
    let (code, project) = (&tried.proposal.code, tried.proposal.rule.project());
    html! {
        section .panel {
            h2 dir="auto" { "Suggested: allow " (what(tried)) }
            p { "You allowed it " (times) " times in the last 7 days, and nobody denied it." }
            div .actions {
                a .button .primary href={ "/d/" (decision) "/rules" } { "Create a rule…" }
                form method="post" action={ "/rules/suggested/" (code) "/dismiss" } {
                    (visitor.token())
                    input type="hidden" name="project" value=(project);
                    button aria-label={ "Dismiss the suggestion " (at + 1) } { "Dismiss" }
                }
            }
        }
    }
}

/// Says what a proposed rule would allow; a rule for one request says which.
pub(super) fn what(tried: &TriedProposal) -> Markup {
    let one = tried.test.examples.first().filter(|_| tried.proposal.rule.when.digest.is_some());
    html! {
        @match one {
            Some(example) => code { (words::short(&example.summary, 120)) },
            None => (with_code(&tried.proposal.title)),
        }
    }
}

/// Renders text between backticks as code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (at, part) in inert_line(text).split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Stops suggesting a rule.
pub(super) async fn dismiss(State(app): State<Arc<App>>, Path(code): Path, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let project = Some(form.get("project")).filter(|project| !project.is_empty());
    match visitor.client(&app).dismiss_rule(project, &code).await {
        // The same suggestion no longer exists.
        Ok(()) | Err(Error::Refused(Refusal::NotFound { .. })) => {}
        Err(error) => return Err(error.into()),
    }
    app.live.suggested.forget(visitor.caller.actor.credential.as_deref());
    Ok(see_other(if form.get("back") == "/" { "/" } else { "/rules" }))
}

/// Ends a rule.
pub(super) async fn revoke(State(app): State<Arc<App>>, Path(id): Path, posted: Posted) -> Reply {
    let Posted { visitor, .. } = posted.ours()?;
    visitor.client(&app).change_rule(&id, RuleChange::Revoke).await?;
    Ok(see_other("/rules"))
}

/// Resumes a rule that has tripped.
pub(super) async fn resume(State(app): State<Arc<App>>, Path(id): Path, posted: Posted) -> Reply {
    let Posted { visitor, .. } = posted.ours()?;
    visitor.client(&app).change_rule(&id, RuleChange::Resume).await?;
    Ok(see_other("/rules"))
}

/// Shows the rules that a decision suggests, each with what it would have done.
pub(super) async fn propose(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path,
    uri: Uri,
) -> Reply {
    let then = read_then(Form::parse(uri.query().unwrap_or_default()).get("then"))?;
    let client = visitor.client(&app);
    let proposals = client.propose_rules(&id, then).await?;
    let said = client.explain_rules(&id).await?;
    let other = if then == Then::Allow { Then::Refuse } else { Then::Allow };
    let main = html! {
        div .bar {
            h1 { "New rule" }
            a .button href={ "/d/" (id) } { "Back to the card" }
            @if !proposals.is_empty() { a .button href={ "/d/" (id) "/rules?then=" (other.name()) } { (words::capital(other.name())) " instead" } }
        }
        @if proposals.is_empty() {
            div .empty { p { "No rule possible: this always needs a person, or the agent is not verified." } }
        } @else {
            p .hint dir="auto" { (inert_line(&said.summary)) }
        }
        @for proposal in &proposals { (step(&id, then, proposal, &visitor)) }
    };
    let page = Page { title: "New rule", nav: NavItem::Rules, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

fn step(id: &str, then: Then, tried: &TriedProposal, visitor: &Visitor) -> Markup {
    let TriedProposal { proposal, test, warnings } = tried;
    let BackTest { matched, consented, refused, examples, near, .. } = test;
    // A rule that contradicts earlier refusals must be confirmed explicitly.
    let against = tried.against_refusals();
    html! {
        section .panel {
            h2 dir="auto" { (words::capital(then.name())) " " (with_code(&proposal.title)) }
            p { "Matches " (matched) @if *matched == 1 { " request" } @else { " requests" } " from the last 30 days: " (consented) " allowed, " (refused) " denied." }
            @for warning in warnings { p .hint dir="auto" { strong { "Warning: " } (with_code(warning)) } }
            (asks("It matches", examples))
            (asks("It does not match", near))
            form method="post" action={ "/d/" (id) "/rules" } {
                (visitor.token())
                input type="hidden" name="step" value=(proposal.code);
                input type="hidden" name="then" value=(then.name());
                label { "For " select name="lasts" {
                    @for (span, said) in LIFETIMES { option value=(span) selected[span == "8h"] { (said) } }
                } }
                @if against > 0 {
                    label {
                        input type="checkbox" name="despite_refusals" value="1" required;
                        " Even though people denied such requests " @if against == 1 { "once" } @else { (against) " times" }
                    }
                }
                button { "Create rule" }
            }
        }
    }
}

fn asks(heading: &str, asks: &[TriedAsk]) -> Markup {
    html! {
        @if !asks.is_empty() {
            p .hint { (heading) ":" }
            ul {
                @for TriedAsk { id, summary, outcome, why } in asks {
                    li dir="auto" {
                        a href={ "/d/" (id) } { (words::short(summary, 120)) } " (" (inert_line(outcome)) ")"
                        @if let Some(why) = why { ": " (inert_line(why)) }
                    }
                }
            }
        }
    }
}

/// Creates the rule of a step, if the decision still suggests it.
pub(super) async fn make(State(app): State<Arc<App>>, Path(id): Path, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let then = read_then(form.get("then"))?;
    let proposals = client.propose_rules(&id, then).await?;
    let chosen = proposals.into_iter().find(|tried| tried.proposal.code == form.get("step"));
    let changed = || Refusal::invalid("step", "the decision has changed meanwhile; look at it again");
    let tried = chosen.ok_or_else(changed)?;
    let lasts = form.get("lasts").parse().map_err(|why: String| Refusal::invalid("lasts", why))?;
    let despite_refusals = form.get("despite_refusals") == "1";
    let new = NewRule { lasts: Some(lasts), despite_refusals, ..tried.proposal.rule };
    let made = client.create_rule(new).await?;
    app.live.suggested.forget(visitor.caller.actor.credential.as_deref());
    // Matching pending decisions are offered at once; the rule itself does not answer them.
    Ok(if made.waiting.is_empty() {
        see_other("/rules")
    } else {
        see_other(&format!("/rules/{}/waiting", made.rule.rule.id))
    })
}

/// Shows the pending decisions that a rule would answer, for the visitor to answer with one button.
pub(super) async fn waiting(State(app): State<Arc<App>>, visitor: Visitor, Path(id): Path) -> Reply {
    let client = visitor.client(&app);
    let rule = client.rule(&id).await?.rule.rule;
    let ids: Vec<_> = client.waiting_for_rule(&id).await?.into_iter().map(|ask| ask.id).collect();
    if ids.is_empty() {
        return Ok(see_other("/rules"));
    }
    let why = html! {
        p .banner dir="auto" { "New rule, " (words::short(&rule_line(&rule), 400)) }
        p {
            @if ids.len() == 1 { "One pending decision matches" } @else { (ids.len()) " pending decisions match" }
            " this rule. It does not answer what was asked before it; you can, here. "
            a href="/rules" { "Skip" }
        }
    };
    bulk_answer::show(&app, &visitor, &ids, &why, "").await
}

fn read_then(name: &str) -> Result<Then, Refusal> {
    match name {
        "" | "allow" => Ok(Then::Allow),
        "refuse" => Ok(Then::Refuse),
        "ask" => Ok(Then::Ask),
        _ => Err(Refusal::invalid("then", "is allow, refuse or ask")),
    }
}
