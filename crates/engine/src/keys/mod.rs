//! The key that signs checkpoints and receipts, and what it has signed. Its secret half never leaves `HOLD_HOME/keys`.

mod memory;
mod next;

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, Mac as _};
use holdpoint_store::Signer;
pub use holdpoint_store::chain::key_id;
use holdpoint_store::chain::{Hash, unhex as read_hex};
use holdpoint_store::vouch::{Identity, KeyId, Remembered};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::home::Home;

use memory::SignerMemory;
pub(crate) use next::Rotation;

/// The signing key of a data folder.
pub struct Key {
    path: PathBuf,
    keys: PathBuf,
    memory: SignerMemory,
    current: Mutex<CurrentKey>,
}

/// The key as it was last read: `hold key rotate` may replace its file at any time.
struct CurrentKey {
    secret: Arc<Secret>,
    file: FileId,
    looked: Instant,
    /// Whether no other key is trusted.
    is_alone: bool,
}

/// How long a key is used before its file is checked again. A check costs as much as a signature.
const LOOKS: Duration = Duration::from_millis(200);
/// How long it takes until every process of the data folder has seen a new key.
pub(crate) const SEEN: Duration = Duration::from_millis(600);

/// A key pair, and what is derived from it.
struct Secret {
    signing: SigningKey,
    public_key: String,
    id: String,
    short: KeyId,
    /// The MAC for batches, with its key already set.
    mac: Hmac<Sha256>,
}

type FileId = Option<(u64, i64, i64)>;

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.key())
    }
}

impl Key {
    /// Reads the key of a data folder, or makes one; if several processes make one, one wins.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        let path = home.keys().join("signing.key");
        if !path.exists() {
            let seed = random()?;
            Home::write_private_once(&path, hex(&seed).as_bytes())?;
        }
        let key = Self::load(home)?;
        let secret = key.current();
        // A process that was given only the secret half derives the public one.
        if !home.keys().join(format!("{}.pub", secret.id)).exists() {
            publish(&home.keys(), &secret.public_key)?;
        }
        Ok(key)
    }

    /// Reads the key of a data folder.
    pub fn load(home: &Home) -> Result<Self> {
        let path = home.keys().join("signing.key");
        let (file, secret) = (file_id(&path), Arc::new(read(&path)?));
        let (looked, is_alone) = (Instant::now(), is_alone(&home.keys(), &secret.public_key));
        let current = Mutex::new(CurrentKey { secret, file, looked, is_alone });
        Ok(Self { path, keys: home.keys(), memory: SignerMemory::of(home), current })
    }

    /// Lists the public keys that a data folder trusts: its own, and those stored next to it as `NAME.pub`.
    pub fn trusted(home: &Home) -> Vec<String> {
        public_keys(&home.keys())
    }

    /// Lists the ids of revoked keys known to a data folder.
    pub fn revoked(home: &Home) -> Vec<String> {
        SignerMemory::of(home).revoked()
    }

    /// Returns the last event that a data folder remembers of a store whose file no longer exists.
    pub fn last_seen_at(home: &Home, file: &Path) -> Option<i64> {
        // In the form in which the store names its place: with links resolved, which is impossible for the missing file
        // itself.
        let folder = std::path::absolute(file).ok()?.parent()?.canonicalize().ok()?;
        SignerMemory::of(home).last_seen_at(&folder.join(file.file_name()?).display().to_string())
    }

    /// Trusts another public key, in hex.
    pub fn trust(home: &Home, public_key: &str) -> Result<()> {
        publish(&home.keys(), public_key)
    }

    /// Replaces this key by another for all processes of the data folder; returns this one, which is then stored
    /// nowhere else.
    pub(crate) fn replace_by(&self, next: &Self) -> Result<Self> {
        let old = self.current();
        let seed = hex(&next.current().signing.to_bytes());
        Home::write_private(&self.path, seed.as_bytes())?;
        let mut current = self.lock();
        (current.file, current.secret) = (file_id(&self.path), next.current());
        current.is_alone = false;
        drop(current);
        Ok(self.with(Secret::new(&old.signing.to_bytes())))
    }

    /// Returns a key that is in no file.
    fn with(&self, secret: Secret) -> Self {
        let path = self.keys.join(format!("{}.none", secret.id));
        let (secret, looked) = (Arc::new(secret), Instant::now());
        let current = Mutex::new(CurrentKey { secret, file: None, looked, is_alone: false });
        Self { path, keys: self.keys.clone(), memory: self.memory.clone(), current }
    }

    /// Returns the current key.
    fn current(&self) -> Arc<Secret> {
        let mut current = self.lock();
        if current.looked.elapsed() > LOOKS {
            current.looked = Instant::now();
            current.is_alone = is_alone(&self.keys, &current.secret.public_key);
            let file = file_id(&self.path);
            if file != current.file
                && let Ok(secret) = read(&self.path)
            {
                (current.file, current.secret) = (file, Arc::new(secret));
            }
        }
        Arc::clone(&current.secret)
    }

    fn lock(&self) -> MutexGuard<'_, CurrentKey> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signer for Key {
    fn key(&self) -> String {
        self.current().id.clone()
    }

    fn public_key(&self) -> String {
        self.current().public_key.clone()
    }

    fn sign(&self, message: &[u8]) -> String {
        hex(&self.current().signing.sign(message).to_bytes())
    }

    fn seal(&self, batch: &[u8]) -> (KeyId, Hash) {
        let secret = self.current();
        (secret.short, secret.mac.clone().chain_update(batch).finalize().into_bytes().into())
    }

    fn is_alone(&self) -> bool {
        let _ = self.current();
        self.lock().is_alone
    }

    fn trusted(&self) -> Vec<String> {
        public_keys(&self.keys)
    }

    fn trust(&self, public_key: &str) -> holdpoint_store::Result<()> {
        let failed = |error: Error| holdpoint_store::Error::Unavailable(error.to_string());
        publish(&self.keys, public_key).map_err(failed)
    }

    fn remembered(&self, store: &Identity) -> holdpoint_store::Result<Option<Remembered>> {
        self.memory.get(store)
    }

    fn remember(&self, store: &Identity, remembered: &Remembered) -> holdpoint_store::Result<()> {
        self.memory.put(store, remembered)
    }
}

impl Secret {
    fn new(seed: &[u8; 32]) -> Self {
        let signing = SigningKey::from_bytes(seed);
        let public_key = hex(signing.verifying_key().as_bytes());
        let id = key_id(&public_key);
        let short = id.strip_prefix("key-").and_then(read_hex).and_then(|bytes| bytes.try_into().ok());
        // A separate key for each purpose, both derived from the one secret that is kept.
        let key = Sha256::new().chain_update(b"holdpoint batch key v1\n").chain_update(seed).finalize();
        // HMAC pads a short key with zeroes to a whole block; padding it here means that no length can be wrong.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block[..key.len()].copy_from_slice(&key);
        let mac = <Hmac<Sha256> as hmac::KeyInit>::new(&block);
        Self { signing, public_key, id, short: short.unwrap_or_default(), mac }
    }
}

fn random() -> Result<[u8; 32]> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|why| Error::Settings(format!("no randomness for a key: {why}")))?;
    Ok(seed)
}

fn read(path: &Path) -> Result<Secret> {
    let text = std::fs::read_to_string(path).map_err(Error::io(format!("cannot read {}", path.display())))?;
    let seed = unhex::<32>(text.trim())
        .ok_or_else(|| Error::Settings(format!("{} is not a signing key", path.display())))?;
    Ok(Secret::new(&seed))
}

fn publish(keys: &Path, public_key: &str) -> Result<()> {
    Home::write_private(&keys.join(format!("{}.pub", key_id(public_key))), public_key.as_bytes())
}

fn file_id(path: &Path) -> FileId {
    std::fs::metadata(path).ok().map(|file| (file.ino(), file.mtime(), file.mtime_nsec()))
}

/// Returns whether no other key is trusted in a folder.
fn is_alone(folder: &Path, own: &str) -> bool {
    public_keys(folder).iter().all(|key| key == own)
}

fn public_keys(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let read = |path: &Path| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let public = entries.flatten().map(|entry| entry.path());
    let public = public.filter(|path| path.extension().is_some_and(|extension| extension == "pub"));
    public.filter_map(|path| read(&path)).filter(|text| unhex::<32>(text).is_some()).collect()
}

/// Parses a public key that a person entered, so that a typing error is not taken for a key that signed nothing.
pub fn parse_public(text: &str) -> std::result::Result<String, String> {
    let key = unhex::<32>(text).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    key.map(|_| text.to_owned()).ok_or_else(|| "is not a public key of 64 hex digits".to_owned())
}

/// Returns whether a signature, in hex, is that of a key over a message.
pub fn verify(public_key: &str, message: &[u8], signature: &str) -> bool {
    let key = unhex::<32>(public_key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let signature = unhex::<64>(signature).map(|bytes| Signature::from_bytes(&bytes));
    match (key, signature) {
        (Some(key), Some(signature)) => key.verify_strict(message, &signature).is_ok(),
        _ => false,
    }
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let made = Key::load_or_make(&home).unwrap();
        let read = Key::load_or_make(&home).unwrap();
        assert_eq!(made.public_key(), read.public_key());
        assert_eq!(Key::trusted(&home), [made.public_key()]);
        let signature = made.sign(b"word");
        assert!(verify(&made.public_key(), b"word", &signature));
        assert!(!verify(&made.public_key(), b"other", &signature));
        assert!(!verify("zz", b"word", &signature));
        assert!(!format!("{made:?}").contains(&hex(&made.current().signing.to_bytes())));
        assert_eq!(made.seal(b"batch"), read.seal(b"batch"));
        assert_ne!(made.seal(b"batch").1, made.seal(b"other").1);
    }
}
