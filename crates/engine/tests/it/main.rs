//! Tests of the engine through its own doors.

// Marked as tests so that their helpers may unwrap, too.
#[cfg(test)]
mod agents;
#[cfg(test)]
mod git;
#[cfg(test)]
mod late_token;
#[cfg(test)]
mod left;
#[cfg(test)]
mod links;
#[cfg(test)]
mod local;
#[cfg(test)]
mod people;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod run_list;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod waiting;
#[cfg(test)]
mod workshop;
