//! What was there before: kept in the data folder, so that it can be given back as it was.

use std::path::{Path, PathBuf};

use holdpoint_core::json::sha256_hex;
use holdpoint_engine::Home;
use serde::{Deserialize, Serialize};

use super::{Agent, Where};
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{self, Ui};
use crate::shown::compare;

/// What an installation changed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// Which file.
    pub(super) path: PathBuf,
    /// What stood there before; nothing if there was no file.
    pub(super) before: Option<String>,
    /// The hash of what was written.
    pub(super) after: String,
    /// The rules that were added.
    pub(super) rules: Vec<String>,
    /// The mode that the settings named before.
    #[serde(default)]
    pub(super) mode: Option<String>,
}

impl Record {
    /// Reads what is known of a file.
    pub(super) fn read(home: &Home, path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(place(home, path)).ok()?;
        serde_json::from_str(&text).ok()
    }

    pub(super) fn write(&self, home: &Home) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self)?;
        Ok(Home::write_private(&place(home, &self.path), text.as_bytes())?)
    }

    pub(super) fn forget(home: &Home, path: &Path) {
        let _ = std::fs::remove_file(place(home, path));
    }
}

fn place(home: &Home, path: &Path) -> PathBuf {
    let name = sha256_hex(path.as_os_str().as_encoded_bytes());
    // The path tells whose it is; the name is as it always was.
    home.path().join("hooks").join(format!("claude-{}.json", &name[..32]))
}

/// Returns the file that is meant; if it is a link, what it leads to.
pub(super) fn path(place: &Where) -> Result<PathBuf, Failure> {
    let name = match (place.agent, place.is_users()) {
        (Agent::Codex, _) => "hooks.json",
        (Agent::Claude, true) | (Agent::Gemini, _) => "settings.json",
        (Agent::Claude, false) => "settings.local.json",
        (Agent::Opencode, _) => "plugin/holdpoint.js",
    };
    file(place, name)
}

/// Returns the project's settings that are usually committed, where older versions put the hooks.
pub(super) fn committed(place: &Where) -> Result<Option<PathBuf>, Failure> {
    if place.is_users() || place.agent != Agent::Claude {
        return Ok(None);
    }
    let path = file(place, "settings.json")?;
    // In the home folder these are the person's own settings.
    Ok((Some(&path) != user_settings().as_ref()).then_some(path))
}

fn user_settings() -> Option<PathBuf> {
    let path = user_folder(Agent::Claude)?.join("settings.json");
    Some(path.canonicalize().unwrap_or(path))
}

/// Returns the folder with an agent's settings in a project.
fn project_folder(agent: Agent) -> &'static str {
    match agent {
        Agent::Claude => ".claude",
        Agent::Codex => ".codex",
        Agent::Gemini => ".gemini",
        Agent::Opencode => ".opencode",
    }
}

/// Returns the folder with a person's own settings.
fn user_folder(agent: Agent) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = match agent {
        Agent::Claude => variable("CLAUDE_CONFIG_DIR"),
        Agent::Codex => variable("CODEX_HOME"),
        Agent::Gemini => None,
        Agent::Opencode => {
            let config =
                variable("XDG_CONFIG_HOME").or_else(|| variable("HOME").map(|home| home.join(".config")));
            return config.map(|config| config.join("opencode"));
        }
    };
    named.or_else(|| variable("HOME").map(|home| home.join(project_folder(agent))))
}

fn file(place: &Where, name: &str) -> Result<PathBuf, Failure> {
    let folder = if place.is_users() {
        user_folder(place.agent)
            .ok_or_else(|| Failure::error("HOME is not set, so your settings cannot be found"))?
    } else {
        std::env::current_dir()?.join(project_folder(place.agent))
    };
    // The same file has the same name before it is there and after.
    let path = folder.canonicalize().unwrap_or(folder).join(name);
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(_) if path.is_symlink() => {
            Err(Failure::error(format!("{} is a dangling symbolic link", path.display()))
                .hint("create its target, or remove the link"))
        }
        Err(_) => Ok(path),
    }
}

/// Reads the file, if it is there.
pub(super) fn current(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::error(format!("cannot read {}: {error}", path.display()))),
    }
}

/// Shows what will change and asks whether it should. Returns whether to go on.
pub(super) fn agree(
    path: &Path,
    before: Option<&str>,
    after: Option<&str>,
    place: &Where,
    ui: &mut Ui,
) -> Result<bool, Failure> {
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let name = path.display().to_string();
    let from = if before.is_some() { name.as_str() } else { "/dev/null" };
    let to = if after.is_some() { name.as_str() } else { "/dev/null" };
    ui.line(compare::unified(from, to, old, new).trim_end())?;
    if place.yes {
        return Ok(true);
    }
    if !ui::is_interactive() {
        return Err(
            Failure::new(Exit::Error, "nothing was changed").hint("to do this, run it again with --yes")
        );
    }
    ui.prompt("Change the settings like this? [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Writes the file; a reader sees the old or the new content, never half. Who may read it stays as it was.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::error(format!("cannot write {}: {error}", path.display()));
    let known = std::fs::metadata(path).ok().map(|known| known.permissions());
    // The owner who made it so has a reason; a file could be put in its place all the same.
    if known.as_ref().is_some_and(std::fs::Permissions::readonly) {
        return Err(Failure::error(format!("{} may only be read", path.display()))
            .hint("nothing was changed; make it writable first, or use the other of --project and --user"));
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut staged = path.as_os_str().to_owned();
    staged.push(format!(".{}.new", std::process::id()));
    let staged = PathBuf::from(staged);
    std::fs::write(&staged, text).map_err(failed)?;
    if let Some(known) = known {
        std::fs::set_permissions(&staged, known).map_err(failed)?;
    }
    std::fs::rename(&staged, path).map_err(failed)
}
