//! `hold rule`

mod pattern;
mod print;
mod waiting;

use holdpoint_core::rule::Then;
use holdpoint_core::text::inert_line;
use holdpoint_core::{NewRule, RuleStatus, Span};
use holdpoint_engine::Role;
use holdpoint_engine::rules::RuleChange;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use pattern::Pattern;

/// Manage rules: answers that you give in advance
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Create a rule, from flags or from a decision's suggestions
    Add(Add),
    /// List active rules
    List {
        /// Limit to this project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// Include ended ones
        #[arg(long)]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a rule
    Show {
        /// The rule: its id or an unambiguous prefix
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End a rule; what it answered stays answered
    Revoke {
        /// The rule: its id or an unambiguous prefix
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Resume a rule that was paused for answering too often
    Resume {
        /// The rule: its id or an unambiguous prefix
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Preview and answer pending decisions that a rule would have answered
    Answer(waiting::Answering),
    /// List suggested rules: what you allowed five times in a week and nobody refused
    Suggested {
        /// Limit to this project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop suggesting a rule
    Dismiss {
        /// The suggestion's code
        code: String,
        /// Limit to this project; all by default
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
    },
    /// Show what a rule would have done, without creating it
    Test {
        #[command(flatten)]
        pattern: Pattern,
        /// How far to look back
        #[arg(long, value_name = "DURATION", default_value = "30d")]
        since: Span,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Explain which rule answered a decision, or why none did
    Explain {
        /// The decision: its id or an unambiguous prefix
        decision: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
struct Add {
    #[command(flatten)]
    pattern: Pattern,
    /// Use the suggestions of this decision
    #[arg(long, value_name = "DECISION")]
    from: Option<String>,
    /// Create the suggestion with this code; without it, suggestions are listed
    #[arg(long, value_name = "CODE", requires = "from")]
    step: Option<String>,
    /// Create it although people refused some of what it would allow
    #[arg(long)]
    despite_refusals: bool,
    /// How long it lasts, at most 90d
    #[arg(long, value_name = "DURATION", default_value = "8h")]
    lasts: Span,
    /// How often it may answer; unlimited by default
    #[arg(long, value_name = "NUMBER")]
    uses: Option<u64>,
    /// The reason; agents get it with the answer
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Add(add) => return self::add(add, context, ui).await,
        Verb::List { project, all, json } => {
            let mut rules = context.client(Role::Reader).await?.rules(project.as_deref()).await?;
            rules.retain(|shown| all || matches!(shown.status, RuleStatus::Active | RuleStatus::Tripped));
            if json {
                ui.json(&rules)?;
            } else if rules.is_empty() {
                ui.note("There is no active rule. Create one with: hold rule add --from DECISION");
            } else {
                ui.line(print::table(&rules))?;
            }
        }
        Verb::Show { id, json } => {
            let client = context.client(Role::Reader).await?;
            let shown = client.rule(&id).await?;
            if json { ui.json(&shown)? } else { ui.line(print::record(&shown, client.now().await?))? }
        }
        Verb::Revoke { id, json } => change(&id, RuleChange::Revoke, json, context, ui).await?,
        Verb::Resume { id, json } => change(&id, RuleChange::Resume, json, context, ui).await?,
        Verb::Answer(answering) => {
            let client = context.client(Role::Writer).await?;
            return waiting::run(answering, &*client, ui).await;
        }
        Verb::Suggested { project, json } => {
            let suggested = context.client(Role::Reader).await?.suggested_rules(project.as_deref()).await?;
            if json {
                ui.json(&suggested)?;
            } else if suggested.is_empty() {
                ui.note("No suggestions yet (needs 5 approvals in 7 days).");
            } else {
                ui.line(print::suggested(&suggested))?;
            }
        }
        Verb::Dismiss { code, project } => {
            context.client(Role::Writer).await?.dismiss_rule(project.as_deref(), &code).await?;
            ui.line(format!("{} is not suggested to you again", inert_line(&code)))?;
        }
        Verb::Test { pattern, since, json } => {
            let new = pattern.rule(context)?;
            let test = context.client(Role::Reader).await?.test_rule(new, Some(since)).await?;
            if json { ui.json(&test)? } else { ui.line(print::tested(&test))? }
        }
        Verb::Explain { decision, json } => {
            let said = context.client(Role::Reader).await?.explain_rules(&decision).await?;
            if json { ui.json(&said)? } else { ui.line(print::explanation(&said))? }
        }
    }
    Ok(Exit::Done)
}

async fn change(
    id: &str,
    change: RuleChange,
    json: bool,
    context: &Context,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let shown = context.client(Role::Writer).await?.change_rule(id, change).await?;
    if json {
        ui.json(&shown)?;
    } else {
        ui.line(format!("{} is {}", shown.rule.id, shown.status.name()))?;
    }
    Ok(())
}

async fn add(add: Add, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Add { pattern, from, step, despite_refusals, lasts, uses, because, json } = add;
    let client = context.client(Role::Writer).await?;
    let new = match from {
        None => pattern.rule(context)?,
        Some(decision) => {
            let then = pattern.then().unwrap_or(Then::Allow);
            let proposals = client.propose_rules(&decision, then).await?;
            let Some(step) = step else {
                if json {
                    ui.json(&proposals)?;
                } else {
                    ui.line(print::proposals(&decision, then, &proposals))?;
                }
                return Ok(Exit::Done);
            };
            let changed = || {
                let shown = inert_line(&step);
                Failure::usage(format!(
                    "--step {shown}: no rule has this code; the decision may have changed, list them again"
                ))
            };
            let chosen =
                proposals.into_iter().find(|tried| tried.proposal.code == step).ok_or_else(changed)?;
            chosen.proposal.rule
        }
    };
    let new = NewRule { lasts: Some(lasts), uses, because, despite_refusals, ..new };
    let created = client.create_rule(new).await?;
    if json {
        ui.json(&created)?;
    } else {
        let now = client.now().await?;
        ui.line(print::rule(&created.rule, now))?;
        for warning in &created.warnings {
            ui.note(format!("Warning: {}", inert_line(warning)));
        }
        waiting::offer(&*client, &created.rule.rule.id, &created.waiting, ui).await?;
    }
    Ok(Exit::Done)
}
