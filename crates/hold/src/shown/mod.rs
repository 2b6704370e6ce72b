//! What a person is shown of a decision and what they fill in, in every interface: wording, rank, rounds, and how the
//! controls of a form are read. Nothing here draws: the web inbox and the terminal inbox do that, each in its own
//! way.

pub(crate) mod again;
pub(crate) mod change;
pub(crate) mod compare;
pub(crate) mod deadline;
pub(crate) mod details;
pub(crate) mod diff;
pub(crate) mod face;
pub(crate) mod filled;
pub(crate) mod guide;
pub(crate) mod insights;
pub(crate) mod landed;
pub(crate) mod left;
pub(crate) mod many;
pub(crate) mod meanwhile;
pub(crate) mod option_effect;
pub(crate) mod owners;
pub(crate) mod people;
pub(crate) mod point;
pub(crate) mod private;
pub(crate) mod products;
pub(crate) mod rank;
pub(crate) mod read;
pub(crate) mod reading;
pub(crate) mod remarks;
pub(crate) mod rounds;
pub(crate) mod run;
pub(crate) mod same;
pub(crate) mod settled;
pub(crate) mod span;
pub(crate) mod syntax;
pub(crate) mod through;
pub(crate) mod verb;
pub(crate) mod wants;
pub(crate) mod warnings;
pub(crate) mod words;
pub(crate) mod wrap;
