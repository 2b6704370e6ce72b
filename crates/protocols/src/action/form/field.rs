//! One field, in our own format (`kind`) or in the published ones (`type`).

use holdpoint_core::field::OptionsFrom;
use holdpoint_core::text::{inert_line, quote};
use holdpoint_core::{Field, Kind, Opt, shape};
use serde_json::{Map, Value};

use super::{Findings, Source, Tool, condition};

/// Reads all fields; conditions last, because they refer to other fields.
pub(super) fn read_all(
    list: &[Value],
    source: Source,
    tools: &[Tool],
    findings: &mut Findings,
) -> ReadFields {
    let mut read = ReadFields::default();
    for (at, value) in list.iter().enumerate() {
        let pointer = format!("/fields/{at}");
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
        let place = if id.is_empty() { format!("field {}", at + 1) } else { id.to_owned() };
        let field = if let Value::Object(map) = value {
            let mut reading = FieldReader { map, source, tools, pointer, place: place.clone(), findings };
            if map.contains_key("kind") { reading.own() } else { reading.foreign() }
        } else {
            findings.flaw(&pointer, &place, "must be an object");
            None
        };
        if field.is_none() {
            options_twice(value, &format!("/fields/{at}/options"), &place, findings);
        }
        // Others may look at a field that cannot be read; that is no flaw of theirs.
        read.sound.push(field.is_some());
        read.fields.push(field.unwrap_or_else(|| Field::new(place.clone(), Kind::Text, place)));
    }
    condition::read_all(list, &mut read.fields, findings);
    read
}

/// Fields as far as they could be read.
#[derive(Debug, Default)]
pub(super) struct ReadFields {
    pub(super) fields: Vec<Field>,
    /// Which of them could; the others only keep their place.
    pub(super) sound: Vec<bool>,
}

struct FieldReader<'a> {
    map: &'a Map<String, Value>,
    source: Source,
    tools: &'a [Tool],
    pointer: String,
    place: String,
    findings: &'a mut Findings,
}

impl FieldReader<'_> {
    fn flaw(&mut self, key: &str, message: impl Into<String>) {
        self.findings.flaw(&format!("{}/{key}", self.pointer), &self.place, message);
    }

    fn warning(&mut self, key: &str, message: impl Into<String>) {
        self.findings.warning(&format!("{}/{key}", self.pointer), &self.place, message);
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.map.get(key).and_then(Value::as_str)
    }

    /// Reads a field as core knows it. `step` and `synonyms` may stand in it, though core keeps them in `extra`;
    /// its condition is read with the others.
    fn own(&mut self) -> Option<Field> {
        let mut map = self.map.clone();
        map.remove("visible_if");
        let mut extra = match map.remove("extra") {
            Some(Value::Object(extra)) => extra,
            Some(_) => {
                self.flaw("extra", "extra must be an object");
                return None;
            }
            None => Map::new(),
        };
        for key in ["step", "synonyms", "unit"] {
            extra.extend(map.remove_entry(key));
        }
        if let Some(Value::Array(options)) = map.get_mut("options") {
            for option in options.iter_mut() {
                if let Value::String(text) = option {
                    *option = serde_json::json!({ "id": text, "label": text });
                }
                let words = option.as_object_mut().and_then(|option| option.remove("synonyms"));
                if let (Some(words), Value::Object(option)) = (words, option) {
                    let extra = option.entry("extra").or_insert_with(|| Value::Object(Map::new()));
                    if let Value::Object(extra) = extra {
                        extra.insert("synonyms".into(), words);
                    }
                }
            }
        }
        match shape::read::<Field>(Value::Object(map.clone())) {
            Ok(field) => {
                let field = Field { extra, ..field };
                self.check_extra(&field);
                Some(field)
            }
            Err(error) => {
                let whole = worded(&error.why);
                if !self.each_key(&map) {
                    self.flaw("", whole);
                }
                None
            }
        }
    }

    /// Finds all keys that are wrong by themselves, so that all are reported. Returns whether there were any.
    fn each_key(&mut self, map: &Map<String, Value>) -> bool {
        let before = self.findings.flaws.len();
        for (key, value) in map {
            let mut one = Map::from_iter([("id".into(), "x".into()), ("kind".into(), "text".into())]);
            one.insert(key.clone(), value.clone());
            if let Err(error) = shape::read::<Field>(Value::Object(one)) {
                self.flaw(key, worded(&error.why));
            }
        }
        self.findings.flaws.len() > before
    }

    fn check_extra(&mut self, field: &Field) {
        if field.extra.get("step").is_some_and(|step| step.as_u64().is_none_or(|step| step == 0)) {
            self.flaw("step", "step must be a whole number from 1");
        }
        let words = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
        let mut all = std::iter::once(&field.extra).chain(field.all_options().map(|option| &option.extra));
        if all.any(|extra| extra.get("synonyms").is_some_and(|value| !words(value))) {
            self.flaw("synonyms", "synonyms must be a list of words");
        }
    }

    /// Reads a field of the published generations. Keys that they do not know are ignored, as they do.
    fn foreign(&mut self) -> Option<Field> {
        let before = self.findings.flaws.len();
        let id = self.named("id");
        let kind = self.kind();
        let spoken = id.clone().unwrap_or_default();
        let label = match (self.text("prompt"), self.source) {
            (Some(prompt), _) if !prompt.trim().is_empty() => prompt.to_owned(),
            (None, Source::FrontMatter) => super::words_of(&spoken),
            _ => {
                self.flaw(
                    "prompt",
                    if self.map.contains_key("prompt") {
                        "prompt must be a text that is not empty"
                    } else {
                        "prompt: Field required"
                    },
                );
                String::new()
            }
        };
        let required = self.required();
        let mut field = Field::new(id?, kind?, label);
        field.required = required;
        self.options(&mut field);
        self.step_and_words(&mut field);
        if self.source == Source::FrontMatter {
            self.remarks(&mut field);
        }
        (self.findings.flaws.len() == before).then_some(field)
    }

    fn named(&mut self, key: &str) -> Option<String> {
        match self.map.get(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
            Some(_) => {
                self.flaw(key, format!("{key} must be a text that is not empty"));
                None
            }
            None => {
                self.flaw("", format!("{key}: Field required"));
                None
            }
        }
    }

    fn kind(&mut self) -> Option<Kind> {
        let name = self.named("type")?;
        let kind = match (name.as_str(), self.source) {
            ("dropdown", _) => Kind::Choice,
            ("checkbox", _) => Kind::Choices,
            // The protocol takes any text that is not blank, line breaks and all.
            ("text", _) => Kind::Multiline,
            ("date", _) => Kind::Date,
            ("datetime", _) => Kind::Datetime,
            ("location", _) => Kind::Location,
            ("time", Source::FrontMatter) => Kind::Time,
            ("file", Source::FrontMatter) => {
                self.warning("type", "files are not accepted; the name or address is asked as text");
                Kind::Text
            }
            _ => {
                let known = match self.source {
                    Source::Json => "dropdown, checkbox, text, date, datetime, location",
                    Source::FrontMatter => "dropdown, checkbox, text, date, datetime, time, location, file",
                };
                self.flaw("type", format!("type {} is unknown; the types are {known}", quote(&name)));
                return None;
            }
        };
        Some(kind)
    }

    fn required(&mut self) -> bool {
        let unsaid = self.source == Source::Json;
        match self.map.get("required") {
            None | Some(Value::Null) => unsaid,
            Some(Value::Bool(said)) => *said,
            Some(Value::String(word)) => match word.to_lowercase().as_str() {
                "true" | "yes" => true,
                "false" | "no" => false,
                "conditional" => {
                    let shown = self.map.contains_key("visible_if") || self.map.contains_key("depends_on");
                    if !shown {
                        self.warning(
                            "required",
                            "is conditional, but nothing says on what; it can be skipped",
                        );
                    }
                    shown
                }
                _ => {
                    self.flaw("required", format!("required is true or false, not {}", quote(word)));
                    false
                }
            },
            Some(other) => {
                let message = format!("required is true or false, not {}", inert_line(&other.to_string()));
                self.flaw("required", message);
                false
            }
        }
    }

    fn options(&mut self, field: &mut Field) {
        let kind = self.text("type").unwrap_or_default().to_owned();
        let given = self.map.get("options").filter(|value| !value.is_null());
        let Some(given) = given else {
            if field.kind.picks() && !self.options_from(field) {
                self.flaw("", format!("a {kind} needs options"));
            }
            return;
        };
        if !field.kind.picks() {
            self.flaw("options", format!("a {kind} takes no options; use dropdown or checkbox"));
            return;
        }
        let read = |item: &Value| match item {
            Value::String(text) => Some(Opt::new(text, text)),
            Value::Object(map) if self.source == Source::FrontMatter => {
                let text = |keys: [&str; 3]| keys.iter().find_map(|key| map.get(*key).map(plain));
                let label = text(["label", "name", "title"]);
                let id = text(["id", "value", "label"]).or_else(|| label.clone())?;
                Some(Opt::new(id.clone(), label.unwrap_or(id)))
            }
            Value::Number(_) | Value::Bool(_) if self.source == Source::FrontMatter => {
                Some(Opt::new(plain(item), plain(item)))
            }
            _ => None,
        };
        let items = given.as_array().map(Vec::as_slice).unwrap_or_default();
        let options: Option<Vec<Opt>> = items.iter().map(read).collect();
        match options {
            Some(options) if !options.is_empty() => field.options = options,
            _ => self.flaw("options", "options must be a list of texts, at least one"),
        }
    }

    /// Takes the options from a tool where the form says that they come from one.
    fn options_from(&self, field: &mut Field) -> bool {
        let Some(source) = self.text("data_source") else { return false };
        let word = |name: &str| {
            source.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').any(|word| word == name)
        };
        let tool = self.tools.iter().find(|tool| word(&tool.name));
        field.options_from =
            tool.map(|tool| OptionsFrom { tool: tool.name.clone(), args: Map::new(), path: None });
        field.options_from.is_some()
    }

    /// Reads which step the field belongs to, and an addition of ours that the others ignore: `synonyms`, a list
    /// for the field, or for its options an object of lists by option.
    fn step_and_words(&mut self, field: &mut Field) {
        let number = match self.map.get("step") {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.parse().ok(),
            _ => None,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1000, checked")]
        if let Some(step) = number.filter(|step| (1.0..=1000.0).contains(step)) {
            field.extra.insert("step".into(), (step as u64).into());
        }
        match self.map.get("synonyms") {
            Some(Value::Array(words)) => {
                field.extra.insert("synonyms".into(), Value::Array(words.clone()));
            }
            Some(Value::Object(of_options)) => {
                for (id, words) in of_options {
                    match field.options.iter_mut().find(|option| option.id == *id) {
                        Some(option) => {
                            option.extra.insert("synonyms".into(), words.clone());
                        }
                        None => self
                            .flaw("synonyms", format!("synonyms for {}, which is not an option", quote(id))),
                    }
                }
            }
            _ => {}
        }
        self.check_extra(field);
    }

    /// Keeps what front matter says about a field in words, for the person to read.
    fn remarks(&mut self, field: &mut Field) {
        let mut remarks = Vec::new();
        for key in ["description", "constraints", "validation"] {
            match self.map.get(key) {
                Some(Value::String(text)) if !text.trim().is_empty() => remarks.push(text.trim().to_owned()),
                Some(Value::Object(bounds)) => {
                    field.min = bounds.get("min").cloned().or(field.min.take());
                    field.max = bounds.get("max").cloned().or(field.max.take());
                }
                _ => {}
            }
        }
        field.description = Some(remarks.join("\n\n")).filter(|text| !text.is_empty());
        field.default = self.map.get("default").filter(|value| !value.is_null()).cloned();
    }
}

/// Finds options that stand twice in a field that cannot be read for something else.
fn options_twice(field: &Value, pointer: &str, place: &str, findings: &mut Findings) {
    let options = field.get("options").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let id = |option: &Value| {
        let own = ["id", "value", "label"].iter().find_map(|key| option.get(*key)).unwrap_or(option);
        own.as_str().map(str::to_owned)
    };
    let ids: Vec<String> = options.iter().filter_map(id).collect();
    for (at, id) in ids.iter().enumerate() {
        if ids[..at].contains(id) {
            findings.flaw(pointer, place, format!("option id {} occurs twice; ids must differ", quote(id)));
        }
    }
}

/// Returns what is wrong with a field of ours. Where it lists the keys, those are named too that core keeps in `extra`.
fn worded(why: &serde_json::Error) -> String {
    let text = inert_line(&why.to_string());
    let more = match text.starts_with("unknown field") {
        true if text.contains("`options_from`") => ", `step`, `synonyms`, `unit`",
        true if text.contains("`recommended`") => ", `synonyms`",
        _ => "",
    };
    format!("{text}{more}")
}

/// Returns a scalar as it was written.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
