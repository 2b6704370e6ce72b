//! Messages from Slack's socket.

use serde_json::Value;

use super::text::original_text;

/// One message of the socket.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// The socket is ready.
    Hello,
    /// The socket is about to be closed.
    Disconnect {
        /// The reason, as given by Slack.
        reason: String,
    },
    /// An event, which must be acknowledged.
    Envelope {
        /// The id for the acknowledgement.
        id: String,
        /// A key that stays the same for repeated deliveries.
        key: String,
        /// The event, if it is of use.
        heard: Option<Box<SlackAction>>,
    },
    /// Something else.
    Other,
}

/// An action of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct SlackAction {
    /// The account: workspace and user.
    pub account: String,
    /// The workspace.
    pub team: String,
    /// The user.
    pub user: String,
    /// The action.
    pub said: ActionKind,
}

/// An action of a person.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionKind {
    /// They tapped a button of a message, or chose from its list.
    Tap {
        /// The data of the button.
        handle: String,
        /// The channel of the message.
        channel: String,
        /// The message.
        message: String,
        /// The id with which a modal can be opened, for a few seconds.
        trigger: String,
    },
    /// They changed a value in a modal that other fields depend on.
    Changed(Modal),
    /// They submitted a modal.
    Submitted(Modal),
    /// They wrote to the bot.
    Words {
        /// The channel.
        channel: String,
        /// The text.
        text: String,
        /// The message in whose thread it is.
        thread: Option<String>,
    },
}

/// A modal in the state in which an event happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Modal {
    /// The id of the modal.
    pub view: String,
    /// A value that distinguishes its states.
    pub hash: String,
    /// The data of the button that opened it.
    pub handle: String,
    /// Its content.
    pub state: Value,
}

/// Returns the name of an account: a user's id is only unique within a workspace.
pub fn account(team: &str, user: &str) -> String {
    format!("{team}/{user}")
}

/// Parses a message of the socket.
pub fn read_frame(frame: &Value) -> Frame {
    match frame["type"].as_str() {
        Some("hello") => return Frame::Hello,
        Some("disconnect") => {
            let reason = frame["reason"].as_str().unwrap_or_default().to_owned();
            return Frame::Disconnect { reason };
        }
        _ => {}
    }
    let Some(id) = frame["envelope_id"].as_str() else { return Frame::Other };
    let payload = &frame["payload"];
    let key = ["event_id", "trigger_id"].iter().find_map(|name| payload[*name].as_str());
    let key = key.unwrap_or(id).to_owned();
    let heard = match frame["type"].as_str() {
        Some("interactive") => read_interaction(payload),
        Some("events_api") => read_event(payload),
        _ => None,
    };
    Frame::Envelope { id: id.to_owned(), key, heard: heard.map(Box::new) }
}

fn read_interaction(payload: &Value) -> Option<SlackAction> {
    let said = match payload["type"].as_str()? {
        "block_actions" if payload["view"].is_object() => ActionKind::Changed(modal(&payload["view"])?),
        "block_actions" => {
            let action = payload["actions"].get(0)?;
            let value = action["value"].as_str().or_else(|| action["selected_option"]["value"].as_str());
            ActionKind::Tap {
                handle: value?.to_owned(),
                channel: text(&payload["channel"]["id"])?,
                message: text(&payload["message"]["ts"])?,
                trigger: text(&payload["trigger_id"])?,
            }
        }
        "view_submission" => ActionKind::Submitted(modal(&payload["view"])?),
        _ => return None,
    };
    let user = &payload["user"];
    // A person of another workspace may see a message of this one.
    let team = text(&user["team_id"]).or_else(|| text(&payload["team"]["id"]));
    Some(action_of(team?, text(&user["id"])?, said))
}

fn read_event(payload: &Value) -> Option<SlackAction> {
    let event = &payload["event"];
    // Only direct messages of people to the bot count; edited or deleted ones have a subtype.
    let is_own = event["type"] == "message"
        && event["channel_type"] == "im"
        && event["bot_id"].is_null()
        && event["subtype"].is_null();
    if !is_own {
        return None;
    }
    let team =
        text(&event["user_team"]).or_else(|| text(&event["team"])).or_else(|| text(&payload["team_id"]));
    let words = ActionKind::Words {
        channel: text(&event["channel"])?,
        text: original_text(event["text"].as_str()?),
        thread: text(&event["thread_ts"]),
    };
    Some(action_of(team?, text(&event["user"])?, words))
}

fn action_of(team: String, user: String, said: ActionKind) -> SlackAction {
    SlackAction { account: account(&team, &user), team, user, said }
}

fn modal(view: &Value) -> Option<Modal> {
    Some(Modal {
        view: text(&view["id"])?,
        hash: text(&view["hash"]).unwrap_or_default(),
        handle: text(&view["private_metadata"])?,
        state: view["state"]["values"].clone(),
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
