//! `hold hook install`

use holdpoint_core::json::sha256_hex;
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_protocols::claude::Dialect;
use holdpoint_protocols::claude::ordered::Node;
use holdpoint_protocols::claude::settings;

use super::record::{self, Record};
use super::{Agent, Install, OnFailure, Where};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

pub(super) fn run(arguments: &Install, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let dialect = arguments.place.agent.dialect();
    if arguments.defer && !dialect.is_rich() {
        return Err(Failure::usage(format!("{} cannot resume a call: remove --defer", dialect.product())));
    }
    if arguments.idle && dialect == Dialect::Gemini {
        let why = "Gemini CLI has no hook for a session that stops: remove --idle";
        return Err(Failure::usage(why));
    }
    let path = record::path(&arguments.place)?;
    check_committed(&arguments.place)?;
    let home = context.home.path().display().to_string();
    let current = record::current(&path)?;
    let node = parse(current.as_deref(), &path)?;
    let wanted = settings::Install {
        dialect,
        program: program(),
        home: home.clone(),
        timeout: arguments.timeout,
        idle: arguments.idle,
        defer: arguments.defer,
        ask_on_failure: arguments.on_failure == OnFailure::Ask,
        guards: guards(&arguments.guard)?,
        status: status(dialect, context.address().as_deref()),
    };
    let after = settings::install(&node, &wanted)?.text();
    if current.as_deref() == Some(after.as_str()) {
        ui.note(format!("The hooks are already in {}", path.display()));
        return Ok(Exit::Done);
    }
    if !record::agree(&path, current.as_deref(), Some(&after), &arguments.place, ui)? {
        ui.note("Nothing was changed");
        return Ok(Exit::Done);
    }
    // When reinstalling over our own hooks, the original content is still what uninstalling restores.
    let known = Record::read(&context.home, &path);
    let folders = match (&known, &current) {
        (Some(known), Some(_)) => known.folders.clone(),
        _ => record::missing_folders(&path),
    };
    let (before, mut rules, mode) = match (known, &current) {
        (Some(known), Some(text)) if known.after == sha256_hex(text.as_bytes()) => {
            (known.before, known.rules, known.mode)
        }
        (Some(known), Some(text)) => {
            let without = settings::uninstall(&node, &known.rules, known.mode.as_deref());
            let before = if without == node { text.clone() } else { without.text() };
            (Some(before), known.rules, known.mode)
        }
        (_, current) => (current.clone(), Vec::new(), settings::mode(&node).map(str::to_owned)),
    };
    if dialect == Dialect::Claude {
        rules.extend(settings::added_rules(&node, &wanted.program, &home));
    }
    let after_hash = sha256_hex(after.as_bytes());
    let record = Record { path: path.clone(), before, after: after_hash, rules, mode, folders };
    record.write(&context.home)?;
    record::write(&path, &after)?;
    ui.note(format!("Added the hooks to {}", path.display()));
    match dialect {
        Dialect::Claude => ui.note("Sessions here now start in the mode \"default\", in which Claude Code asks; in its automatic mode it asks nobody"),
        Dialect::Gemini => ui.note("Start Gemini CLI with --approval-mode yolo so that only the hook asks; in its usual mode it asks again"),
        Dialect::Opencode => {}
        Dialect::Codex => ui.note("Review and trust the hooks in Codex with /hooks: Codex runs no others"),
    }
    if wanted.guards.is_empty() && current.is_some_and(|text| has_guards(&text)) {
        ui.warn("the previous guards were removed; pass them with --guard to keep them");
    }
    let place = match (arguments.place.agent, arguments.place.is_users()) {
        (Agent::Claude, true) => " --user",
        (Agent::Codex | Agent::Gemini, false) => " --project",
        _ => "",
    };
    ui.note(format!("To remove them: hold hook uninstall {}{place}", dialect.name()));
    Ok(Exit::Done)
}

/// Refuses if an older version put the hooks into the committed settings: both would ask.
fn check_committed(place: &Where) -> Result<(), Failure> {
    let Some(path) = record::committed(place)? else { return Ok(()) };
    let Some(text) = record::current(&path)? else { return Ok(()) };
    match parse(Some(&text), &path) {
        Ok(node) if settings::is_installed(&node) => {
            Err(Failure::error(format!("the hooks are in {}, from an older version", path.display()))
                .hint("remove them first: hold hook uninstall claude"))
        }
        _ => Ok(()),
    }
}

/// Checks the patterns to guard as far as possible; only Claude Code knows how it interprets them.
fn guards(patterns: &[String]) -> Result<Vec<String>, Failure> {
    for pattern in patterns {
        check_name(pattern).map_err(|why| Failure::error(format!("--guard {why}")))?;
        // A hook's matcher matches tool names; rules such as Bash(rm *) would match nothing.
        if pattern.contains('(') {
            let why = format!("--guard {pattern}: must match a tool's name, not its input");
            return Err(Failure::error(why).hint("for example --guard Bash or --guard 'mcp__db__.*'"));
        }
    }
    Ok(patterns.to_vec())
}

/// Returns the text that says where to answer while the agent waits. Codex shows no dialog of its own meanwhile.
fn status(dialect: Dialect, address: Option<&str>) -> String {
    let here = if dialect == Dialect::Claude { "here, " } else { "" };
    match address {
        Some(address) => format!("Waiting for a person: answer {here}at {address}, or with hold inbox"),
        None => format!(
            "Waiting for a person: answer {here}{}with hold inbox",
            if here.is_empty() { "" } else { "or " }
        ),
    }
}

fn has_guards(text: &str) -> bool {
    text.contains(" --guard") || text.contains(" hook codex PreToolUse")
}

/// Returns the shell command by which a hook calls us.
pub(super) fn program() -> String {
    let program = executable();
    if program.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte)) {
        return program;
    }
    format!("'{}'", program.replace('\'', r"'\''"))
}

/// Returns how a hook calls us: by name if that resolves to this very program, otherwise by path.
pub(super) fn executable() -> String {
    const NAME: &str = "hold";
    let own = std::env::current_exe().and_then(|own| own.canonicalize()).ok();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(NAME)).find(|file| file.is_file());
    if own == found.and_then(|found| found.canonicalize().ok()) {
        return NAME.to_owned();
    }
    own.and_then(|own| own.to_str().map(str::to_owned)).unwrap_or_else(|| NAME.to_owned())
}

/// Parses settings; an unreadable file is not touched.
pub(super) fn parse(text: Option<&str>, path: &std::path::Path) -> Result<Node, Failure> {
    // Some editors put a byte order mark before the text.
    let text = text.map(|text| text.trim_start_matches('\u{feff}'));
    match text.filter(|text| !text.trim().is_empty()) {
        None => Ok(Node::Object(Vec::new())),
        Some(text) => Node::parse(text).map_err(|why| {
            let why = inert_line(&why.to_string());
            Failure::error(format!("{} is not JSON: {why}", path.display()))
                .hint("fix it first; comments are refused too, because they would be lost")
        }),
    }
}
