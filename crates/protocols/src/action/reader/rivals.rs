//! A second value for a field: where a word corrects the first, the last one counts; else both are asked.

use std::ops::Range;

use holdpoint_core::Kind;
use serde_json::Value;

use super::super::form::ends;
use super::{CORRECTS, End, Found, Guard, Mark, Rule, Scan};

impl Scan<'_> {
    /// Leaves open what another value speaks against that no field took: `80 or 95`.
    pub(super) fn weigh(&mut self) {
        for (field, at) in self.placed.clone() {
            let rivals: Vec<Found> =
                self.found.iter().filter(|one| self.is_rival(field, &at, one)).cloned().collect();
            for one in &rivals {
                let values = self.fit(field, one, Rule::Named).and_then(Result::ok).unwrap_or_default();
                let (id, doubted) = (self.field(field).id.clone(), self.guard(&one.at).is_some());
                self.found.retain(|found| found.at != one.at);
                let unsure = self.reading.unsure.iter().position(|unsure| unsure.field == id);
                let taken = self.reading.taken.iter().position(|taken| taken.field == id);
                match (taken, unsure) {
                    (Some(taken), _) if values.len() == 1 && self.slips(&at, one) && !doubted => {
                        let words = self.message.words(&(at.start..one.at.end)).to_owned();
                        let taken = &mut self.reading.taken[taken];
                        (taken.value, taken.words) = (values[0].clone(), words);
                    }
                    // `nginx yes, squid no, postgres yes`
                    (Some(taken), _)
                        if self.field(field).kind == Kind::Choices && self.message.is(at.end, "yes") =>
                    {
                        let taken = &mut self.reading.taken[taken].value;
                        let all = [&*taken].into_iter().chain(&values).filter_map(Value::as_array).flatten();
                        *taken = all.cloned().collect();
                    }
                    (Some(taken), _) => {
                        let taken = self.reading.taken.remove(taken);
                        let values = [vec![taken.value], values].concat();
                        self.ask(field, values, &taken.words, "more than one is said");
                    }
                    // `between 2 and 4 boxes` is asked with both.
                    (None, Some(unsure)) => {
                        let unsure = &mut self.reading.unsure[unsure];
                        let new = values
                            .into_iter()
                            .filter(|value| !unsure.values.contains(value))
                            .collect::<Vec<_>>();
                        unsure.values.extend(new);
                    }
                    (None, None) => {}
                }
            }
        }
    }

    /// Returns whether a word between a value and another takes the first back: `45, sorry, 50`.
    fn slips(&self, at: &Range<usize>, last: &Found) -> bool {
        let corrects = |at: usize| self.message.is(at, CORRECTS) && !self.message.is(at + 1, "of than");
        let own = |at: usize| at > 0 && self.is_form(at - 1);
        let makes = |at: usize| {
            self.message.is(at, "no make") && !own(at) && self.message.is(at + 1, ", that it make")
        };
        (at.end..last.at.start).any(|at| corrects(at) || makes(at))
    }

    /// Returns whether a value that no field took speaks against one; `5 dogs` and the other end of a span do not.
    fn is_rival(&self, field: usize, at: &Range<usize>, one: &Found) -> bool {
        let (message, next, known) = (self.message, one.at.end, self.field(field));
        let (first, last) = (ends(known, false), ends(known, true));
        let end = one.end.is_some_and(|end| if end == End::Last { first || !last } else { last && !first });
        let other = one.is_count() && (self.is_unknown(field, next) || message.is(next, "of"));
        let speaks = |mark: &Mark| matches!(mark.guard, Guard::Hedge | Guard::Condition);
        let blocked = self.guard(&one.at).is_some_and(|mark| !speaks(mark));
        let had = [self.reading.value(&known.id), self.question.known.get(&known.id)];
        let new = |values: Vec<_>| values.iter().all(|value| !had.contains(&Some(value)));
        // `4 and 6 years old`
        let beside = one.is_number() && message.is(at.end, "and or to - –") && one.at.start == at.end + 1;
        let fits = self.fit(field, one, Rule::Named).map_or(beside, |fit| fit.map_or(beside, new));
        // `4 instead of 2`
        let replaced = message.follows(one.at.start, "of than")
            && one.at.start > 1
            && message.is(one.at.start - 2, "instead rather");
        fits && !replaced && !end && !other && !blocked && !message.is(one.at.start, "one")
    }
}
