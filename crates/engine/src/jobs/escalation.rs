//! Turns what an agent does into questions for a person.

use holdpoint_core::decision::{New, Origin, SHOWN};
use holdpoint_core::job::detect::{
    ErrorKind, PlanAcceptance, Prompt, Question, Signal, going_on, is_for_words, printed_before,
    yes_no_question,
};
use holdpoint_core::job::{ACCEPTS, MENU, Trigger};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Job, Refusal};
use holdpoint_protocols::oddjobs;
use holdpoint_protocols::oddjobs::context::{Cause, context, with_context};
use holdpoint_protocols::oddjobs::question::Question as AgentQuestion;
use serde_json::{Map, Value, json};

use super::gate::GateResult;
use crate::sessions::Screen;

/// How many of the screen's last lines are shown.
const LINES: usize = 20;
/// The protocol under which a decision stores how its answer is typed.
pub(super) const PROTOCOL: &str = "session";

/// The key under which it stores how a list is answered.
pub(super) const LISTED: &str = "listed";

/// The key under which it stores, for programs, what was on the screen before a question or a plan: people read it in
/// the prompt.
const CONTEXT: &str = "context";

/// What happened, in the terms of a runbook, and the question for a person if one is needed.
pub(super) struct Escalation {
    pub(super) trigger: Trigger,
    pub(super) detail: String,
    pub(super) new: Box<New>,
}

/// Describes a signal; none if no action is needed.
pub(super) fn of_signal(job: &Job, signal: &Signal, screen: &Screen) -> Option<Result<Escalation, Refusal>> {
    let last = last_lines(&screen.text.rows);
    let (trigger, detail) = match signal {
        Signal::Working => return None,
        Signal::Idle => (Trigger::Idle, String::new()),
        Signal::Prompt { prompt: Prompt::Permission { .. } } => (Trigger::Prompt, "permission".to_owned()),
        Signal::Prompt { prompt: Prompt::Question { .. } } => (Trigger::Prompt, "question".to_owned()),
        Signal::Prompt { prompt: Prompt::Plan { .. } } => (Trigger::Prompt, "plan".to_owned()),
        Signal::Error { kind, text } => (Trigger::Error, error_name(job, *kind, text)),
        Signal::Dead { code, signal } => (Trigger::Dead, how_it_ended(*code, *signal)),
    };
    let new = match signal {
        Signal::Working => return None,
        Signal::Idle => {
            let title = Some(idle_title(&own_words(job, &last)));
            decision(job, &Cause::Idle, Some(&last)).map(|new| New { title, ..new })
        }
        Signal::Dead { code, signal } => dead(job, *code, *signal, &last),
        Signal::Error { text, .. } => {
            let new = decision(job, &Cause::Error { kind: &detail, message: text }, Some(&last));
            new.map(|new| headed(new, &format!("Error {detail}"), text))
        }
        Signal::Prompt { prompt } => prompted(job, prompt, screen, &last),
    };
    Some(new.map(|new| Escalation { trigger, detail, new: Box::new(new) }))
}

/// Describes the end of an agent whose session is gone.
pub(super) fn lost(job: &Job, why: &str) -> Result<Escalation, Refusal> {
    let new = decision(job, &Cause::Dead { exit_code: None }, Some(why))?;
    Ok(Escalation { trigger: Trigger::Dead, detail: "lost".into(), new: Box::new(new) })
}

/// Asks how to continue after something was not typed, or may not have been. The prompt begins with what it was.
pub(super) fn missed(job: &Job) -> Result<Box<New>, Refusal> {
    let mut new = decision(job, &Cause::Idle, None)?;
    new.prompt = Some(format!("Look at what job \"{}\" shows, and say how to continue.", job.name));
    Ok(Box::new(new))
}

/// Describes a gate that did not pass.
pub(super) fn gate(job: &Job, command: &str, ended: &GateResult) -> Result<Box<New>, Refusal> {
    let (exit_code, stderr, stdout) = (ended.code, inert(&ended.stderr), inert(&ended.stdout));
    let new = decision(job, &Cause::Gate { command, exit_code, stderr: &stderr, stdout: &stdout }, None)?;
    Ok(Box::new(headed(new, &format!("Gate failed with exit code {exit_code}"), command)))
}

fn dead(job: &Job, code: Option<i32>, signal: Option<i32>, last: &str) -> Result<New, Refusal> {
    // As in a shell: signals count from 128.
    let exit_code = code.or_else(|| signal.map(|signal| 128 + signal));
    let how = exit_code.map(|code| format!(" (exit code {code})")).unwrap_or_default();
    let new = decision(job, &Cause::Dead { exit_code }, Some(last))?;
    Ok(headed(new, &format!("Exited unexpectedly{how}"), &own_words(job, last)))
}

fn prompted(job: &Job, prompt: &Prompt, screen: &Screen, last: &str) -> Result<New, Refusal> {
    let before = |text: &str| printed_before(&screen.text, text).map(last_lines);
    match prompt {
        Prompt::Permission { text, keys } => {
            // The subject is the dialog itself.
            let before = before(text).unwrap_or_else(|| last.to_owned());
            let mut new = decision(job, &Cause::Approval { prompt_type: "permission" }, Some(&before))?;
            let asked = yes_no_question(text).or_else(|| telling_question(text));
            let asked = asked.and_then(|asked| oddjobs::headline(&asked));
            let asked = asked.map(|asked| format!("Permission: {asked}"));
            new.title = asked.or_else(|| titled("Permission", text));
            new.subject = Some(json!({ "prompt": text }));
            new.same_account = job.shares_account();
            let mut origin = origin([
                ("yes", json!(keys.yes)),
                ("no", json!(keys.no)),
                ("enter", json!(keys.enter)),
                (SHOWN, json!(prompt.fingerprint())),
            ]);
            keep_context(&mut origin, &before);
            new.origin = Some(origin);
            Ok(new)
        }
        Prompt::Question { questions, enter } => {
            let listed = listed(questions);
            let before =
                questions.first().and_then(|first| before(&first.text)).unwrap_or_else(|| last.to_owned());
            let questions: Vec<AgentQuestion> = questions.iter().map(question).collect();
            let cause = Cause::Question { questions: &questions };
            let context = context(&job.name, &cause, Some(&before));
            let asked: Vec<Value> = questions.iter().map(as_json).collect();
            let questions = (!asked.is_empty()).then(|| Value::Array(asked).to_string());
            let mut new = create(job, cause.source(), context, questions)?;
            new.same_account = job.shares_account();
            let mut origin = origin([("enter", json!(enter)), (SHOWN, json!(prompt.fingerprint()))]);
            origin.extra.extend(listed.map(|listed| (LISTED.to_owned(), listed)));
            keep_context(&mut origin, &before);
            new.origin = Some(origin);
            Ok(new)
        }
        Prompt::Plan { text, options, enter } => {
            let before = before(text).unwrap_or_default();
            let mut new = decision(job, &Cause::Plan, Some(shown(text, last)))?;
            let on = going_on(options);
            let revise = on.map(|option| option.number.to_string());
            let words = on.filter(|option| is_for_words(&option.label)).map(|option| option.number);
            let accepts: Map<String, Value> = PlanAcceptance::ALL
                .iter()
                .filter_map(|way| Some((way.name().to_owned(), way.number(options)?.into())))
                .collect();
            let menu: Vec<String> = options.iter().map(|option| inert_line(&option.label)).collect();
            mark_offered(&mut new, &accepts);
            new.title = titled("Plan", text);
            new.subject = Some(json!({ "plan": text }));
            new.same_account = job.shares_account();
            new.prompt = new.prompt.map(|prompt| with_context(prompt, &before));
            let mut origin = origin([
                ("revise", json!(revise)),
                ("words", json!(words)),
                (ACCEPTS, Value::Object(accepts)),
                (MENU, json!(menu)),
                ("enter", json!(enter)),
                (SHOWN, json!(prompt.fingerprint())),
            ]);
            keep_context(&mut origin, &before);
            new.origin = Some(origin);
            Ok(new)
        }
    }
}

/// Marks each way to accept a plan that the agent's menu lacks, and recommends none of them.
fn mark_offered(new: &mut New, accepts: &Map<String, Value>) {
    let mut is_recommended = false;
    for option in new.fields.iter_mut().flat_map(|field| &mut field.options) {
        let Some(way) = option.id.strip_prefix("accept_") else { continue };
        if accepts.contains_key(way) {
            option.recommended = !std::mem::replace(&mut is_recommended, true);
        } else {
            option.recommended = false;
            option.description = Some("The agent's menu does not offer this".to_owned());
        }
    }
}

fn keep_context(origin: &mut Origin, before: &str) {
    if !before.is_empty() {
        origin.extra.insert(CONTEXT.to_owned(), before.into());
    }
}

/// Returns a title for a prompt of an agent that distinguishes it from others.
fn titled(what: &str, text: &str) -> Option<String> {
    // "Would you like to proceed?" is common to all of them.
    let tells = |line: &&str| !line.trim_end().ends_with(['?', ':']);
    let lines: Vec<&str> = text.lines().filter(tells).collect();
    let told = oddjobs::headline(&lines.join("\n")).or_else(|| oddjobs::headline(text));
    told.map(|text| format!("{what}: {text}"))
}

/// Returns the question of a dialog, if it is specific: most dialogs ask "Do you want to proceed?".
fn telling_question(text: &str) -> Option<String> {
    const OF_EVERYTHING: [&str; 7] =
        ["proceed", "continue", "this", "it", "content", "connection", "command"];
    let asked = text.lines().rev().map(str::trim).find(|line| line.ends_with('?'))?;
    let last = asked.trim_end_matches(['?', ' ']).rsplit(' ').next()?.to_lowercase();
    (!OF_EVERYTHING.contains(&last.as_str())).then(|| asked.to_owned())
}

/// Gives a decision its title for lists: what happened, and the last line of the screen.
fn headed(mut new: New, what: &str, screen: &str) -> New {
    new.title = Some(last_said(screen).map_or_else(|| what.to_owned(), |said| format!("{what}: {said}")));
    new
}

/// Returns the title of an idle agent: what it asks, or what it wrote last.
fn idle_title(screen: &str) -> String {
    match last_said(screen) {
        Some(said) if said.ends_with('?') => said,
        Some(said) => format!("What next? Last said: {said}"),
        None => "What next?".to_owned(),
    }
}

/// Returns a screen without the terminal's echo of what was typed, which it may have wrapped.
fn own_words(job: &Job, screen: &str) -> String {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let typed: Vec<String> = job.typed.iter().map(|text| squeezed(text)).collect();
    let mut rows: Vec<&str> = screen.lines().filter(|row| !row.trim().is_empty()).collect();
    let echo = |rows: &[&str]| {
        let spans = (0..rows.len()).flat_map(|start| (start..rows.len()).map(move |end| start..=end));
        spans.into_iter().find(|span| typed.contains(&squeezed(&rows[span.clone()].concat())))
    };
    while let Some(span) = echo(&rows) {
        rows.drain(span);
    }
    rows.join("\n")
}

/// Returns the last meaningful line of a screen: a question rather than the numbered answers below it.
fn last_said(screen: &str) -> Option<String> {
    let mut from_below = screen.lines().rev().filter(|line| is_telling(line)).peekable();
    let last = from_below.peek().copied();
    let asked = from_below.find(|line| !is_numbered(line)).filter(|line| line.trim_end().ends_with('?'));
    asked.or(last).and_then(oddjobs::headline)
}

/// Returns whether a line begins with a number, as an entry of a list does: `2. Yes`, `2) Yes`.
fn is_numbered(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

/// Returns whether a line of a screen is meaningful: rules, frames, input boxes and key hints are not.
fn is_telling(line: &str) -> bool {
    /// The texts of key hints.
    const HELP: [&str; 4] = ["for shortcuts", "esc to", "shift+tab", "ctrl+"];
    let line = line.trim();
    let lower = line.to_lowercase();
    line.chars().filter(|c| c.is_alphanumeric()).count() > 1
        && !line.starts_with(['>', '❯', '│', '╭', '╰', '?'])
        && !HELP.iter().any(|help| lower.contains(help))
}

fn shown<'a>(text: &'a str, last: &'a str) -> &'a str {
    if text.trim().is_empty() { last } else { text }
}

fn origin<const N: usize>(extra: [(&str, Value); N]) -> Origin {
    let extra: Map<String, Value> = extra.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Origin { protocol: PROTOCOL.into(), id: None, schema: None, thread: None, extra }
}

/// Returns how a list is answered, if the question is one: the numbers of its options, and the one that takes text.
fn listed(questions: &[Question]) -> Option<Value> {
    let [Question { selects: true, options, .. }] = questions else { return None };
    let numbers: Vec<u8> =
        options.iter().filter(|one| !is_for_words(&one.label)).map(|one| one.number).collect();
    let words = options.iter().rev().find(|one| is_for_words(&one.label)).map(|one| one.number);
    Some(json!({ "numbers": numbers, "words": words }))
}

/// Builds the question for a person. Any question accepts free text, so a placeholder for it is not an option.
fn question(asked: &Question) -> AgentQuestion {
    let options = asked.options.iter().filter(|option| !asked.selects || !is_for_words(&option.label));
    let options = options.map(|option| (option.label.clone(), option.description.clone()));
    AgentQuestion {
        question: asked.text.clone(),
        header: asked.header.clone(),
        multi_select: asked.multiple,
        options: options.collect(),
    }
}

fn as_json(question: &AgentQuestion) -> Value {
    let options = question
        .options
        .iter()
        .map(|(label, description)| json!({ "label": label, "description": description }));
    json!({
        "question": question.question,
        "header": question.header,
        "multiSelect": question.multi_select,
        "options": options.collect::<Vec<_>>(),
    })
}

fn decision(job: &Job, cause: &Cause<'_>, last: Option<&str>) -> Result<New, Refusal> {
    create(job, cause.source(), context(&job.name, cause, last), None)
}

fn create(
    job: &Job,
    source: holdpoint_core::Source,
    context: String,
    questions: Option<String>,
) -> Result<New, Refusal> {
    oddjobs::create(&oddjobs::Create {
        project: Some(job.project.clone()),
        source,
        owner: job.owner(),
        agent: job.agent_id.clone(),
        context,
        options: Vec::new(),
        questions,
    })
}

/// Returns how an agent ended, in the form that a runbook matches.
fn how_it_ended(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => code.to_string(),
        (None, Some(_)) => "signal".into(),
        (None, None) => "lost".into(),
    }
}

fn error_name(job: &Job, kind: ErrorKind, text: &str) -> String {
    match kind {
        ErrorKind::RateLimit => "rate_limited".into(),
        ErrorKind::Quota => "out_of_credits".into(),
        ErrorKind::Auth => "unauthorized".into(),
        ErrorKind::Network => "no_internet".into(),
        ErrorKind::Other => {
            let text = text.to_lowercase();
            let own = job.agent().and_then(|agent| {
                agent.errors.iter().find(|(_, pattern)| {
                    pattern.to_lowercase().split('*').all(|part| text.contains(part.trim()))
                })
            });
            own.map_or_else(|| "other".to_owned(), |(name, _)| name.clone())
        }
    }
}

/// Returns the last lines of a screen, with control characters made harmless.
fn last_lines(rows: &[String]) -> String {
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    let end = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    let start = end.saturating_sub(LINES);
    inert(&rows[start..end].join("\n"))
}
