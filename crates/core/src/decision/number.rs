//! The one flat numbering: the options of all fields, then Other, then the outs, then `_accept`. A field that is asked
//! only after a choice and has numbers as option ids (patch sets) is not numbered, so that one option never has two
//! numbers.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Decision;
use crate::field::definition::ACCEPT;
use crate::field::{Field, Opt, has_custom_text, picked};
use crate::json::Values;

/// One numbered line of the available choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// The number, from 1.
    pub number: usize,
    /// What the person reads.
    pub label: &'a str,
    /// A longer description.
    pub description: Option<&'a str>,
    /// Whether the asker recommends it.
    pub recommended: bool,
    /// What choosing it means.
    pub means: NumberMeaning<'a>,
}

impl<'a> Entry<'a> {
    /// Returns the id of the option; free text has none.
    pub fn id(&self) -> Option<&'a str> {
        match self.means {
            NumberMeaning::Option(_, option)
            | NumberMeaning::Out(option)
            | NumberMeaning::Accept(_, option) => Some(&option.id),
            NumberMeaning::Other => None,
        }
    }

    /// Returns the field that it answers; entries that apply to all fields have none.
    pub fn field(&self) -> Option<&'a str> {
        match self.means {
            NumberMeaning::Option(field, _) | NumberMeaning::Accept(field, _) => Some(&field.id),
            NumberMeaning::Other | NumberMeaning::Out(_) => None,
        }
    }
}

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberMeaning<'a> {
    /// An option of a field.
    Option(&'a Field, &'a Opt),
    /// Free text.
    Other,
    /// An out, taken instead of answering.
    Out(&'a Opt),
    /// Accepting the proposal as it stands.
    Accept(&'a Field, &'a Opt),
}

/// The id of free text where options are listed.
pub const OTHER: &str = "_other";

/// What was chosen for one of several questions, by id and number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// The question that it answers; empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// The number of the option among all; options picked by their id have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The id of the option; [`OTHER`] for free text.
    pub id: String,
}

/// Returns the fields that are numbered. Optional text that is asked only after a choice (such as another command than
/// the one to approve) is left to interfaces that show forms, so that it does not turn one question into two.
pub fn questions(decision: &Decision) -> Vec<&Field> {
    let aside = |field: &&Field| {
        field.visible_if.is_some() && !field.required && !field.kind.picks() && !field.custom
    };
    let asked: Vec<&Field> = decision.fields.iter().filter(|field| !aside(field)).collect();
    if asked.is_empty() { decision.fields.iter().collect() } else { asked }
}

/// Numbers everything that can be chosen, over all fields.
pub fn entries(decision: &Decision) -> Vec<Entry<'_>> {
    let questions = questions(decision);
    let other = questions.iter().any(|field| takes_words(field)).then_some(NumberMeaning::Other);
    let options = questions.iter().copied().flat_map(numbered_options);
    let outs = decision.outs.iter().map(NumberMeaning::Out);
    let accept = questions.iter().copied().flat_map(accepting);
    numbered(options.chain(other).chain(outs).chain(accept))
}

/// Returns the number of an option, given its place in its field; none if it is picked by its id.
pub fn of_option(decision: &Decision, field: &Field, at: usize) -> Option<usize> {
    if goes_by_ids(field) {
        return None;
    }
    if field.options.get(at).is_some_and(|option| option.id == ACCEPT) {
        let before = questions(decision).into_iter().take_while(|other| other.id != field.id);
        return Some(of_out(decision, decision.outs.len()) + before.flat_map(accepting).count());
    }
    let before = questions(decision).into_iter().take_while(|other| other.id != field.id);
    Some(before.map(|other| numbered_options(other).count()).sum::<usize>() + at + 1)
}

/// Returns whether the options of a field are picked by their ids, because the ids are numbers.
pub fn goes_by_ids(field: &Field) -> bool {
    let is_number = |option: &Opt| option.id.bytes().all(|byte| byte.is_ascii_digit());
    field.visible_if.is_some() && field.kind.picks() && field.options.iter().all(is_number)
}

/// Returns the number of an out by its place.
pub fn of_out(decision: &Decision, at: usize) -> usize {
    let questions = questions(decision);
    let options: usize = questions.iter().map(|field| numbered_options(field).count()).sum();
    options + usize::from(questions.iter().any(|field| takes_words(field))) + at + 1
}

/// Returns the number of free text, if any field takes it.
pub fn of_words(decision: &Decision) -> Option<usize> {
    questions(decision).iter().any(|field| takes_words(field)).then(|| of_out(decision, 0) - 1)
}

/// Numbers what one field offers, counted from 1: its options, then Other.
pub fn group(field: &Field) -> Vec<Entry<'_>> {
    numbered(offered(field).chain(takes_words(field).then_some(NumberMeaning::Other)))
}

/// Lists what the answer chose, with the numbers as a person would type them: per field if several are asked, else
/// flat.
pub fn chosen(decision: &Decision) -> Vec<Entry<'_>> {
    let Some(answer) = &decision.answer else { return Vec::new() };
    match questions(decision).as_slice() {
        fields @ [_, _, ..] if answer.out.is_none() => {
            let of_field = |field| taken(group(field), &[field], &answer.values, None);
            fields.iter().copied().flat_map(of_field).collect()
        }
        fields => taken(entries(decision), fields, &answer.values, answer.out.as_deref()),
    }
}

/// Returns the numbers of what an answer takes, over all fields, in the order it takes them. Free text has one number
/// for all questions, which is repeated for each question that it answers.
pub fn numbers(decision: &Decision, values: &Values, out: Option<&str>) -> Vec<usize> {
    if let Some(out) = out {
        let at = decision.outs.iter().position(|option| option.id == out);
        return at.map(|at| of_out(decision, at)).into_iter().collect();
    }
    all_picks(decision, values).into_iter().filter_map(|pick| pick.number).collect()
}

/// Returns what an answer takes for each of several questions, or for one that was answered with free text. Otherwise
/// the result is empty, because the answer itself says it.
pub(crate) fn picks(decision: &Decision, values: &Values, out: Option<&str>) -> Vec<Pick> {
    if out.is_some() {
        return Vec::new();
    }
    let questions = questions(decision);
    let is_words = |field: &Field, value: &Value| has_custom_text(value).is_some() || field.kind.is_text();
    let has_words = |field: &&Field| values.get(&field.id).is_some_and(|value| is_words(field, value));
    if questions.len() < 2 && !questions.iter().any(has_words) {
        return Vec::new();
    }
    let mut picks = all_picks(decision, values);
    if questions.len() < 2 {
        for pick in &mut picks {
            pick.field.clear();
        }
    }
    picks
}

/// Returns what an answer takes, question by question, in the order in which it takes it.
fn all_picks(decision: &Decision, values: &Values) -> Vec<Pick> {
    let (entries, words) = (entries(decision), of_words(decision));
    // A map, because an answer may take ten thousand of ten thousand options.
    let numbers: HashMap<(&str, &str), usize> =
        entries.iter().filter_map(|entry| Some(((entry.field()?, entry.id()?), entry.number))).collect();
    let pick = |field: &Field, number, id: &str| Pick { field: field.id.clone(), number, id: id.to_owned() };
    let of_field = |field: &Field, value: &Value| {
        let number = |id: &str| numbers.get(&(field.id.as_str(), id)).copied();
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let ids = items.iter().filter_map(|item| item.as_str().or_else(|| item.get("id")?.as_str()));
        // Options picked by their id have no number, and neither have variants.
        let known = |id: &&str| number(id).is_some() || field.option(id).is_some();
        let ids = ids.filter(|_| field.kind.picks()).filter(known);
        let mut taken: Vec<Pick> = ids.map(|id| pick(field, number(id), id)).collect();
        if has_custom_text(value).is_some() || field.kind.is_text() {
            taken.push(pick(field, words, OTHER));
        }
        taken
    };
    let given = questions(decision).into_iter().filter_map(|field| Some((field, values.get(&field.id)?)));
    given.flat_map(|(field, value)| of_field(field, value)).collect()
}

/// Keeps the entries that an answer takes for some fields.
fn taken<'a>(
    entries: Vec<Entry<'a>>,
    fields: &[&Field],
    values: &Values,
    out: Option<&str>,
) -> Vec<Entry<'a>> {
    let given = || fields.iter().filter_map(|field| Some((*field, values.get(&field.id)?)));
    let picks: HashSet<(&str, &str)> = given()
        .flat_map(|(field, value)| {
            let id = field.id.as_str();
            picked(field, value).into_iter().map(move |picked| (id, picked.option.id.as_str()))
        })
        .collect();
    let words = given().any(|(field, value)| has_custom_text(value).is_some() || field.kind.is_text());
    let is_taken = |entry: &Entry<'_>| match (entry.means, out) {
        (NumberMeaning::Out(option), Some(out)) => option.id == out,
        (_, Some(_)) | (NumberMeaning::Out(_), None) => false,
        (NumberMeaning::Option(field, option) | NumberMeaning::Accept(field, option), None) => {
            picks.contains(&(field.id.as_str(), option.id.as_str()))
        }
        (NumberMeaning::Other, None) => words,
    };
    entries.into_iter().filter(is_taken).collect()
}

/// Returns whether a field takes free text.
pub fn takes_words(field: &Field) -> bool {
    field.custom || field.kind.is_text()
}

fn offered(field: &Field) -> impl Iterator<Item = NumberMeaning<'_>> {
    field
        .options
        .iter()
        .filter(|option| option.id != ACCEPT)
        .map(move |option| NumberMeaning::Option(field, option))
}

fn numbered_options(field: &Field) -> impl Iterator<Item = NumberMeaning<'_>> {
    offered(field).filter(|_| !goes_by_ids(field))
}

fn accepting(field: &Field) -> impl Iterator<Item = NumberMeaning<'_>> {
    field
        .options
        .iter()
        .filter(|option| option.id == ACCEPT)
        .map(move |option| NumberMeaning::Accept(field, option))
}

fn numbered<'a>(means: impl Iterator<Item = NumberMeaning<'a>>) -> Vec<Entry<'a>> {
    let entry = |(at, means)| {
        let (label, description, recommended) = match means {
            NumberMeaning::Option(_, option)
            | NumberMeaning::Out(option)
            | NumberMeaning::Accept(_, option) => {
                (option.label.as_str(), option.description.as_deref(), option.recommended)
            }
            NumberMeaning::Other => ("Other", Some("Answer in your own words (-m)"), false),
        };
        Entry { number: at + 1, label, description, recommended, means }
    };
    means.enumerate().map(entry).collect()
}
