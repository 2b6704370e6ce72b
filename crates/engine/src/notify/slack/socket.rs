//! The socket over which Slack sends the actions of people.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt as _, StreamExt as _};
use holdpoint_protocols::slack::{Frame, read_frame};
use reqwest::{StatusCode, Upgraded, header};
use serde_json::{Value, json};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::super::channel::DeliveryError;
use super::super::excerpt::excerpt;
use super::super::http::unreached;
use super::api::{Api, DeliveryResult};

/// The size limit for one message of the socket.
const MOST_BYTES: usize = 4 << 20;
/// How long to wait for the socket to become ready.
const READY: Duration = Duration::from_secs(20);
/// How long a socket may be silent, without even answering a ping.
const SILENCE: Duration = Duration::from_secs(60);

/// An open socket.
pub(super) struct Socket {
    stream: WebSocketStream<Upgraded>,
    heard: Instant,
}

impl Socket {
    /// Opens a socket, and waits until it is ready.
    pub(super) async fn open(api: &Api) -> DeliveryResult<Self> {
        let url = api.socket_url().await?;
        let mut key = [0; 16];
        getrandom::fill(&mut key).map_err(|why| DeliveryError::later(why.to_string()))?;
        let key = STANDARD.encode(key);
        let request = api
            .http()
            .get(url)
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, &key);
        let response = request.send().await.map_err(|error| unreached(&error))?;
        let accepted = response.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        let agreed = accepted.is_some_and(|accepted| *accepted == derive_accept_key(key.as_bytes()));
        if response.status() != StatusCode::SWITCHING_PROTOCOLS || !agreed {
            return Err(DeliveryError::later(format!("the socket was refused with {}", response.status())));
        }
        let stream = response.upgrade().await.map_err(|error| unreached(&error))?;
        let config =
            WebSocketConfig::default().max_message_size(Some(MOST_BYTES)).max_frame_size(Some(MOST_BYTES));
        let stream = WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await;
        let mut socket = Self { stream, heard: Instant::now() };
        let ready = async {
            loop {
                match socket.next().await? {
                    Frame::Hello => return Ok(()),
                    Frame::Disconnect { reason } => return Err(closed(&reason)),
                    Frame::Envelope { .. } | Frame::Other => {}
                }
            }
        };
        let late = |_| DeliveryError::later("the socket did not get ready in time");
        tokio::time::timeout(READY, ready).await.map_err(late)??;
        Ok(socket)
    }

    /// Waits for the next message. It is safe to drop the wait.
    pub(super) async fn next(&mut self) -> DeliveryResult<Frame> {
        loop {
            let next = self.stream.next().await;
            let message = next.ok_or_else(|| closed("the other side hung up"))?;
            let message = message.map_err(|why| closed(&excerpt(&why.to_string(), 200)))?;
            self.heard = Instant::now();
            match message {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text).unwrap_or_default();
                    return Ok(read_frame(&frame));
                }
                Message::Close(_) => return Err(closed("the other side closed it")),
                // A ping is answered while the stream is read.
                _ => {}
            }
        }
    }

    /// Acknowledges an envelope, with something to show if needed.
    pub(super) async fn acknowledge(&mut self, id: &str, payload: Option<Value>) -> DeliveryResult<()> {
        let mut body = json!({ "envelope_id": id });
        if let Some(payload) = payload {
            body["payload"] = payload;
        }
        let sent = self.stream.send(Message::text(body.to_string())).await;
        sent.map_err(|why| closed(&excerpt(&why.to_string(), 200)))
    }

    /// Pings the other side; returns an error if it was silent for too long.
    pub(super) async fn ping(&mut self) -> DeliveryResult<()> {
        if self.heard.elapsed() > SILENCE {
            return Err(closed("the other side is silent"));
        }
        let sent = self.stream.send(Message::Ping(Bytes::new())).await;
        sent.map_err(|why| closed(&excerpt(&why.to_string(), 200)))
    }

    pub(super) async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_secs(1), self.stream.close(None)).await;
    }
}

fn closed(why: &str) -> DeliveryError {
    DeliveryError::later(format!("the socket was closed: {why}"))
}
