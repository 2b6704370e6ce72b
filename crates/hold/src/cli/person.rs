//! `hold person`

mod notify;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Person, Role as Allowed};
use holdpoint_engine::auth::{NewPerson, Password};
use holdpoint_engine::{Client, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::token::projects;
use super::ui::Ui;
use super::{input, table};

/// Manage people who sign in to the web and get notices
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add or change a person; other settings stay
    Add {
        /// The name, as used in assignees and answers
        name: String,
        /// Let them manage tokens, people and settings
        #[arg(long, overrides_with = "no_admin")]
        admin: bool,
        /// Take that permission back
        #[arg(long)]
        no_admin: bool,
        /// The address for notices
        #[arg(long)]
        email: Option<String>,
        /// Limit them to this project; repeatable; all projects by default
        #[arg(long, value_name = "PROJECT")]
        project: Vec<String>,
        /// Read a password from the first line of standard input; ends their sessions
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List people
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a person and end their sessions
    Remove {
        /// The person
        name: String,
    },
    /// Print a sign-in link for the web, or a code to link a channel's account; works once, for 15 minutes
    Link {
        /// The person
        name: String,
        /// The channel: telegram or slack
        channel: Option<String>,
        /// Print JSON
        #[arg(long, requires = "channel")]
        json: bool,
    },
    /// Show or change how a person is notified: quiet hours, digests, channels
    Notify(notify::Arguments),
    /// Unlink a person's account of a channel; what it still shows as pending is taken back
    Unlink {
        /// The person
        name: String,
        /// The channel: telegram, slack or webpush (all browsers)
        channel: String,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Add { name, admin, no_admin, email, project, password_stdin, json } => {
            let client = context.client(Role::Writer).await?;
            let known = client.people().await?.into_iter().find(|person| person.name == name);
            let role = match (admin, no_admin, &known) {
                (true, ..) => Allowed::Admin,
                (_, true, _) | (_, _, None) => Allowed::Person,
                (_, _, Some(known)) => known.role,
            };
            let email = email.or_else(|| known.as_ref().and_then(|person| person.email.clone()));
            let kept = || known.as_ref().map(|person| person.projects.clone()).unwrap_or_default();
            let projects = if project.is_empty() { kept() } else { project };
            let password = if password_stdin { Some(read_password()?) } else { None };
            let person = client.put_person(NewPerson { name, role, email, projects, password }).await?;
            if json {
                ui.json(&person)?;
            } else {
                let verb = if known.is_some() { "Updated" } else { "Added" };
                ui.line(format!("{verb} {} ({})", inert_line(&person.name), person.role.name()))?;
            }
            if !person.has_password {
                let name = inert_line(&person.name);
                ui.note(format!("No password: hold person link {name:?} prints a link to sign in with."));
            }
        }
        Verb::List { json } => {
            let people = context.client(Role::Reader).await?.people().await?;
            if json {
                ui.json(&people)?;
            } else if people.is_empty() {
                ui.note("Nobody can sign in yet.");
            } else {
                ui.line(table::render(
                    &["NAME", "ROLE", "PROJECTS", "PASSWORD", "E-MAIL"],
                    people.iter().map(row).collect(),
                ))?;
            }
        }
        Verb::Remove { name } => {
            let client = context.client(Role::Writer).await?;
            client.remove_person(&name).await?;
            ui.line(format!("Removed {}", inert_line(&name)))?;
            warn_of_tokens(client.as_ref(), &name, ui).await?;
            warn_of_policies(client.as_ref(), &name, ui).await?;
        }
        Verb::Link { name, channel: None, json: _ } => {
            ui.line(context.client(Role::Writer).await?.sign_in_link(&name).await?)?;
        }
        Verb::Link { name, channel: Some(channel), json } => {
            let code = context.client(Role::Writer).await?.account_code(&name, &channel).await?;
            if json {
                ui.json(&code)?;
            } else {
                ui.line(&code.code)?;
                let (name, channel) = (inert_line(&name), inert_line(&channel));
                ui.note(format!(
                    "{name} must send this to the bot on {channel} within 15 minutes; it works once."
                ));
            }
        }
        Verb::Notify(arguments) => return notify::run(arguments, context, ui).await,
        Verb::Unlink { name, channel } => {
            context.client(Role::Writer).await?.unlink_account(&name, &channel).await?;
            let (channel, name) = (inert_line(&channel), inert_line(&name));
            ui.line(match channel.as_str() {
                "webpush" => format!("No browser of {name} is notified any more"),
                "telegram" => format!("Unlinked {name}'s Telegram account"),
                _ => format!("Unlinked {name}'s Slack account"),
            })?;
        }
    }
    Ok(Exit::Done)
}

/// Warns about tokens: they are separate credentials, and are not removed with the person whose name they have.
async fn warn_of_tokens(client: &dyn Client, name: &str, ui: &mut Ui) -> Result<(), Failure> {
    let tokens = client.tokens().await?;
    for token in tokens.iter().filter(|token| token.name == name && token.revoked_at.is_none()) {
        ui.warn(format!("{} has the same name and is still valid: hold token revoke {}", token.id, token.id));
    }
    Ok(())
}

/// Warns about policies: they name people, so a person added under this name again counts for them.
async fn warn_of_policies(client: &dyn Client, name: &str, ui: &mut Ui) -> Result<(), Failure> {
    for policy in client.policies(None).await?.iter().filter(|policy| policy.names(name)) {
        let (id, name) = (&policy.id, inert_line(name));
        ui.warn(format!("{id} still names {name}, and means whoever has that name: hold policy remove {id}"));
    }
    Ok(())
}

fn row(person: &Person) -> Vec<String> {
    vec![
        inert_line(&person.name),
        person.role.name().into(),
        projects(&person.projects),
        if person.has_password { "yes" } else { "no" }.into(),
        person.email.as_deref().map(inert_line).unwrap_or_default(),
    ]
}

fn read_password() -> Result<Password, Failure> {
    match input::line()? {
        Some(line) if !line.is_empty() => Ok(Password::new(line)),
        _ => Err(Failure::error("there is no password on standard input")),
    }
}
