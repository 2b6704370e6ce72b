//! Where a store is, as `HOLD_STORE` and the command line name it.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "postgres")]
use holdpoint_store::postgres;
use holdpoint_store::{Options, Store, sqlite};

use crate::error::{Error, Result};
use crate::home::Home;

/// Where a store is.
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
    /// Returns the place that is named, or the one that belongs to a data folder.
    pub fn of(home: &Home, named: Option<&str>) -> Result<Self> {
        match named {
            None | Some("") => Ok(Self::Sqlite(home.store())),
            Some(named) => Self::parse(named).map_err(|why| Error::Settings(format!("HOLD_STORE {why}"))),
        }
    }

    /// Reads `sqlite:PATH` or `postgres://…`; says what is wrong with it, never what is secret in it.
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
            _ => Err(format!(
                "{:?} is not known; use sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE",
                // A password may stand in whatever has no scheme.
                if scheme == named { "" } else { scheme }
            )),
        }
    }

    /// Returns the schema that a store in a file has before it is opened, and the one that opening brings it to.
    pub fn schema(&self) -> Option<(i64, i64)> {
        match self {
            Self::Sqlite(path) => Some((sqlite::schema_of(path)?, sqlite::known_schema())),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }

    /// Opens the store there.
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
