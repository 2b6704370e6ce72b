//! What a short answer says by itself: yes, no, or that nobody knows.

use std::ops::Range;

use super::{Message, NO, VAGUE, YES, denies, is_among};

/// Returns whether some words are a yes or a no, and nothing else but politeness.
pub(super) fn says(message: &Message<'_>, at: Range<usize>) -> Option<bool> {
    const POLITE: &str = "please thanks thank you very much , . ! ; \n";
    let said = message.tokens.get(at).unwrap_or_default().iter().filter(|token| !token.is(POLITE));
    let said: Vec<&str> = said.map(|token| token.low.as_str()).collect();
    let all = |said: &[&str], list: &str| said.iter().all(|word| is_among(word, list));
    match said[..] {
        [] => None,
        ["absolutely" | "certainly" | "definitely", "not"] | ["of", "course", "not"] => Some(false),
        _ if all(&said, YES) || said == ["of", "course"] => Some(true),
        _ if all(&said, NO) || said == ["don't"] || said == ["never"] => Some(false),
        _ => None,
    }
}

/// Returns the yes or no that an answer begins with, where only a reason follows it: `no, I've been there before`.
pub(super) fn leads(message: &Message<'_>) -> Option<bool> {
    const TURNS: &str = "but only if until till unless except though although however maybe perhaps wait sorry actually without or depends know idea think guess suppose believe probably possibly";
    const SUBJECTS: &str =
        ", . ! ; - – — and i i've i'm we we've we're he she they it it's there there's my our the";
    let yes = message.is(0, "yes yeah yep yup");
    let opposite = if yes { NO } else { YES };
    let turns = |at: usize| message.is(at, TURNS) || message.is(at, opposite) || yes && denies(message, at);
    let leads = (yes || message.is(0, "no nope nah")) && message.is(1, SUBJECTS);
    (leads && !(1..message.tokens.len()).any(turns)).then_some(yes)
}

/// Returns whether a text only says that nothing is known yet: `tbd`, `I'll tell you later`, `not decided`.
pub fn is_unknown(text: &str) -> bool {
    let message = Message::new(text);
    unknown(&message, 0..message.tokens.len())
}

pub(super) fn unknown(message: &Message<'_>, mut at: Range<usize>) -> bool {
    const AROUND: &str = "to be will let you tell we we'll i'll me ask at the moment right now for as of us haven't hasn't been have has clue confirmed determined applicable announced later decide still open a . ! ? already told said mentioned before above";
    let around = |at: usize| message.is(at, VAGUE) || message.is(at, AROUND);
    let known = |at: usize| message.is(at, "know sure idea clue certain clear decided applicable yet");
    let denied = at.clone().any(|at| denies(message, at)) && at.clone().any(known);
    let done = |at: usize| message.is(at, "confirmed determined announced decided");
    // `I already told you`
    let told =
        |at: usize| message.is(at, "told said mentioned") && message.follows(at, "i i've already just");
    let open = |at: usize| {
        message.is(at, "idk dunno unknown unsure tbd tba tbc later maybe perhaps ?")
            || told(at)
            || message.says(at, "n / a")
    };
    at.clone().all(around) && (denied || at.any(|at| open(at) || message.says(at, "to be") && done(at + 2)))
}
