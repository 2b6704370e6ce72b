//! Credentials of agents on this machine, kept in the data folder: one for each client and folder, made when it is first
//! needed. So one agent can neither cancel nor use what another asked, and none acts as the person at this machine.

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

/// Whose credential it is.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The client, as it calls itself, or the job that it works for.
    pub client: String,
    /// Where it works; nothing for a job's agent, which is known by its job.
    pub folder: Option<PathBuf>,
    /// The project that it may ask in.
    pub project: String,
    /// What a person allowed it beyond asking.
    pub permissions: Vec<Permission>,
    /// Where the decisions are, if not in the store of the data folder.
    pub place: Option<String>,
}

/// What is kept of a credential.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    id: String,
    name: String,
    secret: String,
}

impl Agent {
    /// Returns the secret that is kept; whether it still counts is for the caller to find out.
    pub fn kept(&self, home: &Home) -> Option<Secret> {
        read(&self.path(home)).map(|(_, secret)| secret)
    }

    /// Returns the secret of the agent's credential, made if there is none. `owner` may make tokens and list them.
    pub async fn secret(&self, home: &Home, owner: &dyn Client) -> Result<Secret> {
        let path = self.path(home);
        let _turn = lock(home)?;
        if let Some((kept, secret)) = read(&path) {
            let known = owner.tokens().await?.into_iter().find(|token| token.id == kept.id);
            match known {
                Some(token) if token.revoked_at.is_none() => return Ok(secret),
                Some(token) => return Err(revoked(&token, &path)),
                // Another store has taken the place of the one it was made for.
                None => {}
            }
        }
        let new = NewToken {
            name: self.name(),
            role: Role::Agent,
            projects: vec![self.project.clone()],
            permissions: self.permissions.clone(),
            lasts: None,
            owner: None,
        };
        let made = owner.create_token(new).await?;
        let kept = Kept { id: made.token.id, name: made.token.name, secret: made.secret.reveal() };
        let text = serde_json::to_vec(&kept).map_err(|why| Error::Settings(why.to_string()))?;
        Home::write_private(&path, &text)?;
        Ok(made.secret)
    }

    /// Returns the name under which it acts: the client, and the folder's own name.
    fn name(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let client: String = self.client.chars().take(60).map(plain).collect();
        let folder = self.folder.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        match folder {
            Some(folder) => format!("{client}@{}", folder.chars().take(60).map(plain).collect::<String>()),
            None => client,
        }
    }

    fn path(&self, home: &Home) -> PathBuf {
        let folder = self.folder.as_deref().map(|folder| folder.to_string_lossy().into_owned());
        let key = serde_json::json!([self.client, folder, self.project, self.permissions, self.place]);
        let hash = sha256_hex(key.to_string().as_bytes());
        home.path().join("agents").join(format!("{}.json", &hash[..32]))
    }
}

fn read(path: &Path) -> Option<(Kept, Secret)> {
    let kept: Kept = serde_json::from_str(&local::read_private(path)?).ok()?;
    let secret = Secret::read(&kept.secret)?;
    Some((kept, secret))
}

/// Lets one process at a time make credentials; two would give one agent two.
fn lock(home: &Home) -> Result<File> {
    let folder = home.path().join("agents");
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
