//! The settings of Claude Code and Gemini CLI and the hooks of Codex: our entries are added beside existing ones, and
//! removed again.

use holdpoint_core::{Refusal, Span};

use super::dialect::Dialect;
use super::gemini;
use super::input::Event;
use super::ordered::Node;

/// What to install in the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Install {
    /// The agent whose settings they are.
    pub dialect: Dialect,
    /// The command for our program.
    pub program: String,
    /// The data folder, which the agent may not access.
    pub home: String,
    /// How long the agent allows a hook to hold.
    pub timeout: Span,
    /// Whether a session that stops becomes an idle decision.
    pub idle: bool,
    /// Whether permissions are deferred, for unattended runs.
    pub defer: bool,
    /// Whether the person is asked in the terminal if our server cannot be reached; otherwise the call is refused.
    pub ask_on_failure: bool,
    /// Tools that always need a person, in any mode: matchers in Claude Code's syntax.
    pub guards: Vec<String>,
    /// The status that is shown while a hook holds, with the place to answer.
    pub status: String,
}

impl Install {
    /// Returns the flags for how long a hook holds.
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

/// Adds our hooks and deny rules; existing entries are kept, older entries of ours are replaced.
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
    // In its automatic mode Claude Code decides itself and does not ask.
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

/// The setting for the mode in which a session starts, and the mode in which Claude Code asks.
const MODE: &str = "defaultMode";
const ASKS: &str = "default";

/// Returns the mode in the settings, if there is one.
pub fn mode(settings: &Node) -> Option<&str> {
    settings.get("permissions").and_then(|permissions| permissions.get(MODE)).and_then(Node::as_str)
}

/// Returns whether our hooks are installed.
pub fn is_installed(settings: &Node) -> bool {
    without_hooks(settings) != *settings
}

/// Removes our hooks, these deny rules, and whatever is empty without them. The earlier mode is restored, unless
/// another one has been set since.
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

/// Returns the rules that an installation adds to the existing ones.
pub fn added_rules(before: &Node, program: &str, home: &str) -> Vec<String> {
    let denied = before.get("permissions").and_then(|permissions| permissions.get("deny"));
    let known = |rule: &String| match denied {
        Some(Node::Array(deny)) => deny.iter().any(|known| known.as_str() == Some(rule)),
        _ => false,
    };
    deny_rules(program, home).into_iter().filter(|rule| !known(rule)).collect()
}

/// Returns rules that keep the agent from answering for the person. The program is denied by its name, and in the form
/// in which our hooks call it, which the agent can read in the settings.
pub fn deny_rules(program: &str, home: &str) -> Vec<String> {
    let called = |command: &str| match command.strip_prefix(NAME) {
        Some(verb) if program != NAME => vec![command.to_owned(), format!("{program}{verb}")],
        _ => vec![command.to_owned()],
    };
    let commands = COMMANDS.iter().flat_map(|command| called(command)).map(|rule| format!("Bash({rule}:*)"));
    let patterns = PATTERNS.iter().flat_map(|pattern| called(pattern)).map(|rule| format!("Bash({rule})"));
    let tools = TOOLS.iter().map(|tool| (*tool).to_owned());
    // With two slashes, the path is absolute rather than relative to the settings.
    let folder = home.trim_end_matches('/');
    let files = ["Read", "Edit"].map(|verb| format!("{verb}(/{folder}/**)"));
    commands.chain(patterns).chain(tools).chain(files).collect()
}

/// The name of the program if it is in the search path.
const NAME: &str = "hold";

const COMMANDS: [&str; 26] = [
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
    "hold absence",
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

/// Patterns for commands with options before the verb.
const PATTERNS: [&str; 6] = [
    "hold bd * respond *",
    "hold oj * resolve *",
    "hold oj * review*",
    "bd * respond *",
    "oj * resolve *",
    "oj * review*",
];

const TOOLS: [&str; 2] = ["mcp__hold__answer", "mcp__hold__bd_decision_respond"];

/// How long a hook holds by default; the command itself ends a minute earlier.
const USUAL: Span = Span::from_secs(3_600);

/// Returns when to stop holding, so that the outcome is still reported before the hook is killed.
fn before_the_end(limit: Span) -> Span {
    let millis = limit.as_millis();
    Span::from_millis(millis - (millis / 20).min(60_000))
}

/// The tools that are deferred: before use, it is unknown whether a tool needs a permission, but read-only tools never
/// do.
const DEFERRED: &str = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|mcp__.*|AskUserQuestion|ExitPlanMode";

fn entries(install: &Install, holds: &[String]) -> Vec<(Event, Option<String>, String)> {
    let asks = install.ask_on_failure.then(|| "--on-failure ask".to_owned());
    let shared = asks.iter().chain(holds).fold(String::new(), |flags, flag| flags + " " + flag);
    match install.dialect {
        Dialect::Claude => {}
        Dialect::Codex => return codex_entries(install, &shared),
        Dialect::Gemini => return gemini_entries(install, &shared),
        // Its plugin is a separate file.
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

/// Codex does not ask elsewhere while a hook holds, so little needs to be reported; and its user must review each hook.
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
    // Hooks that only report or clean up must not hold up a session; those that decide must not fail open.
    let asks = matches!(event, Event::PreToolUse | Event::PermissionRequest);
    let decides = asks || event == Event::Stop && install.idle;
    let seconds = if decides { install.timeout.as_millis() / 1000 } else { 10 };
    if install.dialect == Dialect::Gemini {
        // Gemini CLI counts in milliseconds, and shows a name while a hook holds.
        run.push(("timeout".to_owned(), Node::Plain((seconds * 1000).into())));
        run.push(("name".to_owned(), Node::Plain("holdpoint".into())));
        run.push(("description".to_owned(), Node::Plain(install.status.as_str().into())));
        return entry(matcher, run);
    }
    run.push(("timeout".to_owned(), Node::Plain(seconds.into())));
    // Codex has no such member: without an answer, it asks in its terminal.
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
/// The flag with which the hook makes Claude Code ask the person at its terminal.
const GUARD: &str = " --guard";

/// Removes our commands from the entries of one event; an entry that only had ours is removed.
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
    Refusal::invalid("settings", format!("correct {place} first: it is not what the agent expects there"))
}
