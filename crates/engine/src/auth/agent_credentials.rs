//! Credentials of agents on this machine, kept in the data folder: one for each door and folder, and for each name
//! given on the command line, made when first needed. The name that a client gives itself plays no part: another client
//! could give itself the same one. So no agent can cancel or use what another asked, and none acts as the person at
//! this machine.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use holdpoint_core::json::sha256_hex;
use holdpoint_core::{Permission, Role, Token};
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

use super::{NewToken, Secret, local};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::home::Home;

/// The agent that a credential is for.
#[derive(Clone, Debug)]
pub struct AgentProfile {
    /// The door that the credential is for, with the name given there by a person, or the job that it works for.
    pub client: String,
    /// Where it works; none for a job's agent, which is identified by its job.
    pub folder: Option<PathBuf>,
    /// The project in which it may ask.
    pub project: String,
    /// What a person allows it beyond asking.
    pub permissions: Vec<Permission>,
    /// Where the decisions are, unless in the store of the data folder.
    pub place: Option<String>,
}

/// The stored record of a credential.
#[derive(Debug, Serialize, Deserialize)]
struct StoredCredential {
    id: String,
    name: String,
    secret: String,
    /// Where its agent works, if recorded.
    #[serde(default)]
    folder: Option<String>,
}

impl AgentProfile {
    /// Returns the stored secret; the caller must find out whether it is still valid.
    pub fn stored_secret(&self, home: &Home) -> Option<Secret> {
        read(&self.path(home)).map(|(_, secret)| secret)
    }

    /// Returns the secret of the agent's credential, which is made if there is none. `owner` must be allowed to make
    /// and list tokens.
    pub async fn secret(&self, home: &Home, owner: &dyn Client) -> Result<Secret> {
        let path = self.path(home);
        let _turn = lock(home)?;
        let tokens = owner.tokens().await?;
        if let Some((kept, secret)) = read(&path) {
            match tokens.iter().find(|token| token.id == kept.id) {
                Some(token) if token.revoked_at.is_none() => return Ok(secret),
                Some(token) => return Err(revoked(token, &path)),
                // The record is for another store, which this one has replaced.
                None => {}
            }
        }
        let new = NewToken {
            name: self.free_name(home, &tokens),
            role: Role::Agent,
            projects: vec![self.project.clone()],
            permissions: self.permissions.clone(),
            lasts: None,
            owner: None,
        };
        let made = owner.create_token(new).await?;
        let (id, name, secret) = (made.token.id, made.token.name, made.secret.reveal());
        let kept = StoredCredential { id, name, secret, folder: self.folder() };
        let text = serde_json::to_vec(&kept).map_err(|why| Error::Settings(why.to_string()))?;
        Home::write_private(&path, &text)?;
        Ok(made.secret)
    }

    /// Returns the name under which it acts. Rules and settings use names, and anyone can create a folder with the name
    /// of another. If a credential that was made for another folder has the name, the whole path distinguishes them.
    fn free_name(&self, home: &Home, tokens: &[Token]) -> String {
        let name = self.name();
        let Some(folder) = self.folder() else { return name };
        let made_here = records(home).into_iter().filter(|kept| kept.folder.as_ref() == Some(&folder));
        let own: Vec<String> = made_here.map(|kept| kept.id).collect();
        if tokens.iter().any(|token| token.name == name && !own.contains(&token.id)) {
            return format!("{name}-{}", &sha256_hex(folder.as_bytes())[..8]);
        }
        name
    }

    /// Returns the name of the client with that of the folder.
    fn name(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let short = |text: &str| text.chars().take(60).map(plain).collect::<String>();
        let client = short(&self.client);
        match &self.folder {
            Some(folder) => match folder.file_name() {
                Some(name) => format!("{client}@{}", short(&name.to_string_lossy())),
                None => format!("{client}@root"),
            },
            None => client,
        }
    }

    fn folder(&self) -> Option<String> {
        self.folder.as_deref().map(|folder| folder.to_string_lossy().into_owned())
    }

    fn path(&self, home: &Home) -> PathBuf {
        let key = serde_json::json!([self.client, self.folder(), self.project, self.permissions, self.place]);
        let hash = sha256_hex(key.to_string().as_bytes());
        folder_of(home).join(format!("{}.json", &hash[..32]))
    }
}

fn folder_of(home: &Home) -> PathBuf {
    home.path().join("agents")
}

/// Lists the ids and names of the credentials that are stored for a client in its folders, or in one of them.
pub fn credentials_of(home: &Home, client: &str, folder: Option<&Path>) -> Vec<(String, String)> {
    let folder = folder.map(Path::to_string_lossy);
    let is_its = |kept: &StoredCredential| {
        kept.name.split_once('@').is_some_and(|(name, _)| name == client)
            && folder.as_deref().is_none_or(|folder| kept.folder.as_deref() == Some(folder))
    };
    records(home).into_iter().filter(is_its).map(|kept| (kept.id, kept.name)).collect()
}

/// Returns all stored records.
fn records(home: &Home) -> Vec<StoredCredential> {
    let files = std::fs::read_dir(folder_of(home)).into_iter().flatten().flatten();
    files.filter_map(|file| read(&file.path())).map(|(kept, _)| kept).collect()
}

fn read(path: &Path) -> Option<(StoredCredential, Secret)> {
    let kept: StoredCredential = serde_json::from_str(&local::read_private(path)?).ok()?;
    let secret = Secret::read(&kept.secret)?;
    Some((kept, secret))
}

/// Lets only one process at a time make credentials; two at once would give one agent two.
fn lock(home: &Home) -> Result<File> {
    let folder = folder_of(home);
    Home::make_private(&folder)?;
    let failed = || Error::io("cannot lock the agents' credentials");
    let file = File::options().create(true).append(true).mode(0o600).open(folder.join("lock"));
    let file = file.map_err(failed())?;
    rustix::fs::flock(&file, FlockOperation::LockExclusive).map_err(|why| failed()(why.into()))?;
    Ok(file)
}

fn revoked(token: &Token, path: &Path) -> Error {
    Error::Settings(format!(
        "the credential {} of {} was revoked; remove {} to have another made",
        token.id,
        holdpoint_core::text::inert_line(&token.name),
        path.display()
    ))
}
