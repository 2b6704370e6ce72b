//! Whether an agent has reacted to what was typed.

use std::time::Duration;

use holdpoint_core::job::detect::{
    Observation, Patterns, ScreenText, Timing, find_marked, find_prompt, without_typed,
};
use tokio::time::{Instant, sleep};

use crate::sessions::{Key, Keys, ScreenCondition, Session};

/// The rest of an answer is typed after no prompt has been shown for this long: another prompt may follow at once.
const NONE_FOR: Duration = Duration::from_millis(600);
/// How long an agent is given to react.
const REACTS_WITHIN: Duration = Duration::from_secs(4);
const LOOK: Duration = Duration::from_millis(50);

/// Waits until the agent has read an answer and shows no other prompt, or shows its input box; not forever.
pub(super) async fn wait_for_reaction(session: &Session, on: &ScreenCondition) {
    let start = Instant::now();
    let mut none_since = start;
    while start.elapsed() < REACTS_WITHIN && none_since.elapsed() < NONE_FOR {
        let Ok(screen) = session.screen().await else { return };
        let seen = Observation { waiting_for_input: None, ..screen.observation() };
        let marked = find_marked(&seen.screen);
        let for_words = matches!(on, ScreenCondition::Words(number) if marked == Some(*number));
        let is_asked = marked.is_some() || find_prompt(&seen, &Patterns::default()).is_some();
        if is_asked && !for_words {
            none_since = Instant::now();
        }
        sleep(LOOK).await;
    }
}

/// Presses Enter after a key that the agent has echoed below its list without acting on it: it edits lines itself, and
/// waits for the end of this one. If a key alone chooses, the list goes away or shows no such text, and nothing more is
/// typed. The session checks again at the moment of pressing.
pub(super) async fn enter_if_echoed(session: &Session, effect: &str, keys: &Keys, on: &ScreenCondition) {
    let (Some(text), ScreenCondition::Prompt(prompt)) = (pressed(keys), on) else { return };
    let start = Instant::now();
    while start.elapsed() < REACTS_WITHIN {
        let Ok(screen) = session.screen().await else { return };
        let is_echoed = without_typed(&screen.text, &text).is_some_and(|before| shows(before, prompt));
        if is_echoed && screen.quiet_for >= Timing::default().prompt {
            let on = ScreenCondition::Echoed { prompt: prompt.clone(), text };
            let enter = Keys::Press(vec![Key::Enter]);
            if let Err(why) = session.input_on(&format!("{effect}.enter"), &enter, on).await {
                tracing::warn!("Enter was not typed into session {}: {why}", session.id());
            }
            return;
        }
        if !is_echoed && !shows(screen.text, prompt) {
            return;
        }
        sleep(LOOK).await;
    }
}

/// Returns the text of keys that were pressed without Enter.
fn pressed(keys: &Keys) -> Option<String> {
    let Keys::Press(keys) = keys else { return None };
    let text = |key: &Key| if let Key::Char(c) = key { Some(*c) } else { None };
    keys.iter().map(text).collect()
}

fn shows(screen: ScreenText, prompt: &str) -> bool {
    let seen = Observation { screen, waiting_for_input: Some(true), ..Observation::default() };
    find_prompt(&seen, &Patterns::default()).is_some_and(|found| found.fingerprint() == prompt)
}
