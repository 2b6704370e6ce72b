//! Whether every word beside a value is understood. One test for all rules but the exact answer: where a word in its clause is neither
//! the form's nor one that says nothing, or where a second value found no field, the value is asked and not taken.

use std::ops::Range;

use holdpoint_core::Kind;
use holdpoint_core::text::quote;
use jiff::ToSpan as _;

use super::super::form::{ends, span};
use super::guard::{anew, denies};
use super::lists::{CHANGES, CORRECTS, EVENTS, NO, OPENING, PAST, REACH, YES, time_unit};
use super::{Claim, End, Fit, Found, Rule, Scan, Sort, What, is_among};

impl Scan<'_> {
    /// Returns why a claim is asked and not taken.
    pub(super) fn doubt(&self, claim: &Claim) -> Option<String> {
        if self.is_known(claim.field) && !self.corrects {
            return Some("another value is known, and no word says to change it".to_owned());
        }
        let guard = self.marks.iter().find(|mark| mark.covers(&claim.over));
        let guard = guard.map(|mark| mark.reason(self.message)).or_else(|| claim.doubt.clone());
        guard.or_else(|| self.unclear(claim))
    }

    /// Returns what keeps a claim's clause from being understood.
    fn unclear(&self, claim: &Claim) -> Option<String> {
        let (message, kind) = (self.message, self.field(claim.field).kind);
        let clause = message.clause(claim.over.start).start..message.clause(claim.over.end - 1).end;
        // Of several options none may be dropped, in whichever clause it stands.
        let list = claim.rule == Rule::Answer && kind == Kind::Choices;
        let mut own = if list { message.all() } else { clause.clone() };
        let sentence = message.sentence(clause.start);
        // `the week after next, on Tuesday`; `18 December, but we need it early`; `3 boxes, I mean of the big ones`
        let changed = |at: &usize| {
            let weeks = kind.is_temporal() && !self.is_form(*at) && time_unit(message.low(*at)).is_some();
            let but = claim.rule == Rule::Answer && !self.corrects && message.is(*at, "but");
            let back =
                *at >= clause.end && message.is(*at, CORRECTS) && !self.is_form(*at) && self.opens(*at);
            weeks || but || back
        };
        let word = own.find(|at| !self.is_understood(claim, *at)).or_else(|| sentence.clone().find(changed));
        if let Some(at) = word.or_else(|| self.lead(claim, clause.start)) {
            return Some(format!("{} beside it is not understood", quote(message.low(at))));
        }
        let other = self.found.iter().find(|found| self.is_left_over(claim, found, &clause))?;
        Some(format!("{} stands beside it", quote(message.words(&other.at))))
    }

    /// Returns whether a word may stand beside a value of a field without changing it.
    fn is_understood(&self, claim: &Claim, at: usize) -> bool {
        let (message, token, kind) = (self.message, &self.message.tokens[at], self.field(claim.field).kind);
        let (about, counted) = (&self.about[claim.field], matches!(kind, Kind::Integer | Kind::Number));
        // `5 of the boxes`, `3 for the kids`; `a fine of 30`, `20% of 40`, `until 2025`
        let behind = at == claim.at.end && token.is("of for") && !self.is_name.get(at + 1).unwrap_or(&false);
        let of = token.is("of") && (claim.rule != Rule::Named || at > 0 && self.is_value[at - 1]);
        let before = at + 1 == claim.at.start && (of || token.is("until till to") && !self.corrects);
        if counted && (behind || before) {
            return false;
        }
        let own = about.means(token) || claim.at.contains(&at) || token.sort == Sort::Break;
        if own || self.is_value[at] || denies(message, at) {
            return true;
        }
        // `we leave at 9:00`; `20 euros an hour`
        if kind.is_temporal() && is_among(token.stem(), EVENTS) || time_unit(&token.low).is_some() {
            return false;
        }
        let reports = self.reports || about.been;
        message.small[at]
            || self.is_name[at]
            || self.about.iter().any(|about| about.tells(token)) && (self.reports || !token.is_past())
            || reports && token.is(PAST)
            || matches!(kind, Kind::Email | Kind::Tel | Kind::Url) && token.is(REACH)
            || kind == Kind::Boolean && (token.is(YES) || token.is(NO)) && !message.follows(at, "not")
            || self.corrects && token.is(CHANGES)
            || token.is(CORRECTS) && self.opens(at)
    }

    /// Returns whether only words of a correction stand before a word in its clause.
    fn opens(&self, at: usize) -> bool {
        self.message.past(self.message.clause(at).start, OPENING) >= at
    }

    /// Returns an unknown word of an earlier clause whose sentence goes on: `the neighbours got 2 vans, 3 drivers`.
    fn lead(&self, claim: &Claim, own: usize) -> Option<usize> {
        let message = self.message;
        let odd = |start: usize| {
            let clause = message.clause(start);
            let content = clause.clone().find(|at| self.is_form(*at)).unwrap_or(start);
            let speaks = message.is(start, "i we i'm we're i'd we'd i'll we'll please it");
            let goes_on = !speaks && start < own && anew(message, &clause) > own;
            (start..content).find(|at| goes_on && !self.is_understood(claim, *at))
        };
        (message.sentence(own).start..own).filter(|at| message.clause(*at).start == *at).find_map(odd)
    }

    /// Returns whether a value of the same sort found no field, or one that stands right beside: `zero trucks`, `5 of 12`.
    fn is_left_over(&self, claim: &Claim, found: &Found, clause: &Range<usize>) -> bool {
        let kind = self.field(claim.field).kind;
        let timed = kind.is_temporal() && (found.is_temporal() || found.is_number());
        let counted = matches!(kind, Kind::Integer | Kind::Number) && found.is_number();
        let same_field = matches!(found.what, What::Options(of, _) if of == claim.field);
        let beside = found.at.end == claim.at.start || claim.at.end == found.at.start;
        let inside = clause.contains(&found.at.start) && !found.overlaps(&claim.over);
        // `Friday in two weeks`
        let second = beside && kind == Kind::Date && matches!(found.what, What::Date(_));
        inside && (second || (timed || counted || same_field || beside) && self.is_free(found))
    }

    /// Returns why a day or time is none that the field asks for: it is one end of something else, still to come, or has been.
    pub(super) fn untimely(&self, at: usize, found: &Found, fit: &Fit, rule: Rule) -> Option<&'static str> {
        if found.end.is_some_and(|end| self.is_other_end(at, end)) {
            return Some("it may only be one end of it");
        }
        let (What::Date(_), Ok(values)) = (&found.what, fit) else { return None };
        let today = self.question.now.date();
        let (now, later) = (today.to_string(), today.saturating_add(1.day()).to_string());
        let all = |is: &dyn Fn(&str) -> bool| values.iter().all(|value| value.as_str().is_some_and(is));
        if self.about[at].been {
            return all(&|day| day >= later.as_str()).then_some("that day is still to come");
        }
        (rule == Rule::Only && all(&|day| day < now.as_str())).then_some("that day has been")
    }

    fn is_other_end(&self, at: usize, end: End) -> bool {
        let kind = self.field(at).kind;
        let (first, last) = span(self.question.fields, |field| field.kind == kind).unzip();
        let own = if end == End::Last { last } else { first };
        own != Some(at) && !ends(self.field(at), end == End::Last)
    }
}
