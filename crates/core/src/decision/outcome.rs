//! What an answer amounts to: which options it picks, and whether it is a no.

use super::{Decision, Source, Status, refusing};
use crate::field::{self, Kind, Opt};
use crate::json::Values;

/// An option that an answer picked.
#[derive(Debug)]
pub struct ChosenOption<'a> {
    /// The field it was picked in; none for an out.
    pub field: Option<&'a str>,
    /// The option.
    pub option: &'a Opt,
    /// The quantity.
    pub quantity: u64,
}

/// Lists the options that the decision's answer picks, outs included.
pub fn chosen(decision: &Decision) -> Vec<ChosenOption<'_>> {
    let Some(answer) = &decision.answer else { return Vec::new() };
    picks(decision, &answer.values, answer.out.as_deref())
}

/// Returns whether a decision was settled by a no: a refusing option, an out, free text where an option could have
/// consented, a text that reads as a no where nothing else was asked, or, for an approval, a message alone.
pub fn is_refusal(decision: &Decision) -> bool {
    let answered = matches!(decision.status, Status::Answered | Status::TimedOut);
    let answer = decision.answer.as_ref().filter(|_| answered);
    answer.is_some_and(|answer| {
        let words_alone = decision.source == Source::Approval && answer.values.is_empty();
        words_alone || refuses(decision, &answer.values, answer.out.as_deref())
    })
}

/// Returns whether values and an out would consent to the decision's subject: it has one, an option is picked, and no
/// picked option refuses.
pub fn consents_to_subject(decision: &Decision, values: &Values, out: Option<&str>) -> bool {
    decision.subject.is_some() && !values.is_empty() && !refuses(decision, values, out)
}

/// Returns whether values would refuse the decision.
pub(crate) fn would_refuse(decision: &Decision, values: &Values) -> bool {
    refuses(decision, values, None)
}

pub(super) fn refuses(decision: &Decision, values: &Values, out: Option<&str>) -> bool {
    out.is_some()
        || picks(decision, values, None).iter().any(|chosen| chosen.option.refuses)
        || is_plain_no(decision, values)
        || is_nothing(decision, values)
        || are_words_no(decision, values)
}

/// Returns whether nothing was picked although only a picked option consents: there is a subject and a list to pick
/// from, and no yes/no question was answered with yes.
fn is_nothing(decision: &Decision, values: &Values) -> bool {
    let has_options = decision.fields.iter().any(|field| field.all_options().next().is_some());
    let is_yes = |field: &field::Field| values.get(&field.id) == Some(&serde_json::Value::Bool(true));
    decision.subject.is_some()
        && has_options
        && !values.is_empty()
        && picks(decision, values, None).is_empty()
        && !decision.fields.iter().any(is_yes)
}

/// Returns whether free text in the place of an option is not a yes: it reads as a no, an option beside it does, or
/// there is a subject, which only an option can consent to. Only the asker can tell what "Monday" means; code that acts
/// on a yes must not guess.
fn are_words_no(decision: &Decision, values: &Values) -> bool {
    let refuse = |field: &field::Field| {
        let words = values.get(&field.id).and_then(field::has_custom_text);
        words.is_some_and(|words| {
            decision.subject.is_some()
                || refusing::is_no(words)
                || field.all_options().any(|option| option.refuses)
        })
    };
    !refusing::is_foreign(decision)
        && (decision.fields.iter().any(|field| field.kind == Kind::Choice && refuse(field))
            || is_text_no(decision, values))
}

/// Returns whether the only thing asked for is a text, and it reads as a no: "Deploy?" can be asked that way, too.
fn is_text_no(decision: &Decision, values: &Values) -> bool {
    let [field] = decision.fields.as_slice() else { return false };
    let text = values.get(&field.id).and_then(serde_json::Value::as_str);
    field.kind.is_text() && text.is_some_and(refusing::is_no)
}

/// Returns whether a yes/no question is answered with no where that can only mean a refusal: it is the only question,
/// or there is a subject and no option refuses it. In a form, and in requests of other protocols, it is a value like
/// any other.
fn is_plain_no(decision: &Decision, values: &Values) -> bool {
    let fields = decision.fields.as_slice();
    let is_no = |field: &field::Field| {
        field.kind == Kind::Boolean && values.get(&field.id) == Some(&serde_json::Value::Bool(false))
    };
    let refusable = || fields.iter().flat_map(field::Field::all_options).any(|option| option.refuses);
    // An optional text field beside it changes nothing.
    let is_remark = |field: &&field::Field| field.kind.is_text() && !field.required;
    let is_all = fields.iter().filter(|field| !is_remark(field)).count() == 1;
    let is_asked = is_all || decision.subject.is_some() && !refusable();
    is_asked && !refusing::is_foreign(decision) && fields.iter().any(is_no)
}

/// Lists the options that values and an out pick.
pub(super) fn picks<'a>(decision: &'a Decision, values: &Values, out: Option<&str>) -> Vec<ChosenOption<'a>> {
    let of_field = |field: &'a field::Field| {
        let value = values.get(&field.id);
        value.into_iter().flat_map(move |value| field::picked(field, value)).map(|picked| ChosenOption {
            field: Some(&field.id),
            option: picked.option,
            quantity: picked.quantity,
        })
    };
    let out = decision.outs.iter().find(|option| out == Some(option.id.as_str()));
    let out = out.map(|option| ChosenOption { field: None, option, quantity: 1 });
    decision.fields.iter().flat_map(of_field).chain(out).collect()
}

/// Lists the ids of the first options, for a message.
pub(super) fn list(options: &[Opt]) -> String {
    const SHOWN: usize = 12;
    if options.is_empty() {
        return "(none)".into();
    }
    let ids: Vec<&str> = options.iter().take(SHOWN).map(|option| option.id.as_str()).collect();
    let more = if options.len() > SHOWN { " …" } else { "" };
    crate::text::inert_line(&format!("{}{more}", ids.join(", ")))
}
