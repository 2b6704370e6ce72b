//! Our verdict beside that of a standard validator, on messages made from the published schemas and then spoilt.
//!
//! The schemas are not part of this project; `AITP_SCHEMAS` names the folder they lie in.

use std::path::PathBuf;

use holdpoint_protocols::aitp::{Capability, Message, validate};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::through_core::at;

/// How many messages are made from each schema.
const MESSAGES: usize = 3_000;

const SCHEMAS: [(Capability, &str, Option<&str>); 5] = [
    (Capability::Payments, "aitp-01-payments.v1.0.0.json", Some("PaymentProtocol")),
    (Capability::Decisions, "aitp-02-decisions.v1.0.0.json", Some("DecisionProtocol")),
    (Capability::DataRequest, "aitp-03-data-request.v1.0.0.json", None),
    (Capability::NearWallet, "aitp-04-near-wallet.v1.0.0.json", None),
    (Capability::EvmWallet, "aitp-05-evm-wallet.v1.0.0.json", None),
];

#[test]
#[ignore = "needs the published schemas, in the folder that AITP_SCHEMAS names"]
fn our_verdict_is_that_of_a_standard_validator() {
    let folder = std::env::var_os("AITP_SCHEMAS").map(PathBuf::from).unwrap();
    for (capability, file, component) in SCHEMAS {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        compare(capability, &document, component);
    }
}

fn compare(capability: Capability, document: &Value, component: Option<&str>) {
    // Two of the files are OpenAPI documents, in which the schema of a message is one of many.
    let schema = match component {
        Some(name) => json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": format!("#/components/schemas/{name}"),
            "components": document["components"],
        }),
        None => document.clone(),
    };
    let validator: Validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut maker = Maker { document, dice: Dice(0x9E37_79B9_7F4A_7C15 ^ capability.name().len() as u64) };
    let root = component.map_or(document, |name| &document["components"]["schemas"][name]);
    let (mut good, mut bad) = (0, 0);
    for round in 0..MESSAGES {
        let mut message = maker.make(root);
        message["$schema"] = capability.schema().into();
        for _ in 0..maker.dice.below(if round % 4 == 0 { 1 } else { 3 }) {
            maker.spoil(&mut message);
        }
        if message.get("$schema").and_then(Value::as_str).is_some_and(|named| named != capability.schema()) {
            // Another capability is not what is compared here.
            message["$schema"] = capability.schema().into();
        }
        let theirs = validator.is_valid(&message);
        let ours = validate(&message.to_string(), at(0));
        assert_eq!(ours.valid, theirs, "{message:#}\n{ours:?}");
        if theirs {
            good += 1;
            let read = Message::read(&message.to_string(), at(0))
                .map_err(|why| format!("{message:#}\n{why:?}"))
                .unwrap();
            assert_eq!(read.message.to_value().unwrap(), message);
        } else {
            bad += 1;
            assert!(!ours.errors.is_empty());
        }
    }
    assert!(good > MESSAGES / 4 && bad > MESSAGES / 4, "{}: {good} good, {bad} bad", capability.name());
}

/// Numbers that look thrown and are the same every time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % (most as u64 + 1)).unwrap()
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() - 1)]
    }
}

/// Makes values from a schema.
struct Maker<'a> {
    document: &'a Value,
    dice: Dice,
}

impl Maker<'_> {
    fn make(&mut self, schema: &Value) -> Value {
        if let Some(pointer) = schema["$ref"].as_str() {
            let target = self.document.pointer(pointer.trim_start_matches('#')).unwrap().clone();
            return self.make(&target);
        }
        for choice in ["anyOf", "oneOf"] {
            if let (Some(branches), None) = (schema[choice].as_array(), schema.get("properties")) {
                let branch = self.dice.one_of(branches).clone();
                return self.make(&branch);
            }
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.dice.one_of(values).clone();
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema),
            Some("array") => {
                let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
                let count = least + self.dice.below(2);
                (0..count).map(|_| self.make(&schema["items"])).collect()
            }
            Some("string") => self.string(schema["pattern"].as_str()),
            Some("integer") => self
                .dice
                .one_of(&[json!(1), json!(2.0), json!(7), json!(9_007_199_254_740_991_u64), json!(1e3)])
                .clone(),
            Some("number") => {
                self.dice.one_of(&[json!(0), json!(5), json!(4.25), json!(1), json!(5.0)]).clone()
            }
            Some("boolean") => json!(self.dice.below(1) == 1),
            other => unreachable!("no such type: {other:?}"),
        }
    }

    fn object(&mut self, schema: &Value) -> Value {
        let none = Map::new();
        let members = schema["properties"].as_object().unwrap_or(&none).clone();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut made = Map::new();
        for (name, member) in &members {
            if required.contains(&json!(name)) || self.dice.below(1) == 1 {
                made.insert(name.clone(), self.make(member));
            }
        }
        if let Some(each) = schema.get("additionalProperties").filter(|each| each.is_object()) {
            made.insert("Mail".into(), self.make(each));
        } else if schema.get("additionalProperties") != Some(&json!(false)) && self.dice.below(3) == 0 {
            made.insert("more".into(), self.anything());
        }
        Value::Object(made)
    }

    fn string(&mut self, pattern: Option<&str>) -> Value {
        let hex = |count: usize| json!(format!("0x{}", "aF9".repeat(count)[..count].to_owned()));
        match pattern {
            None => self
                .dice
                .one_of(
                    &["", "a", "x y", "2050-01-01T00:00:00Z", "https://x.example/", "é\u{1f600}"]
                        .map(Value::from),
                )
                .clone(),
            Some(pattern) if pattern.contains("{40}") => hex(40),
            Some(pattern) if pattern.contains("{64}") => hex(64),
            Some(pattern) if pattern.contains("0x") => hex(1 + self.dice.below(3)),
            Some(_) => self.dice.one_of(&["0", "12.50", "007", "1"].map(Value::from)).clone(),
        }
    }

    fn anything(&mut self) -> Value {
        let all = [
            json!(null),
            json!(true),
            json!(0),
            json!(1.5),
            json!(-1),
            json!(1.0),
            json!(6),
            json!(""),
            json!("x"),
            json!("1."),
            json!("1.5"),
            json!("0x"),
            json!("0x1g"),
            json!(format!("0x{}", "1".repeat(40))),
            json!([]),
            json!({}),
            json!([1]),
            json!(["x"]),
            json!([{}]),
            json!({"id": "a"}),
            json!([{"id": "a"}]),
            json!({"a": [[{}]]}),
            json!("radio"),
            json!("Quote"),
            json!("personal_sign"),
            json!("typed_data"),
            json!("success"),
            json!("other"),
        ];
        self.dice.one_of(&all).clone()
    }

    /// Changes one thing somewhere: takes a member away, puts one in, or puts another value in its place.
    fn spoil(&mut self, value: &mut Value) {
        let deeper = self.dice.below(3) > 0;
        match value {
            Value::Object(members) if !members.is_empty() => {
                let names: Vec<String> = members.keys().cloned().collect();
                let name = self.dice.one_of(&names).clone();
                let child = members.get_mut(&name).unwrap();
                match self.dice.below(4) {
                    _ if deeper && (child.is_object() || child.is_array()) => self.spoil(child),
                    0 => drop(members.remove(&name)),
                    1 => drop(members.insert("unknown".into(), self.anything())),
                    2 => {
                        let other = self.dice.one_of(&names).clone();
                        let copy = members[&other].clone();
                        members.insert(name, copy);
                    }
                    _ => *child = self.anything(),
                }
            }
            Value::Array(items) if !items.is_empty() => {
                let place = self.dice.below(items.len() - 1);
                match self.dice.below(3) {
                    _ if deeper => self.spoil(&mut items[place]),
                    0 => items.clear(),
                    1 => items.push(self.anything()),
                    _ => items[place] = self.anything(),
                }
            }
            other => *other = self.anything(),
        }
    }
}
