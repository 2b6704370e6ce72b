//! Tests of the drivers.

// Marked as tests so that their helpers may unwrap, too.
#[cfg(test)]
mod bench;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod files;
#[cfg(test)]
mod migrations;
#[cfg(test)]
mod points;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod transfer;
#[cfg(test)]
mod versions;
