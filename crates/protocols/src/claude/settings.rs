//! The settings of Claude Code and Gemini CLI and the hooks of Codex: ours put in beside what is there, and taken out again.

use holdpoint_core::{Refusal, Span};

use super::dialect::Dialect;
use super::gemini;
use super::input::Event;
use super::ordered::Node;

/// What is put into the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Install {
    /// Whose settings they are.
    pub dialect: Dialect,
    /// How the program is called.
    pub program: String,
    /// The data folder, which the agent has no business in.
    pub home: String,
    /// How long the agent lets a hook hold.
    pub timeout: Span,
    /// Whether a session that stops becomes an idle decision.
    pub idle: bool,
    /// Whether permissions are deferred, for runs that nobody attends.
    pub defer: bool,
    /// Whether the person is asked in the terminal where we cannot be reached; otherwise the call is refused.
    pub ask_on_failure: bool,
    /// Tools whose use is always asked about, whatever the mode: matchers as Claude Code reads them.
    pub guards: Vec<String>,
    /// What is shown while a hook holds: where to answer.
    pub status: String,
}

impl Install {
    /// Returns the flags that say how long a hook holds.
    pub(super) fn hold_flags(&self) -> Result<Vec<String>, Refusal> {
        if self.timeout.as_millis() < 1_000 {
            return Err(Refusal::invalid("timeout", "must be at least 1s, so that somebody can answer"));
        }
        if self.timeout == USUAL {
            return Ok(Vec::new());
        }
        Ok(vec!["--timeout".into(), before_the_end(self.timeout).to_string()])
    }
}

/// Puts our hooks and deny rules in; what is there already is left as it is, older entries of ours are replaced.
pub fn install(settings: &Node, install: &Install) -> Result<Node, Refusal> {
    let holds = install.hold_flags()?;
    let mut settings = without_hooks(settings);
    let hooks = settings.entry("hooks", Node::Object(Vec::new())).ok_or_else(no_object)?;
    for (event, matcher, flags) in entries(install, &holds) {
        let name = event.name_for(install.dialect);
        let list = hooks.entry(name, Node::Array(Vec::new())).ok_or_else(|| wrong("hooks"))?;
        let Node::Array(list) = list else { return Err(wrong(name)) };
        list.push(hook(event, matcher.as_deref(), &flags, install));
    }
    if install.dialect != Dialect::Claude {
        return Ok(settings);
    }
    let permissions = settings.entry("permissions", Node::Object(Vec::new())).ok_or_else(no_object)?;
    // In its automatic mode Claude Code decides by itself and asks nobody.
    *permissions.entry(MODE, Node::Plain(ASKS.into())).ok_or_else(|| wrong("permissions"))? =
        Node::Plain(ASKS.into());
    let deny = permissions.entry("deny", Node::Array(Vec::new())).ok_or_else(|| wrong("permissions"))?;
    let Node::Array(deny) = deny else { return Err(wrong("permissions.deny")) };
    for rule in deny_rules(&install.program, &install.home) {
        if !deny.iter().any(|known| known.as_str() == Some(&rule)) {
            deny.push(Node::Plain(rule.into()));
        }
    }
    Ok(settings)
}

/// The setting that says in which mode a session starts, and the mode in which Claude Code asks.
const MODE: &str = "defaultMode";
const ASKS: &str = "default";

/// Returns the mode that settings name, if they do.
pub fn mode(settings: &Node) -> Option<&str> {
    settings.get("permissions").and_then(|permissions| permissions.get(MODE)).and_then(Node::as_str)
}

/// Returns whether our hooks are in.
pub fn is_installed(settings: &Node) -> bool {
    without_hooks(settings) != *settings
}

/// Takes our hooks out, and these deny rules, and what is empty without them. The mode that was there comes back, unless
/// somebody has chosen another since.
#[must_use]
pub fn uninstall(settings: &Node, rules: &[String], mode_before: Option<&str>) -> Node {
    let mut settings = without_hooks(settings);
    let is_ours = mode(&settings) == Some(ASKS);
    if let Some(permissions) = settings.get_mut("permissions") {
        match mode_before {
            Some(before) if is_ours => {
                if let Some(mode) = permissions.get_mut(MODE) {
                    *mode = Node::Plain(before.into());
                }
            }
            None if is_ours => permissions.remove(MODE),
            _ => {}
        }
        if let Some(Node::Array(deny)) = permissions.get_mut("deny") {
            let before = deny.len();
            deny.retain(|rule| !rule.as_str().is_some_and(|rule| rules.iter().any(|ours| ours == rule)));
            if deny.is_empty() && before > 0 {
                permissions.remove("deny");
            }
        }
        if permissions.is_empty() {
            settings.remove("permissions");
        }
    }
    settings
}

fn without_hooks(settings: &Node) -> Node {
    let mut settings = settings.clone();
    let Some(hooks) = settings.get_mut("hooks") else { return settings };
    let Node::Object(events) = &mut *hooks else { return settings };
    let before = events.len();
    events.retain_mut(|(_, list)| {
        let filled = !list.is_empty();
        take_out(list);
        !(filled && list.is_empty())
    });
    if before > 0 && events.is_empty() {
        settings.remove("hooks");
    }
    settings
}

/// Returns the rules that an installation adds to those that stand there.
pub fn added_rules(before: &Node, program: &str, home: &str) -> Vec<String> {
    let denied = before.get("permissions").and_then(|permissions| permissions.get("deny"));
    let known = |rule: &String| match denied {
        Some(Node::Array(deny)) => deny.iter().any(|known| known.as_str() == Some(rule)),
        _ => false,
    };
    deny_rules(program, home).into_iter().filter(|rule| !known(rule)).collect()
}

/// Returns what the agent may not do, so that it cannot answer for the person. The program is denied by its name, and
/// as our hooks call it: the agent can read that in the settings.
pub fn deny_rules(program: &str, home: &str) -> Vec<String> {
    let called = |command: &str| match command.strip_prefix(NAME) {
        Some(verb) if program != NAME => vec![command.to_owned(), format!("{program}{verb}")],
        _ => vec![command.to_owned()],
    };
    let commands = COMMANDS.iter().flat_map(|command| called(command)).map(|rule| format!("Bash({rule}:*)"));
    let patterns = PATTERNS.iter().flat_map(|pattern| called(pattern)).map(|rule| format!("Bash({rule})"));
    let tools = TOOLS.iter().map(|tool| (*tool).to_owned());
    // Two slashes: a path from the root, not from the settings.
    let folder = home.trim_end_matches('/');
    let files = ["Read", "Edit"].map(|verb| format!("{verb}(/{folder}/**)"));
    commands.chain(patterns).chain(tools).chain(files).collect()
}

/// What the program is called where it is found by its name.
const NAME: &str = "hold";

const COMMANDS: [&str; 25] = [
    "hold answer",
    "hold next",
    "hold review",
    "hold inbox",
    "hold form fill",
    "hold mcp",
    "hold aitp answer",
    "hold token",
    "hold person",
    "hold auth",
    "hold hook",
    "hold rule",
    "hold vote",
    "hold policy",
    "hold group",
    "hold escalation",
    "hold key",
    "hold audit accept",
    "hold project set",
    "hold bd decision respond",
    "hold oj decision resolve",
    "hold oj decision review",
    "bd decision respond",
    "oj decision resolve",
    "oj decision review",
];

/// The same where options stand before the verb.
const PATTERNS: [&str; 6] = [
    "hold bd * respond *",
    "hold oj * resolve *",
    "hold oj * review*",
    "bd * respond *",
    "oj * resolve *",
    "oj * review*",
];

const TOOLS: [&str; 2] = ["mcp__hold__answer", "mcp__hold__bd_decision_respond"];

/// How long a hook holds if nothing else is said; the command leaves a minute of it by itself.
const USUAL: Span = Span::from_secs(3_600);

/// Returns when to give up holding, so that the outcome is still reported before the hook is killed.
fn before_the_end(limit: Span) -> Span {
    let millis = limit.as_millis();
    Span::from_millis(millis - (millis / 20).min(60_000))
}

/// Before a tool is used nobody knows whether it needs a permission; what only reads never does.
const DEFERRED: &str = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|mcp__.*|AskUserQuestion|ExitPlanMode";

fn entries(install: &Install, holds: &[String]) -> Vec<(Event, Option<String>, String)> {
    let asks = install.ask_on_failure.then(|| "--on-failure ask".to_owned());
    let shared = asks.iter().chain(holds).fold(String::new(), |flags, flag| flags + " " + flag);
    match install.dialect {
        Dialect::Claude => {}
        Dialect::Codex => return codex_entries(install, &shared),
        Dialect::Gemini => return gemini_entries(install, &shared),
        // Its plugin is a file of its own.
        Dialect::Opencode => return Vec::new(),
    }
    let pre = Some(if install.defer { DEFERRED } else { "AskUserQuestion|ExitPlanMode" });
    let deferred = format!("{shared}{}", if install.defer { " --defer" } else { "" });
    let mut entries = vec![(Event::PreToolUse, pre.map(str::to_owned), deferred)];
    for guard in &install.guards {
        entries.push((Event::PreToolUse, Some(guard.clone()), GUARD.to_owned()));
    }
    if !install.defer {
        let all = || Some("*".to_owned());
        entries.push((Event::PermissionRequest, all(), shared.clone()));
        entries.push((Event::PostToolUse, all(), String::new()));
        entries.push((Event::PostToolUseFailure, all(), String::new()));
        entries.push((Event::UserPromptSubmit, None, String::new()));
    }
    if install.idle {
        entries.push((Event::Stop, None, format!("{shared} --idle")));
        entries.push((Event::Notification, None, format!("{shared} --idle")));
    } else if !install.defer {
        entries.push((Event::Stop, None, String::new()));
    }
    entries.push((Event::SessionStart, None, String::new()));
    entries.push((Event::SessionEnd, None, String::new()));
    entries
}

/// Codex asks nobody else while a hook holds, so that little is left to tell; each hook is one more for its user to review.
fn codex_entries(install: &Install, shared: &str) -> Vec<(Event, Option<String>, String)> {
    let mut entries: Vec<_> = install
        .guards
        .iter()
        .map(|guard| (Event::PreToolUse, Some(guard.clone()), shared.to_owned()))
        .collect();
    let idle = if install.idle { format!("{shared} --idle") } else { String::new() };
    entries.push((Event::PermissionRequest, None, shared.to_owned()));
    entries.push((Event::UserPromptSubmit, None, String::new()));
    entries.push((Event::Stop, None, idle));
    entries.push((Event::SessionStart, None, String::new()));
    entries
}

/// Gemini CLI has one hook that decides.
fn gemini_entries(install: &Install, shared: &str) -> Vec<(Event, Option<String>, String)> {
    let usual = || vec![gemini::CHANGING.to_owned()];
    let guards = if install.guards.is_empty() { usual() } else { install.guards.clone() };
    let blocks = if install.ask_on_failure { "" } else { gemini::BLOCKS };
    guards.into_iter().map(|guard| (Event::PreToolUse, Some(guard), format!("{shared}{blocks}"))).collect()
}

fn hook(event: Event, matcher: Option<&str>, flags: &str, install: &Install) -> Node {
    let command = format!(
        "{} hook {} {}{flags}",
        install.program,
        install.dialect.name(),
        event.name_for(install.dialect)
    );
    let mut run = vec![
        ("type".to_owned(), Node::Plain("command".into())),
        ("command".to_owned(), Node::Plain(command.into())),
    ];
    // What tells or tidies up must not keep a session; what decides must not fail open.
    let asks = matches!(event, Event::PreToolUse | Event::PermissionRequest);
    let decides = asks || event == Event::Stop && install.idle;
    let seconds = if decides { install.timeout.as_millis() / 1000 } else { 10 };
    if install.dialect == Dialect::Gemini {
        // It counts in milliseconds, and shows a name while a hook holds.
        run.push(("timeout".to_owned(), Node::Plain((seconds * 1000).into())));
        run.push(("name".to_owned(), Node::Plain("holdpoint".into())));
        run.push(("description".to_owned(), Node::Plain(install.status.as_str().into())));
        return entry(matcher, run);
    }
    run.push(("timeout".to_owned(), Node::Plain(seconds.into())));
    // Codex knows no such member: where no answer comes, it asks in its terminal.
    if asks && !install.ask_on_failure && install.dialect == Dialect::Claude {
        run.push(("onFailure".to_owned(), Node::Plain("block".into())));
    }
    if asks && !install.defer {
        run.push(("statusMessage".to_owned(), Node::Plain(install.status.as_str().into())));
    }
    entry(matcher, run)
}

fn entry(matcher: Option<&str>, run: Vec<(String, Node)>) -> Node {
    let mut entry = Vec::new();
    if let Some(matcher) = matcher {
        entry.push(("matcher".to_owned(), Node::Plain(matcher.into())));
    }
    entry.push(("hooks".to_owned(), Node::Array(vec![Node::Object(run)])));
    Node::Object(entry)
}

const CALLS: [&str; 3] = [" hook claude ", " hook codex ", " hook gemini "];
/// Says that the hook has Claude Code ask, where somebody sits before it.
const GUARD: &str = " --guard";

/// Takes our commands out of the entries of one event; an entry that only held ours goes with them.
fn take_out(list: &mut Node) {
    let Node::Array(entries) = list else { return };
    for entry in entries.iter_mut() {
        if let Some(Node::Array(commands)) = entry.get_mut("hooks") {
            commands.retain(|command| !command.get("command").and_then(Node::as_str).is_some_and(is_ours));
        }
    }
    entries.retain(|entry| entry.get("hooks").is_none_or(|commands| !commands.is_empty()));
}

fn is_ours(command: &str) -> bool {
    CALLS.iter().any(|call| command.contains(call))
}

fn no_object() -> Refusal {
    Refusal::invalid("settings", "must be a JSON object")
}

fn wrong(place: &str) -> Refusal {
    Refusal::invalid("settings", format!("{place} is not what the agent expects there; put it right first"))
}
