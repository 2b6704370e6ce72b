//! `hold person notify`

use holdpoint_core::notify::{Digest, Notify, Quiet, Rule};
use holdpoint_core::text::inert_line;
use holdpoint_engine::{NotifyView, Role};

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Show or change how a person is notified; other settings stay
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Arguments {
    /// The person
    name: String,
    /// The time zone, e.g. Europe/Berlin
    #[arg(long)]
    zone: Option<String>,
    /// Quiet hours, in which only urgent decisions are notified, e.g. 22:00-07:00
    #[arg(long, value_name = "HOURS", conflicts_with = "no_quiet")]
    quiet: Option<Quiet>,
    /// Remove quiet hours
    #[arg(long)]
    no_quiet: bool,
    /// Whose urgent decisions break the quiet: the name of an agent's token, or * for anybody (the default);
    /// repeatable, replaces earlier names
    #[arg(long, value_name = "NAME", conflicts_with = "no_urgent")]
    urgent_from: Vec<String>,
    /// Let nobody's urgent decisions break the quiet
    #[arg(long)]
    no_urgent: bool,
    /// When to mail what is not urgent: `at_once`, hourly, "daily HH:MM" or never
    #[arg(long, value_name = "WHEN")]
    digest: Option<Digest>,
    /// Which channels to use, e.g. "source=approval project=web: telegram,mail" or "priority=low: none"; the first
    /// match counts; repeatable, replaces earlier rules
    #[arg(long, value_name = "RULE", conflicts_with = "no_rules")]
    rule: Vec<Rule>,
    /// Remove all rules: every channel notifies everything
    #[arg(long)]
    no_rules: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Returns the new preferences, if any are changed.
    fn change(&self, before: &Notify) -> Option<Notify> {
        let after = Notify {
            zone: self.zone.clone().or_else(|| before.zone.clone()),
            quiet: if self.no_quiet { None } else { self.quiet.or(before.quiet) },
            urgent_from: match (self.no_urgent, self.urgent_from.is_empty()) {
                (true, _) => Vec::new(),
                (false, true) => before.urgent_from.clone(),
                (false, false) => self.urgent_from.clone(),
            },
            digest: self.digest.unwrap_or(before.digest),
            rules: match (self.no_rules, self.rule.is_empty()) {
                (true, _) => Vec::new(),
                (false, true) => before.rules.clone(),
                (false, false) => self.rule.clone(),
            },
        };
        (after != *before).then_some(after)
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let mut view = client.notify_of(&arguments.name).await?;
    if let Some(notify) = arguments.change(&view.notify) {
        view = client.set_notify(&arguments.name, notify).await?;
    }
    if arguments.json {
        ui.json(&view)?;
        return Ok(Exit::Done);
    }
    for line in lines(&view) {
        ui.line(line)?;
    }
    for warning in &view.warnings {
        ui.warn(inert_line(warning));
    }
    Ok(Exit::Done)
}

fn lines(view: &NotifyView) -> Vec<String> {
    let NotifyView { notify, .. } = view;
    let reached: Vec<_> = view.reached_by.iter().map(|channel| channel.name()).collect();
    let mut lines = vec![
        format!("Person      {}", inert_line(&view.person)),
        format!("Reached by  {}", reached.join(", ")),
        format!("Zone        {}", notify.zone.as_deref().map_or_else(|| "UTC".into(), inert_line)),
    ];
    lines.push(match (&notify.quiet, view.quiet_until) {
        (None, _) => "Quiet       never".into(),
        (Some(quiet), None) => format!("Quiet       {quiet}"),
        (Some(quiet), Some(until)) => format!("Quiet       {quiet}, now until {}", notify.local(until)),
    });
    let urgent_from: Vec<String> = notify.urgent_from.iter().map(|name| inert_line(name)).collect();
    lines.push(match urgent_from.as_slice() {
        [] => "Urgent      from nobody: it waits like the rest".into(),
        [one] if one == "*" => "Urgent      from anybody comes through".into(),
        names => format!("Urgent      from {} comes through", names.join(", ")),
    });
    lines.push(match view.next_digest {
        None => format!("Mail        {}", notify.digest),
        Some(at) => format!("Mail        {}, next {}", notify.digest, notify.local(at)),
    });
    if notify.rules.is_empty() {
        lines.push("Rules       none: every channel notifies everything".into());
    }
    for (at, rule) in notify.rules.iter().enumerate() {
        lines.push(format!("Rule {:<6} {}", at + 1, inert_line(&rule.to_string())));
    }
    lines
}
