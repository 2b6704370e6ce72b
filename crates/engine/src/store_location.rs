//! The location of a store, as given in `HOLD_STORE` and on the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "postgres")]
use holdpoint_store::postgres;
use holdpoint_store::{Options, Store, sqlite};

use crate::error::{Error, Result};
use crate::home::Home;

/// The location of a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreLocation {
    /// In one file.
    Sqlite(PathBuf),
    /// In a PostgreSQL database.
    #[cfg(feature = "postgres")]
    Postgres(Box<postgres::Address>),
}

impl StoreLocation {
    /// Returns the given location, or the default one of a data folder.
    pub fn of(home: &Home, named: Option<&str>) -> Result<Self> {
        match named {
            None | Some("") => Ok(Self::Sqlite(home.store())),
            Some(named) => Self::parse(named).map_err(|why| Error::Settings(format!("HOLD_STORE {why}"))),
        }
    }

    /// Parses `sqlite:PATH` or `postgres://…`; an error never contains a secret.
    pub fn parse(named: &str) -> std::result::Result<Self, String> {
        if let Some(path) = named.strip_prefix("sqlite:") {
            return if path.is_empty() {
                Err("names no file; use sqlite:PATH".into())
            } else {
                Ok(Self::Sqlite(path.into()))
            };
        }
        let scheme = named.split("://").next().unwrap_or_default();
        match scheme {
            #[cfg(feature = "postgres")]
            "postgres" | "postgresql" if scheme != named => {
                let address = postgres::Address::parse(named).map_err(|why| format!("is refused: {why}"))?;
                Ok(Self::Postgres(Box::new(address)))
            }
            #[cfg(not(feature = "postgres"))]
            "postgres" | "postgresql" if scheme != named => {
                Err("names a PostgreSQL database, but this program was built without the driver for it"
                    .into())
            }
            // A path contains no secret, and is the most likely meaning.
            _ if named.starts_with(['/', '.']) => Err(format!("names a file; write sqlite:{named}")),
            _ => Err(format!(
                "{:?} is not known; use sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
                // Anything without a scheme may contain a password.
                if scheme == named { "" } else { scheme }
            )),
        }
    }

    /// Returns the schema version that a store in a file has before it is opened, and the one after.
    pub fn schema(&self) -> Option<(i64, i64)> {
        match self {
            Self::Sqlite(path) => Some((sqlite::schema_of(path)?, sqlite::known_schema())),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }

    /// Returns the file that would have to be created, if there is none.
    pub fn missing(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(path) => Some(path.as_path()).filter(|path| !path.exists()),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }

    /// Opens the store.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "only a database is waited for")
    )]
    pub async fn open(&self, options: Options) -> Result<Arc<dyn Store>> {
        Ok(match self {
            Self::Sqlite(path) => Arc::new(sqlite::open(path, options)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(address) => Arc::new(postgres::open((**address).clone(), options).await?),
        })
    }
}
