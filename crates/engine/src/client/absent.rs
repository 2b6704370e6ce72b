//! Parts of a client that are not compiled in. They have no methods, so every client implements them.

/// What admins do with channels: nothing without the feature `notify`.
#[cfg(not(feature = "notify"))]
pub trait Channels {}
#[cfg(not(feature = "notify"))]
impl<T: ?Sized> Channels for T {}

/// All that can be done with jobs: nothing without the feature `agents`.
#[cfg(not(feature = "agents"))]
pub trait Jobs {}
#[cfg(not(feature = "agents"))]
impl<T: ?Sized> Jobs for T {}

/// All that can be done with runs: nothing without the feature `runs`.
#[cfg(not(feature = "runs"))]
pub trait Runs {}
#[cfg(not(feature = "runs"))]
impl<T: ?Sized> Runs for T {}

/// All that can be done with threads: nothing without the feature `threads`.
#[cfg(not(feature = "threads"))]
pub trait Threads {}
#[cfg(not(feature = "threads"))]
impl<T: ?Sized> Threads for T {}
