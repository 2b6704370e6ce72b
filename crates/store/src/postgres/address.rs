//! The address of a PostgreSQL store, as given in `HOLD_STORE`. The password leaves this file only on its way to the
//! server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use super::tls::ServerTrust;
use crate::Error;

/// The schema of a store, unless the address names another.
const SCHEMA: &str = "holdpoint";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A peer that disappeared is detected within about this time.
const SILENCE: Duration = Duration::from_secs(20);

/// The address of a store, and how to connect to it.
#[derive(Clone)]
pub struct Address {
    pub(super) config: Config,
    pub(super) trust: ServerTrust,
    pub(super) schema: String,
    pub(super) statements: Statements,
    pub(super) clock: Clock,
}

/// Whether prepared statements may be kept on a connection by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statements {
    /// They may be kept.
    Named,
    /// They may not: a pooler uses another connection for every transaction and loses the names.
    Unnamed,
}

/// The clock that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The database's, the same for all nodes.
    Database,
    /// The caller's: for tests that set the clock.
    Caller,
}

impl Address {
    /// Reads `postgres://user:password@host:port/database?sslmode=…&sslrootcert=…&schema=…&prepared_statements=…`.
    pub fn parse(url: &str) -> Result<Self, Error> {
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let mut trust = ServerTrust::Any;
        let mut ssl = None;
        let mut roots = None;
        let mut schema = SCHEMA.to_owned();
        let mut statements = Statements::Named;
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (name, value) {
                ("sslmode", "disable") => ssl = Some(SslMode::Disable),
                ("sslmode", "prefer") => ssl = Some(SslMode::Prefer),
                ("sslmode", "require") => ssl = Some(SslMode::Require),
                ("sslmode", "verify-full") => {
                    ssl = Some(SslMode::Require);
                    trust = ServerTrust::System;
                }
                ("sslmode", _) => {
                    return Err(wrong(
                        "its sslmode is not known; use disable, prefer, require or verify-full",
                    ));
                }
                ("sslrootcert", "system") => {}
                ("sslrootcert", file) => roots = Some(PathBuf::from(decoded(file)?)),
                ("schema", name) => schema = checked(name)?,
                ("prepared_statements", "on") => statements = Statements::Named,
                ("prepared_statements", "off") => statements = Statements::Unnamed,
                ("prepared_statements", _) => return Err(wrong("prepared_statements is either on or off")),
                // This may be the rest of a password that contains a question mark, so it must not be shown.
                (name, _) if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') => {
                    return Err(wrong("it has a ? that is not followed by name=value"));
                }
                _ => rest.push(pair),
            }
        }
        if let Some(file) = roots {
            // Naming the roots means that they are checked, as in other clients.
            trust = ServerTrust::File(file);
            ssl = Some(SslMode::Require);
        }
        let plain = format!("{place}{}{}", if rest.is_empty() { "" } else { "?" }, rest.join("&"));
        let mut config = Config::from_str(&plain).map_err(|error| {
            // The message names an option at most, and options were checked above.
            let why = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            wrong(&format!("{why}; use postgres://USER:PASSWORD@HOST:PORT/DATABASE, other characters as %XX"))
        })?;
        config.ssl_mode(ssl.unwrap_or(SslMode::Prefer));
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        config.keepalives_idle(SILENCE).keepalives_interval(SILENCE / 4).keepalives_retries(3);
        if config.get_application_name().is_none() {
            config.application_name("holdpoint");
        }
        Ok(Self { config, trust, schema, statements, clock: Clock::Database })
    }

    /// Returns the same address with another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Returns the time to bind to a statement: none if the database uses its own.
    pub(super) fn time(&self, caller: holdpoint_core::Timestamp) -> Option<i64> {
        match self.clock {
            Clock::Database => None,
            Clock::Caller => Some(caller.as_millis()),
        }
    }

    /// Returns the location of the store, without user and connection options.
    pub(super) fn identity(&self) -> String {
        let (hosts, ports) = (self.config.get_hosts(), self.config.get_ports());
        let database = self.config.get_dbname().unwrap_or_default();
        format!("postgres {hosts:?} {ports:?} {database} {}", self.schema)
    }

    /// Returns the channel that commits are announced on.
    pub(super) fn channel(&self) -> String {
        format!("holdpoint/{}", self.schema)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address")
            .field("hosts", &self.config.get_hosts())
            .field("database", &self.config.get_dbname())
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

fn wrong(why: &str) -> Error {
    Error::Unsuitable(format!("the address of the store cannot be read: {why}"))
}

/// Checks a schema name. It becomes part of statements, so only plain names are accepted.
fn checked(name: &str) -> Result<String, Error> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if starts && name.len() <= 40 && name.bytes().all(plain) && !name.starts_with("pg_") {
        Ok(name.to_owned())
    } else {
        Err(wrong("a schema is named by up to 40 lower-case letters, digits and _"))
    }
}

fn decoded(value: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(byte.ok_or_else(|| wrong("a % is not followed by two hex digits"))?);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not in Unicode"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_ours_are_taken_out() {
        let url = "postgres://me:s3cret@db.example:5433/hold?schema=web_2&prepared_statements=off&sslmode=verify-full\
                   &target_session_attrs=read-write";
        let address = Address::parse(url).unwrap();
        assert_eq!((address.schema.as_str(), address.statements), ("web_2", Statements::Unnamed));
        assert_eq!(
            (address.trust.clone(), address.config.get_ssl_mode()),
            (ServerTrust::System, SslMode::Require)
        );
        assert_eq!(address.config.get_ports(), [5433]);
        assert!(!format!("{address:?}").contains("s3cret"));
        let rooted = Address::parse("postgres:///hold?sslrootcert=/etc/a%20b.pem&host=/run").unwrap();
        assert_eq!(rooted.trust, ServerTrust::File("/etc/a b.pem".into()));
    }

    #[test]
    fn no_refusal_shows_the_password() {
        for url in [
            "postgres://me:s3cret@db:port/hold",
            "postgres://me:s3?cret@db/hold",
            "postgres://me:s3cret@db/hold?sslmode=verify",
            "postgres://me:s3cret@db/hold?schema=A",
            "postgres://me:s3cret@db/hold?nonsense=1",
            "postgres://me:s3%cret@db/hold",
            "postgres://me:s3cret",
        ] {
            match Address::parse(url) {
                Ok(address) => assert!(!format!("{address:?}").contains("cret"), "{url}: {address:?}"),
                Err(error) => assert!(!error.to_string().contains("cret"), "{url}: {error}"),
            }
        }
    }
}
