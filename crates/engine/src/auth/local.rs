//! How programs on this machine find its server and authenticate without configuration.
//!
//! The server writes both files, for its owner only; clients read them. Any process that can read them may do
//! everything.

use std::fs::File;
use std::io::Read as _;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use holdpoint_core::{SecretHash, Timestamp};
use holdpoint_store::vouch::Identity;
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::Caller;
use super::link::Links;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::home::Home;

/// The prefix that distinguishes a session begun from this machine from a person's.
pub(super) const SESSION: &str = "local:";

/// The most that is read of either file.
const LIMIT: u64 = 4096;

/// Where the server of a data folder listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// Its address, e.g. `http://127.0.0.1:4653`.
    pub address: String,
    /// Its process.
    pub pid: u32,
    /// The identity of its store.
    #[serde(default)]
    pub store: Option<String>,
}

/// What a running server published; dropping it removes `server.json`.
#[derive(Debug)]
pub struct PublishedServer {
    token: SecretHash,
    server: Server,
    path: PathBuf,
    /// Locked as long as the server lives, however it ends: its own file, by which clients find it, and the folder's,
    /// which only one server can hold.
    _alive: [File; 2],
}

/// Writes `local.token`, which stays the same between starts, and `server.json`. Refuses if another server has the
/// folder: commands would find whichever was published last, and none after that one ends.
pub fn publish(home: &Home, address: &str, store: &Identity) -> Result<PublishedServer> {
    let only = claim(home)?;
    let path = home.path().join("local.token");
    let token = match read_secret(&path) {
        Some(token) => token,
        None => make_token(&path)?,
    };
    let server = Server {
        address: address.trim_end_matches('/').to_owned(),
        pid: std::process::id(),
        store: Some(store.id.clone()),
    };
    let path = file_of(home);
    let text = serde_json::to_vec(&server).map_err(|why| Error::Settings(format!("server.json: {why}")))?;
    Home::write_private(&path, &text)?;
    let locked = File::open(&path).and_then(|file| {
        rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
        Ok(file)
    });
    let alive = locked.map_err(Error::io("cannot lock server.json"))?;
    Ok(PublishedServer { token: token.hash(), server, path, _alive: [alive, only] })
}

/// Makes this process the only server of a data folder.
fn claim(home: &Home) -> Result<File> {
    let path = home.path().join("server.lock");
    Home::write_private_once(&path, b"")?;
    let file = File::open(&path).map_err(Error::io("cannot open server.lock"))?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let which = find(home).map(|server| format!(", at {} (process {})", server.address, server.pid));
            Err(Error::Settings(format!(
                "a server already runs for this data folder{}; use it, stop it, or set HOLD_HOME to another folder",
                which.unwrap_or_default()
            )))
        }
        Err(why) => Err(Error::Io { what: "cannot lock server.lock".into(), source: why.into() }),
    }
}

fn make_token(path: &Path) -> Result<Secret> {
    let token = Secret::random()?;
    Home::write_private(path, token.reveal().as_bytes())?;
    Ok(token)
}

impl PublishedServer {
    /// Returns the local caller if a secret with this hash is the local token; timing reveals nothing.
    pub fn authenticate(&self, presented: &SecretHash, by: &str, via: &str) -> Option<Caller> {
        let same: bool = presented.0.ct_eq(&self.token.0).into();
        same.then(|| Caller::local(by, via))
    }

    /// Returns what was published.
    pub fn server(&self) -> &Server {
        &self.server
    }
}

impl Drop for PublishedServer {
    fn drop(&mut self) {
        // The folder may have been replaced meanwhile, and contain another server's file, which must stay.
        if open_private(&self.path).and_then(|file| read_server(&file)).as_ref() == Some(&self.server) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Makes a one-time link that signs in the browser of the person at this machine.
pub fn sign_in_link(links: &Links, user: &str, now: Timestamp) -> Result<String> {
    links.issue_sign_in(&format!("{SESSION}{user}"), now)
}

/// Finds the server that runs on this machine for a data folder. A killed server leaves its file, but not its lock; its
/// pid may belong to another process by now.
pub fn find(home: &Home) -> Option<Server> {
    find_at(&file_of(home))
}

/// Finds it, and makes sure that it still accepts connections. A killed server releases its port before its lock, so a
/// command at that moment would find a server that no longer listens.
pub fn find_listening(home: &Home) -> Option<Server> {
    find_between(home, || std::thread::sleep(Duration::from_millis(10)))
}

fn find_between(home: &Home, mut pause: impl FnMut()) -> Option<Server> {
    const LOOKS: u32 = 100;
    for _ in 0..LOOKS {
        let server = find(home)?;
        if !refuses(&server.address) {
            return Some(server);
        }
        pause();
    }
    find(home)
}

/// Returns whether no process listens at an address.
fn refuses(url: &str) -> bool {
    let authority = url.strip_prefix("http://").unwrap_or_default();
    let Ok(address) = authority.parse::<SocketAddr>() else { return false };
    let called = TcpStream::connect_timeout(&address, Duration::from_secs(1));
    called.is_err_and(|why| why.kind() == std::io::ErrorKind::ConnectionRefused)
}

/// Returns the file in which the server of a data folder publishes its address.
pub fn file_of(home: &Home) -> PathBuf {
    home.path().join("server.json")
}

/// Finds the server that wrote such a file, if it still runs.
pub fn find_at(path: &Path) -> Option<Server> {
    let file = open_private(path)?;
    let left_behind = rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared).is_ok();
    if left_behind { None } else { read_server(&file) }
}

/// Returns the local token if the address is that of the server running here; it is sent nowhere else.
pub fn token_for(home: &Home, url: &str) -> Option<Secret> {
    let server = find(home)?;
    let same = origin(url).is_some() && origin(url) == origin(&server.address);
    same.then(|| read_secret(&home.path().join("local.token"))).flatten()
}

/// Returns scheme, host and port; none if two parsers could disagree about the host.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let fits = matches!(scheme, "http" | "https") && !authority.is_empty() && authority.chars().all(plain);
    fits.then(|| format!("{scheme}://{}", authority.to_ascii_lowercase()))
}

fn read_server(file: &File) -> Option<Server> {
    serde_json::from_str(&text(file)?).ok()
}

/// Reads a file that only its owner can have read or written.
pub(super) fn read_private(path: &Path) -> Option<String> {
    text(&open_private(path)?)
}

fn read_secret(path: &Path) -> Option<Secret> {
    Secret::read(text(&open_private(path)?)?.trim())
}

fn text(file: &File) -> Option<String> {
    let mut text = String::new();
    file.take(LIMIT).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Opens a file that only its owner can have read or written; none otherwise.
fn open_private(path: &Path) -> Option<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok()?;
    let user = rustix::process::geteuid().as_raw();
    if !about.is_file() || about.mode() & 0o077 != 0 || (about.uid() != user && user != 0) {
        return None;
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_was_killed_is_not_found_while_its_lock_goes() {
        let folder = tempfile::TempDir::new().unwrap();
        let home = Home::at(folder.path());
        // A port at which no process listens any more.
        let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let store = Identity { id: "store-1".into(), place: "/there".into() };
        let mut server = Some(publish(&home, &format!("http://{gone}"), &store).unwrap());
        assert!(find(&home).is_some());
        assert_eq!(find_between(&home, || drop(server.take())), None);
        // A server that listens is found at once.
        let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listening.local_addr().unwrap());
        let _server = publish(&home, &address, &store).unwrap();
        let found = find_between(&home, || panic!("it listens")).unwrap();
        assert_eq!(found.address, address);
    }
}
