//! A proxy between an editor and its agent: what the agent asks the editor is also asked here, and the first answer
//! counts. The store decides which came first: an answer in the editor counts if the decision can still be withdrawn.

mod pipe;
mod turns;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::{Requirements, is_refusal};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Span, Status};
use holdpoint_engine::{Client, Error};
use holdpoint_protocols::acp::{self, EditorRequest, Message};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(crate) use pipe::{LinePiece, Writer, read};
use turns::{ReplyAction, TurnTracker};

use crate::hooks::HeldQuestions;

/// The reason recorded on a decision that was cancelled because it was answered in the editor.
const ANSWERED_THERE: &str = "answered in the editor";
const TAKEN_BACK: &str = "the agent took it back";
const TURN_ENDED: &str = "the turn was ended in the editor";
/// How long the store may take to say who was first; after that the editor's answer counts.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long an agent may take to exit after its editor has gone.
const GRACE: Duration = Duration::from_secs(5);

/// How questions are asked.
pub(crate) struct Options {
    pub(crate) client: Arc<dyn Client>,
    pub(crate) project: String,
    /// How long to wait before silence counts as a no; forever if none.
    pub(crate) timeout: Option<Span>,
}

/// Sits between an editor and an agent.
pub(crate) struct Proxy {
    options: Options,
    editor: Writer,
    agent: Option<Writer>,
    /// The agent's pending requests, by request id.
    open: HashMap<String, OpenRequest>,
    /// Requests that we already replied to: the editor's reply to one of these comes too late.
    replied: HashSet<String>,
    turns: TurnTracker,
    parked: HeldQuestions,
    tasks: JoinSet<()>,
    news: mpsc::UnboundedSender<(u64, ProxyEvent)>,
    heard: mpsc::UnboundedReceiver<(u64, ProxyEvent)>,
    count: u64,
}

/// An unanswered request of the agent.
struct OpenRequest {
    id: Value,
    asked: EditorRequest,
    number: u64,
    stands: RequestState,
}

impl OpenRequest {
    /// Leaves the request to the editor and returns the decision to withdraw. A decision that is still being created
    /// is withdrawn, for the same reason, as soon as it exists.
    fn leave(&mut self, why: &'static str) -> Option<DecisionId> {
        match std::mem::replace(&mut self.stands, RequestState::Left(why)) {
            RequestState::Asked(id) => Some(id),
            RequestState::Begun | RequestState::Left(_) => None,
        }
    }
}

/// The state of a request on our side.
#[derive(Clone, Copy)]
enum RequestState {
    /// It is being asked.
    Begun,
    /// The decision exists.
    Asked(DecisionId),
    /// We no longer ask, and why: the editor answers it.
    Left(&'static str),
}

/// The outcome of asking or waiting.
enum ProxyEvent {
    Asked(DecisionId),
    Settled(Box<Decision>),
    Failed(Error),
}

impl Proxy {
    pub(crate) fn new(options: Options, editor: Writer, agent: Writer) -> Self {
        let (news, heard) = mpsc::unbounded_channel();
        Self {
            options,
            editor,
            agent: Some(agent),
            open: HashMap::new(),
            replied: HashSet::new(),
            turns: TurnTracker::default(),
            parked: HeldQuestions::default(),
            tasks: JoinSet::new(),
            news,
            heard,
            count: 0,
        }
    }

    /// Passes lines on until the agent has gone. When the editor goes, the agent sees the end of its input.
    pub(crate) async fn run(
        &mut self,
        mut from_editor: mpsc::Receiver<LinePiece>,
        mut from_agent: mpsc::Receiver<LinePiece>,
    ) {
        // Practically never, until the editor has gone.
        let mut until = Instant::now() + Duration::from_secs(1_000_000_000);
        loop {
            tokio::select! {
                piece = from_agent.recv() => match piece {
                    Some(piece) => self.hear_agent(piece).await,
                    None => break,
                },
                piece = from_editor.recv(), if self.agent.is_some() => {
                    if let Some(piece) = piece {
                        self.hear_editor(piece).await;
                    } else {
                        self.agent = None;
                        until = Instant::now() + GRACE;
                    }
                }
                () = tokio::time::sleep_until(until), if self.agent.is_none() => break,
                Some((number, news)) = self.heard.recv() => self.hear_news(number, news).await,
            }
        }
        for piece in self.turns.kept() {
            self.editor.pass(piece);
        }
    }

    /// Withdraws all open questions.
    pub(crate) async fn finish(mut self) {
        self.tasks.shutdown().await;
        self.parked.finish().await;
        self.options.client.finish().await;
    }

    async fn hear_agent(&mut self, piece: LinePiece) {
        match piece.line().map(Message::read) {
            Some(Message::Request { id, method, params }) => {
                self.editor.pass(piece);
                self.ask(id, &method, &params);
            }
            Some(Message::Response { id }) => match self.turns.reply(&id, piece) {
                ReplyAction::Passes(piece) => self.editor.pass(piece),
                ReplyAction::Asks(line) => self.tell_agent(line),
                ReplyAction::Ours => {}
            },
            Some(Message::Notification { method, params }) if method == "$/cancel_request" => {
                self.editor.pass(piece);
                let open = params.get("requestId").and_then(|id| self.open.get_mut(&id.to_string()));
                if let Some(id) = open.and_then(|open| open.leave(TAKEN_BACK)) {
                    self.take_back(id, TAKEN_BACK).await;
                }
            }
            _ => self.editor.pass(piece),
        }
    }

    /// Asks here too, if the request is one that we can ask.
    fn ask(&mut self, id: Value, method: &str, params: &Map<String, Value>) {
        let Some(asked) = EditorRequest::read(method, params) else { return };
        let key = id.to_string();
        self.replied.remove(&key);
        if self.open.contains_key(&key) {
            tracing::warn!(
                "The agent asks twice under the id {}: the second is left to the editor",
                inert_line(&key)
            );
            return;
        }
        self.count += 1;
        let number = self.count;
        let new = asked.question(&self.options.project, self.options.timeout);
        self.open.insert(key, OpenRequest { id, asked, number, stands: RequestState::Begun });
        let (client, parked, news) =
            (Arc::clone(&self.options.client), self.parked.clone(), self.news.clone());
        self.tasks.spawn(async move {
            let tell = |what: ProxyEvent| drop(news.send((number, what)));
            let (decision, guard) = match parked.ask(&client, new, None).await {
                Ok(asked) => asked,
                Err(error) => return tell(ProxyEvent::Failed(error)),
            };
            tell(ProxyEvent::Asked(decision.id));
            let (_, settled) = tokio::join!(client.finish(), client.wait(decision.id, None));
            match settled {
                Ok(settled) => {
                    guard.settled();
                    tell(ProxyEvent::Settled(Box::new(settled)));
                }
                Err(error) => tell(ProxyEvent::Failed(error)),
            }
        });
        while self.tasks.try_join_next().is_some() {}
    }

    async fn hear_editor(&mut self, piece: LinePiece) {
        match piece.line().map(Message::read) {
            Some(Message::Response { id }) => {
                let key = id.to_string();
                if self.replied.contains(&key) || !self.is_editors(&key).await {
                    return;
                }
            }
            Some(Message::Request { id, method, params }) if method == "session/prompt" => {
                if let Some(session) = session(&params) {
                    self.turns.begin(&id, session);
                }
            }
            Some(Message::Notification { method, params }) if method == "session/cancel" => {
                if let Some(session) = session(&params) {
                    self.call_off(session).await;
                }
            }
            _ => {}
        }
        if let Some(agent) = &mut self.agent {
            agent.pass(piece);
        }
    }

    /// Returns whether the editor's reply to a request was first and counts.
    async fn is_editors(&mut self, key: &str) -> bool {
        let Some(open) = self.open.get(key) else { return true };
        if let RequestState::Asked(id) = open.stands
            && let Some(settled) = self.take_back(id, ANSWERED_THERE).await
            && open_reply(self.open.get(key), &settled)
        {
            self.deliver(key, &settled).await;
            return false;
        }
        self.open.remove(key);
        true
    }

    /// Withdraws a question; returns the decision if it was settled before.
    async fn take_back(&self, id: DecisionId, reason: &str) -> Option<Decision> {
        let client = &self.options.client;
        let tried = async {
            match client.cancel(id, Some(reason.to_owned())).await {
                Ok(_) => Ok(None),
                Err(_) => client.get(&id.to_string()).await.map(Some),
            }
        };
        match tokio::time::timeout(PATIENCE, tried).await {
            Ok(Ok(settled)) => settled.filter(|decision| decision.status != Status::Pending),
            Ok(Err(error)) => {
                tracing::warn!("{id} may still be pending: {error}");
                None
            }
            Err(_) => {
                tracing::warn!("{id} may still be pending: there was no reply in time");
                None
            }
        }
    }

    /// Handles a cancelled turn: the person at the editor ended it, so its questions are no longer wanted.
    async fn call_off(&mut self, session: &str) {
        self.turns.call_off(session);
        let of_session = |open: &&mut OpenRequest| open.asked.session() == Some(session);
        let asked: Vec<DecisionId> =
            self.open.values_mut().filter(of_session).filter_map(|open| open.leave(TURN_ENDED)).collect();
        for id in asked {
            self.take_back(id, TURN_ENDED).await;
        }
    }

    async fn hear_news(&mut self, number: u64, news: ProxyEvent) {
        let found = self.open.iter_mut().find(|(_, open)| open.number == number);
        match (found, news) {
            (Some((_, open)), ProxyEvent::Asked(id)) if matches!(open.stands, RequestState::Begun) => {
                open.stands = RequestState::Asked(id);
            }
            // The request was ended before its decision existed.
            (found, ProxyEvent::Asked(id)) => {
                let why = match found.map(|(_, open)| open.stands) {
                    Some(RequestState::Left(why)) => why,
                    _ => ANSWERED_THERE,
                };
                self.take_back(id, why).await;
            }
            (Some((key, open)), ProxyEvent::Settled(settled)) => {
                let key = key.clone();
                if matches!(open.stands, RequestState::Asked(_)) && open.asked.reply(&settled).is_some() {
                    self.deliver(&key, &settled).await;
                } else {
                    open.leave("settled without a reply");
                }
            }
            (Some((_, open)), ProxyEvent::Failed(error)) => {
                open.leave("it could not be asked");
                tracing::warn!("Only the editor can answer this: {error}");
            }
            (None, ProxyEvent::Settled(_) | ProxyEvent::Failed(_)) => {}
        }
    }

    /// Sends the agent the answer given here, and tells the editor to stop asking.
    async fn deliver(&mut self, key: &str, decision: &Decision) {
        let Some(open) = self.open.remove(key) else { return };
        let Some(mut reply) = open.asked.reply(decision) else { return };
        if let Some(subject) = open.asked.subject().filter(|_| !is_refusal(decision)) {
            // A yes is consumed by this very call; one that cannot be consumed does not count.
            let used = self
                .options
                .client
                .consume(decision.id, subject.clone(), Requirements::default(), None)
                .await;
            if let Err(error) = used {
                reply = open.asked.refusal(format!("Not allowed: {error}"));
            }
        }
        self.tell_agent(acp::response(&open.id, &reply.result));
        self.editor.say(acp::cancel_request(&open.id));
        self.replied.insert(key.to_owned());
        if let (Some(reason), Some(session)) = (reply.reason, open.asked.session()) {
            let what = inert_line(decision.summary());
            let words = format!("About \"{what}\", which was denied, the person says: {reason}");
            if let Some(line) = self.turns.refused(session, words) {
                self.tell_agent(line);
            }
        }
    }

    fn tell_agent(&mut self, line: String) {
        if let Some(agent) = &mut self.agent {
            agent.say(line);
        }
    }
}

/// Returns whether a settled decision yields a reply to the open request.
fn open_reply(open: Option<&OpenRequest>, settled: &Decision) -> bool {
    open.is_some_and(|open| open.asked.reply(settled).is_some())
}

fn session(params: &Map<String, Value>) -> Option<&str> {
    params.get("sessionId").and_then(Value::as_str)
}
