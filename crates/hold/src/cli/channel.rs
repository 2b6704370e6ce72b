//! `hold channel`

use holdpoint_core::Lane;
use holdpoint_core::text::inert_line;
use holdpoint_engine::{ChannelState, Role};
use holdpoint_store::ChannelNote;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// List, test and inspect the channels that notify people and programs
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List the configured channels
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Send a test message to a person, or to a configured webhook or callback
    Test {
        /// The channel: webhook, callback, mail, ntfy, telegram, slack or webpush
        #[arg(value_name = "CHANNEL")]
        channel: String,
        /// The person, or the name of the webhook or callback in the settings
        name: String,
    },
    /// List what channels sent, held back, accepted and refused, newest first
    Log {
        /// Limit to this channel
        #[arg(value_parser = lane, value_name = "CHANNEL")]
        channel: Option<Lane>,
        /// At most this many
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

fn lane(text: &str) -> Result<Lane, String> {
    let is_noted = |lane: &Lane| lane.is_personal() || lane.tells_programs();
    let names = || Lane::ALL.into_iter().filter(is_noted).map(Lane::name).collect::<Vec<_>>();
    let known = Lane::from_name(text).filter(is_noted);
    known.ok_or_else(|| format!("use one of {}", names().join(", ")))
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    // Only a writer reads the settings.
    let client = context.client(Role::Writer).await?;
    match arguments.verb {
        Verb::List { json } => {
            let channels = client.channels().await?;
            if json {
                ui.json(&channels)?;
            } else if channels.is_empty() {
                ui.note("The settings name no channel; see docs/notices.md.");
            } else {
                let header = ["CHANNEL", "REACHES", "QUEUED", "HELD", "DEAD", "LAST"];
                ui.line(table::render(&header, channels.iter().map(state).collect()))?;
            }
        }
        Verb::Test { channel, name } => {
            let tested = client.test_channel(&channel, &name).await?;
            ui.line(format!("Sent {} a message by {channel}", inert_line(&name)))?;
            if let Some(otherwise) = tested.otherwise {
                ui.note(format!("A question of normal priority would be {}.", inert_line(&otherwise)));
            }
        }
        Verb::Log { channel, limit, json } => {
            let notes = client.channel_log(channel, limit).await?;
            if json {
                ui.json(&notes)?;
            } else if notes.is_empty() {
                ui.note("Nothing was sent or received in the last month.");
            } else {
                let header = ["AT", "CHANNEL", "WHAT", "WHO", "DECISION", "WORDS"];
                ui.line(table::render(&header, notes.iter().map(note).collect()))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn state(channel: &ChannelState) -> Vec<String> {
    let last = channel.last.as_ref();
    let last = last.map(|note| format!("{} {}", note.what.name(), note.at)).unwrap_or_default();
    vec![
        channel.channel.name().into(),
        inert_line(&channel.reaches.join(", ")),
        channel.queued.to_string(),
        channel.held.to_string(),
        channel.dead.to_string(),
        last,
    ]
}

fn note(note: &ChannelNote) -> Vec<String> {
    vec![
        note.at.to_string(),
        note.channel.name().into(),
        note.what.name().into(),
        inert_line(&note.address),
        note.decision.map(|id| id.to_string()).unwrap_or_default(),
        inert_line(&note.words),
    ]
}
