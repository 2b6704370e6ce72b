//! Records a file's previous content in the data folder, so that it can be restored exactly.

use std::path::{Path, PathBuf};

use holdpoint_core::json::sha256_hex;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Home;
use holdpoint_engine::auth::credentials_of;
use serde::{Deserialize, Serialize};

use super::{Agent, Where};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{self, Ui};
use crate::view_model::compare;

/// The changes made by an installation.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// The file that was changed.
    pub(super) path: PathBuf,
    /// Its previous content; none if there was no file.
    pub(super) before: Option<String>,
    /// The hash of the content that was written.
    pub(super) after: String,
    /// The rules that were added.
    pub(super) rules: Vec<String>,
    /// The mode that the settings had before.
    #[serde(default)]
    pub(super) mode: Option<String>,
    /// The folders that were made for the file, the innermost first.
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
}

impl Record {
    /// Reads the record of a file.
    pub(super) fn read(home: &Home, path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(record_path(home, path)).ok()?;
        serde_json::from_str(&text).ok()
    }

    pub(super) fn write(&self, home: &Home) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self)?;
        Ok(Home::write_private(&record_path(home, &self.path), text.as_bytes())?)
    }

    pub(super) fn forget(home: &Home, path: &Path) {
        let _ = std::fs::remove_file(record_path(home, path));
    }
}

/// Lists the folders that must be made for a file, the innermost first.
pub(super) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_path_buf).collect()
}

/// Removes a file, and the folders that were made for it if nothing else has been put there.
pub(super) fn remove(path: &Path, folders: &[PathBuf]) -> Result<(), Failure> {
    std::fs::remove_file(path)?;
    for folder in folders {
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// Names the credentials that the hooks used: they are not revoked with them.
pub(super) fn note_credentials(place: &Where, context: &Context, ui: &mut Ui) {
    let client = place.agent.dialect().protocol();
    let here = std::env::current_dir().ok().filter(|_| !place.is_users());
    for (id, name) in credentials_of(&context.home, client, here.as_deref()) {
        ui.note(format!(
            "Its credential {} is still valid; to revoke it: hold token revoke {id}",
            inert_line(&name)
        ));
    }
}

fn record_path(home: &Home, path: &Path) -> PathBuf {
    let name = sha256_hex(path.as_os_str().as_encoded_bytes());
    // The hash of the path identifies the file; the prefix is historical.
    home.path().join("hooks").join(format!("claude-{}.json", &name[..32]))
}

/// Returns the file to change; the target if it is a link.
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
    // In the home folder, this is the person's own settings file.
    Ok((Some(&path) != user_settings().as_ref()).then_some(path))
}

fn user_settings() -> Option<PathBuf> {
    let path = user_folder(Agent::Claude)?.join("settings.json");
    Some(path.canonicalize().unwrap_or(path))
}

/// Returns the folder of an agent's settings in a project.
fn project_folder(agent: Agent) -> &'static str {
    match agent {
        Agent::Claude => ".claude",
        Agent::Codex => ".codex",
        Agent::Gemini => ".gemini",
        Agent::Opencode => ".opencode",
    }
}

/// Returns the folder of a person's own settings.
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
    // Canonicalize the folder, so that the path is the same before and after the file exists.
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

/// Shows the changes and asks for confirmation. Returns whether to go on.
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

/// Writes the file atomically, with its previous permissions.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::error(format!("cannot write {}: {error}", path.display()));
    let known = std::fs::metadata(path).ok().map(|known| known.permissions());
    // The owner made it read-only for a reason, although a new file could replace it.
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
