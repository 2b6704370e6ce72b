//! The hooks of Claude Code.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::Requirements;
use holdpoint_core::job::detect::Notice;
use holdpoint_core::{Decision, Owner, OwnerKind, Refusal, Source, Span, Status, Timestamp};
use holdpoint_engine::sessions::Session;
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::beads;
use holdpoint_protocols::claude::{
    self, CallContext, CallRoute, Dialect, Event, Input, Reply, Supervision, Tool, output,
};
use serde_json::Value;

use super::{HeldQuestions, WithdrawGuard};
use crate::view_model::settled;

/// How far back a new session is told of answers.
const LOOK_BACK: Span = Span::from_secs(24 * 60 * 60);
/// Tools that are answered before they run; their permission request needs no second question.
const ANSWERED_BEFORE: [&str; 2] = ["AskUserQuestion", "ExitPlanMode"];

/// How to answer hooks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// The agent that sends the hooks.
    pub(crate) dialect: Dialect,
    /// The project of the decisions.
    pub(crate) project: Option<String>,
    /// How long to wait before silence settles a decision.
    pub(crate) timeout: Option<Span>,
    /// Whether the session ends and comes back instead of being held.
    pub(crate) defer: bool,
    /// Whether a session that stops becomes a decision.
    pub(crate) idle: bool,
    /// The job that the session works for, and its terminal.
    pub(crate) supervised: Option<(Supervision, Session)>,
}

impl Options {
    fn within(&self) -> Option<&Supervision> {
        self.supervised.as_ref().map(|(within, _)| within)
    }
}

/// Answers a hook; none if there is nothing to say.
pub(crate) async fn run(
    client: &Arc<dyn Client>,
    parked: &HeldQuestions,
    event: Event,
    input: &Input,
    options: &Options,
) -> Result<Option<Value>, Error> {
    let reply = match event {
        Event::PreToolUse => {
            let way = if options.defer { CallRoute::Deferred } else { CallRoute::PreToolUse };
            let tool = input.tool()?;
            // A call of Holdpoint's own tools needs no permission.
            if options.defer && tool.name.starts_with("mcp__hold__") {
                return Ok(None);
            }
            decide(client, parked, &tool, &terms(input, way, options), options).await?
        }
        Event::PermissionRequest => {
            let tool = input.tool()?;
            if ANSWERED_BEFORE.contains(&tool.name.as_str()) {
                return Ok(None);
            }
            if options.dialect == Dialect::Codex {
                let all = of_session(client, input, None, Vec::new(), options).await?;
                if claude::codex::is_allowed(input, &all) {
                    return Ok(output::of(options.dialect, event, &Reply::allow(tool.input)));
                }
            }
            decide(client, parked, &tool, &terms(input, CallRoute::PermissionRequest, options), options)
                .await?
        }
        Event::Stop if options.idle => {
            settle_answered_there(client, event, input, options).await?;
            let new = claude::idle(input, &terms(input, CallRoute::PreToolUse, options));
            let (decision, guard) = parked.ask(client, new, None).await?;
            claude::stopped(&hold(client, &decision, guard).await?)
        }
        Event::Notification if options.idle => {
            notice(client, input, options).await?;
            Reply::Silent
        }
        Event::SessionStart => return context(client, input, options).await,
        Event::SessionEnd => {
            end(client, input, options).await?;
            Reply::Silent
        }
        Event::PostToolUse | Event::PostToolUseFailure | Event::UserPromptSubmit | Event::Stop => {
            settle_answered_there(client, event, input, options).await?;
            Reply::Silent
        }
        Event::Notification => Reply::Silent,
    };
    Ok(output::of(options.dialect, event, &reply))
}

/// The reason given for a hook that was killed, or that outlasted its agent's timeout, before an answer came.
pub(crate) const ENDED: &str = "the hook was ended before anybody had decided";

/// Refuses, in the format of an event, because the outcome could not be determined.
pub(crate) fn refuse(dialect: Dialect, event: Event, why: &str) -> Option<Value> {
    let message = if why == ENDED {
        // Holdpoint was reachable, and the question was withdrawn with the hook.
        format!("Refused: {ENDED}. The question is withdrawn; ask again if you still need it.")
    } else {
        format!(
            "Refused, because Holdpoint could not be asked: {why}. A person can start it with `hold serve`, or remove these hooks with `hold hook uninstall {}`.",
            dialect.name()
        )
    };
    match event {
        Event::PreToolUse | Event::PermissionRequest => output::of(dialect, event, &Reply::deny(message)),
        Event::PostToolUse
        | Event::PostToolUseFailure
        | Event::UserPromptSubmit
        | Event::Stop
        | Event::Notification
        | Event::SessionStart
        | Event::SessionEnd => None,
    }
}

/// Turns a settled decision into the reply to a call. A yes to a subject is consumed by this very call; one that
/// cannot be consumed does not count.
pub(crate) async fn used(client: &dyn Client, tool: &Tool, decision: &Decision) -> Reply {
    let reply = claude::reply(tool, decision);
    match reply {
        Reply::Allow { .. } if decision.subject.is_some() && !decision.is_used_by_its_request() => {
            match client.consume(decision.id, claude::subject(tool), Requirements::default(), None).await {
                Ok(_) => reply,
                Err(error) => Reply::deny(format!("Not allowed: {error}")),
            }
        }
        reply => {
            // The person's words are delivered, and the agent asks again if it must; no caller waits for the new
            // round.
            if let Some(next) = decision.next.filter(|_| decision.status == Status::Refined) {
                let reason = "the agent was told; it asks again".to_owned();
                if let Err(error) = client.cancel(next, Some(reason)).await {
                    tracing::warn!("{next} is still pending though nobody waits: {error}");
                }
            }
            reply
        }
    }
}

fn terms(input: &Input, way: CallRoute, options: &Options) -> CallContext {
    // A session that ends and comes back is not held, and outlives its supervisor.
    let within = options.within().filter(|_| way != CallRoute::Deferred).cloned();
    CallContext {
        within,
        dialect: options.dialect,
        ..CallContext::of(input, way, options.project.clone(), options.timeout)
    }
}

/// Asks about a call and returns the reply: held until it is settled, or deferred if the session can come back.
async fn decide(
    client: &Arc<dyn Client>,
    parked: &HeldQuestions,
    tool: &Tool,
    terms: &CallContext,
    options: &Options,
) -> Result<Reply, Error> {
    let asked = claude::ask(tool, terms)?;
    // Without an id, the same call could not be recognised again.
    let deferred = terms.way == CallRoute::Deferred && asked.key.is_some();
    if deferred {
        let decision = client.create(asked.new, asked.key).await?.decision;
        let told = client.finish();
        let (_, stands) = tokio::join!(told, client.wait(decision.id, Some(Duration::ZERO)));
        return Ok(used(&**client, tool, &stands?).await);
    }
    let (decision, guard) = parked.ask(client, asked.new, asked.key).await?;
    if let Some((_, session)) = &options.supervised {
        // The terminal's watcher need not ask again about what is shown there.
        let _ = session.notice(&Notice::Prompt { prompt: claude::asks(tool) }).await;
    }
    let settled = hold(client, &decision, guard).await?;
    let reply = used(&**client, tool, &settled).await;
    if let Some((_, session)) = &options.supervised
        && !matches!(reply, Reply::Leave { .. })
    {
        let _ = session.notice(&Notice::Working).await;
    }
    Ok(reply)
}

/// Holds until the decision is settled; a waiter that stops withdraws the question.
async fn hold(
    client: &Arc<dyn Client>,
    decision: &Decision,
    guard: WithdrawGuard,
) -> Result<Decision, Error> {
    // A rule may have answered it already.
    let settled = async {
        if decision.status == Status::Pending {
            client.wait(decision.id, None).await
        } else {
            Ok(decision.clone())
        }
    };
    let (failures, settled) = tokio::join!(client.finish(), settled);
    for failure in failures {
        tracing::warn!("{failure}");
    }
    let settled = settled?;
    guard.settled();
    Ok(settled)
}

/// Shows once that a session waits in its terminal.
async fn notice(client: &Arc<dyn Client>, input: &Input, options: &Options) -> Result<(), Error> {
    let Some(new) = claude::notified(input, &terms(input, CallRoute::PreToolUse, options)) else {
        return Ok(());
    };
    let shown = pending(client, input, Some(Source::Idle), options).await?;
    if shown.is_empty() {
        client.create(new, None).await?;
        client.finish().await;
    }
    Ok(())
}

/// Tells a new session what was answered while it was away.
async fn context(client: &Arc<dyn Client>, input: &Input, options: &Options) -> Result<Option<Value>, Error> {
    let now = client.now().await?;
    let query = ListQuery {
        statuses: vec![Status::Answered, Status::Refined, Status::TimedOut, Status::Cancelled],
        requested_by: Some(options.within().map_or_else(
            || format!("{}:{}", options.dialect.name(), input.session_id),
            |within| within.agent.clone(),
        )),
        settled_since: Some(Timestamp::from_millis(now.as_millis() - LOOK_BACK.as_millis())),
        limit: 50,
        ..ListQuery::default()
    };
    // Answers to held questions have already been delivered.
    let is_new =
        |decision: &Decision| recorded_route(decision).is_none_or(|way| way == CallRoute::Deferred.name());
    let settled = settled::list(&**client, &query, is_new).await?;
    let told = beads::inject(&settled);
    Ok((!told.is_empty()).then(|| output::session_start(&told)))
}

/// Withdraws the open questions of an ended session, except those it will come back for.
async fn end(client: &Arc<dyn Client>, input: &Input, options: &Options) -> Result<(), Error> {
    for decision in pending(client, input, None, options).await? {
        if recorded_route(&decision) == Some(CallRoute::Deferred.name()) {
            continue;
        }
        take_back(client, &decision, "the session has ended").await?;
    }
    client.finish().await;
    Ok(())
}

/// Settles what a person answered in Claude Code's own dialog: nobody waits for it any more, and later answers are
/// refused.
pub(crate) async fn settle_answered_there(
    client: &Arc<dyn Client>,
    event: Event,
    input: &Input,
    options: &Options,
) -> Result<(), Error> {
    let open = pending(client, input, None, options).await?;
    if open.is_empty() {
        return Ok(());
    }
    let all = of_session(client, input, None, Vec::new(), options).await?;
    for decision in claude::answered_there(event, input, &all) {
        take_back(client, decision, claude::ANSWERED_THERE).await?;
    }
    client.finish().await;
    Ok(())
}

async fn take_back(client: &Arc<dyn Client>, decision: &Decision, reason: &str) -> Result<(), Error> {
    match client.cancel(decision.id, Some(reason.to_owned())).await {
        // It was settled in the meantime.
        Ok(_) | Err(Error::Refused(Refusal::Settled(_))) => Ok(()),
        Err(Error::Remote(problem)) if problem.status == 409 => Ok(()),
        Err(error) => Err(error),
    }
}

async fn pending(
    client: &Arc<dyn Client>,
    input: &Input,
    source: Option<Source>,
    options: &Options,
) -> Result<Vec<Decision>, Error> {
    of_session(client, input, source, vec![Status::Pending], options).await
}

async fn of_session(
    client: &Arc<dyn Client>,
    input: &Input,
    source: Option<Source>,
    statuses: Vec<Status>,
    options: &Options,
) -> Result<Vec<Decision>, Error> {
    let session = Owner::new(OwnerKind::Thread, input.session_id.as_str());
    let mut found = Vec::new();
    for owner in options.within().map(|within| within.owner.clone()).into_iter().chain([session]) {
        let query = ListQuery {
            statuses: statuses.clone(),
            owner: Some(owner),
            source,
            // The newest belong to the current prompt.
            newest_first: true,
            limit: 200,
            ..ListQuery::default()
        };
        found.extend(client.list(&query).await?.items);
    }
    // Other decisions of the same job do not belong to this session.
    let of_session = |one: &Decision| {
        one.origin.as_ref().is_some_and(|origin| origin.thread.as_deref() == Some(&input.session_id))
    };
    found.retain(of_session);
    found.sort_by_key(|one| one.created_at);
    Ok(found)
}

fn recorded_route(decision: &Decision) -> Option<&str> {
    decision.origin.as_ref()?.extra.get("way")?.as_str()
}
