//! What people write in haste: letters swapped, words shortened, apostrophes left out.

use super::lexicon::is_wishing;
use super::words::{Sort, Token};

/// Returns what a word stands for that many write in haste.
pub(super) fn mistyped(word: &str) -> Option<&'static str> {
    Some(match word {
        "tmrw" | "tmr" | "tomorow" | "tommorow" | "tommorrow" | "tomorrrow" | "tmw" | "2moro" => "tomorrow",
        "yday" | "yesteday" | "yesterdy" | "ystrday" => "yesterday",
        "becuase" | "becasue" | "beacuse" | "becaus" | "cuz" | "coz" | "cos" | "bc" => "because",
        "pls" | "plz" | "plese" | "pleas" => "please",
        "untill" | "til" => "until",
        "thx" | "thnx" | "tnx" | "thanx" => "thanks",
        "sry" | "soz" => "sorry",
        "wanna" => "want",
        "hav" => "have",
        "leav" => "leave",
        "frm" => "from",
        "appt" => "appointment",
        "u" => "you",
        "ur" | "urs" => "your",
        "abt" => "about",
        "smth" => "something",
        "bday" => "birthday",
        "nite" => "night",
        "nites" => "nights",
        "wk" => "week",
        "wks" => "weeks",
        "hrs" => "hours",
        "ppl" => "people",
        "drs" | "docs" => "doctors",
        "hols" => "holidays",
        "brekkie" | "brekky" | "bfast" => "breakfast",
        "dont" => "don't",
        "cant" => "can't",
        "wont" => "won't",
        "didnt" => "didn't",
        "doesnt" => "doesn't",
        "isnt" => "isn't",
        "wasnt" => "wasn't",
        "havent" => "haven't",
        "wouldnt" => "wouldn't",
        "couldnt" => "couldn't",
        "im" => "i'm",
        "ive" => "i've",
        "whats" => "what's",
        "thats" => "that's",
        "theres" => "there's",
        "lets" => "let's",
        _ => return None,
    })
}

/// Puts right what only its neighbours tell: `mouse n keyboard`, `b4`, `so ill take`.
pub(super) fn settle(tokens: &mut Vec<Token>) {
    let word = |token: Option<&Token>| token.is_some_and(|token| token.sort == Sort::Word && token.spaced);
    for at in 0..tokens.len() {
        let next = tokens.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let inner = before.is_some() && before.is_some_and(|token| token.sort != Sort::Sign);
        let stands = match tokens[at].low.as_str() {
            // Beside figures they are points of the compass.
            "n" if word(next) && inner => "and",
            "w" if word(next) && inner => "with",
            "ill"
                if next.is_some_and(is_wishing)
                    && before.is_none_or(|token| {
                        token.among(&["so", "and", "but", "then", ",", "ok", "because"])
                    }) =>
            {
                "i'll"
            }
            "id" if next.is_some_and(is_wishing) => "i'd",
            _ => continue,
        };
        stands.clone_into(&mut tokens[at].low);
    }
    // `b4` is two tokens, for figures stand by themselves.
    for at in (0..tokens.len().saturating_sub(1)).rev() {
        if tokens[at].is("b") && tokens[at + 1].is("4") && !tokens[at + 1].spaced {
            let end = tokens.remove(at + 1).end;
            tokens[at].end = end;
            "before".clone_into(&mut tokens[at].low);
        }
    }
}
