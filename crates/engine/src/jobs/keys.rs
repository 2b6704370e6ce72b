//! Which keys an answer is.

use holdpoint_core::field::has_custom_text;
use holdpoint_core::job::SHOWN;
use holdpoint_core::{Act, Decision, Event};
use serde_json::Value;

use super::escalation::{LISTED, PROTOCOL};
use crate::sessions::{Key, Keys, On};

/// Keys, and what must stand on the screen for them.
type Line = (Keys, On);

/// How an agent is typed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// It gets each key as it is pressed.
    Keys,
    /// It gets whole lines: a key is followed by Enter, and Escape means nothing to it.
    Lines,
}

/// What an agent that reads lines is told instead of Escape.
const NO: &str = "n";

/// Returns what is typed for an action, one input after the other; or why nothing can be.
pub(super) fn keys(event: &Event, decision: Option<&Decision>, input: Input) -> Result<Vec<Line>, String> {
    let origin = decision.and_then(|decision| decision.origin.as_ref());
    // Who asked through another door is answered there.
    if origin.is_some_and(|origin| origin.protocol != PROTOCOL) {
        return Ok(Vec::new());
    }
    let extra = origin;
    let said = |key: &str| extra.and_then(|origin| origin.extra.get(key)).and_then(Value::as_str);
    let enter = extra.and_then(|origin| origin.extra.get("enter")).and_then(Value::as_bool).unwrap_or(true);
    let enter = enter || input == Input::Lines;
    // An answer is for the prompt that it was given to, and what is said besides for no prompt at all.
    let answered = said(SHOWN).map_or(On::Anything, |print| On::Prompt(print.to_owned()));
    let words = |text: &str| (Keys::Line(text.to_owned()), On::NoPrompt);
    let message = |act: &Act| act.message.as_deref().map(words);
    let list = decision.and_then(|decision| List::of(decision, input));
    let no = said("no").map(|no| if no == ESCAPE && input == Input::Lines { NO } else { no });
    let place = extra.and_then(|origin| origin.extra.get("words")).and_then(Value::as_u64);
    let place = place.and_then(|number| u8::try_from(number).ok());
    Ok(match event {
        Event::SessionInput { act, input: text, .. } if act.decision_id.is_none() => vec![words(text)],
        Event::SessionInput { act, input: text, .. } => {
            if let (Some(list), Some(decision)) = (&list, decision) {
                let typed = list.chosen(decision, enter, answered)?;
                return Ok(typed.into_iter().chain(message(act)).collect());
            }
            let typed = match text.as_str() {
                "y" => said("yes").unwrap_or("y"),
                "n" => no.unwrap_or(NO),
                other => other,
            };
            std::iter::once((answer(typed, enter), answered)).chain(message(act)).collect()
        }
        Event::SessionRespond { act, accept: true, option, .. } => {
            let number = option.unwrap_or(1).to_string();
            std::iter::once((answer(&number, enter), answered)).chain(message(act)).collect()
        }
        Event::SessionRespond { act, accept: false, .. } => match (message(act), said("revise")) {
            (Some((words, on)), Some(number)) => {
                let on = place.map_or(on, On::Words);
                vec![(answer(number, enter), answered), (words, on)]
            }
            (Some((words, _)), None) if input == Input::Lines => vec![(words, answered)],
            (None, number) if input == Input::Lines => vec![(answer(number.unwrap_or(NO), enter), answered)],
            // Enter would accept the plan.
            (Some(words), None) => vec![escape(answered), words],
            (None, _) => vec![escape(answered)],
        },
        Event::JobResume { act, restart: false } | Event::CrewResume { act, restart: false } => {
            // Words alone to a question are its answer.
            if let (Some(list), Some(words)) = (&list, &act.message) {
                return Ok(list.words(words, enter, answered));
            }
            // Words instead of a yes or a no: the prompt is declined, and they say what is wanted instead.
            let declined = no.map(|no| (answer(no, enter), answered));
            message(act).into_iter().flat_map(|words| declined.clone().into_iter().chain([words])).collect()
        }
        _ => Vec::new(),
    })
}

/// A question on the screen that is a list: Enter takes the option that is marked, whatever was typed before it.
struct List {
    /// The numbers that the options have there.
    numbers: Vec<u64>,
    /// The number of the one that takes words.
    words: Option<u8>,
    input: Input,
}

impl List {
    fn of(decision: &Decision, input: Input) -> Option<Self> {
        let listed = decision.origin.as_ref()?.extra.get(LISTED)?;
        let numbers = listed.get("numbers")?.as_array()?.iter().filter_map(Value::as_u64).collect();
        let words = listed.get("words").and_then(Value::as_u64).and_then(|number| u8::try_from(number).ok());
        Some(Self { numbers, words, input })
    }

    /// Returns what is typed for what a person chose.
    fn chosen(&self, decision: &Decision, enter: bool, answered: On) -> Result<Vec<Line>, String> {
        let values = decision.answer.iter().flat_map(|answer| &answer.values);
        let values: Vec<&Value> = values
            .flat_map(|(_, value)| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
            .collect();
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        for value in values {
            let options = decision.fields.iter().flat_map(|field| &field.options);
            let at = value.as_str().and_then(|id| options.clone().position(|option| option.id == id));
            match (at.and_then(|at| self.numbers.get(at)), value.as_str()) {
                (Some(number), _) => numbers.push(number.to_string()),
                // That option is not the agent's: it stands for the words that were proposed.
                (None, Some(_)) => words.extend(decision.guidance.clone()),
                (None, None) => words.extend(has_custom_text(value).map(str::to_owned)),
            }
        }
        match (numbers.as_slice(), words.as_slice()) {
            ([], [words]) => Ok(self.words(words, enter, answered)),
            ([one], []) if one.len() > 1 && !enter => Err(format!(
                "The answer to {} was not typed: the agent's list takes one key, and {one} would be taken for {}. Choose it \
                 there: hold job attach",
                decision.id,
                &one[..1]
            )),
            ([_, ..], []) => Ok(vec![(answer(&numbers.join(","), enter), answered)]),
            _ => Err(format!(
                "The answer to {} was not typed: options and own words cannot both be entered into the agent's list.",
                decision.id
            )),
        }
    }

    /// Returns what is typed for own words: first the option that takes them is chosen, or the list is left.
    fn words(&self, text: &str, enter: bool, answered: On) -> Vec<Line> {
        let line = Keys::Line(text.to_owned());
        match self.words {
            Some(number) => vec![(answer(&number.to_string(), enter), answered), (line, On::Words(number))],
            None if self.input == Input::Lines => vec![(line, answered)],
            None => vec![escape(answered), (line, On::NoPrompt)],
        }
    }
}

const ESCAPE: &str = "\u{1b}";

fn escape(on: On) -> Line {
    (Keys::Press(vec![Key::Escape]), on)
}

/// A number or a key is pressed where that alone chooses; words, and what is read as a line, need Enter.
fn answer(text: &str, enter: bool) -> Keys {
    let key = text.chars().count() == 1 || text.chars().all(|c| c.is_ascii_digit());
    if key && (!enter || text == ESCAPE) { press(text) } else { Keys::Line(text.to_owned()) }
}

fn press(text: &str) -> Keys {
    let key = |c| if c == '\u{1b}' { Key::Escape } else { Key::Char(c) };
    Keys::Press(text.chars().map(key).collect())
}
