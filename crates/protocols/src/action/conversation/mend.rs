//! Changing what is known. A value is given up only for another one that is good: what is not understood changes nothing.

use holdpoint_core::{Field, Kind};
use jiff::civil::DateTime;
use serde_json::Value;

use super::super::reader::{self, Manner, Question, Reading, Taken, Withheld, manner};
use super::which::Either;
use super::{KEPT, Talk, field, next, say};

impl Talk<'_> {
    /// Returns the rest of a text behind a no, where that changes what is known: then the no does not answer what was
    /// asked. `no, the 4th` speaks of what was said last, unless a no could be the answer.
    pub(super) fn objection<'b>(&'b self, question: Question<'b>, asked: &'b Field) -> Option<Question<'b>> {
        let text = reader::after_no(question.text)?;
        let last = field(&self.form, self.state.last.as_deref())
            .filter(|last| !reader::takes_no(asked) && !last.kind.is_text() && last.id != asked.id);
        let changes = |back: &Question<'_>| {
            reader::read(*back).taken.iter().any(|taken| {
                let other = taken.field != asked.id;
                // A bare day may belong to what was asked; an option says itself whose it is.
                let sure =
                    back.asked.is_some() || self.field(&taken.field).is_some_and(|field| field.kind.picks());
                other && sure && self.values.get(&taken.field).is_some_and(|known| *known != taken.value)
            })
        };
        let tries = [last, Some(asked), None].into_iter().enumerate();
        let tries = tries.filter(|(at, asked)| *at > 0 || asked.is_some());
        tries.map(|(_, asked)| Question { asked, text, ..question }).find(changes)
    }

    /// Takes a message that is the name of one option and nothing else, whatever was asked: of a field that is open, or anew of
    /// one that is answered. What the asked field can take itself is its own.
    pub(super) fn bare(&self) -> Option<Reading> {
        // Whether something can be read does not hang on the day.
        const ANY_DAY: DateTime = DateTime::constant(2026, 1, 1, 0, 0, 0, 0);
        let text = self.said();
        let asked = field(&self.form, self.state.asked.as_deref());
        if !self.turn.typed.is_empty() || self.again.is_some() {
            return None;
        }
        // A yes or no belongs to what was asked, and to what was asked back before that.
        let answers = reader::agrees(text) || reader::declines(text);
        let back = self.state.summed.is_some() || self.state.offered.is_some();
        if answers && (back || asked.is_none()) {
            return None;
        }
        let (whose, option) = reader::bare_option(&self.visible(), text)?;
        if answers && asked.is_some_and(|asked| asked.id != whose.id) {
            return None;
        }
        let known = self.values.contains_key(&whose.id);
        let other = asked.map_or(known, |asked| asked.id != whose.id) || self.state.summed.is_some();
        let back = reader::after_no(text).is_some() || manner(text) == Manner::Correct;
        // What may answer what was asked is a reader's, unless it is word for word what was offered and would be taken for
        // something else: an option may be called `Not sure` or `Today`.
        let exact = asked.is_some_and(|asked| {
            let (fields, known) = (&self.form.fields, &self.values);
            let question = Question { fields, asked: Some(asked), text, now: ANY_DAY, known };
            reader::is_label(option, text) && reader::read(question).value(&whose.id).is_none()
        });
        if !other && !back && !exact && reader::command(text).is_none() {
            return None;
        }
        if asked.is_some_and(|asked| matches!(asked.kind, Kind::Text | Kind::Multiline)) {
            // A text may be called like an option, but not by who takes something back.
            if !(known && back) {
                return None;
            }
        } else if let Some(asked) = asked.filter(|asked| asked.id != whose.id) {
            let (fields, known_values) = (&self.form.fields, &self.values);
            let question = Question { fields, asked: Some(asked), text, now: ANY_DAY, known: known_values };
            let reading = reader::read(question);
            // Own words are no better reading of it, while its field is open.
            let own = reading.value(&asked.id).is_some_and(|value| value.get("text").is_some());
            let takes = (known || !own) && reading.value(&asked.id).is_some()
                || reading.partial.iter().any(|half| half.field == asked.id)
                || reading.unsure.iter().any(|unsure| unsure.field == asked.id);
            // Of several that are ticked it cannot be told whether this one is added, unless that is said.
            if takes || known && whose.kind == Kind::Choices && !reader::adds(text) {
                return None;
            }
        }
        let mut value = holdpoint_core::field::picking(whose, &option.id);
        if let (Kind::Choices, true, Some(Value::Array(held))) =
            (whose.kind, reader::adds(text), self.values.get(&whose.id))
            && let Value::Array(ticked) = &mut value
        {
            let more = std::mem::replace(ticked, held.clone());
            ticked.extend(more.into_iter().filter(|option| !held.contains(option)));
        }
        let taken = Taken { field: whose.id.clone(), value, words: text.trim().to_owned() };
        Some(Reading { taken: vec![taken], ..Reading::default() })
    }

    /// Returns why the text only speaks of a change, if it does. In an answer in words others may want what they like.
    pub(super) fn withheld(&self) -> Option<Withheld> {
        if self.values.is_empty() {
            return None;
        }
        let words = field(&self.form, self.state.asked.as_deref())
            .is_some_and(|field| matches!(field.kind, Kind::Text | Kind::Multiline));
        reader::withheld(&self.form.fields, self.said()).filter(|why| !(words && *why == Withheld::Others))
    }
}

/// Says how to change a choice to whoever gave the name of one of its options as an answer in words.
pub(super) fn tell_of_option(talk: &mut Talk<'_>, asked: Option<&str>) {
    let Some(asked) = asked.filter(|id| talk.values.get(*id).is_some_and(|value| *value == talk.turn.text))
    else {
        return;
    };
    let visible = talk.visible();
    let Some((whose, option)) = reader::bare_option(&visible, &talk.turn.text) else { return };
    if whose.id != asked && talk.values.contains_key(&whose.id) {
        let (name, label) = (say::called(whose), holdpoint_core::text::inert_line(&option.label));
        talk.tell(format!("If you meant the {name}, say: change the {name} to {label}."));
    }
}

/// Says that nothing was changed, for a change was only spoken of.
pub(super) fn withhold(talk: &mut Talk<'_>, why: Withheld) {
    let text = match why {
        Withheld::Denied => "Nothing was changed.",
        Withheld::Asked => {
            "I took that as a question, so nothing was changed. If you want it, say: change … to …"
        }
        Withheld::Supposed => {
            "I took that as a thought, so nothing was changed. If you want it, say: change … to …"
        }
        Withheld::Others => {
            "I took that as what somebody else wants, so nothing was changed. If you want it too, say: change … to …"
        }
    };
    talk.tell(text);
}

/// Asks for what was named but not understood, with what is known of it kept. Returns whether there was such a field.
pub(super) fn ask_named(talk: &mut Talk<'_>, reading: &Reading) -> bool {
    let known = |id: &String| {
        reading.value(id).is_some()
            || reading.partial.iter().any(|half| half.field == *id)
            || reading.unsure.iter().any(|unsure| unsure.field == *id)
    };
    let open: Vec<String> = reading.named.iter().filter(|id| !known(id)).cloned().collect();
    for id in &open {
        if !reading.unfit.iter().any(|unfit| unfit.field == *id) {
            talk.tell(format!("I didn't get what {} shall be.", talk.called(id)));
        }
        if !reopen(talk, id) {
            next::ask_first(talk, id);
        }
    }
    !open.is_empty()
}

/// Asks which end of a span is meant by a day alone. Returns whether it could be either.
pub(super) fn ask_which(talk: &mut Talk<'_>, text: &str) -> bool {
    let words = field(&talk.form, talk.state.asked.as_deref()).is_some_and(|field| field.kind.is_text());
    let plain = !matches!(manner(text), Manner::Correct | Manner::Edit) && reader::after_no(text).is_none();
    let visible: Vec<Field> = talk.visible().into_iter().cloned().collect();
    let Some((start, end)) = reader::either_end(&visible, &talk.values, text).filter(|_| !(words && plain))
    else {
        return false;
    };
    let text = crate::cut(text, KEPT).to_owned();
    talk.state.either = Some(Either { start: start.id.clone(), end: end.id.clone(), text, told: false });
    true
}

/// Opens the one field that a correction names. Returns whether it did: else nothing is changed, and that is said.
pub(super) fn change(talk: &mut Talk<'_>, text: &str) -> bool {
    let visible: Vec<Field> = talk.visible().into_iter().cloned().collect();
    let named: Vec<String> =
        reader::named(&visible, text).into_iter().map(|field| field.id.clone()).collect();
    if let [id] = &named[..]
        && reopen(talk, id)
    {
        return true;
    }
    let list = |ids: &[String]| ids.iter().map(|id| talk.called(id)).collect::<Vec<_>>().join(" or ");
    let text = match &named[..] {
        [id] => format!("There is no answer for {} yet, so nothing was changed.", talk.called(id)),
        [] => {
            let known = visible.iter().rev().find(|field| talk.values.contains_key(&field.id));
            let example = known.map_or_else(String::new, |field| {
                format!(" Say for example: change the {} to …", say::called(field))
            });
            format!("I didn't get what to change, so nothing was changed.{example}")
        }
        several => format!("That could be {}, so nothing was changed. Which one is it?", list(several)),
    };
    talk.tell(text);
    false
}

/// Asks anew for a field that has a value, which stays until there is another. Returns whether it has one.
pub(super) fn reopen(talk: &mut Talk<'_>, id: &str) -> bool {
    let (Some(field), Some(value)) = (talk.field(id), talk.values.get(id)) else { return false };
    let text = stays(field, value);
    talk.tell(text);
    talk.state.asked = Some(id.to_owned());
    talk.state.postponed.retain(|postponed| postponed != id);
    next::ask_first(talk, id);
    true
}

/// Says what a field keeps.
pub(super) fn stays(field: &Field, value: &serde_json::Value) -> String {
    let name = say::capital(&say::called(field));
    format!("{name}: it stays {} until there is a new one.", say::value(field, value))
}

/// Finds the one field that a text names.
pub(super) fn named(talk: &Talk<'_>, text: &str) -> Option<String> {
    let visible: Vec<Field> = talk.visible().into_iter().cloned().collect();
    match &reader::named(&visible, text)[..] {
        [one] => Some(one.id.clone()),
        _ => None,
    }
}

/// Gives up what an optional field holds, where a text says so: `remove the handover notes`. Says what came of it.
pub(super) fn clear(talk: &mut Talk<'_>, text: &str) -> bool {
    if !reader::removes(text) {
        return false;
    }
    let Some(id) = named(talk, text) else { return false };
    let Some(field) = talk.field(&id) else { return false };
    let (required, name) = (field.required, say::called(field));
    match talk.values.contains_key(&id) {
        false => talk.tell(format!("There is no answer for {name}, so nothing was changed.")),
        true if required => {
            talk.tell(format!("{}: this is needed, so it cannot be left out.", say::capital(&name)));
            reopen(talk, &id);
        }
        true => {
            talk.values.remove(&id);
            talk.set(Vec::new());
            talk.state.postponed.push(id);
            talk.tell(format!("I have removed {name}."));
        }
    }
    true
}
