//! What a reader is asked about a message, if anything: which text, and as an answer to which question.

use holdpoint_core::{Field, Kind};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::super::briefing::Briefing;
use super::super::form::names_option;
use super::super::reader::Question;
use super::{Conversation, field, phrase};

impl Conversation<'_> {
    /// Returns what a reader must be asked before the turn can be answered, if anything.
    pub fn briefing<'b>(&'b self, now: DateTime, zone: &'b TimeZone) -> Option<Briefing<'b>> {
        let question = self.question(now, zone)?;
        Some(Briefing {
            question,
            title: &self.form.title,
            purpose: self.form.purpose.as_deref(),
            tools: &self.form.tools,
            values: &self.values,
            said: &self.state.said,
            results: &self.turn.tool_results,
        })
    }

    fn question<'b>(&'b self, now: DateTime, zone: &'b TimeZone) -> Option<Question<'b>> {
        let (fields, known, zone) = (&self.form.fields, &self.values, Some(zone));
        if self.reads_again() {
            let text = self.state.heard.as_deref()?;
            return Some(Question { fields, asked: None, text, now, zone, known });
        }
        let text = self.turn.text.as_str();
        if text.trim().is_empty() {
            return None;
        }
        let asked = field(&self.form, self.state.asked.as_deref());
        let question = Question { fields, asked, text: &self.text, now, zone, known };
        if self.picks_exactly() {
            return Some(question);
        }
        if phrase::undoes(text) || self.wished().is_some() || self.is_yes_or_no() {
            return None;
        }
        (!asked.is_some_and(|asked| self.leaves(asked))).then_some(question)
    }

    /// Returns whether a message is word for word an option of the field that was asked: then it is nothing else, whatever the
    /// option is called. A yes or no to something that was asked back is an answer to that.
    pub(super) fn picks_exactly(&self) -> bool {
        let text = &self.turn.text;
        let asked = field(&self.form, self.state.asked.as_deref());
        let nods = (self.is_offered() || self.state.wished.is_some())
            && (phrase::agrees(text) || phrase::declines(text));
        !nods && asked.is_some_and(|asked| names_option(std::slice::from_ref(asked), text))
    }

    /// Returns whether a message only says yes or no to what was asked back.
    pub(super) fn is_yes_or_no(&self) -> bool {
        let text = &self.turn.text;
        let waits = self.state.summed.is_some() && !self.state.resumed;
        waits && phrase::agrees(text) || self.is_offered() && (phrase::agrees(text) || phrase::declines(text))
    }

    /// Returns whether the person was last asked about something uncertain.
    pub(super) fn is_offered(&self) -> bool {
        self.state.offers.iter().any(|offer| offer.put > 0)
    }

    /// Returns whether a message is no answer to a field of words, though it is made of words.
    fn leaves(&self, asked: &Field) -> bool {
        let text = &self.turn.text;
        let words = matches!(asked.kind, Kind::Text | Kind::Multiline);
        let may_skip = !asked.required || self.values.contains_key(&asked.id);
        let skips = phrase::skips(text) && (may_skip || text.to_lowercase().contains("skip"));
        words && (skips || phrase::asks_back(text))
            || phrase::tries_again(text) && (words || !self.state.barren.is_empty())
    }
}
