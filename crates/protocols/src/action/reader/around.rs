//! What beside a value may change it, so that it is asked and not taken. Four tests, and no word is looked at by any other rule:
//! a word that limits in its clause, an unknown word right beside it, another subject (`the ferry leaves at 9:30`), and something
//! said about the value itself (`the truck is too big`).

use std::ops::Range;

use holdpoint_core::Kind;
use holdpoint_core::text::quote;

use super::{
    CHANGES, CORRECTS, FILLERS, Found, LIMITS, Measure, OPENING, Rule, Scan, Sort, What, denies, is_among,
    time_unit,
};

/// What people do who fill in a form, without endings.
const ACTS: &str = "want wish plan need prefer hav order rent buy purchas hir book reserv organis organiz arrang host hold expect invit attend join regist sign apply choos pick request require add includ giv tak mak set chang get run go work com bring see stay arriv leav start begin end last schedul interest look weigh pay happen";
/// Stems of what is asked of whoever reads the form: `call me at 15:00` is not when anything else is.
const REACH: &str = "call ring reach contact mail email writ";
/// Stems that name one end of a span of time.
const ENDS: &str = "start begin arriv leav end back";
const BE: &str =
    "is are am was were be been has have had can will would must may does do isn't aren't can't won't";

impl Scan<'_> {
    /// Returns what may change a value of a field that stands beside a name, or by itself.
    pub(super) fn doubt(
        &self,
        field: usize,
        found: &Found,
        name: &Range<usize>,
        rule: Rule,
    ) -> Option<String> {
        let (message, at) = (self.message, &found.at);
        let (first, last) = (at.start.min(name.start), at.end.max(name.end));
        let clause = message.clause(first).start..message.clause(last - 1).end.max(last);
        let other = |at: &usize| !found.at.contains(at) && *at >= message.past(0, OPENING);
        let limit = clause.clone().filter(other).find(|at| self.limits(field, found, name, *at, rule));
        // `the week after next, on Tuesday`
        let timed = self.field(field).kind.is_temporal();
        let unit = |at: &usize| timed && !self.is_form(*at) && time_unit(message.low(*at)).is_some();
        let limit = limit.or_else(|| message.sentence(first).find(unit));
        let all = rule == Rule::Answer && self.field(field).kind == Kind::Choices;
        let limit = limit.or_else(|| (0..message.tokens.len()).find(|at| all && self.is_unknown(field, *at)));
        let counted = matches!(found.what, What::Number(..));
        let loose = !matches!(found.what, What::Options(..) | What::Address(_));
        // `3 extra boxes`, `14:00 CET`; `room 12`
        let next = Some(at.end).filter(|at| loose && self.is_unknown(field, *at));
        let before = (clause.start..at.start).rev().find(|at| !message.is(*at, FILLERS) || self.is_form(*at));
        let before = before.filter(|at| counted && self.is_unknown(field, *at) && !self.is_verb(*at));
        let odd = limit.or(next).or(before).or_else(|| self.other_subject(field, clause.start..first));
        // `we sell red wine`
        let does = |at: &usize| message.follows(*at, "i we") && self.is_unknown(field, *at) && !self.reports;
        let odd = odd.or_else(|| (clause.start + 1..first).find(does));
        // `Anna's budget`
        let owner =
            first.checked_sub(1).filter(|at| message.low(*at).ends_with("'s") && self.is_unknown(field, *at));
        let odd = odd.or(owner).or_else(|| self.said_about(field, last, clause.end));
        odd.map(|at| format!("{} may change it", quote(message.low(at))))
    }

    /// Returns whether a word is neither the form's nor one that says nothing.
    pub(super) fn is_unknown(&self, field: usize, at: usize) -> bool {
        let Some(token) = self.message.tokens.get(at).filter(|token| token.is_word()) else { return false };
        let known = self.is_form(at) || self.names.said[field].means(token);
        !known
            && [FILLERS, CHANGES, OPENING, CORRECTS].iter().all(|words| !token.is(words))
            && !self.acts(at)
            && !denies(self.message, at)
    }

    /// Returns whether a word says what people do who fill in a form: `need`, but not `ordered 3`.
    pub(super) fn acts(&self, at: usize) -> bool {
        is_among(self.message.tokens[at].stem(), ACTS) && !self.message.tells(at)
    }

    /// Returns whether a word may be what its subject does: `the odometer shows`.
    fn is_verb(&self, at: usize) -> bool {
        let low = self.message.low(at);
        self.message.is(at, BE)
            || low.ends_with('s') && !low.ends_with("'s") && at > 0 && self.is_form(at - 1)
    }

    /// Returns whether a word limits or replaces a value, wherever it stands in its clause.
    fn limits(&self, field: usize, found: &Found, name: &Range<usize>, at: usize, rule: Rule) -> bool {
        let (message, said, own) = (self.message, &self.names.said[field], &found.at);
        let (token, asked) = (&message.tokens[at], rule == Rule::Answer);
        let (timed, number) = (self.field(field).kind.is_temporal(), found.is_number());
        let (leads, next, before) = (at + 1 == own.start, at == own.end, at < own.start);
        let told = message.follows(at, "i we you they he she") && message.tells(at);
        // What speaks against it even where another value follows, or in the form's own words: `5 of 12`, `3 per head`, `4 for us`.
        let per = token.is("per each every") && !self.names.covered[at] && !said.has("per");
        let unit = matches!(found.what, What::Number(_, Measure::Unit(_)));
        let of = number && next && token.is("of") && !unit;
        let part = number && next && token.is("for") && self.names.covered.get(at + 1) != Some(&true);
        let rate = !before && self.rate(at).is_some_and(|of| !said.means(&message.tokens[of]));
        let offset = timed && next && token.sort == Sort::Number;
        if per || of || part || rate || offset || token.is("between") || told && !said.been {
            return true;
        }
        // `at most 20 guests in the loft` is said of the guests.
        let others = |at: usize| self.is_value(at) && !own.contains(&at);
        let others = others(at + 1) && !token.is("or of plus minus was were used");
        if others || self.names.covered[at] || self.is_value(at) || said.has(&token.low) && !token.is("or") {
            return false;
        }
        let told_of =
            token.is("was were used did") && !self.reports && !said.been || message.says(at, "would have");
        let told_of = told_of || !said.been && message.tells(at) && name.contains(&at);
        // `the venue closes at 23:00`
        let other = |at: usize| self.is_form(at) && !self.is_value(at) && !said.means(&message.tokens[at]);
        let does =
            before && self.is_unknown(field, at) && self.is_verb(at) && at.checked_sub(1).is_some_and(other);
        let sign = token.sort == Sort::Sign && token.is("< > ~ + * / #") && (leads || next);
        let always = token.is(LIMITS)
            || message.says(at, "up to")
            || token.is("too") && self.is_unknown(field, at + 1);
        always
            || told_of
            || does
            || sign
            || number && self.limits_number(field, found, name, at)
            || timed && {
                let end = is_among(token.stem(), ENDS) && !said.means(token);
                let due = said.has("deadline") || said.has("due");
                let until = leads && token.is("after before past") || before && token.is("by") && !due;
                let other = is_among(token.stem(), REACH) || end;
                // `we got him on 3 May` is no birthday.
                let got = said.been && (told && !said.means(token) || token.is("got have"));
                until || got || !asked && other || token.is("since") && !said.been && before
            }
    }

    /// Returns whether a word limits a number: `a table for 8`, `12 to 14`, `some 60`, `a fine of 30`, `the van costs 40`.
    fn limits_number(&self, field: usize, found: &Found, name: &Range<usize>, at: usize) -> bool {
        let (message, said, own) = (self.message, &self.names.said[field], &found.at);
        let (token, timed) = (&message.tokens[at], self.field(field).kind.is_temporal());
        let linked =
            (name.end..own.start).contains(&at) && token.is("for from with in at by on") && found.is_count();
        let whole = token.is("total altogether") && said.has("per");
        let Some(last) = at.checked_sub(1) else {
            return linked || whole || token.is("until till since some");
        };
        let ranged = token.is("to - –") && matches!(message.tokens[last].sort, Sort::Number | Sort::Clock);
        let fine = token.is("of")
            && (message.is(last, "fine good great") || !self.is_form(last) || self.is_value(last));
        let leads = at + 1 == own.start && (!timed && (token.is("until till since some") || ranged) || fine);
        linked || whole || leads
    }

    /// Returns who else or what else a clause begins with: `our accountant wants`, `lunch is`.
    fn other_subject(&self, field: usize, lead: Range<usize>) -> Option<usize> {
        const SPEAKER: &str = "i we i'm we're i'd we'd i'll we'll i've we've it it's there there's he she they he's she's they're";
        let message = self.message;
        let start = lead.clone().find(|at| !message.is(*at, FILLERS) || self.is_form(*at))?;
        let speaker =
            (lead.start..start).any(|at| message.is(at, SPEAKER)) || message.low(start).ends_with("ing");
        let verb =
            |at: usize| !self.is_form(at) && (message.is(at, BE) || self.acts(at) || self.is_third(at));
        // `the machine is needed by`
        let about = (start + 1..lead.end).any(|at| {
            message.is(at, "is are")
                && message.tokens.get(at + 1).is_some_and(|next| self.names.said[field].means(next))
        });
        (!speaker && self.is_unknown(field, start) && (start + 1..lead.end).any(verb) && !about)
            .then_some(start)
    }

    /// Returns what is said about a value that is the subject: `18 December is impossible`, `the blue carpet is nice`.
    fn said_about(&self, field: usize, at: usize, end: usize) -> Option<usize> {
        const GOOD: &str = "fine good great perfect ok okay best enough needed required planned due works suits called named";
        let message = self.message;
        let verb = (at..end)
            .take_while(|at| !self.is_form(*at))
            .find(|at| message.is(*at, BE) || self.is_third(*at))?;
        let next = message.past(verb + 1, "a an the all very so just really only also still");
        // `the lamp is not tested` is said of the test, `2 tables won't do` of the tables.
        let denied = [verb, next].into_iter().find(|at| denies(message, *at));
        let next = denied.map_or(next, |at| at + 1);
        let own = |token| self.names.said[field].means(token);
        let known = message.is(next, GOOD) && denied.is_none() || self.is_form(next);
        let known =
            known || message.is(verb, GOOD) || denied.is_none() && message.tokens.get(next).is_some_and(own);
        (!known).then_some(verb)
    }

    /// Returns whether a word looks like what somebody does: `wants`.
    fn is_third(&self, at: usize) -> bool {
        let low = self.message.low(at);
        self.message.tokens[at].is_word()
            && low.ends_with('s')
            && !low.ends_with("ss")
            && !low.ends_with("'s")
            && !self.is_form(at)
            && (!self.message.is(at, FILLERS) || self.message.is(at, "is"))
    }

    pub(super) fn is_form(&self, at: usize) -> bool {
        self.names.covered.get(at) == Some(&true) || self.is_value(at)
    }

    pub(super) fn is_value(&self, at: usize) -> bool {
        self.values.iter().any(|value| value.contains(&at))
    }
}
