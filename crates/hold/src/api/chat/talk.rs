//! One turn of a conversation, whichever way it came.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::decision::{AnswerInput, Revision};
use holdpoint_core::{Decision, Timestamp, Values};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::{Client as _, Embedded, llm};
use holdpoint_protocols::action::conversation::{self, State, Turn, Wish};
use holdpoint_protocols::action::form::Form;
use holdpoint_protocols::action::{Action, ToolResult, Understood};
use jiff::tz::TimeZone;
use serde_json::Value;
use tokio::sync::Mutex;

use super::{By, Line, Talk, asker, clock, conversation_of, sessions};
use crate::api::App;
use crate::api::problem::{Answer, Failed};

/// What someone says in a turn.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    /// In their own words.
    pub(crate) text: String,
    /// The typed value of the field that was asked.
    pub(crate) value: Option<Value>,
    /// Typed values by field.
    pub(crate) typed: Values,
    pub(crate) tool_results: Vec<ToolResult>,
    /// Whether to send the form once it is complete.
    pub(crate) submit: bool,
    /// Where their clock hangs, if they say so.
    pub(crate) zone: Option<TimeZone>,
    /// What they saw, if they must send exactly that: the draft, and the digest of what was asked.
    pub(crate) saw: Option<(Values, String)>,
    /// How what they picked in a control reads, for those who look at the conversation later.
    pub(crate) shown: Option<String>,
}

/// What a turn came to.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) action: Action,
    pub(crate) values: Values,
    pub(crate) submitted: bool,
}

/// How many characters one message may have. Nobody says more at once, and reading it would hold up others.
const LONGEST: usize = 20_000;

/// Refuses a message that is too long to be read.
pub(crate) fn check_length(text: &str) -> Answer<()> {
    let characters = text.chars().count();
    if characters <= LONGEST {
        return Ok(());
    }
    let why = format!(
        "user_message has {characters} characters, and may have {LONGEST}: say it more shortly, or in parts"
    );
    Err(Failed::new(422, "invalid", why))
}

/// Takes a turn of the conversation about a pending decision.
pub(crate) async fn take(app: &App, who: &Caller, decision: &Decision, spoken: Spoken) -> Answer<Taken> {
    check_length(&spoken.text)?;
    let now = app.engine.now().await?;
    let talk = talk_of(app, decision, now).await;
    let mut talk = talk.lock().await;
    let client = Embedded::of(app.engine.clone(), who.clone());
    // Others may have gone on with it elsewhere: the decision counts.
    let decision = client.get(&decision.id.to_string()).await?;
    if talk.follow(&decision) {
        talk.state.past = past(app, &decision).await?;
    }
    talk.touched = now;
    if let Some(zone) = spoken.zone.clone() {
        talk.zone = zone;
    }
    let stale = spoken
        .saw
        .as_ref()
        .is_some_and(|(draft, digest)| *draft != decision.draft || *digest != decision.digest);
    if spoken.submit && stale {
        return Err(stale_send());
    }
    let said = spoken.shown.clone().unwrap_or_else(|| spoken.text.clone());
    if talk.lines.is_empty() && !said.trim().is_empty() {
        // The page showed it before anything was said.
        let shown = waiting(&talk.form, &talk.state, &decision);
        talk.say(By::Form, shown.said());
    }
    talk.say(By::Person, &said);
    let submit = spoken.submit;
    let turn = turn_of(spoken, &talk.state);
    let clock = clock::shows(now, &talk.zone);
    let heard = conversation::hear(&talk.form, &talk.state, &decision.draft, &turn);
    let understood = match llm::aside(|| heard.briefing(clock)) {
        Some(briefing) => app.chats.reader.read(&briefing).await,
        None => Understood::default(),
    };
    let outcome = llm::aside(|| heard.answer(&understood));
    // Whoever says that it be sent means what they see, as does whoever presses Send.
    if outcome.wish == Some(Wish::Send) && stale {
        return Err(stale_send());
    }
    if !outcome.options.is_empty() {
        for (id, options) in &outcome.options {
            if let Some(field) = talk.form.fields.iter_mut().find(|field| field.id == *id) {
                field.options.clone_from(options);
            }
        }
        let revision = Revision { fields: Some(talk.form.fields.clone()), ..Revision::default() };
        asker(app).revise(decision.id, revision).await?;
    }
    if outcome.values != decision.draft {
        client.draft(decision.id, outcome.values.clone()).await?;
    }
    talk.state.clone_from(&outcome.state);
    talk.seen.clone_from(&outcome.values);
    let complete = matches!(outcome.action, Action::FormComplete { .. });
    // Whoever says something that was not understood may not want to send what stands there.
    let submitted = complete && (submit && !outcome.unclear || outcome.wish == Some(Wish::Send));
    let unsent = (submit && !submitted).then(|| conversation::unsent(&talk.form, &outcome));
    let action = match unsent {
        Some(unsent) => outcome.action.preceded_by(&unsent),
        None if submitted => conversation::sent(outcome.action),
        None => outcome.action,
    };
    talk.say(By::Form, action.said());
    if submitted {
        let input = AnswerInput { values: outcome.values.clone(), ..AnswerInput::default() };
        let answered = client.answer(decision.id, input).await?;
        app.metrics.settled(&answered.decision);
        app.chats.keep(decision.id, std::mem::take(&mut talk.lines)).await;
        drop(talk);
        sessions::forget(app, &decision).await;
    } else if outcome.wish == Some(Wish::Cancel) {
        app.chats.keep(decision.id, std::mem::take(&mut talk.lines)).await;
        drop(talk);
        sessions::give_up(app, &client, &decision).await?;
    }
    Ok(Taken { action, values: outcome.values, submitted })
}

fn stale_send() -> Failed {
    Failed::new(409, "stale", "what was filled in changed meanwhile; look once more, and send")
}

/// Returns what was said so far and what is asked now. Changes nothing.
pub(crate) async fn look(app: &App, decision: &Decision) -> (Vec<Line>, Action) {
    let known = app.chats.talks.lock().await.get(&conversation_of(decision)).cloned();
    let (lines, form, state) = if let Some(talk) = known {
        let talk = talk.lock().await;
        if talk.decision == decision.id && talk.seen == decision.draft {
            (talk.lines.clone(), Form::of(decision), talk.state.clone())
        } else {
            (talk.lines.clone(), Form::of(decision), resumed(decision))
        }
    } else {
        let over = app.chats.over.lock().await;
        let said = over.iter().rev().find(|(id, _)| *id == decision.id).map(|(_, lines)| lines.clone());
        (said.unwrap_or_default(), Form::of(decision), resumed(decision))
    };
    let action = waiting(&form, &state, decision);
    (lines, action)
}

/// Returns what is asked before anything more is said.
fn waiting(form: &Form, state: &State, decision: &Decision) -> Action {
    let turn = Turn::default();
    conversation::hear(form, state, &decision.draft, &turn).answer(&Understood::default()).action
}

/// Returns the conversation about a decision, as far as it is known here.
async fn talk_of(app: &App, decision: &Decision, now: Timestamp) -> Arc<Mutex<Talk>> {
    let mut talks = app.chats.talks.lock().await;
    let fresh = || Arc::new(Mutex::new(Talk::resumed(decision, now)));
    Arc::clone(talks.entry(conversation_of(decision)).or_insert_with(fresh))
}

impl Talk {
    /// Goes on from a draft, where nothing else is known.
    fn resumed(decision: &Decision, now: Timestamp) -> Self {
        Self {
            decision: decision.id,
            form: Form::of(decision),
            state: resumed(decision),
            seen: decision.draft.clone(),
            zone: TimeZone::UTC,
            lines: Vec::new(),
            touched: now,
            strange: true,
        }
    }

    /// Catches up with what happened to the decision in other places. Returns whether something did.
    fn follow(&mut self, decision: &Decision) -> bool {
        let mut changed = std::mem::take(&mut self.strange);
        if self.decision != decision.id {
            let zone = std::mem::replace(&mut self.zone, TimeZone::UTC);
            *self = Self { zone, strange: false, ..Self::resumed(decision, self.touched) };
            changed = true;
        } else if self.seen != decision.draft {
            let confirmed = std::mem::take(&mut self.state.confirmed);
            self.state = State { confirmed, ..resumed(decision) };
            self.seen.clone_from(&decision.draft);
            changed = true;
        }
        self.form.fields.clone_from(&decision.fields);
        changed && !decision.draft.is_empty()
    }
}

/// Returns what was known before each of the last changes, by what the log says was drafted: so a change can be taken back
/// after a restart too, and whoever made it.
async fn past(app: &App, decision: &Decision) -> Answer<Vec<Values>> {
    let client = asker(app);
    let mut drafts: Vec<Values> = Vec::new();
    let mut after = 0;
    loop {
        let page = client.events(after, Some(decision.id), None, Duration::ZERO).await?;
        let drafted = page.events.iter().filter(|event| event["type"] == "decision:drafted");
        drafts.extend(drafted.filter_map(|event| event.get("draft")?.as_object().cloned()));
        if page.events.is_empty() || page.last <= after {
            return Ok(conversation::past(drafts));
        }
        after = page.last;
    }
}

/// Returns how far a talk has come that is known only by its draft: as if what is missing had just been asked.
fn resumed(decision: &Decision) -> State {
    if decision.draft.is_empty() {
        return State::default();
    }
    let confirmed = conversation::passed(&Form::of(decision), &decision.draft);
    let state = State { begun: true, confirmed, ..State::default() };
    let turn = Turn::default();
    let outcome = conversation::hear(&Form::of(decision), &state, &decision.draft, &turn);
    let mut state = outcome.answer(&Understood::default()).state;
    // A look-up that was under way elsewhere is not under way here.
    state.tool = None;
    State { resumed: true, ..state }
}

fn turn_of(spoken: Spoken, state: &State) -> Turn {
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
