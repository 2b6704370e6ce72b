//! Passwords: hashed slowly, on a few dedicated threads.

use std::cell::RefCell;
use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use holdpoint_core::{PasswordHash, Refusal};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use tokio::sync::oneshot;

use super::secret::random;
use crate::error::{Error, Result};

/// The fewest characters a password may have.
pub const MIN_LENGTH: usize = 10;
/// The most bytes that are hashed; more would only keep the processor busy.
const MAX_BYTES: usize = 1024;

/// The most memory, in KiB, that a stored hash may ask for.
const MOST_MEMORY: u32 = 1 << 20;

/// How many are hashed at once, even if their callers are gone: each takes 19 MiB.
const THREADS: usize = 4;
/// How many wait for their turn.
const QUEUE: usize = 256;

/// A password on its way in. It is never shown; as JSON it is a string, for the wire to a server.
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

/// Returns whether a password is correct. Without a hash it takes the same time and returns false, so that the time
/// does not reveal which people exist.
pub(super) async fn verify(password: Password, hash: Option<PasswordHash>) -> Result<bool> {
    if password.0.len() > MAX_BYTES {
        return Ok(false);
    }
    blocking(move || {
        // Computed before any password is checked, so that the first unknown person does not wait longer.
        let stand_in = stand_in();
        let right = matches(&password, hash.as_ref().map_or(stand_in, PasswordHash::reveal));
        right && hash.is_some()
    })
    .await
}

fn hash_now(password: &Password) -> Result<PasswordHash> {
    let (params, salt) = (Params::default(), random::<16>()?.to_vec());
    let output = derive(&params, password, &salt, Params::DEFAULT_OUTPUT_LEN)
        .map_err(|why| Error::Settings(format!("the password cannot be hashed: {why}")))?;
    Ok(PasswordHash::new(StoredHash { params, salt, output }.to_string()))
}

fn matches(password: &Password, hash: &str) -> bool {
    let Some(StoredHash { params, salt, output }) = StoredHash::read(hash) else { return false };
    derive(&params, password, &salt, output.len()).is_ok_and(|found| found.ct_eq(&output).into())
}

/// The stored form of a password.
struct StoredHash {
    params: Params,
    salt: Vec<u8>,
    output: Vec<u8>,
}

/// The beginning of every stored hash: the function and its version.
const FUNCTION: &str = "$argon2id$v=19$";

/// Written as a PHC string, which other programs read too: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`.
impl fmt::Display for StoredHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (memory, times, lanes) = (self.params.m_cost(), self.params.t_cost(), self.params.p_cost());
        let (salt, output) = (STANDARD_NO_PAD.encode(&self.salt), STANDARD_NO_PAD.encode(&self.output));
        write!(f, "{FUNCTION}m={memory},t={times},p={lanes}${salt}${output}")
    }
}

impl StoredHash {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix(FUNCTION)?.split('$');
        let (costs, salt, output) = (parts.next()?, parts.next()?, parts.next()?);
        let mut costs = costs.split(',');
        let mut cost = |name: &str| -> Option<u32> { costs.next()?.strip_prefix(name)?.parse().ok() };
        let (memory, times, lanes) = (cost("m=")?, cost("t=")?, cost("p=")?);
        if parts.next().is_some() || costs.next().is_some() || memory > MOST_MEMORY {
            return None;
        }
        let params = Params::new(memory, times, lanes, None).ok()?;
        let bytes = |coded: &str| STANDARD_NO_PAD.decode(coded).ok().filter(|bytes| bytes.len() <= 64);
        let (salt, output) = (bytes(salt)?, bytes(output)?);
        // An empty hash would match every password.
        (output.len() >= Params::MIN_OUTPUT_LEN).then_some(Self { params, salt, output })
    }
}

thread_local! {
    /// The memory of a thread, allocated once: with an allocation per password, the allocator would keep many times as
    /// much.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// Argon2id with 19 MiB and two passes by default, as OWASP advises where sign-ins share a machine with other work.
fn derive(params: &Params, password: &Password, salt: &[u8], length: usize) -> argon2::Result<Vec<u8>> {
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let mut output = vec![0; length];
    MEMORY.with_borrow_mut(|memory| {
        memory.resize(params.block_count().max(memory.len()), Block::default());
        hasher.hash_password_into_with_memory(password.0.as_bytes(), salt, &mut output, &mut memory[..])
    })?;
    Ok(output)
}

/// The hash that an unknown person's password is compared with.
fn stand_in() -> &'static str {
    static STAND_IN: OnceLock<String> = OnceLock::new();
    STAND_IN.get_or_init(|| {
        let hash = hash_now(&Password::new("nobody has this password"));
        hash.map(|hash| hash.reveal().to_owned()).unwrap_or_default()
    })
}

/// A job for a thread of the pool.
type HashJob = Box<dyn FnOnce() + Send>;

/// Runs something on a thread of the pool.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let busy =
        || holdpoint_store::Error::Unavailable("too many passwords are being checked; try again".into());
    let (reply, done) = oneshot::channel();
    let work = move || {
        // The caller has given up, so the result is not needed.
        if !reply.is_closed() {
            let _ = reply.send(work());
        }
    };
    pool().try_send(Box::new(work)).map_err(|_| busy())?;
    done.await.map_err(|_| busy().into())
}

fn pool() -> &'static SyncSender<HashJob> {
    static POOL: OnceLock<SyncSender<HashJob>> = OnceLock::new();
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

fn run(queue: &Mutex<Receiver<HashJob>>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(work) => work(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_by_others_and_of_old() {
        // Made by the reference implementation: echo -n password | argon2 somesalt -id -v 13 -m 16 -t 2 -p 1
        let kept = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assert!(matches(&Password::new("password"), kept));
        assert!(!matches(&Password::new("passwore"), kept));
        let own = hash_now(&Password::new("correct horse")).unwrap();
        assert!(own.reveal().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", own.reveal());
        assert_eq!(StoredHash::read(own.reveal()).unwrap().to_string(), own.reveal());
        assert!(matches(&Password::new("correct horse"), own.reveal()));
    }

    #[test]
    fn what_is_no_hash_fits_nothing() {
        for kept in [
            "",
            "$",
            "password",
            "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=4294967295,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=0,t=0,p=0$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$t=2,m=65536,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=64,t=2,p=1,x=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$",
            "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$AAA",
            "$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ",
            "$argon2id$v=19$m=64,t=2,p=1$$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            "$argon2id$v=19$m=64,t=2,p=1$!!$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc$",
        ] {
            assert!(
                !matches(&Password::new(""), kept) && !matches(&Password::new("password"), kept),
                "{kept}"
            );
        }
    }
}
