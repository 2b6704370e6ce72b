//! The option that guidance alone means, if one fits.

use super::{Decision, Source};
use crate::Opt;
use crate::field::{Effect as Act, Field, picking};
use crate::json::Values;

/// Returns the option that guidance means, if one fits: its field and its id.
pub fn fitting_option(decision: &Decision) -> Option<(String, String)> {
    fitting(decision).map(|(field, option)| (field.id.clone(), option.id.clone()))
}

/// Returns the values that pick the option that guidance means, if one fits.
pub(super) fn fitting_values(decision: &Decision) -> Option<Values> {
    fitting(decision)
        .map(|(field, option)| Values::from_iter([(field.id.clone(), picking(field, &option.id))]))
}

/// Finds the option by its id, else by its effect; for an approval or a plan it is the only option that refuses.
fn fitting(decision: &Decision) -> Option<(&Field, &Opt)> {
    let (id, effects) = match decision.source {
        Source::Plan => ("revise", [Act::Revise, Act::Deny]),
        Source::Verdict | Source::Dead | Source::Error | Source::Gate => {
            ("retry", [Act::Retry, Act::Restart])
        }
        Source::Idle => ("nudge", [Act::Resume, Act::Resume]),
        Source::Approval => ("deny", [Act::Deny, Act::Deny]),
        Source::Question | Source::Form | Source::Request => return None,
    };
    let fields = decision.fields.iter();
    let options: Vec<_> =
        fields.flat_map(|field| field.options.iter().map(move |option| (field, option))).collect();
    let by_id = options.iter().find(|(_, option)| option.id == id);
    let by_effect =
        || options.iter().find(|(_, option)| option.effect.is_some_and(|act| effects.contains(&act)));
    let only_no = || {
        let mut refusing = options.iter().filter(|(_, option)| option.refuses);
        let only = refusing.next().filter(|_| matches!(decision.source, Source::Approval | Source::Plan));
        only.filter(|_| refusing.next().is_none())
    };
    by_id.or_else(by_effect).or_else(only_no).copied()
}
