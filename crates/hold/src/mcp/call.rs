//! Tool calls.

use std::sync::Arc;

use holdpoint_core::decision::New;
use holdpoint_core::{Decision, Status};
use holdpoint_engine::{Error, ListQuery};
use holdpoint_protocols::claude::{self, CallContext, output};
use holdpoint_protocols::mcp::call::{self, Call, CallError, Issue, List};
use holdpoint_protocols::mcp::peer::{Meta, Peer};
use holdpoint_protocols::mcp::result;
use holdpoint_protocols::mcp::rpc::{Request, RpcError};
use holdpoint_protocols::mcp::state::State;
use holdpoint_protocols::{beads, claude::Reply};
use serde_json::{Map, Value, json};

use super::failed::failed;
use super::holding::{HoldOutcome, PendingCall, WaitLimit, over, wait_limit};
use super::{CallResult, McpServer, NotificationSender};
use crate::view_model::decision_point;

/// The maximum number of decisions listed at once.
const MOST: usize = 200;

impl McpServer {
    /// Calls a tool. Errors that the model can correct are returned as text, not as protocol errors.
    pub(super) async fn call(
        &self,
        request: &Request,
        meta: &Meta,
        peer: &Peer,
        out: &NotificationSender,
    ) -> CallResult {
        let call = match call::read(&request.params) {
            Ok(call) => call,
            Err(CallError::RpcError(fault)) => return Err(fault),
            Err(CallError::Words(words)) => return Ok(result::failure(&format!("invalid: {words}"))),
        };
        let resumed = self.resumed(request).await?;
        let waiting = PendingCall { request, meta, peer, out, wait_limit: WaitLimit::Usual };
        let as_task = waiting.wants_core_task();
        if as_task {
            call::check_task(&request.params)?;
        }
        let done = match call {
            Call::Ask { new, key, wait } => {
                let waiting = PendingCall { wait_limit: wait_limit(wait), ..waiting };
                self.ask(*new, key, resumed, &waiting).await
            }
            Call::Wait { id, timeout } => {
                let waiting = PendingCall { wait_limit: wait_limit(timeout), ..waiting };
                self.wait(&id, resumed, &waiting).await
            }
            Call::ApprovalPrompt(tool) => self.approval(tool, resumed, &waiting).await,
            other => self.act(other).await,
        };
        // A caller that requested a task has no use for the result of a call that created none.
        match done {
            Err(error) if as_task => Err(RpcError::params(result::text(&failed(&error)))),
            done => Ok(done.unwrap_or_else(|error| failed(&error))),
        }
    }

    async fn ask(
        &self,
        mut new: New,
        key: Option<String>,
        resumed: Option<State>,
        waiting: &PendingCall<'_>,
    ) -> Result<Map<String, Value>, Error> {
        if new.project.is_none() {
            new.project.clone_from(&self.project);
        }
        if new.requested_by.is_none() {
            new.requested_by = waiting.peer.name.as_ref().map(|name| format!("mcp:{name}"));
        }
        let (decision, round) = match resumed {
            Some(state) => (self.client.get(&state.decision.to_string()).await?, state.round),
            None => (self.create(new, key.or_else(|| waiting.meta.key())).await?, 0),
        };
        if waiting.wait_limit == WaitLimit::Said(std::time::Duration::ZERO) && !waiting.wants_core_task() {
            return Ok(result::outcome(&decision));
        }
        Ok(over(self.hold(decision, round, waiting).await?))
    }

    async fn wait(
        &self,
        id: &str,
        resumed: Option<State>,
        waiting: &PendingCall<'_>,
    ) -> Result<Map<String, Value>, Error> {
        let decision = self.client.get(id).await?;
        let round = resumed.map_or(0, |state| state.round);
        Ok(over(self.hold(decision, round, waiting).await?))
    }

    /// Asks, and delivers notices while we hold.
    pub(super) async fn create(&self, new: New, key: Option<String>) -> Result<Decision, Error> {
        let created = self.client.create(new, key).await?;
        self.notify_client();
        Ok(created.decision)
    }

    /// Runs the effects of a commit in the background.
    fn notify_client(&self) {
        let client = Arc::clone(&self.client);
        tokio::spawn(async move {
            for failure in client.finish().await {
                tracing::warn!("{failure}");
            }
        });
    }

    /// Answers the permission prompt: only a yes to exactly this call, used once, allows it.
    async fn approval(
        &self,
        mut tool: claude::Tool,
        resumed: Option<State>,
        waiting: &PendingCall<'_>,
    ) -> Result<Map<String, Value>, Error> {
        tool.use_id = tool.use_id.or_else(|| waiting.meta.tool_use_id.clone());
        let reply = match self.approve(&tool, resumed, waiting).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(later)) => return Ok(later),
            Err(error) => Reply::deny(format!("Not allowed, because nobody could be asked: {error}")),
        };
        Ok(result::permission(&output::prompt_tool(&reply)))
    }

    async fn approve(
        &self,
        tool: &claude::Tool,
        resumed: Option<State>,
        waiting: &PendingCall<'_>,
    ) -> Result<Result<Reply, Map<String, Value>>, Error> {
        let asked = claude::ask(tool, &CallContext::of_prompt_tool(self.project.clone()))?;
        let (decision, round) = match resumed {
            Some(state) => (self.client.get(&state.decision.to_string()).await?, state.round),
            None => (self.create(asked.new, asked.key).await?, 0),
        };
        let waiting = PendingCall { wait_limit: WaitLimit::Endless, ..*waiting };
        let guard = self.parked.guard(&self.client, decision.id);
        let held = self.hold(decision, round, &waiting).await;
        // A task, or a client that will come back, still waits for the decision.
        if held.is_ok() {
            guard.settled();
        }
        Ok(match held? {
            HoldOutcome::Later(later) => Err(later),
            HoldOutcome::Over(decision) => Ok(self.used(tool, &decision).await),
        })
    }

    /// Consumes an approval for a call; one that cannot be consumed does not count.
    pub(super) async fn used(&self, tool: &claude::Tool, decision: &Decision) -> Reply {
        crate::hooks::used(&*self.client, tool, decision).await
    }

    async fn act(&self, call: Call) -> Result<Map<String, Value>, Error> {
        Ok(match call {
            Call::Revise { id, revision } => {
                let id = self.client.get(&id).await?.id;
                result::resource(&self.client.revise(id, *revision).await?)
            }
            Call::List(list) => self.list(list).await?,
            Call::Show { id } => result::resource(&self.client.get(&id).await?),
            Call::Answer { id, input } => {
                self.check_may_answer()?;
                let id = self.client.get(&id).await?.id;
                let answered = self.client.answer(id, *input).await?;
                self.notify_client();
                result::outcome(&answered.decision)
            }
            Call::Cancel { id, reason } => {
                let id = self.client.get(&id).await?.id;
                let cancelled = self.client.cancel(id, reason).await?;
                self.notify_client();
                result::outcome(&cancelled)
            }
            Call::Consume { id, subject, required } => {
                let id = self.client.get(&id).await?.id;
                let used = self.client.consume(id, subject, required, None).await?.decision;
                let words = "The approval is used. Do exactly this now, once.";
                let shown =
                    json!({ "summary": words, "decision_id": used.id, "consumed_at": used.consumed_at });
                result::structured(words, shown)
            }
            Call::BdList { project } => {
                let pending = self.on_items(project).await?;
                let points: Vec<_> = pending.iter().map(beads::view).collect();
                let words = match points.len() {
                    1 => "1 decision point waits for a person.".to_owned(),
                    many => format!("{many} decision points wait for a person."),
                };
                result::structured(&words, json!({ "decisions": points }))
            }
            Call::BdShow(issue) => match self.point_of(&issue).await? {
                Some(decision) => view(&decision),
                None => nothing_on(&issue),
            },
            Call::BdCreate(mut create) => {
                if create.project.is_none() {
                    create.project.clone_from(&self.project);
                }
                create.default_timeout = self.point_timeout;
                let decision = decision_point::create(&*self.client, *create).await?;
                self.notify_client();
                view(&decision)
            }
            Call::BdRespond { issue, respond } => {
                self.check_may_answer()?;
                let Some(decision) = self.point_to_settle(&issue).await? else {
                    return Ok(nothing_on(&issue));
                };
                let input = beads::respond(&decision, &respond)?;
                let answered = self.client.answer(decision.id, input).await?;
                self.notify_client();
                view(&answered.decision)
            }
            Call::Ask { .. } | Call::Wait { .. } | Call::ApprovalPrompt(_) => Map::new(),
        })
    }

    fn check_may_answer(&self) -> Result<(), Error> {
        if self.may_answer {
            return Ok(());
        }
        let why = "this MCP connection may not answer; a person allows it with `hold mcp --may-answer`";
        Err(holdpoint_core::Refusal::Forbidden(why.to_owned()).into())
    }

    async fn list(&self, list: List) -> Result<Map<String, Value>, Error> {
        let wrong = |place: &str, why: String| Error::Refused(holdpoint_core::Refusal::invalid(place, why));
        let limit = list.limit.unwrap_or(20);
        if !(1..=MOST).contains(&limit) {
            return Err(wrong("limit", format!("must be from 1 to {MOST}")));
        }
        let statuses = list.statuses().map_err(|why| wrong("status", why))?;
        let query = ListQuery {
            project: list.project,
            statuses,
            source: list.source,
            owner: list.owner,
            requested_by: list.requested_by,
            limit,
            cursor: list.cursor,
            ..ListQuery::default()
        };
        let listed = self.client.list(&query).await?;
        let words = format!("{} decisions.", listed.items.len());
        Ok(result::structured(&words, json!({ "items": listed.items, "next": listed.next })))
    }

    /// Finds the decision that an item's name stands for, or else the one with this id or prefix.
    async fn point_of(&self, issue: &Issue) -> Result<Option<Decision>, Error> {
        match decision_point::of_item(&*self.client, &self.project_of(issue), &issue.issue_id).await? {
            None => self.with_id(issue).await,
            found => Ok(found),
        }
    }

    /// The same for a call that answers it.
    async fn point_to_settle(&self, issue: &Issue) -> Result<Option<Decision>, Error> {
        let (project, ended) = (self.project_of(issue), [Status::Answered]);
        match decision_point::to_settle(&*self.client, &project, &issue.issue_id, &ended).await? {
            None => self.with_id(issue).await,
            found => Ok(found),
        }
    }

    fn project_of(&self, issue: &Issue) -> String {
        let project = issue.project.clone().or_else(|| self.project.clone());
        project.unwrap_or_else(|| holdpoint_core::Project::DEFAULT.to_owned())
    }

    async fn with_id(&self, issue: &Issue) -> Result<Option<Decision>, Error> {
        match self.client.get(&issue.issue_id).await {
            Err(Error::NotFound(_)) => Ok(None),
            found => found.map(Some),
        }
    }

    async fn on_items(&self, project: Option<String>) -> Result<Vec<Decision>, Error> {
        let project = project.or_else(|| self.project.clone());
        let statuses = vec![Status::Pending];
        let mut query = ListQuery { project, statuses, on_items: true, limit: MOST, ..ListQuery::default() };
        let mut found = Vec::new();
        loop {
            let page = self.client.list(&query).await?;
            found.extend(page.items);
            query.cursor = page.next;
            if query.cursor.is_none() || found.len() >= MOST {
                return Ok(found);
            }
        }
    }
}

fn nothing_on(issue: &Issue) -> Map<String, Value> {
    let issue = holdpoint_core::text::inert_line(&issue.issue_id);
    result::failure(&format!("not_found: there is no decision on {issue:?}"))
}

fn view(decision: &Decision) -> Map<String, Value> {
    result::structured(&result::describe_state(decision), json!(beads::view(decision)))
}
