//! The one test that a value in words must pass: every word around it is the form's, part of a value, or says nothing by itself.
//! Any other word may change it (`about 3`, `3 per head`), and so may a second value (`3 to 5`): then it is asked and not taken.

use std::ops::Range;

use holdpoint_core::text::quote;
use serde_json::Value;

use super::{CORRECTS, Found, OPENING, Rule, Scan, Taken, Token, Unsure, What, time_unit};

/// Words that say nothing about a value beside them: small words, wishes, politeness, and signs.
pub(super) const FILLERS: &str = "\
    a an the my our your this these i we you he she they it i'm we're i'd we'd i'll we'll it's he's she's me us his her him them their its mine ours that that's there there's is are \
    am be will would shall should must like want wants need needs prefer has have having please thanks thank hi hello hey dear and also for on in at to from with \
    by of as until till through so because then go going goes give take takes make set change let's book order rent buy hire get choose pick request add include \
    including plus start starting starts begin begins beginning end ends ending last lasts here total altogether exactly sharp ok okay yes sure fine good \
    great perfect best works suits enough well oh one ones planned scheduled due needed now both today tonight morning afternoon evening night o'clock which who \
    come coming bring see stay staying run runs use old only just interested arrive arriving leave leaving back , : = ( ) & . ! ; $ € £ - – # \n";

impl Scan<'_> {
    /// Returns what may change a value of a field: the first word of a range that is not accounted for.
    pub(super) fn strange(&self, field: usize, mut range: Range<usize>) -> Option<String> {
        let (message, said, asked) = (self.message, &self.names.said, self.is_asked(field));
        let changes = self.corrects && (asked || self.question.known.contains_key(&self.field(field).id));
        let known = |at: usize| {
            let done = |next: &Token| said[field].means(next) || said.iter().any(|said| said.reports);
            let been = message.is(at, "was were") && message.tokens.get(at + 1).is_some_and(done);
            // `by 3 May` is a limit (`by bus` none), a total no price per head, `20% of it` neither; `the truck instead of the van` swaps.
            let limit = message.is(at, "by") && self.names.covered.get(at + 1) != Some(&true);
            let limit = limit || message.is(at, "total altogether") && said[field].has("per");
            let part = message.is(at, "of") && at > 0 && self.is_value(at - 1) && !self.names.covered[at - 1];
            let own = said[field].means(&message.tokens[at]) && !message.is(at, "or not no") && !part;
            let filler = message.is(at, FILLERS) && !limit && !part;
            let swaps = message.is(at, CORRECTS) && !message.is(at, "wrong");
            let swaps = changes && (swaps || !asked && message.is(at, "not but of than"));
            // `3 boxes, not 2`
            let swaps = swaps || message.is(at, "not") && self.is_value(message.past(at + 1, "the on at in"));
            // `20 per hour` is no price per day.
            let rate = message.follows(at, "per a an each every /") && time_unit(message.low(at)).is_some();
            let form = own || (self.names.covered[at] || self.is_value(at)) && !rate;
            form || swaps || been || filler || at < message.past(0, OPENING)
        };
        range.find(|at| !known(*at)).map(|at| format!("{} may change it", quote(message.low(at))))
    }

    pub(super) fn is_value(&self, at: usize) -> bool {
        self.values.iter().any(|value| value.contains(&at))
    }

    /// Leaves open what another value speaks against that no field took: `80 or 95`. Where a word corrects it, the last counts.
    pub(super) fn weigh(&mut self) {
        let message = self.message;
        for (field, at) in std::mem::take(&mut self.placed) {
            let is_it = |taken: &Taken| taken.field == self.field(field).id;
            let Some(place) = self.reading.taken.iter().position(is_it) else { continue };
            let rivals: Vec<_> = self.found.iter().filter_map(|one| self.rival(field, &at, one)).collect();
            let slip = |at: usize| {
                message.is(at, CORRECTS) && !message.is(at + 1, "of than")
                    || message.is(at, "no make") && message.is(at + 1, ", that it make")
            };
            match &rivals[..] {
                [] => {}
                [(values, last)] if values.len() == 1 && (at.end..last.start).any(slip) => {
                    let words = message.words(&(at.start..last.end)).to_owned();
                    let taken = &mut self.reading.taken[place];
                    (taken.value, taken.words) = (values[0].clone(), words);
                }
                _ => {
                    let more = rivals.into_iter().flat_map(|(values, _)| values);
                    let Taken { field, value, words, .. } = self.reading.taken.remove(place);
                    let values = std::iter::once(value).chain(more).collect();
                    let why = "more than one is said".to_owned();
                    self.reading.unsure.push(Unsure { field, values, words, why });
                }
            }
        }
    }

    /// Returns what a value that no field took would be in a field that holds another; `5 dogs` and `the small one` are none.
    fn rival(&self, field: usize, at: &Range<usize>, found: &Found) -> Option<(Vec<Value>, Range<usize>)> {
        let (message, next) = (self.message, found.at.end);
        let word = message.tokens.get(next).is_some_and(Token::is_word);
        let counts = found.is_count() && word && self.strange(field, next..next + 1).is_some();
        let other = counts || message.is(found.at.start, "one") || self.guard(&found.at).is_some();
        let day = matches!(found.what, What::Date(_)) || message.is(at.end, ", and");
        let beside = !day && (at.end..=at.end + 1).contains(&found.at.start);
        let near = message.sentence(at.start).contains(&found.at.start);
        let values = match self.fit(field, found, Rule::Named) {
            Some(Ok(values)) if !other => values,
            fit => (!other && (beside || fit.is_some() && near)).then(Vec::new)?,
        };
        let id = &self.field(field).id;
        let had = [self.reading.value(id), self.question.known.get(id)];
        let same = |value: &Value| had.contains(&Some(value));
        (!values.iter().any(same)).then(|| (values, found.at.clone()))
    }
}
