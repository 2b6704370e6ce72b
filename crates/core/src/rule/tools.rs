//! Known tools of agents: those that work on one file, those that search a folder, and those that change nothing
//! outside the agent's own mind. Anything else that a tool is given is not known, and a person is asked.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::files::{self, SOURCE};
use super::folder::{self, gone_to};
use super::glob::{self, WildcardScope};
use super::guarded::{GuardReason, guard};
use super::mismatch::{Mismatch, no};
use super::programs::has;
use super::subject::Call;
use super::{Then, When, changes, deployed};
use crate::text::quote;

/// Tools that pass their command to a shell.
pub(super) const SHELL_TOOLS: [&str; 8] = [
    "Bash",
    "bash",
    "exec_command",
    "execute_command",
    "local_shell",
    "run_shell_command",
    "shell",
    "terminal",
];

/// A tool, the member with the path of its file, and its other known members.
type FileTool = (&'static str, &'static str, &'static [&'static str]);

/// Tools that read or change one file: of Claude Code, Gemini CLI and opencode.
const FILE_TOOLS: [FileTool; 12] = [
    ("Read", "file_path", &["offset", "limit"]),
    ("NotebookRead", "notebook_path", &["cell_id"]),
    ("Edit", "file_path", &["old_string", "new_string", "replace_all"]),
    ("MultiEdit", "file_path", &["edits"]),
    ("Write", "file_path", &["content"]),
    ("NotebookEdit", "notebook_path", &["new_source", "cell_id", "cell_type", "edit_mode"]),
    ("read_file", "file_path", &["offset", "limit", "start_line", "end_line"]),
    (
        "replace",
        "file_path",
        &["instruction", "old_string", "new_string", "allow_multiple", "expected_replacements"],
    ),
    ("write_file", "file_path", &["content"]),
    ("read", "filePath", &["offset", "limit"]),
    ("edit", "filePath", &["oldString", "newString", "replaceAll"]),
    ("write", "filePath", &["content"]),
];
/// The tools whose path is relative to the folder where the agent works.
const FROM_FOLDER: &str = "read_file replace write_file";

/// A tool, and the members that it may be given.
type Tool = (&'static str, &'static str);

/// Tools that search the folder named by `path`; without it, the one where the agent works.
const FOLDER_TOOLS: [Tool; 3] = [
    ("Glob", "path pattern"),
    ("Grep", "-A -B -C -i -n -o context glob head_limit multiline offset output_mode path pattern type"),
    ("LS", "ignore path"),
];

/// Tools that touch no file and run nothing: the agent's own lists, output of its own commands, subagents, and web
/// searches.
const OWN_TOOLS: [Tool; 12] = [
    ("BashOutput", "bash_id filter shell_id"),
    ("KillBash", "shell_id"),
    ("KillShell", "shell_id"),
    // A subagent asks for its own actions.
    ("Task", "description model prompt run_in_background subagent_type"),
    ("TaskCreate", "activeForm description metadata subject"),
    ("TaskGet", "taskId"),
    ("TaskList", ""),
    ("TaskUpdate", "activeForm addBlockedBy addBlocks description metadata owner status subject taskId"),
    ("TodoRead", ""),
    ("TodoWrite", "todos"),
    ("ToolSearch", "max_results query"),
    (WEB_SEARCH, "allowed_domains blocked_domains query"),
];
/// The tool whose input leaves the machine.
pub(super) const WEB_SEARCH: &str = "WebSearch";

/// Types of source code and texts that `rg` knows, except those that include hidden files or settings.
const SEARCHED_TYPES: &str = "c cpp cs css dart elixir erlang go h haskell html js kotlin lua md php py rust scala svelte swift ts typescript vue zig";

/// Returns whether a tool is known to only read files.
pub(super) fn only_looks(tool: &str) -> bool {
    has("NotebookRead Read read read_file", tool) || looks_through(tool)
}

/// Returns whether a tool searches a folder.
pub(super) fn looks_through(tool: &str) -> bool {
    FOLDER_TOOLS.iter().any(|(name, _)| *name == tool)
}

/// Returns whether a tool is known to work on a file or to search a folder.
pub(super) fn has_path(tool: &str) -> bool {
    looks_through(tool) || FILE_TOOLS.iter().any(|(name, ..)| *name == tool)
}

/// Returns whether a tool is known to touch no file and to run nothing.
pub(super) fn is_own(tool: &str) -> bool {
    OWN_TOOLS.iter().any(|(name, _)| *name == tool)
}

/// Returns the file that a call is about; none if that is unknown.
pub(super) fn file<'a>(call: &Call<'a>) -> Option<Cow<'a, str>> {
    let (tool, member, _) = FILE_TOOLS.iter().find(|(name, ..)| Some(*name) == call.tool)?;
    let path = call.input.get(*member).and_then(Value::as_str)?;
    if path.starts_with('/') || !has(FROM_FOLDER, tool) {
        return Some(Cow::Borrowed(path));
    }
    let folder = call.beside_folder().filter(|folder| Some(*folder) == call.folder())?;
    gone_to(Some(folder), &[path.to_owned()]).map(Cow::Owned)
}

/// Returns the file or folder that a call reads; none if that is unknown.
pub(super) fn read_path(call: &Call<'_>) -> Option<String> {
    match call.input.get("path") {
        None => call.folder().map(str::to_owned),
        Some(path) => gone_to(call.folder(), &[path.as_str()?.to_owned()]),
    }
}

/// Returns the simplest call of a tool on a path.
pub(super) fn on_path(tool: &str, path: &str) -> Value {
    let input = match FILE_TOOLS.iter().find(|(name, ..)| *name == tool) {
        Some((_, member, _)) => json!({ *member: path }),
        None if tool == "Grep" => json!({"pattern": "a", "path": path, "glob": "*.rs"}),
        None if tool == "Glob" => json!({"pattern": "a", "path": path}),
        None => json!({ "path": path }),
    };
    json!({"tool": tool, "input": input, "cwd": "/"})
}

/// Returns whether a tool that searches a folder is given only known members.
pub(super) fn gives_what_is_known(call: &Call<'_>) -> bool {
    let tool = FOLDER_TOOLS.iter().find(|(name, _)| Some(*name) == call.tool);
    tool.is_some_and(|(_, members)| nothing_else(call, members).is_ok())
}

/// Returns whether a path has the name of a file.
pub(super) fn is_file(place: &str) -> bool {
    ending(place).is_some_and(|end| has(SOURCE, end))
}

/// Returns whether a path has the name of a file of source code, text or settings.
pub(super) fn is_any_file(place: &str) -> bool {
    ending(place)
        .is_some_and(|end| has(SOURCE, end) || has("csv ini json lock sql toml txt xml yaml yml", end))
}

fn ending(place: &str) -> Option<&str> {
    let name = place.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, end)| end)
}

/// Checks whether a rule that names only a tool covers its input.
pub(super) fn own_matches(call: &Call<'_>) -> Result<(), Mismatch> {
    let tool = call.tool.unwrap_or_default();
    match OWN_TOOLS.iter().find(|(name, _)| *name == tool) {
        Some((_, members)) => nothing_else(call, members),
        None => no(2, format!("{} is not known to be read-only", quote(tool))),
    }
}

/// Checks whether a pattern for paths matches the path of a call.
pub(super) fn path_matches(when: &When, pattern: &str, call: &Call<'_>, then: Then) -> Result<(), Mismatch> {
    let tool = call.tool.unwrap_or_default();
    if when.looking && !only_looks(tool) {
        return no(2, format!("{} is not known to only read files", quote(tool)));
    }
    if let Some((_, members)) = FOLDER_TOOLS.iter().find(|(name, _)| *name == tool) {
        folder_matches(pattern, call, then)?;
        return nothing_else(call, members);
    }
    let Some((_, member, free)) = FILE_TOOLS.iter().find(|(name, ..)| *name == tool) else {
        return no(2, format!("{} is not a known file tool", quote(tool)));
    };
    let Some(path) = file(call) else { return no(2, "it names no file") };
    if !glob::matches(pattern, &path, WildcardScope::Path) {
        // No star matches a hidden name.
        let is_below = pattern.strip_suffix("**").is_some_and(|folder| path.starts_with(folder));
        let found = guard(&path, pattern, !only_looks(tool)).filter(|_| is_below);
        let why = found.map(|why| why.to_string());
        let odd = || (is_below && !glob::is_normal(&path)).then(|| "only a plain path is matched".to_owned());
        let why = why.or_else(odd).unwrap_or_else(|| format!("it is for {pattern}"));
        return no(folder::nearness(pattern, &path), format!("{why}; this is {}", quote(&path)));
    }
    if then == Then::Allow {
        may_be_covered(call, pattern, &path)?;
    }
    let is_plain = |name: &str, value: &Value| match value {
        Value::Array(edits) => name == "edits" && edits.iter().all(is_edit),
        other => !other.is_object(),
    };
    if let Some((name, _)) = call.input.iter().find(|(name, value)| !is_plain(name, value)) {
        return no(6, format!("this gives {} in parts, which the rule does not cover", quote(name)));
    }
    let known: Vec<&str> = free.iter().copied().chain([*member]).collect();
    uncovered(call, &known)
}

/// Checks that neither the name of a file nor what is changed in it needs a person.
fn may_be_covered(call: &Call<'_>, pattern: &str, path: &str) -> Result<(), Mismatch> {
    let changes = call.tool.is_some_and(|tool| !only_looks(tool));
    let is_secret = !changes && pattern != path && files::is_bare_secret(path);
    let found = guard(path, pattern, changes).or_else(|| guard(call.within(path), pattern, changes));
    if let Some(why) = found.or(is_secret.then_some(GuardReason::Secret)) {
        return no(5, format!("{why}; this is {}", quote(path)));
    }
    match deployed::concern(path, pattern).filter(|_| changes) {
        Some(why) => no(5, why),
        None => changes::concern(call, path).map_or(Ok(()), |why| no(5, why)),
    }
}

/// Returns whether a part of a change only gives a replacement, and names no other file.
fn is_edit(edit: &Value) -> bool {
    let is_known = |(name, value): (&String, &Value)| {
        has("old_string new_string replace_all", name) && !value.is_object() && !value.is_array()
    };
    edit.as_object().is_some_and(|members| members.iter().all(is_known))
}

fn folder_matches(pattern: &str, call: &Call<'_>, then: Then) -> Result<(), Mismatch> {
    let Some(place) = read_path(call) else { return no(2, "it does not say where it looks") };
    let reads = call.tool == Some("Grep");
    let is_file = reads && is_file(&place);
    // A search reads everything below its folder.
    let is_below = |pattern: &str| glob::matches(pattern, &place, WildcardScope::Path);
    let covers = match pattern.strip_suffix("/**") {
        Some(folder) => is_below(pattern) || is_below(folder),
        None => is_below(pattern) && (is_file || pattern == place),
    };
    // A rule that refuses or asks may name a path below the folder that is searched.
    let meets = then != Then::Allow && reads && glob::is_normal(&place) && {
        let named = pattern.split('*').next().unwrap_or_default();
        named.strip_prefix(place.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    if !covers && !meets {
        let why = format!("it is for {pattern}; this looks in {}", quote(&place));
        return no(folder::nearness(pattern, &place), why);
    }
    if then != Then::Allow {
        return Ok(());
    }
    if let Some(why) = guard(&place, pattern, false) {
        return no(5, format!("{why}; this looks in {}", quote(&place)));
    }
    match call.tool {
        Some("Glob") => names_stay(call),
        // A folder may have the name of a file, so a rule has to name the path exactly.
        Some("Grep") if !(is_narrowed(call) || is_file && pattern == place) => {
            no(5, "it searches the whole folder, hidden files too: name a kind of source code (glob *.rs)")
        }
        _ => Ok(()),
    }
}

/// Checks that a pattern for names stays in its folder and does not ask for guarded names.
fn names_stay(call: &Call<'_>) -> Result<(), Mismatch> {
    let Some(names) = call.input.get("pattern").and_then(Value::as_str) else {
        return no(5, "it does not say which names it looks for");
    };
    if !is_relative(names) {
        return no(5, format!("the names may lie elsewhere; this is {}", quote(names)));
    }
    let mut parts = names.split(['{', '}', ',', '/']);
    match parts.find_map(|part| Some((part, guard(part, "", false)?))) {
        Some((part, why)) => no(5, format!("{why}; this looks for {}", quote(part))),
        None => Ok(()),
    }
}

/// Returns whether a pattern for names stays in its folder, however its braces expand.
fn is_relative(names: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.*?/{}, ".contains(c);
    // An empty alternative in braces can make a path absolute, and dots in two of them make the parent folder.
    let leaves = ["..", "//", "{/", ",/", "{,", ",}", ",,", "{}", "}{", "{.", ",.", ".}", ".,"];
    !names.trim_start().starts_with(['/', '{', '-'])
        && !names.is_empty()
        && names.chars().all(is_plain)
        && !leaves.iter().any(|part| names.contains(part))
}

/// Returns whether a search is limited to some types of source code or text.
pub(super) fn is_narrowed(call: &Call<'_>) -> bool {
    let text = |name: &str| call.input.get(name).map(|value| value.as_str().unwrap_or_default());
    match (text("glob"), text("type")) {
        (None, None) => false,
        // Both narrow the search; if one is not known, it may be the one that widens it.
        (globs, kind) => {
            globs.is_none_or(|globs| {
                !globs.trim().is_empty() && globs.split_ascii_whitespace().all(is_for_source)
            }) && kind.is_none_or(|kind| has(SEARCHED_TYPES, kind))
        }
    }
}

/// Returns whether a pattern matches only names of source code or texts, none of them hidden: `src/**/*.{ts,tsx}`.
pub(super) fn is_for_source(names: &str) -> bool {
    let Some((before, ends)) = names.rsplit_once("*.") else { return false };
    let before_is_plain = before.split('/').all(|part| !part.starts_with('.') && !part.contains('{'));
    let ends = ends.strip_prefix('{').and_then(|ends| ends.strip_suffix('}')).unwrap_or(ends);
    is_relative(names) && before_is_plain && ends.split(',').all(|end| has(SOURCE, end))
}

/// Checks that a call has only these members.
fn nothing_else(call: &Call<'_>, members: &str) -> Result<(), Mismatch> {
    uncovered(call, &members.split_ascii_whitespace().collect::<Vec<_>>())
}

fn uncovered(call: &Call<'_>, known: &[&str]) -> Result<(), Mismatch> {
    match call.other_than(known) {
        Some(other) => no(6, format!("this also gives {}, which the rule does not cover", quote(other))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kinds_of_source_code_narrow_a_search() {
        for names in ["*.rs", "**/*.rs", "src/**/*.{ts,tsx}", "crates/core/*.md"] {
            assert!(is_for_source(names), "{names}");
        }
        for names in [
            "*",
            "**",
            "*.*",
            "*.json",
            "*.env",
            "*.{rs,env}",
            "!*.rs",
            ".*.rs",
            ".github/*.md",
            "{.ssh,src}/*.md",
            "*.{rs}/x",
            "../*.rs",
            "/etc/*.rs",
            "*.",
            "*.{}",
            "*.{,rs}",
            "*.rs,*.env",
            "a.rs",
            "*.RS",
            "[.]ssh/*.md",
            "\u{202e}*.rs",
        ] {
            assert!(!is_for_source(names), "{names}");
        }
    }

    #[test]
    fn names_that_may_lie_elsewhere_are_known() {
        for names in ["**/*", "src/**/*.{ts,tsx}", "*.json", "a b/a?.txt", "src/{a,b}/c"] {
            assert!(is_relative(names), "{names}");
        }
        for names in [
            "",
            "/etc/*",
            "../x",
            "a/../../x",
            "{/etc,a}/*",
            "{a,/etc}/*",
            "~/x",
            "$HOME/*",
            "a//etc",
            "C:\\x",
            "a\nb",
            "!(a)",
            "{a,}/{/etc,b}",
            "@(a|/etc)",
            "{,a}/etc/*",
            " /etc/*",
            "a/{.,b}{.,b}/x",
            "a/.{.,b}/x",
            "[.][.]/x",
            "-x",
        ] {
            assert!(!is_relative(names), "{names}");
        }
    }

    #[test]
    fn a_file_is_known_by_the_ending_of_source_code() {
        assert!(is_file("/srv/app/main.rs") && is_file("a.md"));
        for place in
            ["/srv/app", "/srv/app/.rs", "/srv/app/a.env", "/srv/app.rs/x", "/srv/app/.env.local", ""]
        {
            assert!(!is_file(place), "{place}");
        }
    }
}
