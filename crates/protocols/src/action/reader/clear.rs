//! Whether what stands beside a value leaves it as it was said. One test for all rules but the exact answer: where a word in its clause
//! is neither the form's nor small nor in an aside, or where a second value found no field, the value is asked and not taken.

use std::ops::Range;

use holdpoint_core::Kind;
use holdpoint_core::text::quote;
use jiff::ToSpan as _;

use super::super::form::{ends, span};
use super::guard::{anew, denies};
use super::lists::{
    ACTS, CHANGES, CORRECTS, EVENTS, Measure, NO, OPENING, PAST, REACH, SMALL, YES, time_unit,
};
use super::{Claim, FitResult, FoundValue, Rule, Scan, Sort, SpanEnd, ValueKind, is_among};

/// Words that limit an amount. Beside another kind of value they say nothing.
const AMOUNTS: &str = "per each every half twice double most more less least fewer over under above below up max maximum min minimum around about ca circa nearly almost minus times";
/// Words that open an aside.
const LEADS: &str = "for at in on with to from near by during because via inside into";
const ARTICLES: &str = "a an the my our";
/// Words that make a value another one than the one that they stand beside.
const OTHERS: &str = "or than extra another additional spare own early late other others different same wrong old former previous next last first second third";

impl Scan<'_> {
    /// Returns which words say nothing of the values beside them: small words, the form's own, and asides, which say for whom, where or
    /// why: `for the office party`. An aside stands behind what is said, or opens its clause.
    pub(super) fn plain(&self) -> Vec<bool> {
        const ENDS: &str = "is are am was were be been has have had do does did will would can could should must may might i we you he she it they";
        const MOST: usize = 3;
        let (message, mut said, mut room) = (self.message, false, 0);
        let plain = |at: usize| {
            let (token, begins) = (&message.tokens[at], message.clause(at).start == at);
            let (formal, small) = (self.is_form(at), message.small[at]);
            // `for the party the boss comes`: the second article begins something else.
            let again = room < MOST && token.is("a an the my our your his her their");
            if begins || again || formal || token.is(ENDS) {
                room = 0;
            }
            let word = message.is_word(at) && !small && !token.is(AMOUNTS) && !token.is(OTHERS);
            let aside = word && room > 0 && !token.is_past();
            room -= usize::from(aside);
            said = formal || said && !begins;
            // `a meeting of our club`, but not `the budget of our club`
            let of = token.is("of") && at > 0 && self.is_value[at - 1];
            let lead =
                (of || token.is(LEADS) && (said || begins)) && self.is_value.get(at + 1) != Some(&true);
            if lead {
                room = MOST;
            }
            // `a tripod plus a cable`
            let plus = token.is("plus")
                && !self.found.iter().any(|found| found.is_count() && found.at.start == at + 1);
            let told = !token.is_past() || self.reports;
            let tells = told && self.about.iter().any(|about| about.tells(token));
            let reports = self.reports && token.is(PAST);
            let corrects = self.corrects && token.is(CHANGES) || token.is(CORRECTS) && self.opens(at);
            formal || small || aside || lead || plus || tells || reports || corrects || denies(message, at)
        };
        message.all().map(plain).collect()
    }

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
        // `the week after next, on Tuesday`; `3 boxes, I mean of the big ones`; `18 December, but we need it early`
        let changed = |at: &usize| {
            let weeks = kind.is_temporal() && !self.is_form(*at) && time_unit(message.low(*at)).is_some();
            let back =
                *at >= clause.end && message.is(*at, CORRECTS) && !self.is_form(*at) && self.opens(*at);
            weeks || back || claim.rule == Rule::Answer && !self.corrects && message.is(*at, "but")
        };
        let word = own.find(|at| !self.is_understood(claim, *at)).or_else(|| sentence.clone().find(changed));
        if let Some(at) = word.or_else(|| self.lead(claim, clause.start)) {
            return Some(format!("{} beside it is not understood", quote(message.low(at))));
        }
        let other = self.found.iter().find(|found| self.is_left_over(claim, found, &clause))?;
        Some(format!("{} stands beside it", quote(message.text_of(&other.at))))
    }

    /// Returns whether a word may stand beside a value of a field without changing it.
    fn is_understood(&self, claim: &Claim, at: usize) -> bool {
        let (message, token, kind) = (self.message, &self.message.tokens[at], self.field(claim.field).kind);
        let (about, picks, next) = (&self.about[claim.field], kind.picks(), at + 1 == claim.at.start);
        // `5 of the boxes`, `3 for the kids`; `a fine of 30`, `20% of 40`, `until 2025`
        let behind = at == claim.at.end && token.is("of for") && !self.is_name.get(at + 1).unwrap_or(&false);
        let act = at > 0 && is_among(message.tokens[at - 1].stem(), ACTS);
        let of = token.is("of") && at > 0 && (self.is_value[at - 1] || claim.rule != Rule::Named && !act);
        let before = next && (of || token.is("until till to") && !self.corrects);
        if matches!(kind, Kind::Integer | Kind::Number) && (behind || before) {
            return false;
        }
        if about.means(token) || claim.at.contains(&at) || token.sort == Sort::Break || self.is_value[at] {
            return true;
        }
        // `a truck driver`, `the truck arrives`; but `weekly payments`, where the form speaks of payments
        let verb = is_among(token.stem(), ACTS) && !token.low.ends_with("ing") && !token.is(SMALL);
        let tells =
            self.about.iter().any(|about| about.tells(token)) && !message.is(at + 1, "is are was : =");
        let plain = message.small[at] && !verb || self.is_form(at) || token.is(PAST) || token.is(LEADS);
        let plain = plain || tells || denies(message, at) || token.is("plus") || !message.is_word(at);
        if picks && at == claim.at.end && !plain {
            return false;
        }
        // `we leave at 9:00`, but `starting at 9:00`; `20 euros an hour`
        let marks = |found: &FoundValue| {
            found.end.is_some() && message.past(at + 1, "the on at from") == found.at.start
        };
        let event =
            is_among(token.stem(), EVENTS) && !(token.low.ends_with("ing") && self.found.iter().any(marks));
        if kind.is_temporal() && event || !picks && time_unit(&token.low).is_some() {
            return false;
        }
        // `a small wedding`, but not `an old one`, nor `two small boxes`
        let word = message.is_word(at) && !token.is(OTHERS) && !token.is_past();
        let adjective = picks && word && next && message.follows(at, ARTICLES);
        // `we are 6 students and need 2 laptops`
        let counted =
            |other: &FoundValue| other.at.end == at && other.at != claim.at && self.is_of_other(other);
        let ends = message.is(at + 1, "and") || message.clause(at).end == at + 1;
        let noun = ends && self.found.iter().any(counted);
        let apart = message.past(at + 1, ARTICLES) != claim.at.start && at != claim.at.end;
        let of_amount = picks && token.is(AMOUNTS) && apart;
        self.plain[at]
            || adjective
            || noun
            || of_amount
            || about.been && token.is(PAST)
            || matches!(kind, Kind::Email | Kind::Tel | Kind::Url) && token.is(REACH)
            || kind == Kind::Boolean && (token.is(YES) || token.is(NO)) && !message.follows(at, "not")
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
            let content = clause.clone().find(|at| self.is_form(*at)).filter(|_| start < own)?;
            let speaks = message.is(start, "i we i'm we're i'd we'd i'll we'll please it");
            let goes_on = !speaks && anew(message, &clause) > own;
            (start..content).find(|at| goes_on && !self.is_understood(claim, *at))
        };
        (message.sentence(own).start..own).filter(|at| message.clause(*at).start == *at).find_map(odd)
    }

    /// Returns whether a value of the same sort found no field, or one that stands right beside: `zero trucks`, `5 of 12`.
    fn is_left_over(&self, claim: &Claim, found: &FoundValue, clause: &Range<usize>) -> bool {
        let kind = self.field(claim.field).kind;
        let number = found.is_number() && !self.is_of_other(found);
        let lasts = matches!(found.what, ValueKind::Number(_, Measure::Time(_)))
            && self.message.follows(found.at.start, "for");
        // A day beside a time is no second time.
        let pair = matches!(
            (kind, &found.what),
            (Kind::Time, ValueKind::Date(_)) | (Kind::Date, ValueKind::Time(_))
        );
        let rival = found.is_temporal() && (claim.rule == Rule::Only || !pair);
        let timed = kind.is_temporal() && (rival || number && !lasts);
        let counted = matches!(kind, Kind::Integer | Kind::Number) && number;
        let same_field = matches!(found.what, ValueKind::Options(of, _) if of == claim.field);
        let beside = found.at.end == claim.at.start || claim.at.end == found.at.start;
        let inside = clause.contains(&found.at.start) && !found.overlaps(&claim.over);
        // `Friday in two weeks`
        let second = beside && kind == Kind::Date && matches!(found.what, ValueKind::Date(_));
        inside
            && (second
                || (timed || counted || same_field || beside && found.is_number()) && self.is_free(found))
    }

    /// Returns whether something is counted that the form does not ask for: `5 dogs`.
    pub(super) fn is_of_other(&self, found: &FoundValue) -> bool {
        let next = found.at.end;
        let noun = self.message.is_word(next) && !self.message.small[next] && !self.is_form(next);
        let limits = [AMOUNTS, OTHERS].iter().any(|list| self.message.is(next, list));
        found.is_count() && noun && !limits && !self.message.is(next + 1, "of")
    }

    /// Returns why a day or time is none that the field asks for: it is one end of something else, still to come, or has been.
    pub(super) fn untimely(
        &self,
        at: usize,
        found: &FoundValue,
        fit: &FitResult,
        rule: Rule,
    ) -> Option<&'static str> {
        if found.end.is_some_and(|end| self.is_other_end(at, end)) {
            return Some("it may only be one end of it");
        }
        let (ValueKind::Date(_), Ok(values), false) = (&found.what, fit, rule == Rule::Exact) else {
            return None;
        };
        let today = self.question.now.date();
        let (now, later) = (today.to_string(), today.saturating_add(1.day()).to_string());
        let all = |is: &dyn Fn(&str) -> bool| values.iter().all(|value| value.as_str().is_some_and(is));
        if self.about[at].been {
            return all(&|day| day >= later.as_str()).then_some("that day is still to come");
        }
        (rule == Rule::Only && all(&|day| day < now.as_str())).then_some("that day has been")
    }

    /// Returns whether one end of a span is not the one that a field asks for.
    pub(super) fn is_other_end(&self, at: usize, end: SpanEnd) -> bool {
        let kind = self.field(at).kind;
        let (first, last) = span(self.question.fields, |field| field.kind == kind).unzip();
        let own = if end == SpanEnd::Last { last } else { first };
        let (begins, finishes) = (ends(self.field(at), false), ends(self.field(at), true));
        own != Some(at) && if end == SpanEnd::Last { begins || !finishes } else { !begins }
    }
}
