//! What a reader is asked about a message, if anything: which words, and as an answer to what.

use holdpoint_core::Kind;
use jiff::civil::DateTime;

use super::super::briefing::Briefing;
use super::super::reader::{self, Manner, Question, manner};
use super::which::Again;
use super::{Talk, field};

impl Talk<'_> {
    /// Returns what a reader must be asked before the turn can be answered, if anything.
    pub fn briefing(&self, now: DateTime) -> Option<Briefing<'_>> {
        let question = self.question(now)?;
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

    fn question(&self, now: DateTime) -> Option<Question<'_>> {
        let fields = &self.form.fields;
        if self.reads_again() {
            let text = self.state.heard.as_deref()?;
            return Some(Question { fields, asked: None, text, now, known: &self.values });
        }
        let text = self.undoubted.as_deref().unwrap_or_else(|| self.said());
        if text.trim().is_empty() {
            return None;
        }
        if let Some(Again { field: id, text, known }) = &self.again {
            return Some(Question { fields, asked: field(&self.form, Some(id)), text, now, known });
        }
        if self.withheld().is_some() || reader::undoes(text) || self.wished().is_some() {
            return None;
        }
        let how = manner(text);
        let waits = self.state.summed.is_some() && !self.state.resumed;
        // A yes needs no reading; what else is said may be for a later step.
        if waits && (reader::agrees(text) || how == Manner::Ask) {
            return None;
        }
        if self.bare().is_some() {
            return None;
        }
        let asked = field(&self.form, self.state.asked.as_deref());
        let question = Question { fields, asked, text, now, known: &self.values };
        let words = asked.is_some_and(|field| matches!(field.kind, Kind::Text | Kind::Multiline));
        // `skip` is no text, though a text was asked for; `none` may be one.
        let may_skip = asked.is_some_and(|field| !field.required || self.values.contains_key(&field.id));
        if words && how == Manner::Skip && (may_skip || reader::skips(text)) {
            return None;
        }
        if words && reader::hesitates(text) {
            return None;
        }
        // To look once more is no text either.
        if how == Manner::Again && (words || !self.state.barren.is_empty()) {
            return None;
        }
        // Whoever asks back has not answered yet.
        if words && reader::asks_back(text) && !asked.is_some_and(reader::takes_questions) {
            return None;
        }
        // `move it a week later` is no answer in words either.
        if words && !reader::shifted(Question { asked: None, ..question }).is_empty() {
            return Some(Question { asked: None, ..question });
        }
        if let Some(asked) = asked
            && !words
            && let Some(back) = self.objection(question, asked)
        {
            return Some(back);
        }
        // `no, annual` takes back what was said before, if it can be read as that.
        // So does `the end date is Thursday`.
        let objects = words
            && (reader::objects(text)
                || reader::takes_back(fields, text)
                || asked.is_some_and(|asked| reader::states_another(question, asked)));
        if !(objects || matches!(how, Manner::Correct | Manner::Edit)) {
            return Some(question);
        }
        // `Friday, and make it unpaid` answers first.
        if let Some(asked) = asked
            && !words
            && !self.values.contains_key(&asked.id)
            && !reader::opens_with_change(text)
        {
            let direct = reader::read(question);
            if direct.value(&asked.id).is_some() && direct.taken.len() > 1 {
                return Some(question);
            }
        }
        // Who takes something back speaks of what was said last, unless it was in words.
        let last = field(&self.form, self.state.last.as_deref())
            .filter(|field| !field.kind.is_text() && self.values.contains_key(&field.id));
        let text_back = if objects { reader::after_no(text).unwrap_or(text) } else { text };
        let mut back = Question { asked: last, text: text_back, ..question };
        if objects && reader::read(back).is_empty() {
            back.asked = None;
        }
        // To whom words were asked of, words of change may be the answer: `a change of scenery`.
        let either = reader::either_end(fields, &self.values, text).is_some();
        Some(if words && !either && reader::read(back).is_empty() && !reader::takes_back(fields, text) {
            question
        } else {
            back
        })
    }
}
