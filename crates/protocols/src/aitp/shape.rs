//! The required form of a value, as a table, and the check of it: the schema layer.

use std::borrow::Cow;

use holdpoint_core::text::quote;

use super::document::{Kind, Names, ValueRef};
use super::finding::{Findings, Path};
use super::rules::names::name;

/// The required form of a value.
#[derive(Debug)]
pub(super) enum Shape {
    /// Any string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// Digits, optionally with a decimal point.
    Amount,
    /// `0x` and this many hexadecimal digits, from least to most.
    Hex(usize, usize),
    /// Any number.
    Number,
    /// A number within bounds, both included.
    Between(f64, f64),
    /// A number without a fraction.
    Whole,
    /// A number without a fraction, and no less than this.
    WholeFrom(f64),
    /// True or false.
    Flag,
    /// A string or a number.
    TextOrNumber,
    /// Any object.
    AnyObject,
    /// An object with these members.
    Object(&'static Object),
    /// An object whose members all have this form, whatever their names.
    Each(&'static Shape),
    /// A list of these, and at least this many.
    List(&'static Shape, usize),
}

/// An object whose members are known.
#[derive(Debug)]
pub(super) struct Object {
    /// Whether other members are allowed beside the known ones.
    open: bool,
    /// The known members, at most [`MOST`].
    members: &'static [Member],
    /// By the index of a name, the member with it, counted from 1.
    named: [u8; Names::MOST + 1],
    /// What certain values of members require.
    demands: &'static [ConditionalMember],
}

impl Object {
    /// Adds what certain values of its members require.
    pub(super) const fn demanding(self, demands: &'static [ConditionalMember]) -> Self {
        Self { demands, ..self }
    }
}

/// One member of an object.
#[derive(Debug)]
pub(super) struct Member {
    name: &'static str,
    shape: Shape,
    required: bool,
}

/// A member that is required if another has a certain value.
#[derive(Debug)]
pub(super) struct ConditionalMember {
    pub(super) member: &'static str,
    pub(super) value: &'static str,
    pub(super) asks_for: &'static str,
}

const MOST: usize = 16;

/// Returns a required member.
pub(super) const fn must(name: &'static str, shape: Shape) -> Member {
    Member { name, shape, required: true }
}

/// Returns an optional member.
pub(super) const fn may(name: &'static str, shape: Shape) -> Member {
    Member { name, shape, required: false }
}

/// Returns an object that may have other members.
pub(super) const fn open(members: &'static [Member]) -> Object {
    object(members, true)
}

/// Returns an object that may not have other members.
pub(super) const fn closed(members: &'static [Member]) -> Object {
    object(members, false)
}

const fn object(members: &'static [Member], open: bool) -> Object {
    let mut named = [0; Names::MOST + 1];
    let mut at = 0;
    while at < members.len() {
        let place = name(members[at].name).index();
        at += 1;
        #[expect(clippy::cast_possible_truncation, reason = "no object has so many members")]
        {
            named[place] = at as u8;
        }
    }
    Object { open, members, named, demands: &[] }
}

/// Checks a value, and reports for each wrong place what would be right.
pub(super) fn check(at: ValueRef<'_>, shape: &Shape, path: &Path<'_>, found: &mut Findings) {
    if found.is_full() {
        return;
    }
    match (shape, at.kind()) {
        (Shape::Object(object), Kind::Object) => check_object(at, object, path, found),
        (Shape::Each(shape), Kind::Object) => check_each(at, shape, path, found),
        (Shape::List(shape, least), Kind::List) => check_list(at, shape, *least, path, found),
        _ if fits(at, shape) => {}
        _ => found.schema(path, format!("{} {}", shown(at), wanted(shape))),
    }
}

/// Returns whether a value other than a list or an object is right.
fn fits(at: ValueRef<'_>, shape: &Shape) -> bool {
    match shape {
        Shape::Text => at.kind() == Kind::Text,
        Shape::OneOf(known) => known.iter().any(|text| at.is_text(text)),
        Shape::Amount => at.text().is_some_and(|text| is_amount(&text)),
        Shape::Hex(least, most) => at.text().is_some_and(|text| is_hex(&text, *least, *most)),
        Shape::Number => at.kind() == Kind::Number,
        Shape::Between(least, most) => at.number().is_some_and(|number| (*least..=*most).contains(&number)),
        Shape::Whole => at.number().is_some_and(is_whole),
        Shape::WholeFrom(least) => at.number().is_some_and(|number| is_whole(number) && number >= *least),
        Shape::Flag => at.kind() == Kind::Bool,
        Shape::TextOrNumber => matches!(at.kind(), Kind::Text | Kind::Number),
        Shape::AnyObject => at.kind() == Kind::Object,
        Shape::Object(_) | Shape::Each(_) | Shape::List(..) => false,
    }
}

fn check_object(at: ValueRef<'_>, object: &Object, path: &Path<'_>, found: &mut Findings) {
    let mut present = [None; MOST];
    for child in at.children() {
        let member = object.named.get(child.name().index()).copied().map_or(0, usize::from);
        match member.checked_sub(1).and_then(|place| present.get_mut(place)) {
            // If a name occurs twice, the last one counts.
            Some(place) => *place = Some(child),
            None if object.open => {}
            None if found.is_full() => return,
            None => {
                let message = format!("is not known here; the members are {}", names(object));
                found.schema(&path.member(&child.key()), message);
            }
        }
    }
    for (member, child) in object.members.iter().zip(present) {
        match child {
            Some(child) if fits(child, &member.shape) => {}
            Some(child) => check(child, &member.shape, &path.member(member.name), found),
            None if member.required => {
                let what = wanted(&member.shape);
                found.schema(path, format!("{:?} is missing; it {what}", member.name));
            }
            None => {}
        }
    }
    for demand in object.demands {
        let given = at.text_of(demand.member);
        if given.as_deref() == Some(demand.value) && at.get(demand.asks_for).is_none() {
            let ConditionalMember { member, value, asks_for } = demand;
            found.schema(path, format!("{asks_for:?} is missing; {member} {value:?} asks for it"));
        }
    }
}

/// Checks every member. If a name occurs twice, the last one counts here too: which one that is only matters if
/// something is wrong.
fn check_each(at: ValueRef<'_>, shape: &Shape, path: &Path<'_>, found: &mut Findings) {
    let mut any = Findings::default();
    for child in at.children() {
        check(child, shape, path, &mut any);
        if !any.errors.is_empty() {
            break;
        }
    }
    if any.errors.is_empty() {
        return;
    }
    let mut last = std::collections::HashMap::new();
    for child in at.children() {
        last.insert(child.key(), child);
    }
    for key in at.children().map(ValueRef::key) {
        if let Some(child) = last.remove(&key) {
            check(child, shape, &path.member(&key), found);
        }
    }
}

fn check_list(at: ValueRef<'_>, shape: &Shape, least: usize, path: &Path<'_>, found: &mut Findings) {
    let mut count = 0;
    for (place, child) in at.children().enumerate() {
        check(child, shape, &path.item(place), found);
        count = place + 1;
        if found.is_full() {
            return;
        }
    }
    if count < least {
        found.schema(path, format!("is empty; it must have at least {least}"));
    }
}

/// Returns whether a number is an integer as a double, as for parsers that read doubles: 1.0 is one.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0
}

fn is_amount(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

fn is_hex(text: &str, least: usize, most: usize) -> bool {
    let digits = text.strip_prefix("0x");
    digits.is_some_and(|digits| {
        (least..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Describes the value that was found, as the start of a sentence.
fn shown(at: ValueRef<'_>) -> Cow<'static, str> {
    match at.text() {
        Some(text) => quote(&text).into(),
        None => at.kind().name().into(),
    }
}

/// Describes what would be right, as the end of a sentence.
fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Text => "must be a string".into(),
        Shape::OneOf([only]) => format!("must be {only:?}"),
        Shape::OneOf(known) => format!("must be one of {}", known.join(", ")),
        Shape::Amount => "must be an amount as a string of digits, like \"12.50\"".into(),
        Shape::Hex(least, most) if least == most => {
            format!("must be a string of 0x and {least} hexadecimal digits")
        }
        Shape::Hex(0, _) => "must be a string of 0x and hexadecimal digits, or none".into(),
        Shape::Hex(..) => "must be a string of 0x and hexadecimal digits".into(),
        Shape::Number => "must be a number".into(),
        Shape::Between(least, most) => format!("must be a number from {least} to {most}"),
        Shape::Whole => "must be a whole number".into(),
        Shape::WholeFrom(least) => format!("must be a whole number, at least {least}"),
        Shape::Flag => "must be true or false".into(),
        Shape::TextOrNumber => "must be a string or a number".into(),
        Shape::AnyObject | Shape::Each(_) => "must be an object".into(),
        Shape::Object(object) => {
            let required: Vec<&str> =
                object.members.iter().filter(|member| member.required).map(|member| member.name).collect();
            if required.is_empty() {
                "must be an object".into()
            } else {
                format!("must be an object with {}", required.join(", "))
            }
        }
        Shape::List(_, 0) => "must be a list".into(),
        Shape::List(_, least) => format!("must be a list of at least {least}"),
    }
}

fn names(object: &Object) -> String {
    object.members.iter().map(|member| member.name).collect::<Vec<_>>().join(", ")
}
