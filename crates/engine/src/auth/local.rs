//! How programs on this machine find its server and come in without configuration.
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
use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::Caller;
use super::link::Links;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::home::Home;

/// How a session that was begun from this machine is told from a person's.
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
}

/// What a running server published; it takes `server.json` back when it is dropped.
#[derive(Debug)]
pub struct Published {
    token: SecretHash,
    server: Server,
    path: PathBuf,
    /// Locked as long as the server lives, however it ends: its own file, by which it is found, and the folder's, which
    /// only one server can have.
    _alive: [File; 2],
}

/// Writes `local.token`, which stays from one start to the next, and `server.json`. Refuses if another server has the folder:
/// commands would find whichever came last, and nobody once that ends.
pub fn publish(home: &Home, address: &str) -> Result<Published> {
    let only = claim(home)?;
    let path = home.path().join("local.token");
    let token = match read_secret(&path) {
        Some(token) => token,
        None => make_token(&path)?,
    };
    let server = Server { address: address.trim_end_matches('/').to_owned(), pid: std::process::id() };
    let path = file_of(home);
    let text = serde_json::to_vec(&server).map_err(|why| Error::Settings(format!("server.json: {why}")))?;
    Home::write_private(&path, &text)?;
    let locked = File::open(&path).and_then(|file| {
        rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
        Ok(file)
    });
    let alive = locked.map_err(Error::io("cannot lock server.json"))?;
    Ok(Published { token: token.hash(), server, path, _alive: [alive, only] })
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

impl Published {
    /// Returns who it is if a secret with a hash is the local token; how long that takes says nothing.
    pub fn authenticate(&self, presented: &SecretHash, by: &str, via: &str) -> Option<Caller> {
        let same: bool = presented.0.ct_eq(&self.token.0).into();
        same.then(|| Caller::local(by, via))
    }

    /// Returns what was published.
    pub fn server(&self) -> &Server {
        &self.server
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        // The folder may have been replaced meanwhile, with another server's file in it; that stays.
        if open_private(&self.path).and_then(|file| read_server(&file)).as_ref() == Some(&self.server) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Makes a one-time link that signs in the browser of the person at this machine.
pub fn sign_in_link(links: &Links, user: &str, now: Timestamp) -> Result<String> {
    links.issue_sign_in(&format!("{SESSION}{user}"), now)
}

/// Finds the server that runs on this machine for a data folder. One that was killed leaves its file, but not its lock;
/// its number may be another process's by now.
pub fn find(home: &Home) -> Option<Server> {
    find_at(&file_of(home))
}

/// Finds it, and makes sure that it still takes calls. One that was killed gives its port back before its lock, and a command
/// that comes in between would find nobody where there was somebody a moment ago.
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

/// Returns whether nobody listens at an address.
fn refuses(url: &str) -> bool {
    let authority = url.strip_prefix("http://").unwrap_or_default();
    let Ok(address) = authority.parse::<SocketAddr>() else { return false };
    let called = TcpStream::connect_timeout(&address, Duration::from_secs(1));
    called.is_err_and(|why| why.kind() == std::io::ErrorKind::ConnectionRefused)
}

/// Returns the file in which the server of a data folder says where it listens.
pub fn file_of(home: &Home) -> PathBuf {
    home.path().join("server.json")
}

/// Finds the server that has written such a file, and still runs.
pub fn find_at(path: &Path) -> Option<Server> {
    let file = open_private(path)?;
    let left_behind = rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared).is_ok();
    if left_behind { None } else { read_server(&file) }
}

/// Returns the local token if an address is that of the server that runs here; it is sent nowhere else.
pub fn token_for(home: &Home, url: &str) -> Option<Secret> {
    let server = find(home)?;
    let same = origin(url).is_some() && origin(url) == origin(&server.address);
    same.then(|| read_secret(&home.path().join("local.token"))).flatten()
}

/// Returns scheme, host and port; nothing if there is anything that two readers could take for different hosts.
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

/// Reads a file that nobody but its owner can have written or read.
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

/// Opens a file that nobody but its owner can have written or read; nothing otherwise.
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
        // A port that nobody listens at any more.
        let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut server = Some(publish(&home, &format!("http://{gone}")).unwrap());
        assert!(find(&home).is_some());
        assert_eq!(find_between(&home, || drop(server.take())), None);
        // One that listens is found at once.
        let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listening.local_addr().unwrap());
        let _server = publish(&home, &address).unwrap();
        let found = find_between(&home, || panic!("it listens")).unwrap();
        assert_eq!(found.address, address);
    }
}
