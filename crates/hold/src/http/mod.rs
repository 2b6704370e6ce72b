//! What every request to the server needs, whether it is for a program (`api/`) or for a page (`web/`): identifying
//! the caller, reading the request, answering it, and limiting its cost.

pub(crate) mod app;
pub(crate) mod attempts;
pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod client_address;
pub(crate) mod held_requests;
pub(crate) mod hosts;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod metrics;
pub(crate) mod mode;
pub(crate) mod path;
pub(crate) mod problem;
pub(crate) mod query;
pub(crate) mod reply;
pub(crate) mod tail;
