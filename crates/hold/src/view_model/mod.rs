//! What a person is shown of a decision and what they fill in, in every interface: wording, rank, rounds, and how the
//! controls of a form are read. Nothing here draws: the web inbox and the terminal inbox do that, each in its own
//! way.

pub(crate) mod answered_via;
pub(crate) mod avatar;
pub(crate) mod bulk_answer;
pub(crate) mod change;
pub(crate) mod compare;
pub(crate) mod deadline;
pub(crate) mod decision_point;
pub(crate) mod details;
pub(crate) mod diff;
pub(crate) mod form_values;
pub(crate) mod guide;
pub(crate) mod identical;
pub(crate) mod insights;
pub(crate) mod leftovers;
pub(crate) mod meanwhile;
pub(crate) mod option_effect;
pub(crate) mod owners;
pub(crate) mod private;
pub(crate) mod products;
pub(crate) mod rank;
pub(crate) mod read_before_consent;
pub(crate) mod read_form;
pub(crate) mod recent_answer;
pub(crate) mod remarks;
pub(crate) mod rounds;
pub(crate) mod run;
pub(crate) mod settled;
pub(crate) mod span;
pub(crate) mod submitted_answer;
pub(crate) mod syntax;
pub(crate) mod verdict_commit;
pub(crate) mod vote_progress;
pub(crate) mod wants;
pub(crate) mod warnings;
pub(crate) mod wording;
pub(crate) mod wrap;
