//! A small language for histories: one line per command, one line per outcome.
//!
//! ```text
//! ask d1 'Deploy?' yes|no timeout=10m source=approval owner=job:build
//! answer d1 yes by=ana          answer d1 {"choice":"yes"} m='go'          answer d1 out=cancel
//! guide d1 'smaller'   revise d1 {"title":"T"}   draft d1 {"choice":"yes"}   cancel d1 'why'
//! consume d1 {"cmd":"x"} min=token   expire d1   prune d1   end job:build   delete job:build
//! wait 11m   show d1 status answer   item bd-1   project min=10s
//! answer d1 yes digest=first|now|none|TEXT    (with a subject `now` unless it is said otherwise)
//! ```
//!
//! Words end at spaces outside `'…'` and of JSON's brackets; `␛` is an escape character. `as=agent:NAME:CREDENTIAL` sets who acts.

use std::collections::BTreeMap;

use holdpoint_core::decision::{AnswerInput, New, Requirements, Revision};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Event, Field, Kind, Opt, ProjectChange, Refusal, Role,
    Ruling, Timestamp, Values,
};
use serde_json::{Value, json};

use crate::world::World;

/// Runs a script and compares the outcome of each line.
#[track_caller]
pub(crate) fn check(script: &str, expected: &str) {
    let mut bench = Bench::new();
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let outcome: Vec<String> = lines.map(|line| bench.run(line)).collect();
    bench.world.check_replay();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let at = std::panic::Location::caller();
    assert!(outcome == expected, "\nat {at}, it came to:\n<<<\n{}\n>>>", outcome.join("\n"));
}

/// A world and the names that a script gives to what is in it.
pub(crate) struct Bench {
    world: World,
    names: BTreeMap<String, DecisionId>,
    /// The digest that each decision was first seen with.
    digests: BTreeMap<DecisionId, String>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { world: World::new(), names: BTreeMap::new(), digests: BTreeMap::new() }
    }

    /// Runs one line and returns its outcome.
    pub(crate) fn run(&mut self, line: &str) -> String {
        let words = words(line);
        let line = Line::new(&words);
        let verb = line.verb.as_str();
        let command = match verb {
            "wait" => {
                self.world.wait(line.arg(0).parse().unwrap());
                return "…".into();
            }
            "show" => return self.show(&line),
            "ask" => Command::Create(Box::new(ask(&line))),
            "raw" => match serde_json::from_str(line.arg(1)) {
                Ok(new) => Command::Create(Box::new(new)),
                Err(why) => return format!("unread: {why}"),
            },
            "answer" => Command::Answer { id: self.id(&line), input: Box::new(self.answer(&line)) },
            "guide" => {
                let input = AnswerInput { guidance: Some(line.arg(1).into()), ..self.answer(&line) };
                Command::Answer { id: self.id(&line), input: Box::new(AnswerInput { choice: None, ..input }) }
            }
            "revise" => match serde_json::from_str::<Revision>(line.arg(1)) {
                Ok(revision) => Command::Revise { id: self.id(&line), revision: Box::new(revision) },
                Err(why) => return format!("unread: {why}"),
            },
            "draft" => {
                let values: Values = serde_json::from_str(line.arg(1)).unwrap();
                Command::Draft { id: self.id(&line), input: Box::new(values.into()) }
            }
            "cancel" => Command::Cancel { id: self.id(&line), reason: line.args.get(1).cloned() },
            "consume" => {
                let min =
                    line.key("min").and_then(|name| Auth::ALL.into_iter().find(|auth| auth.name() == name));
                let required = Requirements { min, seen: line.key("seen").is_some() };
                Command::Consume { id: self.id(&line), subject: json_or_text(line.arg(1)), required }
            }
            "expire" => Command::Expire { id: self.id(&line) },
            "prune" => Command::Prune { id: self.id(&line) },
            "end" | "delete" => Command::EndOwner {
                project: line.key("project").unwrap_or("default").into(),
                owner: line.arg(0).parse().unwrap(),
                deleted: verb == "delete",
            },
            "item" => Command::CreateItem {
                project: line.key("project").unwrap_or("default").into(),
                id: line.arg(0).into(),
                title: line.key("title").map(str::to_owned),
            },
            "project" => Command::UpdateProject {
                name: line.key("name").unwrap_or("default").into(),
                change: ProjectChange {
                    min_timeout: Some(line.key("min").unwrap().parse().unwrap()),
                    verdicts: None,
                },
            },
            other => panic!("no such verb: {other}"),
        };
        let outcome = if verb == "expire" || line.key("late").is_some() {
            self.world.submit_now(&actor(&line), &command)
        } else {
            self.world.submit(&actor(&line), &command)
        };
        if let (Ok(ruling), "ask" | "raw") = (&outcome, verb) {
            self.name(line.arg(0), ruling);
        } else if let (Ok(ruling), Some(name)) = (&outcome, line.key("next")) {
            self.name(name, ruling);
        }
        self.print(outcome, &command)
    }

    /// Gives the decision that was opened a name.
    fn name(&mut self, name: &str, ruling: &Ruling) {
        for event in &ruling.events {
            if let Event::Created(decision) = event {
                self.names.insert(name.to_owned(), decision.id);
                self.digests.insert(decision.id, decision.digest.clone());
            }
        }
    }

    fn id(&self, line: &Line) -> DecisionId {
        *self.names.get(line.arg(0)).unwrap_or_else(|| panic!("nothing is named {:?}", line.arg(0)))
    }

    fn answer(&self, line: &Line) -> AnswerInput {
        let id = self.id(line);
        let now = || self.world.decisions.get(&id).map(|decision| decision.digest.clone());
        let subject = self.world.decisions.get(&id).is_some_and(|decision| decision.subject.is_some());
        let digest = match line.key("digest") {
            Some("first") => Some(self.digests[&id].clone()),
            Some("now") => now(),
            Some("none") => None,
            Some(other) => Some(other.to_owned()),
            // What has a subject must be answered as it was seen.
            None => now().filter(|_| subject),
        };
        let text = |key| line.key(key).map(str::to_owned);
        let mut input = AnswerInput {
            out: text("out"),
            message: text("m"),
            guidance: text("guidance"),
            by: text("by"),
            seen: line.key("seen").map(|seen| seen == "yes"),
            digest,
            ..AnswerInput::default()
        };
        match line.args.get(1).map(|arg| json_or_text(arg)) {
            Some(Value::Object(values)) => input.values = values,
            Some(Value::Array(choices)) => input.choices = Some(choices),
            Some(choice) => input.choice = Some(choice),
            None => {}
        }
        input
    }

    fn show(&self, line: &Line) -> String {
        let Some(decision) = self.world.decisions.get(&self.id(line)) else { return "gone".into() };
        let mut resource = serde_json::to_value(decision.clone().as_of(self.world.now)).unwrap();
        if let Some(answer) = resource["answer"].as_object_mut() {
            // It is the decision's own.
            assert_eq!(answer.remove("digest"), Some(resource["digest"].clone()));
        }
        let keys = line.args[1..].iter().map(|key| format!("{key}={}", resource[key]));
        self.rename(&keys.collect::<Vec<_>>().join(" "))
    }

    fn print(&self, outcome: Result<Ruling, Refusal>, command: &Command) -> String {
        let text = match outcome {
            Err(refusal) => format!("{}: {}", refusal.code(), refusal.to_string().replace('\n', " / ")),
            Ok(ruling) if ruling.replayed => match (command, self.world.load(command).decision.as_deref()) {
                (Command::Answer { .. }, Some(Decision { answer: Some(answer), .. })) => {
                    format!("replayed, first by {}", answer.by)
                }
                _ => "replayed".into(),
            },
            Ok(ruling) => ruling.events.iter().map(describe).collect::<Vec<_>>().join("; "),
        };
        self.rename(&text)
    }

    /// Says names for ids, and the time since the start for times.
    fn rename(&self, text: &str) -> String {
        let mut text =
            self.names.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&id.to_string(), name));
        let start = World::new().now;
        while let Some(at) = text.find("2025-11-15T") {
            let end = at + text[at..].find('Z').unwrap() + 1;
            let span = text[at..end].parse::<Timestamp>().unwrap().since(start);
            text.replace_range(at..end, &format!("+{span}"));
        }
        text
    }
}

/// Says an event in a line: its tag, whom it happened to, and what a reader must know.
fn describe(event: &Event) -> String {
    let mut body = serde_json::to_value(event).unwrap();
    let body = body.as_object_mut().unwrap();
    let tag = event.tag().strip_prefix("decision:").unwrap_or(event.tag());
    let id = body.remove("id").unwrap();
    let keys: &[&str] = match event {
        Event::Created(_) | Event::Revised(_) | Event::Consumed { .. } | Event::ItemDeleted { .. } => &[],
        Event::Drafted { .. } => &["draft"],
        Event::Taken { .. } | Event::Snoozed { .. } => &["by", "until"],
        Event::Resolved { .. } | Event::Expired { .. } => &["answer"],
        Event::Refined { .. } => &["next", "answer"],
        Event::Cancelled { .. } | Event::Removed { .. } => &["reason"],
        Event::Superseded { .. } => &["superseded_by"],
        Event::ItemCreated { .. } => &["title"],
        Event::ProjectUpdated { .. } => &["min_timeout"],
        _ => &["status", "reason", "input", "accept", "option", "restart", "agent_id", "message"],
    };
    let shown = keys.iter().filter(|key| body.get(**key).is_some_and(|value| !value.is_null()));
    let parts = shown.map(|key| {
        if *key == "answer" { describe_answer(&body[*key]) } else { format!("{key}={}", body[*key]) }
    });
    std::iter::once(format!("{tag} {}", id.as_str().unwrap())).chain(parts).collect::<Vec<_>>().join(" ")
}

fn describe_answer(answer: &Value) -> String {
    let part = |key: &&str| match &answer[*key] {
        Value::Null => None,
        Value::Object(values) if values.is_empty() => None,
        values @ Value::Object(_) => Some(values.to_string()),
        Value::String(name) if *key == "by" => Some(format!("by {name}")),
        other => Some(format!("{key}={other}")),
    };
    ["values", "out", "message", "by"].iter().filter_map(part).collect::<Vec<_>>().join(" ")
}

fn ask(line: &Line) -> New {
    let text = |key| line.key(key).map(str::to_owned);
    let options = |list: &str| list.split('|').map(|id| Opt { id: id.into(), ..Opt::default() }).collect();
    let fields = match (line.key("fields"), line.args.get(2)) {
        (Some(fields), _) => serde_json::from_str(fields).unwrap(),
        (None, Some(list)) => {
            let (kind, list) = list.split_once(':').unwrap_or(("choice", list));
            let kind = Kind::ALL.into_iter().find(|known| known.name() == kind).unwrap();
            let field =
                Field::offering("choice", kind, "", if list.is_empty() { vec![] } else { options(list) });
            vec![Field { custom: line.key("custom").is_some(), ..field }]
        }
        (None, None) => vec![Field::new("text", Kind::Text, "")],
    };
    let default = line.key("default").map(|default| match json_or_text(default) {
        Value::Object(values) => values,
        choice => json!({ "choice": choice }).as_object().unwrap().clone(),
    });
    New {
        prompt: line.args.get(1).cloned(),
        title: text("title"),
        project: text("project"),
        source: line.key("source").map(|name| holdpoint_core::Source::from_name(name).unwrap()),
        fields,
        outs: line.key("outs").map(options).unwrap_or_default(),
        owner: line.key("owner").map(|owner| owner.parse().unwrap()),
        requested_by: text("for"),
        assignees: line
            .key("assign")
            .map(|who| who.split(',').map(str::to_owned).collect())
            .unwrap_or_default(),
        timeout: line.key("timeout").map(|timeout| timeout.parse().unwrap()),
        deadline: line.key("deadline").map(|deadline| deadline.parse().unwrap()),
        on_timeout: line.key("on_timeout").map(|on| serde_json::from_value(json!(on)).unwrap()),
        default,
        max_iterations: line.key("max").map(|max| max.parse().unwrap()),
        subject: line.key("subject").map(json_or_text),
        exclusive: line.key("exclusive").is_some(),
        ..New::default()
    }
}

fn actor(line: &Line) -> Actor {
    let Some(who) = line.key("as") else { return Actor::claimed("ana", "test") };
    let parts: Vec<&str> = who.split(':').collect();
    let [role, name, credential] = parts[..] else { panic!("as=ROLE:NAME:CREDENTIAL") };
    let role = match role {
        "agent" => Role::Agent,
        "person" => Role::Person,
        _ => Role::Admin,
    };
    Actor {
        by: name.into(),
        via: line.key("via").unwrap_or("test").into(),
        auth: line
            .key("auth")
            .map_or(Auth::Token, |name| Auth::ALL.into_iter().find(|a| a.name() == name).unwrap()),
        role: Some(role),
        credential: Some(credential.into()),
        permissions: line.key("allow").map(|name| name.parse().unwrap()).into_iter().collect(),
        owner: None,
        channel: None,
    }
}

fn json_or_text(word: &str) -> Value {
    serde_json::from_str(word).unwrap_or_else(|_| Value::String(word.to_owned()))
}

struct Line {
    verb: String,
    args: Vec<String>,
    keys: BTreeMap<String, String>,
}

impl Line {
    fn new(words: &[String]) -> Self {
        let is_key = |word: &String| {
            let head = word.split('=').next().unwrap_or_default();
            word.contains('=') && !head.is_empty() && head.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        let (keys, args): (Vec<_>, Vec<_>) = words[1..].iter().cloned().partition(is_key);
        let pair = |word: String| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
        Self { verb: words[0].clone(), args, keys: keys.into_iter().filter_map(pair).collect() }
    }

    fn arg(&self, at: usize) -> &str {
        self.args.get(at).map(String::as_str).unwrap_or_default()
    }

    fn key(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }
}

/// Splits a line at spaces outside quotes and brackets; the quotes go.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut depth, mut any) = (Vec::new(), String::new(), false, 0, false);
    for c in line.chars() {
        match c {
            '\'' if depth == 0 => (quoted, any) = (!quoted, true),
            ' ' if !quoted && depth == 0 => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                if !quoted {
                    depth += i32::from(matches!(c, '{' | '[')) - i32::from(matches!(c, '}' | ']'));
                }
                any = true;
                word.push(if c == '␛' { '\u{1b}' } else { c });
            }
        }
    }
    if any {
        words.push(word);
    }
    words
}
