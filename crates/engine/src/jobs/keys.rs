//! The keys that type an answer.

use holdpoint_core::decision::SHOWN;
use holdpoint_core::field::has_custom_text;
use holdpoint_core::job::ACCEPTS;
use holdpoint_core::job::detect::PlanAcceptance;
use holdpoint_core::{Decision, Event, OwnerAction};
use serde_json::Value;

use super::escalation::{LISTED, PROTOCOL};
use crate::sessions::{Key, Keys, ScreenCondition};

/// Keys, and what must be on the screen for them.
type GuardedKeys = (Keys, ScreenCondition);

/// How an agent reads input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputMode {
    /// It reads each key as it is pressed.
    Keys,
    /// It reads whole lines: a key is followed by Enter, and Escape has no meaning.
    Lines,
}

/// What is typed instead of Escape to an agent that reads lines.
const NO: &str = "n";

/// Returns the inputs for an action, in order; or why there are none.
pub(super) fn keys(
    event: &Event,
    decision: Option<&Decision>,
    input: InputMode,
) -> Result<Vec<GuardedKeys>, String> {
    let origin = decision.and_then(|decision| decision.origin.as_ref());
    // A question that was asked through another door is answered there.
    if origin.is_some_and(|origin| origin.protocol != PROTOCOL) {
        return Ok(Vec::new());
    }
    let extra = origin;
    let said = |key: &str| extra.and_then(|origin| origin.extra.get(key)).and_then(Value::as_str);
    let enter = extra.and_then(|origin| origin.extra.get("enter")).and_then(Value::as_bool).unwrap_or(true);
    let enter = enter || input == InputMode::Lines;
    // An answer is for its own prompt, and an additional message for no prompt at all.
    let answered =
        said(SHOWN).map_or(ScreenCondition::Anything, |print| ScreenCondition::Prompt(print.to_owned()));
    let words = |text: &str| (Keys::Line(text.to_owned()), ScreenCondition::NoPrompt);
    // An unsolicited message must not become the answer to a question of the agent.
    let unasked = |text: &str| (Keys::Line(text.to_owned()), ScreenCondition::NoQuestion);
    let message = |act: &OwnerAction| act.message.as_deref().map(words);
    let list = decision.and_then(|decision| MenuQuestion::of(decision, input));
    let no = said("no").map(|no| if no == ESCAPE && input == InputMode::Lines { NO } else { no });
    let place = extra.and_then(|origin| origin.extra.get("words")).and_then(Value::as_u64);
    let place = place.and_then(|number| u8::try_from(number).ok());
    Ok(match event {
        Event::SessionInput { act, input: text, .. } if act.decision_id.is_none() => vec![unasked(text)],
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
            let number = accepting(decision, *option)?.to_string();
            std::iter::once((answer(&number, enter), answered)).chain(message(act)).collect()
        }
        Event::SessionRespond { act, accept: false, .. } => match (message(act), said("revise")) {
            (Some((words, on)), Some(number)) => {
                let on = place.map_or(on, ScreenCondition::Words);
                vec![(answer(number, enter), answered), (words, on)]
            }
            (Some((words, _)), None) if input == InputMode::Lines => vec![(words, answered)],
            (None, number) if input == InputMode::Lines => {
                vec![(answer(number.unwrap_or(NO), enter), answered)]
            }
            // Enter would accept the plan.
            (Some(words), None) => vec![escape(answered), words],
            (None, _) => vec![escape(answered)],
        },
        Event::JobResume { act, restart: false } | Event::CrewResume { act, restart: false } => {
            // Free text for a question is its answer.
            if let (Some(list), Some(words)) = (&list, &act.message) {
                return Ok(list.text_keys(words, enter, answered));
            }
            match (act.message.as_deref(), no) {
                (None, _) => Vec::new(),
                // Text instead of a yes or no: the prompt is declined, and the text says what is wanted instead.
                (Some(text), Some(no)) => vec![(answer(no, enter), answered), words(text)],
                (Some(text), None) => vec![unasked(text)],
            }
        }
        _ => Vec::new(),
    })
}

/// Returns the number in the agent's menu for the way to accept a plan that an action names with its own number. If no
/// menu was read, because the agent was not watched, the usual order is assumed.
fn accepting(decision: Option<&Decision>, option: Option<u8>) -> Result<u64, String> {
    let option = option.unwrap_or(1);
    let read = decision.and_then(|decision| Some((decision.id, decision.origin.as_ref()?)));
    let Some((id, origin)) = read else { return Ok(option.into()) };
    let way = usize::from(option).checked_sub(1).and_then(|at| PlanAcceptance::ALL.get(at));
    let number = way.and_then(|way| origin.extra.get(ACCEPTS)?.get(way.name())?.as_u64());
    number.ok_or_else(|| {
        format!("The answer to {id} was not typed: the agent's menu does not offer it. Choose there: hold job attach")
    })
}

/// A question on the screen that is a list: Enter takes the marked option, whatever was typed before it.
struct MenuQuestion {
    /// The numbers of the options on the screen.
    numbers: Vec<u64>,
    /// The number of the option that takes text.
    words: Option<u8>,
    input: InputMode,
}

impl MenuQuestion {
    fn of(decision: &Decision, input: InputMode) -> Option<Self> {
        let listed = decision.origin.as_ref()?.extra.get(LISTED)?;
        let numbers = listed.get("numbers")?.as_array()?.iter().filter_map(Value::as_u64).collect();
        let words = listed.get("words").and_then(Value::as_u64).and_then(|number| u8::try_from(number).ok());
        Some(Self { numbers, words, input })
    }

    /// Returns what is typed for a person's choice.
    fn chosen(
        &self,
        decision: &Decision,
        enter: bool,
        answered: ScreenCondition,
    ) -> Result<Vec<GuardedKeys>, String> {
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
                // That option is not in the agent's list: it stands for the proposed text.
                (None, Some(_)) => words.extend(decision.guidance.clone()),
                (None, None) => words.extend(has_custom_text(value).map(str::to_owned)),
            }
        }
        match (numbers.as_slice(), words.as_slice()) {
            ([], [words]) => Ok(self.text_keys(words, enter, answered)),
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

    /// Returns what is typed for free text: first the option that takes it is chosen, or the list is left.
    fn text_keys(&self, text: &str, enter: bool, answered: ScreenCondition) -> Vec<GuardedKeys> {
        let line = Keys::Line(text.to_owned());
        match self.words {
            Some(number) => {
                vec![(answer(&number.to_string(), enter), answered), (line, ScreenCondition::Words(number))]
            }
            None if self.input == InputMode::Lines => vec![(line, answered)],
            None => vec![escape(answered), (line, ScreenCondition::NoPrompt)],
        }
    }
}

const ESCAPE: &str = "\u{1b}";

fn escape(on: ScreenCondition) -> GuardedKeys {
    (Keys::Press(vec![Key::Escape]), on)
}

/// Returns a number or a key without Enter if that alone chooses; text, and anything for an agent that reads lines,
/// needs Enter.
fn answer(text: &str, enter: bool) -> Keys {
    let key = text.chars().count() == 1 || text.chars().all(|c| c.is_ascii_digit());
    if key && (!enter || text == ESCAPE) { press(text) } else { Keys::Line(text.to_owned()) }
}

fn press(text: &str) -> Keys {
    let key = |c| if c == '\u{1b}' { Key::Escape } else { Key::Char(c) };
    Keys::Press(text.chars().map(key).collect())
}
