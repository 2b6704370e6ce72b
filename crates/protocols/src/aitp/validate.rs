//! Validates a message: first against its schema, then for its meaning.

use std::collections::{HashMap, HashSet};

use holdpoint_core::Timestamp;
use serde::Serialize;

use super::document::{Document, Kind, ValueRef};
use super::family::{Capability, Family, family};
use super::finding::{Finding, Findings, Path};
use super::rules::names::NAMES;
use super::rules::{Rules, legacy, rules};
use super::semantic;
use super::shape::{Shape, check};

/// The result of validating a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether the message satisfies its capability's schema.
    pub valid: bool,
    /// The capability, if it can be determined.
    pub capability: Option<Capability>,
    /// The name of the message, if it can be determined.
    pub message: Option<&'static str>,
    /// What is wrong; if all are from the semantic layer, the schema is still satisfied.
    pub errors: Vec<Finding>,
    /// What is unusual or unwise.
    pub warnings: Vec<Finding>,
    /// Whether it is accepted as a message: valid, unambiguous, and not too large.
    #[serde(skip)]
    pub(super) readable: bool,
}

/// How many values a message may have. A thousand products with every possible member have 19,000.
const MOST_VALUES: usize = 50_000;

/// Validates a text. `now` determines which quotes have expired.
pub fn validate(text: &str, now: Timestamp) -> Verdict {
    validate_with(text, now, |verdict, _| verdict)
}

/// Validates a text and passes on the verdict and, if the message satisfies its schema, its body.
pub(super) fn validate_with<R>(
    text: &str,
    now: Timestamp,
    see: impl FnOnce(Verdict, Option<ValueRef<'_>>) -> R,
) -> R {
    let mut found = Findings::default();
    let document = match Document::read(text, &NAMES) {
        Ok(document) => document,
        Err(malformed) => {
            let message = format!("is not JSON: {} at byte {}", malformed.why, malformed.at);
            found.schema(&Path::default(), message);
            return see(verdict(found, None, None), None);
        }
    };
    let root = document.root();
    if root.kind() != Kind::Object {
        found.schema(&Path::default(), format!("a message must be an object, not {}", root.kind().name()));
        return see(verdict(found, None, None), None);
    }
    let envelope = Envelope::open(root);
    let named = envelope.schema.and_then(ValueRef::text).as_deref().and_then(family);
    let judged = judge(&envelope, &candidates(&envelope, named));
    let SchemaVerdict { capability, message, body, errors } = judged;
    found.errors = errors;
    let body = body.filter(|_| found.errors.is_empty());
    if let Some((message, body)) = message.zip(body) {
        warn_of_schema(named, capability, message, &mut found);
        one_meaning(&document, &mut found);
        semantic::check(capability, message, body, now, &mut found);
    }
    see(verdict(found, capability, message), body)
}

/// Checks that the message is unambiguous, so that it is not read differently where it is carried out, and not too
/// large.
fn one_meaning(document: &Document<'_>, found: &mut Findings) {
    let values = document.count();
    if values > MOST_VALUES {
        let message = format!("has {values} values; a message with more than {MOST_VALUES} is not read");
        found.unreadable(&[], message);
        return;
    }
    for ambiguity in document.ambiguities() {
        found.unreadable(&ambiguity.way, ambiguity.why);
    }
}

/// Validates bytes, which need not be text.
pub fn validate_bytes(bytes: &[u8], now: Timestamp) -> Verdict {
    match std::str::from_utf8(bytes) {
        Ok(text) => validate(text, now),
        Err(why) => {
            let mut found = Findings::default();
            found.schema(&Path::default(), format!("is not JSON: no UTF-8 at byte {}", why.valid_up_to()));
            verdict(found, None, None)
        }
    }
}

fn verdict(found: Findings, capability: Option<Capability>, message: Option<&'static str>) -> Verdict {
    let Findings { errors, warnings, unreadable } = found;
    let valid = errors.iter().all(|error| error.layer == super::Layer::Semantic);
    Verdict { valid, capability, message, errors, warnings, readable: valid && !unreadable }
}

/// The top-level members of a message, found in one pass: there may be a hundred thousand of them.
struct Envelope<'d> {
    root: ValueRef<'d>,
    schema: Option<ValueRef<'d>>,
    bodies: HashMap<&'static str, ValueRef<'d>>,
}

impl<'d> Envelope<'d> {
    fn open(root: ValueRef<'d>) -> Self {
        let all = || Capability::ALL.into_iter().map(rules).chain([legacy()]);
        let known: HashSet<&'static str> = all().flat_map(Rules::names).collect();
        let mut envelope = Self { root, schema: None, bodies: HashMap::new() };
        for child in root.children() {
            let key = child.key();
            // If a name occurs twice, the last one counts.
            if key == "$schema" {
                envelope.schema = Some(child);
            } else if let Some(name) = known.get(key.as_ref()) {
                envelope.bodies.insert(name, child);
            }
        }
        envelope
    }

    /// Iterates over the bodies of a message that a capability knows.
    fn bodies(
        &self,
        rules: &'static Rules,
    ) -> impl Iterator<Item = (&'static str, &'static Shape, ValueRef<'d>)> {
        rules.messages.iter().filter_map(|(name, shape)| Some((*name, shape, *self.bodies.get(name)?)))
    }
}

/// Returns the rules to check. A `$schema` that names a capability decides; under the earlier addresses of payments,
/// both forms were sent. If it names none, the name of the body decides.
fn candidates(envelope: &Envelope<'_>, named: Option<Family>) -> Vec<&'static Rules> {
    match named {
        Some(Family { capability, legacy: false, .. }) => vec![rules(capability)],
        Some(_) => vec![legacy(), rules(Capability::Payments)],
        None => {
            let all = Capability::ALL.into_iter().map(rules).chain([legacy()]);
            all.filter(|rules| envelope.bodies(rules).next().is_some()).collect()
        }
    }
}

struct SchemaVerdict<'d> {
    capability: Option<Capability>,
    message: Option<&'static str>,
    body: Option<ValueRef<'d>>,
    errors: Vec<Finding>,
}

/// Checks the rules one after the other until one is satisfied; otherwise returns the findings of the first.
fn judge<'d>(envelope: &Envelope<'d>, candidates: &[&'static Rules]) -> SchemaVerdict<'d> {
    let mut first: Option<SchemaVerdict<'d>> = None;
    for rules in candidates {
        for (name, shape, body) in envelope.bodies(rules) {
            let mut found = Findings::default();
            check_schema(envelope, &mut found);
            check(body, shape, &Path::default().member(name), &mut found);
            if !rules.open {
                refuse_further(envelope.root, name, &mut found);
            }
            let judged = SchemaVerdict {
                capability: Some(rules.capability),
                message: Some(name),
                body: Some(body),
                errors: found.errors,
            };
            if judged.errors.is_empty() {
                return judged;
            }
            first.get_or_insert(judged);
        }
    }
    first.unwrap_or_else(|| {
        let mut found = Findings::default();
        check_schema(envelope, &mut found);
        found.schema(&Path::default(), format!("has no message in it; expected {}", expected(candidates)));
        let capability = candidates.first().map(|rules| rules.capability);
        SchemaVerdict { capability, message: None, body: None, errors: found.errors }
    })
}

fn check_schema(envelope: &Envelope<'_>, found: &mut Findings) {
    let path = Path::default();
    match envelope.schema {
        None => found.schema(&path, "\"$schema\" is missing; it must be a string".into()),
        Some(schema) if schema.kind() != Kind::Text => {
            let message = format!("{} must be a string", schema.kind().name());
            found.schema(&path.member("$schema"), message);
        }
        Some(_) => {}
    }
}

fn refuse_further(root: ValueRef<'_>, message: &str, found: &mut Findings) {
    let path = Path::default();
    for child in root.children() {
        let key = child.key();
        if key != "$schema" && key != message {
            found.schema(&path.member(&key), format!("must not be given together with {message}"));
        }
        if found.is_full() {
            return;
        }
    }
}

fn expected(candidates: &[&'static Rules]) -> String {
    let names: Vec<&str> = if candidates.is_empty() {
        Capability::ALL.into_iter().flat_map(|capability| rules(capability).names()).collect()
    } else {
        candidates.iter().flat_map(|rules| rules.names()).collect()
    };
    let mut unique: Vec<&str> = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    format!("one of {}", unique.join(", "))
}

/// Warns about a `$schema` that names nothing, or something newer: the message can be valid all the same.
fn warn_of_schema(
    named: Option<Family>,
    capability: Option<Capability>,
    message: &str,
    found: &mut Findings,
) {
    let root = Path::default();
    let path = root.member("$schema");
    let Some(capability) = capability else { return };
    match named {
        None => {
            let schema = capability.schema();
            let message = format!(
                "names no capability of AITP; taken for {} because of {message}; its address is {schema}",
                capability.title()
            );
            found.warn(&path, message);
        }
        Some(Family { major, .. }) if major > 1 => {
            found.warn(&path, format!("names version {major}; judged as version 1, the newest known"));
        }
        Some(_) => {}
    }
}
