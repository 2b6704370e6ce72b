//! The one test that a value in words must pass: every word around it is the form's, part of a value, or says nothing by itself.
//! Any other word may change it (`about 3`, `3 per head`), and so may a second value (`3 to 5`): then it is asked and not taken.

use std::ops::Range;

use holdpoint_core::text::quote;
use serde_json::Value;

use super::{
    CORRECTS, Found, Guard, OPENING, Rule, Said, Scan, Taken, Token, Unsure, What, is_among, time_unit,
};

/// Words that say nothing about a value beside them: small words, politeness, and signs.
pub(super) const FILLERS: &str = "\
    a an the my our your this these i we you he she they it i'm we're i'd we'd i'll we'll i've we've it's he's she's me us his her him them their its mine ours that that's there there's is \
    are am be will would can could shall should must do like love got time some plus please thanks thank hi hello hey dear and also too again for on in at to from with by of as until till through so because then \
    let's here total altogether overall exactly sharp ok okay yes sure fine good great perfect best works suits enough well oh one ones due needed planned scheduled now both yet today tonight morning \
    afternoon evening night o'clock which who old only just really very quite happy glad interested back going , : = ( ) & . ! ; $ € £ - – # \n";
/// What people do who fill in a form, without endings. What they did (`ordered`) may have been another time.
const ACTS: &str = "\
    want wish plan need prefer hav order rent buy purchas hir book reserv organis organiz arrang host hold expect invit attend join regist sign apply choos \
    pick request require add includ giv tak mak set chang get us run go work com bring see stay arriv leav start begin end last schedul interest look reach contact call ring mail email writ";
/// Stems that name one end of a span of time.
const ENDS: &str = "start begin arriv leav end back";
/// Words that limit or replace what they stand beside, wherever they stand.
const LIMITS: &str = "\
    most least worst max maximum min minimum average per each every any about around nearly almost under over above below between less more than extra additional \
    other another different second former possible broken spare half double twice up case example instance earliest latest moment";

impl Scan<'_> {
    /// Returns what may change a value of a field: the first word of a range that is not accounted for.
    pub(super) fn strange(&self, field: usize, own: &Range<usize>, range: Range<usize>) -> Option<String> {
        let (message, words, asked) = (self.message, &self.names.said[field], self.is_asked(field));
        let changes = self.corrects && (asked || self.question.known.contains_key(&self.field(field).id));
        let timed = self.field(field).kind.is_temporal();
        let other = |at: usize| self.is_value(at) && !own.contains(&at);
        let known = |at: usize| {
            let (token, limits) = (&message.tokens[at], message.is(at, LIMITS));
            // `by 3 May` is a limit (`by bus` none), a total no price per head, `20% of it` neither.
            let limit = timed && message.is(at, "by") && self.names.covered.get(at + 1) != Some(&true)
                || message.is(at, "total altogether") && words.has("per")
                // `We leave at 10:00` is not when anybody arrives.
                || timed && !asked && is_among(token.stem(), ENDS);
            let part = message.is(at, "of") && at > 0 && self.is_value(at - 1) && !self.names.covered[at - 1];
            let some = message.is(at, "some") && own.contains(&(at + 1)) && !self.names.covered[at + 1];
            let filler = !limit && !part && !some && (message.is(at, FILLERS) || self.acts(at));
            // The words of other fields are the form's too, unless they are small ones.
            let named = |said: &Said| said.means(token);
            let long = !limits && token.stem().len() > 3;
            let name = named(words) || long && self.names.said.iter().any(named);
            let form = name && !part && !message.is(at, "or not no") || self.is_form(at);
            let done =
                |at: usize| words.means(&message.tokens[at]) || self.names.said.iter().any(|said| said.been);
            let been = message.is(at, "was were") && at + 1 < message.tokens.len() && done(at + 1);
            // `the truck instead of the van` swaps, and so does `3 boxes, not 2`.
            let swaps = message.is(at, CORRECTS) && !message.is(at, "wrong");
            let swaps = changes && (swaps || !asked && message.is(at, "not but of than"))
                || message.is(at, "not") && self.is_value(message.past(at + 1, "the on at in"));
            // `20 per hour` is no price per day.
            let rate = message.follows(at, "per a an each every /") && time_unit(message.low(at)).is_some();
            let rate = rate && !named(words) && !own.contains(&at);
            // `at most 20 guests in the loft`: what stands beside another value is said of that one.
            let behind = at > 0 && other(at - 1) && token.is_word() && !message.is(at, "or of between");
            let beside = behind || limits && other(at + 1) && !message.is(at, "between");
            !rate && (form || filler || been || swaps || beside || self.is_aside(at))
        };
        let opened = message.past(0, OPENING);
        let strange = { range }.find(|at| *at >= opened && !known(*at));
        strange.map(|at| format!("{} may change it", quote(message.low(at))))
    }

    /// Returns whether a word says what people do who fill in a form: `need`, `is planned`, and `delivered` in `delivered to the
    /// office`, but neither `we ordered` nor `ordered 3`.
    fn acts(&self, at: usize) -> bool {
        let (message, token) = (self.message, &self.message.tokens[at]);
        let heads = message.clause(at).start == at && message.is(at + 1, "to for by in at with from");
        is_among(token.stem(), ACTS) && !message.tells(at) || token.is_past() && heads
    }

    /// Returns whether a word stands in what only says for whom, where or what for: behind a small word, among words that are
    /// neither the form's nor part of a value (`for the office party`, `at our place`), or in `a quiet room` if that is an option.
    pub(super) fn is_aside(&self, at: usize) -> bool {
        const HEADS: &str = "for in at to from with of near during into inside through";
        const LEADS: &str = "a an the my our your his her their its this that";
        let (message, all) = (self.message, self.message.tokens.len());
        let known = |at: usize| message.is(at, FILLERS) || message.is(at, LIMITS) || self.acts(at);
        let plain = |at: &usize| message.tokens[*at].is_word() && !self.is_form(*at) && !known(*at);
        let end = at + (at..all).take_while(plain).count();
        let start = at + 1 - (0..=at).rev().take_while(plain).count();
        let head = (0..start).rev().find(|at| !message.is(*at, LEADS)).unwrap_or(start);
        // `to avoid` is no place, and what stands before a value is said of that, unless it owns it: `for Ana's party`.
        let verb = start == head + 1 && message.is(head, "to") && !message.is_capital(start);
        let owns = message.low(end.saturating_sub(1)).ends_with("'s");
        let ends = end == all || owns || !self.is_form(end) && !message.is(end, LIMITS);
        let option = self.names.options.iter().any(|option| option.at.start == end);
        // `6000 for the whole year` is no price per month.
        let period = (start..end).any(|at| time_unit(message.low(at)).is_some());
        let there = message.is(head, HEADS) && !verb && ends && !period;
        end > at && (there || message.follows(start, "a an") && option)
    }

    /// Returns whether a word is the form's or part of a value.
    pub(super) fn is_form(&self, at: usize) -> bool {
        self.names.covered[at] || self.is_value(at)
    }

    pub(super) fn is_value(&self, at: usize) -> bool {
        self.values.iter().any(|value| value.contains(&at))
    }

    /// Leaves open what another value speaks against that no field took: `80 or 95`. Where a word corrects it, the last counts.
    pub(super) fn weigh(&mut self) {
        let message = self.message;
        for (field, at) in std::mem::take(&mut self.placed) {
            let id = &self.field(field).id;
            let found = self.found.iter();
            let rivals: Vec<_> = found.filter_map(|one| Some((self.rival(field, &at, one)?, one))).collect();
            if let Some(unsure) = self.reading.unsure.iter_mut().find(|unsure| unsure.field == *id) {
                // `between 2 and 4 boxes` is asked with both.
                let apart = rivals.into_iter().filter(|(_, one)| one.end.is_none());
                let more = apart.flat_map(|(values, _)| values);
                let new: Vec<Value> = more.filter(|value| !unsure.values.contains(value)).collect();
                unsure.values.extend(new);
                continue;
            }
            let Some(place) = self.reading.taken.iter().position(|taken| taken.field == *id) else {
                continue;
            };
            let slips = |last: &Found| self.guard(&last.at).is_none() && self.slips(&at, last);
            match &rivals[..] {
                [] => {}
                [(values, last)] if values.len() == 1 && slips(last) => {
                    let words = message.words(&(at.start..last.at.end)).to_owned();
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

    /// Returns whether a word between a value and another takes the first back: `45, sorry, 50`.
    fn slips(&self, at: &Range<usize>, last: &Found) -> bool {
        let message = self.message;
        (at.end..last.at.start).any(|at| {
            message.is(at, CORRECTS) && !message.is(at + 1, "of than")
                || message.is(at, "no make") && message.is(at + 1, ", that it make")
        })
    }

    /// Returns what a value that no field took would be in a field that holds another; `5 dogs` and `the small one` are none.
    fn rival(&self, field: usize, at: &Range<usize>, found: &Found) -> Option<Vec<Value>> {
        let (message, next) = (self.message, found.at.end);
        let word = message.tokens.get(next).is_some_and(Token::is_word);
        let counts = found.is_count() && word && self.strange(field, &found.at, next..next + 1).is_some();
        // What is doubted or corrects speaks against the first all the same: `12 people, maybe 14`.
        let speaks = |guard| guard == Guard::Hedge || self.slips(at, found);
        let guarded = self.guard(&found.at).is_some_and(|mark| mark.blocks() || !speaks(mark.guard));
        if counts || guarded || message.is(found.at.start, "one") {
            return None;
        }
        let timed = self.field(field).kind.is_temporal();
        let day = matches!(found.what, What::Date(_)) || timed && matches!(found.what, What::Time(_));
        let day = day || message.is(at.end, ", and");
        let beside = !day && (at.end..=at.end + 1).contains(&found.at.start);
        let near = message.sentence(at.start).contains(&found.at.start);
        let values = match self.fit(field, found, Rule::Named) {
            Some(Ok(values)) => values,
            fit => (beside || fit.is_some() && near).then(Vec::new)?,
        };
        let id = &self.field(field).id;
        let had = [self.reading.value(id), self.question.known.get(id)];
        (!values.iter().any(|value| had.contains(&Some(value)))).then_some(values)
    }
}
