//! One turn of a conversation, through either interface.

use std::sync::Arc;

use holdpoint_core::decision::{AnswerInput, DraftInput, Revision};
use holdpoint_core::{Decision, Refusal, Values};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::{Client as _, Embedded, Error, llm};
use holdpoint_protocols::action::conversation::{self, FormOutcome, Outcome, State, Turn};
use holdpoint_protocols::action::form::Form;
use holdpoint_protocols::action::{Action, ReaderResult, ToolResult};
use jiff::tz::TimeZone;
use serde_json::Value;
use tokio::sync::Mutex;

use super::transcript::TurnRecord;
use super::{LineAuthor, Transcript, TranscriptLine, asker, clock, conversation_of, sessions};
use crate::http::app::App;
use crate::http::problem::{HandlerError, HandlerResult};

/// The input of a turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnInput {
    /// The text, in the person's own words.
    pub(crate) text: String,
    /// The typed value of the field that was asked.
    pub(crate) value: Option<Value>,
    /// Typed values by field.
    pub(crate) typed: Values,
    pub(crate) tool_results: Vec<ToolResult>,
    /// Whether to send the form once it is complete.
    pub(crate) submit: bool,
    /// The person's time zone, if given.
    pub(crate) zone: Option<TimeZone>,
    /// What the person saw, if exactly that must be sent: the draft, and the digest of the question.
    pub(crate) saw: Option<(Values, String)>,
    /// The label of the control that was used, for those who read the conversation later.
    pub(crate) shown: Option<String>,
}

/// The outcome of a turn.
#[derive(Debug)]
pub(crate) struct TurnResult {
    pub(crate) action: Action,
    pub(crate) values: Values,
    pub(crate) submitted: bool,
}

/// The maximum number of characters per message. Nobody types more at once, and interpreting it would delay others.
const LONGEST: usize = 20_000;

/// Refuses a message that is too long.
pub(crate) fn check_length(text: &str) -> HandlerResult<()> {
    let characters = text.chars().count();
    if characters <= LONGEST {
        return Ok(());
    }
    let why = format!(
        "user_message has {characters} characters; at most {LONGEST} are allowed: shorten it, or send it in parts"
    );
    Err(HandlerError::new(422, "invalid", why))
}

/// How often a turn is retried when others change the draft at the same moment.
const TRIES: usize = 8;

/// Takes a turn of the conversation about a pending decision.
pub(crate) async fn take(
    app: &App,
    who: &Caller,
    decision: &Decision,
    spoken: TurnInput,
) -> HandlerResult<TurnResult> {
    check_length(&spoken.text)?;
    let talk = talk_of(app, decision).await;
    let mut talk = talk.lock().await;
    if talk.decision != decision.id {
        // The conversation's last form is over; the person's time zone stays.
        let zone = std::mem::replace(&mut talk.zone, TimeZone::UTC);
        *talk = Transcript::about(decision);
        talk.zone = zone;
    }
    let client = Embedded::of(app.engine.clone(), who.clone());
    for _ in 0..TRIES {
        // Others may have continued it elsewhere: the stored decision and the log are authoritative.
        let decision = client.get(&decision.id.to_string()).await?;
        talk.follow(app.engine.store().as_ref()).await?;
        if let Some(taken) = attempt(app, &client, &mut talk, &decision, spoken.clone()).await? {
            return Ok(taken);
        }
    }
    Err(HandlerError::new(409, "stale", "someone else changed this form just now; check it and send again"))
}

/// Takes a turn based on what was read. Returns none if the draft has changed since.
async fn attempt(
    app: &App,
    client: &Embedded,
    talk: &mut Transcript,
    decision: &Decision,
    spoken: TurnInput,
) -> HandlerResult<Option<TurnResult>> {
    let is_old = spoken
        .saw
        .as_ref()
        .is_some_and(|(draft, digest)| *draft != decision.draft || *digest != decision.digest);
    if spoken.submit && is_old {
        return Err(stale_send());
    }
    let now = app.engine.now().await?;
    talk.touched = talk.touched.max(now);
    let (form, state) = (Form::of(decision), talk.state(decision));
    let zone = spoken.zone.clone().unwrap_or_else(|| talk.zone.clone());
    let moved = zone != talk.zone;
    let (submit, words) = (spoken.submit, spoken.shown.clone());
    let turn = turn_of(spoken, &state);
    let heard = conversation::take_turn(&form, &state, &decision.draft, &turn);
    let understood = match llm::aside(|| heard.briefing(clock::shows(now, &zone), &zone)) {
        Some(briefing) => app.chats.reader.read(&briefing).await,
        None => ReaderResult::default(),
    };
    let mut outcome = llm::aside(|| heard.answer(&understood));
    // Saying "send it" means what the person sees, just as pressing Send does.
    if outcome.wish == Some(FormOutcome::Send) && is_old {
        return Err(stale_send());
    }
    let complete = matches!(outcome.action, Action::FormComplete { .. }) && !outcome.values.is_empty();
    let keeps = outcome.wish == Some(FormOutcome::Keep);
    // A person whose words were not understood may not want to send the current values.
    let submitted =
        complete && (submit && !outcome.unclear && !keeps || outcome.wish == Some(FormOutcome::Send));
    let action = outcome.action.clone();
    outcome.action = match (submit, submitted) {
        (_, true) => conversation::sent(action),
        (true, false) if !keeps => action.preceded_by(&conversation::unsent(&form, &outcome)),
        _ => action,
    };
    if turn.is_silent()
        && !submit
        && !moved
        && outcome.values == decision.draft
        && outcome.changes_nothing(&state)
    {
        if !state.begun {
            talk.greeted(outcome.state, &decision.draft);
        }
        return Ok(Some(TurnResult { action: outcome.action, values: outcome.values, submitted }));
    }
    let mut told = TurnRecord::new(&outcome.state, (moved || zone != TimeZone::UTC).then_some(&zone));
    told.undone = outcome.state.past.len() < state.past.len();
    told.closing = submitted || outcome.wish == Some(FormOutcome::Cancel);
    let said = words.unwrap_or_else(|| turn.in_words(&form));
    if talk.lines(decision).is_empty() && !said.trim().is_empty() {
        // The page showed this question before the first message.
        told.say(LineAuthor::Form, waiting(&form, &state, decision).said());
    }
    told.say(LineAuthor::Person, &said);
    told.say(LineAuthor::Form, outcome.action.said());
    let Some(decision) = write(app, client, decision, &outcome, told).await? else { return Ok(None) };
    if submitted {
        let (digest, over) = (Some(decision.digest.clone()), Some(decision.draft.clone()));
        let input = AnswerInput { values: outcome.values.clone(), digest, over, ..AnswerInput::default() };
        let answered = match client.answer(decision.id, input).await {
            Err(Error::Refused(Refusal::Stale { .. })) => return Err(stale_send()),
            answered => answered?,
        };
        app.metrics.settled(&answered.decision);
        sessions::forget(app, &decision).await;
    } else if outcome.wish == Some(FormOutcome::Cancel) {
        sessions::give_up(app, client, &decision).await?;
    }
    Ok(Some(TurnResult { action: outcome.action, values: outcome.values, submitted }))
}

/// Stores the outcome of a turn. Returns none if others have changed the draft meanwhile, so that their values are
/// not lost.
async fn write(
    app: &App,
    client: &Embedded,
    decision: &Decision,
    outcome: &Outcome,
    told: TurnRecord,
) -> HandlerResult<Option<Decision>> {
    let mut fields = decision.fields.clone();
    for (id, options) in &outcome.options {
        if let Some(field) = fields.iter_mut().find(|field| field.id == *id) {
            field.options.clone_from(options);
        }
    }
    if fields != decision.fields {
        let over = Some(decision.digest.clone());
        let revision = Revision { fields: Some(fields), over, ..Revision::default() };
        match asker(app).revise(decision.id, revision).await {
            Err(Error::Refused(Refusal::Stale { .. })) => return Ok(None),
            revised => revised?,
        };
    }
    let (values, over) = (outcome.values.clone(), Some(decision.draft.clone()));
    let input = DraftInput { values, over, talk: Some(told.written()) };
    match client.draft_with(decision.id, input).await {
        Err(Error::Refused(Refusal::Stale { .. })) => Ok(None),
        drafted => Ok(Some(drafted?)),
    }
}

fn stale_send() -> HandlerError {
    HandlerError::new(409, "stale", "the form has changed; check it and send again")
}

/// Returns the lines so far and the current question. Changes nothing.
pub(crate) async fn current_state(
    app: &App,
    decision: &Decision,
) -> HandlerResult<(Vec<TranscriptLine>, Action)> {
    let known = app.chats.talks.lock().await.get(&conversation_of(decision)).cloned();
    let mut fresh = Transcript::about(decision);
    let mut known = match &known {
        Some(talk) => Some(talk.lock().await).filter(|talk| talk.decision == decision.id),
        None => None,
    };
    let talk = known.as_deref_mut().unwrap_or(&mut fresh);
    talk.follow(app.engine.store().as_ref()).await?;
    let (lines, state) = (talk.lines(decision), talk.state(decision));
    let action = waiting(&Form::of(decision), &state, decision);
    Ok((lines, action))
}

/// Returns the current question.
fn waiting(form: &Form, state: &State, decision: &Decision) -> Action {
    let turn = Turn::default();
    conversation::take_turn(form, state, &decision.draft, &turn).answer(&ReaderResult::default()).action
}

/// Returns the conversation about a decision, as far as it is cached here.
async fn talk_of(app: &App, decision: &Decision) -> Arc<Mutex<Transcript>> {
    let mut talks = app.chats.talks.lock().await;
    let fresh = || Arc::new(Mutex::new(Transcript::about(decision)));
    Arc::clone(talks.entry(conversation_of(decision)).or_insert_with(fresh))
}

fn turn_of(spoken: TurnInput, state: &State) -> Turn {
    let mut typed = spoken.typed;
    let mut astray = false;
    match (spoken.value, &state.asked) {
        (Some(value), Some(asked)) => {
            typed.insert(asked.clone(), value);
        }
        (value, _) => astray = value.is_some(),
    }
    Turn { text: spoken.text, typed, astray, tool_results: spoken.tool_results }
}
