//! `hold token`

use clap::ValueEnum;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Permission, Span, Timestamp, Token};
use holdpoint_engine::Role;
use holdpoint_engine::auth::NewToken;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Manage tokens: credentials for agents and other programs
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Create a token and print its secret, which is shown only once
    Create {
        /// The name of its holder; assign decisions to an agent as agent:NAME
        #[arg(long)]
        name: String,
        /// The role
        #[arg(long)]
        role: Kind,
        /// Limit it to this project; repeatable; all projects by default
        #[arg(long, value_name = "PROJECT")]
        project: Vec<String>,
        /// Add a permission beyond its role: `answer` or `jobs`; repeatable
        #[arg(long = "allow", value_name = "PERMISSION")]
        permissions: Vec<Permission>,
        /// How long it is valid; until it is revoked by default
        #[arg(long, value_name = "DURATION")]
        lasts: Option<Span>,
        /// The person it belongs to, on whose behalf it asks
        #[arg(long, value_name = "PERSON")]
        owner: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List tokens, including revoked ones
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token
    Revoke {
        /// The token: its id or an unambiguous prefix
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// What a token allows.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Ask; see, change and use what it asked; answer what is assigned to it
    Agent,
    /// See, ask, answer and cancel
    Person,
    /// Everything
    Admin,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Create { name, role, project, permissions, lasts, owner, json } => {
            let new = NewToken { name, role: role.into(), projects: project, permissions, lasts, owner };
            let made = context.client(Role::Writer).await?.create_token(new).await?;
            if json {
                ui.json(&made)?;
            } else {
                let name = inert_line(&made.token.name);
                ui.note(format!("{}: {} {name}", made.token.id, made.token.role.name()));
                ui.note("This is shown once; anyone who has it may act with it (HOLD_TOKEN):");
                ui.line(made.secret.reveal())?;
            }
        }
        Verb::List { json } => {
            let client = context.client(Role::Reader).await?;
            let tokens = client.tokens().await?;
            if json {
                ui.json(&tokens)?;
            } else if tokens.is_empty() {
                ui.note("There are no tokens yet.");
            } else {
                let now = client.now().await?;
                let rows = tokens.iter().map(|token| row(token, now)).collect();
                ui.line(table::render(&["ID", "ROLE", "NAME", "PROJECTS", "STATE", "MADE"], rows))?;
            }
        }
        Verb::Revoke { id, json } => {
            let token = context.client(Role::Writer).await?.revoke_token(&id).await?;
            if json {
                ui.json(&token)?;
            } else {
                ui.line(format!("Revoked {} ({})", token.id, inert_line(&token.name)))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn row(token: &Token, now: Timestamp) -> Vec<String> {
    let state = match token.revoked_at {
        Some(_) => "revoked",
        None if !token.in_force(now) => "expired",
        None => "in force",
    };
    let mut role = token.role.name().to_owned();
    for permission in &token.permissions {
        role = format!("{role} +{permission}");
    }
    let made = format!("{} ago by {}", table::age(token.created_at, now), inert_line(&token.created_by));
    let name = match &token.owner {
        Some(owner) => format!("{} ({}'s)", inert_line(&token.name), inert_line(owner)),
        None => inert_line(&token.name),
    };
    vec![token.id.clone(), role, name, projects(&token.projects), state.into(), made]
}

/// Formats the projects that a credential is limited to.
pub(super) fn projects(names: &[String]) -> String {
    if names.is_empty() { "all".into() } else { inert_line(&names.join(", ")) }
}

impl From<Kind> for holdpoint_core::Role {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Agent => Self::Agent,
            Kind::Person => Self::Person,
            Kind::Admin => Self::Admin,
        }
    }
}
