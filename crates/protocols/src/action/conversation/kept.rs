//! How far a talk has come, as it is kept with the draft. What is read may come from another version or from somebody who
//! means harm: what cannot be read is no state, and what is read is no larger than what is written.

use serde_json::Value;

use super::{KEPT, State, offer};

/// How many names a list of fields, steps or tools may have.
const MOST: usize = 1_000;
/// How many characters of what was told last are kept: enough to know what it asked.
const TOLD: usize = 20_000;
/// How high anything is counted.
const HIGHEST: u32 = 1_000;

impl State {
    /// Returns the state as JSON, without what follows from the log.
    pub fn kept(&self) -> Value {
        serde_json::to_value(self.clone().bounded()).unwrap_or_default()
    }

    /// Reads a state that was kept. None, if it is none.
    pub fn read(kept: &Value) -> Option<Self> {
        use serde::Deserialize as _;
        kept.is_object().then(|| Self::deserialize(kept).ok()).flatten().map(Self::bounded)
    }

    fn bounded(mut self) -> Self {
        for list in [&mut self.postponed, &mut self.barren] {
            list.truncate(MOST);
        }
        self.confirmed.truncate(MOST);
        self.passed_by.truncate(offer::MOST);
        self.offers.truncate(offer::MOST);
        for offer in self.offers.iter_mut().chain(&mut self.offered) {
            offer.put = offer.put.min(HIGHEST);
            offer.words = crate::cut(&offer.words, KEPT).to_owned();
        }
        while self.halves.len() > MOST {
            self.halves.pop_last();
        }
        if let Some(either) = &mut self.either {
            either.text = crate::cut(&either.text, KEPT).to_owned();
        }
        self.heard = self.heard.map(|heard| crate::cut(&heard, KEPT).to_owned());
        self.said = crate::cut(&self.said, TOLD).to_owned();
        self.failures = self.failures.min(HIGHEST);
        self.rounds = self.rounds.min(HIGHEST);
        self
    }
}

/// Returns whether something need not be written.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Halves of dates and times, each as a text.
pub(super) mod halves {
    use std::collections::BTreeMap;

    use jiff::civil::{Date, Time};
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    type Halves = BTreeMap<String, (Option<Date>, Option<Time>)>;

    pub(crate) fn serialize<S: Serializer>(halves: &Halves, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(halves.iter().map(|(field, (date, time))| {
            (field, (date.map(|date| date.to_string()), time.map(|time| time.to_string())))
        }))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Halves, D::Error> {
        let texts = BTreeMap::<String, (Option<String>, Option<String>)>::deserialize(from)?;
        let read = |(field, (date, time)): (String, (Option<String>, Option<String>))| {
            let date = date.map(|date| date.parse()).transpose()?;
            let time = time.map(|time| time.parse()).transpose()?;
            Ok((field, (date, time)))
        };
        texts.into_iter().map(read).collect::<Result<_, jiff::Error>>().map_err(D::Error::custom)
    }
}

/// A wish about the whole form, as a word.
pub(super) mod wished {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use super::super::Command;

    const WORDS: [(Command, &str); 5] = [
        (Command::Send, "send"),
        (Command::Hold, "hold"),
        (Command::Cancel, "cancel"),
        (Command::Restart, "restart"),
        (Command::Help, "help"),
    ];

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(wished: &Option<Command>, out: S) -> Result<S::Ok, S::Error> {
        let word = wished.and_then(|wished| WORDS.iter().find(|(command, _)| *command == wished));
        word.map(|(_, word)| word).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Command>, D::Error> {
        let Some(word) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let known = WORDS.iter().find(|(_, known)| *known == word);
        known.map(|(command, _)| Some(*command)).ok_or_else(|| D::Error::custom("no wish is called so"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Command, Either, Offer};
    use super::*;

    fn full() -> State {
        let offer = |put| Offer {
            field: "start".into(),
            values: vec![json!("2026-11-03"), json!("2026-03-11")],
            words: "3/11".into(),
            put,
        };
        State {
            begun: true,
            asked: Some("start".into()),
            last: Some("kind".into()),
            first: Some("end".into()),
            postponed: vec!["notes".into()],
            confirmed: vec![1],
            summed: Some(2),
            failures: 2,
            halves: [("at".to_owned(), (Some(jiff::civil::date(2026, 11, 3)), None))].into(),
            offered: Some(offer(1)),
            offers: vec![offer(0)],
            wished: Some(Command::Cancel),
            passed_by: vec![("kind".into(), json!({"text": "own"}))],
            waiting: Some(json!("2026-11-09")),
            either: Some(Either {
                start: "start".into(),
                end: "end".into(),
                text: "sorry, Friday".into(),
                told: true,
            }),
            tool: Some("look".into()),
            unheard: 2,
            barren: vec!["other".into()],
            heard: Some("billing, please".into()),
            rounds: 1,
            resumed: false,
            said: "Did you mean …?".into(),
            past: Vec::new(),
        }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        assert_eq!(State::read(&full().kept()), Some(full()));
        assert_eq!(State::default().kept(), json!({}), "what says nothing is not written");
        assert_eq!(State::read(&json!({})), Some(State::default()));
        let time = State {
            halves: [("at".to_owned(), (None, Some(jiff::civil::time(9, 30, 0, 0))))].into(),
            ..State::default()
        };
        assert_eq!(State::read(&time.kept()), Some(time));
    }

    #[test]
    fn what_is_no_state_is_none() {
        for foreign in [
            json!(null),
            json!([]),
            json!("x"),
            json!({"begun": "yes"}),
            json!({"wished": "explode"}),
            json!({"halves": {"at": ["32 Brumaire", null]}}),
            json!({"failures": -1}),
            json!({"offered": {}}),
        ] {
            assert_eq!(State::read(&foreign), None, "{foreign}");
        }
    }

    #[test]
    fn nothing_grows_without_end() {
        let many = json!({
            "failures": u32::MAX, "rounds": u32::MAX, "heard": "x".repeat(1 << 20), "said": "é".repeat(1 << 20),
            "postponed": vec!["x"; 100_000], "confirmed": vec![1; 100_000],
            "offered": {"field": "a", "values": [], "words": "w".repeat(1 << 20), "put": u32::MAX},
        });
        let state = State::read(&many).unwrap();
        assert!(serde_json::to_string(&state.kept()).unwrap().len() < 100_000);
        assert_eq!((state.failures, state.offered.unwrap().put), (1_000, 1_000));
    }
}
