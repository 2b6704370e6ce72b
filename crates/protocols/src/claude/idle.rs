//! A session that has stopped, or that reports that it waits: an idle decision.

use holdpoint_core::decision::{New, Origin, chosen};
use holdpoint_core::job::detect::{Notice, Prompt, YesNo};
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Field, Kind, Opt, Source, Status};

use super::input::{Event, Input, Tool};
use super::reply::Reply;
use super::terms::CallContext;
use super::{lineage, plan, question};
use crate::oddjobs::options::offer;

/// Asks what to do with a session that has stopped.
pub fn idle(input: &Input, terms: &CallContext) -> New {
    let said = input.last_assistant_message.as_deref().filter(|said| !said.trim().is_empty());
    let options = offer(Source::Idle).map(|offer| offer.options).unwrap_or_default();
    idle_question(said.unwrap_or("The agent has stopped."), options, terms, "The agent has stopped")
}

/// Reports that a session waits for its person, who must go to its terminal; none if the notice says something else.
pub fn notified(input: &Input, terms: &CallContext) -> Option<New> {
    let waits = ["idle_prompt", "agent_needs_input", "elicitation_dialog", "elicitation_url_dialog"];
    waits.contains(&input.notification_type.as_deref()?).then(|| {
        let words = input.message.as_deref().unwrap_or("The agent waits in its terminal.");
        idle_question(words, vec![Opt::new("seen", "Seen")], terms, "The agent waits in its terminal")
    })
}

/// Returns the notice in a hook of an agent that is watched in its terminal: that it has ended its turn, if so.
pub fn notice(event: Event, input: &Input) -> Option<Notice> {
    let ended = match event {
        Event::Stop => true,
        Event::Notification => input.notification_type.as_deref() == Some("idle_prompt"),
        Event::PreToolUse
        | Event::PermissionRequest
        | Event::PostToolUse
        | Event::PostToolUseFailure
        | Event::UserPromptSubmit
        | Event::SessionStart
        | Event::SessionEnd => false,
    };
    ended.then_some(Notice::Idle)
}

/// Returns the prompt that the agent's terminal shows, or will show, while a person is asked about a call.
pub fn asks(tool: &Tool) -> Prompt {
    match tool.name.as_str() {
        question::TOOL => Prompt::Question { questions: Vec::new(), enter: false },
        plan::TOOL => Prompt::Plan { text: tool.name.clone(), options: Vec::new(), enter: false },
        _ => Prompt::Permission { text: tool.name.clone(), keys: YesNo::default() },
    }
}

/// Turns the answer to an idle decision into the session's reply: a nudge sends it back to work.
pub fn stopped(decision: &Decision) -> Reply {
    let nudged = chosen(decision).iter().any(|chosen| chosen.option.id == "nudge");
    if decision.status != Status::Answered || !nudged {
        return Reply::Silent;
    }
    let message = decision.answer.as_ref().and_then(|answer| answer.message.as_deref()).map(inert);
    Reply::deny(message.unwrap_or_else(|| "Please continue with the task.".to_owned()))
}

fn idle_question(words: &str, options: Vec<Opt>, terms: &CallContext, title: &str) -> New {
    New {
        project: terms.project.clone(),
        source: Some(Source::Idle),
        title: Some(lineage::title(terms, title)),
        prompt: Some(words.to_owned()),
        fields: vec![Field::offering("choice", Kind::Choice, "What now?", options)],
        outs: vec![Opt::new("dismiss", "Dismiss")],
        owner: lineage::owner(terms),
        requested_by: lineage::asker(terms),
        timeout: terms.timeout,
        origin: Some(Origin {
            protocol: terms.dialect.protocol().to_owned(),
            id: None,
            schema: None,
            thread: terms.session.clone(),
            extra: lineage::extra(terms),
        }),
        ..New::default()
    }
}
