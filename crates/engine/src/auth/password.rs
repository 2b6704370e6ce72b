//! Passwords: hashed slowly, on a few threads of their own.

use std::cell::RefCell;
use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use argon2::password_hash::{Output, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use holdpoint_core::{PasswordHash, Refusal};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::secret::random;
use crate::error::{Error, Result};

/// The fewest characters a password may have.
pub const MIN_LENGTH: usize = 10;
/// The most bytes that are hashed; more would only keep the processor busy.
const MAX_BYTES: usize = 1024;

/// So many are hashed at once, also if those who asked are gone: each takes 19 MiB.
const THREADS: usize = 4;
/// So many wait for their turn.
const QUEUE: usize = 256;

/// A password on its way in. It is shown nowhere; as JSON it is a string, for the wire to a server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// Takes what someone typed.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    fn check(&self) -> Result<()> {
        let length = self.0.chars().count();
        if length < MIN_LENGTH {
            return Err(
                Refusal::invalid("password", format!("must have at least {MIN_LENGTH} characters")).into()
            );
        }
        if self.0.len() > MAX_BYTES {
            return Err(Refusal::invalid("password", format!("must have at most {MAX_BYTES} bytes")).into());
        }
        Ok(())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Checks that a password is long enough and hashes it.
pub(super) async fn hash(password: Password) -> Result<PasswordHash> {
    password.check()?;
    blocking(move || hash_now(&password)).await?
}

/// Returns whether a password is the right one. Without a hash it takes as long and says no, so that the time it
/// takes does not tell who is known.
pub(super) async fn verify(password: Password, hash: Option<PasswordHash>) -> Result<bool> {
    if password.0.len() > MAX_BYTES {
        return Ok(false);
    }
    blocking(move || {
        // Made before anyone's password is looked at, so that the first who is unknown does not wait longer.
        let stand_in = stand_in();
        let right = matches(&password, hash.as_ref().map_or(stand_in, PasswordHash::reveal));
        right && hash.is_some()
    })
    .await
}

fn hash_now(password: &Password) -> Result<PasswordHash> {
    let failed =
        |why: argon2::password_hash::Error| Error::Settings(format!("the password cannot be hashed: {why}"));
    let (hasher, bytes) = (hasher(Params::default()), random::<16>()?);
    let salt = SaltString::encode_b64(&bytes).map_err(failed)?;
    let output = derive(&hasher, password, &bytes, Params::DEFAULT_OUTPUT_LEN).map_err(failed)?;
    let hash = argon2::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: hasher.params().try_into().map_err(failed)?,
        salt: Some(salt.as_salt()),
        hash: Some(output),
    };
    Ok(PasswordHash::new(hash.to_string()))
}

fn matches(password: &Password, hash: &str) -> bool {
    let Ok(hash) = argon2::PasswordHash::new(hash) else { return false };
    let (Some(salt), Some(expected), Ok(params)) = (hash.salt, hash.hash, Params::try_from(&hash)) else {
        return false;
    };
    let mut bytes = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut bytes);
    // Outputs are compared in constant time.
    salt.and_then(|salt| derive(&hasher(params), password, salt, expected.len()))
        .is_ok_and(|output| output == expected)
}

thread_local! {
    /// The memory of a thread, allocated once: what is allocated per password stays with the allocator many times over.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

fn derive(
    hasher: &Argon2<'_>,
    password: &Password,
    salt: &[u8],
    length: usize,
) -> argon2::password_hash::Result<Output> {
    MEMORY.with_borrow_mut(|memory| {
        let blocks = hasher.params().block_count();
        memory.resize(blocks.max(memory.len()), Block::default());
        Output::init_with(length, |out| {
            Ok(hasher.hash_password_into_with_memory(password.0.as_bytes(), salt, out, &mut memory[..])?)
        })
    })
}

/// Argon2id with 19 MiB and two passes, as OWASP advises where sign-ins share a machine with other work.
fn hasher(params: Params) -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash that an unknown person's password is compared with.
fn stand_in() -> &'static str {
    static STAND_IN: OnceLock<String> = OnceLock::new();
    STAND_IN.get_or_init(|| {
        let hash = hash_now(&Password::new("nobody has this password"));
        hash.map(|hash| hash.reveal().to_owned()).unwrap_or_default()
    })
}

/// What a thread of the pool does.
type Work = Box<dyn FnOnce() + Send>;

/// Has something done by a thread of the pool.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let busy =
        || holdpoint_store::Error::Unavailable("too many passwords are being checked; try again".into());
    let (reply, done) = oneshot::channel();
    let work = move || {
        // Nobody waits for what the caller has given up.
        if !reply.is_closed() {
            let _ = reply.send(work());
        }
    };
    pool().try_send(Box::new(work)).map_err(|_| busy())?;
    done.await.map_err(|_| busy().into())
}

fn pool() -> &'static SyncSender<Work> {
    static POOL: OnceLock<SyncSender<Work>> = OnceLock::new();
    POOL.get_or_init(|| {
        let (sender, queue) = sync_channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for _ in 0..cores.min(THREADS) {
            let queue = Arc::clone(&queue);
            let thread = std::thread::Builder::new().name("hold-password".into());
            if let Err(why) = thread.spawn(move || run(&queue)) {
                tracing::error!("No thread to check passwords on: {why}");
            }
        }
        sender
    })
}

fn run(queue: &Mutex<Receiver<Work>>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(work) => work(),
            Err(_) => return,
        }
    }
}
