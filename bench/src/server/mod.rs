//! The real server over loopback, with durable commits, compared with hand-written Redis and with the limits of its
//! components.

pub(crate) mod browse;
pub(crate) mod channels;
pub(crate) mod chats;
mod cycles;
mod inbox;
mod latency;
pub(crate) mod page;
mod peer;
pub(crate) mod runs;
pub(crate) mod start;
mod waiters;
pub(crate) mod wire;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::process::Setup;
use crate::table::Row;
use crate::{Extent, Result, say};

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    raise_limit()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let hold = start::Hold::start(setup, &setup.home("server")).await?;
        let echo = start::echo(setup)?;
        let redis = start::redis(setup).await?;
        if redis.is_none() {
            say("Skipped: Redis, which is not installed")?;
        }
        let mut rows = latency::measure(setup, &hold, &echo, redis.as_ref(), extent).await?;
        rows.extend(cycles::measure(setup, &hold, &echo, redis.as_ref(), extent).await?);
        drop(hold);
        rows.extend(waiters::measure(setup, redis.as_ref()).await?);
        Ok(rows)
    })
}

/// Raises the limit of open connections of this process and its children to the maximum.
fn raise_limit() -> Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}
