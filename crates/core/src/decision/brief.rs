//! The short form of a long decision, for lists. It is made once, when the decision is written, so that a list neither
//! reads nor parses the long document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

use super::Decision;
use crate::text::start;

/// Decisions up to this size are listed in full.
const LISTED_WHOLE: usize = 64 << 10;
/// How much of each member of a longer one is shown.
const MEMBER: usize = 2 << 10;

/// The members that are cut short if they are long.
const TEXTS: [&str; 4] = ["title", "prompt", "guidance", "reason"];
/// The member that a person must have seen to consent.
const SUBJECT: &str = "subject";
/// The members that are left out if they are long, and what replaces them.
const LEFT_OUT: [(&str, &str); 6] = [
    ("fields", "[]"),
    ("outs", "[]"),
    ("default", "null"),
    ("draft", "{}"),
    ("origin", "null"),
    ("reports", "[]"),
];

type Members<'a> = BTreeMap<&'a str, Cow<'a, RawValue>>;

/// Returns the short form of a decision's document, if it is too long for lists to show in full. Long texts are cut
/// short, the subject and other long members are empty, and `truncated` names both. Everything about its identity,
/// state and people stays.
///
/// # Errors
/// Fails if the document is not a JSON object.
pub fn brief(document: &str) -> Result<Option<String>, serde_json::Error> {
    if document.len() <= LISTED_WHOLE {
        return Ok(None);
    }
    let mut members = read(document)?;
    let mut truncated: Vec<String> = match members.get("truncated") {
        Some(names) => serde_json::from_str(names.get())?,
        None => Vec::new(),
    };
    for name in TEXTS {
        if cut(&mut members, name)? {
            truncated.push(name.to_owned());
        }
    }
    for (name, empty) in LEFT_OUT {
        if leave_out(&mut members, name, empty)? {
            truncated.push(name.to_owned());
        }
    }
    if let Some(subject) = members.get_mut(SUBJECT).filter(|subject| subject.get() != "null") {
        *subject = Cow::Owned(RawValue::from_string("null".to_owned())?);
        truncated.push(SUBJECT.to_owned());
    }
    if let Some(answer) = members.get("answer").filter(|answer| answer.get().len() > MEMBER) {
        let mut given = read(answer.get())?;
        let message = cut(&mut given, "message")?;
        let values = leave_out(&mut given, "values", "{}")?;
        if message | values | leave_out(&mut given, "written", "{}")? {
            let short = to_raw_value(&given)?;
            members.insert("answer", Cow::Owned(short));
            truncated.push("answer".to_owned());
        }
    }
    if !truncated.is_empty() {
        members.insert("truncated", Cow::Owned(to_raw_value(&truncated)?));
    }
    serde_json::to_string(&members).map(Some)
}

/// Reads a short form. Only a whole document can be checked against the log, so the result never has a subject, and its
/// `truncated` always names it.
///
/// # Errors
/// Fails if the document is not a decision.
pub fn from_brief(document: &str) -> Result<Decision, serde_json::Error> {
    let mut decision: Decision = serde_json::from_str(document)?;
    decision.subject = None;
    if !decision.truncated.iter().any(|name| name == SUBJECT) {
        decision.truncated.push(SUBJECT.to_owned());
    }
    Ok(decision)
}

/// Reads an object without parsing its members.
fn read(object: &str) -> Result<Members<'_>, serde_json::Error> {
    let members: BTreeMap<&str, &RawValue> = serde_json::from_str(object)?;
    Ok(members.into_iter().map(|(name, member)| (name, Cow::Borrowed(member))).collect())
}

/// Empties a long member; returns whether it was long.
fn leave_out(members: &mut Members<'_>, name: &str, empty: &str) -> Result<bool, serde_json::Error> {
    match members.get_mut(name) {
        Some(member) if member.get().len() > MEMBER => {
            *member = Cow::Owned(RawValue::from_string(empty.to_owned())?);
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Cuts a long text short; returns whether it was long.
fn cut(members: &mut Members<'_>, name: &str) -> Result<bool, serde_json::Error> {
    let Some(member) = members.get_mut(name).filter(|member| member.get().len() > MEMBER) else {
        return Ok(false);
    };
    let text: Option<String> = serde_json::from_str(member.get())?;
    let Some(text) = text.filter(|text| text.len() > MEMBER) else { return Ok(false) };
    *member = Cow::Owned(to_raw_value(&format!("{}…", start(&text, MEMBER)))?);
    Ok(true)
}
